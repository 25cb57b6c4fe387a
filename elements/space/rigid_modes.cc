#include "elements/space/rigid_modes.h"
#include "solver/unknowns.h"

namespace symdyn
{
std::vector<Vector> rigid_modes(const MechanicalSystem &system)
{
  const Vector undeformed = system.new_vector();
  std::vector<Vector> modes(system.unknowns().momenta().size(), undeformed);
  for (std::size_t m = 0; m < modes.size(); ++m)
  {
    system.unknowns().generator(m, undeformed, modes[m]);
    system.project(modes[m]);
  }
  orthonormalise(modes);
  return modes;
}

void orthonormalise(std::vector<Vector> &modes)
{
  for (std::size_t m = 0; m < modes.size(); ++m)
  {
    for (int twice = 0; twice < 2; ++twice)
      for (std::size_t k = 0; k < m; ++k)
        modes[m].add(-(modes[k] * modes[m]), modes[k]);
    const double norm = modes[m].l2_norm();
    modes[m] *= norm > 1e-10 ? 1. / norm : 0.;
  }
}
}  // namespace symdyn
