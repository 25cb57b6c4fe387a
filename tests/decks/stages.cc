// Stages that follow one another: what flows between them, which loads act in which.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/run.h"

namespace symdyn::tests::in_stages
{
namespace
{
std::string section(const std::string &name, const std::string &content) { return "subsection " + name + "\n" + content + "\nend\n"; }

/// A cantilever of rubber with its weight, a traction at the tip, and a pressure.
const std::string cantilever =
    section("Mesh", "set Type = box\nset Subdivisions = 6, 2, 2\n" + section("box", "set Size = 1, 0.1, 0.1")) +
    section("Materials", section("rubber", "set Type = neo-hooke-log\nset E = 1e6\nset nu = 0.3\nset Density = 1000")) +
    section("Supports", section("clamp", "set Boundary = x-")) + section("Probes", section("tip", "set Point = 1, 0.1, 0.1")) +
    section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -1") +
                         section("push", "set Type = traction\nset Boundary = x+\nset Traction = 0, 200, 0")) +
    section("Newton", "set Tolerance = 1e-12");

Outcome run(const std::string &stages, const std::vector<std::string> &settings = {}, const std::string &base = cantilever)
{
  const Folder folder;
  std::ofstream(folder / "deck.prm") << base + section("Stages", stages);
  Outcome outcome = run_deck(folder, folder / "deck.prm", settings);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  return outcome;
}

const std::string motion = section("Time", "set Time step = 0.01\nset End time = 0.2");
}  // namespace

TEST(Stages, GravityThenDynamicsStaysAtRest)
{
  for (const char *scheme : {"newmark", "simo-tarnow", "zhang-skeel", "generalized-alpha"})
  {
    const std::string law =
        scheme == std::string("simo-tarnow") ? "Materials/rubber/Type=st-venant-kirchhoff" : "Materials/rubber/Type=neo-hooke-log";
    const Outcome still = run(section("hang", "set Type = static\nset Increments = 3") + section("rest", motion),
                              {law, std::string("Integrator/Scheme=") + scheme});
    EXPECT_LT(largest(still.history, "tip.v_z", "rest"), 1e-8) << scheme;
    EXPECT_GT(std::abs(still.history.last("tip.u_z")), 1e-3) << scheme;
    // Without the push it moves: the quiet is that of the loads, not of the program.
    const Outcome moves = run(section("hang", "set Type = static\nset Increments = 3") + section("rest", motion + "set Loads = weight\n"),
                              {law, std::string("Integrator/Scheme=") + scheme});
    EXPECT_GT(largest(moves.history, "tip.v_y", "rest"), 1e-2) << scheme;
    EXPECT_NE(moves.log.find("stage rest: loads push go at once"), std::string::npos);
  }
}

TEST(Stages, LoadsOfStaticStagesComeGoAndStay)
{
  const Outcome both = run(section("all", "set Type = static\nset Increments = 2"));
  const Outcome one_by_one =
      run(section("first", "set Type = static\nset Loads = weight") + section("second", "set Type = static\nset Increments = 2"));
  for (const char *column : {"tip.u_x", "tip.u_y", "tip.u_z", "clamp.R_y", "clamp.R_z"})
    EXPECT_NEAR(both.history.last(column), one_by_one.history.last(column), 1e-9 * std::abs(both.history.last(column))) << column;
  const Outcome there_and_back =
      run(section("first", "set Type = static\nset Loads = weight") + section("second", "set Type = static\nset Increments = 2") +
          section("third", "set Type = static\nset Loads = weight\nset Increments = 2"));
  const Outcome weight = run(section("first", "set Type = static\nset Loads = weight"));
  EXPECT_NEAR(there_and_back.history.last("tip.u_z"), weight.history.last("tip.u_z"), 1e-9);
  EXPECT_NEAR(there_and_back.history.last("tip.u_y"), weight.history.last("tip.u_y"), 1e-9);
  EXPECT_NEAR(there_and_back.history.last("clamp.R_z"), 1000. * 0.01, 1e-9);  // the weight
  const Outcome nothing = run(section("first", "set Type = static") + section("second", "set Type = static\nset Loads = none"));
  EXPECT_NEAR(nothing.history.last("tip.u_z"), 0., 1e-9);
  // Half of the way the second stage has half of its push.
  EXPECT_NEAR(one_by_one.history["clamp.R_y"][one_by_one.history.rows() - 2], 0.5 * one_by_one.history.last("clamp.R_y"), 1e-6);
}

