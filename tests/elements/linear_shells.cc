// Shells whose strains are linear in displacements, and what loads them: derivatives, the energy, small motions, constant loads.
#include <gtest/gtest.h>

#include <algorithm>

#include "elements/system/assembled_system.h"
#include "solver/unknowns.h"
#include "tests/discrete_deck.h"
#include "tests/invariants.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_linear_shells
{
namespace
{
/// Part of a cylinder of 3 x 2 cells, radius 1.
std::string panel(const std::string &geometry, const std::string &load = "", const std::string &shape = "quadrilaterals")
{
  return subsection("Mesh", "set Type = cylinder-panel\nset Subdivisions = 3, 2\nset Cell shape = " + shape + "\n" +
                                subsection("cylinder-panel", "set Radius = 1\nset Length = 1\nset Angles = -30, 30")) +
         subsection("Materials", subsection("stuff", "set Type = linear-elasticity\nset E = 100\nset nu = 0.3\nset Density = 2")) +
         subsection("Shells", subsection("skin",
                                         "set Thickness = 0.05 + 0.02*x\nset Material = stuff\nset Stiffness damping = 0.01\nset Offset = "
                                         "0.2\nset Geometry = " +
                                             geometry)) +
         (load.empty() ? "" : subsection("Loads", subsection("load", "set Type = " + load)));
}

/// How far a system is from V = ½ u·K u, over V at u: of V(2 u) from 4 V(u), of f from K u, of K from that at rest, of V''', and of the
/// discrete gradient from 0 to u from ½ K u.
std::array<double, 5> errors_of_linearity(const MechanicalSystem &system)
{
  const Vector rest = system.new_vector(), u = random(system, 1, 0.1), w = random(system, 2, 0.1);
  Vector f = rest, Ku = rest, Kw = rest, Kw_at_rest = rest, third = rest, gradient = rest;
  const double V = system.potential(u);
  system.internal_force(u, f);
  system.stiffness(rest, u, Ku);
  system.stiffness(u, w, Kw);
  system.stiffness(rest, w, Kw_at_rest);
  system.third_derivative(u, w, third);
  system.discrete_gradient(rest, u, gradient);
  return {std::abs(system.potential(moved(rest, 2., u)) - 4. * V) / V, distance(f, Ku) / Ku.l2_norm(),
          distance(Kw, Kw_at_rest) / Kw.l2_norm(), third.l2_norm() / Kw.l2_norm(), distance(gradient, moved(rest, 0.5, Ku)) / Ku.l2_norm()};
}
}  // namespace

TEST(LinearShells, EnergyIsQuadraticInDisplacements)
{
  for (const char *shape : {"quadrilaterals", "triangles"})
  {
    DiscreteDeck linear(panel("linear", "", shape)), other(panel("nonlinear", "", shape));
    EXPECT_TRUE(linear.system().has(Feature::linear));
    EXPECT_TRUE(linear.system().has(Feature::quadratic_energy));
    EXPECT_FALSE(linear.system().has(Feature::carried_stresses));
    EXPECT_FALSE(linear.system().has(Feature::nonlinear_damping));
    EXPECT_FALSE(other.system().has(Feature::linear));
    for (const double error : errors_of_linearity(linear.system()))
      EXPECT_LT(error, 1e-12) << shape;
    const auto control = errors_of_linearity(other.system());
    EXPECT_GT(*std::min_element(control.begin(), control.end()), 1e-3) << shape;
  }
}

/// Differences are exact where V is quadratic: f is the slope of V, K that of f. The matrix and its products agree.
TEST(LinearShells, Derivatives)
{
  DiscreteDeck deck(panel("linear"));
  const MechanicalSystem &system = deck.system();
  const Vector q = random(system, 1, 0.1), w = random(system, 2, 1.);
  Vector f = system.new_vector(), Kw = f, up = f, down = f;
  system.internal_force(q, f);
  system.stiffness(q, w, Kw);
  constexpr double h = 0.1;
  const double slope = (system.potential(moved(q, h, w)) - system.potential(moved(q, -h, w))) / (2. * h);
  EXPECT_NEAR(slope, f * w, 1e-10 * f.l2_norm() * w.l2_norm());
  system.internal_force(moved(q, h, w), up);
  system.internal_force(moved(q, -h, w), down);
  up -= down;
  up *= 1. / (2. * h);
  EXPECT_LT(distance(up, Kw), 1e-11 * Kw.l2_norm());
  expect_matrix_and_products(system, q, random(system, 4, 1.), random(system, 5, 0.1));
}

/// f·(q1 - q0) = V(q1) - V(q0), with f of neither end.
TEST(LinearShells, DiscreteGradientHasTheWorkOfTheEnergy)
{
  DiscreteDeck deck(panel("linear"));
  const MechanicalSystem &system = deck.system();
  const Vector q0 = random(system, 1, 0.1), q1 = random(system, 2, 0.1), step = moved(q1, -1., q0);
  Vector f = system.new_vector(), at_end = f;
  system.discrete_gradient(q0, q1, f);
  system.internal_force(q1, at_end);
  const double change = system.potential(q1) - system.potential(q0), scale = system.potential(q1);
  EXPECT_NEAR(f * step, change, 1e-12 * scale);
  EXPECT_GT(std::abs(at_end * step - change), 1e-2 * scale);
}

/// Its force differs from that of the nonlinear shell by the square of small displacements.
TEST(LinearShells, IsTheShellInSmallMotion)
{
  DiscreteDeck linear(panel("linear")), other(panel("nonlinear"));
  const Vector u = random(linear.system(), 1, 1.);
  Vector f = linear.system().new_vector(), exact = f;
  const auto error = [&](const double h) {
    const Vector q = moved(linear.system().new_vector(), h, u);
    linear.system().internal_force(q, f);
    other.system().internal_force(q, exact);
    return distance(f, exact);
  };
  expect_slope_two(error, 1e-3, false, 1e-9);
}

/// Infinitesimal rotations have no energy, finite ones have some: of the nonlinear shell it is the other way round.
TEST(LinearShells, RotationsStrain)
{
  DiscreteDeck linear(panel("linear")), other(panel("nonlinear"));
  const Vector rest = linear.system().new_vector();
  Vector xi = rest;
  linear.system().unknowns().generator(4, rest, xi);
  const double scale = linear.system().potential(random(linear.system(), 1, 0.1));
  EXPECT_LT(linear.system().potential(moved(rest, 1., xi)), 1e-20 * scale);
  EXPECT_GT(other.system().potential(moved(rest, 1., xi)), 1e-2 * scale);
  const double c = std::cos(0.5), s = std::sin(0.5);
  const auto turned = [&](DiscreteDeck &deck) {
    const Space &space = *dynamic_cast<const AssembledSystem &>(deck.system()).all_parts().space;
    Vector q = deck.system().new_vector();
    for (int site = 0; site < space.owned(); ++site)
    {
      const auto &X = space.position(site);
      q.local_element(3 * site) = c * X[0] + s * X[2] - X[0];
      q.local_element(3 * site + 2) = -s * X[0] + c * X[2] - X[2];
    }
    q.update_ghost_values();
    return deck.system().potential(q);
  };
  EXPECT_LT(turned(other), 1e-20);
  EXPECT_GT(turned(linear), 1e-2);
}

/// Loads of linear analyses do not depend on q: the system stays linear. Those that follow the shell do.
TEST(LinearShells, LoadsAtRest)
{
  const std::string moment = "set Boundary = x+\nset Moment = 0.3, -0.5, 0.7*t";
  for (const auto &[load, constant] : {std::pair{std::string("dead-pressure\nset Pressure = 3*t + x"), true},
                                       {"pressure\nset Pressure = 3*t + x", false},
                                       {"nodal-force\n" + moment + "\nset Geometry = linear", true},
                                       {"nodal-force\n" + moment, false},
                                       {"nodal-force\n" + moment + "\nset Follower = yes", false},
                                       {"nodal-force\nset Boundary = x+\nset Force = 1, x, t", true},
                                       {"edge-moment\nset Boundary = x+\nset Moment per length = 0, 1, 0\nset Geometry = linear", true}})
  {
    DiscreteDeck deck(panel("linear", load));
    const MechanicalSystem &system = deck.system();
    const Vector rest = system.new_vector(), q = random(system, 3, 0.1);
    Vector at_rest = rest, there = rest;
    system.applied_force(2., rest, rest, at_rest);
    system.applied_force(2., q, rest, there);
    EXPECT_EQ(system.has(Feature::linear), constant) << load;
    EXPECT_GT(at_rest.l2_norm(), 0.1) << load;
    if (constant)
      EXPECT_EQ(distance(at_rest, there), 0.) << load;
    else
      expect_load_tangent(system, 2., q, random(system, 2, 1.), load);
  }
}

/// Sums of forces and moments: each of the 4 nodes of an edge has the load, with its amplitude.
TEST(LinearShells, LoadsHaveTheirSums)
{
  const auto sums = [](const std::string &load) {
    DiscreteDeck deck(panel("linear", load));
    const MechanicalSystem &system = deck.system();
    const Vector q = system.new_vector();
    Vector f = q, xi = q;
    system.applied_force(2., q, q, f);
    std::vector<double> all;
    for (int i = 0; i < 6; ++i)
    {
      system.unknowns().generator(i, q, xi);
      all.push_back(f * xi);
    }
    return all;
  };
  EXPECT_NEAR(sums("nodal-force\nset Boundary = x+\nset Force = 0, 2*t, x\nset Amplitude = 3*t")[1], 4. * 4. * 6., 1e-12);
  EXPECT_NEAR(sums("nodal-force\nset Boundary = x+\nset Force = 0, 2*t, x\nset Amplitude = 3*t")[2], 4. * 6., 1e-12);
  EXPECT_NEAR(sums("nodal-force\nset Boundary = x+, phi-\nset Force = 1, 0, 0")[0], 6., 1e-12) << "the corner once";
  EXPECT_NEAR(sums("dead-pressure\nset Pressure = 5")[2], 5. * 1., 1e-13) << "the projected area";
  for (const char *geometry : {"linear", "nonlinear"})
    EXPECT_NEAR(sums(std::string("nodal-force\nset Boundary = x+\nset Moment = 2, 0, 0\nset Amplitude = t\nset Geometry = ") + geometry)[3],
                4. * 4., 1e-12)
        << geometry << ": about x, across all normals";
}

/// Gravity of all groups of a mesh is that of all masses; its forces are M g on places and on directors of a shell off its nodes.
TEST(LinearShells, GravityOfGroups)
{
  const auto forces = [](const std::string &more) {
    DiscreteDeck deck(panel("linear", "gravity\nset Acceleration = 1, -2, 3" + more));
    Vector f = deck.system().new_vector();
    deck.system().internal_force(deck.system().new_vector(), f);
    return f;
  };
  const Vector all = forces(""), of_group = forces("\nset Groups = shell");
  EXPECT_GT(all.l2_norm(), 0.01);
  EXPECT_LT(distance(all, of_group), 1e-14 * all.l2_norm());
}
}  // namespace symdyn::tests::in_linear_shells
