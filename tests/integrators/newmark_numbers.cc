// Newmark and its relatives: numbers of other programs, roots of linear modes, bodies of finite elements, what is refused.
#include <deal.II/lac/lapack_full_matrix.h>
#include <gtest/gtest.h>

#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/verify/particles.h"
#include "tests/bodies.h"
#include "tests/oscillator.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_newmark_numbers
{
namespace
{
using Named = std::pair<std::string, std::string>;

std::vector<double> values(const State &state)
{
  std::vector<double> all(state.q.begin(), state.q.end());
  all.insert(all.end(), state.v.begin(), state.v.end());
  return all;
}

/// The map of one step of q'' = -omega² q at omega = 1: of (q, v), or of (q, v, a) where a is remembered.
dealii::FullMatrix<double> linear_map(const Scheme &scheme, const double h, const int n)
{
  const Oscillator system = Oscillator::spring(1., 1.);
  dealii::FullMatrix<double> map(n, n);
  for (int j = 0; j < n; ++j)
  {
    State state = system.start(j == 0, j == 1);
    if (n == 2)
      scheme.integrator->start(system, state, h);
    else
      state.a.local_element(0) = j == 2;
    scheme.integrator->step(system, state, h);
    const double column[] = {state.q.local_element(0), state.v.local_element(0), state.a.local_element(0)};
    for (int i = 0; i < n; ++i)
      map(i, j) = column[i];
  }
  return map;
}

double spectral_radius(const dealii::FullMatrix<double> &map)
{
  dealii::LAPACKFullMatrix<double> A(map.m(), map.n());
  A = map;
  A.compute_eigenvalues();
  double radius = 0;
  for (unsigned int i = 0; i < map.m(); ++i)
    radius = std::max(radius, std::abs(A.eigenvalue(i)));
  return radius;
}

std::string refusal(const Named &named, const MechanicalSystem &system)
{
  try
  {
    Deck deck = Deck::from_text(named.second, "test.prm");
    Parameters p = deck.root();
    const auto integrator = Registry<Integrator>::instance().make(named.first);
    integrator->declare(p);
    deck.finish();
    integrator->check(system, p);
  }
  catch (const InputError &error)
  {
    return error.what();
  }
  return "";
}

void expect_values(const std::string &id, const State &state, const std::vector<double> &expected, const double tolerance)
{
  const std::vector<double> found = values(state);
  ASSERT_EQ(found.size(), expected.size()) << id;
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance) << id << ", component " << i;
}

std::vector<State> ring_starts(const Particles &system)
{
  return {system.start({1., 0.}, {0.5, 0.6}), system.start({0.7, -0.5}, {0.3, 0.4}), system.start({-0.4, 1.1}, {0.2, -0.7})};
}

/// A root outside the unit circle, by the criterion of Jury: no rounding of a double root enters. That of q1 is epsilon (h omega)².
bool unstable(const Scheme &scheme, const double h)
{
  const dealii::FullMatrix<double> map = linear_map(scheme, h, 2);
  const double trace = map(0, 0) + map(1, 1), determinant = map(0, 0) * map(1, 1) - map(0, 1) * map(1, 0);
  const double rounding = 1e-13 + 1e-15 * h * h;
  return std::abs(trace) > 1. + determinant + rounding || determinant > 1. + rounding;
}
}  // namespace

// The ids are those of papers.csv of an independent program.

/// 004.sympl.M=diag(1,3) newmark_*.suris_minus_as_printed
TEST(NewmarkNumbers, DefectsInTheWrongVariables)
{
  const std::vector<double> minus_fourth{0.14094183283114725, 0.01245156445760498, 0.0951405062001438},
      minus_sixth{0.10262419268002865, 0.008314646119008118, 0.06517010106981858};
  const Scheme fourth("average-acceleration"), sixth("linear-acceleration");
  const Particles equal = Particles::ring_well(), unequal = Particles::ring_well(1., 3.);
  for (int i = 0; i < 3; ++i)
  {
    const State start = ring_starts(equal)[i];
    EXPECT_NEAR(symplectic_defect(fourth, unequal, start, 0.2, -1. / 4.) / minus_fourth[i], 1., 0.01);
    EXPECT_NEAR(symplectic_defect(sixth, unequal, start, 0.2, -1. / 6.) / minus_sixth[i], 1., 0.01);
    EXPECT_LT(symplectic_defect(fourth, unequal, start, 0.2, 1. / 4.), 1e-10);
    EXPECT_LT(symplectic_defect(sixth, unequal, start, 0.2, 1. / 6.), 1e-10);
  }
}

