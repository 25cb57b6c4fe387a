#include "solver/vibration/modal_transient.h"

#include "solver/vibration/support_damping.h"

// Supports that move while modes vibrate about what they carry along.
namespace symdyn
{
ModalTransient::QuasiStaticMotion ModalTransient::quasi_static_motion(const MechanicalSystem &system, const double t) const
{
  Vector u = q0, v = system.new_vector(), a = v;
  system.impose(t, u, v, a);
  u -= q0;
  QuasiStaticMotion quasi_static{supports->of(u), supports->of(v), supports->of(a), {}, {}};
  quasi_static.rate = of_inertia(system, quasi_static.v);
  quasi_static.inertia = of_inertia(system, quasi_static.a);
  return quasi_static;
}

ModalTransient::SupportStep ModalTransient::support_step(const MechanicalSystem &system, const State &state, const double h) const
{
  SupportStep step_of_supports{quasi_static_motion(system, state.t), quasi_static_motion(system, state.t + h), {}, {}};
  step_of_supports.start.v = state.memory.at(carried_rate);  // at a corner of a table the time does not say which one
  step_of_supports.start.rate = of_inertia(system, step_of_supports.start.v);
  Vector mean = step_of_supports.end.u;
  mean -= step_of_supports.start.u;
  mean *= 1. / h;
  mean.update_ghost_values();
  step_of_supports.rate = of_inertia(system, mean);
  step_of_supports.drag = drag_of(system, mean);
  return step_of_supports;
}

std::vector<double> ModalTransient::of_inertia(const MechanicalSystem &system, const Vector &x) const
{
  Vector momentum = system.new_vector();
  system.mass(x, momentum);
  return modes.project(momentum);
}

std::vector<double> ModalTransient::drag_of(const MechanicalSystem &system, const Vector &rate) const
{
  Vector f = system.new_vector();
  if (system.has(Feature::damping))
    system.damping_force(q0, rate, f);
  f += modal_damping_force(system, modes, damping, rate);
  std::vector<double> forces = modes.project(f);
  for (double &force : forces)
    force = -force;
  return forces;
}

void ModalTransient::add(const QuasiStaticMotion &quasi_static, State &state)
{
  state.q += quasi_static.u;
  state.v += quasi_static.v;
  state.a += quasi_static.a;
  for (Vector *x : {&state.q, &state.v, &state.a})
    x->update_ghost_values();
  state.memory[carried_rate] = quasi_static.v;
}
}  // namespace symdyn
