#pragma once
#include <array>
#include <functional>
#include <vector>

#include "elements/contact/proxy_surface.h"

namespace symdyn
{
/// A corner, a line or a triangle, and how often its distance counts.
struct SignedFeature
{
  std::array<int, 3> vertex{-1, -1, -1};
  int n = 0;  ///< of its vertices
  double factor = 1;
};

/// How surfaces count the distances of their pieces so that a place above counts one: with Phi(distance) of the pieces,
///     sum over pieces - sum over edges (m_e - 1) + sum over vertices c_v,   c_v = 1 - n_v + sum over edges at v (m_e - 1)
/// m_e pieces at an edge, n_v at a vertex: on closed smooth surfaces pieces - edges + vertices. Where the nearest place is inside a piece,
/// the features of the others cancel those of their neighbours. Every distance is continuously differentiable, so is the sum; the
/// smallest distance is not.
class SignedFeatures
{
public:
  explicit SignedFeatures(const ProxySurface &surface);
  /// Those of the faces `near`, ascending, on a surface of the faces for which `kept` is true.
  std::vector<SignedFeature> of(const std::vector<int> &near, const std::function<bool(int)> &kept) const;
  /// The pieces of a face, each once.
  std::vector<SignedFeature> pieces_of(int face) const;

private:
  struct Piece
  {
    int face;
    std::array<int, 3> vertex;  ///< the last -1 in 2-D
    std::array<int, 3> edge{-1, -1, -1};
  };
  std::vector<Piece> pieces;
  std::vector<std::array<int, 2>> edges;                                ///< their vertices; none in 2-D
  std::vector<std::vector<int>> of_edge, of_vertex, of_face, edges_at;  ///< pieces of edges, of vertices and of faces; edges at vertices
};
}  // namespace symdyn
