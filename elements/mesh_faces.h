#pragma once
#include <string>
#include <vector>

#include "elements/mesh_points.h"

namespace symdyn
{
/// A face of a body's boundary, with points of integration.
struct MeshFace
{
  bool owned = false;         ///< its first node is of this rank, of one rank alone
  double height = 0;          ///< of the cell over the face [m]
  double size = 0;            ///< root of its area; of an edge in 2-D its length [m]
  std::vector<int> nodes;     ///< local sites
  std::vector<Place> X;       ///< of the nodes, undeformed [m]
  std::vector<double> dA;     ///< of each point; in 2-D with the thickness [m²]
  std::vector<double> shape;  ///< N_a at the points, [point][node]
  std::size_t points() const { return dA.size(); }
};

/// A body whose boundaries have faces. What knows the nodes of a body (MeshPoints) is one, where it has solid cells.
class MeshFaces
{
public:
  virtual ~MeshFaces() = default;
  /// Faces that have a node of this rank, with `points` Gauss points a direction (triangles: as exact, at most of degree 7). Once sites
  /// have their numbers. Errors: InputError that lists the boundaries.
  virtual std::vector<MeshFace> faces(const std::vector<std::string> &boundaries, int points) const = 0;
  /// Of the shape functions.
  virtual int degree() const = 0;
};
}  // namespace symdyn
