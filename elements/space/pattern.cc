#include "elements/space/pattern.h"

#include <utility>

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
  return BlockPattern::of_columns(space.block(), space.sites(), std::move(columns));
}
}  // namespace symdyn
