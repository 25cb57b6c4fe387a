// Superelements: reduced models of stages of Type = substructure in other decks, against the whole body.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/in_process.h"
#include "tests/superelement_decks.h"

namespace symdyn::tests::in_superelements
{
using namespace superelements;

/// Guyan is exact at rest, under forces on masters.
TEST(Superelements, StaticsOfTheWhole)
{
  const std::string push = section("Forces", section("push", "set Points = tip\nset Force = 100, 300, -200")) + clamp +
                           stages(section("rest", "set Type = static"));
  const Part part = cube(0);
  const Folder one, other;
  const Outcome exact = run_well(one, whole() + push), found = run_well(other, joined(part) + push);
  for (const char *column : {"tip.x", "tip.y", "tip.z"})
    EXPECT_NEAR(found.history.last(column), exact.history.last(column), 1e-10) << column;
  EXPECT_GT(std::abs(exact.history.last("tip.z") - 1.), 1e-4);
  EXPECT_NEAR(found.summary["mass"].get<double>(), 2000., 1e-6);
}

/// With all modes a reduced model is the body in other coordinates; with fewer, frequencies are above.
TEST(Superelements, ModesOfTheWhole)
{
  const std::vector<double> exact = frequencies(whole() + clamp, 6);
  const std::vector<double> all = frequencies(joined(cube(51)) + clamp, 6), some = frequencies(joined(cube(10)) + clamp, 6);
  for (std::size_t i = 0; i < exact.size(); ++i)
  {
    EXPECT_NEAR(all[i], exact[i], 1e-7 * exact[i]) << i;
    EXPECT_GT(some[i], exact[i] * (1. + 1e-9)) << i;
    EXPECT_LT(some[i], exact[i] * 1.01) << i;
  }
  const std::vector<double> free = frequencies(joined(cube(51)), 9), free_whole = frequencies(whole(), 9);
  for (std::size_t i = 0; i < free.size(); ++i)
    EXPECT_NEAR(free[i], free_whole[i], 1e-6 * free_whole.back()) << i;
}

/// Implicit steps of the whole; the amplitudes are unknowns like others. A part without modes moves otherwise.
TEST(Superelements, MotionOfTheWholeOnRanks)
{
  const std::string push = section("Forces", section("push", "set Points = tip\nset Force = 1000, 3000, -2000")) + clamp + swing +
                           newmark("average-acceleration");
  const Part all = cube(51), none = cube(0);
  const auto run = [&](const std::string &deck, const int ranks) {
    const Folder folder;
    return run_well(folder, deck + push, {}, ranks).history;
  };
  const History exact = run(whole(), 1);
  for (const int ranks : {1, 2})
  {
    const History found = run(joined(all), ranks);
    for (const char *column : {"tip.x", "tip.y", "tip.z", "E_kinetic", "E_potential"})
      EXPECT_NEAR(found.last(column), exact.last(column), 1e-8 * largest(exact, column, exact.stage.back())) << column << ranks;
    EXPECT_LT(std::abs(found.last("E_total") - exact.last("E_total")), 1e-9 * largest(exact, "E_kinetic", exact.stage.back()));
  }
  EXPECT_GT(std::abs(run(joined(none), 1).last("tip.z") / exact.last("tip.z") - 1.), 1e-4);
}

/// M v and its inverse, with lumped cells (one dense factor), consistent ones and a clamp.
TEST(Superelements, InverseOfTheMass)
{
  const Part part = cube(10);
  for (const std::string &more :
       {std::string(), clamp, section("Elements", "set Mass = lumped"), section("Elements", "set Mass = lumped") + clamp})
  {
    const Folder folder;
    Deck deck = Deck::from_text(joined(part) + more + swing + newmark("average-acceleration"), "deck.prm");
    symdyn::Run run(deck);
    run.start(options_of(folder));
    const MechanicalSystem &system = run.structure().system();
    Vector v = system.new_vector(), p = v, back = v;
    for (unsigned int i = 0; i < v.locally_owned_size(); ++i)
      v.local_element(i) = std::sin(1. + 3.7 * i);
    system.project(v);
    system.mass(v, p);
    system.mass_solve(p, back);
    back -= v;
    EXPECT_LT(back.l2_norm(), 1e-10 * v.l2_norm()) << more;
  }
}

/// Two parts that share masters, of whom one is turned: the cube behind, mirrored by a half turn about y, and the first one again.
TEST(Superelements, TurnedAndShared)
{
  const std::vector<double> exact = frequencies(block(2) + section("Supports", section("clamp", "set Boundary = x-")), 4);
  const Part part(block(1), "set Masters = x-, x+\nset Fixed-interface modes = 27");
  // No mesh, and all nodes are points: 9 in each of three planes.
  std::string points;
  for (int i = 0; i < 27; ++i)
    points += section(fmt::format("p{}", i), fmt::format("set Position = {}, {}, {}{}", i / 9, 0.5 * (i / 3 % 3), 0.5 * (i % 3),
                                                         i < 9 ? "\nset Fixed = yes" : ""));
  const std::string deck =
      "set Structure = discrete\n" + section("Points", points) + no_frames +
      section("Superelements", section("one", "set File = " + part.file()) +
                                   section("two", "set File = " + part.file() + "\nset Origin = 2, 0, 1\nset Axes = -1, 0, 0, 0, 2, 0"));
  const std::vector<double> found = frequencies(deck, 4);
  for (std::size_t i = 0; i < exact.size(); ++i)
    EXPECT_NEAR(found[i], exact[i], 1e-7 * exact[i]) << i;
}

/// Corners of two boundaries are one node here as in the stage that made the file; half the body of a twin adds to its frequencies'
/// squares.
TEST(Superelements, BoundariesThatShareNodes)
{
  const std::string held = section("Supports", section("clamp", "set Boundary = z-"));
  const Part part(block(1), "set Masters = x-, y-\nset Fixed-interface modes = 3");
  const std::vector<double> alone = frequencies(block(1) + held, 1),
                            joined = frequencies(block(1) + held + part.used("set At = x-, y-"), 1);
  EXPECT_GT(std::abs(joined[0] / alone[0] - 1.), 1e-3);
}

/// Beams: the middle of a cantilever is a superelement with rotations, and its ends are those of the beams beside it.
TEST(Superelements, RotationsOfBeams)
{
  const auto beam = [](const std::string &name, const std::string &from, const std::string &to, const int elements) {
    return section(name,
                   fmt::format("set From = {}\nset To = {}\nset Elements = {}\nset Type = B32\nset Direction = 0, 1, 0\nset Size = 0.02, "
                               "0.03\nset E = 2e11\nset nu = 0.3\nset Density = 8000{}",
                               from, to, elements, from == "foot" ? "\nset Clamped = from" : ""));
  };
  const auto discrete = [](const std::string &points, const std::string &beams) {
    return "set Structure = discrete\n" + section("Points", points) + section("Beams", beams) + no_frames;
  };
  const std::string foot = section("foot", "set Position = 0, 0, 0\nset Fixed = yes"), tip = section("tip", "set Position = 1, 0, 0"),
                    a = section("a", "set Position = 0.25, 0, 0"), b = section("b", "set Position = 0.75, 0, 0");
  const Part middle(discrete(a + b, beam("m", "a", "b", 8)), "set Masters = a, b\nset Fixed-interface modes = 12");
  const std::vector<double> exact = frequencies(discrete(foot + tip, beam("all", "foot", "tip", 16)), 6),
                            found = frequencies(
                                discrete(foot + a + b + tip, beam("l", "foot", "a", 4) + beam("r", "b", "tip", 4)) + middle.used(""), 6);
  for (std::size_t i = 0; i < exact.size(); ++i)
    EXPECT_NEAR(found[i], exact[i], 1e-4 * exact[i]) << i;
  expect_refused(
      discrete(a + b, section("l",
                              "set From = a\nset To = b\nset Type = B32\nset Direction = 0, 1, 0\nset Size = 0.02, 0.03\nset E = "
                              "2e11\nset nu = 0.3\nset Density = 8000")) +
          middle.used("set Origin = 1, 0, 0") + stages(section("f", "set Type = modes")),
      "nothing stands at (1.25, 0, 0) m");
}

/// Gravity is M_r g; the momentum of a free body grows by m g.
TEST(Superelements, FallsAndKeepsItsMomentum)
{
  const Part part = cube(7);
  const std::string weight = section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -10"));
  for (const std::string scheme : {"average-acceleration", "stormer-verlet", "discrete-gradient"})
  {
    const Folder folder, still;
    const std::string lumped = section("Elements", "set Mass = lumped"),
                      steps = section("Time", "set Time step = 1e-4\nset End time = 0.01");
    const History fall = run_well(folder, joined(part) + weight + lumped + steps + newmark(scheme)).history;
    EXPECT_NEAR(fall.last("tip.z"), 1. - 0.5 * 10. * 0.01 * 0.01, 1e-12) << scheme;
    EXPECT_NEAR(fall.last("P_z"), -2000. * 10. * 0.01, 1e-9) << scheme;
    const std::string kick = section("Initial conditions", "set Velocity = 0.1*sin(9*y), 0.2*x, 0");
    const std::string tight = section("Newton", "set Tolerance = 1e-13");
    const History free = run_well(still, joined(part) + kick + lumped + steps + tight + newmark(scheme)).history;
    for (const char *P : {"P_x", "P_y", "P_z"})
      EXPECT_NEAR(free.last(P), free[P].front(), 1e-12 * 2000. * 0.2) << scheme << P;
  }
}

/// What `symdyn verify` measures: form, tangent, order, linear momentum.
TEST(Superelements, Verified)
{
  const Part part = cube(7);
  for (const std::string scheme : {"average-acceleration", "stormer-verlet"})
  {
    const Folder folder;
    write_file(folder, "deck.prm",
               joined(part) + section("Initial conditions", "set Velocity = 0.1*sin(9*y), 0.2*x, 0") +
                   section("Elements", "set Mass = lumped") + section("Time", "set Time step = 2e-4\nset End time = 0.01") +
                   newmark(scheme));
    const Outcome run = command(folder, std::string(SYMDYN_BINARY) + " verify " + (folder / "deck.prm") + " --steps 100 --report " +
                                            (folder / "report") + " --overwrite");
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    std::ifstream file(folder / "report/verify.json");
    std::map<std::string, nlohmann::json> found;
    const nlohmann::json all = nlohmann::json::parse(file);
    for (const auto &entry : all)
      found[entry["property"]] = entry;
    EXPECT_EQ(found["form"]["verdict"], "kept") << scheme;
    EXPECT_EQ(found["linear momentum"]["verdict"], "kept") << scheme;
    EXPECT_LT(found["linear momentum"]["value"].get<double>(), 1e-12) << scheme;
    EXPECT_LT(found["form"]["value"].get<double>(), 1e-12) << scheme;
  }
}

/// C_r: the same damping as that of the whole.
TEST(Superelements, Damping)
{
  const std::string damped = section("Damping", "set Mass proportional = 0.7\nset Stiffness proportional = 0.002");
  const Part part = cube(51, damped);
  const std::string push = section("Forces", section("push", "set Points = tip\nset Force = 1000, 3000, -2000")) + clamp + swing +
                           newmark("average-acceleration");
  const Folder one, other;
  const History exact = run_well(one, whole() + damped + push).history, found = run_well(other, joined(part) + damped + push).history;
  for (const char *column : {"tip.x", "tip.y", "tip.z"})
    EXPECT_NEAR(found.last(column) - (column[4] == 'x' ? 2. : 1.), exact.last(column) - (column[4] == 'x' ? 2. : 1.), 1e-9) << column;
}

TEST(Superelements, WarnOfRotation)
{
  const Part part = cube(0);
  const Folder folder;
  const Outcome run = run_well(folder, block(1) + at("tip", "2, 1, 1", "set Velocity = -1, 2, 0") + part.used(behind) +
                                           section("Initial conditions", "set Velocity = -y, x, 0") +
                                           section("Time", "set Time step = 0.01\nset End time = 0.2") + newmark("average-acceleration"));
  EXPECT_NE(run.terminal.find("superelement 'end' does not turn with its masters"), std::string::npos) << run.terminal;
  const std::vector<double> &turned = run.history["end.rotation"];
  EXPECT_NEAR(turned[5], 0.05, 1e-3);
}

/// A reduced model with one node: its mass turns with a beam, and a director tells by how much. Its mode leaves two components without one.
TEST(Superelements, TurnWithABeam)
{
  const auto beam = [](const std::string &to) {
    return section("Beams",
                   section("b", "set From = a\nset To = " + to +
                                    "\nset Elements = 4\nset Direction = 0, 1, 0\nset Size = 0.02, 0.03\nset E = 2e11\nset nu = 0.3\n"
                                    "set Density = 8000"));
  };
  const std::string two = "set Structure = discrete\n" + no_frames;
  const Part end(two + section("Points", section("a", "set Position = 1, 0, 0") + section("end", "set Position = 1.2, 0, 0")) + beam("end"),
                 "set Masters = a\nset Fixed-interface modes = 1");
  const std::string standing = section("foot", "set Position = 0, 0, 0\nset Fixed = yes") + section("a", "set Position = 1, 0, 0");
  std::string held = beam("foot");
  held.insert(held.find("set Elements"), "set Clamped = to\n");
  const auto pushed = [&](const double force) {
    const Folder folder;
    return run_well(folder, two + section("Points", standing) + held + end.used("") +
                                section("Forces", section("push", fmt::format("set Points = a\nset Force = 0, 0, {}", force))) +
                                stages(section("rest", "set Type = static")));
  };
  const double EI = 2e11 * 0.02 * std::pow(0.03, 3) / 12.;
  const Outcome little = pushed(100.), much = pushed(3000.);
  EXPECT_NEAR(little.history.last("end.rotation"), 100. / (2. * EI), 0.01 * 100. / (2. * EI));
  EXPECT_EQ(little.terminal.find("does not turn"), std::string::npos) << little.terminal;
  EXPECT_NE(much.terminal.find("superelement 'end' does not turn with its masters"), std::string::npos) << much.terminal;
  const Folder folder;
  const Outcome run = run_well(folder, two + section("Points", "set Gravity = 0, 0, -10\n" + standing) + held + end.used("") +
                                           section("Elements", "set Mass = lumped") +
                                           section("Time", "set Time step = 2e-6\nset End time = 1e-4") + newmark("stormer-verlet"));
  EXPECT_LT(run.history.last("a.v_z"), -1e-4);
}

/// Masters whose supports would be statically determinate: K_r is 0, and the model weighs.
TEST(Superelements, StaticallyDeterminate)
{
  const Part part(
      block(1) + section("Points", section("p", "set Position = 0, 0, 0\n" + on_mesh) + section("q", "set Position = 0, 1, 0\n" + on_mesh) +
                                       section("r", "set Position = 0, 0, 1\n" + on_mesh)),
      "set Masters = p, q.x, q.z, r.x");
  const Folder folder;
  const std::string light = "\nset Mass = 0.001";
  const History fall =
      run_well(folder,
               "set Structure = discrete\n" + no_frames +
                   section("Points", "set Gravity = 0, 0, -10\n" + section("p", "set Position = 0, 0, 0" + light) +
                                         section("q", "set Position = 0, 1, 0" + light) + section("r", "set Position = 0, 0, 1" + light)) +
                   part.used("") + section("Time", "set Time step = 0.01\nset End time = 0.1") + newmark("average-acceleration"))
          .history;
  EXPECT_NEAR(fall.last("p.z"), -0.5 * 10. * 0.01, 1e-9);
  EXPECT_NEAR(fall.last("P_z"), -1000.003 * 10. * 0.1, 1e-6);
}

}  // namespace symdyn::tests::in_superelements
