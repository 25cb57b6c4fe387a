// What PrePoMax and FreeCAD write beside the model: units, checks without an analysis, sections.
#include "solver/deck/deck.h"
#include "tests/input.h"

namespace symdyn::in_inp_front_ends
{
namespace
{
const std::string
    model =
        "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n"
        "*ELEMENT, TYPE=C3D8, ELSET=CUBE\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*SURFACE, NAME=Top\n1, S2\n*SURFACE, NAME=Corners, TYPE=NODE\n5\n"
        "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.\n*DENSITY\n2.\n*SOLID SECTION, ELSET=CUBE, MATERIAL=M\n*BOUNDARY\n1, 1, 3\n2, 1, 3\n3, 1, 3\n",
    push = "*CLOAD\n5, 3, 1.\n", statics = "*STEP\n*STATIC\n" + push + "*END STEP\n";

class InpFrontEnds : public ::testing::Test
{
protected:
  Deck read(const std::string &text) const { return Deck::read(folder.file("model.inp", text)); }
  /// The unit system of a file, and all warnings.
  std::string units(const std::string &text) const
  {
    const std::string deck = read(text).as_prm(), start = "set System = ";
    const auto at = deck.find(start) + start.size();
    return deck.substr(at, deck.find('\n', at) - at);
  }
  std::string warnings(const std::string &text) const
  {
    std::string all;
    const Deck deck = read(text);
    for (const std::string &one : deck.warnings())
      all += one + "\n";
    return all;
  }
  void expect_refused(const std::string &text, const std::string &part) const
  {
    const std::string said = message([&] { read(text); });
    EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
  }
  DeckFolder folder;
};

std::string of_prepomax(const std::string &system)
{
  return "*Heading\nHash: xf2VM4mZ, Date: 05/19/2026, Unit system: " + system + "\n" + model + statics;
}
std::string of_freecad(const std::string &length, const std::string &mass)
{
  return model + statics + "**  About units:\n**  Length: " + length + " (this includes the mesh geometry)\n**  Mass: " + mass +
         "\n**  TimeSpan: s\n**  Temperature: K\n";
}
}  // namespace

TEST_F(InpFrontEnds, UnitsOfPrePoMax)
{
  EXPECT_EQ(units(of_prepomax("MM_TON_S_C")), "mm-t-s");
  EXPECT_EQ(units(of_prepomax("M_KG_S_C")), "SI");
  EXPECT_EQ(units(of_prepomax("UNIT_LESS")), "none");
  EXPECT_EQ(warnings(of_prepomax("UNIT_LESS")), "");
  EXPECT_EQ(units(of_prepomax("IN_LB_S_F")), "none");
  const std::string said = warnings(of_prepomax("IN_LB_S_F"));
  EXPECT_NE(said.find("model.inp:2: Unit system: IN_LB_S_F: results have no labels for these units"), std::string::npos) << said;
  EXPECT_EQ(units("*HEADING\nUnits of this file are those of the workshop\n" + model + statics), "none");
  EXPECT_EQ(warnings("*HEADING\nUnits of this file are those of the workshop\n" + model + statics), "");
}

TEST_F(InpFrontEnds, UnitsOfFreeCad)
{
  EXPECT_EQ(units(of_freecad("mm", "t")), "mm-t-s");
  EXPECT_EQ(warnings(of_freecad("mm", "t")), "");
  EXPECT_EQ(units(of_freecad("m", "kg")), "SI");
  EXPECT_EQ(units(of_freecad("mm", "kg")), "none");
  EXPECT_NE(warnings(of_freecad("mm", "kg")).find("mm, kg, s: results have no labels"), std::string::npos);
  EXPECT_EQ(units(model + statics + "** Length: mm\n"), "none") << "a length alone is no unit system";
  const std::string both = "*HEADING\nUnit system: M_KG_S_C\n" + of_freecad("mm", "t");
  EXPECT_EQ(units(both), "none");
  EXPECT_NE(warnings(both).find("the units are others than those of line"), std::string::npos) << warnings(both);
}

TEST_F(InpFrontEnds, NoAnalysisIsACheck)
{
  const std::string check = "*STEP\n*NO ANALYSIS\n" + push + "*END STEP\n";
  const std::string deck = read(model + check + check).as_prm();
  EXPECT_EQ(deck.find("set Check only = yes"), deck.rfind("set Check only = yes"));
  EXPECT_NE(deck.find("set Check only = yes"), std::string::npos) << deck;
  EXPECT_EQ(read(model + statics).as_prm().find("Check only"), std::string::npos);
  expect_refused(model + check + statics, "model.inp:27: *NO ANALYSIS: another step has *STATIC");
  expect_refused(model + "*STEP\n*NO ANALYSIS\n*CLOAD\n5, 7, 1.\n*END STEP\n", "model.inp:29");
  expect_refused(model + "*STEP\n*NO ANALYSIS, SOLVER=SPOOLES\n*END STEP\n", "SOLVER");
  expect_refused(model + "*STEP\n*NO ANALYSIS\n1.\n*END STEP\n", "no lines of data");
}

TEST_F(InpFrontEnds, SectionPrint)
{
  const auto step = [](const std::string &print, const std::string &procedure = "*STATIC") {
    return model + "*STEP\n" + procedure + "\n" + (procedure == "*STATIC" ? push : "2\n") + print + "*END STEP\n";
  };
  const std::string deck = read(step("*SECTION PRINT, SURFACE=top, NAME=a\nSOF\n*SECTION PRINT, SURFACE=TOP, NAME=b\nSOM\n")).as_prm();
  EXPECT_NE(deck.find("subsection step-1 Top\n    set Stage = step-1\n    set Surface = Top\n    set Quantities = SOF, SOM, SOAREA\n"),
            std::string::npos)
      << deck;
  EXPECT_NE(deck.find("set File = model.dat"), std::string::npos);
  const auto expect_warned = [&](const std::string &text, const std::string &part) {
    EXPECT_NE(warnings(text).find(part), std::string::npos) << part << " is not in: " << warnings(text);
  };
  EXPECT_EQ(warnings(step("*SECTION PRINT, SURFACE=TOP, NAME=a\nSOF\n")), "");
  expect_warned(step("*SECTION PRINT, SURFACE=TOP, NAME=a\nSOF, DRAG\n"),
                "*SECTION PRINT DRAG: this quantity is not written; there are SOF");
  expect_warned(step("*SECTION PRINT, SURFACE=TOP, NAME=a\n"), "names no quantity");
  expect_warned(step("*SECTION PRINT, SURFACE=TOP, NAME=a, AXES=LOCAL\nSOF\n"), "AXES=LOCAL");
  expect_warned(step("*SECTION PRINT, SURFACE=TOP, NAME=a\nSOF\n", "*FREQUENCY"), "is left out of step-1: of *FREQUENCY");
  expect_refused(step("*SECTION PRINT, SURFACE=Tip, NAME=a\nSOF\n"),
                 "model.inp:30: *SECTION PRINT, SURFACE=Tip: there is no *SURFACE of element faces of this name; there are: Top");
  expect_refused(step("*SECTION PRINT, SURFACE=Corners, NAME=a\nSOF\n"), "SURFACE=Corners: there is no *SURFACE of element faces");
  expect_refused(step("*SECTION PRINT, NAME=a\nSOF\n"), "needs the option SURFACE");
}
}  // namespace symdyn::in_inp_front_ends
