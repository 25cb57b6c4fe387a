#include <algorithm>
#include <cmath>

#include "elements/contact/contact_term.h"

// The third and fourth derivatives of a contact with an obstacle.
namespace symdyn
{
void ContactTerm::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  if (at.part != Part::all)
    return;
  each_point(at, [&](const Point &p) {
    Place normal;
    const auto phi = pair.law->at(pair.obstacle->gap(p.x, normal) + pair.clearance - p.s);
    if (phi[1] == 0. && phi[2] == 0. && phi[3] == 0.)
      return;
    const Place w = value(p.face, p.q, a, false), bent = times(pair.obstacle->curvature(p.x), w), third = pair.obstacle->third(p.x, w);
    const double s = along(normal, w), twice = along(w, bent);
    Place F;
    for (int d = 0; d < 3; ++d)
      F[d] = (phi[3] * s * s + phi[2] * twice) * normal[d] + 2. * phi[2] * s * bent[d] + phi[1] * third[d];
    add(p.face, p.q, F, r);
  });
}

namespace
{
Place sum(const Place &a, const double s, const Place &b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }

/// g''''[a, a, b, .] of an obstacle, by differences: its surface is smooth where the law is not.
Place fourth_of(const Obstacle &obstacle, const double face, const Place &x, const Place &a, const Place &b)
{
  const double size = length(b);
  if (size == 0.)
    return {};
  const double epsilon = 1e-4 * std::min(face, std::abs(obstacle.depth())) / size;
  const Place up = obstacle.third(sum(x, epsilon, b), a), down = obstacle.third(sum(x, -epsilon, b), a);
  Place r;
  for (int d = 0; d < 3; ++d)
    r[d] = (up[d] - down[d]) / (2. * epsilon);
  return r;
}
}  // namespace

/// The derivative of V''' a a along b.
void ContactTerm::add_third_product(const At &at, const Vector &a, const Vector &b, Vector &r) const
{
  each_point(at, [&](const Point &p) {
    Place n;
    const Obstacle &obstacle = *pair.obstacle;
    const auto phi = pair.law->at(obstacle.gap(p.x, n) + pair.clearance - p.s);
    if (phi[1] == 0. && phi[2] == 0. && phi[3] == 0. && phi[4] == 0.)
      return;
    const Place u = value(p.face, p.q, a, false), w = value(p.face, p.q, b, false);
    const PlaceMatrix H = obstacle.curvature(p.x);
    const Place Hu = times(H, u), Hw = times(H, w), third = obstacle.third(p.x, u), plus = obstacle.third(p.x, sum(u, 1., w)),
                minus = obstacle.third(p.x, sum(u, -1., w)), fourth = fourth_of(obstacle, p.face.size, p.x, u, w);
    const double s = along(n, u), t = along(n, w), uHu = along(u, Hu), wHu = along(w, Hu);
    Place F;
    for (int d = 0; d < 3; ++d)
      F[d] = (phi[4] * t * s * s + phi[3] * (2. * s * wHu + t * uHu) + phi[2] * along(w, third)) * n[d] +
             (phi[3] * s * s + phi[2] * uHu) * Hw[d] + 2. * (phi[3] * t * s + phi[2] * wHu) * Hu[d] +
             0.5 * phi[2] * s * (plus[d] - minus[d]) + phi[2] * t * third[d] + phi[1] * fourth[d];
    add(p.face, p.q, F, r);
  });
}
}  // namespace symdyn
