#pragma once
#include <memory>

#include "solver/vibration/harmonic.h"
#include "solver/vibration/relaxing_stiffness.h"

// What stages of harmonic sweeps have in common.
namespace symdyn
{
struct Analysis;
class Stage;

/// Says how laws that relax answer. Errors: InputError for a Method that cannot be, and for laws without a complex stiffness.
void check_sweep(const Analysis &analysis, const Stage &stage, const HarmonicRequest &request);
/// The complex moduli about the state; nullptr: no law relaxes. Warns of a state that still relaxes.
std::unique_ptr<RelaxingStiffness> relaxing_stiffness(const Analysis &analysis, const Stage &stage, bool fast);
/// What a search for modes and a fast sweep have found, in the log and in summary.json; warns of a residual above the tolerance.
void report_sweep(Analysis &analysis, const Stage &stage, const HarmonicRequest &request, const HarmonicResponse &response);
/// Errors: InputError for loads that follow the body with an unsymmetric tangent about the state; bearings may have one. Collective.
void check_tangent(const Analysis &analysis, const MechanicalSystem &about);
/// Warns of a rotor of which a motion grows: its harmonic answer is never reached. Collective.
void warn_of_growth(Analysis &analysis, const Stage &stage, const MechanicalSystem &about);
/// What is asked on the way, and shown.
void watch_sweep(Analysis &analysis, const Stage &stage, HarmonicRequest &request);
}  // namespace symdyn
