#include <gtest/gtest.h>

#include "tests/inp_model.h"
#include "tests/parts.h"

// Tables as CalculiX writes them: what they hold, when, and after a restart.
namespace symdyn::tests::in_prints
{
namespace
{
/// A cube of 1 m, E = 1000 Pa, 1 kg/m³, held below; 1 N at each of the upper corners for 5 ms. `deck` as ccx 2.20 was given it.
std::string cube(const std::string &step, const std::string &prints)
{
  return "*NODE, NSET=NALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT, TYPE=C3D8, ELSET=EALL\n1,1,2,3,4,5,6,7,8\n*NSET, NSET=BOT\n1,2,3,4\n"
         "*NSET, NSET=TOP\n5,6,7,8\n*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.\n*DENSITY\n1.\n*SOLID SECTION, ELSET=EALL, MATERIAL=M\n*BOUNDARY\nBOT,1,3\n*STEP, INC=100\n" +
         step + "*CLOAD\nTOP,3,1.\n" + prints + "*END STEP\n";
}

/// The numbers below each title that begins so.
std::vector<std::vector<double>> rows_below(const std::string &text, const std::string &title)
{
  std::vector<std::vector<double>> rows;
  for (std::size_t at = 0; (at = text.find(title, at)) != std::string::npos; ++at)
  {
    const std::size_t start = text.find("\n\n", at) + 2;
    std::istringstream in(text.substr(start, text.find('\n', start) - start));
    rows.emplace_back();
    for (double value = 0; in >> value;)
      rows.back().push_back(value);
  }
  return rows;
}

TEST(Prints, ForcesAreThoseOfCalculix)
{
  // ccx 2.20, *DYNAMIC, DIRECT (alpha = -0.05): displacements of TOP and the sum of RF of BOT and of TOP after 1, .., 5 ms. The forces are
  // those of the strain, E u_z: neither the inertia nor the load of 4 N is in them.
  const std::string deck =
      cube("*DYNAMIC, DIRECT\n0.001,0.005\n",
           "*NODE PRINT, NSET=BOT, TOTALS=ONLY\nRF\n*NODE PRINT, NSET=TOP, TOTALS=ONLY\nRF\n*NODE PRINT, NSET=TOP\nU,V\n");
  const Folder folder;
  const Outcome outcome = run_deck(folder, write_file(folder, "cube.inp", deck));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const std::string tables = text_of(folder / "results/cube.dat");
  const auto below = rows_below(tables, "total force (fx,fy,fz) for set BOT"),
             above = rows_below(tables, "total force (fx,fy,fz) for set TOP"),
             u = rows_below(tables, "displacements (vx,vy,vz) for set TOP"), v = rows_below(tables, "velocities (vx,vy,vz) for set TOP");
  for (const auto *rows : {&below, &above, &u, &v})
    ASSERT_EQ(rows->size(), 5u) << tables;
  constexpr double force_4 = 9.556368e-02, force_5 = 1.489822e-01, v_5 = 5.923477e-02, digits = 2e-6;
  EXPECT_NEAR(below[4][2], -force_5, digits * force_5);
  EXPECT_NEAR(above[4][2], force_5, digits * force_5);
  EXPECT_NEAR(above[3][2], force_4, digits * force_4);
  EXPECT_NEAR(u[4][3], force_5 / 1000., digits * force_5 / 1000.);
  EXPECT_NEAR(v[4][3], v_5, digits * v_5);
  // The columns of the history: F_int is the same, R has the inertia.
  const auto &h = outcome.history;
  double strain = 0, reaction = 0;
  for (const auto &[name, values] : h.columns)
    if (name.size() > 8 && name.compare(name.size() - 8, 8, ".F_int_z") == 0)
    {
      strain += values.back();
      reaction += h.last(name.substr(0, name.size() - 8) + ".R_z");
    }
  EXPECT_NEAR(strain, below[4][2], digits * force_5);
  EXPECT_GT(std::abs(reaction - strain), 0.5 * force_5) << "forces with the inertia would pass, too";
}

TEST(Prints, EveryCountsSteps)
{
  // Rows of history each 10 steps, tables each 4 and at the end.
  const std::string prm = "*NODE PRINT, NSET=TOP, FREQUENCY=4\nU\n";
  const Folder folder;
  const Outcome outcome = run_deck(folder, write_file(folder, "cube.inp", cube("*DYNAMIC, DIRECT\n0.001,0.022\n", prm)),
                                   {"Output/History every=10", "Output/Write every=never"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const std::string tables = text_of(folder / "results/cube.dat");
  std::vector<double> times;
  const std::string title = " and time ";
  for (std::size_t at = 0; (at = tables.find(title, at)) != std::string::npos; ++at)
    times.push_back(std::stod(tables.substr(at + title.size())));
  ASSERT_EQ(times.size(), 6u) << tables;
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(times[i], i < 5 ? 0.004 * double(i + 1) : 0.022, 1e-9);
}

TEST(Prints, GoOnAfterARestart)
{
  // Tables each 3 steps, checkpoints each 7: those before the restart stay, those after the checkpoint are written once, and the count goes
  // on.
  const std::string deck = cube("*DYNAMIC, DIRECT\n0.001,0.020\n",
                                "*NODE PRINT, NSET=TOP, FREQUENCY=3\nU\n*NODE PRINT, NSET=BOT, TOTALS=YES, FREQUENCY=2\nRF\n");
  const Folder straight, split, parts;
  const std::vector<std::string> settings{"Output/Checkpoint every=7"};
  ASSERT_EQ(run_deck(straight, write_file(straight, "cube.inp", deck), settings).exit_code, 0);
  ASSERT_EQ(run_deck(split, write_file(split, "cube.inp", deck), settings).exit_code, 0);
  const std::string whole = text_of(straight / "results/cube.dat");
  EXPECT_EQ(rows_below(whole, "displacements").size(), 7u) << "3, 6, .., 18, 20";
  // The checkpoint of step 14 stays; the run had gone on to 20.
  const Outcome on = tool(split, "run --quiet --restart " + split.path + "/results");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  const Outcome same = tool(split, "compare " + (straight / "results/cube.dat") + " " + (split / "results/cube.dat"));
  EXPECT_EQ(same.exit_code, 0) << same.terminal << whole << text_of(split / "results/cube.dat");
  // A run of restarts.
  const Outcome chain = run_in_parts(parts, write_file(parts, "cube.inp", deck), {}, 7);
  ASSERT_EQ(chain.exit_code, 0) << chain.terminal;
  const Outcome alike = tool(split, "compare " + (straight / "results/cube.dat") + " " + (parts / "results/cube.dat"));
  EXPECT_EQ(alike.exit_code, 0) << alike.terminal;
  // Without its tables a run cannot go on.
  std::filesystem::remove(split / "results/cube.dat");
  const Outcome lost = tool(split, "run --quiet --restart " + split.path + "/results");
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_EQ(has(lost.terminal, "cube.dat: is not the one that the checkpoint goes on with"), "");
}

/// A cantilever of 2 m along x with axes 1 = z, 2 = -y: force and moment at its tip. Its elements have two points (B32), or one.
std::string printed_beam(const std::string &type, const std::string &options)
{
  std::string text = "*NODE\n", elements = "*ELEMENT, ELSET=ARM, TYPE=" + type + "\n";
  for (int i = 0; i <= 8; ++i)
    text += fmt::format("{}, {}, 0., 0.\n", i + 1, 0.25 * i);
  for (int i = 0; i < 8; i += type == "B32" ? 2 : 1)
    elements +=
        type == "B32" ? fmt::format("{}, {}, {}, {}\n", 11 + i, i + 1, i + 2, i + 3) : fmt::format("{}, {}, {}\n", 11 + i, i + 1, i + 2);
  return text + elements +
         "*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.25\n*DENSITY\n8000.\n*BEAM SECTION, ELSET=ARM, MATERIAL=M, SECTION=RECT\n0.02, 0.03\n0., 0., "
         "1.\n*BOUNDARY\n1, 1, 6\n*STEP" +
         options + "\n*STATIC\n*CLOAD\n9, 1, 2.\n9, 2, 0.03\n9, 3, 0.05\n9, 4, 0.3\n*EL PRINT, ELSET=ARM\nSF, S\n*END STEP\n";
}

std::string printed_by(const std::string &deck, std::string *terminal = nullptr, const int ranks = 1)
{
  const Folder folder;
  const Outcome outcome = run_deck(folder, write_file(folder, "model.inp", deck), {}, ranks);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  if (terminal)
    *terminal = outcome.terminal;
  return text_of(folder / "results/model.dat");
}

/// Rows of the one table whose title begins so.
std::vector<std::vector<double>> table_below(const std::string &text, const std::string &title)
{
  std::vector<std::vector<double>> rows;
  const std::size_t at = text.find(title);
  std::istringstream in(at == std::string::npos ? "" : text.substr(text.find("\n\n", at) + 2));
  for (std::string line; std::getline(in, line) && !line.empty();)
  {
    std::istringstream words(line);
    rows.emplace_back();
    for (double value = 0; words >> value;)
      rows.back().push_back(value);
  }
  return rows;
}

/// At each point the force F and the moment (x_tip - x) x F + M of what is behind it, along and about the axes.
TEST(Prints, SectionForcesOfBeams)
{
  for (const std::string type : {"B31", "B32"})
    for (const std::string options : {"", ", NLGEOM"})
    {
      std::string terminal;
      const auto rows =
          table_below(printed_by(printed_beam(type, options), &terminal), "section forces (elem, integ.pnt.,sf1,sf2,sf3,sm1,sm2,sm3)");
      ASSERT_EQ(rows.size(), 8u);
      for (const auto &row : rows)
      {
        ASSERT_EQ(row.size(), 8u);
        const double inside = type == "B31" ? 0.125 : 0.25 * (1. + (row[1] == 1. ? -1. : 1.) / std::sqrt(3.));
        const double left = 2. - 0.25 * (row[0] - 11.) - inside;
        EXPECT_NEAR(row[2], 2., 1e-3);
        EXPECT_NEAR(row[3], -0.03, 1e-3) << "axis 2 is -y";
        EXPECT_NEAR(row[4], 0.05, 1e-3);
        EXPECT_NEAR(row[5], left * 0.03, 1e-3) << "about z";
        EXPECT_NEAR(row[6], left * 0.05, 1e-3) << "about -y";
        EXPECT_NEAR(row[7], 0.3, 1e-3);
      }
    }
}

/// S11 = N/A + xi_1 M1/I1 + xi_2 M2/I2 at the corners of the section, of the moments of the table of SF: SM1 = M2, SM2 = -M1.
TEST(Prints, StressesOfBeams)
{
  constexpr double a = 0.02, b = 0.03, A = a * b, I1 = b * a * a * a / 12., I2 = a * b * b * b / 12.;
  std::string terminal;
  const std::string tables = printed_by(printed_beam("B32", ""), &terminal);
  const auto forces = table_below(tables, "section forces");
  ASSERT_EQ(forces.size(), 8u);
  for (const auto &[corner, x, y] : {std::tuple{1, -0.5, -0.5}, {2, 0.5, -0.5}, {3, 0.5, 0.5}, {4, -0.5, 0.5}})
  {
    const auto rows = table_below(tables, fmt::format("stresses at corner {} (elem, integ.pnt.,s11)", corner));
    ASSERT_EQ(rows.size(), 8u) << tables;
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
      const double exact = forces[i][2] / A - x * a * forces[i][6] / I1 + y * b * forces[i][5] / I2;
      EXPECT_NEAR(rows[i].at(2), exact, 1e-5 * std::abs(forces[i][6] * a / I1)) << corner;
    }
  }
  EXPECT_EQ(table_below(tables, "stresses at corner 5").size(), 0u);
  std::string general = printed_beam("B32", "");
  const std::string section = "*BEAM SECTION, ELSET=ARM, MATERIAL=M, SECTION=RECT\n0.02, 0.03";
  general.replace(general.find(section), section.size(),
                  "*BEAM GENERAL SECTION, ELSET=ARM, MATERIAL=M, SECTION=GENERAL\n6e-4, 4.5e-8, 0., 2e-8, 4.7e-8");
  EXPECT_EQ(table_below(printed_by(general, &terminal), "stresses").size(), 0u);
  EXPECT_EQ(has(terminal, "its shape is not known"), "");
}

/// A strip of 2 m x 1 m along x under forces and moments at its end, nu = 0: N11, M11, Q13, and stresses N/t -+ 6 M/t². Its cells begin at
/// another corner each, and have no ORIENTATION.
std::string printed_strip(const std::string &procedure, const std::string &options)
{
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=S4, ELSET=STRIP\n";
  for (int i = 0; i <= 8; ++i)
    text += fmt::format("{}, {}, 0., 0.\n{}, {}, 1., 0.\n", 2 * i + 1, 0.25 * i, 2 * i + 2, 0.25 * i);
  for (int i = 0; i < 8; ++i)
  {
    const std::array<int, 4> n{2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2};
    elements += fmt::format("{}, {}, {}, {}, {}\n", 30 - i, n[i % 4], n[(i + 1) % 4], n[(i + 2) % 4], n[(i + 3) % 4]);
  }
  return text + elements +
         "*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.\n*DENSITY\n8000.\n*SHELL SECTION, ELSET=STRIP, MATERIAL=M\n0.01\n*BOUNDARY\n1, 1, 6\n2, 1, 6\n*STEP" +
         options + "\n" + procedure + "*EL PRINT, ELSET=STRIP\nSF, S\n*END STEP\n";
}

TEST(Prints, SectionForcesOfShellsOnRanks)
{
  const std::string loads = "*STATIC\n*CLOAD\n17, 1, 50.\n18, 1, 50.\n17, 3, 1.\n18, 3, 1.\n17, 5, -5.\n18, 5, -5.\n";
  for (const std::string options : {"", ", NLGEOM"})
  {
    const std::string tables = printed_by(printed_strip(loads, options));
    const auto forces = table_below(tables, "section forces (elem, integ.pnt.,sf1,sf2,sf3,sf4,sf5,sm1,sm2,sm3)"),
               below = table_below(tables, "stresses at the bottom (elem, integ.pnt.,s11,s22,s12)"),
               above = table_below(tables, "stresses at the top");
    ASSERT_EQ(forces.size(), 32u) << tables;
    ASSERT_EQ(below.size(), 32u);
    ASSERT_EQ(above.size(), 32u);
    EXPECT_EQ(forces.front().at(0), 23.);
    for (std::size_t i = 0; i < forces.size(); ++i)
    {
      const auto &row = forces[i];
      ASSERT_EQ(row.size(), 10u);
      const double M = -2. * (2. - 0.25 * (30. - row[0]) - 0.125) - 10., N = 100.,
                   t = 0.01;  // a cell of S4 has one moment along its length
      const std::vector<double> exact{N, 0., 0., 2., 0., M, 0., 0.};
      for (std::size_t k = 0; k < exact.size(); ++k)
        EXPECT_NEAR(row[2 + k], exact[k], options.empty() ? 1e-4 : 0.4) << k << " of " << row[0] << options;
      EXPECT_NEAR(below[i].at(2), row[2] / t - 6. * row[7] / (t * t), 10.) << i;
      EXPECT_NEAR(above[i].at(2), row[2] / t + 6. * row[7] / (t * t), 10.) << i;
    }
  }
  const auto one = table_below(printed_by(printed_strip(loads, "")), "stresses at the top"),
             two = table_below(printed_by(printed_strip(loads, ""), nullptr, 2), "stresses at the top");
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t k = 0; k < one[i].size(); ++k)
      EXPECT_NEAR(one[i][k], two[i].at(k), 10.) << "ranks";
}

/// Modes of small displacements have section forces; those of steps with NLGEOM do not, with a warning.
TEST(Prints, SectionForcesOfModes)
{
  std::string terminal;
  const std::string modes = "*FREQUENCY\n1\n";
  EXPECT_EQ(table_below(printed_by(printed_strip(modes, "")), "section forces").size(), 32u);
  EXPECT_EQ(table_below(printed_by(printed_strip(modes, ", NLGEOM"), &terminal), "section forces").size(), 0u);
  EXPECT_EQ(has(terminal, "with materials of small displacements only"), "");
}

TEST(Prints, NamesOfFiles)
{
  const std::string prints = "*NODE PRINT, NSET=TOP\nU\n";
  const Folder folder;
  const std::string deck = write_file(folder, "cube.inp", cube("*STATIC\n", prints));
  for (const char *name : {"history.csv", "../cube.dat", ".dat", "/cube.dat", "cube.dat.txt"})
  {
    const Outcome outcome = run_deck(folder, deck, {std::string("Tables/File=") + name});
    EXPECT_EQ(outcome.exit_code, 1) << name;
    EXPECT_EQ(has(outcome.terminal, "must be a name without folders that ends in .dat"), "");
  }
  // Overwritten by a run with another name of its tables.
  ASSERT_EQ(run_deck(folder, deck, {"Tables/File=old.dat"}).exit_code, 0);
  ASSERT_TRUE(std::filesystem::exists(folder / "results/old.dat"));
  write_file(folder, "results/mine.dat", "measured");
  ASSERT_EQ(run_deck(folder, deck).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "results/old.dat"));
  EXPECT_TRUE(std::filesystem::exists(folder / "results/cube.dat"));
  EXPECT_TRUE(std::filesystem::exists(folder / "results/mine.dat"));
}
}  // namespace

