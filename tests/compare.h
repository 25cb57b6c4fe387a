#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "solver/base/quantity.h"
#include "tests/run.h"

namespace symdyn::tests
{
using Settings = std::vector<std::string>;

inline Settings operator+(Settings a, const Settings &b)
{
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// How far a column goes from its first value.
inline double drift(const History &history, const std::string &column)
{
  double most = 0;
  for (const double value : history[column])
    most = std::max(most, std::abs(value - history[column].front()));
  return most;
}

/// Every number of the two histories to `tolerance` of the largest entry of its quantity; iteration counts may differ.
inline void expect_same(const History &a, const History &b, const double tolerance, const std::string &what)
{
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.header, b.header) << what;
  std::map<std::string, Quantity> quantity;
  std::map<std::string, double> largest;
  for (const std::string &header : a.header)
    quantity[header.substr(0, header.find(" ["))] = quantity_of(header);
  for (const auto &[name, values] : a.columns)
  {
    double &scale = largest[quantity.at(name).name];
    scale = std::max(scale, quantity.at(name).least);
    for (const double value : values)
      scale = std::max(scale, std::abs(value));
  }
  for (const auto &[name, values] : a.columns)
    for (std::size_t i = 0; i < a.rows() && name != "newton" && name != "krylov"; ++i)
      EXPECT_NEAR(b[name][i], values[i], tolerance * largest.at(quantity.at(name).name) + 1e-300) << what << ": " << name << ", row " << i;
}
}  // namespace symdyn::tests
