// Pictures of contacts: what contact.pvd has.
#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <fmt/format.h>

#include <cmath>

#include "elements/place.h"
#include "tests/press.h"

namespace symdyn::tests::in_contact_frames
{
namespace
{
Place place_of(const double *x) { return {x[0], x[1], x[2]}; }

/// Calls visit(x, pressure, gap, slip, displacement) for the points of the last frame. All are numbers.
template <class Visit>
void each_drawn(const Folder &folder, const Visit &visit)
{
  const auto grid = read_grid(files_of(folder / "results/contact.pvd").back());
  const auto array = [&](const char *name) { return grid->GetPointData()->GetArray(name); };
  for (const char *name : {"contact_pressure", "contact_gap", "contact_slip", "displacement"})
    ASSERT_TRUE(array(name)) << name;
  ASSERT_GT(grid->GetNumberOfPoints(), 0);
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
  {
    const Place slip = place_of(array("contact_slip")->GetTuple3(i)), u = place_of(array("displacement")->GetTuple3(i));
    const double pressure = array("contact_pressure")->GetTuple1(i), gap = array("contact_gap")->GetTuple1(i);
    for (const double value : {pressure, gap, slip[0], slip[1], slip[2], u[0], u[1], u[2]})
      ASSERT_TRUE(std::isfinite(value)) << "point " << i;
    visit(place_of(grid->GetPoint(i)), pressure, gap, slip, u);
  }
}
}  // namespace

/// Blocks that are pressed together: everywhere the same pressure and closure, and no slip; 0.02 m apart without a force the gap.
TEST(ContactFrames, HavePressureGapAndSlip)
{
  using namespace of_press;
  for (const bool apart : {false, true})
  {
    const Press press(fmt::format("set Law = linear\nset Stiffness = {}{}", k, apart ? "\nset Clearance = 0.22" : ""));
    const Outcome run = run_text(press.folder, press.deck, {"Output/Write every=1"});
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    each_drawn(press.folder, [&](const Place &, const double pressure, const double gap, const Place &slip, const Place &) {
      EXPECT_NEAR(pressure, apart ? 0. : stress, 1e-3 * stress);
      EXPECT_NEAR(gap, apart ? 0.02 : -stress / k, 1e-6);
      EXPECT_LT(length(slip), 1e-6);
    });
  }
}

/// A block slides on a floor: its foot has slid by what it has moved, where it touches; a side that stands up is as far away as it is high.
TEST(ContactFrames, ABlockSlidesOnAFloor)
{
  const Folder folder;
  const std::string deck =
      section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 4, 2\n" + section("box", "set Size = 0.2, 0.1")) +
      section("Materials", section("rubber", "set Type = st-venant-kirchhoff\nset E = 1e6\nset nu = 0.3\nset Density = 1000")) +
      section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0\nset Normal = 0, 1")) +
      section("Contact", section("foot", "set Between = y-, x+, floor\nset Friction = 0.1")) +
      section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, -9.81")) +
      section("Initial conditions", "set Velocity = 3, 0") + section("Time", "set Time step = 1e-3\nset End time = 0.05") +
      section("Integrator", "set Scheme = discrete-gradient") + section("Output", "set Write every = 50");
  const Outcome run = run_text(folder, deck);
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  int closed = 0, open = 0;
  each_drawn(folder, [&](const Place &x, const double pressure, const double gap, const Place &slip, const Place &u) {
    if (pressure > 0. && x[1] == 0.)
    {
      EXPECT_NEAR(slip[0], u[0], 2e-3);
      EXPECT_GT(u[0], 0.14);
      EXPECT_NEAR(slip[1], 0., 1e-12);
      ++closed;
    }
    if (x[1] == 0.1)
    {
      EXPECT_NEAR(gap, 0.1 + u[1], 0.03) << "the mean about the node";
      EXPECT_EQ(length(slip), 0.);
      ++open;
    }
  });
  EXPECT_GT(closed, 0);
  EXPECT_GT(open, 0);
}

/// Boundaries by points: where nothing is near, the gap is the size of a face, and nothing has slid.
TEST(ContactFrames, PlacesWithoutAPartnerHaveTheLargestGap)
{
  using namespace of_press;
  const Press press("set Layer = 0.02");
  std::string deck = press.deck;
  deck.replace(deck.find("set Pairing = segments"), 22, "");
  Blocks({{{0., 0., 0.}, {1., 1., 1.}, {1, 3, 3}}, {{2., 0., 0.}, {1., 1., 1.}, {1, 4, 4}}}, 0.).write(press.folder / "two.msh");
  const Outcome run = run_text(press.folder, deck, {"Output/Write every=1"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  double largest = 0.;
  each_drawn(press.folder, [&](const Place &, double, const double gap, const Place &slip, const Place &) {
    largest = std::max(largest, gap);
    EXPECT_LE(gap, 0.25 + 1e-12);
    EXPECT_EQ(length(slip), 0.);
  });
  EXPECT_NEAR(largest, 0.25, 1e-12);
}
}  // namespace symdyn::tests::in_contact_frames
