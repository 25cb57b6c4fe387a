#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "elements/lumped/bouc_wen_law.h"
#include "elements/lumped/elongations.h"
#include "elements/lumped/heated_law.h"
#include "elements/lumped/laws.h"
#include "elements/lumped/shared_list.h"
#include "elements/lumped/term.h"
#include "elements/lumped/yield_law.h"

namespace symdyn
{
/// What a spring or dashpot that does not turn joins: e = m·u_to - n·u_from, n and m of the undeformed positions. On the ground e =
/// -n·u_from.
struct StraightEnds
{
  int from, to;  ///< to = -1: the ground
  Place n, m;

  bool is_in(const PointSelection &selection) const { return selection.keep(to < 0 ? std::vector<int>{from} : std::vector<int>{from, to}); }
  StraightEnds renumbered(const PointSelection &selection) const
  {
    return {selection.place[from], to < 0 ? to : selection.place[to], n, m};
  }

  double rate(const int dimension, const double *u) const
  {
    double e = 0;
    for (int d = 0; d < dimension; ++d)
      e += (to >= 0 ? m[d] * u[dimension * to + d] : 0.) - n[d] * u[dimension * from + d];
    return e;
  }
  /// f += force de/du
  void pull(const int dimension, const double force, double *f) const
  {
    for (int d = 0; d < dimension; ++d)
    {
      f[dimension * from + d] -= force * n[d];
      if (to >= 0)
        f[dimension * to + d] += force * m[d];
    }
  }
  /// add(i, j, weight de/du_i de/du_j)
  void add_tangent(const int dimension, const double weight, const AddEntry &add) const
  {
    for (const int row : {from, to})
      for (const int column : {from, to})
        for (int i = 0; i < dimension && row >= 0 && column >= 0; ++i)
          for (int j = 0; j < dimension; ++j)
            add(dimension * row + i, dimension * column + j, weight * (row == from ? -n[i] : m[i]) * (column == from ? -n[j] : m[j]));
  }
};

/// Springs that do not turn: V = sum of k/2 e² (linear in displacements), or of the integral of a force of e; e = m·u_to - n·u_from, with n
/// = m along the undeformed positions or as the deck says.
class StraightSprings : public DiscreteTerm, public Elongations
{
public:
  struct Spring
  {
    StraightEnds ends;
    double rest, size;  ///< m·x_to - n·x_from of the positions; how large its terms are [m]
    Place at;           ///< of a line on the ground
    bool directed;      ///< along directions of the deck
    bool drawn() const { return ends.to >= 0 || !directed; }
  };
  int dimension = 3;
  double k = 0;                                             ///< [N/m]
  std::optional<TableLaw> table;                            ///< instead of k
  std::optional<double> clearance;                          ///< of a gap: k acts from -e = clearance on [m]
  std::optional<YieldLaw> yield;                            ///< beside k, of the same stiffness
  std::optional<BoucWenLaw> hysteresis;                     ///< likewise
  std::shared_ptr<const Expansion> expansion;               ///< beside k; nullptr: they are not heated
  std::shared_ptr<const HeatedStiffness> over_temperature;  ///< of k, where it depends on the temperature of those that are heated
  ElementStep step;                                         ///< of springs that remember
  SharedList<Spring> springs;

  /// From a place to another [m], of points or (to = -1) a point and the ground, along the line between them.
  void join(const int from, const int to, const Place &start, const Place &end)
  {
    Place n{};
    double length = 0;
    for (int d = 0; d < dimension; ++d)
      length += (end[d] - start[d]) * (end[d] - start[d]);
    length = std::sqrt(length);
    for (int d = 0; d < dimension; ++d)
      n[d] = (end[d] - start[d]) / length;
    join({from, to, n, n}, start, end, length, false);
  }
  /// Along directions of its own.
  void join(const StraightEnds &ends, const Place &start, const Place &end)
  {
    double size = 0;
    for (int d = 0; d < dimension; ++d)
      size += std::abs(ends.n[d] * start[d]) + (ends.to >= 0 ? std::abs(ends.m[d] * end[d]) : 0.);
    join(ends, start, end, size, true);
  }

