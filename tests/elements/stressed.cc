// Systems whose elements bear the linear stress of a displacement more, as buckling asks for.
#include <gtest/gtest.h>

#include "solver/stressed.h"
#include "tests/discrete_deck.h"
#include "tests/system_bodies.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_stressed
{
namespace
{
/// With strains that are quadratic in displacements, V = ½ eps·D eps about rest has
///     V'''[u, w, v] = v·Kσ(u) w + v·Kσ(w) u + w·Kσ(v) u,   Kσ(u) w = sum_i (D B u)_i B_i(w),
/// and differences of V'' give V''' exactly. One of the three missing shows.
void expect_stressed(const MechanicalSystem &system)
{
  State rest;
  rest.q = rest.v = rest.a = system.new_vector();
  Vector r = rest.q, without = r;
  const auto added = [&](const Vector &stress_of, const Vector &x, const Vector &y) {
    const CopiedSystem stressed = dynamic_cast<const BearsStress &>(system).stressed(rest, stress_of, 1.);
    (*stressed).stiffness(rest.q, x, r);
    system.stiffness(rest.q, x, without);
    r -= without;
    return y * r;
  };
  const Vector u = random(system, 1, 0.1), w = random(system, 2, 0.1), v = random(system, 3, 0.1);
  const double of_u = added(u, w, v), of_w = added(w, u, v), of_v = added(v, u, w);
  system.stiffness(moved(rest.q, 0.5, u), w, r);
  system.stiffness(moved(rest.q, -0.5, u), w, without);
  r -= without;
  const double third = v * r, size = std::abs(of_u) + std::abs(of_w) + std::abs(of_v);
  EXPECT_NEAR(third, of_u + of_w + of_v, 1e-10 * size);
  EXPECT_GT(std::abs(third - of_u - of_w), 1e-3 * size);
  EXPECT_NEAR(added(u, v, w), of_u, 1e-10 * size) << "symmetric";
}
}  // namespace

TEST(Stressed, BeamsAndShells)
{
  for (const char *type : {"B31", "B32"})
  {
    DiscreteDeck deck(
        subsection("Points", subsection("foot", "set Position = 0, 0, 0") + subsection("tip", "set Position = 1, 1.2, 0.3")) +
        subsection("Beams", subsection("mast", std::string("set From = foot\nset To = tip\nset Elements = 2\nset E = 1000\nset "
                                                           "nu = 0.25\nset Size = 0.1, 0.2\nset Density = 2\nset Direction = "
                                                           "0.2, 0.1, 1\nset Type = ") +
                                                   type)));
    expect_stressed(deck.system());
  }
  DiscreteDeck shell(
      subsection("Mesh", "set Type = cylinder-panel\nset Subdivisions = 3, 2\nset Cell shape = quadrilaterals\n" +
                             subsection("cylinder-panel", "set Radius = 1\nset Length = 1\nset Angles = -30, 30")) +
      subsection("Materials", subsection("stuff", "set Type = linear-elasticity\nset E = 100\nset nu = 0.3\nset Density = 2")) +
      subsection("Shells", subsection("skin", "set Thickness = 0.05\nset Material = stuff")));
  expect_stressed(shell.system());
}

TEST(Stressed, Solids)
{
  expect_stressed(Body<2>(in_system::box<2>("tensor", 2, "st-venant-kirchhoff")).system());
  expect_stressed(Body<3>(in_system::box<3>("tensor", 1, "st-venant-kirchhoff")).system());
}
}  // namespace symdyn::tests::in_stressed
