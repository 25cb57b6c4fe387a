// The discrete gradient of a solid's potential: exact energy and momenta, its limit and its tangent; linearised systems of
// several terms; the stiff part of V.
#include <gtest/gtest.h>

#include "solver/diagnosis.h"
#include "solver/registry.h"
#include "solver/unknowns.h"
#include "tests/bodies.h"

namespace symdyn::tests::in_discrete_gradient
{
namespace
{
struct Element
{
  const char *cells;
  int degree;
};
constexpr Element elements[] = {{"hexahedra", 1}, {"hexahedra", 2}, {"tetrahedra", 1}, {"tetrahedra", 2}};

template <int dim>
std::string box(const Element &element)
{
  return subsection(
      "Mesh", std::string("set Type = box\nset Subdivisions = ") + (dim == 2 ? "2, 2" : "1, 2, 1") + "\nset Cell shape = " + element.cells +
                  "\nset Order = " + std::to_string(element.degree) + "\n" +
                  subsection("box", std::string("set Size = ") + (dim == 2 ? "1, 1.5" : "1, 1.5, 1.2") + "\nset Distortion = 0.2"));
}

template <int dim>
using Test = std::function<void(Body<dim> &)>;

/// Every law in every element; in 2-D also in plane stress.
template <int dim>
void for_each_body(const std::string &more, const Test<dim> &test)
{
  for (const Element &element : elements)
    for (const std::string &name : Registry<Material>::instance().names())
      for (const bool plane_stress : {false, true})
      {
        const bool remembers = inelastic(*Registry<Material>::instance().make(name));  // increments have tests of their own
        if (remembers || (plane_stress && (dim == 3 || (name != "linear-elasticity" && name != "st-venant-kirchhoff"))))
          continue;
        SCOPED_TRACE(std::to_string(dim) + "-D " + element.cells + " " + std::to_string(element.degree) + " " + name +
                     (plane_stress ? ", plane stress" : ""));
        std::string material = made_of(name);
        if (plane_stress)
          material.insert(material.find("set E"), "set Plane = stress\n");
        Body<dim> body(box<dim>(element) + material + more);
        test(body);
      }
}

const std::string gravity_2d = "subsection Loads\n" + subsection("weight", "set Type = gravity\nset Acceleration = 1, -9.81") + "end\n";
const std::string gravity_3d = "subsection Loads\n" + subsection("weight", "set Type = gravity\nset Acceleration = 0, 1, -9.81") + "end\n";

/// A deformation with gradients of about `size`, another one for each seed.
template <int dim>
Vector deformed(const Body<dim> &body, const double size, const unsigned int seed)
{
  Random random(seed);
  dealii::Tensor<2, dim> linear, quadratic;
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
    {
      linear[i][j] = random(size);
      quadratic[i][j] = random(0.2 * size);
    }
  const Vector q = body.nodal([&](const dealii::Point<dim> &X) {
    dealii::Tensor<1, dim> u = linear * X;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        u[i] += quadratic[i][j] * X[j] * X[(j + 1) % dim];
    return u;
  });
  return moved(q, 1., random.vector(q, 0.02 * size));
}

Vector middle(const Vector &q0, const Vector &q1)
{
  Vector m = q0;
  m.sadd(0.5, 0.5, q1);
  m.update_ghost_values();
  return m;
}

/// Increments with the energy of the corrected stress and, below 0.009, with its integral.
constexpr double increments[] = {0.2, 0.02, 0.002, 1e-5};

template <int dim>
void test_energy(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  Vector f = system.new_vector();
  const Vector q0 = deformed(body, 0.15, 1);
  for (const double size : increments)
  {
    SCOPED_TRACE(size);
    const Vector q1 = moved(q0, 1., deformed(body, size, 2));
    const double dV = system.potential(q1) - system.potential(q0);
    system.discrete_gradient(q0, q1, f);
    const double work = f * moved(q1, -1., q0);
    EXPECT_NEAR(work, dV, 4. * system.diagnosis().potential_rounding());
    EXPECT_GT(std::abs(dV), 1e6 * system.diagnosis().potential_rounding());
    if (size == 0.2)
    {  // what a midpoint rule would do
      system.internal_force(middle(q0, q1), f);
      const double midpoint = std::abs(f * moved(q1, -1., q0) - dV);
      EXPECT_EQ(midpoint > 1e6 * system.diagnosis().potential_rounding(), !system.has(Feature::linear)) << midpoint << " of " << dV;
    }
  }
}

template <int dim>
void test_momenta(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  Vector f = system.new_vector(), xi = f;
  const Vector q0 = deformed(body, 0.15, 3);
  for (const double size : increments)
  {
    SCOPED_TRACE(size);
    const Vector q1 = moved(q0, 1., deformed(body, size, 4)), mean = middle(q0, q1);
    system.discrete_gradient(q0, q1, f);
    for (std::size_t i = 0; i < system.unknowns().momenta().size(); ++i)
    {
      SCOPED_TRACE(system.unknowns().momenta()[i]);
      const bool rotation = i >= dim;
      if (rotation && body.fem().cells()->any_material([](const MaterialInUse &use) { return use.law->small_strain(); }))
        continue;
      system.unknowns().generator(i, mean, xi);
      EXPECT_LT(std::abs(f * xi), 1e-13 * f.l2_norm() * xi.l2_norm());
      if (rotation && size == 0.2)
      {  // the rotation of another configuration is not the one
        system.unknowns().generator(i, q1, xi);
        EXPECT_GT(std::abs(f * xi), 1e-4 * f.l2_norm() * xi.l2_norm());
      }
    }
  }
}

template <int dim>
void test_limit(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  Vector f = system.new_vector(), g = f;
  const Vector q = deformed(body, 0.15, 5), w = deformed(body, 1., 6);
  system.internal_force(q, f);
  EXPECT_TRUE(system.discrete_gradient(q, q, g).admissible());
  EXPECT_LT(distance(f, g), 1e-13 * f.l2_norm());
  const auto error = [&](const double h) {
    system.discrete_gradient(moved(q, -0.5 * h, w), moved(q, 0.5 * h, w), g);
    return distance(f, g);
  };
  expect_slope_two(error, 0.06, system.has(Feature::linear), 1e-9 * f.l2_norm());
  // psi(C1) - psi(C0) over |dC| would be noise of 1e-10 here, and Newton's method would end there.
  const double noise = error(1e-6);
  EXPECT_LT(noise, 2e-12 * f.l2_norm());
  // The same from either side.
  const Vector q1 = moved(q, 1., deformed(body, 0.1, 7));
  system.discrete_gradient(q, q1, f);
  system.discrete_gradient(q1, q, g);
  EXPECT_LT(distance(f, g), 1e-14 * f.l2_norm());
}

template <int dim>
void test_tangent(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  const Vector q0 = deformed(body, 0.15, 8), w = deformed(body, 0.5, 9), zero = system.new_vector();
  for (const double size : {0.2, 0.002})
  {
    SCOPED_TRACE(size);
    const Vector q1 = moved(q0, 1., deformed(body, size, 10));
    Vector Kw = zero, ahead = zero, behind = zero;
    const double k = 0.7;
    system.factor({{M + k * K, 0., &q1, &zero, &q0}})->multiply(w, Kw);  // K alone would be singular
    system.mass(w, ahead);
    Kw -= ahead;
    Kw *= 1. / k;
    const auto error = [&](const double h) {
      system.discrete_gradient(q0, moved(q1, h, w), ahead);
      system.discrete_gradient(q0, moved(q1, -h, w), behind);
      ahead -= behind;
      ahead *= 0.5 / h;
      return distance(ahead, Kw);
    };
    // The correction of the stress, homogeneous of degree 2 in dC, is smooth only over distances below |dC|.
    const double h = system.has(Feature::quadratic_energy) ? 0.02 : 0.02 * size;
    expect_slope_two(error, h, system.has(Feature::linear), 1e-9 * Kw.l2_norm());
  }
  // At q1 = q0 it is half of V''.
  Vector Kw = zero, half = zero;
  system.factor({{M + K, 0., &q0, &zero, &q0}})->multiply(w, Kw);
  system.mass(w, half);
  const double rounding = 1e-14 * (half.l2_norm() + Kw.l2_norm());
  Kw -= half;
  system.stiffness(q0, w, half);
  half *= 0.5;
  EXPECT_LT(distance(Kw, half), rounding);
}

const std::string held = subsection("Supports", subsection("wall", "set Boundary = x-") +
                                                    subsection("slope", "set Boundary = y+\nset Type = roller\nset Normal = 1, 2, 0"));
}  // namespace

TEST(DiscreteGradient, WorkIsTheDifferenceOfPotentials)
{
  for_each_body<2>(gravity_2d, test_energy<2>);
  for_each_body<3>(gravity_3d, test_energy<3>);
}

TEST(DiscreteGradient, KeepsMomenta)
{
  for_each_body<2>("", test_momenta<2>);
  for_each_body<3>("", test_momenta<3>);
}

TEST(DiscreteGradient, IsTheForceInTheLimitAndSymmetric)
{
  for_each_body<2>(gravity_2d, test_limit<2>);
  for_each_body<3>(gravity_3d, test_limit<3>);
}

TEST(DiscreteGradient, TangentHasSlopeTwo)
{
  const std::string solver = subsection("Linear solver", "set Type = dense");
  for_each_body<2>(gravity_2d + solver, test_tangent<2>);
  for_each_body<3>(gravity_3d + solver, test_tangent<3>);
}

/// Half of the bar stretched by a half: K - K' is no rounding, and of a linear body it is.
TEST(DiscreteGradient, TangentIsUnsymmetric)
{
  for (const std::string material : {"st-venant-kirchhoff", "neo-hooke-log", "linear-elasticity"})
  {
    SCOPED_TRACE(material);
    Body<3> body(box<3>(elements[0]) + made_of(material) + subsection("Linear solver", "set Type = dense"));
    const MechanicalSystem &system = body.system();
    const Vector q0 = deformed(body, 0.02, 1), zero = system.new_vector();
    const Vector q1 = body.nodal([](const dealii::Point<3> &X) { return dealii::Tensor<1, 3>({0.5 * X[0], 0.1 * X[0] * X[1], 0.}); });
    const auto A = system.factor({{K, 0., &q1, &zero, &q0}});
    Vector x = zero, Ax = zero, y = zero, Ay = zero;
    double difference = 0, size = 0;
    for (int seed = 1; seed < 30; ++seed)
    {
      x = Random(seed).vector(zero, 1.);
      y = Random(100 + seed).vector(zero, 1.);
      A->multiply(x, Ax);
      A->multiply(y, Ay);
      difference += std::pow(Ax * y - Ay * x, 2);
      size += 0.5 * (std::pow(Ax * y, 2) + std::pow(Ay * x, 2));
    }
    const double unsymmetry = std::sqrt(difference / size);
    RecordProperty(material, std::to_string(unsymmetry));
    if (material == "linear-elasticity")
      EXPECT_LT(unsymmetry, 1e-13);
    else
      EXPECT_GT(unsymmetry, 0.01);
  }
}

/// Every solver takes the unsymmetric matrix, conjugate gradients by way of GMRES.
TEST(DiscreteGradient, UnsymmetricTangentIsSolved)
{
  for (const std::string &type : Registry<LinearSolver>::instance().names())
    for (const std::string &preconditioner : std::vector<std::string>{"jacobi", "icc", "gamg", "hypre"})
    {
      if (type != "cg" && preconditioner != "jacobi")
        continue;
      SCOPED_TRACE(type + " " + preconditioner);
      const std::string own = type == "cg" ? subsection("cg", "set Preconditioner = " + preconditioner) : "";
      Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 4, 4, 4\n") + made_of("neo-hooke-log") + held +
                   subsection("Linear solver", "set Type = " + type + "\n" + own));
      const MechanicalSystem &system = body.system();
      const Vector zero = system.new_vector();
      const Vector q0 = zero, q1 = body.nodal([](const dealii::Point<3> &X) {
        return dealii::Tensor<1, 3>({0.5 * X[0], 0.1 * X[0] * X[1], 0.});
      });
      Vector r = Random(1).vector(zero, 1.), x = zero, rest = zero, symmetric = zero;
      system.project(r);
      const double h = 0.1;
      // A symmetric one first: the method must change with the matrix.
      system.factor(0.5 * h * h * K + M, 0., q1, zero)->solve(r, symmetric, 1e-12);
      const auto A = system.factor({{0.5 * h * h * K + M, 0., &q1, &zero, &q0}});
      A->solve(r, x, 1e-12);
      A->multiply(x, rest);
      rest -= r;
      EXPECT_LT(rest.l2_norm(), 1e-9 * r.l2_norm());
      EXPECT_GT(distance(x, symmetric), 1e-3 * x.l2_norm());
    }
}

