// Temperatures of .inp files: entries of the deck, and what is refused.
#include <gtest/gtest.h>

#include "solver/deck/deck.h"
#include "tests/inp_model.h"
#include "tests/input.h"

namespace symdyn::tests::in_inp_temperature
{
namespace
{
const std::string steel = "*ELASTIC\n2.1e5, 0.3, 20.\n", expands = "*EXPANSION, ZERO=20.\n1.2e-5\n", hold = "*BOUNDARY\nROOT, 1, 3\n";

class InpTemperature : public ::testing::Test
{
protected:
  std::string prm(const std::string &text) const { return Deck::read(folder.file("model.inp", text)).as_prm(); }
  void expect_lines(const std::string &text, const std::vector<std::string> &lines) const
  {
    const std::string deck = prm(text);
    for (const std::string &line : lines)
      EXPECT_NE(deck.find(line), std::string::npos) << line << " is not in:\n" << deck;
  }
  void expect_refused(const std::string &text, const std::string &part) const
  {
    const std::string said = message([&] { prm(text); });
    EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
  }
  DeckFolder folder;
};

std::string heated(const std::string &elastic, const std::string &expansion, const std::string &step, const std::string &section = "")
{
  return rod(2, elastic + expansion, section) + hold + "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n" + step;
}
std::string step(const std::string &procedure, const std::string &inside) { return "*STEP\n" + procedure + "\n" + inside + "*END STEP\n"; }
const std::string hot = "*TEMPERATURE\nTIP, 100.\nROOT, 60.\n5, 70.\n6, 80.\n";
}  // namespace

TEST_F(InpTemperature, SetsNodesAndTables)
{
  expect_lines(heated(steel, expands, step("*STATIC", hot)),
               {"set Initial = 20", "set Expansion = 1.2e-05", "set Reference temperature = 20", "set Nodes = TIP", "set Value = 100",
                "set Nodes = 5, 6", "set Value = 70, 80"});
  expect_lines(heated("*ELASTIC\n2.1e5, 0.3, 0.\n1e5, 0.25, 500.\n", "*EXPANSION\n1e-5, 0.\n2e-5, 500.\n", step("*STATIC", hot)),
               {"set Temperature = 0", "subsection At temperatures", "subsection 500", "set nu = 0.25",
                "set Expansion table = 0 1e-05, 500 2e-05", "set Extrapolate = constant"});
}

/// An amplitude that a step follows is the function of time alone; of a *STATIC step its end is a factor.
TEST_F(InpTemperature, AmplitudesCountOnce)
{
  const std::string table = "*AMPLITUDE, NAME=A\n0., 0., 1., 1., 2., 0.5\n", warm = "*TEMPERATURE, AMPLITUDE=A\nTIP, 100.\n";
  expect_lines(heated(steel, expands, table + step("*VISCO\n0.1, 2.", warm)), {"set Value = 100", "set Amplitude points = 0"});
  expect_lines(heated(steel, expands, table + step("*STATIC\n1., 2.", warm)), {"set Value = 50"});
  const std::string pull = rod(2, steel) + hold + table;
  expect_lines(pull + step("*VISCO\n0.1, 2.", "*CLOAD, AMPLITUDE=A\nTIP, 1, 8.\n"), {"set Force = 8, 0, 0"});
}

/// Constants at all temperatures of *ELASTIC and *PLASTIC together, each table linear between its own.
TEST_F(InpTemperature, PlasticOverTheTemperature)
{
  const std::string elastic = "*ELASTIC\n2e5, 0.3, 0.\n1e5, 0.3, 400.\n",
                    plastic = "*PLASTIC\n300., 0., 100.\n400., 0.1, 100.\n200., 0., 400.\n220., 0.2, 400.\n";
  expect_lines(heated(elastic + plastic, expands, step("*STATIC", hot)),
               {"set Temperature = 0", "set E = 200000", "set Hardening table = 0 300, 0.1 400, 0.2 400", "subsection 100",
                "set E = 175000", "subsection 400", "set E = 100000", "set Hardening table = 0 200, 0.1 210, 0.2 220",
                "set Kinematics = small", "set Extrapolate = constant"});
  expect_lines(heated(steel + "*PLASTIC\n300., 0., 100.\n200., 0., 400.\n", expands, step("*STATIC", hot)),
               {"set Temperature = 100", "set Yield stress = 300", "subsection 400", "set Yield stress = 200", "set E = 210000"});
  expect_lines(heated(elastic + "*PLASTIC, HARDENING=KINEMATIC\n300., 0.\n400., 0.1\n", expands, step("*STATIC", hot)),
               {"subsection 400", "set Backstress moduli = 1000"});
  expect_refused(heated(steel + "*PLASTIC\n300., 0., 100.\n200., 0., 50.\n", expands, step("*STATIC", hot)),
                 "temperatures ascend from curve to curve");
  expect_refused(
      heated(steel + "*PLASTIC, HARDENING=KINEMATIC\n300., 0., 0.\n400., 0.1, 0.\n200., 0., 50.\n", expands, step("*STATIC", hot)),
      "kinematic hardening needs two points at each temperature");
  expect_lines(heated(steel + "*PLASTIC, HARDENING=KINEMATIC\n300., 0., 0.\n400., 0.1, 0.\n200., 0., 50.\n210., 0.1, 50.\n", expands,
                      step("*STATIC", hot)),
               {"set Temperature = 0", "set Yield stress = 300", "set Backstress moduli = 1000", "subsection 50", "set Yield stress = 200",
                "set Backstress moduli = 100"});
  expect_lines(
      heated(steel + "*PLASTIC, HARDENING=COMBINED\n300., 0.\n400., 0.1\n*CYCLIC HARDENING\n300., 0., 0.\n250., 0., 50.\n", expands,
             step("*STATIC", hot)),
      {"set Temperature = 0", "set Yield stress = 300", "subsection 50", "set Yield stress = 250", "set Backstress moduli = 1000"});
}

/// sigma_y, C and gamma of backstresses, and sigma_y, Q and b.
TEST_F(InpTemperature, ParametersOfBackstresses)
{
  const std::string kind = "*PLASTIC, HARDENING=COMBINED, DATA TYPE=PARAMETERS", still = step("*STATIC", "");
  expect_lines(heated(steel + kind + "\n300., 20000., 100.\n", expands, still),
               {"set Type = plastic", "set Yield stress = 300", "set Backstress moduli = 20000", "set Backstress recovery = 100"});
  expect_lines(heated(steel + kind + ", NUMBER BACKSTRESSES=2\n300., 20000., 100., 500., 0., 0.\n200., 10000., 50., 100., 0., 400.\n" +
                          "*CYCLIC HARDENING, PARAMETERS\n310., 40., 8.\n",
                      expands, step("*STATIC", hot)),
               {"set Temperature = 0", "set Backstress moduli = 20000, 500", "set Backstress recovery = 100, 0", "set Yield stress = 310",
                "set Saturation stress = 40", "set Saturation rate = 8", "subsection 400", "set Backstress moduli = 10000, 100"});
  expect_refused(heated(steel + kind + ", NUMBER BACKSTRESSES=4\n300.\n", expands, still), "1 to 3 are read");
  expect_refused(heated(steel + kind + "\n300., 20000.\n", expands, still), "gamma1");
  expect_refused(heated(steel + "*PLASTIC, HARDENING=COMBINED, DATA TYPE=STABILIZED\n300., 0.\n", expands, still), "there is PARAMETERS");
  expect_refused(heated(steel + "*PLASTIC, NUMBER BACKSTRESSES=2\n300., 0.\n", expands, still), "belongs to DATA TYPE=PARAMETERS");
}

TEST_F(InpTemperature, CreepOverTheTemperature)
{
  const std::string elastic = "*ELASTIC\n2e5, 0.3, 0.\n1e5, 0.3, 400.\n", visco = step("*VISCO\n0.1, 1.", hot);
  expect_lines(heated(elastic + "*CREEP\n1e-20, 5., 0.\n", expands, visco),
               {"set Type = creep", "set Temperature = 0", "set Creep coefficient = 1e-20", "subsection 400", "set E = 100000",
                "set Creep exponent = 5"});
  expect_lines(heated(elastic + "*CREEP, LAW=STRAIN\n1e-20, 5., -0.5, 0.\n3e-20, 4., -0.5, 200.\n", expands, visco),
               {"set Temperature = 0", "subsection 200", "set E = 150000", "set Creep coefficient = 3e-20", "set Creep exponent = 4",
                "subsection 400", "set Time exponent = -0.5", "set Hardens by = strain"});
  expect_lines(heated(elastic + "*CREEP\n1e-20, 5., 0., 0.\n3e-20, 4., 0., 200.\n*PLASTIC\n300., 0., 0.\n200., 0., 400.\n", expands, visco),
               {"set Type = creep", "set Temperature = 0", "set Yield stress = 300", "subsection 200", "set Yield stress = 250",
                "set Creep coefficient = 3e-20", "subsection 400", "set Yield stress = 200"});
  const auto beside =
      Deck::read(folder.file("model.inp", heated(steel + "*CREEP\n1e-20, 5., 0.\n*PLASTIC\n300.\n", expands, visco))).warnings();
  EXPECT_TRUE(std::any_of(beside.begin(), beside.end(), [](const std::string &one) {
    return one.find("*CREEP: stands beside *PLASTIC: the material creeps at any stress") != std::string::npos;
  }));
  expect_refused(heated(elastic + "*CREEP, LAW=TIME\n1e-20, 5., 0., 0.\n3e-20, 4., -0.5, 200.\n", expands, visco),
                 "the exponent of time is the same at all temperatures");
  expect_refused(heated(elastic + "*CREEP\n1e-20, 5., 0., 20.\n3e-20, 4., 0., 10.\n", expands, visco),
                 "temperatures ascend from line to line");
}

TEST_F(InpTemperature, BarsOverTheTemperature)
{
  const auto bars = [](const std::string &elastic, const std::string &options) {
    return "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 2, 0, 0\n*ELEMENT, TYPE=T3D2, ELSET=A\n1, 1, 2\n*MATERIAL, NAME=M\n*ELASTIC\n" + elastic +
           "*EXPANSION, ZERO=0.\n1e-5\n*SOLID SECTION, ELSET=A, MATERIAL=M\n3.\n*BOUNDARY\nALL, 1, 3\n*STEP" + options +
           "\n*STATIC\n1., 1.\n*TEMPERATURE\nALL, 300.\n*END STEP\n";
  };
  const std::string table = "2e5, 0.3, 0.\n1e5, 0.3, 400.\n";
  expect_lines(bars(table, ""), {"set Stiffness table = 0 300000, 400 150000", "set Extrapolate = constant", "set Expansion = 1e-05"});
  expect_lines(bars(table, ", NLGEOM"), {"set EA table = 0 600000, 400 300000", "set Extrapolate = constant"});
  expect_lines(bars("2e5, 0.3, 0.\n", ", NLGEOM"), {"set EA = 600000"});
  expect_refused(bars("2e5, 0.3, 100.\n1e5, 0.3, 0.\n", ""), "temperatures of *ELASTIC ascend from line to line");
}

TEST_F(InpTemperature, OneStepIsHeated)
{
  const std::string still = step("*STATIC", "*CLOAD\nTIP, 1, 1.\n"), motion = step("*DYNAMIC\n0.1, 1.", "");
  expect_lines(heated(steel, expands, still + step("*STATIC", hot) + still), {"set Heating = no"});
  expect_refused(heated(steel, expands, step("*STATIC", hot) + step("*STATIC", hot)), "a second step with temperatures");
  expect_refused(heated(steel, expands, motion + step("*STATIC", hot)), "Heat the body in the first step");
  expect_refused(heated(steel, expands, still + step("*DYNAMIC\n0.1, 1.", hot)), "Heat the body in the first step");
  expect_refused(heated(steel, expands, step("*FREQUENCY\n3", hot)), "bodies are heated in steps *STATIC, *VISCO and *DYNAMIC");
  expect_refused(heated(steel, "*EXPANSION, TYPE=ANISO\n1e-5\n", step("*STATIC", hot)), "the types are ISO and ORTHO");
}
}  // namespace symdyn::tests::in_inp_temperature
