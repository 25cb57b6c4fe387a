// Stresses along motions: what stages of spectra take for the stresses of modes.
#include <gtest/gtest.h>

#include "tests/bodies.h"
#include "tests/input.h"

namespace symdyn::tests::in_stress_slopes
{
namespace
{
/// More motions than fit into one batch, one by one beside the differences of two states.
template <int dim>
void expect_differences(const std::string &deck)
{
  SCOPED_TRACE(deck);
  const Body<dim> body(deck);
  Random random(3);
  State state;
  const Vector rest = body.mesh().new_vector();
  state.q = random.vector(rest, 0.02);
  state.v = state.a = rest;
  std::vector<Vector> motions;
  for (int k = 0; k < 7; ++k)
    motions.push_back(random.vector(rest, 1e-3));
  const StressPoints all = body.solid.stresses(state, motions);
  ASSERT_EQ(all.along.size(), motions.size());
  for (std::size_t k = 0; k < motions.size(); ++k)
  {
    State ahead = state, behind = state;
    ahead.q += motions[k];
    behind.q -= motions[k];
    const std::vector<double> plus = body.solid.stresses(ahead, {}).stress, minus = body.solid.stresses(behind, {}).stress;
    ASSERT_EQ(all.along[k].size(), plus.size());
    double largest = 0.;
    for (std::size_t i = 0; i < plus.size(); ++i)
      largest = std::max(largest, std::abs(plus[i]));
    double change = 0.;
    for (std::size_t i = 0; i < plus.size(); ++i)
    {
      EXPECT_NEAR(all.along[k][i], 0.5 * (plus[i] - minus[i]), 1e-12 * largest) << k << " " << i;
      change = std::max(change, std::abs(all.along[k][i]));
    }
    EXPECT_GT(change, 1e-4 * largest);
  }
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
      expect_differences<3>(box(3, element) + made_of(law));
  expect_differences<2>(box(2, "standard") + made_of("st-venant-kirchhoff"));
}
}  // namespace symdyn::tests::in_stress_slopes
