#include "elements/gram/part_places.h"

#include <fmt/format.h>

#include <cmath>

#include "solver/base/number.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr double same_place = 1e-6;  ///< of the size of the structure

double distance(const Place &a, const Place &b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

PartPlaces::End named(const SitePlan &plan, const std::string &name, const std::string &entry, const Parameters &p)
{
  std::vector<MeshPoints::Node> nodes;
  try
  {
    nodes = plan.mesh().named(name);
  }
  catch (const InputError &error)
  {
    p.fail(entry, fmt::format("{}. Give a name, or a place: three numbers", error.what()));
  }
  if (nodes.size() != 1)
    p.fail(entry, fmt::format("'{}' are {} nodes. An end of a beam is one", name, nodes.size()));
  return {nodes.front().number, nodes.front().position};
}
}  // namespace

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
      p.fail(entry, fmt::format("'{}' is no number. An end is the name of a point, or three numbers [m]", given[d]));
    X[d] = *value;
  }
  const double near = same_place * std::max(plan.mesh().size(), 1e-300);
  if (const MeshPoints::Node node = plan.mesh().nearest(X); node.number >= 0 && distance(node.position, X) <= near)
    return {node.number, node.position};
  for (const End &end : appended)
    if (distance(end.position, X) <= near)
      return end;
  appended.push_back({plan.append({X, false}), X});
  return appended.back();
}
}  // namespace symdyn
