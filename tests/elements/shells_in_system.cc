// A shell as a deck describes it, in its system: derivatives, loads, rotations that are held, starts.
#include <gtest/gtest.h>

#include "elements/shells/drilling.h"
#include "elements/system/assembled_system.h"
#include "solver/diagnosis.h"
#include "solver/unknowns.h"
#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/gram_element.h"
#include "tests/invariants.h"
#include "tests/scheme.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_shells_in_system
{
namespace
{
/// Part of a cylinder of 3 x 2 cells, radius 1, with a rib along one edge.
std::string panel(const std::string &mass, const std::string &more = "", const std::string &shape = "quadrilaterals")
{
  return subsection("Mesh", "set Type = cylinder-panel\nset Subdivisions = 3, 2\nset Cell shape = " + shape + "\n" +
                                subsection("cylinder-panel", "set Radius = 1\nset Length = 1\nset Angles = -30, 30")) +
         subsection("Materials", subsection("stuff", "set Type = linear-elasticity\nset E = 100\nset nu = 0.3\nset Density = 2")) +
         subsection("Shells", subsection("skin", "set Thickness = 0.05 + 0.02*x\nset Material = stuff\nset Stiffness damping = 0.01")) +
         subsection("Beams", subsection("rib",
                                        "set From = 0, -0.5, 0.8660254037844387\nset To = 1, -0.5, 0.8660254037844387\nset Elements = "
                                        "1\nset Direction = 0, 0, 1\nset Size = 0.1, 0.1\nset Material = stuff")) +
         subsection("Elements", "set Mass = " + mass) + more;
}
std::string loaded(const std::string &load) { return panel("consistent", subsection("Loads", subsection("load", "set Type = " + load))); }
}  // namespace

TEST(ShellsInSystem, Derivatives)
{
  for (const char *shape : {"quadrilaterals", "triangles"})
  {
    DiscreteDeck deck(panel("consistent", "", shape));
    const MechanicalSystem &system = deck.system();
    const Vector q = random(system, 1, 0.1);
    expect_derivatives(system, q, random(system, 2, 1.), random(system, 3, 1.), 0.1, Part::all, 1e-9);
    expect_matrix_and_products(system, q, random(system, 4, 1.), random(system, 5, 0.1));
  }
}

/// A tangent with stresses from the iterate before is that of the present where both are one, and its matrix and products agree elsewhere.
TEST(ShellsInSystem, CarriedStresses)
{
  DiscreteDeck deck(panel("consistent"));
  const MechanicalSystem &system = deck.system();
  ASSERT_TRUE(system.has(Feature::carried_stresses));
  const Vector q = random(system, 1, 0.1), before = random(system, 2, 0.1), x = random(system, 3, 1.);
  Vector plain = q, same = q, carried = q, found = q;
  const LinearTerm term{M + K, 0., &q, &q};
  system.factor({term})->multiply(x, plain);
  LinearTerm at_rest = term, moved_on = term;
  at_rest.before = &q;
  moved_on.before = &before;
  system.factor({at_rest})->multiply(x, same);
  EXPECT_LT(distance(same, plain), 1e-13 * plain.l2_norm());
  const auto A = system.factor({moved_on});
  A->multiply(x, carried);
  EXPECT_GT(distance(carried, plain), 1e-4 * plain.l2_norm());
  A->solve(carried, found, 1e-13);
  EXPECT_LT(distance(found, x), 1e-8 * x.l2_norm());
}

TEST(ShellsInSystem, LoadsHaveTangents)
{
  const std::string moment = "edge-moment\nset Boundary = x+\nset Moment per length = 0.3, -0.5, 0.7*t";
  for (const std::string &load : {std::string("pressure\nset Pressure = 3*t + x"), moment, moment + "\nset Follower = yes"})
  {
    DiscreteDeck deck(loaded(load));
    const MechanicalSystem &system = deck.system();
    expect_load_tangent(system, 2., random(system, 3, 0.1), random(system, 2, 1.), load);
  }
}

/// Sums of the forces and moments of loads: areas and lengths of the chords.
TEST(ShellsInSystem, LoadsHaveTheirSums)
{
  const double chord = 2. * std::sin(M_PI / 18.), length = 3. * chord, r = std::cos(M_PI / 18.);
  const auto sums = [](const std::string &load) {
    DiscreteDeck deck(loaded(load));
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
  EXPECT_NEAR(sums("traction\nset Traction = 0, 2, -1*t")[1], 2. * length, 1e-13);
  EXPECT_NEAR(sums("traction\nset Traction = 0, 2, -1*t")[2], -2. * length, 1e-13);
  EXPECT_NEAR(sums("pressure\nset Pressure = 5")[2], 5. * 1., 1e-13) << "the projected area";
  EXPECT_NEAR(sums("pressure\nset Pressure = 5")[1], 0., 1e-13);
  EXPECT_NEAR(sums("edge-traction\nset Boundary = x+\nset Force per length = 3, 0, 0")[0], 3. * length, 1e-13);
  EXPECT_NEAR(sums("edge-traction\nset Boundary = x+\nset Force per length = 3, 0, 0")[4], 3. * chord * r * (1. + 2. * std::cos(M_PI / 9.)),
              1e-12)
      << "about y: z times the force, z of the middles of the chords";
  EXPECT_NEAR(sums("edge-moment\nset Boundary = x+\nset Moment per length = 2, 0, 0")[3], 2. * length, 1e-13)
      << "about x, across all normals";
}

/// Moments on smooth shells, which follow or do not: tangents, and the work m·theta on rotations across the normals.
TEST(ShellsInSystem, MomentsOnSmoothShells)
{
  for (const char *follower : {"no", "yes"})
  {
    DiscreteDeck deck(
        subsection("Mesh", "set Type = plate\nset Subdivisions = 2, 2") +
        subsection("Materials", subsection("stuff", "set Type = linear-elasticity\nset E = 100\nset nu = 0.3\nset Density = 2")) +
        subsection("Shells", subsection("skin", "set Thickness = 0.05\nset Material = stuff")) +
        subsection("Loads", subsection("load", std::string("set Type = edge-moment\nset Boundary = x+\nset Moment per length = 0.3, "
                                                           "-0.5, 0.7*t\nset Follower = ") +
                                                   follower)));
    const MechanicalSystem &system = deck.system();
    const Vector q = system.new_vector(), there = random(system, 3, 0.1);
    Vector f = q, xi = q;
    system.applied_force(2., q, q, f);
    const double m[] = {0.3, -0.5};
    for (int axis = 0; axis < 2; ++axis)
    {
      system.unknowns().generator(3 + axis, q, xi);
      EXPECT_NEAR(f * xi, m[axis], 1e-13) << follower << axis;
    }
    system.applied_force(2., there, q, f);
    EXPECT_GT(f.l2_norm(), 0.1) << follower;
    expect_load_tangent(system, 2., there, random(system, 2, 1.), follower);
  }
}

/// A director of 2.5 times its length makes a state inadmissible; the message has its place.
TEST(ShellsInSystem, DirectorsStayInBounds)
{
  DiscreteDeck deck(panel("consistent"));
  const auto &system = dynamic_cast<const AssembledSystem &>(deck.system());
  const Space &space = *system.all_parts().space;
  Vector q = system.new_vector(), f = q;
  EXPECT_TRUE(system.internal_force(q, f).admissible());
  for (const auto &[factor, fits] : {std::pair{0.9, true}, {1.5, false}, {-0.6, false}})
  {
    q = 0.;
    for (int site = 0; site < space.owned(); ++site)
      for (int d = 0; d < 3 && space.is_director(site); ++d)
        q.local_element(3 * site + d) = factor * space.position(site)[d];
    q.update_ghost_values();
    EXPECT_EQ(system.internal_force(q, f).admissible(), fits) << factor;
    EXPECT_EQ(system.diagnosis().diagnose(q).find("must stay in [0.5, 2]") != std::string::npos, !fits) << system.diagnosis().diagnose(q);
  }
}

/// A rotation and its generator: directors turn with it at the start, whatever the field of velocities is that makes it.
TEST(ShellsInSystem, StartsAsARotation)
{
  DiscreteDeck deck(
      panel("consistent", subsection("Initial conditions", "set Velocity = 1 + 0.3*z - 0.2*y, 0.2*x - 0.1*z, 0.1*y - 0.3*x")));
  const MechanicalSystem &system = deck.system();
  const State state = deck.start();
  Vector xi = system.new_vector(), v = xi;
  for (const auto &[i, factor] : {std::pair{0, 1.}, {3, 0.1}, {4, 0.3}, {5, 0.2}})
  {
    system.unknowns().generator(i, state.q, xi);
    v.add(factor, xi);
  }
  EXPECT_LT(distance(v, state.v), 1e-14 * v.l2_norm());
}

/// Mass of a translation: rho t A of the chords, and the rib.
TEST(ShellsInSystem, MassOfATranslation)
{
  for (const char *mass : {"consistent", "lumped"})
  {
    DiscreteDeck deck(panel(mass));
    const MechanicalSystem &system = deck.system();
    Vector xi = system.new_vector(), p = xi;
    system.unknowns().generator(1, xi, xi);
    system.mass(xi, p);
    const double chord = 2. * std::sin(M_PI / 18.), of_rib = 2. * 0.01;
    EXPECT_NEAR(xi * p, 2. * 3. * chord * 0.06 + of_rib, 1e-13) << mass;
  }
}

namespace
{
/// A plate of 2 m x 2 m x 0.05 m of 2 x 2 cells, a column of circular section under its middle.
std::string on_a_column(const std::string &shape, const std::string &geometry = "nonlinear", const std::string &of_column = "")
{
  const std::string kind = "\nset Geometry = " + geometry + "\n";
  return subsection("Mesh", "set Type = plate\nset Subdivisions = 2, 2\nset Cell shape = " + shape + "\n" +
                                subsection("plate", "set Size = 2, 2")) +
         subsection("Materials", subsection("stuff", "set Type = linear-elasticity\nset E = 100\nset nu = 0.25\nset Density = 2")) +
         subsection("Shells", subsection("skin", "set Thickness = 0.05\nset Material = stuff" + kind)) +
         subsection("Beams", subsection("column",
                                        "set From = 1, 1, -1\nset To = 1, 1, 0\nset Elements = 1\nset Type = B31\nset Direction = 1, 0, 0\n"
                                        "set Section = circle\nset Size = 0.1\nset Material = stuff" +
                                            kind + of_column));
}
/// The state in which vectors at rest become f(vector, is a director).
template <class Function>
Vector state_of(const MechanicalSystem &system, const Function &f)
{
  const Space &space = *dynamic_cast<const AssembledSystem &>(system).all_parts().space;
  Vector q = system.new_vector();
  for (int site = 0; site < space.owned(); ++site)
  {
    const GramVector X = space.position(site), y = f(X, space.is_director(site));
    for (int d = 0; d < 3; ++d)
      q.local_element(3 * site + d) = y[d] - X[d];
  }
  q.update_ghost_values();
  return q;
}
GramVector about_z(const double angle, const GramVector &v)
{
  return {std::cos(angle) * v[0] - std::sin(angle) * v[1], std::sin(angle) * v[0] + std::cos(angle) * v[1], v[2]};
}
/// About z by 2 rad, then about x by 1 rad.
GramVector turned(const GramVector &v)
{
  const GramVector w = about_z(2., v), cycled = about_z(1., {w[1], w[2], w[0]});
  return {cycled[2], cycled[0], cycled[1]};
}
/// Distorted cells of 3, 4, 6 and 8 nodes in a plane.
GramVectors places_of_cell(const int nodes)
{
  GramVectors Y = nodes % 3 == 0 ? GramVectors{{0, 0, 0}, {1.3, 0.1, 0}, {-0.2, 0.7, 0}}
                                 : GramVectors{{0, 0, 0}, {1.3, 0.1, 0}, {1.1, 0.9, 0}, {-0.2, 0.7, 0}};
  for (std::size_t a = 0, corners = Y.size(); a < corners && nodes > 4; ++a)
    Y.push_back(combination(scaled(0.5, Y[a]), 0.5, Y[(a + 1) % corners]));
  return Y;
}
}  // namespace

/// V = ½ A_33 A eps² with eps = ½ tr U sin(angle) where the directors lag behind a uniform strain by an angle; nothing where they do not.
TEST(ShellDrilling, MeasuresTheAngleToTheMeanRotation)
{
  const ShellSection section = isotropic_section(3., 0.2, 0.1, 0.02, 1.);
  const GramVector U_x{1.2, 0.15, 0.}, U_y{0.15, 0.7, 0.};
  for (const int nodes : {3, 4, 6, 8})
    for (int node = 0; node < nodes; ++node)
    {
      GramVectors rest = places_of_cell(nodes), Y = rest, y;
      rest.resize(2 * nodes, {0., 0., 1.});
      const ShellDrilling drilling = shell_drilling(section, rest, node, 0.4);
      Y.insert(Y.end(), drilling.tangents.begin(), drilling.tangents.end());
      const GramElement element(drilling.model, Y);
      for (const double angle : {0., 0.3})
      {
        y.clear();
        for (std::size_t a = 0; a < Y.size(); ++a)
          y.push_back(turned(int(a) < nodes ? combination(scaled(Y[a][0], U_x), Y[a][1], U_y) : about_z(angle, Y[a])));
        const double eps = 0.5 * (1.2 + 0.7) * std::sin(angle);
        EXPECT_NEAR(element.energy(y), 0.5 * 1.25 * 0.1 * 0.4 * eps * eps, 1e-15) << nodes << " " << node << " " << angle;
      }
    }
}

/// A column that turns about its axis under a plate at rest has the energy of the term alone, ½ G t A sin²; linear: of the square of the
/// angle. Without a stiff joint it has none.
TEST(ShellDrilling, HoldsTheSpinOfAColumn)
{
  const double angle = 0.2, k = 40. * 0.05 * 1.;
  const auto spun = [&](const std::string &shape, const std::string &geometry, const std::string &of_column) {
    DiscreteDeck deck(on_a_column(shape, geometry, of_column));
    const MechanicalSystem &system = deck.system();
    return system.potential(state_of(system, [&](const GramVector &X, const bool director) {
      const GramVector turned = geometry == "linear" ? combination(X, angle, cross(GramVector{0., 0., 1.}, X)) : about_z(angle, X);
      return director ? turned : X;
    }));
  };
  EXPECT_NEAR(spun("quadrilaterals", "nonlinear", ""), 0.5 * k * std::pow(std::sin(angle), 2), 1e-14);
  EXPECT_NEAR(spun("quadrilaterals", "linear", ""), 0.5 * k * angle * angle, 1e-14);
  EXPECT_GT(spun("triangles", "nonlinear", ""), 0.1 * k * angle * angle);
  EXPECT_NEAR(spun("quadrilaterals", "nonlinear", "set Release at To = torsion"), 0., 1e-14);
}

/// A rotation of the whole costs nothing; V, its derivatives, and matrices of a plate on a column.
TEST(ShellDrilling, IsAnEnergyOfTheStructure)
{
  for (const char *shape : {"quadrilaterals", "triangles"})
  {
    DiscreteDeck deck(on_a_column(shape));
    const MechanicalSystem &system = deck.system();
    const Vector moved = state_of(system, [](const GramVector &X, const bool director) {
      return director ? turned(X) : combination(turned(X), 1., GramVector{3., -2., 1.});
    });
    EXPECT_NEAR(system.potential(moved), 0., 1e-13);
    Vector f = moved;
    system.internal_force(moved, f);
    EXPECT_LT(f.linfty_norm(), 1e-13);
    const Vector q = random(system, 1, 0.1);
    expect_derivatives(system, q, random(system, 2, 1.), random(system, 3, 1.), 0.1, Part::all, 1e-9);
    expect_matrix_and_products(system, q, random(system, 4, 1.), random(system, 5, 0.1));
  }
}
}  // namespace symdyn::tests::in_shells_in_system
