// What linear stages are about: which tangent, which state, which loads.
#include "tests/linear_decks.h"

namespace symdyn::tests::in_linear_motion
{
namespace
{
constexpr double pi = 3.14159265358979323846;

/// A beam with a pressure on its top, held at its ends as `support` says.
std::string pressed_beam(const std::string &support, const std::string &type = "pressure")
{
  return section("Mesh",
                 "set Type = box\nset Dimension = 2\nset Subdivisions = 12, 2\nset Order = 2\n" + section("box", "set Size = 1, 0.1")) +
         elastic(1e6, 0.3, 1000., "st-venant-kirchhoff") + section("Supports", section("ends", "set Boundary = " + support)) +
         section("Probes", section("middle", "set Point = 0.5, 0")) +
         section("Loads", section("water", "set Type = " + type + "\nset Boundary = y+\nset Pressure = 6000") +
                              section("tap", "set Type = traction\nset Boundary = y-\nset Traction = 0, 1"));
}
const std::string held = "x-, x+", cantilever = "x-";
const std::string press = section("press", "set Type = static\nset Loads = water\nset Increments = 4");

double lowest_frequency(const std::string &deck)
{
  const Folder folder;
  run_well(folder, deck + stages(press + section("forms", "set Type = modes\nset Modes = 2")),
           {"Output/Write every=never", "Newton/Tolerance=1e-12"});
  return table_of(folder / "results/modes-forms.csv").at("frequency")[0];
}

/// Of a small vibration about the state under pressure, nonlinear: where the spectrum of the displacement has its peak, by Hann's window;
/// less what the step of the average acceleration rule takes from it, omega = 2/h tan(omega_h h/2).
double measured_frequency(const std::string &deck, const double guess)
{
  const Folder folder;
  constexpr int steps = 2400;
  const double h = 1. / guess / 100.;
  const std::string free =
      section("free", "set Type = dynamic\nset Loads = water\n" +
                          section("Time", fmt::format("set Time step = {:.15g}\nset End time = {:.15g}", h, steps * h)));
  const Outcome run = run_well(folder, deck + stages(section("press", "set Type = static\nset Increments = 4") + free),
                               {"Output/Write every=never", "Newton/Tolerance=1e-10"});
  const auto &u = run.history["middle.u_y"];
  const std::size_t first = u.size() - steps;
  double mean = 0;
  for (std::size_t i = first; i < u.size(); ++i)
    mean += u[i] / steps;
  const auto amplitude = [&](const double f) {
    double real = 0, imaginary = 0;
    for (int i = 0; i < steps; ++i)
    {
      const double weighted = (u[first + i] - mean) * (1. - std::cos(2. * pi * (i + 0.5) / steps));
      real += weighted * std::cos(2. * pi * f * h * i);
      imaginary += weighted * std::sin(2. * pi * f * h * i);
    }
    return std::hypot(real, imaginary);
  };
  double peak = 0, found = 0;
  for (double f = 0.9 * guess; f < 1.1 * guess; f += 1e-4 * guess)
    if (const double size = amplitude(f); size > peak)
    {
      peak = size;
      found = f;
    }
  return std::tan(pi * found * h) / (pi * h);
}
}  // namespace

TEST(LinearMotion, PressureThatFollowsIsPartOfTheStiffness)
{
  // A ring under outer pressure p softens by 1 - p/p_c in its modes of two waves: with the pressure on the deformed ring p_c = 3 EI/R³,
  // with directions that stay p_c = 4 EI/R³ (Levy 1884; Timoshenko and Gere, Theory of Elastic Stability, 7.3).
  constexpr double R = 1, h = 0.04, E = 1e9, EI = E * h * h * h / 12., p = 1.5 * EI;
  const auto ring = [&](const std::string &type) {
    const std::string spring = "set To = ground\nset Stiffness = 1\nset Length = 1\n";
    const std::string at = "set On mesh = yes\nset Position = ";
    return section("Mesh", "set Type = ring\nset Dimension = 2\nset Subdivisions = 48, 1\nset Order = 2\n" +
                               section("ring", fmt::format("set Inner radius = {}\nset Outer radius = {}", R - 0.5 * h, R + 0.5 * h))) +
           elastic(E, 0., 1000., "st-venant-kirchhoff") +
           section("Points", section("east", at + "1.02, 0") + section("north", at + "0, 1.02")) +
           section("Springs", section("a", "set From = east\nset Anchor = 2.02, 0\n" + spring) +
                                  section("b", "set From = north\nset Anchor = 0, 2.02\n" + spring) +
                                  section("c", "set From = east\nset Anchor = 1.02, 1\n" + spring)) +
           section("Loads", section("water", fmt::format("set Type = {}\nset Boundary = outer\nset Pressure = {:.15g}", type, p))) +
           stages(section("before", "set Type = modes\nset Modes = 6") + section("press", "set Type = static\nset Increments = 2") +
                  section("after", "set Type = modes\nset Modes = 6"));
  };
  const auto softening = [&](const std::string &type) {
    const Folder folder;
    const Outcome run = run_well(folder, ring(type), {"Output/Write every=never"});
    EXPECT_EQ(run.log.find("is symmetric") != std::string::npos, type == "pressure");
    const auto before = table_of(folder / "results/modes-before.csv").at("omega^2"),
               after = table_of(folder / "results/modes-after.csv").at("omega^2");
    return after[4] / before[4];  // behind three that the soft springs hold
  };
  EXPECT_NEAR(softening("pressure"), 1. - 1.5 / 3., 0.01);
  EXPECT_GT(softening("dead-pressure"), 0.55);
}

TEST(LinearMotion, FrequencyUnderPressureIsThatOfTheMotion)
{
  const std::string deck = pressed_beam(held);
  const double modes = lowest_frequency(deck), motion = measured_frequency(deck, modes),
               dead = lowest_frequency(pressed_beam(held, "dead-pressure"));
  EXPECT_NEAR(modes / motion, 1., 5e-4);
  EXPECT_GT(std::abs(dead / motion - 1.), 5e-3);  // the pressure that follows is seen
}

TEST(LinearMotion, UnsymmetricTangentsAreRefusedWithTheirMeasure)
{
  const std::string words = "no symmetric tangent: |u·Kw - w·Ku| is ";
  const std::string loose = pressed_beam(cantilever),
                    sweep = "set Type = harmonic\nset Loads = tap\nset Frequencies = 1, 2\nset Points = 2\nset Structural damping = 0.1";
  expect_refused(loose + stages(press + section("forms", "set Type = modes")), words, {"Loads/water/Pressure=200"});
  expect_refused(loose + stages(press + section("sweep", sweep)), words, {"Loads/water/Pressure=200"});
  expect_refused(loose + stages(press + section("ring", "set Type = modal transient\nset Modes = 2\n" +
                                                            section("Time", "set Time step = 0.01\nset End time = 0.1"))),
                 words, {"Loads/water/Pressure=200"});
  // It is the load that acts which counts.
  const Folder folder;
  run_well(folder,
           loose + stages(section("other", "set Type = static\nset Loads = tap") + section("forms", "set Type = modes\nset Modes = 2")),
           {"Output/Write every=never"});
}

TEST(LinearMotion, WeightsAndLoadsOfTimeDoNotOscillate)
{
  const std::string sweep = section("sweep", "set Type = harmonic\nset Frequencies = 1, 10\nset Points = 3\nset Structural damping = 0.1");
  const std::string both = section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -10") +
                                                section("pull", "set Type = traction\nset Boundary = x+\nset Traction = 100, 0, 0"));
  expect_refused(bar(4) + both + stages(sweep), "load 'weight' is a weight, which does not oscillate");
  expect_refused(bar(4) + pull + stages(sweep), "load 'pull' changes with time", {"Loads/pull/Amplitude=1 + t"});
  // Said at once, not after the stages before.
  const Folder folder;
  const Outcome late = run_text(folder, bar(4) + both + stages(section("hold", "set Type = static\nset Loads = all") + sweep));
  EXPECT_EQ(late.exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder / "results/history.csv")) << late.terminal;
  const Outcome named = run_well(folder, bar(4) + both + stages(section("hold", "set Type = static\nset Loads = weight") + sweep));
  EXPECT_NE(named.log.find("harmonic loads: pull"), std::string::npos);
}

