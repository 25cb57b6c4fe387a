#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "elements/beams/beam_element.h"
#include "elements/gram/director_nodes.h"
#include "tests/gram_element.h"

/// Structures of beams in tests: a dense Newton, and counts of eigenvalues.
namespace symdyn::tests::beams
{
using symdyn::combination;
using symdyn::cross;
using symdyn::dot;
using Vectors = std::vector<GramVector>;
using Numbers = std::vector<double>;
constexpr double pi = 3.14159265358979323846, shear = 5. / 6.;

/// Turned by the rotation vector theta (Rodrigues).
inline GramVector turned(const GramVector &theta, const GramVector &d)
{
  const double angle = std::sqrt(dot(theta, theta)), s = angle > 0 ? std::sin(angle) / angle : 1.;
  const double half = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  return combination(combination(d, s, cross(theta, d)), 2 * half * half, cross(theta, cross(theta, d)));
}

/// Number of negative eigenvalues of A - shift B, symmetric: negative pivots (Sylvester).
inline int negative(Numbers A, const double shift, const Numbers &B)
{
  const int n = int(std::lround(std::sqrt(double(A.size()))));
  int count = 0;
  for (std::size_t i = 0; i < A.size(); ++i)
    A[i] -= shift * B[i];
  for (int k = 0; k < n; count += A[k * n + k] < 0, ++k)
    for (int r = k + 1; r < n; ++r)
      if (const double factor = A[r * n + k] / A[k * n + k]; factor != 0.)
        for (int c = k; c < n; ++c)
          A[r * n + c] -= factor * A[k * n + c];
  return count;
}

/// A x = b by elimination with pivots.
inline Numbers solved(Numbers A, Numbers b)
{
  const int n = int(b.size());
  for (int k = 0; k < n; ++k)
  {
    int pivot = k;
    for (int r = k + 1; r < n; ++r)
      if (std::abs(A[r * n + k]) > std::abs(A[pivot * n + k]))
        pivot = r;
    std::swap_ranges(A.begin() + k * n, A.begin() + (k + 1) * n, A.begin() + pivot * n);
    std::swap(b[k], b[pivot]);
    for (int r = k + 1; r < n; ++r)
      if (const double factor = A[r * n + k] / A[k * n + k]; factor != 0.)
      {
        for (int c = k; c < n; ++c)
          A[r * n + c] -= factor * A[k * n + c];
        b[r] -= factor * b[k];
      }
  }
  for (int k = n - 1; k >= 0; --k)
  {
    for (int c = k + 1; c < n; ++c)
      b[k] -= A[k * n + c] * b[c];
    b[k] /= A[k * n + k];
  }
  return b;
}

/// Beams whose nodes have a place and directors: turned with the node (6 unknowns: translation, rotation), or elastic (all vectors, 9).
struct Structure
{
  struct Part
  {
    GramElement element;
    std::vector<int> sites;
    Numbers sigma;  ///< D (eps(q_k) + B(q_k) dq) of the last step
  };
  double elastic = 0;  ///< stiffness per length of elastic directors [N], 0: none
  Vectors y;
  std::vector<std::vector<int>> nodes;  ///< sites: place, directors
  std::vector<Part> parts;