/// 004.one_step.newmark_*, .explicit_newmark
TEST(NewmarkNumbers, OneStepOfTheRingWell)
{
  const Particles system = Particles::ring_well();
  const State start = ring_starts(system)[0];
  expect_values("004.one_step.newmark_1/4", Scheme("average-acceleration").run(system, start, 0.2, 1),
                {1.0887181806307888, 0.1187692560688133, 0.3871818063078868, 0.5876925606881331}, 1e-13);
  expect_values("004.one_step.newmark_1/6", Scheme("linear-acceleration").run(system, start, 0.2, 1),
                {1.0921050654297726, 0.11913873441052063, 0.38157598144658667, 0.5870810161578094}, 1e-13);
  expect_values("004.one_step.explicit_newmark", Scheme("central-difference").run(system, start, 0.2, 1),
                {1.1, 0.12, 0.3680294623999998, 0.5856032140799999}, 1e-13);
}

/// 004.gamma*.E_after_500, 004.gamma*.rho(hw=1,beta=1/4): gamma < 1/2 grows, gamma > 1/2 damps.
TEST(NewmarkNumbers, Gamma)
{
  const Particles system = Particles::ring_well();
  for (const auto &[gamma, energy] : {std::pair{"0.495", 0.4828836372640167}, {"0.5", 0.2945913504744626}, {"0.505", 0.21946005507461197}})
  {
    const State state = Scheme("newmark", "set gamma = " + std::string(gamma)).run(system, ring_starts(system)[0], 0.2, 500);
    EXPECT_NEAR(0.5 * (state.v * state.v) + system.potential(state.q), energy, 1e-8) << gamma;
  }
  for (const auto &[gamma, radius] : {std::pair{"0.4", 1.0392304845413267}, {"0.6", 0.959166304662544}})
    EXPECT_NEAR(spectral_radius(linear_map(Scheme("newmark", "set gamma = " + std::string(gamma)), 1., 2)), radius, 1e-12);
}

/// 000.linear_stability.beta*.limit_hw, and none from beta = 1/4 on
TEST(NewmarkNumbers, LinearStability)
{
  for (const std::string name : {"newmark", "newmark-partial"})
    for (const auto &[beta, limit] : {std::pair{"0", 2.}, {"0.2", 4.47213595499958}, {"0.24", 9.999999999999996}})
    {
      if (name == "newmark-partial" && limit == 2.)
        continue;
      const Scheme scheme(name, "set beta = " + std::string(beta));
      double stable = 0.5 * limit, broken = 2. * limit;
      while (broken - stable > 1e-12)
      {
        const double middle = 0.5 * (stable + broken);
        (unstable(scheme, middle) ? broken : stable) = middle;
      }
      EXPECT_NEAR(stable, limit, 1e-9) << name << " " << beta;
      EXPECT_NEAR(scheme.integrator->promise(Particles::ring_well()).stable_h_omega, limit, 1e-12);
    }
  for (const std::string beta : {"0.25", "0.4"})
    for (double h = 0.1; h < 1.1e5; h *= 1.3)
      EXPECT_FALSE(unstable(Scheme("newmark", "set beta = " + beta), h)) << h;
}

