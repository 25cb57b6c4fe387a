#include "solver/stages/nodal_diameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "solver/base/number.h"

namespace symdyn
{
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
