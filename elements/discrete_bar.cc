#include "elements/discrete_terms.h"

namespace symdyn
{
namespace
{
double product(const Bar::Place &a, const Bar::Place &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// a u + b v
Bar::Place sum(const double a, const Bar::Place &u, const double b, const Bar::Place &v)
{
  return {a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]};
}
}  // namespace

Bar::Place Bar::difference(const double *x) const
{
  Place d{};
  for (int i = 0; i < dimension; ++i)
    d[i] = (to < 0 ? anchor[i] : x[dimension * to + i]) - x[dimension * from + i];
  return d;
}

Bar::Place Bar::relative(const double *u) const
{
  Place w{};
  for (int i = 0; i < dimension; ++i)
    w[i] = (to < 0 ? 0. : u[dimension * to + i]) - u[dimension * from + i];
  return w;
}

void Bar::add_pair(const Place &g, double *f) const
{
  for (int i = 0; i < dimension; ++i)
  {
    f[dimension * from + i] -= g[i];
    if (to >= 0)
      f[dimension * to + i] += g[i];
  }
}

void Bar::add_block(const std::array<Place, 3> &block, const AddEntry &add) const
{
  for (int i = 0; i < dimension; ++i)
    for (int j = 0; j < dimension; ++j)
    {
      add(dimension * from + i, dimension * from + j, block[i][j]);
      if (to < 0)
        continue;
      add(dimension * to + i, dimension * to + j, block[i][j]);
      add(dimension * from + i, dimension * to + j, -block[i][j]);
      add(dimension * to + i, dimension * from + j, -block[i][j]);
    }
}

double Bar::potential(const double *x) const
{
  const Place d = difference(x);
  const double strain = product(d, d) - length * length;
  return 0.5 * k * strain * strain;
}

void Bar::add_force(const double *x, double *f) const
{
  const Place d = difference(x);
  add_pair(sum(2. * k * (product(d, d) - length * length), d, 0., d), f);
}

void Bar::add_stiffness(const double *x, const double *u, double *Ku) const
{
  const Place d = difference(x), w = relative(u);
  add_pair(sum(2. * k * (product(d, d) - length * length), w, 4. * k * product(d, w), d), Ku);
}

void Bar::add_third(const double *x, const double *a, double *r) const
{
  const Place d = difference(x), w = relative(a);
  add_pair(sum(4. * k * product(w, w), d, 8. * k * product(d, w), w), r);
}

void Bar::add_discrete_gradient(const double *x0, const double *x1, double *f) const
{
  const Place d0 = difference(x0), d1 = difference(x1);
  const double slope = k * (0.5 * (product(d0, d0) + product(d1, d1)) - length * length);
  add_pair(sum(slope, d0, slope, d1), f);
}

void Bar::add_tangent(const double *x, const double weight, const AddEntry &add) const
{
  const Place d = difference(x);
  const double slope = 2. * weight * k * (product(d, d) - length * length), curvature = 4. * weight * k;
  std::array<Place, 3> block{};
  for (int i = 0; i < dimension; ++i)
    for (int j = 0; j < dimension; ++j)
      block[i][j] = curvature * d[i] * d[j] + (i == j ? slope : 0.);
  add_block(block, add);
}

void Bar::add_discrete_tangent(const double *x0, const double *x1, const double weight, const AddEntry &add) const
{
  const Place d0 = difference(x0), d1 = difference(x1);
  const double slope = weight * k * (0.5 * (product(d0, d0) + product(d1, d1)) - length * length);
  std::array<Place, 3> block{};
  for (int i = 0; i < dimension; ++i)
    for (int j = 0; j < dimension; ++j)
      block[i][j] = weight * k * (d0[i] + d1[i]) * d1[j] + (i == j ? slope : 0.);
  add_block(block, add);
}
}  // namespace symdyn
