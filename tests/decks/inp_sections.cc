// Sections and normals in decks of Abaqus and CalculiX: thicknesses and normals at nodes, transverse shear stiffnesses.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/inp_model.h"

namespace symdyn::tests::in_inp_sections
{
namespace
{
const std::string material = "*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.\n*DENSITY\n7800.\n";

/// A strip of 1 x 0.1 of S4 along x, `n` long and 2 wide: sets SKIN, ROOT (held), TIP (3 nodes).
std::string strip(const int n, const std::string &cards)
{
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=S4, ELSET=SKIN\n";
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < 3; ++j)
      text += fmt::format("{}, {:.15g}, {:.15g}, 0.\n", 1 + 3 * i + j, double(i) / n, 0.05 * j);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2; ++j)
      elements += fmt::format("{0}, {1}, {2}, {3}, {4}\n", 1 + 2 * i + j, 1 + 3 * i + j, 4 + 3 * i + j, 5 + 3 * i + j, 2 + 3 * i + j);
  return text + elements + fmt::format("*NSET, NSET=ROOT\n1, 2, 3\n*NSET, NSET=TIP, GENERATE\n{}, {}\n", 1 + 3 * n, 3 + 3 * n) + material +
         cards + "*BOUNDARY\nROOT, 1, 6\n";
}

/// Deflection of the tip under 1 N across the strip.
double deflection(const std::string &model, const int n)
{
  const std::string load =
      fmt::format("*CLOAD\n{}, 3, 0.25\n{}, 3, 0.5\n{}, 3, 0.25\n*NODE PRINT, NSET=TIP\nU\n", 1 + 3 * n, 2 + 3 * n, 3 + 3 * n);
  return rows_below(tables_of(model + static_step(load)), "displacements").at(1).at(3);
}

void expect_refused(const std::string &text, const std::string &words)
{
  const std::string said = refusal_of(text);
  EXPECT_NE(said.find(words), std::string::npos) << "'" << words << "' is not in\n" << said;
}

std::string warnings_of(const std::string &text)
{
  const Folder folder;
  std::ofstream(folder / "model.inp") << text;
  return run_deck(folder, folder / "model.inp").terminal;
}
}  // namespace

/// A strip whose thickness falls linearly from 20 mm to 10 mm: w = int (L - x)² 12/(E b t³) dx; layers keep their shares.
TEST(InpSections, NodalThickness)
{
  constexpr int n = 40;
  std::string at_nodes = "*NODAL THICKNESS\n";
  double exact = 0;
  for (int i = 0; i <= n; ++i)
    for (int j = 1; j <= 3; ++j)
      at_nodes += fmt::format("{}, {:.15g}\n", 3 * i + j, 0.02 - 0.01 * i / n);
  constexpr int parts = 10000;
  for (int i = 0; i < parts; ++i)
  {
    const double x = (i + 0.5) / parts, t = 0.02 - 0.01 * x;
    exact += std::pow(1. - x, 2) * 12. / (2e11 * 0.1 * t * t * t) / parts;
  }
  const auto run = [&](const std::string &section) { return deflection(strip(n, section), n); };
  const double tapered = run("*SHELL SECTION, ELSET=SKIN, MATERIAL=M, NODAL THICKNESS\n0.5\n" + at_nodes);
  EXPECT_NEAR(tapered, exact, 2e-3 * exact);
  EXPECT_NEAR(run("*SHELL SECTION, ELSET=SKIN, COMPOSITE, NODAL THICKNESS\n1., , M\n3., , M\n" + at_nodes), tapered, 1e-9 * exact);
  const std::string without = "*SHELL SECTION, ELSET=SKIN, MATERIAL=M\n0.02\n";
  EXPECT_NE(warnings_of(strip(n, without + at_nodes) + static_step("*CLOAD\nTIP, 3, 1.\n")).find("has no effect, as in CalculiX"),
            std::string::npos);
  EXPECT_LT(run(without), 0.7 * exact);
}

/// Of one transverse shear stiffness K [N/m]: w = L³/(3 E I) + L/(K b); without, 5/6 G t.
TEST(InpSections, ShearStiffnessOfShells)
{
  constexpr int n = 20;
  constexpr double b = 0.1, t = 0.01, EI = 2e11 * b * t * t * t / 12., K = 1e5;
  const std::string section = "*SHELL SECTION, ELSET=SKIN, MATERIAL=M\n0.01\n";
  const double soft = deflection(strip(n, section + "*TRANSVERSE SHEAR STIFFNESS\n1e5\n"), n), exact = 1. / (3. * EI) + 1. / (K * b);
  EXPECT_NEAR(soft, exact, 1e-3 * exact);
  const double thin = deflection(strip(n, section), n);
  EXPECT_NEAR(thin, 1. / (3. * EI), 1e-3 * thin);
  EXPECT_LT(thin, 0.9 * soft);
}

