#include "elements/space/relation_elimination.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

namespace symdyn
{
namespace
{
constexpr double relation_rounding = 1e-10;  ///< of a row, beside its size
constexpr double cancelled = 1e-14;          ///< of a sum, beside its terms
constexpr double large_pivot = 0.5;          ///< beside the largest factor of its row
constexpr double equal_factors = 1. - 1e-9;

double largest_of(const SparseRow &row)
{
  double most = 0;
  for (const auto &entry : row)
    most = std::max(most, std::abs(entry.second));
  return most;
}

double factor_of(const SparseRow &row, const int column)
{
  const auto at =
      std::lower_bound(row.begin(), row.end(), column, [](const std::pair<int, double> &entry, const int k) { return entry.first < k; });
  return at != row.end() && at->first == column ? at->second : 0.;
}

void divide(SparseRow &row, const double by)
{
  for (auto &entry : row)
    entry.second /= by;
}

/// a - f b. Calls added(column) for columns that a does not have, removed(column) for those that cancel and for `gone`.
template <class Added, class Removed>
SparseRow row_difference(const SparseRow &a, const double f, const SparseRow &b, const int gone, const Added &added, const Removed &removed)
{
  SparseRow sum;
  sum.reserve(a.size() + b.size());
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size())
    if (j == b.size() || (i < a.size() && a[i].first < b[j].first))
      sum.push_back(a[i++]);
    else if (i == a.size() || b[j].first < a[i].first)
    {
      sum.emplace_back(b[j].first, -f * b[j].second);
      added(b[j++].first);
    }
    else
    {
      const double less = f * b[j].second, left = a[i].second - less;
      if (a[i].first == gone || std::abs(left) <= cancelled * std::max(std::abs(a[i].second), std::abs(less)))
        removed(a[i].first);
      else
        sum.emplace_back(a[i].first, left);
      ++i;
      ++j;
    }
  return sum;
}

class RelationEliminator
{
public:
  explicit RelationEliminator(RelationRows relations);
  EliminatedRelations run();

private:
  void list_columns();
  void take_required();
  void take_singles();
  void take_rest();
  int best_row_for(int column) const;
  int only_row_of(int column) const;
  int best_pivot_of(int row) const;
  void pivot(int row, int column);
  void subtract(int row, int by, int column);
  void retire_if_zero(int row);
  void fewer(int column);
  template <class Visit>
  void for_active_rows_of(const int column, const Visit &visit) const
  {
    for (std::size_t p = column_start[column]; p < column_start[column + 1]; ++p)
      if (active[column_row[p]])
        visit(column_row[p]);
    if (const auto more = filled.find(column); more != filled.end())
      for (std::size_t p = 0; p < more->second.size(); ++p)
        if (active[more->second[p]])
          visit(more->second[p]);
  }

