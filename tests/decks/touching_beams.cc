// Contact of beams, by their axes: with obstacles, with surfaces, with each other.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/compare.h"
#include "tests/touching_rods.h"

namespace symdyn::tests::in_touching_beams
{
using namespace of_rods;
namespace
{
/// The length that stands free, and the force at its end, of a rod that lies on springs K a length which do not pull:
///     x < 0: w = A + e^(bx) (-A cos bx + B sin bx), A = -q/K, b⁴ = K/4EI    x > 0: EI w'''' = -q, w(0) = 0
/// w, w', w'', w''' are continuous, w(l) = lifted, w''(l) = 0. On a rigid floor l⁴ = 24 E I w(l)/q, F = q l/2.
struct Lifted
{
  explicit Lifted(const double K)
  {
    const double b = std::pow(K / (4. * bending), 0.25), A = weight / K, curve = weight / bending;
    const auto shape = [&](const double l) { return (0.5 * curve * l * l + 2. * b * b * b * A * l) / (2. * b * b * b * l + 2. * b * b); };
    const auto above = [&](const double l) {
      const double B = shape(l);
      return -curve * std::pow(l, 4) / 24. + b * b * b * (B - A) / 3. * l * l * l + b * b * B * l * l + b * (A + B) * l - lifted;
    };
    double low = 0.01, high = 2.;
    for (int i = 0; i < 100; ++i)
      (above(0.5 * (low + high)) < 0. ? low : high) = 0.5 * (low + high);
    free = low;
    force = weight * low - 2. * bending * b * b * b * (shape(low) - A);
  }
  double free, force;
};

}  // namespace

/// Of a round section: the axis is a radius above the floor.
TEST(BeamContact, ARodLiftsOffAsBeamTheorySays)
{
  const Folder folder;
  constexpr double k = 1e8, width = 2. * radius;
  const Lifted exact(k * width), rigid(1e14);
  EXPECT_NEAR(rigid.free, std::pow(24. * bending * lifted / weight, 0.25), 2e-3);
  EXPECT_NEAR(rigid.force, 0.5 * weight * rigid.free, 2e-3);
  const History history = run_well(folder, rod_on_a_floor).history;
  EXPECT_NEAR(history.last("tip.R_z"), exact.force, 3e-4 * exact.force);
  EXPECT_NEAR(history.last("lie.force_z"), weight * length - exact.force, 3e-4 * exact.force);
  EXPECT_NEAR(history.last("lie.area") / width, length - exact.free, 0.25 * length / 80.) << "a point stands for a quarter of an element";
  EXPECT_GT(std::abs(history.last("lie.area") / width - (length - rigid.free)), 0.05) << "the control: springs are seen";
}

/// Each law has the force of a rigid floor, as far as it is stiff.
TEST(BeamContact, LawsBearTheRod)
{
  const double exact = Lifted(1e14).force;
  const Folder folder;
  for (const Settings &law :
       {Settings{"Contact/lie/Law=hard"}, Settings{"Contact/lie/Law=barrier", "Contact/lie/Stiffness=auto", "Contact/lie/Clearance=0"},
        Settings{"Contact/lie/Law=table", "Contact/lie/Pressures=0, 100, 1000", "Contact/lie/Closures=0, 1e-6, 2e-6"},
        Settings{"Contact/lie/Law=exponential", "Contact/lie/Pressure=200", "Contact/lie/Distance=1e-4"}})
  {
    SCOPED_TRACE(law.front());
    std::string deck = rod_on_a_floor;
    if (law.size() == 3 && law[1].find("Stiffness") == std::string::npos)
      deck.erase(deck.find("set Stiffness = 1e8"), 19);
    const History history = run_well(folder, deck, law).history;
    EXPECT_NEAR(history.last("tip.R_z"), exact, 1e-2 * exact);
    EXPECT_NEAR(history.last("tip.R_z") + history.last("lie.force_z"), weight * length, 1e-6 * weight * length);
  }
}

/// By 50 E/h an iteration lifts the rod by 3 mm. `hard` takes a stiffness that lets go in 30, and repeats its increments until no depth is
/// left. Others have it from the message.
TEST(BeamContact, AStiffFloorLetsGoSlowly)
{
  const Settings hard{"Contact/lie/Law=hard", "Contact/lie/Stiffness=auto", "Contact/lie/Clearance=0", "Beams/rod/Elements=40"},
      linear = hard + Settings{"Contact/lie/Law=linear"};
  const double exact = Lifted(1e14).force;
  const Folder folder;
  EXPECT_NEAR(run_well(folder, rod_on_a_floor, hard).history.last("tip.R_z"), exact, 3e-3 * exact);
  EXPECT_NEAR(run_well(folder, rod_on_a_floor, linear + Settings{"Contact/lie/Stiffness=2.5e7"}).history.last("tip.R_z"), exact,
              3e-3 * exact);
  const std::string advice = "lifts a short piece of 'rod' alone: then set Contact/lie/Stiffness = 2.5e+07";
  for (const auto &[stiff, end] : {std::pair{hard + Settings{"Contact/lie/Stiffness=3e12"}, "."}, {linear, ", or Law = hard."}})
  {
    const Outcome slow = run_text(folder, rod_on_a_floor, stiff);
    EXPECT_EQ(slow.exit_code, 2) << slow.terminal;
    EXPECT_EQ(has(slow.terminal, advice + end), "") << slow.terminal;
  }
}

/// Of a cantilever that comes down on a floor and touches it with its last point at a: w_q(a) - R a^3/3EI = gap.
TEST(BeamContact, ACantileverComesDownOnAFloor)
{
  constexpr double L = 2., gap = 0.045, last = 0.0694318442029737, a = L * (1. - last / 12.), r = 0.005, q = 9.81 * 7850. * M_PI * r * r,
                   EI = 2.1e11 * M_PI * r * r * r * r / 4., sag = q * a * a * (6. * L * L - 4. * a * L + a * a) / (24. * EI),
                   exact = 3. * EI / (a * a * a) * (sag - gap);
  const std::string deck =
      "set Structure = discrete\n" +
      section("Points", "set Gravity = 0, 0, -9.81\n" + section("wall", "set Position = 0, 0, 0\nset Fixed = yes") +
                            section("tip", "set Position = 2, 0, 0")) +
      section("Beams",
              section("arm",
                      "set From = wall\nset To = tip\nset Elements = 12\nset Direction = 0, 0, 1\nset Section = circle\nset Size = "
                      "0.005\nset E = 2.1e11\nset nu = 0.3\nset Density = 7850\nset Clamped = from")) +
      section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0, -0.05\nset Normal = 0, 0, 1")) +
      section("Contact", section("land", "set Between = arm, floor\nset Law = hard")) +
      stages(section("sag", "set Type = static\nset Increments = 10")) + section("Output", "set Write every = never");
  const Folder folder;
  const auto force = [&](const Settings &settings) { return run_well(folder, deck, settings).history.last("land.force_z"); };
  EXPECT_NEAR(force({"Beams/arm/Geometry=linear"}), exact, 3e-3 * exact);
  for (const Settings &stiff : {Settings{}, {"Contact/land/Stiffness=1e15"}, {"Contact/land/Law=linear"}, {"Stages/sag/Increments=1"}})
    EXPECT_NEAR(force(stiff), exact, 1e-2 * exact) << "stiff contacts raise |r| on the way";
  run_well(folder, deck, {"Obstacles/floor/Point=0, 0, -0.01", "Beams/arm/Elements=40", "Contact/land/Points=6"});
}

/// Gaps are those of the surface of a round beam. Of others the deck says where it is.
TEST(BeamContact, GapsAreThoseOfTheSurface)
{
  constexpr double first = 0.0694318442029737;  // of four Gauss points of an element, on (0, 1)
  const Folder folder;
  const auto gap = [&](const std::string &deck, const Settings &settings) {
    return run_well(folder, deck, Settings{"Time/Time step=1e-9", "Time/End time=1e-9"} + settings).history["hit.gap"].front();
  };
  EXPECT_NEAR(gap(dropped, {"Initial conditions/Velocity=0, 0, 0", "Points/Gravity=0, 0, 0"}), 0.01 + 0.02 * first / 6., 1e-12);
  const double on_floor = gap(dropped, {}), on_block = gap(on_a_block, {}), across = gap(crossing, {});
  EXPECT_NEAR(gap(dropped, {"Beams/rod/Size=0.015"}), on_floor + 0.005, 1e-12);
  EXPECT_NEAR(gap(dropped, {"Beams/rod/Section=pipe", "Beams/rod/Size=0.015, 0.002"}), on_floor + 0.005, 1e-12);
  EXPECT_NEAR(gap(dropped, {"Contact/hit/Clearance=-0.004"}), on_floor - 0.004, 1e-12);
  EXPECT_NEAR(gap(dropped, {"Beams/rod/Section=rectangle", "Beams/rod/Size=0.02, 0.03", "Contact/hit/Clearance=-0.02"}), on_floor, 1e-12);
  const double upward = std::sqrt(0.37 / (0.37 + 0.02 * 0.02));  // of axis 1, across the rod
  EXPECT_NEAR(gap(dropped, {"Beams/rod/Offset=0.003, 0"}), on_floor + 0.003 * upward, 1e-10);
  EXPECT_NEAR(on_block, 0.01, 1e-12) << "ends are points";
  EXPECT_NEAR(gap(on_a_block, {"Contact/hit/Clearance=-0.004"}), on_block - 0.004, 1e-12);
  EXPECT_NEAR(gap(crossing, {"Beams/two/Size=0.015"}), across + 0.005, 1e-12);
}

TEST(BeamContact, ARodThatFallsKeepsItsEnergy)
{
  const Folder folder;
  const History history = run_well(folder, dropped).history;
  expect_kept(history, {"P_x", "P_y", "J_z"}, 0.5);
  EXPECT_GT(largest(history["hit.force_z"]), 100.);
}

TEST(BeamContact, RodsThatCrossKeepEnergyAndMomenta)
{
  const Folder folder;
  const History history = run_well(folder, crossing).history;
  expect_kept(history, all_momenta, 1.5);
  EXPECT_EQ(history["hit.points"].back(), 0.) << "they part again";
  const Outcome soft = run_text(folder, crossing, {"Contact/hit/Stiffness=1e4"});
  EXPECT_EQ(soft.exit_code, 2) << "the control: what is too soft is passed";
  EXPECT_EQ(has(soft.terminal, "one would pass two"), "") << soft.terminal;
}

TEST(BeamContact, ARodThatFallsOntoABlockKeepsEnergyAndMomenta)
{
  const Folder folder;
  expect_kept(run_well(folder, on_a_block).history, all_momenta, 1.5);
  const History linear = run_well(folder, on_a_block, {"Contact/hit/Law=linear"}).history;
  expect_kept(linear, all_momenta, 1.5);
  EXPECT_LT(*std::min_element(linear["hit.gap"].begin(), linear["hit.gap"].end()), -1e-5);
}

/// `symdyn verify`, on a floor, on a surface, of two axes. The control: a scheme that is not symplectic.
TEST(BeamContact, TheFormIsKeptThroughImpacts)
{
  for (const auto &[deck, steps] : {std::pair{dropped, 200}, {on_a_block, 50}, {crossing, 50}})
  {
    const Folder folder;
    write(folder / "deck.prm", deck);
    EXPECT_GT(largest(run_well(folder, deck, {fmt::format("Time/End time={}", 2e-4 * steps)}).history["hit.pressure"]), 1e4);
    const auto form = [&, steps = steps](const std::string &scheme) {
      const Outcome run = command(folder, fmt::format("{} verify {} --scheme {} --steps {} --report {}/report --overwrite", SYMDYN_BINARY,
                                                      folder / "deck.prm", scheme, steps, folder.path));
      EXPECT_EQ(run.exit_code, 0) << run.terminal;
      std::ifstream file(folder / "report/verify.json");
      for (const auto &one : nlohmann::json::parse(file))
        if (one["property"] == "form")
          return one["value"].get<double>();
      return -1.;
    };
    for (const char *scheme : {"midpoint", "variational-newmark"})
      EXPECT_NEAR(form(scheme), 0., 1e-10) << scheme;
    EXPECT_GT(form("hht-alpha"), 1e-4);
  }
}

/// Two ranks, and a restart in the contact: on a floor, on a surface, of two beams.
TEST(BeamContact, RanksAgreeAndARestartKeepsItsBits)
{
  for (const std::string &deck : {dropped, on_a_block, crossing})
  {
    const History history =
        expect_ranks_and_restart_to_agree(deck, [](const Folder &) {}, 0.02, 5, {"E_kinetic", "E_potential", "J_x", "hit.force_z"});
    EXPECT_GT(largest(history["hit.pressure"]), 1e4);
  }
  std::string rubs = on_a_block;
  rubs.insert(rubs.find("set Between = rod, z+"), "set Friction = 0.4\n");
  expect_ranks_and_restart_to_agree(rubs, [](const Folder &) {}, 0.02, 5, {"E_kinetic", "E_potential", "hit.force_z", "hit.slip_work"});
}

/// A stage with a law of longer reach: pressed from its start on, as if it had been so always; bodies are out of reach before.
TEST(BeamContact, AStageMayReachFarther)
{
  const auto deck = [](const double distance) {
    std::string text = on_a_block.substr(0, on_a_block.find("subsection Initial conditions"));
    text.insert(text.find("set Between = rod, z+"),
                fmt::format("set Law = exponential\nset Pressure = 1e4\nset Distance = {}\n", distance));
    const std::string moves = "set Type = dynamic\n" + section("Integrator", "set Scheme = discrete-gradient") +
                              section("Time", "set Time step = 1e-4\nset End time = ");
    const auto until = [&](const double end) {
      std::string stage = moves;
      return stage.insert(stage.rfind("set End time = ") + 15, fmt::format("{}", end));
    };
    return text + section("Supports", section("ground", "set Boundary = z-")) +
           stages(section("one", until(5e-4)) +
                  section("two", until(1.5e-3) + section("Contact changes", section("hit", "set Distance = 0.4\nset Pressure = 1e4")))) +
           section("Output", "set Write every = never");
  };
  const Settings far{"Beams/rod/From=0.1, 0.12, 0.8", "Beams/rod/To=0.52, 0.4, 0.82"};
  const Folder staged, always;
  const History of_stages = run_well(staged, deck(1e-4), far).history, whole = run_well(always, deck(0.4), far).history;
  const double force = whole.last("hit.force_z");
  EXPECT_GT(force, 0.1);
  EXPECT_NEAR(of_stages.last("hit.force_z"), force, 1e-3 * force) << "but for the motion of half a millisecond";
  EXPECT_EQ(of_stages["hit.force_z"].front(), 0.);
}

/// Friction against a surface acts on both bodies. A rod that falls flat onto a held block and slides loses mu times the momentum along it
/// that it gains upward; by barrier 1 % less, for edges of the surface bear no friction (theory-contact.md).
TEST(BeamContact, ARodRubsOnABlock)
{
  const Folder folder;
  const History rubs = run_well(folder, on_a_block, {"Contact/hit/Friction=0.4"}).history;
  EXPECT_GT(rubs.last("hit.slip_work"), 1e-4);
  for (const std::string &momentum : all_momenta)
    EXPECT_LT(drift(rubs, momentum, 1.5), 1e-10) << momentum;
  constexpr double mu = 0.4;
  const auto of_upward = [&](const double coefficient) {
    const History falls = run_well(folder, on_a_block,
                                   {"Beams/rod/From=0.1, 0.31, 0.23", "Beams/rod/To=0.4, 0.31, 0.23", "Supports/ground/Boundary=z-, z+",
                                    "Initial conditions/Velocity=if(z > 0.21, 4, 0), 0, if(z > 0.21, -2, 0)", "Contact/hit/Law=linear",
                                    "Contact/hit/Stiffness=1e8", "Time/Time step=1e-4", "Time/End time=0.01",
                                    fmt::format("Contact/hit/Friction={}", coefficient)})
                              .history;
    EXPECT_GT(falls.last("P_z"), 0.);
    EXPECT_EQ(falls.last("hit.force_z"), 0.) << "off again";
    return (falls["P_x"].front() - falls.last("P_x")) / (falls.last("P_z") - falls["P_z"].front());
  };
  EXPECT_NEAR(of_upward(mu), mu, 1e-2 * mu);
  EXPECT_NEAR(of_upward(0.5 * mu), 0.5 * mu, 1e-2 * 0.5 * mu) << "the control";
}

/// A rod that lies on a floor sinks by p/k = weight/(2 r k) everywhere, with the k of each stage.
TEST(BeamContact, AStageOfAStructureWithoutCellsChangesTheStiffness)
{
  const Folder folder;
  std::string deck = rod_on_a_floor.substr(0, rod_on_a_floor.find("subsection Stages"));
  deck += stages(section("soft", "set Type = static") +
                 section("stiff", "set Type = static\n" + section("Contact changes", section("lie", "set Stiffness = 4e6"))));
  const History history = run_well(folder, deck,
                                   {"Points/tip/Free=x, z", "Points/tip/Motion=0, 0, 0", "Contact/lie/Stiffness=1e6",
                                    "Contact/lie/Clearance=0", "Time/Time step=1"})
                              .history;
  const double pressure = weight / (2. * radius);
  const std::vector<double> gaps = history["lie.gap"];
  EXPECT_NEAR(gaps[gaps.size() - 3], -pressure / 1e6, 1e-7 * pressure / 1e6);
  EXPECT_NEAR(gaps.back(), -pressure / 4e6, 1e-7 * pressure / 4e6);
}

TEST(BeamContact, MessagesHaveTheUnitsOfTheDeck)
{
  expect_refused(dropped, "gap -99.97 mm at (0.006943, 0.001157, 0.03023) mm, 100 mm from the axis. Move one of both by 99.97 mm",
                 {"Beams/rod/Size=100", "Units/System=mm-t-s"});
  expect_refused(dropped, "gap -99.97 at (0.006943, 0.001157, 0.03023), 100 from the axis. Move one of both by 99.97, or",
                 {"Beams/rod/Size=100", "Units/System=none"});
}

TEST(BeamContact, RefusesWhatItCannot)
{
  const auto floor = [](const std::string &words, const Settings &settings) { expect_refused(dropped, words, settings); };
  floor("the section of beam 'rod' is rectangle, which has no radius: its axis touches. Set Clearance = -t",
        {"Beams/rod/Section=rectangle", "Beams/rod/Size=0.02, 0.03"});
  floor("`all` is the surface of solids and shells, and the structure has beams alone", {"Contact/hit/Between=all, floor"});
  floor("'floot' is neither a shell or a beam, nor a group of them, nor an obstacle. Names of them: floor, rod",
        {"Contact/hit/Between=rod, floot"});
  floor("'rod' is a beam, which does not touch itself", {"Contact/hit/Between=rod"});
  floor("m, 0.04 m from the axis. Move one of both by", {"Beams/rod/Size=0.04"});
  floor("If the body is on its free side, the obstacle looks the wrong way (a plane: turn its Normal", {"Obstacles/floor/Normal=0, 0, -1"});
  const auto block = [](const std::string &words, const Settings &settings) { expect_refused(on_a_block, words, settings); };
  block("'rod' is a beam, which has points along its axis", {"Contact/hit/Points=nodes"});
  block("'rod' is a beam, which has no faces that segments could cover. Set Pairing = points", {"Contact/hit/Pairing=segments"});
  block("tied needs faces, and 'rod' is a beam, which has none", {"Contact/hit/Law=tied"});
  block("hard needs faces, and 'rod' is a beam, which has none", {"Contact/hit/Law=hard", "Stages/press/Type=static"});
  block("clearance needs faces, and 'rod' is a beam", {"Contact/hit/Start=clearance"});
  block("adjust is of two boundaries of solids, and boundary 'rod' does not exist", {"Contact/hit/Start=adjust"});
  block("of two boundaries needs faces, and 'rod' is a beam", {"Contact/hit/Damping=10"});
  block("leaves no thickness: the axes would touch. Make it smaller than 0.02 m", {"Contact/hit/Clearance=0.02"});
  block("is more than the 0.02 m of the axes from what they touch", {"Contact/hit/Layer=0.021"});
  block("overlap at the start", {"Beams/rod/Size=0.04"});
  block("'rod' and 'z+' have surfaces at other distances from their axes. Give each a contact",
        {"Contact/hit/Between=rod, z+, floor", "Obstacles/floor/Type=plane", "Obstacles/floor/Point=0, 0, -1",
         "Obstacles/floor/Normal=0, 0, 1"});
  block("'z+' is a beam, or a group of them, and a boundary of the solid",
        {"Beams/z+/From=3, 3, 3", "Beams/z+/To=4, 3, 3", "Beams/z+/Direction=0, 0, 1", "Beams/z+/Section=circle", "Beams/z+/Size=0.02",
         "Beams/z+/E=1e8", "Beams/z+/nu=0.3", "Beams/z+/Density=1000"});
  expect_refused(crossing, "'one' and 'two' are beams, which touch at a point without a plane", {"Contact/hit/Friction=0.3"});
}
}  // namespace symdyn::tests::in_touching_beams
