// The history of the material in j2.cc: closed forms, start, storage, reports, elements that cannot have one.
#include <deal.II/grid/grid_generator.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/system/cell_stress.h"
#include "solver/error.h"
#include "tests/bodies.h"
#include "tests/j2_bodies.h"
#include "tests/materials.h"

namespace symdyn::tests::in_newcomer_j2
{

/// sigma_11 of a cell that is stretched along x alone: eps -> (P, p), P = eps_p,11, yielding where 2 mu eps - 3 mu P = ±(sigma_y + H p).
struct Uniaxial
{
  double P = 0, p = 0;
  double strain_to(const double eps)
  {
    const double over = 2. * mu * eps - 3. * mu * P, limit = sigma_y + H * p;
    if (std::abs(over) > limit)
    {
      const double dp = (std::abs(over) - limit) / (3. * mu + H);
      P += over > 0. ? dp : -dp;
      p += dp;
    }
    return kappa * eps + 2. * mu * (2. / 3. * eps - P);
  }
};

TEST(NewcomerJ2, ACycleOfStretchIsTheClosedForm)
{
  const Body<3> body(box(3, "1, 1, 1", "hexahedra", 1, 0.) + subsection("Materials", j2_material("body")));
  Driven<3> driven(body);
  Uniaxial exact;
  double plastic_work = 0, dissipated = 0;
  const double ends[] = {0.02, -0.015, 0.03};
  double eps = 0;
  for (const double end : ends)
  {
    const double start = eps;
    constexpr int increments = 7;
    for (int i = 1; i <= increments; ++i)
    {
      eps = start + (end - start) * i / increments;
      const Vector q = body.nodal([&](const auto &X) { return eps * X[0] * dealii::Tensor<1, 3>({1., 0., 0.}); });
      const Uniaxial before = exact;
      const double sigma = exact.strain_to(eps), W = driven.energy(q);
      const auto pull = [&](const Vector &f) {
        double sum = 0;
        for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
          sum += body.mesh().position[node][0] > 0.5 ? f.local_element(3 * node) : 0.;
        return sum;
      };
      EXPECT_NEAR(pull(driven.accept(q)), sigma, 1e-11 * E * 0.03);
      EXPECT_NEAR(pull(driven.force(driven.at(q, 0.))), sigma, 1e-11 * E * 0.03) << "frozen: the stress of the state";
      EXPECT_NEAR(pull(driven.force(driven.at(q))), sigma, 1e-11 * E * 0.03) << "an increment that does not move";
      dissipated += W - driven.energy(q, 0.);
      // ∫ sigma : d eps_p = ∫ (sigma_y + H p) dp of the radial return.
      plastic_work += (sigma_y + 0.5 * H * (exact.p + before.p)) * (exact.p - before.p);
    }
  }
  EXPECT_GT(exact.p, 0.04);
  EXPECT_NEAR(dissipated, sigma_y * exact.p, 1e-12);
  EXPECT_NEAR(dissipated, plastic_work - 0.5 * H * exact.p * exact.p, 1e-12) << "the rest is stored by hardening";
  const std::vector<Wide> m = at_point(driven.term.layout(), 0, 3, driven.accepted());
  EXPECT_NEAR(m[0][0], exact.P, 1e-13);
  EXPECT_NEAR(m[1][0], -0.5 * exact.P, 1e-13);
  EXPECT_NEAR(m[6][0], exact.p, 1e-13);
}

/// Without a history: of the virgin body, and elastic where dt is 0.
TEST(NewcomerJ2, StartsVirgin)
{
  const Body<3> body(box(3, "2, 1, 1", "hexahedra", 1, 0.1) + subsection("Materials", j2_material("body")));
  Driven<3> driven(body);
  const Vector q = motion(body, 1);
  At where = driven.at(q);
  const Vector f = driven.force(where);
  where.from = nullptr;
  EXPECT_EQ(distance(driven.force(where), f), 0.);
  where.dt = 0.;
  const Body<3> elastic(box(3, "2, 1, 1", "hexahedra", 1, 0.1) + made_of("linear-elasticity"));
  Vector f_elastic = body.mesh().new_vector();
  elastic.fem().cells()->add_force({0., &q}, f_elastic);
  EXPECT_LT(distance(driven.force(where), f_elastic), 1e-12 * f_elastic.l2_norm());
  EXPECT_GT(distance(f, f_elastic), 0.5 * f_elastic.l2_norm());
  EXPECT_FALSE(driven.term.traits().linear);
  EXPECT_TRUE(driven.term.traits().history);
  EXPECT_FALSE(elastic.fem().cells()->traits().history);
  EXPECT_EQ(elastic.fem().cells()->history_size(), 0u);
}

TEST(NewcomerJ2, BlocksOfCellsRestoreAllLanes)
{
  for (const std::string cells : {"1, 1, 1", "5, 3, 2"})
  {
    const Body<3> body(box(3, cells, "hexahedra", 1, 0.1) + subsection("Materials", j2_material("body")));
    Driven<3> driven(body);
    driven.accept(motion(body, 1));
    const auto blocks = driven.term.history_blocks();
    EXPECT_EQ(blocks.owned, body.mesh().n_cells());
    EXPECT_EQ(blocks.doubles, 8 * 8);
    EXPECT_EQ(std::set<std::uint64_t>(blocks.identities.begin(), blocks.identities.end()).size(), blocks.owned);
    std::vector<double> packed;
    driven.term.pack_history(driven.accepted(), packed);
    ASSERT_EQ(packed.size(), blocks.owned * blocks.doubles);
    driven.term.unpack_history(packed, driven.next());
    EXPECT_TRUE(std::equal(driven.accepted(), driven.accepted() + driven.term.history_size(), driven.next()));
  }
}

/// Two rows of cells: below a material with a memory, above one without.
TEST(NewcomerJ2, CellsOfOtherLawsHaveNoHistory)
{
  CoarseMesh<2> coarse;
  dealii::GridGenerator::subdivided_hyper_rectangle(coarse.cells, {5u, 2u}, {0., 0.}, {5., 2.});
  for (const auto &cell : coarse.cells.active_cell_iterators())
    cell->set_material_id(cell->center()[1] > 1. ? 1 : 0);
  coarse.materials = {{0, "yields"}, {1, "springs"}};
  const auto mesh = std::make_shared<Discretisation<2>>(std::move(coarse), 1, 0);
  const std::string constants = "set E = 1000\nset nu = 0.3\n";
  const std::shared_ptr<const Material> yields = make("newcomer-j2", constants + "set Yield stress = 4\nset Hardening = 100"),
                                        springs = make("linear-elasticity", constants);
  const SolidTerm<2> term(mesh, {{0, {"yields", yields, 1.}}, {1, {"springs", springs, 1.}}}, {}),
      springs_alone(mesh, {{0, {"yields", springs, 1.}}, {1, {"springs", springs, 1.}}}, {});
  EXPECT_EQ(term.history_blocks().owned, 5u);
  EXPECT_EQ(term.history_size(), std::size_t((5 + lanes - 1) / lanes * lanes * 4 * 8));
  Vector q = mesh->new_vector(), f = q, f_springs = q;
  for (int i = 0; i < 2 * mesh->n_owned_nodes(); ++i)
    q.local_element(i) = 0.1 * std::sin(3. * i);
  q.update_ghost_values();
  std::vector<Wide> to(term.history_size() / lanes);
  term.add_force({0., &q, nullptr, nullptr, Part::all, nullptr, 1., reinterpret_cast<double *>(to.data())}, f);
  springs_alone.add_force({0., &q}, f_springs);
  for (int node = 0; node < mesh->n_owned_nodes(); ++node)
    for (int d = 0; d < 2; ++d)
    {
      const double change = std::abs(f.local_element(2 * node + d) - f_springs.local_element(2 * node + d));
      const double y = mesh->position[node][1];
      EXPECT_TRUE(y > 1.5 ? change < 1e-13 : y > 0.5 || change > 0.1) << y << ": " << change;
    }
  for (const auto &cell : mesh->handler.active_cell_iterators())
    EXPECT_EQ(at_point(term.layout(), cell->active_cell_index(), 0, reinterpret_cast<const double *>(to.data())).size(),
              cell->material_id() == 0 ? 8u : 0u);
}

TEST(NewcomerJ2, ReportsUseTheHistoryOfTheState)
{
  const Body<3> body(box(3, "1, 1, 1", "hexahedra", 1, 0.) + subsection("Materials", j2_material("body")));
  Driven<3> driven(body);
  const Vector q = body.nodal([&](const auto &X) { return 0.02 * X[0] * dealii::Tensor<1, 3>({1., 0., 0.}); });
  driven.accept(q);
  const double sigma = Uniaxial().strain_to(0.02);
  const CellStress<3> stress(
      body.fem(), [](const CellRegion<3> &region) { return dealii::Quadrature<3>(region.family.fe->get_unit_support_points()); });
  int points = 0;
  const auto check = [&](const auto &, const auto &, const auto &, const std::vector<PointStress> &at) {
    for (const PointStress &point : at)
    {
      EXPECT_NEAR(point.stress[0][0], sigma, 1e-11);
      ++points;
    }
  };
  State state;
  state.q = q;
  state.history = driven.history();
  stress.visit(state, false, check);
  EXPECT_EQ(points, 8);
  const Vector w = body.nodal([](const auto &X) { return 1e-4 * X[1] * dealii::Tensor<1, 3>({0.3, 1., 0.}); });
  std::vector<double> halves, differences(8, 0.);
  stress.visit_slopes(state, {w}, [&](std::size_t, const auto &half) {
    for (const auto &one : half)
      halves.push_back(one[0][0]);
  });
  for (const double side : {1., -1.})
  {
    std::size_t point = 0;
    State beside = state;
    beside.q.add(side, w);
    stress.visit(beside, false, [&](const auto &, const auto &, const auto &, const auto &at) {
      for (const PointStress &one : at)
        differences[point++] += 0.5 * side * one.stress[0][0];
    });
  }
  ASSERT_EQ(halves.size(), 8u);
  for (std::size_t point = 0; point < 8; ++point)
    EXPECT_NEAR(halves[point], differences[point], 1e-11);
  EXPECT_GT(std::abs(halves[0]), 1e-3);
  Vector f = body.mesh().new_vector();
  body.fem().strain_force(state, f);
  EXPECT_LT(distance(f, driven.force(driven.at(q, 0.))), 1e-14);
}

/// Modes of an element are stationary points of a potential.
TEST(NewcomerJ2, ElementsThatNeedAPotentialRefuseLawsWithoutOne)
{
  try
  {
    Body<3> body(
        subsection("Mesh", "set Type = box\nset Element = incompatible-modes\n" + subsection("box", "set Size = 1, 1, 1")) +
        subsection("Materials", subsection("body",
                                           "set Type = plastic\nset Density = 1\nset E = 1000\nset nu = 0.3\nset Yield stress = 4\n"
                                           "set Backstress moduli = 60\nset Backstress recovery = 30\n")));
    ADD_FAILURE();
  }
  catch (const InputError &error)
  {
    const std::string message = error.what();
    EXPECT_EQ(message.rfind("test.prm:", 0), 0u) << message;
    for (const std::string words : {"no potential", "Set Element = mean-dilatation"})
      EXPECT_NE(message.find(words), std::string::npos) << message;
  }
}
}  // namespace symdyn::tests::in_newcomer_j2
