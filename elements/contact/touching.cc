#include "elements/contact/touching.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

namespace symdyn
{
std::string TouchingTerm::frozen(const At &at) const
{
  const ContactSums mine = sums(*at.q, at.from);
  const MPI_Comm ranks = at.q->get_mpi_communicator();
  const double area = dealii::Utilities::MPI::sum(mine.area, ranks), energy = dealii::Utilities::MPI::sum(mine.energy, ranks);
  if (area > 0. || energy > 0.)
    return fmt::format("{}, closed over {:.4g}{}", name, area, units.length == "1" ? "" : " " + units.length + "^2");
  constexpr double far = 1e299;  // nothing is near
  const double gap = dealii::Utilities::MPI::min(mine.gap, ranks);
  return name + ", open" + (gap < far ? " by " + units.in_length(gap) : "");
}

BegunContact TouchingTerm::begun(const Vector &q) const
{
  const MPI_Comm ranks = q.get_mpi_communicator();
  BegunContact start{name, dealii::Utilities::MPI::sum(sums(q, nullptr).energy, ranks)};
  std::pair<double, Place> deepest{};
  for (const auto &one : dealii::Utilities::MPI::all_gather(ranks, too_deep(q)))
    deepest = std::max(deepest, one);
  if (deepest.first > 0.)
  {
    const auto [first, second] = sides();
    const std::string depth = units.in_length(deepest.first), place = units.at_place(deepest.second);
    start.refusal = second.empty() ? fmt::format("bodies of '{}' are in each other by at least {} at {}", first, depth, place)
                                   : fmt::format("'{}' is {} behind '{}' at {}", first, depth, second, place);
  }
  return start;
}
}  // namespace symdyn
