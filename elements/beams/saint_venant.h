#pragma once
#include <array>

#include "elements/beams/outline_section.h"

namespace symdyn
{
/// Moments of area about the centroid [m⁴]: int xi_1² dA, int xi_2² dA, int xi_1 xi_2 dA.
using AreaMoments = std::array<double, 3>;

/// What a section has from Saint-Venant's functions.
struct SaintVenant
{
  double J;                      ///< [m⁴]
  BeamPoint shear_centre;        ///< from the centroid [m]
  std::array<double, 3> soft{};  ///< shear strain energy V_a V_b soft_ab/(2 G) per length: 11, 22, 12 [1/m²]
};

/// Of triangles whose corners are about the centroid. Torsion: warping w with laplace w = 0, dw/dn = xi_2 n_1 - xi_1 n_2;
///     J = int xi² dA - int |grad w|² dA,   shear centre s: int (w - s_2 xi_1 + s_1 xi_2) xi_a dA = 0 (Trefftz 1935)
/// Shear by a unit force along axis a, nu = 0: laplace p_a = -xi·I^-1 e_a, dp_a/dn = 0;   soft_ab = int grad p_a·grad p_b dA
/// Quadratic triangles, refined evenly; three meshes give the order of convergence, by which the values are extrapolated (Aitken 1926).
SaintVenant saint_venant(const OutlineTriangles &section, const AreaMoments &I);
}  // namespace symdyn
