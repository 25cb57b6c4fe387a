#pragma once
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// Exact constraints in stages without steps of a scheme: ConstraintSprings stand for them. Nothing happens where there are none. With
/// w_i the motion across g_i that nodal constraints and supports leave, w_i·grad g_i = 1, the springs have k_i = `stiffness` w_i·K w_i.

/// About q, for static stages, with the multipliers of the increment before; none given: lambda = 0. Errors: InputError for a constraint
/// that no free motion crosses.
void hold_constraints(const MechanicalSystem &system, double t, const Vector &q, const std::vector<double> &lambda = {});
/// About a state at rest, for linear motion: lambda are the forces of the constraints there.
void hold_constraints_at_rest(const MechanicalSystem &system, double t, const Vector &q);
/// lambda <- lambda - k g. Whether that is more than rounding of them, so that another equilibrium is needed.
bool improve_multipliers(const MechanicalSystem &system, const Vector &q);
/// A scheme keeps the constraints from now on.
void release_constraints(const MechanicalSystem &system);
}  // namespace symdyn
