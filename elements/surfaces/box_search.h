#pragma once
#include <memory>
#include <vector>

#include "elements/surfaces/box.h"

namespace symdyn
{
/// Finds boxes that come near another.
class BoxSearch
{
public:
  explicit BoxSearch(const std::vector<Box> &boxes);
  ~BoxSearch();
  /// Numbers of boxes within `distance` of another, ascending.
  std::vector<int> near(const Box &box, double distance) const;

private:
  struct Tree;
  std::unique_ptr<Tree> tree;
};
}  // namespace symdyn