  RelationRows given;
  EliminatedRelations done;
  std::vector<SparseRow> weights;
  std::vector<char> active;
  std::vector<int> count;  ///< active rows of each column
  std::vector<std::size_t> column_start;
  std::vector<int> column_row;
  std::unordered_map<int, std::vector<int>> filled;  ///< rows that have got a column
  std::vector<int> order;                            ///< of required columns, else -1
  using Lengths = std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, std::greater<>>;
  Lengths required_left, rows_left;       ///< (count, number in `required`); (length, row): may be out of date
  std::queue<int> singles, weak_singles;  ///< columns of one row
};

RelationEliminator::RelationEliminator(RelationRows relations)
    : given(std::move(relations)),
      weights(given.rows.size()),
      active(given.rows.size(), true),
      count(given.columns, 0),
      order(given.columns, -1)
{
  for (std::size_t i = 0; i < given.rows.size(); ++i)
  {
    divide(given.rows[i], given.size[i]);
    weights[i] = {{int(i), 1. / given.size[i]}};
  }
  list_columns();
  for (std::size_t i = 0; i < given.rows.size(); ++i)
    retire_if_zero(i);
}

void RelationEliminator::list_columns()
{
  for (const SparseRow &row : given.rows)
    for (const auto &entry : row)
      ++count[entry.first];
  column_start.assign(given.columns + 1, 0);
  for (int k = 0; k < given.columns; ++k)
    column_start[k + 1] = column_start[k] + count[k];
  column_row.resize(column_start.back());
  std::vector<std::size_t> next(column_start.begin(), column_start.end() - 1);
  for (std::size_t i = 0; i < given.rows.size(); ++i)
    for (const auto &entry : given.rows[i])
      column_row[next[entry.first]++] = i;
}

EliminatedRelations RelationEliminator::run()
{
  take_required();
  for (int k = 0; k < given.columns; ++k)
    if (count[k] == 1)
      singles.push(k);
  take_singles();
  take_rest();
  return std::move(done);
}

void RelationEliminator::take_required()
{
  for (std::size_t i = 0; i < given.required.size(); ++i)
  {
    order[given.required[i]] = i;
    required_left.emplace(count[given.required[i]], i);
  }
  std::vector<int> unmoved;
  while (!required_left.empty())
  {
    const auto [rows, number] = required_left.top();
    required_left.pop();
    const int column = given.required[number];
    if (order[column] < 0)
      continue;
    if (rows != count[column])
    {
      required_left.emplace(count[column], number);
      continue;
    }
    order[column] = -1;
    if (const int row = best_row_for(column); row >= 0)
      pivot(row, column);
    else
      unmoved.push_back(number);
  }
  std::sort(unmoved.begin(), unmoved.end());
  for (const int number : unmoved)
    done.unmoved.push_back(given.required[number]);
}

/// The shortest row that has a large factor there, or -1.
int RelationEliminator::best_row_for(const int column) const
{
  double most = 0;
  const auto share = [&](const int row) {
    const double factor = std::abs(factor_of(given.rows[row], column));
    return factor > relation_rounding ? factor / largest_of(given.rows[row]) : 0.;
  };
  for_active_rows_of(column, [&](const int row) { most = std::max(most, share(row)); });
  int best = -1;
  for_active_rows_of(column, [&](const int row) {
    if (most > 0. && share(row) >= large_pivot * most && (best < 0 || given.rows[row].size() < given.rows[best].size()))
      best = row;
  });
  return best;
}

/// Columns of one row, if they have its largest factor; those with a large one when there are no others.
void RelationEliminator::take_singles()
{
  while (!singles.empty() || !weak_singles.empty())
  {
    const bool weak = singles.empty();
    std::queue<int> &from = weak ? weak_singles : singles;
    const int column = from.front();
    from.pop();
    if (count[column] != 1)
      continue;
    const int row = only_row_of(column);
    const double factor = std::abs(factor_of(given.rows[row], column)), most = largest_of(given.rows[row]);
    if (factor >= (weak ? large_pivot : equal_factors) * most)
      pivot(row, best_pivot_of(row));
    else if (!weak)
      weak_singles.push(column);
  }
}

int RelationEliminator::only_row_of(const int column) const
{
  int only = -1;
  for_active_rows_of(column, [&](const int row) {
    if (factor_of(given.rows[row], column) != 0.)
      only = row;
  });
  return only;
}

void RelationEliminator::take_rest()
{
  for (std::size_t i = 0; i < given.rows.size(); ++i)
    if (active[i])
      rows_left.emplace(given.rows[i].size(), i);
  while (!rows_left.empty())
  {
    const auto [length, row] = rows_left.top();
    rows_left.pop();
    if (!active[row] || length != int(given.rows[row].size()))
      continue;
    pivot(row, best_pivot_of(row));
    take_singles();
  }
}

/// A large factor that few other rows have, so that they stay short; of these the largest, of equal ones the preferred.
int RelationEliminator::best_pivot_of(const int row) const
{
  const double most = largest_of(given.rows[row]);
  int best = -1;
  double best_factor = 0;
  for (const auto &[column, value] : given.rows[row])
  {
    const double factor = std::abs(value);
    if (factor < large_pivot * most)
      continue;
    const bool better = best < 0 || count[column] < count[best] ||
                        (count[column] == count[best] && (factor * equal_factors > best_factor ||
                                                          (column == given.preferred[row] && factor >= equal_factors * best_factor)));
    if (better)
    {
      best = column;
      best_factor = factor;
    }
  }
  return best;
}

void RelationEliminator::pivot(const int row, const int column)
{
  const double factor = factor_of(given.rows[row], column);
  divide(given.rows[row], factor);
  divide(weights[row], factor);
  active[row] = false;
  if (count[column] > 1)
  {
    std::vector<int> others;
    for_active_rows_of(column, [&](const int other) { others.push_back(other); });
    for (const int other : others)
      if (active[other])
        subtract(other, row, column);
  }
  for (const auto &entry : given.rows[row])
    fewer(entry.first);
  done.pivot.push_back(column);
  done.rows.push_back(std::move(given.rows[row]));
  done.combination.push_back(std::move(weights[row]));
}

void RelationEliminator::subtract(const int row, const int by, const int column)
{
  const double factor = factor_of(given.rows[row], column);
  if (factor == 0.)
    return;
  given.rows[row] = row_difference(
      given.rows[row], factor, given.rows[by], column,
      [&](const int k) {
        ++count[k];
        filled[k].push_back(row);
      },
      [&](const int k) { fewer(k); });
  const auto nothing = [](int) {};
  weights[row] = row_difference(weights[row], factor, weights[by], -1, nothing, nothing);
  retire_if_zero(row);
  rows_left.emplace(given.rows[row].size(), row);
}

/// What is left of a redundant row is rounding.
void RelationEliminator::retire_if_zero(const int row)
{
  if (largest_of(given.rows[row]) > relation_rounding)
    return;
  active[row] = false;
  for (const auto &entry : given.rows[row])
    fewer(entry.first);
  done.left_over.push_back(weights[row]);
}

void RelationEliminator::fewer(const int column)
{
  --count[column];
  if (order[column] >= 0)
    required_left.emplace(count[column], order[column]);
  if (count[column] == 1)
    singles.push(column);
}
}  // namespace

