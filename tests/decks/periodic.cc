// Periodic motions of nonlinear bodies, their stability, and models of a few modes, held to exact solutions, to an independent program
// (scipy: DOP853, shooting), and to tests/reference.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/stages/periodic/floquet.h"
#include "solver/verify/particles.h"
#include "solver/vibration/modes_search.h"
#include "tests/periodic_decks.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_periodic
{
namespace
{
/// omega of x'' + x + x³ at these amplitudes, by elliptic integrals.
const std::vector<double> exact_duffing{1.0367169071, 1.170781466, 1.317776065, 1.5691058029, 1.9760163641};
const std::string amplitudes_of_duffing = "set Values = 0.316227766016838, 0.707106781186548, 1, 1.4142135623731, 2\n";
}  // namespace

TEST(Periodic, DuffingOscillator)
{
  for (const std::string scheme : {"average-acceleration", "newmark\nsubsection newmark\nset beta = 0\nend"})
  {
    std::vector<std::vector<double>> error;
    for (const int n : {60, 120})
    {
      std::string deck = particle(1, duffing, orbits(by_amplitude + amplitudes_of_duffing + "set Steps a period = " + std::to_string(n)));
      deck.replace(deck.find("average-acceleration"), std::string("average-acceleration").size(), scheme);
      const Table found = run_asked(deck);
      ASSERT_EQ(found.at("frequency").size(), exact_duffing.size());
      error.emplace_back();
      for (std::size_t i = 0; i < exact_duffing.size(); ++i)
      {
        error.back().push_back(std::abs(found.at("frequency_ratio")[i] / exact_duffing[i] - 1.));
        const double raw = std::abs(2. * 3.14159265358979323846 * found.at("frequency")[i] / exact_duffing[i] - 1.);
        EXPECT_GT(raw, 2.5 * error.back().back()) << "the correction takes most of the error away; " << scheme;
      }
    }
    for (std::size_t i = 0; i < exact_duffing.size(); ++i)
    {
      EXPECT_LT(error[0][i], 3e-4) << scheme;
      EXPECT_NEAR(std::log2(error[0][i] / error[1][i]), 2., 0.15) << scheme << ", orbit " << i;
    }
  }
}

TEST(Periodic, EnergyAndFrequencyAreSet)
{
  const Table energy =
      run_asked(particle(1, duffing, orbits("set Continue by = energy\nset Probe = mass.x\nset Up to = 6\nset Points = 8")));
  ASSERT_EQ(energy.at("energy").size(), 8u);
  for (int k = 0; k < 8; ++k)
  {
    const double E = 0.75 * (k + 1);
    EXPECT_NEAR(energy.at("energy")[k], E, 1e-7 * E);
    EXPECT_NEAR(energy.at("amplitude")[k], std::sqrt(std::sqrt(1. + 4. * E) - 1.), 1e-6);
  }
  const Table by_frequency = run_asked(
      particle(1, duffing, orbits("set Continue by = frequency\nset Probe = mass.x\nset Values = 0.2\nset Steps a period = 100")));
  EXPECT_NEAR(by_frequency.at("frequency").at(0), 0.2, 2e-9);
  const double A = by_frequency.at("amplitude")[0];  // 1 + 3/4 A² - 3/128 A⁴ + ... of omega², within 1 % here
  EXPECT_NEAR(1. + 0.75 * A * A, std::pow(0.4 * 3.14159265358979323846, 2), 0.02);
}

TEST(Periodic, MathieuMultipliers)
{
  // Of x = cos 2t, y = 0 in V = 2 x² + ½ (a - 2 q x) y²: small y obey y'' + (a - 2 q cos 2t) y = 0.
  struct Case
  {
    double a, q, trace;
    const char *kind;
  };
  for (const Case &one :
       {Case{1., 0.2, -2.0985825254, "period doubling"}, {1.5, 0.3, -1.6711657319, "stable"}, {2., 0.5, -0.7971286284, "stable"}})
  {
    std::vector<double> trace;
    for (const int n : {200, 400})
    {
      const Folder folder;
      const Outcome run =
          run_well(folder, particle(2, fmt::format("2*x^2 + 0.5*({} - 2*{}*x)*y^2", one.a, one.q),
                                    orbits(by_amplitude + fmt::format("set Mode = 2\nset Values = 1\nset Steps a period = {}", n))));
      const Table m = table_of(folder / "results/periodic-path-multipliers.csv");
      ASSERT_EQ(m.at("real").size(), 2u);
      trace.push_back(m.at("real")[0] + m.at("real")[1]);
      const std::complex<double> first(m.at("real")[0], m.at("imaginary")[0]), second(m.at("real")[1], m.at("imaginary")[1]);
      EXPECT_LT(std::abs(first * second - 1.), 1e-9) << "det = 1";
      EXPECT_LT(table_of(folder / "results/periodic-path-orbits.csv").at("product_defect")[0], 1e-10);
      EXPECT_EQ(run.summary["stages"][0]["orbits"][0]["kind"], one.kind);
    }
    EXPECT_NEAR((4. * trace[1] - trace[0]) / 3., one.trace, 2e-7) << "a = " << one.a;
  }
}

TEST(Periodic, DampedOscillatorUnderALoad)
{
  // x'' + 0.1 x' + x + x³ = 0.3 cos(omega t): amplitudes by scipy, DOP853 at 1e-12 and shooting.
  const std::string parts = section("Dashpots", section("oil", "set Points = mass\nset Coefficient = 0.1")) +
                            section("Forces", section("shake", "set Points = mass\nset Force = 0.3"));
  std::vector<double> amplitude, defect;
  for (const int n : {50, 100})
  {
    const Folder folder;
    const Outcome run = run_well(
        folder, particle(1, duffing,
                         parts + orbits(fmt::format("set Loads = shake\nset Continue by = frequency\nset Probe = mass.x\nset Values = "
                                                    "0.08, 0.16, 0.2, 0.24, 0.28, 0.36\nset Steps a period = {}",
                                                    n))));
    const Table found = asked(folder), all = table_of(folder / "results/periodic-path-orbits.csv");
    ASSERT_EQ(found.at("frequency").size(), 10u) << "0.24 and 0.28 Hz on three branches";
    amplitude.push_back(found.at("amplitude")[2]);
    EXPECT_EQ(std::count(all.at("turned").begin(), all.at("turned").end(), 1.), 2) << "two folds";
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_EQ(found.at("multiplier")[i] > 1., i == 5 || i == 6) << "the branch between the folds is unstable; row " << i;
    const nlohmann::json &orbit = run.summary["stages"][0]["orbits"][0];
    const double expected = orbit["product of multipliers"]["expected"];
    EXPECT_NEAR(expected, -0.1 / 0.08, 1e-9) << "-T tr(C/M)";
    defect.push_back(orbit["product of multipliers"]["logarithm"].get<double>() - expected);
  }
  EXPECT_LT(std::abs(defect[1]), 0.01);
  EXPECT_NEAR(std::log2(defect[0] / defect[1]), 2., 0.15);
  EXPECT_NEAR((4. * amplitude[1] - amplitude[0]) / 3., 1.0689514730839, 2e-5);
  EXPECT_NEAR(std::log2(std::abs(amplitude[0] - 1.0689514730839) / std::abs(amplitude[1] - 1.0689514730839)), 2., 0.15);
}

TEST(Periodic, LoadIsAFactor)
{
  // Linear: amplitude F/|1 - omega²|, with the frequency of the scheme (2/h) tan(pi/n).
  const std::string parts = section("Forces", section("shake", "set Points = mass\nset Force = 0.3"));
  const Table found = run_asked(
      particle(1, "0.5*x^2",
               parts + orbits("set Loads = shake\nset Continue by = load\nset Frequency = 0.1\nset Probe = mass.x\nset From = 0.5\n"
                              "set Up to = 2\nset Points = 4\nset Steps a period = 40")));
  const double omega = 2. * 40 * 0.1 * std::tan(3.14159265358979323846 / 40.);
  ASSERT_EQ(found.at("load_factor").size(), 4u);
  for (int k = 0; k < 4; ++k)
  {
    EXPECT_NEAR(found.at("load_factor")[k], 0.5 * (k + 1), 1e-7);
    EXPECT_NEAR(found.at("amplitude")[k], 0.15 * (k + 1) / (1. - omega * omega), 1e-7);
  }
}

namespace
{
/// The clamped beam of nine-node cells of tests/reference: L = 1, h = 0.02, nu = 0, plane stress.
std::string clamped_beam(const std::string &what)
{
  return section("Mesh",
                 "set Type = box\nset Dimension = 2\nset Subdivisions = 10, 1\nset Order = 2\n" + section("box", "set Size = 1, 0.02")) +
         section("Materials",
                 section("stuff", "set Type = st-venant-kirchhoff\nset E = 1e6\nset nu = 0\nset Density = 1000\nset Plane = stress")) +
         section("Supports", section("left", "set Boundary = x-") + section("right", "set Boundary = x+")) +
         section("Probes", section("mid", "set Point = 0.5, 0.01")) + section("Integrator", "set Scheme = average-acceleration") +
         section("Output", "set Write every = never") + stages(what);
}
constexpr double r_squared = 0.02 * 0.02 / 12.;
const std::string orbit_of_beam = section("path",
                                          "set Type = periodic\nset Probe = mid.y\nset Values = 0.00577350269189626\nset Multipliers = no\n"
                                          "set Steps a period = 60");
const std::string model_of_beam = "set Type = reduced model\nset Probe = mid.y\n";
}  // namespace

TEST(Periodic, ClampedBeamOfSolids)
{
  const Folder folder;
  const Outcome run = run_well(folder, clamped_beam(orbit_of_beam + section("model", model_of_beam + "set Compare = path")));
  const Table found = asked(folder);
  EXPECT_NEAR(found.at("frequency_ratio").at(0), 1.0220734, 2e-6) << "shooting of another program, corrected for dispersion";
  const nlohmann::json &c = run.summary["stages"][1]["modes"][0]["backbone coefficient"];
  EXPECT_NEAR(c["body"].get<double>() * r_squared, 0.04473894, 2e-7) << "normal form of another program";
  EXPECT_NEAR(c["reduced model"].get<double>(), c["body"].get<double>(), 1e-5 * c["body"].get<double>());
  EXPECT_NEAR(std::sqrt(1. + c["modes alone"].get<double>() * r_squared), 1.0634, 1e-4) << "without modal derivatives it is wrong";
  const nlohmann::json &compared = run.summary["stages"][1]["orbits"][0];
  EXPECT_NEAR(compared["orbit"].get<double>(), compared["reduced model"].get<double>(), 1e-4);
}

TEST(Periodic, CoefficientsOfAPolynomial)
{
  // V = ½ x² + ½ 25 y² + 0.3 x³ + 0.2 x² y + 0.7 x⁴ + 0.1 x² y². Modes x and y: V''' is 1.8 (xxx) and 0.4 (xxy), V'''' 16.8 (xxxx), 0.4
  // (xxyy).
  const std::string V = "0.5*x^2 + 12.5*y^2 + 0.3*x^3 + 0.2*x^2*y + 0.7*x^4 + 0.1*x^2*y^2";
  const Folder folder;
  const Outcome run = run_well(
      folder, particle(2, V,
                       stages(section("one", "set Type = reduced model\nset Probe = mass.x") +
                              section("two", "set Type = reduced model\nset Mode numbers = 1, 2") +
                              section("path", "set Type = periodic\nset Probe = mass.x\nset Values = 0.01\nset Steps a period = 400"))));
  const double third = 1.8, coupling = 0.4, fourth = 16.8;
  const double c = fourth / 8. - 5. / 24. * third * third - coupling * coupling * (0.25 / 25. + 0.125 / 21.);
  const auto coefficient = [&](const int stage, const char *of) {
    return run.summary["stages"][stage]["modes"][0]["backbone coefficient"][of].get<double>();
  };
  EXPECT_NEAR(coefficient(0, "body"), c, 1e-7);
  EXPECT_NEAR(coefficient(1, "reduced model"), c, 1e-7) << "both modes are in it";
  const double theta = coupling / 25.;
  EXPECT_NEAR(coefficient(0, "reduced model"), fourth / 8. - 3. / 8. * theta * coupling - 5. / 24. * third * third - 0.5 * theta * theta,
              1e-7);
  EXPECT_NEAR(run.summary["stages"][2]["orbits"][0]["backbone coefficient"].get<double>(), c, 2e-3 * std::abs(c)) << "the orbit";
  const auto lines = table_of(folder / "results/reduced-model-two-polynomial.csv");
  const auto of = [&](const std::vector<double> &indices) {
    for (std::size_t i = 0; i < lines.at("i").size(); ++i)
      if (std::vector<double>{lines.at("i")[i], lines.at("j")[i], lines.at("k")[i], lines.at("l")[i]} == indices)
        return lines.at("coefficient")[i];
    return std::nan("");
  };
  EXPECT_NEAR(of({1, 1, 0, 0}), 1., 1e-9);
  EXPECT_NEAR(of({2, 2, 0, 0}), 25., 1e-9);
  EXPECT_NEAR(std::abs(of({1, 1, 1, 0})), third, 1e-7);
  EXPECT_NEAR(std::abs(of({1, 1, 2, 0})), coupling, 1e-7);
  EXPECT_NEAR(of({1, 1, 1, 1}), fourth, 1e-6);
  EXPECT_NEAR(of({1, 1, 2, 2}), 0.4, 1e-6);
  EXPECT_NEAR(of({1, 2, 2, 2}), 0., 1e-6);
}

namespace
{
/// Its linearised step takes V'' at the start of the step.
class WrongTangent : public Integrator
{
public:
  explicit WrongTangent(const Integrator &honest, const bool wrong) : honest(honest), wrong(wrong) {}
  void declare(Parameters &) override {}
  void check(const MechanicalSystem &, const Parameters &) const override {}
  Promise promise(const MechanicalSystem &system) const override { return honest.promise(system); }
  StepReport step(const MechanicalSystem &system, State &state, const double h) const override { return honest.step(system, state, h); }
  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    honest.step_tangent(system, before, wrong ? before : after, h, delta);
  }

private:
  const Integrator &honest;
  bool wrong;
};
}  // namespace

