#pragma once
#include <deal.II/base/quadrature.h>
#include <deal.II/fe/fe.h>
#include <deal.II/fe/mapping.h>

#include <memory>
#include <string>
#include <vector>

#include "elements/cells/formulation.h"

namespace symdyn
{
/// Shape functions of a cell type at quadrature points: the tables that every kernel reads.
/// Flat arrays, last index fastest: shape[q][a], gradient[q][a][d] (with respect to reference coordinates),
/// vertex_shape[q][v], vertex_gradient[q][v][d] (of the geometry: with straight edges, or of all nodes where it is curved), weight[q].
template <int dim>
struct ReferenceElement
{
  ReferenceElement() = default;
  ReferenceElement(const dealii::FiniteElement<dim> &fe, const dealii::Quadrature<dim> &quadrature, bool curved = false);

  int nodes = 0, vertices = 0, points = 0;
  std::vector<double> weight, shape, gradient, vertex_shape, vertex_gradient;
};

/// The mapping of cells with straight edges, as deal.II wants it.
template <int dim>
std::shared_ptr<const dealii::Mapping<dim>> straight_mapping(const dealii::ReferenceCell &cell);

/// What belongs to a cell shape, a polynomial degree p and a formulation.
template <int dim>
struct ElementFamily
{
  /// `formulation` as a deck names it. `curved`: the geometry has the nodes and functions of the element (isoparametric).
  /// Errors: InputError if the degree is not supported (hexahedra and quadrilaterals 1-4, other cells 1-2), or not with this formulation.
  ElementFamily(const dealii::ReferenceCell &cell, int degree, const std::string &formulation = "standard", bool curved = false);

  std::shared_ptr<const Formulation<dim>> formulation;
  std::unique_ptr<dealii::FiniteElement<dim>> fe;  ///< scalar, Lagrange
  dealii::Quadrature<dim> stiffness_points, mass_points, load_points;
  std::vector<dealii::Quadrature<dim - 1>> face_points;  ///< of each face
  ReferenceElement<dim> stiffness, mass;
  bool curved;
};

/// The kernels that its formulation has for a family.
template <int dim>
std::unique_ptr<CellKernels<dim>> make_kernels_of(const ElementFamily<dim> &family)
{
  return family.formulation->kernels(family);
}
}  // namespace symdyn
