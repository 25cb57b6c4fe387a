// The instruments of `symdyn verify`: the symplectic form along a run, momenta in canonical variables, symmetries.
#include <gtest/gtest.h>

#include "solver/base/plot.h"
#include "solver/dynamics/symplectic.h"
#include "solver/error.h"
#include "solver/verify/particles.h"
#include "solver/verify/verify.h"
#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/liar.h"
#include "tests/run.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_verify
{
namespace
{
const std::vector<double> q0{0.3, -1.1, 1.2, -2.1}, v0{0.2, -0.1, 0.3, 0.4};

std::string free_block(const std::string &more = "")
{
  return subsection("Mesh", "set Type = box\nset Subdivisions = 1, 1, 2\nset Order = 2") + made_of("neo-hooke-log") + more;
}
}  // namespace

TEST(Plot, RefusesLinesOfUnequalLength)
{
  Plot plot{"drift", "t", "", true, {}};
  plot.lines.push_back({"newmark", {1., 2.}, {1e-3, 1e-4}});
  EXPECT_NE(plot.svg().find("newmark"), std::string::npos);
  plot.lines.push_back({"rk4", {1., 2., 3.}, {1e-3, 1e-4}});
  EXPECT_THROW(plot.svg(), std::logic_error);
}

TEST(Verify, NewmarkKeepsItsFormInSurisVariablesOnly)
{
  const Particles system = Particles::pendulum();
  const auto [canonical, qv] = form_drifts(Scheme("newmark"), system, system.start(q0, v0), 0.2, 1000);
  EXPECT_LT(canonical, 1e-10);
  EXPECT_GT(qv, 1e-3);
}

TEST(Verify, DampedNewmarkLosesTheForm)
{
  const Particles system = Particles::pendulum();
  EXPECT_GT(form_drifts(Scheme("newmark", "set beta = 0.3\nset gamma = 0.6\n"), system, system.start(q0, v0), 0.2, 200).first, 1e-2);
}

TEST(Verify, FormOnABody)
{
  Body<3> body(free_block());
  State state;
  body.solid.initialise(state);
  state.v = random_vector(body.system(), 3);
  state.v *= 0.1;
  const auto [canonical, qv] = form_drifts(Scheme("newmark"), body.system(), state, 0.05, 50);
  EXPECT_LT(canonical, 1e-11);
  EXPECT_GT(qv, 1e-6);
}

TEST(Verify, CanonicalMomentaAreThoseOfX)
{
  Body<3> body(free_block());
  const MechanicalSystem &system = body.system();
  State state;
  body.solid.initialise(state);
  state.q = random_vector(system, 2);
  state.q *= 0.05;
  state.v = random_vector(system, 3);
  const Scheme newmark("newmark");
  const double h = 0.3;
  Vector f = system.new_vector(), shift = f, Mv = f, xi = f;
  system.internal_force(state.q, f);
  system.mass_solve(f, shift);
  State x = state;
  x.q = moved(state.q, 0.25 * h * h, shift);
  const auto direct = momenta_of(system, x), ours = canonical_momenta(system, *newmark.integrator, state, h),
             plain = momenta_of(system, state);
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_NEAR(ours[i], direct[i], 1e-9 * std::abs(direct[i])) << i;
  EXPECT_GT(std::abs(ours[5] - plain[5]), 1e-4 * std::abs(plain[5]));
}

TEST(Verify, SymmetriesOfBodies)
{
  struct Case
  {
    std::string more;
    std::vector<bool> expected;
  };
  for (const Case &c :
       {Case{"", {true, true, true, true, true, true}},
        Case{subsection("Loads", subsection("g", "set Type = gravity\nset Acceleration = 0, -9.81, 0")),
             {true, false, true, false, true, false}},
        Case{subsection("Supports", subsection("s", "set Boundary = z-\nset Type = fixed")), {false, false, false, false, false, false}}})
  {
    Body<3> body(free_block(c.more));
    State state;
    body.solid.initialise(state);
    EXPECT_EQ(symmetries(body.system(), state), c.expected) << c.more;
  }
}

namespace
{
std::string point_in(const std::string &potential, const std::string &more = "")
{
  return "subsection Points\nset Dimension = 2\nsubsection bob\nset Mass = 1\nset Position = 0.6, 0.8\nend\nend\nsubsection Potentials\nsubsection well\nset Expression = " +
         potential + "\nend\nend\n" + more;
}

std::vector<bool> symmetries_of(const std::string &text)
{
  DiscreteDeck deck(text);
  return symmetries(deck.system(), deck.start());
}
}  // namespace

/// A torque counts from 1e-8 of force times length on: here 0.8 epsilon of 100 N at 1 m.
TEST(Verify, SmallTorquesBreakASymmetryFromTheirThresholdOn)
{
  const auto turns = [](const char *epsilon) -> bool {
    return symmetries_of(point_in("50*(x^2 + y^2) + " + std::string(epsilon) + "*x")).at(2);
  };
  EXPECT_TRUE(turns("0"));
  EXPECT_TRUE(turns("1e-6"));
  EXPECT_FALSE(turns("1.6e-6"));
}

/// At a place without forces the largest force nearby counts, 1e-11 of it: here the net force epsilon on a pair at rest, over sqrt(2).
TEST(Verify, SmallForcesAtEquilibriumBreakASymmetryFromTheirThresholdOn)
{
  const auto pair = [](const double epsilon) {
    char field[64];
    std::snprintf(field, sizeof field, "%.17g", epsilon);
    return "subsection Points\nset Dimension = 2\nsubsection a\nset Mass = 1\nset Position = 0, 0\nend\nsubsection b\nset Mass = 1\nset Position = 1, 0\nend\nend\n"
           "subsection Potentials\nsubsection rod\nset Expression = 50*(b.x - a.x - 1)^2 + " +
           std::string(field) + "*a.x\nend\nend\n";
  };
  DiscreteDeck deck(pair(0.));
  const State state = deck.start();
  double largest = 0;  // of the places that are looked at, 1e-3 of the body's length, 1 m, away
  for (unsigned int k = 0; k < 3; ++k)
  {
    Vector q = state.q, f = q;
    q.add(1e-3, random_vector(deck.system(), 100 + k));
    deck.system().internal_force(q, f);
    largest = std::max(largest, f.l2_norm());
  }
  EXPECT_TRUE(symmetries_of(pair(0.)).at(0));
  EXPECT_TRUE(symmetries_of(pair(1.2e-11 * largest)).at(0));
  EXPECT_FALSE(symmetries_of(pair(1.7e-11 * largest)).at(0));
}

/// A constraint forbids a motion from 1e-8 of its terms on: here 0.8 epsilon of 1.92.
TEST(Verify, ConstraintsBreakASymmetryFromTheirThresholdOn)
{
  const auto turns = [](const char *epsilon) -> bool {
    return symmetries_of(
               point_in("50*(x^2 + y^2)",
                        "subsection Constraints\nsubsection ring\nset Law = expression\nset Expression = bob.x^2 + bob.y^2 - 1 + " +
                            std::string(epsilon) + "*bob.x\nend\nend\n"))
        .at(2);
  };
  EXPECT_TRUE(turns("0"));
  EXPECT_TRUE(turns("1.8e-8"));
  EXPECT_FALSE(turns("3e-8"));
}

TEST(Verify, ALinearMaterialTurnsNoMomentumOfRotation)
{
  Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 1, 1, 2\nset Order = 2") + made_of("linear-elasticity"));
  State state;
  body.solid.initialise(state);
  EXPECT_EQ(symmetries(body.system(), state), (std::vector<bool>{true, true, true, false, false, false}));
}

TEST(Verify, NewmarkKeepsItsPromises)
{
  const VerifySubject subject(Deck::from_text(free_cube, "cube.prm"), 1000, false);
  const auto newmark = subject.scheme("newmark", subject.undamped());
  SchemeCheck check("newmark", *newmark, subject, 100);
  check.run();
  const auto all = findings_of(check);
  for (const char *property : {"order", "tangent", "one-step form", "form", "form, neighbours", "reversible", "linear momentum",
                               "angular momentum", "energy bounded"})
    EXPECT_EQ(name_of(all.at(property).verdict), "kept") << property << ": " << all.at(property).value << ", " << all.at(property).reason;
  EXPECT_EQ(name_of(all.at("energy").verdict), "not promised");
  EXPECT_GT(all.at("energy").value, 1e-5) << "a value that a scheme without this promise must show";
}

TEST(Verify, FalsePromisesAreBroken)
{
  const VerifySubject subject(Deck::from_text(free_cube, "cube.prm"), 1000, false);
  Liar liar;
  liar.set_up("set beta = 0.3025\nset gamma = 0.6\n");
  SchemeCheck check("liar", liar, subject, 100);
  check.run();
  auto all = findings_of(check);
  for (const char *property :
       {"order", "one-step form", "form", "form, neighbours", "reversible", "angular momentum", "energy", "energy bounded"})
    EXPECT_EQ(name_of(all.at(property).verdict), "broken") << property << ": " << all.at(property).value << ", " << all.at(property).reason;
  for (const char *property : {"tangent", "linear momentum"})
    EXPECT_EQ(name_of(all.at(property).verdict), "kept") << property << ": " << all.at(property).value;
  liar.wrong_tangent = true;
  SchemeCheck again("liar", liar, subject, 20);
  again.run();
  EXPECT_EQ(name_of(findings_of(again).at("tangent").verdict), "broken");
}

TEST(Verify, ABrokenPromiseIsExitCodeFive)
{
  Registry<Integrator>::instance().add("liar", [] { return std::make_unique<Liar>(); });
  const Folder folder;
  Deck deck = Deck::from_text(
      std::string(free_cube) + "subsection Integrator\nsubsection liar\nset gamma = 0.7\nset beta = 0.4\nend\nend\n", "cube.prm");
  testing::internal::CaptureStdout();
  EXPECT_EQ(Verification(deck, {"liar", 40, folder / "report"}).run(), exit_promise);
  EXPECT_EQ(Verification(deck, {"newmark", 40, folder / "report", true}).run(), exit_done);
  testing::internal::GetCapturedStdout();
}

TEST(Verify, ControlsAreAsTheyMustBe)
{
  int run = 0;
  for (const Finding &finding : run_controls())
  {
    EXPECT_NE(name_of(finding.verdict), "broken") << finding.scheme << ": " << finding.value << ", " << finding.reason;
    run += finding.verdict == Verdict::kept;
  }
  EXPECT_EQ(run, 15);
}

TEST(Verify, ALinearSolverRecoversFromAMatrixThatFails)
{
  Body<3> body(free_block());
  const MechanicalSystem &system = body.system();
  State state;
  body.solid.initialise(state);
  const Vector r = random_vector(system, 1);
  Vector nonsense = state.q, x = r, Ax = r;
  nonsense = std::nan("");
  EXPECT_THROW(system.factor(M + K, 0., nonsense, state.v)->solve(r, x, 1e-12), std::runtime_error);
  const auto solver = system.factor(M + K, 0., state.q, state.v);
  ASSERT_NO_THROW(solver->solve(r, x, 1e-12));
  solver->multiply(x, Ax);
  EXPECT_LT(distance(Ax, r), 1e-10 * r.l2_norm());
}

TEST(Verify, DerivativesOfThePendulum)
{
  const Particles system = Particles::pendulum(2., 1.);
  const State state = system.start(q0, v0);
  const Vector &q = state.q;
  const Vector u = random_vector(system, 1);
  Vector f = system.new_vector(), g = f, exact = f;
  const double e = 1e-5;
  EXPECT_NEAR((system.potential(moved(q, e, u)) - system.potential(moved(q, -e, u))) / (2. * e), (system.internal_force(q, f), f * u),
              1e-8);
  system.internal_force(moved(q, e, u), f);
  system.internal_force(moved(q, -e, u), g);
  f -= g;
  f *= 0.5 / e;
  system.stiffness(q, u, exact, Part::all);
  EXPECT_LT(distance(f, exact), 1e-7 * exact.l2_norm());
  system.stiffness(moved(q, e, u), u, f, Part::all);
  system.stiffness(moved(q, -e, u), u, g, Part::all);
  f -= g;
  f *= 0.5 / e;
  system.third_derivative(q, u, exact, Part::all);
  EXPECT_LT(distance(f, exact), 1e-7 * exact.l2_norm());
  const Vector q1 = moved(q, 0.3, u);
  system.discrete_gradient(q, q1, f);
  EXPECT_NEAR(f * moved(q1, -1., q), system.potential(q1) - system.potential(q), 1e-12);
  Vector stiff = f;
  system.stiffness(q, u, stiff, Part::stiff);
  system.stiffness(q, u, exact, Part::all);
  EXPECT_GT(distance(stiff, exact), 0.1) << "nothing soft: zhang-skeel-stiff could not fail";
}

TEST(Verify, TrendsOfEnergies)
{
  std::vector<double> t, flat, falling;
  for (int k = 0; k <= 200; ++k)
  {
    t.push_back(0.1 * k);
    flat.push_back(5. + 0.1 * std::sin(1.3 * t.back()));
    falling.push_back(flat.back() - 0.1 * t.back());
  }
  EXPECT_LT(energy_trend(t, flat).significance, 6.);
  EXPECT_NEAR(energy_trend(t, flat).growth, 1., 0.1);
  EXPECT_GT(energy_trend(t, falling).significance, 6.);
  EXPECT_NEAR(energy_trend(t, falling).drift, -2., 0.1);
}
}  // namespace symdyn::tests::in_verify
