// Paths of periodic motions that end elsewhere than they should, and what reduced models say of resonances.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/periodic_decks.h"

namespace symdyn::tests::in_periodic
{
namespace
{
bool has(const std::string &text, const std::string &words) { return text.find(words) != std::string::npos; }
const std::string shaken = section("Dashpots", section("oil", "set Points = mass\nset Coefficient = 0.1")) +
                           section("Forces", section("shake", "set Points = mass\nset Force = 0.3"));
}  // namespace

TEST(PeriodicPaths, FirstValueIsOfOnePeriod)
{
  // By elliptic integrals omega(2) = 1.9760163641; Newton's method from the linear mode ends at twice the period.
  const Table found = run_asked(particle(1, duffing, orbits(by_amplitude + "set Values = 2")));
  ASSERT_EQ(found.at("frequency_ratio").size(), 1u);
  EXPECT_NEAR(found.at("frequency_ratio")[0], 1.9760163641, 6e-4);
}

TEST(PeriodicPaths, StepsAreSolvedToRounding)
{
  std::vector<double> ratio;
  for (const std::string tolerance : {"1e-10", "1e-2"})
  {
    const Folder folder;
    run_well(folder, particle(1, duffing, orbits(by_amplitude + "set Values = 1\nset Multipliers = no")),
             {"Newton/Tolerance=" + tolerance});
    ratio.push_back(asked(folder).at("frequency_ratio").at(0));
  }
  EXPECT_NEAR(ratio[0], ratio[1], 1e-9) << "whatever the deck has";
}

TEST(PeriodicPaths, LongStepsFindTheSameOrbits)
{
  std::vector<Table> found;
  for (const std::string step : {"0.2", "2"})
    found.push_back(
        run_asked(particle(1, duffing,
                           shaken + orbits("set Loads = shake\nset Continue by = frequency\nset Probe = mass.x\nset Values = "
                                           "0.08, 0.296, 0.36\nset Multipliers = no\nset Steps a period = 40\nset Largest step = " +
                                           step))));
  ASSERT_EQ(found[0].at("amplitude").size(), found[1].at("amplitude").size());
  for (std::size_t i = 0; i < found[0].at("amplitude").size(); ++i)
    EXPECT_NEAR(found[1].at("amplitude")[i], found[0].at("amplitude")[i], 1e-5) << "row " << i;
}

TEST(PeriodicPaths, SolidUnderALoadAsHarmonic)
{
  // A small load: the response at the frequency of the scheme, (2/h) tan(pi/n).
  const int n = 24;
  const double pi = 3.14159265358979323846, frequency = 50., of_scheme = frequency * n / pi * std::tan(pi / n);
  const Folder folder;
  run_well(folder,
           section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 4, 1\nset Order = 2\n" +
                               section("box", "set Size = 0.5, 0.005")) +
               section("Materials", section("steel",
                                            "set Type = st-venant-kirchhoff\nset E = 210e9\nset nu = 0.3\nset Density = 7850\n"
                                            "set Plane = stress")) +
               section("Supports", section("left", "set Boundary = x-") + section("right", "set Boundary = x+")) +
               section("Loads", section("shake", "set Type = traction\nset Boundary = y+\nset Traction = 0, 100")) +
               section("Probes", section("middle", "set Point = 0.25, 0.0025")) +
               section("Integrator", "set Scheme = average-acceleration") + section("Output", "set Write every = never") +
               stages(section("path", fmt::format("set Type = periodic\nset Loads = shake\nset Continue by = load\nset Frequency = {}\nset "
                                                  "Probe = middle.y\nset Values = 1\nset Multipliers = no\nset Steps a period = {}",
                                                  frequency, n)) +
                      section("sweep",
                              fmt::format("set Type = harmonic\nset Loads = shake\nset Frequencies = {0:.17g}, {0:.17g}\nset Points = 1",
                                          of_scheme))));
  const double linear = table_of(folder / "results/harmonic-sweep.csv").at("amplitude middle.u_y").at(0);
  EXPECT_GT(linear, 1e-7);
  EXPECT_NEAR(asked(folder).at("amplitude").at(0), linear, 1e-5 * linear);
}

