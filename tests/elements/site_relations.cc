// Site relations against dense linear algebra: dependent components, T and its transpose, projection, imposed sums. All tests but the last
// hold on any number of ranks, and that one runs the others on two.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "tests/input.h"
#include "tests/run.h"
#include "tests/site_relations.h"

namespace symdyn::tests::in_site_relations
{
namespace
{
using namespace symdyn::tests::relations;

class Timer
{
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }

private:
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// Each dependent site u_s = sum of four weights times others, in random order; each tenth is a master of another one.
Setting tied_surface(const int dependent)
{
  Setting s(2 * dependent + 8, 3, 7);
  std::vector<int> order(dependent);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), s.generator);
  const int width = std::max(2, int(std::sqrt(double(dependent))));
  for (const int k : order)
  {
    const int corner = dependent + k * 2 / 3, a = 1 + int(s.generator() % 8), b = 1 + int(s.generator() % 8);
    const double x = a / 9., y = b / 9.;
    const int corners[] = {corner, corner + 1, corner + width, corner + width + 1};
    const double weights[] = {(1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y};
    for (int d = 0; d < 3; ++d)
    {
      std::vector<std::pair<std::uint64_t, double>> terms{{3 * k + d, 1.}};
      for (int c = 0; c < 4; ++c)
        terms.emplace_back(3 * (k % 10 == 0 && k > 0 && c == 0 ? k - 1 : corners[c] % s.sites) + d, -weights[c]);
      s.relate(terms);
    }
  }
  return s;
}

/// That x obeys, within rounding.
double worst_defect(const Setting &s, const Vector &x)
{
  const Row values = s.all(x);
  double worst = 0;
  for (const SiteRelation &relation : s.relations)
  {
    double sum = 0;
    for (const auto &[dof, factor] : relation.terms)
      sum += factor * values[dof];
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}
}  // namespace

TEST(SiteRelations, DependentComponentsFollowTheirMasters)
{
  for (const int block : {1, 2, 3})
    for (unsigned int seed = 1; seed < 6; ++seed)
    {
      Setting s = mixed(24, block, seed);
      const SiteRelations relations = s.make();
      const Dense Q = s.basis();
      EXPECT_EQ(relations.dependent(), Q.size());
      EXPECT_EQ(relations.redundant(), s.relations.size() - Q.size());
      EXPECT_GE(relations.redundant(), 4u);
      EXPECT_EQ(MPI::sum(relations.owned_dependent(), MPI_COMM_WORLD), relations.dependent());
      const Row start = s.random_row(), force = s.random_row();
      Vector x = s.vector(start), r = s.vector(force);
      relations.expand(x);
      relations.reduce(r);
      const Row now = s.all(x), reduced_force = s.all(r);
      const std::set<int> dependent = dependent_dofs(relations);
      for (int k = 0; k < s.size(); ++k)
        if (dependent.count(k) == 0)
          EXPECT_EQ(now[k], start[k]) << k;
        else
          EXPECT_EQ(reduced_force[k], 0.) << k;
      for (const Row &row : Q)
        EXPECT_NEAR(dot(row, now), 0., 1e-11 * largest(now));
      EXPECT_NEAR(dot(force, now), dot(reduced_force, start), 1e-12 * largest(now) * s.size()) << "T and its transpose";
    }
}

TEST(SiteRelations, ProjectorIsTheOrthogonalOne)
{
  for (unsigned int seed = 1; seed < 6; ++seed)
  {
    Setting s = mixed(24, 3, seed);
    const SiteRelations relations = s.make();
    const Row start = s.projected(s.random_row());
    Row expected = start;
    for (const Row &row : s.basis())
    {
      const double share = dot(row, start);
      for (int k = 0; k < s.size(); ++k)
        expected[k] -= share * row[k];
    }
    Vector x = s.vector(start);
    relations.project(x);
    const Row once = s.all(x);
    EXPECT_LT(distance(once, expected), 1e-12);
    EXPECT_LT(distance(s.projected(once), once), 1e-12) << "the projections commute";
    relations.project(x);
    EXPECT_LT(distance(s.all(x), once), 1e-12);
  }
}

TEST(SiteRelations, ImposedSumsHoldAtTheNearestPlace)
{
  Setting s = mixed(24, 3, 3);
  const SiteRelations relations = s.make();
  const Dense G = s.given(), Q = s.basis();
  Row start[3];
  SiteRelations::Sums b;
  Vector x[3];
  for (int order = 0; order < 3; ++order)
  {
    // What some motion that supports allow has: so no relation contradicts another.
    const Row possible = s.projected(s.random_row());
    for (const Row &row : G)
      b[order].push_back(dot(row, possible));
    start[order] = s.projected(s.random_row());
    x[order] = s.vector(start[order]);
  }
  relations.impose(b, x[0], x[1], x[2]);
  for (int order = 0; order < 3; ++order)
  {
    const Row now = s.all(x[order]);
    Row change(now);
    for (int k = 0; k < s.size(); ++k)
      change[k] -= start[order][k];
    for (std::size_t i = 0; i < G.size(); ++i)
      EXPECT_NEAR(dot(G[i], now), b[order][i], 1e-11) << order << " " << i;
    Row across(change);
    for (const Row &row : Q)
    {
      const double share = dot(row, change);
      for (int k = 0; k < s.size(); ++k)
        across[k] -= share * row[k];
    }
    EXPECT_LT(largest(across), 1e-12) << "only along rows of G P";
  }
}

TEST(SiteRelations, PrescribedMotionsOfSupportsCount)
{
  Setting s(4, 2);
  s.hold_component(1, 0);
  s.relate({{0, 1.}, {2, -1.}});  // along x as site 1, which its support moves
  const SiteRelations relations = s.make();
  EXPECT_EQ(dependent_dofs(relations), std::set<int>{0});
  Vector q = s.vector({0.5, 0, 2., 0, 0, 0, 0, 0}), v = s.vector(Row(8, 0.)), a = v;
  relations.impose({{{0.25}, {1.}, {2.}}}, q, v, a);
  EXPECT_LT(distance(s.all(q), {2.25, 0, 2., 0, 0, 0, 0, 0}), 1e-15);
  EXPECT_LT(distance(s.all(v), {1., 0, 0, 0, 0, 0, 0, 0}), 1e-15);
  EXPECT_LT(distance(s.all(a), {2., 0, 0, 0, 0, 0, 0, 0}), 1e-15);
}

TEST(SiteRelations, ContradictionsAreRefused)
{
  Setting s(6, 2);
  s.relate({{0, 1.}, {4, -1.}});
  s.relate({{4, 1.}, {10, -1.}});
  s.relate({{0, 2.}, {10, -2.}});
  const SiteRelations relations = s.make();
  EXPECT_EQ(relations.redundant(), 1u);
  Vector q = s.vector(s.random_row()), v = q, a = q;
  const Row zero(3, 0.);
  relations.impose({{{0.1, 0.2, 0.6}, zero, zero}}, q, v, a);
  const std::string text = message([&] { relations.impose({{{0.1, 0.2, 0.7}, zero, zero}}, q, v, a); });
  EXPECT_EQ(has(text, "contradicts supports or other equations, which move all of its displacements: it misses "), "");
  EXPECT_EQ(has(text, ": equation 'e"), "");
  EXPECT_EQ(text.find("deck.prm:"), 0u);

  Setting held(2, 2);
  held.hold_component(1, 1);
  held.relate({{3, 4.}});
  const SiteRelations of_support = held.make();
  EXPECT_EQ(of_support.dependent(), 0u);
  Vector p = held.vector(Row(4, 0.)), w = p, c = p;
  of_support.impose({{{0.}, {0.}, {0.}}}, p, w, c);
  EXPECT_EQ(
      message([&] {
        of_support.impose({{{0.25}, {0.}, {0.}}}, p, w, c);
      }),
      "deck.prm:1: equation 'e1' contradicts supports or other equations, which move all of its displacements: it misses 0.0625 m. Remove it, "
      "or let one of them go free");
}

TEST(SiteRelations, MasslessComponentsAreDependent)
{
  // Small factors, others that would be better pivots, relations of massless sites among themselves.
  Setting s(8, 2);
  s.relate({{0, 0.01}, {2, 1.}, {4, 1.}});
  s.relate({{1, 1.}, {3, 1.}});
  s.relate({{2, 1.}, {14, -1.}});
  s.relate({{3, 0.1}, {1, 1.}, {15, -2.}});
  for (const std::uint64_t dof : {0, 1, 2, 3})
    s.massless.push_back({dof, dof < 2 ? "bob" : "peg"});
  const SiteRelations relations = s.make();
  EXPECT_EQ(dependent_dofs(relations), (std::set<int>{0, 1, 2, 3}));
  Row start = s.random_row();
  Vector x = s.vector(start);
  relations.expand(x);
  const Row now = s.all(x);
  EXPECT_NEAR(now[2], now[14], 1e-14);
  EXPECT_NEAR(now[0], -100. * (now[2] + now[4]), 1e-11);
  EXPECT_NEAR(now[3], -now[1], 1e-13);
  EXPECT_NEAR(0.1 * now[3] + now[1], 2. * now[15], 1e-13);

  s.relations.pop_back();
  EXPECT_EQ(
      message([&] { s.make(); }),
      "[Points/peg]: the point has no mass, and no equation says how it moves along y. Give it an equation (section Equations: for rest, "
      "Displacements = peg.y, Factors = 1), or a Mass");
}

TEST(SiteRelations, FirstTermIsDependentAmongEqualOnes)
{
  Setting s(6, 1);
  s.relate({{3, 1.}, {1, -1.}});
  s.relate({{5, 2.}, {4, -1.}, {0, -2.}});
  EXPECT_EQ(dependent_dofs(s.make()), (std::set<int>{3, 5}));
}

namespace
{
/// x = T (Tᵀ D T)⁻¹ Tᵀ r: the residual D x - r does no work on motions that obey. `bare`: sites without a D of their own.
void expect_solution(Setting &s, const std::set<int> &bare)
{
  const SiteRelations relations = s.make();
  Row D(s.size());
  for (int k = 0; k < s.size(); ++k)
    D[k] = bare.count(k / 3) > 0 ? 0. : 2. + std::sin(k / 3);
  s.massless.clear();
  const Row force = s.projected(s.random_row());
  Vector x = s.vector(force);
  SiteRelations::DiagonalSolve(relations, s.vector(D)).solve(s.vector(force), x);
  const Row found = s.all(x);
  EXPECT_LT(distance(s.projected(found), found), 1e-12 * largest(found));
  Row residual(s.size());
  for (int k = 0; k < s.size(); ++k)
    residual[k] = D[k] * found[k] - force[k];
  for (const Row &row : s.basis())
    EXPECT_NEAR(dot(row, found), 0., 1e-12);
  Vector work = s.vector(s.projected(residual));
  relations.project(work);
  EXPECT_LT(largest(s.all(work)), 1e-12);
  EXPECT_GT(largest(found), 1e-3);
}
}  // namespace

TEST(SiteRelations, DiagonalMatricesAreSolvedUnderTheRelations)
{
  Setting s = mixed(24, 3, 2);
  expect_solution(s, {});
}

/// Sites that move with a reference and its directors, which have no mass but theirs: x_s = r + sum_k c_k d_k.
TEST(SiteRelations, MastersWithoutAMassOfTheirOwn)
{
  Setting s(12, 3, 4);
  for (int site = 4; site < 12; ++site)
  {
    const double c[] = {s.random(), s.random(), s.random()};
    for (int d = 0; d < 3; ++d)
      s.relate({{3 * site + d, 1.}, {d, -1.}, {3 + d, -c[0]}, {6 + d, -c[1]}, {9 + d, -c[2]}});
  }
  expect_solution(s, {0, 1, 2, 3});
}

/// Ten thousand dependent sites take a fraction of a second; dense linear algebra would take hours.
TEST(SiteRelations, ManyDependentSites)
{
  Setting s = tied_surface(10000);
  const Timer timer;
  const SiteRelations relations = s.make();
  Vector x = s.vector(s.random_row()), y = s.vector(s.random_row()), Px = x, Py = y;
  relations.project(Px);
  relations.project(Py);
  EXPECT_LT(timer.seconds(), 5.);
  EXPECT_EQ(relations.dependent(), 30000u);
  EXPECT_LT(worst_defect(s, Px), 1e-13);
  EXPECT_NEAR(Px * y, x * Py, 1e-12 * x.l2_norm() * y.l2_norm()) << "symmetric";
  Vector again = Px;
  relations.project(again);
  again -= Px;
  EXPECT_LT(again.linfty_norm(), 1e-13) << "idempotent";
  relations.expand(x);
  EXPECT_LT(worst_defect(s, x), 1e-13);
  const std::set<int> dependent = dependent_dofs(relations);
  EXPECT_EQ(*dependent.rbegin(), 29999) << "sites with masters, not masters";
}

/// Chains, one master of all, one dependent site of all masters.
TEST(SiteRelations, LongChainsAndLongRows)
{
  constexpr int sites = 10000;
  const Timer timer;
  for (const int kind : {0, 1, 2})
  {
    Setting s(sites, 1, 3);
    std::vector<std::pair<std::uint64_t, double>> mean{{0, 1.}};
    for (int k = 1; k < sites; ++k)
      if (kind == 0)
        s.relate({{k, 1.}, {k - 1, -1.}});
      else if (kind == 1)
        s.relate({{k, 1.}, {0, -1.}});
      else
        mean.emplace_back(k, -1. / (sites - 1));
    if (kind == 2)
      s.relate(mean);
    std::shuffle(s.relations.begin(), s.relations.end(), s.generator);
    const SiteRelations relations = s.make();
    EXPECT_EQ(relations.dependent(), kind == 2 ? 1u : sites - 1u);
    const Row start = s.random_row();
    Vector x = s.vector(start), v = x, a = x;
    relations.project(x);
    EXPECT_LT(worst_defect(s, x), 1e-13) << kind;
    const double average = std::accumulate(start.begin(), start.end(), 0.) / sites;
    EXPECT_NEAR(s.all(x)[17], kind == 2 ? start[17] : average, kind == 2 ? 1e-3 : 1e-14);
    const Row steps(s.relations.size(), 0.5), zero(s.relations.size(), 0.);
    relations.impose({{steps, zero, zero}}, x, v, a);
    const Row q = s.all(x);
    for (const SiteRelation &relation : s.relations)
    {
      double sum = 0;
      for (const auto &[dof, factor] : relation.terms)
        sum += factor * q[dof];
      EXPECT_NEAR(sum, 0.5, 1e-10) << kind;
    }
  }
  EXPECT_LT(timer.seconds(), 20.);
}

/// Five relations around the same four sites: no column of one row to start with.
TEST(SiteRelations, DenselyCoupledRelations)
{
  Setting s(40, 1, 5);
  for (int i = 0; i < 30; ++i)
  {
    std::vector<std::pair<std::uint64_t, double>> terms;
    for (int k = 0; k < 40; ++k)
      terms.emplace_back(k, s.random());
    s.relate(terms);
  }
  const SiteRelations relations = s.make();
  EXPECT_EQ(relations.dependent(), 30u);
  Vector x = s.vector(s.random_row());
  relations.project(x);
  EXPECT_LT(worst_defect(s, x), 1e-12);
  relations.expand(x);
  EXPECT_LT(worst_defect(s, x), 1e-11);
}

TEST(SiteRelations, HoldOnTwoRanks)
{
  if (MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
    GTEST_SKIP() << "starts ranks itself";
  const Folder folder;
  const Outcome run =
      command(folder, "mpirun --oversubscribe --allow-run-as-root -n 2 " + std::filesystem::read_symlink("/proc/self/exe").string() +
                          " '--gtest_filter=SiteRelations.*:ReducedMatrix.*-*Long*'");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(has(run.terminal, "[  PASSED  ]"), "");
}
}  // namespace symdyn::tests::in_site_relations
