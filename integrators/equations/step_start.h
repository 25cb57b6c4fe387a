#pragma once
#include "integrators/equations/balance.h"

// Where Newton's method begins in a step, and what follows where it fails from there: own rules, for which no source is known.
namespace symdyn
{
/// The unknown with Q + dq x = q, but for its prescribed components, which are those of `x`.
Vector unknown_at(const MechanicalSystem &system, const Vector &Q, double dq, const Vector &q, const Vector &x);
/// That of q0 + h v0, where steps with dq >= h²/4 begin; others at x. Modes with h omega >> 1 change the sign of a each step: there Q,
/// which has a part of a0, is far from the solution, and the first step after a sudden load inverts cells. Below beta = 1/4 steps are
/// short.
Vector unknown_of_drift(const MechanicalSystem &system, const Vector &Q, double dq, const State &state, double h, const Vector &x);
/// Whether |r| is smaller at `other` than at x, or the residual admissible there alone.
bool is_nearer(const NewtonProblem &problem, const Vector &other, const Vector &x);
/// From `start`; if that fails, from x with tangents that carry no stresses. x is the solution. Errors: ComputationError.
NewtonReport solve_from(const Vector &start, const Newton &newton, NewtonProblem &problem, Vector &x);
}  // namespace symdyn
