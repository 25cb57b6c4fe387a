#include "elements/space/pattern.h"

#include <algorithm>

namespace symdyn
{
BlockPattern make_pattern(const Space &space, const std::vector<std::shared_ptr<Term>> &terms, const Part part)
{
  const int rows = space.owned();
  std::vector<std::vector<int>> columns(rows);
  const auto join = [&](const int row, const int column) {
    if (row < rows)
      columns[row].push_back(column);
  };
  for (const auto &term : terms)
    if (part == Part::all || term->traits().stiff || term->traits().damps)
      part == Part::all ? term->couple(join) : term->couple_stiff(join);
  BlockPattern pattern;
  pattern.block = space.block();
  pattern.nodes = space.sites();
  pattern.own_start = pattern.ghost_start = {0};
  for (int site = 0; site < rows; ++site)
  {
    auto &row = columns[site];
    row.push_back(site);
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
}  // namespace symdyn
