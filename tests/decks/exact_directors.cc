// Directors that constraints keep: the free plate of the reference table, a frame of beams, what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "tests/compare.h"
#include "tests/exact_decks.h"
#include "tests/liar.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

namespace symdyn::tests::in_exact_directors
{
namespace
{
/// rattle whose velocities are not projected: v_1 = v_½ + h/2 a_1.
class WithoutVelocities : public Liar
{
public:
  WithoutVelocities() { scheme = "rattle"; }
  bool keeps_constraints() const override { return true; }
  bool is_explicit() const override { return true; }
  bool carries_acceleration() const override { return false; }
  Promise promise(const MechanicalSystem &system) const override
  {
    return Registry<Integrator>::instance().make("rattle")->promise(system);
  }
  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    Vector v = state.q;
    const StepReport report = Liar::step(system, state, h);
    v.sadd(-1. / h, 1. / h, state.q);
    free_motion(system, state);
    state.v = v;
    state.v.add(0.5 * h, state.a);
    state.v.update_ghost_values();
    return report;
  }
  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    Integrator::step_tangent(system, before, after, h, delta);
  }
};
}  // namespace

/// Energy, momenta and shape to rounding, step by step.
TEST(ExactDirectors, FreePlateKeepsItsEnergy)
{
  const Folder folder;
  const History history = run_well(folder, plate(8, "consistent", "gonzalez-constrained", 1e-3, 0.02)).history;
  EXPECT_NEAR(history["E_total"].front(), 67.02681597, 1e-7);
  EXPECT_LT(most(history, "E_balance_error"), 1e-9 * 67.);
  EXPECT_GT(history.last("E_potential"), 1.) << "it bends";
  for (const char *column : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_LT(change(history, column), 1e-9) << column;
  EXPECT_LT(most(history, "skin.director_error"), 1e-10);
}

/// The band of the energy, J, and |d·d - 1| of rattle with half of the critical step of rigid directors.
TEST(ExactDirectors, FreePlateByRattle)
{
  const Folder folder;
  const History history = run_well(folder, plate(4, "lumped", "rattle", 0.1 / 1388., 0.1)).history;
  const double energy = history["E_total"].front();
  const auto [low, high] = std::minmax_element(history["E_balance_error"].begin(), history["E_balance_error"].end());
  EXPECT_GT(*low, 2. * -2.1e-6 * energy);
  EXPECT_LT(*high, 2. * 2.2e-6 * energy);
  EXPECT_GT(*high - *low, 1e-6 * energy) << "a band, not nothing";
  for (const char *column : {"P_x", "J_x", "J_y", "J_z"})
    EXPECT_LT(change(history, column), 1e-10) << column;
  EXPECT_LT(most(history, "skin.director_error"), 1e-13);
}

TEST(ExactDirectors, FrameOfBeamsOnRanks)
{
  for (const auto &[mass, scheme] :
       {std::pair{"lumped", "rattle"}, {"consistent", "newmark-constrained"}, {"consistent", "gonzalez-constrained"}})
  {
    const Folder folder, two;
    const Settings tight = std::string(mass) == "lumped" ? Settings{} : Settings{"Newton/Tolerance=1e-13"};
    const History history = run_well(folder, frame(mass, scheme), tight).history;
    EXPECT_LT(most(history, "E_balance_error"), 1e-3 * history["E_total"].front()) << scheme;
    EXPECT_GT(most(history, "E_potential"), 0.005 * history["E_total"].front()) << scheme;
    const bool keeps_J = std::string(scheme) != "newmark-constrained";
    for (const char *column : {"P_x", "P_z", "J_x", "J_z"})
      EXPECT_LT(change(history, column), (column[0] == 'J' && !keeps_J ? 1e-3 : 1e-7) * std::abs(history["J_z"].front()))
          << scheme << column;
    EXPECT_LT(most(history, "ab.director_error"), 1e-9) << scheme;
    const History shared = run_well(two, frame(mass, scheme), tight, 2).history;
    ASSERT_GE(history.rows(), 100u);
    for (const char *column : {"c.x", "c.z", "E_potential"})
      EXPECT_NEAR(shared.last(column), history.last(column), 1e-12 * most(history, column)) << scheme << column;
  }
}

/// A plate swings as with stiff elastic directors, its corner by so much at least [m].
void expect_as_elastic(const std::string &supports, const std::string &velocity, const double end, const double least)
{
  const std::string held = supports + section("Points", section("corner", "set On mesh = yes\nset Position = 0.5, 0.5, 0"));
  const Settings gentle{"Initial conditions/Velocity=" + velocity};
  const Folder exact, elastic;
  const History a = run_well(exact, plate(4, "consistent", "newmark-constrained", 1e-3, end) + held, gentle).history;
  const History b = run_well(elastic, plate(4, "consistent", "newmark", 1e-3, end) + held,
                             gentle + Settings{"Elements/Directors=elastic", "Shells/skin/Director stiffness=10"})
                        .history;
  EXPECT_LT(most(a, "skin.director_error"), 1e-9);
  EXPECT_NEAR(a.last("corner.z"), b.last("corner.z"), 2e-3 * most(b, "corner.z"));
  EXPECT_GT(most(b, "corner.z"), least);
}

/// Directors that supports hold are left to them.
TEST(ExactDirectors, ClampedPlate)
{
  expect_as_elastic(section("Supports", section("root", "set Boundary = x-\nset Type = fixed") +
                                            section("side", "set Boundary = y-\nset Type = symmetry")),
                    "0, 0, (x + 0.5)^2", 0.2, 0.01);
}

/// One rotation held about an axis at 45 degrees: directors stay in a plane.
TEST(ExactDirectors, InclinedSupport)
{
  expect_as_elastic(
      section("Supports", section("slope",
                                  "set Boundary = x-\nset Type = displacement\nset Displacement = 0, 0, 0\nset Rotation = 0, free, "
                                  "free\nset Axes = rectangular\nset Axes points = 1, 1, 0, -1, 1, 0")),
      "0, 0, 0.3*(x + 0.5)^2*(1 - y)", 0.1, 0.003);
}

/// A mass on a rigid arm: directors of the reference are elastic, all others exact.
TEST(ExactDirectors, BesideCouplingsOnRanks)
{
  const std::string arm = section("Points", section("ball", "set Position = 2, 1.5, 0.8\nset Mass = 3")) +
                          section("Couplings", section("arm", "set At = c\nset Nodes = ball\nset Stiffness = 2e7"));
  for (const auto &[mass, scheme] :
       {std::pair{"lumped", "rattle"}, {"consistent", "newmark-constrained"}, {"consistent", "gonzalez-constrained"}})
  {
    const bool is_explicit = std::string(mass) == "lumped";
    const Settings settings = is_explicit ? Settings{"Time/Time step=2e-5", "Time/End time=0.02"} : Settings{"Newton/Tolerance=1e-13"};
    const Folder one;
    const History history = run_well(one, frame(mass, scheme) + arm, settings).history;
    EXPECT_LT(most(history, "E_balance_error"), 1e-3 * history["E_total"].front()) << scheme;
    EXPECT_LT(most(history, "ab.director_error"), 1e-5) << scheme;
    EXPECT_LT(most(history, "g_max"), 1e-12) << scheme;
    EXPECT_GT(most(history, "E_potential"), 0.001 * history["E_total"].front()) << scheme;
    const auto apart = [&](const std::size_t row) {
      double sum = 0;
      for (const std::string axis : {"x", "y", "z"})
        sum += std::pow(history["ball." + axis][row] - history["c." + axis][row], 2);
      return std::sqrt(sum);
    };
    EXPECT_NEAR(apart(history.rows() - 1), apart(0), 1e-4) << scheme;
    for (const char *column : {"P_x", "P_z", "J_x", "J_z"})
      EXPECT_LT(change(history, column), (std::string(scheme) == "newmark-constrained" ? 1e-3 : 1e-9) * std::abs(history["J_z"].front()))
          << scheme << column;
    for (const int ranks : {2, 3})
    {
      const Folder several;
      const History shared = run_well(several, frame(mass, scheme) + arm, settings, ranks).history;
      for (const char *column : {"ball.x", "ball.z", "c.y"})
        EXPECT_NEAR(shared.last(column), history.last(column), 1e-12 * most(history, column)) << scheme << column << ranks;
    }
  }
}

/// A beam between two rigid bodies has their columns for directors: nothing needs a constraint.
TEST(ExactDirectors, BeamBetweenBodiesByHpCayley)
{
  const std::string body = "set Mass = 2\nset Inertia = 0.4, 0.5, 0.6\n";
  const std::string deck =
      "set Structure = discrete\n" +
      section("Rigid bodies",
              section("left", body + "set Position = 0, 0, 0\nset Velocity = 0.1, 0, 0\nset Angular velocity = 0.3, 0.2, 1") +
                  section("right", body + "set Position = 1, 0, 0\nset Angular velocity = 0.1, -0.2, 0.5")) +
      section(
          "Beams",
          section(
              "rod",
              "set From = left\nset To = right\nset Type = B31\nset Elements = 1\nset Direction = 0, 1, 0\nset Section = circle\nset Size = "
              "0.02\nset E = 1e7\nset nu = 0.3\nset Density = 1000")) +
      section("Elements", "set Mass = lumped\nset Directors = exact") + section("Integrator", "set Scheme = hp-cayley") +
      stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = 1e-4\nset End time = 0.3") +
      section("Output", "set Write every = never");
  const Folder coarse, fine;
  const History a = run_well(coarse, deck).history, b = run_well(fine, deck, {"Time/Time step=5e-5"}).history;
  EXPECT_GT(most(a, "E_potential"), 1e-2 * a["E_total"].front());
  for (const char *column : {"Pc_x", "Jc_x", "Jc_z"})
    EXPECT_LT(change(a, column), 1e-12 * std::abs(a["Jc_z"].front())) << column;
  const double error = most(a, "E_balance_error"), half = most(b, "E_balance_error");
  EXPECT_LT(error, 5e-3 * a["E_total"].front());
  EXPECT_NEAR(error / half, 2., 0.3) << "order 1";
}

/// In the middle of an explicit stage and of an energy-momentum one, to the last bit.
TEST(ExactDirectors, Restart)
{
  for (const auto &[mass, scheme] :
       {std::pair{"lumped", "rattle"}, {"lumped", "shake"}, {"consistent", "gonzalez-constrained"}, {"consistent", "newmark-constrained"}})
  {
    const Folder whole, parts;
    const std::string deck = whole / "plate.prm";
    std::ofstream(deck) << plate(3, mass, scheme, 1e-4, 0.002);
    ASSERT_EQ(run_deck(whole, deck, {}).exit_code, 0);
    ASSERT_EQ(run_in_parts(parts, deck, {}, 7).exit_code, 0);
    EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(parts / "results/history.csv")) << scheme;
  }
}

