// Bodies that yield, from decks: every element against closed forms, plane stress, restarts, ranks, energies, .inp.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "tests/compare.h"
#include "tests/in_process.h"
#include "tests/inp_model.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_plastic_decks
{
namespace
{
constexpr double E = 1000., nu = 0.3, sigma_y = 4., H = 100.;
const std::string tight =
    section("Newton", "set Tolerance = 1e-12\nset Max iterations = 30") + section("Linear solver", "set Tolerance = 1e-13");

std::string metal(const std::string &more)
{
  return section(
      "Materials",
      section("metal",
              fmt::format("set Type = plastic\nset Density = 1\nset E = {}\nset nu = {}\nset Yield stress = {}\n", E, nu, sigma_y) + more));
}
const std::string hardening = "set Hardening modulus = 100\n";

std::string roller(const std::string &boundary, const std::string &components)
{
  return section(boundary, "set Boundary = " + boundary + "\nset Type = displacement\nset Displacement = " + components);
}

/// A block that is pulled to the logarithmic strain 0.1 by its end, free to thin.
std::string pulled_block(const std::string &mesh, const std::string &law, const double u)
{
  return section("Mesh", "set Type = box\n" + mesh + "\n" + section("box", "set Size = 2, 1, 1\nset Distortion = 0.15")) + metal(law) +
         tight +
         section(
             "Supports",
             roller("x-", "0, free, free") + roller("y-", "free, 0, free") + roller("z-", "free, free, 0") +
                 section("pull", fmt::format("set Boundary = x+\nset Type = displacement\nset Displacement = {:.15g}, free, free", u))) +
         section("Probes", section("corner", "set Point = 2, 1, 1") + section("middle", "set Nearest node = 1, 0.5, 0.5") +
                               section("back", "set Set = x-")) +
         stages(section("pull", "set Type = static\nset Increments = 6"));
}
}  // namespace

/// Uniform flow in distorted cells of every kind: force and thinning of the closed form tau = sigma_y + H (eps - tau/E).
TEST(PlasticDecks, PatchesOfAllElementsFlowUniformly)
{
  const double eps = 0.1, tau = (sigma_y + H * eps) / (1. + H / E), p = eps - tau / E, lateral = -nu * tau / E - 0.5 * p;
  for (const std::string mesh :
       {"set Order = 1\nset Element = mean-dilatation", "set Order = 1", "set Order = 2", "set Order = 1\nset Element = incompatible-modes",
        "set Cell shape = tetrahedra\nset Order = 1", "set Cell shape = tetrahedra\nset Order = 2",
        "set Order = 2\nset Element = serendipity", "set Order = 2\nset Element = serendipity-reduced"})
  {
    SCOPED_TRACE(mesh);
    const Folder folder;
    const History history =
        run_well(folder, pulled_block("set Subdivisions = 3, 2, 2\n" + mesh, hardening, 2. * (std::exp(eps) - 1.))).history;
    EXPECT_NEAR(history.last("corner.u_y"), std::exp(lateral) - 1., 1e-9);
    EXPECT_NEAR(history.last("pull.R_x"), tau / std::exp(eps), 1e-8 * tau) << "Kirchhoff's stress over the stretch, on 1 m2";
    for (const char *place : {"p_max", "corner.p", "middle.p", "back.p"})
      EXPECT_NEAR(history.last(place), p, 1e-10) << place;
    EXPECT_NEAR(history.last("E_inelastic"), 2. * sigma_y * p, 1e-8);
    EXPECT_NEAR(history.last("E_stored"), 2. * 0.5 * H * p * p, 1e-8);
    EXPECT_NEAR(history.last("W_plastic"), history.last("E_inelastic") + history.last("E_stored"), 1e-12);
    EXPECT_NEAR(history.last("yielding"), 1., 1e-12);
  }
}

/// Thin strips, small and large strains: uniaxial stress needs no support across.
TEST(PlasticDecks, PlaneStress)
{
  for (const std::string kinematics : {"small", "multiplicative", "logarithmic"})
  {
    SCOPED_TRACE(kinematics);
    const double eps = 0.1, stretch = kinematics == "small" ? 1. + eps : std::exp(eps);
    const double tau = (sigma_y + H * eps) / (1. + H / E), p = eps - tau / E, lateral = -nu * tau / E - 0.5 * p;
    const Folder folder;
    const History history =
        run_well(
            folder,
            section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 3, 2\n" +
                                section("box", "set Size = 2, 1\nset Distortion = 0.15")) +
                section("Materials",
                        section("metal", fmt::format("set Type = plastic\nset Density = 1\nset E = {}\nset nu = {}\nset Yield stress = {}\n"
                                                     "set Thickness = 0.5\nset Plane = stress\nset Kinematics = {}\n",
                                                     E, nu, sigma_y, kinematics) +
                                             hardening)) +
                tight +
                section("Supports",
                        roller("x-", "0, free") + roller("y-", "free, 0") +
                            section("pull", fmt::format("set Boundary = x+\nset Type = displacement\nset Displacement = {:.15g}, free",
                                                        2. * (stretch - 1.)))) +
                section("Probes", section("corner", "set Point = 2, 1")) + stages(section("pull", "set Type = static\nset Increments = 2")))
            .history;
    EXPECT_NEAR(history.last("corner.u_y"), kinematics == "small" ? lateral : std::exp(lateral) - 1., 1e-9);
    EXPECT_NEAR(history.last("pull.R_x"), 0.5 * tau / (kinematics == "small" ? 1. : stretch), 1e-8 * tau);
    EXPECT_NEAR(history.last("E_inelastic"), 0.5 * 2. * sigma_y * p, 1e-8);
  }
}

