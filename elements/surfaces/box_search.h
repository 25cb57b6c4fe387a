#pragma once
#include <functional>
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
  /// Calls visit(number, distance) for boxes from the nearest on, until it returns false.
  void in_turn(const Box &box, const std::function<bool(int, double)> &visit) const;

private:
  struct Tree;
  std::unique_ptr<Tree> tree;
};
}  // namespace symdyn
