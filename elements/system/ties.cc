#include "elements/system/ties.h"

#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr double tie_rounding = 1e-10;  ///< of a row, beside its largest factor

/// Rows of equations with the weights that they are made with: what is done to one is done to the other.
struct Reduction
{
  std::vector<std::vector<double>> row, weight;
  std::vector<char> used;

  double largest(const std::size_t i) const
  {
    double most = 0;
    for (const double value : row[i])
      most = std::max(most, std::abs(value));
    return most;
  }
  void divide(const std::size_t i, const double by)
  {
    for (auto *values : {&row[i], &weight[i]})
      for (double &value : *values)
        value /= by;
  }
  /// Row i loses its factor of the coordinate in which row p has 1.
  void reduce(const std::size_t i, const std::size_t p, const int column)
  {
    const double factor = row[i][column];
    if (factor == 0. || i == p)
      return;
    for (std::size_t k = 0; k < row[i].size(); ++k)
      row[i][k] -= factor * row[p][k];
    for (std::size_t k = 0; k < weight[i].size(); ++k)
      weight[i][k] -= factor * weight[p][k];
    row[i][column] = 0.;
  }
  /// The unused row with the largest factor there, or -1.
  int best_for(const int column) const
  {
    int best = -1;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!used[i] && std::abs(row[i][column]) > tie_rounding && (best < 0 || std::abs(row[i][column]) > std::abs(row[best][column])))
        best = i;
    return best;
  }
  /// Of a row: a large factor of a coordinate that few other rows have, so that they stay short.
  int pivot_of(const std::size_t i) const
  {
    constexpr double large = 0.1;
    const double enough = large * largest(i);
    int best = -1;
    std::size_t fewest = row.size() + 1;
    for (std::size_t k = 0; k < row[i].size(); ++k)
      if (std::abs(row[i][k]) >= enough)
      {
        std::size_t others = 0;
        for (std::size_t j = 0; j < row.size(); ++j)
          others += !used[j] && row[j][k] != 0.;
        if (others < fewest)
        {
          fewest = others;
          best = k;
        }
      }
    return best;
  }
};
}  // namespace

Ties::Ties(const JointLayout &layout, const DiscreteSystem::Parts &parts) : layout(layout), equations(parts.equations)
{
  hold(parts, std::vector<bool>(equations.size(), true));
}

void Ties::hold(const DiscreteSystem::Parts &parts, const std::vector<bool> &which)
{
  number.clear();
  given.clear();
  held.clear();
  rows.clear();
  combination.clear();
  left_over.clear();
  for (std::size_t i = 0; i < equations.size(); ++i)
    if (which[i])
    {
      number.push_back(i);
      given.push_back({equations[i].terms, -1});
    }
  hold_by_supports();
  find_independent(parts);
  invert_normal();
}

bool Ties::move() const
{
  return std::any_of(number.begin(), number.end(), [this](const std::size_t i) { return !equations[i].sum.is_zero(); });
}

/// G P, block by block.
void Ties::hold_by_supports()
{
  const int n = layout.components();
  for (const Row &row : given)
  {
    std::map<int, double> left;
    for (const auto &[coordinate, factor] : row.terms)
      for (int d = 0; d < n; ++d)
        if (const double value = factor * layout.projector(coordinate / n)[n * (coordinate % n) + d]; value != 0.)
          left[n * (coordinate / n) + d] += value;
    held.push_back({{left.begin(), left.end()}, -1});
  }
}

