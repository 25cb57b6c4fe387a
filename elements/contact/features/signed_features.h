#pragma once
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "elements/contact/proxy_surface.h"

namespace symdyn
{
/// The features of a surface, its pieces, edges and vertices, and how they count their distances so that a place above counts one: with
/// Phi(distance) of the pieces,
///     sum over pieces - sum over edges (m_e - 1) + sum over vertices c_v,   c_v = 1 - n_v + sum over edges at v (m_e - 1)
/// m_e pieces at an edge, n_v at a vertex: on closed smooth surfaces pieces - edges + vertices. Where the nearest place is inside a piece,
/// the features of the others cancel those of their neighbours. Every distance is continuously differentiable, so is the sum; the
/// smallest distance is not.
class SignedFeatures
{
public:
  explicit SignedFeatures(const ProxySurface &surface);
  /// Whether no piece has an edge (in 2-D an end) alone.
  bool closed() const;
  /// How often a feature counts.
  int factor(const int number) const { return factors[number]; }
  /// The same, on a surface of those faces alone for which `kept` is true.
  int factor(int number, const std::function<bool(int)> &kept) const;
  /// Calls visit(number) of a piece, its corners and its edges.
  template <class Visit>
  void each_part(const int piece, const Visit &visit) const
  {
    visit(piece);
    for (int corner = 0; corner < features[piece].n; ++corner)
    {
      visit(first_vertex() + features[piece].vertex[corner]);
      if (features[piece].n == 3)
        visit(first_edge() + edges_of[piece][corner]);
    }
  }
  /// The numbers of the pieces of a face: from the first to before the second.
  std::pair<int, int> pieces_of(const int face) const { return {first_piece[face], first_piece[face + 1]}; }
  /// A corner, a line or a triangle: its vertices, then -1.
  struct Feature
  {
    std::array<int, 3> vertex{-1, -1, -1};
    int n = 0;  ///< of them
  };
  const Feature &operator[](const int number) const { return features[number]; }
  std::size_t size() const { return features.size(); }
  /// The feature, of a feature itself, that has those of its corners alone whose bits are in the pattern.
  int part(const int number, const unsigned pattern) const
  {
    const Feature &whole = features[number];
    if (pattern + 1 == 1u << whole.n)
      return number;
    if (pattern == 1 || pattern == 2 || pattern == 4)
      return first_vertex() + whole.vertex[pattern / 2];
    return first_edge() + edges_of[number][pattern == 3 ? 0 : pattern == 6 ? 1 : 2];
  }

private:
  int first_edge() const { return first_piece.back(); }
  int first_vertex() const { return int(features.size() - of_vertex.size()); }

  std::vector<Feature> features;                               ///< pieces, face by face; edges (none in 2-D); vertices
  std::vector<int> first_piece;                                ///< of each face, and the end
  std::vector<int> face_of;                                    ///< of each piece
  std::vector<std::array<int, 3>> edges_of;                    ///< of each piece, if it is a triangle
  std::vector<std::vector<int>> of_edge, of_vertex, edges_at;  ///< pieces of edges and of vertices; edges at vertices
  std::vector<int> factors;                                    ///< of features
};
}  // namespace symdyn
