#include "solver/vibration/stress_statistics.h"

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
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

StressStatistics::StressStatistics(const std::vector<std::vector<double>> &shares, const std::vector<double> &C, const bool ellipsoid)
{
  constexpr std::size_t batch = 128;  // points: their products stay in the cache
  const std::size_t n = shares.size(), points = n == 0 ? 0 : shares.front().size() / components;
  Dense covariance(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      covariance(i, j) = C[i * n + j];
  for (std::size_t from = 0; from < points; from += batch)
  {
    const std::size_t here = std::min(batch, points - from);
    Dense T(components * here, n), TC(components * here, n);  // one component of all points after the other
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t point = 0; point < here; ++point)
        for (std::size_t c = 0; c < components; ++c)
          T(c * here + point, i) = shares[i][components * (from + point) + c];
    T.mmult(TC, covariance);
    add(T, TC, ellipsoid);
  }
}

void StressStatistics::add(const Dense &T, const Dense &TC, const bool ellipsoid)
{
  const std::size_t here = T.m() / components;
  std::vector<std::array<double, components>> squares(here, std::array<double, components>{});
  std::vector<std::array<Deviator, deviatoric>> reduced(here, std::array<Deviator, deviatoric>{});
  for (std::size_t i = 0; i < T.n(); ++i)
    for (std::size_t point = 0; point < here; ++point)
    {
      std::array<double, components> s, y;
      for (std::size_t c = 0; c < components; ++c)
      {
        s[c] = T(c * here + point, i);
        y[c] = TC(c * here + point, i);
        squares[point][c] += s[c] * y[c];
      }
      const Deviator of_s = deviator(s.data()), of_y = deviator(y.data());
      for (std::size_t e = 0; e < deviatoric; ++e)
        for (std::size_t f = 0; f < deviatoric; ++f)
          reduced[point][e][f] += of_s[e] * of_y[f];
    }
  for (std::size_t point = 0; point < here; ++point)
  {
    auto &sizes = size.emplace_back();
    double trace = 0.;
    for (std::size_t c = 0; c < components; ++c)
      sizes[c] = std::sqrt(std::max(0., squares[point][c]));
    for (std::size_t e = 0; e < deviatoric; ++e)
      trace += reduced[point][e][e];
    mean.push_back(std::sqrt(std::max(0., trace)));
    if (!ellipsoid)
      continue;
    form.push_back(eigenvalues(reduced[point]));
    largest.push_back(std::sqrt(form.back().back()));
  }
}
}  // namespace symdyn
