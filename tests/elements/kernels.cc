// The integrals of one batch of cells: every registered material in every element.
#include <deal.II/base/quadrature_lib.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "elements/cells/simplex_kernels.h"
#include "elements/cells/tensor_kernels.h"
#include "solver/registry.h"
#include "tests/cells.h"

namespace symdyn::tests::in_kernels
{
namespace
{
constexpr double density = 3.;
/// Without optimisation the largest elements take minutes.
#ifdef NDEBUG
constexpr int largest_tensor_degree_3d = 4;
#else
constexpr int largest_tensor_degree_3d = 2;
#endif

template <int dim>
void for_each_element(const double distortion, const std::function<void(Cells<dim> &)> &test)
{
  for (const bool simplex : {true, false})
    for (int degree = 1; degree <= (simplex ? 2 : dim == 2 ? 4 : largest_tensor_degree_3d); ++degree)
    {
      SCOPED_TRACE((simplex ? "P" : "Q") + std::to_string(degree) + " in " + std::to_string(dim) + "-D");
      Cells<dim> cells(simplex ? dealii::ReferenceCells::get_simplex<dim>() : dealii::ReferenceCells::get_hypercube<dim>(), degree,
                       distortion);
      test(cells);
    }
}

/// The kernels of bases against the plain kernels, which read vertices, on cells that are parallelepipeds and on others.
template <int dim>
void expect_equal_kernels(Cells<dim> &cells, const Material &material)
{
  const auto fast = cells.family.fe->reference_cell().is_simplex() ? make_simplex_kernels(cells.family) : make_tensor_kernels(cells.family);
  const CellKernels<dim> &plain = *cells.kernels;
  const Wide *X = cells.X.data();
  Values prepared;
  const bool affine = fast->prepare(X, prepared);
  const CellMap<dim> map(prepared.data(), affine);
  const Values u = cells.field(0.1), a = cells.field(0.5);
  const auto expect_near = [](const Values &found, const Values &expected, const char *what) {
    EXPECT_LT(distance(found, expected), 1e-13 * norm(expected) + 1e-300) << what;
  };
  const auto both = [&](const char *what, const auto &integral) {
    Values found = cells.field(0.1), expected = found;  // added to
    integral(*fast, map, found.data());
    integral(plain, X, expected.data());
    expect_near(found, expected, what);
  };
  Wide smallest[2];
  both("force",
       [&](const CellKernels<dim> &k, const CellMap<dim> &map, Wide *f) { smallest[&k == &plain] = k.force(map, u.data(), material, f); });
  expect_near({smallest[0]}, {smallest[1]}, "smallest det F");
  both("stiffness",
       [&](const CellKernels<dim> &k, const CellMap<dim> &map, Wide *f) { k.stiffness(map, u.data(), a.data(), material, f); });
  both("third derivative",
       [&](const CellKernels<dim> &k, const CellMap<dim> &map, Wide *f) { k.third_derivative(map, u.data(), a.data(), material, f); });
  both("mass product", [&](const CellKernels<dim> &k, const CellMap<dim> &map, Wide *f) { k.mass_product(map, a.data(), density, f); });
  expect_near({fast->energy(map, u.data(), material)}, {plain.energy(X, u.data(), material)}, "energy");
  expect_near({fast->energy(X, u.data(), material)}, {plain.energy(X, u.data(), material)}, "energy, by vertices");
}

template <int dim>
void test_derivatives()
{
  for_each_element<dim>(0.1, [](Cells<dim> &cells) {
    for (const std::string &name : Registry<Material>::instance().names())
    {
      SCOPED_TRACE(name);
      expect_derivatives(cells, *make_material(name), name);
    }
    for (const std::string name : {"linear-elasticity", "st-venant-kirchhoff"})
      if (dim == 2)
      {
        SCOPED_TRACE(name + ", plane stress");
        expect_derivatives(cells, *make_material(name, "set Plane = stress\n"), name);
      }
  });
}

/// Volume of a cell with straight edges, without quadrature: by the divergence theorem, with the mean of both ways to
/// cut a bilinear face into triangles, which is exact.
template <int dim>
double volume_of(const Cells<dim> &cells, const int lane)
{
  const auto vertex = [&](const int v) {
    dealii::Point<dim> x;
    for (int d = 0; d < dim; ++d)
      x[d] = cells.X[v * dim + d][lane];
    return x;
  };
  const auto determinant = [&](const int a, const int b, const int c) {
    dealii::Tensor<2, dim> J;
    const int v[] = {a, b, c};
    for (int d = 0; d < dim; ++d)
      J[d] = vertex(v[d]);
    return dealii::determinant(J);
  };
  if (cells.vertices == dim + 1)
  {
    dealii::Tensor<2, dim> J;
    for (int d = 0; d < dim; ++d)
      J[d] = vertex(d + 1) - vertex(0);
    return dealii::determinant(J) / (dim == 2 ? 2. : 6.);
  }
  double sum = 0;
  if (dim == 2)
    for (const auto &[a, b] : {std::pair{0, 1}, {1, 3}, {3, 2}, {2, 0}})
      sum += determinant(a, b, 0) / 2.;
  else
    for (const auto &face :
         std::vector<std::array<int, 4>>{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}})
      for (int corner = 0; corner < 4; ++corner)
        sum += determinant(face[corner], face[(corner + 1) % 4], face[(corner + 2) % 4]) / 12.;
  return sum;
}

/// Quadrature on a reference cell of degree 2n-1 at least: products of Gauss rules, collapsed onto a simplex.
template <int dim>
dealii::Quadrature<dim> fine_quadrature(const bool simplex, const int n)
{
  dealii::Quadrature<dim> rule = dealii::QGauss<dim>(n);
  std::vector<dealii::Point<dim>> points = rule.get_points();
  std::vector<double> weights = rule.get_weights();
  for (std::size_t q = 0; q < points.size() && simplex; ++q)
    for (int d = 1; d < dim; ++d)
      for (int e = d - 1; e >= 0; --e)
      {
        const double left = 1. - rule.point(q)[e];
        points[q][d] *= left;
        weights[q] *= left;
      }
  return dealii::Quadrature<dim>(points, weights);
}

template <int dim>
void test_mass(const bool affine)
{
  for_each_element<dim>(affine ? 0. : 0.1, [affine](Cells<dim> &cells) {
    const int n = cells.nodes;
    Values m(n * (n + 1) / 2);
    cells.kernels->mass(cells.X.data(), density, m.data());
    const auto rule = fine_quadrature<dim>(cells.family.fe->reference_cell().is_simplex(), cells.family.fe->degree + 4);
    const ReferenceElement<dim> table(*cells.family.fe, rule);
    const double reference_volume = cells.family.fe->reference_cell().is_simplex() ? (dim == 2 ? 0.5 : 1. / 6.) : 1.;
    for (int lane = 0; lane < lanes; ++lane)
    {
      const double total = density * volume_of(cells, lane);
      double sum = 0;
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          sum += m[pair_index(a, b)][lane];
      EXPECT_NEAR(sum, total, 1e-13 * total);
      for (int b = 0; b < n && affine; b += std::max(1, n / 10))
        for (int a = 0; a <= b; ++a)
        {
          double exact = 0;
          for (int q = 0; q < table.points; ++q)
            exact += table.weight[q] * table.shape[q * n + a] * table.shape[q * n + b];
          ASSERT_NEAR(m[pair_index(a, b)][lane], exact * total / reference_volume, 1e-13 * total) << a << ", " << b;
        }
    }
  });
}
}  // namespace

