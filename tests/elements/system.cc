// FiniteElementSystem: V, its derivatives, mass, damping and factors belong together.
#include <deal.II/grid/grid_generator.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "solver/diagnosis.h"
#include "tests/bodies.h"
#include "tests/system_bodies.h"

namespace symdyn::tests::in_system
{
namespace
{
const std::string gravity_2d = "subsection Loads\n" + subsection("weight", "set Type = gravity\nset Acceleration = 1, -9.81") + "end\n";
const std::string gravity_3d = "subsection Loads\n" + subsection("weight", "set Type = gravity\nset Acceleration = 0, 1, -9.81") + "end\n";

/// Held on one side, and on two others by inclined rollers that meet at an edge.
const std::string supports_2d = subsection(
    "Supports", subsection("wall", "set Boundary = x-") + subsection("slope", "set Boundary = y+\nset Type = roller\nset Normal = 1, 2"));
const std::string supports_3d =
    subsection("Supports", subsection("wall", "set Boundary = x-") +
                               subsection("slope", "set Boundary = y+\nset Type = roller\nset Normal = 1, 2, 0") +
                               subsection("ramp", "set Boundary = z+\nset Type = roller\nset Normal = 0, 1, 1"));

template <int dim>
using Test = std::function<void(Body<dim> &)>;

/// Hexahedra and tetrahedra (quadrilaterals and triangles) of low and of higher degree, a different law in each.
template <int dim>
void for_each_body(const std::string &more, const Test<dim> &test)
{
  for (const auto &[cells, degree, material] : {std::tuple{"hexahedra", 1, "neo-hooke-quadratic"},
                                                {"hexahedra", 2, "ogden"},
                                                {"tetrahedra", 1, "neo-hooke-log"},
                                                {"tetrahedra", 2, "mooney-rivlin"},
                                                {"hexahedra", 1, "linear-elasticity"}})
  {
    SCOPED_TRACE(std::to_string(dim) + "-D " + cells + " " + std::to_string(degree) + " " + material);
    Body<dim> body(box<dim>(cells, degree, material) + more);
    test(body);
  }
}

template <int dim>
void test_gradient(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  const Vector q = deformed(body), w = Random(4).vector(q, 0.5);
  Vector f = system.new_vector();
  system.internal_force(q, f);
  const bool linear = system.has(Feature::linear);
  const double size = std::abs(f * w);
  expect_slope_two(
      [&](const double h) { return std::abs((system.potential(moved(q, h, w)) - system.potential(moved(q, -h, w))) / (2. * h) - f * w); },
      0.004, linear, 1e-9 * size);

  Vector Kw = system.new_vector(), ahead = system.new_vector(), behind = system.new_vector();
  system.stiffness(q, w, Kw);
  expect_slope_two(
      [&](const double h) {
        system.internal_force(moved(q, h, w), ahead);
        system.internal_force(moved(q, -h, w), behind);
        ahead -= behind;
        ahead *= 0.5 / h;
        return distance(ahead, Kw);
      },
      0.004, linear, 1e-9 * Kw.l2_norm());

  Vector third = system.new_vector();
  system.third_derivative(q, w, third);
  EXPECT_EQ(third.l2_norm() < 1e-10 * Kw.l2_norm(), linear);
  expect_slope_two(
      [&](const double h) {
        system.stiffness(moved(q, h, w), w, ahead);
        system.stiffness(moved(q, -h, w), w, behind);
        ahead -= behind;
        ahead *= 0.5 / h;
        return distance(ahead, third);
      },
      0.004, linear, 1e-8 * Kw.l2_norm());
}

template <int dim>
void test_symmetry(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  const Vector q = deformed(body), x = Random(5).vector(q, 1.), y = Random(6).vector(q, 1.);
  Vector Ax = system.new_vector(), Ay = system.new_vector();
  system.stiffness(q, x, Ax);
  system.stiffness(q, y, Ay);
  EXPECT_NEAR(Ax * y, Ay * x, 1e-12 * Ax.l2_norm() * y.l2_norm());
  system.mass(x, Ax);
  system.mass(y, Ay);
  EXPECT_NEAR(Ax * y, Ay * x, 1e-13 * Ax.l2_norm() * y.l2_norm());
}

template <int dim>
void test_factor(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  const Vector q = deformed(body);
  Vector x = Random(7).vector(q, 1.), y = system.new_vector(), f = system.new_vector(), expected = system.new_vector();
  system.project(x);
  x.update_ghost_values();
  const double h = 0.1, m = 1., c = 0.5 * h, k = 0.25 * h * h;
  const auto A = system.factor(M + c * C + k * K, 0., q, q);
  A->multiply(x, y);
  system.mass(x, expected);
  expected *= m;
  system.damping_force(q, x, f);
  EXPECT_GT(f.l2_norm(), 0.);
  expected.add(c, f);
  system.stiffness(q, x, f);
  expected.add(k, f);
  system.project(expected);
  EXPECT_LT(distance(y, expected), 1e-12 * expected.l2_norm());

  Vector solution = system.new_vector();
  A->solve(expected, solution, 1e-13);
  EXPECT_LT(distance(solution, x), 1e-9 * x.l2_norm());
  Vector held(solution);
  system.project_prescribed(held);
  EXPECT_LT(held.l2_norm(), 1e-15 * solution.l2_norm());
}

template <int dim>
void test_mass_solve(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  const Vector p = Random(8).vector(system.new_vector(), 1.);
  Vector v = system.new_vector(), residual = system.new_vector(), held = system.new_vector();
  system.mass_solve(p, v);
  system.mass(v, residual);
  residual -= p;
  system.project(residual);
  EXPECT_LT(residual.l2_norm(), 1e-12 * p.l2_norm());
  EXPECT_GT(v.l2_norm(), 0.);
  held = v;
  system.project_prescribed(held);
  EXPECT_LT(held.l2_norm(), 1e-14 * v.l2_norm());
}

/// Masses of the nodes: positive, and together the mass of the body.
template <int dim>
void test_lumping(Body<dim> &body)
{
  const Discretisation<dim> &mesh = body.mesh();
  const MassMatrix<dim> &mass = body.fem().mass_matrix_of_nodes();
  EXPECT_TRUE(mass.diagonal());
  double sum = 0, smallest = 1e300;
  for (int node = 0; node < mesh.n_owned_nodes(); ++node)
  {
    sum += mass.lumped(node);
    smallest = std::min(smallest, mass.lumped(node));
    EXPECT_EQ(mass.nodal(node), mass.lumped(node));
  }
  const double total = 1000. * (dim == 2 ? 1.5 : 1.8);
  EXPECT_NEAR(sum, total, 1e-12 * total);
  EXPECT_NEAR(mass.total(), total, 1e-12 * total);
  EXPECT_GT(smallest, 1e-4 * total / mesh.n_owned_nodes());

  // M v by the system is that diagonal; with v = 1 the momentum of the body.
  const Vector v = Random(9).vector(body.system().new_vector(), 1.);
  Vector Mv = body.system().new_vector();
  body.system().mass(v, Mv);
  for (int node = 0; node < mesh.n_owned_nodes(); ++node)
    for (int d = 0; d < dim; ++d)
      ASSERT_EQ(Mv.local_element(dim * node + d), mass.lumped(node) * v.local_element(dim * node + d));
}

/// q = (Q - I) X + c
template <int dim>
Vector rigid_motion(const Body<dim> &body, const dealii::Tensor<2, dim> &Q, const double c)
{
  return body.nodal([&](const dealii::Point<dim> &X) {
    dealii::Tensor<1, dim> u = Q * X - X;
    for (int d = 0; d < dim; ++d)
      u[d] += c * (d + 1);
    return u;
  });
}

template <int dim>
dealii::Tensor<2, dim> rotation(const double angle)
{
  dealii::Tensor<2, dim> Q;
  for (int d = 0; d < dim; ++d)
    Q[d][d] = 1.;
  const auto turn = [&](const int i, const int j, const double a) {
    dealii::Tensor<2, dim> R;
    for (int d = 0; d < dim; ++d)
      R[d][d] = 1.;
    R[i][i] = R[j][j] = std::cos(a);
    R[i][j] = -std::sin(a);
    R[j][i] = std::sin(a);
    Q = R * Q;
  };
  turn(0, 1, angle);
  if (dim == 3)
  {
    turn(1, 2, 0.6 * angle);
    turn(0, 2, -1.3 * angle);
  }
  return Q;
}

template <int dim>
void test_rigid(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  Vector f = system.new_vector();
  for (const double angle : {0., 0.4, 2., 3.1})
    for (const double shift : {0., 1., 100.})
    {
      if (angle != 0. && system.has(Feature::linear))
        continue;
      SCOPED_TRACE("angle " + std::to_string(angle) + ", shift " + std::to_string(shift));
      const Vector q = rigid_motion(body, rotation<dim>(angle), shift);
      system.internal_force(q, f);
      EXPECT_LT(f.l2_norm(), 1e-13 * 1e3 * (1. + 10. * shift) * body.mesh().n_nodes());
      EXPECT_NEAR(system.potential(q), 0., 1e-15 * 1e3 * (1. + shift));
      const double rounding = system.factor(K, 0., q, q)->rounding(q);
      EXPECT_LE(f.l2_norm(), rounding) << "rounding is no bound";
      if (angle != 0.)
      {
        EXPECT_GT(f.l2_norm(), 1e-3 * rounding) << "rounding is far too large";
      }
    }
  // A strain of 1e-9 is no rounding.
  const Vector q = moved(rigid_motion(body, rotation<dim>(system.has(Feature::linear) ? 0. : 2.), 1.), 1e-9, Random(1).vector(f, 1.));
  system.internal_force(q, f);
  EXPECT_GT(f.l2_norm(), 100. * system.factor(K, 0., q, q)->rounding(q));
}
}  // namespace

TEST(FiniteElementSystem, ForceIsGradientOfEnergy)
{
  for_each_body<2>(gravity_2d, test_gradient<2>);
  for_each_body<3>(gravity_3d, test_gradient<3>);
}

TEST(FiniteElementSystem, StiffnessAndMassAreSymmetric)
{
  for_each_body<2>("", test_symmetry<2>);
  for_each_body<3>("", test_symmetry<3>);
}

TEST(FiniteElementSystem, FactorIsMassPlusDampingPlusStiffness)
{
  const std::string damping = "subsection Damping\nset Mass proportional = 0.7\nset Stiffness proportional = 0.03\nend\n";
  for (const std::string type : {"dense", "mumps", "automatic"})
  {
    SCOPED_TRACE(type);
    const std::string solver = subsection("Linear solver", "set Type = " + type);
    for_each_body<2>(supports_2d + damping + solver, test_factor<2>);
    for_each_body<3>(supports_3d + damping + solver, test_factor<3>);
  }
  for_each_body<3>(supports_3d + damping + subsection("Elements", "set Mass = lumped"), test_factor<3>);
}

TEST(FiniteElementSystem, MassSolveInvertsMassOnTheFreePart)
{
  for (const std::string type : {"consistent", "lumped"})
  {
    SCOPED_TRACE(type);
    const std::string mass = subsection("Elements", "set Mass = " + type);
    for_each_body<2>(supports_2d + mass, test_mass_solve<2>);
    for_each_body<3>(supports_3d + mass, test_mass_solve<3>);
  }
}

/// P2 in particular, where row sums are not positive (Hinton, Rock, Zienkiewicz 1976).
TEST(FiniteElementSystem, LumpedMassIsPositiveAndComplete)
{
  const std::string mass = subsection("Elements", "set Mass = lumped");
  for_each_body<2>(mass, test_lumping<2>);
  for_each_body<3>(mass, test_lumping<3>);
  for (const int degree : {3, 4})
  {
    Body<2> body(box<2>("hexahedra", degree, "linear-elasticity") + mass);
    test_lumping(body);
  }
}

TEST(FiniteElementSystem, RigidMotionsGiveRoundingAndItsBound)
{
  for_each_body<2>("", test_rigid<2>);
  for_each_body<3>("", test_rigid<3>);
}

/// V of a body at rest or rigidly turned is not above it, that of a strain of 1e-6 is.
TEST(FiniteElementSystem, PotentialRoundingBoundsTheNoiseOfV)
{
  const auto test = [](auto &body) {
    const MechanicalSystem &system = body.system();
    const double rounding = system.diagnosis().potential_rounding();
    EXPECT_LE(std::abs(system.potential(system.new_vector())), rounding);
    EXPECT_GT(system.potential(Random(1).vector(system.new_vector(), 1e-6)), 10. * rounding);
  };
  for_each_body<2>("", test);
  for_each_body<3>("", test);
}

TEST(FiniteElementSystem, InvertedCellIsNotAdmissibleAndIsNamed)
{
  Body<3> body(box<3>("hexahedra", 1, "st-venant-kirchhoff"));
  Vector f = body.system().new_vector();
  Vector q = body.nodal([](const dealii::Point<3> &X) { return dealii::Tensor<1, 3>({-1.2 * X[0], 0., 0.}); });
  EXPECT_FALSE(body.system().internal_force(q, f).admissible());
  const std::string diagnosis = body.system().diagnosis().diagnose(q);
  EXPECT_NE(diagnosis.find("is inverted: det F = -0.2"), std::string::npos) << diagnosis;
  EXPECT_EQ(body.system().diagnosis().diagnose(body.system().new_vector()), "");
  EXPECT_TRUE(body.system().internal_force(body.system().new_vector(), f).admissible());
}

/// Nodes as quadrature points: positive where the Jacobian is, also in a cell whose row sums are not.
TEST(FiniteElementSystem, LumpedMassOfATaperedQuadraticCellIsPositive)
{
  dealii::Triangulation<3> cell;
  dealii::GridGenerator::hyper_cube(cell);
  for (const unsigned int v : {4u, 5u, 6u, 7u})
    for (int d = 0; d < 2; ++d)
      cell.begin_active()->vertex(v)[d] = 0.5 + 0.1 * (cell.begin_active()->vertex(v)[d] - 0.5);
  const ElementFamily<3> family(dealii::ReferenceCells::Hexahedron, 2);
  const auto kernels = make_kernels(family);
  std::vector<Wide> X(24), m(27 * 28 / 2), nodal(27);
  for (int v = 0; v < 8; ++v)
    for (int d = 0; d < 3; ++d)
      X[v * 3 + d] = cell.begin_active()->vertex(v)[d];
  kernels->mass(X.data(), 1., m.data());
  kernels->nodal_mass(X.data(), 1., nodal.data());
  double smallest_row = 1., total = 0.;
  for (int a = 0; a < 27; ++a)
  {
    double row = 0;
    for (int b = 0; b < 27; ++b)
      row += m[pair_index(a, b)][0];
    smallest_row = std::min(smallest_row, row);
    EXPECT_GT(nodal[a][0], 0.);
    total += nodal[a][0];
  }
  EXPECT_LT(smallest_row, 0.);                        // what row sums would do
  EXPECT_NEAR(total, (1. + 0.1 + 0.01) / 3., 1e-12);  // the frustum's volume: Gauss-Lobatto is exact here
}
}  // namespace symdyn::tests::in_system