TEST(Stages, WeightThatIsTakenAwayIsInTheBooks)
{
  const Outcome released =
      run(section("hang", "set Type = static\nset Loads = weight\nset Increments = 2") + section("free", motion + "set Loads = none\n"));
  EXPECT_LT(largest(released.history, "E_balance_error", "free"), 1e-3 * largest(released.history, "E_kinetic", "free"));
  EXPECT_GT(largest(released.history, "tip.v_z", "free"), 1e-2);
}

TEST(Stages, IncrementsAreCutWhereNewtonFails)
{
  const std::vector<std::string> heavy{"Loads/weight/Acceleration=0, 0, -60", "Newton/Max iterations=5"};
  const Folder folder;
  std::ofstream(folder / "deck.prm") << cantilever + section("Stages", section("hang", "set Type = static\nset Loads = weight"));
  const Outcome fails = run_deck(folder, folder / "deck.prm", heavy);
  ASSERT_EQ(fails.exit_code, 2) << fails.terminal;
  const Outcome cut = run(section("hang", "set Type = static\nset Loads = weight\nset Halve on failure = yes"), heavy);
  EXPECT_NE(cut.log.find("is halved"), std::string::npos);
  const Outcome many = run(section("hang", "set Type = static\nset Loads = weight\nset Increments = 64"), {heavy[0]});
  EXPECT_NEAR(cut.history.last("tip.u_z"), many.history.last("tip.u_z"), 1e-8);
}

namespace
{
/// A rubber bush, nearly incompressible, whose inner face moves across and along.
Outcome bush(const std::string &move, const std::string &stage)
{
  const Folder folder;
  std::ofstream(folder / "deck.prm")
      << section("Mesh", "set Type = hollow-cylinder\nset Order = 2\nset Subdivisions = 6, 1, 2\n" +
                             section("hollow-cylinder", "set Inner radius = 0.010\nset Outer radius = 0.025\nset Length = 0.040")) +
             section("Materials", section("rubber", "set Type = neo-hooke-quadratic\nset E = 3e6\nset nu = 0.499\nset Density = 1100")) +
             section("Supports", section("outer", "set Boundary = outer") +
                                     section("inner", "set Boundary = inner\nset Type = displacement\nset Displacement = " + move)) +
             section("Linear solver", "set Type = mumps") + section("Output", "set Write every = never") +
             section("Stages", section("move", "set Type = static\n" + stage));
  return run_deck(folder, folder / "deck.prm");
}
}  // namespace

/// By the jump of their support alone the cells beside it are so distorted that no line search finds a way; by the tangent they are not.
TEST(Stages, ASupportThatMovesFarTakesItsCellsAlong)
{
  const Outcome moved = bush("0.0015, 0, 0.0015", "");
  ASSERT_EQ(moved.exit_code, 0) << moved.terminal;
  EXPECT_LE(moved.summary["newton iterations"].get<int>(), 8);
}

/// Cells that are inverted, and |r| a millionfold: the increment is halved at once, and leads to the same state as small ones.
TEST(Stages, ALostIterationIsLeftAtOnce)
{
  const std::string far = "0.004, 0, 0.004";
  const Outcome halved = bush(far, "set Halve on failure = yes"), small = bush(far, "set Increments = 8");
  ASSERT_EQ(halved.exit_code, 0) << halved.terminal;
  EXPECT_NE(halved.log.find("DIVERGED_DTOL"), std::string::npos) << halved.log;
  EXPECT_NE(halved.log.find("is inverted"), std::string::npos) << halved.log;
  EXPECT_EQ(halved.log.find("again from the start"), std::string::npos) << halved.log;
  for (const std::string column : {"inner.R_x", "inner.R_z"})
    EXPECT_NEAR(halved.history.last(column), small.history.last(column), 1e-8 * std::abs(small.history.last(column)));
  const Outcome alone = bush("0.012, 0, 0.012", "");
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_NE(alone.log.find("again from the start"), std::string::npos) << "all searches are tried where nothing may be halved";
}

