// Beams and shells that are heated, from decks: free and held ones, gradients, flow, motion, wrong input.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "tests/heated_decks.h"
#include "tests/in_process.h"
#include "tests/parts.h"

namespace symdyn::tests::in_thin_temperature
{
using namespace heated_decks;
namespace
{
constexpr double E = 210e9, nu = 0.3, alpha = 12e-6, eps = 100. * alpha, pi = 3.14159265358979323846;

/// A distorted plate of 2 x 1 of n x n quadrilaterals, bent to a quarter of a cylinder of length 1 where `curved`: nodes of corners A, B,
/// C.
std::string plate(const std::string &type, const int n, const bool curved = false)
{
  const bool quadratic = type == "S8R" || type == "S6", triangles = type == "S3" || type == "S6";
  const int m = quadratic ? 2 * n : n;
  std::string nodes, cells;
  const auto number = [m](const int i, const int j) { return j * (m + 1) + i + 1; };
  const auto corner = [&](const int i, const int j) {  // 0..m, distorted
    const double x = 2. * i / m, y = 1. * j / m, wave = 0.1 * std::sin(pi * x / 2.) * std::sin(pi * y);
    return std::array{x + wave, y - 0.7 * wave};
  };
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= m; ++i)
    {
      std::array<double, 2> X = corner(i, j);
      if (quadratic && (i % 2 || j % 2))  // edges are straight
      {
        const int di = i % 2, dj = j % 2;
        const auto one = corner(i - di, j - dj), other = corner(i + di, j + dj);
        X = {0.5 * (one[0] + other[0]), 0.5 * (one[1] + other[1])};
      }
      const double R = 4. / pi, phi = X[0] / R;
      nodes += curved ? fmt::format("{}, {:.15g}, {:.15g}, {:.15g}\n", number(i, j), R * std::sin(phi), X[1], R * std::cos(phi))
                      : fmt::format("{}, {:.15g}, {:.15g}, 0\n", number(i, j), X[0], X[1]);
    }
  const int step = quadratic ? 2 : 1;
  int count = 0;
  const auto cell = [&](const std::vector<std::array<int, 2>> &at) {
    cells += fmt::format("{}", ++count);
    for (std::size_t k = 0; k < at.size(); ++k)
      cells += fmt::format(", {}", number(at[k][0], at[k][1]));
    for (std::size_t k = 0; quadratic && k < at.size(); ++k)
    {
      const auto &next = at[(k + 1) % at.size()];
      cells += fmt::format(", {}", number((at[k][0] + next[0]) / 2, (at[k][1] + next[1]) / 2));
    }
    cells += "\n";
  };
  for (int j = 0; j < m; j += step)
    for (int i = 0; i < m; i += step)
      if (triangles)
      {
        cell({{i, j}, {i + step, j}, {i + step, j + step}});
        cell({{i, j}, {i + step, j + step}, {i, j + step}});
      }
      else
        cell({{i, j}, {i + step, j}, {i + step, j + step}, {i, j + step}});
  return "*NODE\n" + nodes + "*ELEMENT, TYPE=" + type + ", ELSET=SKIN\n" + cells +
         fmt::format("*NSET, NSET=A\n{}\n*NSET, NSET=B\n{}\n*NSET, NSET=C\n{}\n*NSET, NSET=D\n{}\n", number(0, 0), number(m, 0),
                     number(0, m), number(m, m));
}

std::string on(const std::string &name, const std::string &components)
{
  return section(name, "set Nodes = " + name + "\nset Type = displacement\nset Displacement = " + components);
}
/// Held so that strains are free.
const std::string determinate = section("Supports", on("A", "0, 0, 0") + on("B", "free, 0, 0") + on("C", "free, free, 0"));

std::string shells(const std::string &more = "")
{
  return "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = plate.inp") + tight +
         section("Shells", section("skin", "set Thickness = 0.01\nset Material = steel\n" + more));
}
std::string corners() { return section("Points", "set Dimension = 3\n" + section("tip", "set On nodes = D") + "set Report = tip"); }

History run_plate(const std::string &mesh, const std::string &deck, const std::vector<std::string> &settings = {}, const int ranks = 1)
{
  const Folder folder;
  write_file(folder, "plate.inp", mesh);
  return run_well(folder, deck, settings, ranks).history;
}

