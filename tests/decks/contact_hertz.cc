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
  const std::string deck = half_cylinder(folder, {160, 48, 0});
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
      if (const double x = grid->GetPoint(i)[0]; x < 0.95 * b)
      {
        ++compared;
        EXPECT_NEAR(grid->GetPointData()->GetArray("contact_pressure")->GetTuple1(i), p0 * std::sqrt(1. - x * x / (b * b)), 5e-3 * p0) << x;
      }
    EXPECT_GT(compared, 10);
  }
}

namespace
{
/// A quarter of a block under a ball of radius 10: 5 cells of degree 2 and size 0.125 from the middle outwards, then each three times as
/// large as the one before. Returns its cells a direction. `beyond`: how many of these.
int write_block(const Folder &folder, const int beyond)
{
  const auto place = [](const int i) {
    constexpr int fine = 5;
    constexpr double h = 0.125;
    return i <= fine ? h * i : h * (fine + 1.5 * (std::pow(3., i - fine) - 1.));
  };
  const int cells = 5 + beyond;
  Blocks(
      {{{0., 0., 0.}, {double(cells), double(cells), double(cells)}, {cells, cells, cells}}}, 0.,
      [&](int, const std::array<double, 3> &s) {
        return std::array<double, 3>{place(int(std::lround(s[0]))), place(int(std::lround(s[1]))), -place(cells - int(std::lround(s[2])))};
      })
      .write(folder / "block.msh");
  return cells;
}
}  // namespace

/// Reference R8 of contact: a rigid ball of R = 10 that comes 0.025 m into a half-space of E = 1000, nu = 0.3 presses with F = 4/3 E*
/// sqrt(R) d^(3/2) = 18.3150, p0 = (6 F E*²/(pi³ R²))^(1/3) = 34.979. A block that is held 10 contact radii below the ball presses 10 %
/// more: its far field is missing, F (1 - nu²)/(pi E r); one of 270 is nearly a half-space. Measured:
/// force + 1.3 %, pressure + 0.3 %.
TEST(ContactHertz, BallOnABlockNightly)
{
  constexpr double F = 18.315018315018317, p0 = 34.97910837184513;
  const auto pressed = [](const int beyond) {
    const Folder folder;
    write_block(folder, beyond);
    const std::string symmetry = "\nset Type = symmetry";
    const std::string deck =
        section("Mesh", "set Dimension = 3\nset Type = file\nset File = block.msh\nset Order = 2") +
        section("Materials", section("first", "set Type = linear-elasticity\nset Density = 1\nset E = 1000\nset nu = 0.3")) +
        section("Obstacles", section("ball", "set Type = sphere\nset Centre = 0, 0, 10\nset Radius = 10\nset Motion = 0, 0, -0.025*t")) +
        section("Contact", section("foot", "set Between = first-z+, ball\nset Law = hard")) +
        section("Supports", section("x", "set Boundary = first-x-" + symmetry) + section("y", "set Boundary = first-y-" + symmetry) +
                                section("z", "set Boundary = first-z-\nset Type = pinned")) +
        stages(section("press", "set Type = static\nset Duration = 1"));
    return run_well(folder, deck).history;
  };
  const History far = pressed(6), near = pressed(2);
  EXPECT_NEAR(-4. * far.last("foot.force_z"), F, 2e-2 * F);
  EXPECT_NEAR(far.last("foot.pressure"), p0, 1e-2 * p0);
  EXPECT_NEAR(4. * far.last("foot.area"), M_PI * 0.25, 5e-2 * M_PI * 0.25);
  EXPECT_GT(-4. * near.last("foot.force_z"), 1.05 * F) << "the control: held at 2.1 m";
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
