// `symdyn mesh`: meshes of other programs, by meshio where it is installed.
#include <gtest/gtest.h>

#include "tests/run.h"

namespace symdyn::tests::in_convert_mesh
{
namespace
{
const std::string binary = SYMDYN_BINARY, meshes = SYMDYN_SOURCE "/tests/meshes/";

/// A mesh with a set of nodes, and two sets of cells that have one in common, as meshio writes it for FLAC3D.
const std::string two_cells =
    "* a mesh\n* GRIDPOINTS\nG 1 0 0 0\nG 2 1 0 0\nG 3 1 1 0\nG 4 0 1 0\nG 5 0 0 1\nG 6 1 0 1\nG 7 1 1 1\nG 8 0 1 1\nG 9 0 0 2\nG 10 1 0 2\nG 11 1 1 2\n"
    "G 12 0 1 2\n* ZONES\nZ B8 1 1 2 4 5 3 8 6 7\nZ B8 2 5 6 8 9 7 12 10 11\n";

class ConvertMesh : public ::testing::Test
{
protected:
  Outcome convert(const std::string &words) const { return command(folder, "exec " + binary + " mesh " + words); }
  /// Of Python itself, so that a command that fails is no reason to skip.
  bool has_meshio() const { return command(folder, "python3 -c 'import meshio'").exit_code == 0; }
  /// What symdyn says of the boundaries and groups of a mesh.
  std::string sets(const std::string &file) const
  {
    std::filesystem::remove(folder / "look.prm");
    EXPECT_EQ(command(folder, binary + " new " + (folder / "look") + " --from " + file).exit_code, 0);
    std::istringstream in(text_of(folder / "look.prm"));
    std::string all;
    for (std::string line; std::getline(in, line);)
      if (line.rfind("#     ", 0) == 0)
        all += line + "\n";
    return all;
  }
  Folder folder;
};
}  // namespace

TEST_F(ConvertMesh, SetsOfCellsSurviveNightly)
{
  if (!has_meshio())
    GTEST_SKIP() << "meshio is not installed";
  for (const std::string mesh : {"cube_hexahedra_41.msh", "ring_hex20.msh", "ball_tet10.msh", "square_triangles_41.msh"})
  {
    const Outcome written = convert(meshes + mesh + " " + (folder / mesh));
    ASSERT_EQ(written.exit_code, 0) << written.terminal;
    if (mesh != "ball_tet10.msh")
    {
      EXPECT_EQ(has(written.terminal, " cells"), "");
    }
    EXPECT_EQ(sets(folder / mesh), sets(meshes + mesh)) << mesh;
  }
  EXPECT_NE(sets(meshes + "ring_hex20.msh"), sets(meshes + "ball_tet10.msh")) << "what is compared differs between meshes";
}

TEST_F(ConvertMesh, SetsThatWouldBeLostAreErrorsNightly)
{
  if (!has_meshio())
    GTEST_SKIP() << "meshio is not installed";
  const std::string in = write_file(folder, "two.f3grid", two_cells + "ZGROUP \"lower\" SLOT 1\n1\nZGROUP \"all\" SLOT 2\n1 2\n"),
                    out = folder / "two.msh";
  const Outcome lost = convert(in + " " + out);
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_EQ(has(lost.terminal, "cells are in the sets zone:all:2 and zone:lower:1"), "");
  EXPECT_FALSE(std::filesystem::exists(out));
  const Outcome without = convert(in + " " + out + " --without zone:all:2");
  EXPECT_EQ(without.exit_code, 0) << without.terminal;
  EXPECT_EQ(has(without.terminal, "zone:lower:1: 1 cells"), "");
  const Outcome broken = convert(write_file(folder, "broken.vtu", "no mesh") + " " + (folder / "b.msh"));
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_EQ(has(broken.terminal, "broken.vtu: meshio"), "");
}

TEST_F(ConvertMesh, BadInput)
{
  const std::string vtk = meshes + "cube_tetrahedra.vtk", out = folder / "out.msh";
  write_file(folder, "there.msh", "");
  for (const auto &[words, said] :
       std::vector<std::pair<std::string, std::string>>{{vtk + " " + (folder / "out.vtk"), "out.vtk: a mesh is written as .msh"},
                                                        {meshes + "cube_tetrahedra.inp " + out, "symdyn reads this file itself"},
                                                        {(folder / "none.med") + " " + out, "none.med: there is no such file"},
                                                        {vtk + " " + (folder / "there.msh"), "there.msh: exists"}})
  {
    const Outcome outcome = convert(words);
    EXPECT_EQ(outcome.exit_code, 1) << words;
    EXPECT_EQ(has(outcome.terminal, said), "");
  }
  const std::string bare = write_file(folder, "python", "#!/bin/sh\nexit 3\n");
  std::filesystem::permissions(bare, std::filesystem::perms::owner_all);
  const Outcome without = command(folder, "SYMDYN_PYTHON=" + bare + " " + binary + " mesh " + vtk + " " + out);
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_EQ(has(without.terminal, "symdyn mesh needs a Python with meshio: apt-get install python3-meshio"), "");
  EXPECT_FALSE(std::filesystem::exists(out + ".part"));
}
}  // namespace symdyn::tests::in_convert_mesh
