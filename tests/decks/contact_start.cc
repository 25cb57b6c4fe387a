// Where bodies of a contact stand at the start: within each other, turned away, far apart; and the layer for their closing speed.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_contact_start
{
namespace
{
std::string section(const std::string &name, const std::string &content) { return "subsection " + name + "\n" + content + "\nend\n"; }

/// A block of n^3 cells between two corners; its faces below and above are surfaces of these names.
class Block
{
public:
  Block(const int first, const int n, const std::array<double, 3> &lower, const std::array<double, 3> &size, const std::string &name)
      : first(first), n(n)
  {
    for (int k = 0; k <= n; ++k)
      for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
          nodes += fmt::format("{}, {}, {}, {}\n", node(i, j, k), lower[0] + size[0] * i / n, lower[1] + size[1] * j / n,
                               lower[2] + size[2] * k / n);
    std::string below, above;
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
        {
          const int number = first + i + n * (j + n * k);
          elements +=
              fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", number, node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k),
                          node(i, j + 1, k), node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1));
          below += k == 0 ? fmt::format("{}, S1\n", number) : "";
          above += k == n - 1 ? fmt::format("{}, S2\n", number) : "";
        }
    surfaces = "*SURFACE, NAME=" + name + "-\n" + below + "*SURFACE, NAME=" + name + "+\n" + above;
  }
  std::string nodes, elements, surfaces;

private:
  int node(const int i, const int j, const int k) const { return first + i + (n + 1) * (j + (n + 1) * k); }
  int first, n;
};

std::string mesh(const Block &one, const Block &other)
{
  return "*NODE\n" + one.nodes + other.nodes + "*ELEMENT, TYPE=C3D8, ELSET=E\n" + one.elements + other.elements + one.surfaces +
         other.surfaces;
}

/// Unit blocks, the upper one `gap` above the lower one.
std::string stacked(const double gap, const double aside = 0.)
{
  return mesh(Block(1, 3, {0, 0, 0}, {1, 1, 1}, "low"), Block(1001, 4, {aside, 0, 1 + gap}, {1, 1, 1}, "up"));
}

const std::string materials =
                      section("Materials", section("steel", "set Type = neo-hooke-log\nset E = 1e9\nset nu = 0.3\nset Density = 1000")),
                  statics = section("Supports", section("foot", "set Boundary = low-") + section("head", "set Boundary = up+")) +
                            section("Stages", section("press", "set Type = static"));

std::string contact(const std::string &between, const std::string &more = "")
{
  return section("Contact", section("hit", "set Between = " + between + "\n" + more));
}

Outcome check(const std::string &mesh_text, const std::string &deck)
{
  const Folder folder;
  write_file(folder, "blocks.inp", mesh_text);
  return tool(folder,
              "check " + write_file(folder, "deck.prm", section("Mesh", "set Type = file\nset File = blocks.inp") + materials + deck));
}

void expect_refused(const std::string &mesh_text, const std::string &deck, const std::string &words)
{
  const Outcome outcome = check(mesh_text, deck);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.terminal;
  EXPECT_EQ(has(outcome.terminal, words), "");
}

double layer_of(const Outcome &outcome)
{
  const std::string words = "layer ";
  const std::size_t at = outcome.terminal.find(words);
  return at == std::string::npos ? -1. : std::strtod(outcome.terminal.c_str() + at + words.size(), nullptr);
}
}  // namespace

/// However deep, of pairs and of `all`: a search near the surfaces finds little depths, the winding number all others.
TEST(ContactStart, BodiesWithinEachOtherAreRefused)
{
  for (const double depth : {0.05, 0.3, 0.45, 0.9})
    expect_refused(stacked(-depth), contact("up-, low+") + statics, "[Contact/hit] Between");
  expect_refused(stacked(-0.45), contact("up-, low+") + statics, "up- stands within a body at (");
  const std::string pierced = mesh(Block(1, 3, {0, 0, 0}, {1, 1, 1}, "low"), Block(1001, 2, {0.4, 0.4, 0.85}, {0.15, 0.15, 1}, "up"));
  expect_refused(pierced, contact("all") + statics, "stands within a body at (");
  expect_refused(stacked(-0.45), contact("up-, low+", "set Law = linear\nset Pairing = segments") + statics, "[Contact/hit] Between");
}

