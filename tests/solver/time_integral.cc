// Integrals of tables and formulas in time, and supports that are given by velocity or acceleration.
#include "solver/deck/formula/time_integral.h"

#include "solver/deck/formula/expression.h"
#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/input.h"

namespace symdyn::tests::in_time_integral
{
namespace
{
Table table(const std::string &text)
{
  const symdyn::DeckFolder folder;
  return Table::read(folder.file("record.csv", text));
}

void expect_near(const Jet<double> &found, const Jet<double> &wanted, const double tolerance)
{
  EXPECT_NEAR(found.x, wanted.x, tolerance);
  EXPECT_NEAR(found.d, wanted.d, tolerance);
  EXPECT_NEAR(found.dd, wanted.dd, tolerance);
}

TimeIntegral::Function formula(const std::string &text)
{
  return [expression = Expression(text)](const double t) { return expression.in_time(nullptr, 0, t); };
}

std::string support(const std::string &content)
{
  return subsection("Mesh", "set Type = box\nset Subdivisions = 1, 1, 1") + made_of("linear-elasticity") +
         subsection("Supports", subsection("wall", "set Boundary = x-\n" + content));
}

/// u, v, a of the node at the origin, component z.
Jet<double> imposed(Body<3> &body, const double t)
{
  Vector q = body.system().new_vector(), v = q, a = q;
  body.system().impose(t, q, v, a);
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    if (body.mesh().position[node].norm() < 1e-12)
      return {q.local_element(3 * node + 2), v.local_element(3 * node + 2), a.local_element(3 * node + 2)};
  ADD_FAILURE() << "no node at the origin";
  return {};
}
}  // namespace

/// f = 2t until 1, then 2, then down to -1 at 4: integrals by hand.
TEST(TimeIntegral, OfATableIsExact)
{
  const Table f = table("0 0\n1 2\n3 2\n4 -1\n");
  const TimeIntegral once(f, 1, TimeIntegral::Beyond::constant), twice(f, 2, TimeIntegral::Beyond::constant),
      ends(f, 2, TimeIntegral::Beyond::zero);
  expect_near(once(0.5), {0.25, 1., 2.}, 1e-15);
  expect_near(twice(0.5), {0.125 / 3., 0.25, 1.}, 1e-15);
  expect_near(twice(2.), {1. / 3. + 1. + 1., 3., 2.}, 1e-14);
  const double u3 = 1. / 3. + 2. + 4., u4 = u3 + 5. + 1. - 0.5;  // after t = 3: 5 tau + tau² - tau³/2
  expect_near(twice(4.), {u4, 5.5, -1.}, 1e-14);
  expect_near(twice(6.), {u4 + 11. - 2., 3.5, -1.}, 1e-14);
  expect_near(ends(6.), {u4 + 11., 5.5, 0.}, 1e-14);
  expect_near(twice(-1.), {0., 0., 0.}, 1e-15);
}

TEST(TimeIntegral, OfATableBeginsAtZeroWhereverTheTableDoes)
{
  const Table late = table("1 3\n2 3\n"), early = table("-1 3\n2 3\n");
  expect_near(TimeIntegral(late, 2, TimeIntegral::Beyond::constant)(2.), {6., 6., 3.}, 1e-14);
  expect_near(TimeIntegral(late, 2, TimeIntegral::Beyond::zero)(2.), {1.5, 3., 3.}, 1e-14);
  expect_near(TimeIntegral(late, 2, TimeIntegral::Beyond::zero)(0.5), {0., 0., 0.}, 1e-14);
  expect_near(TimeIntegral(early, 2, TimeIntegral::Beyond::constant)(2.), {6., 6., 3.}, 1e-14);
}

TEST(TimeIntegral, OfFormulas)
{
  const TimeIntegral once(formula("30*cos(30*t)"), 1), twice(formula("-900*sin(30*t)"), 2), jump(formula("step(t - 0.3)"), 1);
  for (const double t : {-0.2, 0., 1e-14, 1e-3, 0.37, 5., 41.7})
  {
    expect_near(once(t), {std::sin(30. * t), 30. * std::cos(30. * t), -900. * std::sin(30. * t)}, 1e-11);
    expect_near(twice(t), {std::sin(30. * t) - 30. * t, 30. * std::cos(30. * t) - 30., -900. * std::sin(30. * t)}, 1e-9);
  }
  EXPECT_NEAR(jump(2.).x, 1.7, 1e-12);
  EXPECT_NEAR(jump(0.25).x, 0., 1e-15);
  EXPECT_THROW(TimeIntegral(formula("1/(t - 0.5)*(t > 0.4)/0"), 1)(1.), ComputationError);
}

/// A shock far from zero, between the points that eight to a panel would have.
TEST(TimeIntegral, ShortPulsesAreNotMissed)
{
  const TimeIntegral pulse(formula("100*step(t - 10.0155)*step(10.0245 - t)"), 1);
  EXPECT_EQ(pulse(10.01).x, 0.);
  EXPECT_NEAR(pulse(10.2).x, 0.9, 1e-10);
  EXPECT_NEAR(pulse(10.02).x, 0.45, 1e-10) << "inside it";
  for (double start = 10.; start < 10.13; start += 0.013)
    EXPECT_NEAR(
        TimeIntegral(formula("step(t - " + std::to_string(start) + ")*step(" + std::to_string(start + 0.0105) + " - t)"), 1)(10.3).x,
        0.0105, 1e-10)
        << start;
}

/// A restart asks at other times than the straight run.
TEST(TimeIntegral, DoesNotDependOnWhatWasAskedBefore)
{
  const TimeIntegral forwards(formula("sin(t^2)"), 2), once(formula("sin(t^2)"), 2);
  for (double t = 0.; t < 3.; t += 0.01)
    forwards(t);
  EXPECT_EQ(forwards(3.2).x, once(3.2).x);
  EXPECT_EQ(forwards(3.2).d, once(3.2).d);
}

/// One motion, given by its displacement, velocity and acceleration.
TEST(SupportMotion, ThreeWaysToGiveOneMotion)
{
  Body<3> u(support("set Type = displacement\nset Displacement = 0, free, 0.01 + 0.1*sin(3*t)"));
  Body<3> v(support("set Type = velocity\nset Velocity = 0, free, 0.3*cos(3*t)\nset Initial displacement = 0, 0, 0.01"));
  Body<3> a(support(
      "set Type = acceleration\nset Acceleration = 0, free, -0.9*sin(3*t)\nset Initial displacement = 0, 0, 0.01\nset Initial velocity = 0, 0, 0.3"));
  Body<3> product(
      support("set Type = velocity\nset Velocity = 0, free, 0.3*(1 + x)\nset Amplitude = cos(3*t)\nset Initial displacement = 0, 0, 0.01"));
  for (const double t : {0., 0.1, 1.7, 9.})
  {
    const Jet<double> wanted = imposed(u, t);
    EXPECT_NEAR(wanted.d, 0.3 * std::cos(3. * t), 1e-15);
    for (Body<3> *body : {&v, &a, &product})
      expect_near(imposed(*body, t), wanted, 1e-13);
  }
  EXPECT_TRUE(v.system().has(Feature::moving_supports));
}

TEST(SupportMotion, TablesAreIntegratedExactly)
{
  const symdyn::DeckFolder folder;
  const std::string file = folder.file("ramp.csv", "0 0\n1 2\n3 2\n");
  Body<3> body(support("set Type = acceleration\nset Acceleration = 0, 0, 2\nset Amplitude file = " + file));
  expect_near(imposed(body, 2.), {2. * (1. / 3. + 2.), 6., 4.}, 1e-14);
}

TEST(SupportMotion, OfAPoint)
{
  const auto foot = [](const std::string &entries) {
    return subsection("Points", "set Dimension = 1\n" + subsection("foot", "set Position = 0\nset Fixed = yes\n" + entries) +
                                    subsection("bob", "set Mass = 2\nset Position = 1")) +
           subsection("Bars", subsection("spring", "set From = foot\nset To = bob\nset EA = 128"));
  };
  for (const char *entries : {"set Motion = 1 - cos(3*t)", "set Motion = 3*sin(3*t)\nset Motion is = velocity",
                              "set Motion = 9*cos(3*t)\nset Motion is = acceleration"})
  {
    DiscreteDeck deck(foot(entries));
    Vector q = deck.system().new_vector(), v = q, a = q;
    deck.system().impose(1.3, q, v, a);
    expect_near({q.local_element(0), v.local_element(0), a.local_element(0)}, {1. - std::cos(3.9), 3. * std::sin(3.9), 9. * std::cos(3.9)},
                1e-13);
  }
  EXPECT_NE(message([&] { DiscreteDeck deck(foot("set Motion is = velocity")); }).find("has no effect without Motion"), std::string::npos);
}

TEST(SupportMotion, RefusesWhatHasNoMeaning)
{
  const auto refuse = [](const std::string &content, const std::string &part) {
    const std::string text = message([&] { Body<3> body(support(content)); });
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  refuse("set Type = velocity\nset Displacement = 0, 0, t", "has no effect with Type = velocity. Set Type = displacement");
  refuse("set Type = velocity\nset Velocity = free, free, free", "the support has no effect");
  refuse("set Type = velocity\nset Velocity = 0, 0", "needs 3 components");
  refuse("set Type = velocity\nset Velocity = 0, 0, x*t", "its integral is not known at every node");
  refuse("set Type = velocity\nset Velocity = 0, 0, t\nset Initial velocity = 0, 0, 1", "only what is integrated needs a start");
  refuse("set Type = acceleration\nset Acceleration = 0, free, t\nset Initial velocity = 0, 1, 1", "component y, which is free");
  refuse("set Type = displacement\nset Displacement = 0, 0, t\nset Initial displacement = 0, 0, 1",
         "has no effect with Type = displacement");
  refuse("set Type = fixed\nset Velocity = 0, 0, t", "has no effect with Type = fixed. Set Type = velocity");
}
}  // namespace symdyn::tests::in_time_integral
