// Waves that flow: a step of velocity at the end of a bar and of a half space, beside exact plateaux and fronts (D3 of the references).
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_flow_waves
{
namespace
{
const std::string explicit_steps = section("Integrator", "set Scheme = central-difference");

std::string motion(const double h, const int steps, const int rows)
{
  return explicit_steps + section("Time", fmt::format("set Time step = {:.15g}\nset End time = {:.15g}", h, h * steps)) +
         section("Output", fmt::format("set Write every = never\nset History every = {}", steps / rows));
}

/// A chain of masses and bars, E = 200 GPa, E_t = 20 GPa, sigma_y = 200 MPa, rho = 8000 kg/m3, 1 m long, whose end moves with V, until the
/// elastic front, of 5000 m/s, is at 0.7 m.
struct Chain
{
  static constexpr double c_e = 5000., c_p = 1581.1388, duration = 0.7 / c_e;

  Chain(const double V, const int bars) : bars(bars)
  {
    constexpr double E = 200e9, E_t = 20e9, area = 1e-4;
    const double dx = 1. / bars;
    const std::string law = fmt::format(
        "set Law = plastic\nset Area = {}\nset EA = {}\nset Yield stress = 200e6\nset Hardening modulus = {:.15g}\nset Report = yes\n",
        area, E * area, E * E_t / (E - E_t));
    const int steps = std::lround(duration / (0.5 * dx / c_e) / 10.) * 10;
    const Folder folder;
    const History history =
        run_well(folder, "set Structure = discrete\n" +
                             section("Points", "set Dimension = 1\nset Report = hit, p0\n" +
                                                   section("hit", fmt::format("set Fixed = yes\nset Position = 0\nset Motion = {}*t", V)) +
                                                   section("p", fmt::format("set Count = {}\nset Mass = {:.15g}\nset Position = {:.15g}*(i "
                                                                            "+ 1)",
                                                                            bars, 8000. * area * dx, dx))) +
                             section("Bars", section("first", "set From = hit\nset To = p0\n" + law) +
                                                 section("b", "set From = p\nset To = p\nset Offset = 1\n" + law)) +
                             motion(duration / steps, steps, 10))
            .history;
    for (int i = 0; i < bars - 1; ++i)
    {
      const std::string bar = fmt::format("b.{}.", i);
      stress.push_back(-history.last(bar + "force") / area);
      strain.push_back(-history.last(bar + "elongation") / dx);
    }
  }

  /// Of bars between two parts of the way to the plastic front.
  double mean(const std::vector<double> &values, const double from, const double to) const
  {
    double sum = 0.;
    int count = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const double part = (i + 1.5) / bars / (c_p * duration); part > from && part < to)
        sum += values[i], ++count;
    return sum / count;
  }
  /// Where the stress first is below this [m].
  double front(const double level) const
  {
    std::size_t i = 0;
    while (i < stress.size() && stress[i] > level)
      ++i;
    return (i + 1.5) / bars;
  }

  int bars;
  std::vector<double> stress, strain;
};
}  // namespace

/// Plateaux of stress to 2e-3 and both fronts within two bars of 400.
TEST(FlowWaves, BilinearBar)
{
  constexpr double sigma = 263245600., sigma_y = 200e6;
  const Chain chain(10., 400);
  EXPECT_NEAR(chain.mean(chain.stress, 0.2, 0.8), sigma, 2e-3 * sigma);
  EXPECT_NEAR(chain.mean(chain.stress, 1.3, 2.8), sigma_y, 2e-3 * sigma_y);
  EXPECT_NEAR(chain.front(0.5 * (sigma + sigma_y)), Chain::c_p * Chain::duration, 2. / 400);
  EXPECT_NEAR(chain.front(0.5 * sigma_y), Chain::c_e * Chain::duration, 2. / 400);
  EXPECT_GT(std::abs(chain.mean(chain.strain, 1.3, 2.8) - 1e-3), 2e-3 * 1e-3) << "the control: it flows before its front";
}

