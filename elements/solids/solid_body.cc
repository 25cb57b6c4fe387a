#include "elements/solids/solid_body.h"

#include <algorithm>

#include "elements/space/cell_mass.h"
#include "solver/base/timer.h"
#include "solver/error.h"

namespace symdyn
{
template <int dim>
SolidBody<dim>::SolidBody(Parts given)
    : parts(std::move(given)),
      term(std::make_shared<SolidTerm<dim>>(parts.mesh, parts.materials, parts.damping, parts.temperature, *parts.actions))
{
  const auto density = [this](const unsigned int id) { return parts.materials.at(id).density; };
  parts.supports->prepare(parts.held ? parts.held : supported_nodes(mesh()));
  for (const LoadInUse &use : parts.loads)
    try
    {
      dynamic_cast<Load<dim> &>(*use.load).prepare(mesh(), density);
    }
    catch (const InputError &error)
    {
      throw InputError(use.where + ": " + error.what());
    }
  if (parts.mass_type == MassType::consistent)
    block_pattern = std::make_shared<BlockPattern>(make_pattern(mesh()));
  mass_matrix = std::make_shared<MassMatrix<dim>>(mesh(), parts.mass_type, density, block_pattern.get(), mode_mass());
}

/// Of small motions: where the body may turn M must be the same for each component.
template <int dim>
typename MassMatrix<dim>::ModeMass SolidBody<dim>::mode_mass() const
{
  const bool has_modes = std::any_of(mesh().regions.begin(), mesh().regions.end(), inertia_of_modes<dim>);
  if (!has_modes || parts.mass_type != MassType::consistent ||
      term->any_material([](const MaterialInUse &use) { return !use.law->small_strain(); }))
    return {};
  return [this](const CellRegion<dim> &region, const std::size_t batch, Wide *M) {
    const MaterialInUse &use = parts.materials.at(region.batches[batch].material);
    inertia_of_modes(region)->mode_mass(region.batch_vertices(batch), *use.law, use.density, M);
  };
}

template <int dim>
void SolidBody<dim>::strain_force(const State &state, Vector &f) const
{
  const ScopedTimer timer("force");
  state.q.update_ghost_values();
  f.zero_out_ghost_values();
  f = 0.;
  term->add_force({0., &state.q, nullptr, nullptr, Part::all, SolidHistory<dim>::of(state)}, f);
  f.compress(dealii::VectorOperation::add);
}

template <int dim>
void SolidBody<dim>::strain_stiffness(const State &about, const Vector &u, Vector &Ku) const
{
  about.q.update_ghost_values();
  u.update_ghost_values();
  Ku.zero_out_ghost_values();
  Ku = 0.;
  term->add_product({0., &about.q, nullptr, nullptr, Part::all, SolidHistory<dim>::of(about)}, K, u, Ku);
  Ku.compress(dealii::VectorOperation::add);
}

template <int dim>
Vector SolidBody<dim>::gravity() const
{
  Vector sum;
  for (const LoadInUse &use : parts.loads)
    if (use.load->is_potential())
    {
      if (sum.size() == 0)
        sum = new_vector();
      use.load->add_force(0., sum, 1., sum);
    }
  if (sum.size() > 0)
    sum.compress(dealii::VectorOperation::add);
  return sum;
}

template class SolidBody<2>;
template class SolidBody<3>;
}  // namespace symdyn
