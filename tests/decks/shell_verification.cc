// Published cases of shells: decks of decks/verification against papers, NAFEMS and an independent program with the same element.
#include <gtest/gtest.h>
// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "tests/shell_decks.h"

namespace symdyn::tests::in_shell_verification
{
namespace
{
using in_shell_decks::cells;

/// The deck verification/ID.prm, in a folder that stays.
Outcome run_case(const Folder &folder, const std::string &id, const Settings &settings)
{
  Outcome run = run_deck(folder, "verification/" + id + ".prm", settings);
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  return run;
}

const Settings no_frames{"Output/Write every=never"};

History history_of(const std::string &id, const Settings &settings = {})
{
  const Folder folder;
  return run_case(folder, id, no_frames + settings).history;
}

void expect_close(const double got, const double published, const double tolerance, const std::string &what = "")
{
  EXPECT_NEAR(got, published, tolerance * std::abs(published)) << what;
}

/// Frequencies of the vibrations [Hz].
std::vector<double> frequencies_of(const std::string &id, const std::size_t rigid)
{
  const Folder folder;
  run_case(folder, id, no_frames);
  std::vector<double> all = table_of(folder / "results/modes-forms.csv").at("frequency");
  for (std::size_t i = 0; i < rigid; ++i)
    EXPECT_EQ(all.at(i), 0.) << i;
  return {all.begin() + std::ptrdiff_t(rigid), all.end()};
}

/// The middle of a cell, and its membrane forces N11, N22 [N/m].
struct CellForces
{
  std::array<double, 3> at;
  double N11, N22;
};

/// Of the cells in the last frame.
std::vector<CellForces> forces_of(const std::string &id)
{
  const Folder folder;
  run_case(folder, id, {"Output/Points=per cell"});
  std::string last;
  for (const std::string &file : files_of(folder / "results/solution.pvd"))
    if (file.find("parts") != std::string::npos)
      last = file;
  const auto grid = read_grid(last);
  EXPECT_EQ(grid->GetNumberOfPoints(), 8 * grid->GetNumberOfCells());
  vtkDataArray *N = grid->GetPointData()->GetArray("N");
  std::vector<CellForces> found;
  for (vtkIdType first = 0; first < grid->GetNumberOfPoints(); first += 8)
  {
    std::array<double, 3> middle{};
    for (vtkIdType i = first; i < first + 8; ++i)
      for (int d = 0; d < 3; ++d)
        middle[d] += grid->GetPoint(i)[d] / 8.;
    found.push_back({middle, N->GetComponent(first, 0), N->GetComponent(first, 1)});
  }
  return found;
}

/// The polynomial through (place, value) at x.
double polynomial(const std::vector<std::pair<double, double>> &values, const double x)
{
  double sum = 0;
  for (const auto &[a, value] : values)
  {
    double weight = 1;
    for (const auto &[b, ignored] : values)
      if (b != a)
        weight *= (x - b) / (a - b);
    sum += weight * value;
  }
  return sum;
}
}  // namespace

/// MacNeal, Harder 1985: 1.8248e-5, which 8 x 8 cells miss by a quarter.
TEST(ShellVerification, PinchedCylinder)
{
  for (const auto &[n, prototype] : {std::pair{8, -1.3817e-5}, {16, -1.7031e-5}, {32, -1.8065e-5}})
  {
    const double deflection = history_of("pinched-cylinder", cells(n)).last("A.z") - 300.;
    expect_close(deflection, prototype, 1e-3, std::to_string(n));
    if (n == 32)
      expect_close(deflection, -1.8248e-5, 1.5e-2);
    if (n == 8)
    {
      EXPECT_GT(std::abs(deflection + 1.8248e-5), 0.2 * 1.8248e-5);
    }
  }
}

/// MacNeal, Harder 1985; Belytschko, Wong, Stolarski 1989: the reference, and an independent program with the same element.
TEST(ShellVerification, TwistedStrip)
{
  struct Load
  {
    std::string thickness, force, column;
    double reference, prototype;
  };
  for (const Load &load : {Load{"0.32", "0, 1/1.1, 0", "tip.y", 1.754e-3, 1.752e-3},
                           {"0.32", "0, 0, 1/1.1", "tip.z", 5.424e-3, 5.4146e-3},
                           {"0.0032", "0, 1e-6/1.1, 0", "tip.y", 1.294e-3, 1.29148e-3},
                           {"0.0032", "0, 0, 1e-6/1.1", "tip.z", 5.256e-3, 5.2462e-3}})
  {
    const double u = history_of("twisted-strip", {"Shells/strip/Thickness=" + load.thickness, "Loads/shear/Force per length=" + load.force})
                         .last(load.column);
    expect_close(u, load.reference, 3e-3, load.thickness + load.column);
    expect_close(u, load.prototype, 1e-4, load.thickness + load.column);
  }
  EXPECT_LT(history_of("twisted-strip", {"Shells/strip/Thickness=0.33"}).last("tip.y"), 0.95 * 1.754e-3);
}

/// Sze, Liu, Lo 2004: the cantilever at shares of the load.
TEST(ShellVerification, CantileverOfSze)
{
  const History history = history_of("sze-1");
  const std::map<std::size_t, std::array<double, 2>> published{
      {1, {0.103, 1.309}}, {2, {0.381, 2.493}}, {5, {1.604, 4.933}}, {8, {2.705, 6.19}}, {10, {3.286, 6.698}}};
  for (const auto &[tenths, u] : published)
  {
    expect_close(10. - history["tip.x"].at(tenths), u[0], 5e-3, std::to_string(tenths));
    expect_close(history["tip.z"].at(tenths), u[1], 5e-3, std::to_string(tenths));
  }
  expect_close(10. - history.last("tip.x"), 3.293, 2e-4);
  expect_close(history.last("tip.z"), 6.705, 2e-4);
}

/// Sze, Liu, Lo 2004.
TEST(ShellVerification, SlitAnnulus)
{
  const History history = history_of("sze-slit", {"Stages/lift/Increments=10"});
  const std::map<std::size_t, std::array<double, 2>> published{{1, {4.277, 5.876}}, {2, {6.725, 9.16}}, {10, {13.891, 17.528}}};
  for (const auto &[tenths, w] : published)
  {
    expect_close(history["A.z"].at(tenths), w[0], 1e-2, std::to_string(tenths));
    expect_close(history["B.z"].at(tenths), w[1], 1e-2, std::to_string(tenths));
  }
  expect_close(history.last("A.z"), 13.791, 1e-4);
  expect_close(history.last("B.z"), 17.430, 1e-4);
}

/// The first line of the table of Sze, Liu, Lo 2004 for the hemisphere with a hole, 0.05 of the load; and MacNeal, Harder 1985, linear:
/// 0.0930 to 0.0940 under a force of 1 on a quarter.
TEST(ShellVerification, HemisphereAtSmallLoads)
{
  const History history =
      history_of("pinched-hemisphere", {"Forces/outward/Force=10, 0, 0", "Forces/inward/Force=0, -10, 0", "Stages/pinch/Increments=1"});
  expect_close(10. - history.last("B.y"), 0.955, 1.2e-2);
  expect_close(history.last("A.x") - 10., 0.855, 1.2e-2);
  expect_close(10. - history.last("B.y"), 0.9465, 1e-4);
  const Settings linear{"Shells/cap/Geometry=linear", "Forces/outward/Force=1, 0, 0", "Forces/inward/Force=0, -1, 0",
                        "Stages/pinch/Increments=1"};
  for (const auto &[n, u] : {std::pair{8, 0.09363}, {16, 0.09328}, {32, 0.09344}})
    expect_close(history_of("pinched-hemisphere", linear + cells(n)).last("A.x") - 10., u, 1e-4, std::to_string(n));
}

/// Sabir, Lock 1972; Sze, Liu, Lo 2004: the force falls between deflections of 10.75 and 25.
TEST(ShellVerification, RoofSnapsThrough)
{
  const History history = history_of("sze-roof", {"Stages/snap/Increments=12"});
  const std::map<std::size_t, double> forces{{2, 1525.9}, {4, 2203.8}, {10, 1436.9}, {12, 3612.0}};
  for (const auto &[row, force] : forces)
  {
    EXPECT_NEAR(history["A.z"].at(row), 2540. - 2.5 * double(row), 1e-9);
    expect_close(-4. * history["push.R_z"].at(row), force, 5e-4, std::to_string(row));
  }
}

/// Sze, Liu, Lo 2004, in two digits as another code prints them; 48 x 48 cells lie 0.05 % below 32 x 24.
TEST(ShellVerification, PinchedHalfCylinder)
{
  const History history = history_of("sze-semi", {"Stages/pinch/Increments=10", "Mesh/Subdivisions=24, 20"});
  const std::map<std::size_t, double> published{{1, 0.16}, {2, 0.37}, {3, 0.66}, {4, 1.13}, {5, 1.32}, {6, 1.44}, {8, 1.60}, {10, 1.71}};
  for (const auto &[tenths, w] : published)
    expect_close(1.016 - history["A.z"].at(tenths), w, 3e-2, std::to_string(tenths));
}

/// Sze, Liu, Lo 2004: 2.768 under 40000. The force grows like an exponential there.
TEST(ShellVerification, PulledCylinder)
{
  const History history = history_of("sze-pull", {"Stages/pull/Increments=14"});
  const auto force = [&](const std::size_t row) { return 4. * history["pull.R_z"].at(row); };
  expect_close(force(11), 10632., 3e-2);
  expect_close(force(14), 50364., 3e-2);
  expect_close(4.953 - history["B.y"].at(11), 3.141, 1e-3);
  expect_close(4.953 - history["B.y"].at(14), 4.675, 1e-3);
  const double w = 2.6 + 0.2 * std::log(40000. / force(13)) / std::log(force(14) / force(13));
  expect_close(w, 2.768, 1.5e-2);
}

/// NAFEMS LE3: 0.185 m; and another thickness is another answer.
TEST(ShellVerification, NafemsLe3)
{
  expect_close(history_of("le3").last("A.x") - 10., 0.185, 4e-2);
  EXPECT_LT(history_of("le3", {"Shells/skin/Thickness=0.041"}).last("A.x") - 10., 0.96 * 0.185);
}

/// NAFEMS LE5: -108 MPa. A fully integrated shell with four nodes of another program has -110.36 and -110.38 MPa on its meshes.
TEST(ShellVerification, NafemsLe5)
{
  std::map<long, double> N;  // mean of the cells on both sides of x = 2.5, by y
  for (const CellForces &cell : forces_of("le5"))
    if (cell.at[2] > 0.99 && std::abs(cell.at[0] - 2.5) < 0.4)
      N[std::lround(1e3 * cell.at[1])] += 0.5 * cell.N11;
  ASSERT_EQ(N.size(), 4u);
  const double stress = polynomial({{-0.875, N.at(-875)}, {-0.625, N.at(-625)}}, -1.) / 0.1;
  expect_close(stress, -108e6, 3e-2);
  expect_close(stress, -110.37e6, 3e-3);
}

/// NAFEMS LE1: 92.7 MPa, from the three cells next to the point. The outermost of them misses it by a third.
TEST(ShellVerification, NafemsLe1)
{
  std::vector<std::pair<double, double>> row;
  for (const CellForces &cell : forces_of("le1"))
    if (cell.at[1] < 0.047 && cell.at[0] > 1.)
      row.emplace_back(cell.at[0], cell.N22 / 0.1);
  ASSERT_EQ(row.size(), 24u);
  std::sort(row.begin(), row.end());
  row.resize(3);
  expect_close(polynomial(row, 2.), 92.7e6, 2e-2);
  EXPECT_LT(row.back().second, 0.7 * 92.7e6);
}

/// Knight 1997: 4.9352, of solids on one mesh, which refined solids pass: quadratic hexahedra have 4.951 (70 x 6 x 1), 5.008 (105 x 10 x 2)
/// and 5.019 (140 x 16 x 3, 210 x 24 x 2), this shell 4.954 (70 x 10), 5.009, 5.024 and 5.030 (280 x 40). A hook that is 5 % thicker is
/// another one.
TEST(ShellVerification, RaaschsHook)
{
  const History history = history_of("raasch");
  expect_close(history.last("tip.z") - 10., 4.9352, 3e-2);
  expect_close(history.last("tip.z") - 10., 5.019, 2e-2);
  EXPECT_NEAR(history.last("clamp.R_z"), -1., 1e-8);
  EXPECT_LT(history_of("raasch", {"Shells/skin/Thickness=2.1"}).last("tip.z") - 10., 0.9 * 4.9352);
}

/// Morley 1963: 0.0408 for thin plates. With a soft support, L/t = 100 and finer cells the deflection passes it: 32 x 32 cells have
/// 0.04038, 64 x 64 have 0.04147. With L/t = 1000 only finer cells resolve the singularity: 16 x 16 miss the value by 16 %, 64 x 64 by 6.7
/// %.
TEST(ShellVerification, MorleysPlate)
{
  expect_close(history_of("morley").last("middle.z"), 0.0408, 8e-2);
  const double thin = history_of("morley", {"Shells/skin/Thickness=0.1", "Materials/stuff/E=10920"}).last("middle.z");
  EXPECT_GT(std::abs(thin - 0.0408), 8e-2 * 0.0408);
  expect_close(thin, 0.0408, 0.17);
}

/// NAFEMS FV12, 32 x 32 cells: an independent program with the same element, and the published values.
TEST(ShellVerification, NafemsFv12)
{
  const std::vector<double> f = frequencies_of("fv12", 3), prototype{1.6218, 2.3621, 2.9274, 4.1947, 4.1947, 7.3958},
                            published{1.622, 2.36, 2.922, 4.233, 4.233, 7.416};
  for (std::size_t i = 0; i < prototype.size(); ++i)
  {
    expect_close(f.at(i), prototype[i], 1e-4, std::to_string(i));
    expect_close(f.at(i), published[i], 1e-2, std::to_string(i));
  }
}

/// NAFEMS FV13 and FV16: the same program; published values of one mesh.
TEST(ShellVerification, NafemsFv13AndFv16)
{
  struct Case
  {
    const char *deck;
    std::vector<double> prototype, published;
  };
  for (const auto &[deck, prototype, published] :
       {Case{"fv13", {2.3791, 5.9636, 5.9636, 9.5444, 11.9937, 11.9937}, {2.377, 5.942, 5.942, 9.507, 11.884, 11.884}},
        Case{"fv16", {0.4182, 1.0256, 2.5859, 3.2951, 3.7564, 6.5858}, {0.421, 1.029, 2.582, 3.306, 3.753, 6.555}}})
  {
    const std::vector<double> f = frequencies_of(deck, 0);
    for (std::size_t i = 0; i < prototype.size(); ++i)
    {
      expect_close(f.at(i), prototype[i], 1.5e-4, deck + std::to_string(i));
      expect_close(f.at(i), published[i], 1e-2, deck + std::to_string(i));
    }
  }
}

/// NAFEMS FV21. 32 x 32 cells: with 16 x 16 the modes of three half waves lie 3.4 % above, outside of the 2 % of this case. Mindlin's plate
/// (k = 5/6, rotatory inertia) has 45.911, 109.528, 168.073, 204.782, 256.907 Hz.
TEST(ShellVerification, NafemsFv21)
{
  const std::vector<double> f = frequencies_of("fv21", 0), mindlin{45.911, 109.528, 109.528, 168.073, 204.782, 204.782, 256.907, 256.907},
                            published{45.897, 109.44, 109.44, 167.89, 204.51, 204.51, 256.5, 256.5};
  for (std::size_t i = 0; i < published.size(); ++i)
  {
    expect_close(f.at(i), published[i], 2e-2, std::to_string(i));
    expect_close(f.at(i), mindlin[i], 1e-2, std::to_string(i));
  }
}
}  // namespace symdyn::tests::in_shell_verification
