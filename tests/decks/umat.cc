// Runs with laws of users: functions of tests/umat.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/in_process.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_umat_decks
{
namespace
{
const std::string library = (std::filesystem::path(SYMDYN_BINARY).parent_path() / "tests/umat/laws_c.so").string();

std::string umat(const std::string &function, const std::string &constants, const int states,
                 const std::string &more = "set Kinematics = small")
{
  return "set Type = umat\nset Density = 1\nset Library = " + library + "\nset Function = " + function + "\nset Constants = " + constants +
         "\nset State variables = " + std::to_string(states) + "\n" + more;
}
const std::string j2 = umat("j2", "1000, 0.3, 4, 100", 1);
const std::string native =
    "set Type = plastic\nset Density = 1\nset E = 1000\nset nu = 0.3\nset Yield stress = 4\nset Hardening modulus = "
    "100\nset Kinematics = small";

/// A cantilever that swings and yields.
std::string swing(const std::string &law, const std::string &scheme = "newmark", const std::string &solver = "")
{
  return section("Mesh", "set Type = box\nset Subdivisions = 3, 2, 2\n" + section("box", "set Size = 4, 1, 1")) +
         section("Materials", section("body", law)) + section("Newton", "set Tolerance = 1e-13") +
         section("Linear solver", "set Tolerance = 1e-13\n" + solver) + section("Probes", section("tip", "set Point = 4, 1, 1")) +
         section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
         section("Loads", section("push", "set Type = traction\nset Boundary = x+\nset Traction = 0, 0.8*sin(3*t), 0.1")) +
         section("Integrator", "set Scheme = " + scheme) + section("Time", "set Time step = 0.02\nset End time = 0.8") +
         section("Output", "set Checkpoint every = 10\nset Write every = 1000000") + section("Solver", "set Deterministic = yes");
}
}  // namespace

TEST(UmatDecks, RunAsTheLawOfTheProgram)
{
  const Folder a, b;
  const auto of_user = run_well(a, swing(j2)).history, of_program = run_well(b, swing(native)).history;
  EXPECT_GT(of_program.last("E_inelastic"), 0.01);
  for (const char *column : {"tip.u_x", "tip.u_y", "tip.u_z", "E_potential", "E_inelastic", "E_total"})
    EXPECT_NEAR(of_user.last(column), of_program.last(column), 1e-8 * largest(of_program, column, of_program.stage.front())) << column;
  const std::vector<std::string> fine{"Time/Time step=0.002", "Elements/Mass=lumped"};
  const Folder c, d;
  const double u = run_well(c, swing(native, "central-difference"), fine).history.last("tip.u_y");
  EXPECT_NEAR(run_well(d, swing(j2, "central-difference"), fine).history.last("tip.u_y"), u, 1e-8 * std::abs(u));
}

TEST(UmatDecks, SymmetricOnesTakeSymmetricSolvers)
{
  const std::string cg = "set Type = cg\n" + section("cg", "set Preconditioner = jacobi");
  const Folder a, b;
  const double u = run_well(a, swing(native)).history.last("tip.u_y");
  EXPECT_NEAR(run_well(b, swing(j2, "newmark", cg)).history.last("tip.u_y"), u, 1e-7 * std::abs(u));
  for (const std::string solver : {"", "set Type = matrix-free", "set Type = eisenstat"})
  {
    const Folder c;
    EXPECT_NEAR(run_well(c, swing(j2 + "\nset Symmetric = no", "newmark", solver)).history.last("tip.u_y"), u, 1e-7 * std::abs(u))
        << solver;
  }
}

TEST(UmatDecks, StopAndGoOnWithTheSameBits)
{
  const Folder parted, undisturbed;
  const State half = state_after(swing(j2), options_of(parted), 17), resumed = state_after(swing(j2), options_of(parted, true)),
              whole = state_after(swing(j2), options_of(undisturbed));
  EXPECT_TRUE(same(resumed.q, whole.q));
  EXPECT_FALSE(same(half.q, whole.q));
}

TEST(UmatDecks, CheckSaysTheLibrary)
{
  const Folder folder;
  std::ofstream(folder / "deck.prm") << swing(j2);
  const Outcome outcome = command(folder, std::string(SYMDYN_BINARY) + " check " + (folder / "deck.prm"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  EXPECT_NE(outcome.terminal.find("  library " + library), std::string::npos) << outcome.terminal;
}

TEST(UmatDecks, WhatCannotBeIsRefused)
{
  const std::string cg = "set Type = cg\n" + section("cg", "set Preconditioner = jacobi");
  expect_refused(swing(j2 + "\nset Symmetric = no", "newmark", cg),
                 "[Linear solver] Type = cg: conjugate gradients need a symmetric tangent");
  expect_refused(swing(j2, "discrete-gradient"), "needs laws whose increments have a potential");
  expect_refused(swing(umat("j9", "1000, 0.3, 4, 100", 1)), "Function = j9: is not in " + library);
}

/// A point without an answer ends the run, and names the cell.
TEST(UmatDecks, PointsWithoutAnAnswerAreNamed)
{
  const Folder folder;
  const Outcome outcome = run_text(folder, swing(umat("silent", "1000, 0.004, 1", 0)));
  EXPECT_EQ(outcome.exit_code, exit_computation) << outcome.terminal;
  EXPECT_NE(outcome.terminal.find("|r| = not finite"), std::string::npos) << outcome.terminal;
  EXPECT_EQ(outcome.terminal.find("dissipation"), std::string::npos) << "the function has none\n" << outcome.terminal;
}

/// Energies that a function leaves: the columns are no numbers, and the log says so once.
TEST(UmatDecks, MissingEnergiesAreSaid)
{
  const Folder folder;
  const Outcome outcome = run_well(folder, swing(umat("silent", "1000, 10, 10", 0)));
  EXPECT_TRUE(std::isnan(outcome.history.last("E_potential")));
  EXPECT_FALSE(std::isnan(outcome.history.last("tip.u_y")));
  const std::string words = "the function leaves SSE, SPD and SCD 0";
  EXPECT_NE(outcome.terminal.find(words), std::string::npos) << outcome.terminal;
  EXPECT_EQ(outcome.terminal.find(words), outcome.terminal.rfind(words));
}

TEST(UmatDecks, PointsFollowPaths)
{
  const Folder folder;
  std::ofstream(folder / "law.prm") << section("Materials", section("metal", j2));
  std::ofstream(folder / "path.csv") << "time [s],s11 [Pa]\n0,0\n1,6\n2,-7.5\n";
  const Outcome outcome = command(folder, std::string(SYMDYN_BINARY) + " point " + (folder / "law.prm") + " --stress " +
                                              (folder / "path.csv") + " --steps 10 --out " + (folder / "point.csv"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto table = table_of(folder / "point.csv");
  EXPECT_NEAR(table.at("e11").back(), 0.02 - 0.015 - 0.0075, 1e-10);
  EXPECT_NEAR(table.at("dissipated").back(), 4. * 0.035, 1e-10);
  EXPECT_NEAR(table.at("SDV1").back(), 0.035, 1e-10);
}

TEST(UmatDecks, FilesOfAbaqus)
{
  const Folder folder;
  const auto inp = [&](const std::string &constants) {
    std::ofstream(folder / "bar.inp")
        << "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
           "*ELEMENT,TYPE=C3D8,ELSET=all\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=metal\n*USER MATERIAL,CONSTANTS="
        << constants
        << "\n*DEPVAR\n1\n*SOLID SECTION,ELSET=all,MATERIAL=metal\n*BOUNDARY\n1,1,3\n4,1\n5,1\n8,1\n2,2,3\n4,3\n5,2\n6,2\n"
           "3,3\n*STEP\n*STATIC\n0.25,1\n*CLOAD\n2,1,1.5\n3,1,1.5\n6,1,1.5\n7,1,1.5\n*NODE PRINT,NSET=tip\nU\n*END STEP\n";
  };
  const auto run = [&](const std::string &settings) {
    return command(folder, "cd " + folder.path + " && " + SYMDYN_BINARY + " run bar.inp --output results " + settings);
  };
  inp("4\n1000, 0.3, 4, 100");
  std::string text = text_of(folder / "bar.inp");
  text.replace(text.find("*NODE PRINT,NSET=tip\nU\n"), 23, "");
  std::ofstream(folder / "bar.inp") << text;
  const Outcome without = run("");
  EXPECT_EQ(without.exit_code, 1) << without.terminal;
  EXPECT_NE(without.terminal.find("--set \"Materials/metal/Library=FILE.so\""), std::string::npos) << without.terminal;
  const Outcome well = run("--set Materials/metal/Library=" + library + " --set Materials/metal/Function=j2");
  EXPECT_EQ(well.exit_code, 0) << well.terminal;
  const auto history = read_history(folder / "results/history.csv");
  EXPECT_NEAR(history.last("E_inelastic"), 4. * 0.02, 1e-9) << "sigma = 6: p = (6 - 4)/100";
  inp("5\n1000, 0.3, 4, 100");
  const Outcome wrong = run("");
  EXPECT_NE(wrong.terminal.find("has 4 numbers"), std::string::npos) << wrong.terminal;
}
}  // namespace symdyn::tests::in_umat_decks
