// Points and bars: V and its derivatives belong together, factors, features, decks, numbers of independent programs.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

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

std::vector<double> observed(DiscreteDeck &deck, const State &state)
{
  std::vector<double> values = deck.structure.report(state, false);
  Vector Mv = deck.system().new_vector();
  deck.system().mass(state.v, Mv);
  values.push_back(0.5 * (Mv * state.v) + deck.system().potential(state.q));
  values.push_back(deck.structure.momenta(state, Mv).back());
  return values;
}

void expect_near(const std::vector<double> &values, const std::vector<double> &expected, const double tolerance)
{
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i], tolerance) << i;
}

std::string truss_ring(const std::string &points = "20", const std::string &more = "")
{
  const std::string bar = "set From = ring\nset To = ring\nset Cyclic = yes\nset EA = 100\nset Offset = ";
  return "subsection Points\nset Dimension = 2\nset Report = ring0\nsubsection ring\nset Count = " + points +
         "\nset Mass = 0.05\nset Position = cos(2*pi*i/20), sin(2*pi*i/20)\n"
         "set Velocity = 0.3 - 2*y + 0.05*cos(4*pi*i/20)*x, 0.1 + 2*x + 0.05*cos(4*pi*i/20)*y\nend\nend\n"
         "subsection Bars\nsubsection next\n" +
         bar + "1\nend\nsubsection second\n" + bar + "2\nend\nend\n" + more;
}

const std::string papers = SYMDYN_SOURCE "/decks/papers/";

/// Seven TIP3P molecules, penalised with omega = 20 (Tao and Owhadi 2015, sect. 4.5): [kcal/mol, Angstrom, amu].
std::string water_deck()
{
  std::string text = "subsection Points\nset Report = o0\n";
  for (const auto &[name, mass, row] : {std::tuple{"h1", "1.008", "1"}, {"o", "15.9994", "2"}, {"h2", "1.008", "3"}})
    text += subsection(
        name, "set Count = 7\nset Mass = " + std::string(mass) + "\nset File = " + papers + "water7_init.txt\nset Rows = " + row + ", 3");
  text += "end\nsubsection Bars\n";
  for (const auto &[from, to, length] : {std::tuple{"o", "h1", "0.9572"}, {"o", "h2", "0.9572"}, {"h1", "h2", "1.5139006545273224"}})
    text += subsection(std::string(from) + to, "set From = " + std::string(from) + "\nset To = " + to +
                                                   "\nset Law = squared\nset Stiffness = 400\nset Stiff = yes\nset Length = " + length);
  text += "end\nsubsection Potentials\n";
  const std::string square = "((to.x - from.x)^2 + (to.y - from.y)^2 + (to.z - from.z)^2)", ahead = "1, 2, 3, 4, 5, 6",
                    both = "-6, -5, -4, -3, -2, -1, " + ahead;
  for (const auto &[from, to, charges, offsets] : {std::tuple{"o", "o", "0.834^2", ahead},
                                                   {"h1", "h1", "0.417^2", ahead},
                                                   {"h2", "h2", "0.417^2", ahead},
                                                   {"o", "h1", "-0.834*0.417", both},
                                                   {"o", "h2", "-0.834*0.417", both},
                                                   {"h1", "h2", "0.417^2", both}})
    text += subsection(std::string(from) + to,
                       "set From = " + std::string(from) + "\nset To = " + to + "\nset Offset = " + offsets +
                           "\nset Expression = 332.0637*" + charges + "/sqrt" + square +
                           (charges == std::string("0.834^2") ? " + 582000/" + square + "^6 - 595/" + square + "^3" : ""));
  return text + "end\n";
}

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
  EXPECT_EQ(features(free_points), (std::vector<Feature>{F::diagonal_mass, F::stiff_part, F::momentum_gradient, F::quadratic_energy}));
  EXPECT_EQ(features(rich_points), (std::vector<Feature>{F::diagonal_mass, F::damping, F::loads, F::gravity, F::supports, F::stiff_part}));
  EXPECT_EQ(features(ring_well_deck("1e-3")), (std::vector<Feature>{F::diagonal_mass, F::damping}));
  EXPECT_EQ(features("subsection Points\nsubsection a\nset Mass = 1\nset Position = 0, 0, 0\nend\nend\n"),
            (std::vector<Feature>{F::diagonal_mass, F::linear, F::momentum_gradient, F::quadratic_energy}));
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

