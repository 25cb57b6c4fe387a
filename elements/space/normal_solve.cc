#include "elements/space/normal_solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr std::size_t small_group = 48;  ///< rows or columns of a dense inverse

int root_of(std::vector<int> &parent, int k)
{
  for (; parent[k] != k; k = parent[k])
    parent[k] = parent[parent[k]];
  return k;
}
}  // namespace

NormalSolve::NormalSolve(SparseRows W, const int columns, std::vector<char> bare)
    : W(std::move(W)), columns(columns), bare(std::move(bare)), inverse_diagonal(columns)
{
  for (int k = 0; k < columns; ++k)
    inverse_diagonal[k] = own(k);
  find_groups();
  for (Group &group : dense)
    invert(group);
  for (std::size_t p = 0; p < this->W.column.size(); ++p)
    inverse_diagonal[this->W.column[p]] += this->W.value[p] * this->W.value[p];
  for (double &entry : inverse_diagonal)
    entry = 1. / entry;
}

void NormalSolve::find_groups()
{
  std::vector<int> parent(columns), number(columns, -1);
  std::iota(parent.begin(), parent.end(), 0);
  for (std::size_t i = 0; i < W.rows(); ++i)
    for (std::size_t p = W.start[i] + 1; p < W.start[i + 1]; ++p)
      parent[root_of(parent, W.column[p])] = root_of(parent, W.column[W.start[i]]);
  std::vector<Group> groups;
  for (int k = 0; k < columns; ++k)
  {
    int &group = number[root_of(parent, k)];
    if (group < 0)
    {
      group = groups.size();
      groups.emplace_back();
    }
    groups[group].columns.push_back(k);
  }
  for (std::size_t i = 0; i < W.rows(); ++i)
    if (W.start[i] < W.start[i + 1])
      groups[number[root_of(parent, W.column[W.start[i]])]].rows.push_back(i);
  for (Group &group : groups)
  {
    group.by_columns = group.columns.size() <= group.rows.size() ||
                       std::any_of(group.columns.begin(), group.columns.end(), [this](const int k) { return own(k) == 0.; });
    if ((group.by_columns ? group.columns.size() : group.rows.size()) <= small_group)
      dense.push_back(std::move(group));
    else
    {
      loose_rows.insert(loose_rows.end(), group.rows.begin(), group.rows.end());
      loose_columns.insert(loose_columns.end(), group.columns.begin(), group.columns.end());
    }
  }
}

void NormalSolve::invert(Group &group)
{
  const unsigned int n = group.by_columns ? group.columns.size() : group.rows.size();
  dealii::FullMatrix<double> A(n, n);
  for (unsigned int i = 0; i < n; ++i)
    A(i, i) = group.by_columns ? own(group.columns[i]) : 1.;
  std::vector<std::vector<std::pair<int, double>>> lines(group.by_columns ? group.rows.size() : group.columns.size());
  for (std::size_t i = 0; i < group.rows.size(); ++i)
    for (std::size_t p = W.start[group.rows[i]]; p < W.start[group.rows[i] + 1]; ++p)
    {
      const int k = std::lower_bound(group.columns.begin(), group.columns.end(), W.column[p]) - group.columns.begin();
      group.by_columns ? lines[i].emplace_back(k, W.value[p]) : lines[k].emplace_back(i, W.value[p]);
    }
  for (const auto &line : lines)
    for (const auto &[i, a] : line)
      for (const auto &[k, b] : line)
        A(i, k) += a * b;
  if (n == 1)
    group.single = 1. / A(0, 0);
  else if (n > 1)
  {
    A.gauss_jordan();
    group.inverse = A;
  }
}

void NormalSolve::solve(const std::vector<double> &g, std::vector<double> &y) const
{
  y.assign(columns, 0.);
  for (const Group &group : dense)
    solve_densely(group, g, y);
  if (!loose_rows.empty())
    iterate(g, y);
}

/// (1 + Wᵀ W)⁻¹ g = g - Wᵀ (1 + W Wᵀ)⁻¹ W g
void NormalSolve::solve_densely(const Group &group, const std::vector<double> &g, std::vector<double> &y) const
{
  const auto row_of_inverse = [&](const unsigned int i, const auto &right) {
    if (group.inverse.m() == 0)
      return group.single * right(0);
    double sum = 0;
    for (unsigned int k = 0; k < group.inverse.n(); ++k)
      sum += group.inverse(i, k) * right(k);
    return sum;
  };
  if (group.by_columns)
  {
    for (std::size_t i = 0; i < group.columns.size(); ++i)
      y[group.columns[i]] = row_of_inverse(i, [&](const int k) { return g[group.columns[k]]; });
    return;
  }
  std::vector<double> Wg;
  for (const int row : group.rows)
    Wg.push_back(W.times(row, g));
  for (const int column : group.columns)
    y[column] = g[column];
  for (std::size_t i = 0; i < group.rows.size(); ++i)
  {
    const double z = row_of_inverse(i, [&](const int k) { return Wg[k]; });
    for (std::size_t p = W.start[group.rows[i]]; p < W.start[group.rows[i] + 1]; ++p)
      y[W.column[p]] -= W.value[p] * z;
  }
}

/// z = (1 + Wᵀ W) y of the columns of the iteration.
void NormalSolve::multiply(const std::vector<double> &y, std::vector<double> &z) const
{
  for (const int k : loose_columns)
    z[k] = own(k) * y[k];
  for (const int i : loose_rows)
  {
    const double Wy = W.times(i, y);
    for (std::size_t p = W.start[i]; p < W.start[i + 1]; ++p)
      z[W.column[p]] += W.value[p] * Wy;
  }
}

void NormalSolve::iterate(const std::vector<double> &g, std::vector<double> &y) const
{
  constexpr double tolerance = 1e-15, sufficient = 1e-10;
  constexpr int most = 2000;
  const auto product = [this](const std::vector<double> &a, const std::vector<double> &b) {
    double sum = 0;
    for (const int k : loose_columns)
      sum += inverse_diagonal[k] * a[k] * b[k];
    return sum;
  };
  std::vector<double> r(g), direction(columns, 0.), image(columns, 0.);
  for (const int k : loose_columns)
    direction[k] = inverse_diagonal[k] * r[k];
  const double start = product(r, r);
  double now = start;
  for (int iteration = 0; iteration < most && now > tolerance * tolerance * start; ++iteration)
  {
    multiply(direction, image);
    double curvature = 0;
    for (const int k : loose_columns)
      curvature += direction[k] * image[k];
    const double step = now / curvature;
    for (const int k : loose_columns)
    {
      y[k] += step * direction[k];
      r[k] -= step * image[k];
    }
    const double next = product(r, r), share = next / now;
    for (const int k : loose_columns)
      direction[k] = inverse_diagonal[k] * r[k] + share * direction[k];
    now = next;
  }
  if (!(now <= sufficient * sufficient * start))
    throw ComputationError(
        fmt::format("site relations: the projection does not converge: {:.3g} of the defect is left after {} iterations. "
                    "Equations with factors of very different size cause this: scale them, or have fewer of them on one point",
                    std::sqrt(now / start), most));
}
}  // namespace symdyn
