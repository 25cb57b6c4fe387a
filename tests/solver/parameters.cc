#include "solver/parameters.h"

#include <cmath>

#include "solver/base/plain_units.h"
#include "solver/deck/deck.h"
#include "solver/deck/formula/expression.h"
#include "tests/input.h"

namespace symdyn::tests::in_parameters
{
using testing::IsSubstring;

namespace
{
std::string newmark_error(const std::string &line)
{
  Deck deck = Deck::from_text("# a\nsubsection Integrator\n  subsection newmark\n" + line + "\nend\nend", "beam.prm");
  return message([&] { NewmarkEntries().declare(deck.root().section("Integrator").section("newmark")); });
}

template <class T>
T value_of(const std::string &text, T value = T())
{
  Deck deck = Deck::from_text("set a = " + text, "a.prm");
  deck.root().add("a", value, "help");
  deck.finish();
  return value;
}

template <class T>
std::string error_of(const std::string &text)
{
  return message([&] { value_of<T>(text); });
}
}  // namespace

TEST(Parameters, ErrorsNamePlaceValueRuleAndHelp)
{
  EXPECT_EQ(newmark_error("set beta = 0.9"),
            "beam.prm:4 [Integrator/newmark] beta = 0.9: must be in [0, 0.5]. Meaning: weight of the new acceleration [-].");
  EXPECT_EQ(newmark_error("set beta = half"),
            "beam.prm:4 [Integrator/newmark] beta = half: must be a number in [0, 0.5]. Meaning: weight of the new acceleration "
            "[-].");
  EXPECT_EQ(newmark_error("set Newton iterations = 1.5"),
            "beam.prm:4 [Integrator/newmark] Newton iterations = 1.5: must be a whole number in [1, 100]. Meaning: at most.");
}

TEST(Parameters, Numbers)
{
  EXPECT_EQ(value_of<double>("1e-3"), 1e-3);
  EXPECT_EQ(value_of<double>("+1"), 1.);
  EXPECT_EQ(value_of<double>("-.5"), -0.5);
  EXPECT_EQ(value_of<double>("2."), 2.);
  EXPECT_EQ(value_of<int>("-12"), -12);
  EXPECT_EQ(value_of<int>("+12"), 12);
  for (const char *wrong : {"1x", "1 2", "nan", "NaN", "inf", "-inf", "1e999", "", "+-1", "0x10", "1,5"})
    EXPECT_PRED_FORMAT2(IsSubstring, "a.prm:1 a = " + std::string(wrong) + ": must be a number. Meaning: help.", error_of<double>(wrong));
  for (const char *wrong : {"1.5", "1e3", "99999999999", "", "a"})
    EXPECT_PRED_FORMAT2(IsSubstring, "must be a whole number. Meaning: help.", error_of<int>(wrong));
}

TEST(Parameters, Booleans)
{
  for (const char *text : {"yes", "true", "on"})
    EXPECT_TRUE(value_of<bool>(text, false));
  for (const char *text : {"no", "false", "off"})
    EXPECT_FALSE(value_of<bool>(text, true));
  EXPECT_PRED_FORMAT2(IsSubstring, "a.prm:1 a = maybe: must be yes or no", error_of<bool>("maybe"));
}

TEST(Parameters, Choices)
{
  Deck deck = Deck::from_text("set a = newmrk", "a.prm");
  std::string value = "bathe";
  EXPECT_EQ(message([&] {
              deck.root().add("a", value, "which [-]", {"bathe", "zhang-skeel", "newmark"});
            }),
            "a.prm:1 a = newmrk: must be one of newmark, bathe, zhang-skeel. Meaning: which [-].");
}

TEST(Parameters, Lists)
{
  EXPECT_EQ(value_of<std::vector<double>>("1, 2.5,3"), (std::vector<double>{1., 2.5, 3.}));
  EXPECT_EQ(value_of<std::vector<int>>("4"), (std::vector<int>{4}));
  EXPECT_EQ(value_of<std::vector<std::string>>("a b, c"), (std::vector<std::string>{"a b", "c"}));
  EXPECT_TRUE(value_of<std::vector<double>>("", {1.}).empty());
  EXPECT_PRED_FORMAT2(IsSubstring, "a.prm:1 a = 1, x: item 2 ('x') must be a number. Meaning: help.",
                      error_of<std::vector<double>>("1, x"));
  EXPECT_PRED_FORMAT2(IsSubstring, "item 2 ('2.5') must be a whole number. Meaning: help.", error_of<std::vector<int>>("1, 2.5"));
  EXPECT_PRED_FORMAT2(IsSubstring, "item 2 of the list is empty. Meaning: help.", error_of<std::vector<std::string>>("a, , b"));
}

TEST(Parameters, Formulas)
{
  const double x[] = {3., 4., 0.};
  EXPECT_EQ(value_of<Expression>("x*t + y").at(x, 3, 2.), 10.);
  const auto list = value_of<std::vector<Expression>>("atan2(y, x), 2");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].at(x, 3, 0.), std::atan2(4., 3.));
  EXPECT_EQ(value_of("r^2", Expression("r", {"r"}))(x), 9.);
  EXPECT_PRED_FORMAT2(IsSubstring, "a.prm:1 a = x + q: formula 'x + q', position 5: 'q' is not known", error_of<Expression>("x + q"));
  EXPECT_PRED_FORMAT2(IsSubstring, "formula 'x +', position 4: expected a number", error_of<std::vector<Expression>>("1, x +"));
}

