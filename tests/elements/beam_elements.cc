// Beams with two directors: energy, force, stiffness, rank and mass of an element, section constants, and numbers of papers for whole
// beams.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "elements/gram/director_rotation.h"
#include "tests/beams.h"

namespace symdyn::tests::in_beam_elements
{
namespace
{
using beams::negative;
using beams::Numbers;
using beams::pi;
using beams::turned;
using beams::Vectors;

/// An element, curved and not quite with orthonormal directors, with a state far from rest.
struct Sample
{
  std::string name;
  int places;  ///< vectors that a translation moves
  GramElement element;
  Vectors y, u;
};
Vectors noise(const int n, const double size, Vectors about = {})
{
  static std::mt19937 engine(7);
  about.resize(n, GramVector{});
  for (GramVector &v : about)
    for (double &x : v)
      x += size * std::uniform_real_distribution<>(-1, 1)(engine);
  return about;
}
Vectors at_rest(const int nodes, const double length = 1)
{
  Vectors rest;
  for (int a = 0; a < nodes; ++a)
    rest.push_back({length * a / (nodes - 1), 0, 0});
  rest.insert(rest.end(), nodes, {0, 1, 0});
  rest.insert(rest.end(), nodes, {0, 0, 1});
  return rest;
}
BeamStiffness coupled()
{
  BeamStiffness C;
  for (int i = 0; i < 36; ++i)
    C[i] = i % 7 == 0 ? 1 + i / 7 : 0.3;
  return C;
}
std::vector<Sample> samples()
{
  std::vector<Sample> all;
  for (const int nodes : {2, 3})
    for (const BeamPoint offset : {BeamPoint{}, BeamPoint{0.3, -0.2}})
    {
      const Vectors rest = noise(3 * nodes, 0.1, at_rest(nodes));
      all.push_back({std::to_string(nodes) + " nodes",
                     nodes,
                     {beam_model(nodes, coupled(), {}, rest, offset), rest},
                     noise(3 * nodes, 0.5, rest),
                     {}});
    }
  for (int k = 1; k <= 3; ++k)
    all.push_back({std::to_string(k) + " directors", 0, {director_model(k, 3), noise(k, 1)}, noise(k, 1), {}});
  for (Sample &one : all)
    one.u = noise(int(one.y.size()), 1);
  return all;
}

Vectors force(const GramElement &e, const Vectors &y)
{
  Vectors f(y.size(), GramVector{});
  e.add_force(e.stress(e.strain(y)), y, 1, f);
  return f;
}
Vectors moved(const Vectors &y, const double h, const Vectors &u)
{
  Vectors sums;
  for (std::size_t a = 0; a < y.size(); ++a)
    sums.push_back(combination(y[a], h, u[a]));
  return sums;
}
double product(const Vectors &a, const Vectors &b)
{
  double all = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    all += dot(a[i], b[i]);
  return all;
}
/// u·K u with the stress factor sigma: what add_matrix makes of it.
double curvature(const Sample &s, const double of_sigma)
{
  Numbers k(9 * s.y.size() * s.y.size(), 0.), sigma = s.element.stress(s.element.strain(s.y));
  for (double &one : sigma)
    one *= of_sigma;
  s.element.add_matrix(s.y, s.y, sigma, 1, k);
  double all = 0;
  for (std::size_t r = 0, n = 3 * s.y.size(); r < n; ++r)
    for (std::size_t c = 0; c < n; ++c)
      all += s.u[r / 3][r % 3] * k[r * n + c] * s.u[c / 3][c % 3];
  return all;
}
}  // namespace

TEST(BeamElements, EnergyIgnoresRigidMotions)
{
  for (const Sample &s : samples())
  {
    Vectors all = s.y, places = s.y;
    for (std::size_t a = 0; a < s.y.size(); ++a)
      all[a] = combination(turned({0.7, -1.2, 0.4}, s.y[a]), int(a) < s.places, {3, -2, 5});
    places[0] = turned({0.7, -1.2, 0.4}, s.y[0]);
    const double V = s.element.energy(s.y);
    EXPECT_NEAR(s.element.energy(all) / V, 1, 1e-13) << s.name;
    const double change = std::abs(s.element.energy(places) / V - 1);
    EXPECT_TRUE(s.y.size() == 1 || change > 1e-3) << s.name << ": one vector turns alone";
  }
}

TEST(BeamElements, ForceAndMatrixAreSlopes)
{
  for (const Sample &s : samples())
  {
    const auto error_of_force = [&](const double h, const double factor) {
      return (s.element.energy(moved(s.y, h, s.u)) - s.element.energy(moved(s.y, -h, s.u))) / (2 * h) -
             factor * product(force(s.element, s.y), s.u);
    };
    const auto error_of_matrix = [&](const double h, const double of_sigma) {
      return (product(force(s.element, moved(s.y, h, s.u)), s.u) - product(force(s.element, moved(s.y, -h, s.u)), s.u)) / (2 * h) -
             curvature(s, of_sigma);
    };
    EXPECT_NEAR(error_of_force(0.1, 1) / error_of_force(0.05, 1), 4, 1e-6) << s.name;  // V is of degree 4
    EXPECT_NEAR(error_of_matrix(0.1, 1) / error_of_matrix(0.05, 1), 4, 1e-6) << s.name;
    EXPECT_NEAR(error_of_force(0.1, -1) / error_of_force(0.05, -1), 1, 0.5) << s.name << ": wrong sign";
    EXPECT_NEAR(error_of_matrix(0.1, 0) / error_of_matrix(0.05, 0), 1, 0.5) << s.name << ": no stress";
  }
}

TEST(BeamElements, DirectorsCostAllOrderedPairs)
{
  const Vectors rest = noise(3, 1), d = noise(3, 1);
  double V = 0;
  for (int pair = 0; pair < 9; ++pair)
    V += 0.5 * 7 * std::pow((dot(d[pair / 3], d[pair % 3]) - dot(rest[pair / 3], rest[pair % 3])) / 2, 2);
  EXPECT_NEAR(GramElement(director_model(3, 7), rest).energy(d) / V, 1, 1e-13);
}

/// Of the matrix at rest of a straight element, with elastic directors at its nodes or without.
int rank(const int nodes, const int points, const bool elastic)
{
  const Vectors rest = at_rest(nodes);
  const int n = 9 * nodes;
  Numbers K(n * n, 0.), unit = K;
  const GramElement beam(BeamType(nodes, coupled(), {}, {}, points).model(rest), rest);
  beam.add_matrix(rest, rest, Numbers(beam.of_type().strains(), 0.), 1, K);
  for (int a = 0; a < nodes && elastic; ++a)
  {
    Numbers k(36, 0.);
    const int sites[] = {nodes + a, 2 * nodes + a};
    const Vectors directors{rest[sites[0]], rest[sites[1]]};
    GramElement(director_model(2, 1), directors).add_matrix(directors, directors, {0, 0, 0}, 1, k);
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c)
        K[(3 * sites[r / 3] + r % 3) * n + 3 * sites[c / 3] + c % 3] += k[6 * r + c];
  }
  for (int i = 0; i < n; ++i)
    unit[i * n + i] = 1;
  EXPECT_EQ(negative(K, -1e-9, unit), 0) << "energies are not negative";
  return n - negative(K, 1e-9, unit);
}

