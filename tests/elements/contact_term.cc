// Contact with obstacles as a term of V: derivatives, matrices, discrete gradients, what it admits.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "elements/contact/contact_term.h"
#include "elements/space/pattern.h"
#include "solver/searching.h"
#include "tests/bodies.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_contact_term
{
struct Choice
{
  std::string name, mesh, obstacle;
  int dim = 3;
  std::string law = "set Law = barrier\nset Stiffness = 4e3\nset Layer = 0.3\nset Points = 3", more = "";
};

/// A body of 1 m, or 1 m x 1 m, whose foot is at z = 0 (y = 0), near an obstacle into whose layer it is pushed.
std::string deck_of(const Choice &choice)
{
  const std::string foot = choice.dim == 3 ? "z-" : "y-";
  return subsection("Mesh", "set Type = box\n" + choice.mesh) + made_of("st-venant-kirchhoff", 3.) +
         subsection("Obstacles", subsection("floor", choice.obstacle)) +
         subsection("Contact", subsection("touch", "set Between = " + foot + ", floor\n" + choice.law)) + choice.more;
}

const std::string plane = "set Type = plane\nset Normal = 0.1, 0.2, 1\nset Point = 0.5, 0.5, -0.16",
                  sphere = "set Type = sphere\nset Radius = 2\nset Centre = 0.4, 0.6, -2.02";

std::vector<Choice> choices()
{
  const std::string cubes = "set Subdivisions = 2, 2, 1";
  return {
      {"plane", cubes, plane},
      {"sphere", cubes, sphere},
      {"of degree 2", cubes + "\nset Order = 2", sphere},
      {"tetrahedra", cubes + "\nset Cell shape = tetrahedra", sphere},
      {"cylinder", cubes, "set Type = cylinder\nset Axis = 1, 0.3, 0\nset Radius = 2\nset Point = 0.5, 0.5, -2.02"},
      {"formula", cubes, "set Type = expression\nset Distance = sqrt((x - 0.4)^2 + (y - 0.6)^2 + (z + 2.02)^2) - 2"},
      {"outside", cubes, sphere, 3, "set Law = barrier\nset Stiffness = 4e3\nset Layer = 0.3\nset Side = outside\nset Clearance = 0.2"},
      {"exponential", cubes, sphere, 3, "set Law = exponential\nset Pressure = 100\nset Distance = 0.1"},
      {"plane body", "set Subdivisions = 3, 2", "set Type = cylinder\nset Radius = 2\nset Point = 0.4, -2.02", 2},
      {"thick", "set Subdivisions = 3, 2\nset Cell shape = tetrahedra", "set Type = plane\nset Normal = 0.1, 1\nset Point = 0.5, -0.1", 2},
      {"moving", cubes, "set Type = sphere\nset Radius = 2\nset Centre = 0.4, 0.6, -2.02\nset Motion = 0.01*t, 0, 0.02*sin(t)"}};
}

/// Displacements that push the foot into the layer and bend it, and a state in which nothing touches.
template <int dim>
struct Pushed
{
  explicit Pushed(const Choice &choice, const std::string &more = "") : body(deck_of(choice) + more), system(body.system())
  {
    q = Random(1).vector(system.new_vector(), 0.01);
    a = Random(2).vector(q, 0.02);
    w = Random(3).vector(q, 0.02);
    for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
      q.local_element(dim * node + dim - 1) -= 0.12;
    apart = q;
    for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
      apart.local_element(dim * node + dim - 1) += 1.;
    for (Vector *x : {&q, &apart})
      x->update_ghost_values();
    term = dynamic_cast<const ContactTerm *>(system.all_parts().terms.back().get());
  }
  Body<dim> body;
  const AssembledSystem &system;
  const ContactTerm *term;
  Vector q, a, w, apart;
};

/// V'''' along w is the derivative of the V''' of contact, which zhang-skeel's tangent takes for it.
void expect_fourth_derivative(const AssembledSystem &system, const Vector &q, const Vector &a, const Vector &w)
{
  const auto &knows = dynamic_cast<const KnowsFourthDerivative &>(system);
  Vector exact = system.new_vector(), whole = exact, rest = exact;
  knows.known_fourth_derivative(q, a, w, exact);
  ASSERT_GT(exact.l2_norm(), 1e-6);
  const auto third = [&](const double s) {
    const Vector at = moved(q, s, w);
    system.third_derivative(at, a, whole);
    knows.third_derivative_of_rest(at, a, rest);
    return moved(whole, -1., rest);
  };
  expect_slope_two(
      [&](const double h) {
        Vector difference = moved(third(h), -1., third(-h));
        difference *= 1. / (2. * h);
        return distance(difference, exact) / exact.l2_norm();
      },
      0.02, false, 1e-9);
}

template <int dim>
void expect_a_potential(const Choice &choice)
{
  const Pushed<dim> pushed(choice);
  const AssembledSystem &system = pushed.system;
  ASSERT_TRUE(pushed.term);
  ASSERT_GT(pushed.term->sums(pushed.q, nullptr).energy, 1e-3);
  EXPECT_EQ(pushed.term->sums(pushed.apart, nullptr).energy, 0.);
  expect_derivatives(system, pushed.q, pushed.w, pushed.a, 0.05);
  expect_fourth_derivative(system, pushed.q, pushed.a, pushed.w);
  Vector f = system.new_vector();
  for (const Vector &to : {moved(pushed.q, 1., pushed.w), pushed.apart, moved(pushed.q, 1e-6, pushed.w), pushed.q})
  {
    system.discrete_gradient(pushed.q, to, f);
    const double V0 = system.potential(pushed.q), V1 = system.potential(to);
    EXPECT_NEAR(f * moved(to, -1., pushed.q), V1 - V0, 1e-13 * (V0 + V1));
  }
}

TEST(Contact, ForceIsTheGradientOfVAndSoOn)
{
  for (const Choice &choice : choices())
  {
    SCOPED_TRACE(choice.name);
    choice.dim == 2 ? expect_a_potential<2>(choice) : expect_a_potential<3>(choice);
  }
}

template <int dim>
void expect_matrices(const Choice &choice, const std::string &solver)
{
  const Pushed<dim> pushed(choice, subsection("Linear solver", solver + "\nset Tolerance = 1e-13"));
  Vector x = Random(5).vector(pushed.q, 1.);
  pushed.system.project(x);
  x.update_ghost_values();
  expect_matrix_and_products(pushed.system, pushed.q, x, moved(pushed.q, 1., pushed.w));
  expect_matrix_and_products(pushed.system, pushed.q, x, pushed.apart);
}

/// Of a moving obstacle, which systems hold: the term alone.
TEST(Contact, MatrixOfAnObstaclesSite)
{
  for (const Choice &choice : choices())
    if (choice.name == "moving")
    {
      const Pushed<3> pushed(choice);
      const AssembledSystem::Parts &parts = pushed.system.all_parts();
      ASSERT_GE(pushed.term->parts().carrier, 0);
      const BlockPattern pattern = make_pattern(*parts.space, {parts.terms.back()});
      OwnedBlockMatrix A;
      A.allocate(pattern);
      At at;
      at.q = &pushed.q;
      Weights weights;
      weights.k = 0.7;
      pushed.term->add_matrix(at, weights, MatrixSink{A});
      const Vector x = Random(5).vector(pushed.q, 1.);
      x.update_ghost_values();
      Vector Ax = pushed.system.new_vector(), product = Ax;
      A.multiply(x, Ax);
      pushed.term->add_product(at, weights, x, product);
      ASSERT_GT(std::abs(product.local_element(3 * pushed.term->parts().carrier + 2)), 1e-3);
      EXPECT_LT(distance(Ax, product), 1e-13 * product.l2_norm());
    }
}

TEST(Contact, MatrixAndProductsAgree)
{
  for (const Choice &choice : choices())
    for (const std::string solver : {"set Type = automatic", "set Type = mumps", "set Type = matrix-free",
                                     "set Type = cg\nsubsection cg\nset Preconditioner = jacobi\nend"})
    {
      if (choice.name == "moving")
        continue;
      SCOPED_TRACE(choice.name + ", " + solver);
      choice.dim == 2 ? expect_matrices<2>(choice, solver) : expect_matrices<3>(choice, solver);
    }
}

/// A rigid push of g into a plane: V = area Phi(g), whatever the mesh; forces are p n over the area; of a moving obstacle its site has the
/// reaction, and V sees the difference of both motions alone.
TEST(Contact, EnergyIsThatOfTheAreaAndForcesHaveTheirReaction)
{
  for (const std::string shape : {"", "\nset Cell shape = tetrahedra", "\nset Order = 2"})
  {
    const Pushed<3> pushed(
        {"", "set Subdivisions = 2, 3, 1" + shape, "set Type = plane\nset Normal = 0, 0, 2\nset Motion = 0, 0, 0.01*sin(t)"});
    const AssembledSystem &system = pushed.system;
    const ContactTerm &term = *pushed.term;
    constexpr double depth = 0.07;
    Vector q = system.new_vector(), f = q;
    const int n = pushed.body.mesh().n_owned_nodes();
    for (int node = 0; node < n; ++node)
      q.local_element(3 * node + 2) = -depth;
    q.update_ghost_values();
    const auto phi = term.parts().law->at(-depth);
    EXPECT_NEAR(system.potential(q), phi[0], 1e-12 * phi[0]);
    system.internal_force(q, f);
    double sum = 0;
    for (int node = 0; node < n; ++node)
      sum += f.local_element(3 * node + 2);
    EXPECT_NEAR(sum, phi[1], 1e-11 * std::abs(phi[1]));
    const ContactSums sums = term.sums(q, nullptr);
    EXPECT_NEAR(sums.force[2], -phi[1], 1e-12 * std::abs(phi[1]));
    EXPECT_NEAR(sums.area, 1., 1e-12);
    EXPECT_NEAR(sums.pressure, -phi[1], 1e-12 * std::abs(phi[1]));
    EXPECT_NEAR(f.local_element(3 * term.parts().carrier + 2), -phi[1], 1e-11 * std::abs(phi[1])) << "the obstacle bears it";
    q.local_element(3 * term.parts().carrier + 2) = -depth;
    q.update_ghost_values();
    EXPECT_EQ(term.sums(q, nullptr).energy, 0.) << "it has moved along";
  }
}

/// What may not be is said: states deeper than the layer, and ways through an obstacle whose ends are free.
TEST(Contact, AdmitsNoStateBeyondTheLayerAndNoWayThroughAnObstacle)
{
  const Pushed<3> pushed({"", "set Subdivisions = 2, 2, 1", "set Type = sphere\nset Radius = 0.4\nset Centre = 0.5, 0.5, -0.5"});
  const AssembledSystem &system = pushed.system;
  const auto at = [&](const double z) {
    Vector q = system.new_vector();
    for (int node = 0; node < pushed.body.mesh().n_owned_nodes(); ++node)
      q.local_element(3 * node + 2) = z;
    q.update_ghost_values();
    return q;
  };
  Vector f = system.new_vector();
  EXPECT_TRUE(system.internal_force(at(-0.3), f).admissible());
  EXPECT_FALSE(system.internal_force(at(-0.45), f).admissible());
  EXPECT_TRUE(std::isfinite(f.l2_norm())) << "Newton may pass";
  EXPECT_EQ(diagnose(system, at(-0.3)), "");
  const std::string why = diagnose(system, at(-0.45));
  EXPECT_NE(why.find("z- would pass floor at (0.4436, 0.4436, -0.45) m"), std::string::npos) << why;
  EXPECT_NE(why.find("contact 'touch' admits -0.2997 m"), std::string::npos) << why;
  const Searching &steps = *searching(system);
  EXPECT_EQ(steps.within_reach(at(0.), at(-0.3)), 1.);
  EXPECT_EQ(steps.within_reach(at(0.), at(5.)), 1.);
  const double half = steps.within_reach(at(0.), at(-3.));  // its ends are free, the sphere is between them
  EXPECT_TRUE(system.internal_force(at(-3.), f).admissible());
  EXPECT_NEAR(half * 3., 0.4, 0.05);
}

/// A discrete gradient of a sphere keeps the moment about its centre, that of a formula the energy alone: the control.
TEST(Contact, DiscreteGradientKeepsTheMomentaOfTheObstacle)
{
  const auto moment = [](const Pushed<3> &pushed) {  // of the force about the centre of the sphere
    const Vector to = moved(pushed.q, 1., pushed.w);
    Vector f = pushed.system.new_vector();
    f = 0.;
    At here;
    here.q = &to;
    here.previous = &pushed.q;
    pushed.term->add_discrete_gradient(here, f);
    const auto &position = pushed.body.mesh().position;
    std::array<double, 3> M{};
    for (int node = 0; node < pushed.body.mesh().n_owned_nodes(); ++node)
    {
      std::array<double, 3> x, F;
      for (int d = 0; d < 3; ++d)
      {
        x[d] = position[node][d] + 0.5 * (pushed.q.local_element(3 * node + d) + to.local_element(3 * node + d)) -
               std::array<double, 3>{0.4, 0.6, -2.02}[d];
        F[d] = f.local_element(3 * node + d);
      }
      for (int d = 0; d < 3; ++d)
        M[d] += x[(d + 1) % 3] * F[(d + 2) % 3] - x[(d + 2) % 3] * F[(d + 1) % 3];
    }
    return std::sqrt(M[0] * M[0] + M[1] * M[1] + M[2] * M[2]);
  };
  for (const Choice &choice : choices())
    if (choice.name == "sphere" || choice.name == "formula")
    {
      const double about_centre = moment(Pushed<3>(choice));
      const bool keeps = about_centre<1e-12, changes = about_centre> 1e-7;
      EXPECT_TRUE(choice.name == "sphere" ? keeps : changes) << choice.name << " " << about_centre;
    }
  EXPECT_TRUE(Pushed<3>(choices()[1]).system.has(Feature::momentum_gradient));
}
}  // namespace symdyn::tests::in_contact_term
