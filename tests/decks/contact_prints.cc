// *CONTACT PRINT: tables of contacts, against CalculiX 2.20.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "tests/inp_column.h"
#include "tests/press.h"

namespace symdyn::tests::in_contact_prints
{
using namespace of_column;
namespace
{
const std::string interaction = "*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=",
                  linear = interaction + "LINEAR\n1e5\n", rubs = "*FRICTION\n0.3, 1e4\n",
                  faces = "*CONTACT PAIR, INTERACTION=SI, TYPE=SURFACE TO SURFACE\nslave, master\n",
                  nodes = "*CONTACT PAIR, INTERACTION=SI, TYPE=NODE TO SURFACE\nslave, master\n",
                  forces = "*CONTACT PRINT, MASTER=master, SLAVE=slave\nCF, CFN, CFS\n";

std::string replaced(std::string text, const std::string &old, const std::string &other)
{
  EXPECT_NE(text.find(old), std::string::npos) << old;
  return text.replace(text.find(old), old.size(), other);
}

/// Pressed askew: another pressure on each of the upper cells.
std::string askew(const std::string &of_contact, const std::string &pair, const std::string &prints)
{
  std::string text = replaced(column(of_contact, pair), "upper, P2, 4.\n", "2, P2, 4.\n3, P2, 8.\n4, P2, 1.\n5, P2, 6.\n" + prints);
  return replaced(text, "*STEP\n", "*STEP, NLGEOM\n");
}

/// Pressed by 4 Pa and dragged along x in increments of 0.05.
std::string dragged(const double way, const std::string &of_contact, const std::string &prints)
{
  std::string text = replaced(column(of_contact, faces), "upper, P2, 4.\n", "upper, P2, 4.\n" + prints);
  text = replaced(replaced(text, "sides, 1, 2\n", ""), "top, 1, 2\n", "top, 2\n");
  return replaced(replaced(text, "*STEP\n", "*STEP, NLGEOM\n"), "*STATIC\n0.5, 1.\n",
                  fmt::format("*STATIC, DIRECT\n0.05, 1.\n*BOUNDARY\ntop, 1, 1, {}\n", way));
}

using Rows = std::vector<std::vector<double>>;

/// The rows behind the last heading that begins with `title`.
Rows rows_of(const std::string &table, const std::string &title)
{
  const std::size_t at = table.rfind("\n " + title);
  EXPECT_NE(at, std::string::npos) << title << "\n" << table;
  std::istringstream lines(at == std::string::npos ? "" : table.substr(at + 1));
  Rows rows;
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line) && (line.empty() || std::isdigit(line.back()));)
  {
    std::istringstream words(line);
    std::vector<double> row;
    for (double value; words >> value;)
      row.push_back(value);
    if (row.empty() && !line.empty())
      break;
    if (!row.empty())
      rows.push_back(row);
  }
  return rows;
}

/// Force, moment, centre, normal, moment about the centre, area, normal and shear force: of the number-th from the end.
std::vector<double> statistics(const std::string &table, const int from_end)
{
  std::size_t at = std::string::npos;
  for (int i = 0; i <= from_end; ++i)
    at = table.rfind(" statistics for slave set slave, master set master and time ", at == std::string::npos ? at : at - 1);
  EXPECT_NE(at, std::string::npos) << table;
  if (at == std::string::npos)
    return std::vector<double>(18, NAN);
  std::istringstream lines(table.substr(at));
  std::vector<double> values;
  for (std::string line; values.size() < 18 && std::getline(lines, line);)
    if (!line.empty() && std::isdigit(line.back()) && line.find("set") == std::string::npos)
    {
      std::istringstream words(line);
      for (double value; words >> value;)
        values.push_back(value);
    }
  values.resize(18, NAN);
  return values;
}

/// To `within` of `scale`.
void expect_near(const std::vector<double> &values, const std::vector<double> &calculix, const double scale, const double within = 1e-3)
{
  ASSERT_EQ(values.size(), calculix.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], calculix[i], within * scale) << i;
}

std::string table_of(const Folder &folder, const std::string &text, const int ranks = 1)
{
  const Outcome run = run_column(folder, text, ranks);
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  return text_of(folder / "results/column.dat");
}
}  // namespace

