#include "solver/vibration/modal_transient.h"

#include "solver/vibration/support_damping.h"

// Supports that move while modes vibrate about what they carry along.
namespace symdyn
{
ModalTransient::Carried ModalTransient::carried_at(const MechanicalSystem &system, const double t) const
{
  Vector u = q0, v = system.new_vector(), a = v;
  system.impose(t, u, v, a);
  u -= q0;
  Carried carried{supports->of(u), supports->of(v), supports->of(a), {}, {}};
  carried.rate = of_inertia(system, carried.v);
  carried.inertia = of_inertia(system, carried.a);
  return carried;
}

ModalTransient::Ride ModalTransient::ride_of(const MechanicalSystem &system, const State &state, const double h) const
{
  Ride ride{carried_at(system, state.t), carried_at(system, state.t + h), {}, {}};
  ride.start.v = state.memory.at(carried_rate);  // at a corner of a table the time does not say which one
  ride.start.rate = of_inertia(system, ride.start.v);
  Vector mean = ride.end.u;
  mean -= ride.start.u;
  mean *= 1. / h;
  mean.update_ghost_values();
  ride.rate = of_inertia(system, mean);
  ride.drag = drag_of(system, mean);
  return ride;
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

void ModalTransient::add(const Carried &carried, State &state)
{
  state.q += carried.u;
  state.v += carried.v;
  state.a += carried.a;
  for (Vector *x : {&state.q, &state.v, &state.a})
    x->update_ghost_values();
  state.memory[carried_rate] = carried.v;
}
}  // namespace symdyn
