#include "elements/contact/friction/obstacle_friction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "elements/contact/arrow.h"

namespace symdyn
{
namespace
{
std::vector<FrictionTerm::Face> faces_of(const ContactTerm &contact)
{
  std::vector<FrictionTerm::Face> faces;
  for (const MeshFace &face : contact.parts().faces)
    faces.push_back({face.identity, face.owned, face.dA});
  return faces;
}

Place in_plane(const double *n, const Place &w)
{
  const double along = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
  return {w[0] - along * n[0], w[1] - along * n[1], w[2] - along * n[2]};
}

/// W_n by s = |e|²: its slope, half of tau/|e|, and the slope of that.
struct BySquare
{
  BySquare(const SlipLaw &law, const double s, const double bound, const bool frozen)
  {
    const double e = std::sqrt(s);
    const bool slides = law.slides(e, bound, frozen);
    first = 0.5 * (slides ? bound / e : law.slope);
    second = slides ? -0.25 * bound / (e * s) : 0.;
  }
  double first, second;
};

/// (W_n(s1) - W_n(s0))/(s1 - s0) and its slope by s1: k/2 of the part of the way that sticks, tau_0/(|e| + |e'|) of the part that slides.
/// Without differences of W_n, which round.
struct Quotient
{
  Quotient(const SlipLaw &law, const double s0, const double s1, const double bound, const bool frozen)
  {
    const double e0 = std::sqrt(s0), e1 = std::sqrt(s1), all = s1 - s0;
    const bool slides0 = law.slides(e0, bound, frozen), slides1 = law.slides(e1, bound, frozen);
    if (!slides0 && !slides1)
    {
      value = 0.5 * law.slope;
      return;
    }
    if (slides0 && slides1)
    {
      value = bound / (e0 + e1);
      change = -0.5 * value / ((e0 + e1) * e1);
      return;
    }
    const double edge = bound / law.slope, sticks = slides1 ? edge * edge - s0 : s1 - edge * edge;
    const double slips = all - sticks, slope = bound / (edge + (slides1 ? e1 : e0));
    value = (0.5 * law.slope * sticks + slope * slips) / all;
    change = ((slides1 ? 0.5 * bound / e1 : 0.5 * law.slope) - value) / all;
  }
  double value = 0, change = 0;
};
}  // namespace

ObstacleFriction::ObstacleFriction(std::shared_ptr<const ContactTerm> of, Staged staged)
    : FrictionTerm(of_point, std::move(staged), faces_of(*of), of->sites().communicator()), contact(std::move(of))
{
}

template <class Visit>
void ObstacleFriction::each_point(const At &at, const bool owned_only, const Visit &visit) const
{
  const std::vector<MeshFace> &all = contact->parts().faces;
  for (std::size_t face = 0; face < all.size(); ++face)
    for (std::size_t point = 0; (all[face].owned || !owned_only) && point < all[face].points(); ++point)
      if (const double *m = memory(at.from, face, point))
        visit(all[face], point, m);
}

Place ObstacleFriction::slip(const double *m, const Place &x) const
{
  return in_plane(m + normal, {x[0] - m[anchor], x[1] - m[anchor + 1], x[2] - m[anchor + 2]});
}

double ObstacleFriction::energy(const At &at) const
{
  double V = 0;
  each_point(at, true, [&](const MeshFace &face, const std::size_t point, const double *m) {
    V += face.dA[point] * entries().law.energy(length(slip(m, contact->value(face, point, *at.q, true))), m[bound], at.dt == 0.);
  });
  return V;
}

double ObstacleFriction::add_force(const At &at, Vector &f) const
{
  each_point(at, true, [&](const MeshFace &face, const std::size_t point, const double *m) {
    Place e = slip(m, contact->value(face, point, *at.q, true));
    const double twice = 2. * BySquare(entries().law, dot(e, e), m[bound], at.dt == 0.).first;
    for (double &component : e)
      component *= twice;
    contact->add(face, point, e, f);
  });
  return always_admissible;
}

double ObstacleFriction::add_discrete_gradient(const At &at, Vector &f) const
{
  each_point(at, true, [&](const MeshFace &face, const std::size_t point, const double *m) {
    const Place e0 = slip(m, contact->value(face, point, *at.previous, true)), e1 = slip(m, contact->value(face, point, *at.q, true));
    const double Q = Quotient(entries().law, dot(e0, e0), dot(e1, e1), m[bound], at.dt == 0.).value;
    contact->add(face, point, {Q * (e0[0] + e1[0]), Q * (e0[1] + e1[1]), Q * (e0[2] + e1[2])}, f);
  });
  return always_admissible;
}

/// d/dx1 of the traction, in the plane: P = 1 - n nT.
PlaceMatrix ObstacleFriction::block(const MeshFace &face, const std::size_t point, const double *m, const At &at) const
{
  const Place e1 = slip(m, contact->value(face, point, *at.q, true));
  Place left{};
  double first = 0, second = 0;
  if (at.previous)
  {
    const Place e0 = slip(m, contact->value(face, point, *at.previous, true));
    const Quotient quotient(entries().law, dot(e0, e0), dot(e1, e1), m[bound], at.dt == 0.);
    first = quotient.value;
    second = 2. * quotient.change;
    left = {e0[0] + e1[0], e0[1] + e1[1], e0[2] + e1[2]};
  }
  else
  {
    const BySquare slopes(entries().law, dot(e1, e1), m[bound], at.dt == 0.);
    first = 2. * slopes.first;
    second = 4. * slopes.second;
    left = e1;
  }
  PlaceMatrix B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      B[3 * i + j] = first * ((i == j ? 1. : 0.) - m[normal + i] * m[normal + j]) + second * left[i] * e1[j];
  return B;
}

/// Derivatives of the force on the line q + s u: order 1 W_n'' u, order 2 W_n''' u u.
template <int order>
void ObstacleFriction::add_derivative(const At &at, const double factor, const Vector &u, Vector &r) const
{
  using T = Series<order, 1>;
  constexpr double times_of_s = order;  // order!
  each_point(at, true, [&](const MeshFace &face, const std::size_t point, const double *m) {
    const Place e = slip(m, contact->value(face, point, *at.q, true)), way = in_plane(m + normal, contact->value(face, point, u, false));
    const Arrow<T> line = on_line<order>(e, way);
    const T tau = entries().law.slides(length(e), m[bound], at.dt == 0.) ? T(m[bound]) / size_of(line) : T(entries().law.slope);
    const Arrow<T> F = times(tau, line);
    const double all = times_of_s * factor;
    contact->add(face, point, {all * F[0].c[order], all * F[1].c[order], all * F[2].c[order]}, r);
  });
}

void ObstacleFriction::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (at.part == Part::all && weights.k != 0.)
    add_derivative<1>(at, weights.k, u, r);
}

