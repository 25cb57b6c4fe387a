#pragma once
#include <deal.II/fe/fe.h>
#include <deal.II/grid/manifold.h>
#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <vector>

namespace symdyn
{
/// Whether edges of cells follow circles, as those of built-in round shapes do (which have one manifold for all cells,
/// other meshes none): elements of degree 2 and more have their nodes on them.
template <int dim>
bool has_arcs(const dealii::Triangulation<dim> &coarse)
{
  return coarse.begin_active()->manifold_id() != dealii::numbers::flat_manifold_id;
}

/// Places of the nodes of an element in a cell whose edges follow a manifold (circles of the built-in round shapes):
///     X(xi) = sum_v N_v X_v + sum_e w_e(xi) (arc_e(s) - chord_e(s))
/// with the (bi-, tri-)linear functions N_v of the vertices, s in [0, 1] along edge e, and w_e the product of the
/// linear functions across it, 1 on e and 0 on the edges parallel to it (Gordon, Hall 1973: transfinite, so that nodes
/// inside follow too and the element keeps its order). On simplices w_e is 1 on the edge and 0 elsewhere, which is the
/// same for degree 2, whose nodes are all on edges.
template <int dim>
std::vector<dealii::Point<dim>> nodes_along_arcs(const dealii::TriaAccessor<dim, dim, dim> &cell, const dealii::FiniteElement<dim> &fe,
                                                 const dealii::Manifold<dim> &manifold);
}  // namespace symdyn
