// *TRANSFORM, *ORIENTATION and *ELASTIC of materials that are not isotropic, against closed formulas.

#include "tests/inp_model.h"

namespace symdyn::tests::in_inp_axes
{
namespace
{
constexpr double digits = 2e-6, turn = M_PI / 6.;
const double c = std::cos(turn), s = std::sin(turn);
const std::string rectangular = [] {
  std::ostringstream text;
  text.precision(16);
  text << c << ", " << s << ", 0., " << -s << ", " << c << ", 0.\n";
  return text.str();
}();

/// The same rod, turned about z.
std::string turned_rod()
{
  const std::string straight = rod(2);
  std::istringstream in(straight);
  std::ostringstream out;
  out.precision(16);
  bool nodes = false;
  for (std::string line; std::getline(in, line);)
  {
    double n, x, y, z;
    char comma;
    std::istringstream words(line);
    nodes = line[0] == '*' ? line.find("*NODE") == 0 : nodes;
    if (nodes && words >> n >> comma >> x >> comma >> y >> comma >> z)
      out << n << ", " << c * x - s * y << ", " << s * x + c * y << ", " << z << "\n";
    else
      out << line << "\n";
  }
  return out.str();
}

/// Axial and lateral displacements at the far end of a rod of length 2 under F = 4 on its tip, held so that it may contract.
std::vector<double> pulled(const std::string &elastic, const std::string &section = "", const std::string &orientation = "",
                           const std::string &more = "")
{
  const std::string model = rod(2, elastic, section) + orientation + "*BOUNDARY\nROOT, 1\n1, 2, 3\n2, 3\n";
  return of_node(rows_below(tables_of(model + static_step("*CLOAD\nTIP, 1, 1.\n*NODE PRINT, NSET=ALL\nU\n" + more)), "displacements"), 11);
}
}  // namespace

TEST(InpModel, TransformTurnsSupportsForcesAndTables)
{
  const std::string
      body = turned_rod(),
      axes = "*TRANSFORM, NSET=ALL, TYPE=R\n" + rectangular, held = "*BOUNDARY\nROOT, 1\nALL, 2, 3\n",
      step = static_step(
          "*CLOAD\nTIP, 1, 1.\n*NODE PRINT, NSET=TIP\nU\n*NODE PRINT, NSET=ALL, GLOBAL=YES\nU\n*NODE PRINT, NSET=ROOT, TOTALS=YES\nRF\n");
  const std::string tables = tables_of(body + axes + held + step);
  const double u = 4. * 2 / 1000;
  const auto local = of_node(rows_below(tables, "displacements (vx,vy,vz) for set TIP"), 10),
             global = of_node(rows_below(tables, "displacements (vx,vy,vz) for set ALL"), 10);
  EXPECT_NEAR(local[0], u, digits * u);
  EXPECT_NEAR(local[1], 0., 1e-12);
  EXPECT_NEAR(global[0], c * u, digits * u);
  EXPECT_NEAR(global[1], s * u, digits * u);
  EXPECT_NEAR(of_node(rows_below(tables, "forces (fx,fy,fz)"), 1)[0], -1., 1e-5);
  EXPECT_NEAR(rows_below(tables, "total force")[0][0], -4. * c, 1e-5) << "along the coordinates, as CalculiX has it";
  EXPECT_NEAR(rows_below(tables, "total force")[0][1], -4. * s, 1e-5);
  const auto without = of_node(rows_below(tables_of(body + held + step), "displacements (vx,vy,vz) for set ALL"), 10);
  EXPECT_GT(std::abs(without[0] - c * u), 0.1 * u) << "along x and y it is another structure";
  // Equations along the node's axes: the tip's nodes share their component along the rod.
  const std::string tie = "*EQUATION\n2\n9, 1, 1., 10, 1, -1.\n2\n9, 1, 1., 11, 1, -1.\n2\n9, 1, 1., 12, 1, -1.\n",
                    one = static_step("*CLOAD\n10, 1, 4.\n*NODE PRINT, NSET=TIP\nU\n");
  EXPECT_NEAR(of_node(rows_below(tables_of(body + axes + held + tie + one), "displacements"), 12)[0], u, digits * u);
}

TEST(InpModel, CylindricalAxesLeadAwayFromTheAxisAndAround)
{
  // All nodes but those on the axis, 1 and 4, move by 0.1 away from the z axis.
  const std::string body = rod(1) + "*NSET, NSET=OFF\n2, 3, 5, 6, 7, 8\n", axes = "*TRANSFORM, NSET=OFF, TYPE=C\n0., 0., 0., 0., 0., 1.\n";
  const std::string held = "*BOUNDARY\nOFF, 1, 1, 0.1\nOFF, 2, 3\n1, 1, 3\n4, 1, 3\n",
                    step = static_step("*NODE PRINT, NSET=OFF, GLOBAL=YES\nU\n*NODE PRINT, NSET=ALL\nU\n");
  const std::string tables = tables_of(body + axes + held + step);
  const auto global = rows_below(tables, "for set OFF"), local = rows_below(tables, "for set ALL");
  const double d = 0.1 / std::sqrt(2.);
  EXPECT_NEAR(of_node(global, 2)[0], 0., 1e-12);  // (0, 1, 0)
  EXPECT_NEAR(of_node(global, 2)[1], 0.1, digits);
  EXPECT_NEAR(of_node(global, 6)[0], d, digits);  // (1, 1, 0)
  EXPECT_NEAR(of_node(global, 6)[1], d, digits);
  for (const int node : {2, 6, 7})
  {
    EXPECT_NEAR(of_node(local, node)[0], 0.1, digits) << node;
    EXPECT_NEAR(of_node(local, node)[1], 0., 1e-12) << node;
  }
  // Two *TRANSFORMs in one set: its table is along the coordinates.
  const std::string circle = ", TYPE=C\n0., 0., 0., 0., 0., 1.\n",
                    two = "*NSET, NSET=ONE\n2, 6\n*NSET, NSET=TWO\n3, 5, 7, 8\n*TRANSFORM, NSET=ONE" + circle + "*TRANSFORM, NSET=TWO" +
                          circle;
  const auto mixed = rows_below(tables_of(body + two + held + step), "for set ALL");
  EXPECT_NEAR(of_node(mixed, 2)[0], 0., 1e-12);
  EXPECT_NEAR(of_node(mixed, 2)[1], 0.1, digits);
  EXPECT_NEAR(of_node(mixed, 6)[0], d, digits);
  EXPECT_NE(refusal_of(rod(1) + "*TRANSFORM, NSET=ALL, TYPE=C\n0., 0., 0., 0., 0., 1.\n*EQUATION\n1\n1, 1, 1.\n" + held.substr(0, 0) +
                       "*BOUNDARY\nROOT, 1, 3\n" + step)
                .find("this node is on the axis"),
            std::string::npos);
  EXPECT_NE(
      refusal_of(rod(1) + "*TRANSFORM, NSET=ALL\n1., 0., 0., 2., 0., 0.\n*BOUNDARY\nROOT, 1, 3\n" + step).find("a and b are parallel"),
      std::string::npos);
  EXPECT_NE(refusal_of(rod(1) + "*TRANSFORM, NSET=ALL, TYPE=S\n1., 0., 0., 2., 0., 0.\n*BOUNDARY\nROOT, 1, 3\n" + step)
                .find("TYPE=S: axes are of TYPE=R"),
            std::string::npos);
}

TEST(InpModel, EngineeringConstantsAlongTheirAxes)
{
  const double E1 = 1000, E2 = 400, G12 = 150, nu12 = 0.3, nu13 = 0.2;
  const std::string elastic = "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1000., 400., 300., .3, .2, .1, 150., 120.\n100., 293.\n";
  const auto along = pulled(elastic);
  EXPECT_NEAR(along[0], 4. / E1 * 2, digits * 8 / E1);
  EXPECT_NEAR(along[1], -nu12 * 4. / E1, digits);
  EXPECT_NEAR(along[2], -nu13 * 4. / E1, digits);
  const auto across = pulled(elastic, ", ORIENTATION=O", "*ORIENTATION, NAME=O\n0., 1., 0., -1., 0., 0.\n");
  EXPECT_NEAR(across[0], 4. / E2 * 2, digits * 8 / E2);
  // Off the axes (Lekhnitskii 1963): 1/E_x = c⁴/E1 + s⁴/E2 + (1/G12 - 2 nu12/E1) s² c².
  const double compliance = std::pow(c, 4) / E1 + std::pow(s, 4) / E2 + (1 / G12 - 2 * nu12 / E1) * s * s * c * c;
  const auto off = pulled(elastic, ", ORIENTATION=O", "*ORIENTATION, NAME=O, SYSTEM=RECTANGULAR, DEFINITION=COORDINATES\n" + rectangular);
  EXPECT_NEAR(off[0], 4. * compliance * 2, 1e-5 * 8 * compliance);
  EXPECT_NE(refusal_of(rod(1, elastic, ", ORIENTATION=O") + "*ORIENTATION, NAME=O, DEFINITION=NODES\n1, 2\n*BOUNDARY\nROOT, 1, 3\n" +
                       static_step(""))
                .find("DEFINITION=NODES"),
            std::string::npos);
  EXPECT_NE(refusal_of(rod(1, elastic, ", ORIENTATION=O") +
                       "*ORIENTATION, NAME=O, SYSTEM=CYLINDRICAL\n0., 0., 0., 0., 0., 1.\n*BOUNDARY\nROOT, 1, 3\n" + static_step(""))
                .find("SYSTEM=CYLINDRICAL"),
            std::string::npos);
  EXPECT_NE(refusal_of(rod(1, elastic, ", ORIENTATION=P") + "*BOUNDARY\nROOT, 1, 3\n" + static_step(""))
                .find("there is no *ORIENTATION of this name"),
            std::string::npos);
  EXPECT_NE(refusal_of(rod(1, "*ELASTIC, TYPE=ORTHO\n1., 2., 3.\n") + "*BOUNDARY\nROOT, 1, 3\n" + static_step(""))
                .find("has 3 numbers; there must be 9"),
            std::string::npos);
}

TEST(InpModel, TwentyOneModuliAreThoseOfTheTurnedOrthotropicLaw)
{
  const double D[6][6] = {{1000, 300, 200, 0, 0, 0}, {300, 800, 150, 0, 0, 0}, {200, 150, 600, 0, 0, 0},
                          {0, 0, 0, 250, 0, 0},      {0, 0, 0, 0, 200, 0},     {0, 0, 0, 0, 0, 100}};
  const double e[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}, first[] = {0, 1, 2, 0, 0, 1}, second[] = {0, 1, 2, 1, 2, 2};
  std::ostringstream moduli;
  moduli.precision(16);
  int written = 0;
  for (int n = 0; n < 6; ++n)
    for (int m = 0; m <= n; ++m, ++written)
    {
      double sum = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l)
              sum += e[i][first[m]] * e[j][second[m]] * e[k][first[n]] * e[l][second[n]] * D[at[i][j]][at[k][l]];
      moduli << (written == 0 ? "" : written % 8 == 0 ? "\n" : ", ") << sum;
    }
  const auto general = pulled("*ELASTIC, TYPE=ANISO\n" + moduli.str() + "\n");
  const std::string orthotropic = "*ELASTIC, TYPE=ORTHO\n1000., 300., 800., 200., 150., 600., 250., 200.\n100.\n",
                    orientation = "*ORIENTATION, NAME=O\n" + rectangular;
  const auto turned = pulled(orthotropic, ", ORIENTATION=O", orientation), straight = pulled(orthotropic);
  for (int d = 0; d < 3; ++d)
    EXPECT_NEAR(general[d], turned[d], 1e-5 * std::abs(general[0])) << d;
  EXPECT_GT(std::abs(straight[0] - general[0]), 1e-2 * general[0]);
}

TEST(InpModel, StressesAreAlongTheOrientationUnlessGlobal)
{
  const std::string model =
      rod(1, "*ELASTIC\n1000., 0.\n", ", ORIENTATION=O") + "*ORIENTATION, NAME=O\n" + rectangular + "*BOUNDARY\nROOT, 1, 3\n";
  const auto stress = [&](const std::string &option) {
    return rows_below(tables_of(model + static_step("*CLOAD\nTIP, 1, 1.\n*EL PRINT, ELSET=BODY" + option + "\nS\n")), "stresses").at(0);
  };
  const auto local = stress(""), global = stress(", GLOBAL=YES");
  EXPECT_NEAR(global[2], 4., 1e-5);
  EXPECT_NEAR(global[5], 0., 1e-5);
  EXPECT_NEAR(local[2], 4. * c * c, 1e-5);
  EXPECT_NEAR(local[3], 4. * s * s, 1e-5);
  EXPECT_NEAR(local[5], -4. * s * c, 1e-5);
}
}  // namespace symdyn::tests::in_inp_axes
