#pragma once
#include "integrators/equations/balance.h"

// Where Newton's method begins in a step of structures with carried stresses or a history, and what follows where it fails from there: own
// rules, for which no source is known.
namespace symdyn
{
/// The unknown x with q_1 = q0 at a point, but for its prescribed components, which are those of `x`.
Vector unknown_at(const MechanicalSystem &system, const Balance::Point &point, const Vector &q0, const Vector &x);
/// Whether |r| is smaller at `other` than at x, or the residual admissible there alone.
bool is_nearer(const NewtonProblem &problem, const Vector &other, const Vector &x);
/// From `start`; if that fails, from x with tangents that carry no stresses. x is the solution. Errors: ComputationError.
NewtonReport solve_from(const Vector &start, const Newton &newton, NewtonProblem &problem, Vector &x);
}  // namespace symdyn
