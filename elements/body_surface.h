#pragma once
#include <deal.II/base/mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "elements/mesh_points.h"

namespace symdyn
{
/// Place on a face: in the unit square, the unit triangle, or on [0, 1] for faces of plane bodies.
using FacePlace = std::array<double, 2>;

/// The shape functions of a cell on one of its faces.
class FaceShape
{
public:
  virtual ~FaceShape() = default;
  /// N_a and, if it is not null, dN_a/ds_i as [a][i], i < dimension of the body - 1.
  virtual void evaluate(const FacePlace &s, double *N, FacePlace *dN) const = 0;

  int degree = 1;
  int corners = 2;               ///< 2: an edge, 3: a triangle, 4: a quadrilateral
  int directors = 0;             ///< of shells: so many of the functions, the last ones, are of directors [m]
  std::vector<FacePlace> nodes;  ///< where they stand
};

/// A face of the boundary of a body.
struct SurfaceFace
{
  const FaceShape *shape = nullptr;
  double outward = 1;               ///< sign of the outward normal along t_1 x t_2, t_i = dX/ds_i; in 2-D along (t_y, -t_x)
  std::vector<std::int64_t> nodes;  ///< as MeshPoints::Node::number
  std::vector<Place> X;             ///< of the nodes, undeformed [m]
};

/// A body before anything is computed on it: its surface, whose nodes may still move.
class BodySurface
{
public:
  virtual ~BodySurface() = default;
  virtual int dimension() const = 0;
  virtual MPI_Comm communicator() const = 0;
  /// Faces of boundaries, all on every rank, in an order that knows nothing of ranks. Collective. Errors: InputError that lists the
  /// boundaries. Their shapes are there until nodes move.
  virtual std::vector<SurfaceFace> faces(const std::vector<std::string> &boundaries) const = 0;
  /// Nodes of a set of the mesh's file, ascending, on every rank. Collective. Errors: InputError that lists the sets.
  virtual std::vector<std::int64_t> named(const std::string &set) const = 0;
  /// New places of nodes, the same on every rank. The other nodes of a cell follow its vertices.
  virtual void move(const std::vector<std::pair<std::int64_t, Place>> &nodes) = 0;
};

/// A part of a structure that may move nodes of its surface before anything is computed on it.
class MovesNodes
{
public:
  virtual ~MovesNodes() = default;
  /// Whether it moved some: then all such parts are asked again. Collective. Errors: InputError with the place in the deck.
  virtual bool adjust(BodySurface &surface) = 0;
};
}  // namespace symdyn
