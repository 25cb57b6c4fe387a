#pragma once
#include <vector>

#include "elements/cells/formulations/mode_inertia.h"
#include "elements/space/discretisation.h"

namespace symdyn
{
/// Lumped masses of the nodes of a batch of cells [kg] (Formulation::lump).
template <int dim>
std::vector<Wide> lumped_masses(const CellRegion<dim> &region, const std::size_t batch, const double density)
{
  std::vector<Wide> lumped(region.n_nodes(), Wide(0.));
  region.family.formulation->lump(region.family, *region.kernels, region.batch_vertices(batch), density, lumped.data());
  return lumped;
}

/// Whether incompatible modes move mass in the cells of a region.
template <int dim>
const ModeInertia *inertia_of_modes(const CellRegion<dim> &region)
{
  return dynamic_cast<const ModeInertia *>(region.kernels.get());
}

/// p += (the terms of the mass matrix with incompatible modes) v, of a batch of cells [kg m/s].
template <int dim>
void add_mass_of_modes(const CellRegion<dim> &region, const std::size_t batch, const Material &material, const double density,
                       const std::vector<Wide> &v, std::vector<Wide> &p)
{
  const ModeInertia *modes = inertia_of_modes(region);
  if (!modes)
    return;
  const int nodes = region.n_nodes();
  std::vector<Wide> M(nodes * nodes * dim * dim);
  modes->mode_mass(region.batch_vertices(batch), material, density, M.data());
  const Wide *block = M.data();
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b)
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
          p[a * dim + i] += *block++ * v[b * dim + k];
}
}  // namespace symdyn
