// Numbers of reference/papers.csv that take a measured order, the Jacobian of a step or two orbits: the rows that no run of a deck gives.
#include <algorithm>

#include "tests/invariants.h"
#include "tests/papers.h"

namespace symdyn::tests::in_papers
{
namespace
{
std::string composed(const std::string &base, const double beta)
{
  return "set base = " + base + "\nsubsection " + base + "\n" + set("beta", beta) + "end\n";
}

/// The scheme of a label of the ids.
Scheme scheme_of(const std::string &label)
{
  static const std::map<std::string, std::pair<std::string, std::string>> table{
      {"implicit_newmark", {"newmark", set("beta", 0.25)}},
      {"newmark_1/4", {"newmark", set("beta", 0.25)}},
      {"newmark_0.25", {"newmark", set("beta", 0.25)}},
      {"newmark_0.25_suris", {"newmark", set("beta", 0.25)}},
      {"newmark_incpot", {"incremental-potential", set("beta", 0.25)}},
      {"newmark_partial_q", {"newmark-partial", set("beta", 0.25) + "set guess = previous\n"}},
      {"newmark_partial_pre", {"newmark-partial", set("beta", 0.25)}},
      {"verlet", {"central-difference", ""}},
      {"midpoint", {"midpoint", ""}},
      {"DLA_midpoint", {"lagrange-dalembert", set("alpha", 0.5)}},
      {"variational_euler", {"symplectic-euler", ""}},
      {"pushforward_0.25", {"variational-newmark", set("beta", 0.25)}},
      {"pushforward_0.4", {"variational-newmark", set("beta", 0.4)}},
      {"Z&S_0.25", {"zhang-skeel", set("beta", 0.25)}},
      {"Z&S_0.4", {"zhang-skeel", set("beta", 0.4)}},
      {"Z&Ss_0.25", {"zhang-skeel-simplified", set("beta", 0.25)}},
      {"Z&Ss_0.4", {"zhang-skeel-simplified", set("beta", 0.4)}},
      {"sym_alpha_0.2", {"symmetric-galerkin-alpha", set("alpha", 0.2)}},
      {"L_d^alpha_0.2", {"galerkin-alpha", set("alpha", 0.2)}},
      {"ld_alpha_0.2", {"galerkin-alpha", set("alpha", 0.2)}},
      {"ld_alpha_0.5", {"galerkin-alpha", set("alpha", 0.5)}},
      {"ld_alpha_1.0", {"galerkin-alpha", set("alpha", 1.)}},
      {"rk4", {"rk4", ""}},
      {"yoshida4_Z&S_0.4", {"yoshida4", composed("zhang-skeel", 0.4)}},
      {"yoshida_Z&S_0.4", {"yoshida4", composed("zhang-skeel", 0.4)}},
      {"yoshida4_Z&Ss_0.4", {"yoshida4", composed("zhang-skeel-simplified", 0.4)}},
      {"yoshida4_pushforward_0.25", {"yoshida4", composed("variational-newmark", 0.25)}}};
  const auto entry = table.find(label);
  if (entry == table.end())
    throw std::runtime_error("no scheme is known for the label " + label);
  return Scheme(entry->second.first, entry->second.second);
}

/// All rows "START.LABEL.." and the label, which ends at `end`.
template <class Do>
void for_rows(const std::string &start, const std::string &end, const Do &action)
{
  const std::vector<Check> checks = checks_of(start);
  ASSERT_FALSE(checks.empty()) << start;
  for (const Check &check : checks)
  {
    const std::string rest = check.id.substr(start.size());
    action(check, rest.substr(0, end.empty() ? std::string::npos : rest.rfind(end)));
  }
}

/// log2(e(T/n) / e(T/2n)) of q at T = 2 in a norm.
double order_of_positions(const Scheme &scheme, const Particles &system, const State &start, const int n, double (*norm)(const Vector &))
{
  const State exact = runge_kutta(system, start, 2., 4000);
  const auto error = [&](const int steps) {
    Vector q = scheme.run(system, start, 2. / steps, steps).q;
    q -= exact.q;
    return norm(q);
  };
  return std::log2(error(n) / error(2 * n));
}
double euclidean(const Vector &x) { return x.l2_norm(); }
double largest(const Vector &x) { return x.linfty_norm(); }

/// Of all orders here: closer than the tolerance of the file.
void compare_order(const Check &check, const double order)
{
  EXPECT_NEAR(order, check.values.at(0), std::min(check.tolerance, 1e-3)) << check.id;
}
}  // namespace

TEST(Papers, OrdersOfKaneEtAl)
{
  for_rows("004.order.", "_R", [](const Check &check, const std::string &label) {
    const bool damped_study = check.id.find("_R") != std::string::npos;
    const double R = damped_study ? std::stod(check.id.substr(check.id.rfind("_R") + 2)) : 0.;
    const Particles system = Particles::ring_well(1., 1., R);
    const State kane = system.start(oscillator_q, oscillator_v), ordinary = system.start({0.7, -0.5}, {0.3, 0.4});
    compare_order(check, damped_study ? order_of_positions(scheme_of(label), system, kane, 160, euclidean)
                                      : order_of_positions(scheme_of(label), system, ordinary, 80, largest));
  });
}

TEST(Papers, OrdersOnThePendulum)
{
  const Particles pendulum = Particles::pendulum();
  for_rows("000.order.", "", [&](const Check &check, const std::string &label) {
    compare_order(check, measured_order(scheme_of(label), pendulum, pendulum_start(pendulum), 1., 80));
  });
}

TEST(Papers, OneStepOfThePendulum)
{
  const Particles pendulum = Particles::pendulum();
  for_rows("000.one_step_h0.2.", "", [&](const Check &check, const std::string &label) {
    expect_step(check.id, scheme_of(label), pendulum, pendulum_start(pendulum), 1, check.values, check.tolerance);
  });
}

TEST(Papers, SymplecticDefectsOfTheOscillator)
{
  for (const auto &[masses, m_y] : {std::pair{"004.sympl.M=I ", 1.}, {"004.sympl.M=diag(1;3) ", 3.}})
    for_rows(masses, ".canonical", [m_y = m_y](const Check &check, const std::string &label) {
      const Particles system = Particles::ring_well(1., m_y);
      std::vector<double> defects;
      for (const State &state : oscillator_states(system))
        defects.push_back(symplectic_defect(scheme_of(label), system, state, 0.2));
      compare(check, check.kind == "max" ? std::vector{*std::max_element(defects.begin(), defects.end())} : defects);
    });
}

TEST(Papers, SymplecticDefectsOfThePendulum)
{
  const Particles pendulum = Particles::pendulum();
  for_rows("000.sympl.", "", [&](const Check &check, const std::string &label) {
    const double suris = label == "newmark_0.25_suris" ? 0.25 : 0.;
    compare(check, {symplectic_defect(scheme_of(label), pendulum, pendulum_start(pendulum), 0.2, suris)});
  });
}

TEST(Papers, Reversibility)
{
  const Particles pendulum = Particles::pendulum();
  for_rows("000.reversibility.", "", [&](const Check &check, const std::string &label) {
    compare(check, {irreversibility(scheme_of(label), pendulum, pendulum_start(pendulum), 0.2)});
  });
}

/// x_k = (1 - alpha) q_k + alpha q_(k+1) of galerkin-alpha is the orbit of newmark with beta = alpha (1 - alpha).
TEST(Papers, GalerkinAlphaShadowsNewmark)
{
  const Particles well = Particles::ring_well();
  constexpr double h = 0.2;
  for_rows("004.shadow.alpha", ".max", [&](const Check &check, const std::string &label) {
    const double alpha = std::stod(label), beta = alpha * (1. - alpha);
    const Scheme galerkin("galerkin-alpha", set("alpha", alpha)), newmark("newmark", set("beta", beta));
    State q = well.start(oscillator_q, oscillator_v), x = q;
    galerkin.integrator->start(well, q, h);
    const auto between = [&] {  // x_k; q moves on
      Vector result = q.q;
      galerkin.integrator->step(well, q, h);
      result.sadd(1. - alpha, alpha, q.q);
      return result;
    };
    const auto force = [&](const Vector &at) {
      Vector f = well.new_vector();
      well.internal_force(at, f);
      return f;
    };
    x.q = between();
    Vector next = between(), v = next;
    v -= x.q;
    v *= 1. / h;
    v.add(0.5 * h * (1. - 2. * beta), force(x.q), h * beta, force(next));  // a = -dV/dq, unit masses
    x.v = v;
    newmark.integrator->start(well, x, h);
    double largest = 0;
    for (int k = 1; k <= 200; ++k, next = between())
    {
      newmark.integrator->step(well, x, h);
      next -= x.q;
      largest = std::max(largest, next.linfty_norm());
    }
    compare(check, {largest});
  });
}
}  // namespace symdyn::tests::in_papers