namespace
{
const std::string heated_material = "*ELASTIC\n1e5, 0.3\n*EXPANSION, ZERO=20.\n1e-5\n",
                  heated_start = "*BOUNDARY\nROOT, 1, 3\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n5, 40.\n",
                  print_temperatures = "*NODE PRINT, NSET=ALL\nNT\n";

/// The tables of a file, each its rows by node.
std::vector<std::map<int, double>> temperatures_of(const std::string &text, const int ranks = 1)
{
  const std::string tables = tables_of(text, {}, ranks);
  std::vector<std::map<int, double>> all;
  for (std::size_t at = 0; (at = tables.find("temperatures for set", at)) != std::string::npos; ++at)
  {
    all.emplace_back();
    for (const auto &row : symdyn::tests::rows_below(tables.substr(at), "temperatures"))
      all.back()[int(row.at(0))] = row.at(1);
  }
  return all;
}
constexpr double few_digits = 1e-5;
}  // namespace

/// A static step goes from the start to its end by load increments; a step behind it keeps that; CalculiX 2.20 prints the same numbers.
TEST(Prints, NodalTemperaturesOfIncrementsOnRanks)
{
  const std::string hot = "*TEMPERATURE\nTIP, 100.\n5, 70.\n", step = "*STEP, NLGEOM\n*STATIC, DIRECT\n0.25, 1.\n",
                    all = rod(3, heated_material) + heated_start + step + hot + print_temperatures + "*END STEP\n" +
                          static_step("*CLOAD\nTIP, 1, 1.\n" + print_temperatures);
  for (const int ranks : {1, 2})
  {
    const auto tables = temperatures_of(all, ranks);
    ASSERT_EQ(tables.size(), 5u);
    for (int k = 0; k < 5; ++k)
    {
      const double part = std::min(0.25 * (k + 1), 1.);
      ASSERT_EQ(tables[k].size(), 16u);
      EXPECT_NEAR(tables[k].at(13), 20. + part * 80., few_digits * 100.);
      EXPECT_NEAR(tables[k].at(5), 40. + part * 30., few_digits * 100.);
      EXPECT_NEAR(tables[k].at(1), 20., few_digits * 100.);
    }
  }
}

