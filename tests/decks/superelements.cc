// Superelements: reduced models of stages of Type = substructure in other decks, against the whole body.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/in_process.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_superelements
{
namespace
{
const std::string no_frames = section("Output", "set Write every = never"),
                  clamp = section("Supports", section("clamp", "set Boundary = x-"));

/// A block of `length` x 1 x 1 m from x = 0 on, cells of 0.5 m.
std::string block(const int length)
{
  return section("Mesh", fmt::format("set Type = box\nset Subdivisions = {}, 2, 2\n", 2 * length) +
                             section("box", fmt::format("set Size = {}, 1, 1", length))) +
         elastic(1e6, 0.3, 1000.) + no_frames;
}
std::string at(const std::string &name, const std::string &place, const std::string &more = "")
{
  return section("Points", section(name, "set Position = " + place + "\n" + more));
}
const std::string on_mesh = "set On mesh = yes";

/// The file of a reduced model.
class Part
{
public:
  Part(const std::string &deck, const std::string &entries)
  {
    run_well(folder, deck + stages(section("part", "set Type = substructure\n" + entries)));
  }
  std::string file() const { return folder / "results/substructure-part.npz"; }
  /// The section of a deck.
  std::string used(const std::string &entries) const
  {
    return section("Superelements", section("end", "set File = " + file() + "\n" + entries));
  }

private:
  Folder folder;
};

/// A cube of 1 m whose face x- and one corner are masters, 51 inner degrees of freedom.
Part cube(const int modes, const std::string &more = "")
{
  return Part(block(1) + at("tip", "1, 1, 1", on_mesh) + more, fmt::format("set Masters = x-, tip\nset Fixed-interface modes = {}", modes));
}
const std::string behind = "set Origin = 1, 0, 0";  ///< of the first cube
std::string joined(const Part &part) { return block(1) + at("tip", "2, 1, 1") + part.used(behind); }
std::string whole() { return block(2) + at("tip", "2, 1, 1", on_mesh); }

std::vector<double> frequencies(const std::string &deck, const int modes)
{
  const Folder folder;
  run_well(folder, deck + stages(section("forms", fmt::format("set Type = modes\nset Modes = {}", modes))));
  return table_of(folder / "results/modes-forms.csv").at("frequency");
}
const std::string swing = section("Time", "set Time step = 0.002\nset End time = 0.2");
std::string newmark(const std::string &name) { return section("Integrator", "set Scheme = " + name); }
}  // namespace

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

/// Files that NumPy writes, and what is wrong in files.
TEST(Superelements, Files)
{
  const Part part = cube(4);
  const Folder folder;
  const std::string script = write_file(folder, "write.py", "import numpy as np\nz = dict(np.load('" + part.file() + R"('))
def put(name, save=np.savez, **more):
    a = dict(z); a.update(more); save(name, **{k: v for k, v in a.items() if v is not None})
put('good.npz', K=np.asfortranarray(z['K']), nodes=z['nodes'].astype(int), coordinates=z['coordinates'].astype(str))
put('packed.npz', np.savez_compressed)
put('none.npz', M=None)
put('small.npz', K=z['K'].astype(np.float32))
put('shape.npz', M=z['M'][:-1, :-1])
K = z['K'].copy(); K[0, 1] *= 2; put('sym.npz', K=K)
K = z['K'].copy(); K[0, 0] = np.nan; put('nan.npz', K=K)
M = z['M'].copy(); M[0, 0] *= -1; put('negative.npz', M=M)
b = open('good.npz', 'rb').read(); open('cut.npz', 'wb').write(b[:len(b) // 2]); open('text.npz', 'w').write('PK nothing')
c = bytearray(b); c[len(b) // 2] ^= 4; open('damaged.npz', 'wb').write(c)
)");
  const Outcome written = command(folder, "cd " + folder.path + " && /usr/bin/python3 " + script);
  ASSERT_EQ(written.exit_code, 0) << written.terminal;
  const auto with = [&](const std::string &name) {
    return block(1) + at("tip", "2, 1, 1") + clamp +
           section("Superelements", section("end", "set File = " + (folder / name) + "\n" + behind));
  };
  const std::string end = stages(section("forms", "set Type = modes\nset Modes = 3"));
  const std::vector<double> a = frequencies(with("good.npz"), 3), b = frequencies(joined(part) + clamp, 3);
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-12 * b[i]);
  for (const auto &[name, words] : std::map<std::string, std::string>{{"gone.npz", "cannot be read"},
                                                                      {"packed.npz", "compressed. Write it by numpy.savez"},
                                                                      {"none.npz", "has no array 'M'"},
                                                                      {"small.npz", "of type '<f4'"},
                                                                      {"shape.npz", "has 'M' of the shape (33, 33), not (34, 34)"},
                                                                      {"sym.npz", "has 'K' that is not symmetric: rows 1 and 2"},
                                                                      {"nan.npz", "has 'K' with a value that is no number"},
                                                                      {"cut.npz", "is no archive of NumPy (.npz)"},
                                                                      {"damaged.npz", "is damaged: '"},
                                                                      {"text.npz", "is no archive of NumPy (.npz)"}})
    expect_refused(with(name) + end, words);
  const Folder other;
  const Outcome run = run_text(other, with("negative.npz") + section("Elements", "set Mass = lumped") + swing + newmark("stormer-verlet"));
  EXPECT_NE(run.exit_code, 0);
  EXPECT_NE(run.terminal.find("is not positive definite"), std::string::npos) << run.terminal;
}

TEST(Superelements, ARestartWantsTheSameFile)
{
  const Part part = cube(2), other = cube(4);
  const Folder folder;
  const std::filesystem::path file = folder / "part.npz";
  std::filesystem::copy_file(part.file(), file);
  const std::string deck = block(1) + at("tip", "2, 1, 1") + section("Superelements", section("end", "set File = part.npz\n" + behind)) +
                           clamp + swing + newmark("average-acceleration");
  ASSERT_EQ(run_text(folder, deck, {"Output/Checkpoint every=5", "Time/End time=0.02"}).exit_code, 0);
  const std::string again = std::string(SYMDYN_BINARY) + " run --restart " + folder.path + "/results --set 'Time/End time=";
  EXPECT_EQ(command(folder, again + "0.04'").exit_code, 0);
  std::filesystem::copy_file(other.file(), file, std::filesystem::copy_options::overwrite_existing);
  const Outcome changed = command(folder, again + "0.06'");
  EXPECT_EQ(changed.exit_code, 1);
  EXPECT_NE(changed.terminal.find("part.npz"), std::string::npos) << changed.terminal;
}

TEST(Superelements, Refused)
{
  const Part part = cube(2), held(block(1) + section("Supports", section("wall", "set Boundary = x+")), "set Masters = x-");
  const std::string end = stages(section("rest", "set Type = static")) + clamp;
  const auto refused = [&](const std::string &entries, const std::string &words, const std::string &more = "") {
    expect_refused(block(1) + at("tip", "2, 1, 1") + part.used(entries) + more + end, words);
  };
  refused("set Origin = 1, 0, 0.1", "nothing stands at (");
  refused(behind + "\nset At = x+, corner", "corner");
  refused(behind + "\nset At = x+", "nothing stands at (2, 1, 1) m");
  refused(behind + "\nset At = x+, tip, x-", "names 19 nodes, and the file has 10");
  refused(behind + "\nset At = tip\nset Tolerance = 3", "two nodes of the file stand at");
  refused("set Origin = 1, 0", "needs three numbers");
  refused(behind + "\nset Axes = 1, 0, 0", "needs six numbers");
  refused(behind + "\nset Axes = 1, 0, 0, 1, 1, 0", "are not at right angles");
  expect_refused(block(1) + section("Superelements", section("end", "set At = x+")) + end, "needs the file");
  const auto refused_held = [&](const std::string &words, const std::string &more) {
    expect_refused(block(1) + held.used(behind) + more + end, words);
  };
  refused_held("gravity acts, and masters of this superelement do not carry all of its mass",
               section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -1")));
  const Folder folder;
  const std::string record = write_file(folder, "record.csv", "0, 0\n1, 1\n2, 0\n");
  expect_refused(block(1) + held.used(behind) + clamp + swing +
                     section("Base motion", "set File = " + record + "\nset Unit = deck\nset Direction = 1, 0, 0"),
                 "the base moves, and masters of this superelement do not carry all of its mass");
  refused(behind, "a superelement has no centrifugal and Coriolis forces", section("Rotation", "set Speed = 1"));
}
}  // namespace symdyn::tests::in_superelements
