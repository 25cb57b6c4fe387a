// Bodies that relax, in the frequency domain: complex moduli against closed forms and against long transients.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/sweep.h"

namespace symdyn::tests::in_relaxation_decks
{
namespace
{
// Reference numbers V1: G0 = 1 MPa, g = 0.3, 0.2, 0.1, tau = 0.1, 1, 10 s.
constexpr double G0 = 1e6, K0 = 2e6;
const std::string terms = "set Shear ratios = 0.3, 0.2, 0.1\nset Times = 0.1, 1, 10\n";
const std::string linear = "set Type = viscoelastic\nset Elastic = linear-elasticity\nset mu = 1e6\nset kappa = 2e6\n" + terms;
const std::string finite = "set Type = viscoelastic\nset Elastic = neo-hooke-simo\nset mu = 1e6\nset kappa = 2e6\n" + terms;
const std::string branches =
    "set Type = viscoelastic-multiplicative\nset mu = 4e5\nset kappa = 2e6\nset Branch moduli = 3e5, 2e5, 1e5\nset Times = 0.1, 1, 10\n";
const std::string tight =
    section("Newton", "set Tolerance = 1e-12\nset Max iterations = 30") + section("Linear solver", "set Tolerance = 1e-13");

std::string material(const std::string &law, const double density)
{
  return section("Materials", section("rubber", law + fmt::format("set Density = {:.17g}", density)));
}
std::string hold(const std::string &boundary, const std::string &components)
{
  return section(boundary, "set Boundary = " + boundary + "\nset Type = displacement\nset Displacement = " + components);
}
std::string traction(const std::string &name, const std::string &value)
{
  return section(name, "set Type = traction\nset Boundary = z+\nset Traction = " + value);
}

/// A cube of 1 m on a floor, whose planes z = constant slide along x.
std::string sheared(const std::string &law, const double density, const std::string &mesh = "")
{
  return section("Mesh", "set Type = box\nset Subdivisions = 1, 1, 1\n" + mesh) + material(law, density) + tight +
         section("Supports", hold("z-", "0, 0, 0") + hold("z+", "free, 0, 0") + hold("y-", "free, 0, 0") + hold("y+", "free, 0, 0") +
                                 hold("x-", "free, 0, 0") + hold("x+", "free, 0, 0")) +
         section("Probes", section("top", "set Point = 0, 0, 1"));
}
/// The same, pressed along z in a rigid hole.
std::string confined(const std::string &law, const double density, const std::string &mesh = "")
{
  return section("Mesh", "set Type = box\nset Subdivisions = 1, 1, 1\n" + mesh) + material(law, density) + tight +
         section("Supports", hold("z-", "0, 0, 0") + hold("y-", "0, 0, free") + hold("y+", "0, 0, free") + hold("x-", "0, 0, free") +
                                 hold("x+", "0, 0, free") + hold("z+", "0, 0, free")) +
         section("Probes", section("top", "set Point = 0, 0, 1"));
}

Complex modulus(const double M0, const std::vector<double> &ratios, const double omega)
{
  const double tau[] = {0.1, 1., 10.};
  Complex M = M0;
  for (std::size_t i = 0; i < ratios.size(); ++i)
    M -= M0 * ratios[i] / Complex(1., omega * tau[i]);
  return M;
}
const std::vector<double> g{0.3, 0.2, 0.1}, k{0.1, 0., 0.4};
/// 0.1, 1, 10, 100 rad/s
const std::string decades =
    fmt::format("set Frequencies = {:.17g}, {:.17g}\nset Points = 4\nset Spacing = logarithmic\n", 0.1 / (2. * pi), 100. / (2. * pi));
}  // namespace

/// u = F/(G* A/L - omega² rho A L/3) of linear shape functions; V1 has the numbers of G*.
TEST(RelaxationDecks, HarmonicShearIsTheComplexModulus)
{
  constexpr double density = 400.;
  const double storage[] = {452010.2, 601980.2, 848009.8, 997009.6}, loss[] = {72801.68, 139603.96, 170801.88, 31802.77};
  for (const std::string &law : {linear, finite, branches})
  {
    SCOPED_TRACE(law);
    const Sweep sweep(sheared(law, density) + section("Loads", traction("shake", "5, 0, 0")), decades);
    ASSERT_EQ(sweep.points(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
    {
      const double omega = sweep.omega(i);
      const Complex u = sweep.value("top.u_x", i);
      expect_equal(u, 5. / (modulus(G0, g, omega) - omega * omega * density / 3.), 1e-9, fmt::format("{} rad/s", omega));
      expect_equal(5. / u + omega * omega * density / 3., Complex(storage[i], loss[i]), 2e-7, "V1, to its digits");
    }
  }
  const std::string elastic = "set Type = linear-elasticity\nset mu = 1e6\nset kappa = 2e6\n";
  const Sweep without(sheared(elastic, density) + section("Loads", traction("shake", "5, 0, 0")), decades);
  EXPECT_GT(std::abs(without.value("top.u_x", 0) - 5. / modulus(G0, g, 0.1)), 0.5 * 5. / G0) << "the control must fail";
}

/// u = F L/(A (K* + 4/3 G*)), in cells of every kind that relaxes.
TEST(RelaxationDecks, HarmonicCompressionHasBothModuli)
{
  for (const std::string mesh : {"", "set Element = mean-dilatation", "set Order = 2", "set Order = 2\nset Element = serendipity",
                                 "set Cell shape = tetrahedra\nset Order = 2"})
    for (const std::string &law : {linear, finite})
    {
      SCOPED_TRACE(mesh + law);
      const Sweep sweep(confined(law + "set Bulk ratios = 0.1, 0, 0.4\n", 1e-6, mesh) + section("Loads", traction("shake", "0, 0, 5")),
                        decades);
      for (std::size_t i = 0; i < 4; ++i)
      {
        const double omega = sweep.omega(i);
        expect_equal(sweep.value("top.u_z", i), 5. / (modulus(K0, k, omega) + 4. / 3. * modulus(G0, g, omega)), 1e-8,
                     fmt::format("{} rad/s", omega));
      }
    }
}

/// Method = fast: K* is a sum over the times of all laws, two of which may be nearly the same. A column of 6 cells in shear, all
/// frequencies from a few; the loss factor is of Re K*. Other times have other answers.
TEST(RelaxationDecks, FastSweepsHaveTheModuliOfEachFrequency)
{
  const std::string many = fmt::format(
      "set Frequencies = {:.17g}, {:.17g}\nset Points = 40\nset Spacing = logarithmic\nset Structural "
      "damping = 0.05\n",
      0.05 / (2. * pi), 300. / (2. * pi));
  std::vector<Complex> first;
  for (const std::string times : {"0.1, 1, 10", "0.1, 1, 1.0001"})
  {
    SCOPED_TRACE(times);
    const std::string law =
        "set Type = viscoelastic\nset Elastic = linear-elasticity\nset mu = 1e6\nset kappa = 2e6\nset Shear ratios = "
        "0.3, 0.2, 0.1\nset Bulk ratios = 0.1, 0, 0.4\nset Times = " +
        times + "\n";
    const std::string column = section("Mesh", "set Type = box\nset Subdivisions = 1, 1, 6\n") + material(law, 400.) + tight +
                               section("Supports", hold("z-", "0, 0, 0") + hold("y-", "free, 0, free") + hold("y+", "free, 0, free") +
                                                       hold("x-", "free, 0, free") + hold("x+", "free, 0, free")) +
                               section("Loads", traction("shake", "5, 0, 0")) + section("Probes", section("top", "set Point = 0, 0, 1"));
    const Sweep direct(column, many), fast(column, many + "set Method = fast\nset Sweep tolerance = 1e-9\n");
    for (std::size_t i = 0; i < direct.points(); ++i)
    {
      expect_equal(fast.value("top.u_x", i), direct.value("top.u_x", i), 1e-7, fmt::format("{} rad/s", direct.omega(i)));
      EXPECT_LE(fast.at("residual")[i], 1e-9);
    }
    first.push_back(direct.value("top.u_x", 0));
    const std::string words = "40 frequencies from solutions at ";
    const std::size_t at = fast.log.find(words);
    ASSERT_NE(at, std::string::npos) << fast.log;
    EXPECT_LE(std::stoi(fast.log.substr(at + words.size())), 20) << fast.log.substr(at, 100);
  }
  EXPECT_GT(std::abs(first[1] - first[0]), 1e-2 * std::abs(first[0]));
}

/// A base that moves and supports that oscillate; loss factors multiply the storage modulus; plane bodies have their thickness.
TEST(RelaxationDecks, HarmonicMotionsOfSupports)
{
  const double omega = 3., density = 400.;
  const std::string once = fmt::format("set Frequencies = {0:.17g}, {0:.17g}\nset Points = 1\n", omega / (2. * pi));
  const Complex G = modulus(G0, g, omega), Z = G - omega * omega * density / 3., coupling = -G - omega * omega * density / 6.;
  std::string moved = sheared(linear, density, "set Subdivisions = 1, 1, 2");
  moved.replace(moved.find("set Subdivisions = 1, 1, 1\n"), 27, "");
  moved.insert(moved.find(hold("y-", "free, 0, 0")),
               section("shaker", "set Boundary = z+\nset Type = displacement\nset Displacement = 1e-3, free, free"));
  const std::string rest = section("rest", "set Type = static\nset Rates = no\nset Supports = z-, z+, y-, y+, x-, x+");
  const Sweep shaken(moved + section("Probes", section("middle", "set Point = 0, 0, 0.5")), once, {}, 1, rest);
  expect_equal(shaken.value("middle.u_x", 0), 1e-3 * (2. * G + omega * omega * density / 12.) / (4. * G - omega * omega * density / 3.),
               1e-9, "support");
  const Sweep based(sheared(linear, density), once + "set Base displacement = 1e-3, 0, 0\nset Base frame = absolute\n");
  expect_equal(based.value("top.u_x", 0), -coupling * 1e-3 / Z, 1e-9, "base");
  const Complex R = coupling * based.value("top.u_x", 0) + (G - omega * omega * density / 3.) * 1e-3;
  expect_equal(based.value("z-.R_x", 0), R, 1e-8, "reaction");
  const Sweep lossy(sheared(linear, density) + section("Loads", traction("shake", "5, 0, 0")), once + "set Structural damping = 0.2\n");
  expect_equal(lossy.value("top.u_x", 0), 5. / (Z + Complex(0., 0.2 * G.real())), 1e-9, "loss factor");
  const std::string plane =
      section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 1, 1\n") +
      section("Materials", section("rubber", linear + "set Density = 400\nset Thickness = 0.1")) + tight +
      section("Supports", hold("y-", "0, 0") + hold("y+", "free, 0") + hold("x-", "free, 0") + hold("x+", "free, 0")) +
      section("Loads", section("shake", "set Type = traction\nset Boundary = y+\nset Traction = 5, 0")) +
      section("Probes", section("top", "set Point = 0, 1"));
  expect_equal(Sweep(plane, once).value("top.u_x", 0), 5. / Z, 1e-9, "plane");
}

/// A period with a mean: at rest all has relaxed, u = F/G_infinity.
TEST(RelaxationDecks, MeansOfPeriodsHaveRelaxed)
{
  const Sweep sweep(
      sheared(linear, 1e-6) +
          section("Loads", section("shake", "set Type = traction\nset Boundary = z+\nset Traction = 5*(1 + cos(2*pi*t)), 0, 0")),
      "set Waveform = 0, 1\nset Waveform terms = 8\nset Frequencies = 1, 1\nset Points = 1\n");
  const double at_start = sweep.at("top.u_x").front();
  EXPECT_NEAR(at_start, 5. / (0.4 * G0) + (5. / modulus(G0, g, 2. * pi)).real(), 1e-9 * at_start);
}

/// A body that is loaded a moment before still relaxes: it is told. After a long stage it is not.
TEST(RelaxationDecks, StatesThatStillRelaxAreWarnedOf)
{
  const auto warns = [](const std::string &how) {
    const Folder folder;
    const std::string deck = confined(linear, 1e-6) + section("Loads", traction("pull", "0, 0, 1e4") + traction("shake", "0, 0, 5")) +
                             stages(section("pull", "set Type = static\nset Loads = pull\n" + how) +
                                    section("sweep", "set Type = harmonic\nset Loads = shake\nset Frequencies = 1, 1\nset Points = 1"));
    return run_well(folder, deck).terminal.find("still relaxes") != std::string::npos;
  };
  EXPECT_TRUE(warns("set Rates = no"));
  EXPECT_TRUE(warns("set Duration = 0.01"));
  EXPECT_FALSE(warns("set Duration = 1000\nset Increments = 20\nset Ramp = no"));
}

TEST(RelaxationDecks, WhatHasNoComplexStiffnessIsRefused)
{
  const std::string load = section("Loads", traction("shake", "5, 0, 0")), sweep = "set Type = harmonic\nset Frequencies = 1, 2\n";
  expect_refused(sheared(linear, 1.) + load + stages(section("sweep", sweep + "set Method = modal\nset Modes = 2")),
                 "modes of one stiffness do not decouple");
  expect_refused(sheared(linear, 1., "set Element = incompatible-modes") + load + stages(section("sweep", sweep)),
                 "incompatible-modes has inner unknowns");
}

/// Stretched by 20 % and relaxed, then shaken: the complex stiffness about the state is that of a transient, by the order of the law in the
/// step.
TEST(RelaxationDecks, TransientsSettleToTheHarmonicAnswer)
{
  const std::string body = section("Mesh", "set Type = box\nset Subdivisions = 2, 1, 2\nset Element = mean-dilatation\n" +
                                               section("box", "set Size = 1, 1, 2")) +
                           tight + section("Supports", hold("z-", "0, 0, 0")) + section("Probes", section("top", "set Point = 1, 1, 2"));
  const std::string pull = section("pull", "set Type = static\nset Loads = pull\nset Duration = 400\nset Increments = 10\nset Ramp = no\n");
  const double omega = 4.;
  for (const std::string &law : {finite + "set Bulk ratios = 0.1, 0, 0.4\n", branches})
  {
    SCOPED_TRACE(law);
    const std::string deck = body + material(law, 2000.);
    const auto loads = [&](const std::string &shake) {
      return section("Loads",
                     traction("pull", "0, 0, 1.5e5") + section("shake", "set Type = traction\nset Boundary = z+\nset Traction = " + shake));
    };
    const Sweep sweep(deck + loads("10, 0, 2"),
                      fmt::format("set Loads = shake\nset Frequencies = {0:.17g}, {0:.17g}\nset Points = 1\n", omega / (2. * pi)), {}, 1,
                      pull);
    const Complex u = sweep.value("top.u_x", 0);
    std::vector<double> errors;
    for (const int steps : {50, 100})
    {
      const Folder folder;
      const double period = 2. * pi / omega;
      const History history =
          run_well(folder,
                   deck + loads(fmt::format("10*sin({0}*(t - 400)), 0, 2*sin({0}*(t - 400))", omega)) +
                       section("Integrator", "set Scheme = newmark") +
                       stages(pull + section("shake", "set Type = dynamic\nset Loads = pull, shake\n" +
                                                          section("Time", fmt::format("set Time step = {:.17g}\nset End time = {:.17g}",
                                                                                      period / steps, 400. + 30. * period)))),
                   {"Output/Write every=never", "Output/History every=1"})
              .history;
      const std::vector<double> &x = history["top.u_x"];
      const std::size_t last = x.size() - 1;
      Complex sum = 0.;  // Im(u exp(i omega t)) over the last period
      for (int j = 0; j < steps; ++j)
        sum += x[last - steps + j] * std::polar(1., -2. * pi * j / steps);
      errors.push_back(std::abs(sum * Complex(0., 2. / steps) - u) / std::abs(u));
    }
    EXPECT_LT(errors[1], 2e-3);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), law == branches ? 1. : 2., 0.15);  // the order of the law
    const Sweep elastic(deck + loads("10, 0, 2"),
                        fmt::format("set Loads = shake\nset Frequencies = {0:.17g}, {0:.17g}\nset Points = 1\n", omega / (2. * pi)),
                        {"Materials/rubber/Times=1e5, 1e6, 1e7"}, 1, pull);
    EXPECT_GT(std::abs(elastic.value("top.u_x", 0) - u), 0.05 * std::abs(u)) << "the control must fail";
  }
}

TEST(RelaxationDecks, RanksAgreeInAComplexSweep)
{
  const std::string deck = section("Mesh", "set Type = box\nset Subdivisions = 3, 2, 4\nset Element = mean-dilatation") +
                           material(finite, 2000.) + tight + section("Supports", hold("z-", "0, 0, 0")) +
                           section("Loads", traction("shake", "10, 3, 0")) + section("Probes", section("top", "set Point = 1, 1, 1"));
  const Sweep one(deck, decades), two(deck, decades, {}, 2);
  for (std::size_t i = 0; i < 4; ++i)
    expect_equal(two.value("top.u_x", i), one.value("top.u_x", i), 1e-8, "two ranks");
}
}  // namespace symdyn::tests::in_relaxation_decks
