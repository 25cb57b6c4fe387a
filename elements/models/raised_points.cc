#include <fmt/format.h>

#include <algorithm>

#include "elements/gram/coupled_nodes.h"
#include "elements/models/points.h"
#include "solver/error.h"

// Points at references of couplings off the plane of their nodes: how they move, and what acts on them.
namespace symdyn
{
namespace
{
/// What acts on a point beside dead forces; "": nothing.
std::string other_than_forces(const LumpedParts &parts, const int k)
{
  const LumpedPoint &point = parts.points[k];
  if (point.node >= 0)
    return "cells that have it as a node";
  if (point.mass != 0.)
    return "a Mass";
  if (point.fixed)
    return "a support (Fixed, Free or Motion)";
  if (!parts.dashpots.empty() && parts.dashpots[k] != 0.)
    return "a dashpot";
  PointSelection of_point;
  for (std::size_t j = 0; j < parts.points.size(); ++j)
    of_point.place.push_back(int(j));
  bool any = false;
  of_point.keep = [&any, k](const std::vector<int> &points) {
    any = any || std::count(points.begin(), points.end(), k) > 0;
    return false;
  };
  for (const auto &term : parts.terms)
    term->selected(of_point);
  for (const auto &term : parts.damping)
    term->selected(of_point);
  if (any)
    return "springs, bars, potentials or dashpots";
  const std::vector<double> X = parts.positions();
  ConstraintRows rows;
  for (const auto *all : {&parts.constraints, &parts.penalties})
    for (const auto &constraint : *all)
      constraint->add_row(X.data(), rows);
  const auto is_own = [&](const int coordinate) { return coordinate / parts.dimension == k; };
  if (std::any_of(rows.column.begin(), rows.column.end(), is_own))
    return "Constraints";
  for (const Equation &equation : parts.equations)
    if (std::any_of(equation.terms.begin(), equation.terms.end(), [&](const auto &term) { return is_own(term.first); }))
      return "Equations";
  return "";
}
}  // namespace

void Points::raise(SitePlan &plan, const std::vector<SitePlan::Site> &sites)
{
  const PlannedSites planned(space, plan);
  for (const auto &[site, reference] : plan.shared<OffPlaneReferences>().all)
    for (std::size_t k = 0; k < sites.size(); ++k)
      if (sites[k] == site)
      {
        if (const std::string what = other_than_forces(all, int(k)); !what.empty())
          throw InputError(
              fmt::format("{}: the point has {}. It is the reference of a distributing coupling ({}), off the plane of the nodes, where "
                          "only Forces and Moments act in large rotations. Put the reference into the plane, set Type = rigid, or "
                          "Geometry = linear there",
                          all.points[k].where, what, reference.where));
        raised.emplace(int(k), std::make_shared<OffPlaneReference>(reference, planned));
      }
  for (std::size_t k = 0; k < sites.size(); ++k)
    if (plan.shared<CoupledNodes>().averaged.count(sites[k]) > 0)
      averaged.push_back(int(k));
}

void Points::check_start(const std::vector<double> &given, const State &state) const
{
  constexpr double rounding = 1e-6;
  const std::vector<double> v = averaged.empty() ? std::vector<double>() : moved(state)[1];
  for (const int k : averaged)
  {
    double size = 0, lost = 0;
    for (int i = 3 * k; i < 3 * k + 3; ++i)
    {
      size = std::max(size, std::abs(given[i]));
      lost = std::max(lost, std::abs(given[i] - v[i]));
    }
    if (size > 0. && lost > rounding * size)
      throw InputError(fmt::format(
          "{}: Velocity = {:g}, {:g}, {:g}: the point is the reference of a distributing coupling, and moves as the nodes of that "
          "do, here with ({:.6g}, {:.6g}, {:.6g}) m/s. Remove the entry, and give the nodes their velocity (Initial conditions)",
          all.points[k].where, given[3 * k], given[3 * k + 1], given[3 * k + 2], v[3 * k], v[3 * k + 1], v[3 * k + 2]));
  }
}

std::shared_ptr<AppliedLoad> Points::forces(const std::size_t name) const
{
  const auto on_sites = std::make_shared<PointForces>(all, name, of_points);
  std::vector<OffPlaneForces::Force> of_raised;
  for (const LumpedForce &load : all.loads)
    if (const auto found = raised.find(load.point); load.name == name && found != raised.end())
      of_raised.emplace_back(found->second, load.force);
  if (of_raised.empty())
    return on_sites;
  return std::make_shared<OffPlaneForces>(on_sites, std::move(of_raised));
}

Points::Fields Points::moved(const State &state) const
{
  Fields fields;
  const std::array<const Vector *, 3> given{&state.q, &state.v, &state.a};
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i]->size() > 0)
      fields[i] = gather(*given[i]);
    else
      fields[i].assign(all.coordinates(), 0.);
  for (const auto &[k, reference] : raised)
  {
    const auto lift = reference->lift(state);
    for (std::size_t i = 0; i < fields.size(); ++i)
      for (int d = 0; d < 3; ++d)
        fields[i][3 * k + d] += lift[i][d];
  }
  return fields;
}

std::vector<double> Points::moved(const State *about, const Vector &field) const
{
  std::vector<double> u = gather(field);
  for (const auto &[k, reference] : raised)
  {
    const GramVector lift = reference->lift(about, field);
    for (int d = 0; d < 3; ++d)
      u[3 * k + d] += lift[d];
  }
  return u;
}
}  // namespace symdyn
