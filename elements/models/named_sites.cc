#include "elements/models/named_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "elements/models/discrete.h"
#include "elements/models/solid.h"
#include "elements/space/named_nodes.h"
#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
[[noreturn]] void refuse(const std::string &name, const std::vector<std::string> &names)
{
  throw InputError(fmt::format("there are no nodes with the name '{}'{}", name,
                               names.empty() ? "" : "; there are: " + join(nearest_first(name, names))));
}

template <int dim>
std::vector<int> of_mesh(const Discretisation<dim> &mesh, const std::string &name)
{
  std::vector<std::string> names = mesh.boundary_names();
  std::vector<unsigned int> nodes;
  if (std::count(names.begin(), names.end(), name) > 0)
    nodes = mesh.boundary_nodes(name);
  else if (mesh.file_nodes && mesh.file_nodes->sets.count(name) > 0)
    nodes = NamedNodes<dim>(mesh).local({name});
  else
  {
    for (const auto &set : mesh.file_nodes ? mesh.file_nodes->sets : std::map<std::string, std::vector<unsigned int>>())
      names.push_back(set.first);
    refuse(name, names);
  }
  std::vector<int> sites;
  for (const unsigned int node : nodes)
    if (int(node) < mesh.n_owned_nodes())
      sites.push_back(int(node));
  return sites;
}

std::vector<int> of_points(const Points &points, const std::string &name)
{
  std::vector<std::string> names;
  const std::vector<LumpedPoint> &all = points.parts().points;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (names.push_back(all[k].name); all[k].name == name)
      return points.sites().owns(k) ? std::vector<int>{points.sites().site(k)} : std::vector<int>();
  refuse(name, names);
}
}  // namespace

const AssembledSystem &assembled_system(Structure &structure)
{
  const auto *system = dynamic_cast<const AssembledSystem *>(&structure.system());
  if (!system)
    throw std::logic_error("this structure has no system of terms");
  return *system;
}

std::vector<int> named_sites(Structure &structure, const std::string &name)
{
  if (const auto *solid = dynamic_cast<const Solid<3> *>(&structure))
    return of_mesh(solid->solid_body().mesh(), name);
  if (const auto *solid = dynamic_cast<const Solid<2> *>(&structure))
    return of_mesh(solid->solid_body().mesh(), name);
  if (const auto *discrete = dynamic_cast<const Discrete *>(&structure))
    return of_points(discrete->all_points(), name);
  refuse(name, {});
}
}  // namespace symdyn
