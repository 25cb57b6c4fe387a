// The experiments of the papers on turning bodies, particles on rods and stiff springs, run as decks, as in constrained.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/constrained_runs.h"
#include "tests/papers.h"

namespace symdyn::tests::in_constrained
{
namespace
{
const std::string body = "papers/to-rigid-body.prm", four = "papers/gonzalez-four-particles.prm", springs = "papers/ast-two-springs.prm";
const Settings rattle = scheme("rattle") + exact;
}  // namespace

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
