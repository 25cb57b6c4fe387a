#include "elements/gram/director_term.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>

namespace symdyn
{
namespace
{
constexpr double shortest = 0.5, longest = 2.;
double margin_of(const double length) { return std::min(length - shortest, longest - length); }
}  // namespace

DirectorTerm::DirectorTerm(const std::vector<PlannedElement> &planned, const PlannedSites &sites, const std::vector<GramVector> &places,
                           const bool linear)
    : GramTerm(planned, sites, 0., linear)
{
  for (std::size_t i = 0; i < planned.size(); ++i)
    if (sites.owns(planned[i].vectors.front().front().first))
      at.push_back(places[i]);
}

double DirectorTerm::margin(const Vector &q) const
{
  double least = always_admissible;
  if (is_linear())
    return least;  // displacements of any size are admissible
  for (const Local &local : mine())
    for (const GramVector &d : present(local, q))
      least = std::min(least, margin_of(norm(d)));
  return least;
}

double DirectorTerm::add_force(const At &here, Vector &f) const
{
  GramTerm::add_force(here, f);
  return margin(*here.q);
}

double DirectorTerm::add_discrete_gradient(const At &here, Vector &f) const
{
  GramTerm::add_discrete_gradient(here, f);
  return margin(*here.q);
}

std::string DirectorTerm::diagnose(const Vector &q) const
{
  for (std::size_t i = 0; i < at.size() && !is_linear(); ++i)
    for (const GramVector &d : present(mine()[i], q))
      if (!(margin_of(norm(d)) > 0.))
        return fmt::format(
            "a director of the beam or shell at X = ({:.4g}, {:.4g}, {:.4g}) m has the length {:.3g}, and must stay in [{:g}, {:g}]",
            at[i][0], at[i][1], at[i][2], norm(d), shortest, longest);
  return "";
}

double DirectorTerm::error(const Vector &q) const
{
  double error = 0;
  for (const Local &local : mine())
  {
    const GramElement::Vectors d = present(local, q);
    for (std::size_t i = 0; i < d.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        error = std::max(error, std::abs(dot(d[i], d[j]) - (i == j ? 1. : 0.)));
  }
  return dealii::Utilities::MPI::max(error, q.get_mpi_communicator());
}
}  // namespace symdyn
