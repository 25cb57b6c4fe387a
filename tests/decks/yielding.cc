// Beams and shells that yield, from decks: moment and curvature, collapse loads, what unloading leaves, energies, restarts, ranks, output.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/frames.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_yielding
{
namespace
{
constexpr double E = 2e11, sigma_y = 250e6, a = 0.02, b = 0.03, M_p = sigma_y * a * b * b / 4., I = a * b * b * b / 12.,
                 kappa_y = 2. * sigma_y / (E * b);

std::string steel(const std::string &more = "")
{
  return section("Materials",
                 section("steel", "set Type = plastic\nset E = 2e11\nset nu = 0.3\nset Density = 7850\nset Yield stress = 250e6\n" + more));
}

std::string beam(const std::string &name, const std::string &from, const std::string &to, const int elements, const std::string &more)
{
  return section(name, fmt::format("set From = {}\nset To = {}\nset Elements = {}\nset Direction = 0, 1, 0\nset Material = steel\n", from,
                                   to, elements) +
                           more);
}

/// A beam of 1 m along x, 20 mm along y and 30 mm along z, clamped at x = 0.
std::string cantilever(const std::string &more, const int points = 5)
{
  return "set Structure = discrete\n" +
         section("Points", "set Dimension = 3\n" + section("root", "set Position = 0, 0, 0\nset Fixed = yes") +
                               section("tip", "set Position = 1, 0, 0")) +
         section("Beams",
                 beam("arm", "root", "tip", 2,
                      fmt::format("set Size = 0.02, 0.03\nset Clamped = from\nset Geometry = linear\nset Points = {}\n", points))) +
         steel() + more;
}

/// |M2| at the tip for a rotation of `ratio` times the angle of first yield.
double moment(const double ratio, const int points)
{
  const Folder folder;
  const std::string turn = section(
      "Rotations", section("turn", fmt::format("set At = tip\nset Rotation = 0, {:.15g}, 0\nset Geometry = linear", ratio * kappa_y)));
  return std::abs(run_well(folder, cantilever(turn + stages(section("bend", "set Type = static\nset Increments = 4")), points),
                           {"Beams/arm/Elements=1", "Beams/arm/Type=B31"})
                      .history.last("arm.M2_to"));
}
}  // namespace

/// M(kappa) = M_p (1 - (kappa_y/kappa)²/3), and its limit.
TEST(YieldingBeams, MomentOfACurvature)
{
  EXPECT_NEAR(moment(0.9, 5), 0.9 * E * I * kappa_y, 1e-6 * M_p) << "elastic";
  for (const double ratio : {1.3, 2., 4.})
    EXPECT_NEAR(moment(ratio, 21) / M_p, 1. - 1. / (3. * ratio * ratio), 5e-3) << ratio;
  EXPECT_NEAR(moment(50., 5) / M_p, 1., 1e-3);
  EXPECT_LT(moment(50., 7) / M_p, 0.98) << "as the manual says of 7 points";
}

/// A clamped beam of span 2 L under an impulse (Symonds, Jones 1972; Jones, Structural Impact, 2012): its rigid-plastic deflection is w/H =
/// 1/2 (sqrt(1 + 3 lambda/4) - 1), lambda = rho V² L² 4/(sigma_y H²), with the yield square around the curve of N and M, and that of
/// lambda/0.618 with the square within. Elastic strains are small.
TEST(YieldingBeams, ImpulseOnAClampedBeam)
{
  constexpr double lambda = 40., H = 0.02, L = 0.5;
  const auto deflection = [](const double of) { return 0.5 * (std::sqrt(1. + 0.75 * of) - 1.); };
  const double V = std::sqrt(lambda * sigma_y * H * H / (4. * 7850. * L * L));
  const auto half = [](const std::string &name, const std::string &from, const std::string &to, const std::string &clamped) {
    return beam(name, from, to, 10, "set Size = 0.02, 0.02\nset Clamped = " + clamped + "\n");
  };
  const Folder folder;
  const History history =
      run_well(folder, "set Structure = discrete\n" +
                           section("Points", "set Dimension = 3\n" + section("root", "set Position = 0, 0, 0\nset Fixed = yes") +
                                                 section("middle", "set Position = 0.5, 0, 0") +
                                                 section("end", "set Position = 1, 0, 0\nset Fixed = yes")) +
                           section("Beams", half("left", "root", "middle", "from") + half("right", "middle", "end", "to")) + steel() +
                           section("Initial conditions", fmt::format("set Velocity = 0, 0, {:.15g}", V)) +
                           section("Integrator", "set Scheme = newmark") + section("Time", "set Time step = 1e-5\nset End time = 2.5e-3") +
                           section("Output", "set Write every = never"))
          .history;
  const std::vector<double> &z = history["middle.z"];
  double mean = 0.;  // of what the elastic vibration goes about
  const std::size_t late = z.size() / 3;
  for (std::size_t i = z.size() - late; i < z.size(); ++i)
    mean += z[i] / (late * H);
  EXPECT_NEAR(mean, deflection(lambda), 0.2 * deflection(lambda));
  EXPECT_GT(mean, deflection(lambda));
  EXPECT_LT(mean, deflection(lambda / 0.618));
  EXPECT_GT(history.last("E_inelastic"), 0.8 * history["E_kinetic"].front()) << "nearly all of it has been dissipated";
}

/// After 0.9 M_p: kappa = kappa_y sqrt(1/0.3), of which M/(E I) = 1.35 kappa_y is elastic.
TEST(YieldingBeams, UnloadingLeavesACurvature)
{
  const Folder folder;
  const std::string bend = section(
      "Moments", section("bend", fmt::format("set At = tip\nset Moment = 0, {:.15g}*min(t, 2 - t), 0\nset Geometry = linear", 0.9 * M_p)));
  const History history =
      run_well(folder,
               cantilever(bend + stages(section("cycle", "set Type = static\nset Duration = 2\nset Ramp = no\nset Increments = 10")), 21))
          .history;
  const double loaded = 1. / std::sqrt(0.3), left = loaded - 1.35;
  // The tip of a cantilever with a uniform curvature sinks by kappa L²/2.
  const auto curvature = [&](const std::size_t row) { return 2. * std::abs(history["tip.z"][row]) / kappa_y; };
  EXPECT_NEAR(history["time"][5], 1., 1e-12);
  EXPECT_NEAR(curvature(5), loaded, 0.01 * loaded);
  EXPECT_NEAR(curvature(10), left, 0.02);
  EXPECT_NEAR(history["arm.M2_to"][10], 0., 1e-6 * M_p);
  EXPECT_GT(history.last("E_inelastic"), 0.);
}

/// 8 M_p/L for a force in the middle of a clamped beam, one end of which slides. The Gauss points nearest to the hinges stand 1 % of L/4
/// beside them.
TEST(YieldingBeams, CollapseOfAClampedBeam)
{
  const Folder folder;
  const std::string ends = section("left", "set Position = 0, 0, 0\nset Fixed = yes") +
                           section("right", "set Position = 2, 0, 0\nset Fixed = yes\nset Free = x"),
                    push = section("middle", "set Position = 1, 0, 0\nset Fixed = yes\nset Free = x, y\nset Motion = 0, 0, -0.08*t");
  const History history =
      run_well(folder, "set Structure = discrete\n" + section("Points", "set Dimension = 3\n" + ends + push) +
                           section("Beams", beam("half", "left", "middle", 40, "set Size = 0.02, 0.03\nset Clamped = from\n") +
                                                beam("other", "middle", "right", 40, "set Size = 0.02, 0.03\nset Clamped = to\n")) +
                           steel("set Hardening modulus = 2e7\n") +
                           stages(section("push", "set Type = static\nset Duration = 1\nset Ramp = no\nset Increments = 30")))
          .history;
  const double collapse = 8. * M_p / 2., force = std::abs(history.last("middle.R_z"));
  EXPECT_GT(force, 0.995 * collapse);
  EXPECT_LT(force, 1.02 * collapse);
  EXPECT_GT(std::abs(history["middle.R_z"][15]), 0.97 * force) << "it has a limit";
}

namespace
{
/// A simply supported square plate of 1 m, 10 mm thick, under a pressure that grows to p m/L², m = sigma_y t²/4.
std::string plate(const std::string &shape, const double p)
{
  const double t = 0.01, m = sigma_y * t * t / 4.;
  std::string supports;
  for (const auto &[edge, turn] :
       {std::pair{"x-", "0, free, free"}, {"x+", "0, free, free"}, {"y-", "free, 0, free"}, {"y+", "free, 0, free"}})
    supports += section(
        edge, fmt::format("set Boundary = {}\nset Type = displacement\nset Displacement = free, free, 0\nset Rotation = {}", edge, turn));
  return "set Structure = discrete\n" +
         section("Mesh", fmt::format("set Type = plate\nset Subdivisions = 12, 12\nset Cell shape = {}\n", shape) +
                             section("plate", "set Size = 1, 1")) +
         steel() + section("Shells", section("skin", "set Thickness = 0.01\nset Material = steel\nset Geometry = linear")) +
         section("Supports", supports + section("corner", "set Boundary = x-\nset Type = displacement\nset Displacement = 0, free, free") +
                                 section("side", "set Boundary = y-\nset Type = displacement\nset Displacement = free, 0, free")) +
         section("Loads", section("weight", fmt::format("set Type = dead-pressure\nset Pressure = {:.15g}", p * m)));
}
}  // namespace

/// Between 24 m/L², Johansen's load, and 24 (2/sqrt 3) m/L², which yield lines along the diagonals give with von Mises.
TEST(YieldingShells, CollapseOfASquarePlateNightly)
{
  const Folder folder;
  const Outcome run = run_text(folder, plate("quadrilaterals", 40.) +
                                           stages(section("press", "set Type = static\nset Increments = 40\nset Halve on failure = yes")));
  EXPECT_NE(run.exit_code, 0) << "no equilibrium under 40 m/L2";
  double reached = 0;
  for (const double part : run.history["step"])
    reached += 40. * part;
  EXPECT_GT(reached, 24.);
  EXPECT_LT(reached, 24. * 2. / std::sqrt(3.));
}

namespace
{
/// A frame of a plastic column and beam with a plastic shell on it, kicked.
std::string sail(const std::string &scheme, const std::string &mass, const double h, const int steps,
                 const std::string &gust = "0, 400*sin(60*t), 900*sin(40*t)")
{
  const std::string of_beams = "set Type = B31\nset Section = pipe\nset Size = 0.02, 0.004\n";
  return "set Structure = discrete\n" +
         section("Mesh", "set Type = plate\nset Subdivisions = 4, 3\n" + section("plate", "set Size = 1, 0.6")) +
         section("Points", "set Dimension = 3\n" + section("foot", "set Position = 0, 0, -0.8\nset Fixed = yes") +
                               section("other", "set Position = 1, 0, -0.8\nset Fixed = yes") +
                               section("corner", "set On mesh = yes\nset Position = 1, 0.6, 0")) +
         section("Beams", section("mast",
                                  "set From = foot\nset To = 0, 0, 0\nset Elements = 3\nset Clamped = from\nset Direction = 0, 1, "
                                  "0\nset Material = steel\n" +
                                      of_beams) +
                              section("stay",
                                      "set From = other\nset To = 1, 0, 0\nset Elements = 3\nset Clamped = from\nset Direction = 0, "
                                      "1, 0\nset Material = steel\n" +
                                          of_beams)) +
         section("Shells", section("skin", "set Thickness = 0.003\nset Material = steel\nset Layer stresses at = 0.1, 0.1, 0")) +
         steel("set Hardening modulus = 2e9\nset Backstress moduli = 5e9\n") +
         section("Forces", section("gust", "set Points = corner\nset Force = " + gust)) + section("Elements", "set Mass = " + mass) +
         stages(section("blow", "set Type = dynamic")) +
         section("Time", fmt::format("set Time step = {:.15g}\nset End time = {:.15g}", h, h * steps)) +
         section("Integrator", "set Scheme = " + scheme) + section("Solver", "set Deterministic = yes") +
         section("Newton", "set Tolerance = 1e-12\nset Max iterations = 40") + section("Output", "set Write every = never");
}
}  // namespace

/// A run that begins again at a checkpoint, in the middle of flow, has the bits of the straight one.
TEST(YieldingFrames, PartsOfARunAreTheRun)
{
  const std::string slow = "0, 400*sin(60*t), 900*sin(40*t)", sudden = "0, 1e7, 2e7";
  for (const auto &[scheme, mass, h, gust] : {std::tuple{"newmark", "consistent", 1e-3, slow},
                                              {"discrete-gradient", "consistent", 1e-3, slow},
                                              {"central-difference", "lumped", 3e-7, sudden}})
  {
    constexpr int steps = 60, first = 36;
    const Folder whole, parts;
    const std::string deck = sail(scheme, mass, h, steps, gust), often = "Output/Checkpoint every=1";
    const Outcome run = run_text(whole, deck, {often});
    ASSERT_EQ(run.exit_code, 0) << scheme << run.terminal;
    const Outcome half = run_text(parts, deck, {often, fmt::format("Time/End time={:.15g}", first * h)});
    ASSERT_EQ(half.exit_code, 0) << scheme << half.terminal;
    EXPECT_GT(half.history.last("E_inelastic"), 0.) << scheme;
    EXPECT_GT(run.history.last("E_inelastic"), half.history.last("E_inelastic")) << scheme;
    const Outcome rest =
        tool(parts, fmt::format("run {} --restart {} --quiet --set {} --set {}", quoted(parts / "deck.prm"), quoted(parts / "results"),
                                quoted(often), quoted(fmt::format("Time/End time={:.15g}", steps * h))));
    ASSERT_EQ(rest.exit_code, 0) << scheme << rest.terminal;
    EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(parts / "results/history.csv")) << scheme;
  }
}