TEST(PeriodicPaths, ValuesMayDescend)
{
  const Table amplitude = run_asked(particle(1, duffing, orbits(by_amplitude + "set Values = 2, 1")));
  ASSERT_EQ(amplitude.at("amplitude").size(), 2u);
  EXPECT_NEAR(amplitude.at("frequency_ratio")[0], 1.9760163641, 6e-4);
  EXPECT_NEAR(amplitude.at("frequency_ratio")[1], 1.317776065, 3e-4);
  const Table energy = run_asked(particle(1, duffing, orbits("set Continue by = energy\nset Probe = mass.x\nset Values = 1, 0.5")));
  ASSERT_GE(energy.at("energy").size(), 2u);
  EXPECT_NEAR(energy.at("energy").front(), 1., 1e-7);
  EXPECT_NEAR(energy.at("energy").back(), 0.5, 1e-7);
}

TEST(PeriodicPaths, FrequenciesOnTheOtherSideOfTheMode)
{
  const Folder folder;
  const Outcome run = run_text(folder, particle(1, duffing, orbits("set Continue by = frequency\nset Probe = mass.x\nset Up to = 0.1")));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(has(run.terminal, "the frequency rises with the amplitude here")) << run.terminal;
  EXPECT_TRUE(has(run.terminal, "deck.prm:")) << run.terminal;
  const Table orbits = table_of(folder / "results/periodic-path-orbits.csv");
  EXPECT_GT(orbits.at("amplitude").size(), 1u) << "what was found is written";
  EXPECT_LT(orbits.at("amplitude").size(), 60u);
}

TEST(PeriodicPaths, EntriesWithoutEffect)
{
  expect_refused(particle(1, duffing, orbits(by_amplitude + "set From = 1\nset Up to = 2\nset Points = 1")),
                 "has no effect with Points = 1");
  expect_refused(particle(1, duffing, orbits(by_amplitude + "set From = 2\nset Up to = 2\nset Points = 3")), "is Up to: set Points = 1");
}

namespace
{
std::string log_of_model(const std::string &energy, const std::string &entries = "", const std::string &more = "")
{
  const Folder folder;
  run_well(folder, particle(3, energy, more + stages(section("model", "set Type = reduced model\n" + entries))));
  std::stringstream text;
  text << std::ifstream(folder / "results/run.log").rdbuf();
  return text.str();
}
}  // namespace

TEST(PeriodicPaths, ResonancesOfAModel)
{
  const std::string linear = "0.5*x^2 + 0.5*2.25*y^2 + ";
  const std::string two = log_of_model(linear + "0.5*4.0001*z^2 + x^2*z");
  EXPECT_TRUE(has(two, "mode 1 drives mode 3, within 1.2e-05 of a resonance of 1:2")) << two;
  EXPECT_TRUE(has(two, "the model lacks modes that move with it")) << two;
  const std::string three = log_of_model(linear + "0.5*9.1*z^2 + x^3*z + x^4");
  EXPECT_TRUE(has(three, "mode 1 drives mode 3, within 0.0055 of a resonance of 1:3")) << three;
  const std::string one = log_of_model("0.5*x^2 + 0.5*1.01*y^2 + 0.5*30*z^2 + x^3*y");
  EXPECT_TRUE(has(one, "mode 1 drives mode 2, within 0.005 of a resonance of 1:1")) << one;
  for (const std::string uncoupled : {"0.5*4.0001*z^2 + x*z^2", "0.5*9.1*z^2 + x^2*z^2 + x^4", "0.5*1.01*z^2 + x^2*z^2"})
  {
    const std::string none = log_of_model(linear + uncoupled);
    EXPECT_FALSE(has(none, "of a resonance")) << none;
  }
}

