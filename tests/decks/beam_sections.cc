// Sections of beams in decks: unsymmetric bending, outlines.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/inp_model.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_beam_section_decks
{
namespace
{
constexpr double E = 2e11, nu = 0.25, G = E / (2. * (1. + nu)), L = 2., F = 1.;

/// A cantilever along x with axis 1 = z, axis 2 = -y, and forces along y and z at its tip.
std::string arm(const std::string &section_entries, const double y, const double z, const std::string &direction = "0, 0, 1")
{
  return "set Structure = discrete\n" +
         section("Points", section("root", "set Position = 0, 0, 0\nset Fixed = yes") + section("tip", "set Position = 2, 0, 0")) +
         section("Beams",
                 section("arm", "set From = root\nset To = tip\nset Elements = 8\nset Clamped = from\nset Direction = " + direction +
                                    "\nset E = 2e11\nset nu = 0.25\nset Density = 8000\nset Geometry = linear\n" + section_entries)) +
         section("Forces", section("push", fmt::format("set Points = tip\nset Force = 0, {}, {}", y, z))) +
         stages(section("load", "set Type = static"));
}

/// Displacement of the tip along y and z.
std::array<double, 2> tip(const std::string &deck, const std::vector<std::string> &settings = {})
{
  const Folder folder;
  const History history = run_well(folder, deck, settings).history;
  return {history.last("tip.y"), history.last("tip.z")};
}

/// A rectangle whose long side is 0.03 m at 30 degrees from axis 1 towards axis 2, the other one 0.01 m.
struct Turned
{
  double a = 0.03, b = 0.01, c = std::cos(M_PI / 6.), s = 0.5, A = a * b, P = b * a * a * a / 12., Q = a * b * b * b / 12.;
  double I1 = c * c * P + s * s * Q, I2 = s * s * P + c * c * Q, I12 = c * s * (P - Q);
  double J = a * b * b * b * (1. / 3. - 0.21 * b / a * (1. - std::pow(b / a, 4) / 12.));
};

/// u = (L³/(3 E) I^-1 + L/(k G A)) F in the plane of the section, I = (I1 I12; I12 I2); axis 1 is z, axis 2 is -y.
std::array<double, 2> unsymmetric_bending(const Turned &of, const double y, const double z, const double k = 5. / 6.)
{
  const double determinant = of.I1 * of.I2 - of.I12 * of.I12, bend = L * L * L / (3. * E * determinant), shear = L / (k * G * of.A);
  const double u1 = bend * (of.I2 * z + of.I12 * y) + shear * z, u2 = bend * (-of.I12 * z - of.I1 * y) - shear * y;
  return {-u2, u1};
}

void expect_same(const std::array<double, 2> &found, const std::array<double, 2> &exact, const double tolerance, const std::string &what)
{
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(found[i], exact[i], tolerance * std::hypot(exact[0], exact[1])) << what << " "
                                                                                << "yz"[i];
}
}  // namespace

/// The sign of I12 = int xi_1 xi_2 dA: a beam bends away from its load towards its soft axis; the same as numbers, as an outline, and as a
/// rectangle whose Direction is turned.
TEST(BeamSectionDecks, UnsymmetricBending)
{
  const Turned of;
  const std::string numbers =
      fmt::format("set Section = general\nset Size = {:.17g}, {:.17g}, {:.17g}, {:.17g}, {:.17g}, 0.8333333333333334, 0.8333333333333334\n",
                  of.A, of.I1, of.I2, of.I12, of.J);
  std::string corners;
  for (const auto &[x, y] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
    corners +=
        fmt::format("{}{:.17g} {:.17g}", corners.empty() ? "" : "; ", of.c * x * of.a - of.s * y * of.b, of.s * x * of.a + of.c * y * of.b);
  const std::string outline = "set Section = outline\nset Outline = " + corners + "\n";
  for (const auto &[y, z] : {std::pair{F, 0.}, {0., F}})
  {
    const auto exact = unsymmetric_bending(of, y, z);
    EXPECT_GT(exact[0] * exact[1] * of.I12, 0.) << "axis 2 is -y";
    expect_same(tip(arm(numbers, y, z)), exact, 1e-5, "numbers");
    expect_same(tip(arm(outline, y, z)), exact, 1e-5, "outline");
    expect_same(tip(arm("set Section = rectangle\nset Size = 0.03, 0.01\n", y, z, fmt::format("0, {:.17g}, {:.17g}", -of.s, of.c))), exact,
                1e-5, "turned");
    Turned wrong = of;
    wrong.I12 = -of.I12;
    const auto other = unsymmetric_bending(wrong, y, z), found = tip(arm(numbers, y, z));
    EXPECT_GT(std::hypot(found[0] - other[0], found[1] - other[1]), 0.5 * std::hypot(exact[0], exact[1])) << "the other sign";
  }
}

/// The same in .inp decks: A, I11 = int xi_2² dA, I12, I22, J of SECTION=GENERAL, and RECT whose axis 1 is turned.
TEST(BeamSectionDecks, UnsymmetricBendingOfInp)
{
  const Turned of;
  std::string mesh = "*NODE\n", elements = "*ELEMENT, TYPE=B32, ELSET=ARM\n";
  for (int i = 0; i <= 8; ++i)
    mesh += fmt::format("{}, {:.15g}, 0., 0.\n", i + 1, L * i / 8.);
  for (int i = 0; i < 8; i += 2)
    elements += fmt::format("{}, {}, {}, {}\n", i + 1, i + 1, i + 2, i + 3);
  const auto run = [&](const std::string &cards, const double y, const double z) {
    const auto row =
        rows_below(tables_of(mesh + elements + "*NSET, NSET=TIP\n9\n*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.25\n*DENSITY\n8000.\n" + cards +
                             "*BOUNDARY\n1, 1, 6\n" +
                             static_step(fmt::format("*CLOAD\nTIP, 2, {}\nTIP, 3, {}\n*NODE PRINT, NSET=TIP\nU\n", y, z))),
                   "displacements")
            .at(0);
    return std::array<double, 2>{row.at(2), row.at(3)};
  };
  const std::string
      numbers = fmt::format(
          "*BEAM GENERAL SECTION, ELSET=ARM, MATERIAL=M, SECTION=GENERAL\n{:.15g}, {:.15g}, {:.15g}, {:.15g}, {:.15g}\n0., 0., 1.\n", of.A,
          of.I2, of.I12, of.I1, of.J),
      rectangle = fmt::format("*BEAM SECTION, ELSET=ARM, MATERIAL=M, SECTION=RECT\n0.03, 0.01\n0., {:.15g}, {:.15g}\n", -of.s, of.c);
  for (const auto &[y, z] : {std::pair{F, 0.}, {0., F}})
  {
    expect_same(run(numbers, y, z), unsymmetric_bending(of, y, z, 1.), 1e-5, "numbers");
    expect_same(run(rectangle, y, z), unsymmetric_bending(of, y, z), 1e-5, "rectangle");
  }
}

/// An outline has its centroid on the line of the nodes. A channel whose web is at the low end of axis 1 = z has its shear centre beyond
/// the web: 3 b²/(h + 6 b) from it, the centroid b²/(h + 2 b) to the other side (thin walls). A load along y at the nodes twists it about
/// -x.
TEST(BeamSectionDecks, OutlineOfAChannel)
{
  const std::string channel =
      "set Section = outline\nset Outline = 0 0; 0.05 0; 0.05 0.005; 0.005 0.005; 0.005 0.095; 0.05 0.095; 0.05 0.1; 0 0.1\n";
  const Folder folder;
  const Outcome run = run_well(folder, arm(channel, F, 0.));
  constexpr double b = 0.0475, h = 0.095, t = 0.005, arm_of_load = 3. * b * b / (h + 6. * b) + b * b / (h + 2. * b),
                   GJ = G * t * t * t / 3. * (h + 2. * b);
  EXPECT_NEAR(run.history.last("tip.rot_x"), -F * arm_of_load * L / GJ, 0.05 * F * arm_of_load * L / GJ);
  const std::string said = tool(folder, "check " + (folder / "deck.prm")).terminal;
  EXPECT_NE(said.find("outline (A = 0.00095 m^2"), std::string::npos) << said;
  const auto solid = tip(arm("set Section = outline\nset Outline = 0 0; 0.05 0; 0.05 0.1; 0 0.1\n", F, 0.)),
             rectangle = tip(arm("set Section = rectangle\nset Size = 0.05, 0.1\n", F, 0.));
  EXPECT_NEAR(solid[0], rectangle[0], 1e-6 * rectangle[0]);
}

TEST(BeamSectionDecks, Refused)
{
  const auto refused = [](const std::string &entries, const std::string &words) { expect_refused(arm(entries, 0., 1.), words); };
  refused("set Section = outline\n", "= outline needs an Outline");
  refused("set Section = outline\nset Outline = 0 0; 1 0; 1\n", "corner 3 is '1': it needs 2 numbers");
  refused("set Section = outline\nset Outline = 0 0; 1 1; 1 0; 0 1\n", "meet");
  refused("set Section = outline\nset Outline = 0 0; 1 0; 0 1\nset Size = 1\n", "has no effect with Section = outline");
  refused("set Size = 1, 1\nset Outline = 0 0; 1 0; 0 1\n", "is of Section = outline");
  refused("set Section = outline\nset Outline = 0 0; 1 0; 0 1\nset Holes = 2 2; 3 2; 2 3\n", "is not inside");
  refused("set Size = 1, 1\nset Shear stiffness = 1\n", "needs two numbers > 0");
}
}  // namespace symdyn::tests::in_beam_section_decks