/// What counts is where the initial conditions move them. The control: a smaller way.
TEST(ContactStart, InitialDisplacementsCount)
{
  const auto moved = [](const double way) {
    return contact("up-, low+") + statics + section("Initial conditions", fmt::format("set Displacement = 0, 0, if(z > 1.1, -{}, 0)", way));
  };
  expect_refused(stacked(0.2), moved(0.65), "up- stands within a body at (");
  EXPECT_EQ(check(stacked(0.2), moved(0.1)).exit_code, 0);
}

/// A stage without the contact moves one body into another; the next one has the contact. The controls: it stops before, or just at, them.
TEST(ContactStart, AContactThatBeginsWithinABodyIsRefused)
{
  const auto outcome = [](const double way, const std::string &kind, const std::string &law, const bool in_time = true) {
    const Folder folder;
    write_file(folder, "blocks.inp", stacked(0.2));
    const std::string deck =
        section("Mesh", "set Type = file\nset File = blocks.inp") + materials +
        section("Supports",
                section("foot", "set Boundary = low-") +
                    section("head", fmt::format("set Boundary = up+\nset Type = displacement\nset Displacement = 0, 0, -{}", way))) +
        kind + law +
        section("Stages", section("sink", "set Type = static\nset Contact = none") +
                              section("hit", in_time ? section("Time", "set Time step = 1e-5\nset End time = 5e-5") : "set Type = static"));
    return tool(folder, "run " + write_file(folder, "deck.prm", deck) + " --output " + folder.path + "/out --overwrite");
  };
  const std::string floor = section("Obstacles", section("plate", "set Type = plane\nset Point = 0, 0, 1\nset Normal = 0, 0, 1"));
  const auto against_floor = [](const std::string &more) { return contact("up-, plate", more); };
  for (const double depth : {0.05, 0.3, 0.6})
    for (const bool in_time : {true, false})
    {
      const Outcome pair = outcome(0.2 + depth, "", contact("up-, low+"), in_time);
      EXPECT_EQ(pair.exit_code, 1) << depth;
      EXPECT_EQ(has(pair.terminal, fmt::format("'up-' is {:g} m behind 'low+' at (", depth)), "");
    }
  for (const auto &[kind, law] : {std::pair{std::string(), contact("up-, low+", "set Law = linear\nset Pairing = segments")},
                                  {floor, against_floor("")},
                                  {floor, against_floor("set Law = linear")}})
  {
    const Outcome deep = outcome(0.8, kind, law);
    EXPECT_EQ(deep.exit_code, 1);
    EXPECT_EQ(has(deep.terminal, "'up-' is 0.6 m behind '"), "");
  }
  const std::string from_nowhere = "is nobody's work. Let it begin in a static stage";
  for (const auto &[kind, law] : {std::pair{std::string(), contact("up-, low+")},
                                  {std::string(), contact("up-, low+", "set Law = linear\nset Pairing = segments")},
                                  {floor, against_floor("")},
                                  {floor, against_floor("set Law = linear")}})
  {
    const Outcome before = outcome(0.1, kind, law);
    EXPECT_EQ(before.exit_code, 0) << before.terminal;
    EXPECT_NE(has(before.terminal, from_nowhere), "");
  }
  const std::string soft = against_floor("set Law = linear\nset Stiffness = 1e8");
  EXPECT_EQ(has(outcome(0.25, floor, soft).terminal, from_nowhere), "");
  EXPECT_EQ(has(outcome(0.25, floor, soft, false).terminal, "is nobody's work. The first increment parts them at once"), "");
  for (const double way : {0.4, 0.65, 1.})
    EXPECT_EQ(has(outcome(way, "", contact("all")).terminal, "bodies of 'all' are in each other by at least 0.07071 m at ("), "") << way;
  EXPECT_EQ(outcome(0.1, "", contact("all")).exit_code, 0);
}

