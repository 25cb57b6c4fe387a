// How nodes move with a reference, and a reference with nodes: affine motions, ranks of motions, prescribed rotations.
#include "elements/couplings/affine_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "elements/gram/turned_sites.h"
#include "tests/site_relations.h"

namespace symdyn::tests::in_coupling
{
namespace
{
GramVectors random_places(const int count, const bool in_plane)
{
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> number(-1., 1.);
  const GramVector a{0.6, 0.8, 0.}, b{0., 0.6, 0.8};
  GramVectors places;
  for (int s = 0; s < count; ++s)
  {
    GramVector X{1., 2., 3.};
    add(number(generator), a, X);
    add(number(generator), b, X);
    if (!in_plane)
      add(number(generator), cross(a, b), X);
    places.push_back(X);
  }
  return places;
}

/// sum_s share_s u_s of displacements u_s = F (X_s - r).
GramVector moved(const AffineMotion &motion, const GramVectors &places, const AffineMotion::Matrix &F, const GramVector &a)
{
  GramVector sum{};
  for (std::size_t s = 0; s < places.size(); ++s)
  {
    const AffineMotion::Matrix share = motion.share(s, a);
    const GramVector c = combination(places[s], -1., motion.centroid());
    const GramVector u{dot(F[0], c), dot(F[1], c), dot(F[2], c)};
    for (int d = 0; d < 3; ++d)
      sum[d] += dot(share[d], u);
  }
  return sum;
}
void expect_equal(const GramVector &a, const GramVector &b, const double tolerance)
{
  for (int d = 0; d < 3; ++d)
    EXPECT_NEAR(a[d], b[d], tolerance) << d;
}
const GramVector direction{0.3, -0.5, 0.7};
}  // namespace

/// dF of places that span space is F, of any F; of a plane, that of a small rotation.
TEST(AffineMotion, IsThatOfItsPlaces)
{
  const std::vector<double> weights{1., 2., 0.5, 1., 3., 1., 1.};
  const AffineMotion::Matrix F{GramVector{1., 2., -1.}, {0.5, -2., 3.}, {4., 0.1, 1.}},
      W{GramVector{0., -3., 2.}, {3., 0., -1.}, {-2., 1., 0.}};
  const GramVectors solid = random_places(7, false), flat = random_places(7, true);
  const AffineMotion in_space(solid, weights), in_plane(flat, weights);
  EXPECT_EQ(in_space.rank(), 3);
  EXPECT_EQ(in_plane.rank(), 2);
  expect_equal(moved(in_space, solid, F, direction), {dot(F[0], direction), dot(F[1], direction), dot(F[2], direction)}, 1e-12);
  expect_equal(moved(in_plane, flat, W, direction), {dot(W[0], direction), dot(W[1], direction), dot(W[2], direction)}, 1e-12);
  const GramVector lost = moved(in_plane, flat, F, direction);
  EXPECT_GT(std::abs(lost[0] - dot(F[0], direction)), 1e-2) << "a plane cannot tell how its normal stretches";
  EXPECT_EQ(AffineMotion({{0., 0., 0.}, {1., 1., 0.}, {3., 3., 0.}}, {1., 1., 1.}).rank(), 1);
}

TEST(AffineMotion, DoesNotSeeTranslations)
{
  const GramVectors flat = random_places(5, true);
  const AffineMotion motion(flat, {1., 1., 1., 2., 2.});
  GramVector sum{};
  for (std::size_t s = 0; s < flat.size(); ++s)
    for (int d = 0; d < 3; ++d)
      sum[d] += dot(motion.share(s, direction)[d], {1., 2., 3.});
  expect_equal(sum, {}, 1e-13);
}

TEST(Coupling, RankOfMotions)
{
  const std::array<bool, 3> all{true, true, true}, only_z{false, false, true};
  const GramVectors line{{1., 0., 0.}, {2., 0., 0.}}, plane{{1., 0., 0.}, {0., 1., 0.}, {1., 1., 0.}}, one{{0., 0., 0.}};
  EXPECT_EQ(rank_of_motions(one, all, {}, false), 3);
  EXPECT_EQ(rank_of_motions(line, all, {}, false), 5);
  EXPECT_EQ(rank_of_motions(plane, all, {}, false), 6);
  EXPECT_EQ(rank_of_motions(plane, only_z, {}, false), 3);
  EXPECT_EQ(rank_of_motions(plane, only_z, {}, true), 5);
  EXPECT_EQ(rank_of_motions(line, all, {{0., 0., 1.}}, false), 6);
  EXPECT_EQ(rank_of_motions(one, all, {{1., 0., 0.}}, false), 5);
}

/// A face gives the two directors in its plane a mass, and none to a third one that an arm needs.
TEST(Coupling, MassOfDirectors)
{
  using Light = std::vector<std::size_t>;
  const GramVectors basis{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}, in_plane{basis[0], basis[1]};
  const GramVectors face{{-1., -1., 0.}, {1., -1., 0.}, {1., 1., 0.}, {-1., 1., 0.}};
  EXPECT_EQ(massless_directors(face, {}, in_plane, 0), Light());
  GramVectors off = face;
  for (GramVector &c : off)
    c[2] = 2.;
  EXPECT_EQ(massless_directors(off, {}, basis, 0), Light({2}));
  EXPECT_EQ(massless_directors({{0., 0., 0.5}}, {}, basis, 2), Light()) << "a node on the arm of a beam, whose place has a mass";
  EXPECT_EQ(massless_directors({{1., 0., 0.}}, {}, {basis[0]}, 0), Light({0}));
  off.push_back({0., 0., 1.});
  EXPECT_EQ(massless_directors(off, {}, basis, 0), Light());
  EXPECT_EQ(massless_directors(face, {{0., 0., 1.}}, basis, 0), Light());
}

/// Faces that are flat within a tenth move as planes: no lever of their warp, and rotations of any size of the axes in them.
TEST(AffineMotion, NearlyFlatFaces)
{
  for (const double warp : {0., 1e-4, 1e-3, 1e-2})
  {
    const GramVectors face{{-1., -1., warp}, {1., -1., -warp}, {1., 1., warp}, {-1., 1., -warp}};
    const AffineMotion motion(face, {1., 1., 1., 1.});
    EXPECT_EQ(motion.rank(), 2) << warp;
    double largest = 0;
    for (std::size_t s = 0; s < face.size(); ++s)
      for (const GramVector &row : motion.share(s, {0., 0., 1.}))
        largest = std::max(largest, symdyn::norm(row));
    EXPECT_LT(largest, 1.) << warp;
  }
}

/// Forces Gᵀ lambda0 of any multipliers are taken whole by those that are found, also where relations follow from others, or supports hold.
TEST(SiteRelations, MultipliersTakeTheForcesOfRelations)
{
  using namespace symdyn::tests::relations;
  Setting s = mixed(24, 3, 2);
  const SiteRelations relations = s.make();
  Row force(s.size(), 0.);
  for (const SiteRelation &relation : s.relations)
  {
    const double lambda = s.random();
    for (const auto &[dof, factor] : relation.terms)
      force[dof] += lambda * factor;
  }
  ASSERT_GT(relations.redundant(), 0u);
  const std::vector<double> lambda = relations.multipliers(s.vector(s.projected(force)));
  Vector left = s.vector(force);
  relations.subtract_forces(lambda, left);
  EXPECT_GT(largest(s.projected(force)), 0.1);
  EXPECT_LT(largest(s.projected(s.all(left))), 1e-12 * largest(force));
}

/// A quarter about z; value, rate and second rate of a rotation against differences, at rest and beyond pi.
TEST(TurnedSites, RotationVectorAndItsRates)
{
  using Scalar = Jet<double>;
  const GramVector D{0.6, 0., 0.8};
  const auto at = [&](const double t) {
    const Scalar time(t, 1., 0.);
    return turned_by({0.3 * time * time, time - Scalar(0.16), 0.5 * time - Scalar(0.08)}, D);
  };
  const auto quarter = turned_by({Scalar(0.), Scalar(0.), Scalar(M_PI / 2.)}, D);
  expect_equal({quarter[0].x, quarter[1].x, quarter[2].x}, {0., 0.6, 0.8}, 1e-15);
  for (const double t : {0., 0.05, 0.155, 0.165, 0.2, 1., 4.})  // the third and the fourth have |theta| below 0.1
  {
    constexpr double h = 1e-4;
    const auto before = at(t - h), now = at(t), after = at(t + h);
    double square = 0;
    for (int d = 0; d < 3; ++d)
    {
      EXPECT_NEAR(now[d].d, (after[d].x - before[d].x) / (2. * h), 1e-6) << t;
      EXPECT_NEAR(now[d].dd, (after[d].d - before[d].d) / (2. * h), 1e-5) << t;
      square += now[d].x * now[d].x;
    }
    EXPECT_NEAR(square, 1., 1e-14) << t;
  }
}
}  // namespace symdyn::tests::in_coupling