/// The sum of terms at different points, with damping: against products with each of them.
TEST(Linearisation, SumsAnyNumberOfTerms)
{
  for (const std::string material : {"neo-hooke-simo", "st-venant-kirchhoff", "linear-elasticity"})
    for (const std::string damping : {"", "set Stiffness = current\n"})
    {
      SCOPED_TRACE(material + " " + damping);
      Body<3> body(
          box<3>(elements[1]) + made_of(material) + held + gravity_3d +
          subsection("Damping", "set Mass proportional = 0.7\nset Stiffness proportional = 0.03\nset Kelvin-Voigt = 0.05\n" + damping));
      const MechanicalSystem &system = body.system();
      const Vector q[] = {deformed(body, 0.1, 1), deformed(body, 0.1, 2), deformed(body, 0.1, 3)}, v = Random(1).vector(q[0], 1.);
      Vector x = Random(2).vector(v, 1.), y = system.new_vector(), part = y, expected = y;
      system.project(x);
      x.update_ghost_values();
      const Weights w[] = {2. * M + 0.3 * C + 0.1 * K, 0.2 * C + -0.02 * K, 0.4 * C + 0.3 * K};
      const Linearisation terms{{w[0], 0., &q[0], &v}, {w[1], 0., &q[1], &v}, {w[2], 0., &q[2], &v, &q[0]}};
      const auto A = system.factor(terms);
      A->multiply(x, y);
      system.mass(x, expected);
      expected *= 2.;
      const Vector mean = middle(q[0], q[2]);
      const Vector *at[] = {&q[0], &q[1], &mean};
      for (int i = 0; i < 3; ++i)
      {
        system.damping_force(*at[i], x, part);
        expected.add(w[i].c, part);
        if (i < 2)
          system.stiffness(q[i], x, part);
        else
        {
          Vector behind = part;
          const double h = 1e-5;
          system.discrete_gradient(q[0], moved(q[2], h, x), part);
          system.discrete_gradient(q[0], moved(q[2], -h, x), behind);
          part -= behind;
          part *= 0.5 / h;
        }
        expected.add(w[i].k, part);
      }
      system.project(expected);
      EXPECT_LT(distance(y, expected), 1e-7 * expected.l2_norm());
      Vector solution = system.new_vector();
      A->solve(y, solution, 1e-13);
      EXPECT_LT(distance(solution, x), 1e-9 * x.l2_norm());
      // A linear body has one matrix for the same sum: nothing is assembled again, and nothing else is mistaken for it.
      Vector z = y;
      system.factor(M + 0.1 * K, 0., q[0], v)->multiply(x, z);
      EXPECT_GT(distance(y, z), 1e-2 * y.l2_norm());
      system.factor(terms)->multiply(x, z);
      EXPECT_LT(distance(y, z), 1e-14 * y.l2_norm());
    }
}

