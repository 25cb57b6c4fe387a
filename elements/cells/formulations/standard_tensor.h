#pragma once
#include "elements/cells/formulation.h"

namespace symdyn
{
/// Quadrilaterals and hexahedra: Lagrange elements of degree 1 to 4 with Gauss points p + 1, masses lumped at Gauss-Lobatto points. Its
/// kernels take the points of the mass to be those of the stiffness.
template <int dim>
class StandardTensor : public Formulation<dim>
{
public:
  using Shape = typename Formulation<dim>::Shape;

  bool serves(const Shape &cell) const override { return cell.is_hyper_cube(); }
  std::pair<int, int> degrees() const override { return {1, 4}; }
  std::string cells() const override { return "quadrilaterals and hexahedra"; }
  std::unique_ptr<dealii::FiniteElement<dim>> element(const Shape &cell, int degree) const override;
  dealii::Quadrature<dim> stiffness_points(const Shape &cell, int degree) const override;
  dealii::Quadrature<dim> mass_points(const Shape &cell, int degree, bool curved) const override;
  dealii::Quadrature<dim> fine_points(int points) const override;
  std::vector<dealii::Point<dim>> table_points(unsigned int count) const override;
  int degree_of_products(int degree) const override { return (dim + 1) * degree; }
  std::unique_ptr<CellKernels<dim>> kernels(const ElementFamily<dim> &family) const override;
  void lump(const ElementFamily<dim> &family, const CellKernels<dim> &kernels, const Wide *X, double density, Wide *m) const override;
  std::optional<LockingAdvice> locks(int degree) const override;
  CellForecast forecast(int degree, int refinements) const override;
  VtkCell<dim> vtk_cell(const dealii::FiniteElement<dim> &fe) const override;
};
}  // namespace symdyn