TEST(Periodic, ProductCatchesAWrongLinearisedStep)
{
  Particles system({1., 1.});
  Particles::Matrix A(2, 2);
  A(0, 0) = 1.;
  A(1, 1) = 2.;
  system.terms.push_back({A,
                          {[](const double s) { return 0.5 * s + 0.25 * s * s; }, [](const double s) { return 0.5 + 0.5 * s; },
                           [](const double) { return 0.5; }, [](const double) { return 0.; }}});
  const Scheme scheme("average-acceleration");
  const std::vector<Vector> basis = free_motions(system);
  // The Duffing oscillator along x, closed to the order of the scheme at its turning point.
  const double pi = 3.14159265358979323846, period = 2. * pi / 1.317776065 * 60. / pi * std::tan(pi / 60.);
  const State start = system.start({1., 0.}, {0., 0.});
  const Vector rest = system.new_vector();
  for (const bool wrong : {false, true})
  {
    const WrongTangent integrator(*scheme.integrator, wrong);
    OrbitProblem problem{system, integrator, 0., rest};
    problem.first_period = period;
    const Shapes shapes = Shapes::of_all(problem, basis);
    const Floquet found = floquet_multipliers(problem, {start.q, start.v, period, 1.}, shapes);
    const double defect = found.defect();
    EXPECT_EQ(found.wrong(), wrong);
    if (wrong)
      EXPECT_GT(defect, 5e-5);
    else
      EXPECT_LT(defect, 1e-7);
  }
}

