#pragma once
#include "elements/cells/formulation.h"

namespace symdyn
{
/// Triangles and tetrahedra of degree 1 and 2, with the points of Witherden and Vincent (2015). Masses are lumped by row sums, and of
/// degree 2, whose row sums are not positive, by the diagonal.
template <int dim>
class StandardSimplex : public Formulation<dim>
{
public:
  using Shape = typename Formulation<dim>::Shape;

  bool serves(const Shape &cell) const override { return cell.is_simplex(); }
  std::pair<int, int> degrees() const override { return {1, 2}; }
  std::string cells() const override { return "triangles and tetrahedra"; }
  std::unique_ptr<dealii::FiniteElement<dim>> element(const Shape &cell, int degree) const override;
  dealii::Quadrature<dim> stiffness_points(const Shape &cell, int degree) const override;
  dealii::Quadrature<dim> mass_points(const Shape &cell, int degree) const override;
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
};
}  // namespace symdyn