/// A beam of 1 m along x, 20 mm along y and 30 mm along z.
std::string beam(const std::string &more, const std::string &ends)
{
  return "set Structure = discrete\n" + tight +
         section("Points", "set Dimension = 3\n" + section("root", "set Position = 0, 0, 0\nset Fixed = yes") +
                               section("tip", "set Position = 1, 0, 0\n" + ends) + "set Report = tip") +
         section("Beams", section("arm",
                                  "set From = root\nset To = tip\nset Elements = 3\nset Direction = 0, 1, 0\nset Material = "
                                  "steel\nset Section = rectangle\nset Size = 0.02, 0.03\n" +
                                      more));
}
constexpr double area = 0.02 * 0.03, I = 0.02 * 0.03 * 0.03 * 0.03 / 12.;
}  // namespace

/// Shells of all types, plane and curved: without stress, (1 + eps) times as large.
TEST(ThinTemperature, FreeShellsHaveNoStress)
{
  for (const std::string type : {"S4", "S3", "S8R", "S6"})
    for (const bool curved : {false, true})
      for (const std::string geometry : {"", "set Geometry = linear"})
      {
        SCOPED_TRACE(type + (curved ? ", curved, " : ", ") + geometry);
        const History history =
            run_plate(plate(type, 4, curved), shells(geometry) + steel() + hot("120") + determinate + heating + corners());
        EXPECT_NEAR(history.last("E_potential"), 0., 1e-11 * E * 0.02 * eps * eps);
        if (curved)
          continue;
        EXPECT_NEAR(history.last("tip.x"), 2. * (1. + eps), 1e-10);
        EXPECT_NEAR(history.last("tip.y"), 1. + eps, 1e-10);
      }
}

/// Membranes and bending that supports prevent: sigma = -E alpha T/(1 - nu), M = D (1 + nu) kappa.
TEST(ThinTemperature, HeldShells)
{
  const std::string clamped = section("Supports", section("all", "set Boundary = all\nset Type = fixed"));
  const std::string mesh = section("Mesh", "set Type = plate\nset Subdivisions = 3, 2\n" + section("plate", "set Size = 2, 1"));
  for (const std::string cells : {"quadrilaterals", "triangles"})
  {
    std::string hold;
    for (const std::string edge : {"x-", "x+", "y-", "y+"})
      hold += section(edge, "set Boundary = " + edge + "\nset Type = fixed");
    const std::string deck = "set Structure = discrete\n" + mesh + tight + steel() + section("Supports", hold) +
                             section("Shells", section("skin", "set Thickness = 0.01\nset Material = steel\nset Geometry = linear")) +
                             heating;
    const std::vector<std::string> settings{"Mesh/Cell shape=" + cells, "Mesh/Subdivisions=1, 1"};
    const History history = run_plate("", deck + section("Temperature", "set Field = 120\nset Gradient = 4000"), settings);
    const double kappa = 4000. * alpha, D = E * 1e-6 / (12. * (1. - nu * nu)),
                 energy = 2. * (E * 0.01 * eps * eps / (1. - nu) + D * (1. + nu) * kappa * kappa);
    EXPECT_NEAR(history.last("E_potential"), energy, 1e-10 * energy) << cells;
    EXPECT_NEAR(history.last("W_thermal"), energy, 1e-10 * energy) << cells;
  }
}

TEST(ThinTemperature, BeamsFreeAndHeld)
{
  for (const std::string type : {"B31", "B32"})
    for (const bool linear : {true, false})
    {
      SCOPED_TRACE(type + (linear ? ", linear" : ""));
      const std::string entries = "set Type = " + type + (linear ? "\nset Geometry = linear\n" : "\n");
      const Folder folder, other;
      const std::string gradients = section("Temperature", "set Field = 120\nset Gradient = 1000, 500");
      const History free = run_well(folder, beam(entries + "set Clamped = from", "") + steel() + gradients + heating).history;
      EXPECT_NEAR(free.last("E_potential"), 0., 1e-12 * E * area * eps * eps);
      // Hot at positive y and z: it bends to the other sides, by kappa/2.
      if (linear)
      {
        EXPECT_NEAR(free.last("tip.x"), 1. + eps, 1e-12);
        EXPECT_NEAR(free.last("tip.y"), -0.5 * 1000. * alpha, 1e-12);
        EXPECT_NEAR(free.last("tip.z"), -0.5 * 500. * alpha, 1e-12);
      }
      else  // an arc
        EXPECT_NEAR(free.last("tip.y") / free.last("tip.z"), 2., 1e-9);
      const History held =
          run_well(other, beam(entries + "set Clamped = from, to", "set Fixed = yes") + steel() + gradients + heating).history;
      const double N = -E * area * (linear ? eps : eps + 0.5 * eps * eps);
      EXPECT_NEAR(held.last("arm.N_from"), N, 1e-9 * E * area * eps);
      EXPECT_NEAR(std::abs(held.last("arm.M2_to")), E * I * 500. * alpha, 1e-9 * E * I);
      EXPECT_NEAR(held.last("E_potential"), held.last("W_thermal"), (linear ? 1e-12 : 1e-5) * held.last("W_thermal"));
    }
}

