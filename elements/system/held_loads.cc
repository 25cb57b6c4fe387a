#include "elements/system/held_loads.h"

#include <fmt/format.h>

#include "elements/space/load_reach.h"
#include "solver/base/log.h"

namespace symdyn
{
template <int dim>
void HeldLoads<dim>::check(const SolidBody<dim> &system)
{
  const auto &loads = system.all_parts().loads;
  if (held.empty())
    held.assign(loads.size(), !system.supports().all().empty());
  constexpr double rounding = 1e-10;  // of normals of a plane
  for (std::size_t i = 0; i < loads.size(); ++i)
  {
    if (!held[i])
      continue;
    Vector r = system.new_vector();
    if (const auto *reach = dynamic_cast<const LoadReach<dim> *>(loads[i].load.get()))
      reach->add_reach(r);
    r.compress(dealii::VectorOperation::add);
    const double whole = r.linfty_norm();
    system.supports().project(r);
    held[i] = whole > 0. && r.linfty_norm() <= rounding * whole;
  }
}

template <int dim>
void HeldLoads<dim>::warn(const SolidBody<dim> &system) const
{
  const auto &loads = system.all_parts().loads;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i])
      log_warning(fmt::format(
          "{}: load '{}' acts only where and along what supports hold: it moves nothing, and reactions balance it. Move the load, or free what it acts on",
          loads[i].where, loads[i].name));
}

template class HeldLoads<2>;
template class HeldLoads<3>;
}  // namespace symdyn
