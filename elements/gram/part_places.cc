#include "elements/gram/part_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "solver/base/number.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr double same_place = 1e-6;  ///< of the size of the structure

double distance(const Place &a, const Place &b) { return norm(combination(a, -1., b)); }

/// From a place to a segment.
double distance(const Place &X, const Place &from, const Place &to)
{
  const GramVector along = combination(to, -1., from);
  const double s = std::clamp(dot(combination(X, -1., from), along) / dot(along, along), 0., 1.);
  return distance(X, combination(from, s, along));
}
}  // namespace

double PartPlaces::nearness(const SitePlan &plan, const Place &X) const
{
  double size = plan.mesh().size();
  for (const End &end : appended)
    size = std::max(size, distance(end.position, X));
  for (const Named &point : points)
    size = std::max(size, distance(point.end.position, X));
  if (const MeshPoints::Node node = plan.mesh().nearest(X); node.number >= 0)
    size = std::max(size, distance(node.position, X));
  return same_place * size;
}

PartPlaces::End PartPlaces::named(const SitePlan &plan, const std::string &name, const std::string &entry, const Parameters &p) const
{
  for (const Named &point : points)
    if (point.name == name)
      return point.end;
  std::vector<MeshPoints::Node> nodes;
  try
  {
    nodes = plan.mesh().named(name);
  }
  catch (const InputError &error)
  {
    std::string names;
    for (const Named &point : points)
      names += (names.empty() ? ". Points: " : ", ") + point.name;
    p.fail(entry, fmt::format("{}{}. Give a name, or a place: three numbers", error.what(), names));
  }
  if (nodes.size() != 1)
    p.fail(entry, fmt::format("'{}' is a set of {} nodes. An end of a beam is one", name, nodes.size()));
  return {nodes.front().number, nodes.front().position};
}

PartPlaces::End PartPlaces::find(SitePlan &plan, const std::vector<std::string> &given, const std::string &entry, const Parameters &p)
{
  if (given.size() == 1)
    return named(plan, given.front(), entry, p);
  Place X{};
  if (given.size() != X.size())
    p.fail(entry, "needs the name of a point, or three numbers [m]");
  for (std::size_t d = 0; d < X.size(); ++d)
  {
    const auto value = number_from<double>(given[d]);
    if (!value)
      p.fail(entry, fmt::format("'{}' is not a number. An end is the name of a point, or three numbers [m]", given[d]));
    X[d] = *value;
  }
  if (const auto found = standing(plan, X))
    return *found;
  const double near = nearness(plan, X);
  for (const End &end : appended)
    if (distance(end.position, X) <= near)
      return end;
  appended.push_back({plan.append({X, false}), X});
  return appended.back();
}

std::optional<PartPlaces::End> PartPlaces::standing(const SitePlan &plan, const Place &X) const
{
  const double near = nearness(plan, X);
  if (const MeshPoints::Node node = plan.mesh().nearest(X); node.number >= 0 && distance(node.position, X) <= near)
    return End{node.number, node.position};
  for (const Named &point : points)
    if (distance(point.end.position, X) <= near)
      return point.end;
  return {};
}

std::optional<PartPlaces::End> PartPlaces::nearest(const SitePlan &plan, const Place &X) const
{
  std::optional<End> best;
  const auto take = [&](const End &end) {
    if (!best || distance(end.position, X) < distance(best->position, X))
      best = end;
  };
  if (const MeshPoints::Node node = plan.mesh().nearest(X); node.number >= 0)
    take({node.number, node.position});
  for (const Named &point : points)
    take(point.end);
  for (const End &end : appended)
    take(end);
  return best;
}

std::string PartPlaces::crossed_by(const SitePlan &plan, const End &end) const
{
  const double near = nearness(plan, end.position);
  for (const Line &line : lines)
    if (std::find(line.sites.begin(), line.sites.end(), end.site) == line.sites.end() &&
        distance(end.position, line.from.position, line.to.position) <= near)
      return line.name;
  return "";
}

std::optional<Place> PartPlaces::crossing(const SitePlan &plan, const Line &one, const Line &other) const
{
  for (int d = 0; d < 3; ++d)  // most pairs are far apart
  {
    const auto [low, high] = std::minmax(one.from.position[d], one.to.position[d]);
    const auto [low_other, high_other] = std::minmax(other.from.position[d], other.to.position[d]);
    const double near = same_place * (high - low + high_other - low_other);
    if (low > high_other + near || low_other > high + near)
      return {};
  }
  if (std::find_first_of(one.sites.begin(), one.sites.end(), other.sites.begin(), other.sites.end()) != one.sites.end())
    return {};
  const GramVector a = combination(one.to.position, -1., one.from.position), b = combination(other.to.position, -1., other.from.position),
                   r = combination(other.from.position, -1., one.from.position);
  const double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b), determinant = aa * bb - ab * ab;
  if (determinant <= same_place * aa * bb)  // one beside the other
    return {};
  const double s = (dot(a, r) * bb - dot(b, r) * ab) / determinant;
  const Place X = combination(one.from.position, s, a);
  if (s >= 0. && s <= 1. && distance(X, other.from.position, other.to.position) <= nearness(plan, X))
    return X;
  return {};
}

std::vector<std::pair<std::string, Place>> PartPlaces::crossings(const SitePlan &plan, const std::string &name) const
{
  constexpr std::size_t most = 20000;  // of larger frames the pairs are too many
  const auto first = std::find_if(lines.begin(), lines.end(), [&](const Line &line) { return line.name == name; });
  std::vector<std::pair<std::string, Place>> found;
  std::set<std::string> known;
  for (auto own = first; own != lines.end() && own->name == name; ++own)
    for (auto other = lines.begin(); other != own && lines.size() <= most; ++other)
      if (const auto X = known.count(other->name) > 0 ? std::nullopt : crossing(plan, *own, *other))
      {
        found.emplace_back(other->name, *X);
        known.insert(other->name);
      }
  return found;
}
}  // namespace symdyn