void ObstacleFriction::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  if (at.part == Part::all)
    add_derivative<2>(at, 1., a, r);
}

void ObstacleFriction::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all || weights.k == 0.)
    return;
  each_point(at, false, [&](const MeshFace &face, const std::size_t point, const double *m) {
    PlaceMatrix B = block(face, point, m, at);
    for (double &entry : B)
      entry *= weights.k;
    contact->add_block(face, point, B, sink);
  });
}

template <class Visit>
void ObstacleFriction::each_stand(const At &at, const Visit &visit) const
{
  const std::vector<MeshFace> &all = contact->parts().faces;
  for (std::size_t face = 0; face < all.size(); ++face)
  {
    const bool open = contact->out_of_reach(all[face], *at.q, at.beside);
    for (std::size_t point = 0; point < all[face].points(); ++point)
    {
      Stand stand{{}, {}, 0., memory(at.from, face, point), at.to + place(face, point)};
      if (at.from)
        std::copy_n(at.from + place(face, point), std::size_t(of_point), stand.to);
      else
        std::fill_n(stand.to, std::size_t(of_point), 0.);
      if (open && !stand.m)
        continue;
      stand.x = contact->value(all[face], point, *at.q, true);
      if (!open)
        stand.pressure = contact->pressure(all[face], stand.x, at.beside, stand.n);
      if (const double size = length(stand.n); size > 0.)  // a distance by a formula has a gradient whose length is 1 but nearly
        for (double &component : stand.n)
          component /= size;
      visit(face, point, stand);
    }
  }
}

void ObstacleFriction::remember(const At &at) const
{
  if (!acts())
    return rest(at);
  each_stand(at, [&](std::size_t, std::size_t, const Stand &stand) {
    const Place e = stand.m ? slip(stand.m, stand.x) : Place{};
    const double stays = take(stand.m, length(e), stand.pressure, true, stand.to);
    if (stand.pressure > 0.)
      std::copy(stand.n.begin(), stand.n.end(), stand.to + normal);
    const Place turned = in_plane(stand.to + normal, e);
    const double as_long = length(turned) > 0. ? stays * length(e) / length(turned) : 0.;
    for (int d = 0; d < 3; ++d)
      stand.to[anchor + d] = stand.x[d] - as_long * turned[d];
  });
}

void ObstacleFriction::renew(const At &at) const
{
  each_stand(at, [&](const std::size_t face, const std::size_t point, const Stand &stand) {
    if (!stand.m && !(stand.pressure > 0.))
      return;
    const Place x = contact->value(contact->parts().faces[face], point, *at.previous, true);
    if (!stand.m)
    {
      std::copy(stand.n.begin(), stand.n.end(), stand.to + normal);
      std::copy(x.begin(), x.end(), stand.to + anchor);
    }
    bind(length(slip(stand.to, x)), stand.pressure, stand.to);
  });
}

FrictionTerm::Rubbing ObstacleFriction::rubbing(const Vector &q, const double *history) const
{
  Rubbing sum;
  if (history)
    sum.work = spent(history).dissipated;
  At at;
  at.q = &q;
  at.from = history;
  each_point(at, true, [&](const MeshFace &face, const std::size_t point, const double *m) {
    const Place e = slip(m, contact->value(face, point, q, true));
    sum.energy += face.dA[point] * entries().law.energy(length(e), 0., true);
    for (int d = 0; d < 3; ++d)
      sum.force[d] -= face.dA[point] * entries().law.slope * e[d];
  });
  return sum;
}

void ObstacleFriction::add_shear(const Vector &q, const double *history, SurfaceSums &sums) const
{
  At at;
  at.q = &q;
  at.from = history;
  each_point(at, true, [&](const MeshFace &face, const std::size_t point, const double *m) {
    if (face.layer != sums.layer)
      return;
    Place stress = slip(m, contact->value(face, point, q, true));
    for (double &component : stress)
      component *= entries().law.slope;
    for (std::size_t a = 0; a < face.nodes.size(); ++a)
      sums.add_shear(face.nodes[a], face.shape[point * face.nodes.size() + a], face.dA[point], stress);
  });
}
}  // namespace symdyn
