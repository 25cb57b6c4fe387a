// Contact of boundaries with each other as a term of V: derivatives, matrices, sums, discrete gradients, ways through.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/system_checks.h"
#include "tests/touching_blocks.h"

namespace symdyn::tests::in_contact_pairs
{
using Choice = TouchingChoice;
template <int dim>
using Two = TouchingBlocks<dim>;
constexpr double layer = TouchingChoice::layer, apart = 0.2;

std::vector<Choice> choices()
{
  return {{"bricks"},
          {"of degree 2", "set Order = 2"},
          {"serendipity", "set Order = 2\nset Element = serendipity", "inside", 3, {0.03, 0.02}},
          {"tetrahedra", "set Cell shape = tetrahedra"},
          {"of degree 2, tetrahedra", "set Cell shape = tetrahedra\nset Order = 2"},
          {"outside", "", "outside"},
          {"plane", "", "inside", 2},
          {"plane, of degree 3", "set Order = 3", "inside", 2},
          {"segments", "", "inside", 3, {0.037, 0.011}, "segments"},
          {"segments of degree 2, outside", "set Order = 2", "outside", 3, {0.037, 0.011}, "segments"},
          {"segments, serendipity", "set Order = 2\nset Element = serendipity", "inside", 3, {0.037, 0.011}, "segments"},
          {"segments of tetrahedra", "set Cell shape = tetrahedra\nset Order = 2", "inside", 3, {0.037, 0.011}, "segments"},
          {"segments, plane", "set Order = 2", "inside", 2, {0.037, 0.011}, "segments"},
          {"nodes", "", "inside", 3, {0.037, 0.011}, "nodes"},
          {"nodes, serendipity", "set Order = 2\nset Element = serendipity", "inside", 3, {0.037, 0.011}, "nodes"},
          {"nodes, plane", "set Order = 2", "inside", 2, {0.037, 0.011}, "nodes"}};
}

double depth_of(const Choice &choice) { return choice.side == "inside" ? 0.06 : -0.05; }

template <int dim>
void expect_a_potential(const Choice &choice)
{
  const Two<dim> two(choice, apart);
  ASSERT_TRUE(two.term);
  const Vector q = bent(two, apart, depth_of(choice), choice.aside), w = Random(3).vector(q, 0.002), a = Random(2).vector(q, 0.002);
  ASSERT_GT(two.term->sums(q, nullptr).energy, 1e-3);
  EXPECT_EQ(two.term->sums(two.moved_second({0.1, 0., 0.}, apart), nullptr).energy, 0.);
  expect_derivatives(two.system(), q, w, a, 0.02);
}

TEST(ContactPairs, ForceIsTheGradientOfVAndSoOn)
{
  for (const Choice &choice : choices())
  {
    SCOPED_TRACE(choice.name);
    choice.dim == 2 ? expect_a_potential<2>(choice) : expect_a_potential<3>(choice);
  }
}

/// Of V, and of the discrete gradient from a state to itself and to another, whose matrix is half of that of the middle.
template <int dim>
void expect_matrices(const Choice &choice)
{
  const Two<dim> two(choice, apart);
  const Vector q = bent(two, apart, depth_of(choice));
  const Vector x = Random(5).vector(q, 1.);
  Weights weights;
  weights.k = 0.7;
  const BlockPattern pattern = make_pattern(*two.system().all_parts().space, {two.system().all_parts().terms.back()});
  const auto applied = [&](const At &at) {
    OwnedBlockMatrix A;
    A.allocate(pattern);
    two.term->add_matrix(at, weights, MatrixSink{A});
    Vector Ax = two.system().new_vector();
    A.multiply(x, Ax);
    return Ax;
  };
  At at;
  at.q = &q;
  Vector product = two.system().new_vector();
  two.term->add_product(at, weights, x, product);
  ASSERT_GT(product.l2_norm(), 1.);
  EXPECT_LT(distance(applied(at), product), 1e-12 * product.l2_norm());
  const Vector w = Random(6).vector(q, 0.005), from = moved(q, -1., w), to = moved(q, 1., w);
  At step;
  step.q = &to;
  step.previous = &from;
  EXPECT_LT(distance(moved(applied(step), 1., applied(step)), product), 1e-10 * product.l2_norm());
}

TEST(ContactPairs, MatrixAndProductsAgree)
{
  for (const Choice &choice : choices())
  {
    SCOPED_TRACE(choice.name);
    choice.dim == 2 ? expect_matrices<2>(choice) : expect_matrices<3>(choice);
  }
}

/// Forces without a resultant and a moment at X + q.
void expect_balanced(const Two<3> &two, const Vector &q, const Vector &f)
{
  Place F{}, M{};
  double size = 0;
  const auto &X = two.body->mesh().position;
  for (int node = 0; node < two.body->mesh().n_owned_nodes(); ++node)
  {
    Place x, of_node;
    for (int d = 0; d < 3; ++d)
    {
      x[d] = X[node][d] + q.local_element(3 * node + d);
      of_node[d] = f.local_element(3 * node + d);
    }
    const Place moment = cross(x, of_node);
    for (int d = 0; d < 3; ++d)
    {
      F[d] += of_node[d];
      M[d] += moment[d];
    }
    size += length(of_node);
  }
  constexpr double arm = 3.;  // m
  EXPECT_LT(length(F), 1e-13 * size);
  EXPECT_LT(length(M), 1e-13 * arm * size);
}

/// Over flat surfaces that cover each other every point counts once, whatever the cells: V = area Phi(g). The forces have no resultant and
/// no moment.
TEST(ContactPairs, EnergyIsThatOfTheAreaAndForcesBalance)
{
  for (const Choice &choice : choices())
    if (choice.dim == 3)
    {
      SCOPED_TRACE(choice.name);
      const Two<3> two(choice, apart);
      const double gap = -depth_of(choice);
      const Vector flat = two.moved_second({gap - apart, 0., 0.}, apart);
      search_about(two.system(), flat);
      const ContactSums sums = two.term->sums(flat, nullptr);
      const double x = (gap + (choice.side == "inside" ? layer : 0.)) / layer;
      const double V = -4e3 * layer * layer * std::pow(1. - x, 3) * std::log(x);
      EXPECT_NEAR(sums.energy, V, 1e-12 * V);
      EXPECT_NEAR(sums.area, 1., 1e-12);
      EXPECT_NEAR(sums.gap, gap, 1e-13);
      EXPECT_NEAR(sums.force[0], -sums.pressure, 1e-11 * sums.pressure) << "the first is pushed back";

      const Vector q = bent(two, apart, depth_of(choice));
      At at;
      at.q = &q;
      Vector f = two.system().new_vector();
      two.term->add_force(at, f);
      expect_balanced(two, q, f);
    }
}

/// A corner slides over edges and corners of the other surface: steps of half the length have changes of half the size in V and the force,
/// at all places.
TEST(ContactPairs, SlidingHasNoJumps)
{
  const Two<3> two(choices()[0], apart, "", 0.4);
  const auto largest_changes = [&](const int places) {
    Vector f = two.system().new_vector(), last = f;
    double of_force = 0, of_V = 0, V_last = 0;
    for (int i = 0; i <= places; ++i)
    {
      const double s = double(i) / places;
      const Vector q = two.moved_second({-apart - 0.04, -1.5 * s, -1.1 * s}, apart);
      search_about(two.system(), q);
      f = 0.;
      At at;
      at.q = &q;
      two.term->add_force(at, f);
      const double V = two.term->energy(at);
      of_force = std::max(of_force, i > 0 ? distance(f, last) : 0.);
      of_V = std::max(of_V, i > 0 ? std::abs(V - V_last) : 0.);
      last = f;
      V_last = V;
    }
    return std::array<double, 2>{of_force, of_V};
  };
  const auto coarse = largest_changes(4000), fine = largest_changes(8000);
  ASSERT_GT(coarse[0], 1e-2);
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(fine[i] / coarse[i], 0.5, 0.05) << i;
}

/// Many short ways are free, and none of them makes a way through the other block free: the answer is that of a term which was never asked.
TEST(ContactPairs, KnownDistancesFreeNoWayThrough)
{
  const Choice choice = choices()[0];
  const Two<3> two(choice, apart);
  const auto through = [&](const Two<3> &blocks, const Vector &q, const double gap) {
    return blocks.term->largest_step(q, blocks.moved_second({-gap - 2. * layer, 0.002, 0.}, apart));
  };
  constexpr double way = 0.002;
  constexpr int ways = 80;
  int free_ways = 0;
  for (int i = 0; i < ways; ++i)
  {
    const Vector q = two.moved_second({-way * i, 0., 0.}, apart);
    if (i % 10 == 0)
      search_about(two.system(), q);
    free_ways += two.term->largest_step(q, two.moved_second({-way, 0., 0.}, apart)) == 1.;
    const double gap = apart - way * i, part = through(two, q, gap);
    EXPECT_LT(part, 1.) << gap;
    if (i % 20 == 10)
    {
      const Two<3> fresh(choice, apart);
      search_about(fresh.system(), q);
      EXPECT_EQ(part, through(fresh, q, gap)) << gap;
    }
  }
  EXPECT_EQ(free_ways, ways);
}

/// A body that comes from afar, in ways of which many are between two searches, is stopped and pressed as by a term that began there.
TEST(ContactPairs, BodiesFromAfarAreFound)
{
  const Choice choice = choices()[0];
  constexpr double far = 4., way = 0.15;
  const Two<3> two(choice, apart);
  bool met = false;
  for (double x = far; !met; x -= way)
  {
    const Vector q = two.moved_second({x, 0., 0.}, apart), on = two.moved_second({-way, 0., 0.}, apart);
    search_about(two.system(), q);
    const Two<3> fresh(choice, apart);
    search_about(fresh.system(), q);
    EXPECT_EQ(two.term->sums(q, nullptr).energy, fresh.term->sums(q, nullptr).energy);
    EXPECT_EQ(two.term->free_part(q, on), fresh.term->free_part(q, on)) << x;
    met = two.term->free_part(q, on) < 1.;
    const Vector through = two.moved_second({-2. * far, 0., 0.}, apart);
    EXPECT_LT(two.term->largest_step(q, through), 1.) << x;
    EXPECT_NEAR(two.term->largest_step(q, through), fresh.term->largest_step(q, through), 1e-12) << x;
  }
}

/// f·dq = V1 - V0, no resultant, no moment about the middle.
TEST(ContactPairs, DiscreteGradientKeepsEnergyAndMomenta)
{
  for (const Choice &choice : choices())
    if (choice.dim == 3)
    {
      SCOPED_TRACE(choice.name);
      const Two<3> two(choice, apart);
      const Vector q = bent(two, apart, depth_of(choice)), to = moved(q, 1., Random(4).vector(q, 0.01));
      At here;
      here.q = &to;
      here.previous = &q;
      Vector f = two.system().new_vector();
      two.term->add_discrete_gradient(here, f);
      At zero, one;
      zero.q = &q;
      one.q = &to;
      const double V0 = two.term->energy(zero), V1 = two.term->energy(one);
      ASSERT_GT(std::abs(V1 - V0), 1e-3 * V0);
      EXPECT_NEAR(f * moved(to, -1., q), V1 - V0, 1e-13 * (V0 + V1));
      Vector middle = moved(q, 1., to);
      middle *= 0.5;
      expect_balanced(two, middle, f);
    }
}

/// Ends are free, the other body is between them.
TEST(ContactPairs, NoWayGoesThroughTheOtherBody)
{
  const Two<3> two(choices()[5], apart);
  const Vector at_rest = two.moved_second({0., 0., 0.}, apart);
  const Searching &steps = *searching(two.system());
  const auto free_part = [&](const double x) { return steps.free_part(at_rest, two.moved_second({x, 0., 0.}, apart)); };
  EXPECT_EQ(free_part(-0.15), 1.);
  EXPECT_EQ(free_part(5.), 1.) << "a way of many faces";
  EXPECT_EQ(steps.within_reach(at_rest, two.moved_second({5., 0., 0.}, apart)), 1.) << "and nothing is near at its end";
  const Vector near_by = two.moved_second({-apart + 0.05, 0., 0.}, apart), far_away = two.moved_second({9., 0., 0.}, apart);
  search_about(two.system(), far_away);
  EXPECT_LT(steps.within_reach(far_away, moved(near_by, -1., far_away)), 1.) << "what is near at its end was not found";
  search_about(two.system(), at_rest);
  EXPECT_EQ(free_part(0.2), 1.);
  const double part = free_part(-0.24);
  EXPECT_NEAR(part * 0.24, apart, 1e-3);
  EXPECT_EQ(diagnose(two.system(), at_rest), "");
  const std::string why = diagnose(two.system(), two.moved_second({-part * 0.24, 0., 0.}, apart));
  EXPECT_NE(why.find("first-x+ would pass second-x- at (1, "), std::string::npos) << why;
}
/// Between states with a slack no way meets anything, and the search holds for it: of all ways of a body that comes near another one.
TEST(ContactPairs, WaysWithASlackAreFree)
{
  const Two<3> two(choices()[5], apart);
  const Searching &steps = *searching(two.system());
  int free = 0, others = 0;
  search_about(two.system(), two.moved_second({2., 0., 0.}, apart));
  for (int way = 0; way < 200; ++way)
  {
    const auto place = [&](const double part) { return two.moved_second({-apart + 0.1 + 4. * part, 0.3 * part, 0.}, apart); };
    const Vector from = place(std::abs(std::sin(1. + way))), to = place(std::abs(std::sin(2. + 3. * way)));
    const bool known = steps.slack(from) > 0. && steps.slack(to) > 0.;
    ++(known ? free : others);
    if (known)
    {
      EXPECT_EQ(steps.within_reach(from, moved(to, -1., from)), 1.) << way;
      EXPECT_EQ(steps.free_part(from, moved(to, -1., from)), 1.) << way;
    }
  }
  EXPECT_GT(free, 10);
  EXPECT_GT(others, 10);
}

/// Ways of less than half a face each, towards each other, come to contact; slides of more than half a face do not go by.
TEST(ContactPairs, SegmentsServeOnTheWholeWay)
{
  const Two<3> two(choices()[8], apart);
  const auto standing = [&](const std::array<double, 3> &first, const std::array<double, 3> &second) {
    Vector q = two.moved_second(second, apart);
    for (int node = 0; node < two.body->mesh().n_owned_nodes(); ++node)
      for (int d = 0; d < 3 && two.body->mesh().position[node][0] < 1. + 0.5 * apart; ++d)
        q.local_element(3 * node + d) = first[d];
    q.update_ghost_values();
    return q;
  };
  const Searching &steps = *searching(two.system());
  const Vector from = standing({0., 0., 0.}, {0.1, 0., 0.}), to = standing({0.16, 0., 0.}, {-0.06, 0., 0.});
  search_about(two.system(), from);
  EXPECT_EQ(steps.within_reach(from, moved(to, -1., from)), 1.);
  EXPECT_GT(two.term->sums(to, nullptr).energy, 0.) << "they touch";
  search_about(two.system(), to);
  const auto slide = [&](const double way) { return steps.within_reach(to, moved(standing({0.16, way, 0.}, {-0.06, -way, 0.}), -1., to)); };
  EXPECT_EQ(slide(0.05), 1.);
  EXPECT_LT(slide(0.1), 1.);
  const auto refusal = [&](const double way) { return steps.refusal(to, moved(standing({0.16, way, 0.}, {-0.06, -way, 0.}), -1., to)); };
  EXPECT_EQ(refusal(0.05), "");
  const std::string why = refusal(0.1);
  EXPECT_NE(why.find("slides along second-x- by 0.2 m at (1"), std::string::npos) << why;
  EXPECT_NE(why.find("contact 'touch'"), std::string::npos) << why;
  EXPECT_LT(steps.within_reach(to, moved(standing({0.16, 0., 0.}, {-0.3, 0., 0.}), -1., to)), 1.) << "through the layer";
}

/// What contact.pvd draws: at every node of both surfaces the pressure and the gap of flat faces that are pressed evenly, and how far the
/// first has slid on the second where it is pressed.
TEST(ContactPairs, NodesHaveTheFieldsOfFlatFaces)
{
  for (const std::string pairing : {"points", "segments"})
  {
    SCOPED_TRACE(pairing);
    constexpr double apart = 0.2, depth = 0.03;
    const TouchingBlocks<3> two({"bricks", "", "inside", 3, {0., 0.}, pairing}, apart);
    const auto fields = [&](const Vector &q) {
      search_about(two.system(), q);
      SurfaceSums sums{two.system().new_vector(), two.system().new_vector(), two.system().new_vector(), 1., 3};
      two.term->add_fields(q, nullptr, sums);
      return sums;
    };
    const Vector q = two.moved_second({-apart - depth, 0., 0.}, apart);
    const SurfaceSums pressed = fields(q), slid = fields(two.moved_second({-apart - depth, 0.02, 0.01}, apart));
    search_about(two.system(), q);
    const double pressure = two.term->sums(q, nullptr).pressure;
    EXPECT_GT(pressure, 0.1);
    int nodes = 0, slipped = 0;
    for (int site = 0; site < two.system().all_parts().space->owned(); ++site)
    {
      if (const double area = pressed.pressures.local_element(3 * site + 1); area > 0.)
      {
        EXPECT_NEAR(pressed.pressures.local_element(3 * site) / area, pressure, 1e-9 * pressure) << "site " << site;
        EXPECT_NEAR(pressed.gaps.local_element(3 * site) / area, -depth, 1e-9) << "site " << site;
        ++nodes;
      }
      if (const double area = slid.pressures.local_element(3 * site + 1), closed = slid.gaps.local_element(3 * site + 1);
          closed > 0. && std::abs(slid.pressures.local_element(3 * site) - area * pressure) < 1e-9 * area * pressure)
      {
        EXPECT_NEAR(slid.slips.local_element(3 * site), 0., 1e-9);
        EXPECT_NEAR(slid.slips.local_element(3 * site + 1), -0.02 * closed, 1e-9) << "site " << site;
        EXPECT_NEAR(slid.slips.local_element(3 * site + 2), -0.01 * closed, 1e-9) << "site " << site;
        ++slipped;
      }
    }
    EXPECT_GE(nodes, 9 + 16) << "and those behind sunk points";
    EXPECT_GE(slipped, 4);
  }
}
}  // namespace symdyn::tests::in_contact_pairs
