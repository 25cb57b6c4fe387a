// Contact of shells: with obstacles, with each other, with solids; on their faces, not their middle surfaces.
#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <tuple>

#include "elements/place.h"
#include "tests/colliding_blocks.h"

namespace symdyn::tests::in_shell_contact
{
namespace
{
struct Plate
{
  std::string group;
  Place corner;
  std::array<int, 2> cells;
  double slope = 0;               ///< of z along x
  std::string second_group = {};  ///< of the half at large x
};

/// Squares of 1 m.
void write_plates(const std::string &file, const std::vector<Plate> &plates)
{
  std::string nodes, cells;
  std::size_t number = 0, count = 0;
  const auto tag_of = [&](const std::size_t plate, const double x) {
    return plates[plate].second_group.empty() || x < 0.5 ? plate + 1 : plates.size() + 1;
  };
  for (std::size_t plate = 0; plate < plates.size(); ++plate)
  {
    const auto &[group, corner, n, slope, second_group] = plates[plate];
    const std::size_t first = number + 1;
    for (int j = 0; j <= n[1]; ++j)
      for (int i = 0; i <= n[0]; ++i)
      {
        const double x = double(i) / n[0];
        nodes += fmt::format("{} {} {} {}\n", ++number, corner[0] + x, corner[1] + double(j) / n[1], corner[2] + slope * x);
        if (const std::size_t a = first + i + std::size_t(n[0] + 1) * j; i < n[0] && j < n[1])
          cells +=
              fmt::format("{} 3 2 {} {} {} {} {} {}\n", ++count, tag_of(plate, x), tag_of(plate, x), a, a + 1, a + n[0] + 2, a + n[0] + 1);
      }
  }
  std::ofstream out(file);
  std::string names;
  int number_of_names = 0;
  for (std::size_t plate = 0; plate < plates.size(); ++plate)
    for (const auto &[name, tag] : {std::pair{plates[plate].group, plate + 1}, {plates[plate].second_group, plates.size() + 1}})
      if (!name.empty())
      {
        names += fmt::format("2 {} \"{}\"\n", tag, name);
        ++number_of_names;
      }
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n" << number_of_names << "\n" << names;
  out << fmt::format("$EndPhysicalNames\n$Nodes\n{}\n{}$EndNodes\n$Elements\n{}\n{}$EndElements\n", number, nodes, count, cells);
}

const std::string rubber = section("rubber", "set Type = linear-elasticity\nset E = 1e7\nset nu = 0.3\nset Density = 1000");

/// A plate of 30 mm comes down, aslant and aside, onto one of 20 mm.
struct Plates
{
  explicit Plates(const double height = 0.03)
  {
    write_plates(folder / "two.msh", {{"lower", {0., 0., 0.}, {3, 3}}, {"upper", {0.21, 0.13, height}, {4, 3}, 0.03}});
    deck = "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = two.msh") + section("Materials", rubber) +
           section("Shells", section("low", "set Groups = lower\nset Material = rubber\nset Thickness = 0.02") +
                                 section("high", "set Groups = upper\nset Material = rubber\nset Thickness = 0.03")) +
           section("Contact", section("hit", "set Between = low, high")) +
           section("Initial conditions", "set Velocity = if(z > 0.02, 0.3, 0), 0, if(z > 0.02, -0.5, 0)") +
           section("Integrator", "set Scheme = discrete-gradient") + section("Time", "set Time step = 2e-4\nset End time = 0.03") +
           section("Newton", "set Tolerance = 1e-12") + section("Output", "set Write every = never");
  }
  Folder folder;
  std::string deck;
};

/// A plate of 0.02 m on elastic ground of contact alone, or over a ball.
std::string over(const std::string &obstacle, const std::string &more)
{
  return "set Structure = discrete\n" +
         section("Mesh", "set Type = plate\nset Subdivisions = 4, 4\n" + section("plate", "set Size = 1, 1")) +
         section("Materials", rubber) + section("Shells", section("roof", "set Material = rubber\nset Thickness = 0.02")) +
         section("Obstacles", section("ground", obstacle)) + section("Contact", section("hit", "set Between = roof, ground")) + more +
         section("Output", "set Write every = never");
}
}  // namespace

