#pragma once
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "elements/mesh_faces.h"
#include "elements/surfaces/facet.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
/// The faces of a boundary, as a contact by segments knows them.
class SegmentSurface
{
public:
  /// local: the local site of a node. owned: whether a node is of this rank.
  SegmentSurface(const std::vector<BoundaryCell> &cells, const std::function<int(std::int64_t)> &local,
                 const std::function<bool(std::int64_t)> &owned);

  /// X + u of their nodes.
  std::vector<SurfaceFace> moved(const Vector &u, int dim) const;

  std::vector<SurfaceFace> faces;  ///< undeformed; SurfaceFace::nodes are local sites
  std::vector<double> thickness;   ///< of plane bodies [m]; 1
  std::vector<int> layer;          ///< of BoundaryCell
  std::vector<char> owned;         ///< by the rank of the first node, by one rank alone

private:
  std::vector<std::shared_ptr<const FaceShape>> shapes;
};

/// The numbers, as BoundaryCell::nodes has them, of the nodes on a face.
std::vector<std::int64_t> nodes_on(const BoundaryCell &cell);

/// A point of integration where two faces stand before each other, on the line along the mean normal of a facet of the first: x = sum_a N_a
/// x_a there, y = sum_b M_b x_b on the other.
struct SegmentPoint
{
  int face = 0, other = 0;      ///< their numbers
  std::vector<double> N, M;     ///< shape functions
  std::vector<FacePlace> dM{};  ///< dM_b/ds_i
  double dA = 0;                ///< of the first face, undeformed [m²]
  double overlap = 0;           ///< of its two places in the undeformed body, where that counts: an even gap less theirs, or what fades [m]
};

struct SegmentSearch
{
  int dim = 3, points = 4;               ///< a direction of each line or triangle
  double apart = 0, deep = 0;            ///< points farther apart, or deeper in each other, are left out [m]
  std::function<bool(int, int)> wanted;  ///< whether points of these two faces are wanted
  /// Of find_nodes: local sites of nodes that need not stand on a face that looks at the second surface. Empty: all nodes, which do.
  std::set<int> alone = {};
};

/// Of all facets that cover each other: clipped polygons in the mean plane of those of the first, cut into triangles. Ordered by the
/// numbers of the faces.
std::vector<SegmentPoint> find_segments(const SegmentSurface &first, const SegmentSurface &second, const Vector &u,
                                        const SegmentSearch &search);

/// Nodes of the first surface, each with its part of the area of each of its faces, at the foot of the perpendicular on the nearest face of
/// the second (node to surface). Parts are integrals of the shape functions over the reference face; where those of vertices are not
/// positive, 1/100 of the face, as CalculiX has it (Dhondt, CalculiX CrunchiX USER'S MANUAL, node-to-face penalty contact). Order as of
/// find_segments. Nodes that are `alone` have their parts of all faces that are given. Pressures of them are even only where the nodes fit:
/// no patch test. Pinned by ContactPairs.* and ContactNodes.*.
std::vector<SegmentPoint> find_nodes(const SegmentSurface &first, const SegmentSurface &second, const Vector &u,
                                     const SegmentSearch &search);
}  // namespace symdyn
