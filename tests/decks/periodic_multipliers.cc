// Floquet multipliers of bodies of more than `Dense unknowns`, by a growing space, held to those of the whole matrix and to scipy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "solver/linear/dense_eigen.h"
#include "solver/stages/periodic/floquet.h"
#include "solver/verify/particles.h"
#include "solver/vibration/modes_search.h"
#include "tests/periodic_decks.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_periodic
{
namespace
{
constexpr int few_beads = 59;
constexpr double pi = 3.14159265358979323846;

/// Fermi, Pasta, Ulam and Tsingou's chain between walls, V = sum r²/2 + r⁴/4. Its mode 2 (n + 1)/3, (1, -1, 0, 1, -1, 0 ...), stays itself
/// at any amplitude, as an oscillator x'' + 3 x + 9 x³, and couples modes below it with modes above.
std::string chain(const int steps, const std::string &more, const int beads = few_beads)
{
  const auto spring = [](const std::string &from, const std::string &to, const std::string &more_entries = "") {
    return fmt::format("set From = {}\nset To = {}\nset Expression = 0.5*(to.x - from.x - 1)^2 + 0.25*(to.x - from.x - 1)^4\n", from, to) +
           more_entries;
  };
  const std::string last = fmt::format("bead{}", beads - 1);
  return "set Structure = discrete\n" +
         section("Points", "set Dimension = 1\n" + section("left", "set Position = 0\nset Fixed = yes") +
                               section("bead", fmt::format("set Count = {}\nset Mass = 1\nset Position = i + 1", beads)) +
                               section("right", fmt::format("set Position = {}\nset Fixed = yes", beads + 1))) +
         section("Potentials", section("first", spring("left", "bead0")) + section("inner", spring("bead", "bead", "set Offset = 1")) +
                                   section("last", spring(last, "right"))) +
         section("Integrator", "set Scheme = average-acceleration") + section("Output", "set Write every = never") +
         orbits(
             fmt::format("set Mode = {}\nset Continue by = amplitude\nset Probe = bead0.x\nset Values = 0.3\nset Steps a period = {}\n{}",
                         2 * (beads + 1) / 3, steps, more));
}
std::vector<double> moduli(const Folder &folder) { return table_of(folder / "results/periodic-path-multipliers.csv").at("modulus"); }
}  // namespace

/// Of the whole matrix as scipy has them, and with few unknowns as of the whole matrix; the lowest 40 modes alone have others.
TEST(PeriodicMultipliers, LargestOfMany)
{
  std::vector<std::vector<double>> whole;
  Table dense;
  for (const int n : {60, 120})
  {
    const Folder folder;
    run_well(folder, chain(n, ""));
    dense = asked(folder);
    whole.push_back(moduli(folder));
    ASSERT_EQ(whole.back().size(), 2u * few_beads - 2u);
    EXPECT_LT(dense.at("product_defect").at(0), 1e-9);
  }
  // DOP853 at 1e-10 of the motion with its 118 linearised ones, in pairs.
  const std::vector<double> exact{1.129290455, 1.129199487, 1.121020814, 1.117235078};
  for (std::size_t k = 0; k < exact.size(); ++k)
  {
    const double coarse = whole[0][2 * k], fine = whole[1][2 * k];
    EXPECT_NEAR((4. * fine - coarse) / 3., exact[k], 2e-4) << k;
    EXPECT_NEAR(std::log2((coarse - exact[k]) / (fine - exact[k])), 2., 0.15) << k;
  }
  const Folder folder;
  const Outcome run = run_well(folder, chain(120, "set Dense unknowns = 50"));
  const Table few = asked(folder);
  EXPECT_NEAR(few.at("frequency").at(0), dense.at("frequency").at(0), 1e-9);
  EXPECT_LE(few.at("multiplier_residual").at(0), 1e-6);
  EXPECT_EQ(few.count("product_defect"), 0u);
  const std::vector<double> largest = moduli(folder);
  ASSERT_EQ(largest.size(), 2 * exact.size());
  for (std::size_t k = 0; k < largest.size(); ++k)
    EXPECT_NEAR(largest[k], whole[1][k], 1e-6) << k;
  EXPECT_EQ(run.summary["stages"][0]["orbits"][0]["kind"], "torus");
  EXPECT_NE(run.log.find("above 50 unknowns there are no branch points, multipliers are the largest found"), std::string::npos) << run.log;
}

/// Of a chain twice as long the first round without a change had but the fourth of these.
TEST(PeriodicMultipliers, LargestOfALongChainNightly)
{
  const auto found = [](const std::string &more) {
    const Folder folder;
    run_well(folder, chain(60, more, 119));
    return moduli(folder);
  };
  const std::vector<double> few = found("set Dense unknowns = 50"), dense = found("");
  ASSERT_EQ(few.size(), 8u);
  for (std::size_t k = 0; k < few.size(); ++k)
    EXPECT_NEAR(few[k], dense[k], 1e-6) << k;
}

namespace
{
/// The same chain of a few.
Particles short_chain(const unsigned int n)
{
  Particles system(std::vector<double>(n, 1.));
  for (unsigned int j = 0; j <= n; ++j)
  {
    Particles::Matrix A(n, n);
    for (const unsigned int i : {j - 1, j})
      for (const unsigned int k : {j - 1, j})
        if (i < n && k < n)
          A(i, k) = i == k ? 1. : -1.;
    system.terms.push_back({A,
                            {[](const double s) { return 0.5 * s + 0.25 * s * s; }, [](const double s) { return 0.5 + 0.5 * s; },
                             [](const double) { return 0.5; }, [](const double) { return 0.; }}});
  }
  return system;
}
}  // namespace

/// The motion about which it is linearised couples modes with others that are not among the first: their space alone has other multipliers.
TEST(PeriodicMultipliers, SpaceOfModesAloneIsWrong)
{
  constexpr unsigned int n = 11;
  const Particles system = short_chain(n);
  const Scheme scheme("average-acceleration");
  std::vector<double> q(n, 0.);
  for (unsigned int j = 0; j < n; ++j)
    q[j] = j % 3 == 0 ? 1. : j % 3 == 1 ? -1. : 0.;
  const State start = system.start(q, std::vector<double>(n, 0.));
  const Vector rest = system.new_vector();
  OrbitProblem problem{system, *scheme.integrator, 0., rest};
  problem.steps = 120;
  problem.first_period = 2.;
  const Orbit orbit{start.q, start.v, problem.first_period, 1.};
  const Shapes whole = Shapes::of_all(problem, free_motions(system));
  Shapes few = whole;
  few.all = false;
  for (auto *vectors : {&few.shapes, &few.momenta})
    std::swap((*vectors)[4], (*vectors)[7]);  // the motion itself, to which no other one is coupled
  std::swap(few.stiff[4], few.stiff[7]);
  few.shapes.resize(5);
  const Floquet exact = floquet_multipliers(problem, orbit, whole), grown = floquet_multipliers(problem, orbit, few);
  EXPECT_TRUE(exact.all);
  EXPECT_FALSE(grown.all);
  EXPECT_GT(exact.largest, 1.1);
  EXPECT_LE(grown.residual, 1e-6);
  EXPECT_NEAR(grown.largest, exact.largest, 1e-7 * exact.largest);
  Monodromy all(problem, orbit, whole), map(problem, orbit, few);
  ASSERT_EQ(map.size(), 10u);
  const auto known = dense_eigenpairs(all.size(), all.matrix(), false).values;
  const auto distance = [&](const std::complex<double> &m) {
    double least = std::abs(m - known.front());
    for (const std::complex<double> &one : known)
      least = std::min(least, std::abs(m - one));
    return least;
  };
  for (const std::complex<double> &m : grown.multipliers)
    EXPECT_LT(distance(m), 1e-6) << m;
  const DenseEigenpairs pairs = dense_eigenpairs(map.size(), map.matrix(), true);
  double farthest = 0., residual = 0.;
  for (std::size_t i = 0; i < pairs.values.size(); ++i)
  {
    farthest = std::max(farthest, distance(pairs.values[i]));
    residual = std::max(residual, map.residual(pairs.values[i], pairs.vectors[i], Floquet::sharp));
  }
  EXPECT_GT(farthest, 1e-2);
  EXPECT_GT(residual, 1e-2);
}

namespace
{
/// A steel strip, clamped at both ends.
std::string strip(const int cells, const double thickness, const std::string &more)
{
  return section("Mesh", fmt::format("set Type = box\nset Dimension = 2\nset Subdivisions = {}, 1\nset Order = 2\n", cells) +
                             section("box", fmt::format("set Size = 0.5, {}", thickness))) +
         section("Materials",
                 section("steel", "set Type = st-venant-kirchhoff\nset E = 210e9\nset nu = 0.3\nset Density = 7850\nset Plane = stress")) +
         section("Supports", section("left", "set Boundary = x-") + section("right", "set Boundary = x+")) +
         section("Probes", section("middle", fmt::format("set Point = 0.25, {}", 0.5 * thickness))) +
         section("Integrator", "set Scheme = average-acceleration") + section("Output", "set Write every = never") +
         orbits(fmt::format("set Probe = middle.y\nset Values = {}\n", 0.4 * thickness) + more);
}
}  // namespace

/// Stiff motions have 1e4 times the frequency of this one: in q and v of nodes the product was wrong by 2.8e-4. Of a strip of 1/500
/// rounding leaves more, and is not taken for a wrong step, nor for an unstable motion.
TEST(PeriodicMultipliers, ProductOfAStiffStrip)
{
  const auto run = [](const double thickness, const std::string &more) {
    const Folder folder;
    const Outcome outcome = run_well(folder, strip(4, thickness, more));
    EXPECT_EQ(outcome.terminal.find("the product of the multipliers is wrong"), std::string::npos) << outcome.terminal;
    return std::pair(asked(folder), outcome.summary["stages"][0]["orbits"][0]["kind"].get<std::string>());
  };
  const auto [thick, kind] = run(0.005, "set Steps a period = 60");
  EXPECT_LT(thick.at("product_defect").at(0), 1e-7);
  EXPECT_EQ(kind, "stable");
  const auto [thin, of_thin] = run(0.001, "set Steps a period = 24");
  EXPECT_GT(thin.at("product_defect").at(0), 1e-5);
  EXPECT_EQ(of_thin, "not known") << "|m| is beyond 1 by rounding";
  const auto [few, of_few] = run(0.001, "set Steps a period = 24\nset Dense unknowns = 20");
  EXPECT_EQ(of_few, "not known");
  EXPECT_NEAR(few.at("frequency").at(0), thin.at("frequency").at(0), 1e-6 * thin.at("frequency")[0]);
}

TEST(PeriodicMultipliers, OnRanks)
{
  const auto kind_of = [](const Outcome &run) { return run.summary["stages"][0]["orbits"][0]["kind"]; };
  const Folder dense;
  const Outcome whole = run_well(dense, strip(8, 0.02, "set Steps a period = 12"));
  std::vector<Table> tables;
  for (const int ranks : {1, 2})
  {
    const Folder folder;
    const Outcome run = run_well(folder, strip(8, 0.02, "set Steps a period = 12\nset Dense unknowns = 20"), {}, ranks);
    EXPECT_TRUE(kind_of(run) == "not known" || (kind_of(run) != "stable" && kind_of(run) == kind_of(whole)))
        << kind_of(run) << kind_of(whole);
    tables.push_back(asked(folder));
    EXPECT_LE(tables.back().at("multiplier_residual").at(0), 1e-6);
  }
  for (const char *name : {"frequency", "multiplier"})
    EXPECT_NEAR(tables[1].at(name).at(0), tables[0].at(name).at(0), 1e-7 * tables[0].at(name).at(0)) << name;
}

TEST(PeriodicMultipliers, DenseUnknownsRefused)
{
  const std::string free = particle(1, duffing), path = by_amplitude + "set Values = 1\nset Dense unknowns = ";
  for (const std::string value : {"0", "-3", "20001", "many"})
    expect_refused(free + orbits(path + value), "Dense unknowns = " + value);
  const std::string force = section("Forces", section("shake", "set Points = mass\nset Force = 0.3")),
                    shaken = "set Loads = shake\nset Continue by = frequency\nset Probe = mass.x\nset Values = 0.08\nset Dense unknowns = ";
  expect_refused(free + force + orbits(shaken + "1"),
                 "Loads = shake: 2 unknowns are too many for Loads: at most 1 (2 a degree of freedom). Set Dense unknowns = 2");
  EXPECT_EQ(run_asked(free + force + orbits(shaken + "2")).at("frequency").size(), 1u);
}
}  // namespace symdyn::tests::in_periodic
