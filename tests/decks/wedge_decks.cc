#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include <vtkCell.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "tests/inp_model.h"
#include "tests/wedge_meshes.h"

// Decks of wedges, run as a user runs them.
namespace symdyn::tests::in_wedge_decks
{
namespace
{
/// A cube of wedges, held at x = 0; E = 1000, nu = 0.3, density 2.
std::string cube(const bool quadratic)
{
  return WedgeMesh{{2, 2, 2}, quadratic, false, 0.2}.text() +
         "*NSET, NSET=WALL, GENERATE\n1, 121, 5\n*NSET, NSET=TIP\n125\n*ELSET, ELSET=TWO\n6, 15\n*MATERIAL, NAME=M\n*ELASTIC\n1000., .3\n*DENSITY\n2.\n"
         "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY\nWALL, 1, 3\n";
}

const std::string pressures = "*DSLOAD\nz1, P, 30.\nx1, P, -20.\n", loads = pressures + "*DLOAD\nBODY, GRAV, 10., 0., 0.6, -0.8\n";

/// The row of an element and a point, without its numbers.
std::vector<double> of_point(const std::vector<std::vector<double>> &rows, const int element, const int point)
{
  for (const auto &row : rows)
    if (row.size() > 2 && row[0] == element && row[1] == point)
      return {row.begin() + 2, row.end()};
  ADD_FAILURE() << "no row of element " << element << ", point " << point;
  return std::vector<double>(6, 0.);
}

void expect_near(const std::vector<double> &found, const std::vector<double> &expected, const double digits)
{
  ASSERT_EQ(found.size(), expected.size());
  double largest = 0;
  for (const double value : expected)
    largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], digits * largest) << i;
}

vtkSmartPointer<vtkUnstructuredGrid> read(const std::string &file)
{
  const auto with = [&](auto reader) {
    reader->SetFileName(file.c_str());
    reader->Update();
    return vtkSmartPointer<vtkUnstructuredGrid>(reader->GetOutput());
  };
  if (file.find(".pvtu") != std::string::npos)
    return with(vtkSmartPointer<vtkXMLPUnstructuredGridReader>::New());
  return with(vtkSmartPointer<vtkXMLUnstructuredGridReader>::New());
}

/// By Gauss's theorem from the corners of its faces, which VTK gives with their normal out of the cell; of faces that are bent nearly so.
double volume_of(vtkCell *cell)
{
  double sum = 0;
  for (int f = 0; f < cell->GetNumberOfFaces(); ++f)
  {
    vtkCell *face = cell->GetFace(f);
    const int corners = cell->IsLinear() ? face->GetNumberOfPoints() : face->GetNumberOfPoints() / 2;
    for (int c = 1; c + 1 < corners; ++c)
    {
      double a[3], b[3], d[3];
      face->GetPoints()->GetPoint(0, a);
      face->GetPoints()->GetPoint(c, b);
      face->GetPoints()->GetPoint(c + 1, d);
      sum += (a[0] * (b[1] * d[2] - b[2] * d[1]) + a[1] * (b[2] * d[0] - b[0] * d[2]) + a[2] * (b[0] * d[1] - b[1] * d[0])) / 6.;
    }
  }
  return sum;
}
}  // namespace

/// ccx 2.20 on the same decks, to the digits that it prints. (Its body forces have the points of the stiffness, ours those of the mass:
/// 5e-4 on these cells.)
TEST(WedgeDecks, StaticTablesAreThoseOfCalculix)
{
  struct Reference
  {
    bool quadratic;
    std::vector<double> u, low, high;  ///< of node 125; of the elements 6 (first point) and 15 (last)
  };
  const Reference six{false,
                      {5.332638e-02, 3.773624e-04, -9.205225e-02},
                      {-2.530062e+01, -1.083261e+01, -1.080808e+01, 1.642843e+00, -2.092732e+01, -1.304494e+00},
                      {3.046668e+01, -3.081104e+00, -2.408784e+01, 1.473739e+00, -5.199554e+00, -3.829049e+00}};
  const Reference fifteen{true,
                          {5.607954e-02, 2.318502e-03, -1.022164e-01},
                          {-4.985378e+01, -1.844487e+01, -1.782958e+01, 2.199033e+00, -2.070230e+01, -3.221379e-01},
                          {2.795668e+01, -4.779122e+00, -3.596416e+01, 2.073658e+00, -2.691233e+00, 1.663868e+00}};
  for (const Reference &r : {six, fifteen})
  {
    SCOPED_TRACE(r.quadratic ? "C3D15" : "C3D6");
    const std::string tables =
        tables_of(cube(r.quadratic) + static_step(pressures + "*NODE PRINT, NSET=TIP\nU\n*EL PRINT, ELSET=TWO\nS\n"));
    const auto u = rows_below(tables, "displacements"), s = rows_below(tables, "stresses");
    ASSERT_EQ(s.size(), r.quadratic ? 18u : 4u);
    expect_near(of_node(u, 125), r.u, 1e-6);
    expect_near(of_point(s, 6, 1), r.low, 1e-6);
    expect_near(of_point(s, 15, r.quadratic ? 9 : 2), r.high, 1e-6);
  }
}