/// Of faces: the distance of the middle surfaces less half of both thicknesses; Offset moves the faces with it.
TEST(ShellContact, GapsAreThoseOfTheFaces)
{
  const Folder folder;
  write_plates(folder / "two.msh", {{"lower", {0., 0., 0.}, {3, 3}}, {"upper", {0., 0., 0.1}, {4, 3}}});
  const std::string deck = Plates().deck;
  const auto gap = [&](const Settings &settings) {
    Settings all{"Initial conditions/Velocity=0, 0, 0", "Time/Time step=1e-5", "Time/End time=1e-5"};
    all.insert(all.end(), settings.begin(), settings.end());
    return run_well(folder, deck, all).history["hit.gap"].front();
  };
  EXPECT_NEAR(gap({}), 0.1 - 0.025, 1e-12);
  EXPECT_NEAR(gap({"Shells/high/Thickness=0.05"}), 0.1 - 0.035, 1e-12);
  EXPECT_NEAR(gap({"Contact/hit/Side=outside"}), 0.1 - 0.025, 1e-12);
  EXPECT_NEAR(gap({"Shells/high/Offset=0.5"}), 0.1 - 0.025 + 0.015, 1e-12);
  EXPECT_NEAR(gap({"Contact/hit/Clearance=-0.004"}), 0.1 - 0.025 - 0.004, 1e-12);
}

/// A thin shell goes over into a thick one, which stands lowest at that edge: its corners there are its own.
TEST(ShellContact, EdgesWhereTheThicknessChangesAreThoseOfBoth)
{
  const Plates plates;
  const Folder folder;
  constexpr double slope = 0.03, height = 0.1, thin = 0.01, thick = 0.05;
  write_plates(folder / "two.msh", {{"lower", {-0.5, -0.5, 0.}, {4, 4}}, {"upper", {-0.5, -0.5, height}, {2, 2}, slope, "second"}});
  const auto gap = [&](const double of_second) {
    return run_well(folder, plates.deck,
                    {"Initial conditions/Velocity=0, 0, 0", "Time/Time step=1e-5", "Time/End time=1e-5",
                     fmt::format("Shells/high/Thickness={}", thin), "Shells/more/Groups=second", "Shells/more/Material=rubber",
                     fmt::format("Shells/more/Thickness={}", of_second), "Contact/hit/Between=low, high", "Contact/more/Between=low, more",
                     "Contact/more/Points=2"})
        .history["more.gap"]
        .front();
  };
  EXPECT_NEAR(gap(thick), height + 0.5 * slope - 0.5 * thick - 0.01, 1e-4);
  EXPECT_NEAR(gap(thin), height + 0.5 * slope - 0.5 * thin - 0.01, 1e-4) << "the control";
}

/// Energy, momentum and angular momentum, through an impact of corners and edges on faces.
TEST(ShellContact, PlatesThatCollideKeepEnergyAndMomenta)
{
  const Plates plates;
  const History history = run_well(plates.folder, plates.deck).history;
  EXPECT_GT(largest(history["hit.pressure"]), 100.);
  const double least = *std::min_element(history["hit.gap"].begin(), history["hit.gap"].end());
  EXPECT_LT(least, 0.);
  EXPECT_GT(least, -0.002) << "the layer";
  EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-10);
  for (const char *momentum : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_LT(drift(history, momentum, 60.), 1e-10) << momentum;
  const Outcome soft = run_text(plates.folder, plates.deck, {"Contact/hit/Stiffness=1e5"});
  EXPECT_EQ(soft.exit_code, 2) << "the control: what is too soft is passed";
  EXPECT_EQ(has(soft.terminal, "low would pass high"), "") << soft.terminal;
}

namespace
{
/// On two ranks, and after a restart to the bit.
void expect_plates_to_agree(const std::string &deck)
{
  const History history = expect_ranks_and_restart_to_agree(
      deck,
      [](const Folder &folder) {
        write_plates(folder / "two.msh", {{"lower", {0., 0., 0.}, {3, 3}}, {"upper", {0.21, 0.13, 0.03}, {4, 3}, 0.03}});
      },
      0.018, 5, {"E_kinetic", "E_potential", "J_x", "hit.force_z"});
  EXPECT_GT(largest(history["hit.pressure"]), 100.);
}
}  // namespace

TEST(ShellContact, RanksAndRestartAgreeTwoRanks) { expect_plates_to_agree(Plates().deck); }

