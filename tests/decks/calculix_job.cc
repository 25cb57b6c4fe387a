// symdyn-ccx: the program that front-ends start in the place of CalculiX, and its files.
#include <cmath>
#include <fstream>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_calculix_job
{
namespace
{
struct Frd
{
  struct Dataset
  {
    std::string name;
    double time = 0;
    int step = 0;
    std::map<long, std::vector<double>> values;
  };
  std::map<long, std::vector<long>> elements;  ///< kind, nodes
  std::size_t nodes = 0;
  std::vector<Dataset> datasets;

  explicit Frd(const std::string &file)
  {
    std::ifstream in(file);
    std::string part;
    double time = 0;
    int step = 0;
    long element = 0;
    for (std::string line; std::getline(in, line);)
    {
      const std::string key = line.substr(0, 6), mark = line.substr(0, 3);
      if (key == "    2C" || key == "    3C")
        part = key;
      else if (line.rfind("    1PSTEP", 0) == 0)
        step = std::stoi(line.substr(48));
      else if (line.rfind("  100CL", 0) == 0)
        time = std::stod(line.substr(12, 12));
      else if (mark == " -4")
      {
        datasets.push_back({line.substr(5, line.find(' ', 5) - 5), time, step, {}});
        part = "field";
      }
      else if (mark == " -1" && part == "    2C")
        ++nodes;
      else if (mark == " -1" && part == "    3C")
        elements[element = std::stol(line.substr(3, 10))] = {std::stol(line.substr(13, 5))};
      else if (mark == " -2" && part == "    3C")
        for (std::size_t at = 3; at < line.size(); at += 10)
          elements[element].push_back(std::stol(line.substr(at, 10)));
      else if (mark == " -1" && part == "field")
        for (std::size_t at = 13; at < line.size(); at += 12)
          datasets.back().values[std::stol(line.substr(3, 10))].push_back(std::stod(line.substr(at, 12)));
      else if (mark == " -3")
        part.clear();
    }
  }
  const Dataset &of(const std::string &name, std::size_t number = 0) const
  {
    for (const Dataset &one : datasets)
      if (one.name == name && number-- == 0)
        return one;
    throw std::out_of_range(name);
  }
};

Outcome ccx(const Folder &folder, const std::string &words)
{
  return command(folder, "cd " + folder.path + " && " + SYMDYN_BINARY + "-ccx " + words);
}

const std::string cube =
                      "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
                      "*ELEMENT, TYPE=C3D8, ELSET=E\n7,1,2,3,4,5,6,7,8\n",
                  steel =
                      "*MATERIAL,NAME=M\n*ELASTIC\n210000,.3\n*DENSITY\n7.8e-9\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
                      "*BOUNDARY\n1,1,3\n2,2,3\n4,3,3\n4,1,1\n",
                  load = "*CLOAD\n5,3,10\n6,3,10\n7,3,10\n8,3,10\n";
}  // namespace

/// Displacements, stresses, strains, forces and energies of one brick, and its first mode, as CalculiX 2.20 writes them.
TEST(CalculixJob, NumbersOfCalculix)
{
  const Folder folder;
  write_file(folder, "job.inp",
             cube + steel + "*STEP\n*STATIC\n" + load + "*NODE FILE\nU,RF\n*EL FILE\nS,E,ENER,ZZS\n*NODE PRINT, NSET=ALL\nU\n*END STEP\n" +
                 "*STEP\n*FREQUENCY\n2\n*END STEP\n");
  const Outcome run = ccx(folder, "-i job");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(has(run.terminal, "*WARNING in symdyn: ZZS is not written into job.frd"), "");
  EXPECT_EQ(has(run.terminal, "Job finished"), "");
  const Frd frd(folder / "job.frd");
  EXPECT_EQ(frd.nodes, 8u);
  EXPECT_EQ(frd.elements.at(7), (std::vector<long>{1, 1, 2, 3, 4, 5, 6, 7, 8}));
  const auto expect_row = [&](const char *name, const long node, const std::vector<double> &row, const double tolerance) {
    const auto &values = frd.of(name).values.at(node);
    ASSERT_EQ(values.size(), row.size()) << name;
    for (std::size_t c = 0; c < row.size(); ++c)
      EXPECT_NEAR(values[c], row[c], tolerance) << name << c;
  };
  expect_row("DISP", 3, {4.38934e-5, 4.38934e-5, 1.79766e-3}, 1e-8);
  expect_row("STRESS", 2, {32.7692, 65.4113, 154.542, 16.3213, 69.1773, -56.2760}, 4e-3);
  expect_row("TOSTRAIN", 7, {-9.46676e-5, -9.46676e-5, -2.35890e-4, -1.80901e-4, -5.68145e-5, -5.68145e-5}, 2e-8);
  expect_row("FORC", 2, {0., -3.41969, -20.}, 2e-5);
  expect_row("ENER", 5, {-1.20938e-2}, 2e-6);
  EXPECT_EQ(frd.of("DISP").time, 1.);
  // The cards of files stay in force in the next step; the time of a mode is its frequency.
  EXPECT_NEAR(frd.of("DISP", 1).time, 241524.808, 0.1);
  EXPECT_EQ(frd.of("DISP", 1).step, 2);
  EXPECT_NEAR(std::abs(frd.of("DISP", 1).values.at(3)[2]), 1.89040e4, 1.);
  EXPECT_NEAR(frd.of("DISP", 2).time, 528752.895, 0.2);
  // The table of the input alone, in both steps; the increments.
  const std::string dat = text_of(folder / "job.dat");
  EXPECT_EQ(has(dat, "displacements (vx,vy,vz) for set ALL and time  0.1000000E+01"), "");
  EXPECT_EQ(has(dat, "E I G E N V A L U E   O U T P U T"), "");
  EXPECT_EQ(dat.find("SYMDYN"), std::string::npos);
  const Folder plain;  // as without a file of results
  ASSERT_EQ(run_deck(plain, folder / "job.inp").exit_code, 0);
  EXPECT_EQ(dat, text_of(plain / "results/job.dat"));
  EXPECT_NE(dat.find("for set ALL", dat.find("N U M B E R     2")), std::string::npos) << "it stays in force";
  EXPECT_EQ(has(text_of(folder / "job.sta"), "     1          1     1     1  1.000000E+00"), "");
  EXPECT_TRUE(std::filesystem::exists(folder / "job.cvg"));
  EXPECT_TRUE(std::filesystem::exists(folder / "job.symdyn/results/solution.pvd"));
}

/// Displacements x² have stresses that are linear in x, with nu = 0: exact at all nodes of each element of second order.
TEST(CalculixJob, LinearStressesAtNodes)
{
  using Nodes = std::vector<std::array<double, 3>>;
  const Nodes hex{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}},
      tet{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, wedge{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {0, 2, 2}};
  using Middles = std::vector<std::pair<int, int>>;
  const Middles of_hex{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
      of_tet{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
      of_wedge{{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
  // In files of results vertical middles stand before those of the top.
  const std::vector<long> wedge_order{1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 10, 11, 12};
  for (const auto &[type, corners, middles] :
       {std::tuple{"C3D20", hex, of_hex}, {"C3D20R", hex, of_hex}, {"C3D10", tet, of_tet}, {"C3D15", wedge, of_wedge}})
  {
    Nodes nodes = corners;
    for (const auto &[i, j] : middles)
      nodes.push_back({(corners[i][0] + corners[j][0]) / 2, (corners[i][1] + corners[j][1]) / 2, (corners[i][2] + corners[j][2]) / 2});
    std::string text = "*NODE\n", moves;
    std::string element = fmt::format("*ELEMENT, TYPE={}, ELSET=E\n1", type);
    for (std::size_t k = 0; k < nodes.size(); ++k)
    {
      text += fmt::format("{},{},{},{}\n", k + 1, nodes[k][0], nodes[k][1], nodes[k][2]);
      element += fmt::format("{}{}", k == 10 ? ",\n" : ",", k + 1);
      moves += fmt::format("{0},1,1,{1:.17g}\n{0},2,3,0\n", k + 1, 1e-3 * nodes[k][0] * nodes[k][0]);
    }
    const Folder folder;
    write_file(folder, "job.inp",
               text + element + "\n*MATERIAL,NAME=M\n*ELASTIC\n1000,0\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*STEP\n*STATIC\n*BOUNDARY\n" +
                   moves + "*EL FILE\nS\n*END STEP\n");
    const Outcome run = ccx(folder, "job.inp");
    ASSERT_EQ(run.exit_code, 0) << type << run.terminal;
    const Frd frd(folder / "job.frd");
    const auto &stress = frd.of("STRESS").values;
    ASSERT_EQ(stress.size(), nodes.size()) << type;
    for (std::size_t k = 0; k < nodes.size(); ++k)
    {
      EXPECT_NEAR(stress.at(long(k) + 1)[0], 2. * nodes[k][0], 2e-4) << type << " node " << k + 1;
      EXPECT_NEAR(stress.at(long(k) + 1)[1], 0., 1e-4) << type;
    }
    if (std::string(type) == "C3D15")
    {
      EXPECT_EQ(std::vector<long>(frd.elements.at(1).begin() + 1, frd.elements.at(1).end()), wedge_order);
    }
  }
}

/// Both parts of a steady vibration, and the nodes of a shell.
TEST(CalculixJob, VibrationsAndShells)
{
  const Folder folder;
  write_file(
      folder, "job.inp",
      "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n*ELEMENT, TYPE=S4, ELSET=E\n1,1,2,3,4\n*MATERIAL,NAME=M\n*ELASTIC\n"
      "210e9,.3\n*DENSITY\n7800\n*SHELL SECTION,ELSET=E,MATERIAL=M\n0.01\n*BOUNDARY\n1,1,6\n4,1,6\n*STEP\n*STATIC\n*CLOAD\n2,3,1\n"
      "*NODE FILE, OUTPUT=2D\nU\n*EL FILE\nS\n*END STEP\n*STEP\n*FREQUENCY\n2\n*END STEP\n*STEP\n*STEADY STATE DYNAMICS\n1,5,2\n*MODAL "
      "DAMPING\n1,2,0.05\n*CLOAD\n3,3,1\n*END STEP\n");
  const Outcome run = ccx(folder, "-i job");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const Frd frd(folder / "job.frd");
  EXPECT_EQ(frd.elements.at(1), (std::vector<long>{9, 1, 2, 3, 4}));
  EXPECT_GT(frd.of("DISP").values.at(2)[2], 0.);
  EXPECT_THROW(frd.of("STRESS"), std::out_of_range);
  const auto &imaginary = frd.of("DISPI");
  EXPECT_EQ(imaginary.step, 3);
  EXPECT_LT(imaginary.values.at(3)[2], 0.) << "it lags";
}

/// Places in errors are those of the input, also behind the sets of ours and in included files; nothing is left of a job that failed.
TEST(CalculixJob, ErrorsOfTheInput)
{
  const Folder folder;
  const Outcome none = ccx(folder, "-i gone");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_EQ(has(none.terminal, "*ERROR in symdyn: gone.inp: there is no such file"), "");
  const Outcome bare = ccx(folder, "");
  EXPECT_EQ(has(bare.terminal, "*ERROR in symdyn: symdyn-ccx needs the name of a job"), "");
  EXPECT_EQ(has(bare.terminal, "CalculiX"), "") << "FreeCAD looks for this name when it starts the program without words";
  EXPECT_EQ(has(ccx(folder, "-v").terminal, "in the place of CalculiX"), "");
  write_file(folder, "mesh.inc", cube);
  const std::string before = "*INCLUDE, INPUT=mesh.inc\n" + steel + "*STEP\n*STATIC\n" + load + "*NODE FILE\nU\n*END STEP\n";
  write_file(folder, "job.inp", before);
  ASSERT_EQ(ccx(folder, "-i job").exit_code, 0);
  ASSERT_TRUE(std::filesystem::exists(folder / "job.frd"));
  write_file(folder, "job.inp", before + "*STEP\n*STATIC\n*VISCOUS FLOW\n*END STEP\n");
  const Outcome wrong = ccx(folder, "-i job");
  EXPECT_EQ(wrong.exit_code, 1);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  EXPECT_EQ(has(wrong.terminal, fmt::format("*ERROR in symdyn: job.inp:{}: *VISCOUS FLOW", lines + 3)), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "job.frd")) << "that of the run before is no answer";
  write_file(folder, "mesh.inc", cube + "9,1,2,x\n");
  EXPECT_EQ(has(ccx(folder, "-i job").terminal, "mesh.inc:12: 'x' is no whole number"), "");
}

/// *NO ANALYSIS: the model is checked and nothing is computed, by both programs. Loads and supports are checked, too.
TEST(CalculixJob, NoAnalysisIsACheck)
{
  const Folder folder;
  const std::string step = "*STEP\n*NO ANALYSIS\n" + load + "*NODE FILE\nU\n*NODE PRINT, NSET=ALL\nU\n*END STEP\n";
  write_file(folder, "job.inp", cube + steel + step);
  const Outcome run = command(folder, std::string(SYMDYN_BINARY) + " run " + (folder / "job.inp") + " --output " + (folder / "results"));
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(has(run.terminal, "job.inp: Check only = yes: the model is valid, and nothing was computed"), "");
  EXPECT_EQ(has(run.terminal, "cell group"), "") << "the summary of symdyn check";
  EXPECT_FALSE(std::filesystem::exists(folder / "results"));
  const Outcome job = ccx(folder, "-i job");
  ASSERT_EQ(job.exit_code, 0) << job.terminal;
  EXPECT_EQ(has(job.terminal, "nothing was computed"), "");
  const Frd frd(folder / "job.frd");
  EXPECT_EQ(frd.nodes, 8u) << "the mesh, as CalculiX writes it";
  EXPECT_TRUE(frd.datasets.empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "job.dat"));
  write_file(folder, "job.inp", cube + steel + "*STEP\n*NO ANALYSIS\n*CLOAD\n99,3,1.\n*END STEP\n");
  const Outcome wrong = ccx(folder, "-i job");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "99"), "");
}

/// Labels of history.csv are those of the unit system that a front-end writes; tables of surfaces go into JOB.dat.
TEST(CalculixJob, UnitsAndSections)
{
  const Folder folder;
  const std::string heading = "*Heading\nHash: xf2VM4mZ, Date: 05/19/2026, Unit system: MM_TON_S_C\n",
                    step = "*SURFACE, NAME=Top\n7, S2\n*STEP\n*STATIC\n" + load +
                           "*NODE FILE\nU\n*SECTION PRINT, SURFACE=TOP, NAME=s\nSOF, SOM, SOAREA\n*END STEP\n";
  for (const auto &[text, unit] : {std::pair{heading + cube + steel + step, std::string("mJ")}, {cube + steel + step, std::string("1")}})
  {
    write_file(folder, "job.inp", text);
    const Outcome run = ccx(folder, "-i job");
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    EXPECT_EQ(has(text_of(folder / "job.symdyn/results/history.csv"), "E_total [" + unit + "]"), "");
    EXPECT_EQ(has(text_of(folder / "job.dat"), "\n statistics for surface set Top and time  0.1000000E+01\n\n   total surface force"), "");
    EXPECT_EQ(Frd(folder / "job.frd").of("DISP").values.size(), 8u);
  }
}
}  // namespace symdyn::tests::in_calculix_job
