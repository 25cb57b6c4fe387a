#include <gtest/gtest.h>

#include <cmath>

#include "tests/run.h"

// The number of ranks and the linear solver do not change the motion.
namespace symdyn::tests
{
namespace
{
/// The columns that are measured by one scale: the energies, and the components of a vector (one of which may be zero by
/// symmetry).
std::string quantity(const std::string &column)
{
  if (column.rfind("E_", 0) == 0 || column == "W_external")
    return "energy";
  if (const std::size_t force = std::min(column.find(".F_int_"), column.find(".R_")); force != std::string::npos)
    return column.substr(0, force) + ".force";
  const std::size_t n = column.size();
  return n > 2 && column[n - 2] == '_' ? column.substr(0, n - 2) : column;
}

/// Every number of the two histories to `tolerance` of the largest entry of its quantity; iteration counts may differ.
void expect_same(const History &a, const History &b, const double tolerance, const std::string &what)
{
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.header, b.header) << what;
  std::map<std::string, double> largest;
  for (const auto &[name, values] : a.columns)
    for (const double value : values)
      largest[quantity(name)] = std::max(largest[quantity(name)], std::abs(value));
  for (const auto &[name, values] : a.columns)
    for (std::size_t i = 0; i < a.rows() && name != "newton" && name != "krylov"; ++i)
      EXPECT_NEAR(b[name][i], values[i], tolerance * largest[quantity(name)] + 1e-300) << what << ": " << name << ", row " << i;
}

const std::vector<std::string> tight{"Newton/Tolerance=1e-12", "Linear solver/Tolerance=1e-12", "Output/Write every=never"};

std::vector<std::string> with(std::vector<std::string> settings)
{
  settings.insert(settings.end(), tight.begin(), tight.end());
  return settings;
}

void expect_ranks_agree(const std::string &deck, const std::vector<std::string> &settings, const std::vector<int> &ranks)
{
  const Folder folder;
  const Outcome serial = run_deck(folder, deck, with(settings));
  ASSERT_EQ(serial.exit_code, 0) << serial.terminal;
  for (const int n : ranks)
  {
    const Folder other;
    const Outcome parallel = run_deck(other, deck, with(settings), n);
    ASSERT_EQ(parallel.exit_code, 0) << parallel.terminal;
    EXPECT_EQ(parallel.summary["ranks"], n);
    expect_same(serial.history, parallel.history, 1e-9, deck + " on " + std::to_string(n) + " ranks");
  }
}

TEST(Parallel, HexahedraImplicit)
{
  expect_ranks_agree("verification/implicit-beam.prm", {"Mesh/Cells=12, 3, 3"}, {2, 3, 4});
}
TEST(Parallel, QuadraticTetrahedraWithLoads)
{
  expect_ranks_agree("verification/cantilever-stvk.prm", {"Mesh/Cells=1, 1, 3", "Mesh/Cell shape=simplex", "Mesh/Degree=2"}, {2, 4});
}
TEST(Parallel, ExplicitLumped)
{
  expect_ranks_agree("verification/implicit-beam.prm",
                     {"Mesh/Cells=12, 3, 3", "Elements/Mass=lumped", "Integrator/newmark/beta=0", "Time/Time step=0.001", "Time/End time=0.1"},
                     {2, 4});
}
TEST(Parallel, StaticPlane) { expect_ranks_agree("verification/turek-hron-csm1.prm", {}, {3}); }
TEST(Parallel, MovingBoundary)
{
  expect_ranks_agree("verification/implicit-beam.prm",
                     {"Mesh/Cells=12, 3, 3", "Supports/clamp/Type=displacement", "Supports/clamp/Displacement=0, 0.2*sin(20*t), 0.1*y*t"}, {4});
}

TEST(Parallel, FollowerPressureAndDamping)
{
  // As many Newton iterations on any number of ranks: the tangent of the pressure is whole.
  const std::vector<std::string> settings = with({"Mesh/Cells=8, 2, 2", "Loads/push/Type=pressure", "Loads/push/Boundary=y+", "Loads/push/Pressure=4e4",
                                                  "Damping/Mass proportional=1", "Linear solver/Type=mumps"});
  const Folder a, b;
  const Outcome serial = run_deck(a, "verification/implicit-beam.prm", settings);
  const Outcome parallel = run_deck(b, "verification/implicit-beam.prm", settings, 4);
  ASSERT_EQ(serial.exit_code, 0) << serial.terminal;
  ASSERT_EQ(parallel.exit_code, 0) << parallel.terminal;
  expect_same(serial.history, parallel.history, 1e-9, "pressure on 4 ranks");
  EXPECT_EQ(serial.history["newton"], parallel.history["newton"]);
}

TEST(Parallel, InputErrorsEndEveryRank)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "verification/implicit-beam.prm",
                               {"Mesh/Cells=8, 2, 2", "Supports/other/Boundary=y-", "Supports/other/Type=displacement",
                                "Supports/other/Displacement=0.01*t, 0, 0"}, 3);
  EXPECT_EQ(run.exit_code, 1) << run.terminal;
  EXPECT_NE(run.terminal.find("prescribes"), std::string::npos) << run.terminal;
}