TEST(PeriodicPaths, ProbeAndDampingOfAModel)
{
  const std::string energy = "0.5*x^2 + 0.5*2.25*y^2 + 0.5*30*z^2 + x^4 + y^4";
  const std::string seen = log_of_model(energy, "set Mode numbers = 1, 2\nset Probe = mass.x");
  EXPECT_TRUE(has(seen, "mode 2: 0.23873241")) << seen;
  EXPECT_TRUE(has(seen, "no c: it does not move mass.x")) << seen;
  EXPECT_FALSE(has(seen, "damping takes no part"));
  const std::string oil = section("Dashpots", section("oil", "set Points = mass\nset Coefficient = 0.1"));
  EXPECT_TRUE(has(log_of_model(energy, "", oil), "damping takes no part in the model"));
}

TEST(PeriodicPaths, ComparedAboutTheSameState)
{
  const std::string path = section("path", "set Type = periodic\nset Loads = none\nset Probe = mass.x\nset Values = 0.01\n"),
                    model = section("model", "set Type = reduced model\nset Loads = none\nset Probe = mass.x\nset Compare = path"),
                    pull = section("Forces", section("pull", "set Points = mass\nset Force = 0.5"));
  const Folder folder;
  run_well(folder, particle(1, duffing, stages(path + model)));
  std::string by_energy = path;
  by_energy.replace(by_energy.find("set Values"), 0, "set Continue by = energy\n");
  expect_refused(particle(2, "0.5*y^2 + 2*x^2 + x^2*y^2", stages(by_energy + model)),
                 "mode 1 does not move it. Name another one, or remove Compare");
  expect_refused(particle(1, duffing, pull + stages(path + section("push", "set Type = static\nset Loads = pull") + model)),
                 "the states differ");
}

/// What has no smooth force, or a linearisation that is not exact, is refused by both stages.
TEST(PeriodicPaths, BodiesThatAreNotSmooth)
{
  const auto body = [](const std::string &law, const std::string &more) {
    return section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 4, 1\n" + section("box", "set Size = 1, 0.1")) +
           section("Materials", section("stuff", law + "set E = 1e6\nset nu = 0.3\nset Density = 1000")) +
           section("Supports", section("left", "set Boundary = x-")) + section("Probes", section("tip", "set Point = 1, 0.05")) +
           section("Integrator", "set Scheme = average-acceleration") + section("Output", "set Write every = never") + more;
  };
  const std::string elastic = "set Type = st-venant-kirchhoff\n";
  const std::map<std::string, std::string> bodies{
      {"has no laws with a memory", body("set Type = plastic\nset Yield stress = 1e4\n", "")},
      {"has no contact", body(elastic, section("Obstacles", section("floor", "set Type = plane\nset Point = 0, -1\nset Normal = 0, 1")) +
                                           section("Contact", section("drop", "set Between = y-, floor")))},
      {"has no frame that turns", body(elastic, section("Rotation", "set Speed = 1"))},
      {"has no loads that follow the body",
       body(elastic, section("Loads", section("press", "set Type = pressure\nset Boundary = y+\nset Pressure = 1")))},
      {"has no exact constraints", "set Structure = discrete\n" +
                                       section("Points", section("eye", "set Position = 0, 0, 0\nset Fixed = yes") +
                                                             section("tip", "set Position = 1, 0, 0\nset Mass = 1")) +
                                       section("Constraints", section("rod", "set From = eye\nset To = tip")) +
                                       section("Integrator", "set Scheme = average-acceleration")}};
  for (const auto &[words, deck] : bodies)
    for (const std::string type : {"periodic\nset Probe = tip.y\nset Values = 0.001", "reduced model"})
      expect_refused(deck + stages(section("path", "set Type = " + type)), "Type = " + type.substr(0, type.find('\n')) + " " + words);
}
}  // namespace symdyn::tests::in_periodic
