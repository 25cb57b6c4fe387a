#pragma once
#include <gtest/gtest.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/linear_decks.h"

// Decks of shells in a few lines.
namespace symdyn::tests::in_shell_decks
{
inline const std::string still = stages(section("load", "set Type = static"));

/// A surface with one shell of linear elastic stuff.
inline std::string shell(const std::string &type, const std::string &shape, const int n0, const int n1, const double thickness,
                         const double E, const double nu, const double density = 1., const std::string &more = "")
{
  return "set Structure = discrete\n" +
         section("Mesh", fmt::format("set Type = {}\nset Subdivisions = {}, {}\n", type, n0, n1) + section(type, shape)) +
         elastic(E, nu, density) +
         section("Shells", section("skin", fmt::format("set Thickness = {:.15g}\nset Material = stuff\n", thickness) + more));
}
inline std::string support(const std::string &name, const std::string &boundary, const std::string &how)
{
  return section("Supports", section(name, "set Boundary = " + boundary + "\nset Type = " + how));
}
inline std::string load(const std::string &name, const std::string &entries)
{
  return section("Loads", section(name, "set Type = " + entries));
}
inline std::string node(const std::string &name, const std::string &position)
{
  return section("Points", section(name, "set On mesh = yes\nset Position = " + position));
}
inline std::string force(const std::string &at, const std::string &components)
{
  return section("Forces", section("at_" + at, "set Points = " + at + "\nset Force = " + components));
}

inline const std::string roof = "verification/scordelis-lo.prm";
inline Settings cells(const int n) { return {fmt::format("Mesh/Subdivisions={}, {}", n, n)}; }
inline double sag_of_roof(const History &history) { return (history.last("edge.z") - 25. * std::cos(40. * M_PI / 180.)) * 1e6; }

/// A cantilever plate along x, 10 x 1 x 0.1.
inline const std::string strip =
    shell("plate", "set Size = 10, 1", 16, 1, 0.1, 1.2e6, 0., 1000.) + support("clamp", "x-", "fixed") + node("tip", "10, 1, 0");

/// The free plate of the case `free-plate`, slower.
inline std::string flying(const int n, const std::string &scheme)
{
  return shell("plate", "set Corner = -0.5, -0.5, 0\nset Size = 1, 1", n, n, 0.02, 2e7, 0.3, 1000.) + node("corner", "0.5, 0.5, 0") +
         section("Initial conditions", "set Velocity = 0.1*(1 + 3*z - y), 0.1*(x - 2*z), 0.1*(2*y - 3*x) + x^2 - y^2") +
         stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = 0.001\nset End time = 0.05") +
         section("Integrator", "set Scheme = " + scheme);
}

/// A square tube of four walls along z in a file, clamped below: width 0.2 of the middle lines, length 2.
inline std::string tube(const Folder &folder, const int around, const int along, const bool flip = false)
{
  const double side = 0.2, length = 2.;
  std::string nodes, cells;
  const int per_ring = 4 * around;
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < per_ring; ++i)
    {
      const double s = side * (i % around) / around - 0.5 * side, w = 0.5 * side;
      const int wall = i / around;
      const double x = wall == 0 ? s : wall == 1 ? w : wall == 2 ? -s : -w, y = wall == 0 ? -w : wall == 1 ? s : wall == 2 ? w : -s;
      nodes += fmt::format("{} {:.12g} {:.12g} {:.12g}\n", j * per_ring + i + 1, x, y, length * j / along);
    }
  int count = 0;
  for (int i = 0; i < per_ring; ++i)
    cells += fmt::format("{} 1 2 1 1 {} {}\n", ++count, i + 1, (i + 1) % per_ring + 1);
  for (int j = 0; j < along; ++j)
    for (int i = 0; i < per_ring; ++i)
    {
      std::array<int, 4> n{j * per_ring + i + 1, j * per_ring + (i + 1) % per_ring + 1, (j + 1) * per_ring + (i + 1) % per_ring + 1,
                           (j + 1) * per_ring + i + 1};
      if (flip && i == 3 && j == 2)
        std::swap(n[1], n[3]);
      cells += fmt::format("{} 3 2 2 2 {} {} {} {}\n", ++count, n[0], n[1], n[2], n[3]);
    }
  std::ofstream(folder / "tube.msh")
      << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"foot\"\n2 2 \"walls\"\n$EndPhysicalNames\n$Nodes\n"
      << (along + 1) * per_ring << "\n"
      << nodes << "$EndNodes\n$Elements\n"
      << count << "\n"
      << cells << "$EndElements\n";
  return "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = tube.msh") + elastic(2e11, 0., 7850.) +
         section("Shells", section("walls", "set Thickness = 0.004\nset Material = stuff")) + support("foot", "foot", "fixed") +
         section("Points", "set Dimension = 3\n" + section("a", "set On mesh = yes\nset Position = 0.1, 0.1, 2") +
                               section("b", "set On mesh = yes\nset Position = -0.1, 0.1, 2") +
                               section("c", "set On mesh = yes\nset Position = -0.1, -0.1, 2") +
                               section("d", "set On mesh = yes\nset Position = 0.1, -0.1, 2")) +
         still;
}
}  // namespace symdyn::tests::in_shell_decks
