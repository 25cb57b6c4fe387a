#include "elements/models/structure_parts.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "elements/files/node_files.h"
#include "elements/gram/director_nodes.h"
#include "elements/gram/mass_choice.h"
#include "elements/gram/weight_term.h"
#include "elements/models/gathered_rows.h"
#include "elements/models/loose_ends.h"
#include "elements/term_histories.h"
#include "solver/base/log.h"
#include "solver/base/units.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

void StructureParts::declare(Parameters &root, const bool of_body)
{
  for (const std::string &kind : Registry<StructurePart>::instance().names())
  {
    Parameters all = root.section(kind);
    const auto add = [&](const std::string &name, Parameters p) {
      parts.push_back({kind, name, Registry<StructurePart>::instance().make(kind)});
      parts.back().part->declare(name, p);
    };
    if (Registry<StructurePart>::instance().make(kind)->single())
    {
      if (all.exists())
        add(kind, all);
      continue;
    }
    const std::vector<std::string> names = all.named_sections();
    if (names.empty() && all.exists())
      all.fail("", "there is no part in this section. Add a subsection with a name of your choice, or remove the section");
    for (const std::string &name : names)
      add(name, all.section(name));
  }
  declare_frames(root.section("Output"), of_body);
}

std::vector<std::string> StructureParts::names(std::vector<std::string> (StructurePart::*named)() const) const
{
  std::vector<std::string> all;
  for (const Part &one : parts)
    for (const std::string &name : (*one.part.*named)())
      all.push_back(name);
  return all;
}

void StructureParts::document(Parameters &root)
{
  for (const std::string &kind : Registry<StructurePart>::instance().names())
    try
    {
      const std::unique_ptr<StructurePart> part = Registry<StructurePart>::instance().make(kind);
      Parameters p = part->single() ? root.section(kind) : root.section(kind).section("<name>");
      part->declare("<name>", p);
    }
    catch (const InputError &)  // of entries that must be given, once all are declared
    {
    }
  StructureParts().declare_inertia(root.section("Elements"), "");
  StructureParts().declare_frames(root.section("Output"), true);
}

void StructureParts::adjust(BodySurface &surface) const
{
  bool moved = true;
  // One may stand on what another has moved, middles of edges on corners. Ties that lead each other in a circle refuse that later.
  const std::size_t most = 2 * parts.size() + 1;
  for (std::size_t pass = 0; moved && pass <= most; ++pass)
  {
    moved = false;
    for (const Part &one : parts)
      if (auto *moving = dynamic_cast<MovesNodes *>(one.part.get()))
        moved = moving->adjust(surface) || moved;
  }
}

void StructureParts::plan(SitePlan &plan, const bool lumped)
{
  plan.shared<MassChoice>().lumped = lumped;
  first_site = plan.appended().size();
  for (const Part &one : parts)
    one.part->plan(plan);
  for (const Part &one : parts)
    one.part->join(plan);
  warn_of_loose_ends(plan);
}

/// What all parts add.
struct StructureParts::Sum
{
  std::vector<double> masses;  ///< of owned sites
  std::vector<std::shared_ptr<const SiteSupports>> supports;
  std::vector<std::vector<SitePlan::Site>> nodes;  ///< directors of each
  std::set<SitePlan::Site> related;
  std::vector<PartInSystem::Light> light;
  ScaledInertia scaled;
};

void StructureParts::add_part(Part &one, const Choices &choices, AssembledSystem::Parts &system, Sum &sum)
{
  const PartInSystem built = one.part->build(*sites);
  refuse(built, choices);
  if (choices.lumped && system.off_nodes.empty())
    system.off_nodes = built.off_nodes;
  one.part->number_terms(first_term + terms.size());
  system.cyclic = built.cyclic ? built.cyclic : system.cyclic;
  sum.scaled.add(built);
  terms.insert(terms.end(), built.terms.begin(), built.terms.end());
  if (built.directors && (!choices.exact || !built.related.empty()))
    terms.push_back(built.directors);
  all_linear = all_linear && built.linear;
  for (const auto &node : built.director_nodes)
    if (built.linear)
      of_linear.insert(node.begin(), node.end());
  sum.nodes.insert(sum.nodes.end(), built.director_nodes.begin(), built.director_nodes.end());
  sum.related.insert(built.related.begin(), built.related.end());
  sum.supports.insert(sum.supports.end(), built.supports.begin(), built.supports.end());
  sum.light.insert(sum.light.end(), built.light.begin(), built.light.end());
  add_loads(built, system);
  one.first_relation = system.couplings.size();
  add_relations(built, system);
  add_masses(built, sum.masses);
  add_dense_masses(built, system);
}

namespace
{
std::vector<NodeDirectors> directors_of_nodes(SitePlan &plan, const PlannedSites &sites)
{
  std::vector<NodeDirectors> all;
  for (const auto &[place, directors] : plan.shared<DirectorNodes>().all())
  {
    NodeDirectors node{std::uint64_t(sites.number(place)), {}};
    for (const SitePlan::Site director : directors)
      node.directors.push_back(sites.number(director));
    all.push_back(std::move(node));
  }
  return all;
}
}  // namespace

