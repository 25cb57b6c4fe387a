// Hertz's contacts, whose pressures are known.
#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "tests/blocks.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_contact_hertz
{
namespace
{
/// From 0 to 4: a quarter of the way in half of the cells, evenly; then by a cubic.
double graded(const double s)
{
  const double t = 2. * s - 1.;
  return s < 0.5 ? 0.5 * s : 0.25 + 0.25 * t + 3.5 * t * t * t;
}
constexpr double R = 10., size = 4., stiffness = 1000. / (1. - 0.3 * 0.3);

/// Half of a body y = x²/(2R), pressed onto a plane.
std::string half_cylinder(const Folder &folder, const std::array<int, 3> &cells)
{
  Blocks({{{0., 0., 0.}, {1., 1., 0.}, cells}}, 0., [](int, const std::array<double, 3> &s) {
    const double x = graded(s[0]), foot = x * x / (2. * R), y = graded(s[1]);
    return std::array<double, 3>{x, foot + y * (size - foot) / size, 0.};
  }).write(folder / "half.msh");
  return section("Mesh", "set Dimension = 2\nset Type = file\nset File = half.msh\nset Element = incompatible-modes") +
         section("Materials", section("first", "set Type = linear-elasticity\nset Density = 1\nset E = 1000\nset nu = 0.3")) +
         section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0\nset Normal = 0, 1")) +
         section("Contact", section("foot", "set Between = first-y-, floor")) +
         section("Supports", section("middle", "set Boundary = first-x-\nset Type = symmetry") +
                                 section("press", "set Boundary = first-y+\nset Type = displacement\nset Displacement = free, -0.008")) +
         stages(section("press", "set Type = static\nset Increments = 2"));
}
}  // namespace

/// Reference R8 of contact: half of a body y = x²/(2R), R = 10, E = 1000, nu = 0.3, is pressed onto a plane:
/// p = p0 sqrt(1 - x²/b²), p0² = F E*/(pi R), b² = 4 F R/(pi E*), E* = E/(1 - nu²); F = 3.4523 N/m has b = 0.2, p0 = 10.989.
TEST(ContactHertz, ParabolaOnAPlane)
{
  const Folder folder;
  const std::string deck = half_cylinder(folder, {40, 24, 0});
  for (const std::string law : {"linear", "hard"})
  {
    SCOPED_TRACE(law);
    const std::string k = law == "linear" ? "1e6" : "auto";
    const Outcome run = run_well(folder, deck, {"Contact/foot/Law=" + law, "Contact/foot/Stiffness=" + k});
    const double force = 2. * run.history.last("foot.force_y"), p0 = std::sqrt(force * stiffness / (M_PI * R)),
                 b = std::sqrt(4. * force * R / (M_PI * stiffness));
    EXPECT_NEAR(b, 0.2, 0.04) << "where cells are small";
    EXPECT_NEAR(run.history.last("foot.pressure"), p0, 5e-3 * p0);
    EXPECT_NEAR(run.history.last("foot.area"), b, 0.02 * b);
    const auto grid = read_grid(files_of(folder / "results/contact.pvd").back());
    int compared = 0;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
      if (const double x = grid->GetPoint(i)[0]; x < 0.9 * b)
      {
        ++compared;
        EXPECT_NEAR(grid->GetPointData()->GetArray("contact_pressure")->GetTuple1(i), p0 * std::sqrt(1. - x * x / (b * b)), 1e-2 * p0) << x;
      }
    EXPECT_GT(compared, 10);
  }
}

/// Multipliers of faces that are closed in part.
TEST(ContactHertz, RanksAgreeWithoutDepth)
{
  const Folder folder;
  const std::string deck = half_cylinder(folder, {20, 12, 0});
  const std::vector<std::string> settings{"Contact/foot/Law=hard", "Contact/foot/Stiffness=4e4"};
  const History one = run_well(folder, deck, settings).history, two = run_well(folder, deck, settings, 2).history;
  EXPECT_GT(one.last("foot.pressure"), 1.);
  for (const char *column : {"foot.force_y", "foot.pressure", "foot.area", "foot.gap"})
    EXPECT_NEAR(two.last(column), one.last(column), 1e-8 * (std::abs(one.last(column)) + 1e-3)) << column;
}
}  // namespace symdyn::tests::in_contact_hertz
