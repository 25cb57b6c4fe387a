#include "materials/algebra/spectral.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symdyn
{
namespace
{
/// One Jacobi rotation that makes A_pq = 0. False if it already is, to rounding.
bool rotate(Symmetric<double> &A, double (&n)[3][3], int p, int q)
{
  const double off = A(p, q);
  const double negligible = 1e-3 * std::numeric_limits<double>::epsilon();
  if (!(std::abs(off) > negligible * std::sqrt(std::abs(A(p, p) * A(q, q)))))
    return false;

  const double theta = (A(q, q) - A(p, p)) / (2. * off);
  const double t = std::copysign(1., theta) / (std::abs(theta) + std::sqrt(theta * theta + 1.));  // tan of the smaller angle
  const double c = 1. / std::sqrt(t * t + 1.), s = t * c;
  const int k = 3 - p - q;
  const double kp = A(k, p), kq = A(k, q);
  A(p, p) -= t * off;
  A(q, q) += t * off;
  A(p, q) = 0.;
  A(k, p) = c * kp - s * kq;
  A(k, q) = s * kp + c * kq;
  for (int i = 0; i < 3; ++i)
  {
    const double np = n[p][i], nq = n[q][i];
    n[p][i] = c * np - s * nq;
    n[q][i] = s * np + c * nq;
  }
  return true;
}

/// sym(n_a⊗n_b) for the pairs (a, b) in the order of Symmetric.
struct Dyads
{
  Symmetric<double> pair[6];
  explicit Dyads(const Spectrum &C)
  {
    for (int a = 0; a < 3; ++a)
      for (int b = a; b < 3; ++b)
        for (int i = 0; i < 3; ++i)
          for (int j = i; j < 3; ++j)
            pair[Symmetric<double>::index(a, b)](i, j) = 0.5 * (C.n[a][i] * C.n[b][j] + C.n[a][j] * C.n[b][i]);
  }
  /// n_a · H n_b
  Symmetric<double> to_basis(const Symmetric<double> &H) const
  {
    Symmetric<double> r;
    for (int m = 0; m < 6; ++m)
      r[m] = contract(pair[m], H);
    return r;
  }
  Symmetric<double> from_basis(const Symmetric<double> &r) const
  {
    Symmetric<double> H{};
    for (int m = 0; m < 6; ++m)
      for (int l = 0; l < 6; ++l)
        H[l] += (m < 3 ? 1. : 2.) * r[m] * pair[m][l];
    return H;
  }
};

/// g[x_a, x_b]
Symmetric<double> differences(const Spectrum &C, double beta)
{
  Symmetric<double> r;
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b)
      r(a, b) = power_difference(C.x[a], C.x[b], beta);
  return r;
}

/// 2 Σ_k g[a,k,b] H_ak H_kb; g is symmetric in its arguments, so that ten values serve.
Symmetric<double> second_variation(const Spectrum &C, const Symmetric<double> &H, double beta)
{
  double pair[3][3];  // g[a,a,b]
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      pair[a][b] = power_difference(C.x[a], C.x[a], C.x[b], beta);
  const double all = power_difference(C.x[0], C.x[1], C.x[2], beta);
  const auto g = [&](int a, int b, int c) { return a == b ? pair[a][c] : a == c ? pair[a][b] : b == c ? pair[b][a] : all; };
  Symmetric<double> r{};
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b)
      for (int k = 0; k < 3; ++k)
        r(a, b) += 2. * g(a, k, b) * H(a, k) * H(k, b);
  return r;
}
}  // namespace

Spectrum spectrum(const Symmetric<double> &C)
{
  Symmetric<double> A = C;
  Spectrum r{{}, {{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
  constexpr int enough = 30;  // sweeps; convergence is quadratic, 5 are usual
  for (int sweep = 0; sweep < enough; ++sweep)
  {
    const bool first = rotate(A, r.n, 0, 1), second = rotate(A, r.n, 0, 2), third = rotate(A, r.n, 1, 2);
    if (!first && !second && !third)
      break;
  }
  for (int a = 0; a < 3; ++a)
    r.x[a] = A(a, a);
  return r;
}

double power_difference(double a, double b, double beta)
{
  const double gap = (b - a) / a;  // exact to rounding for near arguments (Sterbenz 1974)
  const double slope = gap == 0. ? beta : std::expm1(beta * std::log1p(gap)) / gap;
  return slope * std::pow(a, beta - 1.);
}

double power_difference(double a, double b, double c, double beta)
{
  if (a > b)
    std::swap(a, b);
  if (b > c)
    std::swap(b, c);
  if (a > b)
    std::swap(a, b);
  // Below this gap the quotient loses digits, above it the series converges slowly; here both keep all but one.
  if (!(c - a < 0.4 / (4. + std::abs(beta)) * a))
    return (power_difference(b, c, beta) - power_difference(a, b, beta)) / (c - a);

  // With x, y, z relative to the middle: Σ_n binomial(beta, n) h_(n-2)(x, y, z), h the complete homogeneous
  // polynomials.
  const double middle = 0.5 * (a + c);
  const double x = (a - middle) / middle, y = (b - middle) / middle, z = (c - middle) / middle;
  double binomial = 0.5 * beta * (beta - 1.), h_x = 1., h_xy = 1., h_xyz = 1., sum = binomial, size = 1.;
  constexpr double enough = 1e-18;  // |x|, |z| < 0.05: about 14 terms
  for (int n = 3; std::abs(binomial) * size > enough * std::abs(sum); ++n)
  {
    binomial *= (beta - n + 1.) / n;
    h_x *= x;
    h_xy = h_x + y * h_xy;
    h_xyz = h_xy + z * h_xyz;
    sum += binomial * h_xyz;
    size *= 0.05 * n / (n - 2.);  // bound of |h_(n-2)|: number of its terms times the power
  }
  return sum * std::pow(middle, beta - 2.);
}

Symmetric<double> power(const Spectrum &C, double beta)
{
  Symmetric<double> r{};
  for (int a = 0; a < 3; ++a)
    r[a] = std::pow(C.x[a], beta);
  return Dyads(C).from_basis(r);
}

Tangent<double> power_derivative(const Spectrum &C, double beta)
{
  const Dyads dyads(C);
  const Symmetric<double> g = differences(C, beta);
  Tangent<double> r{};
  for (int k = 0; k < 6; ++k)
    for (int m = 0; m < 6; ++m)
      for (int n = 0; n < 6; ++n)
        r(m, n) += (k < 3 ? 1. : 2.) * g[k] * dyads.pair[k][m] * dyads.pair[k][n];
  return r;
}

Symmetric<Jet<double>> power(const Spectrum &spectrum, const Symmetric<Jet<double>> &C, double beta)
{
  const Dyads dyads(spectrum);
  const Symmetric<double> g = differences(spectrum, beta);
  Symmetric<double> H, K;
  for (int m = 0; m < 6; ++m)
  {
    H[m] = C[m].d;
    K[m] = C[m].dd;
  }
  H = dyads.to_basis(H);
  K = dyads.to_basis(K);
  Symmetric<double> second = second_variation(spectrum, H, beta);
  for (int m = 0; m < 6; ++m)
  {
    second[m] += g[m] * K[m];
    H[m] *= g[m];
  }
  const Symmetric<double> value = power(spectrum, beta), d = dyads.from_basis(H), dd = dyads.from_basis(second);
  Symmetric<Jet<double>> P;
  for (int m = 0; m < 6; ++m)
    P[m] = {value[m], d[m], dd[m]};
  return P;
}
}  // namespace symdyn