TEST(BeamElements, OnlyRigidMotionsCostNothing)
{
  EXPECT_EQ(rank(2, 1, true), 18 - 6);
  EXPECT_EQ(rank(3, 2, true), 27 - 6);
  EXPECT_EQ(rank(2, 1, false), 18 - 6 - 6);
  EXPECT_EQ(rank(3, 2, false), 27 - 9 - 6);
  EXPECT_LT(rank(3, 1, true), 27 - 6) << "one Gauss point is not enough for three nodes";
}

/// The ends turn against each other: a thin element must cost ½ E I (angle/L)² L, and no shear.
TEST(BeamElements, ThinOnesDoNotLock)
{
  const BeamSection thin = rectangle_section(0.01, 1);
  for (const int nodes : {2, 3})
    for (const int points : {nodes - 1, nodes})
    {
      const double angle = 1e-4, bow = nodes == 3 ? angle / 8 : 0;
      const Vectors rest = at_rest(nodes);
      Vectors y = rest;
      y[1][1] -= bow;
      for (int a = 0; a < nodes; ++a)
        y[nodes + a] = turned({0, 0, angle * (double(a) / (nodes - 1) - 0.5)}, rest[nodes + a]);
      const double V = GramElement(BeamType(nodes, thin.stiffness(1, 0), {}, {}, points).model(rest), rest).energy(y);
      const double factor = V / (0.5 * thin.I1 * angle * angle);
      if (points < nodes || nodes == 3)
        EXPECT_NEAR(factor, 1, 1e-3) << nodes << " nodes";
      else
        EXPECT_GT(factor, 100) << "at two points a straight line of two nodes cannot bend without shear";
    }
}