void Ties::find_independent(const DiscreteSystem::Parts &parts)
{
  const std::size_t m = held.size(), coordinates = layout.components() * parts.points.size();
  Reduction all{{m, std::vector<double>(coordinates, 0.)}, {m, std::vector<double>(m, 0.)}, std::vector<char>(m, 0)};
  for (std::size_t i = 0; i < m; ++i)
  {
    double largest = 0;  // of the equation, before supports hold a part of it: the rest may be rounding
    for (const auto &term : given[i].terms)
      largest = std::max(largest, std::abs(term.second));
    for (const auto &[coordinate, factor] : held[i].terms)
      all.row[i][coordinate] = factor;
    all.weight[i][i] = 1.;
    all.divide(i, largest);
  }
  const auto keep = [&](const std::size_t i, const int massless) {
    Row row{{}, massless};
    for (std::size_t k = 0; k < coordinates; ++k)
      if (std::abs(all.row[i][k]) > tie_rounding)
        row.terms.emplace_back(k, all.row[i][k]);
    rows.push_back(row);
    combination.push_back(all.weight[i]);
  };
  std::vector<char> moved(parts.points.size() * layout.components(), 0);
  std::vector<std::pair<std::size_t, int>> of_massless;
  for (std::size_t k = 0; k < coordinates; ++k)
    if (const auto &point = parts.points[k / layout.components()]; point.massless)
      if (const int i = all.best_for(k); i >= 0)
      {
        all.used[i] = moved[k] = true;
        all.divide(i, all.row[i][k]);
        for (std::size_t j = 0; j < m; ++j)
          all.reduce(j, i, k);
        of_massless.emplace_back(i, k);
      }
  require_moved(parts, moved);
  for (const auto &[i, coordinate] : of_massless)
    keep(i, coordinate);
  for (std::size_t i = 0; i < m; ++i)
    if (!all.used[i])
    {
      all.used[i] = true;
      if (all.largest(i) <= tie_rounding)
      {
        left_over.push_back(all.weight[i]);
        continue;
      }
      const int pivot = all.pivot_of(i);
      all.divide(i, all.row[i][pivot]);
      for (std::size_t j = 0; j < m; ++j)
        if (!all.used[j])
          all.reduce(j, i, pivot);
      keep(i, -1);
    }
}

void Ties::require_moved(const DiscreteSystem::Parts &parts, const std::vector<char> &moved) const
{
  const int n = layout.components();
  for (std::size_t k = 0; k < moved.size(); ++k)
    if (const auto &point = parts.points[k / n]; point.massless && !moved[k])
      throw InputError(fmt::format(
          "[Points/{}]: the point has no mass, and no equation says how it moves along {}. Give it an equation (section Equations: for rest, Displacements = "
          "{}.{}, Factors = 1), or a Mass",
          point.name, "xyz"[k % n], point.name, "xyz"[k % n]));
}

void Ties::invert_normal()
{
  const std::size_t m = rows.size();
  normal.reinit(m, m);
  std::vector<double> w;
  for (const Row &row : rows)
    for (const auto &term : row.terms)
      if (term.first >= int(w.size()))
        w.resize(term.first + 1, 0.);
  for (std::size_t i = 0; i < m; ++i)
  {
    for (const auto &[coordinate, factor] : rows[i].terms)
      w[coordinate] = factor;
    for (std::size_t j = 0; j < m; ++j)
      normal(i, j) = times(rows[j], w);
    for (const auto &term : rows[i].terms)
      w[term.first] = 0.;
  }
  if (m > 0)
    normal.gauss_jordan();
}

double Ties::times(const Row &row, const std::vector<double> &w)
{
  double sum = 0;
  for (const auto &[coordinate, factor] : row.terms)
    sum += factor * w[coordinate];
  return sum;
}

void Ties::add_correction(const std::vector<double> &c, Vector &x) const
{
  std::vector<double> w(layout.gather(x).size(), 0.);
  for (std::size_t i = 0; i < rows.size(); ++i)
  {
    double weight = 0;
    for (std::size_t j = 0; j < rows.size(); ++j)
      weight += normal(i, j) * c[j];
    for (const auto &[coordinate, factor] : rows[i].terms)
      w[coordinate] += weight * factor;
  }
  layout.add(w.data(), x);
}

void Ties::project(Vector &x) const
{
  const std::vector<double> w = layout.gather(x);
  std::vector<double> c;
  for (const Row &row : rows)
    c.push_back(-times(row, w));
  add_correction(c, x);
}

void Ties::impose(const double t, const double factor, Vector &q, Vector &v, Vector &a) const
{
  std::vector<Jet<double>> sums;
  for (std::size_t i = 0; i < given.size(); ++i)
    sums.push_back(factor * equation(i).sum.in_time(nullptr, 0, t));
  int order = 0;
  for (Vector *x : {&q, &v, &a})
  {
    const std::vector<double> w = layout.gather(*x);
    std::vector<double> missing, c;
    double size = 0;
    for (std::size_t i = 0; i < given.size(); ++i)
    {
      const double b = order == 0 ? sums[i].x : order == 1 ? sums[i].d : sums[i].dd;
      missing.push_back(b - times(given[i], w));
      size = std::max(size, std::abs(b));
      for (const auto &[coordinate, weight] : given[i].terms)
        size = std::max(size, std::abs(weight * w[coordinate]));
    }
    if (order++ == 0)
      require_consistent(missing, size);
    for (const std::vector<double> &weights : combination)
      c.push_back(std::inner_product(weights.begin(), weights.end(), missing.begin(), 0.));
    add_correction(c, *x);
    x->zero_out_ghost_values();
  }
}

