#pragma once
#include <memory>
#include <string>

#include "python/module/arrays.h"
#include "solver/integrator.h"

namespace symdyn::python
{
class SystemInStep;

/// Components of a row of a vector.
int block_of(const MechanicalSystem &system);

/// A linearised system that a step in Python solves with.
struct FactorInStep
{
  Vector q, v, start;  ///< `solver` refers to them
  std::shared_ptr<const LinearSolve> solver;
  std::shared_ptr<SystemInStep> system;
  int number = 0;  ///< among those of the step
  /// x with A x = r on the free components, zero on the others.
  Array solve(const py::object &r) const;
};

/// What a step in Python uses of a system, in arrays with a row a site. Empty after the step. All functions are collective.
class SystemInStep : public std::enable_shared_from_this<SystemInStep>
{
public:
  /// `newton`: nullptr where the scheme is explicit. `step`: its name in messages.
  SystemInStep(const MechanicalSystem &system, const Newton *newton, const std::string &scheme, const std::string &step)
      : system(&system), newton(newton), scheme(scheme), step(step), block(block_of(system))
  {
  }
  void end() { system = nullptr; }

  Array acceleration(double t, const py::object &q, const py::object &v) const;
  Array internal_force(const py::object &q);
  Array discrete_gradient(const py::object &q0, const py::object &q1);
  Array applied_force(double t, const py::object &q, const py::object &v) const;
  Array damping_force(const py::object &q, const py::object &v) const;
  /// f_applied - f_int - f_damp [N].
  Array force(double t, const py::object &q, const py::object &v);
  Array stiffness(const py::object &q, const py::object &u) const;
  Array mass(const py::object &v) const;
  Array mass_solve(const py::object &p) const;
  double potential(const py::object &q) const;
  /// q, v, a with the prescribed components of t.
  py::tuple impose(double t, const py::object &q, const py::object &v, const py::object &a) const;
  /// m M + c C + k K at (t, q, v). With `start` K is d/dq of discrete_gradient(start, q).
  std::shared_ptr<FactorInStep> factor(double t, const py::object &q, const py::object &v, double m, double c, double k,
                                       const py::object &start);
  /// x with residual(x) = 0 on the free components, by the run's Newton method from a guess, whose prescribed components stay. tangent(x)
  /// is a factor(). Errors: ComputationError where it does not converge.
  Array solve(const py::function &residual, const py::function &tangent, const py::object &guess);

  const MechanicalSystem &get() const;
  Vector vector(const py::object &given, const std::string &name) const;
  Array array(const Vector &x) const { return copy_of(x, block); }
  /// x = the array. Errors: as of copy_to().
  void read(const py::object &given, const std::string &what, Vector &x) const { copy_to(given, block, what, x); }
  StepReport report;    ///< of the step until now
  std::string failure;  ///< of Newton's method, on all ranks; "": it has converged

private:
  void require_implicit(const char *what) const;
  void judge(const ForceReport &force);

  const MechanicalSystem *system;
  const Newton *newton;
  std::string scheme, step;
  int block;
  friend FactorInStep;
  int factors = 0;    ///< made; the latest one is of use
  ForceReport worst;  ///< of the forces of one residual
  Vector last_q;      ///< where the last force was evaluated
};

/// The class System, what a scheme sees in its step.
void bind_system(py::module_ &module);
}  // namespace symdyn::python