namespace
{
/// A cantilever of 20 B31 along x: 0.02 along axis 1 = y, 0.05 along z.
std::string cantilever(const std::string &behind)
{
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=B31, ELSET=BEAM\n";
  for (int i = 0; i <= 20; ++i)
    text += fmt::format("{}, {:.15g}, 0., 0.\n", i + 1, i / 20.);
  for (int i = 1; i <= 20; ++i)
    elements += fmt::format("{}, {}, {}\n", i, i, i + 1);
  return text + elements + "*NSET, NSET=TIP\n21\n" + material +
         "*BEAM SECTION, ELSET=BEAM, MATERIAL=M, SECTION=RECT\n0.02, 0.05\n0., 1., 0.\n" + behind + "*BOUNDARY\n1, 1, 6\n";
}
}  // namespace

/// K23 is along axis 2 (z), K13 along axis 1 (y); one of them stands for both.
TEST(InpSections, ShearStiffnessOfBeams)
{
  const auto tip = [](const std::string &behind) {
    return rows_below(tables_of(cantilever(behind) + static_step("*CLOAD\nTIP, 2, 1e4\nTIP, 3, 1e4\n*NODE PRINT, NSET=TIP\nU\n")),
                      "displacements")
        .at(0);
  };
  constexpr double F = 1e4, E = 2e11, y = F * 12. / (3. * E * 0.05 * 8e-6), z = F * 12. / (3. * E * 0.02 * 125e-6);
  const auto both = tip("*TRANSVERSE SHEAR STIFFNESS\n2e6, 1e6\n"), one = tip("*TRANSVERSE SHEAR STIFFNESS\n2e6\n");
  EXPECT_NEAR(both.at(2), y + F / 1e6, 1e-3 * y);
  EXPECT_NEAR(both.at(3), z + F / 2e6, 1e-3 * z);
  EXPECT_NEAR(one.at(2), y + F / 2e6, 1e-3 * y);
  EXPECT_NEAR(tip("").at(2), y + F / (5. / 6. * 1e11 * 1e-3), 1e-3 * y);
}

namespace
{
/// Two plane halves of 1 x 1 of 4 x 4 S4 that rise to a ridge at x = 1 at `slope`; a force on the ridge; feet held in place alone.
std::string roof(const double slope, const std::string &cosines, const std::string &normals)
{
  constexpr int n = 4;
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=S4, ELSET=SKIN\n", feet = "*NSET, NSET=FEET\n", ridge = "*NSET, NSET=RIDGE\n";
  for (int i = 0; i <= 2 * n; ++i)
    for (int j = 0; j <= n; ++j)
    {
      const double x = double(i) / n;
      const int a = 1 + j + i * (n + 1);
      text += fmt::format("{}, {:.15g}, {:.15g}, {:.15g}{}\n", a, x, double(j) / n, slope * (x < 1. ? x : 2. - x), i == n ? cosines : "");
      (i == n ? ridge : feet) += i % n == 0 ? fmt::format("{},\n", a) : "";
      if (i < 2 * n && j < n)
        elements += fmt::format("{}, {}, {}, {}, {}\n", 1 + j + i * n, a, a + n + 1, a + n + 2, a + 1);
    }
  const std::string halves = "*ELSET, ELSET=LEFT, GENERATE\n1, 16\n*ELSET, ELSET=RIGHT, GENERATE\n17, 32\n";
  return text + elements + feet + ridge + halves + material + "*SHELL SECTION, ELSET=SKIN, MATERIAL=M\n0.02\n" + normals +
         "*BOUNDARY\nFEET, 1, 3\n" + static_step("*CLOAD\n23, 3, -1e3\n*NODE PRINT, NSET=RIDGE\nU\n");
}
double ridge(const std::string &model, const std::vector<std::string> &settings = {})
{
  return rows_below(tables_of(model, settings), "displacements").at(2).at(3);
}
}  // namespace

