#pragma once
#include <array>
#include <string>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// The motion z that a factored tangent A resists least, by inverse iteration, and how much: |A z|/|A S z|, where S gives the entries of z
/// random signs, so that nothing cancels in A S z. About 1e-16 where A is singular; (h/L)^4 of a beam of length L with cells of size h.
struct WeakestMotion
{
  double resistance = 1;
  std::array<double, 3> place{};  ///< of the largest entry of z [m]
  bool of_directors = false;      ///< it moves no place
  std::string component;          ///< "x", "y", "z"
  bool known = false;             ///< no: the solver iterates, or z is not finite

  bool singular() const { return known && resistance < 2e-15; }
  /// "around (1, 0.5, 0.5) m, along y"
  std::string in_words(const std::string &unit) const;
};

/// Collective. Errors: ComputationError of the linear solver.
WeakestMotion weakest_motion(const MechanicalSystem &system, const LinearSolve &A);
}  // namespace symdyn
