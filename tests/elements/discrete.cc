// Points and bars: V and its derivatives belong together, factors, features, errors of decks.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/diagnosis.h"
#include "solver/unknowns.h"
#include "tests/bodies.h"
#include "tests/discrete_checks.h"
#include "tests/discrete_deck.h"
#include "tests/input.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_discrete
{
namespace
{
/// Free in space: bars of both laws and a potential of distances, so that all momenta are kept.
const std::string free_points =
    "subsection Points\nset Report = a\n"
    "subsection a\nset Mass = 1\nset Position = 0, 0, 0\nset Velocity = 0.3, -0.1, 0.2\nend\n"
    "subsection b\nset Mass = 3\nset Position = 1, 0.1, 0\nset Velocity = 0, 0.4, 0.1\nend\n"
    "subsection row\nset Count = 2\nset Mass = 0.5\nset Position = i, 1 - 0.3*i, 0.5*i^2\nset Displacement = 0.1*x, 0.02*i, -0.1\n"
    "set Velocity = 0.1*y, 0, i\nend\nend\n"
    "subsection Bars\n"
    "subsection rod\nset From = a\nset To = b\nset EA = 8\nend\n"
    "subsection web\nset From = b\nset To = row\nset Law = squared\nset Stiffness = 2\nset Length = 0.9\nset Stiff = yes\nend\nend\n";
/// Held, heavy, damped and driven, with formulas of one, of each and of pairs of points.
const std::string rich_points =
    "subsection Points\nset Gravity = 0, 0.5, -9.81\n"
    "subsection wall\nset Fixed = yes\nset Position = 0.2, 0.1, 2\nend\n"
    "subsection a\nset Mass = 1\nset Position = 0, 0, 0\nend\n"
    "subsection b\nset Mass = 3\nset Position = 1, 0.1, 0\nend\n"
    "subsection row\nset Count = 3\nset Mass = 0.5\nset Position = i, 1 - 0.3*i, 0.5*i^2\nend\nend\n"
    "subsection Bars\n"
    "subsection hanger\nset From = a\nset To = wall\nset EA = 80\nend\n"
    "subsection stay\nset From = row\nset To = ground\nset Anchor = 0, 2, 1\nset Law = squared\nset Stiffness = 2\nset Stiff = yes\nend\n"
    "subsection chain\nset From = row\nset To = row\nset Offset = 1\nset Cyclic = yes\nset EA = 5\nend\nend\n"
    "subsection Dashpots\nsubsection drag\nset Points = a, row\nset Coefficient = 0.3\nend\nend\n"
    "subsection Forces\nsubsection push\nset Points = b\nset Force = sin(t), 2, 0\nend\nend\n"
    "subsection Potentials\n"
    "subsection one\nset Expression = exp(0.3*a.x*b.z) + cos(a.y - b.y)*a.z + sqrt(1 + row1.x^2)\nset Stiff = yes\nend\n"
    "subsection each\nset Points = row, b\nset Expression = 0.2*x^4 + x*y*z^2\nend\n"
    "subsection pairs\nset From = a\nset To = row\nset Expression = 1/sqrt(0.1 + (from.x - to.x)^2 + (from.y - to.y)^2 + (from.z - to.z)^2)\nend\n"
    "end\n";

std::string error_of(const std::string &text)
{
  return message([&] { DiscreteDeck deck(text); });
}

/// `text` with `from` replaced by `to`.
std::string with(std::string text, const std::string &from, const std::string &to)
{
  const std::size_t at = text.find(from);
  if (at == std::string::npos)
    throw std::logic_error("no '" + from + "'");
  return text.replace(at, from.size(), to);
}
}  // namespace

TEST(Discrete, DerivativesHaveSlopeTwo)
{
  for (const std::string &text : {free_points, rich_points, pendulum_deck(), ring_well_deck()})
  {
    DiscreteDeck deck(text);
    const Vector q = Random(3).vector(deck.start().q, 0.2);
    expect_derivatives(deck.system(), q, Part::all, text == free_points || text == pendulum_deck());
  }
  DiscreteDeck deck(rich_points);
  expect_derivatives(deck.system(), Random(3).vector(deck.start().q, 0.2), Part::stiff, false);
}

TEST(Discrete, DiscreteGradientKeepsEnergyAndOfBarsTheMomenta)
{
  for (const std::string &text : {free_points, rich_points, ring_well_deck()})
  {
    DiscreteDeck deck(text);
    const MechanicalSystem &system = deck.system();
    const Vector q0 = Random(3).vector(deck.start().q, 0.2);
    for (const double size : {0.5, 1e-2, 1e-5, 1e-8, 0.})
    {
      const Vector q1 = moved(q0, size, Random(6).vector(q0, 1.));
      Vector f = system.new_vector();
      system.discrete_gradient(q0, q1, f);
      const double V0 = system.potential(q0), V1 = system.potential(q1);
      EXPECT_NEAR(f * moved(q1, -1., q0), V1 - V0, 1e-14 * (1. + std::abs(V0) + std::abs(V1)) * 20.) << size;
    }
  }
  DiscreteDeck deck(free_points);
  const MechanicalSystem &system = deck.system();
  const Vector q0 = Random(3).vector(deck.start().q, 0.2), q1 = Random(7).vector(q0, 0.4);
  Vector f = system.new_vector(), xi = f;
  system.discrete_gradient(q0, q1, f);
  for (std::size_t i = 0; i < 6; ++i)
  {
    system.unknowns().generator(i, moved(0.5, q0, q1), xi);
    EXPECT_NEAR(f * xi, 0., 1e-13) << i;
  }
}

TEST(Discrete, FactorsAreTheDerivativesOfTheForces)
{
  for (const std::string &text : {rich_points, rich_points + "subsection Linear solver\nset Type = mumps\nend\n"})
  {
    DiscreteDeck deck(text);
    const MechanicalSystem &system = deck.system();
    const Vector q0 = Random(3).vector(deck.start().q, 0.2), q1 = Random(7).vector(q0, 0.4), v = Random(8).vector(q0, 1.);
    const auto expected = [&](const Weights &w, const std::function<void(const Vector &, Vector &)> &K_times) {
      return matrix_of(system, [&](const Vector &x, Vector &y) {
        Vector part = system.new_vector();
        K_times(x, y);
        y *= w.k;
        system.mass(x, part);
        y.add(w.m, part);
        system.damping_force(q0, x, part);
        y.add(w.c, part);
      });
    };
    const Weights w = 2. * M + 0.3 * C + 0.7 * K;
    const auto all = [&](const Vector &x, Vector &y) { system.stiffness(q0, x, y); };
    const auto stiff = [&](const Vector &x, Vector &y) { system.stiffness(q0, x, y, Part::stiff); };
    EXPECT_LT(largest(matrix_of(system, *system.factor(w, 0., q0, v)), expected(w, all)), 1e-12);
    EXPECT_LT(largest(matrix_of(system, *system.factor({{w, 0., &q0, &v, nullptr, Part::stiff}})), expected(w, stiff)), 1e-12);
    EXPECT_GT(largest(expected(w, all), expected(w, stiff)), 1.) << "the parts differ";
    const auto quotient = [&](const Vector &x, Vector &y) {  // sixth order
      Vector f = system.new_vector();
      y = 0.;
      for (const auto &[place, weight] : {std::pair{1., 45.}, {2., -9.}, {3., 1.}})
        for (const double sign : {1., -1.})
        {
          system.discrete_gradient(q0, moved(q1, sign * place * 1e-3, x), f);
          y.add(sign * weight / 60e-3, f);
        }
    };
    EXPECT_LT(largest(matrix_of(system, *system.factor({{w, 0., &q1, &v, &q0}})), expected(w, quotient)), 1e-9);
    // Two terms, and a solution.
    const auto both = system.factor({{w, 0., &q0, &v}, {0.5 * K, 0., &q1, &v, &q0}});
    Vector r = Random(9).vector(q0, 1.), x = system.new_vector(), Ax = x;
    system.project(r);
    both->solve(r, x, 1e-14);
    both->multiply(x, Ax);
    EXPECT_LT(distance(Ax, r), 1e-12);
    for (int d = 0; d < 3; ++d)
      EXPECT_EQ(x.local_element(d), 0.) << "the wall is held";
  }
}

TEST(Discrete, TangentOfTheDiscreteGradientNearAPoint)
{
  DiscreteDeck deck(ring_well_deck());
  const MechanicalSystem &system = deck.system();
  const Vector q0 = Random(3).vector(deck.start().q, 0.2), v = q0;
  const auto half = matrix_of(system, [&](const Vector &x, Vector &y) {
    system.stiffness(q0, x, y);
    y *= 0.5;
  });
  for (const double size : {1e-3, 1e-6, 1e-9, 0.})
  {
    const Vector q1 = moved(q0, size, Random(6).vector(q0, 1.));
    EXPECT_LT(largest(matrix_of(system, *system.factor({{K, 0., &q1, &v, &q0}})), half), 1e-9 + 100. * size) << size;
  }
}

TEST(Discrete, Features)
{
  const auto features = [](const std::string &text) {
    DiscreteDeck deck(text);
    std::vector<Feature> all;
    for (int f = 0; f <= int(Feature::quadratic_energy); ++f)
      if (deck.system().has(Feature(f)))
        all.push_back(Feature(f));
    return all;
  };
  using F = Feature;
  EXPECT_EQ(features(free_points),
            (std::vector<Feature>{F::diagonal_mass, F::nodal_mass, F::stiff_part, F::momentum_gradient, F::quadratic_energy}));
  EXPECT_EQ(features(rich_points),
            (std::vector<Feature>{F::diagonal_mass, F::nodal_mass, F::damping, F::loads, F::gravity, F::supports, F::stiff_part}));
  EXPECT_EQ(features(ring_well_deck("1e-3")), (std::vector<Feature>{F::diagonal_mass, F::nodal_mass, F::damping}));
  EXPECT_EQ(features("subsection Points\nsubsection a\nset Mass = 1\nset Position = 0, 0, 0\nend\nend\n"),
            (std::vector<Feature>{F::diagonal_mass, F::nodal_mass, F::linear, F::momentum_gradient, F::quadratic_energy}));
}

TEST(Discrete, HighestFrequencyAndMomenta)
{
  // Masses 1 and 4 on a line, a bar of W'' = 4 k L² = 4: omega² = 4 (1 + 1/4).
  DiscreteDeck deck(
      "subsection Points\nset Dimension = 1\nsubsection a\nset Mass = 1\nset Position = 0\nend\nsubsection b\nset Mass = 4\nset Position = "
      "1\nset Velocity = 2\nend\nend\nsubsection Bars\nsubsection s\nset From = a\nset To = b\nset Law = squared\nset Stiffness = 1\nend\nend\n");
  const State state = deck.start();
  EXPECT_NEAR(deck.system().diagnosis().highest_frequency(0., state.q), std::sqrt(5.), 1e-12);
  EXPECT_EQ(deck.system().unknowns().momenta(), std::vector<std::string>{"P_x"});
  Vector Mv = deck.system().new_vector();
  deck.system().mass(state.v, Mv);
  EXPECT_EQ(deck.structure.momenta(state, Mv), std::vector<double>{8.});
  std::vector<std::string> titles;
  for (const Column &column : deck.structure.report_columns(Units()))
    titles.push_back(column.title());
  EXPECT_EQ(titles, (std::vector<std::string>{"a.x [m]", "a.v_x [m/s]", "b.x [m]", "b.v_x [m/s]"}));
}

TEST(Discrete, ErrorsNameThePlaceAndTheWayOut)
{
  const auto expect = [](const std::string &text, const std::vector<std::string> &words) {
    const std::string error = error_of(text);
    for (const std::string &word : words)
      EXPECT_NE(error.find(word), std::string::npos) << word << " is not in: " << error;
  };
  const std::string ring = ring_well_deck("1e-3");
  expect(with(ring, "Points = bob", "Points = bub"),
         {"test.prm", "[Dashpots/drag] Points = bub", "there is no point or group 'bub'; there are: bob"});
  expect(with(rich_points, "From = row", "From = rows"), {"no point or group 'rows'; there are: row, row0"});
  expect(with(rich_points, "a.x*b.z", "a.w*b.z"), {"[Potentials/one] Expression", "'a.w' is not known", "a.x"});
  expect(with(ring, "x^2 + y^2", "x^2 + q^2"), {"'q' is not known", "bob.x"});
  expect(with(ring, "(x^2 + y^2)*(x^2 + y^2 - 1)^2", "3"), {"Expression = 3", "holds no coordinate"});
  expect(with(ring, "Mass = 1", "Mass = 0"), {"[Points/bob] Mass = 0", "must be > 0"});
  expect(with(ring, "set Mass = 1\n", ""), {"a point that moves needs its mass"});
  expect(with(ring, "set Mass = 1", "set Fixed = yes"), {"Velocity = 0.5, 0.6", "a fixed point rests at its Position"});
  expect(with(ring, "1, 0", "1, 0, 0"), {"Position = 1, 0, 0", "needs 2 components"});
  expect(with(free_points, "1, 0.1, 0", "0, 0, 0"), {"[Bars/rod] Length", "from 'a' to 'b' has length zero"});
  expect(with(free_points, "EA = 8", "EA = -8"), {"must be > 0"});
  expect(with(free_points, "EA = 8", "Stiffness = 8"), {"EA", "needs it"});
  expect(with(free_points, "To = b", "To = ground"), {"Anchor", "needs the place"});
  expect(with(free_points, "To = b", "To = a"), {"joined with itself"});
  expect(with(free_points, "To = b", "To = b\nset Offset = 1"), {"Offset = 1", "has no effect"});
  expect(with(free_points, "subsection b", "subsection a1b\nset Mass = 1\nset Position = 0, 0, 0\nend\nsubsection to"),
         {"is not ground, from, to"});
  expect(with(rich_points, "sin(t), 2, 0", "x, 2, 0"), {"Force = x, 2, 0", "depends on t alone"});
  expect(with(rich_points, "sin(t), 2, 0", "0, 0, 0"), {"is zero"});
  expect(with(ring, "Position = 1, 0", "Position = 1/0*i, 0"), {"not finite"});
  expect(with(ring, "Position = 1, 0\nset Velocity = 0.5, 0.6", "File = nothing.txt"), {"nothing.txt cannot be read"});
  expect(with(ring, "Position = 1, 0\nset Velocity = 0.5, 0.6", "File = " + folder_of_papers + "dna_init.txt"),
         {"has 2 numbers; a row has 4"});
  expect(with(ring, "Position = 1, 0", "Count = 2\nset File = " + folder_of_papers + "dna_init.txt"),
         {"Velocity = 0.5, 0.6", "is in the File"});
  expect("subsection Points\nset Dimension = 1\nsubsection a\nset Mass = 1\nset Count = 101\nset Rows = 1, 2\nset File = " +
             folder_of_papers + "dna_init.txt\nend\nend\n",
         {"has 100 such rows; Count = 101"});
  expect("subsection Points\nend\n", {"there is no point. Add one"});
  expect(ring + "subsection Mesh\nset Dimension = 2\nend\n", {"Mesh"});
}

TEST(Discrete, AForceThatIsNotFiniteIsNoState)
{
  DiscreteDeck deck(
      "subsection Points\nset Dimension = 1\nsubsection a\nset Mass = 1\nset Position = 1\nend\nend\n"
      "subsection Potentials\nsubsection pole\nset Expression = 1/x\nend\nend\n");
  Vector q = deck.start().q, f = q;
  q = -1.;
  EXPECT_FALSE(deck.system().internal_force(q, f).admissible());
  EXPECT_EQ(deck.system().diagnosis().diagnose(q), "the force of potential 'pole' on point 'a' is not finite");
  q = 1.;
  EXPECT_TRUE(deck.system().internal_force(q, f).admissible());
  EXPECT_EQ(deck.system().diagnosis().diagnose(q), "");
}
}  // namespace symdyn::tests::in_discrete
