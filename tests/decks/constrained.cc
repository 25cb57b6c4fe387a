// The experiments of the papers on constraints, molecules, chains and turning bodies, run as decks: every number of
// tests/reference/papers.csv that a run of a deck gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "tests/papers.h"
#include "tests/run.h"

namespace symdyn::tests::in_constrained
{
namespace
{
using Settings = std::vector<std::string>;
const Settings exact{"Constraints/Treatment=exact"};
const std::string pendulum = "papers/to-double-pendulum.prm", chain = "papers/to-pendulum-chain.prm", water = "papers/to-water-7.prm",
                  dna = "papers/to-dna.prm", body = "papers/to-rigid-body.prm", four = "papers/gonzalez-four-particles.prm",
                  springs = "papers/ast-two-springs.prm";

Settings operator+(Settings a, const Settings &b)
{
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Settings scheme(const std::string &name) { return {"Integrator/Scheme=" + name}; }
Settings span(const std::string &step, const std::string &end) { return {"Time/Time step=" + step, "Time/End time=" + end}; }

const Settings newmark = scheme("newmark"), partial = scheme("newmark-partial"),
               predicted = partial + Settings{"Integrator/newmark-partial/guess=predictor"}, pushforward = scheme("variational-newmark"),
               full = scheme("zhang-skeel"), simplified = scheme("zhang-skeel-simplified"), stiff = scheme("zhang-skeel-stiff"),
               oracle = scheme("adams"), shake = scheme("shake") + exact, rattle = scheme("rattle") + exact;

/// A row a step, no frames. `fails`: the motion is lost before the end, as in the reference.
History run(const std::string &deck, const Settings &settings, const bool fails = false)
{
  const Folder folder;
  const Outcome outcome = run_deck(folder, deck, settings + Settings{"Output/Write every=never", "Output/History every=1"});
  EXPECT_EQ(outcome.exit_code != 0, fails) << deck << outcome.terminal;
  return outcome.history;
}

std::vector<double> at(const History &history, const double t, const std::vector<std::string> &columns)
{
  std::vector<double> values;
  for (const std::string &column : columns)
    values.push_back(history.at(t, column));
  return values;
}

/// NAME.x, NAME.y, ... of each.
std::vector<std::string> columns(const std::vector<std::string> &names, const std::string &what)
{
  std::vector<std::string> all;
  for (const std::string &name : names)
    for (const char axis : what)
      all.push_back(name + "." + axis);
  return all;
}
std::vector<std::string> numbered(const std::string &group, const int count)
{
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i)
    names.push_back(group + std::to_string(i));
  return names;
}

/// The t of "....t10[..]".
double time_of(const std::string &id) { return std::stod(id.substr(id.rfind(".t") + 2)); }
long step_of(const std::string &id) { return std::stol(id.substr(id.rfind(".step") + 5)); }

double change(const std::vector<double> &values)
{
  double largest = 0;
  for (const double value : values)
    largest = std::max(largest, std::abs(value - values.front()));
  return largest;
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
TEST(Constrained, MomentaOfSevenWaters)
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
TEST(Constrained, TemperatureOfSevenWaters)
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

/// Figs. 9, 10: nine coordinates with both conventions of mass, and the Lie group method, which keeps RᵀR and is of first order.
TEST(Constrained, TurningBody)
{
  const Settings free{"Rigid bodies/body/Rigidity=0"}, group = scheme("hp-cayley") + free;
  const std::map<std::string, Settings> table{
      {"mass_consistent_Z&S(M=1/2)", full},   {"text_trapezoidal_corrected_f", full + Settings{"Integrator/zhang-skeel/beta=0.2"}},
      {"Z&Ss(no f correction)", simplified},  {"HP_0.1", group},
      {"HP_0.01", group + span("0.01", "3")}, {"HP_0.001", group + span("0.001", "10")}};
  const std::vector<std::string> entries{"body_1.x", "body_2.x", "body_3.x", "body_1.y", "body_2.y",
                                         "body_3.y", "body_1.z", "body_2.z", "body_3.z"};
  const auto off = [](const History &history) {
    return *std::max_element(history["body.rotation_error"].begin(), history["body.rotation_error"].end());
  };
  for (const auto &[label, settings] : table)
  {
    const History history = run(body, settings);
    const auto checks = checks_of("000.so3." + label + ".R.t");
    EXPECT_FALSE(checks.empty()) << label;
    for (const Check &check : checks)
      compare(check, at(history, time_of(check.id), entries));
    if (label.rfind("HP", 0) == 0)
      EXPECT_LT(off(history), 1e-12);
    else
      EXPECT_GT(off(history), 1e-4);
  }
  const History reference = run(body, oracle + free + Settings{"Constraints/rotation/Law=orthonormal", "Constraints/rotation/Body=body"});
  Check check = checks_of("000.so3.exact.t20").at(0);
  check.values.resize(9);  // R; the file has Omega too
  compare(check, at(reference, 20., entries));
  // Order 1 of the Lie group method; from R_0 = 1, where there is no torque, it would be 2.
  const Settings turned = free + Settings{"Rigid bodies/body/Rotation=0.3, -0.8, 0.5"};
  const History finest =
      run(body, oracle + turned + Settings{"Time/End time=10", "Constraints/rotation/Law=orthonormal", "Constraints/rotation/Body=body"});
  std::map<std::string, double> error;
  for (const std::string h : {"0.01", "0.005"})
  {
    const History history = run(body, scheme("hp-cayley") + turned + span(h, "10"));
    double square = 0;
    for (const std::string &entry : entries)
      square += std::pow(history.at(10., entry) - finest.at(10., entry), 2);
    error[h] = std::sqrt(square);
  }
  EXPECT_NEAR(std::log2(error["0.01"] / error["0.005"]), 1., 0.15);
}

/// Figs. 2 to 4 of Gonzalez; our multipliers have the other sign.
TEST(Constrained, FourParticles)
{
  const std::map<std::string, double> mass{{"a", 1.}, {"b", 3.}, {"c", 2.3}, {"d", 1.7}};
  const auto momenta = [&](const History &history, const std::size_t row) {
    std::vector<double> p;
    for (const auto &[name, m] : mass)
      for (const char *axis : {"x", "y", "z"})
        p.push_back(m * history[name + ".v_" + axis].at(row));
    return p;
  };
  const History history = run(four, {});
  compare(checks_of("001.H0").at(0), {history["E_total"][0]});
  compare(checks_of("001.T10.max_drift_g").at(0), {*std::max_element(history["g_max"].begin(), history["g_max"].end())});
  EXPECT_LT(change(history["E_total"]), 1e-11);
  for (const std::string axis : {"x", "y", "z"})
  {
    EXPECT_LT(change(history["P_" + axis]), 1e-12);
    EXPECT_LT(change(history["J_" + axis]), 1e-11);
  }
  for (const Check &check : checks_of("001.T10.step"))
  {
    const long n = step_of(check.id);
    if (check.values.size() == 12)
      compare(check, momenta(history, n));
    else
      compare(check, {-history["lambda.left"][n], -history["lambda.right"][n]});
  }
  for (const Check &check : checks_of("001.hidden.dt"))
  {
    const History finer = run(four, {"Time/Time step=" + check.id.substr(13)});
    compare(check, {change(finer["gdot.left"]), change(finer["gdot.right"])});
  }
}

/// Fig. 4: convergence of positions, momenta and multipliers.
TEST(Constrained, FourParticlesConvergence)
{
  const std::vector<std::string> place = columns({"d"}, "xyz");
  const History finest = run(four, span("1e-5", "0.1"));
  const auto end = [&](const History &history) { return at(history, 0.1, place); };
  const std::vector<double> limit = end(finest);
  for (const Check &check : checks_of("001.fig4.dt"))
  {
    const std::string h = check.id.substr(11, check.id.find('.', 14) - 11);
    const History history = run(four, span(h, "0.1"));
    if (check.values.size() == 1)
    {
      const std::vector<double> q = end(history);
      double error = 0, size = 0;
      for (int d = 0; d < 3; ++d)
      {
        error += std::pow(q[d] - limit[d], 2);
        size += std::pow(limit[d], 2);
      }
      compare(check, {std::sqrt(error / size)});
      continue;
    }
    const History reference = run(four, oracle + Settings{"Time/End time=0.1"});
    double p = 0, lambda = 0;
    for (const auto &[name, m] : std::map<std::string, double>{{"a", 1.}, {"b", 3.}, {"c", 2.3}, {"d", 1.7}})
      for (const char *axis : {"x", "y", "z"})
        p = std::max(p, m * std::abs(history.last(name + ".v_" + axis) - reference.last(name + ".v_" + axis)));
    for (const char *name : {"lambda.left", "lambda.right"})
      lambda = std::max(lambda, std::abs(history.last(name) - reference.last(name)));
    compare(check, {p, lambda});
  }
}

/// Two springs as rods; and Figs. 2, 6 of Ariel, Sanz-Serna, Tsai: what rods and slow springs differ by.
TEST(Constrained, TwoSprings)
{
  const std::vector<std::string> q = columns({"near", "far"}, "xy"), v{"near.v_x", "near.v_y", "far.v_x", "far.v_y"};
  const auto z = [&](const History &history) {
    std::vector<double> all = at(history, 10., q), rates = at(history, 10., v);
    all.insert(all.end(), rates.begin(), rates.end());
    return all;
  };
  const auto rods = [&](const std::string &H) {
    std::ostringstream step;
    step.precision(17);
    step << 1. / std::stod(H.substr(2));
    return z(run(springs, rattle + Settings{"Time/Time step=" + step.str()}));
  };
  for (const Check &check : checks_of("003.rattle.H="))
    compare(check, rods(check.id.substr(13, check.id.find(".z(") - 13)));
  compare(checks_of("003.dae_t10").at(0), z(run(springs, oracle + exact + Settings{"Time/Time step=0.1"})));
  std::map<std::string, std::vector<double>> slow;
  for (const std::string omega : {"100", "1000"})
    slow[omega] = z(run(springs, oracle + Settings{"Time/Time step=0.1", "Constraints/omega=" + omega, "Slow manifold/Project start=yes",
                                                   "Slow manifold/Filter=states", "Slow manifold/Not converged=accept",
                                                   "Slow manifold/Tolerance=" + std::string(omega == "100" ? "1e-7" : "1e-9")}));
  compare(checks_of("003.reference_t10.omega1000").at(0), slow["1000"]);
  for (const Check &check : checks_of("003.fig2.H="))
  {
    const std::string omega = check.id.substr(check.id.find("omega") + 5, check.id.find('[') - check.id.find("omega") - 5);
    if (!slow.count(omega))
      continue;
    const std::vector<double> rod = rods(check.id.substr(11, check.id.find(".omega") - 11));
    double in_q = 0, in_v = 0;
    for (int i = 0; i < 4; ++i)
    {
      in_q += std::pow(rod[i] - slow[omega][i], 2);
      in_v += std::pow(rod[i + 4] - slow[omega][i + 4], 2);
    }
    compare(check, {std::sqrt(in_q), std::sqrt(in_v)});
  }
}
}  // namespace symdyn::tests::in_constrained