/// Turned by half a revolution bodies are as far apart as before. The control: one is moved into the other meanwhile.
TEST(ContactStart, TurnedBodiesAreSeenAsTheyStand)
{
  const auto outcome = [](const std::string &along_z) {
    const Folder folder;
    write_file(folder, "blocks.inp", stacked(0.5));
    const std::string turn =
        "set Type = displacement\nset Displacement = (x-0.5)*(cos(pi*min(t, 1))-1) + (z-1.5)*sin(pi*min(t, 1)), 0, "
        "(z-1.5)*(cos(pi*min(t, 1))-1) - (x-0.5)*sin(pi*min(t, 1))";
    const std::string deck =
        section("Mesh", "set Type = file\nset File = blocks.inp") + materials +
        section("Supports",
                section("low", "set Boundary = low-, low+\n" + turn) + section("up", "set Boundary = up-, up+\n" + turn + along_z)) +
        contact("up-, low+") +
        section("Stages", section("turn", "set Type = static\nset Duration = 1\nset Increments = 20\nset Contact = none") +
                              section("hit", "set Type = static"));
    return tool(folder, "run " + write_file(folder, "deck.prm", deck) + " --output " + folder.path + "/out");
  };
  const Outcome apart = outcome("");
  EXPECT_EQ(apart.exit_code, 0) << apart.terminal;
  EXPECT_EQ(has(outcome(" + 0.8*min(t, 1)").terminal, "'up-' is 0.3 m behind 'low+' at ("), "");
}

/// A groove whose sides share the node at its bottom. Points of a side see the faces of the other that share no node with their own: from
/// the first face, x < 0.5, all from (0, 0.5) on, from the second the plane.
TEST(ContactStart, BoundariesThatShareANodeCountAllOthers)
{
  const auto energy = [](const std::string &between) {
    const Folder folder;
    std::string nodes, elements;
    const auto node = [](const int i, const int j) { return 100 * (j + 2) + i + 2; };
    for (int j = -1; j <= 4; ++j)
      for (int i = -1; i <= 4; ++i)
        nodes += fmt::format("{}, {}, {}\n", node(i, j), 0.5 * i, 0.5 * j);
    std::string floor, wall;
    const auto cell = [&](const int number, const int i, const int j) {
      elements += fmt::format("{}, {}, {}, {}, {}\n", number, node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1));
    };
    cell(1, -1, -1);
    for (int k = 0; k < 4; ++k)
    {
      cell(10 + k, k, -1);
      cell(20 + k, -1, k);
      floor += fmt::format("{}, S3\n", 10 + k);
      wall += fmt::format("{}, S2\n", 20 + k);
    }
    write_file(folder, "groove.inp",
               "*NODE\n" + nodes + "*ELEMENT, TYPE=CPE4, ELSET=E\n" + elements + "*SURFACE, NAME=floor\n" + floor +
                   "*SURFACE, NAME=wall\n" + wall);
    const std::string deck = section("Mesh", "set Type = file\nset File = groove.inp\nset Dimension = 2") + materials +
                             contact(between, "set Side = outside\nset Layer = 0.6\nset Stiffness = 1e6") +
                             section("Time", "set Time step = 1e-6\nset End time = 1e-6");
    const Outcome run = run_text(folder, deck);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return run.history["hit.E"].front();
  };
  constexpr double L = 0.6, k = 1e6, share = 0.5;
  const auto phi = [&](const double d) { return d < L ? -k * L * L * std::pow(1. - d / L, 3) * std::log(d / L) : 0.; };
  const std::array<double, 4> xi{-1., -std::sqrt(0.2), std::sqrt(0.2), 1.}, weight{1. / 6., 5. / 6., 5. / 6., 1. / 6.};  // Gauss-Lobatto
  double expected = 0;
  for (int i = 0; i < 4; ++i)
  {
    const double x = 0.25 * (1. + xi[i]);
    expected += 2. * share * 0.25 * weight[i] * (phi(std::hypot(x, 0.5)) + phi(0.5 + x));
  }
  EXPECT_GT(expected, 10.);
  EXPECT_NEAR(energy("floor, wall"), expected, 1e-9 * expected);
}

/// Controls: they touch, stand beside each other, or one holds the other in a hole.
TEST(ContactStart, BodiesBesideEachOtherPass)
{
  for (const double gap : {0., 0.02, 3.})
    for (const char *between : {"up-, low+", "all"})
      EXPECT_EQ(check(stacked(gap), contact(between) + statics).exit_code, 0) << gap << between;
  const std::string in_ring = section("Mesh", "set Type = hollow-cylinder\nset Order = 2\nset Subdivisions = 12, 2, 2\n" +
                                                  section("hollow-cylinder", "set Inner radius = 1\nset Outer radius = 2\nset Length = 1"));
  const Folder folder;
  EXPECT_EQ(tool(folder,
                 "check " + write_file(folder, "ring.prm",
                                       in_ring + materials + contact("inner") + section("Supports", section("foot", "set Boundary = z-")) +
                                           section("Stages", section("press", "set Type = static"))))
                .exit_code,
            0);
}