/// The whole of a step is W_n(q1) - W_n(q0): of large strains, too, the balance closes to rounding at any step size and the loss is the
/// law's.
TEST(PlasticDecks, DiscreteGradientsCloseTheBalanceOfLargeStrains)
{
  for (const std::string &law : {hardening, hardening + "set Kinematics = logarithmic\nset Backstress moduli = 50\n",
                                 hardening + "set Rate = norton\nsubsection norton\nset Drag stress = 2\nset Exponent = 3\nend\n"})
  {
    SCOPED_TRACE(law);
    const Folder folder;
    const History history =
        run_well(folder, section("Mesh", "set Type = box\nset Subdivisions = 4, 2, 2\nset Element = mean-dilatation\n" +
                                             section("box", "set Size = 4, 1, 1")) +
                             metal(law) + tight + section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
                             section("Initial conditions", "set Velocity = 0, 0.8*x, 0.1*x*z") +
                             section("Integrator", "set Scheme = discrete-gradient") +
                             section("Time", "set Time step = 0.1\nset End time = 3") + section("Output", "set Write every = never"))
            .history;
    EXPECT_GT(history.last("E_inelastic"), 0.05 * history["E_kinetic"].front());
    for (std::size_t row = 1; row < history.rows(); ++row)
    {
      EXPECT_LT(std::abs(history["E_balance_error"][row]), 1e-9 * history["E_kinetic"].front());
      EXPECT_GE(history["E_dissipated"][row] - history["E_dissipated"][row - 1], -1e-12);
      EXPECT_GE(history["E_inelastic"][row] - history["E_inelastic"][row - 1], -1e-14);
    }
  }
}

/// Steps so short that each strains the body by little, through first yield, in cells of every kind: a rule of points would not see the
/// kink.
TEST(PlasticDecks, DiscreteGradientsCloseTheBalanceAcrossTheKink)
{
  for (const std::string element : {"standard", "mean-dilatation", "incompatible-modes"})
  {
    SCOPED_TRACE(element);
    const Folder folder;
    const History history =
        run_well(folder, section("Mesh", "set Type = box\nset Subdivisions = 3, 2, 2\nset Element = " + element + "\n" +
                                             section("box", "set Size = 3, 1, 1")) +
                             metal(hardening) + tight + section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
                             section("Initial conditions", "set Velocity = 0.3*x, 0.1*x, 0") +
                             section("Integrator", "set Scheme = discrete-gradient") +
                             section("Time", "set Time step = 0.005\nset End time = 0.15") + section("Output", "set Write every = never"))
            .history;
    EXPECT_EQ(history["p_max"][1], 0.);
    EXPECT_GT(history.last("p_max"), 1e-3);
    for (std::size_t row = 1; row < history.rows(); ++row)
      EXPECT_LT(std::abs(history["E_balance_error"][row]), 1e-10 * history["E_kinetic"].front()) << row;
  }
}