void StructureParts::add_to(AssembledSystem::Parts &system, SitePlan &plan, const Choices &choices)
{
  if (!any())
    return;
  sites.emplace(system.space, plan);
  off_plane = plan.shared<OffPlaneReferences>().in_system(*sites);
  first_term = system.terms.size();
  Sum sum{std::vector<double>(system.space->owned(), 0.), {}, {}, {}, {}, {}};
  for (Part &one : parts)
    add_part(one, choices, system, sum);
  add_light(sum.light, system, sum.masses);
  if (inertia == "scaled")
    scale(sum.scaled, choices, sum.masses, system);
  else
  {
    std::vector<double> raised = sum.masses;
    system.scalable = std::make_shared<const std::vector<double>>(sum.scaled.raise(*sites, raised));
  }
  count_directors(sum.nodes);
  if (system.rotation)
    system.directors = directors_of_nodes(plan, *sites);
  system.pair_masses = pairs;
  system.pairs_of_nodes = choices.lumped;
  system.lumped_pairs = std::move(lumped_pairs);
  find_facts(sum.masses, sum.supports, plan);
  mark_sites_of_terms(sum.masses.size());
  add_weights(sum.masses, choices.gravity, system);
  system.terms.insert(system.terms.end(), terms.begin(), terms.end());
  system.supports.insert(system.supports.end(), sum.supports.begin(), sum.supports.end());
  if (choices.exact)
    constrain(std::move(sum.nodes), sum.related, plan.shared<HingeNames>(), choices.where, system);
  system.force_rounding = [this, others = system.force_rounding](const Vector &q, const std::vector<double> &stiffness) {
    return std::hypot(others ? others(q, stiffness) : 0., force_rounding(q, stiffness));
  };
  const auto weighs = [](const double m) { return m != 0.; };
  if (MPI::max(int(std::any_of(sum.masses.begin(), sum.masses.end(), weighs)), system.space->communicator()) == 0)
    return;
  system.masses.resize(sum.masses.size(), 0.);
  for (std::size_t site = 0; site < sum.masses.size(); ++site)
    system.masses[site] += sum.masses[site];
}

void StructureParts::refuse(const PartInSystem &built, const Choices &choices)
{
  if (choices.exact && !built.not_exact.empty())
    throw InputError(built.not_exact);
}

void StructureParts::scale(const ScaledInertia &scaled, const Choices &choices, std::vector<double> &masses,
                           AssembledSystem::Parts &system) const
{
  if (!choices.needs_true_mass.empty())
    throw InputError(fmt::format(
        "{}: the stage '{}' solves equations with the mass (implicit steps, modes, harmonic loads), where scaling changes the answer and saves "
        "nothing. Set Rotary inertia = physical, or use an explicit scheme (central-difference) in all stages in time",
        where_inertia, choices.needs_true_mass));
  const double before = scaled.sum(*sites, masses);
  const auto added = std::make_shared<const std::vector<double>>(scaled.raise(*sites, masses));
  system.added_inertia = added;
  const double after = scaled.sum(*sites, masses);
  log_line(after > before ? fmt::format("rotary inertia of beams and shells: {:.4g} times that of their sections", after / before)
                          : "rotary inertia of beams and shells: nothing to scale, their sections have more than their elements");
}

void StructureParts::add_loads(const PartInSystem &built, AssembledSystem::Parts &system) const
{
  for (const LoadInUse &load : built.loads)
  {
    for (const LoadInUse &other : system.loads)
      if (other.name == load.name)
        throw InputError(fmt::format("{}: there is another load of this name{}. Stages choose loads by name: rename one of them",
                                     load.where, other.where.empty() ? "" : ", " + other.where));
    system.loads.push_back(load);
  }
}

void StructureParts::add_relations(const PartInSystem &built, AssembledSystem::Parts &system) const
{
  for (const PartInSystem::Relation &relation : built.relations)
  {
    SiteRelation one{relation.name, relation.where, {}, relation.of_cut};
    for (const auto &[site, component, factor] : relation.shares)
      one.terms.emplace_back(std::uint64_t(system.space->block()) * sites->number(site) + component, factor);
    system.couplings.push_back(std::move(one));
    system.coupling_sums.push_back(relation.sum);
  }
  for (const PartInSystem::Tie &tie : built.ties)
  {
    system.ties.push_back({tie.name, tie.where, std::uint64_t(sites->number(tie.site)), {}});
    for (const auto &[site, weight] : tie.others)
      system.ties.back().others.emplace_back(sites->number(site), weight);
  }
}

void StructureParts::initialise(State &state) const
{
  for (const Part &one : parts)
    one.part->initialise(*sites, state.q, state.v);
}

void StructureParts::add_force(const State &state, Vector &f) const
{
  add_terms(state, true, f);
  for (std::size_t i = 0; i < of_loads.size(); ++i)
    f.local_element(i) -= of_loads[i];
}

void StructureParts::add_strain_force(const State &state, Vector &f) const { add_terms(state, false, f); }

void StructureParts::add_terms(const State &state, const bool weights, Vector &f) const
{
  if (!any())
    return;
  state.q.update_ghost_values();
  Vector sum = sites->space()->new_vector();
  At here;
  here.q = &state.q;
  for (std::size_t i = 0; i < terms.size(); ++i)
  {
    here.from = TermHistories::of(state, first_term + i);
    if (weights || !terms[i]->traits().weighs)
      terms[i]->add_force(here, sum);
  }
  sum.compress(dealii::VectorOperation::add);
  f += sum;
}

double StructureParts::force_rounding(const Vector &q, const std::vector<double> &stiffness) const
{
  // Strains are differences of products of present vectors X + q, which round like themselves; the force rounds like stiffness times that.
  // 2: as of points.
  constexpr double safety = 2.;
  const Space &space = *sites->space();
  const int n = space.block();
  double sum = 0;
  for (std::size_t i = 0; i < stiffness.size(); ++i)
    if (const int site = int(i) / n; has_part[site])
    {
      const auto &X = space.position(site);
      sum += std::pow(safety * space.weight(site) * stiffness[i] * (std::hypot(X[0], X[1], X[2]) + std::abs(q.local_element(i))), 2);
    }
  return std::numeric_limits<double>::epsilon() * std::sqrt(MPI::sum(sum, space.communicator()));
}

}  // namespace symdyn
