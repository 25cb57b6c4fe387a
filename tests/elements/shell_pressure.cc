// Pressure on the top, the bottom and the middle of shells: areas of these surfaces, tangents with directors.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "elements/system/assembled_system.h"
#include "solver/unknowns.h"
#include "tests/bodies.h"
#include "tests/discrete_deck.h"
#include "tests/system_checks.h"

namespace symdyn::tests::in_shell_pressure
{
namespace
{
/// Part of a cylinder or of a sphere of radius R; thickness 0.2.
std::string curved(const std::string &shape, const double R, const std::string &load, const std::string &more = "")
{
  const std::string size = shape == "sphere-panel" ? "" : "\nset Length = 1\nset Angles = -30, 30";
  return subsection("Mesh", "set Type = " + shape + "\nset Subdivisions = 3, 2\n" +
                                subsection(shape, fmt::format("set Radius = {:.17g}", R) + size)) +
         subsection("Materials", subsection("stuff", "set Type = linear-elasticity\nset E = 100\nset nu = 0.3\nset Density = 2")) +
         subsection("Shells", subsection("skin", "set Thickness = 0.2\nset Material = stuff\n" + more)) +
         subsection("Loads", subsection("load", "set Type = " + load));
}

/// Work of the load on the six rigid motions, at rest.
std::vector<double> sums(const std::string &deck_text)
{
  DiscreteDeck deck(deck_text);
  const MechanicalSystem &system = deck.system();
  const Vector q = system.new_vector();
  Vector f = q, xi = q;
  system.applied_force(1., q, q, f);
  std::vector<double> all;
  for (int i = 0; i < 6; ++i)
  {
    system.unknowns().generator(i, q, xi);
    all.push_back(f * xi);
  }
  return all;
}
}  // namespace

/// The resultant on a face of a sphere of radius R and thickness t is that of its area, (1 -+ t/2R)² times that of the middle.
TEST(ShellPressure, FacesHaveTheirAreas)
{
  constexpr double R = 1.5, t = 0.2;
  for (const std::string type : {"pressure", "dead-pressure"})
  {
    const auto resultant = [&](const std::string &side) {
      return sums(curved("sphere-panel", R, type + "\nset Pressure = 3\nset Side = " + side))[2];
    };
    const double middle = resultant("middle");
    EXPECT_GT(std::abs(middle), 0.1);
    EXPECT_NEAR(resultant("bottom"), std::pow(1. - t / (2. * R), 2) * middle, 1e-13) << type;
    EXPECT_NEAR(resultant("top"), std::pow(1. + t / (2. * R), 2) * middle, 1e-13) << type;
    EXPECT_NEAR(resultant("nodes"), middle, 1e-15) << type;
  }
}

/// Forces and moments on a face are those on a surface of nodes that stands there; the offset moves the faces off the nodes.
TEST(ShellPressure, FacesAreSurfacesOfNodes)
{
  constexpr double R = 1.5;
  const auto on = [](const double radius, const std::string &side, const std::string &more = "") {
    return sums(curved("cylinder-panel", radius, "pressure\nset Pressure = 3 + x\n" + side, more));
  };
  const auto expect_same = [](const std::vector<double> &a, const std::vector<double> &b, const std::string &what) {
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(a[i], b[i], 1e-12) << what << i;
  };
  expect_same(on(R, "set Side = bottom"), on(R - 0.1, ""), "bottom");
  expect_same(on(R, "set Side = top"), on(R + 0.1, ""), "top");
  expect_same(on(R, "set Side = middle", "set Offset = 0.5"), on(R + 0.1, ""), "middle of a shell off its nodes");
  expect_same(on(R, "set Side = bottom", "set Offset = 0.5"), on(R, ""), "bottom at the nodes");
  EXPECT_GT(std::abs(on(R, "set Side = bottom")[2] - on(R, "")[2]), 0.1);
}

TEST(ShellPressure, FacesHaveTangents)
{
  for (const std::string side : {"top", "bottom", "middle"})
    for (const std::string shape : {"quadrilaterals", "triangles"})
    {
      std::string text = curved("cylinder-panel", 1.5, "pressure\nset Pressure = 3*t + x\nset Side = " + side, "set Offset = 0.3");
      text.replace(text.find("set Subdivisions"), 0, "set Cell shape = " + shape + "\n");
      DiscreteDeck deck(text);
      const MechanicalSystem &system = deck.system();
      expect_load_tangent(system, 2., random(system, 3, 0.1), random(system, 2, 1.), side + shape);
    }
}
}  // namespace symdyn::tests::in_shell_pressure
