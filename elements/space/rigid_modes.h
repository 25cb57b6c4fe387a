#pragma once
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// The fields of the momenta of the undeformed system on its free degrees of freedom, orthonormal; those that supports take are zero.
std::vector<Vector> rigid_modes(const MechanicalSystem &system);
/// By Gram and Schmidt, each twice; what is no longer than rounding is zero.
void orthonormalise(std::vector<Vector> &modes);
}  // namespace symdyn
