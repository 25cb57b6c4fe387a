// Shapes of obstacles: their distance and its three derivatives, mean normals.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "elements/contact/obstacles/obstacle.h"
#include "solver/deck/deck.h"

namespace symdyn::tests::in_obstacles
{
std::shared_ptr<Obstacle> obstacle_of(const std::string &type, const std::string &entries, const int dimension = 3)
{
  Deck deck = Deck::from_text(entries, "test.prm");
  Parameters p = deck.root();
  std::shared_ptr<Obstacle> obstacle = Registry<Obstacle>::instance().make(type);
  obstacle->declare(p);
  obstacle->prepare(dimension, p);
  deck.finish();
  return obstacle;
}

struct Case
{
  std::string name;
  std::shared_ptr<Obstacle> obstacle;
  std::vector<Place> places;
  bool straight = false;  ///< no curvature
};

std::vector<Case> cases()
{
  const std::vector<Place> about{{1.3, 0.2, -0.4}, {-0.7, 1.5, 0.6}, {0.3, -0.9, 1.7}};
  return {{"plane", obstacle_of("plane", "set Point = 0.1, 0.2, 0.3\nset Normal = 1, 2, -2"), about, true},
          {"sphere", obstacle_of("sphere", "set Centre = 0.1, 0.2, 0.3\nset Radius = 0.8"), about},
          {"cylinder", obstacle_of("cylinder", "set Point = 0.1, 0.2, 0.3\nset Axis = 1, 1, 0.5\nset Radius = 0.4"), about},
          {"cylinder in a plane", obstacle_of("cylinder", "set Point = 0.1, 0.2\nset Radius = 0.4", 2), {{1.3, 0.2, 0.}, {-0.7, 1.5, 0.}}},
          {"box at corners", obstacle_of("box", "set Size = 1, 1, 1\nset Rounding = 0.2"), {{0.7, 0.6, 0.8}, {-0.6, 0.7, -0.5}}},
          {"box at edges", obstacle_of("box", "set Size = 1, 1, 1\nset Rounding = 0.2"), {{0.1, 0.6, 0.8}, {-0.6, 0.7, 0.2}}},
          {"box at faces", obstacle_of("box", "set Size = 1, 1, 1\nset Rounding = 0.2"), {{0.1, 0.6, 0.2}, {-0.45, 0.1, 0.2}}, true},
          {"expression", obstacle_of("expression", "set Distance = sqrt((x - 0.1)^2 + (y - 0.2)^2 + 4*(z - 0.3)^2) - 0.8"), about}};
}

Place shifted(const Place &x, const double s, const Place &y) { return {x[0] + s * y[0], x[1] + s * y[1], x[2] + s * y[2]}; }

TEST(Obstacles, ThreeDerivativesAreThoseOfTheDistance)
{
  constexpr double h = 1e-4;
  const Place a{0.3, -0.5, 0.7};
  for (const Case &one : cases())
    for (const Place &x : one.places)
    {
      SCOPED_TRACE(one.name);
      const Obstacle &shape = *one.obstacle;
      Place n, up, down;
      EXPECT_DOUBLE_EQ(shape.gap(x, n), shape.gap(x));
      if (one.name != "expression")
      {
        EXPECT_NEAR(symdyn::along(n, n), 1., 1e-14);
      }
      const PlaceMatrix H = shape.curvature(x);
      const Place third = shape.third(x, a);
      EXPECT_EQ(H == PlaceMatrix{}, one.straight);
      for (int d = 0; d < 3; ++d)
      {
        Place e{};
        e[d] = 1.;
        EXPECT_NEAR(n[d], (shape.gap(shifted(x, h, e)) - shape.gap(shifted(x, -h, e))) / (2. * h), 1e-6);
        shape.gap(shifted(x, h, e), up);
        shape.gap(shifted(x, -h, e), down);
        for (int j = 0; j < 3; ++j)
          EXPECT_NEAR(H[3 * d + j], (up[j] - down[j]) / (2. * h), 1e-6);
      }
      const Place before = times(shape.curvature(shifted(x, -h, a)), a), after = times(shape.curvature(shifted(x, h, a)), a);
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(third[d], (after[d] - before[d]) / (2. * h), 1e-6);
    }
}

/// N·(x1 - x0) is the change of the distance; its derivative by differences; near each other N is the normal of the middle.
TEST(Obstacles, MeanNormalsGiveTheChangeOfTheDistance)
{
  constexpr double h = 1e-6;
  for (const Case &one : cases())
    for (const Place &x : one.places)
      for (const double way : {0.3, 0.05, 1e-4, 1e-9, 0.})
      {
        SCOPED_TRACE(one.name);
        if (one.name.rfind("box", 0) == 0 && way > 0.1)
          continue;  // the derivative jumps on the way
        const Obstacle &shape = *one.obstacle;
        const Place w{0.3 * way, 0.7 * way, one.name == "cylinder in a plane" ? 0. : -0.5 * way}, x1 = shifted(x, 1., w);
        PlaceMatrix change;
        const Place N = shape.mean_normal(x, x1, &change);
        EXPECT_NEAR(symdyn::along(N, w), shape.gap(x1) - shape.gap(x), 1e-15);
        Place normal;
        shape.gap(shifted(x, 0.5, w), normal);
        for (int d = 0; d < 3; ++d)
          EXPECT_NEAR(N[d], normal[d], 2. * way * way + 1e-7);
        for (int j = 0; j < 3 && way > 1e-3; ++j)
        {
          Place e{};
          e[j] = 1.;
          const Place up = shape.mean_normal(x, shifted(x1, h, e), nullptr), down = shape.mean_normal(x, shifted(x1, -h, e), nullptr);
          for (int i = 0; i < 3; ++i)
            EXPECT_NEAR(change[3 * i + j], (up[i] - down[i]) / (2. * h), 1e-6) << way;
        }
      }
}

/// Outside and in the rounding of a box the distance is that of the nearest place on it, found by search.
TEST(Obstacles, BoxIsTheDistanceFromItsInnerBox)
{
  const auto box = obstacle_of("box", "set Centre = 1, 0, 0\nset Size = 2, 1, 1\nset Rounding = 0.2");
  EXPECT_NEAR(box->gap({1., 0.7, 0.}), 0.2, 1e-15);
  EXPECT_NEAR(box->gap({2.1, 0.4, 0.}), std::hypot(0.3, 0.1) - 0.2, 1e-15);
  EXPECT_NEAR(box->gap({-0.2, 0.5, 0.6}), std::sqrt(0.16 + 0.04 + 0.09) - 0.2, 1e-15);
  EXPECT_LT(box->gap({1., 0., 0.}), -0.2);
}
}  // namespace symdyn::tests::in_obstacles