TEST(LinearMotion, WeightOfPointsDoesNotOscillate)
{
  // The weight of points stands in V: under it the mass would answer with m g beside the force of 7.
  constexpr double m = 2, k = 100, c = 3;
  const Folder folder;
  std::string deck = oscillator(m, k, c) + shake;
  deck.insert(deck.find("set Dimension = 1") + 18, "set Gravity = -10\n");
  run_well(folder, deck + stages(section("sweep", "set Type = harmonic\nset Frequencies = 0.3, 3\nset Points = 7")));
  const auto sweep = table_of(folder / "results/harmonic-sweep.csv");
  for (std::size_t i = 0; i < sweep.at("frequency").size(); ++i)
  {
    const double w = 2. * pi * sweep.at("frequency")[i];
    EXPECT_NEAR(sweep.at("amplitude mass.x")[i], 7. / std::hypot(k - m * w * w, c * w), 1e-9);
  }
}

TEST(LinearMotion, ThinSheetsVibrate)
{
  // The lowest omega of a clamped sheet is 3e-7 of the highest, which is that of waves across it: no mechanism for all that. A
  // beam's: 3.516 sqrt(E/12 rho) h/L².
  constexpr double h = 1e-3;
  const Folder folder;
  const std::string sheet = section("Mesh", "set Type = box\nset Subdivisions = 12, 1, 1\nset Element = incompatible-modes\n" +
                                                section("box", fmt::format("set Size = 1, 0.1, {}", h))) +
                            elastic(2e11, 0., 8000.) + section("Supports", section("clamp", "set Boundary = x-")) +
                            stages(section("forms", "set Type = modes\nset Modes = 3"));
  run_well(folder, sheet, {"Output/Write every=never"});
  const auto modes = table_of(folder / "results/modes-forms.csv");
  EXPECT_NE(text_of(folder / "results/modes-forms.csv").find("1,vibration"), std::string::npos);
  EXPECT_NEAR(modes.at("omega")[0], 3.516 * std::sqrt(2e11 / 12. / 8000.) * h, 0.02 * modes.at("omega")[0]);
}

