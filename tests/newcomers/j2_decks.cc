// Runs of decks with a material that has a memory, the one of j2.cc: what carries histories from step to step.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "solver/error.h"
#include "solver/history.h"
#include "solver/run/run.h"
#include "solver/stages/analysis.h"
#include "tests/in_process.h"
#include "tests/j2_decks.h"
#include "tests/linear_decks.h"
#include "tests/results_deck.h"

namespace symdyn::tests::in_newcomer_j2_decks
{
constexpr double E = 1000., sigma_y = 4., H = 100.;

std::string plane(const std::string &name, const std::string &axis)
{
  return section(name, "set Boundary = " + name + "\nset Type = displacement\nset Displacement = " + axis);
}

/// Held against expansion on no side: sigma is uniaxial.
const std::string rollers = section("Supports", plane("x-", "0, free, free") + plane("y-", "free, 0, free") + plane("z-", "free, free, 0"));

std::string traction(const std::string &name, const std::string &value)
{
  return section(name, "set Type = traction\nset Boundary = x+\nset Traction = " + value + ", 0, 0");
}

std::string static_stage(const std::string &name, const int increments, const std::string &more = "")
{
  return section(name, fmt::format("set Type = static\nset Loads = {}\nset Increments = {}\n{}", name, increments, more));
}

/// 6 Pa, -8 Pa, 10 Pa and nothing.
std::string cycle()
{
  return bar() + rollers + tight + tip + section("Loads", traction("pull", "6") + traction("push", "-8") + traction("again", "10")) +
         stages(static_stage("pull", 3) + static_stage("push", 4) + static_stage("again", 3) +
                section("rest", "set Type = static\nset Loads = none"));
}

/// p of uniaxial stresses of these ends, and eps_p: sigma = sigma_y + H p where it yields.
struct Uniaxial
{
  double p = 0, plastic = 0;
  double strain_to(const double sigma)
  {
    const double dp = std::max(0., (std::abs(sigma) - sigma_y) / H - p);
    p += dp;
    plastic += sigma > 0. ? dp : -dp;
    return sigma / E + plastic;
  }
};

TEST(NewcomerJ2Decks, ACycleOfUniaxialStressIsTheClosedForm)
{
  const Folder folder;
  const symdyn::tests::History history = run_well(folder, cycle()).history;
  Uniaxial exact;
  std::size_t row = 0;
  for (const auto &[stage, end] : {std::pair{"pull", 6.}, {"push", -8.}, {"again", 10.}, {"rest", 0.}})
  {
    while (row + 1 < history.rows() && (history.stage[row] != stage || history.stage[row + 1] == stage))
      ++row;
    ASSERT_EQ(history.stage[row], stage);
    EXPECT_NEAR(history["tip.u_x"][row] / 4., exact.strain_to(end), 1e-11) << stage;
    EXPECT_NEAR(history["E_dissipated"][row], 4. * sigma_y * exact.p, 1e-10) << stage;
    EXPECT_NEAR(history["E_potential"][row], 4. * (end * end / (2. * E) + 0.5 * H * exact.p * exact.p), 1e-10) << stage;
  }
  EXPECT_EQ(exact.p, 0.06);
  EXPECT_NEAR(history.last("tip.u_x"), 4. * 0.02, 1e-10) << "what stays";
}

/// Stresses in files are those of the histories, and integrate to the stored energy.
TEST(NewcomerJ2Decks, FramesShowTheStressOfTheState)
{
  const Folder folder;
  run_well(folder,
           cycle() + section("Output", "set Fields = displacement, stress, averaged stress, quadrature stress\nset Precision = double"));
  double weight = 0, largest = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder / "results"))
  {
    const std::string name = entry.path().filename();
    if (name.rfind("quadrature-", 0) != 0)
      continue;
    std::ifstream in(entry.path());
    std::string line;
    bool of_mises = false;
    while (std::getline(in, line))
    {
      if (line.find("</DataArray>") != std::string::npos)
        of_mises = false;
      else if (of_mises)
        largest = std::max(largest, std::stod(line));
      if (line.find("Name=\"von_mises\"") != std::string::npos)
      {
        of_mises = true;
        weight += 1.;
      }
    }
  }
  EXPECT_GT(weight, 3.);
  EXPECT_NEAR(largest, 10., 1e-8) << "a frozen elastic law would show 4 mu, a virgin one E eps = 30";
}

