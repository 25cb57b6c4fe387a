// A node whose directors constraints keep: what moves it onto them, with masses and supports.
#include "elements/space/director_node.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solver/dynamics/symplectic.h"
#include "solver/nodal_constraints.h"
#include "tests/discrete_deck.h"

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

/// The linearised step equation, across the constraints where their forces act: of the discrete gradient at the middle, with ½ sum lambda
/// g'', and at q0 without. Against differences; without the curvature it is wrong.
TEST(DirectorNodes, MatricesAreDerivatives)
{
  DiscreteDeck deck(
      "subsection Mesh\nset Type = plate\nset Subdivisions = 2, 2\nend\nsubsection Materials\nsubsection stuff\nset Type "
      "= linear-elasticity\nset E = 100\nset nu = 0.3\nset Density = 4\nend\nend\nsubsection Shells\nsubsection skin\nset Thickness = "
      "0.2\nset Material = stuff\nend\nend\nsubsection Elements\nset Directors = exact\nend\n");
  const MechanicalSystem &system = deck.system();
  const NodalConstraints &nodal = *system.nodal_constraints();
  const auto moved = [&](const Vector &q, const double s, const Vector &u) {
    Vector x = q;
    x.add(s, u);
    x.update_ghost_values();
    nodal.retract(x);
    return x;
  };
  const Vector q0 = moved(system.new_vector(), 0.1, random_vector(system, 1)), q1 = moved(q0, 0.1, random_vector(system, 2));
  Vector u = random_vector(system, 3);
  nodal.subtract_forces(q1, u);
  u.update_ghost_values();
  for (const bool discrete : {true, false})
  {
    const auto acting = [&](const Vector &q) {
      Vector at = q0;
      if (discrete)
        at.sadd(0.5, 0.5, q);
      return at;
    };
    const auto force = [&](const Vector &q) {
      Vector f = system.new_vector();
      discrete ? system.discrete_gradient(q0, q, f) : system.internal_force(q, f);
      return f;
    };
    constexpr double small = 1e-5;
    Vector difference = system.new_vector();
    for (const double side : {1., -1.})
    {
      const Vector q = moved(q1, side * small, u);
      Vector r = force(q);
      nodal.subtract_forces(acting(q), r);
      difference.add(0.5 * side / small, r);
    }
    nodal.subtract_forces(acting(q1), difference);
    const auto product = [&](const Vector &across) {
      LinearTerm term{K, 0., &q1, &q0, discrete ? &q0 : nullptr};
      term.across = &across;
      term.across_at = discrete ? nullptr : &q0;
      Vector y = system.new_vector();
      system.factor(Linearisation{term})->multiply(u, y);
      y -= difference;
      return y.l2_norm() / difference.l2_norm();
    };
    EXPECT_LT(product(force(q1)), 1e-7) << discrete;
    if (discrete)
    {
      EXPECT_GT(product(system.new_vector()), 1e-3) << "without its curvature";
    }
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
