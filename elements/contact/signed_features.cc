#include "elements/contact/signed_features.h"

#include <algorithm>
#include <map>
#include <set>

namespace symdyn
{
SignedFeatures::SignedFeatures(const ProxySurface &surface)
    : of_vertex(surface.vertices.size()), of_face(surface.faces.size()), edges_at(surface.vertices.size())
{
  std::map<std::array<int, 2>, int> known;
  for (std::size_t face = 0; face < surface.faces.size(); ++face)
    for (const std::array<int, 3> &vertex : surface.faces[face].pieces)
    {
      const int number = int(pieces.size());
      Piece piece{int(face), vertex};
      of_face[face].push_back(number);
      for (int i = 0; i < surface.dim; ++i)
        of_vertex[vertex[i]].push_back(number);
      for (int i = 0; i < 3 && surface.dim == 3; ++i)
      {
        const auto [low, high] = std::minmax(vertex[i], vertex[(i + 1) % 3]);
        const auto [at, is_new] = known.emplace(std::array<int, 2>{low, high}, int(edges.size()));
        if (is_new)
        {
          edges.push_back({low, high});
          of_edge.emplace_back();
          edges_at[low].push_back(at->second);
          edges_at[high].push_back(at->second);
        }
        of_edge[at->second].push_back(number);
        piece.edge[i] = at->second;
      }
      pieces.push_back(piece);
    }
}

std::vector<SignedFeature> SignedFeatures::pieces_of(const int face) const
{
  std::vector<SignedFeature> all;
  for (const int number : of_face[face])
    all.push_back({pieces[number].vertex, pieces[number].vertex[2] < 0 ? 2 : 3, 1.});
  return all;
}

std::vector<SignedFeature> SignedFeatures::of(const std::vector<int> &near, const std::function<bool(int)> &kept) const
{
  const auto count = [&](const std::vector<int> &at) {
    return int(std::count_if(at.begin(), at.end(), [&](const int piece) { return kept(pieces[piece].face); }));
  };
  std::vector<SignedFeature> features;
  std::set<int> of_edges, of_vertices;
  for (const int face : near)
  {
    const std::vector<SignedFeature> all = pieces_of(face);
    features.insert(features.end(), all.begin(), all.end());
    for (const int number : of_face[face])
    {
      const Piece &piece = pieces[number];
      for (int i = 0; i < 3; ++i)
      {
        if (piece.edge[i] >= 0)
          of_edges.insert(piece.edge[i]);
        if (piece.vertex[i] >= 0)
          of_vertices.insert(piece.vertex[i]);
      }
    }
  }
  for (const int edge : of_edges)
    if (const int m = count(of_edge[edge]); m > 1)
      features.push_back({{edges[edge][0], edges[edge][1], -1}, 2, 1. - m});
  for (const int vertex : of_vertices)
  {
    int c = 1 - count(of_vertex[vertex]);
    for (const int edge : edges_at[vertex])
      c += std::max(count(of_edge[edge]) - 1, 0);
    if (c != 0)
      features.push_back({{vertex, -1, -1}, 1, double(c)});
  }
  return features;
}
}  // namespace symdyn