/// All are unconditionally stable; the largest root of a linear mode falls to rho infinity.
TEST(NewmarkNumbers, DissipationOfHighModes)
{
  const std::vector<std::tuple<std::string, std::string, double>> schemes{
      {"hht-alpha", "set alpha = -0.1\n", 0.9 / 1.1},
      {"hht-alpha", "set alpha = -0.33333333333333331\n", 0.5},
      {"wbz-alpha", "set alpha = -0.1\n", 0.9 / 1.1},
      {"wbz-alpha", "set alpha = -0.33333333333333331\n", 0.5},
      {"generalized-alpha", "", 0.8},
      {"generalized-alpha", "set rho infinity = 0\n", 0.},
      {"generalized-alpha", "set rho infinity = 0.3\n", 0.3},
      {"generalized-alpha", "set rho infinity = 0.3\nset force = evaluated\n", 0.3},
      {"bathe", "", 0.},
      {"bathe", "set gamma = 0.2\n", 0.},
      {"bathe", "set gamma = 0.9\n", 0.}};
  for (const auto &[name, settings, rho] : schemes)
  {
    SCOPED_TRACE(name + " " + settings);
    const Scheme scheme(name, settings);
    EXPECT_TRUE(std::isinf(scheme.integrator->promise(Particles::ring_well()).stable_h_omega));
    for (double h = 0.01; h < 1e4; h *= 1.2)
      EXPECT_LT(spectral_radius(linear_map(scheme, h, 3)), 1. + 1e-10) << "h omega = " << h;
    EXPECT_NEAR(spectral_radius(linear_map(scheme, 1e5, 3)), rho, 2e-3);
    EXPECT_LT(spectral_radius(linear_map(scheme, 3., 3)), 0.995);
    EXPECT_GT(spectral_radius(linear_map(scheme, 0.05, 3)), 0.9999) << "low modes are hardly damped";
  }
}

/// A body whose end is shaken and which slides on a slope, pulled and damped: the prescribed motion is exact, the tangent of the step is
/// its derivative, and the motion is that of Newmark's scheme.
TEST(NewmarkNumbers, Bodies)
{
  const std::string loads =
      subsection("Loads", subsection("pull", "set Type = traction\nset Boundary = z+\nset Traction = 3, 0, 5\nset Amplitude = sin(4*t)"));
  const std::string supports =
      subsection("Supports", subsection("shaker",
                                        "set Boundary = z-\nset Type = displacement\nset Displacement = 0.02*sin(5*t), free, "
                                        "0.01*t^2") +
                                 subsection("slope", "set Boundary = y+\nset Type = roller\nset Normal = 0, 1, 1"));
  const std::string damping = subsection("Damping", "set Mass proportional = 0.3\n");
  const std::string mesh =
      subsection("Mesh", "set Type = box\nset Subdivisions = 1, 1, 2\n" + subsection("box", "set Size = 1, 1, 2\nset Distortion = 0.2"));
  for (const Named &named : {Named{"average-acceleration", ""},
                             {"linear-acceleration", ""},
                             {"fox-goodwin", ""},
                             {"central-difference", ""},
                             {"hht-alpha", ""},
                             {"wbz-alpha", ""},
                             {"generalized-alpha", ""},
                             {"generalized-alpha", "set force = evaluated\n"},
                             {"bathe", ""},
                             {"newmark-partial", ""},
                             {"newmark-partial", "set guess = previous\n"}})
  {
    SCOPED_TRACE(named.first + " " + named.second);
    Body<3> body(mesh + made_of("neo-hooke-log") + loads + supports + (named.first == "newmark-partial" ? "" : damping) +
                 subsection("Elements", named.first == "central-difference" ? "set Mass = lumped" : "set Mass = consistent"));
    const MechanicalSystem &system = body.system();
    State start;
    body.solid.initialise(start);
    const double h = 0.01;
    const Scheme scheme(named.first, named.second), newmark("newmark");
    const State state = scheme.run(system, start, h, 20), other = newmark.run(system, start, h, 20);
    EXPECT_EQ(state.n, 20u);
    Vector q = state.q, v = state.v, a = state.a;
    system.impose(state.t, q, v, a);
    EXPECT_LT(distance(q, state.q), 1e-15);
    EXPECT_GT(state.q.l2_norm(), 1e-2);
    EXPECT_LT(distance(state.q, other.q), 0.03 * state.q.l2_norm());
    State direction = start;
    Random random;
    for (Vector *x : {&direction.q, &direction.v})
    {
      *x = random.vector(start.q, 0.1);
      system.project(*x);
      x->update_ghost_values();
    }
    EXPECT_LT(tangent_error(scheme, system, start, h, direction), 1e-8);
  }
}

