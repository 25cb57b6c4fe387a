#pragma once
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/run.h"

namespace symdyn::tests
{
/// A rod of unit cubes along x, C3D8, E = 1000, nu = 0 unless `elastic` says otherwise: nodes 4 i + 1 ... 4 i + 4 at x = i around the cross
/// section; sets BODY, ROOT (x = 0), TIP.
inline std::string rod(const int cells, const std::string &elastic = "*ELASTIC\n1000., 0.\n", const std::string &section = "")
{
  std::ostringstream text;
  text << "*NODE, NSET=ALL\n";
  for (int i = 0; i <= cells; ++i)
    for (int k = 0; k < 4; ++k)
      text << 4 * i + k + 1 << ", " << i << ", " << (k == 1 || k == 2 ? 1 : 0) << ", " << (k >= 2 ? 1 : 0) << "\n";
  text << "*ELEMENT, TYPE=C3D8, ELSET=BODY\n";
  for (int i = 0; i < cells; ++i)
  {
    text << i + 1;
    for (int k = 1; k <= 8; ++k)
      text << ", " << 4 * i + k;
    text << "\n";
  }
  text << "*NSET, NSET=ROOT\n1, 2, 3, 4\n*NSET, NSET=TIP\n"
       << 4 * cells + 1 << ", " << 4 * cells + 2 << ", " << 4 * cells + 3 << ", " << 4 * cells + 4 << "\n"
       << "*MATERIAL, NAME=M\n"
       << elastic << "*DENSITY\n2.\n*SOLID SECTION, ELSET=BODY, MATERIAL=M" << section << "\n";
  return text.str();
}

inline std::string static_step(const std::string &inside, const std::string &options = "")
{
  return "*STEP" + options + "\n*STATIC\n1., 1.\n" + inside + "*END STEP\n";
}

/// All rows of numbers below a title of a .dat file.
inline std::vector<std::vector<double>> rows_below(const std::string &text, const std::string &title)
{
  std::vector<std::vector<double>> rows;
  const auto at = text.find(title);
  if (at == std::string::npos)
    return rows;
  std::istringstream in(text.substr(text.find("\n\n", at) + 2));
  for (std::string line; std::getline(in, line) && !line.empty();)
  {
    std::istringstream words(line);
    rows.emplace_back();
    for (double value; words >> value;)
      rows.back().push_back(value);
  }
  return rows;
}

/// Runs the text as model.inp; the tables it wrote, or "" with the exit code expected.
inline std::string tables_of(const std::string &text, const std::vector<std::string> &settings = {}, const int ranks = 1)
{
  const Folder folder;
  std::ofstream(folder / "model.inp") << text;
  const Outcome outcome = run_deck(folder, folder / "model.inp", settings, ranks);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  return text_of(folder / "results/model.dat");
}

/// What the program says of a file that it must refuse.
inline std::string refusal_of(const std::string &text)
{
  const Folder folder;
  std::ofstream(folder / "model.inp") << text;
  const Outcome outcome = run_deck(folder, folder / "model.inp");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.terminal;
  return outcome.terminal;
}

/// The row of a node, without its number.
inline std::vector<double> of_node(const std::vector<std::vector<double>> &rows, const int number)
{
  for (const auto &row : rows)
    if (!row.empty() && row[0] == number)
      return {row.begin() + 1, row.end()};
  ADD_FAILURE() << "no row of node " << number;
  return {0., 0., 0.};
}
}  // namespace symdyn::tests
