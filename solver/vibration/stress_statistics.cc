#include "solver/vibration/stress_statistics.h"

#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
using DenseMatrix = dealii::LAPACKFullMatrix<double>;
constexpr std::size_t components = 6, deviatoric = 5;
using Deviator = std::array<double, deviatoric>;

/// d with |d| = sigma_v.
Deviator deviator(const double *s)
{
  const double root = std::sqrt(3.);
  return {0.5 * root * (s[0] - s[1]), s[2] - 0.5 * (s[0] + s[1]), root * s[3], root * s[4], root * s[5]};
}

/// Eigenvalues of a symmetric matrix, ascending, by rotations (Jacobi 1846): a library's solver costs ten times as much at this size.
Deviator eigenvalues(std::array<Deviator, deviatoric> a)
{
  constexpr int sweeps = 50;
  constexpr double rounding = 1e-24;  // eigenvalues err by the square of what is left
  for (int sweep = 0; sweep < sweeps; ++sweep)
  {
    double off = 0., all = 0.;
    for (std::size_t i = 0; i < deviatoric; ++i)
      for (std::size_t j = 0; j < deviatoric; ++j)
      {
        all += a[i][j] * a[i][j];
        off += i == j ? 0. : a[i][j] * a[i][j];
      }
    if (off <= rounding * all)
      break;
    for (std::size_t p = 0; p < deviatoric; ++p)
      for (std::size_t q = p + 1; q < deviatoric; ++q)
      {
        if (a[p][q] == 0.)
          continue;
        const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q],
                     t = (theta < 0. ? -1. : 1.) / (std::abs(theta) + std::sqrt(theta * theta + 1.)), c = 1. / std::sqrt(t * t + 1.),
                     s = t * c;
        for (std::size_t k = 0; k < deviatoric; ++k)
        {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < deviatoric; ++k)
        {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
        }
      }
  }
  Deviator found{};
  for (std::size_t i = 0; i < deviatoric; ++i)
    found[i] = std::max(0., a[i][i]);
  std::sort(found.begin(), found.end());
  return found;
}
}  // namespace

double von_mises(const double *sigma)
{
  double square = 0.;
  for (const double one : deviator(sigma))
    square += one * one;
  return std::sqrt(square);
}

StressStatistics::StressStatistics(const std::vector<std::vector<double>> &shares, const std::vector<double> &C)
{
  constexpr std::size_t batch = 512;  // points: their products stay in the cache
  const std::size_t n = shares.size(), points = n == 0 ? 0 : shares.front().size() / components;
  DenseMatrix covariance(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      covariance(i, j) = C[i * n + j];
  for (std::size_t from = 0; from < points; from += batch)
  {
    const std::size_t here = std::min(batch, points - from);
    DenseMatrix T(components * here, n), TC(components * here, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t row = 0; row < components * here; ++row)
        T(row, i) = shares[i][components * from + row];
    T.mmult(TC, covariance);
    for (std::size_t point = 0; point < here; ++point)
    {
      Covariance Sigma{};
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t a = 0; a < components; ++a)
          for (std::size_t b = 0; b < components; ++b)
            Sigma[a][b] += TC(components * point + a, i) * T(components * point + b, i);
      add(Sigma);
    }
  }
}

void StressStatistics::add(const Covariance &Sigma)
{
  std::array<Deviator, components> half;
  std::array<Deviator, deviatoric> reduced;
  double trace = 0.;
  for (std::size_t a = 0; a < components; ++a)
    half[a] = deviator(Sigma[a].data());
  for (std::size_t e = 0; e < deviatoric; ++e)
  {
    std::array<double, components> column{};
    for (std::size_t a = 0; a < components; ++a)
      column[a] = half[a][e];
    reduced[e] = deviator(column.data());
    trace += reduced[e][e];
  }
  auto &sizes = size.emplace_back();
  for (std::size_t a = 0; a < components; ++a)
    sizes[a] = std::sqrt(std::max(0., Sigma[a][a]));
  form.push_back(eigenvalues(reduced));
  largest.push_back(std::sqrt(form.back().back()));
  mean.push_back(std::sqrt(std::max(0., trace)));
}
}  // namespace symdyn
