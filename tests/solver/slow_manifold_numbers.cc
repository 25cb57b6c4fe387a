// Numbers of the projection onto the slow manifold, and of Runge-Kutta steps on it: the experiments of Ariel, Sanz-Serna, Tsai (2012, sect.
// 5, 6).
#include <gtest/gtest.h>

#include <cmath>

#include "tests/papers.h"
#include "tests/scheme.h"
#include "tests/two_springs.h"

namespace symdyn::tests::in_slow_manifold
{
namespace
{

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
}  // namespace

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
}  // namespace symdyn::tests::in_slow_manifold
