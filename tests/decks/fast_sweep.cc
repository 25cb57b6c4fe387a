// Harmonic sweeps on a basis of a few exact answers.
#include <cmath>
#include <regex>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_fast_sweep
{
namespace
{
using Table = std::map<std::string, std::vector<double>>;

std::string sweep(const std::string &entries) { return stages(section("sweep", "set Type = harmonic\n" + entries)); }

const std::string cantilever = damped_cantilever(40);
const std::string tip_force = section("Forces", section("shake", "set Points = tip\nset Force = 0, 1"));

Table run(const std::string &deck, const Settings &settings = {}, const int ranks = 1, int *solutions = nullptr)
{
  const Folder folder;
  run_well(folder, deck, settings, ranks);
  if (solutions)
  {
    std::ifstream log(folder / "results/run.log");
    const std::string said{std::istreambuf_iterator<char>(log), {}};
    std::smatch found;
    EXPECT_TRUE(std::regex_search(said, found, std::regex("from solutions at ([0-9]+) of them"))) << said;
    *solutions = std::stoi(found[1]);
  }
  return table_of(folder / "results/harmonic-sweep.csv");
}

/// The largest difference of the complex answers, in parts of the largest amplitude of each column. Columns that are rounding beside the
/// others of forces, or of motions, do not count.
double difference(const Table &one, const Table &other)
{
  const double degree = std::acos(-1.) / 180.;
  const auto is_force = [](const std::string &title) { return title.find(".R_") != std::string::npos; };
  const auto size_of = [](const std::vector<double> &amplitude) { return *std::max_element(amplitude.begin(), amplitude.end()); };
  std::map<bool, double> largest_of;
  for (const auto &[title, amplitude] : one)
    if (title.rfind("amplitude ", 0) == 0)
      largest_of[is_force(title)] = std::max(largest_of[is_force(title)], size_of(amplitude));
  double largest = 0.;
  int compared = 0;
  for (const auto &[title, amplitude] : one)
  {
    if (title.rfind("amplitude ", 0) != 0 || !(size_of(amplitude) > 1e-9 * largest_of[is_force(title)]))
      continue;
    ++compared;
    const std::string phase = "phase " + title.substr(10);
    for (std::size_t k = 0; k < amplitude.size(); ++k)
      largest = std::max(largest, std::abs(std::polar(amplitude[k], degree * one.at(phase)[k]) -
                                           std::polar(other.at(title)[k], degree * other.at(phase)[k])) /
                                      size_of(amplitude));
  }
  EXPECT_GE(compared, 3);
  return largest;
}
}  // namespace

/// 2000 frequencies with 15 modes between them: nine solutions have a residual of 2.8e-6, and ten one of 6.5e-8, in an independent
/// program that chooses frequencies in the same way.
TEST(FastSweep, TenSolutionsForTwoThousandFrequencies)
{
  const std::string deck =
      cantilever + tip_force + sweep("set Method = fast\nset Frequencies = 10, 10000\nset Points = 2000\nset Structural damping = 0.01");
  int solutions = 0, few = 0;
  const Table fast = run(deck, {}, 1, &solutions), coarse = run(deck, {"Stages/sweep/Sweep tolerance=0.1"}, 1, &few);
  ASSERT_EQ(fast.at("frequency").size(), 2000u);
  EXPECT_LE(solutions, 12);
  EXPECT_LT(few, solutions);
  EXPECT_LE(*std::max_element(fast.at("residual").begin(), fast.at("residual").end()), 1e-6);
  double error = 0., coarse_error = 0.;
  for (const std::size_t k : {1u, 77u, 500u, 1111u, 1500u, 1998u})
  {
    const std::string f = fmt::format("{:.17g}", fast.at("frequency")[k]);
    const Table exact = run(deck, {"Stages/sweep/Method=direct", "Stages/sweep/Frequencies=" + f + ", " + f, "Stages/sweep/Points=1"});
    const double size = exact.at("amplitude tip.y")[0];
    error = std::max(error, std::abs(fast.at("amplitude tip.y")[k] - size) / size);
    coarse_error = std::max(coarse_error, std::abs(coarse.at("amplitude tip.y")[k] - size) / size);
  }
  EXPECT_LT(error, 1e-6);
  EXPECT_GT(coarse_error, 10. * error);
}

/// The answers of Method = direct, whatever drives, on several ranks, too.
TEST(FastSweep, WhateverDrivesOnRanks)
{
  const std::string range = "set Method = direct\nset Frequencies = 20, 900\nset Points = 12\nset Structural damping = 0.02\n";
  std::string on_shaker = cantilever;
  on_shaker.replace(on_shaker.find("subsection Supports"), 19,
                    section("Supports", section("shaker", "set Boundary = x+\nset Type = displacement\nset Displacement = free, 0.01")) +
                        "subsection Supports");
  for (const auto &[what, deck] :
       {std::pair{"force", cantilever + tip_force + sweep(range)},
        {"two forces", cantilever + tip_force +
                           section("Loads", section("push", "set Type = traction\nset Boundary = y+\nset Traction = 0, 10")) +
                           sweep(range + "set Imaginary loads = push")},
        {"base", cantilever + sweep(range + "set Base acceleration = 1, 2")},
        {"base in space", cantilever + sweep(range + "set Base displacement = 1e-3, 2e-3\nset Base frame = absolute")},
        {"support", on_shaker + stages(section("rest", "set Type = static\nset Supports = root") +
                                       section("sweep", "set Type = harmonic\nset Supports = root, shaker\n" + range))}})
  {
    const Table direct = run(deck), fast = run(deck, {"Stages/sweep/Method=fast", "Stages/sweep/Sweep tolerance=1e-8"});
    ASSERT_EQ(fast.at("frequency"), direct.at("frequency")) << what;
    EXPECT_LT(difference(direct, fast), 1e-7) << what;
    EXPECT_LT(difference(fast, run(deck, {"Stages/sweep/Method=fast", "Stages/sweep/Sweep tolerance=1e-8"}, 2)), 1e-7) << what;
  }
}

/// Coriolis' forces, whose matrix is skew.
TEST(FastSweep, TurningFrame)
{
  const std::string turned = cantilever + tip_force + section("Rotation", "set Speed = 200") +
                             stages(section("spin", "set Type = static\nset Loads = rotation") +
                                    section("sweep",
                                            "set Type = harmonic\nset Loads = shake\nset Frequencies = 20, 900\nset Points = 12\nset "
                                            "Structural damping = 0.02"));
  EXPECT_LT(difference(run(turned), run(turned, {"Stages/sweep/Method=fast", "Stages/sweep/Sweep tolerance=1e-8"})), 1e-7);
}

TEST(FastSweep, NeverMoreSolutionsThanFrequencies)
{
  int solutions = 0;
  const Table three =
      run(cantilever + tip_force + sweep("set Method = fast\nset Frequencies = 10, 10000\nset Points = 3\nset Structural damping = 0.01"),
          {}, 1, &solutions);
  EXPECT_EQ(solutions, 3);
  EXPECT_EQ(three.at("frequency").size(), 3u);
  for (const double residual : three.at("residual"))
    EXPECT_LT(residual, 1e-8);
}

/// A load on held nodes alone moves nothing: zeros, as with Method = direct.
TEST(FastSweep, LoadOnHeldNodes)
{
  const std::string deck = cantilever + section("Loads", section("push", "set Type = traction\nset Boundary = x-\nset Traction = 0, 10")) +
                           section("Probes", section("end", "set Point = 1, 0.05")) +
                           sweep("set Method = fast\nset Frequencies = 20, 900\nset Points = 5\nset Structural damping = 0.02");
  const Table fast = run(deck), direct = run(deck, {"Stages/sweep/Method=direct"});
  for (std::size_t k = 0; k < 5; ++k)
  {
    EXPECT_EQ(fast.at("amplitude end.u_y")[k], 0.);
    EXPECT_EQ(fast.at("amplitude root.R_y")[k], direct.at("amplitude root.R_y")[k]);
  }
}

TEST(FastSweep, Refused)
{
  const auto refused = [](const std::string &entries, const std::string &words) {
    expect_refused(bar(4) + pull + sweep("set Frequencies = 1, 10\n" + entries), words);
  };
  refused("set Sweep tolerance = 1e-4", "has no effect with Method = direct. Set Method = fast");
  refused("set Method = fast\nset Sweep tolerance = 0", "Sweep tolerance");
  refused("set Method = fast\nset Damping ratios = 0.02", "are of modes and have no effect with Method = fast");
  refused("set Method = fast\nset Waveform = 0, 1", "Method = fast is for one force at many frequencies");
}
}  // namespace symdyn::tests::in_fast_sweep
