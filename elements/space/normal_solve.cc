#include "elements/space/normal_solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

SparseRows transposed(const SparseRows &W, const std::size_t columns)
{
  SparseRows found;
  found.start.assign(columns + 1, 0);
  for (const int k : W.column)
    ++found.start[k + 1];
  std::partial_sum(found.start.begin(), found.start.end(), found.start.begin());
  found.column.resize(W.column.size());
  found.value.resize(W.column.size());
  std::vector<std::size_t> next(found.start.begin(), found.start.end() - 1);
  for (std::size_t i = 0; i < W.rows(); ++i)
    for (std::size_t p = W.start[i]; p < W.start[i + 1]; ++p)
    {
      const std::size_t at = next[W.column[p]]++;
      found.column[at] = int(i);
      found.value[at] = W.value[p];
    }
  return found;
}
}  // namespace

NormalSolve::NormalSolve(SparseRows W, const int columns, std::vector<char> bare) : W(std::move(W)), columns(columns), bare(std::move(bare))
{
  find_groups();
  for (Group &group : dense)
    invert(group);
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
      add_loose(group);
  }
}

NormalSolve::Alike NormalSolve::alone(const Group &group) const
{
  Alike one;
  one.columns = group.columns;
  for (const int k : group.columns)
    one.own.push_back(own(k));
  one.inverse_diagonal = one.own;
  for (const int row : group.rows)
  {
    for (std::size_t p = W.start[row]; p < W.start[row + 1]; ++p)
    {
      const auto k = std::lower_bound(group.columns.begin(), group.columns.end(), W.column[p]) - group.columns.begin();
      one.W.column.push_back(int(k));
      one.W.value.push_back(W.value[p]);
      one.inverse_diagonal[k] += W.value[p] * W.value[p];
    }
    one.W.start.push_back(one.W.column.size());
  }
  for (double &entry : one.inverse_diagonal)
    entry = 1. / entry;
  one.transposed = transposed(one.W, group.columns.size());
  return one;
}

void NormalSolve::add_loose(const Group &group)
{
  constexpr int most = 3;
  Alike one = alone(group);
  const auto same = std::find_if(loose.begin(), loose.end(), [&](const Alike &other) { return other.copies < most && other.has(one); });
  if (same == loose.end())
    return loose.push_back(std::move(one));
  std::vector<int> both;
  for (std::size_t k = 0; k < one.columns.size(); ++k)
  {
    both.insert(both.end(), same->columns.begin() + k * same->copies, same->columns.begin() + (k + 1) * same->copies);
    both.push_back(one.columns[k]);
  }
  same->columns = std::move(both);
  ++same->copies;
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

void NormalSolve::solve(const std::vector<double> &g, std::vector<double> &y, const double rounding) const
{
  y.assign(columns, 0.);
  for (const Group &group : dense)
    solve_densely(group, g, y);
  for (const Alike &groups : loose)
    if (groups.copies == 1)
      solve<1>(groups, g, rounding, y);
    else
      solve<4>(groups, g, rounding, y);
}

template <int lanes>
void NormalSolve::solve(const Alike &groups, const std::vector<double> &g, const double rounding, std::vector<double> &y) const
{
  const std::size_t rows = groups.own.size();
  const int copies = groups.copies;
  std::vector<double> right(lanes * rows, 0.), found(right);
  for (std::size_t k = 0; k < rows; ++k)
    for (int c = 0; c < copies; ++c)
      right[lanes * k + c] = g[groups.columns[copies * k + c]];
  iterate<lanes>(groups, std::move(right), rounding, found);
  for (std::size_t k = 0; k < rows; ++k)
    for (int c = 0; c < copies; ++c)
      y[groups.columns[copies * k + c]] = found[lanes * k + c];
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

namespace
{
/// z = D y + W x by rows, of vectors with numbers side by side; no D: 0.
template <int lanes>
void multiply(const SparseRows &W, const std::vector<double> &x, const std::vector<double> *const D, const std::vector<double> &y,
              std::vector<double> &z)
{
  for (std::size_t i = 0; i < W.rows(); ++i)
  {
    std::array<double, lanes> sum{};
    for (int c = 0; c < lanes && D; ++c)
      sum[c] = (*D)[i] * y[lanes * i + c];
    for (std::size_t p = W.start[i]; p < W.start[i + 1]; ++p)
      for (int c = 0; c < lanes; ++c)
        sum[c] += W.value[p] * x[lanes * W.column[p] + c];
    for (int c = 0; c < lanes; ++c)
      z[lanes * i + c] = sum[c];
  }
}
}  // namespace

template <int lanes>
void NormalSolve::iterate(const Alike &groups, std::vector<double> r, const double rounding, std::vector<double> &y)
{
  constexpr double tolerance = 1e-15, sufficient = 1e-10;
  constexpr int most = 2000;
  const std::size_t size = r.size();
  const auto scaled = [&](const std::size_t i) { return groups.inverse_diagonal[i / lanes] * r[i]; };
  const auto square = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i)
      sum += scaled(i) * r[i];
    return sum;
  };
  std::vector<double> direction(size), image(size), of_rows(lanes * groups.W.rows());
  for (std::size_t i = 0; i < size; ++i)
    direction[i] = scaled(i);
  const double start = square(), least = std::max(tolerance * tolerance * start, rounding * rounding);
  double now = start;
  for (int iteration = 0; iteration < most && now > least; ++iteration)
  {
    multiply<lanes>(groups.W, direction, nullptr, direction, of_rows);
    multiply<lanes>(groups.transposed, of_rows, &groups.own, direction, image);
    double curvature = 0;
    for (std::size_t i = 0; i < size; ++i)
      curvature += direction[i] * image[i];
    const double step = now / curvature;
    for (std::size_t i = 0; i < size; ++i)
    {
      y[i] += step * direction[i];
      r[i] -= step * image[i];
    }
    const double next = square(), share = next / now;
    for (std::size_t i = 0; i < size; ++i)
      direction[i] = scaled(i) + share * direction[i];
    now = next;
  }
  if (!(now <= std::max(sufficient * sufficient * start, rounding * rounding)))
    throw ComputationError(
        fmt::format("site relations: the projection does not converge: {:.3g} of the defect is left after {} iterations. "
                    "Equations with factors of very different size cause this: scale them, or have fewer of them on one point",
                    std::sqrt(now / start), most));
}
}  // namespace symdyn
