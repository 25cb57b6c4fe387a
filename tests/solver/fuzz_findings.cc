// What fuzzing has found, one short deck each: an error, and at once.
#include <chrono>

#include "solver/base/memory_usage.h"
#include "solver/deck/deck.h"
#include "solver/run/run.h"
#include "tests/input.h"

namespace symdyn::in_fuzz_findings
{
namespace
{
const std::string
    nodes =
        "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., 1.\n",
    model = nodes +
            "*ELEMENT, TYPE=C3D8, ELSET=CUBE\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*MATERIAL, NAME=Steel\n*ELASTIC\n210000., .3\n*DENSITY\n2.\n"
            "*SOLID SECTION, ELSET=CUBE, MATERIAL=STEEL\n*BOUNDARY\n1, 1, 3\n2, 2, 3\n4, 3\n",
    body =
        "subsection Materials\nsubsection body\nset Type = st-venant-kirchhoff\nset E = 1000\nset nu = 0.3\nset Density = 1000\nend\nend\n"
        "subsection Time\nset Time step = 0.01\nset End time = 0.1\nend\n";

class FuzzFindings : public ::testing::Test
{
protected:
  void build(const std::string &file) const
  {
    Deck deck = Deck::read(file);
    symdyn::Run(deck).build();
  }
  void expect_refused(const std::string &name, const std::string &text, const std::vector<std::string> &parts) const
  {
    SCOPED_TRACE(text.substr(0, 200));
    const std::string file = folder.file(name, text);
    const auto start = std::chrono::steady_clock::now();
    const double before = peak_memory();
    const std::string said = message([&] { build(file); });
    for (const std::string &part : parts)
      EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10.);
    EXPECT_LT(peak_memory() - before, 5e8);
  }
  void expect_inp(const std::string &text, const std::vector<std::string> &parts) const { expect_refused("deck.inp", text, parts); }
  void expect_prm(const std::string &text, const std::vector<std::string> &parts) const { expect_refused("deck.prm", text, parts); }
  DeckFolder folder;
};
}  // namespace

TEST_F(FuzzFindings, SectionsInSectionsWithoutEnd)
{
  std::string deep;
  for (int i = 0; i < 20000; ++i)
    deep += "subsection a\n";
  expect_prm(deep, {"deck.prm:17: 'a' lies in more than 16 sections"});
  std::string json;
  for (int i = 0; i < 20000; ++i)
    json += "{\"a\":";
  expect_refused("deck.json", json, {"deck.json:1: 'a' lies in more than 16 sections"});
  // As deep as it may be.
  std::string allowed = body;
  for (int i = 0; i < 16; ++i)
    allowed += "subsection a\n";
  for (int i = 0; i < 16; ++i)
    allowed += "end\n";
  expect_prm(allowed, {"deck.prm:13: unknown section 'a'"});
}

TEST_F(FuzzFindings, IncludesThatMultiply)
{
  for (int i = 0; i < 12; ++i)
  {
    const std::string next = "include f" + std::to_string(i + 1) + ".prm\n";
    folder.file("f" + std::to_string(i) + ".prm", next + next + next + next);
  }
  folder.file("f12.prm", "");
  expect_prm("include f0.prm\n", {"more than 1000 files are included"});
}

TEST_F(FuzzFindings, SetsOfSetsThatMultiply)
{
  std::string sets = "*NSET, NSET=s0\nALL, ALL\n";
  for (int i = 1; i < 40; ++i)
    sets += "*NSET, NSET=s" + std::to_string(i) + "\ns" + std::to_string(i - 1) + ", s" + std::to_string(i - 1) + ", 1\n";
  expect_inp(model + sets + "*STEP\n*STATIC\n*CLOAD\ns39, 7, 1.\n*END STEP\n", {": 7: the component of a force is 1 to 3"});
  std::string ranges = "*NSET, NSET=a, GENERATE\n";
  for (int i = 0; i < 5000; ++i)
    ranges += "1, 1000000\n";
  expect_inp(model + ranges + "*STEP\n*STATIC\n*CLOAD\na, 7, 1.\n*END STEP\n", {": 7: the component of a force is 1 to 3"});
  expect_inp(model + "*NSET, NSET=a, GENERATE\n0, 9223372036854775807\n", {"these are 9223372036854775808 numbers"});
}

TEST_F(FuzzFindings, CountsOfInpDecks)
{
  const auto step = [](const std::string &inside) { return "*STEP\n*FREQUENCY\n2\n*END STEP\n*STEP\n" + inside + "*END STEP\n"; };
  expect_inp(model + "*STEP\n*FREQUENCY\n9223372036854775807\n*END STEP\n", {"deck.inp:24: 9223372036854775807: 1 to 10000 frequencies"});
  expect_inp(model + step("*STEADY STATE DYNAMICS\n1., 2., 1e300\n"), {"deck.inp:28: 1e300: the number of points is whole"});
  expect_inp(model + step("*STEADY STATE DYNAMICS\n1., 2., 2.5\n"), {"deck.inp:28: 2.5: the number of points is whole"});
  const std::string rubber =
      "*MATERIAL, NAME=R\n*HYPERELASTIC, OGDEN, N=9000000000000000000\n1., 2., 0.1\n*SOLID SECTION, ELSET=CUBE, MATERIAL=R\n";
  expect_inp(nodes + "*ELEMENT, TYPE=C3D8, ELSET=CUBE\n1, 1, 2, 3, 4, 5, 6, 7, 8\n" + rubber + "*STEP, NLGEOM\n*STATIC\n*END STEP\n",
             {"deck.inp:13: ", "up to three terms"});
}

TEST_F(FuzzFindings, NumbersTooLargeToCountWith)
{
  const auto gravity = [](const std::string &direction) {
    return "*STEP\n*STATIC\n*DLOAD\nCUBE, GRAV, 9.81, " + direction + "\n*END STEP\n";
  };
  expect_inp(model + gravity("1.7e308, 1.7e308, 1.7e308"), {"deck.inp:25: ", "the direction is too long"});
  EXPECT_NE(Deck::read(folder.file("deck.inp", model + gravity("0., 0., -1e-200"))).as_prm().find("Acceleration = 0, 0, -9.81"),
            std::string::npos);
  EXPECT_NE(Deck::read(folder.file("deck.inp", model + gravity("0., 0., -1e200"))).as_prm().find("Acceleration = 0, 0, -9.81"),
            std::string::npos);
  expect_inp(model + "*AMPLITUDE, NAME=a\n0., -1e308, 1e-300, 1e308\n*STEP\n*STATIC\n*END STEP\n",
             {"deck.inp:23: 1e308: the slope from 0, -1e+308"});
  expect_prm(body + "subsection Output\nset Write every = 1e300\nend\n",
             {"deck.prm:14 [Output] Write every = 1e300: must be at most 1e+09 steps"});
}

TEST_F(FuzzFindings, LongNamesAndManyMistakes)
{
  expect_prm("set " + std::string(1000000, 'a') + " = 1\n", {"deck.prm:1: ", "a name of 1000000 characters; at most 200"});
  std::string many = body;
  for (int i = 0; i < 1000; ++i)
    many += "set a" + std::to_string(i) + " = 1\n";
  expect_prm(many, {"deck.prm:13: unknown entry 'a0'", "and 980 more"});
  std::string lines = "";
  for (int i = 0; i < 100000; ++i)
    lines += "7, 3, 1.\n";
  expect_inp(model + "*STEP\n*STATIC\n*CLOAD\n" + lines + "7, 9, 1.\n*END STEP\n", {": 9: the component of a force"});
}
}  // namespace symdyn::in_fuzz_findings