/// Below the fold angle a ridge is smooth unless each side has its own *NORMAL: then it is a fold, as beyond that angle. Cosines behind
/// *NODE make a ridge smooth that would be a fold.
TEST(InpSections, NormalsOfShells)
{
  constexpr double low = 0.1, high = 0.3;
  const auto of_sides = [](const double slope) {
    return fmt::format("*NORMAL\nLEFT, RIDGE, {0}, 0., 1.\n*NORMAL, TYPE=ELEMENT\nRIGHT, RIDGE, {1}, 0., 1.\n", -slope, slope);
  };
  const double smooth = ridge(roof(low, "", "")), fold = ridge(roof(low, "", ""), {"Mesh/Fold angle=5"});
  EXPECT_GT(std::abs(smooth / fold - 1.), 1e-3);
  EXPECT_NEAR(ridge(roof(low, "", of_sides(low))), fold, 1e-9 * std::abs(fold));
  EXPECT_NEAR(ridge(roof(low, ", 0., 0., 2.", "")), smooth, 1e-9 * std::abs(smooth));
  EXPECT_NEAR(ridge(roof(low, ", 0., 0., 2.", of_sides(low))), fold, 1e-9 * std::abs(fold)) << "those of elements come first";
  EXPECT_NEAR(ridge(roof(high, ", 0., 0., 1.", "")), ridge(roof(high, "", ""), {"Mesh/Fold angle=60"}), 1e-9 * std::abs(smooth));
}

namespace
{
/// A cantilever of length 12 whose section of 1.1 x 0.32 turns by 90 degrees, 24 B31 or 12 B32: axis 2 is the long one, z at the root and y
/// at the tip, behind *NODE or in *NORMAL.
std::string twisted(const std::string &type, const bool in_nodes)
{
  const int nodes = 24;
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=" + type + ", ELSET=BEAM\n", normals = "*NORMAL\n";
  for (int i = 0; i <= nodes; ++i)
  {
    const double angle = 0.5 * M_PI * i / nodes;
    const std::string axis = fmt::format("0., {:.15g}, {:.15g}", std::sin(angle), std::cos(angle));
    text += fmt::format("{}, {:.15g}, 0., 0.{}\n", i + 1, 12. * i / nodes, in_nodes ? ", " + axis : "");
    normals += fmt::format("BEAM, {}, {}\n", i + 1, axis);
  }
  for (int i = 1; i <= nodes; i += type == "B31" ? 1 : 2)
    elements += type == "B31" ? fmt::format("{}, {}, {}\n", i, i, i + 1) : fmt::format("{}, {}, {}, {}\n", i, i, i + 1, i + 2);
  return text + elements + fmt::format("*NSET, NSET=TIP\n{}\n", nodes + 1) + "*MATERIAL, NAME=M\n*ELASTIC\n29e6, 0.22\n*DENSITY\n1.\n" +
         "*BEAM SECTION, ELSET=BEAM, MATERIAL=M, SECTION=RECT\n0.32, 1.1\n0., 1., 0.\n" + (in_nodes ? "" : normals) +
         "*BOUNDARY\n1, 1, 6\n";
}
}  // namespace

/// Twisted beam, displacement along unit forces at the tip: along the long side of the root 5.424e-3, along the short one 1.754e-3
/// (MacNeal, Harder 1985, table 3; in and out of the plane of the tip).
TEST(InpSections, TwistedBeam)
{
  for (const std::string type : {"B31", "B32"})
    for (const bool in_nodes : {true, false})
    {
      const auto tip = [&](const int component) {
        return rows_below(tables_of(twisted(type, in_nodes) +
                                    static_step(fmt::format("*CLOAD\nTIP, {}, 1.\n*NODE PRINT, NSET=TIP\nU\n", component))),
                          "displacements")
            .at(0)
            .at(component);
      };
      constexpr double tolerance = 5e-3;
      EXPECT_NEAR(tip(2), 5.424e-3, tolerance * 5.424e-3) << type << in_nodes;
      EXPECT_NEAR(tip(3), 1.754e-3, tolerance * 1.754e-3) << type << in_nodes;
    }
  EXPECT_NE(warnings_of(twisted("B31", false) + static_step("*CLOAD\nTIP, 2, 1.\n")).find("is axis 2 of the section, as in Abaqus"),
            std::string::npos);
}

