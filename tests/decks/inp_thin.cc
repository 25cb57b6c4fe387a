// Beams and shells in decks of Abaqus and CalculiX: closed forms, balance of forces, steps, conversion, what is refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/inp_model.h"

namespace symdyn::tests::in_inp_thin
{
namespace
{
const std::string steel = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2e11, 0.3\n*DENSITY\n7800.\n";

std::string list(const std::vector<int> &numbers)
{
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += std::to_string(numbers[i]) + (i + 1 < numbers.size() && i % 10 < 9 ? ", " : "\n");
  return text;
}

/// A square plate of S4 elements of 1 m, 10 mm thick; sets SKIN, EDGE, MID, RIGHT (x = 1).
std::string plate(const int n, const std::string &section = "*SHELL SECTION, ELSET=SKIN, MATERIAL=STEEL\n0.01\n")
{
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=S4, ELSET=SKIN\n";
  std::vector<int> edge, right;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
    {
      const int a = 1 + i + j * (n + 1);
      text += fmt::format("{}, {:.15g}, {:.15g}, 0.\n", a, double(i) / n, double(j) / n);
      if (i == 0 || j == 0 || i == n || j == n)
        edge.push_back(a);
      if (i == n)
        right.push_back(a);
      if (i < n && j < n)
        elements += fmt::format("{}, {}, {}, {}, {}\n", 1 + i + j * n, a, a + 1, a + n + 2, a + n + 1);
    }
  return text + elements + "*NSET, NSET=EDGE\n" + list(edge) + "*NSET, NSET=RIGHT\n" + list(right) +
         fmt::format("*NSET, NSET=MID\n{}\n", 1 + n / 2 + n / 2 * (n + 1)) + steel + section;
}

/// A pipe of two arms of 1 m along x, then along y: `n` elements B31 each; sets PIPE, ROOT, TIP.
std::string elbow(const int n, const std::string &section)
{
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=B31, ELSET=PIPE\n";
  for (int i = 0; i <= 2 * n; ++i)
    text += fmt::format("{}, {:.15g}, {:.15g}, 0.\n", i + 1, std::min(1., double(i) / n), std::max(0., double(i) / n - 1.));
  for (int i = 1; i <= 2 * n; ++i)
    elements += fmt::format("{}, {}, {}\n", i, i, i + 1);
  return text + elements + fmt::format("*NSET, NSET=ROOT\n1\n*NSET, NSET=TIP\n{}\n", 2 * n + 1) + steel + section +
         "*BOUNDARY\nROOT, 1, 6\n";
}
const std::string bar_20_50 = "*BEAM SECTION, ELSET=PIPE, MATERIAL=STEEL, SECTION=RECT\n0.02, 0.05\n0., 0., 1.\n";

const std::string printed = "*NODE PRINT, NSET=MID\nU\n*NODE PRINT, NSET=EDGE, TOTALS=ONLY\nRF\n";
double sag(const std::string &tables) { return rows_below(tables, "displacements").at(0).at(3); }
}  // namespace

/// w = 0.00126 p L^4/D of the thin clamped plate (Timoshenko, Woinowsky-Krieger 1959, table 35), proportional to p without NLGEOM. The edge
/// carries the pressure on all but the quarters and halves of cells along it.
TEST(InpThin, ClampedPlate)
{
  constexpr int n = 16;
  constexpr double p = 1e4, D = 2e11 * 1e-6 / 12. / (1. - 0.09);
  const auto run = [&](const double pressure, const std::string &options) {
    return tables_of(plate(n) + "*BOUNDARY\nEDGE, 1, 6\n" + static_step(fmt::format("*DLOAD\nSKIN, P, {}\n", pressure) + printed, options));
  };
  const std::string once = run(p, "");
  EXPECT_NEAR(sag(once), 0.00126 * p / D, 0.01 * 0.00126 * p / D);
  EXPECT_NEAR(sag(run(100. * p, "")), 100. * sag(once), 1e-9);
  EXPECT_LT(sag(run(100. * p, ", NLGEOM")), 50. * sag(once));
  EXPECT_NEAR(rows_below(once, "total force").at(0).at(2), -p * std::pow(double(n - 1) / n, 2), 1e-5 * p);
}

/// Components 4 to 6: a strip that is clamped on the left bends by moments on its right edge, nu = 0: w = M L²/(2 E I).
TEST(InpThin, RotationsAndMoments)
{
  constexpr int n = 16;
  constexpr double moment = 100., EI = 2e11 * 1e-6 / 12.;
  std::string text = plate(n);
  const std::size_t at = text.find("2e11, 0.3");
  text.replace(at, 9, "2e11, 0.0");
  text += "*NSET, NSET=LEFT, GENERATE\n1, 273, 17\n*NSET, NSET=OUTER, GENERATE\n34, 272, 17\n";
  const std::string held = "*BOUNDARY\nLEFT, 1, 6\n";
  const std::string tables =
      tables_of(text + held +
                static_step(fmt::format("*CLOAD\n17, 5, {0}\n289, 5, {0}\nOUTER, 5, {1}\n", -0.5 * moment / n, -moment / n) +
                            "*NODE PRINT, NSET=RIGHT\nU\n"));
  for (const auto &row : rows_below(tables, "displacements"))
    EXPECT_NEAR(row.at(3), moment / (2. * EI), 1e-3 * moment / (2. * EI)) << row.at(0);
}

/// Bending of both arms, torsion of the first, shear: F (2/3/EI + 1/GJ + 2/kGA), and a moment about y that bends the first arm.
TEST(InpThin, Elbow)
{
  constexpr double F = 100., M = 20., a = 0.05, b = 0.02, E = 2e11, G = E / 2.6, EI = E * a * b * b * b / 12.;
  const double GJ = G * a * b * b * b * (1. / 3. - 0.21 * b / a * (1. - std::pow(b / a, 4) / 12.));
  const double exact = F * (2. / 3. / EI + 1. / GJ + 2. / (5. / 6. * G * a * b)) - M / (2. * EI);
  const std::string tables =
      tables_of(elbow(20, bar_20_50) +
                static_step(fmt::format("*CLOAD\nTIP, 3, {}\nTIP, 5, {}\n*NODE PRINT, NSET=TIP\nU\n*NODE PRINT, NSET=ROOT\nRF\n", F, M)));
  EXPECT_NEAR(sag(tables), exact, 1e-3 * exact);
  EXPECT_NEAR(rows_below(tables, "forces (fx,fy,fz)").at(0).at(3), -F, 1e-6 * F);
}

/// First frequencies of a cantilever pipe: 1.8751² sqrt(EI/rho A)/(2 pi L²), twice.
TEST(InpThin, Frequencies)
{
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=B32, ELSET=PIPE\n";
  for (int i = 0; i <= 40; ++i)
    text += fmt::format("{}, {:.15g}, 0., 0.\n", i + 1, i / 40.);
  for (int i = 0; i < 20; ++i)
    elements += fmt::format("{}, {}, {}, {}\n", i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3);
  const std::string tables =
      tables_of(text + elements + steel + "*BEAM SECTION, ELSET=PIPE, MATERIAL=STEEL, SECTION=PIPE\n0.01, 0.001\n0., 1., 0.\n" +
                "*BOUNDARY\n1, 1, 6\n*STEP\n*FREQUENCY\n2\n*END STEP\n");
  const double I = M_PI / 4. * (std::pow(0.01, 4) - std::pow(0.009, 4)), A = M_PI * (1e-4 - 0.81e-4);
  const double exact = std::pow(1.875104069, 2) * std::sqrt(2e11 * I / (7800. * A)) / (2. * M_PI);
  std::vector<double> found;  // rows of a number of a mode, its eigenvalue, and its frequency in radians and cycles
  std::istringstream lines(tables.substr(tables.find("E I G E N V A L U E")));
  for (std::string line; found.size() < 2 && std::getline(lines, line);)
    if (double mode, eigenvalue, radians, cycles; std::istringstream(line) >> mode >> eigenvalue >> radians >> cycles)
      found.push_back(cycles);
  ASSERT_EQ(found.size(), 2u) << tables;
  for (const double frequency : found)
    EXPECT_NEAR(frequency, exact, 2e-3 * exact);
}

/// Shells with a rib of beams under gravity, then modes; OFFSET moves the rib off the skin, which stiffens it.
TEST(InpThin, RibbedPlate)
{
  constexpr int n = 8;
  std::string rib = "*ELEMENT, TYPE=B31, ELSET=RIB\n";
  for (int i = 0; i < n; ++i)
    rib += fmt::format("{}, {}, {}\n", 1000 + i, 1 + i + n / 2 * (n + 1), 2 + i + n / 2 * (n + 1));
  const auto run = [&](const double offset) {
    return tables_of(plate(n) + rib +
                     fmt::format("*BEAM SECTION, ELSET=RIB, MATERIAL=STEEL, SECTION=RECT, OFFSET1={}\n0.05, 0.01\n0., 0., 1.\n", offset) +
                     "*ELSET, ELSET=EALL\nSKIN, RIB\n*BOUNDARY\nEDGE, 1, 3\n" +
                     static_step("*DLOAD\nEALL, GRAV, 9.81, 0., 0., -1.\n" + printed));
  };
  const double off = sag(run(0.6)), on = sag(run(0.));
  EXPECT_LT(on, 0.);
  EXPECT_LT(std::abs(off), 0.6 * std::abs(on));
  EXPECT_NEAR(sag(run(-0.6)), off, 1e-9 * std::abs(off));
  // The weights of both sets add up to that of all.
  const auto weight = [&](const std::string &loads) {
    return sag(tables_of(plate(n) + rib + "*BEAM SECTION, ELSET=RIB, MATERIAL=STEEL, SECTION=RECT\n0.05, 0.01\n0., 0., 1.\n" +
                         "*BOUNDARY\nEDGE, 1, 3\n" + static_step("*DLOAD\n" + loads + printed)));
  };
  const std::string skin = "SKIN, GRAV, 9.81, 0., 0., -1.\n", beams = "RIB, GRAV, 9.81, 0., 0., -1.\n";
  EXPECT_NEAR(weight(skin) + weight(beams), on, 1e-6 * std::abs(on));
  EXPECT_LT(weight(skin), 0.5 * on);
  EXPECT_LT(weight(beams), 0.01 * on);
}

/// A rod of one number, the diameter: F L/(E pi d²/4), with a warning; two numbers are an ellipse.
TEST(InpThin, Circles)
{
  const auto stretch = [](const std::string &size) {
    const std::string tables =
        tables_of(elbow(2, "*NSET, NSET=MID\n3\n*BEAM SECTION, ELSET=PIPE, MATERIAL=STEEL, SECTION=CIRC\n" + size + "\n0., 0., 1.\n") +
                  static_step("*CLOAD\n3, 1, 1e3\n*NODE PRINT, NSET=MID\nU\n"));
    return rows_below(tables, "displacements").at(0).at(1);
  };
  const Folder folder;
  std::ofstream(folder / "model.inp") << elbow(2, "*BEAM SECTION, ELSET=PIPE, MATERIAL=STEEL, SECTION=CIRC\n0.02\n0., 0., 1.\n") +
                                             static_step("*CLOAD\n3, 1, 1e3\n");
  EXPECT_NE(run_deck(folder, folder / "model.inp").terminal.find("is the diameter of the circle, as in CalculiX"), std::string::npos);
  EXPECT_NEAR(stretch("0.02"), 1e3 / (2e11 * M_PI * 1e-4), 1e-11);
  EXPECT_NEAR(stretch("0.02, 0.04"), 0.5 * stretch("0.02"), 1e-11);
}

/// Pressures on one set, on an element given twice, and on all elements one by one add up.
TEST(InpThin, PressuresAddUp)
{
  constexpr int n = 4;
  const auto run = [](const std::string &lines) {
    return sag(tables_of(plate(n) + "*BOUNDARY\nEDGE, 1, 6\n" + static_step("*DLOAD\n" + lines + printed)));
  };
  const double once = run("SKIN, P, 3e3\n");
  EXPECT_NEAR(run("SKIN, P, 1e3\nSKIN, P, 2e3\n"), once, 1e-9);
  std::string each;
  for (int e = 1; e <= n * n; ++e)
    each += fmt::format("{0}, P, 1e3\n{0}, P, 2e3\n", e);
  EXPECT_NEAR(run(each), once, 1e-9);
  std::string single;
  for (int e = 1; e <= n * n; ++e)
    single += fmt::format("{}, P, 3e3\n", e);
  EXPECT_NEAR(run(single), once, 1e-9);
}

/// A later step gives one component: the force of the step before goes on beside the new moment; OP=NEW ends it.
TEST(InpThin, StepsOfMoments)
{
  constexpr double F = 100., M = 20., b = 0.02, EI = 2e11 * 0.05 * b * b * b / 12.;
  const std::string print = "*NODE PRINT, NSET=TIP\nU\n", second = static_step(fmt::format("*CLOAD\nTIP, 5, {}\n", M) + print),
                    third = static_step(fmt::format("*CLOAD, OP=NEW\nTIP, 5, {}\n", M) + print);
  const std::string tables = tables_of(elbow(20, bar_20_50) + static_step(fmt::format("*CLOAD\nTIP, 3, {}\n", F) + print) + second + third);
  std::vector<double> tip;
  for (auto at = tables.find("displacements"); at != std::string::npos; at = tables.find("displacements", at + 1))
    tip.push_back(sag(tables.substr(at)));
  ASSERT_EQ(tip.size(), 3u);
  EXPECT_NEAR(tip[2], -M / (2. * EI), 1e-3 * M / (2. * EI));
  EXPECT_NEAR(tip[1], tip[0] + tip[2], 1e-6 * tip[0]);
}

/// An I of unequal flanges off the line of the nodes bends under a pull at them by N e/EI, e from the line to the centroid.
TEST(InpThin, OffsetsAndProfiles)
{
  constexpr double h = 0.1, b1 = 0.06, b2 = 0.03, t = 0.005, N = 1e3, web = h - 2. * t;
  constexpr double area = (b1 + b2 + web) * t, centroid = (b1 * t * t / 2. + b2 * t * (h - t / 2.) + web * t * h / 2.) / area;
  const auto about = [](const double width, const double height, const double y) {
    return width * height * height * height / 12. + width * height * (y - centroid) * (y - centroid);
  };
  const double I2 = about(b1, t, t / 2.) + about(b2, t, h - t / 2.) + about(t, web, h / 2.), e = centroid - 0.02;
  std::string text = "*NODE\n", elements = "*ELEMENT, TYPE=B31, ELSET=PIPE\n";
  for (int i = 0; i <= 10; ++i)
    text += fmt::format("{}, {:.15g}, 0., 0.\n", i + 1, i / 10.);
  for (int i = 1; i <= 10; ++i)
    elements += fmt::format("{}, {}, {}\n", i, i, i + 1);
  // Axis 1 = y, axis 2 = x cross y = z.
  const std::string tables = tables_of(
      text + elements + "*NSET, NSET=TIP\n11\n" + steel +
      fmt::format("*BEAM SECTION, ELSET=PIPE, MATERIAL=STEEL, SECTION=I\n0.02, {}, {}, {}, {}, {}, {}\n0., 1., 0.\n", h, b1, b2, t, t, t) +
      "*BOUNDARY\n1, 1, 6\n" + static_step(fmt::format("*CLOAD\nTIP, 1, {}\n*NODE PRINT, NSET=TIP\nU\n", N)));
  const double exact = N * e / (2. * 2e11 * I2);  // the pull below the centroid bends the tip up
  EXPECT_NEAR(sag(tables), exact, 1e-3 * exact);
}

/// Layers of one material are one layer; two stiff faces on a soft core bend by D = sum of E t (t²/12 + z²)/(1 - nu²) (thin plate,
/// clamped: w = 0.00126 p/D), and their core shears as a membrane under p (0.0737 p/S). Orientations of layers are angles from that of the
/// first.
TEST(InpThin, Composite)
{
  const std::string soft = "*MATERIAL, NAME=FOAM\n*ELASTIC\n2e9, 0.3\n*DENSITY\n100.\n";
  const auto run = [&](const std::string &section) {
    return sag(tables_of(plate(16, soft + section) + "*BOUNDARY\nEDGE, 1, 6\n" + static_step("*DLOAD\nSKIN, P, 1e4\n" + printed)));
  };
  const double one = run("*SHELL SECTION, ELSET=SKIN, MATERIAL=STEEL\n0.01\n");
  EXPECT_NEAR(run("*SHELL SECTION, ELSET=SKIN, COMPOSITE\n0.004, 3, STEEL\n0.001, , STEEL, 30.\n0.005, , STEEL\n"), one, 1e-9 * one);
  constexpr double faces = 2. * 2e11 * 1e-3 * (1e-6 / 12. + 4.5e-3 * 4.5e-3), core = 2e9 * 0.512e-6 / 12., D = (faces + core) / 0.91;
  constexpr double S = 2e9 / 2.6 * 9e-3 * 9e-3 / 8e-3;  // G of the core, distance of the middles of the faces
  const double sandwich = run("*SHELL SECTION, ELSET=SKIN, COMPOSITE\n0.001, , STEEL\n0.008, , FOAM\n0.001, , STEEL\n");
  EXPECT_NEAR(sandwich, 0.00126 * 1e4 / D + 0.0737 * 1e4 / S, 0.02 * sandwich);
  const std::string ply =
      "*MATERIAL, NAME=PLY\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1.4e11, 1e10, 1e10, 0.3, 0.3, 0.4, 5e9, 5e9\n3.5e9\n*DENSITY\n1600.\n"
      "*ORIENTATION, NAME=ALONG\n1., 0., 0., 0., 1., 0.\n*ORIENTATION, NAME=TURNED\n1., 1., 0., -1., 1., 0.\n";
  const auto layup = [&](const std::string &second) {
    return run(ply + "*SHELL SECTION, ELSET=SKIN, COMPOSITE, ORIENTATION=ALONG\n0.005, , PLY, 0.\n0.005, , PLY, " + second + "\n");
  };
  EXPECT_NEAR(layup("TURNED"), layup("45."), 1e-9 * layup("45."));
  EXPECT_GT(std::abs(layup("45.") - layup("0.")), 0.01 * layup("0."));
}

/// The sign of angles: a strip of one layer at 30 degrees, clamped at x = 0, twists as it bends; from below it is at -30 degrees.
TEST(InpThin, SignOfLayerAngles)
{
  constexpr int n = 8;
  const std::string ply =
      "*MATERIAL, NAME=PLY\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1.4e11, 1e10, 1e10, 0.3, 0.3, 0.4, 5e9, 5e9\n3.5e9\n*DENSITY\n1600.\n";
  const auto orientations = [](const char *turned) {
    return fmt::format("*ORIENTATION, NAME=ALONG\n1., 0., 0., 0., 1., 0.\n*ORIENTATION, NAME=TURNED\n{}\n", turned);
  };
  const std::string
      up = orientations("0.8660254037844387, 0.5, 0., -0.5, 0.8660254037844387, 0."),
      down =
          "*ORIENTATION, NAME=ALONG\n1., 0., 0., 0., -1., 0.\n*ORIENTATION, NAME=TURNED\n0.8660254037844387, 0.5, 0., 0.5, -0.8660254037844387, 0.\n";
  const auto twist = [&](const std::string &frames, const std::string &axes) {
    const std::string tables =
        tables_of(plate(n, ply + frames + "*SHELL SECTION, ELSET=SKIN, COMPOSITE, ORIENTATION=ALONG\n0.01, , PLY, " + axes + "\n") +
                  "*NSET, NSET=LEFT, GENERATE\n1, 73, 9\n*BOUNDARY\nLEFT, ENCASTRE\n" +
                  static_step("*DLOAD\nSKIN, P, 100.\n*NODE PRINT, NSET=RIGHT\nU\n"));
    const auto rows = rows_below(tables, "displacements");
    return (rows.back().at(3) - rows.front().at(3)) / rows.front().at(3);
  };
  const double by_angle = twist(up, "30.");
  EXPECT_LT(by_angle, -0.05) << "fibres that rise to y stiffen the side that they run to";
  EXPECT_NEAR(twist(up, "-30."), -by_angle / (1. + by_angle), 1e-6) << "the mirror image";
  EXPECT_NEAR(twist(up, "TURNED"), by_angle, 1e-9);
  EXPECT_NEAR(twist(down, "TURNED"), by_angle, 1e-9) << "the same fibres, axis 3 below";
}

/// OFFSET = SPOS is 0.5.
TEST(InpThin, OffsetByName)
{
  const auto run = [&](const std::string &offset) {
    return sag(tables_of(plate(8, "*SHELL SECTION, ELSET=SKIN, MATERIAL=STEEL, OFFSET=" + offset + "\n0.01\n") + "*BOUNDARY\nEDGE, 1, 3\n" +
                         static_step("*DLOAD\nSKIN, P, 1e4\n" + printed, ", NLGEOM")));
  };
  EXPECT_EQ(run("SPOS"), run("0.5"));
  EXPECT_EQ(run("SNEG"), run("-0.5"));
  EXPECT_NE(run("SPOS"), run("SNEG"));
}

/// The numbers of a rectangle as SECTION=GENERAL (A, I11, I12, I22, J), but for the shear factor, which is 1 there.
TEST(InpThin, GeneralSection)
{
  constexpr double a = 0.02, b = 0.05, J = b * a * a * a * (1. / 3. - 0.21 * a / b * (1. - a * a * a * a / (12. * b * b * b * b)));
  const std::string numbers = fmt::format("{:.15g}, {:.15g}, 0., {:.15g}, {:.15g}", a * b, a * b * b * b / 12., b * a * a * a / 12., J);
  const std::string load = static_step("*CLOAD\nTIP, 3, 100.\n*NODE PRINT, NSET=TIP\nU\n");
  const double as_numbers =
      sag(tables_of(elbow(20, "*BEAM GENERAL SECTION, ELSET=PIPE, MATERIAL=STEEL, SECTION=GENERAL\n" + numbers + "\n0., 0., 1.\n") + load));
  EXPECT_NEAR(as_numbers, sag(tables_of(elbow(20, bar_20_50) + load)), 2e-3 * as_numbers);
}

/// Rotations of a node that two lines hold, by different sets and from different steps, and XSYMM of half of a plate.
TEST(InpThin, RotationsOfSeveralLines)
{
  const std::string load = static_step("*DLOAD\nSKIN, P, 1e4\n" + printed);
  const double once = sag(tables_of(plate(8) + "*BOUNDARY\nEDGE, 1, 6\n" + load));
  EXPECT_NEAR(sag(tables_of(plate(8) + "*BOUNDARY\nEDGE, 1, 4\nRIGHT, 5, 5\nEDGE, 5, 6\n" + load)), once, 1e-9 * once);
  const std::string half =
      "*NSET, NSET=LEFT, GENERATE\n1, 73, 9\n*NSET, NSET=LOW, GENERATE\n1, 9, 1\n*NSET, NSET=HIGH, GENERATE\n73, 81, 1\n";
  const std::string held = "*BOUNDARY\nLEFT, ENCASTRE\nLOW, ENCASTRE\nHIGH, ENCASTRE\n";
  const auto right = [&](const std::string &line) {
    return rows_below(tables_of(plate(8) + half + held + line + static_step("*DLOAD\nSKIN, P, 1e4\n*NODE PRINT, NSET=RIGHT\nU\n")),
                      "displacements")
        .at(4)
        .at(3);
  };
  EXPECT_NEAR(right("RIGHT, XSYMM\n"), right("RIGHT, 1, 1\nRIGHT, 5, 6\n"), 1e-9 * once);
  const std::string pull = "*CLOAD\nTIP, 3, 100.\n*NODE PRINT, NSET=TIP\nU\n";
  const auto tip = [&](const std::string &first, const std::string &second) {
    return sag(tables_of(elbow(8, bar_20_50) + static_step("*BOUNDARY\nTIP, " + first + "\n" + pull) +
                         static_step(second.empty() ? pull : "*BOUNDARY\nTIP, " + second + "\n" + pull)));
  };
  EXPECT_NEAR(tip("4, 5", "6, 6"), tip("4, 5", ""), 1e-6 * tip("4, 5", "")) << "about z nothing turns";
}

TEST(InpThin, Refused)
{
  const auto refused = [](const std::string &text, const std::string &words) {
    const std::string said = refusal_of(text);
    EXPECT_NE(said.find(words), std::string::npos) << "'" << words << "' is not in\n" << said;
  };
  const std::string step = static_step("*CLOAD\nMID, 3, 1.\n"), held = "*BOUNDARY\nEDGE, 1, 6\n";
  const auto section = [](const std::string &text) { return plate(4, text); };
  refused(section("*SHELL SECTION, ELSET=SKIN, MATERIAL=STEEL\n0.\n") + held + step, "the thickness must be > 0");
  refused(section("*SHELL SECTION, ELSET=SKIN, MATERIAL=IRON\n0.1\n") + held + step, "there is no *MATERIAL of this name");
  refused(section("*SHELL SECTION, ELSET=SKIN, COMPOSITE, MATERIAL=STEEL\n0.1\n") + held + step,
          "the layers of a COMPOSITE name their materials");
  refused(section("*SHELL SECTION, ELSET=SKIN, COMPOSITE\n0.1, 3, IRON\n") + held + step, "there is no *MATERIAL of this name");
  refused(section("*SHELL SECTION, ELSET=SKIN, COMPOSITE\n0., 3, STEEL\n") + held + step, "the thickness of a layer is > 0");
  refused(section("*BEAM SECTION, ELSET=SKIN, MATERIAL=STEEL, SECTION=RECT\n0.1, 0.1\n") + held + step, "Make a set of beams alone");
  refused(section("*SOLID SECTION, ELSET=SKIN, MATERIAL=STEEL\n") + held + step, "which have a *BEAM SECTION or a *SHELL SECTION");
  refused(section("") + held + step, "has no section. Add *SHELL SECTION");
  refused(plate(4) + held + static_step("*CLOAD\nMID, 7, 1.\n"), "the component of a force is 1 to 6");
  refused(plate(4) + held + static_step("*CLOAD\nMID, 6, 1.\n"), "about the normal of a shell");
  refused(plate(4) + held + static_step("*DLOAD\nSKIN, P1, 1.\n"), "beams and shells take P (a pressure on shells) and GRAV");
  refused(plate(4) + held + "*INITIAL CONDITIONS, TYPE=DISPLACEMENT\nMID, 3, 0.1\n" + step, "beams and shells start at rest positions");
  refused(plate(4) + held + "*EQUATION\n2\n1, 1, 1., 2, 1, -1.\n" + step, "in a file of beams and shells");
  refused(elbow(2, "*BEAM SECTION, ELSET=PIPE, MATERIAL=STEEL, SECTION=RECT\n0.02, 0.03, 0.04\n") + static_step("*CLOAD\nTIP, 3, 1.\n"),
          "SECTION=RECT has 2 sizes");
  refused(elbow(2, "*BEAM SECTION, ELSET=PIPE, MATERIAL=STEEL, SECTION=TUBE\n0.02\n") + static_step("*CLOAD\nTIP, 3, 1.\n"),
          "the sections are RECT, CIRC, PIPE, BOX, I and GENERAL");
  refused(elbow(2, "*BEAM GENERAL SECTION, ELSET=PIPE, MATERIAL=STEEL, SECTION=GENERAL, OFFSET1=0.5\n1e-3, 1e-7, 0., 2e-7, 1e-7\n") +
              static_step("*CLOAD\nTIP, 3, 1.\n"),
          "are in sizes of the section");
  refused("*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n*ELEMENT, TYPE=S9R, ELSET=E\n1, 1, 2, 3, 1, 2, 3, 1, 2, 3\n" + step,
          "shells have 3, 4, 6 or 8 nodes here");
}
}  // namespace symdyn::tests::in_inp_thin