const char *const deck_of_ranks = "SYMDYN_TEST_DECK", *const restart_of_ranks = "SYMDYN_TEST_RESTART";

/// A run of a deck on so many ranks of this program, which knows the law. `restart`: of the run in the folder.
Outcome run_on(const int ranks, const Folder &folder, const std::string &deck, const bool restart = false)
{
  write_file(folder, "bar.prm", deck);
  std::filesystem::create_directories(folder / "results");
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const Outcome outcome =
      command(folder, fmt::format("{}={} {}={} mpirun --oversubscribe --allow-run-as-root -n {} {} --gtest_also_run_disabled_tests "
                                  "--gtest_filter=NewcomerJ2Decks.DISABLED_RunOfRanks",
                                  deck_of_ranks, folder.path, restart_of_ranks, restart, ranks, program));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  return with_results(outcome, folder);
}

// Started by run_on, on several ranks.
TEST(NewcomerJ2Decks, DISABLED_RunOfRanks)
{
  ASSERT_TRUE(std::getenv(deck_of_ranks));
  const std::string folder = std::getenv(deck_of_ranks);
  RunOptions options;
  options.output = folder + "/results";
  if (std::getenv(restart_of_ranks) == std::string("true"))
    options.restart = options.output;
  Deck deck = Deck::from_text(text_of(folder + "/bar.prm"), "bar.prm");
  OneRun run(deck);
  run.start(options);
  while (run.advance() == OneRun::going)
    ;
  EXPECT_EQ(run.finish(), exit_done);
}

void expect_same_ends(const Outcome &a, const Outcome &b, const double tolerance)
{
  EXPECT_GT(a.history.last("E_dissipated"), 0.02 * a.history.last("E_potential"));
  for (const char *column : {"tip.u_y", "tip.u_z", "E_potential", "E_dissipated"})
    EXPECT_NEAR(b.history.last(column), a.history.last(column), tolerance * std::abs(a.history.last(column))) << column;
}

TEST(NewcomerJ2Decks, TwoRanksAgreeWithOne)
{
  for (const std::string mesh : {"set Order = 2", "set Cell shape = tetrahedra"})
  {
    const std::string deck = bar("set Subdivisions = 5, 3, 2\n" + mesh) + tight + tip +
                             section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
                             section("Loads", section("bend", "set Type = traction\nset Boundary = x+\nset Traction = 0, 0.35, 0.1")) +
                             stages(section("bend", "set Type = static\nset Increments = 3") +
                                    section("back", "set Type = static\nset Loads = none\nset Increments = 2"));
    const Folder one, two;
    expect_same_ends(run_on(1, one, deck), run_on(2, two, deck), 1e-9);
  }
}

TEST(NewcomerJ2Decks, StopsAndGoesOnWithTheSameBits)
{
  for (const std::string name : {"newmark", "central-difference", "midpoint"})
  {
    SCOPED_TRACE(name);
    const std::string text = swing(scheme(name), name == "central-difference" ? "0.005" : "0.02");
    const Folder parted, undisturbed;
    const State half = state_after(text, options_of(parted), 40), resumed = state_after(text, options_of(parted, true)),
                whole = state_after(text, options_of(undisturbed));
    EXPECT_TRUE(half.history);
    EXPECT_TRUE(same(resumed.q, whole.q));
    EXPECT_TRUE(same(resumed.v, whole.v));
    EXPECT_FALSE(same(half.q, whole.q));
  }
}

