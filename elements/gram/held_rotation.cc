#include "elements/gram/held_rotation.h"

#include <fmt/format.h>

#include <algorithm>

#include "elements/gram/director_rotation.h"
#include "elements/gram/turned_sites.h"
#include "solver/base/log.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr int axes_of_space = 3;
constexpr double along_axis = 1e-6;

GramVector axis_of(const int axis)
{
  GramVector e{};
  e[axis] = 1.;
  return e;
}

/// Directors of which one component is held, along n, or all: n·(d - D) = n·(theta x D).
class PartlyTurnedSites : public SiteSupports
{
public:
  struct Site
  {
    int local;
    GramVector D;
    GramVector n;  ///< 0: all components
    std::array<double, 9> projector;
  };
  PartlyTurnedSites(std::vector<Expression> theta, std::vector<Site> sites, const int owned)
      : theta(std::move(theta)), sites(std::move(sites)), owned(owned)
  {
  }
  void impose(const double t, const Actions &actions, Vector &q, Vector &v, Vector &a) const override
  {
    for (Vector *x : {&q, &v, &a})
      project(*x);
    Triple<Jet<double>> now;
    for (int d = 0; d < axes_of_space; ++d)
      now[d] = actions.motion() * theta[d].in_time(nullptr, 0, t);
    for (const Site &one : sites)
    {
      const Triple<Jet<double>> D{one.D[0], one.D[1], one.D[2]}, n{one.n[0], one.n[1], one.n[2]}, u = cross(now, D);
      const bool all = norm(one.n) == 0.;
      const Jet<double> along = dot(n, u);
      for (int d = 0; d < axes_of_space && one.local < owned; ++d)
      {
        const Jet<double> part = all ? u[d] : along * n[d];
        q.local_element(axes_of_space * one.local + d) += part.x;
        v.local_element(axes_of_space * one.local + d) += part.d;
        a.local_element(axes_of_space * one.local + d) += part.dd;
      }
    }
  }
  void project(Vector &r) const override
  {
    for (const Site &one : sites)
      if (one.local < owned)
      {
        GramVector x{};
        for (int i = 0; i < axes_of_space; ++i)
          for (int j = 0; j < axes_of_space; ++j)
            x[i] += one.projector[axes_of_space * i + j] * r.local_element(axes_of_space * one.local + j);
        for (int i = 0; i < axes_of_space; ++i)
          r.local_element(axes_of_space * one.local + i) = x[i];
      }
  }
  const double *projector(const unsigned int site) const override
  {
    const auto found = std::find_if(sites.begin(), sites.end(), [&](const Site &one) { return one.local == int(site); });
    return found == sites.end() ? nullptr : found->projector.data();
  }
  bool any() const override { return true; }
  bool moves() const override
  {
    return std::any_of(theta.begin(), theta.end(), [](const Expression &component) { return !component.is_zero(); });
  }

private:
  std::vector<Expression> theta;
  std::vector<Site> sites;  ///< that this rank knows
  int owned;
};

std::array<double, 9> projector_across(const GramVector &n)
{
  std::array<double, 9> P{};
  for (int i = 0; i < axes_of_space && norm(n) > 0.; ++i)
    for (int j = 0; j < axes_of_space; ++j)
      P[axes_of_space * i + j] = double(i == j) - n[i] * n[j];
  return P;
}
}  // namespace

GramVectors rotation_about(const GramVector &axis, const GramVectors &basis)
{
  GramVectors coefficients(basis.size());
  for (std::size_t i = 0; i < basis.size(); ++i)
    for (int d = 0; d < axes_of_space; ++d)
    {
      GramVectors u(basis.size());
      u[i][d] = 1.;
      coefficients[i][d] = dot(small_rotation_of_directors(basis, u), axis);
    }
  return coefficients;
}

void HeldRotation::declare(Parameters &p, const std::string &of_what)
{
  p.add(
      "Rotation", texts,
      of_what +
          ": the rotation vector [rad], three expressions of t; 0: held; free: about this axis it turns freely; 0, 0, 0: it does not turn");
  if (!p.given("Rotation"))
    return;
  read(p);
  if (count() == 0)
    p.fail("Rotation", "every component is free: the entry has no effect. Remove it, or hold a component");
}

void HeldRotation::check(const Node &node, const Parameters &p) const
{
  if (!node.linear)
    check_large(p);
  if (node.basis.size() == 1 && turns_about(node.basis[0]))
    p.fail("Rotation", turns_about_normal);
  if (count() != 1)
    return;
  const GramVector a = axis_of(single(true));
  if (node.basis.size() == 1 && norm(cross(a, node.basis[0])) < along_axis)
    p.fail("Rotation", "is about the normal of a shell, which resists no such rotation where it has no fold. Set this component free");
  if (node.basis.size() > 1 && !node.linear)
    log_warning(
        fmt::format("{}: one rotation is held by an equation for small rotations, which is wrong in large ones. Hold two, or three, "
                    "where the node turns by more than about 0.1 rad",
                    p.where("Rotation")));
}

void HeldRotation::add_to(PartInSystem &part, const Node &node, const PlannedSites &sites, const std::string &where) const
{
  const std::size_t k = node.directors.size();
  if (count() == axes_of_space)
  {
    part.supports.push_back(std::make_shared<TurnedSites>(theta, node.directors, sites, node.linear));
    return;
  }
  if (count() == 1 && k > 1)
  {
    const int axis = single(true);
    PartInSystem::Relation relation{fmt::format("{} (rotation about {})", node.name, "xyz"[axis]), where, {}, applied(node.linear)[axis]};
    const GramVectors factors = rotation_about(axis_of(axis), node.basis);
    for (std::size_t i = 0; i < k; ++i)
      for (int d = 0; d < axes_of_space; ++d)
        if (factors[i][d] != 0.)
          relation.shares.push_back({node.directors[i], d, factors[i][d]});
    part.relations.push_back(std::move(relation));
    if (part.not_exact.empty())
      part.not_exact =
          where + ": holds one rotation, for which directors are elastic. Hold two, or three, or set Elements/Directors = elastic";
    return;
  }
  std::vector<PartlyTurnedSites::Site> held;
  for (std::size_t i = 0; i < k; ++i)
  {
    const GramVector &D = node.basis[i];
    GramVector n = count() == 1 ? cross(axis_of(single(true)), D) : axis_of(single(false));
    if (count() == 2 && norm(cross(n, D)) < along_axis)
      n = {};  // its tip is on the axis
    if (norm(n) > 0.)
      n = scaled(1. / norm(n), n);
    if (const int local = sites.local(node.directors[i]); local >= 0)
      held.push_back({local, D, n, projector_across(n)});
  }
  part.supports.push_back(std::make_shared<PartlyTurnedSites>(applied(node.linear), std::move(held), sites.space()->owned()));
}
}  // namespace symdyn
