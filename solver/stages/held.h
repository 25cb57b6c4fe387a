#pragma once
#include <string>

#include "solver/mechanical_system.h"

// What holds the structure in a static stage.
namespace symdyn
{
struct Analysis;
class Stage;

/// Of a static stage in which a part may move as a rigid body about q. `holds`: the stage holds it, if it can, with a warning.
/// Errors: InputError.
void check_held(const Analysis &analysis, const Stage &stage, const Vector &q, bool holds);
/// Where a static stage begins: it `holds` what moves freely, or does not. Returns the sum of the forces of all nodes [N].
double hold_motions(Analysis &analysis, const Stage &stage, bool holds);
/// The same where a restart goes on.
void recall_motions(Analysis &analysis, bool holds);
/// Errors: InputError where loads push against what the stage holds itself. `largest`: of forces of all nodes so far in the stage [N].
void check_pushed(const Analysis &analysis, const Stage &stage, const MechanicalSystem &system, const Vector &q, double &largest);
/// Whether a static stage before this one loads a nonlinear structure: its stress may hold what supports do not.
bool may_be_stressed(const Analysis &analysis, const Stage &stage);
/// Errors: InputError for a tangent of which a direct solver shows that it is singular.
void check_tangent(const Analysis &analysis, const LinearSolve &tangent);
/// What hardly anything resists at the start of an increment that failed, for the error; "": nothing.
std::string weakness_at(const Analysis &analysis, const State &start);
}  // namespace symdyn
