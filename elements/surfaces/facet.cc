#include "elements/surfaces/facet.h"

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
Place scaled(const Place &a, const double factor) { return {factor * a[0], factor * a[1], factor * a[2]}; }

Place of_length_one(const Place &a) { return scaled(a, 1. / std::sqrt(dot(a, a))); }

/// Corners of the pieces of a unit line, triangle or square that is cut into so many along each edge.
std::vector<std::vector<FacePlace>> pieces(const int corners, const int cuts)
{
  std::vector<std::vector<FacePlace>> all;
  const auto at = [cuts](const int i, const int j) { return FacePlace{double(i) / cuts, double(j) / cuts}; };
  for (int j = 0; j < (corners == 2 ? 1 : cuts); ++j)
    for (int i = 0; i < (corners == 3 ? cuts - j : cuts); ++i)
      if (corners == 2)
        all.push_back({at(i, 0), at(i + 1, 0)});
      else if (corners == 4)
        all.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      else
      {
        all.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + j + 1 < cuts)
          all.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
  return all;
}

void find_axes(Facet &facet, const double outward, const int dim)
{
  for (const Place &x : facet.x)
    for (int d = 0; d < 3; ++d)
      facet.middle[d] += x[d] / double(facet.x.size());
  facet.tangent[0] = of_length_one(difference(facet.x[1], facet.x[0]));
  const Place &t = facet.tangent[0];
  if (dim == 2)
    facet.normal = scaled({t[1], -t[0], 0.}, outward);
  else if (facet.x.size() > 2)  // axes of beams have none
  {
    const std::size_t last = facet.x.size() - 1;  // diagonals of a quadrilateral, edges of a triangle
    const Place one = difference(facet.x[2], facet.x[0]), other = difference(facet.x[last], facet.x[1]);
    facet.normal = of_length_one(scaled(last == 2 ? cross(difference(facet.x[1], facet.x[0]), one) : cross(one, other), outward));
    facet.tangent[1] = of_length_one(cross(facet.normal, t));
    facet.tangent[0] = cross(facet.tangent[1], facet.normal);
  }
}
}  // namespace

double mean_size(const std::vector<SurfaceFace> &faces, const int dim)
{
  double sum = 0;
  std::size_t edges = 0;
  for (const Facet &facet : facets_of(faces, dim))
    for (std::size_t i = 0; i < facet.x.size(); ++i, ++edges)
      sum += faces[facet.face].shape->degree * length(difference(facet.x[(i + 1) % facet.x.size()], facet.x[i]));
  return sum / double(edges);
}

Place place_on(const SurfaceFace &face, const FacePlace &s, std::array<Place, 2> *along, const Place &origin)
{
  thread_local std::vector<double> N;  // called for millions of points
  thread_local std::vector<FacePlace> dN;
  N.resize(face.nodes.size());
  dN.resize(N.size());
  face.shape->evaluate(s, N.data(), along ? dN.data() : nullptr);
  Place x{};
  if (along)
    *along = {};
  const std::size_t places = N.size() - face.shape->directors;
  for (std::size_t a = 0; a < N.size(); ++a)
    for (int d = 0; d < 3; ++d)
    {
      x[d] += N[a] * (face.X[a][d] - (a < places ? origin[d] : 0.));
      for (int i = 0; along && i < 2; ++i)
        (*along)[i][d] += dN[a][i] * face.X[a][d];
    }
  return x;
}

std::vector<Facet> facets_of(const std::vector<SurfaceFace> &faces, const int dim)
{
  std::vector<Facet> all;
  for (std::size_t i = 0; i < faces.size(); ++i)
    for (std::vector<FacePlace> &s : pieces(faces[i].shape->corners, faces[i].shape->degree))
    {
      Facet facet;
      facet.face = int(i);
      facet.s = std::move(s);
      for (const FacePlace &corner : facet.s)
        facet.x.push_back(place_on(faces[i], corner));
      find_axes(facet, faces[i].outward, dim);
      all.push_back(std::move(facet));
    }
  return all;
}

std::vector<Box> boxes_of(const std::vector<Facet> &facets)
{
  std::vector<Box> boxes;
  for (const Facet &facet : facets)
    boxes.emplace_back(facet.x);
  return boxes;
}

bool project_along(const SurfaceFace &face, const int dim, const std::array<Place, 2> &across, const Place &x, FacePlace &s)
{
  constexpr int iterations = 25;
  constexpr double converged = 1e-13, far = 3.;  // in sizes of a face
  for (int i = 0; i < iterations; ++i)
  {
    std::array<Place, 2> along;
    const Place r = place_on(face, s, &along, x);
    const double f = dot(across[0], r), a = dot(across[0], along[0]);
    FacePlace step{};
    if (dim == 2)
      step[0] = f / a;
    else
    {
      const double g = dot(across[1], r), b = dot(across[0], along[1]), c = dot(across[1], along[0]), d = dot(across[1], along[1]);
      const double D = a * d - b * c;
      step = {(f * d - g * b) / D, (a * g - c * f) / D};
    }
    s = {s[0] - step[0], s[1] - step[1]};
    const double largest = std::max(std::abs(step[0]), std::abs(step[1]));
    if (!(largest < far))
      return false;
    if (largest < converged)
      return true;
  }
  return false;
}
}  // namespace symdyn