/// A clamped wire with a heavy bob: the shape is that of a rigid motion but for a part of 1e-4 of the mass, and vibrates all the same:
/// omega² = 3 E I/(m L³). On a pin it is a rigid motion.
TEST(LinearMotion, HeavyMassOnAWire)
{
  const auto kinds = [](const std::string &foot, const std::string &beam) {
    const Folder folder;
    run_well(folder, "set Structure = discrete\n" +
                         section("Points", "set Dimension = 3\n" + section("foot", "set Position = 0, 0, 0\nset Fixed = yes") +
                                               section("bob", "set Position = 1, 0, 0\nset Mass = 20")) +
                         section("Beams", section("wire",
                                                  "set From = foot\nset To = bob\nset Elements = 20\nset Direction = 0, 1, 0\nset "
                                                  "Section = circle\nset Size = 0.002\nset E = 2e11\nset nu = 0.3\nset Density = 7800\n" +
                                                      beam)) +
                         foot + stages(section("forms", "set Type = modes\nset Modes = 4")));
    return std::pair(text_of(folder / "results/modes-forms.csv"), table_of(folder / "results/modes-forms.csv").at("omega")[0]);
  };
  const double I = 0.25 * 3.14159265358979 * std::pow(0.002, 4), wire = 7800. * 3.14159265358979 * 4e-6;
  const double omega = std::sqrt(3. * 2e11 * I / (20. + 33. / 140. * wire));
  const auto [clamped, found] = kinds("", "set Clamped = from");
  EXPECT_EQ(clamped.find("rigid"), std::string::npos) << clamped;
  EXPECT_NEAR(found, omega, 5e-3 * omega);
  EXPECT_NE(kinds("", "").first.find("rigid"), std::string::npos) << "pinned";
}