/// The strain of a table is that of its secant coefficients; outside of it the run ends with the place.
TEST(ThinTemperature, TablesOfExpansion)
{
  const std::string table = section("Materials", section("steel",
                                                         "set Type = linear-elasticity\nset E = 210e9\nset nu = 0.3\nset Density = "
                                                         "7850\nset Expansion table = 0 10e-6, 100 12e-6, 200 16e-6\nset "
                                                         "Reference temperature = 0")),
                    arm = beam("set Clamped = from\nset Geometry = linear", "");
  const auto tip = [&](const std::string &temperature) {
    const Folder folder;
    return run_well(folder, arm + table + section("Temperature", temperature) + heating).history.last("tip.x") - 1.;
  };
  EXPECT_NEAR(tip("set Initial = 50\nset Field = 150"), 14e-6 * 150. - 11e-6 * 50., 1e-14);
  EXPECT_NEAR(tip("set Initial = 50"), 0., 1e-14);
  expect_refused(arm + table + section("Temperature", "set Field = 250") + heating, "T = 250 is outside of its temperatures, 0 to 200");
}

/// A beam that cannot expand flows: N = -sigma_y A, and cooling leaves tension.
TEST(ThinTemperature, PlasticBeamsFlow)
{
  const auto run = [](const int increments) {
    const Folder folder;
    const auto stage = [&](const std::string &name) {
      return section(name, fmt::format("set Type = static\nset Increments = {}\nset Duration = 1", increments));
    };
    return run_well(folder, beam("set Clamped = from, to\nset Geometry = linear", "set Fixed = yes") +
                                steel("plastic", "set Yield stress = 200e6") + hot("20 + 100*min(t, 2 - t)") +
                                stages(stage("heating") + stage("cooling")))
        .history;
  };
  const History history = run(4), fine = run(16);
  EXPECT_NEAR(history["arm.N_from"][4], -200e6 * area, 1e-9 * 200e6 * area);
  const double plastic = eps - 200e6 / E;
  EXPECT_NEAR(history["E_inelastic"][4], 200e6 * plastic * area, 1e-9 * 200e6 * eps * area);
  EXPECT_NEAR(history.last("arm.N_from"), E * plastic * area, 1e-9 * 200e6 * area);
  const auto error = [](const History &of) {
    double worst = 0.;
    for (const double value : of["E_balance_error"])
      worst = std::max(worst, std::abs(value));
    return worst;
  };
  EXPECT_LT(error(history), 0.05 * history["E_inelastic"][4]);
  EXPECT_LT(error(fine), 0.3 * error(history)) << "the kink is in one increment";
}

/// Temperatures of nodes of the file, a restart between increments, two and three ranks: one answer.
TEST(ThinTemperature, NamedNodesRestartsAndRanks)
{
  const std::string warm = section("Temperature", "set Initial = 20\n" + section("edge",
                                                                                 "set Nodes = B, D\nset Value = 20 + 300*y\n"
                                                                                 "set Amplitude = t^2"));
  const std::string deck = shells() + steel() + warm + determinate + corners() + section("Solver", "set Deterministic = yes") +
                           stages(section("heating", "set Type = static\nset Increments = 4\nset Duration = 1"));
  const Folder whole, parts;
  for (const Folder *folder : {&whole, &parts})
    write_file(*folder, "plate.inp", plate("S4", 4));
  const History history = run_well(whole, deck).history;
  EXPECT_GT(history.last("E_potential"), 1.) << "the cells of two corners are hot";
  ASSERT_EQ(run_in_parts(parts, write_file(parts, "deck.prm", deck), {}, 2).exit_code, 0);
  const History divided = read_history(parts / "results/history.csv");
  for (const std::string column : {"E_potential", "W_thermal", "tip.z", "tip.x"})
  {
    EXPECT_EQ(divided.last(column), history.last(column)) << column;
    for (const int ranks : {2, 3})
      EXPECT_NEAR(run_plate(plate("S4", 4), deck, {}, ranks).last(column), history.last(column), 1e-9 * std::abs(history.last(column)))
          << column << ranks;
  }
}

