#include "elements/models/points.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/models/relations.h"
#include "solver/error.h"

namespace symdyn
{
Points::Points(const LumpedParts &parts, std::shared_ptr<const Space> of_system, std::vector<std::int64_t> number)
    : all(parts),
      space(std::move(of_system)),
      of_points(std::make_shared<PointSites>(space, parts, std::move(number))),
      term(std::make_shared<LumpedTerm>(parts, of_points))
{
}

void Points::add_to(AssembledSystem::Parts &system)
{
  system.pattern = nullptr;  // of cells alone
  if (!all.terms.empty() || !all.damping.empty() || !all.dashpots.empty() || all.gravity != std::array<double, 3>{})
  {
    place = system.terms.size();
    system.terms.push_back(term);
    system.stresses.push_back([this](const State &about, const Vector &u, const double factor) { return stress(about, u, factor); });
  }
  const auto heavy = [](const LumpedPoint &point) { return point.mass != 0.; };
  if (std::any_of(all.points.begin(), all.points.end(), heavy))
    system.masses.assign(space->owned(), 0.);
  for (std::size_t k = 0; k < all.points.size(); ++k)
    if (of_points->owns(k) && all.points[k].mass != 0.)
      system.masses[of_points->site(k)] += all.points[k].mass;
  system.supports.push_back(std::make_shared<PointSupports>(all, of_points));
  first_load = system.loads.size();
  for (std::size_t name = 0; name < all.load_names.size(); ++name)
    system.loads.push_back({all.load_names[name], "", forces(name)});
  if (!all.constraints.empty())
    exact = constraints(all.constraints, system);
  if (!all.penalties.empty())
    soft = constraints(all.penalties, system);
  const bool keep_momenta =
      std::all_of(all.constraints.begin(), all.constraints.end(), [](const auto &constraint) { return constraint->momentum_gradient(); });
  system.constraints = {exact.get(), soft.get(), all.penalty_omega, system.cells ? std::vector<Rotation>() : rotations(), keep_momenta};
  const bool only_points = !system.cells;
  system.force_rounding = [points = term, only_points](const Vector &q, const std::vector<double> &stiffness) {
    return points->force_rounding(q, only_points ? stiffness : std::vector<double>());
  };
}

void Points::check_masses(const AssembledSystem::Parts &system) const
{
  std::set<std::uint64_t> coupled, dense;  // degrees of freedom; sites
  for (const DenseMass &one : system.dense_masses)
    dense.insert(one.sites.begin(), one.sites.end());
  for (const SiteRelation &relation : system.couplings)
    for (const auto &term : relation.terms)
      coupled.insert(term.first);
  const auto is_light = [&](const std::size_t k) {
    const LumpedPoint &point = all.points[k];
    if (point.massless || point.node >= 0 || !of_points->owns(int(k)) || dense.count(of_points->number(int(k))) > 0 ||
        (!system.masses.empty() && system.masses[of_points->site(int(k))] != 0.))
      return false;
    bool moves = false;  // alone
    for (int d = 0; d < all.dimension; ++d)
      moves =
          moves || ((!point.fixed || point.free[d]) && coupled.count(std::uint64_t(all.dimension) * of_points->number(int(k)) + d) == 0);
    return moves;
  };
  std::string light;
  for (std::size_t k = 0; k < all.points.size() && light.empty(); ++k)
    if (is_light(k))
      light = all.points[k].where;
  for (const std::string &where : dealii::Utilities::MPI::all_gather(space->communicator(), light))
    if (!where.empty())
      throw InputError(
          where + ": the point moves, has no Mass, and no beam or coupling moves it along all axes. Give it a Mass, or set Fixed = yes");
}

Points::Projectors Points::projectors(const AssembledSystem::Parts &system) const
{
  const int n = all.dimension;
  Projectors left(n * n * all.points.size(), 0.);
  for (std::size_t k = 0; k < all.points.size(); ++k)
    if (of_points->owns(k))
    {
      const double *P = system.projector_of(of_points->site(k));
      for (int i = 0; i < n * n; ++i)
        left[n * n * k + i] = P ? P[i] : i % (n + 1) == 0;
    }
  dealii::Utilities::MPI::sum(left, space->communicator(), left);
  return left;
}

std::shared_ptr<PointConstraints> Points::constraints(const std::vector<std::shared_ptr<const Constraint>> &given,
                                                      const AssembledSystem::Parts &system) const
{
  const int n = all.dimension;
  const Projectors left = projectors(system);
  std::vector<char> held;
  for (std::size_t k = 0; k < all.points.size(); ++k)
    for (int i = 0; i < n; ++i)
    {
      for (int j = 0; j < n; ++j)
        if (i != j && std::abs(left[n * n * k + n * i + j]) > 1e-12)
          throw InputError(fmt::format(
              "[Points/{}]: its node has a support that is not along an axis, where constraints cannot be. Turn the body, or hold "
              "the node by a constraint (Law = plane) instead of the support",
              all.points[k].name));
      held.push_back(left[n * n * k + (n + 1) * i] < 0.5);
    }
  return std::make_shared<PointConstraints>(given, all, std::move(held), of_points);
}

AssembledSystem::Relations Points::relations(const AssembledSystem::Parts &system, const std::vector<bool> &hold) const
{
  const int n = all.dimension;
  std::vector<SiteRelation> given;
  std::vector<Expression> sums;
  for (std::size_t i = 0; i < all.equations.size(); ++i)
    if (hold[i])
    {
      const Equation &equation = all.equations[i];
      given.push_back({equation.name, equation.where, {}});
      for (const auto &[coordinate, factor] : equation.terms)
        given.back().terms.emplace_back(std::uint64_t(n) * of_points->number(coordinate / n) + coordinate % n, factor);
      sums.push_back(equation.sum);
    }
  std::vector<SiteRelations::Massless> massless;
  for (std::size_t k = 0; k < all.points.size(); ++k)
    for (int d = 0; d < n && all.points[k].massless; ++d)
      massless.push_back({std::uint64_t(n) * of_points->number(k) + d, all.points[k].name});
  return relations_of(system, std::move(given), sums, massless);
}

void Points::begin_supports(AssembledSystem &system, const std::vector<bool> &equations)
{
  if (!all.constraints.empty())
    throw InputError(
        "Supports that change from stage to stage cannot be computed with exact Constraints. Let all stages have the same Supports, or set Treatment = penalty");
  if (soft)
    *soft = *constraints(all.penalties, system.all_parts());
  system.supports_changed(relations(system.all_parts(), equations));
}

std::vector<Rotation> Points::rotations() const
{
  std::vector<Rotation> bodies;
  for (std::size_t k = 0; k + 2 < all.points.size(); ++k)
    if (all.points[k].director_of >= 0)
    {
      Rotation body{};
      body.held = all.points[k].rigid;
      for (int j = 0; j < 3; ++j)
      {
        std::copy(all.points[k + j].position.begin(), all.points[k + j].position.end(), body.axes.begin() + 3 * j);
        body.E[j] = all.points[k + j].mass;
      }
      if (of_points->owns(k))
      {
        body.first = 3 * of_points->site(k);
        bodies.push_back(body);
      }
      k += 2;
    }
  return bodies;
}

std::vector<double> Points::coordinates(const Vector &q) const
{
  std::vector<double> x = gather(q);
  const std::vector<double> X = all.positions();
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += X[i];
  return x;
}

std::vector<double> Points::term_force(const State &state) const
{
  const std::vector<double> x = coordinates(state.q);
  std::vector<double> f(x.size(), 0.);
  for (const auto &one : terms(state.history))
    one->add_force(x.data(), f.data());
  return f;
}

std::vector<double> Points::internal_force(const State &state) const
{
  std::vector<double> f = term_force(state);
  for (std::size_t i = 0; i < f.size(); ++i)
    if (const LumpedPoint &point = all.points[i / all.dimension]; point.director_of < 0)
      f[i] -= point.mass * all.gravity[i % all.dimension];
  return f;
}

std::vector<double> Points::force(const State &state, const bool statics) const
{
  std::vector<double> f = internal_force(state);
  if (statics)
    return f;
  const std::vector<double> x = coordinates(state.q), v = gather(state.v), a = gather(state.a);
  for (const auto &dashpots : all.damping)
    dashpots->add_force(x.data(), v.data(), f.data());
  for (std::size_t i = 0; i < f.size(); ++i)
  {
    const std::size_t k = i / all.dimension;
    f[i] += all.points[k].mass * a[i] + (all.dashpots.empty() ? 0. : all.dashpots[k] * v[i]);
  }
  return f;
}

std::vector<double> Points::applied_force(const double t, const Actions &actions) const
{
  std::vector<double> f(all.coordinates(), 0.);
  const double at[] = {0., 0., 0., t};
  for (const LumpedForce &load : all.loads)
    for (int d = 0; d < all.dimension; ++d)
      f[all.dimension * load.point + d] += actions.strength(first_load + load.name) * load.force[d](at);
  for (std::size_t i = 0; i < f.size() && actions.motion() != 1.; ++i)
    if (const LumpedPoint &point = all.points[i / all.dimension]; point.director_of < 0)
      f[i] -= (1. - actions.motion()) * point.mass * all.gravity[i % all.dimension];
  return f;
}

std::vector<double> Points::stiffness(const State &state, const Vector &u) const
{
  const std::vector<double> x = coordinates(state.q), w = gather(u);
  std::vector<double> f(x.size(), 0.);
  for (const auto &one : terms(state.history))
    one->add_stiffness(x.data(), w.data(), f.data());
  return f;
}
}  // namespace symdyn