  int per_node() const { return elastic > 0 ? 9 : 6; }
  int unknowns() const { return per_node() * int(nodes.size()); }
  int site(const GramVector &value) { return y.push_back(value), int(y.size()) - 1; }
  const GramVector &tip() const { return y[nodes.back()[0]]; }
  static Vectors of(const std::vector<int> &sites, const Vectors &all)
  {
    Vectors own;
    for (const int site : sites)
      own.push_back(all[site]);
    return own;
  }
  void add(const GramModel &model, const std::vector<int> &sites)
  {
    parts.push_back({{model, of(sites, y)}, sites, Numbers(model.shape->strains(), 0.)});
  }
};

/// Place, d_1 and d_2 at a share of the length.
using Line = std::function<std::array<GramVector, 3>(double)>;
inline Line straight(const GramVector &from, const GramVector &to, const GramVector &d1)
{
  const GramVector chord = combination(to, -1, from), t = combination({}, 1 / std::sqrt(dot(chord, chord)), chord);
  return [=](const double s) -> std::array<GramVector, 3> { return {combination(from, s, chord), d1, cross(t, d1)}; };
}

/// `count` elements of `size` nodes along a line, from the node `start` unless -1; the type has mass 1 per length.
inline void add_line(Structure &s, const BeamType &type, const int size, const int count, const Line &line, const int start = -1)
{
  std::vector<std::array<int, 3>> sites;
  const int intervals = count * (size - 1);
  for (int k = 0; k <= intervals; ++k)
  {
    const auto [r, d1, d2] = line(double(k) / intervals);
    if (k > 0 || start < 0)
      s.nodes.push_back({s.site(r)});
    auto &node = k > 0 || start < 0 ? s.nodes.back() : s.nodes[start];
    sites.push_back({node[0], s.site(d1), s.site(d2)});
    node.insert(node.end(), {sites.back()[1], sites.back()[2]});
  }
  for (int e = 0; e < count; ++e)
  {
    std::vector<int> own;
    for (int v = 0; v < 3; ++v)
      for (int a = 0; a < size; ++a)
        own.push_back(sites[e * (size - 1) + a][v]);
    const GramModel model = type.model(s.of(own, s.y));
    s.add(model, own);
    for (int a = 0; a < size && s.elastic > 0; ++a)
      s.add(director_model(2, s.elastic * model.lumped[a]), {own[size + a], own[2 * size + a]});
  }
}

/// The coordinates 3 site + d as linear in the unknowns: (unknown, coefficient).
using Chart = std::vector<std::vector<std::pair<int, double>>>;
inline Chart chart(const Structure &s)
{
  Chart N(3 * s.y.size());
  for (int node = 0; node < int(s.nodes.size()); ++node)
    for (std::size_t i = 0; i < s.nodes[node].size(); ++i)
      for (int site = s.nodes[node][i], d = 0; d < 3; ++d)
        if (s.elastic > 0 || i == 0)
          N[3 * site + d] = {{s.elastic > 0 ? 3 * site + d : 6 * node + d, 1.}};
        else  // (theta x D)_d
          for (const auto &[turn, factor] : {std::pair((d + 1) % 3, s.y[site][(d + 2) % 3]), {(d + 2) % 3, -s.y[site][(d + 1) % 3]}})
            N[3 * site + d].push_back({6 * node + 3 + turn, factor});
  return N;
}

/// Adds [3 a + d][3 b + d'] of an element to a matrix in the unknowns.
inline void add_reduced(const Chart &N, const std::vector<int> &sites, const Numbers &k, const int n, Numbers &A)
{
  const int size = 3 * int(sites.size());
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c)
      for (const auto &[i, of_row] : N[3 * sites[r / 3] + r % 3])
        for (const auto &[j, of_column] : N[3 * sites[c / 3] + c % 3])
          A[i * n + j] += of_row * k[r * size + c] * of_column;
}

