#include "elements/contact/features/signed_features.h"

#include <algorithm>
#include <map>

namespace symdyn
{
SignedFeatures::SignedFeatures(const ProxySurface &surface)
    : first_piece{0}, of_vertex(surface.vertices.size()), edges_at(surface.vertices.size())
{
  std::vector<Feature> edges;
  std::map<std::array<int, 2>, int> known;
  for (std::size_t face = 0; face < surface.faces.size(); ++face)
  {
    for (const std::array<int, 3> &vertex : surface.faces[face].pieces)
    {
      const int number = int(features.size());
      features.push_back({vertex, vertex[2] < 0 ? 2 : 3});
      face_of.push_back(int(face));
      for (int i = 0; i < features.back().n; ++i)
        of_vertex[vertex[i]].push_back(number);
      edges_of.emplace_back();
      if (features.back().n < 3)
        continue;
      for (int i = 0; i < 3; ++i)
      {
        const auto [low, high] = std::minmax(vertex[i], vertex[(i + 1) % 3]);
        const auto [at, is_new] = known.emplace(std::array<int, 2>{low, high}, int(edges.size()));
        if (is_new)
        {
          edges.push_back({{low, high, -1}, 2});
          of_edge.emplace_back();
          edges_at[low].push_back(at->second);
          edges_at[high].push_back(at->second);
        }
        of_edge[at->second].push_back(number);
        edges_of.back()[i] = at->second;
      }
    }
    first_piece.push_back(int(features.size()));
  }
  features.insert(features.end(), edges.begin(), edges.end());
  for (std::size_t vertex = 0; vertex < surface.vertices.size(); ++vertex)
    features.push_back({{int(vertex), -1, -1}, 1});
  for (std::size_t number = 0; number < features.size(); ++number)
    factors.push_back(factor(int(number), [](int) { return true; }));
}

bool SignedFeatures::closed() const
{
  const auto is_alone = [](const std::vector<int> &pieces) { return pieces.size() == 1; };
  const std::vector<std::vector<int>> &ends = of_edge.empty() ? of_vertex : of_edge;
  return std::none_of(ends.begin(), ends.end(), is_alone);
}

int SignedFeatures::factor(const int number, const std::function<bool(int)> &kept) const
{
  const auto count = [&](const std::vector<int> &at) {
    return int(std::count_if(at.begin(), at.end(), [&](const int piece) { return kept(face_of[piece]); }));
  };
  if (number < first_edge())
    return 1;
  if (number < first_vertex())
    return 1 - count(of_edge[number - first_edge()]);
  const int vertex = number - first_vertex();
  int c = 1 - count(of_vertex[vertex]);
  for (const int edge : edges_at[vertex])
    c += std::max(count(of_edge[edge]) - 1, 0);
  return c;
}
}  // namespace symdyn
