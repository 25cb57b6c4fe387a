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
  return area > 0. || energy > 0. ? fmt::format("{}, closed over {:.4g} m^2", name, area) : name + ", open";
}

std::string TouchingTerm::way_out(const double stiffness) const
{
  constexpr double more = 4.;
  return fmt::format("Halve the steps or increments, or make [Contact/{}] stiffer{}", name,
                     stiffness > 0. ? fmt::format(": k = {:.3g} Pa/m", more * stiffness) : "");
}
}  // namespace symdyn