TEST(Parameters, RangeTexts)
{
  EXPECT_EQ(positive().text(), "> 0");
  EXPECT_EQ(not_negative().text(), ">= 0");
  EXPECT_EQ(between(0, 0.5).text(), "in [0, 0.5]");
  EXPECT_EQ((Range{0, 0.5, true, true}.text()), "in (0, 0.5)");
  EXPECT_EQ((Range{-std::numeric_limits<double>::infinity(), 5, false, true}.text()), "< 5");
  EXPECT_EQ(Range().text(), "");
  EXPECT_FALSE(positive().holds(0.));
  EXPECT_TRUE(not_negative().holds(0.));
  EXPECT_FALSE(between(0, 1).holds(1.1));
}

TEST(Parameters, Where)
{
  Deck deck = Deck::from_text("\nsubsection A\n  set b = 1\nend", "beam.prm");
  const Parameters a = deck.root().section("A");
  NewmarkEntries().declare(a.section("newmark"));
  EXPECT_EQ(a.where("b"), "beam.prm:3 [A] b = 1");
  EXPECT_EQ(a.where(), "beam.prm:2 [A]");
  EXPECT_EQ(a.section("newmark").where("beta"), "beam.prm:2 [A/newmark] beta = 0.25 (default)");
  EXPECT_EQ(a.where("c"), "beam.prm:2 [A] c (not given)");
  EXPECT_EQ(deck.root().section("B").where(), "beam.prm [B]");
  EXPECT_EQ(message([&] { a.fail("b", "is wrong."); }), "beam.prm:3 [A] b = 1: is wrong.");
  EXPECT_TRUE(a.given("b") && a.exists());
  EXPECT_FALSE(a.given("c") || deck.root().section("B").exists());
}

TEST(Parameters, AnEmptyDeckYieldsAllDeclarationsOnce)
{
  Deck deck;
  for (int i = 0; i < 2; ++i)
    NewmarkEntries().declare(deck.root().section("Integrator").inactive_section("newmark"));
  std::vector<double> list = {1., 0.1};
  Parameters(deck, "Loads/<name>").add("Direction", list, "help");
  ASSERT_EQ(deck.declarations().size(), 4u);
  const Declaration &beta = deck.declarations()[0], &direction = deck.declarations()[3];
  EXPECT_EQ(beta.path + "|" + beta.name + "|" + beta.fallback + "|" + beta.help + "|" + beta.rule,
            "Integrator/newmark|beta|0.25|weight of the new acceleration [-]|a number in [0, 0.5]");
  EXPECT_EQ(direction.fallback, "1, 0.1");
  EXPECT_EQ(direction.rule, "comma-separated numbers");
  EXPECT_NO_THROW(deck.finish());
  EXPECT_EQ(deck.stem(), "symdyn");
  EXPECT_EQ(deck.folder(), ".");
}

TEST(Parameters, InactiveSectionsAreCheckedAndListed)
{
  const std::string text =
      "subsection Integrator\nsubsection bathe\nset beta = 0.1\nsubsection inner\nset beta = 0.2\nend\nend\n"
      "subsection newmark\nset beta = 0.1\nend\nsubsection empty\nend\nend";
  Deck deck = Deck::from_text(text, "beam.prm");
  const Parameters integrator = deck.root().section("Integrator");
  NewmarkEntries().declare(integrator.section("newmark"));
  const Parameters bathe = integrator.inactive_section("bathe");
  NewmarkEntries().declare(bathe);
  NewmarkEntries().declare(bathe.section("inner"));
  NewmarkEntries().declare(integrator.inactive_section("empty"));
  NewmarkEntries().declare(integrator.inactive_section("newmark"));  // selected elsewhere: stays active
  EXPECT_NO_THROW(deck.finish());
  EXPECT_EQ(deck.inactive_sections(), (std::vector<std::string>{"Integrator/bathe"}));
  Deck wrong = Deck::from_text("subsection bathe\nset beta = 7\nend", "beam.prm");
  EXPECT_PRED_FORMAT2(IsSubstring, "beta = 7: must be", message([&] { NewmarkEntries().declare(wrong.root().inactive_section("bathe")); }));
}

TEST(Parameters, NamedSectionsKeepTheOrderOfTheFile)
{
  Deck deck = Deck::from_text(
      "subsection Loads\nsubsection tip\nsubsection deep\nend\nend\nsubsection end load\nend\nsubsection tip\nend\nend", "beam.prm");
  const Parameters loads = deck.root().section("Loads");
  EXPECT_EQ(loads.named_sections(), (std::vector<std::string>{"tip", "end load"}));
  EXPECT_EQ(deck.root().named_sections(), (std::vector<std::string>{"Loads"}));
  EXPECT_TRUE(Deck().root().section("Loads").named_sections().empty());
  EXPECT_PRED_FORMAT2(IsSubstring, "beam.prm:2: unknown section 'tip' in section Loads", message([&] { deck.finish(); }));
  loads.section("end load");
  loads.section("tip").section("deep");
  EXPECT_NO_THROW(deck.finish());
}

TEST(Units, PlainWhereTheyHaveNoNames)
{
  for (const auto &[title, plain] : {std::pair<std::string, std::string>{"P_x [1 1/1]", "P_x [1]"},
                                     {"J_z [1 1^2/1]", "J_z [1]"},
                                     {"omega [rad/1]", "omega [rad]"},
                                     {"omega^2 [1/1^2]", "omega^2 [1]"},
                                     {"tip.u_x [1]", "tip.u_x [1]"},
                                     {"newton", "newton"},
                                     {"P_x [kg m/s]", "P_x [kg m/s]"},
                                     {"omega^2 [1/s^2]", "omega^2 [1/s^2]"},
                                     {"ratio [-]", "ratio [-]"}})
    EXPECT_EQ(with_plain_unit(title), plain);
}
}  // namespace symdyn::tests::in_parameters