TEST(Discrete, SparseAgreesWithDense)
{
  const std::string more = "subsection Potentials\nsubsection well\nset Points = ring\nset Expression = (x^2 + y^2)^2\nend\nend\n";
  DiscreteDeck sparse(truss_ring("80", more + "subsection Linear solver\nset Type = eisenstat\nend\n")), band(truss_ring("80", more)),
      dense(truss_ring("80", more + "subsection Linear solver\nset Type = dense\nend\n"));
  const Scheme scheme("newmark");
  const State a = scheme.run(sparse.system(), sparse.start(), 0.01, 20), b = scheme.run(dense.system(), dense.start(), 0.01, 20);
  EXPECT_EQ(sparse.structure.linear_solver_name(), "eisenstat (cg + ssor)");
  EXPECT_EQ(dense.structure.linear_solver_name(), "dense");
  EXPECT_LT(distance(a, b), 1e-12);
  EXPECT_LT(distance(scheme.run(band.system(), band.start(), 0.01, 20), b), 1e-12);
  EXPECT_EQ(band.structure.linear_solver_name(), "band (lapack)");
  EXPECT_GT(distance(a, dense.start()), 0.1);
  EXPECT_NEAR(sparse.system().diagnosis().highest_frequency(0., a.q) / dense.system().diagnosis().highest_frequency(0., b.q), 1., 1e-4);
}

TEST(Discrete, DeckMakesTheParticlesOfTheTests)
{
  DiscreteDeck deck(pendulum_deck());
  EXPECT_TRUE(deck.system().has(Feature::stiff_part));
  // 000.one_step_h0.2.newmark_0.25
  const State state = Scheme("newmark").run(deck.system(), deck.start(), 0.2, 1);
  const std::vector<double> x = deck.structure.all_points().coordinates(state.q);
  expect_near({x[0], x[1], x[2], x[3], state.v(0), state.v(1), state.v(2), state.v(3)},
              {0.3042753769915963, -1.069088011757284, 1.2713956396807204, -2.0421837874563704, -0.15724623008403732, 0.4091198824271606,
               0.41395639680720503, 0.17816212543629387},
              1e-12);
}