/// An amplitude of a *VISCO step is a function of time; the nodes of a step behind it are not known, which a warning says.
TEST(Prints, NodalTemperaturesOfATime)
{
  const std::string table = "*AMPLITUDE, NAME=A\n0., 0.2, 2., 1.\n", hot = "*TEMPERATURE, AMPLITUDE=A\nALL, 100.\n",
                    step = "*STEP\n*VISCO, DIRECT\n0.5, 1.\n" + hot + print_temperatures + "*END STEP\n",
                    creeps = heated_material + "*CREEP\n1e-20, 3., 0.\n";
  const auto tables = temperatures_of(rod(1, creeps) + heated_start + table + step);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_NEAR(tables[0].at(5), 40., few_digits * 100.);
  EXPECT_NEAR(tables[1].at(8), 60., few_digits * 100.);
  EXPECT_EQ(temperatures_of(rod(1, creeps) + heated_start + table + step + static_step(print_temperatures)).size(), 2u);
}

/// As CalculiX 2.20 writes them.
TEST(Prints, NodalTemperaturesHaveTheFormOfCalculix)
{
  const std::string tables =
      tables_of(rod(1, heated_material) + heated_start + static_step("*TEMPERATURE\nTIP, 100.\n" + print_temperatures));
  EXPECT_NE(tables.find("\n temperatures for set ALL and time  0.1000000E+01\n\n         1  2.000000E+01\n"), std::string::npos) << tables;
}

TEST(Prints, NodalTemperaturesWhereThereAreNone)
{
  EXPECT_TRUE(temperatures_of(rod(1) + "*BOUNDARY\nROOT, 1, 3\n" + static_step("*NODE PRINT, NSET=ALL\nNT, U\n")).empty());
}
}  // namespace symdyn::tests::in_prints
