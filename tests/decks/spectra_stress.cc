// Stresses of response spectra and of random vibration: probes, largest values, bodies, shells and beams.
#include <cmath>
#include <fstream>

#include "tests/linear_decks.h"
#include "tests/quantity_tables.h"
#include "tests/shell_decks.h"

namespace symdyn::tests::in_spectra_stress
{
namespace
{
/// Column `title` of the line `quantity` of a table of quantities.
double quantity_of(const std::string &file, const std::string &quantity, const std::string &title)
{
  return lines_of(file).at(quantity).at(title);
}

/// Lines of a -stress.csv by place, columns without units. The place of the largest value goes by "largest".
using Places = std::map<std::string, std::map<std::string, double>>;

Places places_of(const std::string &file)
{
  Places places;
  for (const auto &[place, line] : lines_of(file))
    places[place.rfind("largest", 0) == 0 ? "largest" : place] = line;
  return places;
}

void write_spectrum(const Folder &folder, const std::string &text) { std::ofstream(folder / "design.csv") << text; }

std::string spectrum(const std::string &entries) { return section("Spectra", section("design", "set File = design.csv\n" + entries)); }

/// A cantilever of steel of 2 m x 0.2 m x 0.1 m in plane stress, with a probe at a quarter of its length on its upper side, in the cell
/// before it: where the independent program has its stress.
const std::string cantilever =
    section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 20, 2\nset Order = 2\n" + section("box", "set Size = 2, 0.2")) +
    section(
        "Materials",
        section("stuff",
                "set Type = linear-elasticity\nset E = 210e9\nset nu = 0.3\nset Density = 7850\nset Plane = stress\nset Thickness = 0.1")) +
    section("Supports", section("root", "set Boundary = x-")) +
    section("Probes", section("quarter", "set Point = 0.4999999, 0.2\nset Stress = yes") + section("tip", "set Point = 2, 0.1"));

/// Components of the probe `edge` in STEM-stress.csv are those in STEM.csv.
void expect_same_components(const std::string &stem, const std::string &column, const std::string &field)
{
  const Places found = places_of(stem + "-stress.csv");
  for (const std::string c : {"S_xx", "S_yy", "S_xy", "S_zx"})
  {
    const double expected = quantity_of(stem + ".csv", "edge." + c, column);
    EXPECT_NEAR(found.at("edge").at(field + " " + c), expected, 1e-9 * expected) << c;
  }
}

/// Von Mises' stress in a plane of the components of a line.
double plane_mises(const std::map<std::string, double> &line, const std::string &field)
{
  const double x = line.at(field + " S_xx"), y = line.at(field + " S_yy"), xy = line.at(field + " S_xy");
  return std::sqrt(x * x - x * y + y * y + 3. * xy * xy);
}
}  // namespace

/// On a shaker: own numbers of an independent program, within the 2e-3 that it gives; the part of the time above a level.
TEST(SpectraStress, RandomCantileverOnRanks)
{
  const std::string deck =
      cantilever + spectrum("set Unit = g\nset Type = psd") +
      stages(section(
          "shaker",
          "set Type = random\nset Base spectrum = none, design\nset Modes = 10\nset Damping ratios = 0.02\nset Yield stress = 30e6"));
  const auto run = [&](const Settings &settings, const int ranks = 1) {
    const Folder folder;
    write_spectrum(folder, "10 0.01\n2000 0.01\n");
    run_well(folder, deck, settings, ranks);
    EXPECT_TRUE(std::ifstream(folder / "results/random-shaker.pvd").good());
    return places_of(folder / "results/random-shaker-stress.csv");
  };
  const Places all = run({}), two = run({}, 2);
  const auto &quarter = all.at("quarter");
  EXPECT_NEAR(quarter.at("rms_stress S_xx"), 10985500., 2e-3 * 10985500.);
  EXPECT_NEAR(quarter.at("rms_mises"), 10984200., 2e-3 * 10984200.);
  const double gaussian = std::erfc(30e6 / quarter.at("rms_stress S_xx") / std::sqrt(2.));
  EXPECT_NEAR(quarter.at("exceedance"), gaussian, 0.02 * gaussian) << "one component has nearly all of it";
  EXPECT_GT(quarter.at("mises_rate"), 41.5);
  EXPECT_LT(quarter.at("mises_rate"), 249.);
  EXPECT_GT(all.at("largest").at("rms_mises"), 1.5 * quarter.at("rms_mises")) << "at the root";
  for (const auto &[place, line] : all)
    for (const auto &[title, value] : line)
      EXPECT_NEAR(two.at(place).at(title), value, 1e-6 * (std::abs(value) + (title.rfind("rms", 0) == 0 ? 1e3 : 0.)))
          << place << " " << title;
  const Places none = run({"Stages/shaker/Stresses=no"});
  EXPECT_EQ(none.count("largest"), 0u);
  EXPECT_EQ(none.count("quarter"), 1u);
}

/// Of one mode the largest von Mises stress is that of its components; of several it is not that of their sizes, and between bounds.
TEST(SpectraStress, RulesOfModes)
{
  const std::string deck =
      cantilever + spectrum("set Beyond = constant") +
      stages(section("quake", "set Type = response spectrum\nset Spectra = design, design\nset Modes = 6\nset Damping ratios = 0.05"));
  const auto run = [&](const Settings &settings) {
    const Folder folder;
    write_spectrum(folder, "1 1\n60 1\n200 3\n");
    run_well(folder, deck, settings);
    return places_of(folder / "results/response-spectrum-quake-stress.csv");
  };
  const Places one = run({"Stages/quake/Modes=1", "Stages/quake/Missing mass=no", "Stages/quake/Spectra=none, design"});
  for (const auto &[place, line] : one)
  {
    EXPECT_NEAR(line.at("mises_max"), plane_mises(line, "stress"), 0.02 * line.at("mises_max")) << place << ": but for signs";
    EXPECT_NEAR(line.at("mises_srss"), line.at("mises_max"), 1e-9 * line.at("mises_max")) << place;
  }
  const Settings along_y{"Stages/quake/Spectra=none, design"};
  const Places cqc = run(along_y), sum = run(along_y + Settings{"Stages/quake/Combine modes=abs"}),
               ten = run(along_y + Settings{"Stages/quake/Combine modes=ten-percent"});
  for (const auto &[place, line] : cqc)
  {
    EXPECT_LE(line.at("mises_max"), line.at("mises_srss") * (1. + 1e-12)) << place;
    EXPECT_LT(line.at("mises_srss"), sum.at(place).at("mises_max")) << place;
    EXPECT_EQ(sum.at(place).count("mises_srss"), 0u);
    EXPECT_NEAR(ten.at(place).at("mises_max"), line.at("mises_srss"), 0.02 * line.at("mises_srss")) << place << ": modes far apart";
  }
  const Places srss = run({}), percent = run({"Stages/quake/Combine directions=100-30-30"}), x = run({"Stages/quake/Spectra=design, none"});
  for (const char *place : {"quarter", "largest"})
    EXPECT_GE(srss.at(place).at("mises_max"), cqc.at(place).at("mises_max") * (1. - 1e-12)) << place;
  const double along = x.at("quarter").at("mises_max"), across = cqc.at("quarter").at("mises_max");
  EXPECT_NEAR(percent.at("quarter").at("mises_max"), std::max(along, across) + 0.3 * std::min(along, across), 1e-9 * across);
}

/// Two modes of nearly one frequency (a beam of 0.1 x 0.102 m, shaken across its edges), and a load besides: components are those of
/// the quantities, which are combined in another way.
TEST(SpectraStress, CloseModesHaveTheirSigns)
{
  const std::string deck =
      section("Mesh", "set Type = box\nset Subdivisions = 6, 1, 1\nset Order = 2\n" + section("box", "set Size = 1, 0.1, 0.102")) +
      elastic(1e9, 0.3, 1000.) + section("Supports", section("root", "set Boundary = x-")) +
      section("Loads", section("push", "set Type = traction\nset Boundary = x+\nset Traction = 0, 300, 500")) +
      section("Probes", section("edge", "set Point = 0.25, 0.1, 0.102\nset Stress = yes"));
  {
    const Folder folder;
    write_spectrum(folder, "1 1\n1e4 1\n");
    run_well(folder,
             deck + spectrum("") +
                 stages(section("quake",
                                "set Type = response spectrum\nset Loads = none\nset Spectra = none, design, design\nset Modes = 4\nset "
                                "Damping ratios = 0.05\nset Combine directions = srss")));
    expect_same_components(folder / "results/response-spectrum-quake", "value", "stress");
  }
  const Folder folder;
  write_spectrum(folder, "1 1e-2\n300 1e-2\n");
  run_well(folder,
           deck + spectrum("set Type = psd") +
               stages(section("shaker",
                              "set Type = random\nset Base spectrum = none, none, design\nset Load spectra = push: 2 design\nset Modes "
                              "= 4\nset Damping ratios = 0.05")));
  expect_same_components(folder / "results/random-shaker", "rms", "rms_stress");
  const Places found = places_of(folder / "results/random-shaker-stress.csv");
  const double crossings = quantity_of(folder / "results/random-shaker.csv", "edge.S_xx", "upward crossings of zero");
  EXPECT_NEAR(found.at("edge").at("mises_rate"), crossings, 0.02 * crossings) << "one component has nearly all of it";
}

/// Far below the first frequency a random load along the whole bar acts as at rest: the reaction is all of it, whatever the modes.
TEST(SpectraStress, ReactionsToRandomLoads)
{
  const std::string shear = section("Loads", section("drive", "set Type = traction\nset Boundary = y+\nset Traction = 3, 0, 0"));
  for (const char *mass : {"consistent", "lumped"})
    for (const int modes : {1, 3})
    {
      const Folder folder;
      write_spectrum(folder, "1e-4 1\n1e-2 1\n");
      run_well(folder,
               bar(4) + shear + section("Elements", std::string("set Mass = ") + mass) + spectrum("set Type = psd") +
                   stages(section("shaker", fmt::format("set Type = random\nset Load spectra = drive: design\nset Modes = {}\nset Damping "
                                                        "ratios = 0.05",
                                                        modes))));
      const double whole = 3. * 0.05 * std::sqrt(1e-2 - 1e-4);
      EXPECT_NEAR(quantity_of(folder / "results/random-shaker.csv", "clamp.R_x", "rms"), whole, 1e-4 * whole) << mass << " " << modes;
    }
}

/// A beam that is twisted: its axial stress is not all, and a warning says so.
TEST(SpectraStress, WhatIsLeftOutIsSaid)
{
  const std::string line =
      "set Structure = discrete\n" +
      section("Points", section("foot", "set Fixed = yes\nset Position = 0, 0, 0") + section("tip", "set Position = 10, 0, 0")) +
      section("Beams",
              section("arm",
                      "set From = foot\nset To = tip\nset Elements = 4\nset Clamped = from\nset Direction = 0, 1, 0\nset Section = "
                      "rectangle\nset Size = 1, 0.1\nset E = 1.2e6\nset nu = 0\nset Density = 1000"));
  const Folder folder;
  write_spectrum(folder, "1e-4 1e-4\n10 1e-4\n");
  const std::string stage = "set Type = random\nset Base spectrum = none, none, design\nset Modes = 1\nset Damping ratios = 0.05\n";
  EXPECT_NE(
      run_well(folder, line + spectrum("set Type = psd") + stages(section("shaker", stage))).terminal.find("without torsion and shear"),
      std::string::npos);
  const auto refused = [&](const std::string &entries, const std::string &words) {
    const Outcome run =
        run_text(folder, line + spectrum("set Type = psd") + stages(section("shaker", stage + entries)), {}, 1, "--overwrite");
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_NE(run.terminal.find(words), std::string::npos) << run.terminal;
  };
  refused("set Yield stress = 1\nset Stresses = no", "Yield stress = 1: it has no effect, because there are no stresses");
  refused("set Densities = arm.director_error", "there is no quantity 'arm.director_error' that is linear in the motion");
}

/// The same cantilever of 10 x 1 x 0.1 m as a body, a shell and a beam: E t/2 times the curvature of the first mode at the clamp,
/// 9.396 rho S_a/(t beta²), beta = 1.8751/10 m (Euler-Bernoulli).
TEST(SpectraStress, BodiesShellsAndBeams)
{
  const std::string stage =
      spectrum("") + stages(section("quake",
                                    "set Type = response spectrum\nset Spectra = none, none, design\nset Modes = 1\nset Missing mass = "
                                    "no\nset Damping ratios = 0.05"));
  const std::string body =
      section("Mesh", "set Type = box\nset Subdivisions = 40, 1, 1\nset Order = 2\n" + section("box", "set Size = 10, 1, 0.1")) +
      elastic(1.2e6, 0., 1000.) + section("Supports", section("clamp", "set Boundary = x-"));
  const std::string surface =
      in_shell_decks::shell("plate", "set Size = 10, 1", 80, 2, 0.1, 1.2e6, 0., 1000.) + in_shell_decks::support("clamp", "x-", "fixed");
  const std::string line =
      "set Structure = discrete\n" +
      section("Points", section("foot", "set Fixed = yes\nset Position = 0, 0, 0") + section("tip", "set Position = 10, 0, 0")) +
      section("Beams",
              section("arm",
                      "set From = foot\nset To = tip\nset Elements = 40\nset Clamped = from\nset Direction = 0, 1, 0\nset Section = "
                      "rectangle\nset Size = 1, 0.1\nset E = 1.2e6\nset nu = 0\nset Density = 1000"));
  const double expected = 9.396 * 1000. * 1e-4 / (0.1 * std::pow(1.8751 / 10., 2));
  for (const auto &[kind, deck] : {std::pair{"body", body}, {"shell", surface}, {"beam", line}})
  {
    const Folder folder;
    write_spectrum(folder, "1e-4 1e-4\n10 1e-4\n");
    run_well(folder, deck + stage);
    const Places found = places_of(folder / "results/response-spectrum-quake-stress.csv");
    EXPECT_NEAR(found.at("largest").at("mises_max"), expected, 0.03 * expected) << kind;
    EXPECT_NEAR(found.at("largest").at("stress S_xx"), expected, 0.03 * expected) << kind;
  }
}

/// history.csv has the stress of a probe: a bar of E = 1e6 under a pull of 100 Pa; the mean of the cells at a node; a set has none.
TEST(SpectraStress, ProbesInHistory)
{
  const std::string wants = section("Probes", section("middle", "set Point = 0.5, 0.02, 0.01\nset Stress = yes"));
  for (const int cells : {4, 5})  // at a node, inside a cell
  {
    const Folder folder;
    run_well(folder, bar(cells) + wants + pull + stages(section("load", "set Type = static")));
    const History history = read_history(folder / "results/history.csv");
    EXPECT_NEAR(history.last("middle.S_xx"), 100., 1e-6);
    EXPECT_NEAR(history.last("middle.S_mises"), 100., 1e-6);
    for (const char *other : {"middle.S_yy", "middle.S_zz", "middle.S_xy", "middle.S_yz", "middle.S_zx"})
      EXPECT_NEAR(history.last(other), 0., 1e-6) << other;
  }
  expect_refused(
      bar(2) + section("Probes", section("middle", "set Set = x+\nset Stress = yes")) + pull + stages(section("load", "set Type = static")),
      "is the stress of one place, and Set is the mean of many nodes");
}
}  // namespace symdyn::tests::in_spectra_stress
