#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "elements/body_surface.h"
#include "solver/registry.h"

namespace symdyn
{
/// u of a node = sum of weight times u of others; the weights add up to 1.
struct TiedNode
{
  std::int64_t node;
  std::vector<std::pair<std::int64_t, double>> others;
};

/// Where tied nodes stand by their relation, of the places X of all nodes [m].
inline std::vector<std::pair<std::int64_t, Place>> led_places(const std::vector<TiedNode> &tied, const std::map<std::int64_t, Place> &X)
{
  std::vector<std::pair<std::int64_t, Place>> places;
  for (const TiedNode &one : tied)
  {
    Place x{};
    for (const auto &[node, weight] : one.others)
      for (int d = 0; d < 3; ++d)
        x[d] += weight * X.at(node)[d];
    places.emplace_back(one.node, x);
  }
  return places;
}

/// Two surfaces, all faces on every rank.
struct TiedSurfaces
{
  int dim;
  const std::vector<SurfaceFace> &dependent, &independent;
  double tolerance;  ///< what is further away is not tied [m]
  MPI_Comm communicator;
};

/// How nodes of the dependent surface follow the independent one. Registered by the name that decks give.
class TieMethod
{
public:
  virtual ~TieMethod() = default;
  /// The nodes that are tied, by their number, the same on every rank; the other nodes of the dependent surface are out of reach.
  /// Collective.
  virtual std::vector<TiedNode> tie(const TiedSurfaces &surfaces) const = 0;
};
}  // namespace symdyn
