// Random bodies that are thrown at each other and at a floor: each run ends well, or with a message; nothing is not a number, and no state
// has a body inside another.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "tests/bad_input.h"
#include "tests/blocks.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_contact_drops
{
namespace
{
/// Two blocks of random sizes, cells, places and velocities above a floor, with a random law, friction, scheme and step.
class Drop
{
public:
  Drop(const unsigned int seed, const int dim) : random(seed)
  {
    const std::array<double, 3> size = extents(dim), other = extents(dim);
    const double above = size[1] + between(0.02, 0.2);
    Blocks({{{0., 0., 0.}, size, cells(dim)}, {{between(-0.3, 0.3), above, dim == 3 ? between(-0.3, 0.3) : 0.}, other, cells(dim)}},
           between(0., 0.2))
        .write(folder / "two.msh");
    const std::string cell = pick<std::string>({"", "\nset Cell shape = tetrahedra"});
    const std::string material =
        fmt::format("set Type = neo-hooke-log\nset E = {}\nset nu = {}\nset Density = 1", between(300., 3000.), between(0., 0.4));
    const std::string scheme = pick<std::string>({"newmark", "discrete-gradient", "midpoint", "hht-alpha", "generalized-alpha"});
    const std::string normal = dim == 3 ? "0, 1, 0" : "0, 1", point = dim == 3 ? "0, -0.05, 0" : "0, -0.05";
    const std::string velocity = fmt::format("{}, if(y > {}, {}, {}){}", between(-1., 1.), above - 0.01, -between(0.5, 3.),
                                             between(-2., 1.), dim == 3 ? fmt::format(", {}", between(-1., 1.)) : "");
    const std::string friction = pick<std::string>({"", fmt::format("\nset Friction = {}", between(0.1, 0.8))});
    const std::string pairing =
        pick<std::string>({"", "\nset Points = 3", "\nset Side = outside", "\nset Pairing = segments\nset Law = linear"});
    deck = section("Mesh", fmt::format("set Dimension = {}\nset Type = file\nset File = two.msh{}", dim, cell)) +
           section("Materials", section("first", material) + section("second", material)) +
           section("Obstacles", section("floor", fmt::format("set Type = plane\nset Point = {}\nset Normal = {}", point, normal))) +
           section("Contact", section("ground", "set Between = first-y-, first-x-, first-x+, floor" + friction) +
                                  section("hit", "set Between = first-y+, second-y-" + friction + pairing)) +
           section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, -9.81" + std::string(dim == 3 ? ", 0" : ""))) +
           section("Initial conditions", "set Velocity = " + velocity) +
           section("Time", fmt::format("set Time step = {}\nset End time = 0.1", pick<double>({0.001, 0.002, 0.005}))) +
           section("Integrator", "set Scheme = " + scheme) + section("Output", "set Write every = never");
  }
  Folder folder;
  std::string deck;

private:
  double between(const double least, const double most) { return std::uniform_real_distribution<double>(least, most)(random); }
  template <class T>
  T pick(const std::vector<T> &among)
  {
    return among[std::uniform_int_distribution<std::size_t>(0, among.size() - 1)(random)];
  }
  std::array<double, 3> extents(const int dim) { return {between(0.5, 1.2), between(0.4, 1.), dim == 3 ? between(0.5, 1.2) : 1.}; }
  std::array<int, 3> cells(const int dim) { return {pick<int>({1, 2, 3}), pick<int>({1, 2}), dim == 3 ? pick<int>({1, 2, 3}) : 0}; }

  std::mt19937 random;
};

/// Returns whether it ran to its end.
bool expect_sound(const unsigned int seed, const int dim)
{
  SCOPED_TRACE(fmt::format("seed {}", seed));
  const Drop drop(seed, dim);
  const Outcome run = run_text(drop.folder, drop.deck);
  EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1 || run.exit_code == 2) << run.exit_code << "\n" << run.terminal << drop.deck;
  if (run.exit_code != 0)
  {
    EXPECT_EQ(has(run.terminal, "error: "), "") << run.terminal;
    EXPECT_NE(has(run.terminal, "internal error"), "") << run.terminal << drop.deck;
  }
  if (run.exit_code == 1)
    return false;
  for (const char *column : {"P_y", "E_total", "E_contact", "ground.gap", "hit.gap", "hit.force_y"})
    for (const double value : run.history[column])
      EXPECT_TRUE(std::isfinite(value)) << column;
  for (const char *column : {"ground.gap", "hit.gap"})
    for (const double gap : run.history[column])
      EXPECT_GT(gap, -0.5) << column << ": half a cell is less than this";
  return run.exit_code == 0;
}
}  // namespace

TEST(ContactDrops, EndWellOrWithAMessage)
{
  int ended = 0;
  for (unsigned int seed = 1; seed <= 12; ++seed)
    ended += expect_sound(seed, 2);
  EXPECT_GE(ended, 6);
}

TEST(ContactDrops, ManyEndWellOrWithAMessageNightly)
{
  int ended = 0;
  for (unsigned int seed = 100; seed < 200; ++seed)
    ended += expect_sound(seed, 2 + int(seed % 2));
  EXPECT_GE(ended, 25);
}
}  // namespace symdyn::tests::in_contact_drops
