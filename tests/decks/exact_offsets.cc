// Exact directors with a lumped mass off the nodes: places move with directors.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/exact_decks.h"

namespace symdyn::tests::in_exact_directors
{
/// A plate whose nodes are on its bottom moves as one whose nodes are in its middle, but for strains of order (z0 d,x)², which shells leave
/// out: the lumped mass of a node is the same in other coordinates, and places move with directors.
TEST(ExactDirectors, PlateOffItsNodesByRattle)
{
  for (const char *scheme : {"rattle", "shake"})
  {
    const Folder middle, bottom;
    const std::string deck = plate(4, "lumped", scheme, 8e-5, 0.02);
    const Settings below{"Mesh/plate/Corner=-0.5, -0.5, -0.01"},
        gentle{"Initial conditions/Velocity=1 + 3*z - y, x - 2*z, 2*y - 3*x + 2*(x^2 - y^2)"},
        gentle_below{"Initial conditions/Velocity=1 + 3*z - y + 0.04*x, x - 2*z - 0.04*y, 2*y - 3*x + 2*(x^2 - y^2)"};
    const History centred = run_well(middle, deck, gentle).history;
    const History offset = run_well(bottom, deck, Settings{"Shells/skin/Offset=0.5"} + below + gentle_below).history;
    ASSERT_EQ(offset.rows(), centred.rows());
    const double energy = centred["E_total"].front();
    for (std::size_t i = 0; i < centred.rows(); ++i)
    {
      for (const char *column : {"E_kinetic", "E_potential"})
        EXPECT_NEAR(offset[column][i], centred[column][i], 1e-7 * energy) << scheme << column;
      for (const char *column : {"P_x", "P_z", "J_x", "J_y", "J_z"})
        EXPECT_NEAR(offset[column][i], centred[column][i], 1e-10) << scheme << column;
    }
    EXPECT_GT(most(centred, "E_potential"), 0.01) << "it bends";
    EXPECT_LT(most(offset, "skin.director_error"), 1e-13);
    for (const char *column : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
      EXPECT_LT(change(offset, column), 1e-11) << scheme << column;
    const Folder on_nodes;
    const History ignored = run_well(on_nodes, deck, below + gentle).history;
    EXPECT_GT(std::abs(ignored["J_y"].front() - centred["J_y"].front()), 1e-3) << "without the offset it is another plate";
  }
}

/// Sections off the line of the nodes, a joint of three directors, a section with I12 on ranks.
TEST(ExactDirectors, FrameOffItsNodesByRattleOnRanks)
{
  const Settings off{"Beams/ab/Offset=0.03, -0.02", "Beams/bc/Section=general", "Beams/bc/Size=0.02, 6e-5, 3e-5, 2e-5, 5e-5, 0.8, 0.8"};
  const Folder folder, two;
  const History history = run_well(folder, frame("lumped", "rattle"), off).history;
  const double energy = history["E_total"].front();
  EXPECT_LT(most(history, "E_balance_error"), 1e-3 * energy);
  EXPECT_GT(most(history, "E_potential"), 0.005 * energy);
  for (const char *column : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_LT(change(history, column), 1e-12 * std::abs(history["J_z"].front())) << column;
  EXPECT_LT(most(history, "ab.director_error"), 1e-13);
  const History shared = run_well(two, frame("lumped", "rattle"), off, 2).history;
  for (const char *column : {"c.x", "c.z", "E_potential"})
    EXPECT_NEAR(shared.last(column), history.last(column), 1e-12 * most(history, column)) << column;
}
}  // namespace symdyn::tests::in_exact_directors