TEST(WedgeDecks, RanksAgree)
{
  for (const bool quadratic : {false, true})
  {
    const std::string deck =
        cube(quadratic) + static_step(loads) +
        "*STEP, PERTURBATION\n*FREQUENCY\n3\n*END STEP\n*STEP, NLGEOM\n*DYNAMIC, DIRECT\n0.002, 0.01\n*DSLOAD, OP=NEW\ny0, P, 5.\n"
        "*NODE PRINT, NSET=ALL\nU, RF\n*EL PRINT, ELSET=TWO\nS\n*END STEP\n";
    const std::vector<std::string> tight = {"Linear solver/Tolerance=1e-12"};
    const std::string one = tables_of(deck, tight), three = tables_of(deck, tight, 3);
    for (const std::string title : {"displacements", "forces", "stresses"})
    {
      const auto a = rows_below(one, title), b = rows_below(three, title);
      ASSERT_EQ(a.size(), b.size());
      ASSERT_FALSE(a.empty()) << title;
      for (std::size_t i = 0; i < a.size(); ++i)
        expect_near(b[i], a[i], 1e-5);
    }
  }
}

/// The types 13 and 26, positive volumes, nodes in VTK's order.
TEST(WedgeDecks, FramesReadBackOnRanks)
{
  for (const bool quadratic : {false, true})
    for (const int ranks : {1, 2})
    {
      SCOPED_TRACE((quadratic ? "C3D15 on " : "C3D6 on ") + std::to_string(ranks));
      const Folder folder;
      std::ofstream(folder / "model.inp") << cube(quadratic) << static_step(loads);
      const Outcome outcome = run_deck(folder, folder / "model.inp",
                                       {"Output/Fields=displacement, stress, averaged stress, projected stress, material",
                                        "Output/Maxima every=1", "Output/Write every=1"},
                                       ranks);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
      const std::string ending = ranks == 1 ? ".vtu" : ".pvtu";
      const auto grid = read(folder / ("results/solution-00001" + ending)), maxima = read(folder / ("results/maxima" + ending));
      ASSERT_EQ(grid->GetNumberOfCells(), 16);
      double volume = 0, largest = 0;
      vtkDataArray *u = grid->GetPointData()->GetArray("displacement"), *most = maxima->GetPointData()->GetArray("max_displacement");
      for (vtkIdType cell = 0; cell < 16; ++cell)
      {
        EXPECT_EQ(grid->GetCellType(cell), quadratic ? 26 : 13);
        EXPECT_EQ(grid->GetCell(cell)->GetNumberOfPoints(), quadratic ? 15 : 6);
        EXPECT_GT(volume_of(grid->GetCell(cell)), 0.02);
        volume += volume_of(grid->GetCell(cell));
        for (const auto &[middle, a, b] : std::vector<std::array<int, 3>>{
                 {6, 0, 1}, {7, 1, 2}, {8, 2, 0}, {9, 3, 4}, {10, 4, 5}, {11, 5, 3}, {12, 0, 3}, {13, 1, 4}, {14, 2, 5}})
          if (quadratic)
            for (int d = 0; d < 3; ++d)
            {
              const auto x = [&](const int i) { return grid->GetPoint(grid->GetCell(cell)->GetPointId(i))[d]; };
              const double A = x(a), B = x(b);
              EXPECT_NEAR(x(middle), 0.5 * (A + B), 1e-6);
            }
      }
      EXPECT_NEAR(volume, 1., 1e-2);
      for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
      {
        const double size = std::hypot(u->GetTuple3(i)[0], u->GetTuple3(i)[1], u->GetTuple3(i)[2]);
        largest = std::max(largest, size);
        EXPECT_NEAR(most->GetTuple1(i), size, 1e-6 * size);
        EXPECT_TRUE(size == 0. || grid->GetPoint(i)[0] != 0.) << "held";
      }
      EXPECT_GT(largest, 0.01);
      for (const auto &[name, components] : std::map<std::string, int>{{"cauchy_stress", 9},
                                                                       {"von_mises", 1},
                                                                       {"strain_energy_density", 1},
                                                                       {"cauchy_stress_averaged", 9},
                                                                       {"von_mises_projected", 1},
                                                                       {"material", 1}})
      {
        ASSERT_NE(grid->GetPointData()->GetArray(name.c_str()), nullptr) << name;
        EXPECT_EQ(grid->GetPointData()->GetArray(name.c_str())->GetNumberOfComponents(), components) << name;
      }
    }
}
}  // namespace symdyn::tests::in_wedge_decks
