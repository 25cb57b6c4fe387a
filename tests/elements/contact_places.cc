// Places that share sites, what a contact of boundaries keeps of its last question, and gaps of bodies that are far apart.
#include <gtest/gtest.h>

#include <cmath>

#include "elements/contact/place_block.h"
#include "tests/touching_blocks.h"

namespace symdyn::tests::in_contact_places
{
constexpr double apart = 0.2;

/// 11 places of 1 to 4 of 7 sites: W u, and its transpose by (W u).F = u.(WᵀF).
TEST(ContactPlaces, BlocksAndRowsAreTheSums)
{
  for (const int dim : {2, 3})
  {
    std::vector<BodyPlace> all(11);
    std::vector<const BodyPlace *> pointers;
    std::vector<double> u(7 * dim), r(u.size(), 0.), by_rows(r);
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] = std::sin(1. + 3. * i);
    PointLanes x, F;
    F.clear(all.size());
    for (std::size_t p = 0; p < all.size(); ++p)
    {
      for (std::size_t k = 0; k <= p % 4; ++k)
        all[p].sites.emplace_back(int((5 * p + 3 * k) % 7), 0.3 + 0.1 * k);
      all[p].X = {1. * p, 0.5 * p, dim == 3 ? 2. : 0.};
      pointers.push_back(&all[p]);
      F.add(p, {std::cos(1. * p), std::cos(2. * p), std::cos(3. * p)});
    }
    const PlaceBlock block(pointers, dim);
    const PlaceRows rows(all, dim);
    double work = 0, of_sites = 0;
    for (const bool with_X : {false, true})
    {
      block.at(u.data(), with_X, x);
      ASSERT_EQ(x.size(), all.size());
      for (std::size_t p = 0; p < all.size(); ++p)
        for (int d = 0; d < 3; ++d)
        {
          double sum = with_X ? all[p].X[d] : 0.;
          for (const auto &[site, weight] : all[p].sites)
            sum += d < dim ? weight * u[dim * site + d] : 0.;
          EXPECT_NEAR(x[p][d], sum, 1e-14);
          EXPECT_NEAR(rows.at(p, u.data(), with_X)[d], sum, 1e-14);
          work += with_X || d >= dim ? 0. : sum * F[p][d];
        }
    }
    block.add(F, r.data());
    for (std::size_t p = 0; p < all.size(); ++p)
      rows.add(p, F[p], by_rows.data());
    for (std::size_t i = 0; i < u.size(); ++i)
    {
      of_sites += u[i] * r[i];
      EXPECT_NEAR(r[i], by_rows[i], 1e-13);
    }
    EXPECT_NEAR(of_sites, work, 1e-13 * std::abs(work));
    EXPECT_GT(std::abs(work), 0.1);
  }
}

/// The answer at a place is the same to the last bit, whatever was asked before.
TEST(ContactPlaces, AnswersDoNotDependOnTheQuestionBefore)
{
  const TouchingBlocks<3> two({"bricks"}, apart);
  const Vector q = bent(two, apart, 0.06), u = Random(4).vector(q, 0.01);
  Vector other = q;
  other.add(1., u);
  other.update_ghost_values();
  const auto force = [&](const Vector &at) {
    Vector f = two.body->mesh().new_vector();
    two.system().internal_force(at, f);
    return f;
  };
  const auto product = [&](const Vector &at) {
    Vector Ku = two.body->mesh().new_vector();
    two.system().stiffness(at, u, Ku);
    return Ku;
  };
  const TouchingBlocks<3> asked_once({"bricks"}, apart);
  search_about(asked_once.system(), q);
  Vector fresh = two.body->mesh().new_vector();
  asked_once.system().internal_force(q, fresh);
  const Vector first = force(q), K = product(q), elsewhere = force(other);
  const Vector again = force(q), K_again = product(q);
  double change = 0;
  for (unsigned int i = 0; i < first.locally_owned_size(); ++i)
  {
    EXPECT_EQ(first.local_element(i), fresh.local_element(i));
    EXPECT_EQ(first.local_element(i), again.local_element(i));
    EXPECT_EQ(K.local_element(i), K_again.local_element(i));
    change = std::max(change, std::abs(first.local_element(i) - elsewhere.local_element(i)));
  }
  EXPECT_GT(change, 0.1);
}

/// However far bodies are apart, the gap is that of the nearest places: face to face, and corner to corner.
TEST(ContactPlaces, GapsOfFarBodies)
{
  const TouchingBlocks<3> two({"bricks"}, apart);
  for (const double far : {0.7, 3., 40., 1000.})
  {
    EXPECT_NEAR(two.term->sums(two.moved_second({far - apart, 0.2, 0.1}, apart), nullptr).gap, far, 1e-12 * far);
    // Both blocks stand on 0 and are 1 high: moved by 1 + far along y and z, too, corners look at each other.
    const double aside = 1. + far;
    const ContactSums sums = two.term->sums(two.moved_second({far - apart, aside, aside}, apart), nullptr);
    EXPECT_GT(sums.gap, far * std::sqrt(3.) - 2. * TouchingChoice::layer);
    EXPECT_LT(sums.gap, far * std::sqrt(3.) + 2. * TouchingChoice::layer);
    EXPECT_NEAR(sums.at[1], 1., 1e-12) << "the corner";
    EXPECT_NEAR(sums.at[2], 1., 1e-12);
  }
}
}  // namespace symdyn::tests::in_contact_places
