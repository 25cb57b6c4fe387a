// Sectors with cyclic symmetry: modes against those of the whole, rigid motions, prestress, pictures, errors.
#include <gtest/gtest.h>

#include <set>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/linear_decks.h"
#include "tests/sector_decks.h"

namespace symdyn::tests::in_cyclic
{
using namespace sectors;
namespace
{
Table modes_of(const RingMesh &mesh, const std::string &deck, const int ranks = 1)
{
  const Folder folder;
  run_ring(folder, mesh, deck, ranks);
  return table_of(folder / "results/modes-free.csv");
}

/// omega² of all n that lie below the last of each n; and as many of the whole.
void expect_whole(const Table &sector, const Table &whole, const double tolerance)
{
  std::map<double, double> last;
  for (std::size_t i = 0; i < sector.at("omega^2").size(); ++i)
    last[sector.at("nodal diameters")[i]] = sector.at("omega^2")[i];
  double limit = std::numeric_limits<double>::max();
  for (const auto &one : last)
    limit = std::min(limit, one.second);
  std::vector<double> squares;
  for (const double one : sector.at("omega^2"))
    if (one < limit * (1. - 1e-6))
      squares.push_back(one);
  std::sort(squares.begin(), squares.end());
  ASSERT_LE(squares.size(), whole.at("omega^2").size());
  ASSERT_GE(squares.size(), 8u);
  for (std::size_t i = 0; i < squares.size(); ++i)
    EXPECT_NEAR(squares[i], whole.at("omega^2")[i], tolerance * limit) << "mode " << i;
}

/// A quarter of the square of 2 x 2 (x 0.6), whose axis is a corner of the quarter; and the whole.
std::string square(const bool whole, const int dim, const std::string &more = "")
{
  const std::string last = dim == 3 ? ", 0.6" : "", cells = dim == 3 ? ", 1" : "";
  const std::string mesh = section(
      "Mesh",
      fmt::format("set Dimension = {}\nset Type = box\nset Subdivisions = {}{}\n{}", dim, whole ? "4, 4" : "2, 2", cells,
                  dim == 2 ? "set Order = 2\n" : "") +
          section("box", whole ? "set Size = 2, 2" + last + "\nset Corner = -1, -1" + (dim == 3 ? ", 0" : "") : "set Size = 1, 1" + last));
  const std::string sector = section("Cyclic symmetry", "set Sectors = 4\nset Low = y-\nset High = x-");
  return mesh + elastic(1., 0.3, 1.) + no_frames + (whole ? "" : sector) + more;
}

}  // namespace

/// Numbers of a program of its own: nine-node cells, 2 x 4 a sector, u_high = e^(i n alpha) Q u_low (Thomas 1979).
TEST(Cyclic, AnnulusHasTheReferenceNumbers)
{
  const std::vector<std::vector<double>> reference{{0.82189503, 2.67937246, 3.51590121},
                                                   {1.17729636, 2.50819314, 3.81779013},
                                                   {1.79229865, 2.33725889},
                                                   {2.16252988, 2.51603621},
                                                   {2.23513853, 2.97945794},
                                                   {2.2872261, 3.33542072},
                                                   {2.30739879, 3.4738745}};
  const Table found = modes_of(annulus(1), of_annulus + symmetry(12) + stages(find_modes_of(6)));
  for (int n = 0; n <= 6; ++n)
  {
    std::vector<double> omega;
    for (std::size_t i = 0; i < found.at("omega").size(); ++i)
      if (found.at("nodal diameters")[i] == n)
        omega.push_back(found.at("omega")[i]);
    ASSERT_EQ(omega.size(), 6u);
    const int times = n == 0 || n == 6 ? 1 : 2;
    for (std::size_t i = 0; i < reference[n].size(); ++i)
      for (int k = 0; k < times; ++k)
        EXPECT_NEAR(omega[times * i + k], reference[n][i], 1e-8) << n << " nodal diameters, mode " << i;
  }
}

TEST(Cyclic, SectorHasTheModesOfTheWhole)
{
  const Table whole = modes_of(annulus(12), of_annulus + stages(find_modes_of(40)));
  const std::string sector = of_annulus + symmetry(12);
  const Table found = modes_of(annulus(1), sector + stages(find_modes_of(6)));
  expect_whole(found, whole, 1e-8);
  // Negative control: half of the sectors, twice as wide, have the same whole, and sectors without one number n do not.
  expect_whole(modes_of(annulus(2), of_annulus + symmetry(6) + stages(find_modes_of(12))), whole, 1e-8);
  const Table without = modes_of(annulus(1), sector + stages(find_modes_of(6, "set Nodal diameters = 0, 1, 2, 4, 5, 6")));
  double difference = 0;
  std::vector<double> squares = without.at("omega^2");
  std::sort(squares.begin(), squares.end());
  for (std::size_t i = 0; i < 20; ++i)
    difference = std::max(difference, std::abs(squares[i] - whole.at("omega^2")[i]));
  EXPECT_GT(difference, 1e-2);
}

/// Rigid motions of the whole are in n = 0 and n = 1, and have its mass; the axis is in the mesh, where Low and High meet.
TEST(Cyclic, FreeSquareWithItsAxisOnRanks)
{
  for (const int dim : {2, 3})
  {
    const Table whole = modes_of({}, square(true, dim) + stages(find_modes_of(24)));
    for (const int ranks : {1, 2})
    {
      const Folder folder;
      const Outcome run = run_ring(folder, {}, square(false, dim) + stages(find_modes_of(8)), ranks);
      const Table found = table_of(folder / "results/modes-free.csv");
      expect_whole(found, whole, 1e-8);
      EXPECT_TRUE(run.summary["stages"][0]["none is missing"].get<bool>());
      std::map<int, int> rigid;
      double mass = 0;
      for (const auto &mode : run.summary["stages"][0]["modes"])
        if (mode["kind"] == "rigid")
        {
          ++rigid[mode["nodal diameters"].get<int>()];
          mass += mode["effective mass"]["x"].get<double>();
        }
      EXPECT_EQ(rigid, dim == 2 ? (std::map<int, int>{{0, 1}, {1, 2}}) : (std::map<int, int>{{0, 2}, {1, 4}}));
      EXPECT_NEAR(mass, dim == 2 ? 4. : 2.4, 1e-9);
    }
  }
}

/// `mumps` factors one copy, in which a coupling away from the cut is eliminated first; `trilinos-direct` and, where the coupling reaches
/// the cut, `mumps` factor both.
TEST(Cyclic, FactorsOfOneCopyAreThoseOfBoth)
{
  RingMesh mesh;
  mesh.order = 1;
  mesh.layers = 2;
  mesh.radial = 4;
  mesh.round = 8;  // of 4 the factors of both copies are the cheaper ones
  const auto coupled = [&](const std::vector<int> &nodes) {
    return section("Couplings", section("lump", fmt::format("set At = 0.8, 0.2, 0.1\nset Nodes = {}", fmt::join(nodes, ", "))));
  };
  const std::string body = section("Mesh", "set Dimension = 3\nset Type = file\nset File = ring.inp") + elastic(1., 0.3, 1.) + no_frames +
                           section("Supports", section("hub", "set Nodes = NBORE")) +
                           section("Cyclic symmetry", "set Sectors = 12\nset Low = NLOW\nset High = NHIGH");
  const auto squares = [&](const std::string &more, const std::string &solver) {
    const Folder folder;
    std::ofstream(folder / "ring.inp") << mesh.inp();
    run_well(folder,
             body + more + section("Linear solver", "set Type = " + solver) + stages(find_modes_of(6, "set Nodal diameters = 1, 5")));
    return table_of(folder / "results/modes-free.csv").at("omega^2");
  };
  const std::string within = coupled({mesh.node(2, 2, 1), mesh.node(3, 2, 1), mesh.node(2, 3, 1), mesh.node(3, 3, 0)}),
                    at_cut = coupled({mesh.node(2, 1, 1), mesh.node(2, 0, 1), mesh.node(3, 1, 0)});
  for (const std::string &more : {std::string(), within, at_cut})
  {
    const std::vector<double> one = squares(more, "mumps"), both = squares(more, "trilinos-direct");
    ASSERT_EQ(one.size(), both.size());
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_NEAR(one[i], both[i], 1e-9 * both[i]) << more << i;
  }
  EXPECT_GT(squares(within, "mumps")[0], 1.001 * squares("", "mumps")[0]);
}

/// Beyond LAPACK: Lanczos and a factorisation that counts.
TEST(Cyclic, SturmCountOfALargerSectorOnRanks)
{
  RingMesh mesh;
  mesh.radial = 5;
  mesh.round = 8;
  mesh.sectors = 5;
  const std::string deck = mesh_file(2) + plane + clamp;
  Table one;
  for (const int ranks : {1, 2})
  {
    const Folder folder;
    const Outcome run = run_ring(folder, mesh, deck + symmetry(5) + stages(find_modes_of(6)), ranks);
    EXPECT_TRUE(run.summary["stages"][0]["none is missing"].get<bool>());
    const Table found = table_of(folder / "results/modes-free.csv");
    if (ranks == 1)
      one = found;
    ASSERT_EQ(found.at("omega^2").size(), 18u);
    for (std::size_t i = 0; i < found.at("omega^2").size(); ++i)
      EXPECT_NEAR(found.at("omega^2")[i], one.at("omega^2")[i], 1e-9 * one.at("omega^2")[i]);
  }
  mesh.meshed = 5;
  expect_whole(one, modes_of(mesh, deck + stages(find_modes_of(20))), 1e-8);
}

namespace
{
/// A thick ring of rubber, clamped at its bore, that turns.
RingMesh disc(const int meshed)
{
  RingMesh mesh;
  mesh.sectors = 6;
  mesh.meshed = meshed;
  mesh.round = 2;
  mesh.order = 1;
  mesh.layers = 1;
  return mesh;
}
std::string of_disc_of(const double height)
{
  return mesh_file(3) + elastic(1., 0.3, 1., "st-venant-kirchhoff") + clamp + section("Newton", "set Tolerance = 1e-12") +
         section("Probes", section("edge", fmt::format("set Point = 1, 0, {}", height)));
}
const std::string of_disc = of_disc_of(0.3);
std::string turning(const double speed) { return section("Rotation", fmt::format("set Speed = {}", speed)); }
const std::string spin = section("spin", "set Type = static\nset Increments = 2");
}  // namespace

/// The static state is that of the whole, in large strains; modes about it are, too. Without prestress they are others.
TEST(Cyclic, PrestressOfRotation)
{
  const auto run_disc = [](const int meshed, const double speed) {
    const Folder folder;
    const Outcome run = run_ring(
        folder, disc(meshed),
        of_disc + no_frames + turning(speed) + (meshed == 1 ? symmetry(6) : "") + stages(spin + find_modes_of(meshed == 1 ? 6 : 24)));
    return std::pair(run.history.last("edge.u_x"), table_of(folder / "results/modes-free.csv"));
  };
  const auto [u, modes] = run_disc(1, 0.4);
  const auto [u_whole, whole] = run_disc(6, 0.4);
  EXPECT_GT(u_whole, 0.015);
  EXPECT_NEAR(u, u_whole, 1e-9 * u_whole);
  expect_whole(modes, whole, 1e-8);
  const auto at_rest = run_disc(1, 0.01);
  EXPECT_GT(std::abs(at_rest.second.at("omega^2")[0] - modes.at("omega^2")[0]), 1e-2);
}

/// Waves in the frame of a thin ring of 2 n lobes: omega_backward - omega_forward = 4 n Omega/(n² + 1) (Bryan 1890). All of the sector are
/// those of the whole.
TEST(Cyclic, WavesOfATurningRing)
{
  RingMesh ring;
  ring.sectors = 8;
  ring.radial = 1;
  ring.round = 2;
  ring.bore = 0.96;
  const double speed = 1e-3;
  // The static stage holds the free ring at the cut, which a load along the radius does not move.
  const std::string hold = section("Supports", section("cut", "set Boundary = low, high\nset Type = symmetry"));
  const auto waves = [](const int number) {
    return section("waves", fmt::format("set Type = complex modes\nset Supports = none\nset Modes = {}", number));
  };
  const auto table = [&](const double at) {
    const Folder folder;
    run_ring(folder, ring, mesh_file(2) + plane + hold + turning(at) + symmetry(8) + stages(spin + waves(8)));
    return table_of(folder / "results/complex-modes-waves.csv");
  };
  const auto difference = [](const Table &found, const int n) {
    double forward = 0, backward = 0;
    for (std::size_t i = found.at("mode").size(); i-- > 0;)  // the lowest that vibrates
      if (found.at("nodal diameters")[i] == n && found.at("Im lambda in the frame of the rotor")[i] > 0.005)
        (found.at("direction of travel")[i] > 0. ? forward : backward) = found.at("Im lambda in the frame of the rotor")[i];
    EXPECT_GT(forward, 0.);
    EXPECT_GT(backward, 0.);
    return backward - forward;
  };
  const Table found = table(speed), reversed = table(-speed);
  for (const int n : {2, 3})
  {
    EXPECT_NEAR(difference(found, n) / speed, 4. * n / (n * n + 1.), 0.01) << n;
    EXPECT_NEAR(difference(reversed, n), -difference(found, n), 1e-9);
  }
}

TEST(Cyclic, ComplexModesOfTheWhole)
{
  const auto table = [](const int meshed, const int number) {
    const Folder folder;
    run_ring(folder, disc(meshed),
             of_disc + no_frames + turning(0.3) + (meshed == 1 ? symmetry(6) : "") +
                 stages(spin + section("waves", fmt::format("set Type = complex modes\nset Modes = {}", number))));
    return table_of(folder / "results/complex-modes-waves.csv").at("Im lambda in the frame of the rotor");
  };
  std::vector<double> sector = table(1, 4), whole = table(6, 12);
  std::sort(sector.begin(), sector.end());
  std::sort(whole.begin(), whole.end());
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(sector[i], whole[i], 1e-8 * whole[i]) << i;
}

/// A disc under pressure on its rim buckles in a pattern of nodal diameters, out of its plane or in it: factors of the whole.
TEST(Cyclic, BucklingOfTheWhole)
{
  const auto factors = [](const int meshed, const int number) {
    RingMesh mesh = disc(meshed);
    mesh.height = 0.05;
    const Folder folder;
    const Outcome run =
        run_ring(folder, mesh,
                 of_disc_of(0.05) + no_frames + (meshed == 1 ? symmetry(6) : "") +
                     section("Loads", section("press", "set Type = dead-pressure\nset Boundary = rim\nset Pressure = 0.01")) +
                     stages(section("press", fmt::format("set Type = buckling\nset Modes = {}", number))));
    EXPECT_TRUE(run.summary["stages"][0]["none is missing"].get<bool>());
    return table_of(folder / "results/buckling-press.csv");
  };
  const Table sector = factors(1, 4), whole = factors(6, 8);
  ASSERT_EQ(sector.at("factor").size(), 16u);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(sector.at("factor")[i], whole.at("factor")[i], 1e-7 * whole.at("factor")[i]) << i;
  const std::vector<double> &n = sector.at("nodal diameters");
  EXPECT_GT(std::set<double>(n.begin(), n.begin() + 8).size(), 1u) << "of several numbers of diameters";
}

}  // namespace symdyn::tests::in_cyclic
