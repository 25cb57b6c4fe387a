#include "elements/system/cell_balance.h"

#include "elements/cells/formulations/mode_inertia.h"
#include "elements/space/cell_mass.h"

namespace symdyn
{
template <int dim>
CellBalance<dim>::CellBalance(const SolidBody<dim> &system, const std::size_t batch, const State &state, const bool statics)
    : u(system.mesh().family.stiffness.nodes * dim),
      f(u.size(), Wide(0.)),
      w(u.size(), Wide(0.)),
      density(system.all_parts().materials.at(system.mesh().batches[batch].material).density)
{
  const Discretisation<dim> &mesh = system.mesh();
  mesh.gather(batch, state.q, u.data());
  mesh.kernels->force(mesh.batch_map(batch), u.data(), system.material(mesh.batches[batch].material), f.data());
  if (statics)
    return;
  std::vector<Wide> v(u.size());
  mesh.gather(batch, state.v, v.data());
  add_stiffness_damping(system, batch, v);
  add_inertia(system, batch, state, v);
}

template <int dim>
void CellBalance<dim>::add_stiffness_damping(const SolidBody<dim> &system, const std::size_t batch, const std::vector<Wide> &v)
{
  const Discretisation<dim> &mesh = system.mesh();
  const Damping &damping = system.all_parts().damping;
  const Material &material = system.material(mesh.batches[batch].material);
  const auto scaled = [&v](const double factor) {
    std::vector<Wide> rate(v);
    for (Wide &x : rate)
      x *= Wide(factor);
    return rate;
  };
  if (damping.stiffness != 0.)
    mesh.kernels->stiffness(mesh.batch_map(batch), damping.current ? u.data() : std::vector<Wide>(u.size(), Wide(0.)).data(),
                            scaled(damping.stiffness).data(), material, f.data());
  if (damping.kelvin_voigt != 0.)
    mesh.kernels->viscous_force(mesh.batch_vertices(batch), u.data(), scaled(damping.kelvin_voigt).data(), material, f.data());
}

template <int dim>
void CellBalance<dim>::add_inertia(const SolidBody<dim> &system, const std::size_t batch, const State &state,
                                   const std::vector<Wide> &v)
{
  const Discretisation<dim> &mesh = system.mesh();
  const auto &parts = system.all_parts();
  const int nodes = mesh.family.stiffness.nodes;
  mesh.gather(batch, state.a, w.data());
  for (int d = 0; d < dim; ++d)
  {
    const bool relative = parts.base && parts.base->relative();
    const double acceleration = relative ? parts.base->acceleration(d, system.actions().at(state.t)) : 0.,
                 velocity = parts.base && !relative ? parts.base->along(d, state.t).d : 0.;
    for (int a = 0; a < nodes; ++a)
      w[a * dim + d] += Wide(acceleration) + Wide(parts.damping.mass) * (v[a * dim + d] - Wide(velocity));
  }
  if (system.mass_matrix_of_nodes().has_modes())
    add_mass_of_modes(mesh, batch, system.material(mesh.batches[batch].material), density, w, f);
  if (!system.mass_matrix_of_nodes().diagonal())
    return mesh.kernels->mass_product(mesh.batch_map(batch), w.data(), density, f.data());
  const std::vector<Wide> m = lumped_masses(mesh, batch, density);
  for (int a = 0; a < nodes; ++a)
    for (int d = 0; d < dim; ++d)
      f[a * dim + d] += m[a] * w[a * dim + d];
}

template class CellBalance<2>;
template class CellBalance<3>;
}  // namespace symdyn
