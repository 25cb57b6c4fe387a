#include <deal.II/base/mpi.h>

#include <algorithm>

#include "elements/gram/weight_term.h"
#include "elements/models/structure_parts.h"
#include "solver/error.h"

// Masses and weights of parts.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

void StructureParts::add_light(const std::vector<PartInSystem::Light> &light, const AssembledSystem::Parts &system,
                               std::vector<double> &masses) const
{
  constexpr double share = 1e-2;
  const auto mass_at = [&](const int site) {
    const double of_cells = system.cells && site < int(system.cells->rows()) ? system.cells->diagonal_entry(site) : 0.;
    return masses[site] + (system.masses.empty() ? 0. : system.masses[site]) + of_cells;
  };
  for (const PartInSystem::Light &one : light)
  {
    double inertia = 0, largest = 0;
    for (const auto &[node, square] : one.nodes)
      inertia += sites->owns(node) ? square * mass_at(sites->local(node)) : 0.;
    for (const SitePlan::Site other : one.others)
      largest = std::max(largest, sites->owns(other) ? mass_at(sites->local(other)) : 0.);
    const double own = share * MPI::sum(inertia, system.space->communicator()) + MPI::max(largest, system.space->communicator());
    if (sites->owns(one.director))
      masses[sites->local(one.director)] += own;
  }
}

void StructureParts::add_masses(const PartInSystem &built, std::vector<double> &masses)
{
  for (const auto &[site, mass] : built.masses)
    if (sites->owns(site))
      masses[sites->local(site)] += mass;
  const auto add = [this](const std::vector<PartInSystem::Pair> &given, std::vector<PairMass> &all) {
    for (const auto &[one, other, mass] : given)
    {
      if (sites->owns(one))
        all.push_back({sites->local(one), sites->local(other), mass});
      if (sites->owns(other) && one != other)
        all.push_back({sites->local(other), sites->local(one), mass});
    }
  };
  add(built.pairs, pairs);
  add(built.lumped_pairs, lumped_pairs);
}

void StructureParts::add_dense_masses(const PartInSystem &built, AssembledSystem::Parts &system)
{
  for (const PartInSystem::Dense &one : built.dense_masses)
  {
    system.dense_masses.push_back({{}, one.mass});
    for (const SitePlan::Site site : one.sites)
      system.dense_masses.back().sites.push_back(sites->number(site));
    dense.emplace_back(*sites->space(), system.dense_masses.back().sites, one.mass);
    if (system.where_dense.empty())
      system.where_dense = one.where;
    if (!one.carried && system.not_carried.empty())
      system.not_carried = one.where;
  }
}

void StructureParts::add_weights(const std::vector<double> &masses, const Place &gravity, AssembledSystem::Parts &system)
{
  const int n = system.space->block();
  const auto refuse = [&] {
    if (!system.not_carried.empty())
      throw InputError(system.not_carried +
                       ": gravity acts, and masters of this superelement do not carry all of its mass: its supports are inside, or a "
                       "component is no master. Let the stage of Type = substructure keep them as masters, or remove the gravity");
  };
  if (gravity != Place{} && found.mass > 0.)
  {
    refuse();
    terms.push_back(std::make_shared<WeightTerm>(n, weight(masses, gravity)));
  }
  for (LoadInUse &use : system.loads)
    if (const Place g = use.load->acceleration(); g != Place{})
    {
      refuse();
      const std::vector<double> w = weight(masses, g);
      use.load = std::make_shared<GravityOfParts>(use.load, w);
      of_loads.resize(w.size(), 0.);
      for (std::size_t i = 0; i < w.size(); ++i)
        of_loads[i] += w[i];
    }
}

std::vector<double> StructureParts::weight(const std::vector<double> &masses, const Place &gravity) const
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
  if (dense.empty())
    return w;
  Vector g = space.new_vector(), f = g;
  for (int site = 0; site < space.owned(); ++site)
    for (int d = 0; d < n && !space.is_director(site); ++d)
      g.local_element(n * site + d) = gravity[d];
  g.update_ghost_values();
  for (const DenseBlock &one : dense)
    one.add_product(1., g, f);
  for (std::size_t i = 0; i < w.size(); ++i)
    w[i] += f.local_element(i);
  return w;
}

void StructureParts::find_dense_facts()
{
  if (dense.empty())
    return;
  const Space &space = *sites->space();
  const int n = space.block();
  const auto moved = [&](const int generator) {
    Vector xi = space.new_vector();
    space.generator(generator, space.new_vector(), xi);
    return xi;
  };
  const auto of_rank = [&](const Vector &u, const Vector &w) {  // u M w
    Vector f = space.new_vector();
    for (const DenseBlock &one : dense)
      one.add_product(1., w, f);
    double sum = 0;
    for (unsigned int i = 0; i < f.locally_owned_size(); ++i)
      sum += u.local_element(i) * f.local_element(i);
    return sum;
  };
  found.mass += of_rank(moved(0), moved(0));
  for (int d = 0; d < n; ++d)  // a rotation about the axis before moves it along the axis behind
    found.moment[d] += n == 2 ? (d == 0 ? of_rank(moved(2), moved(1)) : -of_rank(moved(2), moved(0)))
                              : of_rank(moved(n + (d + 2) % n), moved((d + 1) % n));
}

void StructureParts::find_facts(const std::vector<double> &masses, const std::vector<std::shared_ptr<const SiteSupports>> &supports,
                                const SitePlan &plan)
{
  const Space &space = *sites->space();
  found.sites = plan.appended().size() - first_site;
  for (std::size_t i = first_site; i < plan.appended().size(); ++i)
    if (const auto &[X, is_director, node, is_amplitudes] = plan.appended()[i]; !is_director)
    {
      for (int d = 0; d < 3; ++d)
      {
        found.lower[d] = found.places > 0 ? std::min(found.lower[d], X[d]) : X[d];
        found.upper[d] = found.places > 0 ? std::max(found.upper[d], X[d]) : X[d];
      }
      ++found.places;
    }
  for (int site = 0; site < space.owned(); ++site)
  {
    if (space.is_director(site))
      continue;
    found.held += std::any_of(supports.begin(), supports.end(), [site](const auto &one) { return one->projector(site) != nullptr; });
    found.mass += masses[site];
    for (int d = 0; d < 3; ++d)
      found.moment[d] += masses[site] * space.position(site)[d];
  }
  for (const PairMass &pair : pairs)  // directors of an offset carry the body beside its nodes
    for (int d = 0; d < 3 && !space.is_director(pair.row); ++d)
      found.moment[d] += pair.mass * space.position(pair.column)[d];
  find_dense_facts();
  found.held = MPI::sum(found.held, space.communicator());
  found.mass = MPI::sum(found.mass, space.communicator());
  for (double &moment : found.moment)
    moment = MPI::sum(moment, space.communicator());
}
}  // namespace symdyn