/// Heat of plastic work softens: the balance closes to rounding, and more flows than in a cold body. A Temperature beside it is refused.
TEST(PlasticDecks, HeatedByPlasticWork)
{
  const auto bar = [](const std::string &more) {
    return section("Mesh", "set Type = box\nset Subdivisions = 3, 1, 1\n" + section("box", "set Size = 3, 1, 1")) +
           metal(hardening + more) + tight + section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
           section("Initial conditions", "set Velocity = x, 0.1*x, 0") + section("Integrator", "set Scheme = discrete-gradient") +
           section("Time", "set Time step = 0.02\nset End time = 0.4") + section("Output", "set Write every = never");
  };
  const std::string heat =
      "set Heat fraction = 0.9\nset Specific heat = 1\nset Room temperature = 0\nset Melting temperature = 2\nset Softening exponent = 1\n";
  const Folder of_hot, of_cold;
  const History hot = run_well(of_hot, bar(heat)).history, cold = run_well(of_cold, bar("")).history;
  for (std::size_t row = 1; row < hot.rows(); ++row)
  {
    EXPECT_LT(std::abs(hot["E_balance_error"][row]), 1e-9 * hot["E_kinetic"].front());
    EXPECT_GE(hot["E_inelastic"][row] - hot["E_inelastic"][row - 1], -1e-14);
    EXPECT_GE(hot["E_dissipated"][row] - hot["E_dissipated"][row - 1], -1e-12);
  }
  EXPECT_GE(hot.last("E_dissipated"), hot.last("E_inelastic"));
  EXPECT_LT(hot.last("E_dissipated"), 1.01 * hot.last("E_inelastic")) << "a step also loses what softened since the last one";
  EXPECT_GT(hot.last("p_max"), 1.02 * cold.last("p_max"));
  expect_refused(bar(heat) + section("Temperature", "set Field = 20"), "its plastic work alone heats it");
  expect_refused(bar(heat + "set Expansion = 1e-5\n"), "the heat of plastic work does not expand a body yet");
}

/// An initial displacement beyond yield is lost in the first step, and counted.
TEST(PlasticDecks, AStartBeyondYieldIsCounted)
{
  const Folder folder;
  const History history =
      run_well(folder, section("Mesh", "set Type = box\nset Subdivisions = 3, 1, 1\n" + section("box", "set Size = 3, 1, 1")) +
                           metal(hardening) + tight + section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
                           section("Initial conditions", "set Displacement = 0.02*x, 0, 0") +
                           section("Integrator", "set Scheme = discrete-gradient") +
                           section("Time", "set Time step = 0.02\nset End time = 0.2") + section("Output", "set Write every = never"))
          .history;
  EXPECT_GT(history.last("p_max"), 1e-3);
  for (std::size_t row = 1; row < history.rows(); ++row)
    EXPECT_LT(std::abs(history["E_balance_error"][row]), 1e-10 * history["E_potential"].front()) << row;
}

std::string struck_bar(const std::string &scheme, const std::string &step, const std::string &law, const std::string &end)
{
  return section("Mesh", "set Type = rod\nset Subdivisions = 8, 2, 1\nset Element = mean-dilatation\n" +
                             section("rod", "set Length = 3\nset Radius = 0.4")) +
         metal(law) + section("Newton", "set Tolerance = 1e-10") + section("Linear solver", "set Tolerance = 1e-13") +
         section("Elements", "set Mass = lumped") +
         section("Supports", section("wall", "set Boundary = root\nset Type = displacement\nset Displacement = 0, free, free")) +
         section("Probes", section("tail", "set Point = 3, 0, 0") + section("nose", "set Point = 0, 0, 0")) +
         section("Initial conditions", "set Velocity = -4, 0, 0") + section("Integrator", "set Scheme = " + scheme) +
         section("Time", "set Time step = " + step + "\nset End time = " + end) +
         section("Output", "set Write every = never\nset Checkpoint every = 10") + section("Solver", "set Deterministic = yes");
}

/// Explicit and implicit steps converge to one impact, whose energy is dissipated.
TEST(PlasticDecks, ABarStrikesAWall)
{
  const Folder explicit_run, implicit_run;
  const History fine = run_well(explicit_run, struck_bar("central-difference", "0.0005", hardening, "0.5")).history,
                coarse = run_well(implicit_run, struck_bar("newmark", "0.0025", hardening, "0.5")).history;
  EXPECT_GT(fine.last("E_inelastic"), 0.1 * fine["E_kinetic"].front());
  EXPECT_NEAR(coarse.last("tail.u_x"), fine.last("tail.u_x"), 0.01 * std::abs(fine.last("tail.u_x")));
  EXPECT_NEAR(coarse.last("E_inelastic"), fine.last("E_inelastic"), 0.01 * fine.last("E_inelastic"));
  EXPECT_LT(std::abs(fine.last("E_balance_error")), 5e-3 * fine["E_kinetic"].front());
}