/// Pressed by 4 Pa, all points are alike: gap -4e-5 m, energy 8e-5 J, and forces have a closed form. Lines are those of CalculiX to the
/// last blank.
TEST(ContactPrints, HaveTheFormAndTheNumbersOfAUniformPress)
{
  const Folder folder;
  const std::string card = "*CONTACT PRINT, MASTER=master, SLAVE=slave, TOTALS=YES\nCDISP, CSTRESS, CELS, CNUM, CF\n",
                    table = table_of(folder, replaced(column(linear), "upper, P2, 4.\n", "upper, P2, 4.\n" + card));
  for (
      const char *line :
      {"\n relative contact displacement (slave element+face,normal,tang1,tang2) for all contact elements and time 0.1000000E+01\n\n"
       "         2          1 -4.000000E-05  ",
       "\n contact stress (slave element+face,press,tang1,tang2) for all contact elements and time 0.1000000E+01\n\n         2          1  "
       "4.000000E+00  ",
       "\n contact print energy (slave element+face,energy)for all contact elements and time 0.1000000E+01\n\n         2          1  ",
       "\n total contact spring energy for time  0.1000000E+01\n\n        8.000000E-05\n",
       "\n total number of contact elements for time  0.1000000E+01\n\n",
       "\n\n statistics for slave set slave, master set master and time  0.1000000E+01\n\n   total surface force (fx,fy,fz) and moment about "
       "the origin (mx,my,mz)\n\n   ",
       "\n   center of gravity and mean normal\n\n   ", "\n   moment about the center of gravity(mx,my,mz)\n\n   ",
       "\n   area,  normal force (+ = tension) and shear force (size)\n\n    1.000000E+00 -4.000000E+00  "})
    EXPECT_NE(table.find(line), std::string::npos) << line << table;
  const double z = 1. - 4e-3 - 4e-5;
  expect_near(statistics(table, 0), {0., 0., 4., 2., -2., 0., 0.5, 0.5, z, 0., 0., -1., 0., 0., 0., 1., -4., 0.}, 1., 2e-6);
  const Rows gaps = rows_of(table, "relative contact displacement"), energies = rows_of(table, "contact print energy");
  ASSERT_EQ(gaps.size(), energies.size());
  EXPECT_EQ(gaps.size(), rows_of(table, "total number of contact elements").at(0).at(0));
  double energy = 0;
  std::set<double> elements;
  for (std::size_t i = 0; i < gaps.size(); ++i)
  {
    energy += energies[i][2];
    elements.insert(gaps[i][0]);
    EXPECT_EQ(gaps[i][1], 1.) << "S1";
  }
  EXPECT_EQ(elements, (std::set<double>{2., 3., 4., 5.}));
  EXPECT_NEAR(energy, 8e-5, 1e-10);
}

/// Another pressure on each cell: resultants of CalculiX, at other points. Of cells alone: the pressure that their points bear.
TEST(ContactPrints, TotalsOfAnAskewPressAreThoseOfCalculix)
{
  const Folder folder;
  const std::string table = table_of(folder, askew(linear, faces, forces + "*CONTACT PRINT, TOTALS=ONLY\nCELS, CDIS, CSTR\n"));
  EXPECT_EQ(table.find("contact stress"), std::string::npos) << "TOTALS=ONLY; the last card of a step counts beside the first";
  expect_near(statistics(table, 2),
              {-2.771094e-06, 1.456930e-06, 4.75, 2.375151, -2.374711, 2.114286e-06, 0.5, 0.5, 0.9951682, 5.826386e-07, -3.05294e-07, -1.,
               1.526653e-04, 2.908393e-04, 0., 1., -4.75, 0.},
              1., 2e-5);
  expect_near(statistics(table, 0), {0., 0., 0., 0., 0., 0., 0.5, 0.5, 0.9951682, 0., 0., -1., 0., 0., 0., 1., 0., 0.}, 1., 2e-5);
  EXPECT_NEAR(rows_of(table, "total contact spring energy").at(0).at(0), 1.128142e-04, 1e-3 * 1.128142e-04);
}

