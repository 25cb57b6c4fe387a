#pragma once
#include <deal.II/base/quadrature.h>
#include <deal.II/fe/fe.h>

#include <memory>
#include <string>
#include <vector>

namespace symdyn
{
/// What the energy of a cell is (docs/elements.md).
enum class Formulation
{
  standard,
  mean_dilatation,      ///< one volume ratio a cell: nearly incompressible bodies
  incompatible_modes,   ///< bending in one layer of cells
  serendipity,          ///< 8 or 20 nodes
  serendipity_reduced,  ///< the same with 2 points a direction
};
/// As a deck names them, in the order above.
const std::vector<std::string> &formulation_names();
Formulation formulation_of(const std::string &name);
inline bool is_serendipity(const Formulation formulation) { return formulation >= Formulation::serendipity; }

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

/// What belongs to a cell shape and a polynomial degree p.
template <int dim>
struct ElementFamily
{
  /// `curved`: the geometry has the nodes and functions of the element (isoparametric).
  /// Errors: InputError if the degree is not supported (hexahedra and quadrilaterals 1-4, tetrahedra, triangles and wedges 1-2), or not
  /// with this formulation.
  ElementFamily(const dealii::ReferenceCell &cell, int degree, Formulation formulation = Formulation::standard, bool curved = false);

  std::unique_ptr<dealii::FiniteElement<dim>> fe;  ///< scalar, Lagrange
  /// Gauss p+1; on simplices Witherden and Vincent (2015). On wedges those of the triangle times Gauss: 2 and 9 points for the stiffness,
  /// as CalculiX has them.
  dealii::Quadrature<dim> stiffness_points, mass_points;
  std::vector<dealii::Quadrature<dim - 1>> face_points;  ///< of each face
  ReferenceElement<dim> stiffness, mass;
  bool simplex, tensor;  ///< triangles, tetrahedra; quadrilaterals, hexahedra; neither: wedges
  Formulation formulation;
  bool curved;
};
}  // namespace symdyn
