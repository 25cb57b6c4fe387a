// Places that share sites, repeated evaluation of a contact of boundaries, and gaps of bodies that are far apart.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <ctime>
#include <random>

#include "elements/contact/features/closest.h"
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

/// Force and V'' at a place are, to the last bit, those of a body that was asked nothing else, whatever was asked before: also after
/// another search, and of a law with another reach.
TEST(ContactPlaces, AnswersDoNotDependOnTheQuestionBefore)
{
  const TouchingBlocks<3> two({"bricks"}, apart);
  const Vector q = bent(two, apart, 0.06), u = Random(4).vector(q, 0.01);
  Vector near = q;
  near.add(1., u);
  near.update_ghost_values();
  const Vector off = two.moved_second({1., 0., 0.}, apart);
  const auto answers = [&u](const TouchingBlocks<3> &of, const Vector &at) {
    Vector f = of.body->mesh().new_vector(), Ku = f;
    of.system().internal_force(at, f);
    of.system().stiffness(at, u, Ku);
    return std::array{f, Ku};
  };
  const auto expect_fresh = [&](const Vector &at, const Vector &searched) {
    const TouchingBlocks<3> fresh({"bricks"}, apart);
    search_about(fresh.system(), searched);
    const auto of_fresh = answers(fresh, at), here = answers(two, at);
    for (int k = 0; k < 2; ++k)
      for (unsigned int i = 0; i < here[k].locally_owned_size(); ++i)
        EXPECT_EQ(here[k].local_element(i), of_fresh[k].local_element(i));
  };
  for (const Vector *at : std::initializer_list<const Vector *>{&q, &near, &q, &off, &near})
    expect_fresh(*at, q);
  const double pressed = two.term->sums(q, nullptr).energy, pressed_near = two.term->sums(near, nullptr).energy;
  EXPECT_GT(std::abs(pressed - pressed_near), 1e-3 * pressed) << "the places differ by their contact";
  search_about(two.system(), off);
  search_about(two.system(), near);
  expect_fresh(near, near);
}

/// However far bodies are apart, the gap is that of the nearest places: face to face, and corner to corner.
TEST(ContactPlaces, GapsOfFarBodies)
{
  const TouchingBlocks<3> two({"bricks"}, apart);
  for (const double far : {0.7, 3., 40., 1000.})
  {
    EXPECT_NEAR(two.term->sums(two.moved_second({far - apart, 0.2, 0.1}, apart), nullptr).gap, far, 1e-12 * far);
    // Both blocks stand on 0 and are 1 high: moved by 1 + far along y and z, too, corners are nearest.
    const double aside = 1. + far;
    const ContactSums sums = two.term->sums(two.moved_second({far - apart, aside, aside}, apart), nullptr);
    EXPECT_GT(sums.gap, far * std::sqrt(3.) - 2. * TouchingChoice::layer);
    EXPECT_LT(sums.gap, far * std::sqrt(3.) + 2. * TouchingChoice::layer);
    EXPECT_NEAR(sums.at[1], 1., 1e-12) << "the corner of the first block";
    EXPECT_NEAR(sums.at[2], 1., 1e-12);
  }
}

/// Turned by 0.4 about z the face of the second block is oblique to all boxes. The nearest place is an edge of it before the face.
TEST(ContactPlaces, GapsOfFarObliqueBodies)
{
  const TouchingBlocks<3> two({"bricks", "set Refinements = 1"}, apart);
  for (const double far : {1., 5.})
  {
    Vector q = two.moved_second({0., 0., 0.}, apart);
    const double c = std::cos(0.4), s = std::sin(0.4);
    for (int node = 0; node < two.body->mesh().n_owned_nodes(); ++node)
      if (const auto &X = two.body->mesh().position[node]; X[0] > 1. + 0.5 * apart)
      {
        const double x = X[0] - 1. - apart, y = X[1];
        q.local_element(3 * node) = 1. + far + c * x - s * y - X[0] + s;  // (x, y) = (0, 1) comes to 1 + far
        q.local_element(3 * node + 1) = s * x + c * y - X[1];
      }
    q.update_ghost_values();
    const double seconds = double(std::clock()) / CLOCKS_PER_SEC, gap = two.term->sums(q, nullptr).gap;
    EXPECT_NEAR(gap, far, 0.5 * TouchingChoice::layer) << "surfaces for contact are half a layer below, and gaps add it along a normal";
    EXPECT_LT(double(std::clock()) / CLOCKS_PER_SEC - seconds, 1.) << "some 100 faces";
  }
}
/// Of random places and corners, in each lane; and no lane that is not wanted.
TEST(ContactPlaces, PatternsInLanesAreThoseOfEachPlace)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<double> in(-1., 1.);
  const auto place = [&] { return Place{in(random), in(random), in(random)}; };
  for (int n = 1; n <= 3; ++n)
    for (int repeat = 0; repeat < 2000; ++repeat)
    {
      const std::array<Place, 3> at{place(), place(), place()};
      std::array<Wide, 3> x;
      std::array<Place, lanes> alone;
      for (int lane = 0; lane < lanes; ++lane)
      {
        alone[lane] = place();
        for (int d = 0; d < 3; ++d)
          x[d].set(lane, alone[lane][d]);
      }
      constexpr double far = 1e100;
      const unsigned wanted = (1u << lanes) - 2u;  // all but the first
      const CarryingPatterns patterns = carrying_patterns(x, wanted, far, n, at);
      for (int lane = 0; lane < lanes; ++lane)
      {
        const Closest to = closest(alone[lane], {0, 1, 2}, n, at);
        unsigned carried = 0, found = 0;
        for (int k = 0; k < to.carrying; ++k)
          carried |= 1u << to.corner[k];
        for (unsigned pattern = 0; pattern < patterns.size(); ++pattern)
          found += (patterns[pattern] >> lane & 1u) != 0 ? 1u : 0u;
        ASSERT_EQ(found, lane == 0 ? 0u : 1u) << n;
        ASSERT_EQ(lane == 0 || (patterns[carried] >> lane & 1u) != 0, true) << n << ": corners " << carried;
      }
      const CarryingPatterns none = carrying_patterns(x, wanted, 1e-3, 1, {Place{5., 5., 5.}, {}, {}});
      ASSERT_EQ(none[1], 0u);
    }
}
}  // namespace symdyn::tests::in_contact_places