/// Nodes from which the centroid has an offset see the strains of the line of centroids.
TEST(BeamElements, OffsetIsThatOfTheCentroid)
{
  const BeamPoint o{0.3, -0.2};
  for (const int nodes : {2, 3})
  {
    const auto shifted = [&](Vectors y) {
      for (int a = 0; a < nodes; ++a)
        y[a] = combination(combination(y[a], -o[0], y[nodes + a]), -o[1], y[2 * nodes + a]);
      return y;
    };
    const Vectors rest = noise(3 * nodes, 0.1, at_rest(nodes)), y = noise(3 * nodes, 0.5, rest);
    const double V = GramElement(beam_model(nodes, coupled(), {}, rest), rest).energy(y);
    const auto at_nodes = [&](const BeamPoint &offset) {
      return GramElement(beam_model(nodes, coupled(), {}, shifted(rest), offset), shifted(rest)).energy(shifted(y));
    };
    EXPECT_NEAR(at_nodes(o) / V, 1, 1e-13);
    EXPECT_GT(std::abs(at_nodes({o[1], o[0]}) / V - 1), 1e-2);
    EXPECT_EQ(beam_shape(nodes), beam_shape(nodes)) << "elements of a type share it";
  }
}

/// Twice the kinetic energy per square of the angular velocity about an axis through the origin.
double inertia(const Numbers &mass, const Vectors &y, const GramVector &axis)
{
  double all = 0;
  for (std::size_t a = 0; a < y.size(); ++a)
    for (std::size_t b = 0; b < y.size(); ++b)
      all += mass[a * y.size() + b] * dot(cross(axis, y[a]), cross(axis, y[b]));
  return all;
}

TEST(BeamElements, MassOfARod)
{
  const double L = 2, density = 3, a = 0.2, b = 0.1, A = a * b, o1 = 0.3, o2 = 0.4;
  const double I1 = A * (a * a / 12 + o1 * o1), I2 = A * (b * b / 12 + o2 * o2);
  const BeamSection section = rectangle_section(a, b);
  const BeamMass mass = section.mass(density, {o1, o2});
  for (const int n : {2, 3})
  {
    const Vectors rest = at_rest(n, L);
    const GramModel model = beam_model(n, coupled(), mass, rest, {o1, o2});
    const int size = 3 * n;
    double total = 0, first = 0, lumped = 0, lumped_d1 = 0;
    for (int i = 0; i < n; ++i)
    {
      lumped += model.lumped[i];
      lumped_d1 += model.lumped[n + i];
      for (int j = 0; j < n; ++j)
      {
        total += model.mass[i * size + j];
        first += model.mass[i * size + 2 * n + j];
      }
    }
    EXPECT_NEAR(total, density * A * L, 1e-14);
    EXPECT_NEAR(lumped, density * A * L, 1e-14);
    EXPECT_NEAR(lumped_d1, density * I1 * L, 1e-14);
    EXPECT_NEAR(first, density * A * o2 * L, 1e-14);
    EXPECT_NEAR(inertia(model.mass, rest, {1, 0, 0}), density * (I1 + I2) * L, 1e-14) << "about the axis";
    EXPECT_NEAR(inertia(model.mass, rest, {0, 1, 0}), density * (A * L * L * L / 3 + I2 * L), 1e-13) << "about an end";
    EXPECT_NEAR(model.lumped[n / 2] / lumped, n == 2 ? 1. / 2 : 2. / 3, 1e-14);
    EXPECT_NEAR(model.lumped[n] / lumped_d1, n == 2 ? 1. / 2 : 1. / 6, 1e-14);
  }
}