TEST(Discrete, KaneMarsdenOrtizWestNumbers)
{
  // 004.cons.* and 004.diss.*: position, velocity, energy and angular momentum of independent programs.
  struct Row
  {
    std::string settings, damping;
    int steps;
    std::vector<double> value;
    double tolerance;
  };
  for (const Row &row : std::vector<Row>{
           {"",
            "",
            1,
            {1.0887181806307888, 0.1187692560688133, 0.3871818063078868, 0.5876925606881331, 0.2953416736170616, 0.5938462803440667},
            1e-12},
           {"",
            "",
            10,
            {0.29987897897976756, 0.9356022811874992, -0.4338644697253223, 0.649816662592913, 0.30641372453705534, 0.6007909449036191},
            1e-12},
           {"",
            "",
            50,
            {0.919262112964443, 0.010618501580434744, 0.37909846967329436, 0.660194935002406, 0.3100506213709071, 0.6028667332193687},
            1e-11},
           {"",
            "",
            250,
            {0.9198794700654402, -0.040811815892080903, -0.3606035976723015, 0.6713363022809942, 0.3099925459634174, 0.6028315943397091},
            1e-9},
           {"set beta = 0\n",
            "",
            25,
            {-0.8939769546266187, 0.056185781412586504, 0.294482139976283, -0.689666222329105, 0.3125233810956305, 0.6},
            1e-11},
           {"set beta = 0.16666666666666667\n",
            "",
            100,
            {0.9550773490209604, 0.08220010177841972, 0.404107944469109, 0.6641967492818102, 0.30826985823129677, 0.6011415563675819},
            1e-11},
           {"",
            "1e-3",
            10,
            {0.3008862997788462, 0.9348466409156613, -0.4324478063987873, 0.6492120024099116, 0.3054611388554631, 0.5996113763603862},
            1e-11},
           {"",
            "1e-3",
            500,
            {-0.985356785648751, -0.41723603141000337, 0.6139283129064639, -0.2872898793165433, 0.2538002574213866, 0.5392360448800984},
            1e-9},
           {"set beta = 0\n",
            "1e-3",
            1,
            {1.09999, 0.119988, 0.36796218201431075, 0.5854881028866928, 0.30073642230529185, 0.5998800119988001},
            1e-11},
           {"set beta = 0\n",
            "1e-3",
            10000,
            {-0.5112128989722349, -0.9001060817585655, 0.13812620651986637, 0.08436224755840045, 0.01858038043784811, 0.08120116940062812},
            1e-7}})
  {
    SCOPED_TRACE(row.settings + row.damping + " " + std::to_string(row.steps));
    DiscreteDeck deck(ring_well_deck(row.damping));
    expect_near(observed(deck, Scheme("newmark", row.settings).run(deck.system(), deck.start(), 0.2, row.steps)), row.value, row.tolerance);
  }
}

TEST(Discrete, TrussRingNumbers)
{
  // fe_truss.h*.newmark_1/4.step*: E - E0, J and the place of node 0.
  for (const auto &[h, steps, value, tolerance] :
       {std::tuple{0.01, 10, std::vector<double>{-0.0005641312134452292, 1.9997179435478707, 1.0173023186902475, 0.2087186489876261},
                   1e-12},
        {0.01, 1000, {-3.3423025699974573e-05, 1.9999830476080358, 3.4812732380698796, 1.8626275829435401}, 1e-9},
        {0.02, 100, {-7.082926756973862e-05, 1.9999638352076585, -0.07480057294918181, -0.5534974656544743}, 1e-11},
        {0.05, 100, {-0.017902652002126818, 1.9910182608227223, 0.6143866196430064, 0.020015732097085036}, 1e-11}})
  {
    DiscreteDeck deck(truss_ring());
    const State start = deck.start();
    const std::vector<double> before = observed(deck, start), after = observed(deck, Scheme("newmark").run(deck.system(), start, h, steps));
    expect_near({before[4], before[5]}, {2.050625, 2.}, 1e-14);
    expect_near({after[4] - before[4], after[5], after[0], after[1]}, value, tolerance);
  }
}

TEST(Discrete, ChainOfSitesNumbers)
{
  // 000.dna.verlet_0.05.t10: mean, mean velocity, energy, sites 1 and 100.
  DiscreteDeck deck(
      "subsection Points\nset Dimension = 1\nset Report = site\nsubsection site\nset Count = 200\nset Mass = 1\nset File = " + papers +
      "dna_init.txt\nend\nend\nsubsection Potentials\n"
      "subsection chain\nset From = site\nset To = site\nset Offset = 1\nset Cyclic = yes\nset Expression = 0.5*(to.x - from.x)^2\nend\n"
      "subsection well\nset Points = site\nset Expression = (exp(-7*(1 - cos(x) - 0.3)) - 1)^2/1400\nend\nend\n");
  const State state = Scheme("newmark", "set beta = 0\n").run(deck.system(), deck.start(), 0.05, 200);
  const std::vector<double> x = deck.structure.all_points().coordinates(state.q), all = observed(deck, state);
  double mean = 0, mean_v = 0;
  for (int k = 0; k < 200; ++k)
  {
    mean += x[k] / 200.;
    mean_v += state.v(k) / 200.;
  }
  expect_near({mean, mean_v, all[all.size() - 2], x[0], x[99]},
              {0.9929860476994814, 0.037378026593473355, 2.051462628808614, 1.3632973785999547, 1.4914837532278855}, 1e-10);
}