/// What lies on the ground under its weight presses it with that: p = rho g t, g = -Phi'^-1(p).
TEST(ShellContact, APlateLiesOnTheGround)
{
  const Folder folder;
  const std::string deck =
      over("set Type = plane\nset Point = 0, 0, -0.01\nset Normal = 0, 0, 1",
           section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -10")) +
               section("Supports", section("aside", "set Boundary = x-, x+\nset Type = displacement\nset Displacement = 0, 0, free")) +
               section("Stages", section("rest", "set Type = static\nset Increments = 2")));
  const History history = run_well(folder, deck, {"Contact/hit/Law=linear", "Contact/hit/Stiffness=1e6", "Output/Write every=1"}).history;
  EXPECT_NEAR(history.last("hit.force_z"), 200., 1e-8 * 200.);
  EXPECT_NEAR(history.last("hit.gap"), -200. / 1e6, 1e-8);
  EXPECT_NEAR(history.last("hit.area"), 1., 1e-10);
  const auto grid = read_grid(files_of(folder / "results/contact.pvd").back());
  int bottom = 0, top = 0;
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
  {
    const bool is_bottom = grid->GetPoint(i)[2] < 0.;
    (is_bottom ? bottom : top) += 1;
    EXPECT_NEAR(grid->GetPointData()->GetArray("contact_pressure")->GetTuple1(i), is_bottom ? 200. : 0., 1e-6 * 200.);
  }
  EXPECT_EQ(bottom, top);
  EXPECT_GT(bottom, 0);
}

/// A pressure on a face has its moment about the middle surface: a plate that slides on the ground with friction tips forward.
TEST(ShellContact, ForcesActOnTheFace)
{
  const Folder folder;
  const std::string deck =
      over("set Type = plane\nset Point = 0, 0, -0.01\nset Normal = 0, 0, 1",
           section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -10")) +
               section("Initial conditions", "set Velocity = 1, 0, 0") + section("Integrator", "set Scheme = newmark") +
               section("Time", "set Time step = 2e-4\nset End time = 0.004"));
  const History rubs = run_well(folder, deck, {"Contact/hit/Friction=0.5", "Contact/hit/Layer=0.002"}).history,
                slides = run_well(folder, deck, {"Contact/hit/Layer=0.002"}).history;
  const double impulse = rubs["P_x"].front() - rubs["P_x"].back(),
               turn = (rubs["J_y"].back() - rubs["J_y"].front()) - (slides["J_y"].back() - slides["J_y"].front());
  ASSERT_GT(impulse, 0.005);
  EXPECT_NEAR(slides["P_x"].back(), slides["P_x"].front(), 1e-9) << "the control";
  EXPECT_NEAR(turn, 0.01 * impulse, 0.1 * 0.01 * impulse) << "half of the thickness is the arm";
}

/// A plate that falls onto a block beside it in a deck of solids.
TEST(ShellContact, APlateFallsOntoASolid)
{
  const Folder folder;
  const std::string deck =
      section("Mesh", "set Dimension = 3\nset Type = box\nset Subdivisions = 3, 3, 1\n" + section("box", "set Size = 1, 1, 0.4")) +
      section("Surface mesh",
              "set Type = plate\nset Subdivisions = 3, 2\n" + section("plate", "set Corner = 0.2, 0.1, 0.43\nset Size = 0.7, 0.6")) +
      section("Materials", rubber + section("block", "set Type = neo-hooke-log\nset E = 1e7\nset nu = 0.3\nset Density = 1000")) +
      section("Shells", section("lid", "set Material = rubber\nset Thickness = 0.02")) +
      section("Contact", section("hit", "set Between = lid, z+")) +
      section("Initial conditions", "set Velocity = 0, 0, if(z > 0.41, -0.5, 0)") +
      section("Integrator", "set Scheme = discrete-gradient") + section("Time", "set Time step = 4e-4\nset End time = 0.06") +
      section("Newton", "set Tolerance = 1e-12") + section("Output", "set Write every = never");
  const History history = run_well(folder, deck).history;
  EXPECT_NEAR(history["hit.gap"].front(), 0.02, 1e-12);
  EXPECT_GT(largest(history["hit.pressure"]), 100.);
  EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-10);
  for (const char *momentum : {"P_x", "P_z", "J_x", "J_y"})
    EXPECT_LT(drift(history, momentum, 10.), 1e-10) << momentum;
}

