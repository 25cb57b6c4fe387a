// Bars that hit each other edge on edge, in decks.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/colliding_blocks.h"
#include "tests/crossing_bars.h"

namespace symdyn::tests::in_contact_edge_decks
{
namespace
{
/// The upper one falls on the lower one, both free; their edges cross between the points of integration.
struct FallingBars
{
  explicit FallingBars(const std::string &of_contact)
  {
    write_mesh(folder);
    const std::string material = "set Type = neo-hooke-log\nset E = 900\nset nu = 0.3\nset Density = 1";
    deck = section("Mesh", "set Dimension = 3\nset Type = file\nset File = bars.msh") +
           section("Materials", section("first", material) + section("second", material)) + section("Elements", "set Mass = lumped") +
           section("Contact", section("hit", "set Between = all\nset Layer = 0.03\n" + of_contact)) +
           section("Initial conditions", "set Velocity = 0.02, 0, if(z > 0.333, -1, 0)") +
           section("Time", "set Time step = 0.002\nset End time = 0.4") + section("Integrator", "set Scheme = midpoint") +
           section("Newton", "set Tolerance = 1e-12") + section("Output", "set Write every = never");
  }
  static void write_mesh(const Folder &folder) { CrossingBars::write_mesh(folder / "bars.msh"); }
  Folder folder;
  std::string deck;
};
}  // namespace

TEST(ContactEdges, BarsBounceOffEachOther)
{
  for (const std::string side : {"inside", "outside"})
    for (const std::string scheme : {"midpoint", "discrete-gradient", "central-difference"})
    {
      SCOPED_TRACE(side + ", " + scheme);
      const FallingBars bars("set Side = " + side);
      const History history = run_well(bars.folder, bars.deck, {"Integrator/Scheme=" + scheme}).history;
      EXPECT_GT(largest(history["E_contact"]), 0.003) << "of a kinetic energy of 0.08 J";
      EXPECT_EQ(largest(history["hit.pressure"]), 0.) << "no point meets the other bar: without edges they pass";
      for (const double gap : history["hit.gap"])
        EXPECT_GT(gap, side == "inside" ? -0.03 : 0.);
      EXPECT_EQ(history.last("E_contact"), 0.);
      EXPECT_GT(history.last("hit.gap"), 0.03) << "they part again";
      for (const char *momentum : {"Pc_x", "Pc_z", "Jc_x", "Jc_y", "Jc_z"})
        EXPECT_LT(drift(history, momentum, 1.), 1e-12) << momentum;
      const double of_energy = drift(history, "E_total", 0.08);
      if (scheme == "discrete-gradient")
        EXPECT_LT(of_energy, 1e-11);
      else
        EXPECT_GT(of_energy, 1e-6) << "negative control";
    }
}

TEST(ContactEdges, RanksAgreeAndARestartKeepsItsBits)
{
  const FallingBars bars("");
  const History history =
      expect_ranks_and_restart_to_agree(bars.deck, FallingBars::write_mesh, 0.24, 60, {"P_z", "E_total", "hit.gap", "E_contact"});
  EXPECT_GT(largest(history["E_contact"]), 0.005);
}
}  // namespace symdyn::tests::in_contact_edge_decks