/// Multipliers node by node: adams to its tolerance, rk4 with order 4, a bath that leaves shapes as they are.
TEST(ExactDirectors, OtherSchemesOfConstraints)
{
  const auto fly = [](const std::string &scheme, const double h, const std::string &more = "") {
    const Folder folder;
    std::string deck = plate(2, "lumped", scheme, h, 0.0112);
    if (!more.empty())
      deck.replace(deck.find("set Scheme = " + scheme), 13 + scheme.size(), "set Scheme = " + scheme + "\n" + more);
    return run_well(folder, deck).history;
  };
  const History adams = fly("adams", 1.4e-4);
  EXPECT_LT(most(adams, "E_balance_error"), 1e-11 * adams["E_total"].front());
  EXPECT_LT(most(adams, "skin.director_error"), 1e-11);
  const double coarse = most(fly("rk4", 1.4e-4), "skin.director_error"), fine = most(fly("rk4", 7e-5), "skin.director_error");
  EXPECT_GT(coarse, 1e-13);
  EXPECT_NEAR(std::log2(coarse / fine), 4., 1.3) << coarse << ", " << fine;
  for (const std::string base : {"rattle", "shake"})
  {
    const History bath = fly("langevin", 7e-5, section("langevin", "set base = " + base + "\nset gamma = 1\nset kT = 1"));
    EXPECT_LT(most(bath, "skin.director_error"), 1e-13) << base;
    EXPECT_LT(most(bath, "gdot_max"), base == "rattle" ? 1e-9 : 0.1) << base << ": shake has G v = 0 to h^2 only";
    EXPECT_GT(std::abs(bath.last("E_total") / bath["E_total"].front() - 1.), 1e-3) << "it takes and gives energy";
  }
}