TEST(CellKernels, DerivativesHaveSlopeTwo)
{
  test_derivatives<2>();
  test_derivatives<3>();
}

/// Diagonal blocks and products with the consistent mass, against the matrices.
TEST(CellKernels, ProductsAndDiagonalsAreThoseOfTheMatrices)
{
  const auto compare = [](auto &cells) {
    constexpr int dim = sizeof(cells.family.fe->get_unit_support_points()[0]) / sizeof(double);
    const auto tensor = make_tensor_kernels(cells.family);
    const auto material = make_material("neo-hooke-log");
    const int n = cells.nodes, block = dim * dim;
    const Values u = cells.field(0.05), w = cells.field(1.);
    Values K(n * (n + 1) / 2 * block), m(n * (n + 1) / 2);
    cells.kernels->tangent(cells.X.data(), u.data(), *material, K.data());
    cells.kernels->mass(cells.X.data(), density, m.data());
    for (const auto *kernels : {cells.kernels.get(), tensor.get()})
    {
      if (!kernels)
        continue;
      Values diagonal(n * block), product(n * dim, Wide(0.));
      kernels->tangent_diagonal(cells.X.data(), u.data(), *material, diagonal.data());
      kernels->mass_product(cells.X.data(), w.data(), density, product.data());
      for (int lane = 0; lane < lanes; ++lane)
        for (int a = 0; a < n; ++a)
        {
          for (int i = 0; i < block; ++i)
          {
            const double expected = K[pair_index(a, a) * block + i][lane];
            ASSERT_NEAR(diagonal[a * block + i][lane], expected, 1e-12 * std::abs(K[pair_index(a, a) * block][lane]));
          }
          for (int i = 0; i < dim; ++i)
          {
            double expected = 0, size = 0;
            for (int b = 0; b < n; ++b)
            {
              expected += m[pair_index(a, b)][lane] * w[b * dim + i][lane];
              size += std::abs(m[pair_index(a, b)][lane] * w[b * dim + i][lane]);
            }
            ASSERT_NEAR(product[a * dim + i][lane], expected, 1e-12 * size);
          }
        }
    }
  };
  for_each_element<2>(0.1, compare);
  for_each_element<3>(0.1, compare);
}

