// Solid rotors on bearings in fixed axes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "tests/rotor_decks.h"
#include "tests/sector_meshes.h"

namespace symdyn::tests::in_rotor
{
namespace
{
/// A prism of 10 sectors whose bore is rigid, on a bearing in its middle and on springs along the axis; the rim is round, or has lobes.
Outcome run_ring(const Folder &folder, const std::string &bearing_entries, const int lobes, const std::string &more, const int ranks)
{
  RingMesh mesh;
  mesh.sectors = mesh.meshed = 10;
  mesh.round = mesh.order = mesh.layers = mesh.radial = 1;
  if (lobes > 0)
    mesh.rim = [lobes](const double angle) { return 1. + 0.1 * std::cos(lobes * angle); };
  mesh.write(folder / "ring.msh");
  return run_text(
      folder,
      section("Mesh", "set Dimension = 3\nset Type = file\nset File = ring.msh\n") + elastic(1., 0.3, 1.) +
          section("Points", section("eye", "set Position = 0, 0, 0.15")) +
          section("Couplings", section("hub", "set At = eye\nset Boundaries = bore\nset Geometry = linear\nset Rotation = 0, 0, 0")) +
          section("Springs", section("thrust",
                                     "set From = eye\nset To = ground\nset Law = small-displacement\nset Direction = 0, 0, "
                                     "1\nset Stiffness = 1")) +
          section("Output", "set Write every = never") + section("Bearings", section("oil", "set At = eye\n" + bearing_entries)) + more,
      {}, ranks);
}
Table ring(const std::string &bearing_entries, const int lobes, const int ranks = 1)
{
  const Folder folder;
  const Outcome run =
      run_ring(folder, bearing_entries, lobes, rotation() + campbell(0.1, 0.3, 3, "set Modes = 8\nset Frame = fixed"), ranks);
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  return table_of(folder / stem + ".csv");
}
}  // namespace

/// A solid on its mesh, with the stress of the rotation: the waves of all nodal diameters.
TEST(RotorSolid, SolidInBothFrames)
{
  const std::string oil = "set Stiffness = 0.05\nset Damping = 0.02";
  const Table rotating = ring(oil, 0), fixed = ring("set Frame = fixed\n" + oil, 0);
  expect_same(rotating, fixed, {0.1, 0.2, 0.3}, 1e-6);
}

/// Rings of nodes that two ranks share.
TEST(RotorSolid, SolidOnRanks)
{
  const std::string oil = "set Frame = fixed\nset Stiffness = 0.05, 0.01, -0.02, 0.07\nset Damping = 0.02";
  expect_same(ring(oil, 0), ring(oil, 0, 2), {0.1, 0.2, 0.3}, 1e-6);
}

/// Pressure on a rim is the same after a turn; one that grows along x is not.
TEST(RotorSolid, LoadsThatFollow)
{
  const auto map = [](const std::string &pressure) {
    return rotation() + section("Loads", section("push", "set Type = pressure\nset Boundary = rim\nset Pressure = " + pressure)) +
           stages(section("load", "set Type = static\nset Loads = push") +
                  section("map", "set Type = campbell\nset Speeds = 0.1, 0.2\nset Points = 2\nset Modes = 2\nset Frame = fixed"));
  };
  const std::string oil = "set Frame = fixed\nset Stiffness = 0.05, 0, 0, 0.07";
  const Folder even, uneven;
  EXPECT_EQ(run_ring(even, oil, 0, map("1e-3"), 1).exit_code, 0);
  const Outcome refused = run_ring(uneven, oil, 0, map("1e-3*(1 + x)"), 1);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.terminal.find("load 'push' follows the body, and beside a bearing of Frame = fixed ("), std::string::npos)
      << refused.terminal;
}
}  // namespace symdyn::tests::in_rotor
