#pragma once
#include "materials/algebra/wide.h"
#include "materials/material.h"

namespace symdyn
{
/// Kernels of cells with incompatible modes that move mass. The modes alpha = T u follow the elastic equilibrium of the
/// undeformed cell, and
///     v_h = sum_a N_a v_a + sum_m phi_m (T v)_m,   M = ∫ density (N + phi T)ᵀ (N + phi T) dX      (Guyan 1965)
/// T is 0 for every linear field, so that rigid motions and uniform rates of strain keep their kinetic energy. M does
/// not turn with the body: it is the mass of small motions.
class ModeInertia
{
public:
  virtual ~ModeInertia() = default;
  /// M[((a*nodes + b)*dim + i)*dim + k] = the terms with T [kg], of `lanes` cells with vertices X.
  virtual void mode_mass(const Wide *X, const Material &material, double density, Wide *M) const = 0;
};
}  // namespace symdyn
