#include "elements/surfaces/box_search.h"

#include <deal.II/base/bounding_box.h>
#include <deal.II/numerics/rtree.h>

#include <algorithm>

namespace symdyn
{
namespace
{
using Box = dealii::BoundingBox<3>;

Box box_around(const std::vector<Place> &places)
{
  dealii::Point<3> lower(places.front()[0], places.front()[1], places.front()[2]), upper = lower;
  for (const Place &x : places)
    for (int d = 0; d < 3; ++d)
    {
      lower[d] = std::min(lower[d], x[d]);
      upper[d] = std::max(upper[d], x[d]);
    }
  return Box({lower, upper});
}
}  // namespace

struct BoxSearch::Tree
{
  dealii::RTree<std::pair<Box, int>> boxes;
};

BoxSearch::BoxSearch(const std::vector<std::vector<Place>> &sets) : tree(std::make_unique<Tree>())
{
  std::vector<std::pair<Box, int>> boxes;
  for (std::size_t i = 0; i < sets.size(); ++i)
    boxes.emplace_back(box_around(sets[i]), int(i));
  tree->boxes = dealii::pack_rtree(boxes);
}

BoxSearch::~BoxSearch() = default;

std::vector<int> BoxSearch::near(const std::vector<Place> &places, const double distance) const
{
  Box box = box_around(places);
  box.extend(distance);
  std::vector<int> found;
  for (const auto &entry : tree->boxes | boost::geometry::index::adaptors::queried(boost::geometry::index::intersects(box)))
    found.push_back(entry.second);
  std::sort(found.begin(), found.end());
  return found;
}
}  // namespace symdyn
