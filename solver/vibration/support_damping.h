#pragma once
#include "solver/vibration/modal_transient.h"

namespace symdyn
{
/// The force that the damping of modes exerts against a velocity of supports and base that carries the structure by
/// u_s' [N]:
///     automatic:        alpha M u_s', as C = alpha M + beta K does where K u_s = 0
///     relative motion:  0
///     absolute motion:  sum_i c_i M phi_i (phi_i·M u_s'),  c_i = 2 zeta_i omega_i with all of Damping ratios and
///     Rayleigh damping (CalculiX, *STEADY STATE DYNAMICS)
/// A loss factor acts on strains, and a motion of supports has none. One mass on a spring, zeta its ratio, r =
/// omega/omega_n: u/u_g = (1 + 2 i zeta r)/(1 - r² + 2 i zeta r) with relative motion, 1/(1 - r² + 2 i zeta r) with the
/// absolute one.
Vector modal_damping_force(const MechanicalSystem &system, const Modes &modes, const ModalDamping &damping, const Vector &velocity);
}  // namespace symdyn
