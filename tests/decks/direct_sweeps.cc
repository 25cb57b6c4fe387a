// Direct sweeps through the frequencies at which the preconditioner is singular, and frequencies without an answer.
#include "tests/sweep.h"

namespace symdyn::tests::in_direct_sweeps
{
namespace
{
/// NAFEMS test 5H as a solid: a beam of 10 m x 2 m x 2 m, u_y = 0 on both end faces, 1e6 N/m on its upper face, 5.36
/// 1/s, 7.46e-5 s. One half of it: u_z = 0 in the middle plane.
std::string deep_beam()
{
  const auto end = [](const std::string &face) {
    return "set Boundary = " + face + "\nset Type = displacement\nset Displacement = free, 0, free";
  };
  return section("Mesh", "set Type = box\nset Order = 2\nset Subdivisions = 10, 2, 1\n" + section("box", "set Size = 10, 2, 1")) +
         elastic(200e9, 0.3, 8000.) +
         section("Supports", section("left", end("x-")) + section("right", end("x+")) +
                                 section("middle plane", "set Boundary = z-\nset Type = symmetry")) +
         section("Loads", section("push", "set Type = traction\nset Boundary = y+\nset Traction = 0, -5e5, 0")) +
         section("Damping", "set Mass proportional = 5.36\nset Stiffness proportional = 7.46e-5") +
         section("Probes", section("middle", "set Point = 5, 1, 0"));
}

std::size_t peak_of(const std::vector<double> &amplitudes)
{
  return std::max_element(amplitudes.begin(), amplitudes.end()) - amplitudes.begin();
}

/// A deck of two masses that do not touch, each on its spring.
std::string two_masses(const double stiffness)
{
  const auto spring = [](const std::string &mass, const double k) {
    return section("of " + mass, fmt::format("set From = wall\nset To = {}\nset Stiffness = {:.17g}", mass, k));
  };
  const auto mass = [](const std::string &name) { return section(name, "set Mass = 1\nset Position = 1"); };
  return "set Structure = discrete\n" +
         section("Points", "set Dimension = 1\n" + section("wall", "set Fixed = yes\nset Position = 0") + mass("one") + mass("two")) +
         section("Springs", spring("one", stiffness) + spring("two", 10. * stiffness)) +
         section("Forces", section("shake", "set Points = one, two\nset Force = 7"));
}
}  // namespace

TEST(DirectSweeps, OfOneMassIsExactWhereThePreconditionerIsSingular)
{
  // k - m w² + w c = 0 at w = w_n (sqrt(1 + zeta²) + zeta), k - m w² - w c = 0 at w_n (sqrt(1 + zeta²) - zeta).
  constexpr double m = 2, k = 100, c = 3;
  const double w_n = std::sqrt(k / m), zeta = c / (2. * m * w_n), root = std::sqrt(1. + zeta * zeta);
  const Sweep sweep(oscillator(m, k, c) + shake, fmt::format("set Frequencies = {:.17g}, {:.17g}\nset Points = 3",
                                                             w_n * (root - zeta) / (2. * pi), w_n * (root + zeta) / (2. * pi)));
  ASSERT_EQ(sweep.points(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    expect_equal(sweep.value("mass.x", i), 7. / Complex(k - m * std::pow(sweep.omega(i), 2), c * sweep.omega(i)), 1e-8,
                 fmt::format("point {}", i));
}

TEST(DirectSweeps, OfTheDeepBeamHaveNoGap)
{
  // NAFEMS R0016 test 5H: 13.45 mm at 42.65 Hz by beam theory.
  const std::string entries = "set Frequencies = 38, 47\nset Points = 361\n";
  const Sweep direct(deep_beam(), entries), modal(deep_beam(), entries + "set Method = modal\nset Modes = 40");
  ASSERT_EQ(direct.points(), 361u);
  const std::vector<double> &amplitude = direct.at("amplitude middle.u_y");
  const std::size_t peak = peak_of(amplitude);
  EXPECT_NEAR(amplitude[peak], 13.33e-3, 0.01e-3);
  EXPECT_NEAR(direct.at("frequency")[peak], 42.70, 0.026);
  for (std::size_t i = 0; i < direct.points(); ++i)
    expect_equal(direct.value("middle.u_y", i), modal.value("middle.u_y", i), 1e-4, fmt::format("{} Hz", direct.at("frequency")[i]));
}

TEST(DirectSweeps, OfTheDeepBeamAreTheSameOnRanks)
{
  // About f_1 (sqrt(1 + zeta²) + zeta), point by point.
  const std::string entries = "set Frequencies = 43.5, 43.6\nset Points = 5\n";
  const Sweep one(deep_beam(), entries), two(deep_beam(), entries, {}, 2);
  for (std::size_t i = 0; i < one.points(); ++i)
    expect_equal(two.value("middle.u_y", i), one.value("middle.u_y", i), 1e-7, "ranks");
}

TEST(DirectSweeps, GoOnAfterAFrequencyWithoutAnAnswer)
{
  // k/m = (2 pi 1 Hz)² to the last digit, and no damping.
  const double omega = 2. * pi;
  const std::string sweep = "set Type = harmonic\nset Frequencies = 0.5, 1.5\nset Points = 5\nset Method = ";
  const std::string direct = "direct", modal = "modal\nset Modes = 2\nset Static correction = no";
  for (const auto &[method, beside] :
       {std::pair{direct, 0.}, {modal, 0.}, {modal, 1e-13}})  // a frequency is written with 16 digits, and an eigenvalue is known to 10
  {
    const Folder folder;
    const Outcome run =
        run_text(folder, two_masses(omega * omega * (1. + beside)) +
                             stages(section("sweep", sweep + method) + section("forms", "set Type = modes\nset Modes = 2")));
    EXPECT_EQ(run.exit_code, 2) << run.terminal;
    EXPECT_NE(run.terminal.find("harmonic response at 1 Hz"), std::string::npos) << run.terminal;
    EXPECT_NE(run.terminal.find("frequencies without an answer: 1 of stage sweep (1 Hz)"), std::string::npos) << run.terminal;
    EXPECT_EQ(run.summary["status"], "incomplete");
    EXPECT_EQ(run.summary["stages"][0]["unsolved frequencies"], std::vector<double>{1.});
    EXPECT_EQ(table_of(folder / "results/harmonic-sweep.csv").at("frequency"), (std::vector<double>{0.5, 0.75, 1.25, 1.5}));
    EXPECT_TRUE(std::filesystem::exists(folder / "results/modes-forms.csv")) << "later stages are computed";
  }
}
}  // namespace symdyn::tests::in_direct_sweeps
