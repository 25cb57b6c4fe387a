#pragma once
#include <string>
#include <vector>

#include "elements/system/cell_stress.h"

namespace symdyn
{
/// A frame of the quadrature points of the stiffness: a vertex each, with displacement [m], Cauchy stress (by rows) and von Mises stress
/// [Pa], strain energy density [J/m³] and the weight det(dX/dxi) w [m³] (2-D [m²]), in double precision. FOLDER/quadrature-00012.vtu, or a
/// piece quadrature-00012.R.vtu of each rank R; returns the names of all. Collective. Errors: ComputationError if a file cannot be written.
template <int dim>
std::vector<std::string> write_quadrature_points(const SolidBody<dim> &system, const State &state, const std::string &folder,
                                                 unsigned int number);
}  // namespace symdyn