TEST(BeamElements, MassIsNotSingular)
{
  for (const int n : {2, 3})
  {
    const Vectors rest = at_rest(n);
    const auto too_small = [&](const BeamMass &mass) {
      const GramModel model = beam_model(n, coupled(), mass, rest);
      Numbers diagonal(model.mass.size(), 0.);
      for (int i = 0; i < 3 * n; ++i)
        diagonal[i * 3 * n + i] = model.mass[i * 3 * n + i];
      return negative(model.mass, 1e-8, diagonal);
    };
    EXPECT_EQ(too_small(rectangle_section(0.01, 0.02).mass(1)), 0);
    EXPECT_EQ(too_small({1, {0.1, 0}, {0.01, 1, 0}}), n) << "all mass on one line: no rotary inertia about it";
  }
}

TEST(BeamSections, Constants)
{
  const double nu = 0.3;
  const BeamSection square = rectangle_section(2, 2), strip = rectangle_section(1, 100), pipe = pipe_section(1, 0.5, nu);
  EXPECT_NEAR(square.J / 2.24923, 1, 2e-3);
  EXPECT_NEAR(strip.J / (100. / 3.), 1 - 0.63 / 100, 1e-5);
  EXPECT_NEAR(rectangle_section(0.3, 0.1).I1, 0.1 * 0.027 / 12, 1e-18);
  EXPECT_EQ(rectangle_section(0.3, 0.1).J, rectangle_section(0.1, 0.3).J);
  EXPECT_NEAR(circle_section(2).J, 8 * pi, 1e-13);
  EXPECT_NEAR(pipe.J, pi / 2 * (1 - 0.0625), 1e-14);
  EXPECT_NEAR(pipe.k1, 2.6 / 4.9, 1e-15);
  const BeamSection box = box_section({1.01, 1.01, 0.01, 0.01});
  EXPECT_NEAR(box.k1, 20. / 48, 1e-12) << "Cowper 1966, nu = 0";
  EXPECT_NEAR(box.J, 0.01, 1e-12) << "A_m = 1, 4 walls of 100";
  EXPECT_NEAR(box.I1, (std::pow(1.01, 4) - std::pow(0.99, 4)) / 12, 1e-15);
  const BeamSection flat = box_section({2.01, 1.02, 0.01, 0.02});
  EXPECT_NEAR(flat.J, 4 * 4 / (2 / 0.01 + 4 / 0.02), 1e-12);
  EXPECT_NEAR(flat.k1, 30.625 / 43.125, 1e-12) << "Cowper 1966, nu = 0, m = 1/4, n = 1/2: the walls along an axis carry its shear";
  const BeamSection i = i_section({1.005, 1, 1, 0.005, 0.005, 0.01});
  EXPECT_NEAR(i.k2, 160. / 384, 1e-12) << "Cowper 1966, nu = 0, m = n = 1";
  EXPECT_NEAR(i.k1, 5. / 6 / 2, 1e-12) << "flanges only";
  EXPECT_NEAR(i.J, (2 * 1.25e-7 + 0.995e-6) / 3, 1e-18);
}

/// A straight element twisted about the line of shear centres costs G J only.
TEST(BeamSections, TwistIsAboutTheShearCentre)
{
  const BeamSection tee = i_section({1, 1, 0.1, 0.05, 0.05, 0.05});
  EXPECT_NEAR(tee.centroid[1] + tee.shear_centre[1], -0.475, 2e-3) << "near the middle of the wide flange";
  const Vectors rest = at_rest(2);
  const GramElement element(beam_model(2, tee.stiffness(2, 0), {}, rest), rest);
  const auto twisted = [&](const double place, const double angle) {
    Vectors y = rest;
    const GramVector centre{0, 0, place};
    for (const int a : {1, 3, 5})
      y[a] = turned({angle, 0, 0}, y[a]);
    y[1] = combination(combination(y[1], 1, centre), -1, turned({angle, 0, 0}, centre));
    return element.energy(y) / (tee.J * angle * angle / 2);
  };
  EXPECT_NEAR(twisted(tee.shear_centre[1], 1e-4), 1, 1e-6);
  EXPECT_GT(twisted(-tee.shear_centre[1], 1e-4), 10);
  EXPECT_GT(twisted(0, 1e-4), 10);
}

