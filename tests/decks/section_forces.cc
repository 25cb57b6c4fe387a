#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/results_deck.h"

// Section forces under what acts along a body: exact on every mesh, at the plane and not at the faces of the cells.
namespace symdyn::tests::in_section_forces
{
namespace
{
std::string cut(const std::string &name, const std::string &point, const std::string &normal)
{
  return "  subsection " + name + "\n    set Point = " + point + "\n    set Normal = " + normal + "\n  end\n";
}

const std::vector<double> places{1.7, 10. / 3., 5., 20. / 3., 9.1};  // at faces of three cells, and inside of them

/// A bar of 10 m and 1 m², of three cells, clamped at x = 0.
std::string bar(const std::string &load)
{
  std::string sections;
  for (std::size_t i = 0; i < places.size(); ++i)
    sections += cut(fmt::format("cut{}", i), fmt::format("{:.17g}, 0.2, 0.4", places[i]), "1, 0, 0");
  return R"(
subsection Mesh
  set Type = box
  set Subdivisions = 3, 1, 1
  subsection box
    set Size = 10, 1, 1
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
  subsection load
)" + load +
         "  end\nend\nsubsection Section forces\n" + sections +
         "end\nsubsection Newton\n  set Tolerance = 1e-12\nend\nsubsection Linear solver\n  set Tolerance = "
         "1e-13\nend\n";
}

struct Line
{
  std::string name, deck;
  /// Shear and moment at x, of the part beyond on the part behind.
  std::function<double(double)> force, moment;
};

const std::vector<Line> &lines()
{
  static const std::vector<Line> all{
      {"weight", "    set Type = gravity\n    set Acceleration = 0, -10, 0\n", [](const double x) { return -1e4 * (10. - x); },
       [](const double x) { return -0.5e4 * (10. - x) * (10. - x); }},
      {"body force that grows with x", "    set Type = body-force\n    set Acceleration = 0, -x, 0\n",
       [](const double x) { return -500. * (100. - x * x); },
       [](const double x) { return -1000. * ((1000. - x * x * x) / 3. - x * (100. - x * x) / 2.); }},
      {"traction", "    set Type = traction\n    set Boundary = y+\n    set Traction = 0, -500, 0\n",
       [](const double x) { return -500. * (10. - x); }, [](const double x) { return -250. * (10. - x) * (10. - x); }},
      {"dead pressure", "    set Type = dead-pressure\n    set Boundary = y+\n    set Pressure = 500\n",
       [](const double x) { return -500. * (10. - x); }, [](const double x) { return -250. * (10. - x) * (10. - x); }}};
  return all;
}

void expect_beam(const Line &line, const std::vector<std::string> &settings, const int ranks)
{
  SCOPED_TRACE(line.name + " " + (settings.empty() ? "" : settings.back()) + fmt::format(" on {}", ranks));
  const Folder folder;
  const Outcome outcome = run_written(folder, bar(line.deck) + statics, settings, ranks);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const double small = 1e-9 * std::abs(line.force(0.)) * 10.;
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    const std::string name = fmt::format("cut{}", i);
    EXPECT_NEAR(outcome.history.last(name + ".F_y"), line.force(places[i]), small) << places[i];
    EXPECT_NEAR(outcome.history.last(name + ".M_z"), line.moment(places[i]), 10. * small) << places[i];
    for (const char *none : {".F_x", ".F_z", ".M_y"})
      EXPECT_NEAR(outcome.history.last(name + none), 0., 10. * small) << none;
  }
}

/// A body of neo-Hooke rubber that flies and spins, pushed on all sides; two sections of one plane that look at each
/// other.
std::string flight(const std::string &mesh, const std::string &place)
{
  return mesh + R"(
subsection Materials
  subsection rubber
    set Type = neo-hooke-log
    set E = 1e4
    set nu = 0.3
    set Density = 2
  end
end
subsection Initial conditions
  set Velocity = -3*y, 3*x, 0.2*x
end
subsection Damping
  set Mass proportional = 0.3
  set Stiffness proportional = 1e-4
  set Kelvin-Voigt = 1e-3
end
subsection Loads
  subsection weight
    set Type = gravity
    set Acceleration = 0, 1, -9.81
  end
  subsection field
    set Type = body-force
    set Acceleration = y*t, 3, z
  end
end
subsection Section forces
)" + cut("there", place, "1, 0, 0") +
         cut("back", place, "-1, 0, 0") + R"(end
subsection Time
  set Time step = 0.002
  set End time = 0.04
