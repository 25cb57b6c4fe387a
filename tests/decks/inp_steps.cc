// Steps of Abaqus and CalculiX decks: tables of modes, linear dynamics, supports that change, times at which tables are written.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "tests/run.h"

namespace symdyn::tests::in_inp_steps
{
namespace
{
constexpr double E_modulus = 1000, density = 1, area = 1, length = 1;
const double k = E_modulus * area / length, m = density * area * length / 3;  ///< of the end of a bar of one linear cell, consistent mass
const double omega = std::sqrt(k / m), pi = std::acos(-1.);

/// A bar of one cell without lateral strain (nu = 0), held at x = 0, free along x at the other end; node 99 belongs to no cell.
const std::string bar =
    "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n99,5,5,5\n"
    "*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET, NSET=ROOT\n1,4,5,8\n*NSET, NSET=TIP\n2,3,6,7\n*NSET, NSET=ODD\n2,99\n"
    "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.\n*DENSITY\n1.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\nROOT, 1, 3\nTIP, 2, 3\n";
const std::string modes = "*STEP\n*FREQUENCY\n1\n*END STEP\n";

struct Tables
{
  Outcome outcome;
  std::string text;
};

Tables run(const std::string &steps, const std::string &model = bar)
{
  const Folder folder;
  std::ofstream(folder / "bar.inp") << model + steps;
  Tables tables{run_deck(folder, folder / "bar.inp"), ""};
  tables.text = text_of(folder / "results/bar.dat");
  return tables;
}

/// The numbers of the first row below a title, from its `times`-th place on.
std::vector<double> row_below(const std::string &text, const std::string &title, int times = 1)
{
  std::size_t at = text.find(title);
  for (; times > 1 && at != std::string::npos; --times)
    at = text.find(title, at + 1);
  if (at == std::string::npos)
    return {};
  std::istringstream in(text.substr(text.find("\n\n", at) + 2));
  std::string line, word;
  std::getline(in, line);
  std::vector<double> numbers;
  for (std::istringstream words(line); words >> word;)
    numbers.push_back(std::stod(word));
  return numbers;
}

int count(const std::string &text, const std::string &title)
{
  int n = 0;
  for (std::size_t at = text.find(title); at != std::string::npos; at = text.find(title, at + 1))
    ++n;
  return n;
}

double value(const std::vector<double> &row, const std::size_t i) { return i < row.size() ? row[i] : std::nan(""); }
}  // namespace

TEST(InpSteps, TablesOfModesHoldThoseOfABar)
{
  const Tables tables = run("*STEP\n*FREQUENCY\n3\n*NODE PRINT, NSET=TIP\nU\n*NODE PRINT, NSET=ROOT, TOTALS=ONLY\nRF\n*END STEP\n");
  ASSERT_EQ(tables.outcome.exit_code, 0) << tables.outcome.terminal;
  const auto first = row_below(tables.text, "REAL PART            IMAGINARY PART\n                           (RAD/TIME)");
  EXPECT_NEAR(value(first, 1), 3 * E_modulus, 1e-3) << tables.text;
  EXPECT_NEAR(value(first, 2), omega, 1e-4);
  EXPECT_NEAR(value(first, 3), omega / (2 * pi), 1e-5);
  EXPECT_EQ(value(first, 4), 0);
  // u = x sqrt(3): the motion as a whole without the mass that is held, r = x, has phi M r = sqrt(3)/3; with all the mass it would have
  // sqrt(3)/2.
  EXPECT_NEAR(std::abs(value(row_below(tables.text, "MODE NO.   X-COMPONENT"), 1)), std::sqrt(3.) / 3, 1e-6);
  EXPECT_NEAR(value(row_below(tables.text, "MODE NO.   X-COMPONENT", 2), 1), 1. / 3, 1e-6);
  EXPECT_NEAR(value(row_below(tables.text, "MODE NO.   X-COMPONENT", 3), 0), 1. / 3, 1e-6);
  EXPECT_EQ(count(tables.text, "E I G E N V A L U E    N U M B E R"), 3);
  const auto shape = row_below(tables.text, "displacements (vx,vy,vz) for set TIP and time  0.1000000E+01"),
             force = row_below(tables.text, "total force (fx,fy,fz) for set ROOT");
  EXPECT_NEAR(std::abs(value(shape, 1)), std::sqrt(3.), 1e-5);
  EXPECT_NEAR(value(force, 0), -k * value(shape, 1), 1e-2) << "K phi";
}

TEST(InpSteps, FrequenciesHaveLimits)
{
  // omega² = 3 E, 9 E (twice), ...: 8.7, 15.1, 15.1, ... per second
  const Tables above = run("*STEP\n*FREQUENCY\n3, 10.\n*END STEP\n"), below = run("*STEP\n*FREQUENCY\n3, , 10.\n*END STEP\n");
  EXPECT_NEAR(value(row_below(above.text, "(CYCLES/TIME     (RAD/TIME)"), 1), 9 * E_modulus, 1e-2) << above.outcome.terminal;
  EXPECT_NEAR(value(row_below(below.text, "(CYCLES/TIME     (RAD/TIME)"), 1), 3 * E_modulus, 1e-2) << below.outcome.terminal;
  EXPECT_EQ(below.text.find("\n      2   0."), std::string::npos) << "the second mode is above";
  EXPECT_EQ(run("*STEP\n*FREQUENCY\n3, 10., 5.\n*END STEP\n").outcome.exit_code, 1);
}

TEST(InpSteps, RayleighDampingOfModesDecaysAsTheOscillator)
{
  const std::string load = "*CLOAD\nTIP, 1, 2.5\n*NODE PRINT, NSET=TIP\nU\n*END STEP\n", step = "*STEP\n*MODAL DYNAMIC\n0.005, 0.1\n";
  const Tables damped = run(modes + step + "*MODAL DAMPING, RAYLEIGH\n,, 8., 1e-3\n" + load), free = run(modes + step + load);
  ASSERT_EQ(damped.outcome.exit_code, 0) << damped.outcome.terminal;
  const double c = 8. + 1e-3 * omega * omega, decay = 0.5 * c, t = 0.1;
  const auto response = [&](const double h) {
    const double w = std::sqrt(omega * omega - h * h);
    return 10. / k * (1. - std::exp(-h * t) * (std::cos(w * t) + h / w * std::sin(w * t)));
  };
  const std::string title = "displacements (vx,vy,vz) for set TIP and time  0.1000000E+00";
  EXPECT_NEAR(value(row_below(damped.text, title), 1), response(decay), 1e-8) << "the load is constant: exact";
  EXPECT_NEAR(value(row_below(free.text, title), 1), response(0.), 1e-8);
  EXPECT_GT(std::abs(response(0.) - response(decay)), 1e-3) << "the control can tell them apart";
}

TEST(InpSteps, ModalStepsEndWhenTheyAreSteady)
{
  const std::string damping = "*MODAL DAMPING\n1, 1, 0.7\n*CLOAD\nTIP, 1, 2.5\n*NODE PRINT, NSET=TIP\nU\n*END STEP\n";
  const Tables steady = run(modes + "*STEP, INC=1000\n*MODAL DYNAMIC, STEADY STATE\n0.01, 1e-5\n" + damping);
  ASSERT_EQ(steady.outcome.exit_code, 0) << steady.outcome.terminal;
  const int steps = count(steady.text, "displacements");
  EXPECT_GT(steps, 10);
  EXPECT_LT(steps, 60) << "of 1000";
  EXPECT_NE(steady.outcome.log.find("steady at t ="), std::string::npos);
  EXPECT_NEAR(value(row_below(steady.text, "displacements", steps), 1), 10. / k, 1e-4 * 10. / k);
}

TEST(InpSteps, SteadyVibrationStandsBetweenModesWithBiasAndPhase)
{
  const double alpha = 3, low = 5, high = 12, mode = omega / (2 * pi);
  const std::string head = "*STEP\n*STEADY STATE DYNAMICS\n5., 12., 5\n*MODAL DAMPING, RAYLEIGH\n,, 3., 0.\n*CLOAD\nTIP, 1, 0.25\n",
                    tail = "*NODE PRINT, NSET=TIP\nU\n*END STEP\n";
  const Tables real = run(modes + head + tail), both = run(modes + head + "*CLOAD, LOAD CASE=2\nTIP, 1, 0.5\n" + tail);
  ASSERT_EQ(both.outcome.exit_code, 0) << both.outcome.terminal;
  EXPECT_EQ(count(real.text, "displacements"), 2 * 9)
      << "five from the lowest to the mode, four from there to the highest, real and imaginary";
  const double second = 0.5 * (low + mode) - 0.5 * (mode - low) * std::cbrt(0.5);
  const auto expect = [&](const Tables &tables, const std::complex<double> F, const double f, const int number) {
    const double w = 2 * pi * f;
    const std::complex<double> u = F / std::complex<double>(k - w * w * m, alpha * w * m);
    EXPECT_NEAR(value(row_below(tables.text, "displacements", 2 * number - 1), 1), u.real(), 1e-6 * std::abs(u));
    EXPECT_NEAR(value(row_below(tables.text, "displacements", 2 * number), 1), u.imag(), 1e-6 * std::abs(u));
  };
  expect(real, 1., low, 1);
  expect(real, 1., second, 2);
  expect(real, 1., high, 9);
  expect(both, {1., 2.}, second, 2);
}

TEST(InpSteps, SupportsThatOscillateShakeTheBar)
{
  const double alpha = 3, w = 2 * pi * 6;
  const Tables shaken = run(
      modes +
      "*STEP\n*STEADY STATE DYNAMICS\n6., 6., 1\n*MODAL DAMPING, RAYLEIGH\n,, 3., 0.\n*BOUNDARY\nROOT, 1, 1, 0.01\n*NODE PRINT, NSET=TIP\nU\n*END STEP\n");
  ASSERT_EQ(shaken.outcome.exit_code, 0) << shaken.outcome.terminal;
  // The root g, the tip g + w: m'' = A L/6 couples both in the consistent mass, and damping alpha M resists the motion in space.
  const std::complex<double> i(0, 1), dynamic = k - w * w * m + i * w * alpha * m, coupling = -k - w * w * m / 2. + i * w * alpha * m / 2.,
                                      u = -coupling * 0.01 / dynamic;
  EXPECT_NEAR(value(row_below(shaken.text, "displacements", 1), 1), u.real(), 1e-6 * std::abs(u)) << shaken.text;
  EXPECT_NEAR(value(row_below(shaken.text, "displacements", 2), 1), u.imag(), 1e-6 * std::abs(u));
  EXPECT_GT(std::abs(u.real() - 0.01), 1e-3) << "more than to move along";
}

TEST(InpSteps, SupportsGoAndStandInLaterSteps)
{
  const std::string pull = "*STEP\n*STATIC\n*CLOAD\nTIP, 1, 2.5\n*END STEP\n",
                    print = "*NODE PRINT, NSET=TIP, TOTALS=YES\nU, RF\n*END STEP\n";
  const Tables stands = run(pull + "*STEP\n*STATIC\n*CLOAD, OP=NEW\nTIP, 1, 0.5\n*BOUNDARY, FIXED\nTIP, 1, 1\n" + print),
               goes = run(pull + "*STEP\n*STATIC\n*CLOAD, OP=NEW\nTIP, 1, 0.5\n" + print);
  ASSERT_EQ(stands.outcome.exit_code, 0) << stands.outcome.terminal;
  EXPECT_NEAR(value(row_below(stands.text, "displacements"), 1), 10. / k, 1e-9) << "where the first step left it";
  EXPECT_NEAR(value(row_below(stands.text, "total force"), 0), 10., 1e-6);
  EXPECT_NEAR(value(row_below(goes.text, "displacements"), 1), 2. / k, 1e-9) << "without the support";

  const std::string push = "*STEP\n*STATIC\n*BOUNDARY\nTIP, 1, 1, 0.02\n*END STEP\n*STEP\n*STATIC\n";
  const Tables kept = run(push + print), moved = run(push + "*BOUNDARY\nTIP, 1, 1, 0.05\n" + print),
               freed = run(push + "*BOUNDARY, OP=NEW\nROOT, 1, 3\nTIP, 2, 3\n" + print);
  EXPECT_NEAR(value(row_below(kept.text, "displacements"), 1), 0.02, 1e-9) << kept.outcome.terminal;
  EXPECT_NEAR(value(row_below(moved.text, "displacements"), 1), 0.05, 1e-9) << moved.outcome.terminal;
  EXPECT_NEAR(value(row_below(freed.text, "displacements"), 1), 0., 1e-9) << freed.outcome.terminal;
  EXPECT_EQ(run("*STEP\n*STATIC\n*BOUNDARY, FIXED\nTIP, 1, 1\n*END STEP\n").outcome.exit_code, 1) << "nothing has moved yet";
}

TEST(InpSteps, ALoadThatEndsInAModalStepLetsTheBodyVibrate)
{
  const Tables freed = run("*STEP\n*STATIC\n*CLOAD\nTIP, 1, 2.5\n*END STEP\n" + modes +
                           "*STEP\n*MODAL DYNAMIC\n0.005, 0.1\n*CLOAD\nTIP, 1, 0.\n*NODE PRINT, NSET=TIP\nU\n*END STEP\n");
  ASSERT_EQ(freed.outcome.exit_code, 0) << freed.outcome.terminal;
  EXPECT_NEAR(value(row_below(freed.text, "displacements", count(freed.text, "displacements")), 1), 10. / k * std::cos(omega * 0.1), 1e-8);
  EXPECT_NE(freed.outcome.terminal.find("CalculiX begins without displacement"), std::string::npos) << freed.outcome.terminal;
}

TEST(InpSteps, TablesThatModesCannotHaveAreLeftOut)
{
  const std::string loaded = "*STEP, NLGEOM\n*STATIC\n*CLOAD\nTIP, 1, 2.5\n*NODE PRINT, NSET=TIP\nU, V\n*EL PRINT, ELSET=E\nS\n*END STEP\n";
  const Tables inherited = run(loaded + "*STEP, PERTURBATION\n*FREQUENCY\n1\n*END STEP\n");
  ASSERT_EQ(inherited.outcome.exit_code, 0) << inherited.outcome.terminal;
  EXPECT_EQ(count(inherited.text, "stresses"), 1) << "of the static step";
  EXPECT_EQ(count(inherited.text, "displacements"), 2);
  EXPECT_NE(inherited.outcome.terminal.find("*EL PRINT S: is left out of step-2"), std::string::npos) << inherited.outcome.terminal;
  EXPECT_NE(inherited.outcome.terminal.find("*NODE PRINT V: is left out of step-2"), std::string::npos);
  const Tables none =
      run(loaded +
          "*STEP, PERTURBATION\n*FREQUENCY\n1\n*NODE PRINT, NSET=TIP, FREQUENCY=0\nU\n*EL PRINT, ELSET=E, FREQUENCY=0\nS\n*END STEP\n");
  EXPECT_EQ(count(none.text, "displacements"), 1) << none.outcome.terminal;
  EXPECT_EQ(none.outcome.terminal.find("left out"), std::string::npos);
}

TEST(InpSteps, TimesAreThoseOfTheFile)
{
  const std::string amplitude = "*AMPLITUDE, NAME=A\n0., 1., 1., 2., 2., 3.\n*TIME POINTS, NAME=T\n0.02, 0.07\n";
  const Tables delayed =
      run(amplitude +
          "*STEP\n*STATIC\n1.5, 1.5\n*CLOAD, AMPLITUDE=A, TIME DELAY=1.\nTIP, 1, 2.5\n*NODE PRINT, NSET=ODD\nU\n*END STEP\n"
          "*STEP\n*DYNAMIC, DIRECT\n0.01, 0.1\n*CLOAD, OP=NEW\nTIP, 1, 2.5\n*NODE PRINT, NSET=TIP, TIMEPOINTS=T\nU\n*END STEP\n");
  ASSERT_EQ(delayed.outcome.exit_code, 0) << delayed.outcome.terminal;
  const std::string first = "displacements (vx,vy,vz) for set ODD and time  0.1500000E+01\n\n";
  EXPECT_NEAR(value(row_below(delayed.text, first), 1), 15. / k, 1e-8) << "A(0.5) = 1.5; with no delay it would be 25/k";
  const auto at = delayed.text.find(first);
  EXPECT_NE(delayed.text.find("        99   0.000000E+00  0.000000E+00  0.000000E+00", at), std::string::npos) << "no cell has it";
  for (const char *time : {"0.1520000E+01", "0.1570000E+01", "0.1600000E+01"})
    EXPECT_NE(delayed.text.find(std::string("for set TIP and time  ") + time), std::string::npos) << time << "\n" << delayed.text;
  EXPECT_EQ(count(delayed.text, "for set TIP"), 3);
}

/// The data line of *DYNAMIC, EXPLICIT: the fourth number is the longest step, the third one the step up to which CalculiX 2.20 scales
/// masses.
TEST(InpSteps, ExplicitStepsHaveTheirLimits)
{
  const auto explicit_run = [](const std::string &limits) {
    return run("*STEP\n*DYNAMIC, EXPLICIT\n1e-4, 0.1" + limits + "\n*CLOAD\nTIP, 1, 1.\n*END STEP\n").outcome;
  };
  const auto step = [](const Outcome &outcome) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    return outcome.summary["stages"][0]["step"].get<double>();
  };
  const double automatic = step(explicit_run(""));
  EXPECT_GT(automatic, 5e-3);
  EXPECT_EQ(step(explicit_run(", 1e-8")), automatic) << "nothing to scale";
  EXPECT_NEAR(step(explicit_run(", , 1e-3")), 1e-3, 1e-15);
  EXPECT_NEAR(step(explicit_run(", 1e-8, 2e-3")), 2e-3, 1e-15);
  EXPECT_EQ(step(explicit_run(", , 1.")), automatic);
  const Outcome scaled = explicit_run(", 0.05");
  EXPECT_EQ(scaled.exit_code, 1) << scaled.terminal;
  for (const std::string part : {"bar.inp:", "CalculiX would scale the masses", "the third number"})
    EXPECT_EQ(has(scaled.terminal, part), "");
}
}  // namespace symdyn::tests::in_inp_steps