TEST(LinearMotion, ModalTransientIsAboutTheLastStateAtRest)
{
  // What moves when the stage begins goes on: with all modes it is the same motion as one dynamic stage, with one mode a part of it is
  // lost, and the log says so.
  const std::string time = "set Time step = 0.0005\nset End time = ", first = section("go", section("Time", time + "0.005"));
  const auto split = [&](const int modes) {
    const Folder folder;
    return run_well(folder,
                    bar(5) + pull +
                        stages(first + section("on", fmt::format("set Type = modal transient\nset Modes = {}\n", modes) +
                                                         section("Time", time + "0.015"))),
                    {"Output/Write every=never"});
  };
  const Folder folder;
  const Outcome straight =
      run_well(folder, bar(5) + pull + stages(section("go", section("Time", "set Time step = 0.00005\nset End time = 0.015"))),
               {"Output/Write every=never"});
  const Outcome all = split(20), one = split(1);
  EXPECT_NEAR(all.history.last("tip.u_x"), straight.history.last("tip.u_x"), 5e-3 * std::abs(straight.history.last("tip.u_x")));
  EXPECT_EQ(all.log.find("is in none of the"), std::string::npos);
  EXPECT_NE(one.log.find("is in none of the 1 modes and is lost"), std::string::npos);
}

TEST(LinearMotion, SummaryHoldsTheModesOfEachStage)
{
  const Folder folder;
  const Outcome run = run_well(folder,
                               bar(5) + pull + section("Damping", "set Ratios = 0.02, 5, 0.02, 50") +
                                   stages(section("forms", "set Type = modes\nset Modes = 3") +
                                          section("ring", "set Type = modal transient\nset Modes = 2\nset Damping ratios = 0.1\n" +
                                                              section("Time", "set Time step = 0.01\nset End time = 0.1"))),
                               {"Output/Write every=never"});
  const auto table = table_of(folder / "results/modes-forms.csv");
  const auto &forms = run.summary["stages"][0], &ring = run.summary["stages"][1];
  ASSERT_EQ(forms["modes"].size(), 3u);
  ASSERT_EQ(ring["modes"].size(), 2u);
  EXPECT_TRUE(forms["none is missing"].get<bool>());
  for (int i = 0; i < 2; ++i)
  {
    EXPECT_EQ(forms["modes"][i]["frequency"].get<double>(), table.at("frequency")[i]);
    EXPECT_EQ(forms["modes"][i]["damping ratio"].get<double>(), table.at("damping ratio")[i]);
    EXPECT_NEAR(ring["modes"][i]["damping ratio"].get<double>(), table.at("damping ratio")[i] + 0.1, 1e-12);
  }
}

TEST(LinearMotion, RatiosOfTheFirstModesAreTold)
{
  const std::string damped = bar(5) + pull + section("Damping", "set Ratios = 0.02, 5, 0.03, 50"),
                    time = section("Time", "set Time step = 0.01\nset End time = 0.02");
  const Folder folder;
  run_well(folder, damped + stages(section("forms", "set Type = modes\nset Modes = 3")), {"Output/Write every=never"});
  const auto modes = table_of(folder / "results/modes-forms.csv");
  std::string expected = "damping ratios of the first modes: ";
  for (int i = 0; i < 3; ++i)
    expected += fmt::format("{}{:.4g} at {:.5g} Hz", i > 0 ? ", " : "", modes.at("damping ratio")[i], modes.at("frequency")[i]);
  EXPECT_NE(run_well(folder, damped + time).log.find(expected), std::string::npos) << expected;
  EXPECT_EQ(run_well(folder, damped + time, {"Damping/Reported ratios=0"}).log.find("of the first modes"), std::string::npos);
  expect_refused(bar(5) + pull + section("Damping", "set Kelvin-Voigt = 0.001") + time, "has no effect: it is of alpha_M and alpha_K",
                 {"Damping/Reported ratios=2"});
}
}  // namespace symdyn::tests::in_linear_motion
