#include <gtest/gtest.h>

#include "elements/gram/director_nodes.h"
#include "elements/gram/gram_batches.h"
#include "elements/system/assembled_system.h"
#include "solver/diagnosis.h"
#include "solver/unknowns.h"
#include "tests/discrete_deck.h"
#include "tests/invariants.h"
#include "tests/scheme.h"
#include "tests/system_checks.h"

// Beams, and moments on them, as the systems of decks have them.
namespace symdyn::tests::in_beams_in_system
{
std::string point(const std::string &name, const std::string &position, const std::string &more = "set Mass = 0.1")
{
  return subsection(name, "set Position = " + position + "\n" + more);
}

std::string beam(const std::string &name, const std::string &from, const std::string &to, const std::string &more)
{
  return subsection(
      name, "set From = " + from + "\nset To = " + to +
                "\nset E = 1000\nset nu = 0.25\nset Section = rectangle\nset Size = 0.1, 0.2\nset Density = 2\nset Direction = 0.2, 0.1, "
                "1\n" +
                more);
}

/// Three beams that meet at an angle, one of them off its nodes; four of them are free.
std::string bent(const std::string &type, const std::string &mass, const std::string &more = "",
                 const std::string &of_foot = "set Mass = 0.1")
{
  const std::string each = "set Type = " + type + "\nset Elements = 2\n";
  return subsection("Elements", "set Mass = " + mass) +
         subsection("Points", point("foot", "0, 0, 0", of_foot) + point("knee", "1, 0, 0") + point("tip", "1, 1.2, 0.3") + more) +
         subsection("Beams", beam("leg", "foot", "knee", each) + beam("arm", "knee", "tip", each + "set Offset = 0.02, -0.01") +
                                 beam("antenna", "knee", "1, -0.2, 0.9", each));
}

const AssembledSystem &assembled(DiscreteDeck &deck) { return dynamic_cast<const AssembledSystem &>(deck.system()); }

TEST(BeamsInSystem, ForceIsTheGradientOfVAndSoOn)
{
  for (const char *type : {"B31", "B32"})
  {
    DiscreteDeck deck(bent(type, "consistent"));
    const MechanicalSystem &system = deck.system();
    EXPECT_TRUE(system.has(Feature::quadratic_energy));
    EXPECT_TRUE(system.has(Feature::momentum_gradient));
    EXPECT_FALSE(system.has(Feature::diagonal_mass));
    const Vector q = random(system, 1, 0.05), w = random(system, 2, 0.05), other = random(system, 3, 0.05);
    Vector f = system.new_vector();
    system.third_derivative(q, other, f);
    expect_derivatives(system, q, w, other, 0.4, Part::all, 1e-9 * f.l2_norm());
    system.discrete_gradient(q, other, f);
    const double change = system.potential(other) - system.potential(q);
    EXPECT_NEAR(f * moved(other, -1., q), change, 1e-12 * system.potential(other));
  }
}

/// Turned and moved as a whole, directors too, there is no force; and with a director left behind there is.
TEST(BeamsInSystem, ARigidRotationIsFreeOfForce)
{
  DiscreteDeck deck(bent("B32", "lumped"));
  const AssembledSystem &system = assembled(deck);
  const Space &space = *system.all_parts().space;
  EXPECT_EQ(space.owned(), 3 + 3 * 4 - 2 + 2 * (3 * 4) + 3) << "the knee has three directors, all others two";
  const double c = std::cos(2.), s = std::sin(2.);
  Vector q = system.new_vector(), f = q;
  for (int site = 0; site < space.owned(); ++site)
  {
    const auto &X = space.position(site);
    const std::array<double, 3> turned{c * X[0] - s * X[1], X[2], -s * X[0] - c * X[1]};
    for (int d = 0; d < 3; ++d)
      q.local_element(3 * site + d) = turned[d] - X[d] + (space.is_director(site) ? 0. : 7.);
  }
  system.internal_force(q, f);
  EXPECT_LT(f.linfty_norm(), 1e-11);
  q.local_element(3 * (space.owned() - 1)) += 0.1;
  system.internal_force(q, f);
  EXPECT_GT(f.linfty_norm(), 0.01);
}

TEST(BeamsInSystem, MatrixAndProductsAgree)
{
  for (const char *mass : {"consistent", "lumped"})
    for (const char *solver : {"dense", "mumps", "automatic"})
    {
      DiscreteDeck deck(bent("B32", mass) + "subsection Linear solver\nset Type = " + solver + "\nset Tolerance = 1e-13\nend\n");
      const MechanicalSystem &system = deck.system();
      const Vector q = random(system, 1, 0.02), x = random(system, 2, 1.), other = random(system, 3, 0.02);
      SCOPED_TRACE(std::string(solver) + " " + mass);
      expect_matrix_and_products(system, q, x, other);
    }
}

/// Momentum of a translation is the mass times it; of a rotation the inertia about the origin: both see the pairs of a consistent mass.
TEST(BeamsInSystem, MassesMoveAndTurn)
{
  for (const char *mass : {"consistent", "lumped"})
  {
    DiscreteDeck deck(subsection("Points", point("a", "0, 0, 0") + point("b", "0, 0, 2")) + subsection("Beams", beam("rod", "a", "b", "")) +
                      subsection("Elements", std::string("set Mass = ") + mass));
    const MechanicalSystem &system = deck.system();
    const double of_rod = 2. * 0.1 * 0.2 * 2., length = 2.;
    Vector xi = system.new_vector(), p = xi, v = xi;
    const auto twice_energy = [&](const int generator) {
      system.unknowns().generator(generator, system.new_vector(), xi);
      system.mass(xi, p);
      return xi * p;
    };
    EXPECT_NEAR(twice_energy(0), of_rod + 0.2, 1e-12);
    const double side = 0.1 * length * length + of_rod * length * length / 3., direction_1 = of_rod / 12.;
    EXPECT_NEAR(twice_energy(5), direction_1 * (0.01 + 0.04), 1e-13) << "about its axis";
    const double slender = twice_energy(3) + twice_energy(4);
    EXPECT_NEAR(slender, 2. * side + direction_1 * (0.01 + 0.04), std::string(mass) == "lumped" ? 0.02 * side : 1e-12);
    system.unknowns().generator(3, system.new_vector(), xi);
    system.mass(xi, p);
    system.mass_solve(p, v);
    EXPECT_LT(distance(v, xi), 1e-9 * xi.l2_norm());
  }
}

TEST(BeamsInSystem, EnergyAndMomentaAreKept)
{
  DiscreteDeck deck(bent("B32", "consistent"));
  const MechanicalSystem &system = deck.system();
  State start = deck.start();
  start.v = random(system, 5, 0.05);
  Vector spin = system.new_vector();
  system.unknowns().generator(5, start.q, spin);
  start.v.add(0.5, spin);
  start.v.update_ghost_values();
  const std::vector<double> before = momenta(system, start);
  for (const char *name : {"midpoint", "discrete-gradient", "simo-tarnow"})
  {
    const Scheme scheme(name);
    const State end = scheme.run(system, start, 0.02, 50);
    EXPECT_GT(distance(end.q, start.q), 0.2) << name;
    const std::vector<double> after = momenta(system, end);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_NEAR(after[i], before[i], 1e-11) << name << i;
    if (scheme.name != "midpoint")
    {
      EXPECT_NEAR(energy(system, end), energy(system, start), 1e-9 * energy(system, start)) << name;
    }
  }
}

/// The work of a moment m on a rotation theta is m·theta, with two directors and with three; its matrix is its derivative.
TEST(BeamsInSystem, MomentsDoTheirWork)
{
  for (const char *at : {"tip", "knee"})
    for (const char *follower : {"no", "yes"})
    {
      DiscreteDeck deck(bent("B31", "lumped") +
                        subsection("Moments", subsection("twist", std::string("set At = ") + at +
                                                                      "\nset Moment = 0.3, -0.5, 0.7*t\nset Follower = " + follower)));
      const MechanicalSystem &system = deck.system();
      const Vector q = system.new_vector(), x = random(system, 2, 1.);
      Vector f = q, xi = q;
      system.applied_force(2., q, q, f);
      const double m[] = {0.3, -0.5, 1.4};
      for (int axis = 0; axis < 3; ++axis)
      {
        system.unknowns().generator(axis, q, xi);
        EXPECT_NEAR(f * xi, 0., 1e-14) << "no force";
        system.unknowns().generator(3 + axis, q, xi);
        EXPECT_NEAR(f * xi, m[axis], 1e-13) << at << axis;
      }
      expect_load_tangent(system, 2., random(system, 3, 0.1), x, std::string(at) + follower);
    }
}

/// The sum of the forces of the weight is the mass times g, and its work that of the fall.
TEST(BeamsInSystem, BeamsWeigh)
{
  DiscreteDeck deck(bent("B32", "consistent", "set Gravity = 0, 0, -10\n"));
  const MechanicalSystem &system = deck.system();
  EXPECT_TRUE(system.has(Feature::gravity));
  Vector f = system.new_vector(), xi = f, rest = f, p = f;
  system.internal_force(rest, f);
  system.unknowns().generator(2, rest, xi);
  system.mass(xi, p);
  EXPECT_NEAR(f * xi, 10. * (xi * p), 1e-12);
  EXPECT_NEAR(system.potential(moved(rest, 2., xi)) - system.potential(rest), 20. * (xi * p), 1e-11);
}

/// Energies round by that of a strain of 1, however fine the elements are.
TEST(BeamsInSystem, RoundingDoesNotDependOnTheElements)
{
  const auto rounding = [](const std::string &elements) {
    DiscreteDeck deck(subsection("Points", point("a", "0, 0, 0") + point("b", "0, 0, 2")) +
                      subsection("Beams", beam("rod", "a", "b", "set Elements = " + elements)));
    return deck.system().diagnosis().potential_rounding();
  };
  const double of_strain = 1000. * 0.1 * 0.2 * 2.;  // E A L
  for (const char *elements : {"1", "10", "100"})
  {
    EXPECT_GT(rounding(elements), 2e-16 * of_strain) << elements;
    EXPECT_LT(rounding(elements), 2e-15 * of_strain) << elements;
  }
}
}  // namespace symdyn::tests::in_beams_in_system