/// A step of velocity makes the first cells overshoot, and what flows there stays: behind the front the strain is too large, most at the
/// end that is struck, although stress and velocity are right. It falls with the distance in cells, and so with their size.
TEST(FlowWaves, PermanentStrainOfTheStart)
{
  constexpr double eps = 0.01048683298, sigma = 389736700.;
  const Chain coarse(20., 400), fine(20., 1600);
  const auto error = [](const Chain &chain, const double from, const double to) { return chain.mean(chain.strain, from, to) / eps - 1.; };
  EXPECT_GT(error(coarse, 0.02, 0.2), 1e-2);
  EXPECT_LT(error(coarse, 0.6, 0.8), 5e-3);
  for (const double from : {0.2, 0.4, 0.6})
    EXPECT_LT(std::abs(error(fine, from, from + 0.2)), 0.6 * std::abs(error(coarse, from, from + 0.2))) << from;
  EXPECT_NEAR(fine.mean(fine.stress, 0.2, 0.8), sigma, 2e-3 * sigma);
}

/// Uniaxial strain (Wood 1952): the mean pressure on the struck end, which is the momentum over the time, and strains behind the fronts.
TEST(FlowWaves, UniaxialStrain)
{
  constexpr double c_e = 5801.1935, c_p = 4576.4058, sigma = 806119322., eps = 0.00402232164;
  constexpr int probed = 28;  // of 40 stretches: what lies before the elastic front
  const auto wave = [](const int cells) {
    const double dx = 1. / cells, duration = 0.7 / c_e, cell = 10. * dx * cells / 400.;
    const int steps = std::lround(duration / (0.46 * dx / c_e) / 10.) * 10;
    std::string probes;
    for (int i = 0; i < probed; ++i)
      probes += section(fmt::format("q{}", i), fmt::format("set Point = {:.15g}, 0", i * cell));
    const auto held = [](const std::string &name) { return section(name, "set Boundary = " + name + "\nset Type = symmetry"); };
    const Folder folder;
    History history =
        run_well(folder, section("Mesh", fmt::format("set Dimension = 2\nset Type = box\nset Subdivisions = {}, 1\n", cells) +
                                             section("box", fmt::format("set Size = 1, {:.15g}", dx))) +
                             section("Materials", section("metal",
                                                          "set Type = plastic\nset Kinematics = small\nset Density = 8000\nset E = "
                                                          "200e9\nset nu = 0.3\nset Yield stress = 200e6\nset Hardening modulus = 2e9")) +
                             section("Supports", held("y-") + held("y+") +
                                                     section("hit", "set Boundary = x-\nset Type = velocity\nset Velocity = 20, free")) +
                             section("Elements", "set Mass = lumped") + section("Probes", probes) + motion(duration / steps, steps, 1))
            .history;
    std::vector<double> strain;
    for (int i = 0; i + 1 < probed; ++i)
      strain.push_back((history.last(fmt::format("q{}.u_x", i)) - history.last(fmt::format("q{}.u_x", i + 1))) / cell);
    return std::pair(strain, history.last("P_x") / history["time"].back() / dx);
  };
  const auto [coarse, on_coarse] = wave(400);
  const auto [fine, on_fine] = wave(1600);
  EXPECT_LT(std::abs(on_fine - sigma), 0.6 * std::abs(on_coarse - sigma));
  const double front = 0.7 * c_p / c_e;  // 22 stretches of 1/40
  for (int i = 10; i < 15; ++i)
    EXPECT_NEAR(coarse[i], eps, 2e-3 * eps) << "the middle of the plateau, " << i;
  for (int i = 6; i < 19; ++i)
    EXPECT_NEAR(fine[i], eps, 2e-3 * eps) << i;
  EXPECT_LT(coarse[std::lround(front * 40) + 1], 0.5 * eps) << "elastic beyond the front";
  EXPECT_GT(coarse[std::lround(front * 40) - 2], 0.98 * eps) << "all of it before";
}
}  // namespace symdyn::tests::in_flow_waves
