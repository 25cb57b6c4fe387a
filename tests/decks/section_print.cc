// *SECTION PRINT: force and moment of the stress on a surface, and its area. Where stresses are linear in an element CalculiX 2.20 has the
// same numbers, but for the points of its faces: with their rounded places and weights 20 becomes 19.9992 on four of them, 20.0016 on nine.
#include "tests/bad_input.h"
#include "tests/base_motion.h"
#include "tests/inp_model.h"

namespace symdyn::tests::in_section_print
{
namespace
{
/// The lines of numbers of a surface: force and moment; centre and normal; moment about the centre; area, tension, shear, torque, bending.
std::vector<std::vector<double>> statistics(const std::string &text, const std::string &surface)
{
  std::vector<std::vector<double>> rows;
  const auto at = text.find(" statistics for surface set " + surface + " and time");
  if (at == std::string::npos)
    return std::vector<std::vector<double>>(4, std::vector<double>(6, NAN));
  std::istringstream in(text.substr(text.find('\n', at)));
  for (std::string line; rows.size() < 4 && std::getline(in, line);)
    if (const auto first = line.find_first_not_of(' '); first != std::string::npos && std::string("-0123456789").find(line[first]) < 11)
    {
      std::istringstream words(line);
      rows.emplace_back();
      for (double value; words >> value;)
        rows.back().push_back(value);
    }
  return rows;
}

void expect_row(const std::vector<double> &row, const std::vector<double> &wanted, const double tolerance, const std::string &what = "")
{
  ASSERT_EQ(row.size(), wanted.size()) << what;
  for (std::size_t i = 0; i < row.size(); ++i)
    EXPECT_NEAR(row[i], wanted[i], tolerance) << what << " " << i;
}

std::string surface(const std::string &name, const std::string &faces) { return "*SURFACE, NAME=" + name + "\n" + faces + "\n"; }
std::string section_print(const std::string &name) { return "*SECTION PRINT, SURFACE=" + name + ", NAME=s\nSOF, SOM, SOAREA\n"; }

const std::string rod_in_tension = rod(2) + surface("tip", "2, S2") + surface("before", "1, S2") + surface("behind", "2, S1") +
                                   "*BOUNDARY\nROOT, 1\n1, 2, 3\n2, 3\n*STEP\n*STATIC\n*DLOAD\n2, P2, -20.\n";

/// Two bricks of 20 nodes, 1 m each, E = 1000 Pa, nu = 0.3, both ends moved as in tension e and bending k about z:
/// u = e x + k x y, -nu e y - k/2 (x² + nu (y² - z²)), -nu e z - nu k y z, which the element has exactly.
std::string bent_bricks(const double e, const double k)
{
  const double nu = 0.3;
  std::map<std::array<int, 3>, int> number;
  std::ostringstream nodes, elements, ends;
  for (int x = 0; x <= 4; ++x)
    for (int y = 0; y <= 2; ++y)
      for (int z = 0; z <= 2; ++z)
        if (x % 2 + y % 2 + z % 2 < 2)
        {
          const int n = int(number.size()) + 1;
          number[{x, y, z}] = n;
          const double X = 0.5 * x, Y = 0.5 * y, Z = 0.5 * z;
          nodes << n << ", " << X << ", " << Y << ", " << Z << "\n";
          if (x % 4 == 0)
            ends << n << ", 1, 1, " << e * X + k * X * Y << "\n"
                 << n << ", 2, 2, " << -nu * e * Y - 0.5 * k * (X * X + nu * (Y * Y - Z * Z)) << "\n"
                 << n << ", 3, 3, " << -nu * e * Z - nu * k * Y * Z << "\n";
        }
  const std::vector<std::array<int, 3>> places{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2},
                                               {0, 2, 2}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}, {1, 0, 2}, {2, 1, 2},
                                               {1, 2, 2}, {0, 1, 2}, {0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
  for (int brick = 0; brick < 2; ++brick)
  {
    elements << brick + 1;
    for (std::size_t i = 0; i < places.size(); ++i)
      elements << ", " << (i == 10 ? "\n" : "") << number.at({places[i][0] + 2 * brick, places[i][1], places[i][2]});
    elements << "\n";
  }
  return "*NODE, NSET=ALL\n" + nodes.str() + "*ELEMENT, TYPE=C3D20, ELSET=E\n" + elements.str() +
         "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n" + surface("FOOT", "1, S6") +
         surface("MIDDLE", "1, S4") + surface("CORNER", "2, S4\n2, S5") + "*STEP\n*STATIC\n*BOUNDARY\n" + ends.str();
}
}  // namespace

/// Uniform stress of 20 Pa; on the outer face and on both sides of the one inside. Refined cells add up to the same.
TEST(SectionPrint, UniformTension)
{
  const std::string deck =
      rod_in_tension + section_print("TIP") + section_print("before") + section_print("behind") + "*NODE PRINT, NSET=TIP\nU\n*END STEP\n";
  for (const std::string refinements : {"0", "1"})
  {
    const std::string text = tables_of(deck, {"Mesh/Refinements=" + refinements});
    for (const auto &[name, x, side] : {std::tuple{"tip", 2., 1.}, {"before", 1., 1.}, {"behind", 1., -1.}})
    {
      const auto rows = statistics(text, name);
      expect_row(rows[0], {20. * side, 0., 0., 0., 10. * side, -10. * side}, 1e-5, name);
      expect_row(rows[1], {x, 0.5, 0.5, side, 0., 0.}, 1e-6, name);
      expect_row(rows[2], {0., 0., 0.}, 1e-5, name);
      expect_row(rows[3], {1., 20., 0., 0., 0.}, 1e-5, name);
    }
  }
}

/// Faces inside and outside of a body whose stress is linear: F_x = E (e + k/2), M_y = E (e/2 + k/4), M_z = -E (e/2 + k/3).
TEST(SectionPrint, TensionAndBendingAreExact)
{
  const double e = 0.01, k = 0.02, E = 1000.;
  const auto text =
      tables_of(bent_bricks(e, k) + section_print("FOOT") + section_print("MIDDLE") + section_print("CORNER") + "*END STEP\n");
  const double F = E * (e + 0.5 * k), My = E * (0.5 * e + 0.25 * k), Mz = -E * (0.5 * e + k / 3.), bending = E * k / 12.;
  expect_row(statistics(text, "FOOT")[0], {-F, 0., 0., 0., -My, -Mz}, 1e-4);
  expect_row(statistics(text, "FOOT")[3], {1., F, 0., 0., bending}, 1e-4);
  const auto middle = statistics(text, "MIDDLE");
  expect_row(middle[0], {F, 0., 0., 0., My, Mz}, 1e-4);
  expect_row(middle[2], {0., 0., -bending}, 1e-4);
  // The second face is free of stress; the mean normal is the sum of n dA over the area, and no unit vector.
  const auto corner = statistics(text, "CORNER");
  expect_row(corner[0], {F, 0., 0., 0., My, Mz}, 1e-4);
  expect_row(corner[1], {1.75, 0.75, 0.5, 0.5, 0.5, 0.}, 1e-6);
  expect_row(corner[2], {0., 0., 0.75 * F + Mz}, 1e-4);  // CalculiX: 3.333726
  expect_row(corner[3], {2., 0.5 * F, std::hypot(0.75, 0.25) * F, 0., 0.75 * F + Mz}, 1e-4);
  // A table of a body that bends the other way is another one.
  const auto other = tables_of(bent_bricks(e, -k) + section_print("MIDDLE") + "*END STEP\n");
  EXPECT_GT(std::abs(statistics(other, "MIDDLE")[0][0] - F), 0.5 * F);
}

/// A bending bar of four bricks, whose stress jumps between cells: averaged at nodes as in CalculiX 2.20, and far from the exact 2, 0.5 and
/// -0.25 N, which the reactions have.
TEST(SectionPrint, CoarseMeshesAreThoseOfCalculix)
{
  const std::string text =
      tables_of(rod(4, "*ELASTIC\n1000., 0.3\n") + surface("foot", "1, S1") + surface("middle", "2, S2") + "*BOUNDARY\nROOT, 1, 3\n" +
                static_step("*DLOAD\n4, P2, -2.\n*CLOAD\n17, 2, 0.5\n18, 3, -0.25\n" + section_print("foot") + section_print("middle") +
                            "*NODE PRINT, NSET=ROOT, TOTALS=ONLY\nRF\n"));
  expect_row(statistics(text, "foot")[0], {-2.398976, -2.989985, 1.495787, 2.117887, -1.926202, -0.2530143}, 2e-4);
  expect_row(statistics(text, "middle")[0], {2.028276, 0.1039530, -0.06269194, 0.04167675, 1.530075, -0.04639077}, 2e-4);
  expect_row(statistics(text, "middle")[3], {1., 2.028276, 0.1213940, 0.1249992, 0.8543362}, 2e-4);
  expect_row(rows_below(text, "total force").at(0), {-2., -0.5, 0.25}, 1e-5);
}

/// With NLGEOM on the deformed surface: F S N A with S of St. Venant and Kirchhoff, n dA = det F F^-T N dA. CalculiX: 424.502, 557.285 and
/// 295.181, 230.760.
TEST(SectionPrint, LargeDisplacements)
{
  std::string deck = "*NODE, NSET=ALL\n", moved;
  for (int n = 0; n < 12; ++n)
  {
    const int z = n / 4, x = n % 4 == 1 || n % 4 == 2, y = n % 4 >= 2;
    deck += std::to_string(n + 1) + ", " + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "\n";
    const std::string node = std::to_string(n + 1);
    moved +=
        node + ", 1, 1, " + std::to_string(0.5 * z) + "\n" + node + ", 2, 2, 0.\n" + node + ", 3, 3, " + std::to_string(0.2 * z) + "\n";
  }
  deck += "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n2, 5, 6, 7, 8, 9, 10, 11, 12\n" + surface("TOP", "2, S2") +
          surface("SIDE", "2, S4") +
          "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*STEP, NLGEOM\n*STATIC\n" + "*BOUNDARY\n" + moved;
  const std::string text = tables_of(deck + section_print("TOP") + section_print("SIDE") + "*END STEP\n");
  const auto top = statistics(text, "TOP"), side = statistics(text, "SIDE");
  expect_row(top[0], {424.519, 0., 557.308, 0.5 * 557.308, 2.4 * 424.519 - 1.5 * 557.308, -0.5 * 424.519}, 2e-3);
  expect_row(top[1], {1.5, 0.5, 2.4, 0., 0., 1.}, 1e-6);
  expect_row({side[0].begin(), side[0].begin() + 3}, {295.192, 0., 230.769}, 1e-3);
  expect_row(side[1], {1.75, 0.5, 1.8, 1.2 / 1.3, 0., -0.5 / 1.3}, 1e-6);
  EXPECT_NEAR(side[3][0], 1.3, 1e-6);
}

/// A plate of thickness 0.25 m in 2-D. CalculiX integrates over one half of the thickness alone: 2 N and 0.125 m².
TEST(SectionPrint, PlaneBodiesHaveTheirThickness)
{
  const std::string text = tables_of(
      "*NODE, NSET=ALL\n1, 0, 0\n2, 1, 0\n3, 2, 0\n4, 0, 1\n5, 1, 1\n6, 2, 1\n*ELEMENT, TYPE=CPS4, ELSET=E\n1, 1, 2, 5, 4\n2, 2, 3, 6, 5\n" +
      surface("MIDDLE", "1, S2") + "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n0.25\n" +
      "*BOUNDARY\n1, 1, 2\n4, 1, 1\n*STEP\n*STATIC\n*CLOAD\n3, 1, 2.\n6, 1, 2.\n" + section_print("MIDDLE") + "*END STEP\n");
  const auto rows = statistics(text, "MIDDLE");
  expect_row(rows[0], {4., 0., 0., 0., 0., -2.}, 1e-5);
  expect_row(rows[3], {0.25, 4., 0., 0., 0.}, 1e-5);
}

/// A table of a .prm deck; a boundary of the mesh is a surface, too.
TEST(SectionPrint, OfAPrmDeck)
{
  const Folder folder;
  const auto run = [&](const std::string &entries) {
    write_file(
        folder, "bar.prm",
        "subsection Mesh\n set Type = box\n set Subdivisions = 2, 1, 1\nend\nsubsection Materials\n subsection m\n  set Type = linear-elasticity\n"
        "  set E = 1000\n  set nu = 0\n  set Density = 1\n end\nend\nsubsection Supports\n subsection foot\n  set Boundary = x-\n  set Type = fixed\n"
        " end\nend\nsubsection Loads\n subsection pull\n  set Type = traction\n  set Boundary = x+\n  set Traction = 3, 0, 0\n end\nend\n"
        "subsection Stages\n subsection pull\n  set Type = static\n end\nend\nsubsection Tables\n set File = bar.dat\n subsection tip\n" +
            entries + " end\nend\n");
    return run_deck(folder, folder / "bar.prm");
  };
  const Outcome good = run("  set Surface = x+\n  set Quantities = SOF\n");
  ASSERT_EQ(good.exit_code, 0) << good.terminal;
  EXPECT_NEAR(statistics(text_of(folder / "results/bar.dat"), "x+")[0][0], 3., 1e-6);
  for (const auto &[entries, said] : std::vector<std::pair<std::string, std::string>>{
           {"  set Surface = z\n  set Quantities = SOF\n", "'z'"},
           {"  set Surface = x+\n  set Quantities = U\n", "'U' is not known; there are: SOF"},
           {"  set Surface = x+\n  set Nodes = a\n  set Quantities = SOF\n", "give one of Nodes, Elements, Surface and Contacts"},
           {"  set Surface = x+\n  set Totals = yes\n  set Quantities = SOF\n", "bar.prm:35"},
           {"  set Surface = x+\n  set Axes = rectangular\n  set Axes points = 1, 0, 0, 0, 1, 0\n  set Quantities = SOF\n",
            "along the coordinates"}})
  {
    const Outcome bad = run(entries);
    EXPECT_EQ(bad.exit_code, 1) << entries;
    EXPECT_EQ(has(bad.terminal, said), "");
  }
}

TEST(SectionPrint, OnTwoRanks)
{
  const std::string deck = bent_bricks(0.01, 0.02) + section_print("MIDDLE") + "*END STEP\n";
  const auto one = statistics(tables_of(deck), "MIDDLE"), two = statistics(tables_of(deck, {}, 2), "MIDDLE");
  for (std::size_t row = 0; row < one.size(); ++row)
    expect_row(two[row], one[row], 1e-9);
}
}  // namespace symdyn::tests::in_section_print
