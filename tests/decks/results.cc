#include <gtest/gtest.h>

#include "tests/frames.h"

#include <vtkCell.h>

#include <tuple>

#include "tests/results_deck.h"

// Results as people want them: section forces, probes, what check says, what is overwritten.
namespace symdyn::tests::in_results
{
namespace
{
const std::vector<double> cuts{1.25, 3.3, 5., 9.};  // at faces of cells, and inside of them

std::string section(const std::string &name, const std::string &point, const std::string &normal, const std::string &more = "")
{
  return "  subsection " + name + "\n    set Point = " + point + "\n    set Normal = " + normal + "\n" + more + "  end\n";
}

std::string sections()
{
  std::string text = "subsection Section forces\n";
  for (std::size_t i = 0; i < cuts.size(); ++i)
    text += section("cut" + std::to_string(i), std::to_string(cuts[i]) + ", 0, 0", "2, 0, 0");
  return text + "end\n";
}

TEST(Results, SectionForcesBalanceTheTipLoadOnRanks)
{
  for (const int ranks : {1, 3})
    for (const std::string degree : {"1", "2"})
    {
      SCOPED_TRACE(degree + " on " + std::to_string(ranks));
      const Folder folder;
      const Outcome outcome = run_written(folder, cantilever + statics + sections(), {"Mesh/Order=" + degree}, ranks);
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
  // Large rotations, at rest: the shear alone.
  const Folder folder;
  const Outcome outcome = run_written(folder, cantilever + statics + sections(),
                                      {"Materials/steel/Type=neo-hooke-log", "Materials/steel/E=2e5", "Stages/push/Increments=5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  for (std::size_t i = 0; i < cuts.size(); ++i)
    EXPECT_NEAR(outcome.history.last("cut" + std::to_string(i) + ".F_y"), -100., 1e-6);
  // Between two cuts nothing acts: M about one point differs from M about the other by the arm times F.
  const double M0 = outcome.history.last("cut0.M_z"), M2 = outcome.history.last("cut2.M_z");
  EXPECT_NEAR(M0 - M2, -100. * (cuts[2] - cuts[0]), 1e-5);
  EXPECT_GT(M0, -100. * (10. - cuts[0]) + 1.) << "the tip has moved towards the clamp";
}

/// Sum of rho V/8 a_y over the corners of the cells of the cantilever that end before this place or there [N]; the frame holds each cell's
/// points.
double inertia_before(const std::string &frame, const double end)
{
  const auto grid = read_grid(frame);
  constexpr double corner = 1000. * 10. / (8 * 2 * 2) / 8.;
  double sum = 0;
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c)
    if (grid->GetCell(c)->GetBounds()[1] < end + 1e-6)
      for (int a = 0; a < grid->GetCell(c)->GetNumberOfPoints(); ++a)
        sum += corner * grid->GetPointData()->GetArray("acceleration")->GetComponent(grid->GetCell(c)->GetPointId(a), 1);
  return sum;
}

TEST(Results, SectionForcesOfAMotionCarryTheInertia)
{
  // The part between clamp and cut: force of the clamp on the body + force of the part beyond the cut on this part = inertia of its cells.
  // With a lumped mass each node has that of its corners. Neo-Hooke: the motion is not small.
  const Folder folder;
  const Outcome outcome = run_written(folder,
                                      cantilever + dynamics + "subsection Section forces\n" + section("middle", "5, 0, 0", "1, 0, 0") +
                                          "end\nsubsection Elements\n  set Mass = lumped\nend\n",
                                      {"Materials/steel/Type=neo-hooke-log", "Materials/steel/E=1e6", "Loads/push/Traction=0, -1000, 0"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto &h = outcome.history;
  const auto frames = files_of(folder / "results/solution.pvd");
  ASSERT_EQ(frames.size(), h.rows());
  double largest = 0;
  for (std::size_t i = 1; i < h.rows(); ++i)
  {
    const double inertia = inertia_before(frames[i], 5.);
    largest = std::max(largest, std::abs(inertia));
    EXPECT_NEAR(h["clamp.F_int_y"][i] + h["middle.F_y"][i], inertia, 1e-4 * std::max(largest, 10.)) << i;
  }
  EXPECT_GT(largest, 10.) << "statics alone would pass, too";
}

TEST(Results, SectionForcesOfPartsAndSides)
{
  // 20 Pa below and 2 Pa above, on half a square metre each. The normal says on which part the force acts; Radius and Groups leave cells
  // out.
  const Folder folder;
  const std::string one = "subsection Section forces\n" + section("all", "0.5, 0.5, 0.25", "1, 0, 0") +
                          section("back", "0.5, 0.5, 0.25", "-1, 0, 0") +
                          section("steel", "0.5, 0.5, 0.25", "1, 0, 0", "    set Groups = steel\n") +
                          section("rubber", "0.5, 0.5, 0.25", "1, 0, 0", "    set Groups = rubber\n") +
                          section("near", "0.5, 0.5, 0.25", "1, 0, 0", "    set Radius = 0.4\n") + "end\n";
  const Outcome outcome = run_written(folder, stretched + one + statics);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto &h = outcome.history;
  for (const auto &[name, force, moment] :
       {std::tuple{"all", 11., 0.5}, {"back", -11., -0.5}, {"steel", 10., 0.}, {"rubber", 1., 0.5}, {"near", 10., 0.}})
  {
    EXPECT_NEAR(h.last(std::string(name) + ".F_x"), force, 1e-9) << name;
    EXPECT_NEAR(h.last(std::string(name) + ".M_y"), moment, 1e-9) << name << ": (z - 1/4) F_x about y, the upper half 1/2 m higher";
    EXPECT_NEAR(h.last(std::string(name) + ".F_y"), 0., 1e-9) << name;
  }
}

TEST(Results, SectionForcesInThePlane)
{
  // A strip of 10 x 1 m, clamped at x = 0, under a shear of 100 N/m at its end.
  const std::string strip = R"(
subsection Mesh
  set Dimension = 2
  set Type = box
  set Subdivisions = 8, 2
  subsection box
    set Size = 10, 1
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
    set Boundary = x-
    set Type = fixed
  end
end
subsection Loads
  subsection push
    set Type = traction
    set Boundary = x+
    set Traction = 0, -100
  end
end
subsection Section forces
  subsection cut
    set Point = 5, 0.5
    set Normal = 1, 0
  end
end
)";
  const Folder folder;
  const Outcome outcome = run_written(folder, strip + statics);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  EXPECT_NEAR(outcome.history.last("cut.F_x"), 0., 1e-5);
  EXPECT_NEAR(outcome.history.last("cut.F_y"), -100., 1e-5);
  EXPECT_NEAR(outcome.history.last("cut.M_z"), -100. * 5., 1e-4);
  EXPECT_EQ(outcome.history.columns.count("cut.M_x"), 0u);
}

TEST(Results, SectionMomentsMoveWithTheBase)
{
  // The same motion, seen from the base and from outside: the point of the moments moves with the base.
  const std::string base = "subsection Base motion\n  set File = record.csv\n  set Unit = m/s2\n  set Direction = 1, 0, 1\nend\n";
  Outcome of[2];
  for (const bool absolute : {false, true})
  {
    const Folder folder;
    write_file(folder, "record.csv", "t, a\n0, 0\n0.05, 8\n0.1, 8\n0.15, 0\n1, 0\n");
    of[absolute] = run_written(
        folder, cantilever + dynamics + base + "subsection Section forces\n" + section("middle", "5, 0, 0", "1, 0, 0") + "end\n",
        {"Materials/steel/Type=neo-hooke-log", "Materials/steel/E=1e6", "Time/Time step=0.001", "Output/Write every=never",
         std::string("Base motion/Frame=") + (absolute ? "absolute" : "relative")});
    ASSERT_EQ(of[absolute].exit_code, 0) << of[absolute].terminal;
  }
  const History &relative = of[0].history, &absolute = of[1].history;
  ASSERT_EQ(relative.rows(), absolute.rows());
  double largest = 0, shift = 0, off = 0;
  for (std::size_t i = 0; i < relative.rows(); ++i)
  {
    largest = std::max(largest, std::abs(relative["middle.M_y"][i]));
    off = std::max(off, std::abs(relative["middle.M_y"][i] - absolute["middle.M_y"][i]));
    shift = std::max(shift,
                     std::abs(relative["base.u_x"][i] * relative["middle.F_z"][i] - relative["base.u_z"][i] * relative["middle.F_x"][i]));
  }
  // The frames come together with the square of the step.
  EXPECT_LT(off, 1e-4 * largest);
  EXPECT_GT(shift, 1e-2 * largest) << "a point that stays in space would pass, too";
}

TEST(Results, BadSectionsAndProbesSaySo)
{
  struct Case
  {
    std::string text, says;
  };
  const std::string probe = "subsection Probes\n  subsection p\n", end = "  end\nend\n",
                    section = "subsection Section forces\n  subsection c\n";
  for (const Case &bad :
       {Case{section + "    set Point = 20, 0, 0\n    set Normal = 1, 0, 0\n" + end, "all cells lie behind the plane"},
        {section + "    set Point = 5, 0, 0\n    set Normal = 0, 0, 0\n" + end, "must not be zero"},
        {section + "    set Point = 5, 0\n    set Normal = 1, 0, 0\n" + end, "needs 3 components"},
        {section + "    set Point = 5, 0, 0\n    set Normal = 1, 0, 0\n    set Groups = stel\n" + end, "no cell group 'stel'"},
        {probe + "    set Set = tipp\n" + end, "no cell group 'tipp'; the mesh has: tip"},
        {probe + "    set Node = 3\n" + end, "Use \"Nearest node\""},
        {probe + "    set Set = tip\n    set Point = 10, 0, 0\n" + end, "a probe is one of both"},
        {probe + end, "needs 3 coordinates"},
        {"subsection Output\n  set Spectra = tap.u_y\nend\n", "history.csv has no column 'tap.u_y'"},
        {"subsection Output\n  set Spectra window = none\nend\n", "has no effect without Spectra"}})
  {
    const Folder folder;
    const Outcome outcome = run_written(folder, cantilever + statics + bad.text);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(has(outcome.terminal, bad.says), "");
    EXPECT_EQ(has(outcome.terminal, "deck.prm:"), "");
  }
}

TEST(Results, ProbesOfNodesAndSetsOnRanks)
{
  // Uniform compression of the cube 0..1, u_z = -z/1000: a node, the node nearest to a place, the mean of a boundary and of a cell group.
  const std::string deck = cube_of_two(elastic("all", "200", "    set Groups = steel, rubber\n"), R"(subsection Supports
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
)");
  for (const int ranks : {1, 3})
  {
    const Folder folder;
    const Outcome outcome = run_written(folder, deck + statics, {}, ranks);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const auto &h = outcome.history;
    EXPECT_NEAR(h.last("node.u_z"), -0.5e-3, 1e-12);
    EXPECT_NEAR(h.last("point.u_z"), -0.5e-3, 1e-12);
    EXPECT_NEAR(h.last("near.u_z"), -1e-3, 1e-12);
    EXPECT_NEAR(h.last("roof.u_z"), -1e-3, 1e-12);
    EXPECT_NEAR(h.last("part.u_z"), -0.25e-3, 1e-12) << "steel is the lower half: nodes at 0 and 1/2";
  }
  const Folder folder;
  const Outcome wrong = run_written(folder, deck + statics, {"Probes/node/Node=99"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_EQ(has(wrong.terminal, "has no node of the number 99"), "");
}

TEST(Results, OverwriteDeletesWhatARunLeavesAlone)
{
  const Folder folder;
  const std::vector<std::string> mine{"solution-notes.vtu", "solution.backup.pvd", "quadrature-1.vtu",
                                      "maxima-old.vtu",     "solution-00001.png",  "peaks.csv.bak",
                                      "measured.dat",       "modes.csv",           "harmonic-notes.txt"};
  const std::vector<std::string> of_a_run{"solution-00077.vtu",
                                          "solution-00077.2.vtu",
                                          "solution-00077-points.vtu",
                                          "quadrature-00077.1.vtu",
                                          "solution-00077.pvtu",
                                          "spectra.csv",
                                          "maxima.3.vtu",
                                          "modes-forms.csv",
                                          "modes-forms.pvd",
                                          "modes-forms-00003.vtu",
                                          "modes-forms-00003-points.vtu",
                                          "modes-forms-00003.1.vtu",
                                          "harmonic-shaker.csv",
                                          "harmonic-shaker-real.pvd",
                                          "harmonic-shaker-imaginary-00002.pvtu",
                                          "tables.dat"};
  std::filesystem::create_directories(folder / "results");
  for (const auto &names : {mine, of_a_run})
    for (const std::string &name : names)
      std::ofstream(folder / ("results/" + name)) << "kept?";
  std::ofstream(folder / "results/summary.json") << R"({"tables": "tables.dat"})";
  ASSERT_EQ(run_written(folder, cantilever + statics).exit_code, 0);
  for (const std::string &name : mine)
    EXPECT_TRUE(std::filesystem::exists(folder / ("results/" + name))) << name;
  for (const std::string &name : of_a_run)
    EXPECT_FALSE(std::filesystem::exists(folder / ("results/" + name))) << name;
}

TEST(Results, CheckListsSetsAndQuality)
{
  const Folder folder;
  const Outcome good = tool(folder, "check " + write_file(folder, "deck.prm", cantilever + statics));
  EXPECT_EQ(good.exit_code, 0) << good.terminal;
  for (const char *line : {"cell group body: 32 cells, 10 m^3", "nodes of boundaries: back 27, bottom 27, front 27, root 9, tip 9, top 27",
                           "scaled Jacobian 1 to 1 (1 is best), longest over shortest edge up to 2.5"})
    EXPECT_EQ(has(good.terminal, line), "");
  EXPECT_NE(has(good.terminal, "warning"), "");
  const Outcome slender =
      tool(folder, "check " + write_file(folder, "deck.prm", cantilever + statics) + " --set Mesh/Subdivisions=1,30,30");
  EXPECT_EQ(has(slender.terminal, "900 cells have edges of which the longest is more than 50 times the shortest, 300 times"), "");
}
}  // namespace
}  // namespace symdyn::tests::in_results
