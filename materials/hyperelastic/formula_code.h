#pragma once
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "materials/algebra/branch.h"
#include "materials/algebra/jet.h"
#include "materials/algebra/wide.h"
#include "solver/deck/formula/expression_evaluate.h"

namespace symdyn
{
/// A value of a formula, computed from earlier ones.
struct FormulaValue
{
  formula::Code code;  ///< `jump_if_zero`: a > 0 ? b : c
  int a = -1, b = -1, c = -1;
  double number = 0;  ///< of a constant; the exponent of power_constant; the factor of `multiply` without b
  auto key() const { return std::make_tuple(code, a, b, c, number); }
};

/// Some values of a FormulaGraph, ready to be evaluated: each of its values is computed once.
class FormulaCode
{
public:
  static constexpr std::size_t longest = 256;

  /// The results at these variables. T: double, Sacado's types, Wide, Dual<Wide>, Jet<Wide>; derivatives are exact.
  template <class T>
  void operator()(const T *variables, T *results) const
  {
    Registers<T> y(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      y[i] = value(values[i], variables, y);
    for (std::size_t k = 0; k < of_results.size(); ++k)
      results[k] = y[of_results[k]];
  }

  std::vector<FormulaValue> values;
  std::vector<int> of_results;

private:
  template <class T>
  struct InPlace
  {
    explicit InPlace(std::size_t) {}
    T &operator[](const std::size_t i) { return y[i]; }
    T y[longest];  // of lanes: no constructor runs
  };
  template <class T>
  using Registers = std::conditional_t<InLanes<T>::value, InPlace<T>, std::vector<T>>;

  template <class T>
  static SYMDYN_INLINE T value(const FormulaValue &v, const T *variables, Registers<T> &y)
  {
    using formula::Code;
    switch (v.code)
    {
      case Code::constant:
        return T(v.number);
      case Code::variable:
        return variables[v.a];
      case Code::add:
        return y[v.a] + y[v.b];
      case Code::subtract:
        return y[v.a] - y[v.b];
      case Code::multiply:
        return v.b < 0 ? T(v.number * y[v.a]) : T(y[v.a] * y[v.b]);
      case Code::divide:
        return y[v.a] / y[v.b];
      case Code::less:
        return where_above<T>(T(y[v.b] - y[v.a]), 0., T(1.), T(0.));
      case Code::jump_if_zero:
        return where_above<T>(y[v.a], 0., y[v.b], y[v.c]);
      default:
        return function(v, y[v.a]);
    }
  }

  template <class T>
  static T function(const FormulaValue &v, const T &x)
  {
    using formula::Code;
    using std::exp, std::log, std::pow, std::sqrt;
    switch (v.code)
    {
      case Code::exp:
        return exp(x);
      case Code::log:
        return log(x);
      case Code::sqrt:
        return sqrt(x);
      case Code::power_constant:
        return v.number == -1. / 3. ? T(rcbrt(x)) : T(pow(x, v.number));
      default:
        return seldom(v.code, x);
    }
  }

  /// Functions that lanes compute one by one.
  template <class T>
  static T seldom(const formula::Code code, const T &x)
  {
    if constexpr (std::is_same_v<T, Wide>)
      return map_lanes(x, [&](const double s) { return formula::value(code, s); });
    else if constexpr (InLanes<T>::value)
    {
      std::array<Wide, 3> f;
      for (int i = 0; i < lanes; ++i)
      {
        const std::array<double, 4> series = formula::series(code, x.x[i]);
        for (int k = 0; k < 3; ++k)
          f[k].set(i, series[k]);
      }
      return x.chain(f[0], f[1], f[2]);
    }
    else
      return seldom_at_one_point(code, x);
  }

  template <class T>
  static T seldom_at_one_point(const formula::Code code, const T &x)
  {
    using formula::Code;
    using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh, std::tanh;
    switch (code)
    {
      case Code::sin:
        return sin(x);
      case Code::cos:
        return cos(x);
      case Code::tan:
        return tan(x);
      case Code::asin:
        return asin(x);
      case Code::acos:
        return acos(x);
      case Code::atan:
        return atan(x);
      case Code::sinh:
        return sinh(x);
      case Code::cosh:
        return cosh(x);
      default:
        return tanh(x);
    }
  }
};

/// A formula and its derivatives as values of which equal ones stand once.
class FormulaGraph
{
public:
  using Code = formula::Code;

  int constant(double number);
  int variable(int index) { return entered({Code::variable, index}); }
  int add(int a, int b);
  int subtract(int a, int b);
  int multiply(int a, int b);
  int divide(int a, int b);
  /// a^p. What is positive wherever a law exists has cube roots in lanes.
  int power(int a, double p);
  int function(Code code, int a);
  int less(int a, int b);
  int choose(int condition, int first, int second);
  /// The value of a formula whose variables have these values. Errors: InputError with the position.
  int read(const std::string &text, const std::vector<std::string> &names, const std::vector<int> &of_names);
  /// d value/d variable.
  int derivative(int value, int variable);
  bool depends(int value, int variable) const;
  bool is_constant(int value, double number) const { return at(value).code == Code::constant && at(value).number == number; }
  /// Only what these values need. Errors: InputError where it is longer than FormulaCode::longest.
  FormulaCode code_of(const std::vector<int> &wanted) const;

private:
  const FormulaValue &at(const int value) const { return values[value]; }
  int entered(const FormulaValue &value);
  int unequal(int a, int b) { return add(less(a, b), less(b, a)); }
  int opposite(int truth) { return subtract(constant(1.), truth); }
  int truth_of(int a);
  int two(Code code, int a, int b);
  void run(const formula::Instruction *begin, const formula::Instruction *end, const std::vector<int> &of_names, std::vector<int> &stack);
  int slope_of(const FormulaValue &v, int value, int variable);
  int slope_of_function(const FormulaValue &v, int value);
  bool is_positive(int a) const;

  std::vector<FormulaValue> values;
  std::map<decltype(FormulaValue().key()), int> known;
  std::map<std::pair<int, int>, int> slopes;
};
}  // namespace symdyn
