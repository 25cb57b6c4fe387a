// Edges that cross each other: derivatives, jumps, which edges count, ways through.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "elements/contact/features/edge_pairs.h"
#include "elements/contact/touching.h"
#include "solver/searching.h"
#include "solver/verify/system.h"
#include "tests/crossing_bars.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_contact_edges
{
using Ends = std::array<Place, 4>;
constexpr double layer = 0.3;

std::unique_ptr<ContactLaw> law()
{
  auto made = Registry<ContactLaw>::instance().make("barrier");
  ContactEntries entries;
  entries.stiffness = 4e3;
  entries.layer = layer;
  entries.inside = false;
  EXPECT_EQ(made->take(entries)[1], "");
  return made;
}

EdgePair pair_of(const Ends &undeformed)
{
  const Place e = difference(undeformed[1], undeformed[0]), f = difference(undeformed[3], undeformed[2]);
  return {{0, 1, 2, 3}, 0.7, 0.25 * dot(e, e) * dot(f, f)};
}

Ends on_way(const Ends &x, const double s, const Ends &way)
{
  Ends moved = x;
  for (int i = 0; i < 4; ++i)
    for (int d = 0; d < 3; ++d)
      moved[i][d] += s * way[i][d];
  return moved;
}
/// Of the components of four places.
double size(const Ends &a)
{
  double sum = 0;
  for (const Place &one : a)
    sum += dot(one, one);
  return std::sqrt(sum);
}
double product_of(const Ends &a, const Ends &b)
{
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += dot(a[i], b[i]);
  return sum;
}

struct Case
{
  const char *name;
  Ends at;
};
/// The first edge is a metre along x; the second crosses it in the middle, near an end, near both ends, and nearly along it.
const Case cases[] = {{"inside", {{{0., 0., 0.}, {1., 0.02, 0.01}, {0.4, -0.5, 0.11}, {0.5, 0.6, 0.12}}}},
                      {"near an end", {{{0., 0., 0.}, {1., 0.02, 0.01}, {0.8, -0.5, 0.11}, {0.85, 0.6, 0.12}}}},
                      {"near both ends", {{{0., 0., 0.}, {1., 0.02, 0.01}, {0.8, -0.2, 0.11}, {0.9, 0.9, 0.12}}}},
                      {"nearly parallel", {{{0., 0., 0.}, {1., 0.02, 0.01}, {0.1, -0.15, 0.11}, {0.9, 0.18, 0.13}}}}};
const Ends way{{{0.3, -0.2, 0.5}, {-0.4, 0.6, 0.1}, {0.2, 0.7, -0.3}, {-0.5, 0.1, 0.4}}};

template <int order>
Ends derivative(const Ends &x, const ContactLaw &phi)
{
  std::array<Arrow<Series<order, 1>>, 4> line;
  for (int i = 0; i < 4; ++i)
    line[i] = on_line<order>(x[i], way[i]);
  const EdgePair pair = pair_of(cases[0].at);
  const auto F = CrossedEdges(pair, x).gradient(line, phi, 0.);
  Ends change;
  for (int i = 0; i < 4; ++i)
    for (int d = 0; d < 3; ++d)
      change[i][d] = order * F[i][d].c[order];
  return change;
}

TEST(ContactEdges, DerivativesAreThoseOfTheEnergy)
{
  const auto phi = law();
  const EdgePair pair = pair_of(cases[0].at);
  const auto V = [&](const Ends &x) { return CrossedEdges(pair, x).energy(*phi, 0.); };
  const auto force = [&](const Ends &x) { return CrossedEdges(pair, x).gradient(x, *phi, 0.); };
  constexpr double h = 1e-5;
  for (const auto &[name, x] : cases)
  {
    SCOPED_TRACE(name);
    const Ends up = on_way(x, h, way), down = on_way(x, -h, way), f = force(x);
    ASSERT_GT(V(x), 0.01);
    EXPECT_NEAR((V(up) - V(down)) / (2. * h), product_of(f, way), 1e-6 * size(f));
    const auto slope = [&](const auto &map) {
      Ends difference = on_way(map(up), -1., map(down));
      for (Place &one : difference)
        for (double &component : one)
          component /= 2. * h;
      return difference;
    };
    const Ends second = derivative<1>(x, *phi), third = derivative<2>(x, *phi);
    EXPECT_LT(size(on_way(slope(force), -1., second)), 1e-6 * size(second));
    EXPECT_LT(size(on_way(slope([&](const Ends &y) { return derivative<1>(y, *phi); }), -1., third)), 1e-6 * size(third));
    const auto slopes = CrossedEdges(pair, x).gradient(with_slopes(x), *phi, 0.);
    Ends of_slopes{};
    for (int i = 0; i < 4; ++i)
      for (int d = 0; d < 3; ++d)
        for (int j = 0; j < 12; ++j)
          of_slopes[i][d] += slopes[i][d].e[0][j] * way[j / 3][j % 3];
    EXPECT_LT(size(on_way(of_slopes, -1., second)), 1e-12 * size(second));
    Place sum{}, moment{};
    for (int i = 0; i < 4; ++i)
      for (int d = 0; d < 3; ++d)
      {
        sum[d] += f[i][d];
        moment[d] += cross(x[i], f[i])[d];
      }
    EXPECT_LT(length(sum), 1e-13 * size(f));
    EXPECT_LT(length(moment), 1e-13 * size(f));
  }
}

/// The second edge slides past an end of the first, and turns through the direction along it: half the way of a place, half the
/// change of V, V' and V''.
TEST(ContactEdges, SlidingAndTurningHaveNoJumps)
{
  const auto phi = law();
  const EdgePair pair = pair_of(cases[0].at);
  const auto slide = [](const double s) {
    return Ends{{{0., 0., 0.}, {1., 0., 0.}, {0.7 + 0.6 * s, -0.5, 0.1}, {0.8 + 0.6 * s, 0.6, 0.12}}};
  };
  const auto turn = [](const double s) {
    const double c = 0.5 * std::cos(s - 0.5), sine = 0.5 * std::sin(s - 0.5);
    return Ends{{{0., 0., 0.}, {1., 0., 0.}, {0.55 - c, -sine, 0.1}, {0.55 + c, sine, 0.1}}};
  };
  const auto largest_changes = [&](const auto &path, const int places) {
    std::array<double, 3> most{};
    Ends last{}, second_last{};
    double V_last = 0;
    for (int i = 0; i <= places; ++i)
    {
      const Ends x = path(double(i) / places);
      const CrossedEdges crossing(pair, x);
      const Ends f = crossing.cross() ? crossing.gradient(x, *phi, 0.) : Ends{};
      const double V = crossing.cross() ? crossing.energy(*phi, 0.) : 0.;
      const Ends second = crossing.cross() ? derivative<1>(x, *phi) : Ends{};
      if (i > 0)
        most = {std::max(most[0], size(on_way(f, -1., last))), std::max(most[1], std::abs(V - V_last)),
                std::max(most[2], size(on_way(second, -1., second_last)))};
      last = f;
      second_last = second;
      V_last = V;
    }
    return most;
  };
  const auto expect_smooth = [&](const auto &path) {
    const auto coarse = largest_changes(path, 10000), fine = largest_changes(path, 20000);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(fine[i] / coarse[i], 0.5, 0.05) << i;
  };
  expect_smooth(slide);
  expect_smooth(turn);
  EXPECT_GT(CrossedEdges(pair, slide(0.)).energy(*phi, 0.), 1.);
  for (const Ends &x : {turn(0.5), slide(0.75)})
    EXPECT_TRUE(!CrossedEdges(pair, x).cross() || CrossedEdges(pair, x).energy(*phi, 0.) < 1e-12) << "points see it";
}

/// Two triangles at an edge of 2 m that turns by an angle; each has an edge of 1 m along z, which ends the surface, as two others do.
TEST(ContactEdges, SharpOnesEndTheSurfaceOrTurnOutward)
{
  const auto weights = [](const double turn, const double least_part = 0.) {
    ProxySurface surface;
    surface.least_part = least_part;
    const double c = std::cos(turn), s = std::sin(turn);
    for (const Place &x : {Place{0., 0., 0.}, {0., 2., 0.}, {-1., 0., 0.}, {c, 0., -s}, {9., 0., 0.}, {9., 2., 0.}, {9., 0., -1.}})
      surface.vertices.push_back({{}, x});
    const auto face = [&](const std::array<int, 3> &piece, const int side, const Place &normal) {
      ProxySurface::Face one;
      one.side = side;
      one.pieces = {piece};
      one.normal = normal;
      surface.faces.push_back(one);
    };
    face({0, 1, 2}, 0, {0., 0., 1.});
    face({1, 0, 3}, 0, {s, 0., c});
    face({4, 5, 6}, 1, {-1., 0., 0.});
    std::vector<double> found;
    for (const EdgePair &pair : SharpEdges(surface).pairs(0, {2}))
      if (pair.vertex[0] == 0 && pair.vertex[1] == 1 && pair.vertex[2] == 4 && pair.vertex[3] == 5)
        found.push_back(pair.weight);
    EXPECT_TRUE(SharpEdges(surface).pairs(2, {0, 1}).empty()) << "each pair once";
    return found;
  };
  constexpr double degree = M_PI / 180.;
  for (const double turn : {0., 14. * degree, -90. * degree})
    EXPECT_TRUE(weights(turn).empty()) << turn;
  for (const double turn : {16. * degree, 60. * degree, 90. * degree, 120. * degree})
  {
    const std::vector<double> found = weights(turn);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0], 0.25 * 2. * 2. * std::min(1. - std::cos(turn), 1.), 1e-14) << turn;
  }
  // Beside axes.
  for (const auto &[turn, part] : {std::pair{0., 0.1},
                                   {-90. * degree, 0.1},
                                   {10. * degree, (1. - std::cos(10. * degree)) / (1. - 0.966)},
                                   {16. * degree, 1.},
                                   {90. * degree, 1.}})
  {
    const std::vector<double> found = weights(turn, 0.1);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0], part, 1e-12) << turn;
  }
}

