#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/stages/periodic/jacobian.h"

namespace symdyn
{
/// What is set along a family of orbits: an amplitude [m], an energy [J], a frequency [Hz], a factor; and its gradient.
struct OrbitMeasure
{
  std::string name;
  std::function<double(const Orbit &)> value;
  std::function<OrbitVector(const Orbit &)> gradient;
};

struct FoundOrbit
{
  Orbit orbit;
  double value = 0;       ///< of the measure
  bool asked = false;     ///< it is one of those asked for
  bool turned = false;    ///< the measure turned back since the orbit before: a fold
  bool branched = false;  ///< a determinant changed its sign: another family branches off
  int newton = 0;         ///< iterations
  double residual = 0;    ///< |r| over the largest displacement
};

struct PathRequest
{
  std::vector<double> values;  ///< of the measure, in this order; the last ends the path
  double tolerance = 1e-8, largest_step = 0.5;
  int most_orbits = 200;
  std::function<bool()> stop = nullptr;
  std::function<void(const FoundOrbit &)> found = nullptr;  ///< told each orbit, at once: a path may fail
};

/// Follows a family of periodic orbits by its arc length (Keller 1977), through folds: a predictor along the tangent, Newton's method, a
/// step that is halved on failure. Steps end at the values that are asked for. Lengths are relative to the largest displacement of an
/// orbit.
class OrbitPath
{
public:
  using MakeJacobian = std::function<std::unique_ptr<OrbitJacobian>(std::shared_ptr<const OrbitMotion>)>;
  OrbitPath(const OrbitProblem &problem, OrbitMeasure measure, PathRequest request, MakeJacobian make_jacobian);

  /// The orbit near `guess` with this value, and the path from it. `along`: the first tangent, about. Errors: ComputationError,
  /// Interrupted. From an orbit at another value the path goes to the first one before all others.
  void follow(const Orbit &guess, double first, const OrbitVector &along);
  /// Whether all values were reached.
  bool complete() const;

private:
  /// What the next orbit begins with.
  struct Here
  {
    FoundOrbit found;
    OrbitVector tangent;
    double size;   ///< largest displacement
    double slope;  ///< of the measure along the tangent
    int sign;      ///< of the determinant
  };
  /// Newton's method; `value`: of the measure, or none: along `row`.
  Here correct(Orbit orbit, const double *value, const OrbitVector &row) const;
  void set_tangent(const OrbitJacobian &J, const OrbitVector &column, const OrbitVector &row, Here &here) const;
  Here begin(const Orbit &guess, double first, const OrbitVector &along) const;
  /// Errors: ComputationError for an orbit that swings more than once: its period is a multiple.
  void require_one_swing(const Orbit &orbit, const Vector &along) const;
  void take(const Here &here);
  void turn(Here &here) const;
  /// Errors: ComputationError where the measure goes away from its first value.
  void require_approach(const Here &here, double begun) const;
  static bool same(double a, double b);
  OrbitVector weighed(const OrbitVector &tangent, double size) const;
  double product(const OrbitVector &row, const OrbitVector &x) const;
  /// The next value asked for in the direction of the path; nullptr: none.
  const double *next(const Here &here) const;
  Here step(const Here &here, double &length);

  const OrbitProblem &problem;
  OrbitMeasure measure;
  PathRequest request;
  MakeJacobian make_jacobian;
  std::vector<bool> met;  ///< of the values
  bool leads = false;     ///< on the way to the first value
  int taken = 0;
};
}  // namespace symdyn
