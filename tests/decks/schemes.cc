// Every scheme on nonlinear elasticity: the tumbling block L, 375 steps of which the last 125 fly free.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/run.h"

namespace symdyn::tests::in_schemes
{
namespace
{
using Settings = std::vector<std::string>;

/// The pulse and 2.5 s of free flight; 195 hexahedra, 1008 degrees of freedom. Conjugate gradients, which are faster than factors here,
/// where the tangent is symmetric.
Outcome tumble(const std::string &scheme, const Settings &more = {}, const double h = 0.02)
{
  const Folder folder;
  Settings settings{"Mesh/Subdivisions=1,5", "Integrator/Scheme=" + scheme, "Time/Time step=" + std::to_string(h),
                    "Time/End time=7.5",     "Output/Write every=never",    "Output/History every=1"};
  if (scheme != "simo-tarnow" && scheme != "discrete-gradient")
    settings.insert(settings.end(), {"Linear solver/Type=cg", "Linear solver/cg/Preconditioner=jacobi"});
  settings.insert(settings.end(), more.begin(), more.end());
  Outcome outcome = run_deck(folder, "verification/tumbling-block.prm", settings);
  EXPECT_EQ(outcome.exit_code, 0) << scheme << outcome.terminal;
  EXPECT_EQ(outcome.terminal.find("warning"), std::string::npos) << scheme << " stays bounded, yet: " << outcome.terminal;
  return outcome;
}

std::size_t first_free_row(const History &history)
{
  std::size_t row = 0;
  while (history["time"][row] < 5.01)
    ++row;
  return row;
}

/// Largest change of the vector `name` ("J_", "Jc_") in free flight, relative to its length.
double drift_of(const History &history, const std::string &name)
{
  const std::size_t first = first_free_row(history);
  double length = 0, largest = 0;
  for (const char *axis : {"x", "y", "z"})
    length += std::pow(history[name + axis][first], 2);
  for (const char *axis : {"x", "y", "z"})
    for (std::size_t row = first; row < history.rows(); ++row)
      largest = std::max(largest, std::abs(history[name + axis][row] - history[name + axis][first]));
  return largest / std::sqrt(length);
}

double energy_drift(const History &history)
{
  const std::size_t first = first_free_row(history);
  double largest = 0;
  for (std::size_t row = first; row < history.rows(); ++row)
    largest = std::max(largest, std::abs(history["E_total"][row] / history["E_total"][first] - 1.));
  return largest;
}

constexpr double holds = 1e-9, oscillates = 1e-6;
const Settings lumped{"Elements/Mass=lumped"};
}  // namespace

TEST(Schemes, NewmarkKeepsAngularMomentumInItsOwnVariables)
{
  for (const Settings &mass : {Settings{}, lumped})
    for (const char *scheme : {"newmark", "linear-acceleration"})
    {
      const Outcome run = tumble(scheme, mass);
      EXPECT_LT(drift_of(run.history, "Jc_"), holds) << scheme;
      EXPECT_GT(drift_of(run.history, "J_"), oscillates) << scheme;
      EXPECT_LT(drift_of(run.history, "J_"), 1e-2) << scheme;
      EXPECT_GT(energy_drift(run.history), oscillates) << scheme << ": a band, no more";
    }
}

TEST(Schemes, VariationalSchemesKeepAngularMomentum)
{
  for (const char *scheme : {"midpoint", "variational-newmark", "symmetric-galerkin-alpha", "zhang-skeel", "lagrange-dalembert"})
    EXPECT_LT(drift_of(tumble(scheme).history, "J_"), holds) << scheme;
  for (const char *scheme : {"midpoint", "zhang-skeel", "variational-newmark"})
    EXPECT_LT(drift_of(tumble(scheme, lumped).history, "J_"), holds) << scheme << ", lumped";
  for (const char *scheme : {"central-difference", "stormer-verlet", "symplectic-euler"})
    EXPECT_LT(drift_of(tumble(scheme, lumped, 0.01).history, "J_"), holds) << scheme;
}

/// What it takes to lose angular momentum.
TEST(Schemes, OthersDoNot)
{
  EXPECT_GT(drift_of(tumble("zhang-skeel-simplified").history, "J_"), 10. * holds);
  for (const char *scheme : {"hht-alpha", "bathe", "generalized-alpha"})
    EXPECT_GT(drift_of(tumble(scheme).history, "J_"), oscillates) << scheme;
  EXPECT_GT(drift_of(tumble("rk4", lumped, 0.01).history, "J_"), holds);
}

TEST(Schemes, EnergyMomentumSchemesKeepBoth)
{
  for (const Settings &mass : {Settings{}, Settings{lumped[0], "Mesh/Subdivisions=1"}})
    for (const char *scheme : {"simo-tarnow", "discrete-gradient"})
    {
      const Outcome run = tumble(scheme, mass);
      EXPECT_LT(energy_drift(run.history), holds) << scheme;
      EXPECT_LT(drift_of(run.history, "J_"), holds) << scheme;
    }
  const Outcome rubber = tumble("discrete-gradient", {"Materials/block/Type=neo-hooke-log", "Mesh/Subdivisions=1"});
  EXPECT_LT(energy_drift(rubber.history), holds);
  EXPECT_LT(drift_of(rubber.history, "J_"), holds);

  // A fifth of the pulse: St.Venant-Kirchhoff does not bear the whole of it on a held face.
  const Outcome clamped =
      tumble("simo-tarnow", {"Mesh/Subdivisions=1", "Supports/wall/Boundary=x-", "Loads/head/Amplitude=0.2*max(min(t, 5 - t), 0)",
                             "Loads/foot/Amplitude=0.2*max(min(t, 5 - t), 0)"});
  EXPECT_LT(energy_drift(clamped.history), holds);
  EXPECT_GT(drift_of(clamped.history, "J_"), 1e-2);
}

/// Balance of energy: with loads, damping and shaken supports the energy balance of an energy-momentum scheme closes in each step.
TEST(Schemes, BooksOfEnergyMomentumSchemesClose)
{
  const Outcome run = tumble("discrete-gradient",
                             {"Mesh/Subdivisions=1", "Materials/block/Type=neo-hooke-log", "Damping/Mass proportional=0.05",
                              "Damping/Stiffness proportional=1e-4", "Supports/shaker/Boundary=x-", "Supports/shaker/Type=displacement",
                              "Supports/shaker/Displacement=0.1*(1-cos(2*t)), 0.05*(1-cos(t)), 0"});
  double largest = 0, scale = 0;
  for (std::size_t row = 0; row < run.history.rows(); ++row)
  {
    largest = std::max(largest, std::abs(run.history["E_balance_error"][row]));
    scale = std::max(scale, run.history["E_total"][row]);
  }
  EXPECT_GT(run.history.last("E_dissipated"), 1e-2 * scale);
  EXPECT_LT(largest, holds * scale);
}

/// A run that is lost must say so when at least a tenth of its time is left, and name the scheme's reason.
TEST(Schemes, WarnBeforeTheyLoseTheMotion)
{
  const auto lost = [](const std::string &scheme, const std::string &reason, const Settings &settings, const std::string &h) {
    const Folder folder;
    Settings all{"Mesh/Subdivisions=1", "Integrator/Scheme=" + scheme, "Time/Time step=" + h,
                 "Time/End time=20",    "Output/Write every=never",    "Output/History every=1"};
    all.insert(all.end(), settings.begin(), settings.end());
    const Outcome run = run_deck(folder, "verification/tumbling-block.prm", all);
    EXPECT_NE(run.exit_code, 0) << scheme << " does not lose this motion";
    const std::size_t said = run.terminal.find(reason);
    ASSERT_NE(said, std::string::npos) << scheme << run.terminal;
    const std::size_t warning = run.terminal.rfind("warning: step ", said), time = run.terminal.find("t = ", warning);
    ASSERT_LT(time, said) << scheme << run.terminal;
    EXPECT_LT(std::stod(run.terminal.substr(time + 4)), 0.9 * run.history.last("time")) << scheme;
  };
  lost("zhang-skeel", "leaves its range", {"Integrator/zhang-skeel/beta=0.4"}, "0.1");
  lost("zhang-skeel", "leaves its range", {"Integrator/zhang-skeel/beta=0.25"}, "0.1");
  // Within the critical step of the undeformed block; the motion stiffens it.
  for (const char *scheme : {"central-difference", "symplectic-euler"})
    lost(scheme, "has stiffened", lumped, "0.05");
  // Held, and pulled ever more.
  Settings pulled{"Supports/wall/Boundary=x-", "Loads/head/Amplitude=0", "Loads/foot/Amplitude=1", "Loads/foot/Traction=20*t, 0, 0"};
  pulled.insert(pulled.end(), lumped.begin(), lumped.end());
  lost("stormer-verlet", "has stiffened", pulled, "0.05");
}

TEST(Schemes, DampedEnergyFalls)
{
  const Settings damping{"Damping/Mass proportional=0.05", "Mesh/Subdivisions=1"};
  // Step by step with midpoint damping in an energy-momentum scheme.
  const Outcome steady = tumble("simo-tarnow", damping);
  for (std::size_t row = first_free_row(steady.history) + 1; row < steady.history.rows(); ++row)
    ASSERT_LT(steady.history["E_total"][row], steady.history["E_total"][row - 1]) << row;
  // In the means of windows with the others, at the same rate.
  for (const char *scheme : {"lagrange-dalembert", "newmark-dalembert", "newmark", "two-step"})
  {
    const Outcome run = tumble(scheme, damping);
    const std::size_t first = first_free_row(run.history), window = (run.history.rows() - first) / 5;
    std::vector<double> mean(5, 0.), expected(5, 0.);
    for (int k = 0; k < 5; ++k)
      for (std::size_t i = 0; i < window; ++i)
      {
        mean[k] += run.history["E_total"][first + k * window + i] / window;
        expected[k] += steady.history["E_total"][first + k * window + i] / window;
      }
    for (int k = 1; k < 5; ++k)
    {
      EXPECT_LT(mean[k], mean[k - 1]) << scheme;
      EXPECT_NEAR((mean[k - 1] - mean[k]) / (expected[k - 1] - expected[k]), 1., 0.05) << scheme << ", window " << k;
    }
  }
}

TEST(Schemes, SymplecticFormAlongTheRun)
{
  const Settings form{"Monitors/Symplectic form=yes", "Time/End time=4"};
  for (const char *scheme : {"newmark", "midpoint", "variational-newmark"})
    EXPECT_LT(tumble(scheme, form).history.last("omega_drift"), 1e-10) << scheme;
  EXPECT_LT(tumble("zhang-skeel", form).history.last("omega_drift"), 1e-10);
  EXPECT_GT(tumble("zhang-skeel-simplified", form).history.last("omega_drift"), 1e-8) << "what the third derivative is for";
  EXPECT_GT(tumble("hht-alpha", form).history.last("omega_drift"), 1e-2);
}

/// Over 1000 steps, all of them.
TEST(Schemes, SymplecticFormOverAThousandStepsNightly)
{
  const auto drift_of_form = [](const std::string &scheme, const double h, Settings more = {}) {
    more.insert(more.end(), {"Monitors/Symplectic form=yes", "Time/End time=" + std::to_string(1000 * h)});
    return tumble(scheme, more, h).history.last("omega_drift");
  };
  constexpr double kept = 1e-10, lost = 100. * kept, explicit_step = 0.01;
  for (const char *scheme :
       {"newmark", "average-acceleration", "linear-acceleration", "midpoint", "variational-newmark", "galerkin-alpha",
        "symmetric-galerkin-alpha", "lagrange-dalembert", "newmark-dalembert", "two-step", "incremental-potential", "yoshida4", "suzuki4"})
    EXPECT_LT(drift_of_form(scheme, 0.02), kept) << scheme;
  EXPECT_LT(drift_of_form("fox-goodwin", explicit_step), kept) << "its critical step is that near";
  for (const char *scheme : {"central-difference", "stormer-verlet", "symplectic-euler"})
    EXPECT_LT(drift_of_form(scheme, explicit_step, lumped), kept) << scheme;
  EXPECT_LT(drift_of_form("zhang-skeel", 0.02), 1e-9) << "its tangent has differences in it";
  for (const char *scheme :
       {"hht-alpha", "wbz-alpha", "generalized-alpha", "bathe", "newmark-partial", "zhang-skeel-simplified", "simo-tarnow"})
    EXPECT_GT(drift_of_form(scheme, 0.02), lost) << scheme;
  EXPECT_GT(drift_of_form("zhang-skeel-stiff", 0.02, {"Materials/block/Stiff=yes"}), lost);
  EXPECT_GT(drift_of_form("yoshida4", 0.02, {"Integrator/yoshida4/base=newmark"}), lost)
      << "its base keeps the form in variables that depend on h";
  EXPECT_GT(drift_of_form("rk4", explicit_step, lumped), lost);
}
}  // namespace symdyn::tests::in_schemes
