// The experiments of the papers on constraints, molecules and chains, run as decks: every number of tests/reference/papers.csv that a run
// of a deck gives. Bodies and springs: constrained_bodies.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "tests/constrained_runs.h"
#include "tests/papers.h"

namespace symdyn::tests::in_constrained
{
namespace
{
const std::string pendulum = "papers/to-double-pendulum.prm", chain = "papers/to-pendulum-chain.prm", water = "papers/to-water-7.prm",
                  dna = "papers/to-dna.prm";
const Settings newmark = scheme("newmark"), partial = scheme("newmark-partial"),
               predicted = partial + Settings{"Integrator/newmark-partial/guess=predictor"}, pushforward = scheme("variational-newmark"),
               stiff = scheme("zhang-skeel-stiff"), shake = scheme("shake") + exact;

std::vector<std::string> numbered(const std::string &group, const int count)
{
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i)
    names.push_back(group + std::to_string(i));
  return names;
}

/// Of positions `columns` from those of the oracle, over the steps of 0.1 s up to each of these times; NaN from where the run has ended.
std::vector<double> largest_errors(const History &history, const History &reference, const std::vector<std::string> &columns)
{
  std::vector<double> errors;
  double largest = 0;
  int k = 0;
  for (const double end : {2., 5., 10., 20., 50.})
  {
    for (; k <= std::lround(10. * end); ++k)
      for (const std::string &column : columns)
        if (k / 10. <= history["time"].back() + 1e-9)
          largest = std::max(largest, std::abs(history.at(k / 10., column) - reference.at(k / 10., column)));
        else
          largest = std::numeric_limits<double>::quiet_NaN();
    errors.push_back(largest);
  }
  return errors;
}

const std::map<std::string, Settings> &pendulum_schemes()
{
  static const std::map<std::string, Settings> table{
      {"newmark_full", newmark},
      {"newmark_partial_q", partial},
      {"newmark_partial_pre", predicted},
      {"pushforward", pushforward},
      {"Z&S", full},
      {"Z&Ss", simplified},
      {"SHAKE", shake},
      {"variational_euler_h0.005", scheme("symplectic-euler") + Settings{"Time/Time step=0.005"}},
      {"benchmark", oracle + exact}};
  return table;
}
}  // namespace

/// Fig. 1: positions at chosen times, and errors against the rigid double pendulum, for every scheme of the paper.
TEST(Constrained, DoublePendulum)
{
  const std::string start = "000.dp.gravity_down(V=+y).";
  const std::vector<std::string> places = columns({"upper", "lower"}, "xy");
  const History reference = run(pendulum, oracle + exact);
  std::map<std::string, double> worst;
  for (const auto &[label, settings] : pendulum_schemes())
  {
    const bool loses = label == "newmark_partial_q";  // the paper shows how it loses the motion
    const History history =
        label == "benchmark" ? reference : run(pendulum, loses ? settings + Settings{"Monitors/Energy alarm=off"} : settings, loses);
    for (const Check &check : checks_of(start + label + ".t"))
      compare(check, at(history, time_of(check.id), places));
    const std::vector<double> errors = largest_errors(history, reference, places);
    for (const Check &check : checks_of(start + label + ".max_err", true))
      compare(check, errors);
    worst[label] = errors[1];
  }
  EXPECT_EQ(checks_of(start).size(), 34u);
  // The order of Fig. 1 up to t = 5.
  EXPECT_LT(worst["SHAKE"], worst["newmark_full"]);
  EXPECT_LT(worst["SHAKE"], worst["Z&S"]);
  EXPECT_LT(worst["Z&S"], worst["Z&Ss"]);
  EXPECT_GT(worst["newmark_partial_q"], 10. * worst["Z&Ss"]);
}

/// Fig. 2: omega² g stays bounded, and its means over windows are multipliers.
TEST(Constrained, TwoScaleMultipliers)
{
  const Settings fine = full + Settings{"Time/Time step=0.01"};
  for (const Check &check : checks_of("000.dp.fig2a.omega10."))
  {
    const History history = run(pendulum, fine + Settings{"Constraints/omega=10"});
    double largest = 0;
    for (long k = 4501; k <= 5000; ++k)
      largest = std::max(largest, 100. * std::hypot(history["g.hanger"][k], history["g.rod"][k]));
    compare(check, {largest});
  }
  const History soft = run(pendulum, fine + Settings{"Time/End time=10", "Monitors/Multiplier window=0.2"});
  for (const Check &check : checks_of("000.dp.fig2b."))
    if (check.id.find("window_mean") != std::string::npos)
      compare(check, at(soft, std::stod(check.id.substr(14)) + 0.1, {"lambda_mean.hanger", "lambda_mean.rod"}));
    else
      compare(check, at(run(pendulum, shake + span("0.01", "10")), std::stod(check.id.substr(14)), {"lambda.hanger", "lambda.rod"}));
}

