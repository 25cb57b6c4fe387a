#include "elements/finite_element_system.h"

// The motion of the base of a solid.
namespace symdyn
{
template <int dim>
void FiniteElementSystem<dim>::prepare_base()
{
  for (int d = 0; d < dim; ++d)
  {
    Vector r = new_vector(), pattern = new_vector();
    generator(d, r, r);
    mass(r, pattern);
    if (base_carries())
      pattern *= parts.damping.mass;
    if (parts.base->relative() || parts.damping.mass != 0.)
      base_patterns.push_back(pattern);
    r.zero_out_ghost_values();
    project_prescribed(r);
    if (base_carries())
      base_held.push_back(r);
  }
}

template <int dim>
void FiniteElementSystem<dim>::impose(const double t, Vector &q, Vector &v, Vector &a) const
{
  supports().impose(t, load_factors.motion(), q, v, a);
  if (base_carries())
    parts.base->carry(t, base_held, q, v, a);
}

template void FiniteElementSystem<2>::prepare_base();
template void FiniteElementSystem<3>::prepare_base();
template void FiniteElementSystem<2>::impose(double, Vector &, Vector &, Vector &) const;
template void FiniteElementSystem<3>::impose(double, Vector &, Vector &, Vector &) const;
}  // namespace symdyn