TEST(CellKernels, FastKernelsEqualThePlainOnes)
{
  const auto compare = [](auto &cells) {
    for (const std::string &name : Registry<Material>::instance().names())
    {
      SCOPED_TRACE(name);
      expect_equal_kernels(cells, *make_material(name));
    }
  };
  const auto of_each_shape = [&](auto &cells) {
    compare(cells);  // boxes
    cells.map_affinely(false);
    compare(cells);  // parallelepipeds
    cells.map_affinely(true);
    compare(cells);  // and one that is none
  };
  for_each_element<2>(0., of_each_shape);
  for_each_element<3>(0., of_each_shape);
  for_each_element<2>(0.1, compare);
  for_each_element<3>(0.1, compare);
}

TEST(CellKernels, MassIsThatOfTheVolume)
{
  test_mass<2>(false);
  test_mass<3>(false);
}

TEST(CellKernels, MassIsExactOnAffineCells)
{
  test_mass<2>(true);
  test_mass<3>(true);
}

TEST(CellKernels, GeometryMeasuresVolumeAndSmallestJacobian)
{
  const auto measure = [](auto &cells) {
    Wide jacobian, volume;
    cells.kernels->geometry(cells.X.data(), jacobian, volume);
    for (int lane = 0; lane < lanes; ++lane)
    {
      EXPECT_NEAR(volume[lane], volume_of(cells, lane), 1e-14);
      EXPECT_GT(jacobian[lane], 0.);
    }
    // A vertex pushed through the cell: its Jacobian is negative there alone, away from the quadrature points.
    for (std::size_t d = 0; d < cells.X.size() / cells.vertices; ++d)
      cells.X[d].set(lanes - 1, 0.9);
    cells.kernels->geometry(cells.X.data(), jacobian, volume);
    EXPECT_LT(jacobian[lanes - 1], 0.);
    EXPECT_GT(jacobian[0], 0.);
  };
  for_each_element<2>(0.05, measure);
  for_each_element<3>(0.05, measure);
}

/// force() returns the smallest det F, by which an inverted cell is noticed; 1 where the law knows no rotation.
TEST(CellKernels, ForceReturnsTheSmallestDeterminant)
{
  for_each_element<3>(0.1, [](Cells<3> &cells) {
    const ReferenceElement<3> at_nodes(*cells.family.fe, dealii::Quadrature<3>(cells.family.fe->get_unit_support_points()));
    const double stretch[] = {1.5, -0.2, 1.1};
    Values u(cells.nodes * 3, Wide(0.)), f(cells.nodes * 3, Wide(0.));
    for (int a = 0; a < cells.nodes; ++a)
      for (int v = 0; v < cells.vertices; ++v)
        for (int d = 0; d < 3; ++d)
          u[a * 3 + d] += Wide((stretch[d] - 1.) * at_nodes.vertex_shape[a * cells.vertices + v]) * cells.X[v * 3 + d];
    const Wide det = cells.kernels->force(cells.X.data(), u.data(), *make_material("st-venant-kirchhoff"), f.data());
    EXPECT_NEAR(det[lanes - 1], 1.5 * -0.2 * 1.1, 1e-12);
    const Wide none = cells.kernels->force(cells.X.data(), u.data(), *make_material("linear-elasticity"), f.data());
    EXPECT_EQ(none[0], 1.);
  });
}
}  // namespace symdyn::tests::in_kernels
