#pragma once
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// The fields of the momenta of the undeformed system on its free degrees of freedom, orthonormal; those that supports take are zero.
std::vector<Vector> rigid_modes(const MechanicalSystem &system);
}  // namespace symdyn
