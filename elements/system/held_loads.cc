#include "elements/system/held_loads.h"

#include <fmt/format.h>

#include <algorithm>

#include "elements/space/load_reach.h"
#include "solver/base/log.h"
#include "solver/diagnosis.h"

namespace symdyn
{
constexpr double rounding = 1e-10;  // of normals of a plane

template <int dim>
void HeldLoads<dim>::check(const SolidBody<dim> &system)
{
  const auto &loads = system.all_parts().loads;
  if (held.empty())
    held.assign(loads.size(), !system.supports().all().empty());
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

namespace
{
void warn_of_held_load(const LoadInUse &load)
{
  log_warning(fmt::format(
      "{}load '{}' acts only where and along what supports hold: it moves nothing, and reactions balance it. Move the load, or free what it acts on",
      load.where.empty() ? "" : load.where + ": ", load.name));
}
}  // namespace

template <int dim>
void HeldLoads<dim>::warn(const SolidBody<dim> &system) const
{
  const auto &loads = system.all_parts().loads;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i])
      warn_of_held_load(loads[i]);
}

void warn_of_held_loads(const AssembledSystem &system, const State &state)
{
  const auto &loads = system.all_parts().loads;
  Vector f = system.new_vector();
  for (std::size_t i = 0; i < loads.size(); ++i)
  {
    const AppliedLoad *load = loads[i].load.get();
    if (dynamic_cast<const Load<2> *>(load) || dynamic_cast<const Load<3> *>(load))  // HeldLoads, or they act everywhere
      continue;
    double whole = 0, left = 0;
    for (const double later : {0., 0.37, 1.})
    {
      system.diagnosis().load_force(i, state.t + later, state.q, f);
      whole = std::max(whole, f.linfty_norm());
      system.project(f);
      left = std::max(left, f.linfty_norm());
    }
    if (whole > 0. && left <= rounding * whole)
      warn_of_held_load(loads[i]);
  }
  warn_of_bearings(system);
}

template class HeldLoads<2>;
template class HeldLoads<3>;
}  // namespace symdyn
