#include "elements/couplings/affine_motion.h"

#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <cmath>

#include "elements/space/row_factor.h"

namespace symdyn
{
namespace
{
constexpr double nothing = 1e-8;  ///< of singular values beside the largest
constexpr double flat = 1e-2;     ///< of mean squares of the arms: nodes within a tenth of their size are those of a plane or a line
}  // namespace

AffineMotion::AffineMotion(std::vector<GramVector> places, std::vector<double> given) : arms(std::move(places)), weights(std::move(given))
{
  double sum = 0;
  for (const double w : weights)
    sum += w;
  for (double &w : weights)
    w /= sum;
  for (std::size_t s = 0; s < arms.size(); ++s)
    add(weights[s], arms[s], middle);
  dealii::LAPACKFullMatrix<double> J(3, 3);
  for (std::size_t s = 0; s < arms.size(); ++s)
  {
    add(-1., middle, arms[s]);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        J(i, j) += weights[s] * arms[s][i] * arms[s][j];
  }
  J.compute_svd();  // symmetric and not negative: eigenvalues, the largest first
  for (int i = 0; i < 3; ++i)
    if (const double value = J.singular_value(i); value > flat * J.singular_value(0))
    {
      inertia.push_back(value);
      axes.push_back({J.get_svd_vt()(i, 0), J.get_svd_vt()(i, 1), J.get_svd_vt()(i, 2)});
    }
}

GramVector AffineMotion::outside(const GramVector &a) const
{
  GramVector rest = a;
  for (const GramVector &e : axes)
    rest = combination(rest, -dot(rest, e), e);
  return rest;
}

std::vector<double> AffineMotion::shares_of_axes(const std::size_t place) const
{
  std::vector<double> g;
  for (std::size_t i = 0; i < axes.size(); ++i)
    g.push_back(weights[place] * dot(arms[place], axes[i]) / inertia[i]);
  return g;
}

AffineMotion::Matrix AffineMotion::share(const std::size_t place, const GramVector &a) const
{
  const std::vector<double> g = shares_of_axes(place);
  Matrix share{};
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (int d = 0; d < 3; ++d)
      share[d][d] += g[i] * dot(axes[i], a);
  if (axes.size() != 2)
    return share;
  // u x b of each displacement u
  const double along = dot(a, cross(axes[0], axes[1]));
  const GramVector b = combination(scaled(along * g[0], axes[1]), -along * g[1], axes[0]);
  for (int d = 0; d < 3; ++d)
  {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    share[d][e] += b[f];
    share[d][f] -= b[e];
  }
  return share;
}

int rank_of_motions(const std::vector<GramVector> &arms, const std::array<bool, 3> &components, const std::vector<GramVector> &directors,
                    const bool place_is_known, const std::array<bool, 3> &rotations_are_held)
{
  constexpr unsigned int motions = 6;
  double size = 0;
  for (const GramVector &c : arms)
    size = std::max(size, norm(c));
  RowFactor factor(motions);
  for (const GramVector &c : arms)
    for (int d = 0; d < 3; ++d)
      if (components[d])
      {
        std::vector<double> row(motions, 0.);  // u_d = t_d + (theta x c)_d
        row[d] = 1.;
        row[3 + (d + 1) % 3] = size > 0. ? c[(d + 2) % 3] / size : 0.;
        row[3 + (d + 2) % 3] = size > 0. ? -c[(d + 1) % 3] / size : 0.;
        factor.add(row);
      }
  for (const GramVector &D : directors)
    for (int d = 0; d < 3; ++d)
    {
      std::vector<double> row(motions, 0.);
      row[3 + (d + 1) % 3] = D[(d + 2) % 3];
      row[3 + (d + 2) % 3] = -D[(d + 1) % 3];
      factor.add(row);
    }
  for (int d = 0; d < 3 && place_is_known; ++d)
  {
    std::vector<double> row(motions, 0.);
    row[d] = 1.;
    factor.add(row);
  }
  for (int d = 0; d < 3; ++d)
    if (rotations_are_held[d])
    {
      std::vector<double> row(motions, 0.);
      row[3 + d] = 1.;
      factor.add(row);
    }
  return int(motions - factor.null_space(nothing).size());
}

std::vector<std::size_t> massless_directors(const std::vector<GramVector> &arms, const std::vector<GramVector> &directors,
                                            const std::vector<GramVector> &basis, const std::size_t heavy)
{
  double size = 0;
  for (const GramVector &c : arms)
    size = std::max(size, norm(c));
  const std::size_t n = basis.size();
  RowFactor factor(1 + n);
  const auto add_row = [&](const double place, const double scale, const GramVector &c) {
    std::vector<double> row{place};
    for (const GramVector &D : basis)
      row.push_back(scale * dot(c, D));
    factor.add(row);
  };
  for (const GramVector &c : arms)
    add_row(1., size > 0. ? 1. / size : 0., c);
  for (const GramVector &D : directors)
    add_row(0., 1., D);
  if (heavy > 0)
    add_row(1., 0., {});
  for (std::size_t k = 0; k < heavy; ++k)
    add_row(0., 1., basis[k]);
  constexpr double hardly = 1e-2;
  std::vector<std::size_t> light;
  for (auto free = factor.null_space(hardly); !free.empty() && light.size() < n; free = factor.null_space(hardly))
  {
    std::size_t most = 0;
    for (std::size_t k = 1; k < n; ++k)
      if (std::abs(free[0][1 + k]) > std::abs(free[0][1 + most]))
        most = k;
    light.push_back(most);
    add_row(0., 1., basis[most]);
  }
  return light;
}
}  // namespace symdyn
