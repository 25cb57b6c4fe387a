#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_wedge_p.h>

#include "elements/cells/curved_kernels.h"
#include "elements/cells/formulations/serendipity.h"
#include "elements/cells/gauss_line.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
using Triangle = dealii::Quadrature<2>;

/// A rule of the triangle times one of the line.
dealii::Quadrature<3> prism(const Triangle &triangle, const dealii::Quadrature<1> &line)
{
  std::vector<dealii::Point<3>> points;
  std::vector<double> weights;
  for (unsigned int k = 0; k < line.size(); ++k)
    for (unsigned int j = 0; j < triangle.size(); ++j)
    {
      points.emplace_back(triangle.point(j)[0], triangle.point(j)[1], line.point(k)[0]);
      weights.push_back(triangle.weight(j) * line.weight(k));
    }
  return {points, weights};
}

/// Wedges of 6 and 15 nodes. Points are those of the triangle times Gauss: 2 and 9 for the stiffness, as CalculiX has them.
class StandardWedge : public Formulation<3>
{
public:
  bool serves(const Shape &cell) const override { return cell == dealii::ReferenceCells::Wedge; }
  std::pair<int, int> degrees() const override { return {1, 2}; }
  std::string cells() const override { return "wedges"; }
  std::unique_ptr<dealii::FiniteElement<3>> element(const Shape &cell, const int degree) const override
  {
    if (degree == 1)
      return std::make_unique<dealii::FE_WedgeP<3>>(1);
    return std::make_unique<Serendipity<3>>(cell);
  }
  dealii::Quadrature<3> stiffness_points(const Shape &, const int degree) const override
  {
    return prism(small_simplex_rule<2>(degree), dealii::QGauss<1>(degree + 1));
  }
  dealii::Quadrature<3> mass_points(const Shape &, const int degree, bool) const override
  {
    return prism(dealii::QWitherdenVincentSimplex<2>(degree + 1), dealii::QGauss<1>(degree + 1));
  }
  /// Triangles of degree 2 have few points as in CalculiX, exact for the vector of their area.
  Triangle face_points(const Shape &face, const int degree) const override
  {
    return face.is_simplex() && degree == 2 ? small_simplex_rule<2>(degree) : Formulation<3>::face_points(face, degree);
  }
  dealii::Quadrature<3> fine_points(const int points) const override
  {
    const dealii::QWitherdenVincentSimplex<2> triangle(points);
    const dealii::QGauss<1> line(points);
    std::vector<dealii::Point<3>> places;
    std::vector<double> weights;
    for (unsigned int i = 0; i < triangle.size(); ++i)
      for (unsigned int j = 0; j < line.size(); ++j)
      {
        places.emplace_back(triangle.point(i)[0], triangle.point(i)[1], line.point(j)[0]);
        weights.push_back(triangle.weight(i) * line.weight(j));
      }
    return {places, weights};
  }
  std::vector<dealii::Point<3>> table_points(const unsigned int count) const override
  {
    const unsigned int layers = count == 2 ? 2 : 3;
    std::vector<dealii::Point<3>> points;
    for (const double z : gauss_line(layers))
      for (const dealii::Point<2> &x : points_in_simplex<dealii::Point<2>>(2, count / layers <= 2))
        points.emplace_back(x[0], x[1], z);
    return points;
  }
  int degree_of_products(const int degree) const override { return 4 * degree; }
  std::unique_ptr<CellKernels<3>> kernels(const ElementFamily<3> &family) const override { return make_curved_kernels<3>(family, nullptr); }
  void lump(const ElementFamily<3> &family, const CellKernels<3> &kernels, const Wide *X, const double density, Wide *m) const override
  {
    if (family.fe->degree == 1)
      Formulation<3>::lump(family, kernels, X, density, m);
    else
      scale_diagonal(family, kernels, X, density, m);
  }
  std::optional<LockingAdvice> locks(const int degree) const override
  {
    return degree == 1 ? std::optional<LockingAdvice>(LockingAdvice{}) : std::nullopt;
  }
  CellForecast forecast(const int degree, const int refinements) const override
  {
    CellForecast cell;
    cell.nodes = degree == 1 ? 6. : 15.;
    cell.vertices = 6.;
    cell.row_length = degree == 1 ? 21. : 44.;  // six triangles a vertex; of a vertex, its three lines in the plane and the one across
    cell.bytes = refinements == 0 ? 0. : 600.;
    cell.coarse_bytes = 1800.;
    cell.nodes_of_body = [degree](const double cells) {  // two wedges and, of degree 2, four lines a vertex
      return cells * (degree == 1 ? 0.5 : 2.5);
    };
    return cell;
  }
  /// VTK_WEDGE, VTK_QUADRATIC_WEDGE: the normal of the first triangle points out of the cell.
  VtkCell<3> vtk_cell(const dealii::FiniteElement<3> &fe) const override
  {
    const std::vector<unsigned int> order = fe.degree == 1 ? std::vector<unsigned int>{0, 2, 1, 3, 5, 4}
                                                           : std::vector<unsigned int>{0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13};
    VtkCell<3> cell{std::uint8_t(fe.degree == 1 ? 13 : 26), {}};
    for (const unsigned int node : order)
      cell.points.push_back(fe.get_unit_support_points()[node]);
    return cell;
  }
  /// deal.II 9.4 has no second derivatives of them.
  bool library_inverts() const override { return false; }
};

SYMDYN_REGISTER(Formulation<3>, StandardWedge, "standard/wedges");
}  // namespace
}  // namespace symdyn