/// w = sqrt(l_a b_a l_b b_b)/4, b at most l.
TEST(ContactEdges, AxesHaveTheWeightOfTheirWidths)
{
  ProxySurface surface;
  for (const Place &x : {Place{0., 0., 0.}, {2., 0., 0.}, {1., -1.5, 1.}, {1., 1.5, 1.}})
    surface.vertices.push_back({{}, x});
  for (int side = 0; side < 2; ++side)
  {
    ProxySurface::Face one;
    one.side = side;
    one.width = side == 0 ? 0.08 : 7.;
    one.pieces = {{2 * side, 2 * side + 1, -1}};
    surface.faces.push_back(one);
  }
  const std::vector<EdgePair> found = SharpEdges(surface).pairs(0, {1});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].weight, 0.25 * std::sqrt(2. * 0.08) * 3., 1e-14);
}

/// A square of four triangles about its middle beside an axis: half of the weights of crossings with the edges there.
TEST(ContactEdges, VerticesHaveHalfTheWeightsOfTheirEdges)
{
  constexpr double across = 0.3, flat = 0.01;
  ProxySurface surface;
  surface.least_part = flat;
  for (const Place &x : {Place{0., 0., 0.}, {2., 0., 0.}, {2., 2., 0.}, {0., 2., 0.}, {1., 1., 0.}})
    surface.vertices.push_back({{}, x});
  ProxySurface::Face face;
  face.normal = {0., 0., 1.};
  face.pieces = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  surface.faces = {face};
  const std::vector<double> weights = weights_of_vertices(surface, across);
  for (int corner = 0; corner < 4; ++corner)
    EXPECT_NEAR(weights[corner], 0.5 * 0.25 * across * (2. + 2. + flat * std::sqrt(2.)), 1e-14);
  EXPECT_NEAR(weights[4], 0.5 * 0.25 * across * 4. * flat * std::sqrt(2.), 1e-14);
}

