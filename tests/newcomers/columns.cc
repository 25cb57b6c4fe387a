// Columns of history.csv: one file, no edit elsewhere.
#include <gtest/gtest.h>

#include "solver/base/units.h"
#include "solver/column.h"
#include "solver/mechanical_system.h"
#include "solver/registry.h"
#include "tests/linear_decks.h"
#include "tests/results_deck.h"

namespace symdyn::tests::in_newcomer_columns
{
/// T = ½ v·M v [J]
class KineticAgain : public HistoryColumns
{
public:
  std::string meaning() const override { return "kinetic energy"; }
  std::vector<Column> columns(const MechanicalSystem &, const Units &units) const override
  {
    return {{"newcomer", units.energy, Kind::energy}};
  }
  void values(const MechanicalSystem &system, const State &state, std::vector<double> &out) const override
  {
    Vector Mv = system.new_vector();
    system.mass(state.v, Mv);
    out.push_back(0.5 * (state.v * Mv));
  }
};
SYMDYN_REGISTER(HistoryColumns, KineticAgain, "newcomer kinetic");

TEST(NewcomerColumns, StandInTheHistoryAndInPeaks)
{
  const Folder folder;
  const Outcome run = run_well(folder, cantilever + dynamics, {"Output/Columns=newcomer kinetic, largest motion"});
  ASSERT_GT(run.history.rows(), 10u);
  for (std::size_t i = 0; i < run.history.rows(); ++i)
    EXPECT_NEAR(run.history["newcomer"][i], run.history["E_kinetic"][i], 1e-12 * run.history["E_kinetic"].back());
  EXPECT_EQ(has(text_of(folder / "results/history.csv"), "newcomer [J],u_max [m],v_max [m/s]"), "");
  EXPECT_EQ(has(text_of(folder / "results/peaks.csv"), "newcomer,"), "");
  EXPECT_GT(run.history.last("u_max"), 0.);
}

/// Has a value more than columns.
class OneTooMany : public KineticAgain
{
public:
  void values(const MechanicalSystem &system, const State &state, std::vector<double> &out) const override
  {
    KineticAgain::values(system, state, out);
    out.push_back(0.);
  }
};
SYMDYN_REGISTER(HistoryColumns, OneTooMany, "newcomer one too many");

TEST(NewcomerColumns, AWrongNumberOfValuesIsNamed)
{
  const Folder folder;
  const Outcome run = run_text(folder, cantilever + dynamics, {"Output/Columns=newcomer one too many"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(has(run.terminal, "the columns 'newcomer one too many' have 1 values too many"), "");
}

TEST(NewcomerColumns, UnknownOnesAndDoublesAreRefused)
{
  expect_refused(cantilever + dynamics, "stands twice", {"Output/Columns=newcomer kinetic, newcomer kinetic"});
  expect_refused(cantilever + dynamics, "'newcomer cinetic' is not known; there are: newcomer kinetic",
                 {"Output/Columns=newcomer cinetic"});
}

TEST(NewcomerColumns, MayNotChangeInARestart)
{
  const Folder folder;
  const std::vector<std::string> settings{"Output/Columns=newcomer kinetic", "Output/Checkpoint every=10"};
  run_well(folder, cantilever + dynamics, settings);
  CommandLine line;
  line.command = "run";
  line.restart = folder / "results";
  line.settings = {"Time/End time=0.3"};
  EXPECT_EQ(in_child(folder, [&] { return symdyn_run_command(&line); }).exit_code, 0);
  line.settings = {"Time/End time=0.4", "Output/Columns=largest motion"};
  const Outcome refused = in_child(folder, [&] { return symdyn_run_command(&line); });
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(has(refused.terminal, "the deck is not that of the checkpoint"), "");
}
}  // namespace symdyn::tests::in_newcomer_columns
