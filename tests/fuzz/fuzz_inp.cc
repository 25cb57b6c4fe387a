// Fuzzes the reader of Abaqus's and CalculiX's .inp decks: CONTRIBUTING.md says how to run it.
#include "meshes/abaqus/translator.h"
#include "tests/fuzz/fuzz.h"

namespace symdyn::fuzz
{
namespace
{
const std::vector<std::string> options{"NSET=a",
                                       "NSET=b",
                                       "NSET=ALL",
                                       "ELSET=a",
                                       "ELSET=CUBE",
                                       "GENERATE",
                                       "TYPE=C3D8",
                                       "TYPE=C3D4",
                                       "TYPE=C3D20R",
                                       "TYPE=C3D10",
                                       "TYPE=CPS4",
                                       "TYPE=CPE8R",
                                       "TYPE=C3D15",
                                       "TYPE=T3D2",
                                       "TYPE=MASS",
                                       "TYPE=SPRINGA",
                                       "TYPE=DASHPOTA",
                                       "NAME=a",
                                       "NAME=S",
                                       "NAME=Steel",
                                       "MATERIAL=Steel",
                                       "TYPE=NODE",
                                       "TYPE=ELEMENT",
                                       "TYPE=ISO",
                                       "TYPE=ORTHO",
                                       "TYPE=ENGINEERING CONSTANTS",
                                       "NEO HOOKE",
                                       "MOONEY-RIVLIN",
                                       "OGDEN",
                                       "POLYNOMIAL",
                                       "N=2",
                                       "N=3",
                                       "N=1000000000",
                                       "ALPHA=0.1",
                                       "BETA=1e-4",
                                       "OP=NEW",
                                       "OP=MOD",
                                       "AMPLITUDE=a",
                                       "TYPE=VELOCITY",
                                       "TYPE=DISPLACEMENT",
                                       "NLGEOM",
                                       "NLGEOM=NO",
                                       "INC=10",
                                       "PERTURBATION",
                                       "DIRECT",
                                       "EXPLICIT",
                                       "ALPHA=-0.1",
                                       "SOLVER=SPOOLES",
                                       "TIME=TOTAL TIME",
                                       "HARMONIC=NO",
                                       "FREQUENCY=2",
                                       "TOTALS=YES",
                                       "TOTALS=ONLY",
                                       "INPUT=part.inc",
                                       "INPUT=self.inc",
                                       "INPUT=deck.inp",
                                       "ORIENTATION=a",
                                       "DOF=1"};
const std::vector<std::string> data{"1",      "2",   "3",    "4",  "5",  "6",   "7",       "8",   "9",    "20",      "a",  "b",  "ALL",
                                    "CUBE",   "low", "high", "P1", "P6", "S1",  "S4",      "P",   "GRAV", "CENTRIF", "BX", "BZ", "ENCASTRE",
                                    "PINNED", "U",   "RF",   "S",  "E",  "0.3", "210000.", "-1.", "0.",   "1.e-3",   ""};

const std::vector<std::string> &known_keywords()
{
  static const std::vector<std::string> all = abaqus::Translators().keywords();
  return all;
}

/// A keyword that the reader knows, with some options and some lines of data.
std::string any_keyword(Random &random)
{
  std::string text = "*" + any_of(known_keywords(), random);
  for (int left = random() % 4; left > 0; --left)
    text += ", " + any_of(options, random);
  text += "\n";
  for (int lines = random() % 4; lines > 0; --lines)
  {
    for (int left = 1 + random() % 9; left > 0; --left)
      text += any_of(random() % 8 == 0 ? awkward_values() : data, random) + (left > 1 ? ", " : "");
    text += "\n";
  }
  return text;
}

std::vector<std::string> words()
{
  std::vector<std::string> all = options;
  for (const std::string &keyword : known_keywords())
    all.push_back("*" + keyword);
  all.insert(all.end(), data.begin(), data.end() - 1);
  return all;
}
}  // namespace

const Language &language()
{
  static const Language inp{".inp", words(), any_keyword};
  return inp;
}
}  // namespace symdyn::fuzz
