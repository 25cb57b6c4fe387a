#include "solver/vibration/support_damping.h"

namespace symdyn
{
Vector modal_damping_force(const MechanicalSystem &system, const Modes &modes, const ModalDamping &damping, const Vector &velocity)
{
  Vector f = system.new_vector();
  if (damping.on_relative_motion() || velocity.l2_norm() == 0.)
    return f;
  Vector momentum = f;
  system.mass(velocity, momentum);
  if (!damping.on_absolute_motion())
  {
    f.add(damping.of_rigid(), momentum);
    return f;
  }
  const std::vector<double> shares = modes.project(momentum), given = damping.of(modes);
  for (std::size_t i = 0; i < modes.size(); ++i)
    f.add(shares[i] * (modes.omega(i) > 0. ? 2. * given[i] * modes.omega(i) : damping.of_rigid()), modes.momenta[i]);
  return f;
}
}  // namespace symdyn
