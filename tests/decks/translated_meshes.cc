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

/// Medit's references are numbers of faces and of cells, of which some are the same.
TEST_F(ConvertMesh, GroupsWithNumbersAloneSurviveNightly)
{
  if (!has_meshio())
    GTEST_SKIP() << "meshio is not installed";
  const std::string
      nodes =
          "MeshVersionFormatted 2\nDimension\n3\nVertices\n12\n0 0 0 0\n1 0 0 0\n1 1 0 0\n0 1 0 0\n0 0 1 0\n1 0 1 0\n1 1 1 0\n0 1 1 0\n"
          "0 0 2 0\n1 0 2 0\n1 1 2 0\n0 1 2 0\n",
      cells = "Hexahedra\n2\n1 2 3 4 5 6 7 8 ", end = "Quadrilaterals\n2\n1 4 3 2 1\n9 10 11 12 5\nEnd\n", out = folder / "two.msh";
  const Outcome written = convert(write_file(folder, "two.mesh", nodes + cells + "1\n5 6 7 8 9 10 11 12 3\n" + end) + " " + out);
  ASSERT_EQ(written.exit_code, 0) << written.terminal;
  for (const char *part : {"  1: 1 cells\n", "  3: 1 cells\n", "  5: 1 cells\n"})
    EXPECT_EQ(has(written.terminal, part), "");
  const std::string found = sets(out);
  for (const char *part : {" 1  (1 faces", " 5  (1 faces"})
    EXPECT_EQ(has(found, part), "");
  EXPECT_EQ(has(text_of(folder / "look.prm"), "  subsection 3\n"), "") << "a material of each group of cells";
  const Outcome negative =
      convert(write_file(folder, "minus.mesh", nodes + cells + "-1\n5 6 7 8 9 10 11 12 3\n" + end) + " " + (folder / "m.msh"));
  EXPECT_EQ(negative.exit_code, 1);
  EXPECT_EQ(has(negative.terminal, "medit:ref has the negative number -1"), "");
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
