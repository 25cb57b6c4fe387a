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
}  // namespace symdyn