TEST(PlasticDecks, RestartsHaveTheSameBits)
{
  const std::string chaboche = "set Backstress moduli = 60, 15\nset Backstress recovery = 40, 3\n";
  for (const auto &[scheme, step, law] :
       {std::tuple{"central-difference", "0.002", hardening}, {"newmark", "0.01", hardening}, {"newmark", "0.005", chaboche}})
  {
    SCOPED_TRACE(std::string(scheme) + law);
    const std::string text = struck_bar(scheme, step, law, "0.3");
    const Folder parted, undisturbed;
    const State half = state_after(text, options_of(parted), 20), resumed = state_after(text, options_of(parted, true)),
                whole = state_after(text, options_of(undisturbed));
    EXPECT_TRUE(half.history);
    EXPECT_TRUE(same(resumed.q, whole.q));
    EXPECT_TRUE(same(resumed.v, whole.v));
    EXPECT_FALSE(same(half.q, whole.q));
  }
}

TEST(PlasticDecks, RanksAgree)
{
  for (const std::string scheme : {"central-difference", "newmark"})
  {
    const std::string text = struck_bar(scheme, scheme == "newmark" ? "0.01" : "0.002", hardening, "0.2");
    const Folder one, two;
    const History a = run_well(one, text).history, b = run_well(two, text, {}, 2).history;
    EXPECT_GT(a.last("nose.p"), 1.5 * a.last("tail.p")) << "the probes are of other places";
    for (const char *column : {"tail.u_x", "E_inelastic", "E_potential", "p_max", "nose.p", "tail.p"})
      EXPECT_NEAR(b.last(column), a.last(column), (scheme == "newmark" ? 1e-8 : 1e-12) * std::abs(a.last(column))) << column;
  }
}

TEST(PlasticDecks, RefusedByName)
{
  const std::string recovers = hardening + "set Backstress moduli = 60\nset Backstress recovery = 40\n";
  expect_refused(struck_bar("discrete-gradient", "0.01", recovers, "0.1"), "needs laws whose increments have a potential");
  expect_refused(struck_bar("incremental-potential", "0.01", recovers, "0.1"), "needs laws whose increments have a potential");
  const std::string by_cg = section("Linear solver", "set Type = cg");
  expect_refused(struck_bar("newmark", "0.01", recovers, "0.1") + by_cg, "conjugate gradients need a symmetric tangent");
  const std::string follows = hardening + "set Backstress moduli = 60\n";
  for (const auto &[scheme, law, step] : {std::tuple{"newmark", follows, "0.01"}, {"central-difference", recovers, "0.002"}})
  {
    const Folder folder;
    run_well(folder, struck_bar(scheme, step, law, "0.02") + by_cg);
  }
  expect_refused(struck_bar("zhang-skeel", "0.01", hardening, "0.1"), "the scheme cannot follow materials with a memory");
  expect_refused(struck_bar("newmark", "0.01", hardening + "set Plane = stress\n", "0.1"), "plane stress exists in 2-D only");
}

