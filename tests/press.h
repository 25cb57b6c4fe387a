#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/blocks.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

// Two blocks that are pressed together.
namespace symdyn::tests::of_press
{
constexpr double E = 1000., k = 1e7;
/// The stress of two elastic metres and a contact that are shortened by 0.2 m.
constexpr double stress = 0.2 / (2. / E + 1. / k);

/// Blocks of 3 on 4 cells, pressed together by 0.2 of 2 m, each held along y and z by planes of symmetry.
struct Press
{
  Folder folder;
  std::string deck;

  explicit Press(const std::string &of_contact, const std::string &of_mesh = "", const double warp = 0., const int dim = 3)
  {
    const int in_space = dim == 3 ? 1 : 0;
    Blocks({{{0., 0., 0.}, {1., 1., 1.}, {1, 3, 3 * in_space}}, {{1., 0., 0.}, {1., 1., 1.}, {1, 4, 4 * in_space}}}, warp)
        .write(folder / "two.msh");
    const std::string free = dim == 3 ? ", free, free" : ", free";
    std::string supports = section("x", "set Boundary = first-x-\nset Type = symmetry") +
                           section("push", "set Boundary = second-x+\nset Type = displacement\nset Displacement = -0.2" + free);
    for (const char d : dim == 3 ? std::string("yz") : std::string("y"))
      supports += section(std::string(1, d), fmt::format("set Boundary = first-{0}-, second-{0}-\nset Type = symmetry", d));
    const double nu = dim == 3 ? 0.3 : 0.;
    const std::string material = fmt::format("set Type = linear-elasticity\nset Density = 1\nset E = {}\nset nu = {}", E, nu);
    std::string u = fmt::format("{:.17g}*x, {:.17g}*y", -stress / E, nu * stress / E);
    if (dim == 3)
      u += fmt::format(", {:.17g}*z", nu * stress / E);
    deck = section("Mesh", fmt::format("set Dimension = {}\nset Type = file\nset File = two.msh\n", dim) + of_mesh) +
           section("Materials", section("first", material) + section("second", material)) + section("Supports", supports) +
           section("Contact", section("touch", "set Between = first-x+, second-x-\nset Pairing = segments\n" + of_contact)) +
           section("Errors", section("u", "set Displacement = " + u)) + section("Newton", "set Tolerance = 1e-12") +
           stages(section("press", "set Type = static"));
  }
};

/// Each increment of `parts` is a run of its own, which ends early and leaves a checkpoint. Its history is that of the straight run in
/// `whole`, to the last byte; it is returned.
inline History expect_restarts_to_keep_bits(const Press &whole, const Press &parts, const std::string &deck,
                                            std::vector<std::string> settings, const std::size_t increments)
{
  for (const char *setting : {"Output/Checkpoint every=1", "Solver/Deterministic=yes"})
    settings.emplace_back(setting);
  const History straight = run_well(whole.folder, deck, settings).history;
  const Outcome run = run_in_parts(parts.folder, write_file(parts.folder, "deck.prm", deck), settings);
  EXPECT_EQ(run.exit_code, 0) << run.log;
  std::size_t restarts = 0;
  const std::string words = "goes on from";
  for (std::size_t at = run.log.find(words); at != std::string::npos; at = run.log.find(words, at + 1))
    ++restarts;
  EXPECT_GE(restarts, increments - 1);
  EXPECT_TRUE(text_of(whole.folder / "results/history.csv") == text_of(parts.folder / "results/history.csv"));
  return straight;
}
}  // namespace symdyn::tests::of_press
