// Frames in double precision: the same cells, points and fields as in single precision, with all digits.
#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include <vtkCell.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "tests/bad_input.h"

namespace symdyn::tests::in_precision
{
namespace
{
using Grid = vtkSmartPointer<vtkUnstructuredGrid>;

Grid last_frame(const Folder &folder)
{
  const auto with = [](auto reader, const std::string &file) {
    reader->SetFileName(file.c_str());
    reader->Update();
    return Grid(reader->GetOutput());
  };
  for (int number = 9; number >= 0; --number)
  {
    const std::string base = folder / ("results/solution-0000" + std::to_string(number));
    if (std::filesystem::exists(base + ".pvtu"))
      return with(vtkSmartPointer<vtkXMLPUnstructuredGridReader>::New(), base + ".pvtu");
    if (std::filesystem::exists(base + ".vtu"))
      return with(vtkSmartPointer<vtkXMLUnstructuredGridReader>::New(), base + ".vtu");
  }
  ADD_FAILURE() << "no frame in " << folder.path;
  return Grid::New();
}

double largest(vtkDataArray &array)
{
  double most = 0;
  for (vtkIdType i = 0; i < array.GetNumberOfTuples(); ++i)
    for (int c = 0; c < array.GetNumberOfComponents(); ++c)
      most = std::max(most, std::abs(array.GetComponent(i, c)));
  return most;
}

/// Every value at the k-th point of every cell, to the digits of single precision.
void expect_same_frame(vtkUnstructuredGrid &single, vtkUnstructuredGrid &precise, const std::string &what)
{
  constexpr double digits = 4e-7;
  ASSERT_GT(single.GetNumberOfCells(), 0) << what;
  ASSERT_EQ(single.GetNumberOfCells(), precise.GetNumberOfCells()) << what;
  EXPECT_EQ(precise.GetPoints()->GetDataType(), VTK_DOUBLE) << what;
  ASSERT_EQ(single.GetPointData()->GetNumberOfArrays(), precise.GetPointData()->GetNumberOfArrays()) << what;
  std::vector<std::pair<vtkDataArray *, vtkDataArray *>> arrays{{single.GetPoints()->GetData(), precise.GetPoints()->GetData()}};
  for (int i = 0; i < single.GetPointData()->GetNumberOfArrays(); ++i)
  {
    vtkDataArray *a = single.GetPointData()->GetArray(i), *b = precise.GetPointData()->GetArray(a->GetName());
    ASSERT_NE(b, nullptr) << what << ": " << a->GetName();
    EXPECT_EQ(b->GetDataType(), VTK_DOUBLE) << what << ": " << a->GetName();
    ASSERT_EQ(a->GetNumberOfComponents(), b->GetNumberOfComponents()) << what << ": " << a->GetName();
    arrays.emplace_back(a, b);
  }
  for (const auto &[a, b] : arrays)
  {
    const double scale = largest(*a);
    double worst = 0;
    for (vtkIdType cell = 0; cell < single.GetNumberOfCells(); ++cell)
    {
      ASSERT_EQ(single.GetCellType(cell), precise.GetCellType(cell)) << what;
      const auto points = vtkSmartPointer<vtkIdList>::New(), others = vtkSmartPointer<vtkIdList>::New();
      single.GetCellPoints(cell, points);
      precise.GetCellPoints(cell, others);
      ASSERT_EQ(points->GetNumberOfIds(), others->GetNumberOfIds()) << what;
      for (vtkIdType k = 0; k < points->GetNumberOfIds(); ++k)
        for (int c = 0; c < a->GetNumberOfComponents(); ++c)
          worst = std::max(worst, std::abs(a->GetComponent(points->GetId(k), c) - b->GetComponent(others->GetId(k), c)));
    }
    EXPECT_LE(worst, digits * scale) << what << ": " << (a->GetName() ? a->GetName() : "points") << " of " << scale;
  }
}

const std::vector<std::string> in_plane{"Mesh/Dimension=2", "Mesh/Subdivisions=2, 2", "Loads/pull/Traction=10, 3"},
    in_space{"Loads/pull/Traction=10, 3, 1"},
    all{"Output/Fields=displacement, velocity, acceleration, stress, material, averaged stress, projected stress", "Time/End time=0.02"};

void compare(std::vector<std::string> settings, const int ranks = 1, const std::string &deck = box)
{
  settings.insert(settings.end(), all.begin(), all.end());
  const Folder single, precise;
  std::string what;
  for (const std::string &setting : settings)
    what += setting + " ";
  ASSERT_EQ(run_deck(single, write_file(single, "box.prm", deck), settings, ranks).exit_code, 0) << what;
  settings.push_back("Output/Precision=double");
  const auto run = run_deck(precise, write_file(precise, "box.prm", deck), settings, ranks);
  ASSERT_EQ(run.exit_code, 0) << what << run.terminal;
  expect_same_frame(*last_frame(single), *last_frame(precise), what + std::to_string(ranks));
}

std::vector<std::string> with(std::vector<std::string> settings, const std::vector<std::string> &more)
{
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}
}  // namespace

TEST(Precision, DoubleFramesAreTheSingleOnesWithMoreDigits)
{
  for (const std::string degree : {"Mesh/Order=1", "Mesh/Order=2", "Mesh/Order=3"})
    compare(with(in_plane, {degree}));
  for (const std::string degree : {"Mesh/Order=1", "Mesh/Order=2", "Mesh/Order=3"})
    compare(with(in_space, {degree}));
  for (const std::string degree : {"Mesh/Order=1", "Mesh/Order=2"})
  {
    compare(with(in_plane, {degree, "Mesh/Cell shape=tetrahedra", "Mesh/Subdivisions=1, 1"}));
    compare(with(in_space, {degree, "Mesh/Cell shape=tetrahedra", "Mesh/Subdivisions=1, 1, 1"}));
  }
}

TEST(Precision, DoubleFramesOfOtherElementsAndRanks)
{
  compare(in_space, 2);
  compare(with(in_space, {"Mesh/Order=2", "Mesh/Element=serendipity"}));
  compare(with(in_space, {"Mesh/Element=incompatible-modes"}));
  compare(with(in_plane, {"Mesh/Element=mean-dilatation"}), 2);
}

/// The frame has the digits of the probe; a single one has seven of them.
TEST(Precision, AllDigitsOfADisplacement)
{
  const std::string probed = box + "subsection Probes\n  subsection corner\n    set Point = 1, 1, 1\n  end\nend\n";
  for (const std::string precision : {"double", "single"})
  {
    const Folder folder;
    const auto run =
        run_deck(folder, write_file(folder, "box.prm", probed), with(in_space, {"Output/Precision=" + precision, "Time/End time=0.02"}));
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    const Grid grid = last_frame(folder);
    vtkDataArray *u = grid->GetPointData()->GetArray("displacement");
    const double expected = run.history.last("corner.u_x");
    double nearest = 1.;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    {
      const double *X = grid->GetPoint(i);
      if (std::abs(X[0] - 1.) + std::abs(X[1] - 1.) + std::abs(X[2] - 1.) < 1e-6)
        nearest = std::min(nearest, std::abs(u->GetComponent(i, 0) - expected));
    }
    if (precision == "double")
      EXPECT_LE(nearest, 1e-14 * std::abs(expected));
    else
      EXPECT_GT(nearest, 1e-11 * std::abs(expected)) << "negative control";
  }
}
}  // namespace symdyn::tests::in_precision
