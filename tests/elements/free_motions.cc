// Rigid motions that nothing resists: null spaces that keep their digits, groups of parts, screw axes in words.
#include "elements/system/free_motions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "elements/space/joined_sets.h"

namespace symdyn::tests::in_free_motions
{
namespace
{
/// Two cubes of size 1, the first at the origin, and what holds them: rows of rotations, then translations.
FreeMotions::Given cubes(const int held_of_second)
{
  FreeMotions::Given given;
  for (int k = 0; k < 2; ++k)
  {
    given.parts.push_back({"part " + std::to_string(k + 1), {2. * k, 0., 0.}, 1., RowFactor(6)});
    for (int i = 0; i < (k == 0 ? 6 : held_of_second); ++i)
    {
      std::vector<double> row(6, 0.);
      row[i] = 1.;
      given.parts[k].held.add(row);
    }
  }
  return given;
}

std::string words(const FreeMotions &free)
{
  std::vector<const FreeMotions::Motion *> all;
  for (const auto &motion : free.motions())
    all.push_back(&motion);
  return in_words(free, all, " m");
}
}  // namespace

TEST(FreeMotions, NullSpaceKeepsTheDigitsOfSmallSingularValues)
{
  // Singular values sqrt(2) and about delta: RᵀR would have delta² beside 1, which is rounding from delta = 1e-8 on.
  for (const auto &[delta, dimension] : {std::pair{1e-7, 0U}, {1e-8, 0U}, {1e-10, 1U}, {0., 1U}})
  {
    RowFactor factor(2);
    factor.add({1., 1.});
    factor.add({1., 1. + 2. * delta});
    const auto null = factor.null_space(1e-9);
    ASSERT_EQ(null.size(), dimension) << delta;
    if (dimension > 0)
    {
      EXPECT_NEAR(null[0][0] + null[0][1], 0., 1e-9);
    }
  }
}

TEST(FreeMotions, RowsOfOtherRanksAddUp)
{
  RowFactor first(3), second(3), both(3);
  first.add({1., 0., 0.5});
  second.add({0., 2., 0.});
  second.add({0., 1., 1e-3});
  both.add_packed(first.packed().data());
  EXPECT_EQ(both.null_space(1e-9).size(), 2U);
  both.add_packed(second.packed().data());
  EXPECT_EQ(both.null_space(1e-9).size(), 0U);
}

TEST(FreeMotions, EchelonFormSplitsMotions)
{
  const auto rows = echelon_form({{1., 1., 2.}, {1., -1., 2.}}, 1e-6);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (std::vector<double>{1., 0., 2.}));
  EXPECT_EQ(rows[1], (std::vector<double>{0., 1., 0.}));
}

TEST(FreeMotions, PartsAreHeldOrNamedWithTheirMotion)
{
  EXPECT_EQ(words(FreeMotions(cubes(6))), "");
  EXPECT_EQ(words(FreeMotions(cubes(5))), "part 2 may move along z");
  EXPECT_EQ(words(FreeMotions(cubes(0))), "part 2 may move in every direction: nothing holds it");
}

TEST(FreeMotions, SharedNodesAreHinges)
{
  FreeMotions::Given given = cubes(0);
  given.shared = {{0, 1, {1., 0., 0.}}, {0, 1, {1., 1., 0.}}};
  const FreeMotions hinged(given);
  EXPECT_EQ(words(hinged), "part 2 may turn about y through (1, 0, 0) m");
  EXPECT_EQ(hinged.groups(), (std::vector<int>{0, 0}));
  given.shared.push_back({0, 1, {1., 0., 1.}});
  EXPECT_EQ(words(FreeMotions(given)), "");
}

TEST(FreeMotions, AScrewIsACombination)
{
  // Held but for w_z + t_z / 2: a thread of 2 m per radian.
  FreeMotions::Given given = cubes(0);
  for (const int i : {0, 1, 3, 4})
  {
    std::vector<double> row(6, 0.);
    row[i] = 1.;
    given.parts[1].held.add(row);
  }
  given.parts[1].held.add({0., 0., 2., 0., 0., -1.});
  EXPECT_EQ(words(FreeMotions(given)), "part 2 may turn about z through (2, 0, 0) m while it moves along it by 2 m per radian");
}

TEST(FreeMotions, JoinedSetsAreNumberedInOrder)
{
  JoinedSets sets(5);
  sets.join(4, 1);
  sets.join(3, 0);
  EXPECT_EQ(sets.numbers(), (std::vector<int>{0, 1, 2, 0, 1}));
}
}  // namespace symdyn::tests::in_free_motions
