// The integrals of one batch of cells: every registered material in every element.
#include <deal.II/base/quadrature_lib.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "bodies.h"
#include "elements/simplex_kernels.h"
#include "elements/tensor_kernels.h"
#include "solver/registry.h"

namespace symdyn::tests
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

using Values = std::vector<Wide>;

std::unique_ptr<Material> make_material(const std::string &name, const std::string &more = "")
{
  auto material = Registry<Material>::instance().make(name);
  Deck deck = Deck::from_text(constants_of(name) + more, "test.prm");
  Parameters p = deck.root();
  material->declare(p);
  deck.finish();
  return material;
}

/// `lanes` different cells of one type.
template <int dim>
struct Cells
{
  Cells(const dealii::ReferenceCell &shape, const int degree, const double distortion)
      : family(shape, degree),
        kernels(make_kernels(family)),
        nodes(family.stiffness.nodes),
        vertices(family.stiffness.vertices),
        X(vertices * dim),
        random(100 * dim + 10 * degree + vertices)
  {
    const double size[] = {1.3, 0.8, 1.1};
    for (int v = 0; v < vertices; ++v)
      for (int d = 0; d < dim; ++d)
        for (int lane = 0; lane < lanes; ++lane)
          X[v * dim + d].set(lane, size[d] * (shape.template vertex<dim>(v)[d] + random(distortion)));
  }

  /// Nodal values of a field whose gradient has about the size `size`, whatever the degree: a random quadratic field
  /// and noise at every node.
  Values field(const double size)
  {
    const ReferenceElement<dim> at_nodes(*family.fe, dealii::Quadrature<dim>(family.fe->get_unit_support_points()));
    const double noise = 0.1 * size / (family.fe->degree * family.fe->degree);
    Values u(nodes * dim);
    for (int lane = 0; lane < lanes; ++lane)
    {
      double linear[dim][dim], quadratic[dim][dim];
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
        {
          linear[i][j] = random(size);
          quadratic[i][j] = random(0.2 * size);
        }
      for (int a = 0; a < nodes; ++a)
      {
        double x[dim] = {};
        for (int v = 0; v < vertices; ++v)
          for (int d = 0; d < dim; ++d) x[d] += at_nodes.vertex_shape[a * vertices + v] * X[v * dim + d][lane];
        for (int i = 0; i < dim; ++i)
        {
          double value = random(noise);
          for (int j = 0; j < dim; ++j) value += linear[i][j] * x[j] + quadratic[i][j] * x[j] * x[(j + 1) % dim];
          u[a * dim + i].set(lane, value);
        }
      }
    }
    return u;
  }

  /// Each cell by a map of its own, and one cell of the batch bent.
  void map_affinely(const bool bend_one)
  {
    for (int lane = 0; lane < lanes; ++lane)
    {
      double A[dim][dim], x[dim];
      for (auto &row : A)
        for (double &entry : row) entry = random(0.15);
      for (int v = 0; v < vertices; ++v)
      {
        for (int d = 0; d < dim; ++d) x[d] = X[v * dim + d][lane];
        for (int i = 0; i < dim; ++i)
          for (int d = 0; d < dim; ++d) X[v * dim + i].set(lane, X[v * dim + i][lane] + A[i][d] * x[d]);
      }
    }
    if (bend_one)
      X[0].set(lanes / 2, X[0][lanes / 2] + 0.1);
  }

  Values zero() const { return Values(nodes * dim, Wide(0.)); }

  ElementFamily<dim> family;
  std::unique_ptr<CellKernels<dim>> kernels;
  int nodes, vertices;
  Values X;
  Random random;
};

Values along(const Values &u, const double s, const Values &w)
{
  Values r(u);
  for (std::size_t i = 0; i < u.size(); ++i) r[i] += Wide(s) * w[i];
  return r;
}

/// Sum over lanes of the norms.
double norm(const Values &a)
{
  double sum = 0;
  for (int lane = 0; lane < lanes; ++lane)
  {
    double square = 0;
    for (const Wide &x : a) square += x[lane] * x[lane];
    sum += std::sqrt(square);
  }
  return sum;
}

double distance(const Values &a, const Values &b)
{
  return norm(along(a, -1., b));
}

template <int dim>
void for_each_element(const double distortion, const std::function<void(Cells<dim> &)> &test)
{
  for (const bool simplex : {true, false})
    for (int degree = 1; degree <= (simplex ? 2 : dim == 2 ? 4 : largest_tensor_degree_3d); ++degree)
    {
      SCOPED_TRACE((simplex ? "P" : "Q") + std::to_string(degree) + " in " + std::to_string(dim) + "-D");
      Cells<dim> cells(
          simplex ? dealii::ReferenceCells::get_simplex<dim>() : dealii::ReferenceCells::get_hypercube<dim>(), degree,
          distortion);
      test(cells);
    }
}

