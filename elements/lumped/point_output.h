#pragma once
#include <string>

#include "elements/lumped/system.h"

namespace symdyn
{
/// A VTU file: a vertex for each point, a line for each bar, spring and rigid link; displacement [m], velocity [m/s], acceleration [m/s²],
/// mass [kg]; of lines their tension, dV/dr [N], 0 of rigid links. `state`: of all points. On one rank. Errors: ComputationError if it
/// cannot be written.
void write_points(const DiscreteSystem::Parts &parts, const State &state, const std::string &file);
}  // namespace symdyn