struct Balance
{
  Numbers A, b;  ///< of Newton, in the unknowns; b: load less the force of the elements
};
/// Residual with the true stress, geometric parts of the matrix with the carried one.
inline Balance balance(const Structure &s, const std::map<int, double> &load)
{
  const int n = s.unknowns();
  const Chart N = chart(s);
  Balance result{Numbers(n * n, 0.), Numbers(n, 0.)};
  Vectors carried(s.y.size(), GramVector{});
  for (const auto &[i, force] : load)
    result.b[i] += force;
  for (const auto &[element, sites, sigma] : s.parts)
  {
    const Vectors y = s.of(sites, s.y);
    Vectors f(y.size(), GramVector{}), g = f;
    element.add_force(element.stress(element.strain(y)), y, 1, f);
    element.add_force(sigma, y, 1, g);
    for (std::size_t a = 0; a < y.size(); ++a)
    {
      carried[sites[a]] = combination(carried[sites[a]], 1, g[a]);
      for (int d = 0; d < 3; ++d)
        for (const auto &[i, factor] : N[3 * sites[a] + d])
          result.b[i] -= factor * f[a][d];
    }
    Numbers k(9 * y.size() * y.size(), 0.);
    element.add_matrix(y, y, sigma, 1, k);
    add_reduced(N, sites, k, n, result.A);
  }
  for (int node = 0; node < int(s.nodes.size()) && s.elastic == 0; ++node)  // (theta x D) x f = D f·theta - D·f theta
    for (std::size_t i = 1; i < s.nodes[node].size(); ++i)
      for (int d = 0; d < 9; ++d)
      {
        const GramVector &D = s.y[s.nodes[node][i]], &f = carried[s.nodes[node][i]];
        result.A[(6 * node + 3 + d / 3) * n + 6 * node + 3 + d % 3] += D[d / 3] * f[d % 3] - (d / 3 == d % 3 ? dot(D, f) : 0.);
      }
  return result;
}

inline void advance(Structure &s, const Numbers &du)
{
  const Chart N = chart(s);
  Vectors step(s.y.size(), GramVector{});
  for (std::size_t c = 0; c < N.size(); ++c)
    for (const auto &[i, factor] : N[c])
      step[c / 3][c % 3] += factor * du[i];
  for (auto &[element, sites, sigma] : s.parts)
  {
    Numbers eps = element.strain(s.of(sites, s.y));
    const Numbers rate = element.strain_rate(s.of(sites, s.y), s.of(sites, step));
    std::transform(eps.begin(), eps.end(), rate.begin(), eps.begin(), std::plus<>());
    sigma = element.stress(eps);
  }
  for (int node = 0; node < int(s.nodes.size()); ++node)
    for (std::size_t i = 0; i < s.nodes[node].size(); ++i)
    {
      GramVector &v = s.y[s.nodes[node][i]];
      const double *theta = du.data() + 6 * node + 3;
      v = s.elastic > 0 || i == 0 ? combination(v, 1, step[s.nodes[node][i]]) : turned({theta[0], theta[1], theta[2]}, v);
    }
}

/// Newton; held unknowns move by what the map says. The load that holds them, or nothing where 40 iterations do not do.
inline Numbers solve(Structure &s, const std::map<int, double> &load, std::map<int, double> held)
{
  for (int k = 0; k < 40; ++k)
  {
    Balance now = balance(s, load);
    for (auto &[i, jump] : held)
    {
      std::fill_n(now.A.begin() + i * s.unknowns(), s.unknowns(), 0.);
      now.A[i * s.unknowns() + i] = 1;
      now.b[i] = std::exchange(jump, 0.);
    }
    const Numbers du = solved(now.A, now.b);
    advance(s, du);
    if (std::abs(*std::max_element(du.begin(), du.end(), [](double a, double b) { return std::abs(a) < std::abs(b); })) < 1e-9)
      return balance(s, load).b;
  }
  return {};
}

inline std::map<int, double> clamped(const Structure &s)
{
  std::map<int, double> held;
  for (int i = 0; i < s.per_node(); ++i)
    held[i] = 0;
  return held;
}

inline BeamType type(const int size, const BeamSection &section, const double E, const double nu, const int points = 0)
{
  return {size, section.stiffness(E, nu), section.mass(1 / section.area), {}, points};
}
inline BeamSection numbers(const double A, const double I, const double J)
{
  return general_section({A, shear, shear, I, I, 0, J, {}, {}});
}

inline void expect_near(const GramVector &a, const GramVector &b, const double tolerance)
{
  for (int d = 0; d < 3; ++d)
    EXPECT_NEAR(a[d], b[d], tolerance) << "component " << d;
}
}  // namespace symdyn::tests::beams
