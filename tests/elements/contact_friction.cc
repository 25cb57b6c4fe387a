// Friction of contacts as the potential of a step: derivatives, matrices, what it remembers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "elements/contact/friction/friction_term.h"
#include "tests/system_checks.h"
#include "tests/touching_blocks.h"

namespace symdyn::tests::in_friction
{
using Choice = TouchingChoice;
constexpr double apart = 0.2, depth = 0.06;

/// A step of blocks that are pressed together, from q0, by a way that slides if it is long.
template <int dim>
struct Step
{
  Step(const Choice &choice, const double mu) : two(with_friction(choice, mu), apart), q0(bent(two, apart, depth, choice.aside))
  {
    const auto first = remembering(two.system())->increment(nullptr, 1., 0.);
    history = first->commit(q0).history;
    step = remembering(two.system())->increment(history, 1., 0.);
  }
  static Choice with_friction(Choice choice, const double mu)
  {
    choice.of_contact = fmt::format("set Friction = {}", mu);
    return choice;
  }
  TouchingBlocks<dim> two;
  Vector q0;
  HistoryPointer history;
  std::unique_ptr<Increment> step;
};

std::vector<Choice> choices()
{
  return {{"bricks"},
          {"serendipity", "set Order = 2\nset Element = serendipity", "inside", 3, {0.03, 0.02}},
          {"tetrahedra", "set Cell shape = tetrahedra"},
          {"plane", "set Order = 2", "inside", 2, {0.03, 0.}},
          {"segments", "", "inside", 3, {0.037, 0.011}, "segments"},
          {"segments in the plane", "", "inside", 2, {0.037, 0.011}, "segments"}};
}

template <int dim>
void expect_a_potential(const Choice &choice, const double mu, const bool slides)
{
  SCOPED_TRACE(fmt::format("{}, mu = {}", choice.name, mu));
  const Step<dim> step(choice, mu);
  const Vector w = Random(3).vector(step.q0, 0.002), a = Random(2).vector(step.q0, 0.002);
  Vector q = moved(step.q0, 1., Random(7).vector(step.q0, 0.004));
  q.update_ghost_values();
  const double stuck = remembering(step.two.system())->increment(step.history, 0., 0.)->potential(q);
  EXPECT_EQ(step.step->potential(q) < stuck, slides);
  expect_derivatives(*step.step, q, w, a, 0.02);
  const Vector x = Random(5).vector(q, 1.);
  Vector Kx = step.two.system().new_vector(), Ax = Kx;
  step.step->stiffness(q, x, Kx);
  step.step->factor(K, 0., q, q)->multiply(x, Ax);
  EXPECT_LT(distance(Ax, Kx), 1e-11 * Kx.l2_norm());
}

/// Where all points stick, and where they slide: W_n and its three derivatives.
TEST(Friction, ForceOfAPairIsTheGradientOfW)
{
  for (const Choice &choice : choices())
    for (const auto &[mu, slides] : {std::pair{100., false}, {0.003, true}})
      choice.dim == 2 ? expect_a_potential<2>(choice, mu, slides) : expect_a_potential<3>(choice, mu, slides);
}

void expect_no_change_by_rigid_motions(const Choice &choice)
{
  SCOPED_TRACE(choice.name);
  const Step<3> step(choice, 0.2);
  const Space &space = *step.two.system().all_parts().space;
  const double angle = 0.7, c = std::cos(angle), s = std::sin(angle);
  const auto turned = [&](const Vector &q) {
    Vector there = q;
    for (int site = 0; site < space.owned(); ++site)
    {
      const auto &X = space.position(site);
      const double x = X[0] + q.local_element(3 * site), y = X[1] + q.local_element(3 * site + 1);
      there.local_element(3 * site) = c * x - s * y + 0.3 - X[0];
      there.local_element(3 * site + 1) = s * x + c * y - X[1];
    }
    there.update_ghost_values();
    return there;
  };
  Vector q = moved(step.q0, 1., Random(7).vector(step.q0, 0.01));
  q.update_ghost_values();
  const double W = step.step->potential(q), of_start = step.step->potential(step.q0);
  EXPECT_GT(std::abs(W - of_start), 1e-3 * W);
  EXPECT_NEAR(step.step->potential(turned(q)), W, 1e-12 * W);
}

/// A rigid motion of both bodies in the step changes nothing.
TEST(Friction, OfAPairDoesNotSeeRigidMotions)
{
  for (const Choice &choice : {choices()[0], choices()[4]})
    expect_no_change_by_rigid_motions(choice);
}
void expect_work_of_the_discrete_gradient(const Choice &choice)
{
  SCOPED_TRACE(choice.name);
  const Step<3> step(choice, 0.05);
  const Vector q1 = moved(step.q0, 1., Random(7).vector(step.q0, 0.01));
  Vector f = step.two.system().new_vector();
  step.step->discrete_gradient(step.q0, q1, f);
  const double change = step.step->potential(q1) - step.step->potential(step.q0);
  EXPECT_NEAR(f * moved(q1, -1., step.q0), change, 1e-12 * std::abs(change));
  const auto committed = step.step->commit(q1, &step.q0);
  const double dissipated = remembering(step.two.system())->spent(committed.history).dissipated,
               was = remembering(step.two.system())->spent(step.history).dissipated;
  EXPECT_GT(dissipated - was, 0.);
  EXPECT_NEAR(committed.lost, 0., 1e-12 * step.step->potential(q1));
  const auto after = remembering(step.two.system())->increment(committed.history, 0., 0.);
  EXPECT_NEAR(step.step->potential(q1) - after->potential(q1), dissipated - was, 1e-12 * step.step->potential(q1));
}

/// W_n(q1) - W_n(q0) is the work of the discrete gradient; what the step dissipates is W_n(q1) less what stays elastic.
TEST(Friction, DiscreteGradientDoesTheWorkOfW)
{
  for (const Choice &choice : {choices()[0], choices()[4]})
    expect_work_of_the_discrete_gradient(choice);
}
}  // namespace symdyn::tests::in_friction
