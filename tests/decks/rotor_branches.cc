// Campbell diagrams of shafts, rings, blades and discs.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/rotor_decks.h"
#include "tests/sector_meshes.h"

namespace symdyn::tests::in_rotor
{
namespace
{
/// A shaft of 1 m along z on pins, I/A = (L/20)², stiff against shear: omega_1 = pi² sqrt(E I/(rho A L⁴)).
std::string shaft(const std::string &more, const double shear)
{
  return "set Structure = discrete\n" +
         section("Points",
                 section("left", "set Position = 0, 0, 0\nset Fixed = yes") + section("right", "set Position = 0, 0, 1\nset Fixed = yes")) +
         section(
             "Beams",
             section("shaft",
                     fmt::format("set From = left\nset To = right\nset Elements = 8\nset Type = B32\nset Direction = 1, 0, 0\nset "
                                 "Section = circle\nset Size = 0.1\nset E = 2e11\nset nu = 0.3\nset Density = 8000\nset Shear stiffness "
                                 "= {0:.15g}, {0:.15g}",
                                 shear))) +
         section("Rotations", section("axis", "set At = left\nset Rotation = free, free, 0\nset Geometry = linear")) + rotation() + more;
}
const double omega_1 = pi * pi * 250.;
}  // namespace

/// Rayleigh's shaft, stiff against shear: omega² (1 + n² pi² r²) - 2 Omega n² pi² r² omega - omega_n² = 0.
TEST(Rotor, RayleighShaft)
{
  const Folder folder;
  const Outcome run = run_well(
      folder,
      shaft(campbell(0., 1.2 * omega_1, 4, "set Modes = 2\nset Frame = fixed\nset Engine orders = 1\nset Critical speeds = 4"), 1e12));
  const auto critical = table_of(folder / stem + "-critical.csv").at("speed");
  ASSERT_EQ(critical.size(), 4u);
  EXPECT_NEAR(critical[0] / omega_1, 1.01257011, 1e-4);
  EXPECT_NEAR(critical[1] / omega_1, 1.01257011, 1e-4);
  EXPECT_NEAR(critical[2] / omega_1, 4.21331911, 1e-3 * 4.2);
  EXPECT_EQ(run.summary["stages"][0]["critical speeds counted"].get<int>(), 4);
  const Table orders = table_of(folder / stem + "-orders.csv");
  ASSERT_EQ(orders.at("speed").size(), 2u);
  EXPECT_NEAR(orders.at("speed")[0] / omega_1, 0.96492466, 1e-4);
  EXPECT_NEAR(orders.at("speed")[1] / omega_1, 1.01257011, 1e-3);
}

/// Timoshenko's shaft, (S b² - rho A omega²) (E I b² + S - rho I omega² + 2 rho I Omega omega) = S² b², b = n pi/L, from the ground.
TEST(Rotor, TimoshenkoShaft)
{
  const double S = 2e9, A = pi * 0.01, I = A * 0.0025, b = pi;
  const Folder folder;
  run_well(folder,
           shaft(campbell(0., 1.8 * omega_1, 4, "set Modes = 2\nset Frame = fixed\nset Engine orders = 1\nset Critical speeds = 1"), S));
  const auto defect = [&](const double omega, const double speed) {
    return (S * b * b - 8000. * A * omega * omega) * (2e11 * I * b * b + S - 8000. * I * omega * omega + 16000. * I * speed * omega) -
           S * S * b * b;
  };
  const Table table = table_of(folder / stem + ".csv"), orders = table_of(folder / stem + "-orders.csv");
  const auto expect_root = [&](const double omega, const double speed, const double tolerance) {
    EXPECT_LT(defect(omega * (1. - tolerance), speed) * defect(omega * (1. + tolerance), speed), 0.) << omega << " at " << speed;
  };
  int of_first_pair = 0;
  for (std::size_t i = 0; i < table.at("speed").size(); ++i)
    if (table.at("nodal diameters")[i] == 1. && in_its_frame(table, "frequency")[i] < 600. && ++of_first_pair)
      expect_root(2. * pi * in_its_frame(table, "frequency")[i] * table.at("direction of travel")[i], table.at("speed")[i], 1e-4);
  EXPECT_EQ(of_first_pair, 8);
  ASSERT_EQ(orders.at("speed").size(), 2u);
  expect_root(-orders.at("speed")[0], orders.at("speed")[0], 1e-4);
  expect_root(orders.at("speed")[1], orders.at("speed")[1], 1e-4);
  const double critical = table_of(folder / stem + "-critical.csv").at("speed").at(0);
  EXPECT_NEAR(orders.at("speed")[1], critical, 1e-6 * critical);
  EXPECT_GT(std::abs(defect(0.99 * critical, critical)), 1e2 * std::abs(defect(critical, critical)));  // a root is sharp
}

namespace
{
std::string square_shaft(const std::string &more)
{
  return "set Structure = discrete\n" +
         section("Points", section("left", "set Position = 0, 0, 0\nset Fixed = yes") +
                               section("right", "set Position = 0, 0, 1000\nset Fixed = yes")) +
         section(
             "Beams",
             section(
                 "shaft",
                 "set From = left\nset To = right\nset Elements = 12\nset Type = B32\nset Direction = 1, 0, 0\nset Size = 50, 50\nset E = "
                 "210000\nset nu = 0.3\nset Density = 7.85e-9")) +
         section("Rotations", section("axis", "set At = left\nset Rotation = free, free, 0\nset Geometry = linear")) + rotation() + more;
}
}  // namespace

/// Timoshenko's numbers in the frame, below and above the first critical speed, and CalculiX' within 0.1 %.
TEST(Rotor, SquareShaft)
{
  const Folder folder;
  run_well(folder, square_shaft(campbell(0., 1000., 3, "set Modes = 4")));
  const Table table = table_of(folder / stem + ".csv");
  const std::vector<std::vector<double>> exact{{234.7696, 1232.7431, 2403.3887, 3395.6206}, {264.2151, 1731.7319, 1907.2797, 3891.7436}},
      calculix{{234.8413, 1232.817, 2404.663, 3396.875}, {264.1565, 1731.789, 1908.558, 3892.984}};
  for (const int k : {0, 1})
  {
    const std::vector<double> found = omegas_at(table, 500. * (k + 1));
    ASSERT_GE(found.size(), 4u);
    for (int i = 0; i < 4; ++i)
    {
      EXPECT_NEAR(found[i], exact[k][i], 1e-3 * exact[k][i]);
      EXPECT_NEAR(found[i], calculix[k][i], 1e-3 * calculix[k][i]);
    }
  }
}

TEST(Rotor, SquareShaftOnRanks)
{
  std::vector<Table> tables;
  for (const int ranks : {1, 2})
  {
    const Folder folder;
    run_well(folder, square_shaft(campbell(0., 1000., 3, "set Modes = 4")), {}, ranks);
    tables.push_back(table_of(folder / stem + ".csv"));
  }
  for (const double speed : {0., 500., 1000.})
  {
    const std::vector<double> one = omegas_at(tables[0], speed), two = omegas_at(tables[1], speed);
    ASSERT_EQ(one.size(), two.size());
    ASSERT_GE(one.size(), 4u);
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_NEAR(two[i], one[i], 1e-6 * one.back()) << speed;
  }
}

/// A free ring of 32 nine-node cells, by a sector: waves of 2 and 3 nodal diameters with the stress of the rotation, and without it others.
TEST(Rotor, FreeRing)
{
  RingMesh ring;
  ring.sectors = 8;
  ring.radial = 1;
  ring.bore = 0.95;
  ring.rim = [](double) { return 1.05; };
  const std::string deck =
      section("Mesh", "set Dimension = 2\nset Type = file\nset File = ring.msh\n") +
      section("Materials", section("stuff", "set Type = linear-elasticity\nset E = 1\nset nu = 0.3\nset Density = 1\nset Plane = stress")) +
      section("Output", "set Write every = never") + rotation() +
      section("Cyclic symmetry", "set Sectors = 8\nset Low = low\nset High = high");
  const auto table = [&](const std::string &frame) {
    const Folder folder;
    ring.write(folder / "ring.msh");
    run_well(folder, deck + campbell(0.02, 0.05, 2, "set Modes = 2\nset Nodal diameters = 2, 3\nset Frame = " + frame));
    return table_of(folder / stem + ".csv");
  };
  const Table rotating = table("rotating"), fixed = table("fixed");
  const std::vector<std::vector<double>> in_frame{{0.06534125, 0.09726882, 0.21188737, 0.2357236},
                                                  {0.05821775, 0.1381089, 0.21951932, 0.27923756}},
      from_ground{{0.05726851, 0.10534094, 0.17572217, 0.27188593}, {0.0381073, 0.15821618, 0.12922951, 0.36951134}};
  for (const int k : {0, 1})
  {
    const double speed = k == 0 ? 0.02 : 0.05;
    const std::vector<double> found = omegas_at(rotating, speed);
    std::vector<double> seen = omegas_at(fixed, speed), expected = from_ground[k];
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(found.size(), 4u);
    ASSERT_EQ(seen.size(), 4u);
    for (int i = 0; i < 4; ++i)
    {
      EXPECT_NEAR(found[i], in_frame[k][i], 1e-6);
      EXPECT_NEAR(seen[i], expected[i], 1e-5);
    }
  }
  EXPECT_GT(omegas_at(rotating, 0.02)[0] - 0.06077045, 1e-3);  // without prestress
}

/// Wright, Smith, Thresher, Wang 1982: out of the plane, and in it omega² - Omega².
TEST(Rotor, BladeStiffensWithItsSpeed)
{
  const double size = 0.02, unit = std::sqrt(2e11 / 8000. * size * size / 12. / 16.);
  const std::string deck =
      "set Structure = discrete\n" +
      section("Points", section("hub", "set Position = 0, 0, 0\nset Fixed = yes") + section("tip", "set Position = 2, 0, 0")) +
      section(
          "Beams",
          section("blade",
                  "set From = hub\nset To = tip\nset Elements = 6\nset Type = B32\nset Direction = 0, 1, 0\nset Size = 0.02, 0.02\nset E = "
                  "2e11\nset nu = 0.3\nset Density = 8000\nset Clamped = from")) +
      rotation();
  const auto table = [&](const std::string &prestress) {
    const Folder folder;
    run_well(folder, deck + campbell(0., 6. * unit, 4, "set Modes = 2\nset Prestress = " + prestress));
    return table_of(folder / stem + ".csv");
  };
  const Table linear = table("linear"), nonlinear = table("nonlinear");
  for (const auto &[eta, flap] : {std::pair{0., 3.51602}, {2., 4.13732}, {4., 5.585}, {6., 7.36037}})
  {
    const std::vector<double> found = omegas_at(linear, eta * unit), exact = omegas_at(nonlinear, eta * unit);
    ASSERT_EQ(found.size(), 2u);
    ASSERT_EQ(exact.size(), 2u);
    EXPECT_NEAR(found[1] / unit, flap, 2e-3 * flap) << eta;
    EXPECT_NEAR(found[0] / unit, std::sqrt(flap * flap - eta * eta), 4e-3 * flap) << eta;
    for (const int i : {0, 1})
      EXPECT_NEAR(exact[i] / unit, found[i] / unit, 2e-3 * flap) << eta;
  }
}

namespace
{
/// A mass with 100 N/m across the axis and 25 N/m along it, which springs askew couple by `coupling`.
std::string askew(const double coupling)
{
  const auto spring = [](const std::string &name, const std::string &direction, const double k) {
    return section(name, "set From = disc\nset To = ground\nset Law = small-displacement\nset Direction = " + direction +
                             fmt::format("\nset Stiffness = {:.15g}", k));
  };
  return "set Structure = discrete\n" + section("Points", "set Dimension = 3\n" + section("disc", "set Mass = 1\nset Position = 0, 0, 0")) +
         section("Springs", spring("x", "1, 0, 0", 100. - coupling) + spring("y", "0, 1, 0", 100.) +
                                spring("z", "0, 0, 1", 25. - coupling) + (coupling > 0. ? spring("xz", "1, 0, 1", 2. * coupling) : "")) +
         rotation();
}
}  // namespace

/// 10 - Omega and 5 meet at Omega = 5. Coupled by 2 N/m they keep 0.20006 rad/s apart, at 5.0015 rad/s (dense eigenvalues of the 6 x 6 pair
/// of first order); found with wide steps as with narrow ones.
TEST(Rotor, CrossingAndVeering)
{
  for (const int points : {4, 31})
  {
    const Folder apart, coupled;
    const Outcome crossing = run_well(apart, askew(0.) + campbell(0., 9., points, "set Modes = 3")),
                  veering = run_well(coupled, askew(2.) + campbell(0., 9., points, "set Modes = 3"));
    const auto of = [](const Outcome &run) {
      auto all = run.summary["stages"][0]["meetings"];
      return all;
    };
    const auto cross = of(crossing), veer = of(veering);
    ASSERT_EQ(cross.size(), 1u) << cross;
    EXPECT_EQ(cross[0]["kind"], "crossing");
    EXPECT_NEAR(cross[0]["speed"].get<double>(), 5., 1e-6);
    ASSERT_EQ(veer.size(), 1u) << points << veer;
    EXPECT_EQ(veer[0]["kind"], "veering");
    EXPECT_NEAR(veer[0]["speed"].get<double>(), 5.0015, 0.03);
    EXPECT_NEAR(2. * pi * veer[0]["gap"].get<double>(), 0.20006, 0.002);
    // Branches that veer keep their order, those that cross do not.
    const auto order = [](const Folder &folder) {
      const Table table = table_of(folder / stem + ".csv");
      const std::vector<Line> one = branch_of(table, 1), other = branch_of(table, 2);
      return (one.front().frequency < other.front().frequency) == (one.back().frequency < other.back().frequency);
    };
    EXPECT_FALSE(order(apart));
    EXPECT_TRUE(order(coupled));
  }
}

namespace
{
/// A thick disc, clamped at its bore: whole, or a sixth.
Table disc(const bool whole, const std::string &more)
{
  RingMesh mesh;
  mesh.sectors = 6;
  mesh.meshed = whole ? 6 : 1;
  mesh.round = 2;
  mesh.order = 1;
  mesh.layers = 1;
  const Folder folder;
  mesh.write(folder / "ring.msh");
  run_well(folder,
           section("Mesh", "set Dimension = 3\nset Type = file\nset File = ring.msh\n") + elastic(1., 0.3, 1., "st-venant-kirchhoff") +
               section("Supports", section("hub", "set Boundary = bore")) + section("Output", "set Write every = never") + rotation() +
               (whole ? "" : section("Cyclic symmetry", "set Sectors = 6\nset Low = low\nset High = high")) + campbell(0., 0.4, 3, more));
  return table_of(folder / stem + ".csv");
}
}  // namespace

/// A sector has the branches of the whole, and the whole finds their waves itself.
TEST(Rotor, WavesOfAWholeAndOfASector)
{
  const Table whole = disc(true, "set Modes = 8"), sector = disc(false, "set Modes = 4");
  const std::vector<double> all = omegas_at(whole, 0.4), of_sector = omegas_at(sector, 0.4);
  ASSERT_GE(all.size(), 8u);
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(all[i], of_sector.at(i), 1e-7 * all[i]) << i;
  const auto waves = [](const Table &table) {
    std::vector<std::pair<double, double>> found;
    for (std::size_t i = 0; i < table.at("speed").size(); ++i)
      if (table.at("speed")[i] > 0.3)
        found.emplace_back(in_its_frame(table, "frequency")[i], table.at("direction of travel")[i] * table.at("nodal diameters")[i]);
    std::sort(found.begin(), found.end());
    return found;
  };
  const auto of_whole = waves(whole), of_sectors = waves(sector);
  int waves_of_both = 0;
  for (int i = 0; i < 6; ++i)
    if (std::abs(of_whole[i].second) < 3. && ++waves_of_both)  // 3 of 6 sectors stand
    {
      EXPECT_EQ(of_whole[i].second, of_sectors[i].second) << i;
    }
  EXPECT_GE(waves_of_both, 4);
}

namespace
{
nlohmann::json map_of(const std::vector<Disc> &all, const double last, const int points, const std::string &more, const double first = 0.)
{
  const Folder folder;
  return run_well(folder, discs(all) + campbell(first, last, points, fmt::format("set Modes = {}\n", 2 * all.size()) + more))
      .summary["stages"][0];
}
/// Speeds of `list`, ascending, of one order, or of one kind of meeting.
std::vector<double> speeds_of(const nlohmann::json &list, const char *key, const nlohmann::json &value)
{
  std::vector<double> all;
  for (const auto &one : list)
    if (one[key] == value)
      all.push_back(one["speed"]);
  std::sort(all.begin(), all.end());
  return all;
}
void expect_near(const std::vector<double> &found, const std::vector<double> &exact, const double tolerance)
{
  ASSERT_EQ(found.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i)
    EXPECT_NEAR(found[i], exact[i], tolerance);
}
}  // namespace

/// |10 -+ Omega| and |2 -+ Omega| meet at 4 and 6 and cross order 1 at 5 and 1: between the speeds of the map, on them, and all in one
/// interval.
TEST(Rotor, MeetingsOnTheSpeedsOfTheMap)
{
  for (const int points : {2, 4, 21, 25, 41})
  {
    SCOPED_TRACE(points);
    const auto map = map_of({{100.}, {4.}}, 40., points, "set Engine orders = 1, 0.1");
    EXPECT_EQ(map["branches"].size(), 4u);
    expect_near(speeds_of(map["crossings"], "order", 1.), {1., 5.}, 1e-7);
    expect_near(speeds_of(map["crossings"], "order", 0.1), {2. / 1.1, 2. / 0.9, 10. / 1.1, 10. / 0.9}, 1e-7);
    expect_near(speeds_of(map["meetings"], "kind", "crossing"), {4., 6.}, 1e-6);
    EXPECT_EQ(map["meetings"].size(), 2u);
  }
}

/// Beyond the critical speed both waves of one disc have one shape, and do not meet.
TEST(Rotor, NoMeetingOfOneDisc)
{
  for (const int points : {4, 21})
    EXPECT_EQ(map_of({{100.}}, 60., points, "", 14.)["meetings"].size(), 0u);
  const auto damped = map_of({{100., 0.2, 0.39}, {144., 0.4, 0.2}}, 41., 21, "");
  EXPECT_EQ(damped["branches"].size(), 4u);
  EXPECT_EQ(speeds_of(damped["meetings"], "kind", "veering").size(), 0u);
}

/// omega_0 (1 + c_e/c_i) of each disc: the lowest, and the frequency |omega_0 - Omega| of the motion that grows there.
TEST(Rotor, LowestOnset)
{
  struct Case
  {
    std::vector<Disc> all;
    double onset, omega;
  };
  for (const auto &[all, onset, omega] :
       {Case{{{100., 0.2, 0.4}, {144., 0.4, 0.2}}, 18., 6.}, Case{{{144., 0.4, 0.2}, {100., 0.2, 0.4}}, 18., 6.},
        Case{{{100., 0.2, 0.4}}, 30., 20.}, Case{{{100., 0.2}, {100., 0.2}}, 10., 0.}})
    for (const int points : {2, 6, 21})
    {
      const auto map = map_of(all, 40., points, "");
      EXPECT_NEAR(map["onset speed"].get<double>(), onset, 1e-4) << points;
      EXPECT_NEAR(2. * pi * map["onset frequency"].get<double>(), omega, 1e-4) << points;
    }
  EXPECT_TRUE(map_of({{100., 0., 0.4}}, 40., 3, "")["onset frequency"].is_null());
}
}  // namespace symdyn::tests::in_rotor
