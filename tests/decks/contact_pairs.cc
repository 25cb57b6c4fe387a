// Contact of boundaries in decks: bars and blocks that collide, a block that is pressed, restart, ranks, proof, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/colliding_blocks.h"

namespace symdyn::tests::in_contact_decks
{
namespace
{
using Settings = std::vector<std::string>;

std::string mesh(const int dimension)
{
  return section("Mesh", fmt::format("set Dimension = {}\nset Type = file\nset File = two.msh", dimension));
}
std::string materials(const std::string &law, const double E, const double nu, const double density, const int bodies = 2)
{
  const std::string one = fmt::format("set Type = {}\nset E = {:.15g}\nset nu = {:.15g}\nset Density = {:.15g}", law, E, nu, density);
  std::string all;
  for (const char *name : {"first", "second", "third"})
    all += int(name[0] == 't') + 2 > bodies && name[0] == 't' ? "" : section(name, one);
  return section("Materials", all);
}

/// Bars with c = 30 m/s and an impedance of 30 N s/m, in a row; the first comes with 1 m/s.
struct Bars
{
  explicit Bars(const std::vector<double> &lengths, const int cells_in_ten = 100)
  {
    std::vector<Blocks::Block> bars;
    double x = 0;
    for (const double length : lengths)
    {
      bars.push_back({{x, 0., 0.}, {length, 1., 0.}, {int(cells_in_ten * length / 10.), 1, 0}});
      x += length + gap;
    }
    Blocks(bars).write(folder / "two.msh");
    std::string contacts = section("hit", "set Between = first-x+, second-x-");
    if (lengths.size() == 3)
      contacts += section("then", "set Between = second-x+, third-x-");
    deck = mesh(2) + materials("linear-elasticity", 900., 0., 1., int(lengths.size())) + section("Elements", "set Mass = lumped") +
           section("Contact", contacts) +
           section("Initial conditions", fmt::format("set Velocity = if(x < {:.15g}, 1, 0), 0", lengths[0] + 0.5 * gap)) +
           section("Time", fmt::format("set Time step = {:.17g}\nset End time = 1.5", 0.1 / 30.)) +
           section("Integrator", "set Scheme = newmark") + section("Output", "set Write every = never");
  }
  static constexpr double gap = 1e-3;
  Folder folder;
  std::string deck;
};

/// The impulse that the first body gets, until the end: Newmark's, to rounding.
double impulse(const History &history, const std::string &contact, const std::string &component = "x")
{
  const std::vector<double> &force = history[contact + ".force_" + component];
  double sum = 0;
  for (std::size_t i = 1; i < history.rows(); ++i)
    sum += 0.5 * (history["time"][i] - history["time"][i - 1]) * (force[i] + force[i - 1]);
  return sum;
}
}  // namespace

/// References R3 and R4 of contact: the first of two equal bars stops, the other has its velocity; pressure rho c v/2 = 15 Pa for 2 L/c =
/// 0.667 s. A bar twice as long gets the whole impulse of 10 N s, too, and half of the energy stays in its vibration.
TEST(ContactPairs, BarsCollideAsWavesSay)
{
  for (const double second : {10., 20.})
  {
    SCOPED_TRACE(second);
    const Bars bars({10., second});
    const History history = run_well(bars.folder, bars.deck).history;
    EXPECT_NEAR(impulse(history, "hit"), -10., 0.1);
    double begin = -1, end = 0, sum = 0, number = 0;
    for (std::size_t i = 0; i < history.rows(); ++i)
    {
      const double t = history["time"][i], force = -history["hit.force_x"][i];
      constexpr double third = 5.;
      if (force > third)
      {
        begin = begin < 0. ? t : begin;
        end = t;
      }
      if (begin > 0. && t > begin + 0.1 && t < begin + 0.5)
      {
        sum += force;
        number += 1.;
      }
    }
    EXPECT_NEAR(end - begin, 2. / 3., 0.02);
    EXPECT_NEAR(sum / number, 15., 0.15);
    for (const double error : history["E_balance_error"])
      ASSERT_LT(std::abs(error), 0.02);
  }
}

/// Reference R13: of equal rods in a row the last takes all.
TEST(ContactPairs, TheLastOfThreeRodsTakesAll)
{
  const Bars bars({10., 10., 10.}, 50);
  const History history =
      run_well(bars.folder, bars.deck, Settings{fmt::format("Time/Time step={:.15g}", 0.2 / 30.), "Time/End time=2"}).history;
  EXPECT_NEAR(impulse(history, "hit"), -10., 0.2);
  EXPECT_NEAR(impulse(history, "then"), -10., 0.2);
}

/// P and J of two free bodies that hit each other askew, by every kind of scheme; the energy by the discrete gradient alone, which the
/// others show.
TEST(ContactPairs, CollisionsKeepMomentaAndEnergy)
{
  const CollidingBlocks collision;
  const auto expect_momenta_and_energy = [&](const std::string &scheme, const std::string &pairing, const bool keeps_energy) {
    SCOPED_TRACE(scheme + " " + pairing);
    const Settings settings{"Integrator/Scheme=" + scheme, "Contact/hit/Layer=0.05", "Contact/hit/Pairing=" + pairing};
    const History history = run_well(collision.folder, collision.deck, settings).history;
    EXPECT_GT(*std::max_element(history["hit.pressure"].begin(), history["hit.pressure"].end()), 10.) << "they touch";
    for (const char *momentum : {"Pc_x", "Pc_y", "Pc_z", "Jc_x", "Jc_y", "Jc_z"})
      EXPECT_LT(drift(history, momentum, 1.), 1e-12) << momentum;
    const double of_energy = drift(history, "E_total", 0.5);
    if (keeps_energy)
      EXPECT_LT(of_energy, 1e-11);
    else
      EXPECT_GT(of_energy, 1e-6) << "negative control";
  };
  for (const std::string scheme : {"midpoint", "discrete-gradient", "central-difference", "newmark"})
    expect_momenta_and_energy(scheme, "points", scheme == "discrete-gradient");
  // Each step has segments of its own, and so another V.
  for (const std::string scheme : {"midpoint", "discrete-gradient"})
    expect_momenta_and_energy(scheme, "segments", false);
}

TEST(ContactPairs, RanksAgreeAndARestartKeepsItsBits)
{
  for (const std::string pairing : {"points", "segments"})
  {
    SCOPED_TRACE(pairing);
    const CollidingBlocks collision("set Pairing = " + pairing);
    const History history =
        expect_ranks_and_restart_to_agree(collision.deck, [](const Folder &folder) { CollidingBlocks::write_mesh(folder); }, 0.16, 40,
                                          {"P_x", "J_z", "E_total", "hit.gap", "hit.force_x"});
    EXPECT_GT(largest(history["hit.pressure"]), 10.);
  }
}

/// Squares of 1 kg that meet corner on corner with 2 m/s, turned by 45 degrees, 1 cm aside: the corners are points, and stop each other.
/// Guides hold the outer sides along x, so that the squares cannot leave each other sideways: they fly back the way they came. The control:
/// without Contact they pass through each other.
TEST(ContactPairs, CornersStopEachOther)
{
  const Folder folder;
  const double half = std::sqrt(0.5);
  constexpr double start = 0.05, layer = 0.02;  // distance of the corners along y; where the barrier begins
  Blocks({{{0., 0., 0.}, {1., 1., 0.}, {2, 2, 0}}, {{0., 0., 0.}, {1., 1., 0.}, {3, 3, 0}}}, 0.,
         [&](const int block, std::array<double, 3> x) {
           return std::array<double, 3>{half * (x[0] - x[1]) + (block == 0 ? 0.01 : 0.),
                                        half * (x[0] + x[1]) + (block == 0 ? 0. : 2. * half + start), 0.};
         })
      .write(folder / "two.msh");
  const auto probe = [](const std::string &name, const double x, const double y) {
    return section(name, fmt::format("set Point = {:.15g}, {:.15g}", x, y));
  };
  const auto pair = [&](const std::string &name, const std::string &sides) {
    return section(name, fmt::format("set Between = {}\nset Layer = {}\nset Side = outside", sides, layer));
  };
  const std::string contacts = section("Contact", pair("a", "first-x+, second-x-") + pair("b", "first-x+, second-y-") +
                                                      pair("c", "first-y+, second-x-") + pair("d", "first-y+, second-y-"));
  const std::string bodies =
      mesh(2) + materials("neo-hooke-log", 900., 0.3, 1.) +
      section("Supports", section("guide",
                                  "set Boundary = first-x-, first-y-, second-x+, second-y+\nset Type = displacement\n"
                                  "set Displacement = 0, free")) +
      section("Probes", probe("lower", 0.01, half) + probe("lower_corner", 0.01, 2. * half) + probe("upper_corner", 0., 2. * half + start) +
                            probe("upper", 0., 3. * half + start)) +
      section("Initial conditions", "set Velocity = 0, if(y < 1.43, 1, -1)") +
      section("Time", "set Time step = 0.001\nset End time = 0.36") + section("Integrator", "set Scheme = newmark") +
      section("Output", "set Write every = never");
  // How far the upper one's corner, and its centre, are above the lower one's at the end.
  const auto corners_apart = [&](const History &run) { return start + run.last("upper_corner.u_y") - run.last("lower_corner.u_y"); };
  const auto centres_apart = [&](const History &run) { return 2. * half + start + run.last("upper.u_y") - run.last("lower.u_y"); };

  const History history = run_well(folder, bodies + contacts).history;
  double gap = 1., force = 0, of_lower = 0;
  for (const char *name : {"a", "b", "c", "d"})
  {
    const std::string contact = name;
    gap = std::min(gap, *std::min_element(history[contact + ".gap"].begin(), history[contact + ".gap"].end()));
    force = std::max(force, -*std::min_element(history[contact + ".force_y"].begin(), history[contact + ".force_y"].end()));
    of_lower += impulse(history, contact, "y");
  }
  EXPECT_GT(gap, 0.);
  EXPECT_LT(gap, layer);
  EXPECT_GT(force, 1.) << "the lower one is pushed down";
  // The guides bear no force along y: the upper one has the momentum -1 kg m/s and the opposite impulse.
  EXPECT_GT(-1. - of_lower, 0.5) << "it has turned back; vibrations have a part of its energy, not most of it";
  EXPECT_NEAR(history.last("P_y"), 0., 1e-9) << "and the lower one, too";
  EXPECT_GT(corners_apart(history), layer) << "nothing holds them together";
  EXPECT_GT(centres_apart(history), 2. * half);

  const History control = run_well(folder, bodies).history;
  EXPECT_NEAR(corners_apart(control), start - 2. * 0.36, 1e-9) << "they fly on with 2 m/s";
  EXPECT_LT(centres_apart(control), 2. * half - 0.5);
}

/// Reference R9: blocks of 3 on 4 and of 4 on 3 cells, pressed together by 0.2 of 2 m, each held along y and z by planes of symmetry:
/// points pass the patch test to a few percent, and each body bears the same force.
TEST(ContactPairs, PressedBlocksBearNearlyOneStress)
{
  using Cells = std::array<int, 3>;
  for (const auto &[one, other] : {std::pair{Cells{3, 3, 3}, Cells{2, 4, 4}}, {Cells{2, 4, 4}, Cells{3, 3, 3}}})
  {
    SCOPED_TRACE(fmt::format("{} on {} cells", one[1], other[1]));
    Folder folder;
    Blocks({{{0., 0., 0.}, {1., 1., 1.}, one}, {{1., 0., 0.}, {1., 1., 1.}, other}}).write(folder / "two.msh");
    std::string supports = section("x", "set Boundary = first-x-\nset Type = symmetry") +
                           section("push", "set Boundary = second-x+\nset Type = displacement\nset Displacement = -0.2, free, free");
    for (const char d : {'y', 'z'})
      supports += section(std::string(1, d), fmt::format("set Boundary = first-{0}-, second-{0}-\nset Type = symmetry", d));
    const std::string deck =
        mesh(3) + materials("linear-elasticity", 1000., 0.3, 1.) + section("Supports", supports) +
        section("Contact", section("touch", "set Between = first-x+, second-x-\nset Stiffness = 1e7\nset Layer = 0.01")) +
        section("Errors", section("u", "set Displacement = -0.1*x, 0.03*y, 0.03*z")) +
        stages(section("press", "set Type = static\nset Increments = 2"));
    const History history = run_well(folder, deck).history;
    EXPECT_LT(history.last("u.H1") / 0.15, 0.05);
    EXPECT_NEAR(history.last("touch.force_x"), -100., 1.);
    EXPECT_NEAR(history.last("x.R_x"), 100., 1.) << "what the support bears";
    EXPECT_NEAR(history.last("push.R_x"), -history.last("x.R_x"), 1e-8);
  }
}

/// One boundary that touches itself does what two do that touch each other.
TEST(ContactPairs, ABoundaryTouchesItself)
{
  const CollidingBlocks collision;
  const Settings settings{"Time/End time=0.2", "Integrator/Scheme=newmark"};
  const History pair = run_well(collision.folder, collision.deck, settings).history;
  const CollidingBlocks self;
  const std::string file = self.folder / "two.msh";
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  std::string one = text.str();
  in.close();
  const std::string name = "\"second-x-\"";
  one.replace(one.find(name), name.size(), "\"first-x+\"");
  std::ofstream(file) << one;
  Settings itself = settings;
  itself.push_back("Contact/hit/Between=first-x+");
  const History history = run_well(self.folder, self.deck, itself).history;
  for (const char *column : {"P_x", "E_total", "hit.gap", "hit.pressure"})
    EXPECT_NEAR(history.last(column), pair.last(column), 1e-9 * std::max(1., std::abs(pair.last(column)))) << column;
}

/// A block on a plate on a floor: contacts of boundaries and of an obstacle together.
TEST(ContactPairs, TheExampleKeepsItsEnergy)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "examples/collision.prm", {"Time/End time=0.05", "Output/Write every=never"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const History &history = run.history;
  for (const char *pressure : {"hit.pressure", "support.pressure"})
    EXPECT_GT(*std::max_element(history[pressure].begin(), history[pressure].end()), 1e3) << pressure;
  double worst = 0;
  for (const double error : history["E_balance_error"])
    worst = std::max(worst, std::abs(error));
  EXPECT_LT(worst, 1e-9 * history["E_kinetic"].front());
}

/// Zhang-Skeel's scheme takes boundaries that meet as a kick: one linear solve a step, order 2 in the motion after the collision, P and J
/// kept. The control: the simplified scheme, which does not keep J.
TEST(ContactPairs, ZhangSkeelTakesThemAsAKick)
{
  const CollidingBlocks collision("set Layer = 0.05\nset Stiffness = 20000");
  const auto run = [&](const double h, const std::string &scheme) {
    return run_well(collision.folder, collision.deck,
                    {fmt::format("Time/Time step={}", h), "Time/End time=0.256", "Integrator/Scheme=" + scheme})
        .history;
  };
  const History coarse = run(1e-3, "zhang-skeel"), middle = run(5e-4, "zhang-skeel"), fine = run(1.25e-4, "zhang-skeel"),
                newmark = run(1.25e-4, "newmark"), simplified = run(1e-3, "zhang-skeel-simplified");
  EXPECT_GT(largest(coarse["hit.pressure"]), 1.) << "they have met";
  for (const char *column : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_LT(drift(coarse, column, 1.), 1e-11) << column;
  const auto kinetic = [](const History &history) { return history.last("E_kinetic"); };
  const double order = std::log2(std::abs(kinetic(coarse) - kinetic(fine)) / std::abs(kinetic(middle) - kinetic(fine)));
  EXPECT_NEAR(order, std::log2((64. - 1.) / (16. - 1.)), 0.15) << "2, against a solution that has 1/16 of the error";
  EXPECT_NEAR(kinetic(fine), kinetic(newmark), 1e-3 * kinetic(fine)) << "the motion of another scheme";
  EXPECT_GT(drift(simplified, "J_z", 1.), 1e-9) << "the control";
}

TEST(ContactPairs, RefusesWhatItCannot)
{
  const CollidingBlocks collision;
  const auto refused = [&](const std::string &words, const Settings &settings) {
    const Outcome run = run_text(collision.folder, collision.deck, settings);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused("ask for steps of at most 2/omega_max",
          {"Integrator/Scheme=zhang-skeel", "Time/Time step=0.02", "Contact/hit/Layer=0.05", "Contact/hit/Stiffness=1"});
  refused("above 1 an impact with zhang-skeel multiplies the energy", {"Integrator/Scheme=zhang-skeel", "Contact/hit/Stiffness=40000"});
  refused("of points of boundaries with each other is barrier", {"Contact/hit/Law=linear"});
  refused("names 3 boundaries and no obstacle", {"Contact/hit/Between=first-x+, second-x-, second-x+"});
  refused("another contact has 'second-x-' and 'first-x+', too", {"Contact/more/Between=second-x-, first-x+"});
  refused("makes a layer of 0.3 m, and 0.6 of the height of the cells", {"Contact/hit/Layer=0.3"});
  refused("overlap at the start: gap -0.05 m", {"Contact/hit/Clearance=-0.1", "Contact/hit/Layer=0.15"});
  refused("Points = 1: of boundaries with each other is at least 2", {"Contact/hit/Points=1"});
  refused("all share corners", {"Contact/hit/Between=first-x+"});
  CollidingBlocks inside("", -0.3);
  const Outcome run = run_text(inside.folder, inside.deck, {"Contact/hit/Side=outside"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(has(run.terminal, "first-x+ is 0.3 m behind second-x-"), "") << run.terminal;
  refused("boundary 'second-x' does not exist", {"Contact/hit/Between=first-x+, second-x"});
}
}  // namespace symdyn::tests::in_contact_decks
