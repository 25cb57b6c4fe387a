#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "elements/mesh_faces.h"

namespace symdyn
{
/// A place that moves with the body: the sum of weights times displacements of sites.
struct BodyPlace
{
  std::vector<std::pair<int, double>> sites;  ///< local ones, and their weights, whose sum is 1
  Place X{};                                  ///< undeformed [m]
};

/// Boundaries of a body as flat pieces, for contact: lines in 2-D, triangles in 3-D, between places that stand `depth` below the
/// boundary, so that the pieces of flat boundaries lie `depth` below them. Quadrilaterals are four triangles about the mean of their
/// corners, which has no preferred diagonal; faces of degree k are k or k^2 of them. Nothing else in contact knows cells.
struct ProxySurface
{
  struct Point
  {
    BodyPlace at;     ///< `depth` below the face
    double dA = 0;    ///< of the face, undeformed [m²], in 2-D with the thickness
    Place on_face{};  ///< undeformed, of the face itself [m]
  };
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  struct Face
  {
    bool is_axis() const { return width < infinite; }
    int side = 0;                            ///< which boundary it is of
    int layer = 0;                           ///< of BoundaryCell
    bool owned = false;                      ///< by the rank of its first node, by one rank alone
    double width = infinite;                 ///< of a beam, whose pieces are lines [m]
    std::vector<std::array<int, 3>> pieces;  ///< of vertices; the last -1 of lines
    std::vector<std::int64_t> corners;       ///< numbers of nodes, ascending
    std::vector<Point> points;
    Place normal{};  ///< outward, of its middle, undeformed
  };
  int dim = 3;
  double least_part = 0;  ///< beside axes: of edges where the surface is flat or turns inward (SharpEdges)
  std::vector<BodyPlace> vertices;
  std::vector<Face> faces;
};

struct ProxyChoice
{
  int dim = 3, points = 4;                  ///< Gauss-Lobatto points a direction on each face
  double depth = 0;                         ///< [m]
  bool one_point_a_place = false;           ///< points that neighbours share are points of the first, if no face has nodes of both sides
  std::function<int(std::int64_t)> local;   ///< the local site of a node; -1: not known on this rank
  std::function<bool(std::int64_t)> owned;  ///< whether a node is of this rank
};

/// `cells`: faces of each side. A rank that does not know their nodes gets no faces. Errors: std::domain_error with the place of a face
/// whose cell is too thin for `depth`.
ProxySurface make_proxies(const std::vector<std::vector<BoundaryCell>> &cells, const ProxyChoice &choice);
}  // namespace symdyn
