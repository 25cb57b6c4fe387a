// *SUBSTRUCTURE GENERATE of .inp files.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/inp_model.h"

namespace symdyn::tests::in_inp_substructure
{
/// *SUBSTRUCTURE GENERATE: the stiffness of CalculiX 2.20 (*FREQUENCY, SOLVER=MATRIXSTORAGE), condensed by LAPACK.
TEST(Substructure, InpFile)
{
  const std::string step =
      "*BOUNDARY\nROOT, 1, 3\n*STEP\n*SUBSTRUCTURE GENERATE\n*RETAINED NODAL DOFS, SORTED=NO\n11, 1, 3\n6, 2\n*SUBSTRUCTURE MATRIX OUTPUT, "
      "STIFFNESS=YES, OUTPUT FILE=USER DEFINED, FILE NAME=rod\n*END STEP\n";
  const std::string model = rod(2, "*ELASTIC\n1000., 0.3\n");
  const Folder folder;
  std::ofstream(folder / "model.inp") << model << step;
  const Outcome run = run_deck(folder, folder / "model.inp");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const std::string text = text_of(folder / "results/rod.mtx");
  EXPECT_NE(
      text.find("*USER ELEMENT,NODES=          4,LINEAR\n** ELEMENT NODES\n**        11,        11,        11,         6,\n         1\n"
                "         2,         2\n         3,         3\n         4,         2\n*MATRIX,TYPE=STIFFNESS\n"),
      std::string::npos)
      << text;
  const std::vector<double> K{149.53325168238624, 47.54849150928956, 48.61378935334622,  47.26145814337954,  23.79065604043822,
                              47.35665476904532,  -8.74107939757692, -21.07122837238091, -17.21252020846691, 117.50994288038385};
  std::string values = text.substr(text.find("STIFFNESS\n") + 10);
  std::replace(values.begin(), values.end(), ',', ' ');
  std::istringstream in(values);
  for (const double exact : K)
  {
    double value = 0;
    in >> value;
    EXPECT_NEAR(value, exact, 1e-10 * 150.);
  }
  // A node may be named again, for other components.
  std::string again = step;
  again.replace(again.find("11, 1, 3\n6, 2\n"), 14, "11, 1\n6, 2\n11, 2, 3\n");
  const Folder other;
  std::ofstream(other / "again.inp") << model << again;
  ASSERT_EQ(run_deck(other, other / "again.inp").exit_code, 0);
  EXPECT_NE(text_of(other / "results/rod.mtx")
                .find("**        11,         6,        11,        11,\n         1\n         2,         2\n"
                      "         3,         2\n         4,         3\n"),
            std::string::npos);
  const auto refused = [&](std::string inside, const std::string &from, const std::string &to, const std::string &words) {
    inside.replace(inside.find(from), from.size(), to);
    std::ofstream(folder / "bad.inp") << model << inside;
    const Outcome bad = run_deck(folder, folder / "bad.inp", {"Output/Folder=" + (folder / "bad")});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_NE(bad.terminal.find(words), std::string::npos) << words << "\n" << bad.terminal;
  };
  refused(step, "11, 1, 3", "11, 3, 1", "components are 1 to 3");
  refused(step, "STIFFNESS=YES", "MASS=YES", "needs *SUBSTRUCTURE MATRIX OUTPUT, STIFFNESS=YES");
  refused(step, "STIFFNESS=YES", "STIFFNESS=YES, MASS=YES", "CalculiX writes");
  refused(step, "*RETAINED NODAL DOFS, SORTED=NO\n11, 1, 3\n6, 2\n", "", "needs *RETAINED NODAL DOFS");
  refused(step, "*END STEP", "*CLOAD\n9, 1, 1.\n*END STEP", "has no effect on a stiffness");
  refused(step, "*SUBSTRUCTURE GENERATE\n", "*STATIC\n", "belongs to a step of *SUBSTRUCTURE GENERATE");
}

}  // namespace symdyn::tests::in_inp_substructure
