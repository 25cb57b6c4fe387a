#pragma once
#include <array>
#include <vector>

namespace symdyn
{
class Parameters;

using MaterialAxes = std::array<std::array<double, 3>, 3>;  ///< rows: orthonormal vectors

/// The entry `Axes` of a material, declared: six numbers a1, a2, a3, b1, b2, b3. Row 0 along a, row 1 in the plane of a and b, on b's side;
/// not given: the coordinates. InputError unless a and b span a plane.
MaterialAxes declare_material_axes(Parameters &p);
}  // namespace symdyn