/// Without the history of the checkpoint the run would go on as an elastic body: the end differs by the plastic strain.
TEST(NewcomerJ2Decks, OtherNumbersOfRanksGoOnFromACheckpoint)
{
  for (const auto &[before, after] : {std::pair{1, 2}, {2, 1}})
  {
    const Folder whole, parted;
    const Outcome reference = run_on(1, whole, swing(scheme("newmark"), "0.02"));
    run_on(before, parted, swing(scheme("newmark"), "0.02", "0.6"));
    expect_same_ends(reference, run_on(after, parted, swing(scheme("newmark"), "0.02"), true), 1e-8);
  }
}

/// An increment that fails leaves nothing behind: its halves give what they give where it has not been tried.
TEST(NewcomerJ2Decks, ACutIncrementLeavesNothingBehind)
{
  const auto end = [](const int increments, const std::string &more) {
    const std::string newton = section("Newton", "set Tolerance = 1e-12\nset Max iterations = 5");
    return state_after(bar() + newton + section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
                           section("Loads", section("bend", "set Type = traction\nset Boundary = x+\nset Traction = 0, 1, 0.1")) +
                           stages(section("bend", fmt::format("set Type = static\nset Increments = {}\n{}", increments, more))),
                       {});
  };
  EXPECT_THROW(end(1, ""), ComputationError);
  const State cut = end(1, "set Halve on failure = yes"), two = end(2, "set Halve on failure = yes");
  EXPECT_EQ(cut.n, 3u);  // 1/2, 3/4, 1
  EXPECT_TRUE(same(cut.q, two.q));
}

/// Modes about a state that has yielded are those of an elastic body: unloading.
TEST(NewcomerJ2Decks, ModesAboutAYieldedStateAreElastic)
{
  const auto frequencies = [](const std::string &before) {
    const Folder folder;
    const std::string deck = bar() + tight + section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
                             section("Loads", section("bend", "set Type = traction\nset Boundary = x+\nset Traction = 6, 0, 0")) +
                             stages(before + section("modes", "set Type = modes\nset Modes = 4"));
    return table_of((run_well(folder, deck), folder / "results/modes-modes.csv")).at("frequency");
  };
  const auto virgin = frequencies(""), yielded = frequencies(section("bend", "set Type = static\nset Increments = 2"));
  ASSERT_EQ(virgin.size(), yielded.size());
  for (std::size_t k = 0; k < virgin.size(); ++k)
    EXPECT_NEAR(yielded[k], virgin[k], 1e-6 * virgin[k]);
}

/// eta p' = sigma - sigma_y - H p under a constant sigma: of the backward Euler steps of the law p_n+1 = (eta/h p_n + sigma - sigma_y)/(H +
/// eta/h).
TEST(NewcomerJ2Decks, IncrementsAreAsLongAsTheirTime)
{
  constexpr double sigma = 6., eta = 50., duration = 3.;
  const auto creep = [&](const double viscosity, const int increments) {
    std::string deck = bar() + rollers + tight + tip + section("Loads", traction("pull", "6")) +
                       stages(static_stage("pull", increments, fmt::format("set Ramp = no\nset Duration = {}", duration)));
    deck.replace(deck.find("set Hardening = 100"), 19, fmt::format("set Hardening = 100\nset Viscosity = {}", viscosity));
    const Folder folder;
    return run_well(folder, deck).history;
  };
  for (const int increments : {1, 4, 16})
  {
    double p = 0, drag = 0;
    const double rate = eta * increments / duration;
    for (int k = 0; k < increments; ++k)
    {
      const double before = p;
      p = (rate * p + sigma - sigma_y) / (H + rate);
      drag += rate * (p - before) * (p - before);
    }
    const auto history = creep(eta, increments);
    EXPECT_NEAR(history.last("tip.u_x") / 4., sigma / E + p, 1e-11) << increments;
    // sigma_y dp + (eta/h) dp² in each step of a bar of 4 m³.
    EXPECT_NEAR(history.last("E_dissipated"), 4. * (sigma_y * p + drag), 1e-7) << increments;
  }
  EXPECT_GT(std::abs(creep(2. * eta, 4).last("tip.u_x") - creep(eta, 4).last("tip.u_x")), 1e-3) << "twice the viscosity is seen";
}
}  // namespace symdyn::tests::in_newcomer_j2_decks
