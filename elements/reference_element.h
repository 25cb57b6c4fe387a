#pragma once
#include <deal.II/base/quadrature.h>
#include <deal.II/fe/fe.h>

#include <memory>
#include <vector>

namespace symdyn
{
/// Shape functions of a cell type at quadrature points: the tables that every kernel reads.
/// Flat arrays, last index fastest: shape[q][a], gradient[q][a][d] (with respect to reference coordinates),
/// vertex_shape[q][v], vertex_gradient[q][v][d] (of the straight-edged geometry), weight[q].
template <int dim>
struct ReferenceElement
{
  ReferenceElement() = default;
  ReferenceElement(const dealii::FiniteElement<dim> &fe, const dealii::Quadrature<dim> &quadrature);

  int nodes = 0, vertices = 0, points = 0;
  std::vector<double> weight, shape, gradient, vertex_shape, vertex_gradient;
};

/// What belongs to a cell shape and a polynomial degree p.
template <int dim>
struct ElementFamily
{
  /// Errors: InputError if the degree is not supported (hexahedra and quadrilaterals 1-4, tetrahedra and triangles 1-2).
  ElementFamily(const dealii::ReferenceCell &cell, int degree);

  std::unique_ptr<dealii::FiniteElement<dim>> fe;        ///< scalar, Lagrange
  dealii::Quadrature<dim> stiffness_points, mass_points;  ///< Gauss p+1; on simplices Witherden and Vincent (2015)
  dealii::Quadrature<dim - 1> face_points;
  ReferenceElement<dim> stiffness, mass;
  bool simplex;
};
}  // namespace symdyn
