// Creep beside plastic flow, and heat of plastic work: runs in parts by the program, and ranks.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <sstream>
#include <tuple>

#include "tests/in_process.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

namespace symdyn::tests::in_flow_restarts
{
namespace
{
const std::string creeping =
                      "set Type = creep\nset Creep coefficient = 1e-2\nset Creep exponent = 2\nset Time exponent = -0.3\nset Hardens by = "
                      "strain\nset Yield stress = 4\nset Hardening modulus = 30",
                  heating =
                      "set Type = plastic\nset Yield stress = 4\nset Hardening modulus = 30\nset Heat fraction = 0.9\nset Specific heat = "
                      "0.002\nset Room temperature = 20\nset Melting temperature = 1500\nset Softening exponent = 1";

std::string bar_of(const std::string &law)
{
  return section("Mesh",
                 "set Type = box\nset Subdivisions = 4, 2, 2\nset Element = mean-dilatation\n" + section("box", "set Size = 2, 1, 1")) +
         section("Materials", section("metal", "set E = 1000\nset nu = 0.3\nset Density = 1\n" + law)) +
         section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
         section("Probes", section("tip", "set Point = 2, 1, 1")) + section("Newton", "set Tolerance = 1e-13") +
         section("Linear solver", "set Tolerance = 1e-13") + section("Elements", "set Mass = lumped") +
         section("Output", "set Checkpoint every = 10\nset Write every = 1000000") + section("Solver", "set Deterministic = yes");
}
std::string thrown(const std::string &law, const std::string &scheme, const std::string &step)
{
  return bar_of(law) + section("Initial conditions", "set Velocity = 0.8*x, 0.5*x*x, 0.2*x") +
         section("Integrator", "set Scheme = " + scheme) + section("Time", "set Time step = " + step + "\nset End time = 0.2");
}
/// Constants and times over the temperature.
const std::string relaxing =
                      "set Type = viscoelastic\nset Elastic = neo-hooke-simo\nset Shear ratios = 0.3, 0.2\nset Times = 0.02, "
                      "0.2\nset Temperature = 0\nset Expansion = 1e-4\nset Extrapolate = constant\n" +
                      section("At temperatures", section("100",
                                                         "set E = 500\nset nu = 0.35\nset Elastic = neo-hooke-simo\nset "
                                                         "Shear ratios = 0.3, 0.2\nset Times = 0.02, 0.2")) +
                      "set Shift = wlf\nset Shift reference = 20\n" + section("wlf", "set C1 = 8\nset C2 = 90"),
                  hot = section("Temperature", "set Initial = 10\nset Field = 10 + 300*t*x");
const std::vector<std::string> columns{"tip.u_x", "tip.u_y", "E_potential", "E_inelastic", "p_max"};
}  // namespace

TEST(FlowRestarts, PartsOfARunAreTheRun)
{
  for (const std::string &law : {creeping, heating})
    for (const auto &[scheme, step, part] : {std::tuple{"central-difference", "0.002", 40}, {"newmark", "0.01", 7}})
    {
      const Folder whole, split;
      const std::string deck = thrown(law, scheme, step);
      const History history = run_well(whole, deck).history;
      EXPECT_GT(history.last("E_inelastic"), 0.02 * history["E_kinetic"].front());
      ASSERT_EQ(run_in_parts(split, write_file(split, "deck.prm", deck), {}, part).exit_code, 0);
      const History divided = read_history(split / "results/history.csv");
      for (const std::string &column : columns)
        EXPECT_EQ(divided.last(column), history.last(column)) << scheme << column;
    }
}

/// 100 steps on 1, 2 and 3 ranks.
TEST(FlowRestarts, RanksAgree)
{
  for (const std::string &law : {creeping, heating})
  {
    const std::string deck = thrown(law, "central-difference", "0.002");
    const Folder one;
    const History history = run_well(one, deck).history;
    for (const int ranks : {2, 3})
    {
      const Folder more;
      const History same = run_well(more, deck, {}, ranks).history;
      for (const std::string &column : columns)
        EXPECT_NEAR(same.last(column), history.last(column), 1e-12 * std::abs(history.last(column))) << column << ranks;
    }
  }
}

/// The same of 40 implicit steps and static increments, where the linear solver is direct and Newton goes to rounding: bodies that flow and
/// that relax.
TEST(FlowRestarts, ImplicitStepsAgreeOnRanks)
{
  const std::string flows = "set Type = plastic\nset Yield stress = 4\nset Hardening modulus = 30",
                    relaxes = "set Type = viscoelastic\nset Elastic = neo-hooke-simo\nset Shear ratios = 0.3, 0.2\nset Times = 0.02, 0.2",
                    push = section("Loads", section("push", "set Type = traction\nset Boundary = x+\nset Traction = 0.6, 1.1, 0.3"));
  for (const std::string &law : {flows, relaxes})
  {
    const std::string duration = law == relaxes ? "\nset Duration = 1" : "",
                      statics = bar_of(law) + push +
                                stages(section("push", "set Type = static\nset Increments = 40\nset Loads = push" + duration));
    for (const std::string &deck : {statics, thrown(law, "newmark", "0.005")})
    {
      const std::vector<std::string> settings{"Linear solver/Type=mumps"};
      const Folder one;
      const History history = run_well(one, deck, settings).history;
      EXPECT_EQ(history.rows(), 41u);
      EXPECT_GT(history.last("E_inelastic"), 0.02 * history.last("E_potential"));
      for (const int ranks : {2, 3})
      {
        const Folder more;
        const History same = run_well(more, deck, settings, ranks).history;
        constexpr double rounding = 1e-12;  // of displacements, in which energies are quadratic
        for (const auto &[column, power] : {std::pair{"tip.u_x", 1}, {"tip.u_y", 1}, {"E_potential", 2}, {"E_inelastic", 2}})
          EXPECT_NEAR(same.last(column), history.last(column), power * rounding * std::abs(history.last(column))) << law << column << ranks;
      }
    }
  }
}

/// A body that relaxes while it is heated: parts, ranks, and a balance that closes as h² falls.
TEST(FlowRestarts, RelaxingBodiesAtTemperaturesOnRanks)
{
  const std::string deck = thrown(relaxing, "newmark", "0.01") + hot;
  const Folder whole, split, two, fine, unshifted;
  const History history = run_well(whole, deck).history;
  EXPECT_GT(history.last("E_inelastic"), 0.02 * history["E_kinetic"].front());
  ASSERT_EQ(run_in_parts(split, write_file(split, "deck.prm", deck), {}, 7).exit_code, 0);
  const History divided = read_history(split / "results/history.csv"), shared = run_well(two, deck, {}, 2).history;
  for (const std::string &column : columns)
  {
    EXPECT_EQ(divided.last(column), history.last(column)) << column;
    EXPECT_NEAR(shared.last(column), history.last(column), 1e-11 * std::abs(history.last(column))) << column;
  }
  const auto error = [](const History &of) {
    double worst = 0.;
    for (const double value : of["E_balance_error"])
      worst = std::max(worst, std::abs(value));
    return worst;
  };
  EXPECT_LT(error(run_well(fine, thrown(relaxing, "newmark", "0.005") + hot).history), 0.35 * error(history));
  EXPECT_GT(std::abs(run_well(unshifted, deck, {"Materials/metal/wlf/C1=1"}).history.last("tip.u_y") / history.last("tip.u_y") - 1.), 1e-4)
      << "the shift matters";
}

/// Cells with modes keep where their search begins.
TEST(FlowRestarts, ModesOfCellsOnRanks)
{
  const std::string deck = thrown("set Type = plastic\nset Yield stress = 4\nset Hardening modulus = 30", "newmark", "0.01");
  const std::vector<std::string> modes{"Mesh/Element=incompatible-modes", "Elements/Mass=consistent"};
  const Folder whole, split, two;
  const History history = run_well(whole, deck, modes).history;
  EXPECT_GT(history.last("p_max"), 0.01);
  ASSERT_EQ(run_in_parts(split, write_file(split, "deck.prm", deck), modes, 7).exit_code, 0);
  const History divided = read_history(split / "results/history.csv"), shared = run_well(two, deck, modes, 2).history;
  for (const std::string &column : columns)
  {
    EXPECT_EQ(divided.last(column), history.last(column)) << column;
    EXPECT_NEAR(shared.last(column), history.last(column), 1e-9 * std::abs(history.last(column))) << column;
  }
}

/// Twenty random moments at which a run of a small body stops and goes on from its checkpoint: a struck bar, a bar under cycles of
/// backstresses that recover, a mount that relaxes, with steps that may be halved. The whole run makes a checkpoint at each of them, too.
TEST(FlowRestarts, RandomMomentsOfRestartsHaveTheSameBits)
{
  const auto small_body = [](const std::string &law, const std::string &scheme, const std::string &step, const std::string &load) {
    return section("Mesh",
                   "set Type = box\nset Subdivisions = 2, 1, 1\nset Element = mean-dilatation\n" + section("box", "set Size = 2, 1, 1")) +
           section("Materials", section("body", "set Density = 1\n" + law)) + section("Newton", "set Tolerance = 1e-10") +
           section("Elements", "set Mass = lumped") + section("Supports", section("wall", "set Boundary = x-\nset Type = fixed")) + load +
           section("Integrator", "set Scheme = " + scheme) +
           section("Time", "set Time step = " + step + "\nset End time = " + fmt::format("{:.6g}", 30. * std::stod(step)) +
                               (scheme == "newmark" ? "\nset Halve on failure = yes" : "")) +
           section("Output", "set Write every = never\nset Checkpoint every = 1") + section("Solver", "set Deterministic = yes");
  };
  const std::string elastic = "set E = 1000\nset nu = 0.3\n", thrown = section("Initial conditions", "set Velocity = -4*x, x, 0"),
                    cycles =
                        section("Loads", section("cycle", "set Type = traction\nset Boundary = x+\nset Traction = 5*sin(9*t) + 1, 0, 0"));
  std::mt19937 random(7);
  std::uniform_int_distribution<int> any(1, 29);
  int moments = 0;
  for (const auto &[text, count] :
       {std::pair{small_body("set Type = plastic\nset Yield stress = 4\n" + elastic, "central-difference", "0.005", thrown), 7},
        {small_body("set Type = plastic\nset Yield stress = 4\nset Backstress moduli = 60, 15\nset Backstress recovery = 40, 3\n" + elastic,
                    "newmark", "0.02", cycles),
         7},
        {small_body("set Type = viscoelastic\nset Elastic = neo-hooke-log\nset Shear ratios = 0.3, 0.2\nset Times = 0.1, 1\n" + elastic,
                    "newmark", "0.02", cycles),
         6}})
  {
    const Folder undisturbed;
    const State whole = state_after(text, options_of(undisturbed));
    for (int k = 0; k < count; ++k, ++moments)
    {
      const int moment = any(random);
      const Folder parted;
      const State before = state_after(text, options_of(parted), moment), after = state_after(text, options_of(parted, true));
      EXPECT_TRUE(same(after.q, whole.q)) << moment;
      EXPECT_TRUE(same(after.v, whole.v)) << moment;
      EXPECT_FALSE(same(before.q, whole.q)) << "negative control";
    }
  }
  EXPECT_EQ(moments, 20);
}

/// The field `dissipation` at the points where laws are integrated adds up to the column.
TEST(FlowRestarts, TheFieldOfDissipationIsTheColumn)
{
  const Folder folder;
  const std::string plastic = "set Type = plastic\nset Yield stress = 4\nset Hardening modulus = 30";
  const History history =
      run_well(folder, thrown(plastic, "newmark", "0.01"), {"Output/Write every=20", "Output/Fields=quadrature stress"}).history;
  std::string file;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder.path))
    if (const std::string name = entry.path().string();
        name.find("quadrature") != std::string::npos && entry.path().extension() == ".vtu" && name > file)
      file = name;
  ASSERT_FALSE(file.empty());
  const std::string text = text_of(file);
  const auto values = [&](const std::string &name) {
    std::vector<double> all;
    const std::size_t at = text.find("Name=\"" + name + "\"");
    EXPECT_NE(at, std::string::npos) << name;
    std::istringstream in(text.substr(text.find('>', at) + 1));
    for (double value; in >> value;)
      all.push_back(value);
    return all;
  };
  const std::vector<double> weight = values("weight"), field = values("dissipation");
  ASSERT_EQ(weight.size(), field.size());
  double sum = 0., least = 1.;
  for (std::size_t i = 0; i < field.size(); ++i)
  {
    sum += weight[i] * field[i];
    least = std::min(least, field[i]);
  }
  EXPECT_GT(sum, 1e-3);
  EXPECT_GE(least, 0.);
  EXPECT_NEAR(sum, history.last("E_inelastic"), 1e-12 * history.last("E_inelastic"));
}
}  // namespace symdyn::tests::in_flow_restarts
