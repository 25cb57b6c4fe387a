// Search of boxes near others: what it finds, and its time.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <limits>
#include <vector>

#include "elements/surfaces/box_search.h"

namespace symdyn::tests::in_surface_search
{
namespace
{
/// Boxes of a wavy surface of n x n squares, each of two triangles.
std::vector<Box> wavy(const int n)
{
  const auto at = [n](const int i, const int j) {
    const double x = double(i) / n, y = double(j) / n;
    return Place{x, y, 0.1 * std::sin(7. * x) * std::cos(5. * y)};
  };
  std::vector<Box> boxes;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
    {
      boxes.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      boxes.push_back({at(i + 1, j + 1), at(i + 1, j), at(i, j + 1)});
    }
  return boxes;
}

/// One place in each square, and a part of a square around it.
std::vector<Box> places(const std::vector<Box> &boxes)
{
  std::vector<Box> all;
  for (std::size_t i = 0; i < boxes.size(); i += 2)
    all.push_back({Place{boxes[i].lower[0], boxes[i].lower[1], boxes[i].upper[2]}});
  return all;
}

/// Least seconds of the processor in three goes, to pack the triangles and to search around all places.
double seconds(const int n)
{
  const std::vector<Box> boxes = wavy(n), around = places(boxes);
  double least = std::numeric_limits<double>::infinity();
  for (int go = 0; go < 3; ++go)
  {
    const std::clock_t start = std::clock();
    const BoxSearch search(boxes);
    std::size_t found = 0;
    for (const Box &place : around)
      found += search.near(place, 0.1 / n).size();
    least = std::min(least, double(std::clock() - start) / CLOCKS_PER_SEC);
    EXPECT_GT(found, boxes.size());
  }
  std::printf("%zu triangles: %.4f s\n", boxes.size(), least);
  return least;
}

double n_log_n(const int n) { return 2. * n * n * std::log(2. * n * n); }
}  // namespace

TEST(BoxSearch, FindsWhatALoopOverAllFinds)
{
  const std::vector<Box> boxes = wavy(20);
  const BoxSearch search(boxes);
  std::size_t most = 0;
  for (const double distance : {0., 0.01, 0.13})
    for (const Box &place : places(boxes))
    {
      std::vector<int> expected;
      for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].near(place, distance))
          expected.push_back(int(i));
      ASSERT_EQ(search.near(place, distance), expected);
      most = std::max(most, expected.size());
    }
  EXPECT_GT(most, 20u);
  EXPECT_LT(most, boxes.size()) << "the control: not all are near";
  EXPECT_TRUE(BoxSearch({}).near(boxes.front(), 1.).empty());
}

/// Reference R16: 250 632 triangles, and half as many places. A loop over all pairs would take 100 times as long for 10 times as many.
TEST(BoxSearch, AQuarterOfAMillionTrianglesTakeHalfASecond)
{
#ifndef NDEBUG
  GTEST_SKIP() << "without optimisation the time says nothing about the program that is used";
#endif
  const double few = seconds(112), many = seconds(354);
  EXPECT_LT(many, 0.5);
  EXPECT_LT(many / few, 1.5 * n_log_n(354) / n_log_n(112));
}

TEST(BoxSearch, TimeGrowsByNLogNToMillionsNightly) { EXPECT_LT(seconds(1118) / seconds(112), 1.5 * n_log_n(1118) / n_log_n(112)); }
}  // namespace symdyn::tests::in_surface_search
