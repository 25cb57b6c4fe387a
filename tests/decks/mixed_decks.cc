#include <gtest/gtest.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/inp_model.h"
#include "tests/linear_decks.h"
#include "tests/mixed_meshes.h"

// Decks of several shapes of cells, run as a user runs them.
namespace symdyn::tests::in_mixed_decks
{
namespace
{
MixedMesh::Place beam(const MixedMesh::Place &x) { return {4. * x[0], x[1], x[2]}; }

const std::string pressure = "set Type = pressure\nset Pressure = 200*sin(20*t)";

std::string deck_of(const Folder &folder, const std::string &more, const std::string &law = "neo-hooke-log",
                    const std::string &push = pressure)
{
  std::ofstream(folder / "mixed.msh") << MixedMesh{3, true, false, 0.1, beam}.gmsh();
  return section("Mesh", "set Type = file\nset File = mixed.msh") +
         section("Materials", section("body", "set Type = " + law + "\nset E = 1e5\nset nu = 0.3\nset Density = 1000")) +
         section("Supports", section("wall", "set Type = fixed\nset Boundary = x0")) +
         section("Loads", section("push", "set Boundary = z1\n" + push) + "\n" +
                              section("weight", "set Type = gravity\nset Acceleration = 0, 0, -9.81")) +
         section("Probes", section("tip", "set Point = 4, 1, 1") + "\n" + section("inside", "set Point = 2.1, 0.5, 0.9")) +
         section("Newton", "set Tolerance = 1e-12") + section("Linear solver", "set Tolerance = 1e-12") + more;
}

const std::string implicit_steps = section("Time", "set Time step = 0.005\nset End time = 0.1"),
                  explicit_steps = section("Time", "set Time step = 0.0005\nset End time = 0.05") +
                                   section("Integrator", "set Scheme = newmark\n" + section("newmark", "set beta = 0")) +
                                   section("Elements", "set Mass = lumped");
}  // namespace

TEST(MixedDecks, RanksAgree)
{
  for (const std::string &steps : {implicit_steps, explicit_steps})
  {
    const Folder folder, other;
    const Outcome serial = run_well(folder, deck_of(folder, steps)), parallel = run_well(other, deck_of(other, steps), {}, 2);
    ASSERT_GT(serial.history.rows(), 10u);
    EXPECT_GT(std::abs(serial.history.last("tip.u_z")), 1e-3);
    expect_same(serial.history, parallel.history, 1e-9, "two ranks");
  }
}

TEST(MixedDecks, EnergyIsKept)
{
  const Folder folder;
  const std::string dead = "set Type = traction\nset Traction = 0, 0, -200";  // a pressure follows and has no potential
  const Outcome run = run_well(folder, deck_of(folder, implicit_steps, "neo-hooke-log", dead), {"Integrator/Scheme=discrete-gradient"});
  double largest = 0;
  for (std::size_t i = 0; i < run.history.rows(); ++i)
    largest = std::max(largest, std::abs(run.history["E_balance_error"][i]));
  EXPECT_LT(largest, 1e-8 * run.history.last("E_kinetic"));
}

TEST(MixedDecks, HexahedraAndWedgesOfAnAbaqusFile)
{
  for (const bool quadratic : {false, true})
  {
    const Folder folder;
    std::ofstream(folder / "beam.inp")
        << MixedMesh{3, false, quadratic, 0.1, beam}.inp()
        << "*MATERIAL, NAME=M\n*ELASTIC\n1000., .3\n*DENSITY\n2.\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY\nx0, 1, 3\n*STEP\n*STATIC\n"
           "*DLOAD\nBODY, GRAV, 1., 0., 0., -1.\n*NODE PRINT, NSET=x1\nU\n*EL PRINT, ELSET=BODY\nS\n*END STEP\n";
    const Outcome run = run_deck(folder, folder / "beam.inp", {});
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    const std::string tables = text_of(folder / "results/beam.dat");
    EXPECT_NE(tables.find("displacements"), std::string::npos);
    EXPECT_NE(tables.find("stresses"), std::string::npos);
  }
}
}  // namespace symdyn::tests::in_mixed_decks