/// Beams and reduced models: the same numbers on one rank and on two.
TEST(Periodic, ClampedBeamOnRanks)
{
  std::vector<Table> tables;
  std::vector<double> coefficients;
  const std::string multipliers = "Multipliers = no";
  std::string deck = clamped_beam(orbit_of_beam + section("model", model_of_beam));
  deck.replace(deck.find(multipliers), multipliers.size(), "Multipliers = yes");
  for (const int ranks : {1, 2})
  {
    const Folder folder;
    const Outcome run = run_well(folder, deck, {"Mesh/Subdivisions=4, 1", "Stages/path/Steps a period=12"}, ranks);
    tables.push_back(asked(folder));
    coefficients.push_back(run.summary["stages"][1]["modes"][0]["backbone coefficient"]["body"]);
  }
  for (const char *name : {"frequency", "energy", "amplitude", "multiplier"})
    EXPECT_NEAR(tables[1].at(name).at(0), tables[0].at(name).at(0), 1e-7 * tables[0].at(name).at(0)) << name;
  EXPECT_NEAR(coefficients[1], coefficients[0], 1e-7 * coefficients[0]);
}

TEST(Periodic, MatrixFreeAsDenseNightly)
{
  // The same bar twice: 3 x 67 nodes are 402 degrees of freedom, 3 x 105 are 630. One orbit each; refined along x alone it hardly changes.
  const auto ratio = [](const int cells, const int ranks = 1) {
    std::string deck = clamped_beam(orbit_of_beam);
    const std::string few = "Subdivisions = 10, 1";
    deck.replace(deck.find(few), few.size(), fmt::format("Subdivisions = {}, 1", cells));
    const Folder folder;
    run_well(folder, deck, {}, ranks);
    return asked(folder).at("frequency_ratio").at(0);
  };
  EXPECT_NEAR(ratio(52) / ratio(26), 1., 1e-4);
  EXPECT_NEAR(ratio(52, 2) / ratio(52), 1., 1e-7) << "on ranks";
}

