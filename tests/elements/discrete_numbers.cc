// Runs of points and bars: numbers of independent programs, linear solvers, Newton, cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "solver/diagnosis.h"
#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_discrete
{
namespace
{
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

/// Seven TIP3P molecules, penalised with omega = 20 (Tao and Owhadi 2015, sect. 4.5): [kcal/mol, Angstrom, amu].
std::string water_deck()
{
  std::string text = "subsection Points\nset Report = o0\n";
  for (const auto &[name, mass, row] : {std::tuple{"h1", "1.008", "1"}, {"o", "15.9994", "2"}, {"h2", "1.008", "3"}})
    text += subsection(name, "set Count = 7\nset Mass = " + std::string(mass) + "\nset File = " + folder_of_papers +
                                 "water7_init.txt\nset Rows = " + row + ", 3");
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
}  // namespace

TEST(Discrete, SparseAgreesWithDense)
{
  const std::string more = "subsection Potentials\nsubsection well\nset Points = ring\nset Expression = (x^2 + y^2)^2\nend\nend\n";
  DiscreteDeck sparse(truss_ring("80", more + "subsection Linear solver\nset Type = eisenstat\nend\n")), band(truss_ring("80", more)),
      dense(truss_ring("80", more + "subsection Linear solver\nset Type = dense\nend\n"));
  const Scheme scheme("newmark");
  const State a = scheme.run(sparse.system(), sparse.start(), 0.01, 20), b = scheme.run(dense.system(), dense.start(), 0.01, 20);
  EXPECT_EQ(sparse.structure.facts().linear_solver, "eisenstat (cg + ssor)");
  EXPECT_EQ(dense.structure.facts().linear_solver, "dense");
  EXPECT_LT(distance(a, b), 1e-12);
  EXPECT_LT(distance(scheme.run(band.system(), band.start(), 0.01, 20), b), 1e-12);
  EXPECT_EQ(band.structure.facts().linear_solver, "band (lapack)");
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
      "subsection Points\nset Dimension = 1\nset Report = site\nsubsection site\nset Count = 200\nset Mass = 1\nset File = " +
      folder_of_papers +
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
