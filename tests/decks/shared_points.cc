#include <gtest/gtest.h>

#include "tests/frames.h"

#include <vtkCell.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/results_deck.h"
#include "tests/shell_decks.h"

// Points of frames: shared by the cells of a material, or per cell.
namespace symdyn::tests::in_shared_points
{
namespace
{
using in_shell_decks::tube;
using Values = std::vector<double>;

/// Of points that are one where points are shared: place, and what tells points at one place apart.
using Node = std::pair<std::array<long, 3>, std::array<long, 3>>;

/// Values of a field at the nodes, a row for each cell there.
std::map<Node, std::vector<Values>> rows_of(vtkUnstructuredGrid &grid, const char *name)
{
  vtkDataArray *field = grid.GetPointData()->GetArray(name), *director = grid.GetPointData()->GetArray("d"),
               *material = grid.GetPointData()->GetArray("material");
  std::map<Node, std::vector<Values>> rows;
  EXPECT_NE(field, nullptr) << name;
  for (vtkIdType c = 0; field && c < grid.GetNumberOfCells(); ++c)
    for (vtkIdType a = 0; a < grid.GetCell(c)->GetNumberOfPoints(); ++a)
    {
      const vtkIdType i = grid.GetCell(c)->GetPointId(int(a));
      Node node{place(grid, i), {}};
      if (material)
        node.second[0] = std::lround(material->GetTuple1(i));
      for (int d = 0; director && d < 3; ++d)
        node.second[d] = std::lround(100. * director->GetComponent(i, d));
      Values row;
      for (int k = 0; k < field->GetNumberOfComponents(); ++k)
        row.push_back(field->GetComponent(i, k));
      rows[node].push_back(row);
    }
  return rows;
}

double largest_difference(const Values &a, const Values &b)
{
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    largest = std::max(largest, std::abs(a[k] - b.at(k)));
  return largest;
}

Values mean_of(const std::vector<Values> &rows)
{
  Values mean(rows.front().size(), 0.);
  for (const Values &row : rows)
    for (std::size_t k = 0; k < row.size(); ++k)
      mean[k] += row[k] / double(rows.size());
  return mean;
}

/// Each value of the shared points is the mean of those of the cells, which differ from it unless `constant`; returns the number of nodes.
std::size_t expect_means(vtkUnstructuredGrid &shared, vtkUnstructuredGrid &per_cell, const char *field, const bool constant = false)
{
  const auto got = rows_of(shared, field), of_cells = rows_of(per_cell, field);
  EXPECT_EQ(got.size(), of_cells.size());
  double scale = 0, off = 0, spread = 0;
  for (const auto &[node, rows] : of_cells)
  {
    const Values mean = mean_of(rows);
    EXPECT_EQ(got.at(node).size(), rows.size());
    for (const Values &row : got.at(node))
      off = std::max(off, largest_difference(row, mean));
    for (const Values &row : rows)
    {
      spread = std::max(spread, largest_difference(row, mean));
      scale = std::max(scale, largest_difference(row, Values(row.size(), 0.)));
    }
  }
  EXPECT_LT(off, 1e-6 * scale) << field;
  if (!constant)
  {
    EXPECT_GT(spread, 1e-2 * scale) << field << ": values of one cell would pass, too";
  }
  return of_cells.size();
}

double von_mises_of(const Values &s)
{
  return std::sqrt(0.5 * (std::pow(s[0] - s[4], 2) + std::pow(s[4] - s[8], 2) + std::pow(s[8] - s[0], 2)) +
                   3. * (s[1] * s[1] + s[5] * s[5] + s[2] * s[2]));
}

/// What follows of the mean stress: von Mises' and the principal stresses, by their invariants.
void expect_of_the_mean(vtkUnstructuredGrid &grid)
{
  const auto stress = rows_of(grid, "cauchy_stress"), mises = rows_of(grid, "von_mises"), principal = rows_of(grid, "principal_stress");
  for (const auto &[node, rows] : stress)
  {
    const Values &s = rows.front(), &p = principal.at(node).front();
    const double scale = std::abs(p[0]) + std::abs(p[2]);
    EXPECT_NEAR(mises.at(node).front()[0], von_mises_of(s), 1e-5 * scale);
    EXPECT_GE(p[0], p[1]);
    EXPECT_GE(p[1], p[2]);
    double squares = 0;
    for (const double component : s)
      squares += component * component;
    EXPECT_NEAR(p[0] + p[1] + p[2], s[0] + s[4] + s[8], 1e-5 * scale);
    EXPECT_NEAR(p[0] * p[0] + p[1] * p[1] + p[2] * p[2], squares, 1e-5 * scale * scale);
    EXPECT_NEAR(p[0] * p[1] * p[2],
                s[0] * (s[4] * s[8] - s[5] * s[5]) - s[1] * (s[1] * s[8] - s[5] * s[2]) + s[2] * (s[1] * s[5] - s[4] * s[2]),
                1e-5 * scale * scale * scale);
  }
}

/// Of all nodes, each once.
std::array<double, 3> sum_of_nodes(vtkUnstructuredGrid &grid, const char *field)
{
  std::array<double, 3> sum{};
  std::set<std::array<long, 3>> seen;
  for (const auto &[node, rows] : rows_of(grid, field))
    for (int d = 0; d < 3 && seen.count(node.first) == 0; ++d)
      sum[d] += rows.front()[d];
  return sum;
}

vtkSmartPointer<vtkUnstructuredGrid> last_frame(const Folder &folder, const std::string &collection = "solution.pvd")
{
  return read_grid(files_of(folder / "results/" + collection).back());
}

/// A block of steel below and rubber above, bent by its lid.
const std::string bent_block =
    cube_of_two(tests::elastic("steel", "2000") + tests::elastic("rubber", "200"),
                section("Supports", section("floor", "set Boundary = bottom\nset Type = fixed")) +
                    section("Loads", section("lid", "set Type = traction\nset Boundary = top\nset Traction = x*y, 0.3, 2*x")) +
                    section("Output", "set Fields = displacement, stress, strain, principal stress, reaction, material") + statics);

TEST(Results, SharedPointsHaveTheMeansOnRanks)
{
  const Folder per_cell;
  run_well(per_cell, bent_block, {"Output/Points=per cell", "Output/Precision=double"});
  const auto expected = last_frame(per_cell);
  EXPECT_EQ(expected->GetNumberOfPoints(), 64);
  for (const int ranks : {1, 3})
  {
    SCOPED_TRACE(ranks);
    const Folder folder;
    const Outcome run = run_well(folder, bent_block, {ranks == 1 ? "Output/Precision=single" : "Output/Precision=double"}, ranks);
    const auto grid = last_frame(folder);
    if (ranks == 1)
    {
      EXPECT_EQ(grid->GetNumberOfPoints(), 27 + 9) << "nodes, and those of the layer between once more";
    }
    for (const char *field : {"cauchy_stress", "strain", "strain_energy_density"})
      EXPECT_EQ(expect_means(*grid, *expected, field), 36u);
    expect_means(*grid, *expected, "displacement", true);
    expect_of_the_mean(*grid);
    const auto reaction = sum_of_nodes(*grid, "reaction");
    const std::array<double, 3> load{0.25, 0.3, 1.};
    for (int d = 0; d < 3; ++d)
    {
      EXPECT_NEAR(reaction[d], -load[d], 1e-5);
      EXPECT_NEAR(reaction[d], run.history.last(std::string("floor.R_") + "xyz"[d]), 1e-5);
    }
  }
  // With nu = 0 the stress is E times the strain, cell by cell.
  const auto strain = rows_of(*expected, "strain"), stress = rows_of(*expected, "cauchy_stress");
  std::set<long> moduli;
  for (const auto &[node, rows] : strain)
    for (std::size_t k = 0; k < rows.size(); ++k)
    {
      double product = 0, square = 0;
      for (int c = 0; c < 9; ++c)
      {
        product += stress.at(node)[k][c] * rows[k][c];
        square += rows[k][c] * rows[k][c];
      }
      moduli.insert(std::lround(product / square));
    }
  EXPECT_EQ(moduli, (std::set<long>{200, 2000}));
}

TEST(Results, ReactionsOfAMotionAreThoseOfTheColumns)
{
  const Folder folder;
  const History history = run_well(folder, cantilever + dynamics, {"Output/Fields=reaction", "Time/End time=0.05"}).history;
  const auto sum = sum_of_nodes(*last_frame(folder), "reaction");
  const double R = history.last("clamp.R_y");
  EXPECT_GT(std::abs(R - history.last("clamp.F_int_y")), 1e-3 * std::abs(R)) << "inertia would not matter";
  EXPECT_NEAR(sum[1], R, 1e-5 * std::abs(R));
}

TEST(Results, SharedPointsOfModesAndSweepsOnRanks)
{
  const std::string deck = cantilever + stages(section("sweep",
                                                       "set Type = harmonic\nset Frequencies = 1, 1\nset Points = 1\nset Stresses = "
                                                       "yes") +
                                               section("shapes", "set Type = modes\nset Modes = 2"));
  const Folder per_cell, shared;
  run_well(per_cell, deck, {"Output/Points=per cell", "Mesh/Subdivisions=4, 1, 1"});
  run_well(shared, deck, {"Mesh/Subdivisions=4, 1, 1"}, 2);
  const std::string sweep = "harmonic-sweep-real.pvd", modes = "modes-shapes.pvd";
  for (const char *field : {"stress_amplitude", "mises_max"})
    EXPECT_EQ(expect_means(*last_frame(shared, sweep), *last_frame(per_cell, sweep), field), 20u);
  EXPECT_EQ(last_frame(per_cell, modes)->GetNumberOfPoints(), 32);
  const Outcome same =
      tool(shared, fmt::format("compare --tolerance 1e-4 {}/results/{} {}/results/{}", shared.path, modes, per_cell.path, modes));
  EXPECT_EQ(same.exit_code, 0) << same.terminal;
}

/// The walls of a tube share points within each of them, not along its edges.
TEST(ShellRuns, SharedPointsEndAtFoldsOnRanks)
{
  const auto parts = [](const Folder &folder) {
    vtkSmartPointer<vtkUnstructuredGrid> last;
    for (const std::string &file : files_of(folder / "results/solution.pvd"))
      if (file.find("parts") != std::string::npos)
        last = read_grid(file);
    return last;
  };
  const Folder per_cell, one, two;
  const std::string pull = in_shell_decks::force("a", "0, 0, 1e3") + in_shell_decks::force("c", "1e3, 0, 0");
  run_well(per_cell, tube(per_cell, 2, 2) + pull, {"Output/Points=per cell"});
  run_well(one, tube(one, 2, 2) + pull);
  run_well(two, tube(two, 2, 2) + pull, {}, 2);
  EXPECT_EQ(parts(per_cell)->GetNumberOfPoints(), 16 * 8);
  EXPECT_EQ(parts(one)->GetNumberOfPoints(), 4 * 9 * 2) << "four walls of 3 x 3 nodes, above and below";
  for (const Folder *folder : {&one, &two})
    for (const char *field : {"N", "M", "stress_top"})
      expect_means(*parts(*folder), *parts(per_cell), field);
}

TEST(Results, PointsWithoutEffectAreRefused)
{
  expect_refused("set Structure = discrete\n" + section("Points", section("a", "set Position = 0, 0, 0\nset Fixed = yes")) +
                     section("Output", "set Points = shared"),
                 "Points = shared: has no effect, because there are no bodies, beams or shells");
  expect_refused(bent_block, "Points = none", {"Output/Points=none"});
}

TEST(Results, SharedPointsMakeSmallerFrames)
{
  const auto size = [](const std::string &points) {
    const Folder folder;
    run_well(folder, cantilever + statics, {"Mesh/Subdivisions=20, 4, 4", "Output/Points=" + points});
    return double(std::filesystem::file_size(files_of(folder / "results/solution.pvd").back()));
  };
  EXPECT_LT(size("shared"), 0.5 * size("per cell"));
}
}  // namespace
}  // namespace symdyn::tests::in_shared_points