/// A block that is held at a strain relaxes: sigma = E eps of uniaxial strain with G(t); statics need time; linear stages say what they
/// leave out.
TEST(PlasticDecks, PolymersRelax)
{
  const std::string law =
      section("Materials", section("polymer",
                                   "set Type = viscoelastic\nset Elastic = linear-elasticity\nset Density = 1\nset E = 1000\nset nu = 0.3\n"
                                   "set Shear ratios = 0.5\nset Times = 2"));
  const std::string block = section("Mesh", "set Type = box\nset Subdivisions = 2, 1, 1") + law + tight;
  const std::string held = section(
      "Supports", roller("x-", "0, 0, 0") + section("pull", "set Boundary = x+\nset Type = displacement\nset Displacement = 0.01, 0, 0") +
                      roller("y-", "free, 0, free") + roller("y+", "free, 0, free") + roller("z-", "free, free, 0") +
                      roller("z+", "free, free, 0"));
  const Folder folder;
  const History history =
      run_well(folder, block + held +
                           stages(section("pull", "set Type = static\nset Ramp = no\nset Duration = 1e-9") +
                                  section("hold", "set Type = static\nset Ramp = no\nset Duration = 3\nset Increments = 6")))
          .history;
  const double K = 1000. / 1.2, G = 1000. / 2.6;
  EXPECT_NEAR(history.last("pull.R_x"), 0.01 * (K + 4. / 3. * G * (0.5 + 0.5 * std::exp(-1.5))), 1e-6);
  EXPECT_NEAR(history.last("E_dissipated"), history.last("E_inelastic"), 1e-12);
  EXPECT_GT(history.last("E_inelastic"), 1e-4);
  expect_refused(block + held + stages(section("pull", "set Type = static")), "the stage has no time. Give its Duration");
  const Folder of_modes;
  EXPECT_NE(run_well(of_modes, block + section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
                                   stages(section("modes", "set Type = modes\nset Modes = 2")))
                .terminal.find("memory is frozen: materials that creep, relax or flow by their rate are elastic about the state"),
            std::string::npos);
}

/// Laws without a memory of the viscoelastic kin, explicit and implicit: energy is kept by the discrete gradient.
TEST(PlasticDecks, FoamTissueAndPowerLawsSwing)
{
  for (
      const std::string law :
      {"hyperfoam\nset mu = 300\nset alpha = 4\nset nu = 0.3",
       "holzapfel\nset c10 = 190\nset k1 = 100\nset k2 = 1\nset kappa = 800\nset Angles = 30, -30",
       "ramberg-osgood\nset E = 1000\nset nu = 0.3\nset Yield stress = 20\nset Yield offset = 0.4\nset Exponent = 4",
       "ramberg-osgood\nset E = 1000\nset nu = 0.3\nset Yield stress = 20\nset Yield offset = 0.4\nset Exponent = 4\nset Kinematics = small"})
  {
    SCOPED_TRACE(law);
    const std::string text = section("Mesh", "set Type = box\nset Subdivisions = 3, 1, 1\nset Element = incompatible-modes\n" +
                                                 section("box", "set Size = 3, 1, 1")) +
                             section("Materials", section("stuff", "set Density = 1\nset Type = " + law)) + tight +
                             section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
                             section("Initial conditions", "set Velocity = 0.5*x, x, 0") +
                             section("Time", "set Time step = 0.02\nset End time = 0.4") + section("Output", "set Write every = never");
    const Folder by_gradient, by_newmark;
    const History gradient = run_well(by_gradient, text + section("Integrator", "set Scheme = discrete-gradient")).history,
                  newmark = run_well(by_newmark, text + section("Integrator", "set Scheme = newmark"), {"Time/Time step=0.005"}).history;
    for (std::size_t row = 1; row < gradient.rows(); ++row)
      EXPECT_LT(std::abs(gradient["E_balance_error"][row]), 1e-9 * gradient["E_kinetic"].front());
    EXPECT_NEAR(newmark.last("E_potential"), gradient.last("E_potential"), 0.1 * newmark["E_kinetic"].front());
  }
}

