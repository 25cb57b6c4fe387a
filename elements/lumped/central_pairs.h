#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "elements/lumped/element_memory.h"
#include "elements/lumped/elongations.h"
#include "elements/lumped/shared_list.h"
#include "elements/lumped/term.h"

namespace symdyn
{
/// phi(s) of a law and its first slopes, s = r² [m²].
template <int order>
using PairSlopes = std::array<double, order + 1>;

/// Whether a law has a memory: Law::InStep(law, step, number of the pair) then has the functions of a law in a step.
template <class Law, class = void>
inline constexpr bool remembers = false;
template <class Law>
inline constexpr bool remembers<Law, std::void_t<decltype(Law::variables)>> = true;

/// Central forces: V = sum over pairs of phi(s), s = |d|², d = x_to - x_from, or from a point to a fixed place. A `Law` has phi's
/// parameters of one pair and
///     template <int order> PairSlopes<order> slopes(double s) const;     phi, phi', ...
///     static constexpr bool quadratic;             phi is of degree 2 in s
///     bool smooth(double s0, double s1) const;     no kink between
///     double scale() const;                        [J]
/// The discrete gradient is Q (d0 + d1), Q = (phi(s1) - phi(s0))/(s1 - s0), which keeps energy and both momenta (Gonzalez 1996; of bars
/// Simo and Tarnow 1992). Where s0 and s1 are close Q is the mean of phi' between them, by Gauss's rule of five points.
template <class Law>
class CentralPairs : public DiscreteTerm, public Elongations
{
public:
  struct Pair
  {
    int from, to;  ///< points; to = -1 - k: the fixed place k
    Law law;
  };
  int dimension = 3;
  SharedList<Pair> pairs;
  std::vector<Place> places;
  bool drawn = true;
  ElementStep step;  ///< of laws with a memory

  double potential(const double *x) const override
  {
    double V = 0;
    for (const Pair &pair : pairs)
      V += law(pair).template slopes<0>(square(difference(pair, x)))[0];
    return V;
  }

  void add_force(const double *x, double *f) const override
  {
    for (const Pair &pair : pairs)
    {
      const Place d = difference(pair, x);
      add_to(pair, sum(2. * law(pair).template slopes<1>(square(d))[1], d, 0., d), f);
      if constexpr (remembers<Law>)
        law(pair).remember_at(square(d));
    }
  }

  void add_stiffness(const double *x, const double *u, double *Ku) const override
  {
    for (const Pair &pair : pairs)
    {
      const Place d = difference(pair, x), w = relative(pair, u);
      const auto phi = law(pair).template slopes<2>(square(d));
      add_to(pair, sum(2. * phi[1], w, 4. * phi[2] * product(d, w), d), Ku);
    }
  }

  void add_third(const double *x, const double *a, double *r) const override
  {
    for (const Pair &pair : pairs)
    {
      const Place d = difference(pair, x), w = relative(pair, a);
      const auto phi = law(pair).template slopes<3>(square(d));
      const double dw = product(d, w);
      add_to(pair, sum(4. * phi[2] * product(w, w) + 8. * phi[3] * dw * dw, d, 8. * phi[2] * dw, w), r);
    }
  }

  void add_tangent(const double *x, const double weight, const AddEntry &add) const override
  {
    for (const Pair &pair : pairs)
    {
      const Place d = difference(pair, x);
      const auto phi = law(pair).template slopes<2>(square(d));
      add_block(pair, 2. * weight * phi[1], 4. * weight * phi[2], d, d, add);
    }
  }

  void add_discrete_gradient(const double *x0, const double *x1, double *f) const override
  {
    for (const Pair &pair : pairs)
    {
      const Place d0 = difference(pair, x0), d1 = difference(pair, x1);
      const double Q = quotient(law(pair), square(d0), square(d1)).first;
      add_to(pair, sum(Q, d0, Q, d1), f);
    }
  }

  void add_discrete_tangent(const double *x0, const double *x1, const double weight, const AddEntry &add) const override
  {
    for (const Pair &pair : pairs)
    {
      const Place d0 = difference(pair, x0), d1 = difference(pair, x1);
      const auto [Q, slope] = quotient(law(pair), square(d0), square(d1));
      add_block(pair, weight * Q, 2. * weight * slope, sum(1., d0, 1., d1), d1, add);
    }
  }

  void couple(const std::function<void(int, int)> &join) const override
  {
    for (const Pair &pair : pairs)
      if (pair.to >= 0)
        join(pair.from, pair.to);
  }
  std::shared_ptr<const DiscreteTerm> selected(const PointSelection &selection) const override
  {
    auto some = std::make_shared<CentralPairs>(*this);
    select(selection, *some);
    return some;
  }
  void draw(const double *x, const DrawLine &line) const override
  {
    for (const Pair &pair : pairs)
      if (drawn)
      {
        const double s = square(difference(pair, x));
        line({pair.from, std::max(pair.to, -1), pair.to < 0 ? places[-1 - pair.to] : Place(),
              2. * std::sqrt(s) * law(pair).template slopes<1>(s)[1]});
      }
  }
  void visit_elongations(const double *x, const Visit &visit) const override
  {
    for (const Pair &pair : pairs)
    {
      const Place d = difference(pair, x);
      const double r = std::sqrt(square(d));
      std::vector<std::pair<int, double>> row;
      for (int i = 0; i < dimension && r > 0.; ++i)
      {
        row.emplace_back(dimension * pair.from + i, -d[i] / r);
        if (pair.to >= 0)
          row.emplace_back(dimension * pair.to + i, d[i] / r);
      }
      if (r > 0.)
        visit(row);
    }
  }
  bool quadratic() const override { return Law::quadratic; }
  bool holds() const override { return !places.empty(); }
  double scale() const override
  {
    double energy = 0;
    for (const Pair &pair : pairs)
      energy += pair.law.scale();
    return energy;
  }
  std::string diagnose(const double *x, const std::vector<std::string> &points) const override
  {
    for (const Pair &pair : pairs)
    {
      const Place d = difference(pair, x);
      if (std::isfinite(law(pair).template slopes<1>(square(d))[1]))
        continue;
      const std::string other = pair.to < 0 ? "a fixed place" : "'" + points[pair.to] + "'";
      return fmt::format("the force of '{}' between '{}' and {} is not finite{}", name, points[pair.from], other,
                         square(d) == 0. ? ": they are at the same place" : "");
    }
    return "";
  }