/// Rows of nodes, which both programs have at the same places.
TEST(ContactPrints, RowsOfNodesAreThoseOfCalculix)
{
  const Folder folder;
  const std::string law = replaced(linear, "1e5", "1e5, 0.5");
  const std::string table = table_of(folder, askew(law, nodes, "*CONTACT PRINT\nCDIS, CSTR, CNUM\n"));
  EXPECT_NE(table.find("\n contact stress (slave node,press,tang1,tang2) for all contact elements and time 0.1000000E+01\n\n         9  "),
            std::string::npos)
      << table;
  const Rows gaps = rows_of(table, "relative contact displacement"), stresses = rows_of(table, "contact stress");
  const std::vector<double> gap{-5.211632, -5.235196, -5.258324, -5.236877, -5.235953, -5.234446, -5.261843, -5.236525, -5.210461},
      pressure{4.725997, 4.749439, 4.772448, 4.751111, 4.750192, 4.748693, 4.775949, 4.750761, 4.724832};
  ASSERT_EQ(gaps.size(), gap.size());
  ASSERT_EQ(stresses.size(), gap.size());
  for (std::size_t i = 0; i < gap.size(); ++i)
  {
    EXPECT_EQ(gaps[i][0], 9. + double(i));
    EXPECT_NEAR(gaps[i][1], 1e-5 * gap[i], 1e-8) << i;
    EXPECT_NEAR(stresses[i][1], pressure[i], 1e-3) << i;
  }
  EXPECT_EQ(rows_of(table, "total number of contact elements").at(0).at(0), 9.);
  const Folder two;
  EXPECT_EQ(table_of(two, askew(law, nodes, "*CONTACT PRINT, NSET=top\nCDIS, CNUM\n")).find("relative contact"), std::string::npos);
}

/// Sticking, and sliding with a part that has lifted off: forces of CalculiX 2.20 to 1e-3 of the normal one.
TEST(ContactPrints, FrictionIsThatOfCalculix)
{
  const Folder sticks, slides;
  const std::string small = table_of(sticks, dragged(5e-4, linear + rubs, forces + "*CONTACT PRINT\nCDIS, CSTR\n"));
  expect_near(statistics(small, 2),
              {-1.948077e-02, 0., 4.000002, 2.000001, -2.040805, 9.740386e-03, 0.5001653, 0.5, 0.9959357, -2.343727e-04, 0., -1., 0.,
               -2.074132e-02, 0., 1., -3.999998, 2.041826e-02},
              4.);
  expect_near(statistics(small, 0),
              {-2.041826e-02, 0., 0., 0., -2.033767e-02, 1.020913e-02, 0.5001653, 0.5, 0.9959357, -2.343727e-04, 0., -1., 0., 0., 0., 1.,
               0., 2.041826e-02},
              0.02, 0.02);
  for (const std::vector<double> &row : rows_of(small, "relative contact displacement"))
    EXPECT_NEAR(row[3], 2.0433e-06, 0.02 * 2.0433e-06) << "along x";
  for (const std::vector<double> &row : rows_of(small, "contact stress"))
    EXPECT_NEAR(row[3], 2.0433e-02, 0.02 * 2.0433e-02);
  const std::string large = table_of(slides, dragged(0.02, linear + rubs, forces));
  std::vector<double> all = statistics(large, 2);  // a part has lifted off: the centre depends on the points at its edge
  const double area = all[15], shear = all[17];
  all.resize(6);
  expect_near(all, {-7.706131e-01, 0., 4.002734, 2.001367, -3.617013, 3.853065e-01}, 4.);
  EXPECT_NEAR(area, 8.920833e-01, 3e-3);
  EXPECT_NEAR(shear, 8.077301e-01, 1e-3 * 4.);
}

/// The layer of TIED bears tension and shear.
TEST(ContactPrints, TiedLayersHaveTheForcesOfCalculix)
{
  const Folder folder;
  const std::string table = table_of(folder, dragged(0.002, interaction + "TIED\n1e5\n" + rubs, forces + "*CONTACT PRINT\nCSTR\n"));
  const std::vector<double> all = statistics(table, 2), shear = statistics(table, 0);
  EXPECT_NEAR(std::hypot(all[0], all[2]), std::hypot(-7.792635e-02, 4.000042), 1e-3 * 4.);
  EXPECT_NEAR(all[17], 8.155465e-02, 5e-3 * 4.);
  EXPECT_NEAR(shear[17], 8.155465e-02, 1e-3 * 4.) << "of the undeformed normal here";
  EXPECT_EQ(rows_of(table, "contact stress").front()[0], 2.);
}

TEST(ContactPrints, FrequencyAndTheStepsOfTheFileCount)
{
  const auto count = [](const std::string &text, const std::string &words) {
    int found = 0;
    for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
      ++found;
    return found;
  };
  const std::string step = "*STEP\n*STATIC, DIRECT\n0.25, 1.\n*CONTACT PRINT, FREQUENCY=";
  for (const auto &[frequency, tables] : {std::pair{"3", 2}, {"1", 4}, {"0", 0}})
  {
    const Folder folder;
    const std::string text = replaced(column(linear), "*STEP\n*STATIC\n0.5, 1.\n", step + frequency + "\nCNUM\n");
    EXPECT_EQ(count(table_of(folder, text), "total number of contact elements"), tables) << frequency;
  }
}

