// Cells with an energy of their own: mean dilatation, incompatible modes; serendipity and curved cells.
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>

#include "elements/space/discretisation.h"
#include "tests/cells.h"
#include "tests/formulation_cases.h"

namespace symdyn::tests::in_formulations
{
namespace
{
constexpr double density = 3.;

template <int dim>
void test_derivatives()
{
  for_each_case<dim>(distortion, [](Cells<dim> &cells, const Case &what) {
    for (const std::string &name : Registry<Material>::instance().names())
    {
      SCOPED_TRACE(name);
      expect_derivatives(cells, *make_material(name), name, !of_its_own(what));
    }
  });
}

Wide dot(const Values &a, const Values &b)
{
  Wide sum = 0.;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

/// X + u turned by an angle about the last axis, as displacements of the geometry's vertices.
template <int dim>
Values turned(const Cells<dim> &cells, const Values &u, const double angle)
{
  Values r(u);
  for (int a = 0; a < cells.nodes; ++a)
  {
    const Wide x = cells.X[a * dim] + u[a * dim], y = cells.X[a * dim + 1] + u[a * dim + 1];
    r[a * dim] = std::cos(angle) * x - std::sin(angle) * y - cells.X[a * dim];
    r[a * dim + 1] = std::sin(angle) * x + std::cos(angle) * y - cells.X[a * dim + 1];
  }
  return r;
}

template <int dim>
void test_discrete_gradient(Cells<dim> &cells, const Material &material, const double step)
{
  const CellKernels<dim> &kernels = *cells.kernels;
  const Wide *X = cells.X.data();
  const Values u0 = cells.field(0.1), w = cells.field(0.5), u1 = along(u0, step, w);
  Values f = cells.zero();
  kernels.discrete_force(X, u0.data(), u1.data(), material, f.data());
  const Wide V0 = kernels.energy(X, u0.data(), material), V1 = kernels.energy(X, u1.data(), material), work = dot(f, along(u1, -1., u0));
  Values force = cells.zero();
  kernels.force(X, u0.data(), material, force.data());
  for (int lane = 0; lane < lanes; ++lane)
  {
    EXPECT_NEAR(work[lane], V1[lane] - V0[lane], 1e-11 * (std::abs(V1[lane]) + std::abs(V0[lane])));
    for (int i = 0; i < dim; ++i)
    {
      Wide resultant = 0.;
      for (int a = 0; a < cells.nodes; ++a)
        resultant += f[a * dim + i];
      EXPECT_NEAR(resultant[lane], 0., 1e-11 * norm(f));
    }
    double torque = 0;
    for (int a = 0; a < cells.nodes; ++a)
    {
      const auto at = [&](const int i) { return cells.X[a * dim + i][lane] + 0.5 * (u0[a * dim + i][lane] + u1[a * dim + i][lane]); };
      torque += at(0) * f[a * dim + 1][lane] - at(1) * f[a * dim][lane];
    }
    if (!material.small_strain())  // which knows no large rotations
    {
      EXPECT_NEAR(torque, 0., 1e-11 * norm(f));
    }
  }
  Values K(cells.nodes * cells.nodes * dim * dim), product = cells.zero();
  kernels.discrete_tangent(X, u0.data(), u1.data(), material, K.data());
  for (int a = 0; a < cells.nodes; ++a)
    for (int b = 0; b < cells.nodes; ++b)
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
          product[a * dim + i] += K[((a * cells.nodes + b) * dim + i) * dim + k] * w[b * dim + k];
  const auto error = [&](const double h) {
    Values ahead = cells.zero(), behind = cells.zero();
    kernels.discrete_force(X, u0.data(), along(u1, h, w).data(), material, ahead.data());
    kernels.discrete_force(X, u0.data(), along(u1, -h, w).data(), material, behind.data());
    Values difference = along(ahead, -1., behind);
    for (Wide &value : difference)
      value *= Wide(0.5 / h);
    return distance(difference, product);
  };
  expect_slope_two(error, 0.02, material.small_strain(), 1e-9 * norm(product));
}
}  // namespace

TEST(Formulations, DerivativesHaveSlopeTwo)
{
  test_derivatives<2>();
  test_derivatives<3>();
}

/// Work is the difference of energies, momenta are kept, the tangent is the derivative: with energies and with Gauss's rule.
TEST(Formulations, DiscreteGradient)
{
  const auto test = [](auto &cells, const Case &what) {
    for (const std::string name : {"linear-elasticity", "st-venant-kirchhoff", "neo-hooke-simo"})
      for (const double step : {0.3, 0.003})
      {
        SCOPED_TRACE(name + ", step " + std::to_string(step));
        if (of_its_own(what))
          test_discrete_gradient(cells, *make_material(name), step);
      }
  };
  for_each_case<2>(distortion, test);
  for_each_case<3>(distortion, test);
}

/// Rotations change neither V nor, turned back, the force.
TEST(Formulations, EnergyDoesNotSeeRotations)
{
  for_each_case<3>(distortion, [](Cells<3> &cells, const Case &what) {
    if (!of_its_own(what))
      return;
    const auto material = make_material("neo-hooke-log");
    const Values u = cells.field(0.1), v = turned(cells, u, 1.3);
    const Wide V = cells.kernels->energy(cells.X.data(), u.data(), *material),
               W = cells.kernels->energy(cells.X.data(), v.data(), *material);
    for (int lane = 0; lane < lanes; ++lane)
      EXPECT_NEAR(W[lane], V[lane], 1e-12 * V[lane]);
    Values f = cells.zero(), g = cells.zero(), expected = cells.zero();
    cells.kernels->force(cells.X.data(), u.data(), *material, f.data());
    cells.kernels->force(cells.X.data(), v.data(), *material, g.data());
    const double c = std::cos(1.3), s = std::sin(1.3);
    for (int a = 0; a < cells.nodes; ++a)
    {
      expected[a * 3] = c * f[a * 3] - s * f[a * 3 + 1];
      expected[a * 3 + 1] = s * f[a * 3] + c * f[a * 3 + 1];
      expected[a * 3 + 2] = f[a * 3 + 2];
    }
    EXPECT_LT(distance(g, expected), 1e-11 * norm(f));
    EXPECT_GT(distance(f, expected), 0.1 * norm(f)) << "not turned";
  });
}

/// A field with constant gradient has the force of the standard element: the patch test of distorted cells. Modes that did not have the
/// Jacobian of the middle would fail it.
TEST(Formulations, PatchTestOfACell)
{
  for_each_case<3>(0.15, [](Cells<3> &cells, const Case &what) {
    if (!of_its_own(what))
      return;
    const auto plain = make_kernels(cells.family);
    for (const std::string name : {"linear-elasticity", "neo-hooke-log"})
    {
      const auto material = make_material(name);
      Values u = cells.zero(), f = cells.zero(), expected = cells.zero(), bent = cells.field(0.1), g = cells.zero(),
             standard = cells.zero();
      const double A[3][3] = {{0.1, 0.05, -0.02}, {0.03, -0.08, 0.04}, {0.02, 0.01, 0.07}};
      for (int a = 0; a < cells.nodes; ++a)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            u[a * 3 + i] += A[i][j] * cells.X[a * 3 + j];
      cells.kernels->force(cells.X.data(), u.data(), *material, f.data());
      plain->force(cells.X.data(), u.data(), *material, expected.data());
      EXPECT_LT(distance(f, expected), 1e-12 * norm(expected)) << name;
      cells.kernels->force(cells.X.data(), bent.data(), *material, g.data());
      plain->force(cells.X.data(), bent.data(), *material, standard.data());
      EXPECT_GT(distance(g, standard), 1e-3 * norm(standard)) << "another element";
    }
  });
}

/// Kelvin-Voigt's force is dR/dv; at the undeformed cell of a linear law it is V'' v.
TEST(Formulations, ViscousForceIsTheStiffnessOfALinearLaw)
{
  for_each_case<3>(distortion, [](Cells<3> &cells, const Case &) {
    const auto material = make_material("linear-elasticity");
    const Values u = cells.zero(), v = cells.field(0.5);
    Values f = cells.zero(), expected = cells.zero();
    cells.kernels->viscous_force(cells.X.data(), u.data(), v.data(), *material, f.data());
    cells.kernels->stiffness(cells.X.data(), u.data(), v.data(), *material, expected.data());
    EXPECT_LT(distance(f, expected), 1e-12 * norm(expected));
    const auto rubber = make_material("neo-hooke-log");
    const int pairs = cells.nodes * (cells.nodes + 1) / 2;
    const Values bent = cells.field(0.1);
    Values K(pairs * 9), product = cells.zero();
    f = cells.zero();
    cells.kernels->viscous_force(cells.X.data(), bent.data(), v.data(), *rubber, f.data());
    cells.kernels->viscous_tangent(cells.X.data(), bent.data(), *rubber, K.data());
    for (int p = 0; p < cells.nodes; ++p)
      for (int q = 0; q < cells.nodes; ++q)
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k)
            product[p * 3 + i] += K[pair_index(p, q) * 9 + (p <= q ? i * 3 + k : k * 3 + i)] * v[q * 3 + k];
    EXPECT_LT(distance(product, f), 1e-11 * norm(f)) << "symmetric, and its tangent";
    const Wide work = dot(f, v);
    for (int lane = 0; lane < lanes; ++lane)
      EXPECT_GT(work[lane], 0.);
    if (cells.X.size() != bent.size())
      return;                                            // straight cells have more nodes than places
    Values spin = cells.zero(), nothing = cells.zero();  // of the deformed cell, about an axis that is none of the coordinates
    for (int a = 0; a < cells.nodes; ++a)
      for (int i = 0; i < 3; ++i)
      {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double omega[3] = {0.4, -0.7, 0.9};
        spin[a * 3 + i] = omega[j] * (cells.X[a * 3 + k] + bent[a * 3 + k]) - omega[k] * (cells.X[a * 3 + j] + bent[a * 3 + j]);
      }
    cells.kernels->viscous_force(cells.X.data(), bent.data(), spin.data(), *rubber, nothing.data());
    EXPECT_LT(norm(nothing), 1e-12 * norm(f) * norm(spin) / norm(v)) << "a turning body is not damped";
  });
}

/// What the fast kernels do on straight cells of second order is what the plain ones do with all nodes.
TEST(Formulations, StraightCellsOfSecondOrderAreFast)
{
  for_each_case<3>(0., [](Cells<3> &cells, const Case &what) {
    if (!what.curved)
      return;
    const auto kernels = make_kernels_of(cells.family);
    const auto material = make_material("neo-hooke-log");
    for (const bool bent : {false, true})
    {
      if (bent)
        cells.X[cells.nodes * 3 - 1].set(0, cells.X[cells.nodes * 3 - 1][0] + 0.02);
      Values prepared;
      const bool affine = kernels->prepare(cells.X.data(), prepared);
      EXPECT_EQ(prepared[0][0] != 0., !bent && what.formulation.find("serendipity") != 0 && what.kind != wedge);
      const Values u = cells.field(0.05);
      Values f = cells.zero(), expected = cells.zero();
      kernels->force(CellMap<3>(prepared.data(), affine), u.data(), *material, f.data());
      make_kernels(cells.family)->force(cells.X.data(), u.data(), *material, expected.data());
      EXPECT_LT(distance(f, expected), 1e-12 * norm(expected));
    }
  });
}

namespace
{
void expect_nodal(const ElementFamily<3> &family)
{
  const auto &nodes = family.fe->get_unit_support_points();
  const auto field = [](const dealii::Point<3> &x) {
    return 1. + x[0] - 2. * x[1] + x[0] * x[1] + 3. * x[2] * x[2] - x[0] * x[0] + x[1] * x[2];
  };
  for (unsigned int a = 0; a < nodes.size(); ++a)
    for (unsigned int b = 0; b < nodes.size(); ++b)
      EXPECT_NEAR(family.fe->shape_value(a, nodes[b]), a == b, 1e-14);
  const dealii::Point<3> x(0.3, 0.6, 0.45);
  double value = 0;
  for (unsigned int a = 0; a < nodes.size(); ++a)
  {
    value += family.fe->shape_value(a, x) * field(nodes[a]);
    for (int d = 0; d < 3; ++d)
    {
      const double h = 1e-5;
      dealii::Point<3> ahead = x, behind = x;
      ahead[d] += h;
      behind[d] -= h;
      EXPECT_NEAR(family.fe->shape_grad(a, x)[d], (family.fe->shape_value(a, ahead) - family.fe->shape_value(a, behind)) / (2. * h), 1e-9);
    }
  }
  EXPECT_NEAR(value, field(x), 1e-14);
}
}  // namespace

/// Serendipity functions are 1 at their node and 0 at the others, add up to 1, and contain all quadratic polynomials.
TEST(Formulations, SerendipityFunctionsAreNodal)
{
  expect_nodal({dealii::ReferenceCells::get_hypercube<3>(), 2, "serendipity"});
  expect_nodal({dealii::ReferenceCells::Wedge, 2});
}

TEST(Formulations, MassIsThatOfTheVolume)
{
  for_each_case<3>(distortion, [](Cells<3> &cells, const Case &) {
    Values m(cells.nodes * (cells.nodes + 1) / 2);
    Wide jacobian, volume;
    cells.kernels->mass(cells.X.data(), density, m.data());
    cells.kernels->geometry(cells.X.data(), jacobian, volume);
    for (int lane = 0; lane < lanes; ++lane)
    {
      double sum = 0;
      for (int a = 0; a < cells.nodes; ++a)
        for (int b = 0; b < cells.nodes; ++b)
          sum += m[pair_index(a, b)][lane];
      EXPECT_NEAR(sum, density * volume[lane], 1e-12 * sum);
    }
  });
}

namespace
{
/// V'' of a cell of this family at u [N/m], of lane 0.
template <int dim>
dealii::LAPACKFullMatrix<double> stiffness_of(const ElementFamily<dim> &family, const Values &X, const Values &u, const Material &law)
{
  const int nodes = family.stiffness.nodes;
  Values blocks(nodes * (nodes + 1) / 2 * dim * dim);
  make_kernels(family)->tangent(X.data(), u.data(), law, blocks.data());
  dealii::LAPACKFullMatrix<double> K(nodes * dim, nodes * dim);
  for (int b = 0; b < nodes; ++b)
    for (int a = 0; a <= b; ++a)
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
          K(a * dim + i, b * dim + k) = K(b * dim + k, a * dim + i) = blocks[(pair_index(a, b) * dim + i) * dim + k][0];
  return K;
}

/// Its eigenvalues that are not zero but for rounding.
int rank_of(dealii::LAPACKFullMatrix<double> K)
{
  constexpr double rounding = 1e-10;
  dealii::Vector<double> values;
  dealii::FullMatrix<double> vectors;
  const double largest = K.frobenius_norm();
  K.compute_eigenvalues_symmetric(-2. * largest, 2. * largest, 0., values, vectors);
  return int(std::count_if(values.begin(), values.end(), [largest](const double value) { return std::abs(value) > rounding * largest; }));
}

template <int dim>
ElementFamily<dim> with_points(const bool curved, const dealii::Quadrature<dim> &points)
{
  ElementFamily<dim> family(dealii::ReferenceCells::get_simplex<dim>(), 2, "few-points", curved);
  family.stiffness_points = points;
  family.stiffness = ReferenceElement<dim>(*family.fe, points, curved);
  return family;
}

/// Straight cells have the stiffness of an exact rule, curved ones its rank; one point less has neither.
template <int dim>
void test_few_points()
{
  constexpr int unknowns = dim == 3 ? 30 : 12, rigid = dim == 3 ? 6 : 3;
  const auto law = make_material("linear-elasticity");
  for (const bool curved : {false, true})
  {
    SCOPED_TRACE(std::to_string(dim) + (curved ? "-D, curved" : "-D, straight"));
    const Cells<dim> cells(dealii::ReferenceCells::get_simplex<dim>(), 2, curved ? 0.03 : 0.1, "few-points", curved);
    ASSERT_EQ(cells.family.stiffness.points, dim + 1);
    const Values rest = cells.zero();
    auto K = stiffness_of(cells.family, cells.X, rest, *law);
    const auto exact = stiffness_of(with_points<dim>(curved, dealii::QWitherdenVincentSimplex<dim>(4)), cells.X, rest, *law);
    EXPECT_EQ(rank_of(K), unknowns - rigid);
    EXPECT_EQ(rank_of(exact), unknowns - rigid);
    std::vector<dealii::Point<dim>> fewer = cells.family.stiffness_points.get_points();
    fewer.pop_back();
    EXPECT_LT(rank_of(stiffness_of(with_points<dim>(curved, {fewer, std::vector<double>(fewer.size(), 0.1)}), cells.X, rest, *law)),
              unknowns - rigid)
        << "negative control";
    const double size = exact.frobenius_norm();
    K.add(-1., exact);
    if (curved)
    {
      EXPECT_GT(K.frobenius_norm(), 1e-6 * size) << "negative control: curved cells are not integrated exactly";
    }
    else
    {
      EXPECT_LT(K.frobenius_norm(), 1e-13 * size);
    }
  }
}
}  // namespace

TEST(Formulations, FewPointsOfQuadraticSimplicesAreEnough)
{
  test_few_points<2>();
  test_few_points<3>();
}

/// A tetrahedron that is inside out near an edge, but at none of its four points, has a mass that is positive definite.
TEST(Formulations, MassOfCurvedSimplicesIsExact)
{
  const Cells<3> cells(dealii::ReferenceCells::get_simplex<3>(), 2, 0.05, "standard", true);
  const auto mass = [&](const ElementFamily<3> &family) {
    Values m(cells.nodes * (cells.nodes + 1) / 2);
    make_kernels(family)->mass(cells.X.data(), density, m.data());
    return m;
  };
  ElementFamily<3> finer(dealii::ReferenceCells::get_simplex<3>(), 2, "standard", true),
      coarser(dealii::ReferenceCells::get_simplex<3>(), 2, "standard", true);
  finer.mass = ReferenceElement<3>(*finer.fe, dealii::QWitherdenVincentSimplex<3>(5), true);
  coarser.mass = ReferenceElement<3>(*finer.fe, dealii::QWitherdenVincentSimplex<3>(3), true);
  const Values m = mass(cells.family), exact = mass(finer);
  EXPECT_LT(distance(m, exact), 1e-13 * norm(exact));
  EXPECT_GT(distance(mass(coarser), exact), 1e-6 * norm(exact)) << "negative control: 14 points are exact of degree 5, not 7";
}
}  // namespace symdyn::tests::in_formulations
