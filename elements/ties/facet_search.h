#pragma once
#include <memory>
#include <vector>

#include "elements/ties/facet.h"

namespace symdyn
{
/// Finds facets whose boxes come near a place or another facet.
class FacetSearch
{
public:
  explicit FacetSearch(const std::vector<Facet> &facets);
  ~FacetSearch();
  /// Numbers of facets within `distance` of the box around places, ascending.
  std::vector<int> near(const std::vector<Place> &places, double distance) const;

private:
  struct Tree;
  std::unique_ptr<Tree> tree;
};
}  // namespace symdyn
