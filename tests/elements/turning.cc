// The load and Coriolis' forces of a frame that turns, by differences and against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/spinning.h"
#include "tests/discrete_deck.h"
#include "tests/system_bodies.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_turning
{
namespace
{
const std::string frame = subsection("Rotation", "set Speed = 3\nset Axis = 0.2, -0.4, 1\nset Point = 0.1, 0.3, -0.2");

void expect_turning(const MechanicalSystem &system)
{
  ASSERT_TRUE(spinning(system));
  const Vector q = random(system, 1, 0.1), u = random(system, 2, 1.), v = random(system, 3, 1.);
  expect_load_tangent(system, 0., q, u, "rotation");
  Vector Lu = system.new_vector(), Lv = Lu, Gu = Lu, Gv = Lu, Cu = Lu;
  system.add_load_stiffness(0., q, u, Lu);
  system.add_load_stiffness(0., q, v, Lv);
  EXPECT_NEAR(v * Lu, u * Lv, 1e-12 * std::abs(u * Lu));
  EXPECT_LT(u * Lu, 0.) << "softens";
  system.damping_force(q, u, Gu);
  system.damping_force(q, v, Gv);
  EXPECT_GT(std::abs(v * Gu), 1e-3 * Gu.l2_norm());
  EXPECT_NEAR(v * Gu, -(u * Gv), 1e-12 * std::abs(v * Gu)) << "skew";
  EXPECT_NEAR(u * Gu, 0., 1e-12 * Gu.l2_norm() * u.l2_norm());
  system.factor(C, 0., q, q)->multiply(u, Cu);
  EXPECT_LT(distance(Cu, Gu), 1e-12 * Gu.l2_norm());
}
}  // namespace

/// One mass: f = Omega² m (1 - a aᵀ) (x - x_0), C v = 2 m Omega a x v.
TEST(Turning, OneMass)
{
  DiscreteDeck deck(subsection("Points", subsection("ball", "set Mass = 2\nset Position = 1, 2, 3")) +
                    subsection("Rotation", "set Speed = 3\nset Axis = 0, 0, 5\nset Point = 0.5, 0, 0"));
  const MechanicalSystem &system = deck.system();
  Vector q = system.new_vector(), v = q, f = q;
  q(0) = 0.25;
  v(0) = 1.;
  v(1) = -2.;
  v(2) = 7.;
  system.applied_force(0., q, v, f);
  const double centrifugal[3] = {18. * 0.75, 18. * 2., 0.}, coriolis[3] = {24., 12., 0.};
  for (int d = 0; d < 3; ++d)
    EXPECT_NEAR(f(d), centrifugal[d], 1e-13);
  system.damping_force(q, v, f);
  for (int d = 0; d < 3; ++d)
    EXPECT_NEAR(f(d), coriolis[d], 1e-13);
}

TEST(Turning, SolidsAndBeams)
{
  expect_turning(Body<3>(in_system::box<3>("tensor", 1, "st-venant-kirchhoff") + frame).system());
  DiscreteDeck beam(subsection("Points", subsection("foot", "set Position = 0, 0, 0") + subsection("tip", "set Position = 1, 1.2, 0.3")) +
                    subsection("Beams", subsection("mast",
                                                   "set From = foot\nset To = tip\nset Elements = 2\nset E = 1000\nset nu = "
                                                   "0.25\nset Size = 0.1, 0.2\nset Density = 2\nset Direction = 0.2, 0.1, 1\nset "
                                                   "Type = B32")) +
                    frame);
  expect_turning(beam.system());
}
}  // namespace symdyn::tests::in_turning
