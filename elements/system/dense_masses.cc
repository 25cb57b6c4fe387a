#include "elements/system/dense_masses.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

DenseMasses::DenseMasses(const Space &space, std::vector<DenseMass> masses, std::vector<double> others)
    : space(space), given(std::move(masses)), others(std::move(others))
{
  std::set<std::uint64_t> all;
  for (const DenseMass &one : given)
  {
    blocks.emplace_back(space, one.sites, one.mass);
    all.insert(one.sites.begin(), one.sites.end());
  }
  sites.assign(all.begin(), all.end());
}

void DenseMasses::add_product(const double m, const Vector &x, Vector &y) const
{
  for (const DenseBlock &block : blocks)
    block.add_product(m, x, y);
}

void DenseMasses::add_to(const double m, const BlockMatrix &A) const
{
  for (const DenseBlock &block : blocks)
    block.add_to(m, A);
}

void DenseMasses::add_diagonal(std::vector<double> &diagonal) const
{
  const int n = space.block();
  for (const DenseBlock &block : blocks)
    block.for_rows([&](const std::size_t row, const int dof) { diagonal[dof / n] += block.diagonal(row) / n; });
}

std::vector<double> DenseMasses::gathered(const Vector &x) const
{
  const int n = space.block();
  std::vector<double> all(n * sites.size(), 0.);
  const auto &of_space = *space.sites();
  for (std::size_t a = 0; a < sites.size(); ++a)
    for (int d = 0; d < n && of_space.in_local_range(sites[a]); ++d)
      all[n * a + d] = x.local_element(n * of_space.global_to_local(sites[a]) + d);
  MPI::sum(all, space.communicator(), all);
  return all;
}

std::vector<double> DenseMasses::matrix() const
{
  const int n = space.block();
  const std::size_t size = n * sites.size();
  Vector diagonal = space.new_vector();
  for (std::size_t i = 0; i < n * others.size(); ++i)
    diagonal.local_element(i) = others[i / n];
  const std::vector<double> of_others = gathered(diagonal);
  std::vector<double> A(size * size, 0.);
  for (std::size_t i = 0; i < size; ++i)
    A[i * size + i] = of_others[i];
  for (const DenseMass &one : given)
  {
    std::vector<std::size_t> place;
    for (const std::uint64_t site : one.sites)
      for (int d = 0; d < n; ++d)
        place.push_back(n * (std::lower_bound(sites.begin(), sites.end(), site) - sites.begin()) + d);
    for (std::size_t i = 0; i < place.size(); ++i)
      for (std::size_t j = 0; j < place.size(); ++j)
        A[place[i] * size + place[j]] += one.mass[i * place.size() + j];
  }
  return A;
}

void DenseMasses::hold(const Project &project, std::vector<double> &A) const
{
  const int n = space.block();
  const std::size_t size = n * sites.size();
  std::vector<std::vector<double>> P;  // column d of the block of each site
  for (int d = 0; d < n; ++d)
  {
    Vector column = space.new_vector();
    for (unsigned int i = d; i < column.locally_owned_size(); i += n)
      column.local_element(i) = 1.;
    project(column);
    P.push_back(gathered(column));
  }
  std::vector<double> mean(sites.size(), 0.), PA(size * size, 0.);
  for (std::size_t i = 0; i < size; ++i)
    mean[i / n] += A[i * size + i] / n;
  for (std::size_t i = 0; i < size; ++i)
    for (int d = 0; d < n; ++d)
      for (std::size_t j = 0; j < size; ++j)
        PA[i * size + j] += P[d][i] * A[(n * (i / n) + d) * size + j];
  std::fill(A.begin(), A.end(), 0.);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      for (int d = 0; d < n; ++d)
        A[i * size + j] += PA[i * size + n * (j / n) + d] * P[d][j];  // P is symmetric
  for (std::size_t i = 0; i < size; ++i)
    for (int d = 0; d < n; ++d)
      A[i * size + n * (i / n) + d] += mean[i / n] * ((int(i) % n == d ? 1. : 0.) - P[d][i]);
}

std::vector<double> DenseMasses::factor(const Project &project) const
{
  constexpr double rounding = 1e-14;
  std::vector<double> L = matrix();
  if (project)
    hold(project, L);
  const std::size_t size = space.block() * sites.size();
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j)
    {
      double *of_i = &L[i * size], *of_j = &L[j * size];
      const double left = of_i[j] - std::inner_product(of_i, of_i + j, of_j, 0.);
      if (j == i && !(left > rounding * of_i[i]))
        throw ComputationError(
            "mass matrix: the mass of the superelements is not positive definite together with what they join. Give masses to bodies at "
            "their masters, or take matrices of a stage of Type = substructure");
      of_i[j] = j == i ? std::sqrt(left) : left / of_j[j];
    }
  return L;
}

void DenseMasses::solve(const Vector &p, const Project &project, Vector &v) const { precondition(1., p, project, v); }

void DenseMasses::precondition(const double w, const Vector &p, const Project &project, Vector &v) const
{
  std::vector<double> &L = project ? of_held : of_all, x = gathered(p);
  if (L.empty())
    L = factor(project);
  const std::size_t size = x.size();
  for (std::size_t i = 0; i < size; ++i)
    x[i] = (x[i] - std::inner_product(x.begin(), x.begin() + i, &L[i * size], 0.)) / L[(size + 1) * i];
  for (std::size_t i = size; i-- > 0;)
  {
    x[i] /= L[(size + 1) * i];
    for (std::size_t j = 0; j < i; ++j)
      x[j] -= L[i * size + j] * x[i];
  }
  const int n = space.block();
  const auto &of_space = *space.sites();
  for (std::size_t a = 0; a < sites.size(); ++a)
    for (int d = 0; d < n && of_space.in_local_range(sites[a]); ++d)
      v.local_element(n * of_space.global_to_local(sites[a]) + d) = x[n * a + d] / (w * w);
}
}  // namespace symdyn
