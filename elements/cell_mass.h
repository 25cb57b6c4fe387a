#pragma once
#include <vector>

#include "elements/discretisation.h"

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
  for (int a = 0; a < nodes; ++a) diagonal += m[pair_index(a, a)];
  for (int a = 0; a < nodes && scaled; ++a) lumped[a] = m[pair_index(a, a)] * total / diagonal;
  if (lobatto) mesh.kernels->nodal_mass(mesh.batch_vertices(batch), density, lumped.data());
  return lumped;
}
}  // namespace symdyn