/// `symdyn verify` on a plate that is free; without the projection of velocities rattle fails.
TEST(ExactDirectors, Certificates)
{
  const auto broken = [](const Integrator &scheme, const VerifySubject &subject) { return broken_by(scheme, subject, 60); };
  for (const auto &[scheme, mass] :
       {std::pair{"rattle", "lumped"}, {"shake", "lumped"}, {"newmark-constrained", "consistent"}, {"gonzalez-constrained", "consistent"}})
  {
    Deck deck = Deck::from_text(plate(4, mass, scheme, 7e-5, 0.105), "plate.prm");
    for (const char *offset : {"0", "0.5"})
    {
      deck.set(std::string("Shells/skin/Offset=") + offset);
      const VerifySubject subject(deck, 500, false);
      EXPECT_EQ(broken(*subject.scheme(scheme, subject.undamped()), subject), std::set<std::string>()) << scheme << ", offset " << offset;
    }
  }
  WithoutVelocities liar;
  liar.set_up("");
  const VerifySubject subject(Deck::from_text(plate(4, "lumped", "rattle", 7e-5, 0.105), "plate.prm"), 500, false);
  EXPECT_EQ(broken(liar, subject).count("order"), 1u);
}

/// Of a frame of steel, whose axial and shear modes no step of an implicit scheme resolves: the motion settles first, without them.
TEST(ExactDirectors, OrdersOnAStiffFrame)
{
  for (const auto &[scheme, mass] :
       {std::pair{"rattle", "lumped"}, {"newmark-constrained", "consistent"}, {"gonzalez-constrained", "consistent"}})
  {
    Deck deck = Deck::from_text(frame(mass, scheme), "frame.prm");
    for (const char *beam : {"ab", "bc"})
      deck.set(fmt::format("Beams/{}/E=2e11", beam));
    if (scheme == std::string("rattle"))
      deck.set("Time/Time step=2.5e-6");
    const VerifySubject subject(deck, 500, false);
    const auto integrator = subject.scheme(scheme, subject.undamped());
    SchemeCheck check(scheme, *integrator, subject, 40);
    check.run();
    const Finding order = findings_of(check).at("order");
    EXPECT_EQ(order.verdict, Verdict::kept) << scheme << ": " << order.reason;
    EXPECT_NEAR(order.value, 2., 0.15) << scheme;
  }
}

