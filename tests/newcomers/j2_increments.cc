// An increment of the material in j2.cc: derivatives, matrices, discrete gradients, potential.
#include <deal.II/fe/fe_values.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/bodies.h"
#include "tests/j2_bodies.h"

namespace symdyn::tests::in_newcomer_j2
{
template <int dim>
void test_derivatives(const Body<dim> &body)
{
  Driven<dim> driven(body);
  driven.accept(motion(body, 1));
  const Vector plastic = motion(body, 2), elastic = moved(motion(body, 1), -0.1, motion(body, 1));
  for (const Vector *q : {&plastic, &elastic})
  {
    const bool exact = q == &elastic;
    const Vector w = Random(4).vector(*q, exact ? 0.002 : 0.1);  // no further yielding
    const Vector f = driven.force(driven.at(*q)), Kw = driven.product(*q, w);
    expect_slope_two(
        [&](const double h) { return std::abs((driven.energy(moved(*q, h, w)) - driven.energy(moved(*q, -h, w))) / (2. * h) - f * w); },
        0.004, exact, 1e-9 * std::abs(f * w));
    const auto difference = [&](const auto &of, const double h) {
      Vector d = of(moved(*q, h, w));
      d -= of(moved(*q, -h, w));
      d *= 0.5 / h;
      return d;
    };
    expect_slope_two(
        [&](const double h) { return distance(difference([&](const Vector &x) { return driven.force(driven.at(x)); }, h), Kw); }, 0.004,
        exact, 1e-9 * Kw.l2_norm());
    Vector third = body.mesh().new_vector();
    driven.term.add_second_product(driven.at(*q), w, third);
    EXPECT_EQ(third.l2_norm() < 1e-10 * Kw.l2_norm(), exact);
    expect_slope_two([&](const double h) { return distance(difference([&](const Vector &x) { return driven.product(x, w); }, h), third); },
                     0.004, exact, 1e-8 * Kw.l2_norm());
  }
}

TEST(NewcomerJ2, DerivativesOfTheIncrementHaveSlopeTwo)
{
  for_each_body<2>(test_derivatives<2>);
  for_each_body<3>(test_derivatives<3>);
}

template <int dim>
void test_matrix(const Body<dim> &body)
{
  Driven<dim> driven(body);
  driven.accept(motion(body, 1));
  const Vector q = motion(body, 2), w = Random(4).vector(q, 0.1), Kw = driven.product(q, w);
  const BlockPattern pattern = make_pattern(body.mesh());
  OwnedBlockMatrix A, D;
  A.allocate(pattern);
  TangentAssembly<dim>::clear(A);
  driven.term.add_matrix(driven.at(q), K, {A});
  Vector Aw = body.mesh().new_vector();
  A.multiply(w, Aw);
  EXPECT_LT(distance(Aw, Kw), 1e-12 * Kw.l2_norm());  // on several ranks: ghost cells have their history
  const BlockPattern diagonal = BlockPattern::diagonal(dim, pattern.nodes);
  D.allocate(diagonal);
  TangentAssembly<dim>::clear(D);
  driven.term.add_diagonal(driven.at(q), K, D);
  const std::vector<double> of_A = TangentAssembly<dim>::diagonal(A), of_D = TangentAssembly<dim>::diagonal(D);
  for (std::size_t i = 0; i < of_A.size(); ++i)
    EXPECT_NEAR(of_D[i], of_A[i], 1e-12 * of_A[i]);
}

TEST(NewcomerJ2, MatricesAreThoseOfTheIncrement)
{
  for_each_body<2>(test_matrix<2>);
  for_each_body<3>(test_matrix<3>);
}

/// Between a state inside of the yield surface and one far outside of it.
template <int dim>
void test_discrete_gradient(const Body<dim> &body)
{
  Driven<dim> driven(body);
  driven.accept(motion(body, 1));
  const Vector q0 = moved(motion(body, 1), -0.1, motion(body, 1)), q1 = motion(body, 2), w = Random(4).vector(q1, 0.1);
  At where = driven.at(q1);
  where.previous = &q0;
  const auto gradient = [&](const Vector &q) {
    At here = where;
    here.q = &q;
    Vector sum = body.mesh().new_vector();
    driven.term.add_discrete_gradient(here, sum);
    return sum;
  };
  const Vector f = gradient(q1);
  const double work = f * moved(q1, -1., q0), change = driven.energy(q1) - driven.energy(q0);
  EXPECT_NEAR(work, change, 1e-12 * std::abs(change));
  const BlockPattern pattern = make_pattern(body.mesh());
  OwnedBlockMatrix A;
  A.allocate(pattern);
  TangentAssembly<dim>::clear(A);
  driven.term.add_matrix(where, K, {A});
  Vector Aw = body.mesh().new_vector();
  A.multiply(w, Aw);
  expect_slope_two(
      [&](const double h) {
        Vector d = gradient(moved(q1, h, w));
        d -= gradient(moved(q1, -h, w));
        d *= 0.5 / h;
        return distance(d, Aw);
      },
      0.004, false, 1e-10 * Aw.l2_norm());
}

TEST(NewcomerJ2, ADiscreteGradientDoesTheWorkOfTheIncrement)
{
  for_each_body<2>(test_discrete_gradient<2>);
  for_each_body<3>(test_discrete_gradient<3>);
}

/// Of the volume: ∫ of a variable over the quadrature points.
template <int dim>
double integral(const Driven<dim> &driven,
                const std::function<double(const std::vector<Wide> &before, const std::vector<Wide> &after)> &density)
{
  const Discretisation<dim> &mesh = driven.body.mesh();
  const CellRegion<dim> &region = mesh.regions.front();
  dealii::FEValues<dim> values(*region.mapping, *region.family.fe, region.family.stiffness_points, dealii::update_JxW_values);
  double sum = 0;
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    values.reinit(cell);
    for (const unsigned int q : values.quadrature_point_indices())
    {
      const auto before = at_point(driven.term.layout(), cell->active_cell_index(), q, driven.accepted());
      const auto after = at_point(driven.term.layout(), cell->active_cell_index(), q, reinterpret_cast<const double *>(driven.to.data()));
      sum += values.JxW(q) * density(before, after) * (dim == 2 ? 0.3 : 1.);
    }
  }
  return sum;
}

template <int dim>
void test_dissipation(const Body<dim> &body)
{
  Driven<dim> driven(body);
  for (int step = 1; step < 4; ++step)
  {
    const Vector q = motion(body, step);
    At where = driven.at(q);
    where.to = driven.next();
    driven.force(where);
    const double W = driven.energy(q), A = driven.term.energy({0., &q, nullptr, nullptr, Part::all, driven.next(), 0.});
    const double dissipated =
        integral<dim>(driven, [](const auto &before, const auto &after) { return sigma_y * (after[6][0] - before[6][0]); });
    EXPECT_GT(dissipated, 0.02 * W);
    EXPECT_NEAR(W - A, dissipated, 1e-13 * W);
    driven.from.swap(driven.to);
  }
}

TEST(NewcomerJ2, ThePotentialOfAnIncrementIsEnergyAndDissipation)
{
  for_each_body<2>(test_dissipation<2>);
  for_each_body<3>(test_dissipation<3>);
}
}  // namespace symdyn::tests::in_newcomer_j2