namespace symdyn::tests
{
/// Batches of equal elements keep D once; rounding is no difference, a stiffness is.
TEST(GramBatches, EqualElementsShareD)
{
  constexpr int sites = 5 * lanes;
  const auto of_sites = std::make_shared<const dealii::Utilities::MPI::Partitioner>(sites);
  const Space space(3, of_sites, expanded(*of_sites, 3), std::vector<Space::Place>(sites, {0., 0., 1.}), std::vector<char>(sites, 1),
                    std::vector<std::uint64_t>(3 * sites, 0));
  GramBatches batches(director_model(1, 2.), {{{0, 1.}}});
  int site = 0;
  for (const double stiffness : {2., 2., 2. * (1. + 4e-15), 3., 2.})
    for (int lane = 0; lane < lanes; ++lane, ++site)
      batches.add(director_model(1, stiffness), {{{site, 1.}}}, true, space);
  batches.close();
  ASSERT_EQ(batches.batches(), 5);
  EXPECT_EQ(batches.D(1), batches.D(0));
  EXPECT_EQ(batches.D(2), batches.D(0));
  EXPECT_NE(batches.D(3), batches.D(0));
  EXPECT_NE(batches.D(4), batches.D(3));
  EXPECT_DOUBLE_EQ(batches.D(3)[0][0], 1.5 * batches.D(0)[0][0]);
  EXPECT_DOUBLE_EQ(batches.D(4)[0][0], batches.D(0)[0][0]);
}
}  // namespace symdyn::tests
