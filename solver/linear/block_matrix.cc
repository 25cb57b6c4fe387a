#include "solver/block_matrix.h"

#include <deal.II/base/exceptions.h>

#include <algorithm>
#include <numeric>

namespace symdyn
{
BlockPattern BlockPattern::diagonal(const int block, std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes)
{
  BlockPattern pattern;
  pattern.block = block;
  pattern.own_start.resize(nodes->locally_owned_size() + 1);
  std::iota(pattern.own_start.begin(), pattern.own_start.end(), 0);
  pattern.own_column.assign(pattern.own_start.begin(), pattern.own_start.end() - 1);
  pattern.ghost_start.assign(pattern.own_start.size(), 0);
  pattern.nodes = std::move(nodes);
  return pattern;
}

BlockPattern BlockPattern::of_columns(const int block, std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes,
                                      std::vector<std::vector<int>> columns)
{
  BlockPattern pattern;
  pattern.block = block;
  pattern.nodes = std::move(nodes);
  pattern.own_start = pattern.ghost_start = {0};
  const int rows = columns.size();
  for (int own = 0; own < rows; ++own)
  {
    auto &row = columns[own];
    row.push_back(own);
    std::sort(row.begin(), row.end());  // ghosts follow the owned ones, in global order
    row.erase(std::unique(row.begin(), row.end()), row.end());
    const auto first_ghost = std::lower_bound(row.begin(), row.end(), rows);
    pattern.own_column.insert(pattern.own_column.end(), row.begin(), first_ghost);
    pattern.ghost_column.insert(pattern.ghost_column.end(), first_ghost, row.end());
    pattern.own_start.push_back(pattern.own_column.size());
    pattern.ghost_start.push_back(pattern.ghost_column.size());
    std::vector<int>().swap(row);
  }
  return pattern;
}

int BlockPattern::position(const int row, const int column) const
{
  const bool is_own = column < rows();
  const auto &start = is_own ? own_start : ghost_start;
  const auto &columns = is_own ? own_column : ghost_column;
  const auto begin = columns.begin() + start[row], end = columns.begin() + start[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  Assert(found != end && *found == column, dealii::ExcMessage("two sites that no term couples"));
  const int p = int(found - columns.begin());
  return is_own ? p : ~p;
}

void OwnedBlockMatrix::allocate(const BlockPattern &given, const bool in_blocks)
{
  pattern = &given;
  blocked = in_blocks;
  const std::size_t size = std::size_t(given.block) * given.block;
  own_values.assign(size * given.own_column.size() + 1, 0.);
  ghost_values.assign(size * given.ghost_column.size() + 1, 0.);
  own = own_values.data();
  ghost = ghost_values.data();
}

void OwnedBlockMatrix::multiply(const Vector &x, Vector &y) const
{
  x.update_ghost_values();
  const int n = pattern->block;
  std::vector<double> sum(n);
  for (int row = 0; row < pattern->rows(); ++row)
  {
    std::fill(sum.begin(), sum.end(), 0.);
    for_row(row, [&](const int column, int, const Block &block) {
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k)
          sum[i] += block(i, k) * x.local_element(n * column + k);
    });
    std::copy(sum.begin(), sum.end(), y.begin() + n * row);
  }
}
}  // namespace symdyn