/// Depth is measured by the faces that stand there, not by others of the mesh; a Clearance takes an overlap; what is no part of a contact
/// does not count.
TEST(ContactStart, SizesAreThoseOfTheBodies)
{
  const auto three = [](const Block &one, const Block &two, const Block &other) {
    std::string text = mesh(one, two);
    text.insert(text.find("*ELEMENT"), other.nodes);
    text.insert(text.find("*SURFACE"), other.elements);
    return text;
  };
  const Block low(1, 2, {0, 0, 0}, {0.01, 0.01, 0.01}, "low"), up(1001, 2, {0, 0, 0.002}, {0.01, 0.01, 0.01}, "up"),
      large(2001, 1, {5, 0, 0}, {1, 1, 1}, "large");
  expect_refused(three(low, up, large), contact("up-, low+") + statics, "up- stands within a body at (");
  const Block inclusion(2001, 1, {0.2, 0.2, 0.5}, {0.6, 0.6, 0.49}, "inclusion");
  const std::string above = section("Supports", section("foot", "set Boundary = low-") + section("head", "set Boundary = up+")) +
                            section("Time", "set Time step = 1e-5\nset End time = 1e-4");
  EXPECT_EQ(check(three(Block(1, 3, {0, 0, 0}, {1, 1, 1}, "low"), Block(1001, 4, {0, 0, 1.02}, {1, 1, 1}, "up"), inclusion),
                  contact("up-, low+") + above)
                .exit_code,
            0);
  EXPECT_EQ(check(stacked(-0.09), contact("up-, low+", "set Clearance = 0.1") + statics).exit_code, 0);
}

