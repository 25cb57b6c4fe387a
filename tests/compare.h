#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "tests/run.h"

namespace symdyn::tests
{
/// The columns that are measured by one scale: the energies, and the components of a vector (one of which may be zero by
/// symmetry).
inline std::string quantity(const std::string &column)
{
  if (column.rfind("E_", 0) == 0 || column == "W_external")
    return "energy";
  if (column.rfind("g.", 0) == 0 || column.rfind("gdot.", 0) == 0 || column == "g_max" || column == "gdot_max")
    return "constraint";
  if (const std::size_t force = std::min(column.find(".F_int_"), column.find(".R_")); force != std::string::npos)
    return column.substr(0, force) + ".force";
  const std::size_t n = column.size();
  if (n > 2 && column[n - 2] == '.')  // coordinates of a point
    return column.substr(0, n - 2);
  return n > 2 && column[n - 2] == '_' ? column.substr(0, n - 2) : column;
}

/// Every number of the two histories to `tolerance` of the largest entry of its quantity; iteration counts may differ.
inline void expect_same(const History &a, const History &b, const double tolerance, const std::string &what)
{
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.header, b.header) << what;
  std::map<std::string, double> largest;
  for (const auto &[name, values] : a.columns)
    for (const double value : values)
      largest[quantity(name)] = std::max(largest[quantity(name)], std::abs(value));
  for (const auto &[name, values] : a.columns)
    if (quantity(name) == "constraint")  // zero up to rounding
      largest[quantity(name)] = 1.;
  for (const auto &[name, values] : a.columns)
    for (std::size_t i = 0; i < a.rows() && name != "newton" && name != "krylov"; ++i)
      EXPECT_NEAR(b[name][i], values[i], tolerance * largest[quantity(name)] + 1e-300) << what << ": " << name << ", row " << i;
}
}  // namespace symdyn::tests
