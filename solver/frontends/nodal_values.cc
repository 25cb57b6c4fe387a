#include "solver/frontends/nodal_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace symdyn
{
namespace
{
using Weights = std::vector<double>;

/// Of one direction with n Gauss points, at x.
Weights lagrange(const std::size_t n, const double x)
{
  const std::vector<double> g = n == 1   ? std::vector<double>{0.}
                                : n == 2 ? std::vector<double>{-std::sqrt(1. / 3.), std::sqrt(1. / 3.)}
                                         : std::vector<double>{-std::sqrt(0.6), 0., std::sqrt(0.6)};
  Weights all(n, 1.);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      all[i] *= j == i ? 1. : (x - g[j]) / (g[i] - g[j]);
  return all;
}

/// The linear function through d + 1 points of a simplex, each nearest to a corner: (1 at a corner, a elsewhere) in its coordinates.
Weights linear(const std::size_t corners, const std::size_t corner, const double a)
{
  const double b = 1. - double(corners - 1) * a;
  Weights all(corners, -a / (b - a));
  all[corner] += 1. / (b - a);
  return all;
}

using Place = std::array<double, 3>;

/// Shape functions of the brick with 20 nodes, whose nodes these are.
Weights serendipity(const std::vector<Place> &nodes, const Place &x)
{
  Weights all;
  for (const Place &node : nodes)
  {
    double value = 1., sum = -2.;
    int middle = -1;
    for (int d = 0; d < 3; ++d)
      if (node[d] == 0.)
        middle = d;
      else
      {
        value *= 0.5 * (1. + x[d] * node[d]);
        sum += x[d] * node[d];
      }
    all.push_back(middle < 0 ? value * sum : value * (1. - x[middle] * x[middle]));
  }
  return all;
}

/// Solves A X = B in the place of B, by elimination with pivots.
void solve(std::vector<Weights> A, std::vector<Weights> &B)
{
  const std::size_t n = A.size();
  for (std::size_t k = 0; k < n; ++k)
  {
    const auto pivot =
        std::max_element(A.begin() + k, A.end(), [k](const Weights &a, const Weights &b) { return std::abs(a[k]) < std::abs(b[k]); });
    std::swap(B[k], B[pivot - A.begin()]);
    std::swap(A[k], *pivot);
    for (std::size_t i = 0; i < n; ++i)
      if (const double factor = i == k ? 0. : A[i][k] / A[k][k]; factor != 0.)
      {
        for (std::size_t j = k; j < n; ++j)
          A[i][j] -= factor * A[k][j];
        for (std::size_t j = 0; j < B[i].size(); ++j)
          B[i][j] -= factor * B[k][j];
      }
  }
  for (std::size_t k = 0; k < n; ++k)
    for (double &value : B[k])
      value /= A[k][k];
}

/// The values at 20 nodes that come nearest to those of 27 points, least squares: (SᵀS)⁻¹Sᵀ.
std::vector<Weights> of_27_points(const CalculixShape &shape)
{
  std::vector<Place> nodes = shape.corners;
  for (const auto &[i, j] : shape.middles)
    nodes.push_back({0.5 * (nodes[i][0] + nodes[j][0]), 0.5 * (nodes[i][1] + nodes[j][1]), 0.5 * (nodes[i][2] + nodes[j][2])});
  const double g = std::sqrt(0.6);
  std::vector<Weights> S;
  for (const double z : {-g, 0., g})
    for (const double y : {-g, 0., g})
      for (const double x : {-g, 0., g})
        S.push_back(serendipity(nodes, {x, y, z}));
  std::vector<Weights> A(nodes.size(), Weights(nodes.size(), 0.)), B(nodes.size(), Weights(S.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t p = 0; p < S.size(); ++p)
    {
      B[i][p] = S[p][i];
      for (std::size_t j = 0; j < nodes.size(); ++j)
        A[i][j] += S[p][i] * S[p][j];
    }
  solve(std::move(A), B);
  return B;
}

/// Of the points, at a corner; empty: the number of points is another one.
Weights weights_of(const CalculixShape &shape, const std::size_t points, const std::size_t corner)
{
  constexpr double of_tet = 0.138196601125011, of_triangle = 1. / 6.;
  if (points == 1)
    return {1.};
  const auto &xi = shape.corners[corner];
  if (shape.simplex)
    return points == 4 ? linear(4, corner, of_tet) : Weights();
  Weights all;
  if (shape.wedge)
  {
    const std::size_t of_face = points == 2 ? 1 : 3, layers = points / of_face;
    if (points != 2 && points != 9 && points != 6)
      return {};
    const Weights along = lagrange(layers, xi[2]), face = of_face == 1 ? Weights{1.} : linear(3, corner % 3, of_triangle);
    for (const double z : along)
      for (const double f : face)
        all.push_back(z * f);
    return all;
  }
  constexpr std::size_t n = 2;
  if (points != n * n * n)
    return {};
  const Weights x = lagrange(n, xi[0]), y = lagrange(n, xi[1]), z = lagrange(n, xi[2]);
  for (const double c : z)
    for (const double b : y)
      for (const double a : x)
        all.push_back(a * b * c);
  return all;
}
}  // namespace

std::vector<std::vector<double>> at_nodes(const CalculixShape &shape, const std::vector<std::vector<double>> &at_points)
{
  std::vector<std::vector<double>> rows;
  const auto add = [&](const Weights &weights) {
    rows.emplace_back(at_points.front().size(), 0.);
    for (std::size_t p = 0; p < weights.size(); ++p)
      for (std::size_t c = 0; c < rows.back().size(); ++c)
        rows.back()[c] += weights[p] * at_points[p][c];
  };
  if (at_points.size() == 27 && shape.corners.size() == 8)
  {
    static const std::vector<Weights> all = of_27_points(shape);
    for (const Weights &weights : all)
      add(weights);
    return rows;
  }
  for (std::size_t corner = 0; corner < shape.corners.size(); ++corner)
  {
    const Weights weights = weights_of(shape, at_points.size(), corner);
    if (weights.size() != at_points.size())
      return {};
    add(weights);
  }
  for (const auto &[i, j] : shape.middles)
  {
    rows.push_back(rows[i]);
    for (std::size_t c = 0; c < rows.back().size(); ++c)
      rows.back()[c] = 0.5 * (rows[i][c] + rows[j][c]);
  }
  return rows;
}
}  // namespace symdyn
