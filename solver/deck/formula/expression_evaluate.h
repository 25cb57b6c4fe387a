#pragma once
#include <array>
#include <cmath>

#include "solver/deck/formula/expression.h"

namespace symdyn
{
namespace formula
{
/// What a scalar must offer besides arithmetic and construction from a double: its value, whether it has no
/// derivatives, and f(a) from f, f', f'', f''' at its value. A scalar with third derivatives adds its three overloads
/// beside its class (Series in solver/deck/formula/expression_series.h).
inline double value_of(const double a) { return a; }
inline double value_of(const Jet<double> &a) { return a.x; }
inline bool is_constant(const double) { return true; }
inline bool is_constant(const Jet<double> &a) { return a.d == 0. && a.dd == 0.; }
inline double compose(const double, const std::array<double, 4> &f) { return f[0]; }
/// An infinite derivative counts only where the argument changes: sqrt(x) t at x = 0 has time derivatives.
inline double product_unless_zero(const double f, const double d) { return d == 0. ? 0. : f * d; }
inline Jet<double> compose(const Jet<double> &a, const std::array<double, 4> &f)
{
  return {f[0], product_unless_zero(f[1], a.d), product_unless_zero(f[2], a.d * a.d) + product_unless_zero(f[1], a.dd)};
}

/// x^p, without std::pow for the exponents that formulas have most.
inline double power(const double x, const double p) { return p == 2. ? x * x : p == 1. ? x : p == 3. ? x * x * x : std::pow(x, p); }

/// A coefficient that vanishes ends the series, also where x^(p-k) is infinite: x^2 has the derivatives 0, 2, 0 at 0.
inline std::array<double, 4> power_series(const double x, const double p)
{
  std::array<double, 4> f{power(x, p), 0., 0., 0.};
  double factor = 1.;
  for (int k = 1; k < 4; ++k)
  {
    factor *= p - (k - 1);
    f[k] = factor == 0. ? 0. : factor * power(x, p - k);
  }
  return f;
}

inline double value(const Code code, const double x)
{
  switch (code)
  {
    case Code::sin:
      return std::sin(x);
    case Code::cos:
      return std::cos(x);
    case Code::tan:
      return std::tan(x);
    case Code::asin:
      return std::asin(x);
    case Code::acos:
      return std::acos(x);
    case Code::atan:
      return std::atan(x);
    case Code::sinh:
      return std::sinh(x);
    case Code::cosh:
      return std::cosh(x);
    case Code::tanh:
      return std::tanh(x);
    case Code::exp:
      return std::exp(x);
    case Code::log:
      return std::log(x);
    default:
      return std::sqrt(x);
  }
}

/// f, f', f'', f''' at x.
inline std::array<double, 4> series(const Code code, const double x)
{
  const double f = value(code, x);
  const auto arcus = [&](const double s) -> std::array<double, 4> {
    const double r = s / std::sqrt(1. - x * x), rr = r * r;
    return {f, r, x * r * rr, r * rr * (1. + 3. * x * x * rr)};
  };
  switch (code)
  {
    case Code::sin:
      return {f, std::cos(x), -f, -std::cos(x)};
    case Code::cos:
      return {f, -std::sin(x), -f, std::sin(x)};
    case Code::tan:
      return {f, 1. + f * f, 2. * f * (1. + f * f), 2. * (1. + f * f) * (1. + 3. * f * f)};
    case Code::asin:
      return arcus(1.);
    case Code::acos:
      return arcus(-1.);
    case Code::atan:
    {
      const double r = 1. / (1. + x * x);
      return {f, r, -2. * x * r * r, (6. * x * x - 2.) * r * r * r};
    }
    case Code::sinh:
      return {f, std::cosh(x), f, std::cosh(x)};
    case Code::cosh:
      return {f, std::sinh(x), f, std::sinh(x)};
    case Code::tanh:
      return {f, 1. - f * f, -2. * f * (1. - f * f), -2. * (1. - f * f) * (1. - 3. * f * f)};
    case Code::exp:
      return {f, f, f, f};
    case Code::log:
      return {f, 1. / x, -1. / (x * x), 2. / (x * x * x)};
    default:
      return {f, 0.5 / f, -0.25 / (x * f), 0.375 / (x * x * f)};
  }
}

template <class T>
T apply(const Code code, const T &a)
{
  const double x = value_of(a);
  switch (code)
  {
    case Code::negate:
      return -a;
    case Code::abs:
      return x < 0. ? -a : a;
    case Code::sign:
      return T(x > 0. ? 1. : x < 0. ? -1. : 0.);
    case Code::step:
      return T(x >= 0. ? 1. : 0.);
    default:
      if (is_constant(a))
        return T(value(code, x));
      return compose(a, series(code, x));
  }
}

template <class T>
T power(const T &a, const double p)
{
  if (is_constant(a))
    return T(power(value_of(a), p));
  return compose(a, power_series(value_of(a), p));
}

template <class T>
T power(const T &a, const T &p)
{
  if (is_constant(p))
    return power(a, value_of(p));
  if (is_constant(a) && value_of(a) == 0. && value_of(p) > 0.)
    return T(0.);
  return apply(Code::exp, T(p * apply(Code::log, a)));
}

/// The angle differs from an arc tangent by a constant; of the two quotients the one that is not large.
template <class T>
T angle(const T &y, const T &x)
{
  const double exact = std::atan2(value_of(y), value_of(x));
  if (is_constant(x) && is_constant(y))
    return T(exact);
  const bool flat = std::abs(value_of(x)) >= std::abs(value_of(y));
  const T a = flat ? apply(Code::atan, T(y / x)) : -apply(Code::atan, T(x / y));
  return a + T(exact - value_of(a));
}

template <class T>
T apply(const Code code, const T &a, const T &b)
{
  const double x = value_of(a), y = value_of(b);
  switch (code)
  {
    case Code::add:
      return a + b;
    case Code::subtract:
      return a - b;
    case Code::multiply:
      return a * b;
    case Code::divide:
      return a / b;
    case Code::power:
      return power(a, b);
    case Code::less:
      return T(x < y);
    case Code::less_equal:
      return T(x <= y);
    case Code::greater:
      return T(x > y);
    case Code::greater_equal:
      return T(x >= y);
    case Code::equal:
      return T(x == y);
    case Code::not_equal:
      return T(x != y);
    case Code::logical_and:
      return T(x != 0. && y != 0.);
    case Code::logical_or:
      return T(x != 0. || y != 0.);
    case Code::atan2:
      return angle(a, b);
    case Code::min:
      return y < x ? b : a;
    default:
      return y > x ? b : a;
  }
}

constexpr bool takes_two(const Code code)
{
  return (code >= Code::add && code <= Code::power) || (code >= Code::less && code <= Code::logical_or) || code >= Code::atan2;
}
}  // namespace formula

template <class T>
T Expression::operator()(const T *variables) const
{
  using formula::Code;
  using formula::value_of;
  T stack[formula::stack_size];  // the parser has checked that this is enough
  int top = -1;
  const formula::Instruction *const end = program.data() + program.size();
  for (const formula::Instruction *i = program.data(); i != end; ++i)
    switch (i->code)
    {
      case Code::constant:
        stack[++top] = T(i->constant);
        break;
      case Code::variable:
        stack[++top] = variables[i->index];
        break;
      case Code::jump:
        i += i->index;
        break;
      case Code::jump_if_zero:
        if (value_of(stack[top--]) == 0.)
          i += i->index;
        break;
      case Code::power_constant:
        stack[top] = formula::power(stack[top], i->constant);
        break;
      default:
        if (formula::takes_two(i->code))
        {
          --top;
          stack[top] = formula::apply(i->code, stack[top], stack[top + 1]);
        }
        else
          stack[top] = formula::apply(i->code, stack[top]);
    }
  return stack[0];
}
}  // namespace symdyn
