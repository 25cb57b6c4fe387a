#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace symdyn::tests
{
/// A row of reference/papers.csv: id, kind (abs, rel, order, max), tolerance, numbers of an independent program.
struct Check
{
  std::string id, kind;
  double tolerance = 0;
  std::vector<double> values;
};

/// All rows whose id starts so.
inline std::vector<Check> checks_of(const std::string &start, const bool may_be_none = false)
{
  std::ifstream file(SYMDYN_SOURCE "/tests/reference/papers.csv");
  std::vector<Check> checks;
  for (std::string line; std::getline(file, line);)
    if (line.rfind(start, 0) == 0)
    {
      std::istringstream row(line);
      Check check;
      std::string cell;
      std::getline(row, check.id, ',');
      std::getline(row, check.kind, ',');
      std::getline(row, cell, ',');
      check.tolerance = cell.empty() ? 0. : std::stod(cell);
      while (std::getline(row, cell, ','))
        check.values.push_back(std::stod(cell));
      checks.push_back(check);
    }
  EXPECT_TRUE(!checks.empty() || may_be_none) << start;
  return checks;
}

inline void compare(const Check &check, const std::vector<double> &found)
{
  ASSERT_EQ(found.size(), check.values.size()) << check.id;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (std::isnan(check.values[i]))
      continue;  // no number: the run of the reference had ended by then
    else if (check.kind == "max")
      EXPECT_LE(found[i], check.values[i]) << check.id;
    else
      EXPECT_NEAR(found[i], check.values[i], check.tolerance * (check.kind == "rel" ? std::abs(check.values[i]) : 1.))
          << check.id << " [" << i << "]";
}
}  // namespace symdyn::tests
