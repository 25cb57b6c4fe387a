// The projection onto the slow manifold, and Runge-Kutta steps on it: the experiments of Ariel, Sanz-Serna, Tsai (2012, sect. 5, 6).
#include "solver/dynamics/slow_manifold.h"

#include <gtest/gtest.h>

#include <complex>
#include <iomanip>
#include <limits>

#include "solver/constraints.h"
#include "solver/error.h"
#include "solver/verify/particles.h"
#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/liar.h"
#include "tests/oscillator.h"
#include "tests/papers.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_slow_manifold
{
namespace
{
/// g = (r1 - 1, r12 - 1) of two particles in the plane.
class TwoLengths : public HolonomicConstraints
{
public:
  int size() const override { return 2; }
  std::string name(const int i) const override { return i == 0 ? "origin - 1" : "1 - 2"; }
  double length() const override { return 2.; }
  int coordinates() const override { return 4; }
  void gather(const Vector &x, std::vector<double> &w) const override { w.assign(x.begin(), x.end()); }
  void scatter(const std::vector<double> &w, Vector &x) const override
  {
    for (int i = 0; i < 4; ++i)
      x.local_element(i) += w[i];
  }
  void values(const std::vector<double> &u, std::vector<double> &g) const override
  {
    g = {std::hypot(u[0], u[1]) - 1., std::hypot(u[0] - u[2], u[1] - u[3]) - 1.};
  }
  void jacobian(const std::vector<double> &u, ConstraintRows &G) const override
  {
    const double r1 = std::hypot(u[0], u[1]), x = u[0] - u[2], y = u[1] - u[3], r12 = std::hypot(x, y);
    G.clear();
    for (const auto &[column, entry] : std::vector<std::pair<int, double>>{{0, u[0] / r1}, {1, u[1] / r1}})
      G.add(column, entry);
    G.finish_row();
    for (const auto &[column, entry] : std::vector<std::pair<int, double>>{{0, x / r12}, {1, y / r12}, {2, -x / r12}, {3, -y / r12}})
      G.add(column, entry);
    G.finish_row();
  }
  void discrete_jacobian(const std::vector<double> &, const std::vector<double> &, ConstraintRows &) const override
  {
    throw std::logic_error("not used");
  }
  void curvature(const std::vector<double> &, const std::vector<double> &, const std::vector<double> &,
                 std::vector<double> &) const override
  {
    throw std::logic_error("not used");
  }
};

/// V = ½ omega² ((r1 - 1)² + (r12 - 1)²), unit masses (sect. 5.1) or others.
class TwoSprings : public Particles
{
public:
  explicit TwoSprings(const double omega, const bool has_penalties = true, const bool held = true, const double mass = 1.)
      : Particles({mass, mass, mass, mass})
  {
    if (has_penalties)
      kinematics = {nullptr, &lengths, omega, {}};
    for (const int spring : {0, 1})
    {
      Matrix A(4, 4);
      for (const int d : {0, 1})
      {
        A(d, d) = 1.;
        if (spring == 1)
        {
          A(2 + d, 2 + d) = 1.;
          A(d, 2 + d) = A(2 + d, d) = -1.;
        }
      }
      const double k = omega * omega;
      if (held || spring == 1)
        terms.push_back({A,
                         {[=](double s) { return 0.5 * k * (std::sqrt(s) - 1.) * (std::sqrt(s) - 1.); },
                          [=](double s) { return 0.5 * k * (1. - 1. / std::sqrt(s)); },
                          [=](double s) { return 0.25 * k * std::pow(s, -1.5); }, [=](double s) { return -0.375 * k * std::pow(s, -2.5); }},
                         true});
    }
  }
  TwoSprings(const TwoSprings &) = delete;
  const KinematicConstraints &kinematic_constraints() const override { return kinematics; }

private:
  TwoLengths lengths;
  KinematicConstraints kinematics;
};

State off_manifold(const Particles &system) { return system.start({1., 0.25, 2., 0.}, {0., -0.5, 0., 0.5}); }
State constraint_point(const Particles &system) { return system.start({1., 0., 2., 0.}, {0., -0.5, 0., 0.5}); }

SlowManifold projection(const std::string &settings)
{
  Deck deck = Deck::from_text(settings, "test.prm");
  SlowManifold manifold;
  Parameters p = deck.root();
  manifold.declare(p);
  deck.finish();
  return manifold;
}
std::string to(const double tolerance)
{
  std::ostringstream text;
  text << "set Tolerance = " << tolerance << "\n";
  return text.str();
}
/// That of the paper.
double tolerance_of(const double omega) { return omega < 1000. ? 1e-7 : 1e-9; }

State projected(const MechanicalSystem &system, State state, const double tolerance)
{
  projection(to(tolerance)).project(system, state);  // which converges
  return state;
}

std::vector<double> numbers(const State &state)
{
  std::vector<double> z(state.q.begin(), state.q.end());
  z.insert(z.end(), state.v.begin(), state.v.end());
  return z;
}

Check check_of(const std::string &id)
{
  const auto checks = checks_of(id + ",");
  return checks.empty() ? Check() : checks[0];
}

/// The stiff flow from P(z_c), at t = 10.
std::vector<double> slow_solution(const double omega)
{
  const TwoSprings system(omega);
  const Scheme oracle("adams", "set Relative tolerance = 1e-13\nset Absolute tolerance = 1e-15\n");
  return numbers(oracle.run(system, projected(system, constraint_point(system), tolerance_of(omega)), 1., 10));
}

/// The last iterate, where the glide along the manifold (omega = 100) or rounding (omega = 1e5) keeps the changes above the tolerance of
/// the paper.
const std::string accept = "set Not converged = accept\n";
/// At omega = 1e5 and small steps the numbers of the paper's recipe show the rounding of its weights: omega² 4e-16 of the multipliers.
const std::string as_printed = "set Filter = states\n";

/// Euclidean norms of the q part and the v part of the error of rk4-slow-manifold at t = 10.
std::vector<double> errors(const double omega, const int steps, const double tolerance, const std::vector<double> &reference,
                           const std::string &filter = as_printed)
{
  const TwoSprings system(omega);
  const State start = projected(system, constraint_point(system), tolerance);
  const std::vector<double> z =
      numbers(Scheme("rk4-slow-manifold", to(tolerance) + accept + filter).run(system, start, 10. / steps, steps));
  double q = 0, v = 0;
  for (int i = 0; i < 4; ++i)
  {
    q += std::pow(z[i] - reference[i], 2);
    v += std::pow(z[4 + i] - reference[4 + i], 2);
  }
  return {std::sqrt(q), std::sqrt(v)};
}

/// All rows "START.OMEGA_1/N".
void compare_errors(const std::string &start, const double omega, const std::vector<double> &reference, const double tolerance)
{
  const std::string label = start + "." + std::to_string(int(omega)) + "_1/";
  const auto checks = checks_of(label);
  ASSERT_FALSE(checks.empty()) << label;
  for (const Check &check : checks)
    compare(check, errors(omega, 10 * std::stoi(check.id.substr(label.size())), tolerance, reference));
}

/// What an error of `action` says, "" if there is none.
template <class Error, class Do>
std::string message(const Do &action)
{
  try
  {
    action();
  }
  catch (const Error &error)
  {
    return error.what();
  }
  return "";
}
}  // namespace

TEST(SlowManifold, KernelHasUnitMassAndThreeVanishingMoments)
{
  for (const int n : {12, 18, 24, 100})
  {
    double mass = 0, second = 0;
    for (int j = -n; j <= n; ++j)
    {
      const double s = double(j) / n, w = SlowManifold::kernel(s) / n;
      mass += w;
      second += w * s * s;
      EXPECT_EQ(w, SlowManifold::kernel(-s) / n);
    }
    EXPECT_NEAR(mass, 1., 1e-14);
    EXPECT_NEAR(second, 0., 1e-14);
  }
}

/// Table 1, to the digits that are printed (some are cut there, not rounded), without its two misprints: dg1/dt of omega = 1000, m = 1, is
/// 2.33(-3), and g2 of omega = 10000, m = 2, is negative.
TEST(SlowManifold, TableOfThePaper)
{
  struct Table
  {
    double omega;
    std::vector<std::vector<double>> rows;
  };
  for (const Table &table : std::vector<Table>{{1000.,
                                                {{3.08e-2, 3.08e-2, -1.21e-1, -2.42e-1},
                                                 {-3.40e-4, -2.41e-4, 2.33e-3, 5.25e-3},
                                                 {9.71e-7, 8.11e-7, 2.01e-5, 1.18e-5},
                                                 {1.01e-6, 8.95e-7, 2.43e-6, 1.61e-6},
                                                 {1.01e-6, 8.95e-7, 2.43e-6, 1.61e-6},
                                                 {1.01e-6, 8.95e-7, 2.43e-6, 1.61e-6}}},
                                               {10000.,
                                                {{3.08e-2, 3.08e-2, -1.21e-1, -2.42e-1},
                                                 {-3.40e-4, -2.41e-4, 2.34e-3, 5.28e-3},
                                                 {-3.00e-8, -7.49e-8, 1.75e-5, 1.02e-5},
                                                 {1.01e-8, 8.91e-9, 3.00e-8, 1.45e-8},
                                                 {1.01e-8, 8.95e-9, 2.43e-8, 1.61e-8},
                                                 {1.01e-8, 8.95e-9, 2.43e-8, 1.62e-8}}}})
  {
    const TwoSprings system(table.omega);
    State state = off_manifold(system);
    const auto report = projection(to(1e-9)).project(system, state);
    EXPECT_EQ(report.omega, table.omega);
    EXPECT_EQ(report.iterations(), 5);
    ASSERT_EQ(report.iterates.size(), table.rows.size());
    for (std::size_t m = 0; m < table.rows.size(); ++m)
    {
      const auto &at = report.iterates[m];
      const std::vector<double> found{at.g[0], at.g[1], at.rate[0], at.rate[1]};
      for (int i = 0; i < 4; ++i)
      {
        const double printed = table.rows[m][i], last_digit = std::pow(10., std::floor(std::log10(std::abs(printed))) - 2.);
        EXPECT_NEAR(found[i], printed, last_digit) << table.omega << ", m = " << m << ", column " << i;
      }
    }
    EXPECT_NE(report.text().find("5 iterations; |g| 0.0435, "), std::string::npos) << report.text();
  }
}

TEST(SlowManifold, NumbersOfThePaper)
{
  const TwoSprings system(10000.);
  compare(check_of("003.table1.omega10000.slow_point"), numbers(projected(system, off_manifold(system), 1e-9)));
  for (const double omega : {100., 1000.})
  {
    const TwoSprings springs(omega);
    const TwoLengths lengths;
    std::vector<double> g, u;
    lengths.gather(projected(springs, constraint_point(springs), tolerance_of(omega)).q, u);
    lengths.values(u, g);
    compare(check_of("003.lambda.omega" + std::to_string(int(omega))), {omega * omega * g[0], omega * omega * g[1]});
  }
}

/// What the projection changes along the manifold is proportional to the distance from it: (v(y) - v(z0))/(kappa v(z0)).
TEST(SlowManifold, TangentialChange)
{
  const TwoSprings system(10000.);
  const State slow = projected(system, constraint_point(system), 1e-9);
  for (const double kappa : {1e-3, 1e-4})
  {
    State off = slow;
    off.q *= 1. + kappa;
    off = projected(system, off, 1e-9);
    std::vector<double> change;
    for (const int i : {1, 3})
      change.push_back((off.v.local_element(i) - slow.v.local_element(i)) / (kappa * slow.v.local_element(i)));
    compare(check_of(kappa == 1e-3 ? "003.ipa_linear_tangential.kappa0.001" : "003.ipa_linear_tangential.kappa0.0001"), change);
  }
}

TEST(SlowManifold, RungeKuttaOnTheManifold)
{
  const std::vector<double> reference = slow_solution(1000.);
  compare(check_of("003.reference_t10.omega1000"), reference);
  compare_errors("003.fig6", 100., slow_solution(100.), tolerance_of(100.));
  compare_errors("003.fig6", 1000., reference, tolerance_of(1000.));
  compare_errors("003.fig6_tight", 1000., reference, 1e-12);
}

TEST(SlowManifold, RungeKuttaOnVeryStiffManifoldsNightly)
{
  const std::vector<double> reference = slow_solution(10000.), limit = check_of("003.dae_t10").values;
  compare_errors("003.fig6", 10000., reference, tolerance_of(10000.));
  compare_errors("003.fig6_tight", 10000., reference, 1e-12);
  std::vector<double> stiffer = limit;  // the distance from the constrained motion falls as omega^-2
  for (std::size_t i = 0; i < limit.size(); ++i)
    stiffer[i] += (reference[i] - limit[i]) / 100.;
  compare_errors("003.fig6_tight", 100000., stiffer, 3e-14);
  const Check check = check_of("003.fig6_tight.100000_1/64[errq;errp]");
  ASSERT_EQ(check.values.size(), 2u);
  const std::vector<double> better = errors(100000., 640, 3e-14, stiffer, "");
  for (int i = 0; i < 2; ++i)
    EXPECT_LT(better[i], 0.1 * check.values[i]) << "changes keep a constant exactly";
}

/// Without penalties the part that is marked stiff says what is fast.
TEST(SlowManifold, OfAPartThatIsMarkedStiff)
{
  const TwoSprings with(1000.), without(1000., false);
  State a = off_manifold(with), b = off_manifold(without), c = b;
  projection(to(1e-9)).project(with, a);
  const auto report = projection(to(1e-9) + "set omega = 1000\n").project(without, b);
  EXPECT_LT(distance(a, b), 1e-9);
  EXPECT_LE(std::abs(report.iterations() - 5), 1);
  EXPECT_NE(report.text().find("changes of q"), std::string::npos);
  // omega of the highest stiff mode, (1 + sqrt 5)/2 times that of one spring when both are straight and at rest.
  const auto automatic = projection(to(1e-9) + "set Iterations = 20\n").project(without, c);
  EXPECT_NEAR(automatic.omega, 1618., 0.05 * 1618.);
  std::ostringstream same;
  same << std::setprecision(17) << to(1e-9) << "set Iterations = 20\nset omega = " << automatic.omega << "\n";
  a = off_manifold(with);
  projection(same.str()).project(with, a);
  EXPECT_LT(distance(a, c), 1e-8);
}

/// m q'' + c q' + k q = sin(3t): the slow solution is the periodic one.
TEST(SlowManifold, LoadsAndDampingActInTheWindow)
{
  class Stiff : public Oscillator
  {
  public:
    bool has(const Feature feature) const override
    {
      return feature == Feature::stiff_part || feature == Feature::linear || Oscillator::has(feature);
    }
  };
  constexpr double c = 2., t = 0.3;
  // Its error, which falls with the fourth power of the window.
  const auto error = [&](const double k) {
    Stiff system;
    static_cast<Oscillator &>(system) = Oscillator::spring(1., k, c);
    system.force = [k](const double s) { return k * std::sin(3. * s); };
    const std::complex<double> i(0., 1.), q = k / (k - 9. + 3. * i * c) * std::exp(3. * i * t);
    State state = system.start(0.1, -5.);
    state.t = t;
    projection("set Tolerance = 1e-12\nset Iterations = 60\n").project(system, state);
    EXPECT_NEAR(state.v.local_element(0), 3. * q.real(), std::pow(3. * 6. * M_PI / std::sqrt(k), 4)) << k;
    return std::abs(state.q.local_element(0) - q.imag());
  };
  EXPECT_LT(error(1e6), 1e-5);
  EXPECT_NEAR(std::log2(error(4e4) / error(16e4)), 4., 0.3);
}

/// omega = 0: that of the penalties, but with masses that put their frequencies beyond the filter the highest of these.
TEST(SlowManifold, FrequencyOfPenaltiesAndMasses)
{
  for (const double mass : {1., 100., 0.01})
  {
    TwoSprings system(1000. * std::sqrt(mass), true, true, mass);
    State state = off_manifold(system);
    const SlowManifold::Report report = projection("set Not converged = accept\n").project(system, state);
    if (mass == 1.)
      EXPECT_EQ(report.omega, 1000.);
    else
      EXPECT_NEAR(report.omega / 1000., std::sqrt(1.5 + std::sqrt(1.25)), 0.1) << "of [1 c; c 2], c near -1; mass " << mass;
    EXPECT_LT(std::abs(report.iterates.back().g[1]), 1e-4) << mass;
  }
}

TEST(SlowManifold, KeepsLinearMomentum)
{
  TwoSprings system(1000., false, false);
  State state = system.start({0.3, 0.1, 1.32, 0.15}, {0.4, -0.5, 0.1, 0.7});
  const auto momentum = [](const State &z, const int d) { return z.v.local_element(d) + z.v.local_element(2 + d); };
  const double x = momentum(state, 0), y = momentum(state, 1);
  projection("set omega = 1000\n").project(system, state);
  EXPECT_NEAR(momentum(state, 0), x, 1e-12);
  EXPECT_NEAR(momentum(state, 1), y, 1e-12);
}

TEST(SlowManifold, FailsLoudly)
{
  const TwoSprings system(1000.), soft(20.);
  State state = off_manifold(system);
  const State before = state;
  const auto failure = [&](const std::string &settings, const MechanicalSystem &of) {
    return message<ComputationError>([&] { projection(settings).project(of, state); });
  };
  EXPECT_NE(failure("set Iterations = 3\n", system).find("after 3 iterations g still changes by"), std::string::npos);
  EXPECT_NE(failure("set omega = 400\n", system).find("leaves the neighbourhood"), std::string::npos);
  EXPECT_NE(failure("set omega = 400\n", system).find("raise omega"), std::string::npos);
  EXPECT_NE(failure(to(1e-2) + "set Iterations = 100\n", soft).find("too small for the filter"), std::string::npos)
      << failure(to(1e-2), soft);
  EXPECT_EQ(distance(state, before), 0.);
}

/// `symdyn verify` on a deck whose omega = 2 is too small for the filter: not applicable, nothing broken.
TEST(SlowManifold, VerifyOfASoftSystemBreaksNoPromise)
{
  const VerifySubject subject(
      Deck::from_text("set Structure = discrete\n" + pendulum_deck() + subsection("Time", "set Time step = 0.05\nset End time = 1"),
                      "pendulum.prm"),
      1000, false);
  const auto scheme = subject.scheme("rk4-slow-manifold", subject.undamped());
  SchemeCheck check("rk4-slow-manifold", *scheme, subject, 20);
  check.run();
  EXPECT_EQ(name_of(findings_of(check).at("order").verdict), "not applicable");
  for (const Finding &finding : check.findings)
    EXPECT_NE(finding.verdict, Verdict::broken) << finding.property << ": " << finding.reason;
}

TEST(SlowManifold, Refusals)
{
  const auto refusal = [](const std::string &settings, const Particles &system, const double duration) {
    return message<InputError>([&] {
      Deck deck = Deck::from_text(settings, "test.prm");
      Parameters p = deck.root();
      SlowManifold manifold;
      manifold.declare(p);
      manifold.check(system, p);
      if (system.penalties())
        manifold.check_window(system, off_manifold(system), p, duration);
    });
  };
  const TwoSprings system(1000.);
  EXPECT_EQ(refusal("", system, 10.), "");
  EXPECT_NE(refusal("", Particles::ring_well(), 10.).find("no slow manifold"), std::string::npos);
  EXPECT_NE(refusal("set omega = 1000", system, 0.03).find("test.prm:1 omega = 1000: the window of the filter, 2 L/omega = 0.0377 s"),
            std::string::npos)
      << refusal("set omega = 1000", system, 0.03);
  EXPECT_NE(refusal("set Periods = 3\nset Steps per period = 5", system, 10.).find("must be even"), std::string::npos);
  EXPECT_NE(refusal("set Tolerance = 0", system, 10.).find("Tolerance = 0"), std::string::npos);
  EXPECT_NE(message<InputError>([] {
              Deck deck = Deck::from_text("", "test.prm");
              Parameters p = deck.root();
              const auto scheme = Registry<Integrator>::instance().make("rk4-slow-manifold");
              scheme->declare(p);
              scheme->check(Particles::ring_well(), p);
            }).find("no slow manifold"),
            std::string::npos);
  const Promise promise = Scheme("rk4-slow-manifold").integrator->promise(system);
  EXPECT_EQ(promise.order, 0);
  EXPECT_EQ(promise.linear_momentum, Where::nowhere);
}
}  // namespace symdyn::tests::in_slow_manifold
