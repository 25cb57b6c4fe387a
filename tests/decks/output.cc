#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <cmath>
#include <set>

#include "tests/run.h"

// What a run leaves, read back with VTK.
namespace symdyn::tests::in_output
{
namespace
{
template <class Reader>
vtkSmartPointer<vtkUnstructuredGrid> read(const std::string &file)
{
  auto reader = vtkSmartPointer<Reader>::New();
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

vtkSmartPointer<vtkUnstructuredGrid> read_frame(const std::string &folder, const std::string &file)
{
  return file.find(".pvtu") != std::string::npos ? read<vtkXMLPUnstructuredGridReader>(folder + "/" + file)
                                                 : read<vtkXMLUnstructuredGridReader>(folder + "/" + file);
}

/// (time, file) of a collection.
std::vector<std::pair<double, std::string>> read_collection(const std::string &file)
{
  std::vector<std::pair<double, std::string>> frames;
  const std::string text = text_of(file);
  for (std::size_t at = 0; (at = text.find("timestep=\"", at)) != std::string::npos; ++at)
  {
    const std::size_t name = text.find("file=\"", at) + 6;
    frames.emplace_back(std::stod(text.substr(at + 10)), text.substr(name, text.find('"', name) - name));
  }
  return frames;
}

struct Case
{
  std::string what;
  std::vector<std::string> settings;
  int ranks, cell_type;
};

TEST(Output, PointsAndBarsReadBackOnRanks)
{
  const Folder folder;
  const Outcome outcome = run_deck(folder, "papers/truss-ring.prm", {"Time/End time=0.2", "Output/Write every=10"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto frames = read_collection(folder / "results/solution.pvd");
  ASSERT_EQ(frames.size(), 3u);
  const auto grid = read_frame(folder / "results", frames.back().second);
  constexpr int points = 20, bars = 40, vertex = 1, line = 3;
  ASSERT_EQ(grid->GetNumberOfPoints(), points);
  ASSERT_EQ(grid->GetNumberOfCells(), points + bars);
  EXPECT_EQ(grid->GetCellType(points - 1), vertex);
  EXPECT_EQ(grid->GetCellType(points), line);
  const double *X = grid->GetPoint(5), *u = grid->GetPointData()->GetArray("displacement")->GetTuple3(5);
  EXPECT_NEAR(X[1] + u[1], outcome.history.last("ring5.y"), 1e-15);
  EXPECT_NEAR(grid->GetPointData()->GetArray("velocity")->GetTuple3(5)[0], outcome.history.last("ring5.v_x"), 1e-15);
  EXPECT_EQ(grid->GetPointData()->GetArray("mass")->GetTuple1(3), 0.05);
  EXPECT_NE(grid->GetPointData()->GetArray("acceleration"), nullptr);
  for (const char *deck : {"kmow-conservative", "kmow-dissipative"})
  {
    const Outcome oscillator = run_deck(folder, std::string("papers/") + deck + ".prm");
    EXPECT_EQ(oscillator.exit_code, 0) << oscillator.terminal;
    EXPECT_EQ(oscillator.history.rows(), 101u);
  }
  const Outcome two = run_deck(folder, "papers/truss-ring.prm", {"Time/End time=0.1"}, 2),
                one = run_deck(folder, "papers/truss-ring.prm", {"Time/End time=0.1"});
  EXPECT_EQ(two.exit_code, 0) << two.terminal;
  EXPECT_EQ(two.history.rows(), one.history.rows());
  EXPECT_NEAR(two.history.last("ring5.y"), one.history.last("ring5.y"), 1e-12);
}

TEST(Output, FramesReadBackOnRanks)
{
  const Case cases[] = {{"Q1", {}, 1, 12},
                        {"Q2, two ranks", {"Mesh/Order=2"}, 2, 72},
                        {"P1", {"Mesh/Cell shape=tetrahedra"}, 1, 10},
                        {"P2", {"Mesh/Cell shape=tetrahedra", "Mesh/Order=2"}, 1, 24}};
  for (const Case &c : cases)
  {
    SCOPED_TRACE(c.what);
    const Folder folder;
    std::vector<std::string> settings = c.settings;
    for (const char *setting : {"Mesh/Subdivisions=4, 1, 1", "Time/End time=0.04", "Output/Write every=2"})
      settings.push_back(setting);
    const Outcome outcome = run_deck(folder, "verification/implicit-beam.prm", settings, c.ranks);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const auto frames = read_collection(folder / "results/solution.pvd");
    ASSERT_EQ(frames.size(), 3u);
    for (std::size_t f = 0; f < frames.size(); ++f)
    {
      EXPECT_NEAR(frames[f].first, 0.02 * f, 1e-12);
      const auto grid = read_frame(folder / "results", frames[f].second);
      ASSERT_GT(grid->GetNumberOfCells(), 0);
      EXPECT_EQ(grid->GetCellType(0), c.cell_type);
      vtkPointData *data = grid->GetPointData();
      for (const auto &[name, components] : std::map<std::string, int>{{"displacement", 3},
                                                                       {"velocity", 3},
                                                                       {"acceleration", 3},
                                                                       {"cauchy_stress", 9},
                                                                       {"von_mises", 1},
                                                                       {"strain_energy_density", 1},
                                                                       {"material", 1}})
      {
        ASSERT_NE(data->GetArray(name.c_str()), nullptr) << name;
        EXPECT_EQ(data->GetArray(name.c_str())->GetNumberOfComponents(), components) << name;
      }
      // The corner (10, 1, 1) moves as the probe says (files hold single precision).
      bool found = false;
      for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
      {
        const double *X = grid->GetPoint(i);
        if (std::abs(X[0] - 10.) + std::abs(X[1] - 1.) + std::abs(X[2] - 1.) > 1e-5)
          continue;
        found = true;
        const double u_y = outcome.history.at(0.02 * f, "tip.u_y");
        EXPECT_NEAR(data->GetArray("displacement")->GetTuple(i)[1], u_y, 1e-6 * (1. + std::abs(u_y)));
      }
      EXPECT_TRUE(found);
    }
  }
}

TEST(Output, StressOfUniformStretch)
{
  // A bar under uniform uniaxial stress: sigma_xx = E eps, all else zero, psi = sigma eps / 2.
  const Folder folder;
  const std::string deck = folder / "bar.prm";
  std::ofstream(deck) << R"(
subsection Mesh
  set Type = box
  set Subdivisions = 2, 2, 2
end
subsection Materials
  subsection body
    set Type = linear-elasticity
    set E = 200
    set nu = 0.3
    set Density = 1
  end
end
subsection Supports
  subsection x
    set Boundary = x-
    set Type = symmetry
  end
  subsection y
    set Boundary = y-
    set Type = symmetry
  end
  subsection z
    set Boundary = z-
    set Type = symmetry
  end
end
subsection Loads
  subsection pull
    set Type = traction
    set Boundary = x+
    set Traction = 4, 0, 0
  end
end
subsection Stages
  subsection pull
    set Type = static
  end
end
)";
  const Outcome outcome = run_deck(folder, deck);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto frames = read_collection(folder / "results/solution.pvd");
  const auto grid = read_frame(folder / "results", frames.back().second);
  vtkPointData *data = grid->GetPointData();
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
  {
    const double *sigma = data->GetArray("cauchy_stress")->GetTuple(i);
    for (int k = 0; k < 9; ++k)
      EXPECT_NEAR(sigma[k], k == 0 ? 4. : 0., 1e-5);
    EXPECT_NEAR(data->GetArray("von_mises")->GetTuple(i)[0], 4., 1e-5);
    EXPECT_NEAR(data->GetArray("strain_energy_density")->GetTuple(i)[0], 0.5 * 4. * 4. / 200., 1e-7);
  }
  EXPECT_NEAR(outcome.history.last("x.R_x"), -4., 1e-9);
  EXPECT_NEAR(outcome.history.last("E_potential"), 0.04, 1e-10);
  EXPECT_NEAR(outcome.history.last("W_external"), 0.04, 1e-10);
}

TEST(Output, HistoryAndSummary)
{
  const Folder folder;
  const Outcome outcome = run_deck(folder, "verification/cantilever-stvk.prm", {"Time/End time=2e-5", "Output/History every=2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const std::vector<std::string> expected{"time [s]",
                                          "step [s]",
                                          "stage",
                                          "E_kinetic [mJ]",
                                          "E_potential [mJ]",
                                          "W_external [mJ]",
                                          "E_dissipated [mJ]",
                                          "E_total [mJ]",
                                          "E_balance_error [mJ]",
                                          "P_x [t mm/s]",
                                          "P_y [t mm/s]",
                                          "P_z [t mm/s]",
                                          "J_x [t mm^2/s]",
                                          "J_y [t mm^2/s]",
                                          "J_z [t mm^2/s]",
                                          "Pc_x [t mm/s]",
                                          "Pc_y [t mm/s]",
                                          "Pc_z [t mm/s]",
                                          "Jc_x [t mm^2/s]",
                                          "Jc_y [t mm^2/s]",
                                          "Jc_z [t mm^2/s]",
                                          "newton",
                                          "krylov",
                                          "tip.u_x [mm]",
                                          "tip.u_y [mm]",
                                          "tip.u_z [mm]",
                                          "tip.v_x [mm/s]",
                                          "tip.v_y [mm/s]",
                                          "tip.v_z [mm/s]",
                                          "tip.a_x [mm/s^2]",
                                          "tip.a_y [mm/s^2]",
                                          "tip.a_z [mm/s^2]",
                                          "clamp.F_int_x [N]",
                                          "clamp.F_int_y [N]",
                                          "clamp.F_int_z [N]",
                                          "clamp.R_x [N]",
                                          "clamp.R_y [N]",
                                          "clamp.R_z [N]"};
  EXPECT_EQ(outcome.history.header, expected);
  EXPECT_EQ(outcome.history.rows(), 6u);
  EXPECT_EQ(outcome.history["time"][0], 0.);
  EXPECT_EQ(outcome.summary["status"], "done");
  EXPECT_EQ(outcome.summary["dofs"], 243);
  EXPECT_EQ(outcome.summary["cells"], 32);
  EXPECT_EQ(outcome.summary["steps"], 10);
  for (const char *phase : {"mesh", "assemble", "solve", "output"})
    EXPECT_TRUE(outcome.summary["wall seconds"].contains(phase)) << phase;
  EXPECT_GT(outcome.summary["peak memory MiB"], 10.);
  EXPECT_NE(text_of(folder / "results/run.log").find("newton: step 1"), std::string::npos);
}

TEST(Output, ExplicitRunsOnAMeshWriteEachTenthRow)
{
  const std::vector<std::string> explicit_scheme{"Mesh/Subdivisions=4, 1, 1", "Integrator/newmark/beta=0", "Elements/Mass=lumped",
                                                 "Time/Time step=0.001", "Time/End time=0.025"};
  const auto with = [&](const std::string &more) {
    std::vector<std::string> settings = explicit_scheme;
    settings.push_back(more);
    return settings;
  };
  const Folder a, b;
  const Outcome seldom = run_deck(a, "verification/implicit-beam.prm", explicit_scheme);
  const Outcome often = run_deck(b, "verification/implicit-beam.prm", with("Output/History every=1"));
  ASSERT_EQ(seldom.exit_code, 0) << seldom.terminal;
  ASSERT_EQ(often.history.rows(), 26u);
  ASSERT_EQ(seldom.history.rows(), 4u);  // start, 10, 20 and the last
  EXPECT_EQ(seldom.history["time"][3], 0.025);
  for (const char *column : {"E_total", "E_balance_error", "tip.u_y", "tip.a_y", "clamp.R_y", "clamp.F_int_y", "J_z"})
    for (const std::size_t row : {1, 2})
      EXPECT_EQ(seldom.history[column][row], often.history[column][10 * row]) << column;
}

TEST(Output, FramesHoldTheFieldsOfTheDeck)
{
  const Folder a;
  const Outcome outcome = run_deck(
      a, "verification/implicit-beam.prm",
      {"Mesh/Subdivisions=2, 1, 1", "Mesh/Order=2", "Time/End time=0.01", "Output/Write every=1", "Output/Fields=velocity, displacement"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto grid = read_frame(a / "results", read_collection(a / "results/solution.pvd").back().second);
  vtkPointData *data = grid->GetPointData();
  EXPECT_EQ(data->GetNumberOfArrays(), 2);
  EXPECT_NE(data->GetArray("displacement"), nullptr);
  EXPECT_NE(data->GetArray("velocity"), nullptr);
  const Folder b;
  const Outcome wrong = run_deck(b, "verification/implicit-beam.prm", {"Output/Fields=velocity, strains"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(wrong.terminal.find("Fields = velocity, strains: 'strains' is no field; there are: "), std::string::npos) << wrong.terminal;
  const Outcome twice = run_deck(b, "verification/implicit-beam.prm", {"Output/Fields=velocity, stress, velocity"});
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_NE(twice.terminal.find("names 'velocity' twice"), std::string::npos) << twice.terminal;
}

TEST(Output, ReactionsObeyNewtonsSecondLaw)
{
  // P1 - P0 = h/2 ((R + load)_0 + (R + load)_1) for gamma = 1/2: R holds inertia. F_int alone does not do it.
  const Folder folder;
  const Outcome outcome = run_deck(folder, "verification/cantilever-stvk.prm", {"Time/End time=2e-5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto &history = outcome.history;
  double worst_R = 0, worst_F = 0, largest = 0;
  for (std::size_t i = 1; i < history.rows(); ++i)
  {
    const double h = history["step"][i];
    const auto load = [&](std::size_t row) { return -40. * 9. * std::min(history["time"][row] / 1e-5, 1.); };
    const auto impulse = [&](const std::string &column) {
      return 0.5 * h * (history[column][i - 1] + load(i - 1) + history[column][i] + load(i));
    };
    const double change = history["P_y"][i] - history["P_y"][i - 1];
    largest = std::max(largest, std::abs(change));
    worst_R = std::max(worst_R, std::abs(change - impulse("clamp.R_y")));
    worst_F = std::max(worst_F, std::abs(change - impulse("clamp.F_int_y")));
  }
  EXPECT_LT(worst_R, 1e-8 * largest);
  EXPECT_GT(worst_F, 1e-3 * largest);
}
}  // namespace
}  // namespace symdyn::tests::in_output