TEST(YieldingFrames, RanksAgree)
{
  const std::string deck = sail("newmark", "consistent", 1e-3, 16, "0, 1200*sin(60*t), 2700*sin(40*t)");
  const Folder one;
  const History alone = run_well(one, deck).history;
  EXPECT_GT(alone.last("p_max"), 1e-5);
  for (const int ranks : {2, 3})
  {
    const Folder folder;
    expect_same(alone, run_well(folder, deck, {}, ranks).history, 1e-8, fmt::format("{} ranks", ranks));
  }
}

/// Steps of energy and momentum close the balance to rounding at any step size, and dissipate; the trapezoidal rule does not.
TEST(YieldingFrames, DiscreteGradientsCloseTheBalance)
{
  const auto gap = [](const std::string &scheme) {
    const Folder folder;
    const History history = run_well(folder, sail(scheme, "consistent", 2e-3, 30)).history;
    EXPECT_GT(history.last("E_inelastic"), 1.) << scheme;
    for (std::size_t row = 1; row < history.rows(); ++row)
      EXPECT_GE(history["E_inelastic"][row], history["E_inelastic"][row - 1]) << scheme;
    double most = 0;
    for (const double error : history["E_balance_error"])
      most = std::max(most, std::abs(error));
    return most / history.last("W_external");
  };
  EXPECT_LT(gap("discrete-gradient"), 1e-11);
  EXPECT_GT(gap("newmark"), 1e-5);
}