/// A load at once and steps of many periods of a cell: q0 + h² a0/4, where a1 = 0 leads, is no state of the body, q0 + h v0 is one.
TEST(NewmarkNumbers, StepsFollowASuddenLoad)
{
  Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 8, 2, 2\n" + subsection("box", "set Size = 4, 1, 1")) +
               made_of("neo-hooke-log") + subsection("Supports", subsection("clamp", "set Boundary = x-")) +
               subsection("Loads", subsection("pull", "set Type = traction\nset Boundary = x+\nset Traction = 50, 0, 0")));
  const MechanicalSystem &system = body.system();
  State start;
  body.solid.initialise(start);
  constexpr double h = 10.;
  for (const Named &named : std::vector<Named>{{"newmark", ""}, {"hht-alpha", ""}, {"generalized-alpha", ""}, {"bathe", ""}})
  {
    SCOPED_TRACE(named.first);
    Scheme scheme(named.first, named.second);
    scheme.newton.tolerance = 1e-10;
    State state = start;
    scheme.integrator->start(system, state, h);
    Vector predicted = state.q, f = state.q;
    predicted.add(0.25 * h * h, state.a);
    predicted.update_ghost_values();
    EXPECT_FALSE(system.internal_force(predicted, f).admissible());
    EXPECT_LE(scheme.integrator->step(system, state, h).newton, scheme.integrator->divides() ? 20 : 10);
    EXPECT_NEAR(state.q.linfty_norm(), 0.4, 0.15);  // twice the static answer T L/E, as of a bar at its first swing
  }
}

TEST(NewmarkNumbers, WhatIsRefused)
{
  const Particles free = Particles::ring_well(), damped = Particles::ring_well(1., 1., 0.1);
  Body<3> consistent(subsection("Mesh", "set Type = box\nset Subdivisions = 1, 1, 1") + made_of("linear-elasticity"));
  const std::vector<std::tuple<Named, const MechanicalSystem *, std::string>> wrong{
      {{"newmark", "set beta = -0.1\n"}, &free, "test.prm:1 beta = -0.1: must be in [0, 1]"},
      {{"newmark", "set beta = 0\n"}, &consistent.system(), "test.prm:1 beta = 0: beta = 0 is explicit and needs a diagonal mass"},
      {{"central-difference", ""}, &consistent.system(), "central-difference is explicit and needs a diagonal mass"},
      {{"fox-goodwin", "set beta = 0.1\n"}, &free, "beta"},
      {{"hht-alpha", "set alpha = 0.1\n"}, &free, "test.prm:1 alpha = 0.1: must be in [-0.333"},
      {{"hht-alpha", "set alpha = -0.34\n"}, &free, "test.prm:1 alpha = -0.34: must be in [-0.333"},
      {{"wbz-alpha", "set alpha = -0.34\n"}, &free, "test.prm:1 alpha = -0.34: must be in [-0.333"},
      {{"generalized-alpha", "set rho infinity = 1.01\n"}, &free, "test.prm:1 rho infinity = 1.01: must be in [0, 1]"},
      {{"generalized-alpha", "set force = mean\n"}, &free, "must be one of averaged, evaluated"},
      {{"bathe", "set gamma = 1\n"}, &free, "test.prm:1 gamma = 1: must be in (0, 1)"},
      {{"newmark-partial", "set guess = none\n"}, &free, "must be one of pre"},
      {{"newmark-partial", "set beta = 0\n"}, &free, "test.prm:1 beta = 0: must be in (0, 1]"},
      {{"newmark-partial", ""}, &damped, "newmark-partial is for systems without damping. Use Scheme = newmark"}};
  for (const auto &[named, system, message] : wrong)
    EXPECT_NE(refusal(named, *system).find(message), std::string::npos) << named.first << " " << named.second << refusal(named, *system);
  for (const std::string name :
       {"newmark", "central-difference", "hht-alpha", "wbz-alpha", "generalized-alpha", "bathe", "newmark-partial"})
    EXPECT_EQ(refusal({name, ""}, free), "") << name;
}
}  // namespace symdyn::tests::in_newmark_numbers
