#include "elements/models/point_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/lumped/model.h"
#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
PointPlaces::PointPlaces(const LumpedParts &given, const MeshPoints *of_surface, const std::int64_t surface_nodes)
    : parts(given), surface(of_surface), nodes(surface_nodes)
{
  for (const LumpedPoint &point : parts.points)
    of_points.push_back(point.node >= 0 ? point.node : nodes++);
}

double PointPlaces::size() const
{
  double square = 0;
  for (int d = 0; d < parts.dimension; ++d)
  {
    double lower = std::numeric_limits<double>::max(), upper = -lower;
    if (parts.points.empty())
      break;
    for (const LumpedPoint &point : parts.points)
      if (point.director_of < 0)
      {
        lower = std::min(lower, point.position[d]);
        upper = std::max(upper, point.position[d]);
      }
    square += std::pow(upper - lower, 2);
  }
  return std::max(std::sqrt(square), surface ? surface->size() : 0.);
}

MeshPoints::Node PointPlaces::nearest(const Place &place) const
{
  Node found;
  double closest = std::numeric_limits<double>::max();
  if (surface)
  {
    found = surface->nearest(place);
    closest = std::hypot(found.position[0] - place[0], found.position[1] - place[1], found.position[2] - place[2]);
  }
  for (std::size_t k = 0; k < parts.points.size(); ++k)
  {
    const auto &X = parts.points[k].position;
    const double off = std::hypot(X[0] - place[0], X[1] - place[1], X[2] - place[2]);
    if (parts.points[k].director_of < 0 && off < closest)
    {
      closest = off;
      found = {of_points[k], X};
    }
  }
  return found;
}

std::vector<MeshPoints::Node> PointPlaces::on_boundary(const std::string &name) const
{
  if (surface)
    return surface->on_boundary(name);
  throw InputError(fmt::format("'{}': there are no boundaries with Structure = discrete. Name points", name));
}

std::vector<MeshPoints::Node> PointPlaces::named(const std::string &name) const
{
  for (std::size_t k = 0; k < parts.points.size(); ++k)
    if (parts.points[k].name == name && parts.points[k].director_of < 0)
      return {{of_points[k], parts.points[k].position}};
  std::string of_surface;
  if (surface)
    try
    {
      return surface->named(name);
    }
    catch (const InputError &error)
    {
      if (parts.points.empty())
        throw;
      of_surface = fmt::format("{}. ", error.what());
    }
  std::vector<std::string> names;
  for (const LumpedPoint &point : parts.points)
    if (point.director_of < 0)  // no end is a column of a body
      names.push_back(point.name);
  throw InputError(fmt::format("{}there is no point '{}'; there are {}", of_surface, name, join_some(nearest_first(name, names))));
}
}  // namespace symdyn
