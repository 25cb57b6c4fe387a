// Sections of beams from their outline: closed forms of Saint-Venant's torsion and shear, area integrals, polygons that are refused.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "elements/beams/outline_section.h"

namespace symdyn::tests::in_beam_outlines
{
namespace
{
using Polygon = BeamOutline::Polygon;

Polygon box(const double a, const double b, const double x = 0., const double y = 0.)
{
  return {{x, y}, {x + a, y}, {x + a, y + b}, {x, y + b}};
}

/// Half axes a, b; of n corners on the ellipse.
Polygon ellipse(const double a, const double b, const int n)
{
  Polygon corners;
  for (int i = 0; i < n; ++i)
    corners.push_back({a * std::cos(2. * M_PI * i / n), b * std::sin(2. * M_PI * i / n)});
  return corners;
}

Polygon turned(Polygon polygon, const double angle)
{
  const double c = std::cos(angle), s = std::sin(angle);
  for (BeamPoint &corner : polygon)
    corner = {c * corner[0] - s * corner[1], s * corner[0] + c * corner[1]};
  return polygon;
}

void expect_refused(const BeamOutline &outline, const std::string &words)
{
  try
  {
    triangles_of(outline);
    ADD_FAILURE() << "accepted: " << words;
  }
  catch (const std::invalid_argument &error)
  {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}
}  // namespace

/// J of rectangles: a b³ (1/3 - 64/pi⁵ (b/a) sum over odd n of tanh(n pi a/2b)/n⁵) (Timoshenko, Goodier 1970, article 109), 0.1406 a⁴ of a
/// square; k = 5/6 with nu = 0.
TEST(BeamOutlines, Rectangles)
{
  for (const double a : {1., 3.})
  {
    double sum = 0;
    for (int n = 1; n < 200; n += 2)
      sum += std::tanh(n * M_PI * a / 2.) / std::pow(n, 5);
    const double J = a * (1. / 3. - 64. / std::pow(M_PI, 5) / a * sum);
    const BeamSection s = outline_section({box(a, 1., 7., -3.), {}});
    EXPECT_NEAR(s.J, J, 2e-6 * J);
    EXPECT_NEAR(s.area, a, 1e-14);
    EXPECT_NEAR(s.centroid[0], 7. + a / 2., 1e-14);
    EXPECT_NEAR(s.centroid[1], -2.5, 1e-14);
    EXPECT_NEAR(s.I1, a * a * a / 12., 1e-13);
    EXPECT_NEAR(s.I2, a / 12., 1e-13);
    EXPECT_EQ(s.I12, 0.);
    EXPECT_NEAR(s.k1, 5. / 6., 1e-6);
    EXPECT_NEAR(s.k2, 5. / 6., 1e-6);
    EXPECT_NEAR(s.k12, 0., 1e-6);
    EXPECT_NEAR(std::hypot(s.shear_centre[0], s.shear_centre[1]), 0., 1e-7);
  }
  EXPECT_NEAR(outline_section({box(1., 1.), {}}).J, 0.1406, 1e-4);
}

/// sqrt(3)/80 a⁴ of an equilateral triangle (Timoshenko, Goodier 1970, article 104); pi a³ b³/(a² + b²) of an ellipse, times the square of
/// the area that the polygon lacks; a ring has J = I1 + I2.
TEST(BeamOutlines, TriangleEllipseRing)
{
  const BeamSection triangle = outline_section({{{0., 0.}, {1., 0.}, {0.5, std::sqrt(0.75)}}, {}});
  EXPECT_NEAR(triangle.J, std::sqrt(3.) / 80., 1e-7);
  EXPECT_NEAR(triangle.I1, triangle.I2, 1e-15);
  EXPECT_NEAR(triangle.k1, triangle.k2, 1e-6);
  const double a = 2., b = 1.;
  for (const int n : {24, 48})
  {
    const BeamSection oval = outline_section({ellipse(a, b, n), {}});
    const double less = oval.area / (M_PI * a * b);
    EXPECT_NEAR(oval.J, less * less * M_PI * 8. / 5., 1.5 / (n * n)) << n;
  }
  const BeamSection ring = outline_section({ellipse(1., 1., 48), {ellipse(0.8, 0.8, 48)}});
  EXPECT_NEAR(ring.J / (ring.I1 + ring.I2), 1., 2e-3);
  const BeamSection slit = outline_section({ellipse(1., 1., 48), {}});
  EXPECT_GT(slit.J, 1.5 * ring.J);
}

/// Half of a disc: the shear centre is 8 R/(5 pi) from the diameter with nu = 0 (Timoshenko, Goodier 1970, article 126: 8/15pi (3 + 4
/// nu)/(1 + nu)).
TEST(BeamOutlines, ShearCentreOfHalfADisc)
{
  Polygon half;
  constexpr int n = 40;
  for (int i = 0; i <= n; ++i)
    half.push_back({std::cos(M_PI * i / n), std::sin(M_PI * i / n)});
  const BeamSection s = outline_section({half, {}});
  EXPECT_NEAR(s.centroid[1] + s.shear_centre[1], 8. / (5. * M_PI), 2e-3);
  EXPECT_NEAR(s.shear_centre[0], 0., 1e-4);
  EXPECT_NEAR(s.centroid[1], 4. / (3. * M_PI), 1e-3);
}

/// Thin walls: L of two legs, 2/3 b t³, shear centre where the middles of the legs meet; channel, 3 b²/(h + 6 b) beyond its web
/// (Timoshenko); closed box of Bredt, 4 A²/(closed integral of ds/t).
TEST(BeamOutlines, ThinWalls)
{
  constexpr double b = 1., t = 0.02;
  const BeamSection L = outline_section({{{0., 0.}, {b, 0.}, {b, t}, {t, t}, {t, b}, {0., b}}, {}});
  EXPECT_NEAR(L.J, (2. * b - t) * t * t * t / 3., 0.02 * L.J);
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(L.centroid[i] + L.shear_centre[i], 0.5 * t, 5e-3 * b) << i;
  EXPECT_LT(L.I12, 0.);
  constexpr double h = 1., f = 0.5;  // of middle lines; the web along axis 2 at x = 0
  const BeamSection channel = outline_section({{{-t / 2., -h / 2. - t / 2.},
                                                {f, -h / 2. - t / 2.},
                                                {f, -h / 2. + t / 2.},
                                                {t / 2., -h / 2. + t / 2.},
                                                {t / 2., h / 2. - t / 2.},
                                                {f, h / 2. - t / 2.},
                                                {f, h / 2. + t / 2.},
                                                {-t / 2., h / 2. + t / 2.}},
                                               {}});
  EXPECT_NEAR(channel.centroid[0] + channel.shear_centre[0], -3. * f * f / (h + 6. * f), 5e-3);
  EXPECT_NEAR(channel.shear_centre[1], 0., 1e-4);
  const BeamSection tube = outline_section({box(1., 0.6), {box(1. - 2. * t, 0.6 - 2. * t, t, t)}});
  const double inside = (1. - t) * (0.6 - t);
  EXPECT_NEAR(tube.J, 4. * inside * inside * t / (2. * (1.6 - 2. * t)), 0.02 * tube.J);
}

/// A section that is turned: moments of area and J as tensors; the same for other corners on its edges, and either way round.
TEST(BeamOutlines, TurnedAndDivided)
{
  const Polygon corner{{0., 0.}, {2., 0.}, {2., 0.5}, {0.5, 0.5}, {0.5, 1.5}, {0., 1.5}};
  const BeamSection s = outline_section({corner, {}}), r = outline_section({turned(corner, 0.5), {}});
  const double C = std::cos(0.5), S = std::sin(0.5);
  EXPECT_NEAR(r.I1, C * C * s.I1 + S * S * s.I2 - 2. * C * S * s.I12, 1e-13);
  EXPECT_NEAR(r.I12, C * S * (s.I1 - s.I2) + (C * C - S * S) * s.I12, 1e-13);
  EXPECT_NEAR(r.J, s.J, 1e-8);
  EXPECT_NEAR(r.shear_centre[0], C * s.shear_centre[0] - S * s.shear_centre[1], 1e-7);
  EXPECT_NEAR(r.k1, C * C * s.k1 + S * S * s.k2 - 2. * C * S * s.k12, 1e-7);
  Polygon divided, back(corner.rbegin(), corner.rend());
  for (std::size_t i = 0; i < corner.size(); ++i)
  {
    const BeamPoint &a = corner[i], &b = corner[(i + 1) % corner.size()];
    divided.push_back(a);
    divided.push_back({0.6 * a[0] + 0.4 * b[0], 0.6 * a[1] + 0.4 * b[1]});
  }
  const BeamSection finer = outline_section({divided, {}}), other = outline_section({back, {}});
  EXPECT_NEAR(finer.J, s.J, 2e-4 * s.J) << "another mesh";
  EXPECT_NEAR(finer.k1, s.k1, 2e-4);
  EXPECT_NEAR(other.J, s.J, 1e-6 * s.J);
  EXPECT_NEAR(other.I12, s.I12, 1e-14);
}

namespace
{
/// Area and second moments about the origin, of triangles.
std::array<double, 4> moments_of(const OutlineTriangles &cut)
{
  std::array<double, 4> sum{};
  for (const auto &[i, j, k] : cut.triangles)
  {
    const BeamPoint &a = cut.corners[i], &b = cut.corners[j], &c = cut.corners[k];
    const double area = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    EXPECT_GT(area, 0.);
    sum[0] += area;
    for (const auto &[p, q] : {std::pair{a, b}, {b, c}, {c, a}})  // middles of edges: exact for squares
    {
      const double x = 0.5 * (p[0] + q[0]), y = 0.5 * (p[1] + q[1]);
      sum[1] += area / 3. * x * x;
      sum[2] += area / 3. * y * y;
      sum[3] += area / 3. * x * y;
    }
  }
  return sum;
}
/// Of a box.
std::array<double, 4> moments_of(const double a, const double b, const double x, const double y)
{
  const double mx = x + a / 2., my = y + b / 2., A = a * b;
  return {A, A * (a * a / 12. + mx * mx), A * (b * b / 12. + my * my), A * mx * my};
}
}  // namespace

/// The triangles fill the polygon around its holes, once: their moments are those of the polygons. The second pair of holes is cut to one
/// corner of the outline, the third to each other.
TEST(BeamOutlines, TrianglesFillTheArea)
{
  using Holes = std::vector<std::array<double, 4>>;
  for (const Holes &holes : {Holes{{1., 1., 0.5, 0.5}, {1., 1., 2.5, 1.5}}, Holes{{1., 0.1, 0.2, 0.05}, {0.1, 1., 0.05, 0.2}},
                             Holes{{1., 1., 1.5, 1.}, {0.2, 0.2, 1.2, 1.4}, {0.2, 0.2, 2.6, 1.4}}})
  {
    BeamOutline outline{box(4., 3.), {}};
    std::array<double, 4> expected = moments_of(4., 3., 0., 0.);
    for (const auto &[a, b, x, y] : holes)
    {
      outline.holes.push_back(box(a, b, x, y));
      const auto less = moments_of(a, b, x, y);
      for (int i = 0; i < 4; ++i)
        expected[i] -= less[i];
    }
    const OutlineTriangles cut = triangles_of(outline);
    const std::array<double, 4> found = moments_of(cut);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-12 * expected[i]) << holes.size() << " holes, moment " << i;
    EXPECT_EQ(cut.triangles.size(), 4u + 6u * holes.size() - 2u) << "corners + 2 holes - 2";
  }
}

TEST(BeamOutlines, Refused)
{
  expect_refused({{{0., 0.}, {1., 1.}, {1., 0.}, {0., 1.}}, {}}, "meet");
  expect_refused({{{0., 0.}, {1., 0.}}, {}}, "It needs three or more");
  expect_refused({{{0., 0.}, {1., 0.}, {1., 0.}, {0., 1.}}, {}}, "comes twice");
  expect_refused({{{0., 0.}, {1., 0.}, {0.5, 0.}, {0., 1.}}, {}}, "meet");
  expect_refused({box(1., 1.), {box(0.5, 0.5, 0.7, 0.7)}}, "meet");
  expect_refused({box(1., 1.), {box(0.5, 0.5, 2., 2.)}}, "is not inside");
  expect_refused({box(1., 1.), {box(0.8, 0.8, 0.1, 0.1), box(0.2, 0.2, 0.4, 0.4)}}, "inside another one");
}
}  // namespace symdyn::tests::in_beam_outlines
