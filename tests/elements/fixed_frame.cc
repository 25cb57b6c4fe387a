// The equations of a rotor in fixed axes, by differences around the axis.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "solver/spinning.h"
#include "tests/discrete_deck.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_fixed_frame
{
namespace
{
constexpr int sectors = 7;
const double pi = std::acos(-1.);
constexpr double speed = 3.;

std::string rims()
{
  std::string names;
  for (int k = 0; k < sectors; ++k)
    names += (k > 0 ? ", rim" : "rim") + std::to_string(k);
  return names;
}
/// A hub of 3 kg and a ring of points of 2 kg, which springs join to it and to each other; `last`: the mass of the last one.
std::string wheel(const std::string &bearing, const double last = 2., const std::string &more = "")
{
  std::string points = "set Dimension = 2\n" + subsection("hub", "set Mass = 3\nset Position = 0, 0"), springs;
  const auto rim = [](const int k) { return "rim" + std::to_string((k + sectors) % sectors); };
  for (int k = 0; k < sectors; ++k)
  {
    const double angle = 0.4 + 2. * pi * k / sectors;
    points += subsection(rim(k), fmt::format("set Mass = {}\nset Position = {:.17g}, {:.17g}", k + 1 == sectors ? last : 2.,
                                             std::cos(angle), std::sin(angle)));
    springs += subsection("spoke" + std::to_string(k),
                          "set From = hub\nset To = " + rim(k) + "\nset Stiffness = 50\nset Law = small-displacement") +
               subsection("arc" + std::to_string(k),
                          "set From = " + rim(k - 1) + "\nset To = " + rim(k) + "\nset Stiffness = 80\nset Law = small-displacement");
  }
  return subsection("Points", points) + subsection("Springs", springs) + subsection("Rotation", "set Speed = 3") +
         subsection("Bearings", subsection("oil", "set At = hub\nset Frame = fixed\n" + bearing)) + more;
}

/// Waves of two periods at most around the ring, places turned by phi; or their derivatives by phi.
Vector field(const MechanicalSystem &system, const double phi, const bool hub = true)
{
  Vector u = system.new_vector();
  for (int d = 0; d < 2 && hub; ++d)
    u(d) = 0.3 - d;
  for (int k = 0; k < sectors; ++k)
  {
    const double angle = 0.4 + 2. * pi * k / sectors + phi, radial = 0.4 + std::cos(angle) - 0.7 * std::sin(2. * angle + 1.),
                 around = 0.2 - std::sin(angle + 0.3) + 0.5 * std::cos(2. * angle);
    u(2 + 2 * k) = radial * std::cos(angle) - around * std::sin(angle);
    u(3 + 2 * k) = radial * std::sin(angle) + around * std::cos(angle);
  }
  return u;
}
}  // namespace

/// G v = 2 Omega M v,theta, skew; -df/dq u = Omega² M u,theta,theta: central differences around the axis have slope 2.
TEST(FixedFrame, Differences)
{
  DiscreteDeck deck(wheel("set Stiffness = 5, 1, 1, 7"));
  const MechanicalSystem &system = deck.system();
  const Vector rest = system.new_vector(), v = field(system, 0.), w = random(system, 1, 1.), x = random(system, 2, 1.);
  Vector Gv = rest, Lv = rest, Gw = rest, Gx = rest, M_first = rest, M_second = rest;
  system.damping_force(rest, v, Gv);
  system.add_load_stiffness(0., rest, v, Lv);
  std::vector<double> first, second;
  for (const double h : {0.1, 0.05, 0.025})
  {
    Vector one = field(system, h), two = one;
    const Vector back = field(system, -h);
    one -= back;
    one *= 2. * speed / (2. * h);
    two += back;
    two.add(-2., v);
    two *= speed * speed / (h * h);
    system.mass(one, M_first);
    system.mass(two, M_second);
    first.push_back(distance(M_first, Gv) / Gv.l2_norm());
    second.push_back(distance(M_second, Lv) / Lv.l2_norm());
  }
  for (const auto &errors : {first, second})
    for (const int i : {0, 1})
      EXPECT_NEAR(std::log2(errors[i] / errors[i + 1]), 2., 0.15);
  system.damping_force(rest, w, Gw);
  system.damping_force(rest, x, Gx);
  EXPECT_NEAR(x * Gw, -(w * Gx), 1e-12 * std::abs(x * Gw));
  EXPECT_GT(std::abs(x * Gw), 1e-2 * Gw.l2_norm());
}

/// Matrices are those of the products, with damping that turns and any bearing; dashpots of a rotor circulate, and those of a bearing do
/// not.
TEST(FixedFrame, MatricesAndDamping)
{
  const std::string dashpots = subsection("Dashpots", subsection("rubber", "set Points = hub, " + rims() + "\nset Coefficient = 0.3"));
  DiscreteDeck deck(wheel("set Stiffness = 5, 1, -2, 7\nset Damping = 0.4, 0.1, 0.3, 0.9", 2., dashpots));
  const MechanicalSystem &system = deck.system();
  const Vector rest = system.new_vector(), u = random(system, 1, 1.);
  Vector product = rest, sum = rest, part = rest;
  system.factor(0.3 * M + 0.7 * C + 1.1 * K, 0., rest, rest)->multiply(u, product);
  system.mass(u, part);
  sum.add(0.3, part);
  system.damping_force(rest, u, part);
  sum.add(0.7, part);
  system.stiffness(rest, u, part);
  system.add_load_stiffness(0., rest, u, part);
  sum.add(1.1, part);
  EXPECT_LT(distance(product, sum), 1e-12 * sum.l2_norm());
  // The hub moves alone, by e_x: K_b e_x, and of the dashpot c (u' - Omega e_z x e_x).
  Vector hub = rest, force = rest;
  hub(0) = 1.;
  system.stiffness(rest, hub, force);
  system.add_load_stiffness(0., rest, hub, force);
  double springs = 0.;
  for (int k = 0; k < sectors; ++k)
    springs += 50. * std::pow(std::cos(0.4 + 2. * pi * k / sectors), 2);
  EXPECT_NEAR(force(0), 5. + springs, 1e-11);
  EXPECT_NEAR(force(1), -2. - 0.3 * speed, 1e-11);
}

/// Around the ring and on the hub a forward wave of one period is all of one wave, to rounding; with a backward one of an amplitude of 0.05
/// it has 0.9975 parts, and with 0.2 there is no one wave.
TEST(FixedFrame, PartsOfWaves)
{
  DiscreteDeck deck(wheel("set Stiffness = 5"));
  const Spinning &frame = *spinning(deck.system());
  const auto waves = [&](const double backward) {
    Vector real = deck.system().new_vector(), imaginary = real;
    for (int node = 0; node <= sectors; ++node)
    {
      const std::complex<double> i(0., 1.), x = 1. + backward, y = -i + i * backward;  // u_1 + i u_2 and u_1 - i u_2
      real(2 * node) = x.real();
      real(2 * node + 1) = y.real();
      imaginary(2 * node) = x.imag();
      imaginary(2 * node + 1) = y.imag();
    }
    return frame.waves(real, imaginary);
  };
  const Waves pure = waves(0.), little = waves(0.05), both = waves(0.2);
  EXPECT_EQ(pure.number, 1);
  EXPECT_NEAR(pure.forward, 1., 1e-12);
  EXPECT_EQ(little.number, 1);
  EXPECT_NEAR(little.forward, (1. - 0.0025) / 1.0025, 1e-12);
  EXPECT_FALSE(both.number);
  EXPECT_EQ(both.diameters, 1);
}

TEST(FixedFrame, BodiesThatAreNoneOfRevolution)
{
  const auto refused = [](const std::string &text) {
    try
    {
      DiscreteDeck deck(text);
    }
    catch (const InputError &error)
    {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string bearing = "set Stiffness = 5, 0, 0, 7";
  EXPECT_EQ(refused(wheel(bearing)), "");
  EXPECT_NE(
      refused(wheel(bearing, 2.00001)).find("the mass of the body is not the same after a turn by 1/7 of a circle: the difference is"),
      std::string::npos)
      << refused(wheel(bearing, 2.00001));
  EXPECT_EQ(refused(wheel(bearing, 2. + 1e-9)), "");
  const std::string pin =
      subsection("Springs", subsection("pin",
                                       "set From = rim0\nset To = ground\nset Law = small-displacement\nset Direction = "
                                       "1, 0\nset Stiffness = 1e-3"));
  EXPECT_NE(refused(wheel(bearing, 2., pin)).find("the stiffness of the body is not the same"), std::string::npos)
      << refused(wheel(bearing, 2., pin));
  const std::string drag = subsection("Dashpots", subsection("rubber", "set Points = rim0\nset Coefficient = 0.3"));
  EXPECT_NE(refused(wheel(bearing, 2., drag)).find("the damping of the body is not the same"), std::string::npos);
  const std::string two = subsection("Points", "set Dimension = 2\n" + subsection("hub", "set Mass = 3\nset Position = 0, 0") +
                                                   subsection("tip", "set Mass = 1\nset Position = 1, 0")) +
                          subsection("Springs", subsection("rod", "set From = hub\nset To = tip\nset Stiffness = 50")) +
                          subsection("Rotation", "set Speed = 3") +
                          subsection("Bearings", subsection("oil", "set At = hub\nset Frame = fixed\n" + bearing));
  EXPECT_NE(refused(two).find("no turn by a third of a circle or less takes the nodes of the mesh to each other"), std::string::npos);
}
}  // namespace symdyn::tests::in_fixed_frame
