// Stresses along motions: what stages of spectra take for the stresses of modes.
#include <gtest/gtest.h>

#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/input.h"

namespace symdyn::tests::in_stress_slopes
{
namespace
{
/// More motions than fit into one batch, one by one beside the differences of two states.
void expect_differences(const Structure &structure, const Vector &rest)
{
  Random random(3);
  State state;
  state.q = random.vector(rest, 0.02);
  state.v = state.a = rest;
  std::vector<Vector> motions;
  for (int k = 0; k < 7; ++k)
    motions.push_back(random.vector(rest, 1e-3));
  const StressPoints all = structure.stresses(state, motions);
  ASSERT_EQ(all.along.size(), motions.size());
  for (std::size_t k = 0; k < motions.size(); ++k)
  {
    State ahead = state, behind = state;
    ahead.q += motions[k];
    behind.q -= motions[k];
    const std::vector<double> plus = structure.stresses(ahead, {}).stress, minus = structure.stresses(behind, {}).stress;
    ASSERT_EQ(all.along[k].size(), plus.size());
    double largest = 0.;
    for (const double one : plus)
      largest = std::max(largest, std::abs(one));
    double change = 0.;
    for (std::size_t i = 0; i < plus.size(); ++i)
    {
      EXPECT_NEAR(all.along[k][i], 0.5 * (plus[i] - minus[i]), 1e-12 * largest) << k << " " << i;
      change = std::max(change, std::abs(all.along[k][i]));
    }
    EXPECT_GT(change, 1e-4 * largest);
  }
}

template <int dim>
void expect_differences_of(const std::string &deck)
{
  SCOPED_TRACE(deck);
  const Body<dim> body(deck);
  expect_differences(body.solid, body.mesh().new_vector());
}

std::string box(const int dim, const std::string &element)
{
  const std::string cells = dim == 2 ? "2, 2" : "2, 1, 2", size = dim == 2 ? "1, 1" : "1, 1, 1";
  return subsection("Mesh", "set Type = box\nset Subdivisions = " + cells + "\nset Element = " + element + "\n" +
                                subsection("box", "set Size = " + size + "\nset Distortion = 0.15"));
}
}  // namespace

TEST(StressSlopes, AreDifferencesOfTwoStates)
{
  for (const std::string element : {"standard", "mean-dilatation", "incompatible-modes"})
    for (const std::string law : {"neo-hooke-log", "linear-elasticity"})
      expect_differences_of<3>(box(3, element) + made_of(law));
  expect_differences_of<2>(box(2, "standard") + made_of("st-venant-kirchhoff"));
}

TEST(StressSlopes, OfShellsAndBeams)
{
  DiscreteDeck panel(
      subsection("Mesh", "set Type = cylinder-panel\nset Subdivisions = 3, 2\n" +
                             subsection("cylinder-panel", "set Radius = 1\nset Length = 1\nset Angles = -30, 30")) +
      subsection("Materials", subsection("stuff", "set Type = linear-elasticity\nset E = 100\nset nu = 0.3\nset Density = 2")) +
      subsection("Shells", subsection("skin", "set Thickness = 0.05\nset Material = stuff")) +
      subsection("Beams", subsection("rib",
                                     "set From = 0, -0.5, 0.8660254037844387\nset To = 1, -0.5, 0.8660254037844387\nset Elements = "
                                     "1\nset Direction = 0, 0, 1\nset Size = 0.1, 0.1\nset Material = stuff")));
  expect_differences(panel.structure, panel.system().new_vector());
}
}  // namespace symdyn::tests::in_stress_slopes
