#include "solver/integrator.h"

namespace symdyn
{
void Integrator::start(const MechanicalSystem &system, State &state, double) const
{
  Vector r = system.new_vector(), f = system.new_vector(), a = system.new_vector();
  state.a = 0.;
  system.impose(state.t, state.q, state.v, state.a);
  system.applied_force(state.t, state.q, state.v, r);
  system.internal_force(state.q, f);
  r -= f;
  system.damping_force(state.q, state.v, f);
  r -= f;
  system.mass(state.a, f);  // prescribed accelerations drag the free ones along when M is not diagonal
  r -= f;
  system.mass_solve(r, a);
  state.a += a;
  state.a.update_ghost_values();
}
}  // namespace symdyn