/// Stresses of layers and of pictures are those of the law: nowhere above the yield stress, as an elastic section would have them.
TEST(YieldingFrames, OutputHasTheStressesOfTheLaw)
{
  const Folder folder;
  const Outcome run = run_well(folder, plate("triangles", 22.) + stages(section("press", "set Type = static\nset Increments = 8")),
                               {"Shells/skin/Layer stresses=yes", "Shells/skin/Layer stresses at=0.5, 0.5, 0"});
  const double top = run.history.last("skin.at1.layer1_top_S11"), middle = run.history.last("skin.at1.layer1_middle_S11");
  EXPECT_GT(std::abs(top), 0.9 * sigma_y);
  EXPECT_LT(std::abs(top), 1.16 * sigma_y);
  EXPECT_LT(std::abs(middle), 0.01 * sigma_y);
  std::string drawn;
  for (const std::string &file : files_of(folder / "results/solution.pvd"))
    drawn = file.find("-parts") != std::string::npos ? file : drawn;
  const auto grid = read_grid(drawn);
  vtkDataArray *mises = grid->GetPointData()->GetArray("von_mises"), *p = grid->GetPointData()->GetArray("p");
  ASSERT_NE(mises, nullptr);
  ASSERT_NE(p, nullptr);
  EXPECT_GT(mises->GetRange()[1], 0.95 * sigma_y);
  EXPECT_LT(mises->GetRange()[1], 1.0001 * sigma_y);
  EXPECT_GT(p->GetRange()[1], 1e-4);
  EXPECT_NEAR(p->GetRange()[1], run.history.last("p_max"), 0.7 * run.history.last("p_max")) << "a mean over each cell";
}