/// A rod of C3D8: yielding, unloading, and the other way round, isotropic and kinematic; creep under a constant force.
TEST(PlasticDecks, InpFilesFlow)
{
  const auto pulled = [](const std::string &law, const std::string &steps) {
    return rod(2, "*ELASTIC\n1000., 0.3\n" + law) + "*BOUNDARY\nROOT, 1, 1\n1, 2, 3\n2, 3, 3\n" + steps;
  };
  const auto step = [](const double force, const std::string &procedure) {
    return "*STEP\n" + procedure + fmt::format("*CLOAD, OP=NEW\nTIP, 1, {:.15g}\n*NODE PRINT, NSET=TIP\nU\n*END STEP\n", 0.25 * force);
  };
  const std::string statics = "*STATIC\n0.25, 1.\n";
  const auto last_u = [](const std::string &tables) {
    const auto rows = rows_below(tables.substr(tables.rfind("displacements")), "displacements");
    return rows.empty() ? NAN : rows.front().at(1);
  };
  const std::string cycle = step(6., statics) + step(-7., statics);
  // sigma 6: p = 0.02; isotropic: yields again at -6; kinematic: at 6 - 8 = -2.
  EXPECT_NEAR(last_u(tables_of(pulled("*PLASTIC\n4., 0.\n14., 0.1\n", cycle))), 2. * (0.02 - 0.01 - 7. / 1000.), 1e-9);
  EXPECT_NEAR(last_u(tables_of(pulled("*PLASTIC, HARDENING=KINEMATIC\n4., 0.\n14., 0.1\n", cycle))), 2. * (0.02 - 0.05 - 7. / 1000.), 1e-9);
  EXPECT_NEAR(last_u(tables_of(pulled("*CREEP\n1e-3, 2., 0.\n", step(6., "*VISCO\n0.1, 3.\n")))), 2. * (6. / 1000. + 1e-3 * 36. * 3.),
              1e-7);
  const std::string creeping = tables_of(pulled("*CREEP\n1e-3, 2., 0.\n", step(6., "*VISCO\n0.5, 3.\n")));
  EXPECT_NE(creeping.find("time  0.5000000E+00"), std::string::npos) << "each table has its own time";
  EXPECT_NE(creeping.find("time  0.3000000E+01"), std::string::npos);
  const auto refused = [&](const std::string &law, const std::string &procedure, const std::string &words) {
    const Folder folder;
    std::ofstream(folder / "model.inp") << pulled(law, step(6., procedure));
    const Outcome run = run_deck(folder, folder / "model.inp");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.terminal.find(words), std::string::npos) << run.terminal;
  };
  EXPECT_NEAR(last_u(tables_of(pulled("*CREEP\n1e-3, 2., 0.\n", step(6., statics)))), 2. * 6. / 1000., 1e-10) << "*STATIC: no creep";
  const std::string both = "*PLASTIC\n4., 0.\n14., 0.1\n*CREEP\n1e-3, 2., 0.\n";
  EXPECT_NEAR(last_u(tables_of(pulled(both, step(6., "*VISCO\n0.1, 3.\n")))), 2. * (6. / 1000. + 0.02 + 1e-3 * 36. * 3.), 1e-7);
  EXPECT_NEAR(last_u(tables_of(pulled(both, step(6., statics)))), 2. * (6. / 1000. + 0.02), 1e-9) << "*STATIC: no creep";
  refused("*PLASTIC\n4., 0.\n*PLASTIC\n4., 0.\n", statics, "a second one at one point");
  refused("*CREEP\n1e-3, 2., 0.\n*PLASTIC, HARDENING=KINEMATIC\n4., 0.\n14., 0.1\n", statics, "beside *CREEP hardening is isotropic");
  refused("*PLASTIC, HARDENING=COMBINED\n4., 0.\n14., 0.1\n", statics, "needs *CYCLIC HARDENING");
  // Backstresses by Euler's backward rule, alpha = (alpha_n + C dp)/(1 + gamma dp): 0.5 at sigma = 4.5, 2 at 6.
  EXPECT_NEAR(last_u(tables_of(pulled("*PLASTIC, HARDENING=COMBINED, DATA TYPE=PARAMETERS\n4., 40., 10.\n", step(6., statics)))),
              2. * (6. / 1000. + 1. / 70. + 0.075), 1e-7);
  EXPECT_NEAR(last_u(tables_of(pulled("*PLASTIC\n4., 0., 20.\n14., 0.1, 20.\n9., 0., 100.\n14., 0.1, 100.\n", step(6., statics)))),
              2. * (6. / 1000. + 0.02), 1e-9)
      << "without temperatures: the first curve";
  refused("*CREEP\n1e-3, 2., 0.\n", "*VISCO, CETOL=0.\n0.5, 3.\n", "Largest flow = 0");
  EXPECT_NEAR(last_u(tables_of(pulled("*CREEP\n1e-3, 2., 0.\n", step(6., "*VISCO, CETOL=0.01\n0.5, 3.\n")))),
              2. * (6. / 1000. + 1e-3 * 36. * 3.), 1e-7);
  refused("*PLASTIC\n4., 0.01\n14., 0.1\n", statics, "the first plastic strain is 0");
  refused("*PLASTIC\n4., 0.\n14., 0.1\n*AMPLITUDE, NAME=A\n0., 0., 1., 1.\n", statics + "*BOUNDARY, AMPLITUDE=A\nTIP, 1, 1, 0.1\n",
          "Write *VISCO, which");
}
}  // namespace symdyn::tests::in_plastic_decks