/// By segments, through an impact of corners and edges on faces: forces have no resultant and no moment.
TEST(ShellContact, SegmentsKeepMomenta)
{
  const Plates plates;
  const History history = run_well(plates.folder, plates.deck, {"Contact/hit/Pairing=segments", "Contact/hit/Between=low.top, high.bottom"})
                              .history,
                both = run_well(plates.folder, plates.deck, {"Contact/hit/Pairing=segments"}).history;
  EXPECT_GT(largest(history["hit.pressure"]), 100.);
  for (const char *momentum : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_LT(drift(history, momentum, 60.), 1e-10) << momentum;
  EXPECT_EQ(both["hit.force_z"], history["hit.force_z"]) << "the other faces have no part";
}

TEST(ShellContact, OfSegmentsOnRanksAndAfterARestartTwoRanks)
{
  std::string deck = Plates().deck;
  const std::string between = "set Between = low, high";
  deck.replace(deck.find(between), between.size(), between + "\nset Pairing = segments");
  expect_plates_to_agree(deck);
}

namespace
{
/// A plate of 3 on 3 elements is held; one of 4 on 4 elements, aside by `aside`, goes down on it from a gap of 0.1 by 0.2 (`moves`), or
/// lies on it under a pressure of 0.4. Both are far from the origin. `slave`, `master`: their faces.
std::string two_plates(const bool moves, const double aside = 0., const std::string &slave = "S2", const std::string &master = "S1")
{
  std::string nodes = "*NODE, NSET=all\n", cells = "*ELEMENT, TYPE=S4, ELSET=cells\n", low, high, upper, lower;
  int node = 0, cell = 0;
  for (const auto &[n, x, z] : {std::tuple{3, 0., 0.}, {4, aside, moves ? 0.6 : 0.5}})
  {
    const int first = node + 1;
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
      {
        nodes += fmt::format("{}, {}, {}, {}\n", ++node, 900. + x + 3. * i / n, 300. + 3. * j / n, -500. + z);
        (n == 3 ? lower : upper) += fmt::format("{}\n", node);
        if (const int a = first + i + (n + 1) * j; i < n && j < n)
        {
          cells += fmt::format("{}, {}, {}, {}, {}\n", ++cell, a, a + 1, a + n + 2, a + n + 1);
          (n == 3 ? low : high) += fmt::format("{}, {}\n", cell, n == 3 ? slave : master);
        }
      }
  }
  return nodes + cells + "*NSET, NSET=lower\n" + lower + "*NSET, NSET=upper\n" + upper + "*SURFACE, NAME=low\n" + low +
         "*SURFACE, NAME=high\n" + high +
         "*ELSET, ELSET=pressed, GENERATE\n10, 25\n*MATERIAL, NAME=m\n*ELASTIC\n72000., 0.3\n"
         "*SHELL SECTION, ELSET=cells, MATERIAL=m\n0.5\n*CONTACT PAIR, INTERACTION=si, TYPE=SURFACE TO SURFACE\nlow, high\n"
         "*SURFACE INTERACTION, NAME=si\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e3\n*STEP\n*STATIC\n*BOUNDARY\nlower, 1, 6\n" +
         std::string(moves ? "upper, 1, 2\nupper, 4, 6\nupper, 3, 3, -0.2\n" : "upper, 1, 2\n*DLOAD\npressed, P, -0.4\n") + "*END STEP\n";
}

Outcome run_plates(const Folder &folder, const std::string &text, const std::string &settings = "")
{
  std::ofstream(folder / "plates.inp") << text;
  return tool(folder, fmt::format("run --quiet {0}/plates.inp --output {0}/results --overwrite {1}", folder.path, settings));
}
}  // namespace

/// The law's force on what both plates cover, wherever they are: 0.1 deep, p = K 0.1. Sides that look away from each other do not touch.
TEST(ShellContact, SegmentsBearWhatTheLawSays)
{
  const Folder folder;
  for (const double aside : {0., 0.7})
  {
    const Outcome run = run_plates(folder, two_plates(true, aside));
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    const History history = read_history(folder / "results/history.csv");
    EXPECT_NEAR(history.last("low.area"), 3. * (3. - aside), 1e-9);
    EXPECT_NEAR(history.last("low.force_z"), -100. * 3. * (3. - aside), 1e-7 * 900.);
    EXPECT_NEAR(history.last("low.gap"), -0.1, 1e-10);
  }
  EXPECT_EQ(has(run_plates(folder, two_plates(true, 0., "SNEG", "SPOS")).terminal, "no face of low.bottom looks at one of high.top"), "");
}

/// Patch test: meshes that do not fit bear an even pressure, also where both faces of both are named. It is on those that touch.
TEST(ShellContact, SegmentsPassThePatchTest)
{
  const Folder folder;
  const Outcome run = run_plates(folder, two_plates(false), "--set 'Output/Write every=1' --set 'Contact/low/Between=low, high'");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const History history = read_history(folder / "results/history.csv");
  EXPECT_NEAR(history.last("low.pressure"), 0.4, 1e-8);
  EXPECT_NEAR(history.last("low.gap"), -0.4e-3, 1e-11);
  EXPECT_NEAR(history.last("low.area"), 9., 1e-9);
  const auto grid = read_grid(files_of(folder / "results/contact.pvd").back());
  std::map<long, int> at_height;
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
  {
    const double z = 500. + grid->GetPoint(i)[2], p = grid->GetPointData()->GetArray("contact_pressure")->GetTuple1(i);
    EXPECT_NEAR(p, std::abs(z - 0.25) < 0.1 ? 0.4 : 0., 1e-7) << z;
    ++at_height[std::lround(100. * z)];
  }
  EXPECT_EQ(at_height.size(), 3u) << "both faces of both, of which two touch";
  const Outcome aside = run_plates(folder, two_plates(false, 0.7));
  ASSERT_EQ(aside.exit_code, 0) << aside.terminal;
  EXPECT_GT(read_history(folder / "results/history.csv").last("low.pressure"), 0.41) << "the control";
}

TEST(ShellContact, SurfacesOfShellsInFilesHaveOneSideEach)
{
  const Folder folder;
  const auto refused = [&](const std::string &text, const std::string &words) {
    const Outcome run = run_plates(folder, text);
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  const std::string deck = two_plates(true);
  const auto changed = [&](const std::string &from, const std::string &to) {
    std::string text = deck;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  refused(changed("\n9, S2\n", "\n9, S1\n"), "'low' has the bottom (S1, SNEG) of some shells and the top (S2, SPOS) of others");
  refused(changed("\n9, S2\n", "\n9, S3\n"), "'low' has edges of shells, which touch nothing");
  refused(changed("TYPE=SURFACE TO SURFACE", "TYPE=NODE TO SURFACE"), "is a shell, whose faces have no nodes. Set Pairing = segments");
  const std::string brick =
      "*NODE\n101, 0, 0, 9\n102, 1, 0, 9\n103, 1, 1, 9\n104, 0, 1, 9\n105, 0, 0, 10\n106, 1, 0, 10\n107, 1, 1, 10\n"
      "108, 0, 1, 10\n*ELEMENT, TYPE=C3D8, ELSET=brick\n101, 101, 102, 103, 104, 105, 106, 107, 108\n"
      "*SOLID SECTION, ELSET=brick, MATERIAL=m\n";
  for (const char *side : {"S2", "S1"})  // with faces of both sides of shells, too
    refused(changed("*SURFACE, NAME=high\n", brick + "*SURFACE, NAME=high\n101, S1\n10, " + side + "\n"),
            "'high' has faces of solids and of shells. Give each a *SURFACE, and a *CONTACT PAIR with it");
}

TEST(ShellContact, RefusesWhatItCannot)
{
  const Plates plates;
  const auto refused = [&](const std::string &words, const Settings &settings) {
    const Outcome run = run_text(plates.folder, plates.deck, settings);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused("'low' is a shell, whose faces have no nodes. Set Pairing = segments", {"Contact/hit/Points=nodes", "Contact/hit/Law=linear"});
  refused("tied is of boundaries of solids, and 'low' is a shell", {"Contact/hit/Law=tied"});
  refused("of shells by segments is at most a quarter of the smallest thickness: 0.005 m",
          {"Contact/hit/Pairing=segments", "Contact/hit/Clearance=0.006"});
  refused("no face of low.bottom looks at one of high.top", {"Contact/hit/Pairing=segments", "Contact/hit/Between=low.bottom, high.top"});
  refused("'low.side' is neither a shell or a beam, nor a group of them, nor an obstacle", {"Contact/hit/Between=low.side, high"});
  refused("'low' is a shell, whose nodes no contact moves", {"Contact/hit/Start=adjust"});
  refused("'lower-x' is neither a shell or a beam, nor a group of them, nor an obstacle", {"Contact/hit/Between=lower-x, high"});
  const Plates inside(0.015);
  const Outcome run = run_text(inside.folder, inside.deck, {});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(has(run.terminal, "low is 0.009994 m behind high"), "") << run.terminal;
}
}  // namespace symdyn::tests::in_shell_contact
