// Random vibration under motions and loads that have something in common; correlations, levels, peaks.
#include <cmath>
#include <fstream>

#include "tests/compare.h"
#include "tests/linear_decks.h"
#include "tests/quantity_tables.h"

namespace symdyn::tests::in_random_together
{
namespace
{
using Lines = std::map<std::string, std::map<std::string, double>>;

std::string densities(const std::string &more = "")
{
  return section("Spectra", section("road", "set File = road.txt\nset Type = psd") + more);
}

struct Answer
{
  Lines table, stress, correlations, levels;
  std::map<std::string, std::vector<double>> densities;
  std::string terminal;
};
Answer run(const std::string &deck, const std::string &density, const std::string &other = "", const int ranks = 1)
{
  const Folder folder;
  std::ofstream(folder / "road.txt") << density;
  std::ofstream(folder / "other.txt") << other;
  Answer answer;
  answer.terminal = run_well(folder, deck, {}, ranks).terminal;
  const std::string stem = folder / "results/random-shaker";
  const auto lines = [](const std::string &file) { return std::filesystem::exists(file) ? lines_of(file) : Lines(); };
  answer.table = lines(stem + ".csv");
  answer.stress = lines(stem + "-stress.csv");
  answer.correlations = lines(stem + "-correlations.csv");
  answer.levels = lines(stem + "-levels.csv");
  if (std::filesystem::exists(stem + "-densities.csv"))
    answer.densities = table_of(stem + "-densities.csv");
  return answer;
}

/// A cantilever in its plane, whose tip is pushed across, and whose upper side is pulled; `sum` is both, the second 0.7 times.
std::string cantilever(const std::string &entries)
{
  const auto load = [](const std::string &name, const std::string &boundary, const std::string &traction) {
    return section(name, "set Type = traction\nset Boundary = " + boundary + "\nset Traction = " + traction);
  };
  return section("Mesh",
                 "set Type = box\nset Dimension = 2\nset Subdivisions = 12, 1\nset Order = 2\n" + section("box", "set Size = 2, 0.2")) +
         section("Materials", section("stuff",
                                      "set Type = linear-elasticity\nset E = 210e9\nset nu = 0.3\nset Density = 7850\nset Plane = "
                                      "stress\nset Thickness = 0.1")) +
         section("Supports", section("root", "set Boundary = x-")) +
         section("Probes", section("edge", "set Point = 0.52, 0.2\nset Stress = yes") + section("tip", "set Point = 2, 0.1")) +
         section("Loads", load("push", "x+", "0, 1e5") + load("pull", "y+", "3e5, 2e4")) +
         stages(section("shaker",
                        "set Type = random\nset Modes = 6\nset Damping ratios = 0.02\nset Densities = tip.u_y, tip.v_y\n" + entries));
}
constexpr double pi = 3.14159265358979323846;
}  // namespace

/// Loads that are one and the same random number add up, those that are opposite take each other away.
TEST(RandomTogether, CoherentLoadsAddUp)
{
  const std::string density = "10 0.02\n60 0.3\n500 0.1\n";
  const auto with = [&](const std::string &entries, const std::string &spectra = "") {
    return run(cantilever(entries) + densities(spectra), density, density);
  };
  const Answer apart = with("set Load spectra = push: road, pull: 0.7 road"),
               both = with("set Load spectra = push: road, pull: 0.7 road\nset Coherence = push pull 1"),
               opposite = with("set Load spectra = push: road, pull: 0.7 road\nset Coherence = pull push -1"),
               half = with("set Load spectra = push: road, pull: 0.7 road\nset Coherence = push pull 0.5");
  for (const char *name : {"tip.u_y", "tip.v_y", "tip.a_y", "edge.S_xx", "root.R_y"})
  {
    const double a = apart.table.at(name).at("rms"), c = both.table.at(name).at("rms"), o = opposite.table.at(name).at("rms"),
                 h = half.table.at(name).at("rms");
    // Parallelogram: (a + b)² + (a - b)² = 2 (a² + b²); half of what they have in common.
    EXPECT_NEAR(c * c + o * o, 2. * a * a, 1e-9 * a * a) << name;
    EXPECT_NEAR(h * h, 0.5 * (a * a + c * c), 1e-9 * a * a) << name;
    EXPECT_GT(std::abs(c - a), 1e-3 * a) << name;
  }
  for (const char *field : {"rms_mises", "rms_stress S_xx"})
  {
    const double a = apart.stress.at("edge").at(field), c = both.stress.at("edge").at(field), o = opposite.stress.at("edge").at(field);
    EXPECT_NEAR(c * c + o * o, 2. * a * a, 1e-9 * a * a) << field;
    EXPECT_GT(std::abs(c - a), 1e-3 * a) << field;
  }
  EXPECT_NEAR(both.stress.at("edge").at("rms_stress S_xx"), both.table.at("edge.S_xx").at("rms"),
              1e-9 * both.table.at("edge.S_xx").at("rms"));
  // The same load twice, against itself: nothing is left.
  std::string twice = cantilever("set Load spectra = push: road, pull: road\nset Coherence = push pull -1");
  const std::string its = "set Boundary = y+\nset Traction = 3e5, 2e4";
  twice.replace(twice.find(its), its.size(), "set Boundary = x+\nset Traction = 0, 1e5");
  const Answer nothing = run(twice + densities(), density);
  EXPECT_LT(nothing.table.at("tip.u_y").at("rms"), 1e-6 * apart.table.at("tip.u_y").at("rms"));
  // The area under the density of what is together.
  const std::vector<double> &f = both.densities.at("frequency"), &G = both.densities.at("density tip.v_y");
  double area = 0.;
  for (std::size_t k = 1; k < f.size(); ++k)
    area += 0.5 * (G[k] + G[k - 1]) * (f[k] - f[k - 1]);
  EXPECT_NEAR(std::sqrt(area), both.table.at("tip.v_y").at("rms"), 5e-3 * both.table.at("tip.v_y").at("rms"));
}

/// Two densities of other shapes: what they have in common has sqrt(G_a G_b), against Simpson's rule.
TEST(RandomTogether, DensitiesOfOtherShapes)
{
  const std::string mass =
      "set Structure = discrete\n" +
      section("Points", "set Dimension = 1\n" + section("wall", "set Fixed = yes\nset Position = 0") +
                            section("mass", "set Mass = 2\nset Position = 1")) +
      section("Springs", section("spring", "set From = wall\nset To = mass\nset Stiffness = 20000")) +
      section("Forces", section("a", "set Points = mass\nset Force = 2") + section("b", "set Points = mass\nset Force = -3"));
  const auto deck = [&](const std::string &coherence) {
    return mass + densities(section("other", "set File = other.txt\nset Type = psd\nset Interpolation = linear")) +
           stages(section("shaker", "set Type = random\nset Modes = 1\nset Damping ratios = 0.03\nset Load spectra = a: road, b: other\n" +
                                        coherence));
  };
  const std::string falling = "5 0.5\n60 0.02\n", rising = "8 0\n30 0.4\n50 0.1\n";
  const Answer apart = run(deck(""), falling, rising), both = run(deck("set Coherence = a b 0.6"), falling, rising);
  const auto Ga = [](const double f) { return 0.5 * std::pow(f / 5., std::log(0.02 / 0.5) / std::log(12.)); };
  const auto Gb = [](const double f) { return f < 8. || f > 50. ? 0. : f < 30. ? 0.4 * (f - 8.) / 22. : 0.4 - 0.3 * (f - 30.) / 20.; };
  const auto square = [](const double f) {
    const double w = 2. * pi * f;
    return 1. / (std::pow(20000. - 2. * w * w, 2) + std::pow(2. * 0.03 * std::sqrt(20000. * 2.) * w, 2));
  };
  double sum = 0.;  // substituted f = 8 + s²: sqrt(G_b) has a vertical tangent at 8
  constexpr int n = 40000;
  for (const auto &[low, high] : {std::pair{0., std::sqrt(22.)}, {std::sqrt(22.), std::sqrt(42.)}})
    for (int k = 0; k <= n; ++k)
    {
      const double s = low + (high - low) * k / n, f = 8. + s * s;
      sum += (k == 0 || k == n ? 1.
              : k % 2          ? 4.
                               : 2.) *
             (high - low) / n / 3. * 2. * s * std::sqrt(Ga(f) * Gb(std::min(f, 50.))) * square(f);
    }
  const double a = apart.table.at("mass.x").at("rms"), c = both.table.at("mass.x").at("rms");
  EXPECT_NEAR(c * c - a * a, 2. * 0.6 * 2. * -3. * sum, 1e-5 * a * a);
}

/// Two oscillators of 50 and 52 Hz with 2 % on one base under white noise: 0.509705911, the coefficient of CQC (independent program). The
/// density is that of a wide band here.
TEST(RandomTogether, CorrelationOfTwoOscillators)
{
  const auto spring = [](const std::string &name, const double f) {
    return section(name, fmt::format("set From = wall\nset To = {}\nset Stiffness = {:.17g}", name, std::pow(2. * pi * f, 2)));
  };
  const std::string deck =
      "set Structure = discrete\n" +
      section("Points", "set Dimension = 1\n" + section("wall", "set Fixed = yes\nset Position = 0") +
                            section("a", "set Mass = 1\nset Position = 1") + section("b", "set Mass = 1\nset Position = 2")) +
      section("Springs", spring("a", 50.) + spring("b", 52.)) + densities() +
      stages(section("shaker",
                     "set Type = random\nset Base spectrum = road\nset Modes = 2\nset Damping ratios = 0.02\nset Correlations = a.x, b.x, "
                     "a.v_x\nset Levels = a.x: 1e-4, a.x: 2e-4, wall.R_x: 15"));
  const Answer answer = run(deck, "0.001 0.04\n100000 0.04\n");
  EXPECT_NEAR(answer.correlations.at("a.x").at("b.x"), 0.509705911, 1e-5);
  EXPECT_NEAR(answer.correlations.at("b.x").at("a.x"), answer.correlations.at("a.x").at("b.x"), 1e-14);
  EXPECT_NEAR(answer.correlations.at("a.x").at("a.x"), 1., 1e-14);
  const double rms = answer.table.at("a.x").at("rms"), zero = answer.table.at("a.x").at("upward crossings of zero");
  ASSERT_EQ(answer.levels.size(), 2u) << "a.x, the last of both, and wall.R_x";
  const double x = 2e-4 / rms;
  EXPECT_NEAR(answer.levels.at("a.x").at("upward crossings"), zero * std::exp(-0.5 * x * x), 1e-12 * zero);
  EXPECT_NEAR(answer.levels.at("a.x").at("part of the time above"), 0.5 * std::erfc(x / std::sqrt(2.)), 1e-15);
  // Peaks of a displacement, against Simpson's rule over a band.
  const Answer band = run(deck, "20 0.04\n200 0.04\n");
  double m2 = 0., m4 = 0.;
  constexpr int n = 40000;
  for (int k = 0; k <= n; ++k)
  {
    const double w = 2. * pi * (20. + 180. * k / n), w0 = 2. * pi * 50.,
                 weight = k == 0 || k == n ? 1.
                          : k % 2          ? 4.
                                           : 2.,
                 H = 1. / (std::pow(w0 * w0 - w * w, 2) + std::pow(0.04 * w0 * w, 2));
    m2 += weight * w * w * H;
    m4 += weight * w * w * w * w * H;
  }
  EXPECT_NEAR(band.table.at("a.x").at("peaks"), std::sqrt(m4 / m2) / (2. * pi), 1e-6 * 50.);
  EXPECT_GT(band.table.at("a.x").at("peaks"), band.table.at("a.x").at("upward crossings of zero"));
}

TEST(RandomTogether, SameOnRanks)
{
  const std::string
      density = "10 0.02\n60 0.3\n500 0.1\n",
      deck = cantilever("set Load spectra = push: road, pull: road\nset Coherence = push pull 0.4\nset Correlations = tip.u_y, root.R_y") +
             densities();
  const Answer one = run(deck, density), two = run(deck, density, "", 2);
  EXPECT_NEAR(two.correlations.at("tip.u_y").at("root.R_y"), one.correlations.at("tip.u_y").at("root.R_y"), 1e-7);
  EXPECT_NEAR(two.table.at("tip.u_y").at("rms"), one.table.at("tip.u_y").at("rms"), 1e-7 * one.table.at("tip.u_y").at("rms"));
}

/// The share of the last mode is said where modes end within the band.
TEST(RandomTogether, FewModesAreSaid)
{
  const std::string density = "10 0.02\n60 0.3\n500 0.1\n";
  const Answer few = run(cantilever("set Load spectra = push: road") + densities(), density);
  EXPECT_EQ(few.terminal.find("The last mode has up to"), std::string::npos);
  std::string deck = cantilever("set Load spectra = push: road") + densities();
  deck.replace(deck.find("set Modes = 6"), 13, "set Modes = 2");
  EXPECT_NE(run(deck, density).terminal.find("The last mode has up to"), std::string::npos);
}

TEST(RandomTogether, Refused)
{
  const auto refused = [](const std::string &entries, const std::string &words) {
    const Folder folder;
    std::ofstream(folder / "road.txt") << "10 0.02\n500 0.1\n";
    const Outcome outcome = run_text(folder, cantilever(entries) + densities());
    EXPECT_EQ(outcome.exit_code, 1) << outcome.terminal;
    EXPECT_EQ(has(outcome.terminal, words), "");
  };
  const std::string loads = "set Load spectra = push: road, pull: road\n";
  refused(loads + "set Coherence = push pull", "is not two names and a number from -1 to 1");
  refused(loads + "set Coherence = push pull 1.5", "is not two names and a number from -1 to 1");
  refused(loads + "set Coherence = push pul 0.5", "'pul' is not random here. There are: pull, push");
  refused(loads + "set Coherence = push push 0.5", "is one and the same. Name two");
  refused(loads + "set Coherence = push pull 0.5, pull push 0.2", "names pull and push twice");
  refused("set Load spectra = push: road\nset Base spectrum = road, none\nset Coherence = x push 0.5",
          "is a motion of the base and a load");
  refused(loads + "set Levels = tip.u_y", "'tip.u_y' is not a quantity and a number > 0");
  refused(loads + "set Levels = tip.u_w: 1", "Levels = tip.u_w: 1: there is no quantity 'tip.u_w'");
  refused(loads + "set Correlations = tip.u_w", "Correlations = tip.u_w: there is no quantity 'tip.u_w'");
  // Three loads: push with pull, pull with drag, and push against drag.
  const Folder folder;
  std::ofstream(folder / "road.txt") << "10 0.02\n500 0.1\n";
  std::string three =
      cantilever("set Load spectra = push: road, pull: road, drag: road\nset Coherence = push pull 0.9, pull drag 0.9, push drag -0.9");
  three.insert(three.find("subsection pull"), section("drag", "set Type = traction\nset Boundary = x+\nset Traction = 1, 0"));
  const Outcome outcome = run_text(folder, three + densities());
  EXPECT_EQ(outcome.exit_code, 1) << outcome.terminal;
  EXPECT_EQ(has(outcome.terminal, "these values cannot be together"), "");
}
}  // namespace symdyn::tests::in_random_together
