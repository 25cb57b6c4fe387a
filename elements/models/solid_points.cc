#include "elements/models/solid_points.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "elements/gram/part_places.h"
#include "solver/base/together.h"
#include "solver/dynamics/multipliers.h"
#include "solver/error.h"
#include "solver/unknowns.h"

namespace symdyn
{
void SolidPoints::declare(Parameters &root)
{
  if (!PointSections::given(root))
    return;
  deck = root;
  PointSections::announce(root);
}

bool SolidPoints::expand() const { return deck && PointSections::expand(*deck); }

void SolidPoints::plan(SitePlan &plan)
{
  if (!deck)
    return;
  sections.read(*deck, &plan.mesh());
  const LumpedParts &parts = sections.model.parts;
  for (const LumpedPoint &point : parts.points)
    planned.push_back(point.node >= 0 ? point.node : plan.append({point.position, point.director_of >= 0}));
  for (std::size_t k = 0; k < parts.points.size(); ++k)
    if (parts.points[k].director_of < 0)
      plan.shared<PartPlaces>().add(parts.points[k].name, {planned[k], parts.points[k].position});
  parts.couple([&](const int k, const int l) { plan.join({planned[k], planned[l]}); });
  join_constrained(plan);
}

/// A rank that owns one coordinate of a constraint knows the others: matrices of static and linear stages need them.
void SolidPoints::join_constrained(SitePlan &plan) const
{
  const LumpedParts &parts = sections.model.parts;
  std::vector<double> x = parts.positions();
  for (std::size_t c = 0; c < x.size(); ++c)  // no place where slopes vanish
    x[c] += 1e-3 * std::sin(1. + c);
  for (const auto &constraint : parts.constraints)
  {
    ConstraintRows rows;
    constraint->add_row(x.data(), rows);
    std::set<SitePlan::Site> sites;
    for (const int coordinate : rows.column)
      sites.insert(planned[coordinate / parts.dimension]);
    plan.join({sites.begin(), sites.end()});
  }
}

void SolidPoints::add_to(AssembledSystem::Parts &system, SitePlan &plan)
{
  if (!deck)
    return;
  space = system.space;
  std::vector<std::int64_t> numbers;
  for (const SitePlan::Site site : planned)
    numbers.push_back(plan.number(site));
  of_deck = std::make_unique<Points>(sections.model.parts, space, std::move(numbers));
  of_deck->raise(plan, planned);
  spins.find(sections.model.parts, plan, planned);
  sites.emplace(space, plan);
  of_deck->add_to(system);
}

std::set<SitePlan::Site> SolidPoints::own_sites() const
{
  std::set<SitePlan::Site> own;
  std::copy_if(planned.begin(), planned.end(), std::inserter(own, own.end()), [](const SitePlan::Site site) { return site < 0; });
  return own;
}

void SolidPoints::initialise(State &state) const
{
  of_deck->sites().assign_own(sections.model.displacement, state.q);
  of_deck->sites().assign_own(sections.model.velocity, state.v);
  spins.set(*sites, state.v);
}

void SolidPoints::check_start(const State &state) const
{
  of_deck->check_start(sections.model.velocity, state);
  spins.check(*sites, state.v);
}

std::vector<double> SolidPoints::report(const State &state) const
{
  const auto [u, v, a] = of_deck->moved(state);
  std::vector<double> values = sections.report(u.data(), v.data(), a.data());
  const std::vector<double> of_elements = of_deck->values(state);
  values.insert(values.end(), of_elements.begin(), of_elements.end());
  return values;
}

std::map<std::string, double> SolidPoints::by_name(const std::map<SitePlan::Site, double> &of_sites) const
{
  std::map<std::string, double> named;
  for (std::size_t k = 0; k < planned.size(); ++k)
    if (const auto site = of_sites.find(planned[k]); site != of_sites.end())
      named[sections.model.parts.points[k].name] = site->second;
  return named;
}

Vector SolidPoints::on_sites(const std::vector<double> &force) const
{
  Vector f = space->new_vector();
  of_deck->sites().add(force.data(), f);
  return f;
}

Vector SolidPoints::force_on_body(const MechanicalSystem &system, const State &state, const bool statics) const
{
  std::vector<double> force = of_deck->internal_force(state);
  if (const HolonomicConstraints *constraints = system.constraints(); constraints && !statics)
  {
    std::vector<double> u, w(constraints->coordinates(), 0.);
    ConstraintRows G;
    constraints->gather(state.q, u);
    constraints->jacobian(u, G);
    G.add_transposed(multipliers_of_motion(system, state), w);
    for (std::size_t i = 0; i < w.size(); ++i)
      force[i] -= w[i];
  }
  return on_sites(force);
}

void SolidPoints::add_facts(ModelFacts &facts) const
{
  const auto &parts = sections.model.parts;
  std::array<double, 3> moment{};
  double mass = facts.mass;
  for (int d = 0; d < parts.dimension; ++d)
    moment[d] = facts.mass * facts.centre[d];
  for (const auto &point : parts.points)
  {
    if (point.node < 0)
    {
      ++facts.nodes;
      facts.dofs += parts.dimension;
      facts.held_nodes += point.fixed;
    }
    if (point.fixed)
      facts.supports.push_back(point.support());
    for (int d = 0; d < parts.dimension && point.director_of < 0; ++d)
    {
      moment[d] += point.mass * point.position[d];
      facts.lower[d] = std::min(facts.lower[d], point.position[d]);
      facts.upper[d] = std::max(facts.upper[d], point.position[d]);
    }
    mass += point.director_of < 0 ? point.mass : 0.;
  }
  for (int d = 0; d < parts.dimension; ++d)
    facts.centre[d] = moment[d] / mass;
  facts.mass = mass;
  facts.loads.insert(facts.loads.end(), sections.model.force_names.begin(), sections.model.force_names.end());
}

void SolidPoints::write(const State &state, const std::string &file) const
{
  const PointMotion motion = of_deck->motion(state);
  std::string fault;
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    try
    {
      write_points(sections.model.parts, motion, file);
    }
    catch (const ComputationError &error)
    {
      fault = error.what();
    }
  throw_collectively<ComputationError>(fault);
}

}  // namespace symdyn