TEST(Parallel, MoreRanksThanCellsIsSlowNotWrong)
{
  const std::string warning = "warning: more ranks (4) than cells (";
  const auto expect = [&](const std::string &deck, const std::vector<std::string> &settings, const std::string &cells) {
    const Folder a, b;
    const Outcome serial = run_deck(a, deck, with(settings));
    const Outcome parallel = run_deck(b, deck, with(settings), 4);
    ASSERT_EQ(serial.exit_code, 0) << serial.terminal;
    ASSERT_EQ(parallel.exit_code, 0) << parallel.terminal;
    EXPECT_NE(parallel.terminal.find(warning + cells + ")"), std::string::npos) << parallel.terminal;
    EXPECT_EQ(serial.terminal.find("more ranks"), std::string::npos) << serial.terminal;
    expect_same(serial.history, parallel.history, 1e-9, deck + " with " + settings.front());
  };
  const std::vector<std::string> end{"Time/End time=0.05"};
  const std::vector<std::string> explicit_scheme{"Elements/Mass=lumped", "Integrator/newmark/beta=0", "Time/Time step=0.005", "Time/End time=0.05"};
  const auto beam = [&](std::vector<std::string> settings, const std::vector<std::string> &more, const std::string &cells) {
    settings.insert(settings.end(), more.begin(), more.end());
    expect("verification/implicit-beam.prm", settings, cells);
  };
  beam({"Mesh/Cells=1, 1, 1"}, end, "1");
  beam({"Mesh/Cells=2, 1, 1", "Mesh/Degree=2"}, end, "2");
  beam({"Mesh/Cells=1, 1, 1"}, explicit_scheme, "1");
  beam({"Mesh/Cells=2, 1, 1"}, explicit_scheme, "2");
  for (const char *preconditioner : {"icc", "gamg", "hypre"})
    beam({"Mesh/Cells=1, 1, 1", "Linear solver/Type=cg", std::string("Linear solver/cg/Preconditioner=") + preconditioner}, end, "1");
  expect("verification/turek-hron-csm1.prm", {"Mesh/Cells=1, 1"}, "1");
  const Folder folder;
  std::ofstream(folder / "two.vtk") << "# vtk DataFile Version 2.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
                                       "CELLS 2 8\n3 0 1 2\n3 0 2 3\nCELL_TYPES 2\n5\n5\n";
  std::ofstream(folder / "two.prm") << "subsection Mesh\n set Dimension = 2\n set Type = file\n set File = two.vtk\nend\n"
                                       "subsection Materials\n subsection body\n  set Type = neo-hooke-log\n  set E = 1e7\n  set nu = 0.3\n  set Density = 1000\n end\nend\n"
                                       "subsection Initial conditions\n set Velocity = y, x*y\nend\n"
                                       "subsection Time\n set Time step = 0.001\n set End time = 0.05\nend\n";
  expect(folder / "two.prm", {"Integrator/newmark/beta=0.25"}, "2");
  expect(folder / "two.prm", {"Integrator/newmark/beta=0", "Elements/Mass=lumped"}, "2");
}

TEST(Parallel, LinearSolversAgree)
{
  const std::vector<std::string> beam{"Mesh/Cells=12, 3, 3"};
  const auto run = [&](const std::vector<std::string> &solver, const int ranks) {
    const Folder folder;
    std::vector<std::string> settings = with(beam);
    settings.insert(settings.end(), solver.begin(), solver.end());
    const Outcome outcome = run_deck(folder, "verification/implicit-beam.prm", settings, ranks);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    return outcome;
  };
  const Outcome reference = run({"Linear solver/Type=dense"}, 1);
  for (const char *type : {"mumps", "ml", "trilinos-direct", "automatic"})
    for (const int ranks : {1, 2})
      expect_same(reference.history, run({std::string("Linear solver/Type=") + type}, ranks).history, 1e-9, type);
  for (const char *preconditioner : {"jacobi", "icc", "gamg", "hypre"})
    for (const int ranks : {1, 2})
      expect_same(reference.history,
                  run({"Linear solver/Type=cg", std::string("Linear solver/cg/Preconditioner=") + preconditioner}, ranks).history, 1e-9,
                  preconditioner);
}

TEST(Parallel, ADifferenceIsSeen)
{
  // The comparison itself can fail: another step gives another motion.
  const Folder a, b;
  const Outcome one = run_deck(a, "verification/implicit-beam.prm", with({"Mesh/Cells=12, 3, 3", "Materials/rubber/nu=0.30001"}));
  const Outcome two = run_deck(b, "verification/implicit-beam.prm", with({"Mesh/Cells=12, 3, 3"}));
  double difference = 0;
  for (std::size_t i = 0; i < one.history.rows(); ++i)
    difference = std::max(difference, std::abs(one.history["tip.u_y"][i] - two.history["tip.u_y"][i]));
  EXPECT_GT(difference, 1e-9);
}
}  // namespace
}  // namespace symdyn::tests
