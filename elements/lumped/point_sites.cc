#include "elements/lumped/point_sites.h"

#include <deal.II/base/mpi.h>

#include <algorithm>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

PointSites::PointSites(std::shared_ptr<const Space> space, const LumpedParts &parts, std::vector<std::int64_t> number)
    : of_space(std::move(space)),
      n(parts.dimension),
      parallel(MPI::n_mpi_processes(of_space->communicator()) > 1),
      numbers(std::move(number))
{
  const auto &sites = *of_space->sites();
  for (std::size_t k = 0; k < numbers.size(); ++k)
  {
    const bool here = sites.in_local_range(numbers[k]) || sites.is_ghost_entry(numbers[k]);
    at.push_back(here ? int(sites.global_to_local(numbers[k])) : -1);
    own.push_back(parts.points[k].node < 0);
    if (here)
      known_points.push_back(int(k));
  }
}

dealii::IndexSet PointSites::needed(const LumpedParts &parts, const std::vector<std::int64_t> &number, const std::uint64_t begin,
                                    const std::uint64_t end, const std::uint64_t sites)
{
  dealii::IndexSet ghosts(sites);
  const auto owned = [&](const std::int64_t site) { return std::uint64_t(site) >= begin && std::uint64_t(site) < end; };
  parts.couple([&](const int k, const int l) {
    for (const auto &[mine, other] : {std::pair{number[k], number[l]}, {number[l], number[k]}})
      if (owned(mine) && !owned(other))
        ghosts.add_index(other);
  });
  ghosts.compress();
  return ghosts;
}

std::vector<double> PointSites::gather(const Vector &x) const
{
  std::vector<double> w(n * at.size(), 0.);
  for (std::size_t k = 0; k < at.size(); ++k)
    if (owns(k))
      std::copy_n(x.begin() + n * at[k], n, w.begin() + n * k);
  if (parallel)  // one rank owns each
    MPI::sum(w, of_space->communicator(), w);
  return w;
}

void PointSites::add(const double *w, Vector &x) const
{
  for (std::size_t k = 0; k < at.size(); ++k)
    if (owns(k))
      for (int d = 0; d < n; ++d)
        x.local_element(n * at[k] + d) += w[n * k + d];
}

void PointSites::assign_own(const std::vector<double> &w, Vector &x) const
{
  for (std::size_t k = 0; k < at.size(); ++k)
    if (own[k] && owns(k))
      std::copy_n(w.begin() + n * k, n, x.begin() + n * at[k]);
}
}  // namespace symdyn
