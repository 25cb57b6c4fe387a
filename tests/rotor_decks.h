#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/linear_decks.h"

// Decks of rotors in a few lines, and their Campbell diagrams.
namespace symdyn::tests::in_rotor
{
using Table = std::map<std::string, std::vector<double>>;
using Complex = std::complex<double>;
constexpr double pi = 3.14159265358979323846;

inline std::string rotation(const std::string &more = "") { return section("Rotation", "set Speed = 1\n" + more); }
inline std::string campbell(const double first, const double last, const int points, const std::string &more)
{
  return stages(
      section("map", fmt::format("set Type = campbell\nset Speeds = {:.15g}, {:.15g}\nset Points = {}\n", first, last, points) + more));
}
inline const std::string stem = "results/campbell-map";

/// Of a shaft along z: a round beam of steel.
inline std::string round_beam(const std::string &from, const std::string &to, const int elements, const double radius,
                              const std::string &more = "set Density = 7850")
{
  return fmt::format(
      "set From = {}\nset To = {}\nset Elements = {}\nset Type = B32\nset Direction = 1, 0, 0\nset Section = circle\nset "
      "Size = {}\nset E = 210e9\nset nu = 0.3\n{}",
      from, to, elements, radius, more);
}
/// The point `left` of a shaft along z is held along it, and turns as it is driven.
inline const std::string drive =
    section(
        "Springs",
        section("thrust", "set From = left\nset To = ground\nset Law = small-displacement\nset Direction = 0, 0, 1\nset Stiffness = 1e8")) +
    section("Rotations", section("drive", "set At = left\nset Rotation = free, free, 0\nset Geometry = linear"));

/// Of a Campbell diagram, one line.
struct Line
{
  double speed, frequency, ratio, direction, diameters, re, im;
};
/// `name`: "frequency", "Im lambda"; in the frame that the table has.
inline const std::vector<double> &in_its_frame(const Table &table, const std::string &name)
{
  return table.at(name + (table.count(name + " in fixed axes") > 0 ? " in fixed axes" : " in the frame of the rotor"));
}
inline double im_lambda(const Table &table, const std::size_t i) { return in_its_frame(table, "Im lambda")[i]; }
inline std::vector<Line> branch_of(const Table &table, const int branch)
{
  std::vector<Line> lines;
  for (std::size_t i = 0; i < table.at("branch").size(); ++i)
    if (table.at("branch")[i] == branch)
      lines.push_back({table.at("speed")[i], in_its_frame(table, "frequency")[i], table.at("damping ratio")[i],
                       table.at("direction of travel")[i], table.at("nodal diameters")[i], table.at("Re lambda")[i], im_lambda(table, i)});
  return lines;
}
/// omega of the branches at a speed, ascending [rad/s].
inline std::vector<double> omegas_at(const Table &table, const double speed)
{
  std::vector<double> all;
  for (std::size_t i = 0; i < table.at("speed").size(); ++i)
    if (std::abs(table.at("speed")[i] - speed) < 1e-9 * (1. + speed))
      all.push_back(2. * pi * in_its_frame(table, "frequency")[i]);
  std::sort(all.begin(), all.end());
  return all;
}

/// Of waves with one nodal diameter at a speed, as they are seen from the ground: Re lambda, omega.
inline std::vector<Complex> seen_at(const Table &table, const double speed)
{
  std::vector<Complex> all;
  for (std::size_t i = 0; i < table.at("speed").size(); ++i)
    if (std::abs(table.at("speed")[i] - speed) < 1e-9 * (1. + speed) && table.at("nodal diameters")[i] == 1.)
      all.emplace_back(table.at("Re lambda")[i], 2. * pi * in_its_frame(table, "frequency")[i]);
  std::sort(all.begin(), all.end(), [](const Complex &a, const Complex &b) { return a.imag() < b.imag(); });
  return all;
}
/// Both maps have the same lines, from the ground.
inline void expect_same(const Table &one, const Table &other, const std::vector<double> &speeds, const double tolerance)
{
  for (const double speed : speeds)
  {
    const auto a = seen_at(one, speed), b = seen_at(other, speed);
    ASSERT_EQ(a.size(), b.size()) << speed;
    ASSERT_FALSE(a.empty());
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_LT(std::abs(a[i] - b[i]), tolerance * a.back().imag()) << speed << ": " << a[i] << b[i];
  }
}

/// A disc of 1 kg on a shaft of k = 100 N/m, e = 1 mm; `more`: bearings, dashpots.
inline std::string jeffcott(const std::string &more = "", const double ky = 100.)
{
  return "set Structure = discrete\n" + section("Points", "set Dimension = 2\n" + section("disc", "set Mass = 1\nset Position = 0, 0")) +
         section("Springs",
                 section("x", "set From = disc\nset To = ground\nset Anchor = 1, 0\nset Stiffness = 100") +
                     section("y", fmt::format("set From = disc\nset To = ground\nset Anchor = 0, 1\nset Stiffness = {:.15g}", ky))) +
         rotation() + more;
}
/// Discs of 1 kg which nothing couples, each on springs of `k` [N/m], with damping that turns and that of the ground [N s/m].
struct Disc
{
  double k, turning = 0., ground = 0.;
};
inline std::string discs(const std::vector<Disc> &all)
{
  std::string points = "set Dimension = 2\n", springs, dashpots, bearings;
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    const std::string disc = fmt::format("disc{}", i + 1);
    points += section(disc, "set Mass = 1\nset Position = 0, 0");
    for (const char *along : {"1, 0", "0, 1"})
      springs += section(fmt::format("{}{}", along[0] == '1' ? "x" : "y", i + 1),
                         fmt::format("set From = {}\nset To = ground\nset Anchor = {}\nset Stiffness = {:.15g}", disc, along, all[i].k));
    if (all[i].turning > 0.)
      dashpots += section(fmt::format("shaft{}", i + 1), fmt::format("set Points = {}\nset Coefficient = {:.15g}", disc, all[i].turning));
    if (all[i].ground > 0.)
      bearings +=
          section(fmt::format("oil{}", i + 1), fmt::format("set At = {}\nset Stiffness = 0\nset Damping = {:.15g}", disc, all[i].ground));
  }
  return "set Structure = discrete\n" + section("Points", points) + section("Springs", springs) +
         (dashpots.empty() ? "" : section("Dashpots", dashpots)) + rotation() + (bearings.empty() ? "" : section("Bearings", bearings));
}
inline std::string bearing(const std::string &entries) { return section("Bearings", section("oil", "set At = disc\n" + entries)); }
inline std::string dashpot(const double c)
{
  return section("Dashpots", section("shaft", fmt::format("set Points = disc\nset Coefficient = {:.15g}", c)));
}
inline const std::string unbalance = section("Unbalance", section("e", "set At = disc\nset Mass times radius = 1e-3\nset Angle = 30"));
}  // namespace symdyn::tests::in_rotor
