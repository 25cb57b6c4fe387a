#include <deal.II/base/quadrature_lib.h>

#include <array>
#include <cmath>

#include "elements/cells/curved_kernels.h"
#include "elements/cells/formulations/serendipity.h"
#include "elements/cells/formulations/standard_tensor.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Quadrilaterals of 8 nodes and hexahedra of 20.
template <int dim>
class SerendipityCells : public StandardTensor<dim>
{
public:
  using Shape = typename Formulation<dim>::Shape;

  std::pair<int, int> degrees() const override { return {2, 2}; }
  std::string help() const override { return "8 or 20 nodes, Order = 2, of quadrilaterals and hexahedra"; }
  std::unique_ptr<dealii::FiniteElement<dim>> element(const Shape &cell, int) const override
  {
    return std::make_unique<Serendipity<dim>>(cell);
  }
  std::unique_ptr<CellKernels<dim>> kernels(const ElementFamily<dim> &family) const override
  {
    return make_curved_kernels<dim>(family, nullptr);
  }
  void lump(const ElementFamily<dim> &family, const CellKernels<dim> &kernels, const Wide *X, const double density, Wide *m) const override
  {
    scale_diagonal(family, kernels, X, density, m);
  }
  /// VTK_QUADRATIC_QUAD, VTK_QUADRATIC_HEXAHEDRON: corners, then the middles of the lines around the first face, the last one, between.
  VtkCell<dim> vtk_cell(const dealii::FiniteElement<dim> &) const override
  {
    constexpr double m = 0.5;
    const std::vector<std::array<double, 3>> of_volume{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1},
                                                       {0, 1, 1}, {m, 0, 0}, {1, m, 0}, {m, 1, 0}, {0, m, 0}, {m, 0, 1}, {1, m, 1},
                                                       {m, 1, 1}, {0, m, 1}, {0, 0, m}, {1, 0, m}, {1, 1, m}, {0, 1, m}};
    VtkCell<dim> cell{std::uint8_t(dim == 2 ? 23 : 25), {}};
    for (const std::array<double, 3> &place : of_volume)
    {
      dealii::Point<dim> point;
      for (int d = 0; d < dim; ++d)
        point[d] = place[d];
      if (dim == 3 || place[2] == 0.)
        cell.points.push_back(point);
    }
    return cell;
  }
  CellForecast forecast(const int degree, const int refinements) const override
  {
    CellForecast cell = StandardTensor<dim>::forecast(degree, refinements);
    cell.nodes = dim == 2 ? 8. : 20.;
    cell.row_length = dim == 2 ? 15. : 61.;  // of a vertex and of its lines
    cell.keeps_places = true;
    cell.nodes_of_body = [](const double cells) {  // vertices, and dim lines a vertex
      const double along = std::pow(cells, 1. / dim);
      return std::pow(along + 1., dim) + dim * along * std::pow(along + 1., dim - 1);
    };
    return cell;
  }
};

/// The same with two points a direction, as CalculiX's C3D20R has them for loads of the volume, too.
template <int dim>
class SerendipityReduced : public SerendipityCells<dim>
{
public:
  using Shape = typename Formulation<dim>::Shape;

  std::string help() const override { return "the same with 2 points a direction"; }
  dealii::Quadrature<dim> stiffness_points(const Shape &, const int degree) const override { return dealii::QGauss<dim>(degree); }
  dealii::Quadrature<dim> load_points(const Shape &cell, const int degree) const override { return stiffness_points(cell, degree); }
};

SYMDYN_REGISTER(Formulation<2>, SerendipityCells<2>, "serendipity");
SYMDYN_REGISTER(Formulation<3>, SerendipityCells<3>, "serendipity");
SYMDYN_REGISTER(Formulation<2>, SerendipityReduced<2>, "serendipity-reduced");
SYMDYN_REGISTER(Formulation<3>, SerendipityReduced<3>, "serendipity-reduced");
}  // namespace
}  // namespace symdyn
