#pragma once
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/colliding_blocks.h"

// Decks of rods that touch.
namespace symdyn::tests::of_rods
{
inline constexpr double radius = 0.01, E = 1e9, density = 1000., gravity = 10., lifted = 0.01, length = 1.6;
inline constexpr double weight = density * gravity * M_PI * radius * radius;          ///< per length [N/m]
inline constexpr double bending = E * M_PI * radius * radius * radius * radius / 4.;  ///< E I [N m²]

/// A heavy rod on a floor, of whose ends one is lifted by `lifted`.
inline const std::string rod_on_a_floor =
    "set Structure = discrete\n" +
    section("Points",
            fmt::format("set Gravity = 0, 0, -{}\n", gravity) +
                section("root", "set Position = 0, 0, 0\nset Fixed = yes\nset Free = z\nset Mass = 1e-9") +
                section("tip", fmt::format("set Position = {}, 0, 0\nset Fixed = yes\nset Free = x\nset Mass = 1e-9\nset Motion = 0, 0, {}",
                                           length, lifted))) +
    section("Beams", section("rod", fmt::format("set From = root\nset To = tip\nset Elements = 80\nset Direction = 0, 0, 1\nset Section = "
                                                "circle\nset Size = {}\nset E = {}\nset nu = 0.3\nset Density = {}\nset Clamped = "
                                                "from\nset Geometry = linear",
                                                radius, E, density))) +
    section("Obstacles", section("floor", fmt::format("set Type = plane\nset Point = 0, 0, -{}\nset Normal = 0, 0, 1", radius))) +
    section("Contact", section("lie", "set Between = rod, floor\nset Law = linear\nset Stiffness = 1e8\nset Clearance = -5e-9")) +
    stages(section("lift", "set Type = static\nset Increments = 4")) + section("Output", "set Write every = never");

inline std::string point(const std::string &name, const std::string &at)
{
  return section(name, "set Position = " + at + "\nset Mass = 1e-9");
}
inline std::string rod(const std::string &name, const std::string &from, const std::string &to, const std::string &more = "")
{
  return section(name, "set From = " + from + "\nset To = " + to +
                           "\nset Elements = 6\nset Direction = 0, 0, 1\nset Section = circle\nset Size = "
                           "0.02\nset E = 1e8\nset nu = 0.3\nset Density = 1000\n" +
                           more);
}
inline std::string motion(const double end)
{
  return section("Integrator", "set Scheme = discrete-gradient") + section("Newton", "set Tolerance = 1e-12") +
         section("Time", fmt::format("set Time step = 2e-4\nset End time = {}", end)) + section("Output", "set Write every = never");
}

inline void expect_kept(const History &history, const std::vector<std::string> &momenta, const double scale)
{
  EXPECT_GT(largest(history["hit.pressure"]), 1e4);
  EXPECT_EQ(history["hit.points"].front(), 0.);
  EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-10);
  for (const std::string &momentum : momenta)
    EXPECT_LT(drift(history, momentum, scale), 1e-10) << momentum;
}
inline const std::vector<std::string> all_momenta{"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"};

/// A rod falls aslant onto a floor.
inline const std::string dropped =
    "set Structure = discrete\n" +
    section("Points", "set Gravity = 0, 0, -10\n" + point("a", "0, 0, 0.03") + point("b", "0.6, 0.1, 0.05")) +
    section("Beams", rod("rod", "a", "b")) +
    section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0, 0\nset Normal = 0, 0, 1")) +
    section("Contact", section("hit", "set Between = rod, floor")) + section("Initial conditions", "set Velocity = 0.3, 0, -1") +
    motion(0.08);

/// One that flies across another.
inline const std::string crossing =
    "set Structure = discrete\n" +
    section("Points",
            point("a", "-0.31, 0, 0") + point("b", "0.29, 0.02, 0.01") + point("c", "0.05, -0.2, 0.045") + point("d", "0.02, 0.4, 0.055")) +
    section("Beams", rod("one", "a", "b") + rod("two", "c", "d")) + section("Contact", section("hit", "set Between = one, two")) +
    section("Initial conditions", "set Velocity = if(z > 0.03, 0.2, 0), 0, if(z > 0.03, -2, 0)") + motion(0.05);

/// One that falls onto a block.
inline const std::string on_a_block =
    section("Mesh", "set Dimension = 3\nset Type = box\nset Subdivisions = 3, 3, 1\n" + section("box", "set Size = 0.6, 0.6, 0.2")) +
    section("Materials", section("rubber", "set Type = neo-hooke-log\nset E = 1e7\nset nu = 0.3\nset Density = 1000")) +
    section("Beams", rod("rod", "0.1, 0.12, 0.23", "0.52, 0.4, 0.25")) + section("Contact", section("hit", "set Between = rod, z+")) +
    section("Initial conditions", "set Velocity = if(z > 0.21, 0.3, 0), 0, if(z > 0.21, -2, 0)") + motion(0.03);
}  // namespace symdyn::tests::of_rods
