// `symdyn new NAME --from MESH`: decks that run as they are written.
#include <gtest/gtest.h>

#include "tests/run.h"

namespace symdyn::tests::in_new_deck
{
namespace
{
const std::string binary = SYMDYN_BINARY, meshes = SYMDYN_SOURCE "/tests/meshes/";

/// Writes a deck for a mesh in the folder, and runs it.
Outcome run_of(const Folder &folder, const std::string &mesh, const std::string &stage = "")
{
  std::filesystem::copy_file(meshes + mesh, folder / mesh);
  const Outcome written =
      command(folder, binary + " new " + (folder / "mine") + " --from " + (folder / mesh) + (stage.empty() ? "" : " --stage " + stage));
  EXPECT_EQ(written.exit_code, 0) << written.terminal;
  return run_deck(folder, folder / "mine.prm");
}

/// Two cubes without a common node, `second` as the second boundary.
std::string two_cubes(const std::string &sets)
{
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=C3D8, ELSET=both\n";
  for (int cube = 0; cube < 2; ++cube)
  {
    for (int n = 0; n < 8; ++n)
      text += std::to_string(8 * cube + n + 1) + ", " + std::to_string(2 * cube + (n % 4 == 1 || n % 4 == 2)) + ", " +
              std::to_string(n % 4 >= 2) + ", " + std::to_string(n / 4) + "\n";
    elements += std::to_string(cube + 1);
    for (int n = 1; n <= 8; ++n)
      elements += ", " + std::to_string(8 * cube + n);
    elements += "\n";
  }
  return text + elements + sets;
}
}  // namespace

/// Of Gmsh and of Abaqus, in 2-D and 3-D, of both orders, with one group and several.
TEST(NewDeck, OfAMeshRunsAsWritten)
{
  for (const std::string mesh : {"cube_hexahedra_41.msh", "cube_tetrahedra.inp", "ring_hex20.msh", "square_triangles_41.msh"})
  {
    const Folder folder;
    const Outcome run = run_of(folder, mesh);
    ASSERT_EQ(run.exit_code, 0) << mesh << run.terminal << text_of(folder / "mine.prm");
    EXPECT_EQ(run.terminal.find("warning"), std::string::npos) << run.terminal;
    const std::string deck = text_of(folder / "mine.prm");
    EXPECT_EQ(has(deck, "  set File = " + (folder / mesh) + "\n"), "");
  }
}

TEST(NewDeck, HasTheBoundariesAndGroupsOfTheMesh)
{
  const Folder folder;
  ASSERT_EQ(run_of(folder, "cube_hexahedra_41.msh").exit_code, 0);
  const std::string deck = text_of(folder / "mine.prm");
  for (const char *part :
       {"#     bottom  (", "#     sides  (", "#     top  (", "  subsection steel\n", "  subsection rubber\n", "    set Boundary = bottom\n",
        "    set Boundary = top\n", "    set Type = fixed\n", "    set Type = traction\n", "    set Type = static\n"})
    EXPECT_EQ(has(deck, part), "");
  std::filesystem::create_directory(folder / "sub");
  const Outcome below = command(folder, "cd " + folder.path + " && exec " + binary + " new sub/mine --from cube_hexahedra_41.msh");
  EXPECT_EQ(below.exit_code, 0) << below.terminal;
  EXPECT_EQ(has(text_of(folder / "sub/mine.prm"), "  set File = ../cube_hexahedra_41.msh\n"), "") << "seen from the deck";
  EXPECT_EQ(deck.find("set Boundary = sides"), std::string::npos) << "top and bottom are further apart";
}

TEST(NewDeck, DynamicAndModes)
{
  const Folder dynamic, modes;
  const Outcome moving = run_of(dynamic, "cube_hexahedra_41.msh", "dynamic");
  ASSERT_EQ(moving.exit_code, 0) << moving.terminal;
  EXPECT_EQ(moving.history.rows(), 51u);
  const Outcome vibrating = run_of(modes, "cube_hexahedra_41.msh", "modes");
  ASSERT_EQ(vibrating.exit_code, 0) << vibrating.terminal;
  EXPECT_TRUE(std::filesystem::exists(modes / "results/modes-modes.csv"));
}

TEST(NewDeck, EachPartIsHeld)
{
  const Folder folder;
  const std::string sides = "*SURFACE, NAME=left\n1, S6\n*SURFACE, NAME=right\n2, S4\n*SURFACE, NAME=inner\n2, S6\n";
  write_file(folder, "two.inp", two_cubes(sides));
  ASSERT_EQ(command(folder, binary + " new " + (folder / "two") + " --from " + (folder / "two.inp")).exit_code, 0);
  const std::string deck = text_of(folder / "two.prm");
  EXPECT_EQ(has(deck, "2 parts without a common node"), "");
  EXPECT_EQ(has(deck, "subsection clamp2\n    set Boundary = inner"), "");
  EXPECT_EQ(run_deck(folder, folder / "two.prm").exit_code, 0);
}

TEST(NewDeck, OneBoundaryIsHeldAndTheBodyIsHeavy)
{
  const Folder folder;
  write_file(folder, "two.inp", two_cubes("*SURFACE, NAME=feet\n1, S1\n2, S1\n"));
  ASSERT_EQ(command(folder, binary + " new " + (folder / "two") + " --from " + (folder / "two.inp")).exit_code, 0);
  EXPECT_EQ(has(text_of(folder / "two.prm"), "set Type = gravity"), "");
  EXPECT_EQ(run_deck(folder, folder / "two.prm").exit_code, 0);
}

/// With srun as a program that notes its words and runs them.
TEST(NewDeck, AJobOfSlurmRunsTheDeckAndGoesOn)
{
  const Folder folder;
  const Outcome written = command(folder, "cd " + folder.path + " && exec " + binary + " new mine --slurm");
  ASSERT_EQ(written.exit_code, 0) << written.terminal;
  EXPECT_EQ(written.terminal, "mine.prm\nmine.slurm\n");
  write_file(folder, "srun",
             "#!/bin/sh\necho \"$@\" >> words\nif [ \"$3\" = --restart ]; then exit 0; fi\nshift 2\nexec " + binary +
                 " run \"$@\" --set 'Mesh/Subdivisions=2, 1, 1' --set 'Output/Checkpoint every=5' --set 'Time/End time=0.2' --quiet\n");
  const std::string job = "cd " + folder.path + " && chmod +x srun && PATH=.:$PATH bash mine.slurm";
  const Outcome first = command(folder, job);
  ASSERT_EQ(first.exit_code, 0) << first.terminal;
  EXPECT_TRUE(std::filesystem::exists(folder / "results/mine/history.csv"));
  write_file(folder, "results/mine/checkpoint", "");
  ASSERT_EQ(command(folder, job).exit_code, 0);
  EXPECT_EQ(text_of(folder / "words"),
            "symdyn run mine.prm --max-wall-time 7000\nsymdyn run --restart results/mine --max-wall-time 7000\n");
  const Outcome again = command(folder, "cd " + folder.path + " && rm mine.prm && exec " + binary + " new mine --slurm");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_EQ(has(again.terminal, "mine.slurm: the file exists"), "");
  const std::string blank = "cd " + folder.path + " && " + binary + " new 'my deck' --slurm && PATH=.:$PATH bash 'my deck.slurm'";
  EXPECT_EQ(command(folder, blank).exit_code, 0);
  EXPECT_EQ(
      has(command(folder, "cd " + folder.path + " && exec " + binary + " new 'a$b' --slurm").terminal, "a shell would not read this name"),
      "");
  EXPECT_FALSE(std::filesystem::exists(folder / "mine.prm")) << "none of the files";
}

TEST(NewDeck, BadInput)
{
  const Folder folder;
  write_file(folder, "bare.inp", two_cubes(""));
  write_file(folder, "comma.inp", two_cubes("*SURFACE, NAME=\"a, b\"\n1, S1\n"));
  for (const auto &[words, said] : std::vector<std::pair<std::string, std::string>>{
           {" --from " + (folder / "none.msh"), "none.msh"},
           {" --from " + (folder / "bare.inp"), "bare.inp: the mesh names no boundary of its cells"},
           {" --from " + (folder / "comma.inp"), "comma.inp: the mesh names no boundary"},
           {" --from " + (folder / "bare.inp") + " --stage fast", "fast"},
           {" --stage dynamic", "--stage dynamic: is of a deck for a mesh. Add --from"}})
  {
    const Outcome outcome = command(folder, binary + " new " + (folder / "x") + words);
    EXPECT_EQ(outcome.exit_code, 1) << words;
    EXPECT_EQ(has(outcome.terminal, said), "");
    EXPECT_FALSE(std::filesystem::exists(folder / "x.prm")) << words;
  }
}
}  // namespace symdyn::tests::in_new_deck
