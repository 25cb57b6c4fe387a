// Springs and bars that yield: increments and their derivatives, closed forms, histories.
#include <gtest/gtest.h>

#include <cmath>

#include "elements/lumped/yield_law.h"
#include "elements/system/assembled_system.h"
#include "solver/history.h"
#include "solver/unknowns.h"
#include "tests/discrete_checks.h"
#include "tests/discrete_deck.h"

namespace symdyn::tests::in_yielding
{
namespace
{
std::string part(const std::string &name, const std::string &content) { return "subsection " + name + "\n" + content + "\nend\n"; }

const std::string free_points =
    "subsection a\nset Mass = 1\nset Position = 0, 0, 0\nset Velocity = 0.3, -0.1, 0.2\nend\n"
    "subsection b\nset Mass = 3\nset Position = 1, 0.1, 0\nset Velocity = 0, 0.4, 0.1\nend\n"
    "subsection row\nset Count = 2\nset Mass = 0.5\nset Position = i, 1 - 0.3*i, 0.5 + 0.5*i^2\nset Velocity = 0.1*y, 0, i\nend\n";
const std::string turning =
    part("Springs", part("link",
                         "set From = b\nset To = row\nset Law = plastic\nset Stiffness = 6\nset Yield force = 0.02\nset Hardening "
                         "stiffness = 1\nset Backstress stiffness = 0.5") +
                        part("damper",
                             "set From = a\nset To = row\nset Law = bouc-wen\nset Stiffness = 4\nset Yield force = 0.03\nset "
                             "Post-yield ratio = 0.05\nset Exponent = 1")) +
    part("Bars", part("rod",
                      "set From = a\nset To = b\nset Law = plastic\nset EA = 8\nset Area = 0.01\nset Yield stress = 2\nset Backstress "
                      "modulus = 90") +
                     part("web", "set From = a\nset To = row\nset Law = plastic\nset EA = 5\nset Area = 0.01\nset Yield stress = 3"));
const std::string free_deck = part("Points", free_points) + turning;
/// Held, of all kinds of ends.
const std::string held_deck =
    part("Points", part("wall", "set Fixed = yes\nset Position = 0.2, 0.1, 2") + free_points) +
    part("Springs",
         part("tie",
              "set From = a\nset To = wall\nset Law = plastic\nset Stiffness = 9\nset Yield force = 0.03\nset Hardening "
              "stiffness = 2") +
             part("stay",
                  "set From = row\nset To = ground\nset Anchor = 0, 2, 1\nset Law = plastic\nset Stiffness = 5\nset Yield force = "
                  "0.02\nset Backstress stiffness = 1") +
             part("floor",
                  "set From = row\nset To = ground\nset Direction = 0, 0, 1\nset Law = plastic\nset Stiffness = 7\nset Yield "
                  "force = 0.01\nset Hardening stiffness = 0.7\nset Backstress stiffness = 0.3") +
             part("storey",
                  "set From = a\nset To = b\nset Direction = 1, 0.2, 0\nset Direction at To = 1, 0, 0\nset Law = plastic\nset "
                  "Stiffness = 4\nset Yield force = 0.02\nset Report = yes") +
             part("elastic", "set From = a\nset To = b\nset Stiffness = 3") +
             part("isolator",
                  "set From = row\nset To = ground\nset Direction = 0, 1, 0\nset Law = bouc-wen\nset Stiffness = 6\nset Yield "
                  "force = 0.02\nset Post-yield ratio = 0.1\nset Exponent = 2\nset Unloading = 0.7\nset Report = yes"));

/// After a large motion, so that what yields is far from its elastic range: every element has flowed.
State yielded(DiscreteDeck &deck)
{
  State state = deck.start();
  state.q = Random(3).vector(state.q, 0.4);
  state.history = remembering(deck.system())->increment(nullptr, 1., 1.)->commit(state.q).history;
  return state;
}

/// The matrix of V'', and that of the discrete gradient, in the free degrees of freedom.
void expect_matrices(const MechanicalSystem &system, const Vector &q, const Vector &w, const Vector &before)
{
  constexpr double h = 1e-5;
  Vector Aw = q, Kw = q, down = q;
  system.factor(K, 0., q, q)->multiply(w, Aw);
  system.stiffness(q, w, Kw);
  system.project(Aw);
  system.project(Kw);
  EXPECT_LT(distance(Aw, Kw), 1e-12 * Kw.l2_norm());
  system.factor({{K, 0., &q, &q, &before}})->multiply(w, Aw);
  system.discrete_gradient(before, moved(q, h, w), Kw);
  system.discrete_gradient(before, moved(q, -h, w), down);
  Kw -= down;
  Kw *= 0.5 / h;
  system.project(Aw);
  system.project(Kw);
  EXPECT_LT(distance(Aw, Kw), 1e-7 * Kw.l2_norm());
}
}  // namespace

TEST(Yielding, DerivativesOfAnIncrement)
{
  for (const std::string &text : {free_deck, held_deck})
  {
    DiscreteDeck deck(text);
    const State state = yielded(deck);
    const Vector q = Random(8).vector(state.q, 0.5), a = Random(5).vector(q, 0.1);
    Vector w = Random(4).vector(q, 0.1);
    deck.system().project(w);
    ASSERT_GT(spent(deck.system(), state).dissipated, 1e-3);
    const About flowing(deck.system(), state, 1., 1.), frozen(deck.system(), state);
    expect_derivatives(*flowing, q, w, a, 0.1);
    expect_derivatives(*frozen, q, w, a, 0.1);
    if (text == free_deck)
      expect_matrix_and_products(*flowing, q, w, state.q);
    expect_matrices(*flowing, q, w, state.q);
    Vector f = q, elastic = q;
    flowing->internal_force(q, f);
    frozen->internal_force(q, elastic);
    elastic -= f;
    EXPECT_GT(elastic.l2_norm(), 0.3 * f.l2_norm()) << "negative control: it flows";
  }
}

/// W_n is what the discrete gradient keeps, near kinks and far from them, with both momenta; the force of the accepted state is the one its
/// increment ended with.
TEST(Yielding, DiscreteGradientsKeepTheIncrementalPotentialAndMomenta)
{
  for (const std::string &text : {free_deck, held_deck})
  {
    DiscreteDeck deck(text);
    const State state = yielded(deck);
    const About step(deck.system(), state, 1., 1.);
    Vector f = state.q, g = f, xi = f;
    double loss = 0;
    for (const double size : {0.5, 0.1, 1e-2, 1e-3, 1e-5, 1e-8, 0.})
      for (const unsigned int seed : {6, 7, 9})
      {
        const Vector q1 = moved(size, state.q, Random(seed).vector(state.q, 1.));
        step->discrete_gradient(state.q, q1, f);
        const double W0 = step->potential(state.q), W1 = step->potential(q1);
        EXPECT_NEAR(f * moved(q1, -1., state.q), W1 - W0, 1e-14 * (1. + std::abs(W0) + std::abs(W1)) * 20.) << size;
        for (std::size_t i = 0; i < 6 && text == free_deck; ++i)
        {
          deck.system().unknowns().generator(i, moved(0.5, state.q, q1), xi);
          EXPECT_NEAR(f * xi, 0., 1e-13) << i;
        }
        State next = state;
        next.q = q1;
        next.history = dynamic_cast<const Increment &>(*step).commit(q1).history;
        About(deck.system(), next)->internal_force(q1, g);
        step->internal_force(q1, f);
        EXPECT_LT(distance(f, g), 1e-14 * (1. + f.l2_norm()) * 20.);
        const double D = spent(deck.system(), next).dissipated - spent(deck.system(), state).dissipated;
        EXPECT_GE(D, 0.);
        EXPECT_NEAR(W1 - About(deck.system(), next)->potential(q1), D, 1e-14 * (1. + W1) * 20.) << "W_n = A + what it dissipates";
        loss = std::max(loss, D);
      }
    EXPECT_GT(loss, 1e-3) << "negative control";
  }
}

/// Closed form: a cycle of one spring, uniaxial with both hardenings (Simo, Hughes 1998, box 1.5).
TEST(Yielding, ACycleIsTheClosedForm)
{
  constexpr double k = 100., Fy = 2., H = 30., C = 20.;
  YieldLaw law;
  law.k = k;
  law.yield = Fy;
  law.isotropic = H;
  law.kinematic = C;
  law.unit = Fy / k;
  std::array<double, 3> m{};
  const auto to = [&](const double e) {
    std::array<double, 3> next{};
    const YieldLaw::InStep step(law, {m.data(), 1., next.data()}, 0);
    const double F = step.at(e)[1];
    step.remember(e);
    m = next;
    return F;
  };
  EXPECT_EQ(to(0.5 * Fy / k), 0.5 * Fy);
  EXPECT_EQ(m[1], 0.);
  const double slope = k * (H + C) / (k + H + C), e1 = 0.1, F1 = Fy + slope * (e1 - Fy / k);
  EXPECT_NEAR(to(e1), F1, 1e-13);
  // Down again: the elastic range is 2 (F_y + H p) wide.
  const double p1 = m[1], F2 = F1 - 2. * (Fy + H * p1), e2 = e1 - 2. * (Fy + H * p1) / k;
  EXPECT_NEAR(to(e2 + 1e-12), F2, 1e-9);
  EXPECT_NEAR(m[1], p1, 1e-14);
  EXPECT_NEAR(to(-e1), F2 - slope * (e2 + e1), 1e-12);
  const double p2 = p1 + (F2 / k - e2 - (F2 - slope * (e2 + e1)) / k - e1) * -1.;
  EXPECT_NEAR(m[1], p2, 1e-12);
  Spent sum;
  law.add_spent(m.data(), sum);
  EXPECT_NEAR(sum.dissipated, Fy * m[1], 1e-13);
  EXPECT_NEAR(sum.stored, 0.5 * (C * m[0] * m[0] + H * m[1] * m[1]), 1e-13);
  EXPECT_NEAR(sum.largest_flow, m[1] * k / Fy, 1e-12) << "in elongations at first yield";
}

/// The elements see distances alone: a body that turns remembers what one that does not turn does.
TEST(Yielding, RotationsAreNotSeen)
{
  DiscreteDeck deck(free_deck);
  const auto *system = remembering(deck.system());
  const State start = deck.start();
  const std::vector<double> X = deck.structure.all_points().parts().positions();
  const Vector stretched = Random(3).vector(start.q, 0.4);
  const double c = std::cos(1.1), s = std::sin(1.1);
  Vector turned = stretched;
  for (unsigned int k = 0; k < turned.locally_owned_size(); k += 3)
  {
    const double x = X[k] + stretched.local_element(k), y = X[k + 1] + stretched.local_element(k + 1);
    turned.local_element(k) = c * x - s * y - X[k];
    turned.local_element(k + 1) = s * x + c * y - X[k + 1];
  }
  const auto spent_at = [&](const Vector &q) { return system->spent(system->increment(nullptr, 1., 1.)->commit(q).history); };
  const Spent still = spent_at(stretched), spun = spent_at(turned), other = spent_at(moved(0.9, start.q, stretched));
  EXPECT_GT(still.dissipated, 1e-3);
  EXPECT_NEAR(spun.dissipated, still.dissipated, 1e-13);
  EXPECT_NEAR(spun.stored, still.stored, 1e-13);
  EXPECT_GT(std::abs(other.dissipated - still.dissipated), 1e-4) << "negative control";
}

TEST(Yielding, HistoriesAreByElementAndRestored)
{
  DiscreteDeck deck(held_deck);
  const State state = yielded(deck);
  const auto &term = *dynamic_cast<const AssembledSystem &>(deck.system()).all_parts().terms.front();
  const double *history = TermHistories::of(state, 0);
  auto blocks = term.history_blocks();
  EXPECT_EQ(blocks.identities.size(), 8u);
  std::vector<double> values;
  term.pack_history(history, values);
  ASSERT_EQ(values.size(), 8u * blocks.doubles);
  dealii::AlignedVector<double> again(term.history_size());
  term.begin_history(again.data());
  EXPECT_FALSE(std::equal(again.begin(), again.end(), history)) << "negative control";
  term.unpack_history(values, again.data());
  EXPECT_TRUE(std::equal(again.begin(), again.end(), history));
  values.pop_back();
  EXPECT_ANY_THROW(term.unpack_history(values, again.data()));
  // Reports use it: the force of the storey spring is that of the state.
  const auto columns = deck.structure.report_columns(Units{});
  const auto at = std::find_if(columns.begin(), columns.end(), [](const Column &column) { return column.name == "storey.force"; });
  ASSERT_NE(at, columns.end());
  const std::vector<double> report = deck.structure.report(state, false);
  const std::size_t place = at - columns.begin();
  EXPECT_NEAR(std::abs(report.at(place)), 0.02, 1e-14) << "perfectly plastic";
  EXPECT_NEAR(report.at(place), 4. * (report.at(place - 1) - report.at(place + 1)), 1e-14);
  EXPECT_GT(std::abs(4. * report.at(place - 1)), 0.1) << "negative control";
}

TEST(Yielding, Features)
{
  DiscreteDeck deck(held_deck), elastic("subsection Points\n" + free_points + "end\n");
  EXPECT_TRUE(remembering(deck.system()));
  EXPECT_FALSE(remembering(deck.system())->depends_on_rates());
  EXPECT_FALSE(remembering(elastic.system()));
  Vector f = deck.system().new_vector();
  EXPECT_THROW(deck.system().internal_force(f, f), std::logic_error);
}

TEST(Yielding, WrongEntriesAreRefused)
{
  const auto error_of = [](const std::string &entries, const std::string &kind = "Springs") {
    return message([&] { DiscreteDeck deck(part("Points", free_points) + part(kind, part("s", "set From = a\nset To = b\n" + entries))); });
  };
  const std::string good = "set Law = plastic\nset Stiffness = 5\nset Yield force = 1\n";
  EXPECT_NO_THROW(DiscreteDeck(part("Points", free_points) + part("Springs", part("s", "set From = a\nset To = b\n" + good))));
  for (const auto &[entries, words] : std::vector<std::pair<std::string, std::string>>{
           {"set Law = plastic\nset Stiffness = 5", "Law = plastic needs it"},
           {"set Law = plastic\nset Yield force = 5", "Stiffness"},
           {"set Stiffness = 5\nset Yield force = 1", "Yield force = 1: has no effect with Law = quadratic"},
           {"set Stiffness = 5\nset Report = yes", "Report = yes: has no effect with Law = quadratic"},
           {"set Law = plastic\nset Stiffness = 5\nset Yield force = 0", "Yield force = 0"},
           {good + "set Hardening stiffness = -1", "Hardening stiffness = -1"},
           {good + "set Length = 0", "has length zero. Give a Direction"},
           {good + "set Direction = 1, 0, 0\nset Length = 2", "Length = 2: has no effect with a Direction"},
           {good + "set Forces = 1, 2", "Forces"}})
    EXPECT_NE(error_of(entries).find(words), std::string::npos) << words << "\n" << error_of(entries);
  const std::string bar = "set Law = plastic\nset EA = 5\n";
  for (const auto &[entries, words] : std::vector<std::pair<std::string, std::string>>{
           {bar + "set Area = 1", "Law = plastic needs it"},
           {bar + "set Yield stress = 1", "Law = plastic needs it"},
           {"set EA = 5\nset Yield stress = 1", "Yield stress = 1: has no effect with Law = green-lagrange"},
           {bar + "set Yield stress = 1\nset Area = 1\nset Stiffness = 5", "Stiffness"}})
    EXPECT_NE(error_of(entries, "Bars").find(words), std::string::npos) << words << "\n" << error_of(entries, "Bars");
}
}  // namespace symdyn::tests::in_yielding