/// The second bar goes by `way`.
struct Bars
{
  explicit Bars(const std::string &side, const std::string &mesh = "")
  {
    CrossingBars::write_mesh(folder / "bars.msh");
    const std::string material = "set Type = st-venant-kirchhoff\nset Density = 3\nset E = 1000\nset nu = 0.3";
    body = std::make_unique<Body<3>>(subsection("Mesh", fmt::format("set Type = file\nset File = {}\n{}", folder / "bars.msh", mesh)) +
                                     subsection("Materials", subsection("first", material) + subsection("second", material)) +
                                     subsection("Contact", subsection("touch",
                                                                      "set Between = all\nset Stiffness = 4e3\nset Layer = 0.05\n"
                                                                      "set Side = " +
                                                                          side)));
    for (const auto &one : body->system().all_parts().terms)
      if (const auto *touching = dynamic_cast<const TouchingTerm *>(one.get()))
        term = touching;
  }
  Vector moved_second(const Place &way, const double bent = 0.) const
  {
    Vector q = body->mesh().new_vector();
    for (int node = 0; node < body->mesh().n_owned_nodes(); ++node)
      for (int d = 0; d < 3 && body->mesh().position[node][2] > 0.5 * (CrossingBars::width * std::sqrt(2.) + CrossingBars::apart); ++d)
        q.local_element(3 * node + d) = way[d];
    q += Random(1).vector(q, bent);
    q.update_ghost_values();
    return q;
  }
  Folder folder;
  std::unique_ptr<Body<3>> body;
  const TouchingTerm *term = nullptr;
};