/// The kernels of bases against the plain kernels, which read vertices, on cells that are parallelepipeds and on others.
template <int dim>
void expect_equal_kernels(Cells<dim> &cells, const Material &material)
{
  const auto fast = cells.family.simplex ? make_simplex_kernels(cells.family) : make_tensor_kernels(cells.family);
  const CellKernels<dim> &plain = *cells.kernels;
  const Wide *X = cells.X.data();
  Values prepared;
  const bool affine = fast->prepare(X, prepared);
  const CellMap<dim> map(prepared.data(), affine);
  const Values u = cells.field(0.1), a = cells.field(0.5);
  const auto expect_near = [](const Values &found, const Values &expected, const char *what)
  { EXPECT_LT(distance(found, expected), 1e-13 * norm(expected) + 1e-300) << what; };
  const auto both = [&](const char *what, const auto &integral)
  {
    Values found = cells.field(0.1), expected = found;  // added to
    integral(*fast, map, found.data());
    integral(plain, X, expected.data());
    expect_near(found, expected, what);
  };
  Wide smallest[2];
  both("force", [&](const CellKernels<dim> &k, const CellMap<dim> &map, Wide *f) { smallest[&k == &plain] = k.force(map, u.data(), material, f); });
  expect_near({smallest[0]}, {smallest[1]}, "smallest det F");
  both("stiffness", [&](const CellKernels<dim> &k, const CellMap<dim> &map, Wide *f) { k.stiffness(map, u.data(), a.data(), material, f); });
  both("third derivative", [&](const CellKernels<dim> &k, const CellMap<dim> &map, Wide *f) { k.third_derivative(map, u.data(), a.data(), material, f); });
  both("mass product", [&](const CellKernels<dim> &k, const CellMap<dim> &map, Wide *f) { k.mass_product(map, a.data(), density, f); });
  expect_near({fast->energy(map, u.data(), material)}, {plain.energy(X, u.data(), material)}, "energy");
  expect_near({fast->energy(X, u.data(), material)}, {plain.energy(X, u.data(), material)}, "energy, by vertices");
}

template <int dim>
void expect_derivatives(Cells<dim> &cells, const Material &material, const std::string &name)
{
  const CellKernels<dim> &kernels = *cells.kernels;
  const Wide *X = cells.X.data();
  const Values u = cells.field(0.1), a = cells.field(0.5);
  std::vector<Values> directions;
  for (int k = 0; k < 3; ++k) directions.push_back(cells.field(0.5));
  const auto force = [&](const Values &at)
  {
    Values f = cells.zero();
    kernels.force(X, at.data(), material, f.data());
    return f;
  };
  const auto stiffness = [&](const Values &at, const Values &w)
  {
    Values f = cells.zero();
    kernels.stiffness(X, at.data(), w.data(), material, f.data());
    return f;
  };
  Values third = cells.zero();
  kernels.third_derivative(X, u.data(), a.data(), material, third.data());
  const Values f = force(u), Ka = stiffness(u, a);
  const auto difference = [](const Values &ahead, const Values &behind, const double h)
  {
    Values d = along(ahead, -1., behind);
    for (Wide &x : d) x *= Wide(0.5 / h);
    return d;
  };

  const auto energy_error = [&](const double h)
  {
    double sum = 0;
    for (const Values &w : directions)
    {
      const Wide ahead = kernels.energy(X, along(u, h, w).data(), material),
                 behind = kernels.energy(X, along(u, -h, w).data(), material);
      Wide slope = 0.;
      for (std::size_t i = 0; i < w.size(); ++i) slope += f[i] * w[i];
      for (int lane = 0; lane < lanes; ++lane) sum += std::abs((ahead[lane] - behind[lane]) / (2. * h) - slope[lane]);
    }
    return sum;
  };
  const auto force_error = [&](const double h)
  { return distance(difference(force(along(u, h, a)), force(along(u, -h, a)), h), Ka); };
  const auto stiffness_error = [&](const double h)
  { return distance(difference(stiffness(along(u, h, a), a), stiffness(along(u, -h, a), a), h), third); };
  // V of linear elasticity is a polynomial of degree 2, of St. Venant-Kirchhoff of degree 4.
  const bool linear = material.small_strain(), quartic = name.find("st-venant") == 0;
  const double h = 0.02, rounding = 1e-10 * norm(Ka);
  {
    SCOPED_TRACE("force");
    expect_slope_two(energy_error, h, linear, rounding);
  }
  {
    SCOPED_TRACE("stiffness");
    expect_slope_two(force_error, h, linear, rounding);
  }
  {
    SCOPED_TRACE("third derivative");
    expect_slope_two(stiffness_error, h, linear || quartic, rounding);
    EXPECT_EQ(norm(third) < rounding, linear);
  }

  const int pairs = cells.nodes * (cells.nodes + 1) / 2;
  Values K(pairs * dim * dim), product = cells.zero();
  kernels.tangent(X, u.data(), material, K.data());
  for (int p = 0; p < cells.nodes; ++p)
    for (int q = 0; q < cells.nodes; ++q)
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
        {
          const int entry = p <= q ? i * dim + k : k * dim + i;
          product[p * dim + i] += K[pair_index(p, q) * dim * dim + entry] * a[q * dim + k];
        }
  EXPECT_LT(distance(product, Ka), 1e-12 * norm(Ka) * cells.nodes) << "tangent";
}

