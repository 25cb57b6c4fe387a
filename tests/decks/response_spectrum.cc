// Response spectra: a chain of storeys, a body with section forces, what is refused; shock spectra of records.
#include <cmath>
#include <fstream>

#include "tests/compare.h"
#include "tests/linear_decks.h"
#include "tests/quantity_tables.h"

namespace symdyn::tests::in_response_spectrum
{
namespace
{
/// Quantities of a stage `quake`, by name; "value" and the columns of directions.
struct Quantities
{
  std::map<std::string, std::map<std::string, double>> values;

  explicit Quantities(const std::string &file) : values(lines_of(file)) {}
  double of(const std::string &name, const std::string &column = "value") const { return values.at(name).at(column); }
};

const std::string csv = "results/response-spectrum-quake.csv", modes_csv = "results/response-spectrum-quake-modes.csv";

std::string quake(const std::string &entries) { return stages(section("quake", "set Type = response spectrum\n" + entries)); }
std::string spectra(const std::string &more = "set Unit = g")
{
  return section("Spectra", section("design", "set File = design.csv\n" + more));
}
/// The spectrum of the reference, in g.
void write_design(const Folder &folder, const std::string &text = "0.25 0.1\n2.5 1\n10 1\n33 0.4\n")
{
  std::ofstream(folder / "design.csv") << text;
}

/// Five storeys of 1e5 kg on springs of 1e8 N/m.
std::string storeys()
{
  std::string points = "set Dimension = 1\n" + section("soil", "set Fixed = yes\nset Position = 0"), springs;
  std::string below = "soil";
  for (int i = 1; i <= 5; ++i)
  {
    const std::string name = fmt::format("s{}", i);
    points += section(name, fmt::format("set Mass = 1e5\nset Position = {}", i));
    springs += section(fmt::format("k{}", i), "set From = " + below + "\nset To = " + name + "\nset Stiffness = 1e8");
    below = name;
  }
  return "set Structure = discrete\n" + section("Points", points) + section("Springs", springs);
}

Quantities answer(const std::string &deck, const Settings &settings = {}, const int ranks = 1, const std::string &design = "")
{
  const Folder folder;
  design.empty() ? write_design(folder) : write_design(folder, design);
  run_well(folder, deck, settings, ranks);
  return Quantities(folder / csv);
}

/// A plane cantilever of 1 x 0.1 m with a cut at its middle.
std::string cantilever()
{
  return section("Mesh",
                 "set Type = box\nset Dimension = 2\nset Subdivisions = 16, 2\nset Order = 2\n" + section("box", "set Size = 1, 0.1")) +
         elastic(2e9, 0.3, 1000.) + section("Supports", section("root", "set Boundary = x-")) +
         section("Probes", section("tip", "set Point = 1, 0.05")) +
         section("Section forces", section("cut", "set Point = 0.5, 0\nset Normal = 1, 0"));
}
}  // namespace

/// Own numbers of an independent program (five storeys of 1e5 kg on 1e8 N/m, zeta = 0.05): displacement of the roof, base shear, with two
/// modes and the missing mass, too.
TEST(ResponseSpectrum, FiveStoreys)
{
  const std::string deck = storeys() + spectra() + quake("set Spectra = design\nset Modes = 5\nset Damping ratios = 0.05");
  for (const auto &[rule, roof, shear] :
       {std::tuple{"cqc", 0.0869420769, 2515543.38}, {"srss", 0.086977657, 2510953.71}, {"abs", 0.0931307862, 3061867.97}})
  {
    const Quantities found = answer(deck, {std::string("Stages/quake/Combine modes=") + rule, "Stages/quake/Missing mass=no"});
    EXPECT_NEAR(found.of("s5.x"), roof, 1e-7 * roof) << rule;
    EXPECT_NEAR(found.of("soil.R_x"), shear, 1e-7 * shear) << rule;
  }
  const Quantities two = answer(deck, {"Stages/quake/Modes=2"});
  EXPECT_NEAR(two.of("soil.R_x", "modes x"), 2510749.21, 1e-7 * 2.5e6);
  EXPECT_NEAR(two.of("soil.R_x", "missing mass x"), 65297.584, 1e-7 * 65297.);
  EXPECT_NEAR(two.of("soil.R_x"), 2511598.17, 1e-7 * 2.5e6);
  const Quantities first = answer(deck, {"Stages/quake/Modes=1", "Stages/quake/Missing mass=no", "Points/Report accelerations=yes"});
  const double square = std::pow(2. * std::acos(-1.) * 1.43251874, 2);
  EXPECT_NEAR(first.of("s5.a_x"), square * first.of("s5.x"), 1e-7 * first.of("s5.a_x"));
  const Folder folder;
  write_design(folder);
  run_well(folder, deck);
  const auto table = table_of(folder / modes_csv);
  for (const auto &[mode, share] : {std::pair{0, 0.87953}, {1, 0.0871775}, {4, 0.0015676}})
    EXPECT_NEAR(table.at("mass share x").at(mode), share, 1e-5 * share + 5e-7);
  EXPECT_NEAR(table.at("acceleration x").at(0), 9.80665 * 1.43251874 * 0.4, 1e-6) << "0.1 g at 0.25 Hz, 1 g at 2.5 Hz";
}

/// A spectrum of displacements or pseudo-velocities, or over the period, is the same one.
TEST(ResponseSpectrum, KindsOfSpectra)
{
  const std::string deck = storeys() + quake("set Spectra = design\nset Modes = 5\nset Damping ratios = 0.05");
  const double pi = std::acos(-1.);
  const auto roof = [&](const std::string &type, const int power, const bool by_period) {
    std::string lines;
    for (int k = 0; k <= 40; ++k)
    {
      const double f = by_period ? 20. * std::pow(0.05, k / 40.) : std::pow(20., k / 40.);
      lines += fmt::format("{:.15g} {:.15g}\n", by_period ? 1. / f : f, 3. / std::pow(2. * pi * f, power));
    }
    return answer(deck + spectra("set Type = " + type + (by_period ? "\nset Abscissa = period" : "")), {}, 1, lines).of("s5.x");
  };
  const double expected = roof("acceleration", 0, false);
  EXPECT_NEAR(roof("pseudo-velocity", 1, false), expected, 1e-10 * expected);
  EXPECT_NEAR(roof("displacement", 2, false), expected, 1e-10 * expected);
  EXPECT_NEAR(roof("displacement", 2, true), expected, 1e-10 * expected);
  EXPECT_GT(std::abs(roof("acceleration", 1, false) / expected - 1.), 0.1);
}

/// Curves for two damping ratios: straight in the logarithm of the ratio between them.
TEST(ResponseSpectrum, CurvesOfDampingRatios)
{
  const std::string curves = "frequency, 0.02, 0.08\n0.2, 4, 2\n30, 4, 2\n";
  const std::string deck =
      storeys() + spectra("") + quake("set Spectra = design\nset Modes = 1\nset Missing mass = no\nset Damping ratios = 0.04");
  const double between = answer(deck, {}, 1, curves).of("soil.R_x"),
               low = answer(deck, {"Stages/quake/Damping ratios=0.02"}, 1, curves).of("soil.R_x");
  EXPECT_NEAR(between, 0.75 * low, 1e-9 * low);
  EXPECT_NEAR(low, 4. * 0.87953 * 5e5, 1e-4 * low);
  const Folder folder;
  write_design(folder, curves);
  const Outcome outside = run_text(folder, deck, {"Stages/quake/Damping ratios=0.01"});
  EXPECT_EQ(outside.exit_code, 1);
  EXPECT_NE(outside.terminal.find("[Spectra/design]: the spectrum has damping ratios from 0.02 to 0.08, and a mode has 0.01"),
            std::string::npos)
      << outside.terminal;
}

/// One mode of a body: reaction Gamma² S_a, the shear of a cut is what accelerates the part beyond it; directions; ranks.
TEST(ResponseSpectrum, BodyOnRanks)
{
  const std::string flat = "1 0.5\n100000 0.5\n";
  const std::string deck =
      cantilever() + spectra() + quake("set Spectra = none, design\nset Modes = 1\nset Missing mass = no\nset Damping ratios = 0.02");
  const Folder folder;
  write_design(folder, flat);
  run_well(folder, deck);
  const Quantities one(folder / csv);
  const auto table = table_of(folder / modes_csv);
  const double gamma = table.at("participation y").at(0), Sa = 0.5 * 9.80665;
  EXPECT_NEAR(one.of("root.R_y"), gamma * gamma * Sa, 1e-8 * one.of("root.R_y"));
  EXPECT_NEAR(gamma * gamma, 0.613 * 100., 0.01 * 61.3) << "effective mass of a cantilever";
  const double omega = 2. * std::acos(-1.) * table.at("frequency").at(0);
  EXPECT_NEAR(one.of("tip.a_y"), omega * omega * one.of("tip.u_y"), 1e-9 * one.of("tip.a_y"));
  EXPECT_NEAR(one.of("tip.u_y"), 1.566 * Sa / (omega * omega), 0.01 * one.of("tip.u_y")) << "Gamma phi of a cantilever";
  EXPECT_GT(one.of("cut.F_y"), 0.5 * one.of("root.R_y"));
  EXPECT_LT(one.of("cut.F_y"), one.of("root.R_y"));
  const Settings all{"Stages/quake/Spectra=design, 0.5 design", "Stages/quake/Modes=8", "Stages/quake/Missing mass=yes"};
  const Quantities srss = answer(deck, all, 1, flat), two = answer(deck, all, 2, flat),
                   percent = answer(deck, all + Settings{"Stages/quake/Combine directions=100-30-30"}, 1, flat);
  for (const char *name : {"root.R_x", "root.R_y", "tip.u_x", "tip.u_y", "cut.F_x", "cut.F_y"})
  {
    const double x = srss.of(name, "x"), y = srss.of(name, "y");
    EXPECT_NEAR(srss.of(name), std::hypot(x, y), 1e-12 * std::hypot(x, y)) << name;
    EXPECT_NEAR(percent.of(name), std::max(x, y) + 0.3 * std::min(x, y), 1e-12 * (x + y)) << name;
    EXPECT_NEAR(two.of(name), srss.of(name), 1e-7 * srss.of(name)) << name;
  }
  EXPECT_TRUE(std::ifstream(folder / "results/response-spectrum-quake.pvd").good());
}

TEST(ResponseSpectrum, Refused)
{
  const auto refused = [](const std::string &deck, const std::string &words) {
    const Folder folder;
    write_design(folder);
    const Outcome run = run_text(folder, deck);
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_NE(run.terminal.find(words), std::string::npos) << "'" << words << "' is not in:\n" << run.terminal;
  };
  const std::string ratio = "\nset Damping ratios = 0.05";
  refused(storeys() + spectra() + quake("set Modes = 2" + ratio), "the stage needs the spectra along x, y, z");
  refused(storeys() + spectra() + quake("set Spectra = desing" + ratio), "there is no spectrum 'desing'. Available: design");
  refused(storeys() + spectra() + quake("set Spectra = none" + ratio), "all directions are none");
  refused(storeys() + spectra() + quake("set Spectra = -1 design" + ratio), "'-1 design' is not a name with a factor > 0 before it");
  refused(storeys() + spectra() + quake("set Spectra = design, design" + ratio), "names 2 directions; the model has 1");
  refused(storeys() + spectra() + quake("set Spectra = design\nset Loads = all" + ratio), "applies no loads");
  refused(storeys() + spectra("set Unit = g\nset Type = displacement") + quake("set Spectra = design" + ratio),
          "g is a unit of accelerations");
  refused(storeys() + spectra("set Interpolation = spline") + quake("set Spectra = design" + ratio), "must be one of linear, log-log");
  refused(cantilever() + spectra() + quake("set Spectra = none, design\nset Modes = 4" + ratio), "Extend the file, set Beyond = constant");
  const Folder unused;
  write_design(unused);
  EXPECT_NE(
      run_well(unused, storeys() + spectra() + stages(section("forms", "set Type = modes"))).terminal.find("no stage uses this spectrum"),
      std::string::npos);
  std::string loose = storeys();
  loose.replace(loose.find("set Fixed = yes"), 15, "set Mass = 1");
  refused(loose + spectra() + quake("set Spectra = design" + ratio), "no support holds the structure along x");
  std::string beside = storeys();
  beside.insert(beside.find("subsection s1"), section("alone", "set Mass = 1\nset Position = 9"));
  refused(beside + spectra() + quake("set Spectra = design" + ratio), "is no vibration");
}

/// One mass under flat and broken densities, against the quadrature of an independent program (to 1e-12): acceleration in space, omega²
/// times the displacement, upward crossings of zero.
TEST(RandomVibration, OneMass)
{
  constexpr double g = 9.80665;
  const auto run = [](const double f, const std::string &density, const std::string &more = "") {
    const double k = std::pow(2. * std::acos(-1.) * f, 2);
    const Folder folder;
    write_design(folder, density);
    run_well(
        folder,
        "set Structure = discrete\n" +
            section("Points", "set Dimension = 1\n" + section("wall", "set Fixed = yes\nset Position = 0") +
                                  section("mass", "set Mass = 1\nset Position = 1")) +
            section("Springs", section("spring", fmt::format("set From = wall\nset To = mass\nset Stiffness = {:.17g}", k))) +
            spectra("set Unit = g\nset Type = psd") +
            stages(section("shaker", "set Type = random\nset Base spectrum = design\nset Modes = 1\nset Damping ratios = 0.05\n" + more)));
    return Quantities(folder / "results/random-shaker.csv");
  };
  const auto square = [](const double f) { return std::pow(2. * std::acos(-1.) * f, 2); };
  const Quantities flat = run(50., "20 0.04\n2000 0.04\n");
  EXPECT_NEAR(square(50.) * flat.of("mass.x", "rms") / g, 5.524194801, 1e-8);
  EXPECT_NEAR(flat.of("wall.R_x", "rms") / g, 5.524194801, 1e-8) << "the elastic force";
  const std::string shape = "20 0.026\n50 0.16\n800 0.16\n2000 0.026\n";
  const Quantities broken = run(50., shape);
  EXPECT_NEAR(square(50.) * broken.of("mass.x", "rms") / g, 10.524050431, 1e-6);
  const Quantities higher = run(100., shape);
  EXPECT_NEAR(square(100.) * higher.of("mass.x", "rms") / g, 15.658568188, 1e-6);
  const Quantities narrow = run(50., shape, "set Range = 60, 800");
  EXPECT_LT(narrow.of("mass.x", "rms"), 0.8 * broken.of("mass.x", "rms")) << "without the resonance";
}

/// A cantilever of steel on a shaker, plane stress: own numbers of an independent program, within the 2e-3 that it gives.
TEST(RandomVibration, CantileverOnRanks)
{
  const std::string deck =
      section("Mesh",
              "set Type = box\nset Dimension = 2\nset Subdivisions = 20, 2\nset Order = 2\n" + section("box", "set Size = 2, 0.2")) +
      section(
          "Materials",
          section(
              "stuff",
              "set Type = linear-elasticity\nset E = 210e9\nset nu = 0.3\nset Density = 7850\nset Plane = stress\nset Thickness = 0.1")) +
      section("Supports", section("root", "set Boundary = x-")) + section("Probes", section("tip", "set Point = 2, 0.1")) +
      spectra("set Unit = g\nset Type = psd") +
      stages(section("shaker", "set Type = random\nset Base spectrum = none, design\nset Modes = 10\nset Damping ratios = 0.02"));
  const auto run = [&](const Settings &settings, const int ranks = 1) {
    const Folder folder;
    write_design(folder, "10 0.01\n2000 0.01\n");
    run_well(folder, deck, settings, ranks);
    return Quantities(folder / "results/random-shaker.csv");
  };
  const Quantities all = run({}), two = run({}, 2), one = run({"Stages/shaker/Modes=1", "Stages/shaker/Static correction=no"});
  EXPECT_NEAR(all.of("tip.u_y", "rms"), 0.0009048089, 2e-3 * 0.0009048089);
  EXPECT_NEAR(one.of("tip.u_y", "rms"), 0.000904103, 2e-3 * 0.000904103);
  const char *const crossings = "upward crossings of zero";
  EXPECT_NEAR(one.of("tip.u_y", crossings), 41.52228, 0.01 * 41.5) << "of one mode its frequency";
  EXPECT_GT(all.of("tip.u_y", crossings), one.of("tip.u_y", crossings));
  for (const char *name : {"tip.u_y", "tip.v_y", "tip.a_y", "root.R_y"})
    EXPECT_NEAR(two.of(name, "rms"), all.of(name, "rms"), 1e-7 * all.of(name, "rms")) << name;
  EXPECT_NEAR(all.of("tip.v_y", "rms"), 2. * std::acos(-1.) * all.of("tip.u_y", "upward crossings of zero") * all.of("tip.u_y", "rms"),
              1e-2 * all.of("tip.v_y", "rms"))
      << "the rate of the displacement, but for the static correction";
}

/// A load of the deck at random. On one mass a force m with the density of a base acceleration gives the same displacement relative to the
/// base; under a force the accelerations are omega² x, and not those of the base besides. Two loads add their squares.
TEST(RandomVibration, LoadsAtRandom)
{
  const auto run = [](const std::string &of_spectrum, const std::string &of_stage) {
    const Folder folder;
    write_design(folder, "5 0.04\n60 0.2\n");
    run_well(
        folder,
        "set Structure = discrete\n" +
            section("Points", "set Dimension = 1\nset Report accelerations = yes\n" + section("wall", "set Fixed = yes\nset Position = 0") +
                                  section("mass", "set Mass = 2\nset Position = 1")) +
            section("Springs", section("spring", "set From = wall\nset To = mass\nset Stiffness = 20000")) +
            section("Forces", section("push", "set Points = mass\nset Force = 2") + section("shove", "set Points = mass\nset Force = 6")) +
            spectra(of_spectrum) + stages(section("shaker", "set Type = random\nset Modes = 1\nset Damping ratios = 0.03\n" + of_stage)));
    return Quantities(folder / "results/random-shaker.csv");
  };
  const Quantities base = run("set Type = psd", "set Base spectrum = design"),
                   load = run("set Type = psd", "set Load spectra = push: design"),
                   two = run("set Type = psd", "set Load spectra = push: design, shove: 2 design");
  const double x = base.of("mass.x", "rms");
  EXPECT_NEAR(load.of("mass.x", "rms"), x, 1e-9 * x);
  EXPECT_NEAR(load.of("mass.v_x", "rms"), base.of("mass.v_x", "rms"), 1e-9 * base.of("mass.v_x", "rms"));
  EXPECT_NEAR(load.of("wall.R_x", "rms"), base.of("wall.R_x", "rms"), 1e-9 * base.of("wall.R_x", "rms")) << "elastic forces";
  EXPECT_NEAR(two.of("mass.x", "rms"), std::hypot(x, 6. * x), 1e-9 * 6. * x);
  EXPECT_NEAR(two.of("mass.x", "rms shove"), 6. * x, 1e-9 * 6. * x);
  const double a = load.of("mass.a_x", "rms"), crossing = load.of("mass.v_x", "upward crossings of zero");
  EXPECT_NEAR(a, 2. * std::acos(-1.) * crossing * load.of("mass.v_x", "rms"), 1e-9 * a) << "the rate of the velocity";
  EXPECT_GT(std::abs(base.of("mass.a_x", "rms") / a - 1.), 1e-3) << "in space";
}

/// The area under a density is the mean square.
TEST(RandomVibration, Densities)
{
  const Folder folder;
  write_design(folder, "0.5 0.04\n40 0.2\n");
  run_well(folder, storeys() + spectra("set Type = psd") +
                       stages(section("shaker",
                                      "set Type = random\nset Base spectrum = design\nset Modes = 5\nset Damping ratios = "
                                      "0.05\nset Densities = s5.x, s5.v_x, soil.R_x")));
  const Quantities all(folder / "results/random-shaker.csv");
  const auto table = table_of(folder / "results/random-shaker-densities.csv");
  const std::vector<double> &f = table.at("frequency");
  for (const char *name : {"s5.x", "s5.v_x", "soil.R_x"})
  {
    const std::vector<double> &G = table.at(std::string("density ") + name);
    double area = 0.;
    for (std::size_t k = 1; k < f.size(); ++k)
      area += 0.5 * (G[k] + G[k - 1]) * (f[k] - f[k - 1]);
    EXPECT_NEAR(std::sqrt(area), all.of(name, "rms"), 5e-3 * all.of(name, "rms")) << name;
  }
}

TEST(RandomVibration, Refused)
{
  const auto refused = [](const std::string &of_spectrum, const std::string &of_stage, const std::string &words) {
    const Folder folder;
    write_design(folder);
    const Outcome run = run_text(folder, storeys() + spectra(of_spectrum) + stages(section("shaker", "set Type = random\n" + of_stage)));
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_NE(run.terminal.find(words), std::string::npos) << "'" << words << "' is not in:\n" << run.terminal;
  };
  const std::string psd = "set Type = psd\nset Unit = g", damped = "set Modes = 2\nset Damping ratios = 0.05\n";
  refused(psd, damped, "Base spectrum");
  refused(psd, damped + "set Base spectrum = design\nset Densities = s5.xx",
          "Densities = s5.xx: there is no quantity 's5.xx' that is linear in the motion. Near to it: s5.x");
  refused(psd, damped + "set Base spectrum = design\nset Densities = s5.a_x",
          ". Accelerations of Points: set Points/Report accelerations = yes");
  refused("set Type = psd", damped + "set Load spectra = push", "'push' is not a load and its spectrum. Write LOAD: SPECTRUM");
  refused("set Type = psd", damped + "set Load spectra = push: desing", "there is no spectrum 'desing'");
  refused("set Type = psd", damped + "set Load spectra = push: design, push: design", "names load 'push' twice");
  refused("set Type = psd", damped + "set Load spectra = push: design", "there is no load 'push'");
  refused(psd, damped + "set Load spectra = push: design", "a stage takes this spectrum for a load");
  refused("set Unit = g", damped + "set Base spectrum = design", "a random stage takes power spectral densities. Set Type = psd");
  refused(psd, damped + "set Base spectrum = design\nset Range = 0.1, 20", "leaves the table, which goes from 0.25 to 33 Hz");
  refused(psd, damped + "set Base spectrum = design\nset Range = 20, 10", "Range");
  refused(psd, damped + "set Base spectrum = design\nset Rayleigh damping = 0, 10", "with which it does not vibrate");
  refused(psd, "set Modes = 2\nset Base spectrum = design", "has no damping, and its random vibration grows without bound");
}

/// `symdyn spectrum`: a half sine of 1 m/s² and 1 s, undamped and with Q = 10, against the closed form of an independent program.
TEST(ShockSpectrum, HalfSine)
{
  const Folder folder;
  std::ofstream file(folder / "pulse.csv");
  file << "# t a\n";
  for (int i = 0; i <= 400; ++i)
    file << fmt::format("{:.15g} {:.15g}\n", i / 400., i == 400 ? 0. : std::sin(std::acos(-1.) * i / 400.));
  file.close();
  const auto row = [&](const double f, const std::string &q) {
    const std::string output = folder / fmt::format("srs-{}-{}.csv", f, q);
    const Outcome run = tool(folder, fmt::format("spectrum {}/pulse.csv --frequencies {:.15g},{:.15g} --q {} --overwrite --output {}",
                                                 folder.path, f, 2. * f, q, output));
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return table_of(output);
  };
  for (const auto &[f, undamped, damped] : {std::tuple{0.1, 0.3962735, 0.3690674},
                                            {0.25, 0.942809, 0.8780846},
                                            {0.5, 1.5707963, 1.462645},
                                            {1., 1.7320508, 1.6237914},
                                            {5., 1.0998016, 1.0430243},
                                            {10., 1.0496882, 1.0112222}})
  {
    EXPECT_NEAR(row(f, "1e9").at("maximax").at(0), undamped, 1e-4 * undamped) << f;
    const auto q10 = row(f, "10");
    EXPECT_NEAR(q10.at("maximax").at(0), damped, 1e-4 * damped) << f;
    EXPECT_EQ(q10.at("maximax").at(0), std::max(q10.at("primary").at(0), q10.at("residual").at(0))) << f;
  }
  for (const auto &[f, negative] : {std::pair{0.5, 1.2501594}, {1., 1.0647081}, {2., 0.3785768}})
    EXPECT_NEAR(row(f, "10").at("negative").at(0), negative, 1e-4 * negative) << f;
  EXPECT_NE(tool(folder, "spectrum " + folder.path + "/pulse.csv --frequencies 5,1").exit_code, 0);
  EXPECT_NE(tool(folder, "spectrum " + folder.path + "/none.csv").exit_code, 0);
  std::ofstream(folder / "titles.csv") << "# a pulse\nt [s], a [g]\n0, 0\n0.5, 1\n1, 0\n";
  EXPECT_EQ(tool(folder, "spectrum " + folder.path + "/titles.csv --frequencies 1,2").exit_code, 0);
  std::ofstream(folder / "short.csv") << "time [ms],tip.a_x [m/s^2]\n0,0\n0.5,1\n1,0\n";
  EXPECT_NE(tool(folder, "spectrum " + folder.path + "/short.csv --column tip.a_x").terminal.find("the time is in ms"), std::string::npos);
  std::ofstream(folder / "three.csv") << "t, a, b\n0, 0, 1\n0.5, 1, 2\n1, 0, 3\n";
  EXPECT_NE(tool(folder, "spectrum " + folder.path + "/three.csv").terminal.find("or name a column with --column"), std::string::npos);
  const Outcome low = tool(folder, "spectrum " + folder.path + "/pulse.csv --frequencies 0.1,1");
  EXPECT_NE(low.terminal.find("less than a period of 0.1 Hz"), std::string::npos) << low.terminal;
  EXPECT_NE(low.terminal.find("leaves the base with a velocity"), std::string::npos) << low.terminal;
}
}  // namespace symdyn::tests::in_response_spectrum