/// An increment begins where the last one leads, but where supports turn: to the same state as from the tangent, whose solution it saves,
/// in no more iterations.
TEST(Stages, IncrementsBeginWhereTheLastOneLeads)
{
  const auto saved = [](const std::string &u, const std::vector<std::string> &material) {
    const auto done = [&](const std::string &more) {
      return run(
          section("pull", "set Type = static\nset Loads = none\nset Duration = 1\nset Increments = 8\n" + more), material,
          cantilever +
              section("Supports", section("pull", "set Boundary = x+\nset Type = displacement\nset Displacement = free, " + u + ", free")) +
              section("Output", "set Write every = never"));
    };
    const Outcome with = done(""), without = done("set Extrapolate = no");
    const std::vector<double> &found = with.history["clamp.R_y"], &expected = without.history["clamp.R_y"];
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-8 * (1. + std::abs(expected[i])));
    return without.summary["newton iterations"].get<int>() - with.summary["newton iterations"].get<int>();
  };
  for (const std::string u : {"0.2*t", "0.2*(1.1 - 2*abs(t - 0.5))"})
    EXPECT_GE(saved(u, {}), 0) << u;
}

TEST(Stages, ExtrapolatedIncrementsRestartWithTheSameBits)
{
  const Folder whole, split;
  for (const Folder *folder : {&whole, &split})
    std::ofstream(*folder / "deck.prm") << cantilever +
                                               section("Stages",
                                                       section("push", "set Type = static\nset Loads = push\nset Increments = 6")) +
                                               section("Solver", "set Deterministic = yes");
  const std::vector<std::string> settings{"Output/Write every=never", "Output/Checkpoint every=4"};
  const Outcome straight = run_deck(whole, whole / "deck.prm", settings);
  ASSERT_EQ(run_deck(split, split / "deck.prm", settings).exit_code, 0);
  const Outcome resumed = command(split, std::string(SYMDYN_BINARY) + " run --quiet --restart " + split.path + "/results");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.terminal;
  const History history = read_history(split / "results/history.csv");
  ASSERT_EQ(history.rows(), straight.history.rows());
  for (const auto &[name, values] : straight.history.columns)
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(history[name][i], values[i]) << name << " " << i;
}

/// A truss of two bars, 1 m and 0.1 m high each, snaps at EA h³ 2/(3 sqrt(3)) = 3.85 N.
std::string truss(const std::string &force)
{
  const std::string bar = "set From = apex\nset To = ground\nset EA = 1e4\nset Anchor = ";
  return "set Structure = discrete\n" + section("Points", "set Dimension = 2\n" + section("apex", "set Position = 0, 0.1\nset Mass = 1")) +
         section("Bars", section("left", bar + "-1, 0") + section("right", bar + "1, 0")) +
         section("Forces", section("push", "set Points = apex\nset Force = 0, -" + force));
}

TEST(Stages, AJumpIsTold)
{
  const auto said = [](const std::string &force, const std::string &increments) {
    return run(section("press", "set Type = static\nset Increments = " + increments), {}, truss(force)).terminal;
  };
  EXPECT_EQ(said("3.6", "4").find("has left the path of equilibrium"), std::string::npos);
  const std::string snapped = said("8", "8");
  EXPECT_NE(snapped.find("from 0.375 to 0.5 of its loads"), std::string::npos) << snapped;
  EXPECT_NE(snapped.find("has left the path of equilibrium"), std::string::npos) << snapped;
}

/// A square without sideways room that supports squeeze to a few percent of its height in few increments: each is off the path, the
/// warning comes once, and the certificate has the sum.
/// A load that acts in full from the start does twice the work: no path is left.
TEST(Stages, ALoadThatDoesNotRampIsNoJump)
{
  const Folder folder;
  const std::string stage = section("Stages", section("push", "set Type = static\nset Loads = push\nset Ramp = no"));
  const Outcome run = run_deck(folder, write_file(folder, "deck.prm", cantilever + stage));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_GT(run.history.last("W_external"), 1.5 * run.history.last("E_potential")) << "a ramp would do as much as is stored";
  EXPECT_EQ(run.terminal.find("left the path"), std::string::npos) << run.terminal;
  EXPECT_EQ(run.terminal.find("doubtful"), std::string::npos) << run.terminal;
}