TEST(Constrained, PendulumChain)
{
  const std::map<std::string, Settings> table{{"SHAKE_0.05", shake},     {"SHAKE_0.025", shake + span("0.025", "10")},
                                              {"Z&S_0.05", full},        {"Z&Ss_0.05", simplified},
                                              {"newmark_0.05", newmark}, {"partial_0.05", partial}};
  std::size_t done = 0;
  for (const auto &[label, settings] : table)
  {
    const History history = run(chain, settings);
    for (const Check &check : checks_of("000.chain.gravity_down." + label + "."))
    {
      compare(check, at(history, time_of(check.id), columns(numbered("bob", 10), "xy")));
      ++done;
    }
  }
  EXPECT_EQ(done, checks_of("000.chain.").size());
}

TEST(Constrained, SevenWaters)
{
  const std::map<std::string, Settings> table{{"Z&Ss_stiff(2.6)", stiff},
                                              {"Z&S_full", full},
                                              {"Z&Ss_full_hess", simplified},
                                              {"newmark_full", newmark},
                                              {"newmark_partial_q", partial},
                                              {"pushforward", pushforward},
                                              {"SHAKE", shake}};
  std::size_t done = 0;
  for (const auto &[label, settings] : table)
  {
    const History history = run(water, settings + Settings{"Time/End time=10"});
    if (label == "newmark_full")
      compare(checks_of("000.water.E0;V0").at(0), {history["E_total"][0], history["E_potential"][0]});
    for (const Check &check : checks_of("000.water." + label + ".step"))
    {
      const long n = step_of(check.id);
      compare(check, {history["E_total"][n] - history["E_total"][0], history["O0.x"][n], history["O0.y"][n], history["O0.z"][n]});
      ++done;
    }
  }
  EXPECT_EQ(done, 18u);
}

/// Momenta over thousands of steps; Newmark loses angular momentum in (q, v), the partially solved one does too.
TEST(Constrained, MomentaOfSevenWatersNightly)
{
  const auto largest = [](const History &history, const std::string &of) {
    double result = 0;
    for (const char *axis : {"_x", "_y", "_z"})
      result = std::max(result, change(history[of + axis]));
    return result;
  };
  compare(checks_of("000.water.Z&S_full.max|dL|").at(0), {largest(run(water, full + Settings{"Time/End time=500"}), "P")});
  compare(checks_of("000.water.pushforward.max|dL|").at(0), {largest(run(water, pushforward), "P")});
  compare(checks_of("000.water.newmark_full.max|dJ|").at(0), {largest(run(water, newmark), "J")});
}

/// The bath gives each free momentum its temperature: 63 with penalties, 42 with rigid molecules. The tolerance is four standard errors.
TEST(Constrained, TemperatureOfSevenWatersNightly)
{
  const auto temperature = [](const History &history, const double freedom) {
    const auto &E = history["E_kinetic"];
    double sum = 0;
    for (std::size_t n = E.size() - 30000; n < E.size(); ++n)
      sum += 2. * E[n] / freedom / 30000.;
    return sum / 0.02;
  };
  const Settings bath = scheme("langevin") + Settings{"Integrator/langevin/gamma=1", "Integrator/langevin/kT=0.02", "Time/End time=2000"};
  const Check check = checks_of("000.gla.water_gamma1.Tkin").at(0);
  compare(check, {temperature(run(water, bath + Settings{"Integrator/langevin/base=zhang-skeel-stiff"}), 63.)});
  const double rigid = temperature(run(water, bath + exact + Settings{"Integrator/langevin/base=rattle"}), 42.);
  EXPECT_NEAR(rigid, 1., 0.04);
}

TEST(Constrained, Dna)
{
  const std::map<std::string, Settings> table{{"verlet_0.2", scheme("central-difference") + span("0.2", "100")},
                                              {"verlet_0.05", scheme("central-difference") + span("0.05", "400")},
                                              {"Z&S_2_b0.3", full + span("2", "100")},
                                              {"Z&S_1_b0.3", full + span("1", "400")},
                                              {"Z&S_0.2_b0.3", full + span("0.2", "100")},
                                              {"Z&Ss_2_b0.3", simplified}};
  std::size_t done = 0;
  for (const auto &[label, settings] : table)
  {
    const History history = run(dna, settings + Settings{"Points/Report=base"});
    for (const Check &check : checks_of("000.dna." + label + "."))
    {
      const double t = time_of(check.id);
      double mean = 0, rate = 0, square = 0;
      for (const std::string &name : numbered("base", 200))
      {
        mean += history.at(t, name + ".x") / 200.;
        rate += history.at(t, name + ".v_x") / 200.;
      }
      for (const std::string &name : numbered("base", 200))
        square += std::pow(history.at(t, name + ".x") - mean, 2) / 200.;
      compare(check, {mean, rate, history.at(t, "E_total"), history.at(t, "base0.x"), history.at(t, "base99.x"), std::sqrt(square)});
      ++done;
    }
  }
  EXPECT_EQ(done, checks_of("000.dna.").size());
}
}  // namespace symdyn::tests::in_constrained