/// What supports and other equations hold already must agree with them.
void Ties::require_consistent(const std::vector<double> &missing, const double size) const
{
  constexpr double tolerance = 1e-8;
  for (const std::vector<double> &weights : left_over)
  {
    const double off = std::inner_product(weights.begin(), weights.end(), missing.begin(), 0.);
    const std::size_t i =
        std::max_element(weights.begin(), weights.end(), [](const double a, const double b) { return std::abs(a) < std::abs(b); }) -
        weights.begin();
    double largest = 0;
    for (const double weight : weights)
      largest = std::max(largest, std::abs(weight));
    if (std::abs(off) > tolerance * largest * size)
      throw InputError(fmt::format(
          "{}: equation '{}' contradicts supports or other equations, which move all of its displacements: it misses {:.3g} m. Remove it, or let one of "
          "them go free",
          equation(i).where, equation(i).name, std::abs(off)));
  }
}

void Ties::add_squares(const double s, const AddEntry &add) const
{
  for (const Row &row : held)
  {
    double square = 0;
    for (const auto &term : row.terms)
      square += term.second * term.second;
    for (const auto &[i, a] : row.terms)
      for (const auto &[j, b] : row.terms)
        if (square > tie_rounding * tie_rounding)
          add(i, j, s * a * b / square);
  }
}

void Ties::collect_massless(Vector &p) const
{
  const std::vector<double> w = layout.gather(p);
  std::vector<double> change(w.size(), 0.);
  for (const Row &row : rows)
    for (const auto &[coordinate, factor] : row.terms)
      if (row.massless >= 0)
        change[coordinate] -= factor * w[row.massless];  // its own factor is 1
  layout.add(change.data(), p);
}

void Ties::follow_massless(Vector &v) const
{
  const std::vector<double> w = layout.gather(v);
  std::vector<double> change(w.size(), 0.);
  for (const Row &row : rows)
    if (row.massless >= 0)
      change[row.massless] = -times(row, w);
  layout.add(change.data(), v);
}

Ties::Elimination::Elimination(const Ties &ties, const Vector &like, const Solver &solve, const bool of_mass) : ties(ties)
{
  for (std::size_t i = 0; i < ties.rows.size(); ++i)
    if (!of_mass || ties.rows[i].massless < 0)
      rows.push_back(i);
  product.reinit(rows.size(), rows.size());
  Vector right(like);
  for (std::size_t j = 0; j < rows.size(); ++j)
  {
    right = 0.;
    std::vector<double> w(ties.layout.gather(right).size(), 0.);
    for (const auto &[coordinate, factor] : ties.rows[rows[j]].terms)
      w[coordinate] = factor;
    ties.layout.add(w.data(), right);
    columns.emplace_back(like);
    columns.back() = 0.;
    solve(right, columns.back());
    const std::vector<double> seen = ties.layout.gather(columns.back());
    for (std::size_t i = 0; i < rows.size(); ++i)
      product(i, j) = times(ties.rows[rows[i]], seen);
  }
  inverse = product;
  if (!rows.empty())
    inverse.gauss_jordan();
}

void Ties::Elimination::apply(Vector &x) const
{
  if (rows.empty())
    return;
  const std::vector<double> seen = ties.layout.gather(x);
  std::vector<double> c;
  for (const std::size_t i : rows)
    c.push_back(times(ties.rows[i], seen));
  for (std::size_t i = 0; i < rows.size(); ++i)
  {
    double multiplier = 0;
    for (std::size_t j = 0; j < rows.size(); ++j)
      multiplier += inverse(i, j) * c[j];
    for (unsigned int k = 0; k < x.locally_owned_size(); ++k)
      x.local_element(k) -= multiplier * columns[i].local_element(k);
  }
}

long Ties::Elimination::negative_eigenvalues() const
{
  if (rows.empty())
    return 0;
  const unsigned int m = rows.size();
  dealii::LAPACKFullMatrix<double> S(m, m);
  for (unsigned int i = 0; i < m; ++i)
    for (unsigned int j = 0; j < m; ++j)
      S(i, j) = 0.5 * (product(i, j) + product(j, i));
  S.compute_eigenvalues();
  long negative = 0;
  for (unsigned int i = 0; i < m; ++i)
    negative += S.eigenvalue(i).real() < 0.;
  return negative;
}
}  // namespace symdyn