/// A plate that swings while it is heated: the balance closes with order 2, that of energy and momentum to rounding.
void expect_balance(const std::string &of_steel)
{
  const std::string deck = shells() +
                           section("Materials", section("steel",
                                                        "set Type = linear-elasticity\nset E = 1e7\nset nu = 0.3\nset "
                                                        "Density = 1000\nset Expansion = 12e-6\n" +
                                                            of_steel)) +
                           section("Temperature", "set Field = 20 + 2000*sin(20*t)^2*(1 + x)\nset Gradient = 20000*sin(15*t)^2") +
                           corners() + section("Supports", on("A", "0, 0, 0") + on("C", "0, 0, 0")) +
                           section("Output", "set Write every = never");
  const auto error = [&](const std::string &scheme, const std::string &step) {
    const History history = run_plate(plate("S4", 3), deck + section("Integrator", "set Scheme = " + scheme) +
                                                          section("Time", "set Time step = " + step + "\nset End time = 0.1"));
    EXPECT_GT(std::abs(history.last("W_thermal")), 1e-3);
    double worst = 0.;
    for (const double value : history["E_balance_error"])
      worst = std::max(worst, std::abs(value));
    return worst;
  };
  EXPECT_NEAR(0.5 * std::log2(error("newmark", "0.002") / error("newmark", "0.0005")), 2., 0.25);
  EXPECT_LT(error("discrete-gradient", "0.002"), 1e-9);
}
TEST(ThinTemperature, BalanceOfMotion) { expect_balance(""); }
/// The same of a plate that becomes softer by half.
TEST(ThinTemperature, BalanceOfSofteningMotion)
{
  expect_balance("set Temperature = 20\nset Extrapolate = constant\n" +
                 section("At temperatures", section("8000", "set E = 5e6\nset nu = 0.3")));
}

/// A cladding that is heated with its block, in one deck: nothing strains.
TEST(ThinTemperature, ShellsOnSolids)
{
  const Folder folder;
  write_file(folder, "skin.inp", "*NODE\n1, 0, 0, 1\n2, 2, 0, 1\n3, 2, 1, 1\n4, 0, 1, 1\n*ELEMENT, TYPE=S4, ELSET=SKIN\n1, 1, 2, 3, 4\n");
  const std::string deck = section("Mesh", "set Type = box\nset Subdivisions = 1, 1, 1\n" + section("box", "set Size = 2, 1, 1")) +
                           section("Surface mesh", "set Type = file\nset File = skin.inp") + steel("st-venant-kirchhoff") + tight +
                           section("Materials", section("skin",
                                                        "set Type = linear-elasticity\nset E = 210e9\nset nu = 0.3\nset Density = "
                                                        "7850\nset Expansion = 12e-6")) +
                           section("Shells", section("skin", "set Thickness = 0.01\nset Material = skin")) + section("Supports", planes) +
                           hot("120") + corner + heating;
  const History history = run_well(folder, deck).history;
  EXPECT_NEAR(history.last("E_potential"), 0., 1e-12 * 2. * E * eps * eps);
  EXPECT_NEAR(history.last("corner.u_x"), 2. * eps, 1e-11);
  const Folder other;
  write_file(other, "skin.inp", text_of(folder / "skin.inp"));
  EXPECT_GT(run_well(other, deck, {"Materials/skin/Expansion=0"}).history.last("E_potential"), 1.) << "a cold skin holds the block";
}

