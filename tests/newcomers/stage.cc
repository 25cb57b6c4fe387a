// A type of stage: one file, no edit elsewhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "solver/diagnosis.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/held.h"
#include "tests/linear_decks.h"
#include "tests/results_deck.h"

namespace symdyn::tests::in_newcomer_stage
{
/// Compliance of the loads that act about the state: K u = f, and f·u [J]. What Abaqus calls a static perturbation step.
class Compliance : public Stage
{
public:
  std::string meaning() const override { return "work of the loads on the displacement that they would add"; }
  void declare(Parameters &p) override { p.add("Factor", factor, "times the loads [-]", positive()); }
  StageTraits traits() const override
  {
    StageTraits traits;
    traits.perturbation = true;
    return traits;
  }
  void check(Analysis &analysis) override { check_held(analysis, *this, analysis.state.q, false); }
  Progress advance(Analysis &analysis) override
  {
    const MechanicalSystem &system = analysis.system();
    const State &state = analysis.state;
    Vector f = system.new_vector(), load = f, u = f;
    const std::vector<bool> wanted = chosen(loads, system.diagnosis().load_names());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i])
      {
        system.diagnosis().load_force(i, state.t, state.q, load);
        f.add(factor, load);
      }
    system.project(f);
    const auto tangent = system.factor(K, state.t, state.q, state.v);
    tangent->solve(f, u, tangent->tolerance());
    (*analysis.found)[name]["compliance"] = f * u;
    analysis.recorder.file(fmt::format("compliance-{}.csv", name), fmt::format("work [J]\n{:.17g}\n", f * u));
    return Progress::ended;
  }

private:
  double factor = 1;
};
SYMDYN_REGISTER(Stage, Compliance, "newcomer compliance");

const std::string asked = "subsection Stages\n  subsection c\n    set Type = newcomer compliance\n    set Factor = 2\n  end\nend\n";

TEST(NewcomerStage, FindsTheWorkThatAStaticStageDoes)
{
  const Folder folder, other;
  const Outcome linear = run_well(folder, cantilever + asked), whole = run_well(other, cantilever + statics);
  const double work = whole.history.last("W_external");  // 1/2 f·u
  EXPECT_GT(work, 0.);
  EXPECT_NEAR(linear.summary["stages"][0]["compliance"], 4. * 2. * work, 1e-8 * work);
  EXPECT_EQ(table_of(folder / "results/compliance-c.csv").at("work").size(), 1u);
}

TEST(NewcomerStage, ItsErrorsNameThePlace)
{
  expect_refused(cantilever + "subsection Stages\n  subsection c\n    set Type = newcomer compliance\n    set Factor = -1\n  end\nend\n",
                 "[Stages/c] Factor = -1");
  expect_refused(cantilever + asked, "[Stages/c]: a static stage needs supports that hold the body", {"Supports/clamp/Type=roller"});
}
}  // namespace symdyn::tests::in_newcomer_stage
