#include "elements/rotors/node_rings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace symdyn
{
namespace
{
constexpr double same_place = 1e-6;

/// Radius, place along the axis, angle.
std::array<double, 3> around(const Space::Place &X, const TurningFrame &frame)
{
  const auto e = frame.directions();
  double components[2]{}, along = 0.;
  for (int i = 0; i < frame.dimension; ++i)
  {
    for (int d = 0; d < 2; ++d)
      components[d] += e[d][i] * (X[i] - frame.point[i]);
    along += frame.axis[i] * (X[i] - frame.point[i]);
  }
  return {std::hypot(components[0], components[1]), along, std::atan2(components[1], components[0])};
}
}  // namespace

NodeRings NodeRings::find(const Space &space, const TurningFrame &frame)
{
  std::vector<std::array<double, 3>> mine;
  for (int site = 0; site < space.owned(); ++site)
    if (!space.is_director(site))
      mine.push_back(around(space.position(site), frame));
  const auto nodes = gathered(space, mine);
  double size = 0.;
  for (const auto &[radius, along, angle] : nodes)
    size = std::max({size, radius, std::abs(along)});
  size = size > 0. ? size : 1.;
  NodeRings all;
  std::map<std::pair<long, long>, std::size_t> known;
  for (std::size_t k = 0; k < nodes.size(); ++k)
  {
    const auto [radius, along, angle] = nodes[k];
    if (radius < same_place * size)
    {
      all.on_axis.push_back(k);
      continue;
    }
    const long r = std::lround(radius / (same_place * size)), a = std::lround(along / (same_place * size));
    auto found = known.end();
    for (const long dr : {0, -1, 1})
      for (const long da : {0, -1, 1})
        found = found == known.end() ? known.find({r + dr, a + da}) : found;
    if (found == known.end())
    {
      found = known.emplace(std::pair(r, a), all.rings.size()).first;
      all.rings.emplace_back();
    }
    all.rings[found->second].emplace_back(angle, k);
  }
  for (Ring &ring : all.rings)
    std::sort(ring.begin(), ring.end());
  return all;
}
}  // namespace symdyn
