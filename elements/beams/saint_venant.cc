#include "elements/beams/saint_venant.h"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparse_direct.h>
#include <deal.II/lac/sparse_matrix.h>

#include <cmath>

namespace symdyn
{
namespace
{
/// J; int w xi_1 dA, int w xi_2 dA; soft.
using Integrals = std::array<double, 6>;

/// int grad u·grad v dA on quadratic triangles, where the first unknown is held at 0.
class NeumannProblem
{
public:
  NeumannProblem(const dealii::Triangulation<2> &mesh, const AreaMoments &I) : I(I), dofs(mesh)
  {
    dofs.distribute_dofs(element);
    dealii::DynamicSparsityPattern joined(dofs.n_dofs());
    dealii::DoFTools::make_sparsity_pattern(dofs, joined);
    pattern.copy_from(joined);
    matrix.reinit(pattern);
    for (auto *vector : {&twist, &bend[0], &bend[1], &first[0], &first[1]})
      vector->reinit(dofs.n_dofs());
    assemble();
  }

  Integrals solve()
  {
    std::array<dealii::Vector<double>, 3> found{twist, bend[0], bend[1]};
    for (dealii::types::global_dof_index i = 0; i < dofs.n_dofs(); ++i)
      if (matrix.get_sparsity_pattern().exists(0, i))
        matrix.set(0, i, i == 0 ? 1. : 0.);
    dealii::SparseDirectUMFPACK factor;
    factor.initialize(matrix);
    for (auto &one : found)
    {
      one(0) = 0.;
      factor.solve(one);
    }
    const auto &[w, p1, p2] = found;
    return {I[0] + I[1] - twist * w, first[0] * w, first[1] * w, bend[0] * p1, bend[1] * p2, bend[0] * p2};
  }

private:
  void assemble();

  AreaMoments I;
  const dealii::FE_SimplexP<2> element{2};
  dealii::DoFHandler<2> dofs;
  dealii::SparsityPattern pattern;
  dealii::SparseMatrix<double> matrix;
  dealii::Vector<double> twist;                       ///< of w: int (xi_2 v,1 - xi_1 v,2) dA
  std::array<dealii::Vector<double>, 2> bend, first;  ///< of p_a: int xi·I^-1 e_a v dA; int xi_a v dA
};

void NeumannProblem::assemble()
{
  const dealii::MappingFE<2> mapping(dealii::FE_SimplexP<2>(1));
  const dealii::QGaussSimplex<2> points(3);
  dealii::FEValues<2> at(mapping, element, points,
                         dealii::update_values | dealii::update_gradients | dealii::update_quadrature_points | dealii::update_JxW_values);
  const double determinant = I[0] * I[1] - I[2] * I[2];
  std::vector<dealii::types::global_dof_index> rows(element.n_dofs_per_cell());
  for (const auto &cell : dofs.active_cell_iterators())
  {
    at.reinit(cell);
    cell->get_dof_indices(rows);
    for (unsigned int point = 0; point < points.size(); ++point)
    {
      const auto &x = at.quadrature_point(point);
      const double dA = at.JxW(point);
      const std::array<double, 2> g{(I[1] * x[0] - I[2] * x[1]) / determinant, (I[0] * x[1] - I[2] * x[0]) / determinant};
      for (unsigned int i = 0; i < rows.size(); ++i)
      {
        const auto &slope = at.shape_grad(i, point);
        twist(rows[i]) += (x[1] * slope[0] - x[0] * slope[1]) * dA;
        for (int a = 0; a < 2; ++a)
        {
          bend[a](rows[i]) += g[a] * at.shape_value(i, point) * dA;
          first[a](rows[i]) += x[a] * at.shape_value(i, point) * dA;
        }
        for (unsigned int j = 0; j < rows.size(); ++j)
          matrix.add(rows[i], rows[j], slope * at.shape_grad(j, point) * dA);
      }
    }
  }
}

/// The limit of a sequence that converges as a power of h; the last value where it has no order any more.
double limit(const double first, const double second, const double third)
{
  constexpr double slowest = 0.9, rounding = 1e-11;
  const double before = second - first, last = third - second;
  return std::abs(last) > rounding * std::abs(third) && last / before > 0. && last / before < slowest
             ? third + last * last / (before - last)
             : third;
}

void make_mesh(const OutlineTriangles &section, dealii::Triangulation<2> &mesh)
{
  std::vector<dealii::Point<2>> corners;
  for (const auto &[x, y] : section.corners)
    corners.emplace_back(x, y);
  std::vector<dealii::CellData<2>> cells;
  for (const auto &triangle : section.triangles)
  {
    cells.emplace_back(3);
    cells.back().vertices.assign(triangle.begin(), triangle.end());
  }
  mesh.create_triangulation(corners, cells, {});
}
}  // namespace

SaintVenant saint_venant(const OutlineTriangles &section, const AreaMoments &I)
{
  constexpr unsigned int enough = 500, meshes = 3;  // cells of the first mesh
  dealii::Triangulation<2> mesh;
  make_mesh(section, mesh);
  while (mesh.n_active_cells() < enough)
    mesh.refine_global();
  std::array<Integrals, meshes> found{};
  for (unsigned int i = 0; i < meshes; ++i)
  {
    if (i > 0)
      mesh.refine_global();
    found[i] = NeumannProblem(mesh, I).solve();
  }
  Integrals all{};
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k] = limit(found[0][k], found[1][k], found[2][k]);
  const auto &[J, w1, w2, soft11, soft22, soft12] = all;
  const double determinant = I[0] * I[1] - I[2] * I[2];
  // w1 - s_2 I_1 + s_1 I_12 = 0, w2 - s_2 I_12 + s_1 I_2 = 0
  return {J, {(I[2] * w1 - I[0] * w2) / determinant, (I[1] * w1 - I[2] * w2) / determinant}, {soft11, soft22, soft12}};
}
}  // namespace symdyn
