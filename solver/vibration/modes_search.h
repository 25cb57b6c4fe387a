#pragma once
#include <memory>
#include <vector>

#include "solver/linear/eigen.h"
#include "solver/vibration/linear_motion.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
/// K and M of a system at a state, on its free degrees of freedom.
struct Pencil
{
  const MechanicalSystem &system;
  double t;
  const Vector &q, rest;

  const bool of_loads;  ///< K has the part of loads that follow, which may be unsymmetric

  Pencil(const MechanicalSystem &system, const double t, const Vector &q, const bool of_loads = true)
      : system(system), t(t), q(q), rest(system.new_vector()), of_loads(of_loads)
  {
  }

  void stiffness(const Vector &x, Vector &y) const
  {
    of_loads ? tangent(system, t, q, x, y) : system.stiffness(q, x, y);
    system.project(y);
  }
  void mass(const Vector &x, Vector &y) const
  {
    system.mass(x, y);
    system.project(y);
  }
  std::shared_ptr<const LinearSolve> shifted(const double shift) const { return system.factor(-shift * M + K, t, q, rest); }
  /// `number`: of the start, another one each time.
  EigenProblem problem(const int number = 0) const
  {
    EigenProblem problem;
    problem.K = [this](const Vector &x, Vector &y) { stiffness(x, y); };
    problem.M = [this](const Vector &x, Vector &y) { mass(x, y); };
    problem.start = system.new_vector();
    const unsigned int first = problem.start.get_partitioner()->local_range().first;
    for (unsigned int i = 0; i < problem.start.locally_owned_size(); ++i)  // no mode is orthogonal to it by symmetry
      problem.start.local_element(i) = 1. + std::sin(1. + number + (12.9898 + number) * (i + first));
    system.project(problem.start);
    return problem;
  }
};

/// The largest omega² from below, within 2 %, as a rule within 1e-3: a scale for what is rounding and where to shift.
double largest_square(const Pencil &pencil);

/// |M^-1 K x|/|x| of a vector after some steps of the power method, |x|² = x·Mx: a scale of K that need not be symmetric, nor positive.
double size_of_tangent(const Pencil &pencil);

/// So that a mode looks the same in every run: its largest component is positive, or where one as large is negative, its sum with weights
/// that no symmetry has.
void turn_shape(const MechanicalSystem &system, Vector &shape);

/// xi_j, M-orthonormal, of the rigid motions, whether supports leave them or not.
std::vector<Vector> rigid_motions(const MechanicalSystem &system, const Vector &q);

/// A shape whose components have random signs, so that nothing cancels in K x: each of its numbers is about the size of the terms that K
/// times the shape is a sum of.
Vector with_random_signs(const MechanicalSystem &system, Vector shape);
/// x·K x of a shape whose components have random signs, so that nothing cancels: what phi·K phi is a difference of.
double terms_of_square(const MechanicalSystem &system, const Vector &q, const Vector &shape);
/// sum xi_j (xi_j·M x) of rigid_motions().
Vector nearest_rigid(const MechanicalSystem &system, const std::vector<Vector> &motions, const Vector &x);
/// Whether supports leave the rigid motion nearest to a mode. A heavy part at the end of a light one moves like a rigid body, and the light
/// one vibrates.
bool is_left_by_supports(const MechanicalSystem &system, Vector nearest);

/// An orthonormal basis of the free motions of a small system.
std::vector<Vector> free_motions(const MechanicalSystem &system);

/// As many as are asked for, and one more where all below a frequency are wanted. `highest`: circular frequency of the system. Writes
/// `complete` and `at_rest` of the modes. Errors: ComputationError, Interrupted.
EigenPairs search_modes(const Pencil &pencil, double highest, const ModesRequest &request, Modes &modes);
}  // namespace symdyn
