#include "elements/surfaces/box_search.h"

#include <deal.II/base/bounding_box.h>
#include <deal.II/numerics/rtree.h>

#include <algorithm>

namespace symdyn
{
namespace
{
using TreeBox = dealii::BoundingBox<3>;

TreeBox of(const Box &box) { return TreeBox({{box.lower[0], box.lower[1], box.lower[2]}, {box.upper[0], box.upper[1], box.upper[2]}}); }
}  // namespace

struct BoxSearch::Tree
{
  dealii::RTree<std::pair<TreeBox, int>> boxes;
};

BoxSearch::BoxSearch(const std::vector<Box> &boxes) : tree(std::make_unique<Tree>())
{
  std::vector<std::pair<TreeBox, int>> numbered;
  numbered.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    numbered.emplace_back(of(boxes[i]), int(i));
  tree->boxes = dealii::pack_rtree(numbered);
}

BoxSearch::~BoxSearch() = default;

std::vector<int> BoxSearch::near(const Box &box, const double distance) const
{
  TreeBox wide = of(box);
  wide.extend(distance);
  std::vector<int> found;
  for (const auto &entry : tree->boxes | boost::geometry::index::adaptors::queried(boost::geometry::index::intersects(wide)))
    found.push_back(entry.second);
  std::sort(found.begin(), found.end());
  return found;
}

void BoxSearch::in_turn(const Box &box, const std::function<bool(int, double)> &visit) const
{
  const TreeBox from = of(box);
  const auto all = boost::geometry::index::nearest(from, unsigned(tree->boxes.size()));
  for (auto entry = tree->boxes.qbegin(all); entry != tree->boxes.qend(); ++entry)
    if (!visit(entry->second, boost::geometry::distance(from, entry->first)))
      return;
}
}  // namespace symdyn
