#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "solver/base/sha256.h"
#include "tests/linear_decks.h"

// Mesh/File = part.geo: meshes that Gmsh makes.
namespace symdyn::tests::in_geometry_mesh
{
namespace
{
namespace fs = std::filesystem;

const std::string block =
    "SetFactory(\"OpenCASCADE\");\n"
    "DefineConstant[ L = {1, Name \"Length, of the block\"}, h = 0.5 ]; // w = 3\n"
    "Box(1) = {0, 0, 0, L, 1, 0.2};\n"
    "Physical Volume(\"body\") = {1};\n"
    "Physical Surface(\"root\") = {1};\n"
    "Mesh.CharacteristicLengthMax = h;\n";

std::string deck(const std::string &file, const std::string &parameters)
{
  return section("Mesh", "set Type = file\nset File = " + file + (parameters.empty() ? "" : "\nset Parameters = " + parameters)) +
         elastic(1e6, 0.3, 1000.) + section("Supports", section("root", "set Boundary = root\nset Type = fixed")) +
         stages(section("rest", "set Type = static"));
}

/// A folder with a geometry, and a place for meshes of its own.
class Geometries : public testing::Test
{
protected:
  void SetUp() override
  {
    if (std::system("gmsh --version >/dev/null 2>&1") != 0)
      GTEST_SKIP() << "the program gmsh is not here (apt-get install gmsh)";
    std::ofstream(folder / "part.geo") << block;
    fs::create_directory(folder / "meshes");
  }

  Outcome symdyn(const std::string &what, const std::string &text, const std::string &environment = "", const std::string &launcher = "")
  {
    std::ofstream(folder / "deck.prm") << text;
    return command(folder, fmt::format("XDG_CACHE_HOME={0}/meshes {1} {2} " SYMDYN_BINARY " {3} {0}/deck.prm", folder.path, environment,
                                       launcher, what));
  }
  void expect_mass(const std::string &parameters, const std::string &mass)
  {
    const Outcome check = symdyn("check", deck("part.geo", parameters));
    EXPECT_EQ(check.exit_code, 0) << check.terminal;
    EXPECT_NE(check.terminal.find("mass " + mass + " kg"), std::string::npos) << check.terminal;
  }
  void expect_error(const std::string &text, const std::vector<std::string> &parts, const std::string &environment = "")
  {
    const Outcome check = symdyn("check", text, environment);
    EXPECT_EQ(check.exit_code, 1) << check.terminal;
    for (const std::string &part : parts)
      EXPECT_NE(check.terminal.find(part), std::string::npos) << "'" << part << "' is not in:\n" << check.terminal;
  }
  std::vector<std::string> meshes() const
  {
    std::vector<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(folder / "meshes"))
      if (entry.is_regular_file())
        names.push_back(entry.path().string());
    return names;
  }