/// A held beam of an .inp file that yields: E (e - p) = sigma_y + H p; and what such files cannot say yet.
TEST(ThinTemperature, FilesOfCalculix)
{
  const std::string mesh = "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 0.5, 0., 0.\n3, 1., 0., 0.\n",
                    elastic = "*MATERIAL, NAME=STEEL\n*ELASTIC\n2e11, 0.3\n", arm = "*ELEMENT, TYPE=B31, ELSET=ARM\n1, 1, 2\n2, 2, 3\n",
                    section =
                        "*BEAM SECTION, ELSET=ARM, MATERIAL=STEEL, SECTION=RECT\n0.02, 0.03\n0., 1., 0.\n*BOUNDARY\n1, 1, 6\n3, 1, 6\n",
                    flows = "*PLASTIC\n250e6, 0.\n300e6, 0.1\n", expands = "*EXPANSION\n12e-6\n";
  const auto heat = [](const std::string &temperature) {
    return "*STEP\n*STATIC\n0.25, 1.\n*TEMPERATURE\n" + temperature + "\n*NODE PRINT, NSET=ALL\nRF\n*END STEP\n";
  };
  const auto run = [](const Folder &folder, const std::string &text) { return run_deck(folder, write_file(folder, "arm.inp", text)); };
  const Folder folder;
  const Outcome outcome = run(folder, mesh + arm + elastic + flows + expands + section + heat("ALL, 200."));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  const double p = (2e11 * 0.0024 - 250e6) / (2e11 + 500e6);
  EXPECT_NEAR(outcome.history.last("p_max"), p, 1e-9 * p);
  EXPECT_NEAR(outcome.history.last("E_inelastic"), 6e-4 * 250e6 * p, 1e-6 * 6e-4 * 250e6 * p);
  const auto refused = [&run](const std::string &text, const std::string &words) {
    const Folder of_one;
    const Outcome one = run(of_one, text);
    EXPECT_EQ(one.exit_code, 1);
    EXPECT_EQ(has(one.terminal, words), "");
  };
  refused(mesh + arm + elastic + expands + section + heat("ALL, 200., 30."), "a gradient through beams and shells is not read");
  refused(mesh + arm + elastic + "*CREEP\n1e-20, 2., 0.\n" + section + heat("ALL, 200."), "of beams and shells cannot be computed");
  refused(mesh + "*ELEMENT, TYPE=T3D2, ELSET=ARM\n1, 1, 2\n2, 2, 3\n" + elastic + expands +
              "*SOLID SECTION, ELSET=ARM, MATERIAL=STEEL\n1e-4\n*BOUNDARY\n1, 1, 3\n3, 1, 3\n" + heat("2, 200."),
          "bars have one temperature");
}

TEST(ThinTemperature, WrongInput)
{
  const std::string arm = beam("set Clamped = from", "");
  expect_refused(arm + steel("linear-elasticity", "set Temperature = 20") + hot("120") + heating,
                 "without constants at other temperatures");
  expect_refused(arm +
                     section("Materials", section("steel",
                                                  "set Type = linear-elasticity\nset E = 1\nset nu = 0\nset Density = 1\nset Expansion = "
                                                  "1e-6, 1e-6, 2e-6")) +
                     hot("120") + heating,
                 "expand the same in all directions");
  expect_refused(arm + steel() + section("Temperature", "set Gradient = 1, 2, 3") + heating, "has 3 values");
  expect_refused(arm + steel() + section("Temperature", section("a", "set Nodes = nowhere\nset Value = 3")) + heating, "nowhere");
  for (const std::string entry : {"Field", "Initial", "Gradient"})
    expect_refused(arm + steel() + section("Temperature", "set " + entry + " = 20 + sqrt(x - 2)") + heating, "'20 + sqrt(x - 2)' is");
  expect_refused(block() + steel() + section("Supports", section("foot", "set Boundary = x-")) + hot("log(x - 5)") + heating,
                 "'log(x - 5)' is");
  expect_refused(block() + steel() + section("Temperature", "set Gradient = 5") + heating, "that of beams and shells, and there are none");
  const Folder folder, other;
  EXPECT_EQ(has(run_well(folder, arm + steel() + heating).terminal, "the deck gives no temperatures"), "");
  EXPECT_EQ(
      has(run_well(other,
                   arm + section("Materials", section("steel", "set Type = linear-elasticity\nset E = 1\nset nu = 0\nset Density = 1")) +
                       hot("120") + heating)
              .terminal,
          "temperatures have no effect"),
      "");
}
}  // namespace symdyn::tests::in_thin_temperature