void SparseRows::append(const SparseRow &row)
{
  for (const auto &[k, factor] : row)
  {
    column.push_back(k);
    value.push_back(factor);
  }
  start.push_back(column.size());
}

SparseRows EliminatedRelations::resolved(const int columns) const
{
  std::vector<int> row_of(columns, -1), touched;
  for (std::size_t e = 0; e < pivot.size(); ++e)
    row_of[pivot[e]] = e;
  std::vector<double> sum(columns, 0.);
  std::vector<char> used(columns, 0);
  const auto add = [&](const int column, const double value) {
    if (!used[column])
      touched.push_back(column);
    used[column] = true;
    sum[column] += value;
  };
  std::vector<SparseRow> W(pivot.size());
  for (std::size_t e = pivot.size(); e-- > 0;)
  {
    double most = 0;
    for (const auto &[column, factor] : rows[e])
      if (column != pivot[e])
      {
        most = std::max(most, std::abs(factor));
        if (row_of[column] < 0)
          add(column, -factor);
        else
          for (const auto &[master, weight] : W[row_of[column]])
            add(master, -factor * weight);
      }
    std::sort(touched.begin(), touched.end());
    for (const int column : touched)
    {
      if (std::abs(sum[column]) > cancelled * most)
        W[e].emplace_back(column, sum[column]);
      sum[column] = 0.;
      used[column] = false;
    }
    touched.clear();
  }
  SparseRows all;
  for (const SparseRow &row : W)
    all.append(row);
  return all;
}

EliminatedRelations eliminate(RelationRows relations) { return RelationEliminator(std::move(relations)).run(); }
}  // namespace symdyn
