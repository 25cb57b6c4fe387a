// Published cases of beams: decks of decks/verification against closed forms, papers, NAFEMS and an independent program.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <map>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_beam_verification
{
namespace
{
/// The deck verification/ID.prm, without frames.
Outcome run_case(const Folder &folder, const std::string &id, const Settings &settings)
{
  Outcome run = run_deck(folder, "verification/" + id + ".prm", Settings{"Output/Write every=never"} + settings);
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  return run;
}

History history_of(const std::string &id, const Settings &settings = {})
{
  const Folder folder;
  return run_case(folder, id, settings).history;
}

std::vector<double> frequencies_of(const std::string &id, const Settings &settings = {})
{
  const Folder folder;
  run_case(folder, id, settings);
  return table_of(folder / "results/modes-forms.csv").at("frequency");
}

void expect_close(const double got, const double published, const double tolerance, const std::string &what = "")
{
  EXPECT_NEAR(got, published, tolerance * std::abs(published)) << what;
}

/// Displacement of the tip of the Princeton beam along its long side, its short side and its axis [m]; `degrees` from the vertical.
std::array<double, 3> princeton(const double force, const double degrees)
{
  const double c = std::cos(degrees * M_PI / 180.), s = std::sin(degrees * M_PI / 180.);
  const History history = history_of("princeton", {fmt::format("Beams/blade/Direction=0, {:.15g}, {:.15g}", s, c),
                                                   fmt::format("Forces/weight/Force=0, 0, {:.15g}", -force)});
  const double y = history.last("tip.y"), z = history.last("tip.z");
  return {s * y + c * z, c * y - s * z, history.last("tip.x") - 0.508};
}
}  // namespace

/// Sze, Liu, Lo 2004, section 3.2, exactly: the place of the tip at all moments, the energy of a circle. The error of 8 elements is that of
/// Green's and Lagrange's axial strain.
TEST(BeamVerification, RollUp)
{
  const History history = history_of("rollup"), stiffer = history_of("rollup", {"Beams/strip/Director stiffness=100"});
  const History fine = history_of("rollup", {"Beams/strip/Elements=16"});
  for (std::size_t k = 1; k <= 25; ++k)
  {
    const double a = 2. * M_PI * double(k) / 25.;
    EXPECT_NEAR(history["tip.x"].at(k), 12. * std::sin(a) / a, 0.02 * 12.) << k;
    EXPECT_NEAR(history["tip.z"].at(k), 12. * (1. - std::cos(a)) / a, 0.02 * 12.) << k;
  }
  EXPECT_NEAR(stiffer.last("tip.x"), 0.01527, 5e-5);
  EXPECT_LT(std::hypot(fine.last("tip.x"), fine.last("tip.z")), 1e-2);
  expect_close(history.last("E_potential"), 164.4934, 5e-3);
}

/// Bathe, Bolourchi 1979 (-23.5, -13.4, 53.4); Simo, Vu-Quoc 1986.
TEST(BeamVerification, BendOf45Degrees)
{
  const auto displacement = [](const History &history) {
    return std::array<double, 3>{history.last("tip.x") - 100. * std::sin(0.25 * M_PI),
                                 history.last("tip.y") - 100. * (1. - std::cos(0.25 * M_PI)), history.last("tip.z")};
  };
  const auto half = displacement(history_of("bathe", {"Loads/pull/Force=0, 0, 300"})), full = displacement(history_of("bathe"));
  const std::array<double, 3> at_300{-11.9331, -7.0448, 40.1926}, at_600{-23.5634, -13.6049, 53.4758},
      reissner{-23.5606, -13.6046, 53.4755};
  for (int d = 0; d < 3; ++d)
  {
    expect_close(half[d], at_300[d], 3e-4, std::to_string(d));
    expect_close(full[d], at_600[d], 3e-4, std::to_string(d));
    expect_close(full[d], reissner[d], 3e-4, std::to_string(d));
  }
  EXPECT_GT(std::abs(displacement(history_of("bathe", {"Beams/arc/Director stiffness=0.01"}))[2] - 53.4758), 3e-4 * 53.4758)
      << "soft directors";
}

/// Schweizerhof, Wriggers 1986: limit load 18532. The load at deflections of 10 to 40 and 48; it grows up to 48.5.
TEST(BeamVerification, LeeFrame)
{
  const History history = history_of("lee-frame");
  const std::vector<double> &reaction = history["push.R_y"];
  const std::map<std::size_t, double> loads{{20, 9623.99}, {40, 13441.92}, {60, 15932.34}, {80, 17783.51}, {96, 18524.32}, {97, 18530.8}};
  for (const auto &[row, load] : loads)
    expect_close(-reaction.at(row), load, 1e-3, std::to_string(row));
  expect_close(history.last("loaded.x") - 24., 26.551, 1e-3);
  EXPECT_LT(reaction.at(97) - reaction.at(96), 0.);
  EXPECT_GT(reaction.at(97) - reaction.at(96), -10.) << "close to its limit";
}

/// Dowell, Traybar 1975; Bauchau et al. 2016; values of an independent program. The beam of 60 degrees is not that of 30.
TEST(BeamVerification, PrincetonBeam)
{
  struct Weight
  {
    double force, degrees;
    std::array<double, 3> u;
  };
  for (const Weight &weight : {Weight{4.448, 30., {-0.004327, 0.038726, -0.001798}},
                               {4.448, 60., {-0.002609, 0.066101, -0.0052}},
                               {13.345, 30., {-0.015321, 0.114473, -0.016119}},
                               {13.345, 60., {-0.010776, 0.177582, -0.03915}},
                               {13.345, 90., {0., 0.196234, -0.04806}}})
  {
    const auto u = princeton(weight.force, weight.degrees);
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(u[d], weight.u[d], 1e-3 * std::abs(weight.u[d]) + 1e-6) << weight.force << " N, " << weight.degrees << ", " << d;
  }
}

/// Simo, Vu-Quoc 1988 up to t = 10, beyond what the tests of the deck run: the elbow and the tip, by an independent program.
TEST(BeamVerification, SwingingElbow)
{
  const History history = history_of("elbow");
  for (const auto &[t, z] : {std::pair{1., 0.95187}, {2., 4.11422}, {3., 5.50073}, {5., 3.1106}, {8., 1.63618}, {10., -3.0883}})
    expect_close(history.at(t, "elbow.z"), z, t < 8. ? 1e-3 : 5e-3, std::to_string(t));
  const std::map<double, std::array<double, 3>> tip{
      {3., {0.78842, -1.06178, 1.50641}}, {5., {-0.53932, -1.06044, 5.47564}}, {10., {0.00991, -1.96873, 4.46322}}};
  for (const auto &[t, u] : tip)
  {
    const double tolerance = t < 8. ? 1e-3 : 5e-3;
    EXPECT_NEAR(history.at(t, "tip.x") - 10., u[0], tolerance) << t;
    EXPECT_NEAR(history.at(t, "tip.y") - 10., u[1], tolerance) << t;
    EXPECT_NEAR(history.at(t, "tip.z"), u[2], tolerance) << t;
  }
  expect_close(history.last("E_total"), 114.819, 1e-4);
}

/// Simo, Vu-Quoc 1986, the flying beam, with the explicit scheme and exact directors. The independent program has the energy 61.993 with
/// another step. The force passes through the x axis, and the moment has no part along x: J_x is exactly zero.
TEST(BeamVerification, FlyingBeam)
{
  const History history = history_of("free-beam");
  double least = INFINITY, most = 0.;
  for (std::size_t i = 0; i < history.rows(); ++i)
    if (history["time"][i] >= 5.)
    {
      EXPECT_NEAR(history["P_x"][i], 20., 1e-12);
      EXPECT_NEAR(history["J_x"][i], 0., 1e-11);
      EXPECT_NEAR(history["J_y"][i], history.last("J_y"), 1e-11);
      EXPECT_NEAR(history["J_z"][i], history.last("J_z"), 1e-11);
      least = std::min(least, history["E_total"][i]);
      most = std::max(most, history["E_total"][i]);
    }
  EXPECT_LT(most - least, 1e-6 * most);
  expect_close(most, 61.993, 1e-4);
  expect_close(history.last("J_y"), -30.97543, 2e-4);
  expect_close(history.last("J_z"), -55.6403, 2e-4);
  EXPECT_GT(largest(history, "upper.rot_z", "fly"), 1.) << "it tumbles";
}

/// Kane, Ryan, Banerjee 1987: a tip that lags by 0.57 to 0.60 and does not run away, and the stretch of an arm that turns.
TEST(BeamVerification, SpinUpOfAnArm)
{
  const History history = history_of("spin-up");
  double lag = 0., at = 0., stretch = 0., count = 0.;
  for (std::size_t i = 0; i < history.rows(); ++i)
  {
    const double t = history["time"][i], x = history["tip.x"][i], y = history["tip.y"][i];
    const double psi = t < 15. ? 0.4 * (0.5 * t * t + std::pow(7.5 / M_PI, 2) * (std::cos(2. * M_PI * t / 15.) - 1.)) : 6. * t - 45.;
    if (const double behind = x * std::sin(psi) - y * std::cos(psi); behind > lag)
    {
      lag = behind;
      at = t;
    }
    stretch += t > 15. ? x * std::cos(psi) + y * std::sin(psi) - 10. : 0.;
    count += t > 15. ? 1. : 0.;
  }
  EXPECT_NEAR(lag, 0.585, 0.015);
  EXPECT_NEAR(at, 6.75, 0.25);
  expect_close(stretch / count, 1.2 * 36. * 1000. / (3. * 2.8e7), 2e-3);
}

/// Rayleigh's shaft, which turns: forward and backward frequencies of its first form by a fit of z_(n+1) + p z_n + q z_(n-1) = 0 to
/// z = y + i z of the middle. A shaft at rest has one frequency.
TEST(BeamVerification, WhirlOfAShaft)
{
  const auto frequencies = [](const Settings &settings) {
    const History history = history_of("whirl", settings);
    constexpr std::size_t stride = 13;  // a fifth of a radian and more between samples: roots are well apart
    std::vector<std::complex<double>> z;
    for (std::size_t i = 0; i < history.rows(); i += stride)
      z.emplace_back(history["middle.y"][i], history["middle.z"][i]);
    double A11 = 0., A22 = 0.;
    std::complex<double> A12 = 0., b1 = 0., b2 = 0.;
    for (std::size_t n = 1; n + 1 < z.size(); ++n)
    {
      A11 += std::norm(z[n]);
      A22 += std::norm(z[n - 1]);
      A12 += std::conj(z[n]) * z[n - 1];
      b1 -= std::conj(z[n]) * z[n + 1];
      b2 -= std::conj(z[n - 1]) * z[n + 1];
    }
    const double D = A11 * A22 - std::norm(A12), h = stride * (history["time"][1] - history["time"][0]);
    const std::complex<double> p = (b1 * A22 - A12 * b2) / D, q = (b2 * A11 - std::conj(A12) * b1) / D, root = std::sqrt(p * p - 4. * q);
    const double one = std::arg(0.5 * (root - p)) / h, other = std::arg(-0.5 * (root + p)) / h;
    return std::array<double, 2>{std::max(one, other), std::min(one, other)};
  };
  const double A = M_PI * 0.05 * 0.05, I = 0.25 * A * 0.05 * 0.05, k = M_PI, E = 2e11, rho = 7800., speed = 9964.650676;
  const double a = rho * A + rho * I * k * k, b = rho * I * k * k * speed, c = E * I * std::pow(k, 4);
  const auto turning = frequencies({}), still = frequencies({"Initial conditions/Velocity=0, 0.01*sin(pi*x), 0"});
  expect_close(turning[0], (b + std::sqrt(b * b + a * c)) / a, 1e-3, "forward");
  expect_close(turning[1], (b - std::sqrt(b * b + a * c)) / a, 1e-3, "backward");
  expect_close(turning[0] + turning[1], 2. * b / a, 1e-2, "the split");
  EXPECT_NEAR(still[0] + still[1], 0., 1e-6 * still[0]) << "negative control";
  expect_close(still[0], std::sqrt(c / a), 1e-3);
}

/// NAFEMS FV4: published values, and those of an independent program with rigid arms.
TEST(BeamVerification, NafemsFv4)
{
  const std::vector<double> f = frequencies_of("fv4"), published{1.723, 1.727, 7.413, 9.972, 18.155, 26.957},
                            prototype{1.722, 1.7255, 7.4099, 9.9472, 18.0458, 26.6941};
  for (std::size_t i = 0; i < published.size(); ++i)
  {
    expect_close(f.at(i), published[i], 1.2e-2, std::to_string(i));
    expect_close(f.at(i), prototype[i], 1e-4, std::to_string(i));
  }
  EXPECT_GT(frequencies_of("fv4", {"Points/large/Position=10, -1.5, 0"}).at(2), 1.1 * published[2]) << "another distance of the mass";
}

/// NAFEMS FV5: Timoshenko's beam exactly, and an independent program with the same element.
TEST(BeamVerification, NafemsFv5)
{
  const std::vector<double> f = frequencies_of("fv5"), prototype{42.61, 42.61, 71.196, 125.0, 147.823, 147.823, 213.595, 282.663, 282.663};
  for (std::size_t i = 0; i < prototype.size(); ++i)
    expect_close(f.at(i), prototype[i], 1e-4, std::to_string(i));
  expect_close(f.at(0), 42.6087, 1e-4);
  expect_close(f.at(4), 147.786, 3e-4);
  expect_close(f.at(7), 282.3634, 1.2e-3);
  expect_close(f.at(2), 71.1961, 1e-4);
  expect_close(f.at(3), 125., 1e-4);
}
}  // namespace symdyn::tests::in_beam_verification
