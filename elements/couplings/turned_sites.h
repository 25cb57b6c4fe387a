#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/site_plan.h"
#include "elements/site_supports.h"
#include "materials/algebra/jet.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
/// exp(theta) D: the vector D turned about theta by |theta| [rad],
///     D + a theta x D + b theta x (theta x D),   a = sin(s)/s, b = (1 - cos s)/s², s² = |theta|²     (Rodrigues 1840)
/// a and b are functions of u = s²: a' = (cos s - a)/2u, a'' = -(a + 6 a')/4u, b' = (a/2 - b)/u, b'' = (a'/2 - 2 b')/u; near 0 they are
/// their series.
inline Triple<Jet<double>> turned_by(const Triple<Jet<double>> &theta, const GramVector &at_rest)
{
  using Scalar = Jet<double>;
  constexpr double near = 1e-2;  // the next terms of the series are 1e-14 there
  const Scalar u = dot(theta, theta);
  Scalar a = Scalar(1.) - u / Scalar(6.) * (Scalar(1.) - u / Scalar(20.) * (Scalar(1.) - u / Scalar(42.) * (Scalar(1.) - u / Scalar(72.)))),
         b = 0.5 * (Scalar(1.) -
                    u / Scalar(12.) * (Scalar(1.) - u / Scalar(30.) * (Scalar(1.) - u / Scalar(56.) * (Scalar(1.) - u / Scalar(90.)))));
  if (u.x > near)
  {
    const double s = std::sqrt(u.x), a0 = std::sin(s) / s, a1 = (std::cos(s) - a0) / (2. * u.x), b0 = (1. - std::cos(s)) / u.x,
                 b1 = (0.5 * a0 - b0) / u.x;
    a = u.chain(a0, a1, -(a0 + 6. * a1) / (4. * u.x));
    b = u.chain(b0, b1, (0.5 * a1 - 2. * b1) / u.x);
  }
  const Triple<Scalar> D{at_rest[0], at_rest[1], at_rest[2]}, once = cross(theta, D), twice = cross(theta, once);
  return combination(combination(D, a, once), b, twice);
}

/// Directors that turn as it is prescribed: d_i(t) = exp(theta(t)) D_i; linear: D_i + theta x D_i.
class TurnedSites : public SiteSupports
{
public:
  /// `theta`: components of the rotation vector, expressions of t [rad].
  TurnedSites(std::vector<Expression> theta, const std::vector<SitePlan::Site> &directors, const PlannedSites &sites, const bool linear)
      : theta(std::move(theta)), space(sites.space()), linear(linear)
  {
    for (const SitePlan::Site site : directors)
      if (const int local = sites.local(site); local >= 0)
        turned.push_back(local);
  }
  void impose(const double t, const Actions &actions, Vector &q, Vector &v, Vector &a) const override
  {
    Triple<Jet<double>> now;
    for (int d = 0; d < 3; ++d)
      now[d] = actions.motion() * theta[d].in_time(nullptr, 0, t);
    for (const int site : turned)
    {
      if (site >= space->owned())
        continue;
      const GramVector &D = space->position(site);
      const Triple<Jet<double>> at_rest{D[0], D[1], D[2]},
          director = linear ? combination(at_rest, 1., cross(now, at_rest)) : turned_by(now, D);
      for (int d = 0; d < 3; ++d)
      {
        q.local_element(3 * site + d) = director[d].x - D[d];
        v.local_element(3 * site + d) = director[d].d;
        a.local_element(3 * site + d) = director[d].dd;
      }
    }
  }
  void project(Vector &r) const override
  {
    for (const int site : turned)
      for (int d = 0; d < 3 && site < space->owned(); ++d)
        r.local_element(3 * site + d) = 0.;
  }
  const double *projector(const unsigned int site) const override
  {
    return std::find(turned.begin(), turned.end(), int(site)) != turned.end() ? nothing.data() : nullptr;
  }
  bool any() const override { return true; }
  bool moves() const override
  {
    return std::any_of(theta.begin(), theta.end(), [](const Expression &component) { return !component.is_zero(); });
  }

private:
  std::vector<Expression> theta;
  std::shared_ptr<const Space> space;
  bool linear;
  std::vector<int> turned;  ///< local sites
  std::array<double, 9> nothing{};
};
}  // namespace symdyn
