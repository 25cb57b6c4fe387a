// The critical step of schemes whose stability depends on the damping.
#include "solver/dynamics/critical_step.h"

#include <gtest/gtest.h>

#include "tests/discrete_deck.h"
#include "tests/oscillator.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_critical_step
{
namespace
{
/// The largest |q| over its start after n steps of a free oscillation; the start has a part in every solution.
double growth(const Scheme &scheme, const Oscillator &system, const double h, const int n, const double v0 = 0.7)
{
  State state = system.start(1., v0);
  scheme.integrator->start(system, state, h);
  double largest = 0;
  for (int k = 0; k < n && largest < 1e9; ++k)
  {
    scheme.integrator->step(system, state, h);
    largest = std::max(largest, std::abs(Oscillator::value(state.q)));
  }
  return largest;
}

double limit(const Scheme &scheme, const Oscillator &system) { return critical_step(*scheme.integrator, system, system.start(0., 0.)); }

const std::vector<std::pair<double, double>> dampers{{1., 0.}, {1., 0.02},  {1., 1.}, {1., 2.},
                                                     {1., 9.}, {0.01, 40.}, {4., 0.5}};  // k, c of a mass 1
}  // namespace

/// Stable 1 % below and lost 1 % above, where k and c of the oscillator are those of the worst mode.
TEST(CriticalStep, OfSchemesThatFeelDamping)
{
  for (const auto &[name, settings] : {std::pair<std::string, std::string>{"galerkin-alpha", "set alpha = 0.8\n"},
                                       {"galerkin-alpha", "set alpha = 1\n"},
                                       {"lagrange-dalembert", "set alpha = 0.7\n"},
                                       {"incremental-potential", "set beta = 0\n"},
                                       {"incremental-potential", "set beta = 0.1\n"},
                                       {"incremental-potential", "set beta = 0.1\nset gamma = 0.8\n"}})
    for (const auto &[k, c] : dampers)
    {
      const Scheme scheme(name, settings);
      const Oscillator system = Oscillator::spring(1., k, c);
      const double h = limit(scheme, system);
      EXPECT_LT(growth(scheme, system, 0.99 * h, 600), 200.) << name << " " << settings << k << " " << c;
      EXPECT_GT(growth(scheme, system, 1.01 * h, 3000), 1e4) << name << " " << settings << k << " " << c;
    }
}

/// The limit holds for every k and c below those of the oscillator; it is sharp for one of them.
TEST(CriticalStep, OfRungeKutta)
{
  const Scheme scheme("rk4");
  EXPECT_NEAR(limit(scheme, Oscillator::spring(1., 1., 0.)), std::sqrt(8.), 1e-12);
  EXPECT_NEAR(limit(scheme, Oscillator::spring(1., 1., 1e-9)), std::sqrt(8.), 1e-6) << "a little damping changes little";
  EXPECT_NEAR(limit(scheme, Oscillator::spring(1., 1e-12, 50.)), 2.785293563405282 / 50., 1e-6);  // the real end of its region
  for (const auto &[k, c] : dampers)
  {
    const double h = limit(scheme, Oscillator::spring(1., k, c));
    bool lost = false;
    for (int i = 0; i <= 10; i += 2)
      for (int j = 0; j <= 10; j += 2)
      {
        const Oscillator system = Oscillator::spring(1., 0.1 * i * k, 0.1 * j * c);
        EXPECT_LT(growth(scheme, system, 0.99 * h, 500), 2000.) << k << " " << c << ", of which " << i << " and " << j << " tenths";
        lost = lost || growth(scheme, system, 1.03 * h, 3000) > 1e4;
      }
    EXPECT_TRUE(lost) << k << " " << c;
  }
}

/// Those that solve for the damping with the new velocity are stable up to the undamped limit, however large it is.
TEST(CriticalStep, OfSchemesThatDoNot)
{
  for (const std::string name : {"central-difference", "stormer-verlet", "symplectic-euler", "linear-acceleration"})
    for (const auto &[k, c] : dampers)
    {
      const Scheme scheme(name);
      const Oscillator system = Oscillator::spring(1., k, c);
      EXPECT_EQ(limit(scheme, system), scheme.integrator->promise(system).stable_h_omega / std::sqrt(k));
      EXPECT_LT(growth(scheme, system, 0.99 * limit(scheme, system), 3000, 0.), 200.)
          << name << " " << k << " " << c;  // c v0 h²/2 would be its first step
    }
}

/// mu of dashpots between points and to the ground: masses 2 and 1/2, c = 3 between them and 4 at the second.
TEST(CriticalStep, FindsTheLargestDampingRate)
{
  const std::string deck =
      "subsection Points\nset Dimension = 1\nsubsection a\nset Mass = 2\nset Position = 0\nend\nsubsection b\nset Mass = 0.5\nset Position = 1\nend\nend\n"
      "subsection Springs\nsubsection s\nset From = a\nset To = b\nset Stiffness = 5\nend\nend\n";
  const std::string dashpots =
      "subsection Dashpots\nsubsection d\nset From = a\nset To = b\nset Coefficient = 3\nend\nsubsection g\nset Points = b\nset Coefficient = 4\nend\nend\n";
  DiscreteDeck damped(deck + dashpots), free(deck);
  // C = [3 -3; -3 7] with M = diag(2, 1/2): mu² - (3/2 + 14) mu + (21 - 9) = 0
  const double mu = 0.5 * (15.5 + std::sqrt(15.5 * 15.5 - 4. * 12.));
  EXPECT_NEAR(highest_damping(damped.system(), damped.start()), mu, 1e-4 * mu);
  EXPECT_EQ(highest_damping(free.system(), free.start()), 0.);
}
}  // namespace symdyn::tests::in_critical_step