TEST(Stages, WorkWithoutAnAccountIsInTheVerdict)
{
  const std::string block =
      section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 1, 1") +
      section("Materials", section("rubber", "set Type = neo-hooke-log\nset E = 1e6\nset nu = 0.3\nset Density = 1000")) +
      section("Supports", section("low", "set Boundary = y-") +
                              section("high", "set Boundary = y+\nset Type = displacement\nset Displacement = 0, -0.975"));
  const auto squeeze = [&](const std::string &increments) {
    return run(section("squeeze", "set Type = static\nset Increments = " + increments), {}, block);
  };
  const Outcome coarse = squeeze("2");
  const auto &certificate = coarse.summary["certificate"];
  EXPECT_EQ(certificate["verdict"], "doubtful") << coarse.terminal;
  const std::string reason = certificate["reason"];
  EXPECT_NE(reason.find("stage squeeze: "), std::string::npos) << reason;
  EXPECT_NE(reason.find("left the path of equilibrium"), std::string::npos) << reason;
  const double unaccounted = certificate["static stages"][0]["unaccounted energy"];
  EXPECT_NEAR(unaccounted, std::abs(coarse.history.last("E_balance_error")), 0.3 * unaccounted);
  EXPECT_GT(unaccounted, 0.05 * certificate["largest energy"].get<double>());
  const Outcome fine = squeeze("80");
  EXPECT_FALSE(fine.summary["certificate"].contains("verdict")) << "negative control";
}

/// Where Newton's method may not jump, the increments end at the limit load, and the error says so; where it fails for another reason it
/// speaks of increments alone.
TEST(Stages, ALimitLoadIsSaid)
{
  const auto failure = [](const std::string &deck, const std::vector<std::string> &settings) {
    const Folder folder;
    std::ofstream(folder / "deck.prm") << deck;
    const Outcome outcome = run_deck(folder, folder / "deck.prm", settings);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.terminal;
    EXPECT_EQ(outcome.terminal.find("Time step"), std::string::npos) << outcome.terminal;
    return outcome.terminal.substr(outcome.terminal.find("error: "));
  };
  const std::string press = section("Stages", section("press", "set Type = static\nset Increments = 8\nset Halve on failure = yes")),
                    limit = failure(truss("8") + press, {"Newton/Line search=bt", "Newton/Max iterations=8"});
  EXPECT_NE(limit.find("a limit load is near"), std::string::npos) << limit;
  const std::size_t at = limit.find(". At ");
  ASSERT_NE(at, std::string::npos) << limit;
  const double largest = 1e4 * 2e-3 / (3. * std::sqrt(3.)) / std::pow(1.01, 1.5);  // of Green's strain: EA y (h² - y²)/L³ at y = h/sqrt(3)
  EXPECT_NEAR(std::stod(limit.substr(at + 5)), largest / 8., 2. / 8. / 1024.);
  const std::string heavy = failure(cantilever + section("Stages", section("hang", "set Type = static\nset Loads = weight")),
                                    {"Loads/weight/Acceleration=0, 0, -60", "Newton/Max iterations=5"});
  EXPECT_NE(heavy.find("Double \"Increments\", or set Halve on failure = yes"), std::string::npos) << heavy;
  EXPECT_EQ(heavy.find("limit load"), std::string::npos) << heavy;
  const std::string moved =
      failure(cantilever + section("Stages", section("pull", "set Type = static\nset Loads = none\nset Halve on failure = yes")),
              {"Supports/end/Boundary=x+", "Supports/end/Type=displacement", "Supports/end/Displacement=-1.2, 0, 0"});
  EXPECT_NE(moved.find("displacements per motion of the supports are"), std::string::npos) << moved;
  EXPECT_NE(moved.find("(collapse, snapping, buckling). Make the stage dynamic"), std::string::npos) << moved;
}

/// A clamped column keeps its straight path beyond the load at which it buckles: 4 pi² (t/L)²/12 of its length where it is elastic, at the
/// yield stress where its tangent modulus is a hundredth of E.
TEST(Stages, APathThatHasBecomeUnstableIsSaid)
{
  const auto said = [](const std::string &yield_stress, const std::string &solver) {
    const Outcome outcome =
        run(section("press", "set Type = static\nset Increments = 20"), {"Output/Write every=never", "Linear solver/Type=" + solver},
            section("Mesh",
                    "set Type = box\nset Dimension = 2\nset Subdivisions = 1, 20\nset Order = 2\n" + section("box", "set Size = 0.05, 1")) +
                section("Materials", section("metal",
                                             "set Type = plastic\nset E = 200e9\nset nu = 0.3\nset Density = 7850\nset Hardening "
                                             "modulus = 2e9\nset Yield stress = " +
                                                 yield_stress)) +
                section("Supports", section("foot", "set Boundary = y-") +
                                        section("head", "set Boundary = y+\nset Type = displacement\nset Displacement = 0, -0.01")));
    const std::size_t at = outcome.terminal.find(" of its loads the tangent stiffness has become indefinite (");
    EXPECT_EQ(outcome.terminal.find("has become indefinite", at == std::string::npos ? at : at + 60), std::string::npos) << "said once";
    return at == std::string::npos ? std::string() : outcome.terminal.substr(at - 16, 16);
  };
  EXPECT_NE(said("1e12", "mumps").find("from 0.8 to 0.85"), std::string::npos);
  EXPECT_NE(said("250e6", "mumps").find("from 0.1 to 0.15"), std::string::npos);
  EXPECT_EQ(said("250e6", "cg"), "") << "nothing counts";
}