/// In time a body may turn: a warning.
TEST(ContactStart, WhoMovesMayTurn)
{
  const Outcome outcome = check(stacked(0.02), contact("up+, low+") + section("Time", "set Time step = 1e-5\nset End time = 1e-4"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  EXPECT_EQ(has(outcome.terminal, "no face of up+ looks at one of low+"), "");
}

TEST(ContactStart, BoundariesThatLookAwayAreRefused)
{
  for (const char *between : {"up+, low-", "up+, low+", "up-, low-"})
    expect_refused(stacked(0.02), contact(between) + statics, "no face of");
}

TEST(ContactStart, BodiesFarApartAreRefused)
{
  expect_refused(stacked(100.), contact("up-, low+") + statics, "hit] Between");
  EXPECT_EQ(check(stacked(5.), contact("up-, low+") + statics).exit_code, 0);
}

TEST(ContactStart, MessagesNameWaysThatAreThere)
{
  std::string ties = contact("up-, low+") + statics;
  ties.replace(ties.find("set Type = static"), 17, "set Type = static\nset Ties = none");
  expect_refused(stacked(0.02), ties, "ties hold in all stages. For one that ends take a contact with Law = tied");
  const Outcome deep = check(stacked(-0.05), contact("all") + statics);
  EXPECT_EQ(deep.exit_code, 1);
  EXPECT_EQ(deep.terminal.find("adjust"), std::string::npos) << deep.terminal;
  expect_refused(stacked(-0.05), contact("up-, low+") + statics, "set Start = adjust with a Tolerance");
  expect_refused(stacked(0.), contact("up-, low+", "set Side = outside\nset Layer = 0.1") + statics, "Set Side = inside");
}

/// 12 v h with the speed at which they close, not that with which both fly.
TEST(ContactStart, LayersAreForTheClosingSpeed)
{
  const auto layer = [&](const std::string &velocity, const std::string &between) {
    const std::string obstacles = section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0, -0.5\nset Normal = 0, 0, 1"));
    return layer_of(check(stacked(0.3), (between.find("floor") == std::string::npos ? "" : obstacles) + contact(between) +
                                            section("Elements", "set Mass = lumped") +
                                            section("Initial conditions", "set Velocity = " + velocity) +
                                            section("Time", "set Time step = 1e-4\nset End time = 1e-3") +
                                            section("Integrator", "set Scheme = central-difference")));
  };
  const double least = layer("0, 0, 0", "up-, low+");
  EXPECT_NEAR(least, 0.025, 1e-6);  // 0.1 of a face
  EXPECT_NEAR(layer("0, 0, -100", "up-, low+"), least, 1e-9) << "both fly";
  EXPECT_NEAR(layer("0, 0, if(z > 1.1, -100, 0)", "up-, low+"), 0.12, 1e-6);
  EXPECT_NEAR(layer("0, 0, -100", "low-, floor"), 0.12, 1e-6);
  EXPECT_NEAR(layer("-100, 0, 20", "low-, floor"), 0.1 / 3., 1e-5) << "it slides, and leaves";
}

TEST(ContactStart, ALargestSpeedIsAtLeastThatOfTheStart)
{
  const auto said = [](const std::string &speed) {
    return check(stacked(0.3), section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0, -0.5\nset Normal = 0, 0, 1")) +
                                   contact("low-, floor", "set Largest speed = " + speed) + section("Elements", "set Mass = lumped") +
                                   section("Initial conditions", "set Velocity = 0, 0, -20") +
                                   section("Time", "set Time step = 1e-4\nset End time = 1e-3") +
                                   section("Integrator", "set Scheme = central-difference"))
        .terminal;
  };
  const std::string warning = "Largest speed = 10: the body comes with 20 m/s at the start, and a layer for 10 may be missed";
  EXPECT_EQ(has(said("10"), warning), "");
  EXPECT_NE(has(said("20"), warning), "");
}

/// The control: a body that is stretched, beside an open contact.
TEST(ContactStart, NewtonFailuresNameAClosedContact)
{
  const auto failure = [](const double way, const std::string &held = "") {
    const Folder folder;
    write_file(folder, "blocks.inp", stacked(0.2));
    const std::string deck =
        section("Mesh", "set Type = file\nset File = blocks.inp") + materials +
        section("Supports",
                section("foot", "set Boundary = low-" + held) +
                    section("head", fmt::format("set Boundary = up+\nset Type = displacement\nset Displacement = 0, 0, -{}", way))) +
        contact("up-, low+", "set Law = linear\nset Pairing = segments\nset Stiffness = 1e11\nset Friction = 0.3") +
        section("Newton", "set Max iterations = 1\nset Tolerance = 1e-14") +
        section("Stages", section("rest", "set Type = static\nset Contact = none") + section("press", "set Type = static"));
    const Outcome run = tool(folder, "run " + write_file(folder, "deck.prm", deck) + " --output " + folder.path + "/out");
    EXPECT_EQ(run.exit_code, 2) << run.terminal;
    return run.terminal;
  };
  const std::string words =
      "contact 'hit' is closed: where its points open and close between iterates, a smaller Stiffness than 1e+11 Pa/m, "
      "or Stick slope than 1e+11 Pa/m helps";
  EXPECT_EQ(has(failure(0.201), words), "");
  EXPECT_NE(has(failure(-0.5, ", up-"), words), "");
}

/// One contact is closed, on one of both ranks: the other rank has nothing to say, and does not wait.
TEST(ContactStart, RanksNameAClosedContactTogether)
{
  const Block low(1, 3, {0, 0, 0}, {1, 1, 1}, "low"), up(1001, 4, {0, 0, 1}, {1, 1, 1}, "up");
  const Block low_aside(2001, 3, {5, 0, 0}, {1, 1, 1}, "lowa"), up_aside(3001, 4, {5, 0, 1.1}, {1, 1, 1}, "upa");
  const Folder folder;
  write_file(folder, "blocks.inp",
             "*NODE\n" + low.nodes + up.nodes + low_aside.nodes + up_aside.nodes + "*ELEMENT, TYPE=C3D8, ELSET=E\n" + low.elements +
                 up.elements + low_aside.elements + up_aside.elements + low.surfaces + up.surfaces + low_aside.surfaces +
                 up_aside.surfaces);
  const std::string by_segments = "\nset Law = linear\nset Pairing = segments\nset Stiffness = 1e11";
  const std::string deck =
      section("Mesh", "set Type = file\nset File = blocks.inp") + materials +
      section("Supports", section("foot", "set Boundary = low-, lowa-") +
                              section("head", "set Boundary = up+, upa+\nset Type = displacement\nset Displacement = 0, 0, -0.01")) +
      section("Contact",
              section("one", "set Between = up-, low+" + by_segments) + section("two", "set Between = upa-, lowa+" + by_segments)) +
      section("Newton", "set Max iterations = 1\nset Tolerance = 1e-14") + section("Stages", section("press", "set Type = static"));
  const Outcome run = run_text(folder, deck, {}, 2);
  EXPECT_EQ(run.exit_code, 2) << run.terminal;
  EXPECT_EQ(has(run.terminal, "contact 'one' is closed"), "");
}
}  // namespace symdyn::tests::in_contact_start
