#include <gtest/gtest.h>

#include "tests/frames.h"

#include <vtkCell.h>

#include "tests/results_deck.h"

// Stress in frames: at nodes, at quadrature points, its envelopes.
namespace symdyn::tests::in_stress_output
{
namespace
{
/// Largest value of a field at each place, over frames: of vectors the norm.
std::map<std::array<long, 3>, double> largest(const std::vector<std::string> &files, const char *field)
{
  std::map<std::array<long, 3>, double> found;
  for (const std::string &file : files)
  {
    const auto grid = read_grid(file);
    vtkDataArray *array = grid->GetPointData()->GetArray(field);
    for (vtkIdType i = 0; array && i < grid->GetNumberOfPoints(); ++i)
    {
      double square = 0;
      for (int c = 0; c < array->GetNumberOfComponents(); ++c)
        square += std::pow(array->GetComponent(i, c), 2);
      double &kept = found[place(*grid, i)];
      kept = std::max(kept, std::sqrt(square));
    }
  }
  return found;
}

TEST(Results, MaximaAreThoseOfTheFramesOnRanks)
{
  for (const int ranks : {1, 3})
  {
    SCOPED_TRACE(ranks);
    const Folder folder;
    const Outcome outcome = run_written(folder, cantilever + dynamics, {"Mesh/Order=2", "Output/Maxima every=1"}, ranks);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const auto frames = files_of(folder / "results/solution.pvd"), maxima = files_of(folder / "results/maxima.pvd");
    ASSERT_EQ(frames.size(), 21u);
    ASSERT_EQ(maxima.size(), 1u);
    for (const auto &[of_frames, of_maxima] : {std::pair{"von_mises", "max_von_mises"}, {"displacement", "max_displacement"}})
    {
      const auto expected = largest(frames, of_frames), got = largest(maxima, of_maxima), last = largest({frames.back()}, of_frames);
      ASSERT_EQ(got.size(), 17u * 5 * 5);
      double top = 0, off = 0, off_last = 0;
      for (const auto &[X, value] : expected)
      {
        top = std::max(top, value);
        off = std::max(off, std::abs(got.at(X) - value));
        off_last = std::max(off_last, std::abs(got.at(X) - last.at(X)));
      }
      EXPECT_LT(off, 2e-6 * top) << of_frames;
      EXPECT_GT(off_last, 1e-3 * top) << "the last frame alone would pass, too";
    }
  }
}

TEST(Results, StressAtNodesAndQuadraturePointsOnRanks)
{
  // Tension of a bar whose lower half is ten times as stiff: 2 Pa and 20 Pa, with the jump between the materials kept.
  const std::string fields = "subsection Output\n  set Fields = stress, averaged stress, projected stress, quadrature stress\nend\n";
  for (const int ranks : {1, 3})
  {
    SCOPED_TRACE(ranks);
    const Folder folder;
    const Outcome outcome = run_written(folder, stretched + fields + statics, {}, ranks);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const auto grid = read_grid(files_of(folder / "results/solution.pvd").back());
    for (const char *field : {"cauchy_stress", "cauchy_stress_averaged", "cauchy_stress_projected"})
    {
      vtkDataArray *array = grid->GetPointData()->GetArray(field);
      ASSERT_NE(array, nullptr) << field;
      // Points belong to cells: those of the layer between have both stresses, each on its side.
      ASSERT_EQ(grid->GetNumberOfCells(), 8);
      for (vtkIdType c = 0; c < 8; ++c)
        for (int a = 0; a < 8; ++a)
          EXPECT_NEAR(array->GetComponent(grid->GetCell(c)->GetPointId(a), 0), grid->GetCell(c)->GetBounds()[5] < 0.75 ? 20. : 2., 1e-4)
              << field;
    }
    double volume = 0, mean = 0;
    const auto frames = files_of(folder / "results/quadrature.pvd");
    ASSERT_EQ(frames.size(), std::size_t(2 * ranks));
    for (int part = 0; part < ranks; ++part)
    {
      const auto points = read_grid(frames[ranks + part]);
      for (vtkIdType i = 0; i < points->GetNumberOfPoints(); ++i)
      {
        const double weight = points->GetPointData()->GetArray("weight")->GetTuple1(i);
        volume += weight;
        const double z = points->GetPoint(i)[2];
        EXPECT_NEAR(points->GetPointData()->GetArray("cauchy_stress")->GetComponent(i, 0), z < 0.5 ? 20. : 2., 1e-9);
        mean += weight * points->GetPointData()->GetArray("cauchy_stress")->GetComponent(i, 0);
        EXPECT_NEAR(points->GetPointData()->GetArray("displacement")->GetComponent(i, 0), 0.01 * points->GetPoint(i)[0], 1e-12);
      }
    }
    EXPECT_NEAR(volume, 1., 1e-12);
    EXPECT_NEAR(mean, 11., 1e-9);
  }
}

TEST(Results, ProjectionOfALinearStressIsExact)
{
  // u_x = x²/1000 at the start: sigma = 2 E x/1000. Cells of degree 2 have it, so both rules give it. Of degree 1 the stress is constant in
  // each cell, that of its middle: the average is right at inner nodes and that of the last cell at the ends; the projection is another
  // line.
  constexpr double slope = 2e-3 * 1e7, length = 10, cell = 2.5, small = 1e-5 * slope * length;
  for (const std::string degree : {"1", "2"})
  {
    const Folder folder;
    const Outcome outcome =
        run_written(folder, cantilever + dynamics + "subsection Initial conditions\n  set Displacement = 1e-3*x^2, 0, 0\nend\n",
                    {"Mesh/Order=" + degree, "Materials/steel/nu=0", "Mesh/Subdivisions=4, 1, 1", "Time/End time=0.01",
                     "Output/Fields=stress, averaged stress, projected stress"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const auto grid = read_grid(files_of(folder / "results/solution.pvd").front());
    double apart = 0;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    {
      const double X = grid->GetPoint(i)[0];
      const auto sigma = [&](const char *field) { return grid->GetPointData()->GetArray(field)->GetComponent(i, 0); };
      const bool end = X < 1e-6 || X > length - 1e-6;
      const double middle = X < 1e-6 ? 0.5 * cell : length - 0.5 * cell;
      EXPECT_NEAR(sigma("cauchy_stress_averaged"), slope * (end && degree == "1" ? middle : X), small);
      if (degree == "2")
      {
        EXPECT_NEAR(sigma("cauchy_stress_projected"), slope * X, small);
      }
      EXPECT_NEAR(grid->GetPointData()->GetArray("von_mises_averaged")->GetTuple1(i), std::abs(sigma("cauchy_stress_averaged")), small);
      apart = std::max(apart, std::abs(sigma("cauchy_stress_projected") - sigma("cauchy_stress_averaged")));
    }
    if (degree == "1")
    {
      EXPECT_GT(apart, 0.1 * slope * cell);
    }
  }
}

TEST(Results, StressesOfABentBodyOnRanks)
{
  // Stress that changes from cell to cell: neighbours on other ranks count in averages and projections.
  const std::string fields =
      "subsection Output\n  set Fields = displacement, stress, averaged stress, projected stress, quadrature stress\nend\n";
  const Folder one, three;
  ASSERT_EQ(run_written(one, cantilever + fields + statics).exit_code, 0);
  ASSERT_EQ(run_written(three, cantilever + fields + statics, {}, 3).exit_code, 0);
  const Outcome same = tool(one, "compare --tolerance 1e-7 --ignore krylov,newton " + one.path + "/results " + three.path + "/results");
  EXPECT_EQ(same.exit_code, 0) << same.terminal;
  EXPECT_EQ(has(same.terminal, "quadrature.pvd"), "");
  const auto files = files_of(one / "results/solution.pvd");
  double least = 1e300, most = 0;
  const auto grid = read_grid(files.back());
  for (const char *field : {"cauchy_stress_averaged", "von_mises_projected"})
    EXPECT_NE(grid->GetPointData()->GetArray(field), nullptr) << field;
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
  {
    least = std::min(least, grid->GetPointData()->GetArray("von_mises_averaged")->GetTuple1(i));
    most = std::max(most, grid->GetPointData()->GetArray("von_mises_averaged")->GetTuple1(i));
  }
  EXPECT_GT(most, 3. * least) << "a constant stress would pass, too";
}

}  // namespace
}  // namespace symdyn::tests::in_stress_output
