#pragma once
#include <deal.II/base/quadrature.h>
#include <deal.II/fe/fe.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "materials/material.h"

namespace symdyn
{
template <int dim>
struct ElementFamily;
template <int dim>
class CellKernels;

/// What a forecast of memory needs of cells, before there is a mesh.
struct CellForecast
{
  double nodes = 0, vertices = 0;                     ///< of a cell
  double row_length = 0;                              ///< mean number of nodes that a node has cells in common with, itself too
  double bytes = 0;                                   ///< of deal.II's cell; measured
  double coarse_bytes = 0;                            ///< of a coarse cell, which every rank has; measured
  bool keeps_places = false;                          ///< kernels keep the places of all nodes, whether cells are curved or not
  std::function<double(double cells)> nodes_of_body;  ///< compact and of so many cells
};

/// A cell as VTK draws it: its type (vtkCellType.h), and the points of the reference cell at which VTK wants values, in its order.
template <int dim>
struct VtkCell
{
  std::uint8_t type;
  std::vector<dealii::Point<dim>> points;
};

/// Entries of a deck that are softer, as beginnings of a sentence, where cells lock.
struct LockingAdvice
{
  std::string in_volume, in_bending;
};

/// What the energy of a cell is, for cells of some shapes: a finite element, points, kernels (docs/elements.md). Registered as NAME or
/// NAME/SHAPES, where a deck says Element = NAME. A new one derives from that of its shape in elements/cells/formulations/ and overrides
/// what it does in another way: one new file.
template <int dim>
class Formulation
{
public:
  using Shape = dealii::ReferenceCell;
  virtual ~Formulation() = default;

  virtual bool serves(const Shape &cell) const = 0;
  /// The least and the highest polynomial degree.
  virtual std::pair<int, int> degrees() const = 0;
  /// For messages: which cells it serves, in the plural.
  virtual std::string cells() const = 0;
  /// For the manual, behind its name; empty: the name says it.
  virtual std::string help() const { return ""; }

  /// Scalar, Lagrange; the first nodes are the vertices.
  virtual std::unique_ptr<dealii::FiniteElement<dim>> element(const Shape &cell, int degree) const = 0;
  virtual dealii::Quadrature<dim> stiffness_points(const Shape &cell, int degree) const = 0;
  /// `curved`: of isoparametric cells, whose Jacobian is a polynomial too.
  virtual dealii::Quadrature<dim> mass_points(const Shape &cell, int degree, bool curved) const = 0;
  /// Where loads of the volume are integrated.
  virtual dealii::Quadrature<dim> load_points(const Shape &cell, int degree) const { return mass_points(cell, degree, false); }
  virtual dealii::Quadrature<dim - 1> face_points(const Shape &face, int degree) const;
  /// For integrals of given functions: so many points in a direction.
  virtual dealii::Quadrature<dim> fine_points(int points) const = 0;
  /// Points of integration of CalculiX's element, in its order, in deal.II's unit cell; of plane elements those of one layer. `count`: of
  /// the whole element, as its tables have them.
  virtual std::vector<dealii::Point<dim>> table_points(unsigned int count) const = 0;
  /// Of the products of two functions of the element and the Jacobian, over all directions.
  virtual int degree_of_products(int degree) const = 0;

  virtual std::unique_ptr<CellKernels<dim>> kernels(const ElementFamily<dim> &family) const = 0;
  /// m[a] = masses of the nodes of the `lanes` cells with vertices X, diagonal [kg]. Here: row sums of the consistent mass.
  virtual void lump(const ElementFamily<dim> &family, const CellKernels<dim> &kernels, const Wide *X, double density, Wide *m) const;
  /// Whether the energy is one of the cell as a whole, and no sum of psi(C) over points.
  virtual bool is_of_the_cell() const { return false; }
  /// Why a law cannot be used with it; empty: it can.
  virtual std::string refusal(const Material & /*law*/) const { return ""; }
  /// Nothing: cells of this degree do not lock.
  virtual std::optional<LockingAdvice> locks(int /*degree*/) const { return {}; }

  virtual CellForecast forecast(int degree, int refinements) const = 0;
  virtual VtkCell<dim> vtk_cell(const dealii::FiniteElement<dim> &fe) const = 0;
  /// Whether deal.II 9.4 inverts its mapping, point by point.
  virtual bool library_inverts() const { return true; }
};

/// As a deck names them, in alphabetical order.
template <int dim>
std::vector<std::string> formulation_names();
/// Of all names, for the manual.
template <int dim>
std::string help_of_formulations();
/// Whether one of this name is for cells of this shape.
template <int dim>
bool has_formulation(const std::string &name, const dealii::ReferenceCell &cell);
/// One of this name for cells of this shape, of any degree; null: there is none.
template <int dim>
std::shared_ptr<const Formulation<dim>> any_formulation(const std::string &name, const dealii::ReferenceCell &cell);
/// Errors: InputError if cells of this shape and degree do not exist, or not with this name.
template <int dim>
std::shared_ptr<const Formulation<dim>> find_formulation(const std::string &name, const dealii::ReferenceCell &cell, int degree);

/// Diagonal of the consistent mass scaled to the mass of the cell (Hinton, Rock, Zienkiewicz 1976): `Formulation::lump` of elements whose
/// row sums are not positive.
template <int dim>
void scale_diagonal(const ElementFamily<dim> &family, const CellKernels<dim> &kernels, const Wide *X, double density, Wide *m);
}  // namespace symdyn
