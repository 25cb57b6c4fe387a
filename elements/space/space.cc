#include "elements/space.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

Space::Partitioner expanded(const MPI::Partitioner &sites, const int block)
{
  const auto of_dofs = [&](const dealii::IndexSet &set) {
    dealii::IndexSet dofs(set.size() * block);
    for (auto range = set.begin_intervals(); range != set.end_intervals(); ++range)
      dofs.add_range(*range->begin() * block, (range->last() + 1) * block);
    dofs.compress();
    return dofs;
  };
  return std::make_shared<MPI::Partitioner>(of_dofs(sites.locally_owned_range()), of_dofs(sites.ghost_indices()),
                                            sites.get_mpi_communicator());
}

Space::Space(const int block, Partitioner sites, Partitioner dofs, std::vector<Place> places, std::vector<char> given_kinds,
             std::vector<std::uint64_t> identities)
    : components(block),
      of_sites(std::move(sites)),
      of_dofs(std::move(dofs)),
      X(std::move(places)),
      kinds(std::move(given_kinds)),
      of_dof(std::move(identities))
{
  std::vector<double> ends(6, -std::numeric_limits<double>::max());  // of the box; the least ones with the other sign
  for (int site = 0; site < owned(); ++site)
    for (int d = 0; d < 3 && !Space::is_director(site); ++d)
    {
      ends[d] = std::max(ends[d], X[site][d]);
      ends[3 + d] = std::max(ends[3 + d], -X[site][d]);
    }
  MPI::max(ends, of_sites->get_mpi_communicator(), ends);
  if (const double half = 0.5 * std::hypot(ends[0] + ends[3], ends[1] + ends[4], ends[2] + ends[5]); std::isfinite(half) && half > 0.)
    arm = half;
}

double Space::norm(const Vector &f) const
{
  if (!has_directors())
    return f.l2_norm();
  double sum = 0;
  for (int site = 0; site < owned(); ++site)
    for (int d = 0; d < components; ++d)
      sum += std::pow(weight(site) * f.local_element(components * site + d), 2);
  return std::sqrt(MPI::sum(sum, communicator()));
}

std::vector<std::string> Space::momenta() const
{
  if (components == 1)
    return {"P_x"};
  if (components == 2)
    return {"P_x", "P_y", "J_z"};
  return {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"};
}

void Space::generator(const std::size_t i, const Vector &q, Vector &xi) const
{
  const int n = components;
  const int first = n == 2 ? 0 : (int(i) - n + 1) % 3, second = n == 2 ? 1 : (int(i) - n + 2) % 3;  // of the plane that turns
  xi = 0.;
  for (int site = 0; site < owned(); ++site)
    if (int(i) < n)
      xi.local_element(n * site + i) = is_director(site) ? 0. : 1.;
    else if (!is_amplitudes(site))
    {
      xi.local_element(n * site + first) = -(X[site][second] + q.local_element(n * site + second));
      xi.local_element(n * site + second) = X[site][first] + q.local_element(n * site + first);
    }
  xi.update_ghost_values();
}

Vector Space::irregular() const
{
  Vector x = new_vector();
  const auto first = of_dofs->local_range().first;
  for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
    x.local_element(i) = std::sin(1. + 12.9898 * (i + first));
  return x;
}
}  // namespace symdyn
