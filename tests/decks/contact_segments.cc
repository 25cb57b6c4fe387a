// Contact of boundaries by segments, run from decks: patch tests, laws, slides that are too long, and what is refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/contact/contact_law.h"
#include "tests/bad_input.h"
#include "tests/blocks.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_contact_segments
{
namespace
{
using Settings = std::vector<std::string>;

constexpr double E = 1000., k = 1e7;
/// The stress of two elastic metres and a contact that are shortened by 0.2 m.
constexpr double stress = 0.2 / (2. / E + 1. / k);

/// Blocks of 3 on 4 cells, pressed together by 0.2 of 2 m, each held along y and z by planes of symmetry.
struct Press
{
  Folder folder;
  std::string deck;

  explicit Press(const std::string &of_contact, const std::string &of_mesh = "", const double warp = 0., const int dim = 3)
  {
    const int in_space = dim == 3 ? 1 : 0;
    Blocks({{{0., 0., 0.}, {1., 1., 1.}, {1, 3, 3 * in_space}}, {{1., 0., 0.}, {1., 1., 1.}, {1, 4, 4 * in_space}}}, warp)
        .write(folder / "two.msh");
    const std::string free = dim == 3 ? ", free, free" : ", free";
    std::string supports = section("x", "set Boundary = first-x-\nset Type = symmetry") +
                           section("push", "set Boundary = second-x+\nset Type = displacement\nset Displacement = -0.2" + free);
    for (const char d : dim == 3 ? std::string("yz") : std::string("y"))
      supports += section(std::string(1, d), fmt::format("set Boundary = first-{0}-, second-{0}-\nset Type = symmetry", d));
    const double nu = dim == 3 ? 0.3 : 0.;
    const std::string material = fmt::format("set Type = linear-elasticity\nset Density = 1\nset E = {}\nset nu = {}", E, nu);
    std::string u = fmt::format("{:.17g}*x, {:.17g}*y", -stress / E, nu * stress / E);
    if (dim == 3)
      u += fmt::format(", {:.17g}*z", nu * stress / E);
    deck = section("Mesh", fmt::format("set Dimension = {}\nset Type = file\nset File = two.msh\n", dim) + of_mesh) +
           section("Materials", section("first", material) + section("second", material)) + section("Supports", supports) +
           section("Contact", section("touch", "set Between = first-x+, second-x-\nset Pairing = segments\n" + of_contact)) +
           section("Errors", section("u", "set Displacement = " + u)) + section("Newton", "set Tolerance = 1e-12") +
           stages(section("press", "set Type = static"));
  }
};

}  // namespace

/// Reference R10 of contact, pressed in place of tied: one stress, whatever the cells; points of 3-D blocks are 5 % off
/// (ContactPairs.PressedBlocksBearNearlyOneStress).
TEST(ContactSegments, PressedBlocksBearOneStress)
{
  struct Cells
  {
    std::string mesh;
    double warp;
    int dim = 3;
    double tolerance = 1e-9;
    std::string more = "";
  };
  for (const auto &[of_mesh, warp, dim, tolerance, more] :
       {Cells{"", 0.}, Cells{"", 0.3, 3, 1e-9, "\nset Points = 8"}, Cells{"set Order = 2", 0.},
        Cells{"set Order = 2\nset Element = serendipity", 0.}, Cells{"set Cell shape = tetrahedra", 0.2},
        Cells{"set Cell shape = tetrahedra\nset Order = 2", 0.2}, Cells{"", 0.3, 2}})
  {
    SCOPED_TRACE(of_mesh);
    const Press press(fmt::format("set Law = linear\nset Stiffness = {}{}", k, more), of_mesh, warp, dim);
    const History history = run_well(press.folder, press.deck).history;
    EXPECT_LT(history.last("u.H1") / (stress / E), tolerance);
    EXPECT_NEAR(history.last("touch.force_x"), -stress, 1e-9 * stress);
    EXPECT_NEAR(history.last("touch.gap"), -stress / k, 1e-3 * stress / k);
    EXPECT_NEAR(history.last("x.R_x"), stress, 1e-9 * stress) << "what the support bears";
  }
}

/// Each law bears the pressure that it has of its gap; the uniform stress is what the support bears.
TEST(ContactSegments, LawsBearWhatTheySay)
{
  ContactEntries entries;
  entries.stiffness = 1e6;
  entries.layer = entries.distance = 0.01;
  entries.pressure = 50.;
  entries.pressures = {0., 80., 200.};
  entries.closures = {0., 0.01, 0.02};
  for (const auto &[name, text] : {std::pair{"exponential", "set Pressure = 50\nset Distance = 0.01"},
                                   {"table", "set Pressures = 0, 80, 200\nset Closures = 0, 0.01, 0.02"},
                                   {"barrier", "set Stiffness = 1e6\nset Layer = 0.01"}})
  {
    SCOPED_TRACE(name);
    const auto law = Registry<ContactLaw>::instance().make(name);
    ASSERT_EQ(law->take(entries)[0], "");
    const Press press(fmt::format("set Law = {}\n{}", name, text));
    const History history = run_well(press.folder, press.deck).history;
    const double p = history.last("touch.pressure");
    EXPECT_GT(p, 50.);
    EXPECT_NEAR(p, -law->at(history.last("touch.gap"))[1], 1e-9 * p);
    EXPECT_NEAR(history.last("x.R_x"), p, 1e-9 * p);
    EXPECT_NEAR(history.last("push.R_x"), -p, 1e-9 * p);
  }
}

TEST(ContactSegments, RefusesWhatItCannot)
{
  const Press press(fmt::format("set Law = linear\nset Stiffness = {}", k));
  const auto refused = [&](const std::string &words, const Settings &settings) {
    const Outcome run = run_text(press.folder, press.deck, settings);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused("segments are of two boundaries: what touches itself has Pairing = points", {"Contact/touch/Between=first-x+"});
  refused("first-x+ and second-x- overlap at the start: gap -0.01 m", {"Contact/touch/Clearance=-0.01"});
  refused("no face of first-x+ looks at one of second-x+", {"Contact/touch/Between=first-x+, second-x+"});
  refused("must be one of points, segments", {"Contact/touch/Pairing=mortar"});
  refused("of points of boundaries with each other is barrier", {"Contact/touch/Pairing=points"});
}
}  // namespace symdyn::tests::in_contact_segments