  const Folder folder;
};

TEST_F(Geometries, HaveTheirParametersAndStayInTheFolderOfCaches)
{
  expect_mass("", "200");
  expect_mass("L 2, h 0.25", "400");
  std::vector<std::string> made = meshes();
  ASSERT_EQ(made.size(), 2u);
  const auto inode = [](const std::string &file) {
    struct stat found
    {
    };
    return stat(file.c_str(), &found) == 0 ? found.st_ino : 0;
  };
  const auto first = inode(made[0]), second = inode(made[1]);
  expect_mass("L 2, h 0.25", "400");
  EXPECT_EQ(meshes(), made);
  EXPECT_EQ(inode(made[0]), first) << "they are not made again";
  EXPECT_EQ(inode(made[1]), second);
  std::set<std::string> beside;
  for (const auto &entry : fs::directory_iterator(folder.path))
    beside.insert(entry.path().filename());
  EXPECT_EQ(beside.count("deck.prm") + beside.count("part.geo") + beside.count("meshes"), 3u);
  for (const std::string &name : beside)
    EXPECT_NE(fs::path(name).extension(), ".msh") << name;
  std::ofstream(folder / "part.geo") << block << "// another\nTranslate {5, 0, 0} { Volume{1}; }\n";
  expect_mass("L 2, h 0.25", "400");
  EXPECT_EQ(meshes().size(), 3u) << "the geometry has changed";
}

/// A file that a geometry includes is a part of it. What was not used for 30 days goes when another mesh is made, not before.
TEST_F(Geometries, FollowWhatTheyIncludeAndAreRemovedWhenTheyAreNotUsed)
{
  std::ofstream(folder / "size.geo") << "DefineConstant[ L = 1 ];\n";
  std::ofstream(folder / "part.geo") << "Include \"size.geo\";\n"
                                     << block.substr(0, block.find("DefineConstant")) << "h = 0.5;\n"
                                     << block.substr(block.find("Box"));
  expect_mass("", "200");
  const std::vector<std::string> first = meshes();
  ASSERT_EQ(first.size(), 1u);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(24 * 31);
  fs::last_write_time(first[0], long_ago);
  expect_mass("", "200");
  EXPECT_GT(fs::last_write_time(first[0]), long_ago) << "it is used";
  std::ofstream(folder / "size.geo") << "DefineConstant[ L = 3 ];\n";
  expect_mass("", "600");
  EXPECT_EQ(meshes().size(), 2u);
  fs::last_write_time(first[0], long_ago);
  expect_mass("", "600");
  EXPECT_EQ(meshes().size(), 2u) << "none is made";
  expect_mass("L 2", "400");
  const std::vector<std::string> last = meshes();
  EXPECT_EQ(last.size(), 2u);
  EXPECT_EQ(std::count(last.begin(), last.end(), first[0]), 0);
}

/// One rank alone calls Gmsh.
TEST_F(Geometries, RunOnRanksWithTheirSumInTheCertificate)
{
  fs::create_directory(folder / "bin");
  const std::string calls = folder / "calls", program = folder / "bin/gmsh";
  std::ofstream(program) << "#!/bin/sh\necho \"$@\" >> " << calls << "\nPATH=${PATH#*:}\nexec gmsh \"$@\"\n";
  fs::permissions(program, fs::perms::owner_all);
  const auto calls_of = [&](const std::string &launcher) {
    std::ofstream(calls) << "";
    const Outcome run = symdyn("run --quiet --overwrite --output " + folder.path + "/results", deck("part.geo", "L 2"),
                               "PATH=" + folder.path + "/bin:$PATH", launcher);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    const std::string all = text_of(calls);
    return std::count(all.begin(), all.end(), '\n');
  };
  EXPECT_EQ(calls_of("mpirun --oversubscribe --allow-run-as-root -n 2"), 2) << "--version, and the mesh";
  EXPECT_EQ(calls_of(""), 1) << "the mesh is there";
  const std::string summary = text_of(folder / "results/summary.json");
  EXPECT_NE(summary.find(sha256_of(folder / "part.geo")), std::string::npos) << summary;
  EXPECT_EQ(meshes().size(), 1u);
}

TEST_F(Geometries, FaultsNameTheEntryAndTheWayOut)
{
  expect_error(deck("part.geo", "L 2, b 3"),
               {"deck.prm:4", "Parameters = L 2, b 3", "does not define b by DefineConstant; it defines L, h"});
  expect_error(deck("part.geo", "w 3"), {"does not define w"});
  expect_error(deck("part.geo", "L"), {"'L' is no name with a number. Write them as in L 2, r 0.1"});
  expect_error(deck("part.geo", "L 2 m"), {"'L 2 m' is no name with a number"});
  expect_error(deck("part.geo", "L 2, L 3"), {"L is given twice"});
  expect_error(deck("none.geo", ""), {"deck.prm:3 [Mesh] File = none.geo", "cannot be read"});
  std::ofstream(folder / "file") << "";
  expect_error(deck("part.geo", ""),
               {"deck.prm:3 [Mesh] File = part.geo", "is no folder of yours that can be written", "set XDG_CACHE_HOME"},
               "XDG_CACHE_HOME=" + folder.path + "/file");
  std::ofstream(folder / "fixed.geo") << block << "L = 7;\n";
  expect_error(deck("fixed.geo", "L 2"), {"fixed.geo", "sets L = 7 itself, in spite of the parameter L 2"});
  std::ofstream(folder / "bad.geo") << block << "Box(2) = {0, 0;\n";
  expect_error(deck("bad.geo", ""), {"deck.prm:3 [Mesh] File = bad.geo", "gmsh makes no mesh of it", "bad.geo:7: syntax error"});
  std::ofstream(folder / "empty.geo") << "";
  expect_error(deck("empty.geo", ""), {"deck.prm:3 [Mesh] File = empty.geo", "gmsh makes a mesh without cells of it", "-3 -o part.msh"});
  std::ofstream(folder / "line.geo") << "Point(1) = {0, 0, 0, 1};\nPoint(2) = {1, 0, 0, 1};\nLine(1) = {1, 2};\n";
  expect_error(deck("line.geo", ""), {"gmsh makes a mesh without cells of it"});
  expect_error(deck("bad.geo", "L 2"), {"-3 -setnumber L 2 -o part.msh"});
  expect_error(deck("part.geo", ""),
               {"the program gmsh, which makes the mesh of a .geo file, is not found", "apt-get install gmsh", "-3 -o part.msh"},
               "PATH=/nowhere");
  expect_error(section("Mesh", "set Type = file\nset File = part.msh\nset Parameters = L 2"), {"part.msh is no geometry of Gmsh (.geo)"});
  expect_error(section("Mesh", "set Type = box\nset Parameters = L 2"), {"Parameters = L 2: has no effect with Type = box"});
  EXPECT_TRUE(meshes().empty());
}

TEST_F(Geometries, OfSurfacesBecomeShells)
{
  std::ofstream(folder / "plate.geo")
      << "DefineConstant[ L = 1 ];\nPoint(1) = {0, 0, 0, 0.5};\n"
         "Extrude {L, 0, 0} { Point{1}; Layers{2}; }\nExtrude {0, 0, 1} { Curve{1}; Layers{2}; Recombine; }\n"
         "Physical Surface(\"skin\") = {5};\nPhysical Curve(\"root\") = {1};\n";
  const Outcome check =
      symdyn("check", "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = plate.geo\nset Parameters = L 3") +
                          elastic(1e6, 0.3, 1000.) + section("Shells", section("skin", "set Thickness = 0.01\nset Material = stuff")) +
                          section("Supports", section("root", "set Boundary = root\nset Type = fixed")) +
                          stages(section("rest", "set Type = static")));
  EXPECT_EQ(check.exit_code, 0) << check.terminal;
  EXPECT_NE(check.terminal.find("area 3 m^2"), std::string::npos) << check.terminal;
}
}  // namespace
}  // namespace symdyn::tests::in_geometry_mesh
