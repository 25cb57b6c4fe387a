#pragma once
#include <memory>
#include <vector>

#include "solver/vibration/modes.h"

namespace symdyn
{
/// What modes that are left out answer to a force as if it were at rest,
///     u_s = K⁻¹ (f - sum M phi_i (phi_iᵀ f))          (Chopra, Dynamics of Structures, 12.12: static correction)
/// M-orthogonal to the modes there are. K is the tangent that the modes are of.
class StaticCorrection
{
public:
  /// Entry `Static correction` of stages between modes; `answer` has its default.
  static void declare(Parameters &p, std::string &answer);
  /// yes, or automatic where it can be: no mode is rigid, a mechanism or unstable.
  static bool wanted(const std::string &answer, const Modes &modes);

  /// Errors: InputError where a mode does not vibrate: nothing then holds the structure against a force at rest.
  /// `forces`: those of the request of the modes, which may know their answers.
  StaticCorrection(const MechanicalSystem &system, double t, const Vector &q, const Modes &modes, const std::vector<Vector> &forces = {});
  /// u_s [m] of forces on all degrees of freedom [N]. Without a solve, to rounding, where f is a sum of the first few that this was asked
  /// for or made with: those of a sweep are multiples of one or two. Errors: ComputationError.
  Vector of(const Vector &f) const;

private:
  /// What is not of the modes.
  Vector rest_of(const Vector &f) const;
  Vector solved(const Vector &f) const;
  /// Takes what is known away from f, and returns the answer to that.
  Vector without_known(Vector &f) const;
  void keep(Vector force, Vector answer) const;

  /// Orthonormal forces with their answers.
  struct Known
  {
    Vector force, answer;
  };
  const MechanicalSystem &system;
  double t;
  const Vector &q;
  const Modes &modes;
  Vector rest;
  mutable std::shared_ptr<const LinearSolve> solve;
  mutable std::vector<Known> known;
};
}  // namespace symdyn
