#include "elements/gram/director_term.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>

namespace symdyn
{
namespace
{
constexpr double shortest = 0.5, longest = 2.;
Wide lower_of(const Wide &a, const Wide &b)
{
  Wide low;
  for (int lane = 0; lane < lanes; ++lane)
    low.set(lane, std::min(a[lane], b[lane]));
  return low;
}
}  // namespace

DirectorTerm::DirectorTerm(const Make &planned, const PlannedSites &sites, const std::vector<GramVector> &places, const bool linear)
    : GramTerm(places.size(), planned, sites, 0., linear)
{
  for (std::size_t i = 0; i < places.size(); ++i)
    if (sites.owns(planned(i).vectors.front().front().first))
      at.push_back(places[i]);
}

Wide DirectorTerm::margin(const std::vector<Triple<Wide>> &y) const
{
  Wide least = always_admissible;
  for (const Triple<Wide> &d : y)
    if (!is_linear())  // where displacements of any size are admissible
    {
      const Wide length = sqrt(dot(d, d));
      least = lower_of(least, lower_of(length - shortest, longest - length));
    }
  return least;
}

std::string DirectorTerm::diagnose(const Vector &q) const
{
  std::string fault;
  visit(q, nullptr, [&](const Seen &node) {
    for (const GramVector &d : node.y)
      if (const double length = norm(d); fault.empty() && !is_linear() && !(length > shortest && length < longest))
        fault = fmt::format(
            "a director of the beam or shell at X = ({:.4g}, {:.4g}, {:.4g}) m has the length {:.3g}, and must stay in [{:g}, {:g}]",
            at[node.number][0], at[node.number][1], at[node.number][2], length, shortest, longest);
  });
  return fault;
}

double DirectorTerm::error(const Vector &q) const
{
  double error = 0;
  visit(q, nullptr, [&](const Seen &node) {
    for (std::size_t i = 0; i < node.y.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        error = std::max(error, std::abs(dot(node.y[i], node.y[j]) - (i == j ? 1. : 0.)));
  });
  return dealii::Utilities::MPI::max(error, q.get_mpi_communicator());
}
}  // namespace symdyn
