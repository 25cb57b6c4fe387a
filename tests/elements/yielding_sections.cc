// Beams and shells whose sections yield at points: derivatives, increments, energies, the elastic limit.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "elements/beams/beam_fibres.h"
#include "elements/gram/line_rules.h"
#include "elements/system/assembled_system.h"
#include "solver/history.h"
#include "tests/discrete_deck.h"
#include "tests/input.h"
#include "tests/invariants.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_yielding_sections
{
namespace
{
constexpr double E = 1000., nu = 0.3;

std::string metal(const std::string &more, const std::string &yield = "4")
{
  return subsection("Materials", subsection("metal", fmt::format("set Type = plastic\nset Density = 2\nset E = {}\nset nu = {}\nset Yield "
                                                                 "stress = {}\n",
                                                                 E, nu, yield) +
                                                         more));
}
const std::string elastic =
    subsection("Materials", subsection("metal", "set Type = linear-elasticity\nset Density = 2\nset E = 1000\nset nu = 0.3\n"));
const std::string laws[] = {"set Hardening modulus = 100\n",
                            "set Backstress moduli = 60\nset Saturation stress = 2\nset Saturation rate = 30\n"};
const std::string recovering = "set Backstress moduli = 60, 20\nset Backstress recovery = 30, 3\n";

/// Two beams at an angle, three elements in all.
std::string frame(const std::string &type, const std::string &section, const std::string &material, const std::string &more = "")
{
  const std::string each =
      "set Material = metal\nset Direction = 0.2, 0.1, 1\nset Type = " + type + "\nset Section = " + section + "\n" + more;
  return subsection("Points", subsection("foot", "set Position = 0, 0, 0") + subsection("knee", "set Position = 1, 0, 0") +
                                  subsection("tip", "set Position = 1, 1.2, 0.3")) +
         subsection("Beams", subsection("leg", "set From = foot\nset To = knee\nset Elements = 2\n" + each) +
                                 subsection("arm", "set From = knee\nset To = tip\nset Elements = 1\n" + each)) +
         material;
}
const std::string sections[] = {"rectangle\nset Size = 0.1, 0.2", "circle\nset Size = 0.1", "pipe\nset Size = 0.1, 0.02",
                                "box\nset Size = 0.1, 0.2, 0.01, 0.02", "i\nset Size = 0.2, 0.1, 0.02, 0.15, 0.01, 0.015"};

std::string panel(const std::string &shape, const std::string &material, const std::string &more = "")
{
  return subsection("Mesh", "set Type = cylinder-panel\nset Subdivisions = 3, 2\nset Cell shape = " + shape + "\n" +
                                subsection("cylinder-panel", "set Radius = 1\nset Length = 1\nset Angles = -30, 30")) +
         subsection("Shells", subsection("skin", "set Thickness = 0.05 + 0.02*x\nset Material = metal\n" + more)) + material;
}

/// Increments of a structure, one after the other.
struct Steps
{
  explicit Steps(const std::string &text) : deck(text), system(deck.system()), laws(*remembering(system)) {}
  std::unique_ptr<Increment> increment(const double h = 1.) const { return laws.increment(history, h, h); }
  void accept(const Vector &q, const double h = 1.) { history = increment(h)->commit(q).history; }

  DiscreteDeck deck;
  const MechanicalSystem &system;
  const Remembering &laws;
  HistoryPointer history;
};

/// How far a derivative is from the central difference of a map.
double error(const std::function<void(const Vector &, Vector &)> &map, const Vector &q, const Vector &w, const Vector &derivative)
{
  constexpr double h = 1e-6;
  Vector up = derivative, down = derivative;
  map(moved(q, h, w), up);
  map(moved(q, -h, w), down);
  up -= down;
  up *= 0.5 / h;
  return distance(up, derivative) / derivative.l2_norm();
}

/// q flows almost everywhere, away from the kinks of single points.
void expect_consistent(const std::string &text, const bool has_potential = true)
{
  Steps steps(text);
  EXPECT_TRUE(steps.system.has(Feature::history));
  EXPECT_FALSE(steps.system.has(Feature::quadratic_energy));
  steps.accept(random(steps.system, 1, 0.03));
  const Vector q = random(steps.system, 2, 0.03), w = random(steps.system, 3, 0.03), other = random(steps.system, 4, 0.03);
  const auto step = steps.increment();
  Vector f = step->new_vector(), Kw = f, Aw = f, bend = f;
  step->internal_force(q, f);
  if (has_potential)
  {
    constexpr double h = 1e-6;
    EXPECT_NEAR((step->potential(moved(q, h, w)) - step->potential(moved(q, -h, w))) / (2. * h), f * w, 1e-6 * f.l2_norm() * w.l2_norm());
  }
  step->stiffness(q, w, Kw);
  const auto force = [&](const Vector &x, Vector &r) { step->internal_force(x, r); };
  EXPECT_LT(error(force, q, w, Kw), 1e-6);
  steps.increment(0.)->stiffness(q, w, Aw);
  EXPECT_GT(error(force, q, w, Aw), 0.02) << "the elastic stiffness is another one";
  step->third_derivative(q, w, bend);
  EXPECT_LT(error([&](const Vector &x, Vector &r) { step->stiffness(x, w, r); }, q, w, bend), 1e-4);
  step->factor(K, 0., q, q)->multiply(w, Aw);
  EXPECT_LT(distance(Aw, Kw), 1e-12 * Kw.l2_norm());
  if (!has_potential)
    return;
  step->discrete_gradient(other, q, f);
  EXPECT_NEAR(f * moved(q, -1., other), step->potential(q) - step->potential(other), 1e-12 * step->potential(q));
  step->factor({{K, 0., &q, &q, &other}})->multiply(w, Aw);
  EXPECT_LT(error([&](const Vector &x, Vector &r) { step->discrete_gradient(other, x, r); }, q, w, Aw), 1e-6);
}
}  // namespace

/// Area, first and second moments, fully plastic moments about both axes.
TEST(YieldingSections, PointsHaveTheMomentsOfTheirSections)
{
  const auto expect = [](const BeamFibres &fibres, const BeamSection &section, const BeamPoint &plastic, const std::string &name) {
    double A = 0;
    BeamPoint first{}, second{}, flowing{};
    for (const auto &[place, weight] : fibres)
    {
      A += weight;
      for (int i = 0; i < 2; ++i)
      {
        first[i] += weight * place[i];
        second[i] += weight * place[i] * place[i];
        flowing[i] += weight * std::abs(place[i]);
      }
    }
    EXPECT_NEAR(A, section.area, 1e-14 * A) << name;
    EXPECT_NEAR(second[0], section.I1, 1e-13 * section.I1) << name;
    EXPECT_NEAR(second[1], section.I2, 1e-13 * section.I2) << name;
    for (int i = 0; i < 2; ++i)
    {
      EXPECT_NEAR(first[i], 0., 1e-15 * A) << name;
      EXPECT_NEAR(flowing[i], plastic[i], 1e-7 * plastic[i]) << name;
    }
  };
  const double a = 0.1, b = 0.2, R = 0.1, r = 0.08, t1 = 0.01, t2 = 0.02;
  for (const int points : {5, 9, 21})
    expect(rectangle_fibres(a, b, points), rectangle_section(a, b), {a * a * b / 4., a * b * b / 4.}, "rectangle");
  const auto round = [](const double radius) { return 4. / 3. * radius * radius * radius; };
  expect(circle_fibres(R, 0.), circle_section(R), {round(R), round(R)}, "circle");
  expect(circle_fibres(R, r), pipe_section(R, R - r, nu), {round(R) - round(r), round(R) - round(r)}, "pipe");
  const double inner_a = a - 2. * t1, inner_b = b - 2. * t2;
  expect(box_fibres({a, b, t1, t2}, 5), box_section({a, b, t1, t2}),
         {(a * a * b - inner_a * inner_a * inner_b) / 4., (a * b * b - inner_a * inner_b * inner_b) / 4.}, "box");
  const ISides sides{0.2, 0.1, 0.1, 0.02, 0.02, 0.01};
  const double web = 0.16;
  expect(i_fibres(sides, {}, 5), i_section(sides),
         {2. * 0.02 * 0.01 / 4. + web * 1e-4 / 4., 2. * 0.1 * 0.02 * 0.09 + 0.01 * web * web / 4.}, "i");
  const ISides unequal{0.2, 0.1, 0.15, 0.02, 0.01, 0.015};
  double first = 0, second = 0;
  for (const auto &[place, weight] : i_fibres(unequal, i_section(unequal).centroid, 5))
  {
    first += weight * place[1];
    second += weight * place[1] * place[1];
  }
  EXPECT_NEAR(first, 0., 1e-17);
  EXPECT_NEAR(second, i_section(unequal).I2, 1e-13 * second);
}

/// The moment of a line that flows all over: exact for 4 k + 1 points, and what the manual says of others.
TEST(YieldingSections, FullyPlasticMomentsOfSimpsonsRule)
{
  for (const auto &[points, share] : {std::pair{3, 2. / 3.}, {5, 1.}, {7, 0.96296}, {9, 1.}, {11, 0.98667}, {13, 1.}, {17, 1.}, {21, 1.}})
  {
    double sum = 0;
    for (const auto &[place, weight] : simpson(points))
      sum += weight * std::abs(place);
    EXPECT_NEAR(4. * sum, share, 1e-5) << points;
  }
}

TEST(YieldingSections, BeamsAreConsistent)
{
  for (const std::string type : {"B31", "B32"})
    for (const std::string &section : sections)
    {
      SCOPED_TRACE(type + section);
      expect_consistent(frame(type, section, metal(laws[type == "B32"])));
    }
  expect_consistent(frame("B32", sections[0], metal(laws[0]), "set Offset = 0.02, -0.01\nset Points = 9\n"));
  expect_consistent(frame("B31", sections[0], metal("set Saturation stress = 2\nset Saturation rate = 30\n"), "set Geometry = linear\n"));
  expect_consistent(frame("B31", sections[0], metal(recovering)), false);
}

TEST(YieldingSections, ShellsAreConsistent)
{
  for (const std::string shape : {"quadrilaterals", "triangles"})
    for (const std::string &law : laws)
    {
      SCOPED_TRACE(shape + law);
      expect_consistent(panel(shape, metal(law)));
    }
  expect_consistent(panel("quadrilaterals", metal(laws[0]), "set Geometry = linear\nset Offset = 0.5\nset Points = 7\n"));
  expect_consistent(panel("quadrilaterals", metal(recovering)), false);
}

/// With a frozen history the force at the end of an increment is that of the increment; repeated, it has the same bits.
TEST(YieldingSections, TheAcceptedStateHasItsForce)
{
  for (const std::string &text : {frame("B32", sections[4], metal(laws[0])), panel("quadrilaterals", metal(laws[1]))})
  {
    Steps steps(text);
    steps.accept(random(steps.system, 1, 0.03));
    const Vector q = random(steps.system, 2, 0.03);
    Vector end = steps.system.new_vector(), again = end, frozen = end, wrong = end;
    steps.increment()->internal_force(q, end);
    steps.increment()->internal_force(q, again);
    EXPECT_EQ(distance(end, again), 0.);
    steps.increment(0.)->internal_force(q, wrong);
    steps.accept(q);
    steps.increment(0.)->internal_force(q, frozen);
    EXPECT_LT(distance(end, frozen), 1e-13 * end.l2_norm());
    EXPECT_GT(distance(end, wrong), 0.01 * end.l2_norm()) << "of the history before";
  }
}

/// Elastic sections are those of GramTerm: of beams and triangles to rounding; S4 has strains of displacements instead of assumed forces.
TEST(YieldingSections, BelowTheYieldStressAllIsElastic)
{
  const auto difference = [](const std::string &plastic, const std::string &other) {
    Steps steps(plastic);
    DiscreteDeck reference(other);
    const Vector q = random(steps.system, 2, 0.03);
    Vector f = q, g = q;
    steps.increment()->internal_force(q, f);
    reference.system().internal_force(q, g);
    return distance(f, g) / g.l2_norm();
  };
  for (const std::string &section : sections)
  {
    EXPECT_LT(difference(frame("B32", section, metal("", "4e6")), frame("B32", section, elastic)), 1e-12) << section;
    EXPECT_GT(difference(frame("B32", section, metal("")), frame("B32", section, elastic)), 0.01) << section;
  }
  EXPECT_LT(difference(panel("triangles", metal("", "4e6")), panel("triangles", elastic)), 1e-12);
  EXPECT_GT(difference(panel("quadrilaterals", metal("", "4e6")), panel("quadrilaterals", elastic)), 1e-6);
}

/// Along a random path the laws never win, and what a discrete gradient loses is what they dissipate.
TEST(YieldingSections, DissipationNeverFalls)
{
  for (const std::string &text : {frame("B31", sections[2], metal(laws[1])), panel("quadrilaterals", metal(laws[0]))})
  {
    Steps steps(text);
    Vector q = steps.system.new_vector();
    double before = 0;
    for (unsigned int k = 1; k <= 12; ++k)
    {
      const Vector next = random(steps.system, k, 0.01 * (1 + k % 3));
      const auto step = steps.increment();
      const double work = step->potential(next) - step->potential(q), stored = steps.increment(0.)->potential(q);
      const auto made = step->commit(next, &q);
      steps.history = made.history;
      const double spent = steps.laws.spent(steps.history).dissipated, loss = work + stored - steps.increment(0.)->potential(next);
      EXPECT_GE(spent, before);
      EXPECT_GE(loss, -1e-13 * work);
      EXPECT_NEAR(loss, spent - before + made.lost, 1e-10 * std::abs(work));
      before = spent;
      q = next;
    }
    EXPECT_GT(before, 0.);
    const Spent all = steps.laws.spent(steps.history);
    EXPECT_GT(all.flowing, 0.);
    EXPECT_LE(all.flowing, all.volume * (1. + 1e-12));
  }
}

TEST(YieldingSections, Refusals)
{
  const auto fault = [](const std::string &text) { return message([&] { DiscreteDeck deck(text); }); };
  const std::string general = "general\nset Size = 0.02, 1e-5, 1e-5, 0, 1e-5, 0.8, 0.8";
  EXPECT_NE(fault(frame("B31", general, metal(""))).find("= general has no points"), std::string::npos);
  EXPECT_NE(fault(frame("B31", "outline\nset Outline = 0 0; 0.1 0; 0.1 0.1", metal(""))).find("= outline has no points"),
            std::string::npos);
  EXPECT_NE(fault(frame("B31", sections[0], metal(""), "set Points = 6\n")).find("is even"), std::string::npos);
  EXPECT_NE(fault(frame("B31", sections[1], metal(""), "set Points = 5\n")).find("circles and pipes have 3 x 16 points"),
            std::string::npos);
  EXPECT_NE(fault(frame("B31", sections[0], elastic, "set Points = 5\n")).find("does not yield"), std::string::npos);
  EXPECT_NE(fault(panel("triangles", elastic, "set Points = 5\n")).find("does not yield"), std::string::npos);
  EXPECT_NE(fault(frame("B31", sections[0], metal("set Kinematics = logarithmic\n"))).find("small strains, at any rotation"),
            std::string::npos);
  EXPECT_NE(fault(frame("B31", sections[0], metal("set Plane = stress\n"))).find("uniaxial stress"), std::string::npos);
  const std::string layers =
      subsection("Shells", subsection("skin", "set Layers = metal 0.01 0; metal 0.01 90\nset Direction = 1, 0, 0\n"));
  const std::string layered =
      subsection("Mesh", "set Type = plate\nset Subdivisions = 1, 1\n" + subsection("plate", "set Size = 1, 1")) + layers;
  EXPECT_NE(fault(layered + metal("")).find("layers are elastic"), std::string::npos);
}
}  // namespace symdyn::tests::in_yielding_sections
