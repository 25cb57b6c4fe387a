#pragma once
#include <functional>
#include <map>
#include <vector>

#include "materials/algebra/jet.h"
#include "solver/deck/formula/table.h"

namespace symdyn
{
/// A function of time f and its first and second integral from t = 0 on,
///     I1(t) = ∫ f(s) ds,   I2(t) = ∫ (t - s) f(s) ds   (0 ... t)
/// Of a table they are exact: where f is straight, I1 is quadratic and I2 cubic. Of any other function they are taken by Gauss quadrature
/// with 8 points in panels that are halved until both halves agree with the whole to 1e-13 of ∫|f| over the panel, and so often that no
/// pulse is missed that lasts longer than t/1000. The value at a time depends on this time alone, not on what was asked for before, so that
/// a restart finds the same.
class TimeIntegral
{
public:
  enum class Beyond
  {
    constant,  ///< the table goes on with its first and last value
    zero
  };
  using Function = std::function<Jet<double>(double)>;  ///< f, f', f''

  /// Integrates `times` (1 or 2) times.
  TimeIntegral(const Table &table, int times, Beyond beyond);
  TimeIntegral(Function f, int times);
  /// times = 1: (I1, f, f'); times = 2: (I2, I1, f). Errors: ComputationError where f is not finite.
  Jet<double> operator()(double t) const;

private:
  struct Sums
  {
    double first = 0, second = 0;  ///< I1, I2
  };
  Sums sums(double t) const;
  // Of a table: sums from its first point on, and those at t = 0.
  Sums since_first_point(double t) const;
  double value(double t) const;
  double slope(double t) const;
  // Of a function.
  struct Part;
  Part gauss(double from, double to) const;
  Sums panel(double from, double to) const;
  Sums halved(double from, double to, const Sums &whole, int depth, double allowed_in_panel) const;
  const std::vector<Sums> &octave(int exponent) const;

  Table table;
  bool tabulated = false;
  Beyond beyond = Beyond::constant;
  Function function;
  int times;
  std::vector<Sums> at_points;
  Sums at_zero;
  mutable std::map<int, std::vector<Sums>> octaves;  ///< sums at 2^exponent (1 + k/panels), made when first needed
};
}  // namespace symdyn
