// A node whose directors constraints keep: what moves it onto them, with masses and supports.
#include "elements/space/director_node.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace symdyn::tests::in_director_node
{
namespace
{
using Frame = DirectorNode::Frame;
using Place = Space::Place;

constexpr double rounding = 1e-14;
const Frame masses{Place{1., 1., 1.}, Place{0.3, 0.3, 0.3}, Place{0.1, 0.1, 0.1}};  // W

DirectorNode node_of(const int k)
{
  DirectorNode node;
  for (int i = 0; i < k; ++i)
    node.sites.push_back(i);
  return node;
}

Place cross_of(const Place &a, const Place &b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }

/// The first k axes of a basis, turned by `angle` about (1, 2, 2)/3 (Rodrigues).
Frame turned_axes(const int k, const double angle)
{
  const Place n{1. / 3., 2. / 3., 2. / 3.};
  Frame d{};
  for (int i = 0; i < k; ++i)
  {
    Place e{};
    e[i] = 1.;
    const Place across = cross_of(n, e);
    for (int c = 0; c < 3; ++c)
      d[i][c] = std::cos(angle) * e[c] + std::sin(angle) * across[c] + (1. - std::cos(angle)) * n[i] * n[c];
  }
  return d;
}

/// The same, strained by about 0.05.
Frame strained(const int k, const double angle)
{
  Frame d = turned_axes(k, angle);
  for (int i = 0; i < k; ++i)
    for (int c = 0; c < 3; ++c)
      d[i][c] += 0.05 * std::sin(1. + 3. * i + 1.7 * c);
  return d;
}

Frame sum_of(Frame a, const Frame &b)
{
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c)
      a[i][c] += b[i][c];
  return a;
}

double largest_of(const DirectorNode::Multipliers &g)
{
  double largest = 0;
  for (const double value : g)
    largest = std::max(largest, std::abs(value));
  return largest;
}

/// Length of sum from_i x impulse_i, of the impulses that make a change.
double moment_of(const Frame &from, const Frame &change)
{
  Place moment{};
  for (int i = 0; i < 3; ++i)
  {
    const Place impulse{change[i][0] / masses[i][0], change[i][1] / masses[i][1], change[i][2] / masses[i][2]},
        one = cross_of(from[i], impulse);
    for (int c = 0; c < 3; ++c)
      moment[c] += one[c];
  }
  return std::sqrt(moment[0] * moment[0] + moment[1] * moment[1] + moment[2] * moment[2]);
}
}  // namespace

/// W G(from)ᵀ lambda, lambda symmetric: no moment about the directors at `from`, whatever their masses; along the rows of the end there is
/// one.
TEST(DirectorNodes, ImpulsesHaveNoMoment)
{
  for (int k = 1; k <= 3; ++k)
  {
    const DirectorNode node = node_of(k);
    const Frame from = turned_axes(k, 0.2), end = strained(k, 0.35);
    EXPECT_GT(largest_of(node.values(end)), 1e-2);
    const auto change = node.correction(end, from, masses);
    ASSERT_TRUE(change) << k;
    EXPECT_LT(largest_of(node.values(sum_of(end, *change))), rounding) << k;
    EXPECT_LT(moment_of(from, *change), rounding) << k;
    const auto along_end = node.correction(end);
    ASSERT_TRUE(along_end) << k;
    EXPECT_LT(largest_of(node.values(sum_of(end, *along_end))), rounding) << k;
    EXPECT_GT(moment_of(from, *along_end), 1e-4) << k;
  }
}

TEST(DirectorNodes, RatesAreMet)
{
  for (int k = 1; k <= 3; ++k)
  {
    const DirectorNode node = node_of(k);
    const Frame from = turned_axes(k, 0.2), d = turned_axes(k, 0.35);
    DirectorNode::Multipliers wanted{};
    for (int a = 0; a < node.pairs(); ++a)
      wanted[a] = std::sin(1. + a);
    const Frame u = node.moved(d, from, masses, wanted);
    DirectorNode::Multipliers rest = node.slopes(d, u);
    for (int a = 0; a < node.pairs(); ++a)
      rest[a] -= wanted[a];
    EXPECT_LT(largest_of(rest), rounding) << k;
    EXPECT_LT(moment_of(from, u), rounding) << k;
  }
}

/// The first director may not move along x: changes and motions are P of themselves, and fulfil g.
TEST(DirectorNodes, PartlyHeld)
{
  for (int k = 1; k <= 3; ++k)
  {
    DirectorNode node = node_of(k);
    for (int i = 0; i < k; ++i)
      node.free.push_back({1., 0., 0., 0., 1., 0., 0., 0., 1.});
    node.free[0][0] = 0.;
    const Frame end = strained(k, 0.35);
    const auto change = node.correction(end);
    ASSERT_TRUE(change) << k;
    EXPECT_EQ((*change)[0][0], 0.);
    const Frame d = sum_of(end, *change);
    EXPECT_LT(largest_of(node.values(d)), rounding) << k;
    int motions = 0;
    for (const Frame &u : node.tangents(d))
    {
      EXPECT_LT(std::abs(u[0][0]), 1e-9) << k;
      EXPECT_LT(largest_of(node.slopes(d, u)), 1e-9) << k;
      motions += DirectorNode::product(u, u) > 0.5;
    }
    EXPECT_EQ(motions, k == 1 ? 1 : 2) << "2 or 3 motions less one";
  }
}

TEST(DirectorNodes, NaNIsNowhere)
{
  for (int k = 1; k <= 3; ++k)
  {
    Frame d = turned_axes(k, 0.2);
    const Frame from = d;
    d[k - 1][1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(node_of(k).correction(d)) << k;
    EXPECT_FALSE(node_of(k).correction(d, from, masses)) << k;
  }
}
}  // namespace symdyn::tests::in_director_node
