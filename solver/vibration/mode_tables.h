#pragma once
#include <complex>
#include <string>
#include <vector>

#include "solver/vibration/modes.h"

// Tables of modes as CalculiX writes them into its .dat file, for comparisons and for scripts that read it.
namespace symdyn
{
/// Fortran's e21.13, e14.7, ...: 0.1234567E+01, with this number of digits, and a blank or a sign before.
std::string fortran(double value, int digits = 7);

/// Eigenvalues, participation factors phi_iᵀ M xi_j, effective masses (their squares) and the whole xi_jᵀ M xi_j [kg, kg m²]. xi_j: motions
/// of the undeformed body as a whole, turns about the origin, at rest at prescribed degrees of freedom: a mass on a support is not in them,
/// other than in Participation.
std::string calculix_modes(const MechanicalSystem &system, const Modes &modes);
/// Eigenvalues of sectors, with the nodal diameters of each mode.
std::string calculix_cyclic_modes(const Modes &modes, const std::vector<int> &diameters);
/// The shares y_i of the modes in a vibration of this frequency [Hz].
std::string calculix_shares(double frequency, const Modes &modes, const std::vector<std::complex<double>> &shares);
/// The title of what follows of mode `number`, from 1 on.
std::string calculix_mode_title(std::size_t number);
}  // namespace symdyn