TEST(ContactPrints, RanksAgree)
{
  const Folder one, two;
  const std::string text = dragged(5e-4, linear + rubs, forces + "*CONTACT PRINT, TOTALS=YES\nCDIS, CSTR, CELS\n");
  const std::string alone = table_of(one, text), shared = table_of(two, text, 2);
  expect_near(statistics(shared, 2), statistics(alone, 2), 1., 1e-6);
  // Where faces end at one line rounding decides into how many triangles what they cover is cut: rows are others, their sums are not.
  const auto summed = [](const std::string &table) {
    std::vector<double> sums(2, 0.);
    for (const std::vector<double> &row : rows_of(table, "contact print energy"))
      sums[0] += row[2];
    for (const std::vector<double> &row : rows_of(table, "contact stress"))
      sums[1] = std::max(sums[1], row[2]);
    return sums;
  };
  const std::vector<double> mine = summed(alone), theirs = summed(shared);
  ASSERT_GT(mine[0], 0.);
  EXPECT_NEAR(theirs[0], mine[0], 1e-6 * mine[0]);
  EXPECT_NEAR(theirs[1], mine[1], 1e-3 * mine[1]) << "the largest pressure of a point";
}

TEST(ContactPrints, RefuseWhatTheyDoNotHave)
{
  const auto with = [](const std::string &card) { return replaced(column(linear), "upper, P2, 4.\n", "upper, P2, 4.\n" + card); };
  expect_column_refused(with("*CONTACT PRINT, MASTER=slave, SLAVE=master\nCF\n"), "there is no *CONTACT PAIR of these surfaces");
  expect_column_refused(with("*CONTACT PRINT, NSET=sidse\nCDIS\n"), "there is no set of this name; there are: sides");
  const Folder folder;
  const Outcome run = run_column(folder, with("*CONTACT PRINT\nCDIS, PCON\n*CONTACT FILE\nCDIS, PCON\n"));
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(has(run.terminal, "*CONTACT PRINT PCON: this quantity is not written; there are CDIS"), "") << run.terminal;
  EXPECT_EQ(has(run.terminal, "*CONTACT FILE PCON: is not in the frames"), "") << run.terminal;
  EXPECT_FALSE(text_of(folder / "results/contact.pvd").empty()) << "*CONTACT FILE alone asks for frames";
}

TEST(ContactPrints, OfADeckAreChecked)
{
  using namespace of_press;
  const Press press(fmt::format("set Law = linear\nset Stiffness = {}", k));
  const auto refused = [&](const std::string &words, const std::string &table, const std::string &pairing = "segments") {
    std::string deck = press.deck + section("Tables", "set File = press.dat\n" + section("of", table));
    if (pairing == "points")
      deck = replaced(replaced(deck, "set Pairing = segments", "set Pairing = points"), "set Law = linear", "set Law = barrier");
    const Outcome run = run_text(press.folder, deck);
    EXPECT_EQ(run.exit_code, 1) << table;
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused("there is no contact 'tuch'; there are: touch, or all", "set Contacts = tuch\nset Quantities = CF");
  refused("'CX' is not known; there are: C", "set Contacts = touch\nset Quantities = CX");
  refused("give one of Nodes, Elements, Surface and Contacts", "set Contacts = touch\nset Elements = a\nset Quantities = CF");
  refused("is for tables of Nodes, and this one is of Contacts", "set Contacts = touch\nset Quantities = CF\nset Points = a");
  refused("the points of 'first-x+' have no numbers", "set Contacts = touch\nset Quantities = CDIS");
  refused("tables are of contacts by segments or by nodes", "set Contacts = touch\nset Quantities = CF", "points");
  refused("give one of Nodes, Elements, Surface and Contacts", "set Quantities = CF");
  const Outcome run =
      run_text(press.folder,
               press.deck + section("Tables", "set File = press.dat\n" + section("of", "set Contacts = all\nset Quantities = CF, CNUM")));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_NE(text_of(press.folder / "results/press.dat").find(" statistics for slave set first-x+, master set second-x- and time"),
            std::string::npos);
}
}  // namespace symdyn::tests::in_contact_prints
