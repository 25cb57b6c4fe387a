// Harmonic loads on sectors with cyclic symmetry: engine orders, and loads on some sectors, against the whole.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <complex>

#include "tests/compare.h"
#include "tests/sector_decks.h"

namespace symdyn::tests::in_cyclic_harmonic
{
using namespace sectors;
namespace
{
Table response(const RingMesh &mesh, const std::string &deck)
{
  const Folder folder;
  run_ring(folder, mesh, deck);
  return table_of(folder / "results/harmonic-swing.csv");
}
/// The largest of complex amplitudes of the rim's displacement, beside its size.
double difference(const Table &found, const Table &whole)
{
  double largest = 0;
  for (const std::string column : {"rim.u_x", "rim.u_y"})
    for (std::size_t i = 0; i < whole.at("frequency").size(); ++i)
    {
      const auto at = [&](const Table &table) {
        return std::polar(table.at("amplitude " + column)[i], table.at("phase " + column)[i] * std::acos(-1.) / 180.);
      };
      largest = std::max(largest, std::abs(at(found) - at(whole)) / whole.at("amplitude rim.u_x")[i]);
    }
  return largest;
}
}  // namespace

/// Loads e_r e^(i k theta) around the whole, and of a sector with Engine order = k: the same answer, in phase too; an order of the same n
/// that travels the other way has another one.
TEST(Cyclic, EngineOrdersOfTheWhole)
{
  const auto loaded = [](const int k) {
    const auto wave = [k](const std::string &part) {
      const std::string of = fmt::format("{}({}*atan2(y, x))/sqrt(x*x + y*y)", part, k);
      return "set Type = traction\nset Boundary = rim\nset Traction = x*" + of + ", y*" + of;
    };
    return section("Loads", section("ahead", wave("cos")) + section("quarter", wave("sin")));
  };
  const auto swing = [](const std::string &more) {
    return section("Damping", "set Stiffness proportional = 0.05") + section("Probes", section("rim", "set Point = 1.15, 0")) +
           stages(
               section("swing", "set Type = harmonic\nset Imaginary loads = quarter\nset Frequencies = 0.2, 0.4\nset Points = 3\n" + more));
  };
  for (const auto &[k, n] : std::map<int, int>{{2, 2}, {10, 2}, {12, 0}, {18, 6}})
  {
    const Table whole = response(annulus(12), of_annulus + loaded(k) + swing(""));
    const std::string sector = of_annulus + loaded(k) + symmetry(12);
    for (const std::string &method : {std::string(), std::string("set Method = fast\n")})
    {
      const Table found = response(annulus(1), sector + swing(method + fmt::format("set Engine order = {}", k)));
      EXPECT_LT(difference(found, whole), 1e-5) << k;
    }
    const Table other = response(annulus(1), sector + swing(fmt::format("set Engine order = {}", k == 2 || k == 10 ? -k : 1)));
    EXPECT_GT(std::abs(other.at("amplitude rim.u_x")[1] / whole.at("amplitude rim.u_x")[1] - 1.), 1e-2) << k << n;
  }
}

/// A load on two sectors of the whole, and of a sector with Loaded sectors; on another one the answer is another.
TEST(Cyclic, LoadedSectorsOfTheWhole)
{
  const auto loaded = [](const std::string &where) {
    const std::string size = "*sin(6*atan2(y, x))^2*(" + where + ")";
    return section("Loads", section("ahead", "set Type = traction\nset Boundary = rim\nset Traction = x" + size + ", y" + size));
  };
  const auto swing = [](const std::string &more) {
    return section("Damping", "set Stiffness proportional = 0.05") + section("Probes", section("rim", "set Point = 1.15, 0")) +
           stages(section("swing", "set Type = harmonic\nset Frequencies = 0.2, 0.4\nset Points = 3\n" + more));
  };
  const std::string angle = "atan2(y, x)/pi",
                    whole =
                        of_annulus + loaded("(" + angle + " > 0 && " + angle + " < 1/6) || (" + angle + " > 1/2 && " + angle + " < 2/3)"),
                    sector = of_annulus + loaded("1") + symmetry(12);
  const Table exact = response(annulus(12), whole + swing(""));
  for (const std::string &method : {std::string(), std::string("set Method = modal\nset Modes = 60\n")})
  {
    EXPECT_LT(difference(response(annulus(1), sector + swing(method + "set Loaded sectors = 4, 1")), exact), method.empty() ? 1e-5 : 1e-3);
    EXPECT_GT(difference(response(annulus(1), sector + swing(method + "set Loaded sectors = 1")), exact), 0.01);
    std::string exchanged = sector;
    exchanged.replace(exchanged.find("Low = low"), 9, "Low = high");
    exchanged.replace(exchanged.find("High = high"), 11, "High = low");
    EXPECT_LT(difference(response(annulus(1), exchanged + swing(method + "set Loaded sectors = 10, 1")), exact),
              method.empty() ? 1e-5 : 1e-3);
    EXPECT_GT(difference(response(annulus(1), sector + swing(method + "set Loaded sectors = 1, 4\nset Nodal diameters = 0, 1, 2, 3, 5, 6")),
                         exact),
              0.01);
  }
}

/// The table of interference: omega = k Omega, for orders whose n the mode has.
TEST(Cyclic, InterferenceOfEngineOrders)
{
  const Folder folder;
  run_ring(folder, annulus(1),
           of_annulus + symmetry(12) + stages(find_modes_of(2, "set Engine orders = 2, 10, 13, 24\nset Rotor speed = 0.5")));
  const Table found = table_of(folder / "results/modes-free-interference.csv"), modes = table_of(folder / "results/modes-free.csv");
  std::map<std::pair<double, double>, double> directions;
  for (std::size_t i = 0; i < found.at("mode").size(); ++i)
  {
    const double k = found.at("engine order")[i], n = found.at("nodal diameters")[i];
    const std::size_t mode = std::size_t(found.at("mode")[i]) - 1;
    EXPECT_EQ(modes.at("nodal diameters")[mode], n);
    EXPECT_NEAR(found.at("speed of resonance")[i] * k, modes.at("omega")[mode], 1e-12);
    EXPECT_NEAR(found.at("margin")[i], modes.at("omega")[mode] / (0.5 * k) - 1., 1e-12);
    directions[{k, n}] = found.at("direction of travel")[i];
  }
  EXPECT_EQ(directions, (std::map<std::pair<double, double>, double>{{{2., 2.}, -1.}, {{10., 2.}, 1.}, {{13., 1.}, -1.}, {{24., 0.}, 0.}}));
}
}  // namespace symdyn::tests::in_cyclic_harmonic