/// Materials marked `Stiff`: V'' and V''' of their cells alone, the rest the other way round.
TEST(StiffPart, IsThatOfTheMarkedMaterials)
{
  const auto make = [](const std::string &first, const std::string &second) {
    return subsection("Mesh", "set Type = file\nset File = " SYMDYN_SOURCE "/tests/meshes/cube_hexahedra_41.msh") +
           subsection("Materials",
                      subsection("steel", "set Type = st-venant-kirchhoff\nset Density = 1000\nset E = 1000\nset nu = 0.3\n" + first) +
                          subsection("rubber", "set Type = neo-hooke-log\nset Density = 1000\nset E = 3000\nset nu = 0.2\n" + second)) +
           subsection("Linear solver", "set Type = dense");
  };
  const std::string stiff = "set Stiff = yes";
  Body<3> none(make("", "set Stiff = no")), lower(make(stiff, "")), upper(make("", stiff)), both(make(stiff, stiff));
  EXPECT_FALSE(none.system().has(Feature::stiff_part));
  EXPECT_TRUE(lower.system().has(Feature::stiff_part));
  EXPECT_FALSE(none.system().has(Feature::quadratic_energy));
  const Vector q = deformed(none, 0.1, 1), w = Random(1).vector(q, 1.), zero = none.system().new_vector();
  const auto products = [&](const Body<3> &body, const Part part) {
    std::array<Vector, 3> r{zero, zero, zero};
    body.system().stiffness(q, w, r[0], part);
    body.system().third_derivative(q, w, r[1], part);
    Vector Mw = zero;
    body.system().factor({{M, 0., &q, &zero}, {K, 0., &q, &zero, nullptr, part}})->multiply(w, r[2]);
    body.system().mass(w, Mw);
    r[2] -= Mw;
    return r;
  };
  const auto all = products(none, Part::all), nothing = products(none, Part::stiff), a = products(lower, Part::stiff),
             b = products(upper, Part::stiff), everything = products(both, Part::stiff);
  for (int i = 0; i < 3; ++i)
  {
    SCOPED_TRACE(i);
    const double size = all[i].l2_norm();
    EXPECT_LT(distance(moved(a[i], 1., b[i]), all[i]), 1e-13 * size);
    EXPECT_LT(distance(everything[i], all[i]), 1e-13 * size);
    EXPECT_LT(nothing[i].l2_norm(), 1e-13 * size);
    EXPECT_GT(a[i].l2_norm(), 0.01 * size);
    EXPECT_GT(b[i].l2_norm(), 0.01 * size);
  }
}

TEST(StiffPart, QuadraticEnergiesAreKnown)
{
  const auto quadratic = [](const std::string &material) {
    Body<2> body(box<2>(elements[0]) + made_of(material));
    return body.system().has(Feature::quadratic_energy);
  };
  EXPECT_TRUE(quadratic("st-venant-kirchhoff"));
  EXPECT_TRUE(quadratic("linear-elasticity"));
  EXPECT_FALSE(quadratic("neo-hooke-log"));
  EXPECT_FALSE(quadratic("ogden"));
}
}  // namespace symdyn::tests::in_discrete_gradient
