// Steady vibration: bases that shake, forces of supports, structural damping, what is left out.
#include "tests/frames.h"
#include "tests/sweep.h"

namespace symdyn::tests::in_harmonic
{
TEST(Harmonic, TransmissibilityOfOneMassIsExact)
{
  // u/u_g = (k + i w c)/(k - m w² + i w c); the support bears what moves the mass, -m w² u (Chopra, Dynamics of Structures, 3.6).
  constexpr double m = 2, k = 100, c = 3, g = 0.01;
  const std::string range = "set Frequencies = 0.2, 4\nset Points = 20\n";
  for (const std::string method : {"set Method = direct\n", "set Method = modal\nset Modes = 1\n"})
  {
    const Sweep absolute(oscillator(m, k, c), method + range + "set Base displacement = 0.01\nset Base frame = absolute"),
        relative(oscillator(m, k, c), method + range + "set Base displacement = 0.01"),
        shaken(oscillator(m, k, c), method + range + "set Base acceleration = 0.5");
    for (std::size_t i = 0; i < absolute.points(); ++i)
    {
      const double w = absolute.omega(i);
      const Complex spring(k, w * c), u = g * spring / (spring - m * w * w);
      expect_equal(absolute.value("mass.x", i), u, 1e-8, method + "absolute");
      expect_equal(absolute.value("wall.R_x", i), -m * w * w * u, 1e-8, method + "force of the wall");
      expect_equal(relative.value("mass.x", i), u - g, 1e-8, method + "relative");
      expect_equal(relative.value("wall.R_x", i), -m * w * w * u, 1e-8, method + "force of the wall from the moving base");
      expect_equal(shaken.value("mass.x", i), -0.5 * m / (spring - m * w * w), 1e-8, method + "acceleration");
    }
  }
}

TEST(Harmonic, BarOnAShakingBaseIsThatOfTheWaveEquationOnRanks)
{
  // u(L)/u_g = 1/cos(w L/c), the force of the support -E A (w/c) tan(w L/c) u_g, c² = E/rho.
  constexpr double E = 1e6, rho = 1000, A = 0.0025;
  const double c = std::sqrt(E / rho);
  const std::string entries = "set Frequencies = 1, 20\nset Points = 9\nset Base displacement = 0.001, 0, 0\n";
  const Sweep absolute(bar(60), entries + "set Base frame = absolute"), relative(bar(60), entries), ranks(bar(60), entries, {}, 2),
      modal(bar(60), entries + "set Method = modal\nset Modes = 4\nset Static correction = yes");
  for (std::size_t i = 0; i < absolute.points(); ++i)
  {
    const double x = absolute.omega(i) / c;
    expect_equal(absolute.value("tip.u_x", i), 0.001 / std::cos(x), 2e-3, "tip");
    expect_equal(absolute.value("clamp.R_x", i), -E * A * x * std::tan(x) * 0.001, 3e-3, "support");
    expect_equal(absolute.value("tip.u_x", i), relative.value("tip.u_x", i) + 0.001, 1e-8, "frames");
    expect_equal(absolute.value("clamp.R_x", i), relative.value("clamp.R_x", i), 1e-8, "forces in both frames");
    expect_equal(ranks.value("clamp.R_x", i), relative.value("clamp.R_x", i), 1e-8, "forces on ranks");
    expect_equal(modal.value("tip.u_x", i), relative.value("tip.u_x", i), 2e-3, "modal");
  }
}

TEST(Harmonic, DampingOfTheMassKnowsTheFrame)
{
  // alpha M u' resists motion in space, or motion from the base: w alpha m of a rigid body on a stiff spring says which.
  const std::string deck = bar(5) + section("Damping", "set Mass proportional = 50"),
                    entries = "set Frequencies = 2, 2\nset Points = 1\nset Base displacement = 0.001, 0, 0\n";
  const Sweep absolute(deck, entries + "set Base frame = absolute"), relative(deck, entries);
  EXPECT_GT(std::abs(absolute.value("tip.u_x", 0) - relative.value("tip.u_x", 0) - 0.001), 1e-5);
  // In a dynamic stage with the same motion of the base the amplitude is the same, after the beginning has died away.
  constexpr double w = 2. * pi * 2., h = 0.002;
  const Folder folder;
  std::ofstream record(folder / "record.csv");
  for (int i = 0; i <= 3000; ++i)
    record << fmt::format("{} {:.15g}\n", 0.0005 * i, -0.001 * w * w * std::sin(w * 0.0005 * i));
  record.close();
  const Outcome motion = run_well(folder,
                                  deck + section("Base motion", "set File = record.csv\nset Unit = m/s2\nset Direction = 1, 0, 0") +
                                      section("Time", fmt::format("set Time step = {}\nset End time = 1.5", h)),
                                  {"Output/Write every=never"});
  double most = 0;
  for (std::size_t i = motion.history.rows() - 250; i < motion.history.rows(); ++i)
    most = std::max(most, std::abs(motion.history["tip.u_x"][i]));
  EXPECT_NEAR(most, std::abs(relative.value("tip.u_x", 0)), 5e-3 * most);
}

TEST(Harmonic, StructuralDampingIsOfMaterialAndStress)
{
  // A mass between two stretched springs: across, the stiffness 2 T/a is that of the stress alone, and so is what eta acts on: at resonance
  // |u| = F/(eta 2 T/a).
  constexpr double k = 50, a = 1.5, a0 = 1.2, m = 2, T = k * (a - a0), eta = 0.1, across = 2. * T / a;
  const std::string law = fmt::format("set Stiffness = {}\nset Length = {}\n", k, a0);
  const std::string deck = "set Structure = discrete\n" +
                           section("Points", "set Dimension = 2\n" + section("left", "set Fixed = yes\nset Position = 0, 0") +
                                                 section("mass", fmt::format("set Mass = {}\nset Position = {}, 0", m, a)) +
                                                 section("right", fmt::format("set Fixed = yes\nset Position = {}, 0", 2. * a))) +
                           section("Springs", section("one", "set From = left\nset To = mass\n" + law) +
                                                  section("other", "set From = mass\nset To = right\n" + law)) +
                           section("Forces", section("shake", "set Points = mass\nset Force = 0, 7"));
  const double f = std::sqrt(across / m) / (2. * pi);
  for (const std::string method : {"set Method = direct", "set Method = modal\nset Modes = 2"})
  {
    const Sweep sweep(
        deck, method + fmt::format("\nset Structural damping = {}\nset Frequencies = {:.15g}, {:.15g}\nset Points = 2", eta, f, 2. * f));
    expect_equal(sweep.value("mass.y", 0), Complex(0., -7. / (eta * across)), 1e-8, method);
    expect_equal(sweep.value("mass.y", 1), 7. / Complex(-3. * across, eta * across), 1e-8, method);
  }
}

TEST(Harmonic, BodiesThatNothingHoldsAreDampedToo)
{
  // A mass that a spring holds along y alone, on a dashpot to the ground: u_x = F/(-m w² + i w c), by both methods.
  constexpr double m = 2, c = 30;
  const std::string deck = "set Structure = discrete\n" +
                           section("Points", "set Dimension = 2\n" + section("wall", "set Fixed = yes\nset Position = 0, -1") +
                                                 section("mass", "set Mass = 2\nset Position = 0, 0")) +
                           section("Springs", section("s", "set From = wall\nset To = mass\nset Stiffness = 100")) +
                           section("Dashpots", section("oil", "set Points = mass\nset Coefficient = 30")) +
                           section("Forces", section("shake", "set Points = mass\nset Force = 7, 0"));
  for (const std::string method : {"set Method = direct", "set Method = modal\nset Modes = 2"})
  {
    const Sweep sweep(deck, method + "\nset Frequencies = 0.5, 5\nset Points = 5");
    for (std::size_t i = 0; i < sweep.points(); ++i)
      expect_equal(sweep.value("mass.x", i), 7. / Complex(-m * sweep.omega(i) * sweep.omega(i), c * sweep.omega(i)), 1e-8, method);
  }
}

TEST(Harmonic, StaticCorrectionIsWhatModesLeaveOut)
{
  // At rest, nearly, one mode has 8/pi² of the answer F L/(E A); the correction has the rest.
  constexpr double all = 100. / 1e6;
  const std::string slow =
      "set Method = modal\nset Modes = 1\nset Frequencies = 0.01, 0.01\nset Points = 1\nset Structural damping = 0.001\n";
  EXPECT_NEAR(Sweep(bar(20) + pull, slow + "set Static correction = yes").value("tip.u_x", 0).real(), all, 1e-5 * all);
  EXPECT_NEAR(Sweep(bar(20) + pull, slow).value("tip.u_x", 0).real(), all, 1e-5 * all) << "automatic";
  EXPECT_NEAR(Sweep(bar(20) + pull, slow + "set Static correction = no").value("tip.u_x", 0).real(), 8. / (pi * pi) * all, 2e-3 * all);
  const Folder loose;  // a bar that is free along x: no correction, and none that is asked for in vain
  const std::string
      sweep =
          "set Type = harmonic\nset Method = modal\nset Modes = 2\nset Frequencies = 9, 10\nset Points = 2\nset Structural damping = 0.001\n",
      free = "Supports/clamp/Type=roller";
  run_well(loose, bar(20) + pull + stages(section("sweep", sweep)), {"Supports/clamp/Boundary=y+", free});
  expect_refused(bar(20) + pull + stages(section("sweep", sweep + "set Static correction = yes")),
                 "Static correction is of a structure that is held", {"Supports/clamp/Boundary=y+", free});
  // The same in a modal transient, long after the load has come.
  const auto rest = [&](const std::string &entry) {
    const Folder folder;
    return run_well(folder,
                    bar(20) + pull +
                        stages(section("on", "set Type = modal transient\nset Modes = 1\nset Damping ratios = 0.5\n" + entry +
                                                 section("Time", "set Time step = 0.05\nset End time = 3"))),
                    {"Output/Write every=never"})
        .history.last("tip.u_x");
  };
  EXPECT_NEAR(rest("set Static correction = yes\n"), all, 1e-6 * all);
  EXPECT_NEAR(rest(""), 8. / (pi * pi) * all, 2e-3 * all);
}

/// A square under pulls of size s along x and, a quarter of a period later, along y, far below its first mode: sigma_x = s cos, sigma_y =
/// -s sin, so that von Mises' square is s² (1 + sin cos) and its largest value sqrt(1.5) s, while that of the amplitudes is s.
TEST(Harmonic, StressesOfAPeriod)
{
  const Folder folder;
  const std::string square =
      section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 2, 2\n" + section("box", "set Size = 1, 1")) +
      section("Materials",
              section("stuff", "set Type = linear-elasticity\nset E = 1e6\nset nu = 0.3\nset Density = 1\nset Plane = stress")) +
      section("Supports", section("x", "set Boundary = x-\nset Type = symmetry") + section("y", "set Boundary = y-\nset Type = symmetry")) +
      section("Loads", section("along", "set Type = traction\nset Boundary = x+\nset Traction = 100, 0") +
                           section("across", "set Type = traction\nset Boundary = y+\nset Traction = 0, 100")) +
      section("Probes", section("corner", "set Point = 0.9, 0.3\nset Stress = yes")) +
      section("Section forces", section("cut", "set Point = 0.5, 0\nset Normal = 1, 0"));
  run_well(folder, square + stages(section("sweep",
                                           "set Type = harmonic\nset Imaginary loads = across\nset Frequencies = 0.01, 0.01\nset Points = "
                                           "1\nset Stresses = yes")));
  const auto table = table_of(folder / "results/harmonic-sweep.csv");
  EXPECT_NEAR(table.at("amplitude corner.S_xx")[0], 100., 1e-3);
  EXPECT_NEAR(table.at("amplitude corner.S_yy")[0], 100., 1e-3);
  EXPECT_NEAR(table.at("phase corner.S_yy")[0] - table.at("phase corner.S_xx")[0], 90., 1e-3);
  EXPECT_NEAR(table.at("amplitude cut.F_x")[0], 100., 1e-3);
  EXPECT_EQ(table.count("amplitude corner.S_mises"), 0u) << "it is not linear";
  const auto grid = read_grid(files_of(folder / "results/harmonic-sweep-real.pvd").front());
  vtkDataArray *mises = grid->GetPointData()->GetArray("mises_max"), *stress = grid->GetPointData()->GetArray("stress_amplitude");
  ASSERT_TRUE(mises && stress);
  ASSERT_GT(mises->GetNumberOfTuples(), 0);
  for (vtkIdType k = 0; k < mises->GetNumberOfTuples(); ++k)
  {
    EXPECT_NEAR(mises->GetComponent(k, 0), std::sqrt(1.5) * 100., 1e-2);
    EXPECT_NEAR(stress->GetComponent(k, 0), 100., 1e-2);
  }
  expect_refused(oscillator(1., 1., 0.1) + shake +
                     stages(section("sweep", "set Type = harmonic\nset Frequencies = 1, 1\nset Points = 1\nset Stresses = yes")),
                 "Stresses = yes: the structure has none at points of frames");
}

TEST(Harmonic, EntriesWithoutEffectAreRefused)
{
  const auto refused = [](const std::string &entries, const std::string &words) {
    expect_refused(bar(4) + pull + stages(section("sweep", "set Type = harmonic\nset Frequencies = 1, 10\n" + entries)), words);
  };
  refused("set Base frame = absolute", "has no effect: the base rests");
  refused("set Base acceleration = 0, 0, 0", "is zero and has no effect");
  refused("set Base acceleration = 1, 0", "has 2 components; it needs 3");
  refused("set Base acceleration = 1, 0, 0\nset Base displacement = 1, 0, 0", "there is a Base acceleration too");
  refused("set Static correction = yes", "has no effect with Method = direct");
}
}  // namespace symdyn::tests::in_harmonic
