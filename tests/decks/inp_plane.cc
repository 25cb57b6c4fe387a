// Thickness of plane sections and body forces on sets of elements in .inp files, against closed formulas.
#include "tests/inp_model.h"

namespace symdyn::tests::in_inp_plane
{
namespace
{
/// Two squares side by side along x, E = 1000, nu = 0, of these thicknesses.
std::string strip(const std::string &type, const double first, const double second, const std::string &density = "")
{
  std::ostringstream text;
  text
      << "*NODE, NSET=ALL\n1, 0., 0.\n2, 1., 0.\n3, 2., 0.\n4, 0., 1.\n5, 1., 1.\n6, 2., 1.\n*ELEMENT, TYPE=" << type
      << ", ELSET=BODY\n1, 1, 2, 5, 4\n2, 2, 3, 6, 5\n*ELSET, ELSET=ONE\n1\n*ELSET, ELSET=TWO\n2\n*NSET, NSET=ROOT\n1, 4\n*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.\n"
      << density << "*SOLID SECTION, ELSET=ONE, MATERIAL=M\n"
      << first << "\n*SOLID SECTION, ELSET=TWO, MATERIAL=M\n"
      << second << "\n*BOUNDARY\nROOT, 1, 2\n";
  return text.str();
}
}  // namespace

TEST(InpModel, PlaneBodiesHaveTheirThickness)
{
  for (const char *type : {"CPS4", "CPE4"})
  {
    const std::string tables =
        tables_of(strip(type, 0.1, 0.4) + static_step("*CLOAD\n3, 1, 1.\n6, 1, 1.\n*NODE PRINT, NSET=ALL\nU\n*EL PRINT, ELSET=BODY\nS\n"));
    const auto u = rows_below(tables, "displacements"), S = rows_below(tables, "stresses");
    EXPECT_NEAR(of_node(u, 2)[0], 2. / (1000 * 0.1), 1e-7) << type;
    EXPECT_NEAR(of_node(u, 3)[0], 2. / (1000 * 0.1) + 2. / (1000 * 0.4), 1e-7) << type;
    ASSERT_EQ(S.size(), 16u);
    EXPECT_NEAR(S[0][2], 2. / 0.1, 1e-4) << "of the first element, per area of the section";
    EXPECT_NEAR(S[15][2], 2. / 0.4, 1e-4);
    const auto pressed =
        rows_below(tables_of(strip(type, 0.1, 0.4) + static_step("*DLOAD\n2, P2, -5.\n*NODE PRINT, NSET=ALL\nU\n")), "displacements");
    EXPECT_NEAR(of_node(pressed, 2)[0], 5. * 0.4 / (1000 * 0.1), 1e-7) << "the pressure acts on an edge of its thickness";
  }
  EXPECT_NE(refusal_of(strip("CPS4", 0.1, -1) + static_step("*CLOAD\n3, 1, 1.\n")).find("-1: the thickness must be > 0"),
            std::string::npos);
}

TEST(InpModel, BodyForcesActOnTheirElements)
{
  const std::string print = "*NODE PRINT, NSET=ALL\nU\n*NODE PRINT, NSET=ROOT, TOTALS=ONLY\nRF\n", heavy = "*DENSITY\n2.\n";
  const auto total = [&](const std::string &load) {
    return rows_below(tables_of(strip("CPS4", 0.1, 0.4, heavy) + static_step("*DLOAD\n" + load + print)), "total force").at(0);
  };
  EXPECT_NEAR(total("TWO, GRAV, 10., 1., 0., 0.\n")[0], -2. * 10 * 0.4, 1e-5);
  // The support less what acts on its own nodes: half of the first square's.
  EXPECT_NEAR(total("1, GRAV, 10., 1., 0., 0.\n")[0], -2. * 10 * 0.05, 1e-5);
  EXPECT_NEAR(total("BODY, GRAV, 10., 1., 0., 0.\n")[0], -2. * 10 * 0.45, 1e-5);
  EXPECT_NEAR(total("ONE, GRAV, 10., 1., 0., 0.\nTWO, GRAV, 10., -1., 0., 0.\n")[0], 2. * 10 * 0.35, 1e-5);
  // omega² about the y axis at x = 0: omega² rho h x of the second square, of which the centre is at 1.5.
  EXPECT_NEAR(total("TWO, CENTRIF, 3., 0., 0., 0., 0., 1., 0.\n")[0], -3. * 2 * 0.4 * 1.5, 1e-5);
}
}  // namespace symdyn::tests::in_inp_plane
