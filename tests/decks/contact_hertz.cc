// Hertz's contacts, whose pressures are known.
#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <fmt/format.h>

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
}  // namespace

/// Reference R8 of contact: half of a body y = x²/(2R), R = 10, E = 1000, nu = 0.3, is pressed onto a plane:
/// p = p0 sqrt(1 - x²/b²), p0² = F E*/(pi R), b² = 4 F R/(pi E*), E* = E/(1 - nu²); F = 3.4523 N/m has b = 0.2, p0 = 10.989.
TEST(ContactHertz, ParabolaOnAPlane)
{
  constexpr double R = 10., size = 4., stiffness = 1000. / (1. - 0.3 * 0.3);
  const Folder folder;
  Blocks({{{0., 0., 0.}, {1., 1., 0.}, {40, 24, 0}}}, 0., [](int, const std::array<double, 3> &s) {
    const double x = graded(s[0]), foot = x * x / (2. * R), y = graded(s[1]);
    return std::array<double, 3>{x, foot + y * (size - foot) / size, 0.};
  }).write(folder / "half.msh");
  const std::string deck =
      section("Mesh", "set Dimension = 2\nset Type = file\nset File = half.msh\nset Element = incompatible-modes") +
      section("Materials", section("first", "set Type = linear-elasticity\nset Density = 1\nset E = 1000\nset nu = 0.3")) +
      section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0\nset Normal = 0, 1")) +
      section("Contact", section("foot", "set Between = first-y-, floor")) +
      section("Supports", section("middle", "set Boundary = first-x-\nset Type = symmetry") +
                              section("press", "set Boundary = first-y+\nset Type = displacement\nset Displacement = free, -0.008")) +
      stages(section("press", "set Type = static\nset Increments = 2"));
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
}  // namespace symdyn::tests::in_contact_hertz
