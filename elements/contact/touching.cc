#include "elements/contact/touching.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

namespace symdyn
{
std::string TouchingTerm::frozen(const At &at) const
{
  const double area = dealii::Utilities::MPI::sum(sums(*at.q, at.from).area, at.q->get_mpi_communicator());
  return area > 0. ? fmt::format("{}, closed over {:.4g} m^2", name, area) : name + ", open";
}

std::string TouchingTerm::way_out(const double stiffness) const
{
  constexpr double more = 4.;
  return fmt::format("Halve the steps or increments, or make [Contact/{}] stiffer: k = {:.3g} Pa/m", name, more * stiffness);
}
}  // namespace symdyn