  /// Q(s0, s1) and dQ/ds1 by the energies of a law without a memory.
  static std::pair<double, double> quotient_of_energies(const Law &law, const double s0, const double s1)
  {
    if (Law::quadratic)
    {
      const auto phi = law.template slopes<2>(0.5 * (s0 + s1));
      return {phi[1], 0.5 * phi[2]};
    }
    // Farther apart the difference of two energies is exact enough, and the rule, of error (s1 - s0)^10, no longer.
    constexpr double close = 0.03;
    const double ds = s1 - s0;
    if (std::abs(ds) > close * std::min(s0, s1) || !law.smooth(s0, s1))
    {
      const auto phi0 = law.template slopes<0>(s0);
      const auto phi1 = law.template slopes<1>(s1);
      const double Q = (phi1[0] - phi0[0]) / ds;
      return {Q, (phi1[1] - Q) / ds};
    }
    // Gauss's rule on (0, 1)
    constexpr std::array<double, 5> at{0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155, 0.95308992296933200},
        weight{0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324, 0.11846344252809454};
    double Q = 0, slope = 0;
    for (std::size_t k = 0; k < at.size(); ++k)
    {
      const auto phi = law.template slopes<2>(s0 + at[k] * ds);
      Q += weight[k] * phi[1];
      slope += weight[k] * at[k] * phi[2];
    }
    return {Q, slope};
  }

protected:
  std::size_t size() const { return pairs.size(); }
  const Law &law_of(const std::size_t element) const { return pairs[element].law; }
  std::pair<int, int> ends_of(const std::size_t element) const { return {pairs[element].from, pairs[element].to}; }
  double elongation_of(const std::size_t element, const double *x) const
  {
    return std::sqrt(square(difference(pairs[element], x))) - pairs[element].law.length;
  }
  /// Gives `some` the pairs that a selection keeps; their numbers here.
  std::vector<std::size_t> select(const PointSelection &selection, CentralPairs &some) const
  {
    std::vector<std::size_t> kept;
    some.pairs.clear();
    for (const Pair &pair : pairs)
      if (selection.keep(pair.to < 0 ? std::vector<int>{pair.from} : std::vector<int>{pair.from, pair.to}))
      {
        some.pairs.push_back({selection.place[pair.from], pair.to < 0 ? pair.to : selection.place[pair.to], pair.law});
        kept.push_back(pairs.index(pair));
      }
    return kept;
  }

private:
  decltype(auto) law(const Pair &pair) const
  {
    if constexpr (remembers<Law>)
      return typename Law::InStep(pair.law, step, pairs.index(pair));
    else
      return (pair.law);
  }
  static double product(const Place &a, const Place &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  static double square(const Place &a) { return product(a, a); }
  /// a u + b v
  static Place sum(const double a, const Place &u, const double b, const Place &v)
  {
    return {a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]};
  }

  Place difference(const Pair &pair, const double *x) const
  {
    Place d{};
    const double *const end = pair.to < 0 ? places[-1 - pair.to].data() : x + dimension * pair.to;
    for (int i = 0; i < dimension; ++i)
      d[i] = end[i] - x[dimension * pair.from + i];
    return d;
  }
  /// u of the end - u of the start, where a fixed place rests.
  Place relative(const Pair &pair, const double *u) const
  {
    Place w{};
    for (int i = 0; i < dimension; ++i)
      w[i] = (pair.to < 0 ? 0. : u[dimension * pair.to + i]) - u[dimension * pair.from + i];
    return w;
  }
  void add_to(const Pair &pair, const Place &g, double *f) const
  {
    for (int i = 0; i < dimension; ++i)
    {
      f[dimension * pair.from + i] -= g[i];
      if (pair.to >= 0)
        f[dimension * pair.to + i] += g[i];
    }
  }
  /// a I + b c⊗d
  void add_block(const Pair &pair, const double a, const double b, const Place &c, const Place &d, const AddEntry &add) const
  {
    for (int i = 0; i < dimension; ++i)
      for (int j = 0; j < dimension; ++j)
      {
        const int fi = dimension * pair.from + i, fj = dimension * pair.from + j, ti = dimension * pair.to + i,
                  tj = dimension * pair.to + j;
        const double value = b * c[i] * d[j] + (i == j ? a : 0.);
        add(fi, fj, value);
        if (pair.to < 0)
          continue;
        add(ti, tj, value);
        add(fi, tj, -value);
        add(ti, fj, -value);
      }
  }

  /// Q(s0, s1) and dQ/ds1.
  template <class InUse>
  static std::pair<double, double> quotient(const InUse &law, const double s0, const double s1)
  {
    if constexpr (remembers<Law>)
      return law.quotient(s0, s1);
    else
      return quotient_of_energies(law, s0, s1);
  }
};
}  // namespace symdyn