TEST(Periodic, BadInput)
{
  const std::string free = particle(1, duffing), values = "set Values = 1\n";
  expect_refused(free + orbits(values), "is needed by Continue by = amplitude, e.g. tip.y");
  expect_refused(free + orbits(by_amplitude), "or Values is needed");
  expect_refused(free + orbits(by_amplitude + values + "set Up to = 2"), "and Values exclude each other");
  expect_refused(free + orbits(by_amplitude + values + "set Points = 2"), "has no effect with Values");
  expect_refused(free + orbits(by_amplitude + "set Values = 1, 3, 2"), "must ascend or descend");
  expect_refused(free + orbits(by_amplitude + values + "set Steps a period = 61"), "must be even");
  expect_refused(free + orbits("set Continue by = load\nset Frequency = 1\n" + values), "= load needs Loads");
  expect_refused(free + orbits(by_amplitude + values + "set Frequency = 1"), "has no effect without Continue by = load");
  expect_refused(free + orbits("set Probe = mas.x\n" + values), "there is no place 'mas'; there are probes and points: mass");
  expect_refused(free + orbits("set Probe = mass\n" + values), "has no axis. Write mass.x");
  expect_refused(free + orbits(by_amplitude + values + "set Mode = 2"), "Mode = 2: the body has 1 modes");
  const std::string oil = section("Dashpots", section("oil", "set Points = mass\nset Coefficient = 0.1"));
  expect_refused(free + oil + orbits(by_amplitude + values), "no damping without a periodic load: its motions die out");
  const std::string force = section("Forces", section("shake", "set Points = mass\nset Force = 0.3"));
  expect_refused(free + force + orbits("set Loads = shake\n" + by_amplitude + values), "needs `frequency` or `load` with Loads");
  expect_refused(free + force + orbits("set Loads = shake\nset Continue by = frequency\nset Up to = 1"),
                 "is needed with Loads: the first value");
  expect_refused(free + force + orbits("set Loads = shake\nset Continue by = load\nset From = 1\nset Up to = 2"),
                 "is needed by Continue by = load");
  expect_refused(free + force + orbits("set Loads = shake\nset Continue by = frequency\nset Mode = 1\nset From = 1\nset Up to = 2"),
                 "has no effect with Loads, which set the frequency");
}

