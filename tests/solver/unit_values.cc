// Numbers with units in decks.
#include <cmath>

#include "solver/base/unit_value.h"
#include "solver/base/units.h"
#include "solver/deck/deck.h"
#include "solver/deck/formula/expression.h"
#include "tests/input.h"

namespace symdyn::in_unit_values
{
namespace
{
/// An entry [Pa], [kg/m^3], ... of a deck.
double value_of(const std::string &text, const std::string &help, const std::string &system = "SI", const Range &range = {})
{
  Deck deck =
      Deck::from_text("subsection Units\n set System = " + system + "\nend\nsubsection S\n set E = " + text + "\nend\n", "beam.prm");
  double value = 0;
  deck.root().section("S").add("E", value, help, range);
  return value;
}
std::string refusal(const std::string &text, const std::string &help, const std::string &system = "SI")
{
  return message([&] { value_of(text, help, system); });
}
void expect_refused(const std::string &text, const std::string &help, const std::string &part, const std::string &system = "SI")
{
  const std::string said = refusal(text, help, system);
  EXPECT_NE(said.find("beam.prm:5 [S] E = " + text), std::string::npos) << said;
  EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
}
}  // namespace

TEST(UnitValues, AreConvertedToThoseOfTheDeck)
{
  struct Row
  {
    const char *text, *help;
    double si, mm_t_s;
  };
  for (const Row &row : std::initializer_list<Row>{{"210 GPa", "modulus [Pa]", 2.1e11, 2.1e5},
                                                   {"7850 kg/m^3", "[kg/m^3]", 7850., 7.85e-9},
                                                   {"7.85 g/cm³", "[kg/m^3]", 7850., 7.85e-9},
                                                   {"25 mm", "along x [m]", 0.025, 25.},
                                                   {"2 kN", "[N]", 2000., 2000.},
                                                   {"10 Hz", "[Hz]", 10., 10.},
                                                   {"1.5 kN m", "moment [N m]", 1500., 1.5e6},
                                                   {"9.81 m/s²", "[m/s^2]", 9.81, 9810.},
                                                   {"500 J/(kg K)", "[J/(kg K)]", 500., 5e8},
                                                   {"3 N s/m", "[N s/m]", 3., 3e-3},
                                                   {"30 rpm", "[rad/s]", M_PI, M_PI},
                                                   {"1 rad", "[degrees]", 180. / M_PI, 180. / M_PI},
                                                   {"20 ms", "[s]", 0.02, 0.02},
                                                   {"-4 MPa", "[Pa]", -4e6, -4.}})
  {
    EXPECT_NEAR(value_of(row.text, row.help), row.si, 1e-14 * std::abs(row.si)) << row.text;
    EXPECT_NEAR(value_of(row.text, row.help, "mm-t-s"), row.mm_t_s, 1e-14 * std::abs(row.mm_t_s)) << row.text;
  }
  EXPECT_EQ(value_of("210", "[Pa]", "none"), 210.) << "numbers alone stay";
}

TEST(UnitValues, OfListsAndFormulas)
{
  Deck deck = Deck::from_text("set L = 1 m, 25 cm, 0.5\nset F = 0, 2 kN, 3*x\nset h = 5 ms\n", "beam.prm");
  Parameters root = deck.root();
  std::vector<double> lengths;
  root.add("L", lengths, "edges [m]");
  EXPECT_EQ(lengths, (std::vector<double>{1., 0.25, 0.5}));
  std::vector<Expression> force(1);
  root.add("F", force, "components [N]");
  const double X[] = {2., 0., 0.};
  ASSERT_EQ(force.size(), 3u);
  EXPECT_EQ(force[1].at(X, 3, 0.), 2000.);
  EXPECT_EQ(force[2].at(X, 3, 0.), 6.);
  std::string step;
  root.add("h", step, "step [s], or `auto`");
  EXPECT_EQ(step, "0.005");
  EXPECT_NE(deck.as_prm().find("set L = 1, 0.25, 0.5"), std::string::npos) << deck.as_prm();
}

TEST(UnitValues, OfEntriesWithSeveralUnits)
{
  Deck deck = Deck::from_text("set r = 5, 1.6 kHz, 3, 2\nset k = 3 N/mm\nset wrong = 1 Hz, 2\n", "beam.prm");
  Parameters root = deck.root();
  std::vector<double> ratios, wrong;
  double stiffness = 0.;
  root.in_units("-, Hz").add("r", ratios, "ratios [-] and frequencies [Hz]");
  EXPECT_EQ(ratios, (std::vector<double>{5., 1600., 3., 2.}));
  root.in_units("N/m").add("k", stiffness, "of quadratic [N/m], of quartic [N/m^3]");
  EXPECT_EQ(stiffness, 3000.);
  EXPECT_EQ(root.where("k"), "beam.prm:2 k = 3 N/mm") << "as the deck writes it";
  EXPECT_NE(deck.as_prm().find("set k = 3000"), std::string::npos);
  const std::string said = message([&] { root.in_units("-, Hz").add("wrong", wrong, "ratios [-] and frequencies [Hz]"); });
  EXPECT_NE(said.find("Hz is a unit, and this number has none"), std::string::npos) << said;
  Deck spring = Deck::from_text("set k = 3 N/m\n", "beam.prm");
  const std::string of_quartic = message([&] { spring.root().in_units("N/m^3").add("k", stiffness, "[N/m], [N/m^3]"); });
  EXPECT_NE(of_quartic.find("N/m is no unit of this entry, whose unit is N/m^3"), std::string::npos) << of_quartic;
}

TEST(UnitValues, WrongOnesAreRefused)
{
  expect_refused("210 GPa", "thickness [m]", "GPa is no unit of this entry, whose unit is m");
  expect_refused("10 Hz", "[rad/s]", "Hz is no unit of this entry");
  expect_refused("5 m", "Poisson's ratio [-]", "m is a unit, and this number has none");
  expect_refused("210 GPA", "[Pa]", "must be a number. Units of numbers");
  expect_refused("5 m", "a factor", "must be a number");
  expect_refused("1 s", "alpha [1/s], beta [s]", "the numbers here have the units 1/s, s");
  expect_refused("210 GPa", "[Pa]", "numbers have no units with Units/System = none", "none");
  expect_refused("210 GPa", "[Pa]", "Units/System = molecular", "molecular");
  const std::string negative = message([] { value_of("-25 mm", "[m]", "SI", positive()); });
  EXPECT_NE(negative.find("[S] E = -25 mm: must be > 0"), std::string::npos) << negative;
  for (const char *no : {"", "Gpa", "m^", "m^x", "(m", "m/", "m)", "m^99", "5"})
    EXPECT_FALSE(unit_from(no)) << no;
}
}  // namespace symdyn::in_unit_values
