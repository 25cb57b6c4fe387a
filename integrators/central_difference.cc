#include "integrators/newmark.h"
#include "solver/registry.h"

namespace symdyn
{
/// Newmark's scheme with beta = 0, gamma = 1/2 (Newmark 1959; Hughes 1987, 9.1.1): the central differences of q at the nodes,
///     M (q2 - 2 q1 + q0)/h² = f(t1) - C v1 - f_int(q1),   v1 = (q2 - q0)/(2h)
/// with v at the same time as q. Explicit: the mass must be lumped and C diagonal. Symplectic in (q, M v), reversible, keeps the
/// momenta; stable iff h omega < 2. Errors: InputError (check).
class CentralDifference : public NewmarkPreset
{
public:
  CentralDifference() : NewmarkPreset(0.) {}
  void check(const MechanicalSystem &system, const Parameters &p) const override { require_explicit(system, p, "", "central-difference"); }
};

SYMDYN_REGISTER(Integrator, CentralDifference, "central-difference");
}  // namespace symdyn
