// symdyn point: a law of a deck along a path, against closed forms; wrong paths.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_point
{
namespace
{
const std::string deck = section(
    "Materials",
    section(
        "metal",
        "set Type = plastic\nset Density = 1\nset E = 1000\nset nu = 0.3\nset Yield stress = 4\nset Hardening modulus = 100\nset Kinematics = small"));

Outcome point(const Folder &folder, const std::string &path, const std::string &options, const std::string &text = deck)
{
  std::ofstream(folder / "law.prm") << text;
  std::ofstream(folder / "path.csv") << path;
  return command(folder, "cd " + folder.path + " && (" + std::string(SYMDYN_BINARY) + " point law.prm " + options + ")");
}

/// The last row of a table by the titles of its columns.
std::map<std::string, double> last_row(const std::string &text)
{
  std::istringstream lines(text);
  std::string titles, line, last;
  std::getline(lines, titles);
  while (std::getline(lines, line))
    if (!line.empty())
      last = line;
  std::map<std::string, double> row;
  std::istringstream names(titles), values(last);
  for (std::string name, value; std::getline(names, name, ',') && std::getline(values, value, ',');)
    row[name.substr(0, name.find(" ["))] = std::stod(value);
  EXPECT_GE(row.size(), 22u) << text;
  return row;
}
}  // namespace

TEST(Point, UniaxialPathsAreTheClosedForm)
{
  const Folder folder;
  // sigma = 6: p = 0.02; back to -7.5: isotropic hardening yields at -6 again, by 0.015 more.
  const auto by_stress = last_row(point(folder, "time [s],s11 [Pa]\n0,0\n1,6\n2,-7.5\n", "--stress path.csv --steps 10").terminal);
  EXPECT_NEAR(by_stress.at("p"), 0.035, 1e-12);
  EXPECT_NEAR(by_stress.at("e11"), 0.02 - 0.015 - 0.0075, 1e-12);
  EXPECT_NEAR(by_stress.at("dissipated"), 4. * 0.035, 1e-12);
  EXPECT_NEAR(by_stress.at("time"), 2., 1e-12);
  const auto mixed = last_row(point(folder, "e11\n0.026\n", "--mixed path.csv --steps 3").terminal);
  EXPECT_NEAR(mixed.at("s11"), 6., 1e-9);
  EXPECT_NEAR(mixed.at("s22"), 0., 1e-9);
  const auto strain = last_row(point(folder, "e11,e22,e33\n0.001,0.001,0.001\n", "--strain path.csv").terminal);
  EXPECT_NEAR(strain.at("s33"), 3. * 0.001 * 1000. / (3. * 0.4), 1e-10);
  const auto gradient = last_row(point(folder, "F12\n0.001\n", "--F path.csv --steps 1").terminal);
  EXPECT_NEAR(gradient.at("s12"), 0.001 * 1000. / 2.6, 1e-10);
}

/// The answer alone goes to the standard output.
TEST(Point, WarningsAreNotInTheTable)
{
  const Folder folder;
  std::string softens = deck;
  softens.replace(softens.find("modulus = 100"), 13, "modulus = -10");
  const Outcome both = point(folder, "e11\n0.01\n", "--strain path.csv", softens),
                table = point(folder, "e11\n0.01\n", "--strain path.csv 2> /dev/null", softens);
  EXPECT_NE(both.terminal.find("warning: law.prm:2"), std::string::npos) << both.terminal;
  EXPECT_EQ(table.terminal.rfind("time [s]", 0), 0u) << table.terminal;
}

TEST(Point, WritesAFileOnce)
{
  const Folder folder;
  EXPECT_EQ(point(folder, "e11\n0.01\n", "--strain path.csv --out answer.csv").exit_code, 0);
  EXPECT_NE(text_of(folder / "answer.csv").find("plastic_strain_11"), std::string::npos);
  EXPECT_EQ(point(folder, "e11\n0.01\n", "--strain path.csv --out answer.csv").exit_code, 1);
  EXPECT_EQ(point(folder, "e11\n0.01\n", "--strain path.csv --out answer.csv --overwrite").exit_code, 0);
}

TEST(Point, WrongInput)
{
  struct Case
  {
    std::string path, options, words;
  };
  for (const Case &one : {Case{"e11\n0.01\n", "", "--strain"},
                          {"s11\n1\n", "--strain path.csv", "column 's11' is not known"},
                          {"e11,s11\n0,1\n", "--mixed path.csv", "both e11 and s11"},
                          {"time,e11\n1,0\n1,0.1\n", "--strain path.csv", "is not after"},
                          {"e11\n0.01\n", "--strain path.csv --steps 0", "--steps 0"},
                          {"e11\n0.01\n", "--strain path.csv --material tin", "--material tin"},
                          {"e11\nlong\n", "--strain path.csv", "holds words"},
                          {"e11\n0.01\n", "--strain nowhere.csv", "nowhere.csv"}})
  {
    const Folder folder;
    const Outcome outcome = point(folder, one.path, one.options);
    EXPECT_EQ(outcome.exit_code, 1) << one.options;
    EXPECT_NE(outcome.terminal.find(one.words), std::string::npos) << outcome.terminal;
  }
  const Folder folder;
  EXPECT_NE(point(folder, "e11\n0.01\n", "--strain path.csv", deck + "\n").terminal.find("time [s]"), std::string::npos);
  std::string misspelt = deck;
  misspelt.replace(misspelt.find("Yield"), 5, "Yeild");
  EXPECT_EQ(point(folder, "e11\n0.01\n", "--strain path.csv", misspelt).exit_code, 1);
}
}  // namespace symdyn::tests::in_point