TEST(BeamSections, ImpossibleOnesAreErrors)
{
  const auto section = [](const double I1, const double I12, const double J) { general_section({1, 1, 1, I1, 1, I12, J, {}, {}}); };
  EXPECT_NO_THROW(section(1, 0.99, 2));
  EXPECT_THROW(section(1, 1, 2), std::invalid_argument);
  EXPECT_THROW(section(1, 0, 2.1), std::invalid_argument);
  EXPECT_THROW(section(0, 0, 1), std::invalid_argument);
  EXPECT_THROW(rectangle_section(0, 1), std::invalid_argument);
  EXPECT_THROW(circle_section(-1), std::invalid_argument);
  EXPECT_THROW(pipe_section(1, 1, 0), std::invalid_argument);
  EXPECT_THROW(box_section({1, 1, 0.5, 0.1}), std::invalid_argument);
  EXPECT_THROW(i_section({1, 1, 1, 0.5, 0.5, 0.1}), std::invalid_argument);
  EXPECT_THROW(circle_section(1).stiffness(1, 0.6), std::invalid_argument);
  BeamStiffness C = coupled();
  EXPECT_NO_THROW(check_stiffness(C));
  C[1] = 0.2;
  EXPECT_THROW(check_stiffness(C), std::invalid_argument) << "not symmetric";
  C[1] = C[6] = 2;
  EXPECT_THROW(check_stiffness(C), std::invalid_argument) << "not positive definite";
}

/// Directors that are turned by a rotation vector have it, also where elastic ones have stretched along themselves; small ones are linear.
TEST(BeamElements, RotationsOfDirectors)
{
  const Vectors all{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}};
  for (const std::size_t k : {1, 2, 3})
    for (const GramVector &theta : noise(50, 1.75))
      for (const double size : {1e-9, 1e-3, 1., 3.14159 / std::sqrt(dot(theta, theta))})
      {
        const Vectors D(all.begin(), all.begin() + long(k));
        GramVector expected = scaled(size, theta);
        if (k == 1)  // without the part about the director
          expected = combination(expected, -dot(expected, D[0]), D[0]);
        Vectors d, u;
        for (const GramVector &rest : D)
        {
          d.push_back(scaled(k == 1 ? 1.01 : 1., turned(expected, rest)));
          u.push_back(cross(expected, rest));
        }
        if (k > 1)
          d[1] = combination(d[1], 1e-3, d[0]);
        if (k > 1)
          d[0] = combination(d[0], 1e-3, turned(expected, D[1]));
        EXPECT_LT(norm(combination(rotation_of_directors(D, d), -1., expected)), 1e-6 * (k > 1) + 1e-8 * norm(expected) + 1e-15)
            << k << size;
        EXPECT_LT(norm(combination(small_rotation_of_directors(D, u), -1., expected)), 1e-14 * norm(expected) + 1e-30) << k;
      }
}

TEST(BeamElements, ImpossibleOnesAreErrors)
{
  Vectors rest = at_rest(3);
  const auto model = [&] { beam_model(3, coupled(), {}, rest); };
  EXPECT_NO_THROW(model());
  rest[1][0] = 0.2;
  EXPECT_THROW(model(), std::invalid_argument) << "quarter point";
  rest[2] = rest[0];
  EXPECT_THROW(model(), std::invalid_argument) << "no length";
  EXPECT_THROW(beam_shape(4), std::invalid_argument);
  EXPECT_THROW(director_model(4, 1), std::invalid_argument);
  EXPECT_THROW(director_model(2, 0), std::invalid_argument);
}
}  // namespace symdyn::tests::in_beam_elements
