#include "elements/system/node_mass.h"

#include <deal.II/base/mpi.h>
#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace symdyn
{
namespace
{
std::vector<double> inverse_by_rows(const std::vector<double> &A, const int n)
{
  dealii::FullMatrix<double> matrix(n, n, A.data());
  matrix.gauss_jordan();
  std::vector<double> inverse;
  for (int i = 0; i < n; ++i)
    inverse.insert(inverse.end(), matrix.begin(i), matrix.end(i));
  return inverse;
}

/// Sites that pairs join, directly or by others: the representative of each.
std::vector<int> representatives_of(const int owned, const std::vector<PairMass> &pairs)
{
  std::vector<int> root(owned);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&root](int site) {
    while (root[site] != site)
      site = root[site] = root[root[site]];
    return site;
  };
  for (const auto &[row, column, mass] : pairs)
    if (column < owned)
      root[find(row)] = find(column);
  for (int &site : root)
    site = find(site);
  return root;
}
}  // namespace

NodeMass::NodeMass(const Space &space, std::vector<double> diagonal) : space(space), inverse_diagonal(std::move(diagonal))
{
  for (double &mass : inverse_diagonal)
    mass = mass > 0. ? 1. / mass : 0.;
}

std::unique_ptr<NodeMass> NodeMass::make(const Space &space, const std::vector<double> &diagonal, const std::vector<PairMass> &pairs)
{
  constexpr std::size_t most = 16;  // sites of a node: a place, and up to three directors of each side of a hinge
  const int owned = space.owned();
  const std::vector<int> root = representatives_of(owned, pairs);
  std::map<int, std::vector<int>> members;
  for (const auto &[row, column, mass] : pairs)
    if (row != column)
      members[root[row]];
  for (int site = 0; site < owned; ++site)
    if (const auto at = members.find(root[site]); at != members.end())
      at->second.push_back(site);
  const bool too_far = std::any_of(pairs.begin(), pairs.end(), [owned](const PairMass &one) { return one.column >= owned; }) ||
                       std::any_of(members.begin(), members.end(), [most](const auto &one) { return one.second.size() > most; });
  if (dealii::Utilities::MPI::max(int(too_far), space.communicator()) == 1)
    return nullptr;
  std::unique_ptr<NodeMass> found(new NodeMass(space, diagonal));
  std::vector<std::pair<int, int>> place(owned, {-1, -1});  // of a site: its group, and where it stands there
  for (auto &[representative, sites] : members)
  {
    for (std::size_t i = 0; i < sites.size(); ++i)
      place[sites[i]] = {int(found->groups.size()), int(i)};
    std::vector<double> mass(sites.size() * sites.size(), 0.);
    for (std::size_t i = 0; i < sites.size(); ++i)
      mass[i * sites.size() + i] = diagonal[sites[i]];
    found->groups.push_back({std::move(sites), std::move(mass), {}, {}});
  }
  for (const auto &[row, column, value] : pairs)
    if (row != column)
    {
      Group &group = found->groups[place[row].first];
      group.mass[place[row].second * group.sites.size() + place[column].second] += value;
    }
  for (Group &group : found->groups)
    group.inverse = inverse_by_rows(group.mass, int(group.sites.size()));
  return found;
}

void NodeMass::find_held(const Project &project) const
{
  constexpr double rounding = 1e-12;
  const int n = space.block();
  std::vector<Vector> columns(n, space.new_vector());
  for (int d = 0; d < n; ++d)
  {
    for (unsigned int i = d; i < columns[d].locally_owned_size(); i += n)
      columns[d].local_element(i) = 1.;
    project(columns[d]);
  }
  for (Group &group : groups)
  {
    group.of_free.clear();
    const int size = n * int(group.sites.size());
    std::vector<double> P(size * size, 0.), A(size * size, 0.);
    bool any = false;
    for (int i = 0; i < size; ++i)
      for (int d = 0; d < n; ++d)
      {
        const double entry = columns[d].local_element(n * group.sites[i / n] + i % n);
        P[i * size + n * (i / n) + d] = entry;
        any = any || std::abs(entry - (i % n == d ? 1. : 0.)) > rounding;
      }
    if (!any)
      continue;
    const int sites = int(group.sites.size());
    for (int i = 0; i < size; ++i)  // P M P + m (1 - P), m of the site
      for (int j = 0; j < size; ++j)
      {
        const int row = i / n, column = j / n;
        for (int d = 0; d < n; ++d)
          A[i * size + j] += P[i * size + n * row + d] * group.mass[row * sites + column] * P[(n * column + d) * size + j];
        if (row == column)
          A[i * size + j] += group.mass[row * sites + row] * ((i == j ? 1. : 0.) - P[i * size + j]);
      }
    group.of_free = inverse_by_rows(A, size);
  }
  has_held = true;
}

void NodeMass::solve(const Vector &p, const Project &project, Vector &v) const
{
  if (!has_held)
    find_held(project);
  const int n = space.block();
  Vector free(p);
  free.zero_out_ghost_values();
  project(free);
  for (unsigned int i = 0; i < v.locally_owned_size(); ++i)
    v.local_element(i) = inverse_diagonal[i / n] * free.local_element(i);
  for (const Group &group : groups)
  {
    const int sites = int(group.sites.size()), size = n * sites;
    for (int i = 0; i < size; ++i)
    {
      double sum = 0;
      if (group.of_free.empty())
        for (int j = 0; j < sites; ++j)
          sum += group.inverse[i / n * sites + j] * free.local_element(n * group.sites[j] + i % n);
      else
        for (int j = 0; j < size; ++j)
          sum += group.of_free[i * size + j] * free.local_element(n * group.sites[j / n] + j % n);
      v.local_element(n * group.sites[i / n] + i % n) = sum;
    }
  }
  project(v);
}
}  // namespace symdyn