end
subsection Newton
  set Tolerance = 1e-12
end
subsection Linear solver
  set Tolerance = 1e-13
end
subsection Output
  set Write every = never
end
)";
}

void expect_action_and_reaction(const std::string &deck, const std::vector<std::string> &settings, const int ranks,
                                const double digits = 1e-8)
{
  SCOPED_TRACE((settings.empty() ? "" : settings.front()) + fmt::format(" on {}", ranks));
  const Folder folder;
  const Outcome outcome = run_written(folder, deck, settings, ranks);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto &h = outcome.history;
  for (const std::string column : {".F_x", ".F_y", ".F_z"})
  {
    double largest = 0;
    for (std::size_t i = 0; i < h.rows(); ++i)
      largest = std::max(largest, std::abs(h["there" + column][i]));
    EXPECT_GT(largest, 1e-2) << column;
    for (std::size_t i = 0; i < h.rows(); ++i)
      EXPECT_NEAR(h["there" + column][i] + h["back" + column][i], 0., digits * largest) << column << " in row " << i;
  }
}

const std::string box =
    "subsection Mesh\n  set Type = box\n  set Subdivisions = 3, 2, 2\n  subsection box\n    set Size = 1, 0.5, 0.5\n  "
    "end\nend\n";
const std::string between = "0.33333333333333333, 0, 0";
const std::string cube = "subsection Mesh\n  set Type = file\n  set File = " SYMDYN_SOURCE "/tests/meshes/";
}  // namespace

TEST(SectionForces, OfABeamUnderDistributedLoadsAreExactOnRanks)
{
  for (const Line &line : lines())
    expect_beam(line, {}, 1);
  for (const std::string setting :
       {"Mesh/Order=2", "Mesh/Cell shape=tetrahedra", "Mesh/Element=incompatible-modes", "Mesh/Element=mean-dilatation"})
    expect_beam(lines()[0], {setting}, 1);
  for (const Line &line : {lines()[1], lines()[2]})
  {
    expect_beam(line, {"Mesh/Cell shape=tetrahedra", "Mesh/Order=2"}, 1);
    expect_beam(line, {}, 2);
  }
}

