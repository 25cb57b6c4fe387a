// Tests of the elements with directors in directors.cc.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/unknowns.h"
#include "tests/bodies.h"
#include "tests/invariants.h"
#include "tests/linear_decks.h"
#include "tests/scheme.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_newcomer_directors_tests
{

const std::string mast = "set From = 1, 1, 1\nset To = 1.2, 1, 2\nset Elements = 3\nset Mass = 0.6";

std::string one_hexahedron(const std::string &mass = "lumped", const std::string &more = "")
{
  return subsection("Mesh", "set Cells = 1, 1, 1") + made_of("st-venant-kirchhoff", 3.) + subsection("Elements", "set Mass = " + mass) +
         subsection("Director bars", subsection("mast", mast)) + more;
}

const Space &space_of(const AssembledSystem &system) { return *system.all_parts().space; }

/// A rotation of everything, of directors too.
TEST(NewcomerDirectors, ARigidRotationIsFreeOfForce)
{
  Body<3> body(one_hexahedron());
  const AssembledSystem &system = body.system();
  const Space &space = space_of(system);
  EXPECT_EQ(space.owned(), 8 + 3 + 4);
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
  EXPECT_LT(f.linfty_norm(), 1e-12 * 1000.);
  EXPECT_LT(system.potential(q), 1e-20);
  q.local_element(3 * 12) += 0.1;
  system.internal_force(q, f);
  EXPECT_GT(f.linfty_norm(), 0.1) << "negative control: this displacement has a force";
}

TEST(NewcomerDirectors, ForceIsTheGradientOfVAndSoOn)
{
  for (const char *mass : {"lumped", "consistent"})
  {
    Body<3> body(one_hexahedron(mass));
    const AssembledSystem &system = body.system();
    const Vector q = random(system, 1, 0.1), w = random(system, 2, 0.1), other = random(system, 3, 0.1);
    Vector f = system.new_vector();
    system.third_derivative(q, other, f);
    expect_derivatives(system, q, w, other, 0.4, Part::all, 1e-10 * f.l2_norm());  // V has the fourth degree
    system.discrete_gradient(q, other, f);
    EXPECT_NEAR(f * moved(other, -1., q), system.potential(other) - system.potential(q), 1e-12 * system.potential(other));
  }
}

TEST(NewcomerDirectors, MatrixAndProductsAgree)
{
  for (const char *mass : {"lumped", "consistent"})
    for (const char *solver : {"dense", "mumps", "automatic"})
    {
      Body<3> body(one_hexahedron(mass, subsection("Linear solver", "set Type = " + std::string(solver) + "\nset Tolerance = 1e-13")));
      const AssembledSystem &system = body.system();
      const Vector q = random(system, 1, 0.02), x = random(system, 2, 1.), other = random(system, 3, 0.02);
      SCOPED_TRACE(std::string(solver) + " " + mass);
      expect_matrix_and_products(system, q, x, other);
    }
}

State thrown(const AssembledSystem &system)
{
  State state;
  state.q = state.a = system.new_vector();
  state.v = random(system, 5, 0.3);
  Vector spin = system.new_vector();
  system.unknowns().generator(5, state.q, spin);
  state.v.add(0.5, spin);
  state.v.update_ghost_values();
  return state;
}

TEST(NewcomerDirectors, MidpointAndTheDiscreteGradientKeepTheMomenta)
{
  Body<3> body(one_hexahedron());
  const AssembledSystem &system = body.system();
  const State start = thrown(system);
  const std::vector<double> before = momenta(system, start);
  for (const char *name : {"midpoint", "discrete-gradient"})
  {
    const Scheme scheme(name);
    const State end = scheme.run(system, start, 0.02, 50);
    EXPECT_GT(distance(end.q, start.q), 0.5);
    const std::vector<double> after = momenta(system, end);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_NEAR(after[i], before[i], 1e-12) << name << i;
    if (scheme.name == "discrete-gradient")
    {
      EXPECT_NEAR(energy(system, end), energy(system, start), 1e-10 * energy(system, start));
    }
  }
}

const std::string swing = subsection("Supports", subsection("wall", "set Boundary = x-")) +
                          subsection("Loads", subsection("push", "set Type = traction\nset Boundary = x+\nset Traction = 0, 3, 0")) +
                          "subsection Time\n  set Time step = 0.05\n  set End time = 0.5\nend\n";

TEST(NewcomerDirectors, StandInADeck)
{
  const Folder folder;
  const Outcome run = run_well(folder, one_hexahedron("consistent", swing));
  EXPECT_GT(std::abs(run.history.last("mast.u_x")), 1e-6);
  CommandLine line;
  line.command = "check";
  line.deck = folder / "deck.prm";
  const Outcome check = in_child(folder, [&] { return symdyn_run_command(&line); });
  EXPECT_EQ(has(check.terminal, "Director bars: mast, 3 elements with directors"), "");
  EXPECT_EQ(has(check.terminal, "11 nodes, 45 degrees of freedom"), "");
}

TEST(NewcomerDirectors, TheirErrorsNameThePlace)
{
  const std::string deck = one_hexahedron("lumped", swing);
  const auto with = [&](const std::string &name, const std::string &entries) {
    return deck + subsection("Director bars", subsection(name, entries));
  };
  const std::size_t line = std::count(deck.begin(), deck.end(), '\n') + 3;
  expect_refused(with("boom", "set From = 1, 1, 1.2\nset To = 1, 1, 3"),
                 fmt::format("deck.prm:{} [Director bars/boom] From = 1, 1, 1.2: is no node of the body. The nearest is (1, 1, 1)", line));
  expect_refused(with("boom", "set From = 1, 2\nset To = 1, 1, 3"),
                 fmt::format("deck.prm:{} [Director bars/boom] From = 1, 2: needs three numbers", line));
  expect_refused(with("mast", "set Elemnts = 2"), fmt::format("deck.prm:{}: unknown entry 'Elemnts'", line));
  expect_refused(deck + "subsection Director bars two\nend\n", "'Director bars'");
}
}  // namespace symdyn::tests::in_newcomer_directors_tests
