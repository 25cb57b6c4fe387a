#include "elements/models/structure_parts.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/files/node_files.h"
#include "elements/gram/weight_term.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

void StructureParts::declare(Parameters &root)
{
  for (const std::string &kind : Registry<StructurePart>::instance().names())
  {
    const Parameters all = root.section(kind);
    const std::vector<std::string> names = all.named_sections();
    if (names.empty() && all.exists())
      all.fail("", "there is no part in this section. Add a subsection with a name of your choice, or remove the section");
    for (const std::string &name : names)
    {
      parts.push_back({kind, name, Registry<StructurePart>::instance().make(kind)});
      Parameters p = all.section(name);
      parts.back().part->declare(name, p);
    }
  }
}

void StructureParts::document(Parameters &root)
{
  for (const std::string &kind : Registry<StructurePart>::instance().names())
    try
    {
      Parameters p = root.section(kind).section("<name>");
      Registry<StructurePart>::instance().make(kind)->declare("<name>", p);
    }
    catch (const InputError &)  // of entries that must be given, once all are declared
    {
    }
}

void StructureParts::plan(SitePlan &plan)
{
  first_site = plan.appended().size();
  for (const Part &one : parts)
    one.part->plan(plan);
  for (const Part &one : parts)
    one.part->join(plan);
}

void StructureParts::add_to(AssembledSystem::Parts &system, const SitePlan &plan, const bool lumped, const Place &gravity)
{
  if (!any())
    return;
  sites.emplace(system.space, plan);
  std::vector<double> masses(system.space->owned(), 0.);
  std::vector<std::shared_ptr<const SiteSupports>> supports;
  for (const Part &one : parts)
  {
    const PartInSystem built = one.part->build(*sites);
    terms.insert(terms.end(), built.terms.begin(), built.terms.end());
    supports.insert(supports.end(), built.supports.begin(), built.supports.end());
    system.loads.insert(system.loads.end(), built.loads.begin(), built.loads.end());
    for (const auto &[site, mass] : built.masses)
      if (sites->owns(site))
        masses[sites->local(site)] += mass;
    for (const auto &[one_site, other_site, mass] : built.pairs)
    {
      if (lumped)
        break;
      if (sites->owns(one_site))
        system.pair_masses.push_back({sites->local(one_site), sites->local(other_site), mass});
      if (sites->owns(other_site) && one_site != other_site)
        system.pair_masses.push_back({sites->local(other_site), sites->local(one_site), mass});
    }
  }
  find_facts(masses, supports, plan);
  if (gravity != Place{} && found.mass > 0.)
    terms.push_back(weight(masses, system.pair_masses, gravity));
  system.terms.insert(system.terms.end(), terms.begin(), terms.end());
  system.supports.insert(system.supports.end(), supports.begin(), supports.end());
  if (MPI::max(int(std::any_of(masses.begin(), masses.end(), [](const double m) { return m != 0.; })), system.space->communicator()) == 0)
    return;
  system.masses.resize(masses.size(), 0.);
  for (std::size_t site = 0; site < masses.size(); ++site)
    system.masses[site] += masses[site];
}

std::shared_ptr<Term> StructureParts::weight(const std::vector<double> &masses, const std::vector<PairMass> &pairs,
                                             const Place &gravity) const
{
  const Space &space = *sites->space();
  const int n = space.block();
  std::vector<double> w(n * masses.size(), 0.);
  const auto add = [&](const int row, const int column, const double mass) {
    for (int d = 0; d < n && !space.is_director(column); ++d)
      w[n * row + d] += mass * gravity[d];
  };
  for (std::size_t site = 0; site < masses.size(); ++site)
    add(int(site), int(site), masses[site]);
  for (const auto &[row, column, mass] : pairs)
    add(row, column, mass);
  return std::make_shared<WeightTerm>(n, std::move(w));
}

