#pragma once
#include <string>

#include "solver/mechanical_system.h"

namespace symdyn
{
struct Analysis;

/// What moves freely of a rotor, "part 1 of 1 may move along z"; "": nothing. Beams, shells and bearings are seen in the stiffness at rest
/// alone, by translations along the axes of coordinates and rotations about those through the origin: "the body may move along z and turn
/// about z". Collective.
std::string loose_motions(const Analysis &analysis, const MechanicalSystem &still);
}  // namespace symdyn
