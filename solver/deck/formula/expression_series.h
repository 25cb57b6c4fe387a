#pragma once
#include <array>

#include "solver/deck/formula/expression_evaluate.h"

namespace symdyn
{
/// A scalar for formulas: f on the line x + s a, cut after s^order, and its slopes in N directions b_n,
///     f(x + s a + eps_n b_n) = sum_k s^k (c[k] + eps_n e[k][n]),   eps_n² = 0
/// so that e[0] = grad f·b_n, e[1] = f''[a, b_n], e[2] = f'''[a, a, b_n]/2, all exact. order <= 2.
template <int order, int N>
struct Series
{
  static_assert(order >= 0 && order <= 2, "formulas offer three derivatives");
  double c[order + 1], e[order + 1][N];

  Series() = default;
  Series(const double value) : c{}, e{} { c[0] = value; }

  friend Series operator+(const Series &a, const Series &b)
  {
    Series r;
    r.each([&](const auto &part) { part(r) = part(a) + part(b); });
    return r;
  }
  friend Series operator-(const Series &a, const Series &b)
  {
    Series r;
    r.each([&](const auto &part) { part(r) = part(a) - part(b); });
    return r;
  }
  friend Series operator-(const Series &a)
  {
    Series r;
    r.each([&](const auto &part) { part(r) = -part(a); });
    return r;
  }
  friend Series operator*(const Series &a, const Series &b)
  {
    Series r(0.);
    for (int i = 0; i <= order; ++i)
      for (int k = 0; i + k <= order; ++k)
      {
        r.c[i + k] += a.c[i] * b.c[k];
        for (int n = 0; n < N; ++n)
          r.e[i + k][n] += a.e[i][n] * b.c[k] + a.c[i] * b.e[k][n];
      }
    return r;
  }
  friend Series operator/(const Series &a, const Series &b)
  {
    const double r = 1. / b.c[0];
    return a * compose(b, {r, -r * r, 2. * r * r * r, -6. * r * r * r * r});
  }

  /// What formula::apply asks for.
  friend double value_of(const Series &a) { return a.c[0]; }
  friend bool is_constant(const Series &a)
  {
    double sum = 0;
    for (int k = 0; k <= order; ++k)
    {
      sum += k > 0 ? std::abs(a.c[k]) : 0.;
      for (int n = 0; n < N; ++n)
        sum += std::abs(a.e[k][n]);
    }
    return sum == 0.;
  }
  /// f(a) from f, f', f'', f''' at its value (Taylor).
  friend Series compose(const Series &a, const std::array<double, 4> &f)
  {
    const auto times = [](const double x, const double y) { return formula::product_unless_zero(x, y); };
    std::array<double, order + 1> slope{};  // of f' along the line
    Series r(f[0]);
    slope[0] = f[1];
    if constexpr (order >= 1)
    {
      r.c[1] = times(f[1], a.c[1]);
      slope[1] = times(f[2], a.c[1]);
    }
    if constexpr (order >= 2)
    {
      r.c[2] = times(f[1], a.c[2]) + times(0.5 * f[2], a.c[1] * a.c[1]);
      slope[2] = times(f[2], a.c[2]) + times(0.5 * f[3], a.c[1] * a.c[1]);
    }
    for (int i = 0; i <= order; ++i)
      for (int k = 0; i + k <= order; ++k)
        for (int n = 0; n < N; ++n)
          r.e[i + k][n] += times(slope[i], a.e[k][n]);
    return r;
  }

private:
  template <class Visit>
  static void each(const Visit &visit)
  {
    for (int k = 0; k <= order; ++k)
    {
      visit([k](auto &s) -> auto & { return s.c[k]; });
      for (int n = 0; n < N; ++n)
        visit([ k, n ](auto &s) -> auto & { return s.e[k][n]; });
    }
  }
};
}  // namespace symdyn
