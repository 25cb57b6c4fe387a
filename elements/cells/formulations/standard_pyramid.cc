#include <deal.II/base/quadrature_lib.h>

#include "elements/cells/curved_kernels.h"
#include "elements/cells/formulations/pyramid_element.h"
#include "solver/error.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Gauss's rules of the square, shrunk towards the apex: r = a (1 - t), s = b (1 - t), exact where a polynomial of a, b and t has the
/// degree 2 `across` - 1 in a and b and 2 `along` - 3 in t.
dealii::Quadrature<3> conical(const int across, const int along)
{
  const dealii::QGauss<2> square(across);
  const dealii::QGauss<1> line(along);
  std::vector<dealii::Point<3>> points;
  std::vector<double> weights;
  for (unsigned int k = 0; k < line.size(); ++k)
    for (unsigned int j = 0; j < square.size(); ++j)
    {
      const double t = line.point(k)[0], shrunk = 1. - t, side = 2. * shrunk;  // of the square -1 < a, b < 1
      points.emplace_back((2. * square.point(j)[0] - 1.) * shrunk, (2. * square.point(j)[1] - 1.) * shrunk, t);
      weights.push_back(line.weight(k) * square.weight(j) * side * side);
    }
  return {points, weights};
}

/// Pyramids of 5 nodes, between hexahedra and tetrahedra. With 2 x 2 x 3 points the divergence of a constant stress is exact (patch test);
/// with 3 x 3 x 4 the mass is.
class StandardPyramid : public Formulation<3>
{
public:
  bool serves(const Shape &cell) const override { return cell == dealii::ReferenceCells::Pyramid; }
  std::pair<int, int> degrees() const override { return {1, 1}; }
  std::string cells() const override { return "pyramids"; }
  std::unique_ptr<dealii::FiniteElement<3>> element(const Shape &, int) const override { return std::make_unique<PyramidElement>(); }
  dealii::Quadrature<3> stiffness_points(const Shape &, int) const override { return conical(2, 3); }
  dealii::Quadrature<3> mass_points(const Shape &, int, bool) const override { return conical(3, 4); }
  dealii::Quadrature<3> fine_points(const int points) const override { return conical(points, points + 1); }
  /// CalculiX has no pyramids: the barycenter.
  std::vector<dealii::Point<3>> table_points(unsigned int) const override { return {dealii::Point<3>(0., 0., 0.25)}; }
  int degree_of_products(const int degree) const override { return 4 * degree; }
  std::unique_ptr<CellKernels<3>> kernels(const ElementFamily<3> &family) const override { return make_curved_kernels<3>(family, nullptr); }
  std::optional<LockingAdvice> locks(int) const override { return LockingAdvice{}; }
  CellForecast forecast(int, const int refinements) const override
  {
    CellForecast cell;
    cell.nodes = cell.vertices = 5.;
    cell.row_length = 21.;
    cell.bytes = refinements == 0 ? 0. : 600.;
    cell.coarse_bytes = 1800.;
    cell.nodes_of_body = [](const double cells) { return 0.4 * cells; };  // six of a cube, with a node in its middle
    return cell;
  }
  /// VTK_PYRAMID
  VtkCell<3> vtk_cell(const dealii::FiniteElement<3> &fe) const override
  {
    VtkCell<3> cell{14, {}};
    for (const unsigned int node : {0u, 1u, 3u, 2u, 4u})
      cell.points.push_back(fe.get_unit_support_points()[node]);
    return cell;
  }
  bool library_inverts() const override { return false; }
};

SYMDYN_REGISTER(Formulation<3>, StandardPyramid, "standard/pyramids");
}  // namespace
}  // namespace symdyn