TEST(SectionForces, OfALoadInAStageThatGrows)
{
  // Half of the weight after one of two increments.
  const Folder folder;
  const Outcome outcome = run_written(folder, bar(lines()[0].deck) + statics, {"Stages/push/Increments=2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const auto &shear = outcome.history["cut2.F_y"];
  ASSERT_GE(shear.size(), 2u);
  EXPECT_NEAR(shear[shear.size() - 2], -2.5e4, 1e-4);
  EXPECT_NEAR(shear.back(), -5e4, 1e-4);
}

TEST(SectionForces, TwoSidesOfAPlaneAgreeInMotionOnRanks)
{
  // What one part does to the other is what that does to it: in flight nothing but the loads, the damping and the
  // inertia of the cells at the plane can make up for a difference.
  for (const int ranks : {1, 2})
    expect_action_and_reaction(flight(box, between), {"Mesh/Order=1"}, ranks);
  for (const std::vector<std::string> &settings : std::vector<std::vector<std::string>>{
           {"Mesh/Order=2"}, {"Mesh/Cell shape=tetrahedra", "Mesh/Subdivisions=2,1,1"}, {"Elements/Mass=lumped"}})
    expect_action_and_reaction(flight(box, between), settings, 1);
  expect_action_and_reaction(flight(cube + "cube_tetrahedra_22.msh\nend\n", "0.5, 0, 0"), {"Materials/rubber/Groups=steel, rubber"}, 2);
}

TEST(SectionForces, VanishInFreeFall)
{
  // Weight and inertia of each part are equal, at planes that pass between nodes in any direction.
  std::string deck = flight(box, between);
  deck.replace(deck.find("set Velocity = -3*y, 3*x, 0.2*x"), 31, "set Velocity = 0, 0, 1");
  deck.replace(deck.find("subsection Damping"), deck.find("subsection Loads") - deck.find("subsection Damping"), "");
  deck.replace(deck.find("y*t, 3, z"), 9, "7, 0, 1");
  const std::string sections = "subsection Section forces\n";
  deck.insert(deck.find(sections) + sections.size(), cut("slanted", "0.43, 0.2, 0.3", "3, 1, 0.5"));
  for (const std::vector<std::string> &settings :
       std::vector<std::vector<std::string>>{{"Mesh/Order=1"},
                                             {"Mesh/Order=2"},
                                             {"Mesh/Order=2", "Mesh/Cell shape=tetrahedra", "Mesh/Subdivisions=2, 1, 1"},
                                             {"Elements/Mass=lumped"}})
  {
    SCOPED_TRACE(settings.front());
    const Folder folder;
    const Outcome outcome = run_written(folder, deck, settings);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    for (const std::string cut : {"there", "slanted"})
      for (const std::string column : {".F_x", ".F_y", ".F_z", ".M_x", ".M_y", ".M_z"})
        for (const double value : outcome.history[cut + column])
          EXPECT_NEAR(value, 0., 1e-7) << cut + column << ": the weight is 4 N";
  }
}

/// Three cubes along z on their side: the surfaces TOP and ALL have their upper faces in common.
TEST(SectionForces, AFaceOfTwoNamesOfALoadCountsOnce)
{
  std::string mesh = "*NODE, NSET=NALL\n", cells = "*ELEMENT, TYPE=C3D8, ELSET=E\n";
  for (int i = 0; i <= 3; ++i)
    for (int k = 0; k < 4; ++k)
      mesh += fmt::format("{}, {}, {}, {}\n", 4 * i + k + 1, i, int(k == 1 || k == 2), int(k > 1));
  for (int i = 0; i < 3; ++i)
    cells += fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", i + 1, 4 * i + 1, 4 * i + 5, 4 * i + 6, 4 * i + 2, 4 * i + 4, 4 * i + 8,
                         4 * i + 7, 4 * i + 3);
  const std::string model = mesh + cells + "*SURFACE, NAME=TOP\nE, S2\n*SURFACE, NAME=ALL\nE, S2\n";
  for (const std::string boundary : {"TOP", "TOP, ALL"})
  {
    const Folder folder;
    write_file(folder, "bar.inp", model);
    std::string deck = bar("    set Type = traction\n    set Boundary = " + boundary + "\n    set Traction = 0, 0, -1000\n") + statics;
    deck.replace(deck.find("subsection Mesh"), deck.find("subsection Materials") - deck.find("subsection Mesh"),
                 "subsection Mesh\n  set Type = file\n  set File = bar.inp\nend\n");
    deck.replace(deck.find("    set Boundary = x-\n    set Type = fixed\n"),
                 std::string("    set Boundary = x-\n    set Type = fixed\n").size(), "    set Nodes = 1, 2, 3, 4\n    set Type = fixed\n");
    const std::size_t sections = deck.find("subsection Section forces\n") + std::string("subsection Section forces\n").size();
    deck.replace(sections, deck.find("subsection Newton") - sections, cut("middle", "1.5, 0.5, 0.5", "1, 0, 0") + "end\n");
    const Outcome outcome = run_written(folder, deck);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    EXPECT_NEAR(outcome.history.last("middle.F_z"), -1500., 1e-6) << boundary;
    EXPECT_NEAR(outcome.history.last("middle.M_y"), 1500. * 0.75, 1e-5) << boundary;
  }
}

TEST(SectionForces, OfABaseThatShakesWithinStepsAreThoseOfItsMean)
{
  std::string record, deck = bar("    set Type = gravity\n    set Acceleration = 0, -10, 0\n");
  for (int i = 0; i <= 40; ++i)
    record += fmt::format("{} {}\n", 0.005 * i, i % 2 ? -1 : 1);
  const std::string sections = "subsection Section forces\n";
  deck.insert(deck.find(sections) + sections.size(), cut("root", "0.0001, 0.2, 0.4", "1, 0, 0"));
  for (const std::string sampling : {"points", "mean"})
  {
    const Folder folder;
    write_file(folder, "record.csv", record);
    const Outcome outcome = run_written(
        folder,
        deck +
            "subsection Base motion\n  set File = record.csv\n  set Unit = m/s2\n  set Direction = 1, 0, 0\nend\nsubsection Time\n  set Time step = 0.01\n  set End time = 0.1\n  set Sampling = " +
            sampling + "\nend\nsubsection Output\n  set History every = 1\nend\n");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    const auto &root = outcome.history["root.F_x"], &reaction = outcome.history["clamp.R_x"];
    for (std::size_t i = 1; i < root.size(); ++i)
      EXPECT_NEAR(std::abs(root[i]), std::abs(reaction[i]), 5.) << sampling << ", row " << i;  // 10 t, of which 0.1 kg lie before the plane
    if (sampling == "points")
    {
      EXPECT_GT(std::abs(root[3]), 100.) << "the control: without the mean the base shakes the bar";
    }
  }
}
}  // namespace symdyn::tests::in_section_forces
