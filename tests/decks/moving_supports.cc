// Supports that move in modal transient stages, and *BASE MOTION.
#include "tests/inp_model.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_moving_supports
{
namespace
{
/// The bar with a clamp that is moved along x.
std::string moved_bar(const std::string &motion)
{
  return section("Mesh", "set Type = box\nset Subdivisions = 6, 1, 1\n" + section("box", "set Size = 1, 0.05, 0.05")) +
         elastic(1e6, 0., 1000.) +
         section("Supports",
                 section("clamp", "set Boundary = x-\nset Type = displacement\nset Displacement = 0.01, 0, 0\nset Amplitude = " + motion) +
                     section("y", "set Boundary = y-\nset Type = symmetry") + section("z", "set Boundary = z-\nset Type = symmetry")) +
         section("Probes", section("tip", "set Point = 1, 0, 0") + section("middle", "set Point = 0.5, 0, 0"));
}

const std::string all_modes = "set Type = modal transient\nset Modes = 6\n";

Outcome ride(const std::string &motion, const std::string &stage, const double h, const std::string &more = "", const double end = 0.08,
             const int ranks = 1)
{
  const Folder folder;
  return run_well(
      folder,
      moved_bar(motion) + more +
          stages(section("ride", stage + section("Time", fmt::format("set Time step = {:.15g}\nset End time = {:.15g}", h, end)))),
      {"Output/Write every=never"}, ranks);
}
}  // namespace

TEST(MovingSupports, StepsAreExactForMotionsThatAreLinearInThem)
{
  // A ramp: big steps agree with small ones, at the end of the ramp and after it.
  const std::string ramp = "min(t/0.04, 1)", damped = section("Damping", "set Mass proportional = 2\nset Stiffness proportional = 1e-4");
  for (const std::string &more : {std::string(), damped})
  {
    const Outcome coarse = ride(ramp, all_modes, 0.04, more), fine = ride(ramp, all_modes, 0.002, more);
    for (const double t : {0.04, 0.08})
      for (const char *column : {"tip.u_x", "middle.u_x"})
        EXPECT_NEAR(coarse.history.at(t, column), fine.history.at(t, column), 1e-10 * 0.01) << t << " " << column;
  }
}

TEST(MovingSupports, AllModesAreTheWholeStructure)
{
  // Against the average acceleration rule: the difference falls with the square of its step.
  const std::string wave = "sin(60*t)^2", damped = section("Damping", "set Mass proportional = 5\nset Stiffness proportional = 1e-4");
  const Outcome modal = ride(wave, all_modes, 2e-4, damped);
  const auto difference = [&](const double h) {
    const Outcome direct = ride(wave, "set Type = dynamic\n", h, damped);
    double most = 0;
    for (const double t : {0.02, 0.05, 0.08})
      for (const char *column : {"tip.u_x", "tip.v_x", "middle.u_x"})
        most = std::max(
            most, std::abs(direct.history.at(t, column) - modal.history.at(t, column)) / (std::string(column) == "tip.v_x" ? 0.6 : 0.01));
    return most;
  };
  const double coarse = difference(4e-4), fine = difference(2e-4);
  EXPECT_LT(fine, 3e-3);
  EXPECT_NEAR(coarse / fine, 4., 0.8);
  EXPECT_GT(std::abs(modal.history.at(0.05, "tip.u_x") - modal.history.at(0.05, "middle.u_x")), 1e-3) << "it vibrates";
}

TEST(MovingSupports, MoreModesComeCloser)
{
  const std::string wave = "sin(60*t)^2";
  const double whole = ride(wave, all_modes, 2e-4).history.at(0.05, "tip.u_x");
  double before = 1.;
  for (const int modes : {1, 2, 4})
  {
    const double difference =
        std::abs(ride(wave, fmt::format("set Type = modal transient\nset Modes = {}\n", modes), 2e-4).history.at(0.05, "tip.u_x") - whole);
    EXPECT_LT(difference, before);
    before = difference;
  }
  EXPECT_LT(before, 2e-2 * 0.01);
}

TEST(MovingSupports, RayleighDampingOfTheStageIsThatOfTheMass)
{
  const std::string wave = "sin(60*t)^2";
  const Outcome stage = ride(wave, all_modes + "set Rayleigh damping = 5, 0\n", 2e-4),
                mass = ride(wave, all_modes, 2e-4, section("Damping", "set Mass proportional = 5")), none = ride(wave, all_modes, 2e-4);
  for (const double t : {0.02, 0.05, 0.08})
    for (const char *column : {"tip.u_x", "middle.u_x"})
      EXPECT_NEAR(stage.history.at(t, column), mass.history.at(t, column), 1e-12 * 0.01) << t << " " << column;
  EXPECT_GT(std::abs(stage.history.at(0.05, "tip.u_x") - none.history.at(0.05, "tip.u_x")), 1e-5);
}

TEST(MovingSupports, IsTheSameOnThreeRanks)
{
  const Outcome one = ride("sin(60*t)^2", all_modes, 1e-3), three = ride("sin(60*t)^2", all_modes, 1e-3, "", 0.08, 3);
  for (const double t : {0.02, 0.05, 0.08})
    EXPECT_NEAR(three.history.at(t, "tip.u_x"), one.history.at(t, "tip.u_x"), 1e-9 * 0.01) << t;
}

TEST(MovingSupports, RestartIsTheSameRun)
{
  // The ramp has its corner at the end of a step, after which the time alone does not say how fast the clamp moved.
  const auto deck = [](const std::string &end) {
    return moved_bar("min(t/0.03, 1)") +
           stages(section("ride", all_modes + section("Time", "set Time step = 0.001\nset End time = " + end)));
  };
  const Folder whole, parts;
  const Outcome straight = run_well(whole, deck("0.06"), {"Output/Write every=never"});
  run_well(parts, deck("0.03"), {"Output/Write every=never", "Output/Checkpoint every=10"});
  std::ofstream(parts / "deck.prm") << deck("0.06");
  const Outcome other =
      command(parts, std::string(SYMDYN_BINARY) + " run --quiet --restart " + parts.path + "/results " + parts / "deck.prm");
  ASSERT_EQ(other.exit_code, 0) << other.terminal;
  const double rest = read_history(parts / "results/history.csv").last("tip.u_x");
  EXPECT_NEAR(rest, straight.history.last("tip.u_x"), 1e-13);
}

TEST(MovingSupports, PointsBesideABodyThatAreFreeAlongOneComponentOnRanks)
{
  // A mass on a spring at the bar's tip, on a rail: by Free, and by Equations. Statics, then motion of the whole.
  const std::string still = bar(4) + section("Loads", section("pull", "set Type = traction\nset Boundary = x+\nset Traction = 100, 0, 0")),
                    spring = section("Springs",
                                     section("tie", "set From = tip\nset To = bob\nset Stiffness = 300\nset Law = small-displacement")),
                    stage = stages(section("hold", "set Type = static") +
                                   section("go", "set Type = dynamic\nset Loads = none\n" +
                                                     section("Time", "set Time step = 0.002\nset End time = 0.1")));
  const auto points = [](const std::string &bob) {
    return section("Points", section("tip", "set On mesh = yes\nset Position = 1, 0, 0") +
                                 section("bob", "set Position = 1.5, 0.1, 0.2\nset Mass = 0.4\n" + bob));
  };
  const auto run = [&](const std::string &deck, const int ranks = 1) {
    const Folder folder;
    return run_well(folder, deck, {"Output/Write every=never"}, ranks).history;
  };
  const History rail = run(still + spring + points("set Fixed = yes\nset Free = x") + stage),
                tied = run(still + spring + points("") +
                           section("Equations", section("y", "set Displacements = bob.y\nset Factors = 1") +
                                                    section("z", "set Displacements = bob.z\nset Factors = 1")) +
                           stage),
                shared = run(still + spring + points("set Fixed = yes\nset Free = x") + stage, 2);
  for (const char *column : {"bob.x", "tip.u_x"})
  {
    EXPECT_NEAR(rail.last(column), tied.last(column), 1e-9) << column;
    EXPECT_NEAR(rail.last(column), shared.last(column), 1e-8) << column;
  }
  EXPECT_EQ(rail.last("bob.y"), 0.1);
  EXPECT_GT(std::abs(rail.at(0.05, "bob.x") - rail.last("bob.x")), 1e-6) << "it moves";
}

TEST(MovingSupports, BaseMotionMovesAllThatIsHeld)
{
  const std::string held =
                        rod(3) +
                        "*BOUNDARY\nROOT, 1, 3\nALL, 2, 3\n*AMPLITUDE, NAME=A\n0., 0., 1., 0.5, 2., 0.5\n*STEP\n*FREQUENCY\n3\n*END STEP\n",
                    print = "*NODE PRINT, NSET=ALL, FREQUENCY=20\nU\n*END STEP\n";
  const std::string base =
                        tables_of(held + "*STEP\n*MODAL DYNAMIC\n.05, 2.\n*BASE MOTION, DOF=1, AMPLITUDE=A, TYPE=DISPLACEMENT\n" + print),
                    boundary = tables_of(held + "*STEP\n*MODAL DYNAMIC\n.05, 2.\n*BOUNDARY, AMPLITUDE=A\nROOT, 1, 1, 1.\n" + print);
  EXPECT_GT(base.size(), 1000u);
  EXPECT_EQ(base, boundary);
  EXPECT_NEAR(of_node(rows_below(base.substr(base.rfind("displacements")), "displacements"), 1)[0], 0.5, 1e-6);
  const std::string harmonic = "*STEP\n*STEADY STATE DYNAMICS\n.5, .5, 1\n", half = "*AMPLITUDE, NAME=B\n0., 0.5, 100., 0.5\n";
  const std::string step = held.substr(held.find("*STEP")), model = held.substr(0, held.find("*STEP")),
                    end = "*NODE PRINT, NSET=ALL\nU\n*END STEP\n";
  const auto of_motion =
                 rows_below(tables_of(model + half + step + harmonic + "*BASE MOTION, DOF=1, AMPLITUDE=B, TYPE=DISPLACEMENT\n" + end),
                            "displacements"),
             of_boundary = rows_below(tables_of(model + half + step + harmonic + "*BOUNDARY\nROOT, 1, 1, 0.5\n" + end), "displacements"),
             of_acceleration =
                 rows_below(tables_of(model + half + step + harmonic + "*BASE MOTION, DOF=1, AMPLITUDE=B\n" + end), "displacements");
  const double square = std::pow(2. * M_PI * 0.5, 2);
  for (const int node : {1, 9, 13})
  {
    EXPECT_NEAR(of_node(of_motion, node)[0], of_node(of_boundary, node)[0], 3e-6) << node;
    EXPECT_NEAR(of_node(of_acceleration, node)[0], -of_node(of_boundary, node)[0] / square, 3e-6) << node;
  }
}

TEST(MovingSupports, BaseMotionThatCannotBeIsRefused)
{
  const std::string held = rod(3) + "*BOUNDARY\nROOT, 1, 3\n*AMPLITUDE, NAME=A\n0., 0., 1., 0.5\n*STEP\n*FREQUENCY\n3\n*END STEP\n",
                    modal = "*STEP\n*MODAL DYNAMIC\n.05, 2.\n";
  const auto expect = [](const std::string &text, const std::string &words) {
    EXPECT_NE(refusal_of(text).find(words), std::string::npos) << words << " is not in: " << refusal_of(text);
  };
  expect(held + modal + "*BASE MOTION, DOF=1, AMPLITUDE=A\n*END STEP\n", "is of *STEADY STATE DYNAMICS");
  expect(held + modal + "*BASE MOTION, DOF=4, AMPLITUDE=A, TYPE=DISPLACEMENT\n*END STEP\n", "DOF=4: is 1 to 3");
  expect(held + modal + "*BASE MOTION, DOF=1, AMPLITUDE=B, TYPE=DISPLACEMENT\n*END STEP\n", "no *AMPLITUDE of this name");
  expect(held + "*STEP\n*STEADY STATE DYNAMICS\n.5, 1., 3\n*BASE MOTION, DOF=1, AMPLITUDE=A\n*END STEP\n", "changes with the frequency");
  expect(held + "*STEP\n*STATIC\n*BASE MOTION, DOF=1, AMPLITUDE=A\n*END STEP\n", "is of *MODAL DYNAMIC");
  const std::string along = "*BASE MOTION, DOF=1, AMPLITUDE=A, TYPE=DISPLACEMENT\n", twice = held + modal + along + along + "*END STEP\n";
  const auto line = [](const std::string &text, const std::size_t at) { return 1 + std::count(text.begin(), text.begin() + at, '\n'); };
  expect(twice, fmt::format("model.inp:{}: DOF=1: the *BASE MOTION of ", line(twice, twice.rfind("*BASE"))));
  expect(twice, fmt::format("model.inp:{} moves this component in the same step", line(twice, twice.find("*BASE"))));
  const std::string flat = "*AMPLITUDE, NAME=A\n0., 0.5, 1., 0.5\n",
                    harmonic = rod(3) + "*BOUNDARY\nROOT, 1, 3\n" + flat +
                               "*STEP\n*FREQUENCY\n3\n*END STEP\n*STEP\n*STEADY STATE DYNAMICS\n.5, 1., 3\n";
  expect(harmonic + along + along + "*END STEP\n", "moves this component in the same step");
  expect(held + modal + "*BOUNDARY, AMPLITUDE=A\nROOT, 1, 1, 1.\n*END STEP\n" + modal + "*END STEP\n", "would restart");
}
}  // namespace symdyn::tests::in_moving_supports
