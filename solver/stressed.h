#pragma once
#include "solver/copied_system.h"

namespace symdyn
{
/// A system whose elements can be given stresses, for buckling.
class BearsStress
{
public:
  virtual ~BearsStress() = default;
  /// The system, which must outlive it, about a state, with `factor` times the stresses sigma_1 that a small displacement u from there
  /// gives, linear in u: V + factor sigma_1·eps. Its V'' at the state is V'' + factor Kσ, with
  ///     Kσ w = ∫ S_1 : sym(∇wᵀ∇) of solids, sum sigma_1i B_i(w) of beams and shells, N_1/L (1 - e eᵀ) of bars and springs.
  /// Laws are frozen, and springs of small displacements have none. Collective.
  virtual CopiedSystem stressed(const State &about, const Vector &u, double factor) const = 0;
};
}  // namespace symdyn
