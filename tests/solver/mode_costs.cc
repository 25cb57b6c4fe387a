// What a search for modes may spend beside its own solves: the scale of its frequencies, and factorisations.
#include <gtest/gtest.h>

#include "solver/diagnosis.h"
#include "solver/verify/system.h"
#include "solver/vibration/modes.h"
#include "solver/vibration/modes_search.h"
#include "solver/vibration/static_correction.h"
#include "tests/bodies.h"

namespace symdyn::tests::in_mode_costs
{
namespace
{
std::string block(const std::string &cells, const std::string &material, const std::string &more = "")
{
  return subsection("Mesh",
                    "set Type = box\nset Subdivisions = " + cells + "\n" + subsection("box", "set Size = 1, 1, 2\nset Distortion = 0.15")) +
         made_of(material) + subsection("Supports", subsection("clamp", "set Boundary = z-")) + more;
}

/// Counts what is dear.
class Counted : public ConservativeSystem, private Diagnosis
{
public:
  explicit Counted(const MechanicalSystem &whole) : ConservativeSystem(whole), whole(whole) {}

  void mass_solve(const Vector &p, Vector &v, const double tolerance) const override
  {
    constexpr double tight = 1e-3;
    tight_mass_solves += tolerance < tight;
    ConservativeSystem::mass_solve(p, v, tolerance);
  }
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part) const override
  {
    ++products;
    ConservativeSystem::stiffness(q, u, Ku, part);
  }
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override
  {
    ++factorisations;
    return std::make_shared<CountedSolve>(ConservativeSystem::factor(terms), solves);
  }
  const Diagnosis &diagnosis() const override { return *this; }

  mutable int tight_mass_solves = 0, products = 0, factorisations = 0, highest_frequencies = 0, solves = 0;

private:
  class CountedSolve : public LinearSolve
  {
  public:
    CountedSolve(std::shared_ptr<const LinearSolve> inner, int &solves) : inner(std::move(inner)), solves(solves) {}
    int solve(const Vector &r, Vector &x, const double tolerance) const override
    {
      ++solves;
      return inner->solve(r, x, tolerance);
    }
    void multiply(const Vector &x, Vector &y) const override { inner->multiply(x, y); }
    double tolerance() const override { return inner->tolerance(); }
    long negative_eigenvalues() const override { return inner->negative_eigenvalues(); }
    bool current() const override { return inner->current(); }
    bool iterative() const override { return inner->iterative(); }

  private:
    const std::shared_ptr<const LinearSolve> inner;
    int &solves;
  };
  double highest_frequency(const double t, const Vector &q, const bool lumped, Vector *const mode) const override
  {
    ++highest_frequencies;
    return whole.diagnosis().highest_frequency(t, q, lumped, mode);
  }

  const MechanicalSystem &whole;
};

ModesRequest lowest(const int number)
{
  ModesRequest request;
  request.number = number;
  return request;
}
}  // namespace

TEST(ModeCosts, TheScaleIsTheLargestEigenvalueWithinTwoPerCent)
{
  for (const std::string mass : {"consistent", "lumped"})
    for (const std::string more : {"", "set Order = 2"})
    {
      SCOPED_TRACE(mass + more);
      Body<3> body(block("2, 2, 3", "neo-hooke-simo", subsection("Elements", "set Mass = " + mass)) + subsection("Mesh", more));
      const Vector q = body.system().new_vector();
      const Pencil pencil(body.system(), 0., q);
      const double exact = all_eigenvalues(pencil.problem(), free_motions(body.system())).values.back(), found = largest_square(pencil);
      EXPECT_LE(found, exact * (1. + 1e-9));
      EXPECT_GT(found, exact * 0.98);
      const Modes modes = find_modes(body.system(), 0., q, lowest(2));
      EXPECT_LE(modes.largest_square, exact * (1. + 1e-9));
      EXPECT_GT(modes.largest_square, exact * 0.98);
    }
}

/// With the tolerance, the distance to an eigenvalue falls; without stiffness there is nothing.
TEST(ModeCosts, TheScaleIsAsExactAsItIsAskedFor)
{
  Body<3> body(block("2, 2, 3", "neo-hooke-simo"));
  const Vector q = body.system().new_vector();
  const Pencil pencil(body.system(), 0., q);
  EigenProblem problem = pencil.problem();
  problem.solve = [&](const Vector &x, Vector &y) { body.system().mass_solve(x, y, 0.01); };
  const double exact = all_eigenvalues(problem, free_motions(body.system())).values.back();
  EXPECT_NEAR(largest_eigenvalue(problem, 1e-5), exact, 1e-8 * exact);
  EXPECT_GT(std::abs(largest_eigenvalue(problem, 0.5) - exact), 1e-8 * exact);
  problem.K = [](const Vector &, Vector &y) { y = 0.; };
  EXPECT_EQ(largest_eigenvalue(problem, 0.02), 0.);
}

