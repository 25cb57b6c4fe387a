// Overlaps of facets against areas and integrals that are known.
#include "elements/surfaces/overlap.h"

#include <gtest/gtest.h>

#include <cmath>

namespace symdyn::tests::in_overlaps
{
namespace
{
/// A polygon at height z, whose normal is +z for one side, -z for the other.
Facet polygon(const std::vector<std::array<double, 2>> &corners, const double z = 0.)
{
  Facet facet;
  for (const auto &[x, y] : corners)
    facet.x.push_back({x, y, z});
  for (const Place &x : facet.x)
    for (int d = 0; d < 3; ++d)
      facet.middle[d] += x[d] / double(facet.x.size());
  facet.normal = {0., 0., 1.};
  facet.tangent = {Place{1., 0., 0.}, Place{0., 1., 0.}};
  return facet;
}

double integral(const std::vector<OverlapPoint> &points, const int of_x, const int of_y)
{
  double sum = 0;
  for (const OverlapPoint &point : points)
    sum += point.weight * std::pow(point.x[0], of_x) * std::pow(point.x[1], of_y);
  return sum;
}
}  // namespace

TEST(Overlap, HasAreaAndMomentsOfWhatIsCovered)
{
  const Overlap overlap(3, 6);
  const Facet square = polygon({{0., 0.}, {1., 0.}, {1., 1.}, {0., 1.}});
  const Facet shifted = polygon({{0.5, -1.}, {0.5, 2.}, {3., 2.}, {3., -1.}}, 0.1);  // in the other turn
  const auto half = overlap(square, shifted);
  EXPECT_NEAR(integral(half, 0, 0), 0.5, 1e-15);
  EXPECT_NEAR(integral(half, 2, 2), (1. - 1. / 8.) / 3. / 3., 1e-15);
  EXPECT_NEAR(half.front().x[2], 0., 1e-15) << "in the plane of the first";
  const Facet triangle = polygon({{0., 0.}, {2., 0.}, {0., 1.}});
  EXPECT_NEAR(integral(overlap(square, triangle), 0, 0), 0.75, 1e-15);
  EXPECT_TRUE(overlap(square, polygon({{2., 0.}, {3., 0.}, {3., 1.}})).empty());
  EXPECT_LT(integral(overlap(square, polygon({{1., 0.}, {2., 0.}, {2., 1.}, {1., 1.}})), 0, 0), 1e-15) << "one edge";
}

/// A fan of triangles around a point covers a square once.
TEST(Overlap, PiecesAddUpToTheWhole)
{
  const Overlap overlap(3, 7);
  const Facet square = polygon({{0., 0.}, {1., 0.1}, {0.9, 1.}, {-0.1, 0.8}});
  const double whole = integral(overlap(square, square), 3, 1);
  const std::array<double, 2> ring[] = {{2., 0.}, {0.3, 2.}, {-2., 1.}, {-1., -2.}, {1., -1.5}};
  double sum = 0;
  for (int i = 0; i < 5; ++i)
    sum += integral(overlap(square, polygon({{0.3, 0.4}, ring[i], ring[(i + 1) % 5]})), 3, 1);
  EXPECT_NEAR(sum, whole, 1e-14);
  EXPECT_GT(whole, 0.05);
}
}  // namespace symdyn::tests::in_overlaps