template <int dim>
void test_derivatives()
{
  for_each_element<dim>(0.1,
                        [](Cells<dim> &cells)
                        {
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
  const auto vertex = [&](const int v)
  {
    dealii::Point<dim> x;
    for (int d = 0; d < dim; ++d) x[d] = cells.X[v * dim + d][lane];
    return x;
  };
  const auto determinant = [&](const int a, const int b, const int c)
  {
    dealii::Tensor<2, dim> J;
    const int v[] = {a, b, c};
    for (int d = 0; d < dim; ++d) J[d] = vertex(v[d]);
    return dealii::determinant(J);
  };
  if (cells.vertices == dim + 1)
  {
    dealii::Tensor<2, dim> J;
    for (int d = 0; d < dim; ++d) J[d] = vertex(d + 1) - vertex(0);
    return dealii::determinant(J) / (dim == 2 ? 2. : 6.);
  }
  double sum = 0;
  if (dim == 2)
    for (const auto &[a, b] : {std::pair{0, 1}, {1, 3}, {3, 2}, {2, 0}}) sum += determinant(a, b, 0) / 2.;
  else
    for (const auto &face : std::vector<std::array<int, 4>>{
             {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}})
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
  for_each_element<dim>(affine ? 0. : 0.1,
                        [affine](Cells<dim> &cells)
                        {
                          const int n = cells.nodes;
                          Values m(n * (n + 1) / 2);
                          cells.kernels->mass(cells.X.data(), density, m.data());
                          const auto rule = fine_quadrature<dim>(cells.family.simplex, cells.family.fe->degree + 4);
                          const ReferenceElement<dim> table(*cells.family.fe, rule);
                          const double reference_volume = cells.family.simplex ? (dim == 2 ? 0.5 : 1. / 6.) : 1.;
                          for (int lane = 0; lane < lanes; ++lane)
                          {
                            const double total = density * volume_of(cells, lane);
                            double sum = 0;
                            for (int a = 0; a < n; ++a)
                              for (int b = 0; b < n; ++b) sum += m[pair_index(a, b)][lane];
                            EXPECT_NEAR(sum, total, 1e-13 * total);
                            for (int b = 0; b < n && affine; b += std::max(1, n / 10))
                              for (int a = 0; a <= b; ++a)
                              {
                                double exact = 0;
                                for (int q = 0; q < table.points; ++q)
                                  exact += table.weight[q] * table.shape[q * n + a] * table.shape[q * n + b];
                                ASSERT_NEAR(m[pair_index(a, b)][lane], exact * total / reference_volume, 1e-13 * total)
                                    << a << ", " << b;
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
  const auto compare = [](auto &cells)
  {
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
      if (!kernels) continue;
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
  const auto compare = [](auto &cells)
  {
    for (const std::string &name : Registry<Material>::instance().names())
    {
      SCOPED_TRACE(name);
      expect_equal_kernels(cells, *make_material(name));
    }
  };
  const auto of_each_shape = [&](auto &cells)
  {
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
  const auto measure = [](auto &cells)
  {
    Wide jacobian, volume;
    cells.kernels->geometry(cells.X.data(), jacobian, volume);
    for (int lane = 0; lane < lanes; ++lane)
    {
      EXPECT_NEAR(volume[lane], volume_of(cells, lane), 1e-14);
      EXPECT_GT(jacobian[lane], 0.);
    }
    // A vertex pushed through the cell: its Jacobian is negative there alone, away from the quadrature points.
    for (std::size_t d = 0; d < cells.X.size() / cells.vertices; ++d) cells.X[d].set(lanes - 1, 0.9);
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
  for_each_element<3>(
      0.1,
      [](Cells<3> &cells)
      {
        const ReferenceElement<3> at_nodes(*cells.family.fe,
                                           dealii::Quadrature<3>(cells.family.fe->get_unit_support_points()));
        const double stretch[] = {1.5, -0.2, 1.1};
        Values u(cells.nodes * 3, Wide(0.)), f(cells.nodes * 3, Wide(0.));
        for (int a = 0; a < cells.nodes; ++a)
          for (int v = 0; v < cells.vertices; ++v)
            for (int d = 0; d < 3; ++d)
              u[a * 3 + d] +=
                  Wide((stretch[d] - 1.) * at_nodes.vertex_shape[a * cells.vertices + v]) * cells.X[v * 3 + d];
        const Wide det =
            cells.kernels->force(cells.X.data(), u.data(), *make_material("st-venant-kirchhoff"), f.data());
        EXPECT_NEAR(det[lanes - 1], 1.5 * -0.2 * 1.1, 1e-12);
        const Wide none = cells.kernels->force(cells.X.data(), u.data(), *make_material("linear-elasticity"), f.data());
        EXPECT_EQ(none[0], 1.);
      });
}
}  // namespace symdyn::tests