TEST(ModeCosts, OneFactorisationToSearchAndOneToCount)
{
  for (const std::string material : {"neo-hooke-simo", "linear-elasticity"})
  {
    SCOPED_TRACE(material);
    Body<3> body(block("6, 6, 6", material));
    const Counted system(body.system());
    const Modes modes = find_modes(system, 0., system.new_vector(), lowest(8));
    EXPECT_TRUE(modes.complete);
    EXPECT_EQ(modes.size(), 8u);
    EXPECT_EQ(system.factorisations, 2);
    EXPECT_EQ(system.highest_frequencies, 0);
    EXPECT_EQ(system.tight_mass_solves, 0);
    EXPECT_LT(system.products, 60);
    // With a scale that is known there is no search for it, and the modes are the same.
    const int before = system.products;
    ModesRequest request = lowest(8);
    request.largest_square = modes.largest_square;
    const Modes again = find_modes(system, 0., system.new_vector(), request);
    EXPECT_LT(system.products - before, before - 3);
    for (std::size_t i = 0; i < modes.size(); ++i)
      EXPECT_NEAR(again.squares[i], modes.squares[i], 1e-9 * modes.squares[i]);
    Vector v = system.new_vector();
    system.mass_solve(v, v, 1e-14);
    EXPECT_EQ(system.tight_mass_solves, 1);  // they are counted
  }
}

/// Sweeps ask for the static correction of multiples of a few forces: each of these is solved for once.
TEST(ModeCosts, StaticCorrectionsOfSumsCostNoSolve)
{
  Body<3> body(block("3, 3, 4", "neo-hooke-simo"));
  const Counted system(body.system());
  const Vector q = system.new_vector();
  const Modes modes = find_modes(system, 0., q, lowest(3));
  const Pencil pencil(system, 0., q);
  const StaticCorrection correction(system, 0., q, modes);
  const auto force = [&](const double a, const double b) {
    Vector f = pencil.problem(1).start;
    f *= a;
    f.add(b, pencil.problem(2).start);
    f.update_ghost_values();
    return f;
  };
  const auto expect_the_same = [&](const Vector &f, const int by) {
    const int before = system.solves;
    Vector u = correction.of(f);
    EXPECT_EQ(system.solves - before, by);
    const Vector exact = StaticCorrection(system, 0., q, modes).of(f);
    u.zero_out_ghost_values();
    u -= exact;
    EXPECT_LE(u.l2_norm(), 1e-11 * exact.l2_norm());
  };
  expect_the_same(force(1., 0.), 1);
  expect_the_same(force(-3e7, 0.), 0);
  expect_the_same(force(0., 0.), 0);
  expect_the_same(force(1., 0.5), 1);
  expect_the_same(force(0., 5.), 0);
  expect_the_same(force(1e-9, 2.), 0);
  for (int other = 3; other < 12; ++other)  // more than it keeps
    expect_the_same(pencil.problem(other).start, 1);
  expect_the_same(force(2., -1.), 0);
}

/// Forces that a search knows of are answered with its factors: neither a solve nor a factorisation is left to do. Another force, or modes
/// that were found without, need both; the answers are the same.
TEST(ModeCosts, ForcesThatTheSearchKnowsAreAnsweredOnTheWay)
{
  Body<3> body(block("6, 6, 6", "neo-hooke-simo"));
  const Counted system(body.system());
  const Vector q = system.new_vector();
  const Pencil pencil(system, 0., q);
  const auto force = [&](const int k) { return pencil.problem(k).start; };
  ModesRequest request = lowest(8);
  const Modes alone = find_modes(system, 0., q, request);
  EXPECT_TRUE(alone.at_rest.empty());
  request.forces = {force(1), force(2), force(1)};  // one of them twice
  const Modes modes = find_modes(system, 0., q, request);
  EXPECT_EQ(modes.at_rest.size(), 3u);
  const StaticCorrection knows(system, 0., q, modes, request.forces), does_not(system, 0., q, alone);
  const int factorisations = system.factorisations, solves = system.solves;
  std::vector<Vector> found{knows.of(force(2)), knows.of(force(1))};
  EXPECT_EQ(system.factorisations, factorisations);
  EXPECT_EQ(system.solves, solves);
  found.push_back(knows.of(force(3)));
  EXPECT_EQ(system.factorisations, factorisations + 1);
  EXPECT_EQ(system.solves, solves + 1);
  for (int k = 0; k < 3; ++k)
  {
    const Vector exact = does_not.of(force(k == 0 ? 2 : k == 1 ? 1 : 3));
    found[k].zero_out_ghost_values();
    found[k] -= exact;
    EXPECT_LT(found[k].l2_norm(), 1e-10 * exact.l2_norm()) << k;
  }
}

/// The residual of each pair, by products alone.
TEST(ModeCosts, ResidualsAreAsSmallAsBefore)
{
  Body<3> body(block("6, 6, 6", "neo-hooke-simo"));
  const Vector q = body.system().new_vector();
  const Modes modes = find_modes(body.system(), 0., q, lowest(12));
  Vector r = q;
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    body.system().stiffness(q, modes.shapes[i], r);
    body.system().project(r);
    r.add(-modes.squares[i], modes.momenta[i]);
    EXPECT_LT(r.l2_norm(), 1e-7 * modes.squares[i] * modes.momenta[i].l2_norm()) << i;
  }
}
}  // namespace symdyn::tests::in_mode_costs
