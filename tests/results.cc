#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkPNGReader.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <array>
#include <cmath>
#include <set>

#include "solver/csv.h"
#include "solver/error.h"
#include "solver/spectrum.h"
#include "tests/run.h"

// Results as people want them: probes, section forces, envelopes, peaks, spectra, stress at nodes; compare, plot, render.
namespace symdyn::tests
{
namespace
{
/// A cantilever of length 10 m and 1 m² under a tip load of 100 N.
const std::string cantilever = R"(
set Title = A cantilever
subsection Mesh
  set Type = beam
  set Cells = 8, 2, 2
  subsection beam
    set Length = 10
  end
end
subsection Materials
  subsection steel
    set Type = linear-elasticity
    set E = 1e7
    set nu = 0.3
    set Density = 1000
  end
end
subsection Supports
  subsection clamp
    set Boundary = root
    set Type = fixed
  end
end
subsection Loads
  subsection push
    set Type = traction
    set Boundary = tip
    set Traction = 0, -100, 0
  end
end
subsection Newton
  set Tolerance = 1e-12
end
subsection Linear solver
  set Tolerance = 1e-12
end
)";
const std::string statics = "subsection Stages\n  subsection push\n    set Type = static\n  end\nend\n";
const std::string dynamics = "subsection Time\n  set Time step = 0.01\n  set End time = 0.2\nend\nsubsection Output\n  set Write every = 1\nend\n";
const std::vector<double> cuts{1.25, 3.3, 5., 9.};  // at faces of cells, and inside of them

std::string sections()
{
  std::string text = "subsection Section forces\n";
  for (std::size_t i = 0; i < cuts.size(); ++i)
    text += "  subsection cut" + std::to_string(i) + "\n    set Point = " + std::to_string(cuts[i]) + ", 0, 0\n    set Normal = 2, 0, 0\n  end\n";
  return text + "end\n";
}

std::string deck_file(const Folder &folder, const std::string &text)
{
  const std::string name = folder / "deck.prm";
  std::ofstream(name) << text;
  return name;
}

vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::string &file)
{
  if (file.find(".pvtu") != std::string::npos)
  {
    auto reader = vtkSmartPointer<vtkXMLPUnstructuredGridReader>::New();
    reader->SetFileName(file.c_str());
    reader->Update();
    return reader->GetOutput();
  }
  auto reader = vtkSmartPointer<vtkXMLUnstructuredGridReader>::New();
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

std::vector<std::string> files_of(const std::string &pvd)
{
  std::vector<std::string> files;
  const std::string text = text_of(pvd), folder = std::filesystem::path(pvd).parent_path();
  for (std::size_t at = 0; (at = text.find("file=\"", at)) != std::string::npos; ++at)
    files.push_back(folder + "/" + text.substr(at + 6, text.find('"', at + 6) - at - 6));
  return files;
}

std::array<long, 3> place(vtkUnstructuredGrid &grid, const vtkIdType i)
{
  const double *X = grid.GetPoint(i);
  return {std::lround(X[0] * 1e4), std::lround(X[1] * 1e4), std::lround(X[2] * 1e4)};
}

Outcome tool(const Folder &folder, const std::string &line) { return command(folder, std::string(SYMDYN_BINARY) + " " + line); }
std::string has(const std::string &text, const std::string &part) { return text.find(part) == std::string::npos ? "'" + part + "' is not in: " + text : ""; }

TEST(Results, SectionForcesBalanceTheTipLoad)
{
  for (const int ranks : {1, 3})
    for (const std::string degree : {"1", "2"})
    {
      SCOPED_TRACE(degree + " on " + std::to_string(ranks));
      const Folder folder;
      const Outcome outcome = run_deck(folder, deck_file(folder, cantilever + statics + sections()), {"Mesh/Degree=" + degree}, ranks);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
      constexpr double P = 100, length = 10, small = 1e-7 * P * length;
      for (std::size_t i = 0; i < cuts.size(); ++i)
      {
        const std::string cut = "cut" + std::to_string(i);
        const auto at_end = [&](const std::string &name) { return outcome.history.last(cut + name); };
        EXPECT_NEAR(at_end(".F_y"), -P, small);
        for (const char *none : {".F_x", ".F_z", ".M_x", ".M_y"})
          EXPECT_NEAR(at_end(none), 0., small) << none;
        EXPECT_NEAR(at_end(".M_z"), -P * (length - cuts[i]), small);
        EXPECT_GT(std::abs(at_end(".M_z") + P * (length - cuts[i] - 0.1)), 100. * small) << "the moment of another place would pass, too";
      }
      EXPECT_EQ(has(outcome.history.header.back(), "cut3.M_z [N m]"), "");
    }
}

TEST(Results, SectionForcesOfLargeMotion)
{
  // Under inertia and large rotations: the cut before the load carries the load and the inertia of what hangs behind it. At rest, after damping, the shear alone.
  const Folder folder;
  const Outcome outcome = run_deck(folder, deck_file(folder, cantilever + statics + sections()),
                                   {"Materials/steel/Type=neo-hooke-log", "Materials/steel/E=2e5", "Stages/push/Increments=5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  for (std::size_t i = 0; i < cuts.size(); ++i)
    EXPECT_NEAR(outcome.history.last("cut" + std::to_string(i) + ".F_y"), -100., 1e-6);
  // Between two cuts nothing acts: M about one point differs from M about the other by the arm times F.
  const double M0 = outcome.history.last("cut0.M_z"), M2 = outcome.history.last("cut2.M_z");
  EXPECT_NEAR(M0 - M2, -100. * (cuts[2] - cuts[0]), 1e-5);
  EXPECT_GT(M0, -100. * (10. - cuts[0]) + 1.) << "the tip has moved towards the clamp";
}

TEST(Results, BadSectionsAndProbesSaySo)
{
  struct Case
  {
    std::string text, says;
  };
  const std::string probe = "subsection Probes\n  subsection p\n", end = "  end\nend\n", section = "subsection Section forces\n  subsection c\n";
  for (const Case &bad : {Case{section + "    set Point = 20, 0, 0\n    set Normal = 1, 0, 0\n" + end, "all cells lie behind the plane"},
                          {section + "    set Point = 5, 0, 0\n    set Normal = 0, 0, 0\n" + end, "must not be zero"},
                          {section + "    set Point = 5, 0\n    set Normal = 1, 0, 0\n" + end, "needs 3 components"},
                          {section + "    set Point = 5, 0, 0\n    set Normal = 1, 0, 0\n    set Cells = stel\n" + end, "no cell group 'stel'"},
                          {probe + "    set Set = tipp\n" + end, "no cell group 'tipp'; the mesh has: tip"},
                          {probe + "    set Node = 3\n" + end, "Use \"Nearest node\""},
                          {probe + "    set Set = tip\n    set Point = 10, 0, 0\n" + end, "a probe is one of both"},
                          {probe + end, "needs 3 coordinates"},
                          {"subsection Output\n  set Spectra = tap.u_y\nend\n", "history.csv has no column 'tap.u_y'"},
                          {"subsection Output\n  set Spectra window = none\nend\n", "has no effect without Spectra"}})
  {
    const Folder folder;
    const Outcome outcome = run_deck(folder, deck_file(folder, cantilever + statics + bad.text));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(has(outcome.terminal, bad.says), "");
    EXPECT_EQ(has(outcome.terminal, "deck.prm:"), "");
  }
}

TEST(Results, ProbesOfNodesAndSets)
{
  // Uniform compression of the cube 0..1, u_z = -z/1000: a node, the node nearest to a place, the mean of a boundary and of a cell group.
  const std::string deck = R"(
subsection Mesh
  set Type = file
  set File = )" SYMDYN_SOURCE R"(/tests/meshes/cube_hexahedra_22.msh
end
subsection Materials
  subsection all
    set Type = linear-elasticity
    set E = 200
    set nu = 0
    set Density = 1
    set Cells = steel, rubber
  end
end
subsection Supports
  subsection floor
    set Boundary = bottom
    set Type = fixed
  end
end
subsection Loads
  subsection push
    set Type = traction
    set Boundary = top
    set Traction = 0, 0, -0.2
  end
end
subsection Probes
  subsection node
    set Node = 14
  end
  subsection near
    set Nearest node = 0.6, 0.4, 0.9
  end
  subsection roof
    set Set = top
  end
  subsection part
    set Set = steel
  end
  subsection point
    set Point = 0.5, 0.5, 0.5
  end
end
)";
  for (const int ranks : {1, 3})
  {
    const Folder folder;
    const Outcome outcome = run_deck(folder, deck_file(folder, deck + statics), {}, ranks);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const auto &h = outcome.history;
    EXPECT_NEAR(h.last("node.u_z"), -0.5e-3, 1e-12);
    EXPECT_NEAR(h.last("point.u_z"), -0.5e-3, 1e-12);
    EXPECT_NEAR(h.last("near.u_z"), -1e-3, 1e-12);
    EXPECT_NEAR(h.last("roof.u_z"), -1e-3, 1e-12);
    EXPECT_NEAR(h.last("part.u_z"), -0.25e-3, 1e-12) << "steel is the lower half: nodes at 0 and 1/2";
  }
  const Folder folder;
  const Outcome wrong = run_deck(folder, deck_file(folder, deck + statics), {"Probes/node/Node=99"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "has no node of the number 99"), "");
}

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

TEST(Results, MaximaAreThoseOfTheFrames)
{
  for (const int ranks : {1, 3})
  {
    SCOPED_TRACE(ranks);
    const Folder folder;
    const Outcome outcome = run_deck(folder, deck_file(folder, cantilever + dynamics), {"Mesh/Degree=2", "Output/Maxima every=1"}, ranks);
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

TEST(Results, GoOnAfterARestart)
{
  const std::vector<std::string> settings{"Output/Maxima every=1", "Output/Spectra=clamp", "Output/Checkpoint every=7", "Output/Fields=displacement, quadrature stress"};
  const Folder straight, split;
  ASSERT_EQ(run_deck(straight, deck_file(straight, cantilever + dynamics), settings).exit_code, 0);
  auto shorter = settings;
  shorter.push_back("Time/End time=0.1");
  ASSERT_EQ(run_deck(split, deck_file(split, cantilever + dynamics), shorter).exit_code, 0);
  const std::string before = text_of(split / "results/peaks.csv");
  const Outcome on = command(split, "mpirun --oversubscribe --allow-run-as-root -n 3 " SYMDYN_BINARY " run --quiet --restart " + split.path + "/results --set 'Time/End time=0.2'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  EXPECT_NE(text_of(split / "results/peaks.csv"), before) << "the largest values come later";
  const Outcome same = tool(split, "compare --tolerance 1e-8 --ignore krylov,newton " + straight.path + "/results " + split.path + "/results");
  EXPECT_EQ(same.exit_code, 0) << same.terminal;
  const Outcome spectra = tool(split, "compare --tolerance 1e-7 " + (straight / "results/spectra.csv") + " " + (split / "results/spectra.csv"));
  EXPECT_EQ(spectra.exit_code, 0) << spectra.terminal;
  const CsvTable a = CsvTable::read(straight / "results/peaks.csv"), b = CsvTable::read(split / "results/peaks.csv");
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    if (a.texts[a.column("column")][i] == "clamp.R_y")
    {
      EXPECT_NEAR(a.values[a.column("maximum")][i], b.values[b.column("maximum")][i], 1e-6);
      EXPECT_EQ(a.values[a.column("time of maximum")][i], b.values[b.column("time of maximum")][i]);
    }
}

TEST(Results, PeaksHaveTheirTimes)
{
  const std::string stages = "subsection Stages\n  subsection push\n    set Type = static\n  end\n  subsection swing\n    set Type = dynamic\n  end\nend\n";
  for (const bool with_statics : {false, true})
  {
    const Folder folder;
    // Double load in the static stage; the body then swings about half of its first displacement.
    const Outcome outcome = run_deck(folder, deck_file(folder, cantilever + dynamics + stages), {"Loads/push/Amplitude=if(t < 1e-9, 1, 0.5)", "Output/Static peaks=" + std::string(with_statics ? "yes" : "no")});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const CsvTable peaks = CsvTable::read(folder / "results/peaks.csv");
    ASSERT_EQ(peaks.headers[2], "time of minimum [s]");
    bool found = false;
    for (std::size_t row = 0; row < peaks.rows(); ++row)
    {
      const std::string name = peaks.texts[0][row];
      if (name != "clamp.R_y" && name != "E_kinetic" && name != "newton")
        continue;
      found = true;
      double least = 1e300, largest_value = -1e300, when_least = 0, when_largest = 0;
      for (std::size_t i = 0; i < outcome.history.rows(); ++i)
        if (with_statics || outcome.history.stage[i] == "swing")
        {
          const double value = outcome.history[name][i], t = outcome.history["time"][i];
          if (value < least)
            least = value, when_least = t;
          if (value > largest_value)
            largest_value = value, when_largest = t;
        }
      EXPECT_EQ(peaks.values[1][row], least) << name;
      EXPECT_EQ(peaks.values[2][row], when_least) << name;
      EXPECT_EQ(peaks.values[3][row], largest_value) << name;
      EXPECT_EQ(peaks.values[4][row], when_largest) << name;
      EXPECT_EQ(peaks.texts[5][row], name == "newton" ? "1" : name == "E_kinetic" ? "J" : "N");
    }
    EXPECT_TRUE(found);
  }
}

TEST(Results, StressAtNodesAndQuadraturePoints)
{
  // Tension of a bar whose lower half is ten times as stiff: 2 Pa and 20 Pa, with the jump between the materials kept.
  const std::string deck = R"(
subsection Mesh
  set Type = file
  set File = )" SYMDYN_SOURCE R"(/tests/meshes/cube_hexahedra_22.msh
end
subsection Materials
  subsection steel
    set Type = linear-elasticity
    set E = 2000
    set nu = 0
    set Density = 1
  end
  subsection rubber
    set Type = linear-elasticity
    set E = 200
    set nu = 0
    set Density = 1
  end
end
subsection Supports
  subsection all
    set Boundary = bottom, top, sides
    set Type = displacement
    set Displacement = 0.01*x, 0, 0
  end
end
subsection Output
  set Fields = stress, averaged stress, projected stress, quadrature stress
end
)";
  for (const int ranks : {1, 3})
  {
    SCOPED_TRACE(ranks);
    const Folder folder;
    const Outcome outcome = run_deck(folder, deck_file(folder, deck + statics), {}, ranks);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const auto grid = read_grid(files_of(folder / "results/solution.pvd").back());
    for (const char *field : {"cauchy_stress", "cauchy_stress_averaged", "cauchy_stress_projected"})
    {
      vtkDataArray *array = grid->GetPointData()->GetArray(field);
      ASSERT_NE(array, nullptr) << field;
      std::set<double> found;
      for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
        found.insert(std::round(array->GetComponent(i, 0) * 1e4) / 1e4);
      EXPECT_EQ(found, (std::set<double>{2., 20.})) << field;
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
  // u_x = x²/1000 at the start: sigma = 2 E x/1000. Cells of degree 2 have it, so both rules give it. Of degree 1 the stress is constant in each cell, that of its middle: the average is right at
  // inner nodes and that of the last cell at the ends; the projection is another line.
  constexpr double slope = 2e-3 * 1e7, length = 10, cell = 2.5, small = 1e-5 * slope * length;
  for (const std::string degree : {"1", "2"})
  {
    const Folder folder;
    const Outcome outcome = run_deck(folder, deck_file(folder, cantilever + dynamics + "subsection Initial conditions\n  set Displacement = 1e-3*x^2, 0, 0\nend\n"),
                                     {"Mesh/Degree=" + degree, "Materials/steel/nu=0", "Mesh/Cells=4, 1, 1", "Time/End time=0.01", "Output/Fields=stress, averaged stress, projected stress"});
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

/// The definition.
std::vector<std::complex<double>> slow_transform(const std::vector<std::complex<double>> &x)
{
  std::vector<std::complex<double>> X(x.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t n = 0; n < x.size(); ++n)
      X[k] += x[n] * std::polar(1., -2. * std::acos(-1.) * double(k * n % x.size()) / double(x.size()));
  return X;
}

TEST(Spectra, TransformIsTheDefinition)
{
  for (std::size_t N = 1; N <= 130; N += N < 40 ? 1 : 29)
  {
    std::vector<std::complex<double>> x(N);
    for (std::size_t n = 0; n < N; ++n)
      x[n] = {std::sin(1. + 2.3 * double(n * n)), std::cos(0.7 * double(n) + 3.)};
    const auto fast = fourier(x), slow = slow_transform(x);
    double off = 0;
    for (std::size_t k = 0; k < N; ++k)
      off = std::max(off, std::abs(fast[k] - slow[k]));
    EXPECT_LT(off, 1e-13 * double(N)) << N;
  }
}

TEST(Spectra, AmplitudesOfSinusoids)
{
  for (const std::size_t N : {100, 128, 127})
  {
    std::vector<double> x(N);
    const double pi = std::acos(-1.);
    for (std::size_t n = 0; n < N; ++n)
      x[n] = 5. + 3. * std::cos(2. * pi * 7. * double(n) / double(N) + 0.4) + 0.25 * std::sin(2. * pi * 20. * double(n) / double(N));
    const auto none = amplitudes(x, Window::none), hann = amplitudes(x, Window::hann);
    ASSERT_EQ(none.size(), N / 2 + 1);
    for (const auto &spectrum : {none, hann})
    {
      EXPECT_NEAR(spectrum[0], 5., 1e-12);
      EXPECT_NEAR(spectrum[7], 3., 1e-12);
      EXPECT_NEAR(spectrum[20], 0.25, 1e-12);
      EXPECT_NEAR(spectrum[13], 0., 1e-12);
    }
    EXPECT_NEAR(none[8], 0., 1e-12);
    EXPECT_NEAR(hann[8], 1.5, 1e-12) << "the window spreads half to each neighbour";
  }
  // The highest frequency counts once.
  EXPECT_NEAR(amplitudes({1., -1., 1., -1.}, Window::none)[2], 1., 1e-15);
  // Leakage of a period that does not fit: the window is what lowers it.
  std::vector<double> leaking(128);
  for (std::size_t n = 0; n < leaking.size(); ++n)
    leaking[n] = std::sin(2. * std::acos(-1.) * 10.5 * double(n) / 128.);
  EXPECT_LT(amplitudes(leaking, Window::hann)[40], 0.02 * amplitudes(leaking, Window::none)[40]);
}

TEST(Spectra, RowsAreUniform)
{
  const auto rows = [](const std::vector<double> &t) { return uniform_rows(t, {t}, {"t"}); };
  // Rows each ten steps and the last one; a row at a restart between; a row twice.
  EXPECT_EQ(rows({0., 10., 20., 30., 40., 43.}).columns[0], (std::vector<double>{0., 10., 20., 30., 40.}));
  EXPECT_EQ(rows({0., 10., 13., 20., 30., 30., 40., 43., 50.}).columns[0], (std::vector<double>{0., 10., 20., 30., 40., 50.}));
  const UniformRows many = rows([] {
    std::vector<double> t;
    for (int i = 0; i < 5000; ++i)
      t.push_back(i * 0.001 + 1e-14 * (i % 3));
    return t;
  }());
  EXPECT_EQ(many.columns[0].size(), 5000u);
  EXPECT_NEAR(many.step, 0.001, 1e-15);
  EXPECT_THROW(rows({0., 10., 20., 40., 50., 60.}), InputError) << "a row is missing";
  EXPECT_THROW(rows({0., 1., 3., 7., 15., 31.}), InputError);
  EXPECT_THROW(rows({0., 1., 2.}), InputError);
  EXPECT_THROW(uniform_rows({0., 1., 2., 3.}, {{0., 0., std::nan(""), 0.}}, {"x"}), InputError);
}

TEST(Results, SpectrumOfAnOscillator)
{
  // 1 kg on a spring of 4 pi² N/m: 1 Hz. Rows each 2 steps; the end is none of them.
  const Folder folder;
  const Outcome outcome = run_deck(folder, deck_file(folder, R"(
set Structure = discrete
subsection Points
  set Dimension = 2
  set Report = bead
  subsection wall
    set Position = 0, 0
    set Fixed = yes
  end
  subsection bead
    set Mass = 1
    set Position = 1, 0
    set Velocity = 0.62831853071795865, 0
  end
end
subsection Springs
  subsection spring
    set From = wall
    set To = bead
    set Stiffness = 39.478417604357434
  end
end
subsection Time
  set Time step = 0.001
  set End time = 3.999
end
subsection Output
  set History every = 2
  set Spectra = bead.x, bead.v_x
  set Spectra window = none
end
)"));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const CsvTable spectra = CsvTable::read(folder / "results/spectra.csv");
  EXPECT_EQ(spectra.headers, (std::vector<std::string>{"frequency [Hz]", "bead.x [m]", "bead.v_x [m/s]"}));
  EXPECT_NEAR(spectra.values[0][4], 1., 1e-9);
  EXPECT_NEAR(spectra.values[1][4], 0.1, 1e-4);
  EXPECT_NEAR(spectra.values[2][4], 0.2 * std::acos(-1.), 1e-3);
  EXPECT_LT(spectra.values[1][3], 1e-3);
  EXPECT_NEAR(spectra.values[1][0], 1., 1e-4) << "the mean";
}

TEST(Results, OverwriteDeletesWhatARunLeavesAlone)
{
  const Folder folder;
  const std::vector<std::string> mine{"solution-notes.vtu", "solution.backup.pvd", "quadrature-1.vtu", "maxima-old.vtu", "solution-00001.png", "peaks.csv.bak"};
  const std::vector<std::string> of_a_run{"solution-00077.vtu", "solution-00077.2.vtu", "solution-00077-points.vtu", "quadrature-00077.1.vtu", "solution-00077.pvtu", "spectra.csv", "maxima.3.vtu"};
  std::filesystem::create_directories(folder / "results");
  for (const auto &names : {mine, of_a_run})
    for (const std::string &name : names)
      std::ofstream(folder / ("results/" + name)) << "kept?";
  ASSERT_EQ(run_deck(folder, deck_file(folder, cantilever + statics)).exit_code, 0);
  for (const std::string &name : mine)
    EXPECT_TRUE(std::filesystem::exists(folder / ("results/" + name))) << name;
  for (const std::string &name : of_a_run)
    EXPECT_FALSE(std::filesystem::exists(folder / ("results/" + name))) << name;
}

TEST(Results, CheckListsSetsAndQuality)
{
  const Folder folder;
  const Outcome good = tool(folder, "check " + deck_file(folder, cantilever + statics));
  EXPECT_EQ(good.exit_code, 0) << good.terminal;
  for (const char *line : {"cell group body: 32 cells, 10 m^3", "nodes of boundaries: back 27, bottom 27, front 27, root 9, tip 9, top 27",
                           "scaled Jacobian 1 to 1 (1 is best), longest over shortest edge up to 2.5"})
    EXPECT_EQ(has(good.terminal, line), "");
  EXPECT_NE(has(good.terminal, "warning"), "");
  const Outcome slender = tool(folder, "check " + deck_file(folder, cantilever + statics) + " --set Mesh/Cells=1,30,30");
  EXPECT_EQ(has(slender.terminal, "900 cells have edges of which the longest is more than 50 times the shortest, 300 times"), "");
}

TEST(Results, CompareFindsWhereRunsDiffer)
{
  const Folder folder;
  const auto table = [&](const std::string &name, const std::string &text) { std::ofstream(folder / name) << text; };
  table("a.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s,2,nan\n2,s,-4,0\n");
  table("close.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s,2.0004,nan\n2,s,-4,0\n");
  table("nan.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s,nan,nan\n2,s,-4,0\n");
  table("words.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,r,2,nan\n2,s,-4,0\n");
  table("shorter.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s,2,nan\n");
  table("fewer.csv", "time [s],stage,x [m]\n0,s,1\n1,s,2\n2,s,-4\n");
  table("unit.csv", "time [s],stage,x [mm],y [m]\n0,s,1,0\n1,s,2,nan\n2,s,-4,0\n");
  table("broken.csv", "time [s],stage,x [m],y [m]\n0,s,1,0\n1,s\n");
  const auto compared = [&](const std::string &other, const std::string &more = "") { return tool(folder, "compare " + (folder / "a.csv") + " " + (folder / other) + " " + more); };
  struct Case
  {
    std::string other, more, says;
    int code;
  };
  for (const Case &c : {Case{"a.csv", "", "4 of 4 are equal to the last bit", 0},
                        {"close.csv", "", "x       DIFFERS  1.00e-04 at 1, first beyond the tolerance at 1", 1},
                        {"close.csv", "--tolerance 1e-3", "x       same     1.00e-04 at 1", 0},
                        {"close.csv", "--ignore x", "the same within the tolerance", 0},
                        {"close.csv", "--columns y", "the same within the tolerance", 0},
                        {"nan.csv", "--tolerance 1", "nan or infinite in one of both, first at 1", 1},
                        {"words.csv", "", "'s' and 'r', first at 1", 1},
                        {"shorter.csv", "", "1 only in " + folder.path + "/a.csv, first at 2", 1},
                        {"fewer.csv", "", "only in " + folder.path + "/a.csv", 1},
                        {"unit.csv", "", "units differ: m and mm", 1},
                        {"broken.csv", "", "broken.csv:3: has 2 columns, and the titles 4", 2},
                        {"missing.csv", "", "there is no such folder or file", 2},
                        {"a.csv", "--columns xx", "has no column 'xx'; it has: x, y", 2}})
  {
    const Outcome outcome = compared(c.other, c.more);
    EXPECT_EQ(outcome.exit_code, c.code) << c.other << " " << outcome.terminal;
    EXPECT_EQ(has(outcome.terminal, c.says), "") << c.other;
  }
}

TEST(Results, CompareReadsFramesOfOtherRanks)
{
  const Folder one, three, other;
  const auto run = [&](const Folder &folder, const std::string &traction, const int ranks) {
    return run_deck(folder, deck_file(folder, cantilever + dynamics), {"Output/Write every=5", "Loads/push/Traction=" + traction}, ranks);
  };
  ASSERT_EQ(run(one, "0, -100, 0", 1).exit_code, 0);
  ASSERT_EQ(run(three, "0, -100, 0", 3).exit_code, 0);
  ASSERT_EQ(run(other, "0, -100*if(t > 0.12, 1.01, 1), 0", 1).exit_code, 0);
  const std::string ignored = "compare --tolerance 1e-8 --ignore krylov,newton ";
  const Outcome same = tool(one, ignored + one.path + "/results " + three.path + "/results"), differs = tool(one, ignored + one.path + "/results " + other.path + "/results");
  EXPECT_EQ(same.exit_code, 0) << same.terminal;
  EXPECT_EQ(differs.exit_code, 1) << differs.terminal;
  EXPECT_EQ(has(differs.terminal, "first beyond the tolerance at 0.15"), "") << "the first frame after the change";
}

TEST(Results, PlotDrawsSvg)
{
  const Folder a, b;
  const std::vector<std::string> settings{"Output/Spectra=clamp"};
  ASSERT_EQ(run_deck(a, deck_file(a, cantilever + dynamics), settings).exit_code, 0);
  ASSERT_EQ(run_deck(b, deck_file(b, cantilever + dynamics), {"Output/Spectra=clamp", "Time/Time step=0.02"}).exit_code, 0);
  const Outcome outcome = tool(a, "plot " + a.path + "/results " + b.path + "/results --output " + a.path + "/plots");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  for (const auto &[name, words] : std::map<std::string, std::vector<std::string>>{{"energy", {"E_kinetic, ", "[J]", "time [s]"}},
                                                                                   {"balance", {"Energy balance error"}},
                                                                                   {"linear-momentum", {"P_y", "[kg m/s]"}},
                                                                                   {"angular-momentum", {"J_z", "[kg m^2/s]"}},
                                                                                   {"reports-R", {"Reaction", "R [N]", "clamp.R_y, "}},
                                                                                   {"spectra-R", {"frequency [Hz]", "amplitude [N]", "1e"}}})
  {
    const std::string svg = text_of(a / ("plots/" + name + ".svg"));
    for (const std::string &word : words)
      EXPECT_EQ(has(svg.substr(0, 40) + (svg.find(word) == std::string::npos ? "" : word), word), "") << name;
    EXPECT_NE(svg.find("<polyline points=\"7"), std::string::npos) << name;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
  }
  const Outcome wrong = tool(a, "plot " + a.path + "/results --columns clamp.R_yy");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "has no column 'clamp.R_yy'; it has: clamp.R_y"), "");
}

/// Different colours of a picture, and pixels that are colourful: of the body and of the colour bar.
std::pair<std::size_t, std::size_t> colours(const std::string &png, const int width, const int height)
{
  auto reader = vtkSmartPointer<vtkPNGReader>::New();
  reader->SetFileName(png.c_str());
  reader->Update();
  int size[3];
  reader->GetOutput()->GetDimensions(size);
  EXPECT_EQ(size[0], width);
  EXPECT_EQ(size[1], height);
  std::set<std::array<int, 3>> found;
  std::size_t colourful = 0;
  for (int y = 0; y < size[1]; ++y)
    for (int x = 0; x < size[0]; ++x)
    {
      const auto *p = static_cast<const unsigned char *>(reader->GetOutput()->GetScalarPointer(x, y, 0));
      const auto [least, most] = std::minmax({p[0], p[1], p[2]});
      if (most - least > 60)
      {
        ++colourful;
        found.insert({p[0], p[1], p[2]});
      }
    }
  return {found.size(), colourful};
}

TEST(Results, RenderDrawsTheDeformedBody)
{
  const Folder folder;
  ASSERT_EQ(run_deck(folder, deck_file(folder, cantilever + dynamics), {"Output/Write every=5"}, 3).exit_code, 0);
  const std::string results = folder.path + "/results", render = "render " + results + " --size 400x300 ";
  const Outcome picture = tool(folder, render + "--scale 30 --output " + folder.path + "/last.png");
  if (picture.exit_code == 1 && picture.terminal.find("Xvfb") != std::string::npos)
    GTEST_SKIP() << picture.terminal;
  ASSERT_EQ(picture.exit_code, 0) << picture.terminal;
  const auto [count, body] = colours(folder / "last.png", 400, 300);
  EXPECT_GT(count, 100u);
  EXPECT_GT(body, 3000u);
  ASSERT_EQ(tool(folder, render + "--scale 30 --time 0.05 --output " + folder.path + "/early.png").exit_code, 0);
  ASSERT_EQ(tool(folder, render + "--scale 0 --output " + folder.path + "/still.png").exit_code, 0);
  EXPECT_NE(text_of(folder / "early.png"), text_of(folder / "last.png"));
  EXPECT_NE(text_of(folder / "still.png"), text_of(folder / "last.png")) << "the deformation is not visible";
  ASSERT_EQ(tool(folder, render + "--output " + folder.path + "/swing.gif").exit_code, 0);
  EXPECT_EQ(text_of(folder / "swing.gif").substr(0, 6), "GIF89a");
  ASSERT_EQ(tool(folder, render + "--field displacement --output " + folder.path + "/series").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "series/picture-00004.png"));
  // Points and bars beside a solid, whose frames have other fields; envelopes, which have no displacement.
  const Folder both;
  ASSERT_EQ(run_deck(both, "examples/mass-on-block.prm", {"Time/End time=0.01", "Output/Maxima every=1"}).exit_code, 0);
  for (const std::string &what : {both.path + "/results", both.path + "/results/maxima.pvd --field max_von_mises"})
  {
    const Outcome drawn = tool(both, "render " + what + " --size 400x300 --output " + both.path + "/both.png");
    ASSERT_EQ(drawn.exit_code, 0) << drawn.terminal;
    EXPECT_EQ(drawn.terminal, both.path + "/both.png\n");
    EXPECT_GT(colours(both / "both.png", 400, 300).first, 100u) << what;
  }
  const Outcome wrong = tool(folder, render + "--field von_misses");
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "has no field 'von_misses'; it has: von_mises"), "");
}

TEST(Results, RenderWithoutADisplaySaysSo)
{
  const Folder folder;
  ASSERT_EQ(run_deck(folder, deck_file(folder, cantilever + statics)).exit_code, 0);
  const Outcome outcome = command(folder, "env -u DISPLAY PATH=/nowhere " SYMDYN_BINARY " render " + folder.path + "/results");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(has(outcome.terminal, "apt-get install --no-install-recommends xvfb libgl1-mesa-dri"), "");
}
}  // namespace
}  // namespace symdyn::tests