  double potential(const double *x) const override
  {
    double V = 0;
    for (const Spring &spring : springs)
      V += at(spring, x)[0];
    return V;
  }
  void add_force(const double *x, double *f) const override
  {
    for (const Spring &spring : springs)
    {
      spring.ends.pull(dimension, at(spring, x)[1], f);
      if (yield)
        in_step(*yield, spring).remember(elongation(spring, x));
      if (hysteresis)
        in_step(*hysteresis, spring).remember(elongation(spring, x));
      if (expansion && step.from && step.to)
        std::copy_n(step.from + heat_of(spring), HeatedSpring::variables, step.to + heat_of(spring));
    }
  }
  void add_stiffness(const double *x, const double *u, double *Ku) const override
  {
    for (const Spring &spring : springs)
      spring.ends.pull(dimension, at(spring, x)[2] * spring.ends.rate(dimension, u), Ku);
  }
  void add_third(const double *, const double *, double *) const override {}
  void add_discrete_gradient(const double *x0, const double *x1, double *f) const override
  {
    for (const Spring &spring : springs)
      spring.ends.pull(dimension, secant(spring, elongation(spring, x0), elongation(spring, x1))[0], f);
  }
  void add_tangent(const double *x, const double weight, const AddEntry &add) const override
  {
    for (const Spring &spring : springs)
      spring.ends.add_tangent(dimension, weight * at(spring, x)[2], add);
  }
  void add_discrete_tangent(const double *x0, const double *x1, const double weight, const AddEntry &add) const override
  {
    for (const Spring &spring : springs)
      spring.ends.add_tangent(dimension, weight * secant(spring, elongation(spring, x0), elongation(spring, x1))[1], add);
  }
  void couple(const std::function<void(int, int)> &join_points) const override
  {
    for (const Spring &spring : springs)
      if (spring.ends.to >= 0)
        join_points(spring.ends.from, spring.ends.to);
  }
  std::shared_ptr<const DiscreteTerm> selected(const PointSelection &selection) const override
  {
    auto some = std::make_shared<StraightSprings>(*this);
    select(selection, *some);
    return some;
  }
  void draw(const double *x, const DrawLine &line) const override
  {
    for (const Spring &spring : springs)
      if (spring.drawn())
        line({spring.ends.from, spring.ends.to, spring.at, at(spring, x)[1]});
  }
  void visit_elongations(const double *, const Visit &visit) const override
  {
    for (const Spring &spring : springs)
    {
      std::vector<std::pair<int, double>> row;
      for (int d = 0; d < dimension; ++d)
      {
        row.emplace_back(dimension * spring.ends.from + d, -spring.ends.n[d]);
        if (spring.ends.to >= 0)
          row.emplace_back(dimension * spring.ends.to + d, spring.ends.m[d]);
      }
      visit(row);
    }
  }
  bool linear() const override { return !table && !flows() && !expansion && !clearance; }
  bool quadratic() const override { return !table && !flows() && !clearance; }
  bool holds() const override
  {
    for (const Spring &spring : springs)
      if (spring.ends.to < 0 || spring.ends.n != spring.ends.m)
        return true;
    return false;
  }
  double scale() const override
  {
    double sum = 0;
    for (const Spring &spring : springs)
      sum += (table ? table->largest() : k * spring.size) * spring.size;
    return sum;
  }

protected:
  std::size_t size() const { return springs.size(); }
  const YieldLaw &law_of(std::size_t) const { return *yield; }
  double elongation_of(const std::size_t element, const double *x) const { return elongation(springs[element], x); }
  /// Gives `some` the springs that a selection keeps; their numbers here.
  std::vector<std::size_t> select(const PointSelection &selection, StraightSprings &some) const
  {
    std::vector<std::size_t> kept;
    some.springs.clear();
    for (const Spring &spring : springs)
      if (spring.ends.is_in(selection))
      {
        some.springs.push_back(spring);
        some.springs.back().ends = spring.ends.renumbered(selection);
        kept.push_back(springs.index(spring));
      }
    return kept;
  }

private:
  void join(const StraightEnds &ends, const Place &start, const Place &end, const double size, const bool directed)
  {
    double rest = 0;
    for (int d = 0; d < dimension; ++d)
      rest += (ends.to >= 0 ? ends.m[d] * end[d] : 0.) - ends.n[d] * start[d];
    springs.push_back({ends, rest, size, end, directed});
  }
  std::size_t heat_of(const Spring &spring) const { return HeatedSpring::variables * springs.index(spring); }
  /// Beyond the length without force.
  double elongation(const Spring &spring, const double *x) const
  {
    const double grown = expansion && step.from ? step.from[heat_of(spring) + HeatedSpring::e] * spring.size : 0.;
    return spring.ends.rate(dimension, x) - spring.rest - grown;
  }
  /// At the temperature of the step [N/m].
  double stiffness(const Spring &spring) const
  {
    return expansion && step.from ? k * (1. + step.from[heat_of(spring) + HeatedSpring::change]) : k;
  }
  bool flows() const { return yield || hysteresis; }
  template <class Law>
  typename Law::InStep in_step(const Law &law, const Spring &spring) const
  {
    return {law, step, springs.index(spring)};
  }
  /// Of a gap how far it is closed beyond its clearance, <= 0; else e.
  double closed(const double e) const { return clearance ? std::min(e + *clearance, 0.) : e; }
  /// V, V', V'', V''' by the elongation e at x
  std::array<double, 4> at(const Spring &spring, const double *x) const
  {
    const double e = elongation(spring, x);
    if (yield)
      return in_step(*yield, spring).at(e);
    if (hysteresis)
      return in_step(*hysteresis, spring).at(e);
    if (table)
      return table->at(e);
    const double r = closed(e), here = stiffness(spring);
    return {0.5 * here * r * r, here * r, clearance && r == 0. ? 0. : here, 0.};
  }
  /// (V(e1) - V(e0))/(e1 - e0), and its slope by e1.
  std::array<double, 2> secant(const Spring &spring, const double e0, const double e1) const
  {
    if (yield)
      return in_step(*yield, spring).secant(e0, e1);
    if (hysteresis)
      return in_step(*hysteresis, spring).secant(e0, e1);
    if (const double x0 = closed(e0), x1 = closed(e1); clearance && (x0 == 0.) != (x1 == 0.))
    {
      const double de = e1 - e0, g = 0.5 * k * (x1 * x1 - x0 * x0) / de;
      return {g, (k * x1 - g) / de};
    }
    else if (clearance)
      return {0.5 * k * (x0 + x1), x1 == 0. ? 0. : 0.5 * k};
    if (!table)
      return {0.5 * stiffness(spring) * (e0 + e1), 0.5 * stiffness(spring)};
    constexpr double close = 1e-7;  // of the table's largest elongation: V is integrated to 1e-16
    const double de = e1 - e0, mean = 0.5 * (e0 + e1);
    if (std::abs(de) <= close * table->reach())
      return {table->at(mean)[1], 0.5 * table->at(mean)[2]};
    const double g = (table->at(e1)[0] - table->at(e0)[0]) / de;
    return {g, (table->at(e1)[1] - g) / de};
  }
};
}  // namespace symdyn
