#pragma once
#include "elements/cells/formulation.h"

namespace symdyn
{
/// Triangles and tetrahedra of degree 1 and 2, with the points of Witherden and Vincent (2015): exact of degree 1 and 3 for the stiffness
/// (triangles of degree 2: 4), so that curved cells pass the patch test; for masses of degree 3 and 5, of curved cells 7. Masses are lumped
/// by row sums, and of degree 2, whose row sums are not positive, by the diagonal.
template <int dim>
class StandardSimplex : public Formulation<dim>
{
public:
  using Shape = typename Formulation<dim>::Shape;

  /// `name`: of the formulation, for its cells with straight edges.
  explicit StandardSimplex(std::string name = "standard") : name(std::move(name)) {}
  bool serves(const Shape &cell) const override { return cell.is_simplex(); }
  std::pair<int, int> degrees() const override { return {1, 2}; }
  std::string cells() const override { return "triangles and tetrahedra"; }
  std::unique_ptr<dealii::FiniteElement<dim>> element(const Shape &cell, int degree) const override;
  dealii::Quadrature<dim> stiffness_points(const Shape &cell, int degree) const override;
  dealii::Quadrature<dim> mass_points(const Shape &cell, int degree, bool curved) const override;
  dealii::Quadrature<dim> fine_points(int points) const override;
  std::vector<dealii::Point<dim>> table_points(unsigned int count) const override;
  int degree_of_products(int degree) const override { return 2 * degree; }
  std::unique_ptr<CellKernels<dim>> kernels(const ElementFamily<dim> &family) const override;
  void lump(const ElementFamily<dim> &family, const CellKernels<dim> &kernels, const Wide *X, double density, Wide *m) const override;
  std::optional<LockingAdvice> locks(const int degree) const override
  {
    return degree == 1 ? std::optional<LockingAdvice>(LockingAdvice{}) : std::nullopt;
  }
  CellForecast forecast(int degree, int refinements) const override;
  VtkCell<dim> vtk_cell(const dealii::FiniteElement<dim> &fe) const override;
  /// Those of degree 2 become quadratic cells by themselves; with the flag deal.II 9.4 writes them wrong.

private:
  std::string name;
};

/// Of degree 2 with dim + 1 points, as C3D10 in CalculiX and Abaqus. They integrate B^T D B of straight cells exactly, so the stiffness of
/// a body at rest has its full rank, dim (dim + 1)/2 rigid motions below the number of unknowns. Curved tetrahedra do not pass the patch
/// test.
template <int dim>
class FewPoints : public StandardSimplex<dim>
{
public:
  using Shape = typename Formulation<dim>::Shape;

  FewPoints() : StandardSimplex<dim>("few-points") {}
  std::pair<int, int> degrees() const override { return {2, 2}; }
  std::string help() const override { return "Order = 2 of tetrahedra and triangles with 4 and 3 points, as C3D10 in CalculiX"; }
  dealii::Quadrature<dim> stiffness_points(const Shape &, int degree) const override;
};
}  // namespace symdyn
