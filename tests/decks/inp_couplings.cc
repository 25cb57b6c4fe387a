// *RIGID BODY, *COUPLING and *MPC in decks of Abaqus and CalculiX: closed forms, rotations of any size, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/inp_model.h"

namespace symdyn::tests::in_inp_couplings
{
namespace
{
/// A rod of four cubes, E = 1000, clamped at x = 0, with the nodes 100 and 101 in the middle of its end; sets REF, BOTH.
std::string rod_with_reference(const std::string &coupling)
{
  return rod(4) +
         "*NODE\n100, 4., 0.5, 0.5\n101, 4., 0.5, 0.5\n*NSET, NSET=REF\n100\n*NSET, NSET=BOTH\n100, 101\n*NSET, NSET=TURNED\n101, 17\n" +
         coupling + "*BOUNDARY\nROOT, 1, 3\n";
}
const std::string rigid = "*RIGID BODY, NSET=TIP, REF NODE=100, ROT NODE=101\n",
                  printed = "*NODE PRINT, NSET=REF\nU\n*NODE PRINT, NSET=TIP\nU\n";
const std::string faces = "*SURFACE, NAME=END\n4, S2\n*COUPLING, REF NODE=100, SURFACE=END, CONSTRAINT NAME=lid\n";

/// Displacements of a node in the first table that has it.
std::vector<double> moved(const std::string &tables, const int node)
{
  for (std::size_t at = tables.find("displacements"); at != std::string::npos; at = tables.find("displacements", at + 1))
    for (const auto &row : rows_below(tables.substr(at), "displacements"))
      if (int(row.at(0)) == node)
        return {row.at(1), row.at(2), row.at(3)};
  return {};
}
}  // namespace

TEST(InpCouplings, ForceOnTheReference)
{
  for (const std::string &coupling : {rigid, faces + "*KINEMATIC\n", faces + "*KINEMATIC\n1, 6\n", faces + "*DISTRIBUTING\n1, 3\n"})
  {
    const std::string tables = tables_of(rod_with_reference(coupling) + static_step("*CLOAD\n100, 1, 10.\n" + printed));
    EXPECT_NEAR(moved(tables, 100).at(0), 10. * 4. / 1000., 1e-9) << coupling;
    EXPECT_NEAR(moved(tables, 17).at(0), 10. * 4. / 1000., 1e-8) << coupling;
  }
}

/// The torque of a lid: G = 500, of four cells of one square each the torsion of the mesh; the lid turns about x, its corners with it.
TEST(InpCouplings, MomentsAndRotations)
{
  const std::string twisted = tables_of(rod_with_reference(rigid) + static_step("*CLOAD\n101, 1, 2.\n" + printed));
  const double theta = moved(twisted, 17).at(2) / -0.5;
  EXPECT_GT(std::abs(theta), 1e-3);
  EXPECT_NEAR(moved(twisted, 100).at(1), 0., 1e-9);
  const std::string by_six = tables_of(rod_with_reference(rigid) + static_step("*CLOAD\n100, 4, 2.\n" + printed));
  EXPECT_NEAR(moved(by_six, 17).at(2), moved(twisted, 17).at(2), 1e-12);
  const std::string small =
      tables_of(rod_with_reference(rigid) + "*BOUNDARY\n101, 2, 3\n" + static_step("*BOUNDARY\n101, 1, 1, 0.02\n" + printed));
  EXPECT_NEAR(moved(small, 17).at(1), 0.01, 1e-12);
  EXPECT_NEAR(moved(small, 17).at(2), -0.01, 1e-12);
  const std::string given =
      tables_of(rod_with_reference(rigid) + "*BOUNDARY\n101, 2, 3\n" + static_step("*BOUNDARY\n101, 1, 1, 0.02\n" + printed, ", NLGEOM"));
  EXPECT_NEAR(moved(given, 17).at(2), -0.5 * std::sin(0.02) + 0.5 * (1. - std::cos(0.02)), 1e-6);
}

/// U of a ROT NODE is the rotation of the reference, V its angular velocity, in steps that are static and dynamic, and of modes; RF is 0.
TEST(InpCouplings, TablesOfTheRotNode)
{
  const std::string model = rod_with_reference(rigid), print = "*NODE PRINT, NSET=BOTH\nU, RF\n*NODE PRINT, NSET=TIP\nU\n";
  const std::string twisted = tables_of(model + static_step("*CLOAD\n101, 1, 2.\n" + print));
  EXPECT_GT(std::abs(moved(twisted, 101).at(0)), 1e-3);
  EXPECT_NEAR(moved(twisted, 101).at(0), moved(twisted, 17).at(2) / -0.5, 1e-8);
  EXPECT_NEAR(moved(twisted, 101).at(1), 0., 1e-9);
  const std::string turned =
      tables_of(model + "*BOUNDARY\n100, 1, 3\n101, 1, 1\n101, 3, 3\n" + static_step("*BOUNDARY\n101, 2, 2, 0.7\n" + print, ", NLGEOM"));
  EXPECT_NEAR(moved(turned, 101).at(1), 0.7, 1e-6);
  EXPECT_NEAR(moved(turned, 100).at(1), 0., 1e-9) << "that of the reference node is its displacement";
  const std::string moving = tables_of(model +
                                       "*STEP, INC=1000\n*DYNAMIC, DIRECT\n0.01, 0.2\n*CLOAD\n101, 1, 2.\n"
                                       "*NODE PRINT, NSET=BOTH, FREQUENCY=1\nU, V\n*END STEP\n");
  std::vector<double> u, v;
  for (const auto &[title, values] : {std::pair{"displacements", &u}, {"velocities", &v}})
    for (std::size_t at = moving.find(title); at != std::string::npos; at = moving.find(title, at + 1))
      values->push_back(rows_below(moving.substr(at), title).at(1).at(1));
  ASSERT_EQ(u.size(), 20u);
  EXPECT_NEAR(v[10], (u[11] - u[9]) / 0.02, 0.05 * std::abs(v[10]));
  EXPECT_GT(std::abs(v[10]), 1e-6);
  const std::string shapes = tables_of(model + "*STEP\n*FREQUENCY\n6\n" + print + "*END STEP\n");
  double most = 0;
  for (std::size_t at = shapes.find("displacements"); at != std::string::npos; at = shapes.find("displacements", at + 1))
    if (const auto rows = rows_below(shapes.substr(at), "displacements"); rows.size() == 2)
      most = std::max(most, std::abs(rows.at(1).at(1)));
  EXPECT_GT(most, 0.) << "one of them twists";
}

/// With NLGEOM the moment keeps its direction, which is not CalculiX's rule: a warning says so.
TEST(InpCouplings, MomentsOfCalculiXAreConjugateToTheRotationVector)
{
  const auto said = [](const std::string &options, const std::string &on) {
    const Folder folder;
    write_file(folder, "model.inp", rod_with_reference(rigid) + static_step("*CLOAD\n" + on + ", 1, 0.1\n", options));
    return run_program(folder, folder / "model.inp").terminal.find("its work on the rotation vector") != std::string::npos;
  };
  EXPECT_TRUE(said(", NLGEOM", "101"));
  EXPECT_FALSE(said("", "101"));
  EXPECT_FALSE(said(", NLGEOM", "100"));
}

/// A square bar moves along y as along z, also by a reference off its face, whose normal director has a mass of its own.
TEST(InpCouplings, InertiaOfAReferenceIsIsotropic)
{
  const std::string far = rod(4) +
                          "*NODE\n100, 6., 0.5, 0.5\n101, 6., 0.5, 0.5\n*RIGID BODY, NSET=TIP, REF NODE=100, ROT NODE=101\n"
                          "*BOUNDARY\nROOT, 1, 3\n*NSET, NSET=REF\n100\n";
  const auto end = [&](const std::string &component) {
    return moved(tables_of(far + "*STEP, INC=1000\n*DYNAMIC, DIRECT\n0.05, 1.\n*CLOAD\n100, " + component +
                           ", 1.\n*NODE PRINT, NSET=REF, FREQUENCY=20\nU\n*END STEP\n"),
                 100);
  };
  const double y = end("2").at(1), z = end("3").at(2);
  EXPECT_GT(std::abs(y), 1e-3);
  EXPECT_NEAR(y, z, 1e-6 * std::abs(y));
}

/// Sets with the ROT NODE: each node has its own meaning of the components.
TEST(InpCouplings, SetsWithTheRotNode)
{
  const std::string load = "*CLOAD\n17, 2, 1.\n";
  const std::string held = tables_of(rod_with_reference(rigid) + "*BOUNDARY\nBOTH, 1, 3\n" + static_step(load + printed));
  for (const int node : {17, 18, 19, 20})
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(moved(held, node).at(d), 0., 1e-9) << node;
  const std::string apart = "*CLOAD\n101, 1, 2.\n17, 1, 2.\n", together = "*CLOAD\nTURNED, 1, 2.\n";
  const std::string a = tables_of(rod_with_reference(rigid) + static_step(apart + printed)),
                    b = tables_of(rod_with_reference(rigid) + static_step(together + printed));
  for (const int node : {17, 19})
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(moved(a, node).at(d), moved(b, node).at(d), 1e-12) << node;
  EXPECT_GT(std::abs(moved(a, 17).at(0)), 1e-3);
}

/// A support that a later step says again is the same.
TEST(InpCouplings, SupportsSaidAgain)
{
  const std::string hold = "*BOUNDARY\n100, 4, 6\n100, 1, 3\n", again = "*BOUNDARY, OP=NEW\nROOT, 1, 3\n100, 4, 6\n100, 1, 3\n";
  const std::string tables = tables_of(rod_with_reference("*RIGID BODY, NSET=TIP, REF NODE=100\n") + hold +
                                       static_step("*CLOAD\n17, 2, 1.\n" + printed) + static_step(again + "*CLOAD\n9, 2, 1.\n" + printed));
  EXPECT_NEAR(moved(tables, 17).at(1), 0., 1e-9);
}

/// Cards with one reference, and sets of elements.
TEST(InpCouplings, CardsOfOneReference)
{
  const std::string step = static_step("*CLOAD\n100, 1, 10.\n100, 4, 1.\n" + printed);
  const std::string one = tables_of(rod_with_reference("*MPC\nBEAM, 17, 100\nBEAM, 18, 100\nBEAM, 19, 100\nBEAM, 20, 100\n") + step),
                    four = tables_of(
                        rod_with_reference("*MPC\nBEAM, 17, 100\n*MPC\nBEAM, 18, 100\n*MPC\nBEAM, 19, 100\n*MPC\nBEAM, 20, 100\n") + step),
                    body = tables_of(rod_with_reference("*ELSET, ELSET=LAST\n4\n*RIGID BODY, ELSET=LAST, REF NODE=100\n") + step);
  EXPECT_NEAR(moved(one, 17).at(0), moved(four, 17).at(0), 1e-15);
  EXPECT_NEAR(moved(one, 17).at(2), moved(four, 17).at(2), 1e-15);
  EXPECT_NEAR(moved(body, 17).at(0), 10. * 3. / 1000., 1.5e-2 * 10. / 1000.) << "elastic directors: a hundredth of the cell's own";
}

/// All but the root's nodes follow: a turn by 1.2 about z with the place of the reference held.
TEST(InpCouplings, RotationOfAnySize)
{
  const std::string deck = rod(4) + "*NODE\n100, 0., 0., 0.\n101, 0., 0., 0.\n*RIGID BODY, NSET=ALL, REF NODE=100, ROT NODE=101\n" +
                           static_step("*BOUNDARY\n100, 1, 3\n101, 1, 2\n101, 3, 3, 1.2\n*NODE PRINT, NSET=TIP\nU\n", ", NLGEOM");
  const std::vector<double> corner = moved(tables_of(deck), 19);  // (4, 1, 1)
  ASSERT_EQ(corner.size(), 3u);
  EXPECT_NEAR(corner[0], 4. * std::cos(1.2) - std::sin(1.2) - 4., 1e-6);
  EXPECT_NEAR(corner[1], 4. * std::sin(1.2) + std::cos(1.2) - 1., 1e-6);
  EXPECT_NEAR(corner[2], 0., 1e-9);
}

/// A rigid arm at the tip of a cantilever of beams: a force at its end is a force and a moment at the tip.
TEST(InpCouplings, ArmOfABeam)
{
  const std::string beam =
      "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 2., 0., 0.\n4, 2., 0.5, 0.\n*ELEMENT, TYPE=B31, ELSET=ARM\n1, 1, 2\n2, 2, 3\n"
      "*NSET, NSET=TIP\n3\n*NSET, NSET=END\n4\n*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.3\n*BEAM SECTION, ELSET=ARM, MATERIAL=M, "
      "SECTION=RECT\n0.05, 0.05\n0., 0., 1.\n*BOUNDARY\n1, 1, 6\n";
  const std::string print = "*NODE PRINT, NSET=TIP\nU\n*NODE PRINT, NSET=END\nU\n";
  const std::string by_arm = tables_of(beam + "*MPC\nBEAM, 4, 3\n" + static_step("*CLOAD\n4, 1, 100.\n" + print));
  const std::string by_moment = tables_of(beam + "*MPC\nBEAM, 4, 3\n" + static_step("*CLOAD\n3, 1, 100.\n3, 6, -50.\n" + print));
  for (const int node : {3, 4})
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(moved(by_arm, node).at(d), moved(by_moment, node).at(d), 1e-12) << node;
  const double I = std::pow(0.05, 4) / 12., theta = 50. * 2. / (2e11 * I);
  EXPECT_NEAR(moved(by_arm, 3).at(1), -theta * 2. / 2., 1e-6 * theta);
  EXPECT_NEAR(moved(by_arm, 4).at(0), 100. * 2. / (2e11 * 0.0025) + 0.5 * theta, 1e-5 * theta);
}

TEST(InpCouplings, AreChecked)
{
  const auto refused = [](const std::string &coupling, const std::string &step, const std::string &words) {
    const std::string message = refusal_of(rod_with_reference(coupling) + static_step(step));
    EXPECT_NE(message.find(words), std::string::npos) << "'" << words << "' is not in:\n" << message;
  };
  const std::string load = "*CLOAD\n100, 1, 1.\n";
  refused("*RIGID BODY, NSET=TIP\n", load, "has no REF NODE");
  refused("*RIGID BODY, REF NODE=100\n", load, "needs an NSET or an ELSET");
  refused("*RIGID BODY, NSET=TIP, REF NODE=100, ROT NODE=100\n", load, "REF NODE and ROT NODE are one");
  refused("*RIGID BODY, NSET=TIP, REF NODE=999\n", load, "999");
  refused("*RIGID BODY, NSET=TUP, REF NODE=100\n", load, "TUP");
  refused(faces, load, "Add *KINEMATIC or *DISTRIBUTING behind it");
  refused("*KINEMATIC\n1, 3\n", load, "stands behind no *COUPLING");
  refused(faces + "*KINEMATIC\n0, 3\n", load, "components are 1 to 6");
  refused("*COUPLING, REF NODE=100, SURFACE=NONE\n*KINEMATIC\n", load, "there is no *SURFACE");
  refused("*MPC\nPLANE, 17, 18, 19\n", load, "PLANE");
  refused(rigid, "*CLOAD\n101, 4, 1.\n", "ROT NODE of a *RIGID BODY");
  refused(rigid, "*CLOAD\n17, 4, 1.\n", "takes no moments");
  refused(rigid + "*RIGID BODY, NSET=TIP, REF NODE=101\n", load, "A node follows one coupling");
}
}  // namespace symdyn::tests::in_inp_couplings