TEST(Periodic, BadSchemesAndBodies)
{
  const std::string path = orbits(by_amplitude + "set Values = 1");
  expect_refused(particle(1, duffing, path), "is not reversible", {"Integrator/Scheme=bathe"});
  const std::string force = section("Forces", section("shake", "set Points = mass\nset Force = 0.3"));
  expect_refused(particle(1, duffing, force + orbits("set Loads = shake\nset Continue by = frequency\nset From = 0.1\nset Up to = 0.2")),
                 "takes more than q and v from step to step", {"Integrator/Scheme=generalized-alpha"});
  expect_refused(particle(2, "0.5*x^2 + 0.25*x^4", path), "it does not vibrate");
  expect_refused(clamped_beam(section("path", "set Type = periodic\nset Probe = mid.x\nset Values = 0.001")), "mode 1 does not move it");
  const std::string model = "set Type = reduced model\n";
  expect_refused(particle(1, duffing, stages(section("model", model + "set Mode numbers = 2, 1"))), "must ascend");
  expect_refused(particle(1, duffing, stages(section("model", model + "set Compare = path\nset Probe = mass.x"))),
                 "there is no periodic stage of this name before");
  expect_refused(particle(1, duffing, stages(section("model", model + "set Compare = path"))), "needs the Probe of that stage");
  expect_refused(particle(1, duffing, stages(section("model", model + "set Mode numbers = 3"))), "3 is no mode that vibrates");
  const Folder folder;
  const Outcome run = run_well(folder, particle(1, duffing, orbits(by_amplitude + "set Up to = 5\nset Orbits at most = 2")));
  EXPECT_NE(run.terminal.find("before the last value"), std::string::npos) << run.terminal;
}
}  // namespace symdyn::tests::in_periodic
