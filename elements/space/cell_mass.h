#pragma once
#include <vector>

#include "elements/cells/formulations/mode_inertia.h"
#include "elements/space/discretisation.h"

namespace symdyn
{
/// Lumped masses of the nodes of a batch of cells [kg]: row sums for Q1 and P1; with the nodes as quadrature points
/// (Gauss-Lobatto) for Qk; elsewhere the diagonal scaled to the mass of the cell (Hinton, Rock, Zienkiewicz 1976).
template <int dim>
std::vector<Wide> lumped_masses(const Discretisation<dim> &mesh, const std::size_t batch, const double density)
{
  const int nodes = mesh.family.stiffness.nodes;
  const bool serendipity = is_serendipity(mesh.family.formulation),
             scaled = serendipity || (!mesh.family.tensor && mesh.family.fe->degree > 1);
  const bool lobatto = mesh.family.tensor && mesh.family.fe->degree > 1 && !serendipity;
  std::vector<Wide> m(nodes * (nodes + 1) / 2), lumped(nodes, Wide(0.));
  mesh.kernels->mass(mesh.batch_vertices(batch), density, m.data());
  Wide total = 0., diagonal = 0.;
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b)
    {
      lumped[a] += m[pair_index(a, b)];
      total += m[pair_index(a, b)];
    }
  for (int a = 0; a < nodes; ++a)
    diagonal += m[pair_index(a, a)];
  for (int a = 0; a < nodes && scaled; ++a)
    lumped[a] = m[pair_index(a, a)] * total / diagonal;
  if (lobatto)
    mesh.kernels->nodal_mass(mesh.batch_vertices(batch), density, lumped.data());
  return lumped;
}

/// p += (the terms of the mass matrix with incompatible modes) v, of a batch of cells [kg m/s].
template <int dim>
void add_mass_of_modes(const Discretisation<dim> &mesh, const std::size_t batch, const Material &material, const double density,
                       const std::vector<Wide> &v, std::vector<Wide> &p)
{
  const int nodes = mesh.family.stiffness.nodes;
  std::vector<Wide> M(nodes * nodes * dim * dim);
  dynamic_cast<const ModeInertia &>(*mesh.kernels).mode_mass(mesh.batch_vertices(batch), material, density, M.data());
  const Wide *block = M.data();
  for (int a = 0; a < nodes; ++a)
    for (int b = 0; b < nodes; ++b)
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
          p[a * dim + i] += *block++ * v[b * dim + k];
}
}  // namespace symdyn
