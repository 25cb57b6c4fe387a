// The experiments of the papers, run as decks: every number of tests/reference/papers.csv that a run of a deck gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "tests/papers.h"
#include "tests/run.h"

namespace symdyn::tests::in_experiments
{
namespace
{
/// "Integrator/Scheme=newmark", "Integrator/newmark/beta=0.25", ...
std::vector<std::string> scheme(const std::string &name, const std::vector<std::string> &entries = {})
{
  std::vector<std::string> settings{"Integrator/Scheme=" + name};
  for (const std::string &entry : entries)
    settings.push_back("Integrator/" + name + "/" + entry);
  return settings;
}

/// The schemes under the labels of the ids.
const std::map<std::string, std::vector<std::string>> &schemes()
{
  static const std::map<std::string, std::vector<std::string>> table{
      {"implicit_newmark", scheme("newmark", {"beta=0.25"})},
      {"newmark_1/4", scheme("newmark", {"beta=0.25"})},
      {"newmark_1/6", scheme("linear-acceleration")},
      {"newmark_beta_1_6", scheme("linear-acceleration")},
      {"explicit_newmark", scheme("central-difference")},
      {"verlet", scheme("stormer-verlet")},
      {"midpoint", scheme("midpoint")},
      {"sym_alpha_0.2", scheme("symmetric-galerkin-alpha", {"alpha=0.2"})},
      {"L_d^alpha_0.2", scheme("galerkin-alpha", {"alpha=0.2"})},
      {"pushforward_1/4", scheme("variational-newmark", {"beta=0.25"})},
      {"pushforward_0.4", scheme("variational-newmark", {"beta=0.4"})},
      {"Z&S_0.25", scheme("zhang-skeel", {"beta=0.25"})},
      {"Z&S_1/4", scheme("zhang-skeel", {"beta=0.25"})},
      {"Z&S_0.4", scheme("zhang-skeel", {"beta=0.4"})},
      {"Z&Ss_0.25", scheme("zhang-skeel-simplified", {"beta=0.25"})},
      {"Z&Ss_1/4", scheme("zhang-skeel-simplified", {"beta=0.25"})},
      {"Z&Ss_0.4", scheme("zhang-skeel-simplified", {"beta=0.4"})},
      {"partial_1/4", scheme("newmark-partial", {"beta=0.25", "guess=predictor"})},
      {"rk4", scheme("rk4")},
      {"benchmark", scheme("adams")},
      {"newmark_impl_nodal", scheme("newmark-dalembert", {"beta=0.25"})},
      {"newmark_expl_nodal", scheme("newmark-dalembert", {"beta=0"})},
      {"newmark_impl_incpot", scheme("incremental-potential", {"beta=0.25"})},
      {"newmark_expl_incpot", scheme("incremental-potential", {"beta=0"})},
      {"variational_DLA", scheme("lagrange-dalembert", {"alpha=0.5"})},
      {"two_step", scheme("two-step")}};
  return table;
}

/// One run of `steps` steps of a deck with a row a step.
Outcome run_steps(const Folder &folder, const std::string &deck, const std::vector<std::string> &settings, const double h, const long steps)
{
  std::vector<std::string> all = settings;
  std::ostringstream step, end;
  step.precision(17);
  end.precision(17);
  step << "Time/Time step=" << h;
  end << "Time/End time=" << h * steps;
  all.insert(all.end(), {step.str(), end.str(), "Output/Write every=never", "Output/History every=1"});
  return run_deck(folder, deck, all);
}

std::vector<double> row(const History &history, const std::vector<std::string> &columns, const long step)
{
  std::vector<double> values;
  for (const std::string &column : columns)
    values.push_back(history[column].at(step));
  return values;
}

double largest_change(const std::vector<double> &values)
{
  double largest = 0;
  for (const double value : values)
    largest = std::max(largest, std::abs(value - values.front()));
  return largest;
}

const std::vector<std::string> particle{"bob.x", "bob.y", "bob.v_x", "bob.v_y"},
    particle_and_books{"bob.x", "bob.y", "bob.v_x", "bob.v_y", "E_total", "J_z"};

/// "004.cons.midpoint.step10[q;v;E;J]": label "midpoint", what "step10[q;v;E;J]".
struct Name
{
  std::string label, what;
};
Name name_of(const std::string &id, const std::string &start)
{
  const std::string rest = id.substr(start.size());
  for (const auto &entry : schemes())
    if (rest.rfind(entry.first + ".", 0) == 0 || rest == entry.first)
      return {entry.first, rest.substr(std::min(rest.size(), entry.first.size() + 1))};
  return {"", rest};
}

long step_of(const std::string &what)
{
  return what.rfind("step", 0) == 0 ? std::stol(what.substr(4)) : what.find("1e5") != std::string::npos ? 100000 : 0;
}

/// All checks "START.LABEL.stepN.." with the first <= N < last, one run a label.
void compare_particle(const std::string &start, const std::string &deck, const double h, const long first, const long last)
{
  std::map<std::string, std::vector<Check>> groups;
  std::map<std::string, long> steps;
  for (const Check &check : checks_of(start))
  {
    const Name name = name_of(check.id, start);
    const long n = step_of(name.what);
    ASSERT_FALSE(name.label.empty()) << check.id;
    if (n < first || n >= last)
      continue;
    groups[name.label].push_back(check);
    steps[name.label] = std::max(steps[name.label], n);
  }
  ASSERT_FALSE(groups.empty());
  for (const auto &[label, group] : groups)
  {
    const Folder folder;
    const Outcome outcome = run_steps(folder, deck, schemes().at(label), h, steps[label]);
    ASSERT_EQ(outcome.exit_code, 0) << label << outcome.terminal;
    for (const Check &check : group)
    {
      const std::string what = name_of(check.id, start).what;
      const auto &E = outcome.history["E_total"], &J = outcome.history["J_z"];
      if (what.rfind("envelope", 0) == 0)
        compare(check, {*std::min_element(E.begin(), E.end()), *std::max_element(E.begin(), E.end()), *std::min_element(J.begin(), J.end()),
                        *std::max_element(J.begin(), J.end())});
      else if (what.rfind("max|J", 0) == 0)
        compare(check, {largest_change(J)});
      else if (check.values.size() == 2)
        compare(check, row(outcome.history, {"E_total", "J_z"}, step_of(what)));
      else
        compare(check, row(outcome.history, particle_and_books, step_of(what)));
    }
  }
}
}  // namespace

TEST(Experiments, OneStepOfEachScheme)
{
  for (const Check &check : checks_of("004.one_step."))
  {
    const Name name = name_of(check.id, "004.one_step.");
    ASSERT_FALSE(name.label.empty()) << check.id;
    const Folder folder;
    const Outcome outcome = run_steps(folder, "papers/kmow-conservative.prm", schemes().at(name.label), 0.2, 1);
    ASSERT_EQ(outcome.exit_code, 0) << check.id << outcome.terminal;
    compare(check, row(outcome.history, particle, 1));
  }
}

TEST(Experiments, ConservativeOscillator) { compare_particle("004.cons.", "papers/kmow-conservative.prm", 0.2, 1, 10001); }
TEST(Experiments, ConservativeOscillatorLongNightly) { compare_particle("004.cons.", "papers/kmow-conservative.prm", 0.2, 10001, 1000000); }
TEST(Experiments, DampedOscillator) { compare_particle("004.diss.", "papers/kmow-dissipative.prm", 0.2, 1, 10001); }
TEST(Experiments, DampedOscillatorLongNightly) { compare_particle("004.diss.", "papers/kmow-dissipative.prm", 0.2, 10001, 1000000); }

TEST(Experiments, ExactFlowOfTheOscillator)
{
  const Folder folder;
  const Outcome outcome = run_steps(folder, "papers/kmow-conservative.prm", schemes().at("benchmark"), 0.2, 10000);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  for (const Check &check : checks_of("004.benchmark."))
    compare(check, row(outcome.history, particle_and_books, step_of(check.id.substr(std::string("004.benchmark.").size()))));
}

TEST(Experiments, NumericalDampingAndGrowthByGamma)
{
  for (const Check &check : checks_of("004.gamma"))
    if (check.id.find("E_after_500") != std::string::npos)
    {
      const std::string gamma = check.id.substr(9, check.id.find(".E_after") - 9);
      const Folder folder;
      const Outcome outcome =
          run_steps(folder, "papers/kmow-conservative.prm", scheme("newmark", {"beta=0.25", "gamma=" + gamma}), 0.2, 500);
      compare(check, {outcome.history["E_total"].at(500)});
      EXPECT_EQ(outcome.terminal.find("lets every oscillation grow") != std::string::npos, std::stod(gamma) < 0.5) << gamma;
    }
}

/// Newmark's momentum is kept in x = q + beta h² M^-1 dV/dq; read in q it oscillates.
TEST(Experiments, NoetherInCanonicalVariables)
{
  for (const Check &check : checks_of("004.noether."))
  {
    const std::string beta = check.id.substr(16, 8);
    const Folder folder;
    const Outcome outcome = run_steps(folder, "papers/kmow-conservative.prm",
                                      scheme("newmark", {"beta=" + (beta == "0.166667" ? "0.16666666666666666" : beta)}), 0.2, 20000);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    compare(check, {largest_change(outcome.history[check.id.find("plain") != std::string::npos ? "J_z" : "Jc_z"])});
  }
}

/// Reads "fe_truss.h0.05.SCHEME.stepN[..]" and the like.
void compare_ring(const long first, const long last)
{
  struct Group
  {
    double h = 0;
    long steps = 0;
    std::string label;
    std::vector<std::pair<std::string, Check>> checks;
  };
  std::map<std::string, Group> groups;
  for (const Check &check : checks_of("fe_truss."))
  {
    const std::string h = check.id.substr(10, 4), start = "fe_truss.h" + h + ".";
    const Name name = name_of(check.id, start);
    ASSERT_FALSE(name.label.empty()) << check.id;
    const long n = name.what.rfind("step", 0) == 0 ? step_of(name.what) : h == "0.01" ? 20000 : 100000;
    if (n < first || n >= last)
      continue;
    Group &group = groups[start + name.label];
    group.h = std::stod(h);
    group.steps = std::max(group.steps, n);
    group.label = name.label;
    group.checks.emplace_back(name.what, check);
  }
  ASSERT_FALSE(groups.empty());
  for (const auto &[start, group] : groups)
  {
    SCOPED_TRACE(start);
    const Folder folder;
    const Outcome outcome = run_steps(folder, "papers/truss-ring.prm", schemes().at(group.label), group.h, group.steps);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    std::vector<double> E, J;  // as sampled there: the first steps and every tenth
    for (std::size_t n = 0; n < outcome.history.rows(); ++n)
      if (n <= 1 || n % 10 == 0)
      {
        E.push_back(outcome.history["E_total"][n] - 2.050625);
        J.push_back(outcome.history["J_z"][n]);
      }
    for (const auto &[what, check] : group.checks)
      if (what.rfind("envelope", 0) == 0)
        compare(check, {*std::min_element(E.begin(), E.end()), *std::max_element(E.begin(), E.end())});
      else if (what.rfind("max|dJ", 0) == 0)
        compare(check, {largest_change(J)});
      else
      {
        std::vector<double> values = row(outcome.history, {"E_total", "J_z", "ring0.x", "ring0.y"}, step_of(what));
        values[0] -= 2.050625;
        compare(check, values);
      }
  }
}

TEST(Experiments, TrussRing) { compare_ring(1, 10001); }
TEST(Experiments, TrussRingLongNightly) { compare_ring(10001, 1000000); }
}  // namespace symdyn::tests::in_experiments
