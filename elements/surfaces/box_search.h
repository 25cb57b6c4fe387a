#pragma once
#include <memory>
#include <vector>

#include "elements/place.h"

namespace symdyn
{
/// Finds sets of places whose boxes come near another.
class BoxSearch
{
public:
  explicit BoxSearch(const std::vector<std::vector<Place>> &sets);
  ~BoxSearch();
  /// Numbers of sets within `distance` of the box around places, ascending.
  std::vector<int> near(const std::vector<Place> &places, double distance) const;

private:
  struct Tree;
  std::unique_ptr<Tree> tree;
};
}  // namespace symdyn
