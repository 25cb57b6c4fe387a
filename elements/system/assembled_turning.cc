#include <deal.II/base/mpi.h>

#include "elements/rotors/at_speed.h"
#include "elements/system/assembled_system.h"

// The system in a frame that turns at another speed.
namespace symdyn
{
CopiedSystem AssembledSystem::turning(const State &about, const double speed, const Vector &u, const double factor) const
{
  Parts more = factor != 0. ? with_stresses(about, u, factor) : parts;
  more.rotation = parts.rotation->at_speed(speed);
  for (auto &term : more.terms)
    if (const auto *bearing = dynamic_cast<const TermAtSpeed *>(term.get()))
      term = bearing->at_speed(speed);
  for (LoadInUse &use : more.loads)
    if (const auto *unbalance = dynamic_cast<const LoadAtSpeed *>(use.load.get()))
      use.load = unbalance->at_speed(speed);
  return copied(std::move(more), about);
}

std::string AssembledSystem::uneven_bearing() const
{
  std::string first;
  each_bearing(parts.terms, [&first](const TermAtSpeed &bearing) {
    if (first.empty() && bearing.is_uneven())
      first = bearing.node().where;
  });
  return first;
}

std::optional<int> AssembledSystem::waves(const Vector &real, const Vector &imaginary) const
{
  if (!turning_waves)
    turning_waves = std::make_unique<const TurningWaves>(*parts.space, parts.rotation);
  return turning_waves->number(real, imaginary);
}

std::vector<Station> AssembledSystem::stations(const Vector &u) const
{
  std::vector<Station> all;
  const auto e = parts.rotation->directions();
  const int n = parts.space->block();
  const auto add = [&](const RotorNode &node) {
    Station station{node.name, {}};
    for (int d = 0; d < 2; ++d)
    {
      for (int i = 0; i < n && node.site >= 0; ++i)
        station.orbit[d] += e[d][i] * u.local_element(n * node.site + i);
      station.orbit[d] = dealii::Utilities::MPI::sum(station.orbit[d], parts.space->communicator());
    }
    all.push_back(station);
  };
  each_bearing(parts.terms, [&add](const TermAtSpeed &bearing) { add(bearing.node()); });
  for (const LoadInUse &use : parts.loads)
    if (const auto *unbalance = dynamic_cast<const LoadAtSpeed *>(use.load.get()))
      add(unbalance->node());
  return all;
}
}  // namespace symdyn