TEST(Discrete, WaterNumbers)
{
  // 000.water.E0,V0 and 000.water.newmark_full.step1, step100 (beta = 0.4): E - E0 and the place of the first oxygen.
  DiscreteDeck deck(water_deck());
  EXPECT_TRUE(deck.system().has(Feature::stiff_part));
  const double E0 = -56.56324438332444;
  const std::vector<double> before = observed(deck, deck.start());
  expect_near({before[6], deck.system().potential(deck.start().q)}, {E0, -56.90548055500892}, 1e-11);
  for (const auto &[steps, value] :
       {std::pair{1, std::vector<double>{0.8430689453341245, 2.318234606283892, 0.3940740458921036, 0.6813320607351777}},
        {100, {0.507145621771592, 2.312346963502885, 0.41557386542553876, 0.7624656364328942}}})
  {
    const std::vector<double> after = observed(deck, Scheme("newmark", "set beta = 0.4\n").run(deck.system(), deck.start(), 0.05, steps));
    expect_near({after[6] - E0, after[0], after[1], after[2]}, value, 1e-8);
  }
}

TEST(Discrete, NewtonKnowsWhereRoundingBegins)
{
  // Asked for more than rounding allows, it must stop there: after a few iterations at every state of a long run.
  for (const auto &[text, h, steps] : {std::tuple{ring_well_deck(), 0.2, 20000}, {truss_ring(), 0.02, 1000}, {pendulum_deck(), 0.05, 5000}})
  {
    DiscreteDeck deck(text);
    const Scheme scheme("newmark");
    State state = deck.start();
    scheme.integrator->start(deck.system(), state, h);
    int most = 0;
    for (int k = 0; k < steps; ++k)
      most = std::max(most, scheme.integrator->step(deck.system(), state, h).newton);
    EXPECT_LE(most, 7);
    EXPECT_GE(most, 3);
  }
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
  expect(with(ring, "Position = 1, 0\nset Velocity = 0.5, 0.6", "File = " + papers + "dna_init.txt"), {"has 2 numbers; a row has 4"});
  expect(with(ring, "Position = 1, 0", "Count = 2\nset File = " + papers + "dna_init.txt"), {"Velocity = 0.5, 0.6", "is in the File"});
  expect("subsection Points\nset Dimension = 1\nsubsection a\nset Mass = 1\nset Count = 101\nset Rows = 1, 2\nset File = " + papers +
             "dna_init.txt\nend\nend\n",
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

TEST(Discrete, TimeOfAStepNightly)
{
  DiscreteDeck deck(pendulum_deck());
  const auto time = [](const std::string &what, const int count, const std::function<void()> &run) {
    const std::clock_t begin = std::clock();
    run();
    std::printf("%s: %.2f us\n", what.c_str(), double(std::clock() - begin) / CLOCKS_PER_SEC / count * 1e6);
  };
  State state = deck.start();
  for (const auto &[settings, steps] : {std::pair<std::string, int>{"set beta = 0\n", 200000}, {"", 20000}})
    time("newmark " + settings, steps, [&, count = steps, scheme = std::make_shared<Scheme>("newmark", settings)] {
      state = scheme->run(deck.system(), deck.start(), 0.01, count);
    });
  Vector f = state.q, x = f;
  const int count = 100000;
  time("force", count, [&] {
    for (int k = 0; k < count; ++k)
      deck.system().internal_force(state.q, f);
  });
  time("factor", count, [&] {
    for (int k = 0; k < count; ++k)
      deck.system().factor(M + K, 0., state.q, state.v);
  });
  time("factor and solve", count, [&] {
    for (int k = 0; k < count; ++k)
      deck.system().factor(M + K, 0., state.q, state.v)->solve(f, x, 0.);
  });
  EXPECT_LT(state.q.linfty_norm(), 100.);
}
}  // namespace symdyn::tests::in_discrete
