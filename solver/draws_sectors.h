#pragma once
#include <string>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// A structure that draws the sectors of the whole.
class DrawsSectors
{
public:
  virtual ~DrawsSectors() = default;
  /// As Structure::write_shape(), of sectors, each turned to its place: shapes[k] of sector k, in its own axes. Collective.
  virtual std::vector<std::string> write_sectors(const std::vector<Vector> &shapes, const std::string &folder,
                                                 const std::string &stem) const = 0;
};
}  // namespace symdyn
