// Sectors with cyclic symmetry: what decks and files may say, and what is drawn.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/frames.h"  // VTK first
#include "tests/inp_model.h"
#include "tests/linear_decks.h"
#include "tests/sector_meshes.h"

namespace symdyn::tests::in_cyclic_input
{
namespace
{
RingMesh ring(const bool solid = false)
{
  RingMesh mesh;
  mesh.sectors = 6;
  mesh.round = 2;
  mesh.order = solid ? 1 : 2;
  mesh.layers = solid ? 1 : 0;
  return mesh;
}
std::string of_mesh(const int dim)
{
  return section("Mesh", fmt::format("set Dimension = {}\nset Type = file\nset File = ring.msh", dim)) + elastic(1., 0.3, 1.);
}
std::string cyclic(const std::string &more) { return section("Cyclic symmetry", more); }
const std::string sides = "set Low = low\nset High = high\n", six = "set Sectors = 6\n" + sides;
const std::string clamp = section("Supports", section("hub", "set Boundary = bore"));
const std::string free_modes = section("free", "set Type = modes\nset Modes = 2");
const std::string still = section("rest", "set Type = static");

void expect_refused_ring(const RingMesh &mesh, const std::string &deck, const std::string &words)
{
  const Folder folder;
  mesh.write(folder / "ring.msh");
  write_file(folder, "record.csv", "0, 0\n1, 1\n2, 0\n");
  const Outcome run = run_text(folder, deck);
  EXPECT_EQ(run.exit_code, 1) << run.terminal;
  EXPECT_NE(run.terminal.find(words), std::string::npos) << "'" << words << "' is not in:\n" << run.terminal;
}
void expect_refused(const std::string &deck, const std::string &words) { expect_refused_ring(ring(), of_mesh(2) + deck, words); }
const std::string file_of_ring = ring(true).inp() +
                                 "*MATERIAL, NAME=M\n*ELASTIC\n210., 0.3\n*DENSITY\n1.\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n"
                                 "*SURFACE, NAME=LOW, TYPE=NODE\nNLOW\n*SURFACE, NAME=HIGH, TYPE=NODE\nNHIGH\n",
                  tie = "*TIE, CYCLIC SYMMETRY, NAME=T, POSITION TOLERANCE=0.01\nHIGH, LOW\n",
                  six_sectors = "*CYCLIC SYMMETRY MODEL, N=6, NGRAPH=6, TIE=T\n0., 0., 0., 0., 0., 1.\n", held = "*BOUNDARY\nNBORE, 1, 3\n";
}  // namespace

TEST(Cyclic, CutIsChecked)
{
  const std::string end = clamp + stages(free_modes);
  expect_refused(cyclic("set Sectors = 6\nset Low = low") + end, "High is missing. Give Sectors, Low and High");
  expect_refused(cyclic("set Sectors = 1\n" + sides) + end, "Sectors = 1");
  expect_refused(cyclic(six + "set Axis = 0, 1, 0") + end, "a plane structure turns about the axis 0, 0, 1");
  expect_refused(cyclic(six + "set Axis = 0, 0, 0") + end, "needs three numbers, not all zero");
  expect_refused(cyclic(six + "set Point = 1") + end, "needs two numbers");
  expect_refused(cyclic(six + "set Tolerance = much") + end, "must be a number > 0, or `auto`");
  expect_refused(cyclic(six + "set Sectors shown = 7") + end, "a number from 1 to Sectors = 6");
  expect_refused(cyclic("set Sectors = 6\nset Low = left\nset High = high") + end, "Low = left");
  expect_refused(cyclic("set Sectors = 7\n" + sides) + end, "low turned by 360/7 degrees does not fit high: the node at (");
  expect_refused(cyclic(six + "set Point = 0.1, 0") + end, "m from the nearest node there, the largest such distance, and Tolerance is");
  RingMesh unlike = ring();
  unlike.unlike = true;
  expect_refused_ring(unlike, of_mesh(2) + cyclic(six) + end, "Check Sectors, Axis and Point, or mesh both sides alike");
  expect_refused(cyclic("set Sectors = 6\nset Low = low, rim\nset High = high\nset Tolerance = 2") + end,
                 "two nodes come to stand within Tolerance = 2 m");
  expect_refused(cyclic("set Sectors = 6\nset Low = low\nset High = high, rim\nset Tolerance = 0.01") + end, "Mesh both sides alike");
}

TEST(Cyclic, SidesMayBeExchanged)
{
  std::vector<std::vector<double>> squares;
  for (const std::string &entries : {six, std::string("set Sectors = 6\nset Low = high\nset High = low\n"), six + "set Axis = 0, 0, -2\n"})
  {
    const Folder folder;
    ring().write(folder / "ring.msh");
    const Outcome run = run_well(folder, of_mesh(2) + cyclic(entries) + clamp + stages(free_modes));
    EXPECT_EQ(run.log.find("exchanged") != std::string::npos, entries != six) << run.log;
    squares.push_back(table_of(folder / "results/modes-free.csv").at("omega^2"));
  }
  for (std::size_t i = 0; i < squares[0].size(); ++i)
    for (const auto &other : squares)
      EXPECT_NEAR(other[i], squares[0][i], 1e-9 * squares[0][i]);
}

TEST(Cyclic, WhatBreaksTheSymmetryIsRefused)
{
  const std::string sector = cyclic(six), end = clamp + stages(still);
  expect_refused(sector + section("Loads", section("weight", "set Type = gravity\nset Acceleration = 1, 0")) + end,
                 "the weight 'weight' pulls across the axis of symmetry");
  expect_refused(sector + section("Rotation", "set Speed = 1\nset Point = 0.1, 0") + end,
                 "the frame does not turn about the axis of symmetry");
  expect_refused(sector + section("Base motion", "set File = record.csv\nset Unit = deck\nset Direction = 1, 0") + clamp +
                     section("Time", "set Time step = 0.1\nset End time = 1"),
                 "the base moves along x, across the axis");
  for (const char *words : {"'wind' acts across the axis of symmetry along (1, 0, 0) everywhere",
                            "Base acceleration shakes the whole across its axis, with Engine order = 1 and -1"})
    expect_refused(sector + section("Loads", section("wind", "set Type = body-force\nset Acceleration = sin(t)*(2 + x), 0")) + end, words);
  const std::string turn = section("Time", "set Time step = 0.1\nset End time = 0.1");
  expect_refused(sector + section("Initial conditions", "set Velocity = 1, 0") + turn,
                 "at one side of the sector the field is not that of the other side, turned");
  const Folder turning;
  ring().write(turning / "ring.msh");
  run_well(turning, of_mesh(2) + sector + section("Initial conditions", "set Velocity = x - y, y + x") +
                        section("Loads", section("swirl", "set Type = body-force\nset Acceleration = -y, x")) + turn);
  // Along x both sides are held, and the turn of x is not x; one side alone the cut holds as well.
  const auto held = [&](const std::string &where) {
    return section("Supports", section("hub", "set Boundary = bore") +
                                   section("rail", "set Boundary = " + where + "\nset Type = displacement\nset Displacement = 0, free"));
  };
  expect_refused(sector + held("low, high") + stages(still), "does not map the supports of the cut to themselves");
  const Folder folder;
  ring().write(folder / "ring.msh");
  run_well(folder, of_mesh(2) + sector + held("low") + stages(still));
  expect_refused(sector + stages(still), "the body may turn about z");
}

TEST(Cyclic, NodalDiametersAndStages)
{
  const auto modes = [](const std::string &more) { return stages(section("free", "set Type = modes\n" + more)); };
  const std::string sector = cyclic(six) + clamp;
  expect_refused(sector + modes("set Nodal diameters = 1, 4"), "a whole of 6 sectors has 0 to 3 nodal diameters, not 4");
  expect_refused(sector + modes("set Nodal diameters = -1"), "0 to 3 nodal diameters, not -1");
  expect_refused(sector + modes("set Nodal diameters = one"), "'one' is no number");
  expect_refused(sector + modes("set Nodal diameters = 1, 1"), "has 1 twice");
  expect_refused(sector + modes("set Highest frequency = 1e-6"), "no mode of these nodal diameters lies in the interval");
  expect_refused(clamp + modes("set Nodal diameters = 1"), "the deck has no section Cyclic symmetry");
  expect_refused(sector + stages(section("swing", "set Type = substructure\nset Masters = rim")),
                 "Type = substructure is not available with Cyclic symmetry");
  expect_refused(sector + modes("set Engine orders = 0"), "'0' is no number from 1 on");
  expect_refused(sector + modes("set Rotor speed = 3"), "has no effect without Engine orders");
  expect_refused(clamp + modes("set Engine orders = 2"), "the deck has no section Cyclic symmetry");
  const std::string pull = section("Loads", section("pull", "set Type = pressure\nset Boundary = rim\nset Pressure = 1"));
  const auto swing = [](const std::string &more) {
    return stages(section("swing", "set Type = harmonic\nset Frequencies = 0.1, 1\nset Points = 2\n" + more));
  };
  expect_refused(clamp + pull + swing("set Engine order = 2"), "the deck has no section Cyclic symmetry");
  expect_refused(sector + pull + swing("set Engine order = 2\nset Method = modl"), "Method = modl: must be one of");
  expect_refused(sector + pull + swing("set Waveform = 0, 1"), "Waveform is not available with Cyclic symmetry");
  expect_refused(sector + pull + swing("set Stresses = yes"), "Stresses are not available with Cyclic symmetry");
  expect_refused(sector + pull + swing("set Base acceleration = 1, 0\nset Engine order = 2"),
                 "a base that shakes moves patterns of 0 and 1 nodal diameters, and 2 are not available");
  expect_refused(clamp + pull + swing("set Loaded sectors = 2"), "the deck has no section Cyclic symmetry");
  expect_refused(sector + pull + swing("set Loaded sectors = 7"), "has 7, and there are 6 sectors");
  expect_refused(sector + pull + swing("set Loaded sectors = 0"), "'0' is no number from 1 on");
  expect_refused(sector + pull + swing("set Loaded sectors = 2, 2"), "has 2 twice");
  expect_refused(sector + pull + swing("set Loaded sectors = 2\nset Engine order = 2"), "and Engine order exclude each other");
  expect_refused(sector + pull + swing("set Nodal diameters = 2"), "are of Loaded sectors");
  expect_refused(sector + pull + swing("set Loaded sectors = 2\nset Method = fast"), "Method = fast with Loaded sectors is not available");
  expect_refused(sector + swing("set Base acceleration = 1, 0\nset Loaded sectors = 2"), "a base that shakes moves all sectors");
  expect_refused(sector + stages(section("damped", "set Type = complex modes\nset Load factor = 1")),
                 "Load factor = 1: it is not available with Cyclic symmetry");
}

/// The cells of all sectors, turned; the displacement agrees where they meet.
TEST(Cyclic, Pictures)
{
  for (const bool solid : {false, true})
  {
    const Folder folder;
    ring(solid).write(folder / "ring.msh");
    run_well(folder, of_mesh(solid ? 3 : 2) + cyclic(six) + clamp +
                         stages(section("free", "set Type = modes\nset Modes = 2\nset Nodal diameters = 2")));
    const std::vector<std::string> files = files_of(folder / "results/modes-free.pvd");
    ASSERT_EQ(files.size(), 2u);
    const auto grid = read_grid(files.front());
    EXPECT_EQ(grid->GetNumberOfCells(), 6 * 2 * 2);
    vtkDataArray *u = grid->GetPointData()->GetArray("displacement");
    std::map<std::array<long, 3>, std::array<double, 3>> at;
    double largest = 0, jump = 0;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    {
      std::array<double, 3> here{};
      u->GetTuple(i, here.data());
      const auto [other, is_new] = at.emplace(place(*grid, i), here);
      for (int d = 0; d < 3; ++d)
      {
        largest = std::max(largest, std::abs(here[d]));
        jump = std::max(jump, std::abs(here[d] - other->second[d]));
      }
    }
    const std::size_t rays = solid ? 12 : 24, nodes = solid ? 3 * 2 : 5;
    EXPECT_EQ(at.size(), rays * nodes) << "points of the whole";
    EXPECT_GT(largest, 0.1);
    EXPECT_LT(jump, 1e-5 * largest);
  }
}

/// CalculiX 2.20 of the same file; with n = 0 and n = N/2 it gives each mode twice. On this ring, which is one of revolution, n = N/2 has
/// two modes of each frequency.
TEST(Cyclic, OfFilesOfCalculiX)
{
  const auto step = [](const std::string &select) { return "*STEP\n*FREQUENCY, STORAGE=YES\n4\n" + select + "*END STEP\n"; };
  const std::string all = "*SELECT CYCLIC SYMMETRY MODES, NMIN=0, NMAX=3\n";
  const auto rows = rows_below(tables_of(file_of_ring + tie + six_sectors + held + step(all)), "(RAD/TIME)      (CYCLES/TIME)");
  const std::vector<std::vector<double>> reference{{170.3858, 187.5338, 2032.220},
                                                   {148.1730, 148.1730, 437.8335, 437.8335},
                                                   {159.8538, 159.8538, 1060.215, 1060.215},
                                                   {411.2580, 411.2580, 1804.384, 1804.384}};
  ASSERT_EQ(rows.size(), 16u);
  for (int n = 0; n <= 3; ++n)
    for (std::size_t i = 0; i < reference[n].size(); ++i)
    {
      EXPECT_EQ(rows[4 * n + i].at(0), n);
      EXPECT_EQ(rows[4 * n + i].at(1), i + 1.);
      EXPECT_NEAR(rows[4 * n + i].at(2), reference[n][i], 1e-6 * reference[n][i]) << n << " " << i;
    }
  EXPECT_EQ(rows_below(tables_of(file_of_ring + tie + six_sectors + held + step("")), "(RAD/TIME)      (CYCLES/TIME)").size(), 4u)
      << "n = 0";
  EXPECT_EQ(has(refusal_of(file_of_ring + tie + held + step("")), "CYCLIC SYMMETRY needs *CYCLIC SYMMETRY MODEL"), "");
  EXPECT_EQ(has(refusal_of(file_of_ring + six_sectors + held + step("")), "needs *TIE, CYCLIC SYMMETRY"), "");
  EXPECT_EQ(has(refusal_of(file_of_ring + held + step(all)), "needs *CYCLIC SYMMETRY MODEL and *TIE, CYCLIC SYMMETRY"), "");
  EXPECT_EQ(has(refusal_of(file_of_ring + tie + tie + six_sectors + held + step("")), "One sector has one cut and one axis"), "");
  EXPECT_EQ(has(refusal_of(file_of_ring + tie + "*CYCLIC SYMMETRY MODEL, N=6\n0., 0., 0., 0., 0., 0.\n" + held + step("")),
                "gives one point twice"),
            "");
  EXPECT_EQ(has(refusal_of(file_of_ring + tie + "*CYCLIC SYMMETRY MODEL\n0., 0., 0., 0., 0., 1.\n" + held + step("")), "needs N"), "");
  EXPECT_EQ(has(refusal_of(file_of_ring + tie + six_sectors + held + step("*SELECT CYCLIC SYMMETRY MODES, NMAX=4\n")), "is 0 to 3 here"),
            "");
  EXPECT_EQ(has(refusal_of(file_of_ring + tie + "*CYCLIC SYMMETRY MODEL, N=6, TIE=U\n0., 0., 0., 0., 0., 1.\n" + held + step("")),
                "is no *TIE, CYCLIC SYMMETRY"),
            "");
  EXPECT_EQ(has(refusal_of(file_of_ring + tie + six_sectors + held + static_step(all)), "chooses modes of *FREQUENCY"), "");
}

/// Steady vibration of a file in CalculiX 2.20; of its 8 modes with n = 0 and n = N/2 four are doubles, which is the difference of the part
/// in phase. The part across is of the lowest modes.
TEST(Cyclic, LoadedSectorsOfCalculiX)
{
  const auto sweep = [&](const std::string &loads, const std::string &model = file_of_ring + tie + six_sectors) {
    return model + held +
           "*STEP\n*FREQUENCY, STORAGE=YES\n8\n*SELECT CYCLIC SYMMETRY MODES, NMIN=0, NMAX=3\n*END STEP\n"
           "*STEP\n*STEADY STATE DYNAMICS\n0.5, 1.5, 2, 1.\n*MODAL DAMPING, RAYLEIGH\n, , 4.\n" +
           loads + "*NSET, NSET=SEEN\n15\n*NODE PRINT, NSET=SEEN\nU\n*END STEP\n";
  };
  const auto press = [](const std::string &sector, const double p = 1.) { return fmt::format("*DLOAD{}\n2, P2, {}\n", sector, p); };
  std::vector<std::vector<double>> rows;
  const std::string tables = tables_of(sweep(press(", SECTOR=2") + press(", SECTOR=5"))), title = "displacements (vx,vy,vz)";
  for (std::size_t at = tables.find(title); at != std::string::npos; at = tables.find(title, at + 1))
    rows.push_back(rows_below(tables.substr(at), title).at(0));
  const std::vector<std::vector<double>> reference{{-4.370300e-4, -1.063556e-3, 2.946757e-3},
                                                   {4.293845e-5, 1.204015e-4, -3.089925e-4},
                                                   {-7.624971e-4, -2.008287e-3, 5.324000e-3},
                                                   {5.122092e-4, 1.327502e-3, -3.558132e-3}};
  ASSERT_EQ(rows.size(), reference.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      EXPECT_NEAR(rows[i].at(1 + d), reference[i][d], (i % 2 == 0 ? 3e-3 : 1e-4) * std::abs(reference[i][2])) << i << d;
  EXPECT_EQ(has(refusal_of(sweep(press(", SECTOR=2") + press(", SECTOR=5", 3.))), "SECTOR=5"), "");
  EXPECT_EQ(has(refusal_of(sweep(press(", SECTOR=0"))), "is the number of a sector"), "");
  EXPECT_EQ(has(refusal_of(sweep(press(", SECTOR=7"))), "has 7, and there are 6 sectors"), "");
  for (const std::string load : {"*CLOAD, SECTOR=2\n15, 1, 1.\n", "*DLOAD, SECTOR=2\nBODY, GRAV, 1., 1., 0., 0.\n"})
    EXPECT_EQ(has(refusal_of(sweep(load)), "one direction in space"), "");
  const std::string shaken = sweep("*BASE MOTION, DOF=3, AMPLITUDE=A\n");
  EXPECT_NE(tables_of("*AMPLITUDE, NAME=A\n0., 1., 100., 1.\n" + shaken).find("displacements"), std::string::npos);
  EXPECT_EQ(has(refusal_of(sweep(press(", SECTOR=2"), file_of_ring)), "is of *STEADY STATE DYNAMICS"), "");
}
}  // namespace symdyn::tests::in_cyclic_input