/// A beam held at both ends with a force in the middle: w = F L³/(192 E I); with a hinge there, of two halves with F/2 each, F L³/(48 E I),
/// and so about the axis of bending alone, not about the other one.
TEST(InpSections, ReleasedEnds)
{
  constexpr int n = 32;
  std::string beam = "*NODE\n", elements = "*ELEMENT, TYPE=B31, ELSET=BEAM\n";
  for (int i = 0; i <= n; ++i)
    beam += fmt::format("{}, {:.15g}, 0., 0.\n", i + 1, 2. * i / n);
  for (int i = 0; i < n; ++i)
    elements += fmt::format("{0}, {0}, {1}\n", i + 1, i + 2);
  beam += elements + "*BEAM SECTION, ELSET=BEAM, MATERIAL=M, SECTION=RECT\n0.02, 0.02\n0., 1., 0.\n" + material;
  const std::string held = fmt::format("*BOUNDARY\n1, 1, 6\n{}, 1, 6\n", n + 1);
  const auto middle = [&](const std::string &release) {
    const std::string load = fmt::format("*CLOAD\n{0}, 3, 10.\n*NSET, NSET=MIDDLE\n{0}\n*NODE PRINT, NSET=MIDDLE\nU\n", n / 2 + 1);
    return rows_below(tables_of(beam + release + held + static_step(load)), "displacements").at(0).at(3);
  };
  const auto released = [&](const std::string &code) { return middle(fmt::format("*RELEASE\n{}, S2, {}\n", n / 2, code)); };
  const double EI = 2e11 * std::pow(0.02, 4) / 12., stiff = 80. / (192. * EI), hinged = 80. / (48. * EI);
  EXPECT_NEAR(middle(""), stiff, 0.01 * stiff);
  EXPECT_NEAR(released("M1-M2"), hinged, 0.01 * hinged);
  const double one = released("M1"), other = released("M2");
  EXPECT_NEAR(std::max(one, other), hinged, 0.01 * hinged);
  EXPECT_NEAR(std::min(one, other), stiff, 0.01 * stiff);
  expect_refused(beam + "*RELEASE\n1, S3, M1\n" + held + static_step(""), "the end of an element is S1 or S2");
  expect_refused(beam + "*RELEASE\n1, S1, M3\n" + held + static_step(""), "a release is M1, M2, T, M1-M2, M1-T, M2-T or ALLM");
}

TEST(InpSections, Refused)
{
  const std::string section = "*SHELL SECTION, ELSET=SKIN, MATERIAL=M\n0.01\n", step = static_step("*CLOAD\nTIP, 3, 1.\n"),
                    at_nodes = "*SHELL SECTION, ELSET=SKIN, MATERIAL=M, NODAL THICKNESS\n";
  const auto shell = [&](const std::string &cards) { return strip(2, cards) + step; };
  expect_refused(shell(at_nodes), "needs a *NODAL THICKNESS in the file of the mesh");
  expect_refused(shell(at_nodes + "*NODAL THICKNESS\nROOT, 0.1\n"), "needs a *NODAL THICKNESS in the file of the mesh");
  expect_refused(shell(at_nodes + "*NODAL THICKNESS\nROOT, -0.1\n"), "the thickness must be > 0");
  expect_refused(shell(at_nodes + "*NODAL THICKNESS\nROOT, 0.1, 0.2\n"), "Beams have none here");
  expect_refused(shell(section + "*NORMAL\n1, 9, 0., 0., 1.\n"), "no such element has such a node");
  expect_refused(shell(section + "*NORMAL\n1, 1, 0., 0., 0.\n"), "not all 0");
  expect_refused(shell(section + "*NORMAL\n1, 1, 0., 0., -1.\n"), "element 1");
  expect_refused(shell(section + "*NORMAL, TYPE=CONTACT SURFACE\n1, 1, 0., 0., 1.\n"), "normals are those of elements");
  expect_refused(shell("*TRANSVERSE SHEAR STIFFNESS\n1.\n" + section), "belongs to a section");
  expect_refused(shell(section + "*TRANSVERSE SHEAR STIFFNESS\n-1.\n"), "a transverse shear stiffness is > 0");
  expect_refused(shell(section + "*TRANSVERSE SHEAR STIFFNESS\n1., 1., 2.\n"), "K11 K22 > K12^2");
  expect_refused(cantilever("*NORMAL\nBEAM, TIP, 1., 0., 0.\n") + step, "is along it");
  std::string solid = rod(1);
  solid.replace(solid.find("1, 0, 0, 0\n"), 10, "1, 0, 0, 0, 1.");
  expect_refused(solid + static_step("*CLOAD\nTIP, 1, 1.\n"), "the file has no shells and no beams");
}
}  // namespace symdyn::tests::in_inp_sections
