// Which motion the damping of modes resists where supports move.
#include "tests/inp_model.h"
#include "tests/sweep.h"

namespace symdyn::tests::in_support_damping
{
namespace
{
/// A rod of forty cubes whose root oscillates by 0.01, as CalculiX 2.20 takes it.
std::string shaken_rod(const std::string &damping, const std::string &motion = "*BOUNDARY\nROOT, 1, 1, .01\n")
{
  return rod(40, "*ELASTIC\n16000., 0.\n") +
         "*BOUNDARY\nROOT, 1, 3\nALL, 2, 3\n*AMPLITUDE, NAME=A\n0., .01, 100., .01\n*STEP\n*FREQUENCY, "
         "STORAGE=YES\n3\n*END STEP\n*STEP\n*STEADY STATE DYNAMICS\n.4, .7, 3, 1.\n" +
         damping + motion + "*NODE PRINT, NSET=TIP\nU\n*END STEP\n";
}
const std::string ratios = "*MODAL DAMPING\n1, 3, 0.5\n", mass_part = "*MODAL DAMPING, RAYLEIGH\n,,7.,0.\n",
                  stiffness_part = "*MODAL DAMPING, RAYLEIGH\n,,0.,0.05\n";
const std::string base_motion = "*BASE MOTION, DOF=1, AMPLITUDE=A, TYPE=DISPLACEMENT\n";
const std::string in_space = "Stages/step-2/Modal damping acts on=absolute motion";

/// u_x of the tip at 0.4 Hz, the first frequency.
Complex tip_of(const std::string &text, const std::vector<std::string> &settings = {})
{
  const std::string tables = tables_of(text, settings), title = "displacements (vx,vy,vz) for set TIP and time  0.4000000E+00";
  const std::size_t next = tables.find(title) + title.size();
  return {of_node(rows_below(tables, title), 163)[0], of_node(rows_below(tables.substr(next), title), 163)[0]};
}
}  // namespace

TEST(SupportDamping, OfOneMassIsClosedForBothMotions)
{
  // u/u_g = (1 + 2 i zeta r)/(1 - r² + 2 i zeta r) from the base, 1/(1 - r² + 2 i zeta r) in space, r = w/w_n.
  constexpr double m = 2, k = 100, g = 0.01, zeta = 0.3;
  const double w_n = std::sqrt(k / m);
  const std::string entries =
      "set Method = modal\nset Modes = 1\nset Frequencies = 0.2, 4\nset Points = 9\nset Static correction = no\nset "
      "Base displacement = 0.01\n";
  const std::string whole = fmt::format("set Damping ratios = {}\n", zeta),
                    alpha = fmt::format("set Rayleigh damping = {:.17g}, 0\n", 2. * zeta * w_n),
                    beta = fmt::format("set Rayleigh damping = 0, {:.17g}\n", 2. * zeta / w_n),
                    space = "set Modal damping acts on = absolute motion\n", supports = "set Modal damping acts on = relative motion\n",
                    absolute_frame = "set Base frame = absolute\n";
  struct Case
  {
    std::string damping, motion;
    bool resists_motion_in_space;
  };
  for (const Case &one : {Case{whole, "", false},
                          {whole, supports, false},
                          {whole, space, true},
                          {beta, "", false},
                          {beta, space, true},
                          {alpha, "", true},
                          {alpha, supports, false},
                          {alpha, space, true}})
  {
    const Sweep sweep(oscillator(m, k, 0.), entries + absolute_frame + one.damping + one.motion);
    for (std::size_t i = 0; i < sweep.points(); ++i)
    {
      const double r = sweep.omega(i) / w_n;
      const Complex damper(0., 2. * zeta * r), u = g * (1. + (one.resists_motion_in_space ? 0. : damper)) / (1. - r * r + damper);
      expect_equal(sweep.value("mass.x", i), u, 1e-8, one.damping + one.motion);
    }
  }
  const Sweep space_frame(oscillator(m, k, 0.), entries + absolute_frame + whole + space),
      base_frame(oscillator(m, k, 0.), entries + whole + space);
  for (std::size_t i = 0; i < space_frame.points(); ++i)
    expect_equal(space_frame.value("mass.x", i), base_frame.value("mass.x", i) + g, 1e-8, "the frame is a matter of what is written");
}

TEST(SupportDamping, InSpaceIsThatOfCalculiX)
{
  // CalculiX 2.20. It leaves out the mass between the nodes of the root and free ones: with ten cubes the difference is 16 times as large.
  constexpr double of_mass = 5e-4;
  const std::vector<std::pair<std::string, Complex>> references = {
      {ratios, {5.565649e-3, -1.144508e-2}}, {mass_part, {-8.316841e-5, -7.408497e-3}}, {stiffness_part, {2.156562e-2, -6.037042e-3}}};
  for (const auto &[damping, reference] : references)
  {
    expect_equal(tip_of(shaken_rod(damping), {in_space}), reference, of_mass, damping + "supports");
    expect_equal(tip_of(shaken_rod(damping, base_motion), {in_space}), reference, of_mass, damping + "base");
  }
  // alpha is that of the mass, by itself; ratios and beta resist the motion from the supports.
  expect_equal(tip_of(shaken_rod(mass_part)), references[1].second, of_mass, "alpha");
  expect_equal(tip_of(shaken_rod(mass_part, base_motion)), references[1].second, of_mass, "alpha, base");
  EXPECT_GT(std::abs(tip_of(shaken_rod(ratios)) - references[0].second), 1e-3);
  expect_equal(tip_of(shaken_rod(ratios)), tip_of(shaken_rod(ratios, base_motion)), 1e-6, "supports and base");
}

TEST(SupportDamping, OfCalculiXFilesIsWarnedOf)
{
  const auto warned = [](const std::string &text) {
    const Folder folder;
    std::ofstream(folder / "model.inp") << text;
    const Outcome outcome = run_deck(folder, folder / "model.inp");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    return outcome.terminal.find("damping ratios and beta resist the motion relative to the supports") != std::string::npos;
  };
  EXPECT_TRUE(warned(shaken_rod(ratios)));
  EXPECT_TRUE(warned(shaken_rod(stiffness_part, base_motion)));
  EXPECT_FALSE(warned(shaken_rod(mass_part)));
  EXPECT_FALSE(warned(shaken_rod(ratios, "*CLOAD\nTIP, 1, 1.\n")));
}

TEST(SupportDamping, OfARampIsTheDragOfTheMass)
{
  // A support that moves at V: a damper c of the mass in space pulls the bar back, u(L) - V t = -alpha rho V L²/(2 E);
  // one from the support does not.
  constexpr double V = 0.1, alpha = 300., E = 1e6, rho = 1000., lag = alpha * rho * V / (2. * E);
  const std::string clamp = "set Boundary = x-\nset Type = displacement\nset Displacement = 0.1, 0, 0\nset Amplitude = t";
  const std::string deck = section("Mesh", "set Type = box\nset Subdivisions = 6, 1, 1\n" + section("box", "set Size = 1, 0.05, 0.05")) +
                           elastic(E, 0., rho) +
                           section("Supports", section("clamp", clamp) + section("y", "set Boundary = y-\nset Type = symmetry") +
                                                   section("z", "set Boundary = z-\nset Type = symmetry")) +
                           section("Probes", section("tip", "set Point = 1, 0, 0"));
  const auto behind = [&](const std::string &entries) {
    const Folder folder;
    return V * 2. - run_well(folder,
                             deck + stages(section("ride", "set Type = modal transient\nset Modes = 6\n" + entries +
                                                               section("Time", "set Time step = 0.01\nset End time = 2"))),
                             {"Output/Write every=never"})
                        .history.last("tip.u_x");
  };
  const std::string given = fmt::format("set Rayleigh damping = {}, 0\n", alpha);
  EXPECT_NEAR(behind(given), lag, 1e-6 * lag);
  EXPECT_NEAR(behind(given + "set Modal damping acts on = absolute motion\n"), lag, 1e-6 * lag);
  EXPECT_NEAR(behind(given + "set Modal damping acts on = relative motion\n"), 0., 1e-6 * lag);
  EXPECT_NEAR(behind("set Damping ratios = 0.8\n"), 0., 1e-6 * lag);
  EXPECT_GT(behind("set Damping ratios = 0.8\nset Modal damping acts on = absolute motion\n"), 0.1 * lag);
}

TEST(SupportDamping, EntriesWithoutEffectAreRefused)
{
  const std::string space = "set Modal damping acts on = absolute motion\n", sweep = "set Type = harmonic\nset Frequencies = 1, 10\n";
  const auto refused = [](const std::string &stage, const std::string &words) {
    expect_refused(bar(4) + pull + stages(section("one", stage)), words);
  };
  refused(sweep + "set Method = modal\nset Modes = 2\nset Damping ratios = 0.1\n" + space, "no support and no base moves");
  refused(sweep + "set Method = modal\nset Modes = 2\nset Base displacement = 1, 0, 0\n" + space,
          "has no effect without Damping ratios or Rayleigh damping");
  refused(sweep + "set Base displacement = 1, 0, 0\n" + space, "Modal damping acts on");
  refused("set Type = modal transient\nset Modes = 2\nset Damping ratios = 0.1\n" + space +
              section("Time", "set Time step = 0.01\nset End time = 1"),
          "no support and no base moves");
}
}  // namespace symdyn::tests::in_support_damping
