#include <gtest/gtest.h>

#include <cmath>

#include "solver/deck/deck.h"
#include "tests/inp_model.h"
#include "tests/input.h"

// Keywords of .inp files for laws that remember: what bodies do, what is printed, and what is refused.
namespace symdyn::tests::in_inp_flow
{
namespace
{
/// A cube of 1 m that is pulled by 6 N: the stress along x is 6 Pa.
std::string pulled(const std::string &laws, const std::string &steps)
{
  return rod(1, "*ELASTIC\n1000., 0.3\n" + laws) + "*BOUNDARY\nROOT, 1, 1\n1, 2, 3\n2, 3, 3\n" + steps;
}
std::string step(const std::string &procedure, const std::string &prints = "")
{
  return "*STEP\n" + procedure + "*CLOAD\nTIP, 1, 1.5\n*NODE PRINT, NSET=TIP\nU\n" + prints + "*END STEP\n";
}
double last_u(const std::string &tables)
{
  const auto rows = rows_below(tables.substr(tables.rfind("displacements")), "displacements");
  return rows.empty() ? NAN : rows.front().at(1);
}
const std::string visco = "*VISCO\n1., 3.\n";
}  // namespace

/// CalculiX' deck for creep alone has a *PLASTIC that yields at once: the rate A q^n is that of creep, and it is printed.
TEST(InpFlow, CreepBesideAYieldStressOfZero)
{
  const std::string law = "*PLASTIC\n0., 0.\n0., 10.\n*CREEP\n1e-3, 2., 0.\n";
  const std::string tables = tables_of(pulled(law, step(visco, "*EL PRINT, ELSET=BODY\nPEEQ, CEEQ, PE\n")));
  const double crept = 1e-3 * 36. * 3.;
  EXPECT_NEAR(last_u(tables), 6. / 1000. + crept, 1e-7);
  for (const char *title : {"equivalent plastic strain", "equivalent creep strain"})
  {
    const auto rows = rows_below(tables.substr(tables.rfind(title)), title);
    ASSERT_EQ(rows.size(), 8u) << title;
    EXPECT_NEAR(rows.back().at(2), crept, 1e-6);
  }
  const auto strains = rows_below(tables.substr(tables.rfind("plastic strains")), "plastic strains");
  ASSERT_EQ(strains.size(), 8u);
  EXPECT_NEAR(strains.front().at(2), crept, 1e-6);
  EXPECT_NEAR(strains.front().at(3), -0.5 * crept, 1e-6);
  EXPECT_NEAR(strains.front().at(5), 0., 1e-9);
}

/// Under a constant force above the yield stress 4 Pa a metal without hardening flows at the rate that the force needs.
TEST(InpFlow, RatesThatForcesNeed)
{
  const std::string perfect = "*PLASTIC\n4., 0.\n";
  EXPECT_NEAR(last_u(tables_of(pulled(perfect + "*RATE DEPENDENT, TYPE=POWER LAW\n0.01, 2.\n", step(visco)))),
              6. / 1000. + 3. * 0.01 * 0.25, 1e-8);
  const std::string tables =
      tables_of(pulled("*PLASTIC, HARDENING=JOHNSON COOK\n4., 1e-9, 1.\n*RATE DEPENDENT, TYPE=JOHNSON COOK\n0.5, 1e-3\n", step(visco)));
  EXPECT_NEAR(last_u(tables), 6. / 1000. + 3. * 1e-3 * std::exp(1.), 1e-7);
}

/// Moduli of the cards are those of the long term unless they say otherwise: half of the modulus relaxes.
TEST(InpFlow, PronySeries)
{
  const std::string prony = "*VISCOELASTIC, TIME=PRONY\n0.5, 0.5, 1.\n", steps = step("*STATIC\n1., 1.\n") + step("*VISCO\n1., 60.\n");
  const auto first_and_last = [&](const std::string &text) {
    const std::string tables = tables_of(text);
    const auto first = rows_below(tables, "displacements");
    return std::pair{first.empty() ? NAN : first.front().at(1), last_u(tables)};
  };
  const auto [stiff, soft] = first_and_last(pulled(prony, steps));
  EXPECT_NEAR(stiff, 0.003, 1e-8);
  EXPECT_NEAR(soft, 0.006, 1e-6);
  const std::string at_start = "*ELASTIC, MODULI=INSTANTANEOUS\n1000., 0.3\n";
  const std::string held = "*BOUNDARY\nROOT, 1, 1\n1, 2, 3\n2, 3, 3\n";
  const auto [stiffer, softer] = first_and_last(rod(1, at_start + prony) + held + steps);
  EXPECT_NEAR(stiffer, 0.006, 1e-8);
  EXPECT_NEAR(softer, 0.012, 2e-6);
}

/// What becomes of the constants, and what is refused with its line.
TEST(InpFlow, EntriesAndRefusals)
{
  const DeckFolder folder;
  const auto prm = [&](const std::string &text) { return Deck::read(folder.file("model.inp", text)).as_prm(); };
  const auto large = [](const std::string &law, const std::string &section, const std::string &more) {
    return rod(1, law, section) + more + "*BOUNDARY\nROOT, 1, 3\n*STEP, NLGEOM\n*STATIC\n1., 1.\n*CLOAD\nTIP, 1, 1.\n*END STEP\n";
  };
  const std::string prony = "*VISCOELASTIC, TIME=PRONY\n0.5, 0., 1.\n",
                    fibres = "*ANISOTROPIC HYPERELASTIC, HOLZAPFEL, LOCAL DIRECTIONS=2\n100., 1e-4, 50., 2., 0.1\n",
                    axes = "*ORIENTATION, NAME=O, LOCAL DIRECTIONS=2\n1., 0., 0., 0., 1., 0.\n3, 0.\n1., 1., 0.\n1., -1.\n";
  const std::string tissue = prm(large(fibres, ", ORIENTATION=O", axes)),
                    rubber = prm(large("*HYPERELASTIC, NEO HOOKE\n50., 1e-3\n" + prony, "", ""));
  for (const char *line :
       {"set Type = holzapfel", "set c10 = 100", "set D = 0.0001", "set Dispersion = 0.1", "set Fibres = 1, 1, 0, 1, -1, 0"})
    EXPECT_NE(tissue.find(line), std::string::npos) << line << " is not in:\n" << tissue;
  for (const char *line : {"set Type = viscoelastic", "set Elastic = neo-hooke-quadratic", "set mu = 200", "set kappa = 2000"})
    EXPECT_NE(rubber.find(line), std::string::npos) << line << " is not in:\n" << rubber;
  const auto refused = [&](const std::string &text, const std::string &part) {
    const std::string said = message([&] { prm(text); });
    EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
  };
  refused(large(fibres, "", ""), "needs the ORIENTATION");
  refused(large("*HYPERELASTIC, NEO HOOKE\n50., 1e-3\n*VISCOELASTIC, TIME=CREEP TEST DATA\n1., 1., 1.\n", "", ""), "TIME=PRONY alone");
  refused(pulled("*VISCOELASTIC, TIME=PRONY\n0.6, 0., 1.\n0.4, 0., 2.\n", step(visco)), "each is < 1");
  refused(pulled("*PLASTIC\n4., 0.\n" + prony, step(visco)), "beside *PLASTIC or *CREEP");
  refused(pulled("*PLASTIC\n4., 0.\n*RATE DEPENDENT, TYPE=YIELD RATIO\n1., 0.\n2., 1.\n", step(visco)), "POWER LAW and JOHNSON COOK");
  refused(pulled("*RATE DEPENDENT\n1., 2.\n", step(visco)), "belongs to a *PLASTIC");
  refused(pulled("*EXPANSION, TYPE=FOO\n1e-5\n", step(visco)), "the types are ISO and ORTHO");
}
}  // namespace symdyn::tests::in_inp_flow
