#include "solver/stages/nodal_diameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/base/number.h"
#include "solver/base/plain_units.h"

namespace symdyn
{
FoldedOrder folded(const long order, const int sectors)
{
  const int m = int((order % sectors + sectors) % sectors);
  if (2 * m > sectors)
    return {sectors - m, 1};
  return {m, m == 0 || 2 * m == sectors ? 0 : -1};
}

void LoadsOfSectors::declare(Parameters &p)
{
  deck = p;
  std::vector<std::string> given;
  p.add(
      "Engine order", order,
      "k of a sector with Cyclic symmetry: the loads of each sector are k 360/Sectors degrees ahead of those of the sector before it, as of a "
      "rotor that turns about Axis through k waves at rest; below 0: behind");
  p.add(
      "Loaded sectors", given,
      "or: numbers of the sectors on which the loads stand, turned with them; 1: that of the deck, 2: behind High, and so on. The answers of all "
      "Nodal diameters are added");
  diameters.declare(p);
  for (const std::string &one : given)
  {
    const auto number = number_from<long>(one);
    if (!number || *number < 1)
      p.fail("Loaded sectors", fmt::format("'{}' is no number from 1 on. Give numbers of sectors, as 1, 5", one));
    if (std::count(loaded.begin(), loaded.end(), *number) > 0)
      p.fail("Loaded sectors", fmt::format("has {} twice. Give each number once", one));
    loaded.push_back(*number);
  }
  if (loaded.empty() && p.given("Loaded sectors"))
    p.fail("Loaded sectors", "is empty. Give numbers of sectors, or remove the entry");
  if (!loaded.empty() && p.given("Engine order"))
    p.fail("Loaded sectors", "and Engine order exclude each other: an order loads all sectors. Remove one");
}

std::vector<FoldedOrder> LoadsOfSectors::patterns(const CyclicSector *sector) const
{
  for (const char *entry : {"Engine order", "Loaded sectors"})
    if (!sector && deck->given(entry))
      deck->fail(entry, "is of a sector, and the deck has no section Cyclic symmetry. Add it, or remove the entry");
  if (loaded.empty() && diameters.are_given())
    deck->fail("Nodal diameters", "are of Loaded sectors; loads of an Engine order have one number. Add those, or remove the entry");
  if (!sector)
    return {{0, 0}};
  if (loaded.empty())
    return {folded(order, sector->sectors())};
  for (const long number : loaded)
    if (number > sector->sectors())
      deck->fail("Loaded sectors", fmt::format("has {}, and there are {} sectors", number, sector->sectors()));
  std::vector<FoldedOrder> all;
  for (const int n : diameters.of(sector))
    all.push_back({n, 0});
  return all;
}

std::pair<std::complex<double>, std::complex<double>> LoadsOfSectors::parts(const FoldedOrder &pattern, const CyclicSector &sector) const
{
  if (loaded.empty())
    return {1., {0., double(pattern.direction)}};
  const int N = sector.sectors(), n = pattern.diameters;
  const double alpha = 2. * std::acos(-1.) / N, share = n == 0 || 2 * n == N ? 1. / N : 2. / N;
  std::complex<double> c, s;
  for (const long number : loaded)
  {
    const double angle = sector.sense() * n * alpha * double(number - 1);
    c += share * std::cos(angle);
    s -= share * std::sin(angle);
  }
  return {c, s};
}

std::string LoadsOfSectors::in_words(const CyclicSector &sector) const
{
  constexpr double full = 360.;
  if (of_single_sectors())
    return fmt::format("loads on {} {} of {}: the answers of {} nodal diameters are added", loaded.size() > 1 ? "sectors" : "sector",
                       fmt::join(loaded, ", "), sector.sectors(), fmt::join(diameters.of(&sector), ", "));
  const FoldedOrder found = folded(order, sector.sectors());
  return fmt::format(
      "engine order {} of {} sectors: {} nodal diameters, {}; the loads of each sector are {:.6g} degrees ahead of those of the "
      "one before",
      order, sector.sectors(), found.diameters,
      found.direction == 0  ? "which do not travel"
      : found.direction > 0 ? "which travel along the sense of Axis"
                            : "which travel against the sense of Axis",
      full * double(order) / sector.sectors());
}

void EngineOrders::declare(Parameters &p)
{
  deck = p;
  std::vector<std::string> given;
  p.add(
      "Engine orders", given,
      "of a sector with Cyclic symmetry: numbers k of waves at rest through which a rotor turns; the file modes-STAGE-interference.csv has the "
      "speed at which each of them is in resonance with modes of its nodal diameters");
  p.add("Rotor speed", speed, "with them: of the rotor [rad/s]; how far each mode is from the frequency k of it", positive());
  for (const std::string &one : given)
  {
    const auto k = number_from<long>(one);
    if (!k || *k < 1)
      p.fail("Engine orders", fmt::format("'{}' is no number from 1 on. Give numbers of waves, as 8, 16", one));
    orders.push_back(*k);
  }
  if (p.given("Rotor speed") && orders.empty())
    p.fail("Rotor speed", "has no effect without Engine orders. Give both, or remove the entry");
}

void EngineOrders::check(const CyclicSector *sector) const
{
  if (!sector && any())
    deck->fail("Engine orders", "are of a sector, and the deck has no section Cyclic symmetry. Add it, or remove the entry");
}

std::string EngineOrders::table(const Modes &modes, const std::vector<int> &diameters, const int sectors, const Units &units) const
{
  std::string text = fmt::format("mode,nodal diameters [-],frequency [{}],engine order [-],direction of travel [-],{}{}\n", hertz(units),
                                 with_plain_unit("speed of resonance [rad/" + units.time + "]"),
                                 speed > 0. ? fmt::format(",frequency of the order [{}],margin [-]", hertz(units)) : "");
  for (std::size_t i = 0; i < modes.size(); ++i)
    for (const long k : orders)
      if (const FoldedOrder order = folded(k, sectors); order.diameters == diameters[i] && modes.kinds[i] == Modes::vibration)
      {
        text += fmt::format("{},{},{},{},{},{}", i + 1, diameters[i], modes.frequency(i), k, order.direction, modes.omega(i) / double(k));
        const double driving = double(k) * speed / (2. * std::acos(-1.));
        text += speed > 0. ? fmt::format(",{},{}\n", driving, modes.frequency(i) / driving - 1.) : "\n";
      }
  return text;
}

void NodalDiameters::declare(Parameters &p)
{
  deck = p;
  p.add("Nodal diameters", given,
        "of a sector with Cyclic symmetry: numbers n of nodal diameters, from 0 to half of its Sectors; all: each of these");
}

std::vector<int> NodalDiameters::of(const CyclicSector *sector) const
{
  if (!sector)
  {
    if (deck->given("Nodal diameters"))
      deck->fail("Nodal diameters", "is of a sector, and the deck has no section Cyclic symmetry. Add it, or remove the entry");
    return {};
  }
  const int most = sector->sectors() / 2;
  std::vector<int> numbers;
  if (given.size() == 1 && given.front() == "all")
  {
    numbers.resize(most + 1);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }
  for (const std::string &one : given)
  {
    const auto n = number_from<int>(one);
    if (!n)
      deck->fail("Nodal diameters", fmt::format("'{}' is no number. Give `all`, or numbers from 0 to {}", one, most));
    if (*n < 0 || *n > most)
      deck->fail("Nodal diameters", fmt::format("a whole of {} sectors has 0 to {} nodal diameters, not {}: a pattern of more is that of "
                                                "fewer at the places of the sectors. Give numbers up to {}",
                                                sector->sectors(), most, *n, most));
    if (std::count(numbers.begin(), numbers.end(), *n) > 0)
      deck->fail("Nodal diameters", fmt::format("has {} twice. Give each number once", *n));
    numbers.push_back(*n);
  }
  if (numbers.empty())
    deck->fail("Nodal diameters", "is empty. Give numbers, or `all`");
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}
}  // namespace symdyn