TEST(Stages, AnUnsymmetricTangentChangesTheSolver)
{
  const auto log_of = [](const std::string &scheme) {
    return run(section("move", motion), {"Integrator/Scheme=" + scheme, "Linear solver/Type=cg", "Time/End time=0.03"}).log;
  };
  const std::string words = "the tangent is unsymmetric: GMRES instead of conjugate gradients";
  const std::string log = log_of("discrete-gradient");
  const std::size_t at = log.find(words);
  EXPECT_NE(at, std::string::npos) << log;
  EXPECT_EQ(log.find(words, at + 1), std::string::npos) << "said once";
  EXPECT_EQ(log_of("newmark").find(words), std::string::npos);
}

TEST(Stages, DurationLetsAmplitudesRun)
{
  const std::vector<std::string> ramp{"Loads/push/Amplitude=t*t"};
  const Outcome run_of_time =
      run(section("push", "set Type = static\nset Loads = push\nset Duration = 2\nset Ramp = no\nset Increments = 4"), ramp);
  const History &history = run_of_time.history;
  const double all = history.last("clamp.R_y");
  for (std::size_t i = 0; i < history.rows(); ++i)
    EXPECT_NEAR(history["clamp.R_y"][i], all * std::pow(history["time"][i] / 2., 2), 1e-7 * std::abs(all));
  EXPECT_EQ(history.last("time"), 2.);
  EXPECT_NEAR(all, -4. * 200. * 0.01, 1e-8);
}

TEST(Stages, RestartInALaterStageGoesOnAlike)
{
  const std::string stages = section("hang", "set Type = static\nset Loads = weight\nset Increments = 2") +
                             section("free", motion + "set Loads = push\n") +
                             section("shock", "set Type = modal transient\nset Modes = 4\nset Damping ratios = 0.05\n" +
                                                  section("Time", "set Time step = 0.01\nset End time = 0.4"));
  const Folder whole, split;
  for (const Folder *folder : {&whole, &split})
    std::ofstream(*folder / "deck.prm") << cantilever + section("Stages", stages);
  const Outcome straight = run_deck(whole, whole / "deck.prm", {"Output/Write every=never"});
  ASSERT_EQ(straight.exit_code, 0) << straight.terminal;
  // 2 + 20 + 15 steps: the checkpoint that is left is that of step 21 in the second stage, of its last step, of step 33 in the third.
  for (const auto &[every, stage] : {std::pair{"21", "stage free"}, {"22", "stage free"}, {"33", "stage shock"}})
  {
    const Outcome first =
        run_deck(split, split / "deck.prm",
                 {"Output/Write every=never", std::string("Output/Checkpoint every=") + every, "Stages/shock/Time/End time=0.35"});
    ASSERT_EQ(first.exit_code, 0) << first.terminal;
    const Outcome second = command(
        split, std::string(SYMDYN_BINARY) + " run --quiet --restart " + split.path + "/results --set 'Stages/shock/Time/End time=0.4'");
    ASSERT_EQ(second.exit_code, 0) << second.terminal;
    const std::string log = text_of(split / "results/run.log");
    EXPECT_NE(log.find(std::string("/checkpoint: ") + stage), std::string::npos) << log;
    const History history = read_history(split / "results/history.csv");
    ASSERT_EQ(history.rows(), straight.history.rows());
    for (const auto &[name, values] : straight.history.columns)
    {
      double most = 0;
      for (const double value : values)
        most = std::max(most, std::abs(value));
      for (std::size_t i = 0; i < values.size() && name != "newton" && name != "krylov"; ++i)
        EXPECT_NEAR(history[name][i], values[i], 1e-9 * most) << name << ", row " << i;
    }
  }
}
}  // namespace symdyn::tests::in_stages