void StructureParts::find_facts(const std::vector<double> &masses, const std::vector<std::shared_ptr<const SiteSupports>> &supports,
                                const SitePlan &plan)
{
  const Space &space = *sites->space();
  found.sites = plan.appended().size() - first_site;
  for (std::size_t i = first_site; i < plan.appended().size(); ++i)
    if (const auto &[X, is_director] = plan.appended()[i]; !is_director)
    {
      for (int d = 0; d < 3; ++d)
      {
        found.lower[d] = found.places ? std::min(found.lower[d], X[d]) : X[d];
        found.upper[d] = found.places ? std::max(found.upper[d], X[d]) : X[d];
      }
      found.places = true;
    }
  for (int site = 0; site < space.owned(); ++site)
  {
    found.held += std::any_of(supports.begin(), supports.end(), [site](const auto &one) { return one->projector(site) != nullptr; });
    if (space.is_director(site))
      continue;
    found.mass += masses[site];
    for (int d = 0; d < 3; ++d)
      found.moment[d] += masses[site] * space.position(site)[d];
  }
  found.held = MPI::sum(found.held, space.communicator());
  found.mass = MPI::sum(found.mass, space.communicator());
  for (double &moment : found.moment)
    moment = MPI::sum(moment, space.communicator());
}

void StructureParts::initialise(State &state) const
{
  for (const Part &one : parts)
    one.part->initialise(*sites, state.q, state.v);
}

void StructureParts::add_force(const Vector &q, Vector &f) const
{
  if (!any())
    return;
  q.update_ghost_values();
  Vector sum = sites->space()->new_vector();
  At here;
  here.q = &q;
  for (const auto &term : terms)
    term->add_force(here, sum);
  sum.compress(dealii::VectorOperation::add);
  f += sum;
}

void StructureParts::add_columns(const Units &units, std::vector<Column> &columns) const
{
  for (const Part &one : parts)
    for (const Column &column : one.part->columns(units))
      columns.push_back(column);
}

void StructureParts::add_values(const State &state, std::vector<double> &values) const
{
  for (const Part &one : parts)
    one.part->values(state, values);
}

void StructureParts::add_facts(ModelFacts &facts) const
{
  if (!any())
    return;
  for (int d = 0; d < facts.dimension; ++d)
  {
    facts.centre[d] = (facts.mass * facts.centre[d] + found.moment[d]) / (facts.mass + found.mass);
    if (found.places)
    {
      facts.lower[d] = std::min(facts.lower[d], found.lower[d]);
      facts.upper[d] = std::max(facts.upper[d], found.upper[d]);
    }
  }
  facts.mass += found.mass;
  facts.nodes += found.sites;
  facts.dofs += facts.dimension * found.sites;
  facts.held_nodes += found.held;
  for (const Part &one : parts)
    for (const std::string &load : one.part->loads())
      facts.loads.push_back(load);
}

void StructureParts::write(const State &state, const std::string &folder, const std::string &stem, std::vector<std::string> &files) const
{
  NodeFrame frame{{}, {}, true, state.t, {"Points", 3, {}}, {{"displacement", 3, {}}}};
  state.q.update_ghost_values();
  for (const Part &one : parts)
    one.part->draw(state, frame);
  const MPI_Comm communicator = state.q.get_mpi_communicator();
  if (MPI::max(int(!frame.types.empty()), communicator) == 1)
    files.push_back(write_node_frame(frame, folder, stem + "-parts", communicator));
}

double StructureParts::force_rounding(const Vector &q, const std::vector<double> &stiffness) const
{
  // Strains are differences of products of vectors as long as an element, or of length 1: the force rounds like stiffness times that.
  const Space &space = *sites->space();
  double length = 0, sum = 0;
  for (int d = 0; d < 3; ++d)
    length = std::max(length, found.upper[d] - found.lower[d]);
  length /= std::max(1., std::cbrt(double(found.sites)));
  const int n = space.block();
  for (std::size_t i = 0; i < stiffness.size(); ++i)
  {
    const double size = space.is_director(int(i) / n) ? 1. : length;
    sum += std::pow(stiffness[i] * (4. * std::abs(q.local_element(i)) + size), 2);
  }
  return std::numeric_limits<double>::epsilon() * std::sqrt(MPI::sum(sum, space.communicator()));
}

std::string StructureParts::description() const
{
  std::string text;
  for (const Part &one : parts)
  {
    const std::string words = one.part->description();
    text += fmt::format("  {}: {}{}{}\n", one.kind, one.name, words.empty() ? "" : ", ", words);
  }
  return text;
}
}  // namespace symdyn
