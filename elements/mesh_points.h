#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elements/place.h"

namespace symdyn
{
/// Where named points can stand on a body: its nodes.
class MeshPoints
{
public:
  struct Node
  {
    std::int64_t number = -1;  ///< over all ranks
    Place position{};          ///< in the undeformed body [m]
  };
  virtual ~MeshPoints() = default;
  virtual int dimension() const = 0;
  /// Diagonal of the box around the body [m].
  virtual double size() const = 0;
  /// The node nearest to a place. Collective.
  virtual Node nearest(const Place &place) const = 0;
  /// The nodes of a boundary, by their x, then y, then z: an order that knows nothing of ranks. Collective. Errors: InputError that lists
  /// the boundaries.
  virtual std::vector<Node> on_boundary(const std::string &name) const = 0;
  /// The nodes that the mesh's file gives this number or this name of a set, in its order. Collective. Errors: InputError.
  virtual std::vector<Node> named(const std::string &name) const = 0;
  /// The same of several names, one after the other.
  virtual std::vector<Node> named(const std::vector<std::string> &names) const
  {
    std::vector<Node> all;
    for (const std::string &name : names)
      for (const Node &node : named(name))
        all.push_back(node);
    return all;
  }
};
}  // namespace symdyn