/// 10⁵ steps of gonzalez-constrained, 10⁶ of rattle: minutes.
TEST(ExactDirectors, NightlyLongRuns)
{
  const Settings gentle{"Initial conditions/Velocity=1 + 3*z - y, x - 2*z, 2*y - 3*x + 2*(x^2 - y^2)", "Output/History every=100"};
  const Folder kept, swings;
  const History exact =
      run_well(kept, plate(2, "consistent", "gonzalez-constrained", 2e-4, 20.), gentle + Settings{"Newton/Tolerance=1e-14"}).history;
  for (const double energy : exact["E_total"])
    EXPECT_NEAR(energy, exact["E_total"].front(), 1e-9 * exact["E_total"].front());
  expect_momenta_kept(exact, 1e-11);
  const History band = run_well(swings, plate(2, "lumped", "rattle", 1e-5, 10.), gentle).history;
  expect_momenta_kept(band, 1e-11);
  const std::vector<double> &energy = band["E_total"];
  const double middle = 0.5 * double(energy.size() - 1);
  double rise = 0, spread = 0;
  for (std::size_t i = 0; i < energy.size(); ++i)
  {
    rise += (double(i) - middle) * (energy[i] - energy[0]);
    spread += std::pow(double(i) - middle, 2);
  }
  EXPECT_LT(std::abs(rise / spread / 100.), 1e-12 * energy[0]) << "a step";
}

/// The matrix of a step is nearly symmetric, though forces act elsewhere than motions: conjugate gradients do not stall, and Newton's
/// method stays quadratic.
TEST(ExactDirectors, MatricesOfSteps)
{
  const Settings gentle{"Initial conditions/Velocity=1 + 3*z - y, x - 2*z, 2*y - 3*x + 2*(x^2 - y^2)"};
  for (const std::string scheme : {"gonzalez-constrained", "newmark-constrained"})
  {
    const Folder direct, iterative;
    const History a = run_well(direct, plate(8, "consistent", scheme, 5e-4, 0.01), gentle + Settings{"Linear solver/Type=mumps"}).history;
    EXPECT_LT(most(a, "newton"), 5.) << scheme;
    const History b = run_well(iterative, plate(8, "consistent", scheme, 5e-4, 0.01), gentle + Settings{"Linear solver/Type=cg"}).history;
    EXPECT_NEAR(b.last("E_potential"), a.last("E_potential"), 1e-6 * most(a, "E_potential")) << scheme;
    EXPECT_LT(most(b, "krylov"), 200.) << scheme;
  }
}

TEST(ExactDirectors, Refused)
{
  expect_refused(plate(2, "lumped", "rattle", 1e-4, 0.01) + section("Shells", section("skin", "set Director stiffness = 2")),
                 "Director stiffness = 2: has no effect with Elements/Directors = exact");
  expect_refused(plate(2, "consistent", "rattle", 1e-4, 0.01), "rattle is explicit and needs a diagonal mass");
  expect_refused(frame("lumped", "rattle") + section("Points", section("ball", "set Position = 2, 1.5, 0.8\nset Mass = 3")) +
                     section("Couplings", section("arm", "set At = b\nset Nodes = ball\nset Stiffness = 2e7")) +
                     section("Beams", section("bc", "set Release at From = moment 1")),
                 "a beam has a hinge at a node of a coupling");
  expect_refused(frame("lumped", "rattle") + section("Beams", section("bc", "set Release at From = moment 1\nset Offset = 0.01, 0")),
                 "[Beams/bc] Offset = 0.01, 0: a lumped mass off the nodes joins the directors of both sides of a hinge");
  const std::string deck = plate(2, "consistent", "newmark", 1e-3, 0.01);
  expect_refused(deck,
                 "the scheme does not keep constraints. Use one of newmark-constrained, gonzalez-constrained (--set "
                 "Integrator/Scheme=newmark-constrained), or --set Elements/Directors=elastic");
  expect_refused(plate(2, "lumped", "hp-cayley", 1e-4, 0.01),
                 "Set Elements/Directors = elastic, or use one of newmark-constrained, gonzalez-constrained, rattle, shake");
}
}  // namespace symdyn::tests::in_exact_directors