TEST(ContactEdges, OfBodiesAreAPartOfV)
{
  for (const auto &[side, depth] : {std::pair{"inside", 0.045}, {"outside", -0.02}})
  {
    SCOPED_TRACE(side);
    const Bars bars(side);
    const Vector q = bars.moved_second({0.01, 0.02, -CrossingBars::apart - depth}, 0.002);
    search_about(bars.body->system(), q);
    const ContactSums sums = bars.term->sums(q, nullptr);
    ASSERT_GT(sums.energy, 1e-3);
    EXPECT_EQ(sums.pressure, 0.) << "no point is near";
    EXPECT_LT(sums.gap, 0.9 * (side == std::string("inside") ? 0. : 0.05));
    const Vector w = Random(3).vector(q, 0.002), a = Random(2).vector(q, 0.002);
    expect_derivatives(bars.body->system(), q, w, a, 0.02);
    expect_matrix_and_products(bars.body->system(), q, Random(5).vector(q, 1.), q);

    // As `symdyn verify` sees them: neighbours are found through what takes damping and loads away.
    const Vector apart = bars.moved_second({3., 0., 0.});
    search_about(bars.body->system(), apart);
    const ConservativeSystem conservative(bars.body->system());
    EXPECT_EQ(bars.term->sums(q, nullptr).energy, 0.) << "they are not among the neighbours";
    search_about(conservative, q);
    EXPECT_EQ(bars.term->sums(q, nullptr).energy, sums.energy);
  }
}

/// Edges of cells of degree 2 are two lines, whose crossings fade at the middle node: there is a point, which sees the other bar.
TEST(ContactEdges, MiddleNodesArePoints)
{
  const auto pressure = [](const std::string &mesh) {
    const Bars bars("outside", mesh);
    const Vector q = bars.moved_second({0., 0., -CrossingBars::apart + 0.02});
    search_about(bars.body->system(), q);
    return bars.term->sums(q, nullptr).pressure;
  };
  EXPECT_GT(pressure("set Order = 2"), 1.);
  EXPECT_EQ(pressure(""), 0.) << "control: of degree 1 the crossing itself pushes";
}

TEST(ContactEdges, NoWayGoesThroughThem)
{
  const Bars bars("outside");
  const Vector at_rest = bars.moved_second({0., 0., 0.});
  const Searching &steps = *searching(bars.body->system());
  search_about(bars.body->system(), at_rest);
  const auto free_part = [&](const double z) { return steps.free_part(at_rest, bars.moved_second({0., 0., z})); };
  EXPECT_EQ(free_part(-0.09), 1.);
  EXPECT_NEAR(free_part(-0.12) * 0.12, CrossingBars::apart, 1e-3);
  const std::string why = diagnose(bars.body->system(), bars.moved_second({0., 0., -CrossingBars::apart + 1e-9}));
  EXPECT_NE(why.find("all would pass itself at (0, 0, 0.28"), std::string::npos) << why;
}
}  // namespace symdyn::tests::in_contact_edges
