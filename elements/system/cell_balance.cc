#include "elements/system/cell_balance.h"

#include "elements/cells/formulations/mode_inertia.h"
#include "elements/space/cell_mass.h"

namespace symdyn
{
template <int dim>
CellBalance<dim>::CellBalance(const SolidBody<dim> &system, const CellRegion<dim> &region, const std::size_t batch, const State &state,
                              const bool statics)
    : u(region.n_nodes() * dim),
      f(u.size(), Wide(0.)),
      w(u.size(), Wide(0.)),
      density(system.all_parts().materials.at(region.batches[batch].material).density)
{
  region.gather(batch, state.q, u.data());
  StepLaws<dim> laws = system.cells()->laws(SolidHistory<dim>::of(state));
  const CellsOfLaw<dim> cells = laws.of(region, batch);
  cells.kernels.force(cells.map, u.data(), cells.law, f.data());
  if (statics)
    return;
  std::vector<Wide> v(u.size());
  region.gather(batch, state.v, v.data());
  add_stiffness_damping(system, region, batch, v, laws);
  add_inertia(system, region, batch, state, v);
}

template <int dim>
void CellBalance<dim>::add_stiffness_damping(const SolidBody<dim> &system, const CellRegion<dim> &region, const std::size_t batch,
                                             const std::vector<Wide> &v, StepLaws<dim> &laws)
{
  const Damping &damping = system.all_parts().damping;
  const auto scaled = [&v](const double factor) {
    std::vector<Wide> rate(v);
    for (Wide &x : rate)
      x *= Wide(factor);
    return rate;
  };
  StepLaws<dim> virgin = system.cells()->laws(nullptr);
  if (damping.stiffness != 0.)
  {
    const CellsOfLaw<dim> cells = (damping.current ? laws : virgin).of(region, batch);
    cells.kernels.stiffness(cells.map, damping.current ? u.data() : std::vector<Wide>(u.size(), Wide(0.)).data(),
                            scaled(damping.stiffness).data(), cells.law, f.data());
  }
  if (damping.kelvin_voigt != 0.)
  {
    const CellsOfLaw<dim> cells = virgin.of(region, batch);
    cells.kernels.viscous_force(region.batch_vertices(batch), u.data(), scaled(damping.kelvin_voigt).data(), cells.law, f.data());
  }
}

template <int dim>
void CellBalance<dim>::add_inertia(const SolidBody<dim> &system, const CellRegion<dim> &region, const std::size_t batch, const State &state,
                                   const std::vector<Wide> &v)
{
  const auto &parts = system.all_parts();
  const int nodes = region.n_nodes();
  region.gather(batch, state.a, w.data());
  for (int d = 0; d < dim; ++d)
  {
    const bool relative = parts.base && parts.base->relative();
    const double acceleration = relative ? parts.base->acceleration(d, system.actions().at(state.t)) : 0.,
                 velocity = parts.base && !relative ? parts.base->along(d, state.t).d : 0.;
    for (int a = 0; a < nodes; ++a)
      w[a * dim + d] += Wide(acceleration) + Wide(parts.damping.mass) * (v[a * dim + d] - Wide(velocity));
  }
  if (system.mass_matrix_of_nodes().has_modes())
    add_mass_of_modes(region, batch, system.material(region.batches[batch].material), density, w, f);
  if (!system.mass_matrix_of_nodes().diagonal())
    return region.kernels->mass_product(region.batch_map(batch), w.data(), density, f.data());
  const std::vector<Wide> m = lumped_masses(region, batch, density);
  for (int a = 0; a < nodes; ++a)
    for (int d = 0; d < dim; ++d)
      f[a * dim + d] += m[a] * w[a * dim + d];
}

template class CellBalance<2>;
template class CellBalance<3>;
}  // namespace symdyn
