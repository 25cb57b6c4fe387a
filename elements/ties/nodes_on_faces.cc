#include <algorithm>
#include <cmath>
#include <map>

#include "elements/surfaces/box_search.h"
#include "elements/surfaces/facet.h"
#include "elements/ties/tie_method.h"

// Ties by interpolation at nodes, as CalculiX's *TIE has them.
namespace symdyn
{
namespace
{
constexpr double beyond = 0.01;  ///< an edge of a face, of its size: such nodes are on its edge

/// The place of a face nearest to x, by Gauss and Newton: (X(s) - x) . dX/ds_i = 0. False: there is none on it.
bool nearest_on(const SurfaceFace &face, const int dim, const Place &x, FacePlace &s)
{
  constexpr int iterations = 50;
  constexpr double converged = 1e-13;
  for (int i = 0; i < iterations; ++i)
  {
    std::array<Place, 2> along;
    place_on(face, s, &along);
    const FacePlace before = s;
    if (!project_along(face, dim, along, x, s))
      return false;
    if (std::max(std::abs(s[0] - before[0]), std::abs(s[1] - before[1])) < converged)
      break;
  }
  const double sum = face.shape->corners == 3 ? s[0] + s[1] : std::max(s[0], s[1]);
  return std::min(s[0], s[1]) > -beyond && sum < 1. + beyond;
}

class NodeTie : public TieMethod
{
public:
  std::vector<TiedNode> tie(const TiedSurfaces &given) const override
  {
    const std::vector<Facet> facets = facets_of(given.independent, given.dim);
    const BoxSearch search(boxes_of(facets));
    std::map<std::int64_t, Place> nodes;
    for (const SurfaceFace &face : given.dependent)
      for (std::size_t a = 0; a < face.nodes.size(); ++a)
        nodes[face.nodes[a]] = face.X[a];
    std::vector<TiedNode> tied;
    for (const auto &[node, X] : nodes)
    {
      double least = given.tolerance;
      const SurfaceFace *on = nullptr;
      FacePlace at{};
      for (const int number : search.near({X}, given.tolerance))
      {
        const SurfaceFace &face = given.independent[facets[number].face];
        FacePlace s = facets[number].s.front();
        if (!nearest_on(face, given.dim, X, s))
          continue;
        const Place r = place_on(face, s, nullptr, X);
        if (const double distance = std::sqrt(dot(r, r)); distance < least || (!on && distance <= least))
        {
          least = distance;
          on = &face;
          at = s;
        }
      }
      if (!on)
        continue;
      std::vector<double> N(on->nodes.size());
      on->shape->evaluate(at, N.data(), nullptr);
      tied.push_back({node, {}});
      for (std::size_t m = 0; m < N.size(); ++m)
        if (std::abs(N[m]) > 1e-14)
          tied.back().others.emplace_back(on->nodes[m], N[m]);
    }
    return tied;
  }
};
SYMDYN_REGISTER(TieMethod, NodeTie, "nodes");
}  // namespace
}  // namespace symdyn