/// Modes of a beam that has yielded are those of an elastic one.
TEST(YieldingFrames, ModesAreElasticAboutTheState)
{
  const std::string bend =
      section("Moments", section("bend", fmt::format("set At = tip\nset Moment = 0, {:.15g}, 0\nset Geometry = linear", 0.9 * M_p)));
  const std::string both = bend + stages(section("bend", "set Type = static") + section("tones", "set Type = modes\nset Modes = 3"));
  const auto frequencies = [&](const Settings &settings) {
    const Folder folder;
    EXPECT_EQ(run_text(folder, cantilever(both), settings).exit_code, 0);
    return table_of(folder / "results/modes-tones.csv").at("frequency");
  };
  const std::vector<double> yielded = frequencies({}), still = frequencies({"Materials/steel/Yield stress=250e9"});
  ASSERT_EQ(yielded.size(), still.size());
  for (std::size_t i = 0; i < still.size(); ++i)
    EXPECT_NEAR(yielded[i], still[i], 1e-7 * still[i]) << i;
}

/// Directors that constraints keep: the same beam, large rotations.
TEST(YieldingFrames, ExactDirectors)
{
  const auto tip = [](const std::string &directors) {
    const Folder folder;
    std::string deck =
        cantilever(section("Forces", section("push", fmt::format("set Points = tip\nset Force = 0, 0, {:.15g}", 0.97 * M_p))) +
                   section("Elements", "set Directors = " + directors) + stages(section("bend", "set Type = static\nset Increments = 10")));
    const std::string geometry = "set Geometry = linear\n";
    deck.erase(deck.find(geometry), geometry.size());
    const History history = run_well(folder, deck, {"Beams/arm/Elements=10"}).history;
    EXPECT_GT(history.last("p_max"), 1e-3) << directors;
    return history.last("tip.z");
  };
  const double elastic_directors = tip("elastic");
  EXPECT_NEAR(tip("exact"), elastic_directors, 2e-3 * std::abs(elastic_directors));
}

TEST(YieldingFrames, Refusals)
{
  expect_refused(cantilever(stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = 1e-3\nset End time = 1e-2") +
                            section("Integrator", "set Scheme = zhang-skeel")),
                 "cannot follow materials with a memory");
}
}  // namespace symdyn::tests::in_yielding
