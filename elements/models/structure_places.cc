#include "solver/structure_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "elements/gram/director_nodes.h"
#include "elements/lumped/mesh_nodes.h"
#include "elements/models/discrete.h"
#include "elements/models/solid.h"
#include "solver/base/names.h"
#include "solver/error.h"

// Where the motion of solids and of discrete structures can be measured, and a force can act.
namespace symdyn
{
namespace
{
void add_names_of(const Points &points, std::vector<std::string> &names)
{
  for (const LumpedPoint &point : points.parts().points)
    if (point.director_of < 0)
      names.push_back(point.name);
}

/// Whether there is a point of this name; then `place` is it.
bool find_point(const Points &points, const std::string &name, StructurePlace &place)
{
  const std::vector<LumpedPoint> &all = points.parts().points;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].name == name && all[k].director_of < 0)
    {
      if (points.is_raised(int(k)))
        throw InputError(fmt::format(
            "the point '{}' is the reference of a distributing coupling off the plane of its nodes, and moves as their rotations do. "
            "Name another point, or one of the nodes",
            name));
      place = {name, all[k].position, {}};
      if (points.sites().owns(int(k)))
        place.shares = {{unsigned(points.parts().dimension * points.sites().site(int(k))), 1.}};
      return true;
    }
  return false;
}

void add_directors(SitePlan &plan, const SitePlan::Site site, StructureNode &node)
{
  auto &all = plan.shared<DirectorNodes>();
  if (!all.has(site))
    return;
  const std::vector<SitePlan::Site> &sites = all.directors(plan, site);
  for (std::size_t i = 0; i < sites.size(); ++i)
    node.directors.push_back({std::uint64_t(plan.number(sites[i])), all.basis(site)[i]});
}

/// The point of this name as a node; the columns of a rigid body are its directors. `site_of`: of a point in the plan.
template <class SiteOf>
std::vector<StructureNode> node_of_point(const Points &points, const std::string &name, SitePlan *plan, const SiteOf &site_of)
{
  const std::vector<LumpedPoint> &all = points.parts().points;
  StructurePlace place;
  if (!find_point(points, name, place))
    return {};
  std::size_t k = 0;
  while (all[k].name != name || all[k].director_of >= 0)
    ++k;
  StructureNode node{place.position, std::uint64_t(points.sites().number(int(k))), {}};
  for (std::size_t j = 0; j < all.size(); ++j)
    if (all[j].director_of == int(k))
      node.directors.push_back({std::uint64_t(points.sites().number(int(j))), all[j].position});
  if (plan && node.directors.empty())
    add_directors(*plan, site_of(k), node);
  return {node};
}

/// Nodes of a boundary, or that the mesh's file names. Errors: InputError.
std::vector<StructureNode> named_nodes(const MeshPoints &mesh, const std::string &name, SitePlan *plan)
{
  std::vector<MeshPoints::Node> found;
  try
  {
    found = mesh.on_boundary(name);
  }
  catch (const InputError &no_boundary)
  {
    try
    {
      found = mesh.named(name);
    }
    catch (const InputError &no_set)
    {
      throw InputError(fmt::format("{}. {}", no_boundary.what(), no_set.what()));
    }
  }
  std::vector<StructureNode> nodes;
  for (const MeshPoints::Node &one : found)
  {
    nodes.push_back({one.position, std::uint64_t(plan ? plan->number(one.number) : one.number), {}});
    if (plan)
      add_directors(*plan, one.number, nodes.back());
  }
  return nodes;
}

[[noreturn]] void refuse_place(const std::string &name, const std::vector<std::string> &names)
{
  throw InputError(
      fmt::format("there is no probe and no point '{}'{}", name, names.empty() ? "" : "; there are: " + join(nearest_first(name, names))));
}
}  // namespace

template <int dim>
class Solid<dim>::OfPlaces : public StructurePlaces
{
public:
  explicit OfPlaces(const Solid &solid) : solid(solid) {}
  int dimension() const override { return dim; }
  std::vector<std::string> names() const override
  {
    std::vector<std::string> names = of_probes();
    if (solid.points.any())
      add_names_of(*solid.points.points(), names);
    return names;
  }
  std::vector<std::string> reported() const override
  {
    std::vector<std::string> names = of_probes();
    if (solid.points.any())
      for (const int point : solid.points.all_sections().reported_points())
        names.push_back(solid.points.all_sections().model.name_of(point));
    return names;
  }
  StructurePlace named(const std::string &name) const override
  {
    for (const Probe<dim> &probe : solid.probes)
      if (probe.name() == name)
      {
        StructurePlace place{name, {}, probe.shares()};
        const dealii::Point<dim> X = probe.place(*solid.parts.mesh);
        for (int d = 0; d < dim; ++d)
          place.position[d] = X[d];
        return place;
      }
    if (StructurePlace place; solid.points.any() && find_point(*solid.points.points(), name, place))
      return place;
    refuse_place(name, names());
  }
  StructurePlace nearest(const std::array<double, 3> &X) const override
  {
    const MeshPoints::Node node = MeshNodes<dim>(*solid.parts.mesh).nearest(X);
    StructurePlace place{"", node.position, {}};
    if (solid.parts.mesh->node_partitioner->in_local_range(node.number))
      place.shares = {{dim * solid.parts.mesh->node_partitioner->global_to_local(node.number), 1.}};
    return place;
  }
  std::vector<StructureNode> nodes(const std::string &name) const override
  {
    if (solid.points.any())
      if (auto node = node_of_point(*solid.points.points(), name, solid.sites.get(),
                                    [this](const std::size_t k) { return solid.points.site_of(k); });
          !node.empty())
        return node;
    return solid.sites ? named_nodes(solid.sites->mesh(), name, solid.sites.get())
                       : named_nodes(MeshNodes<dim>(*solid.parts.mesh), name, nullptr);
  }

private:
  std::vector<std::string> of_probes() const
  {
    std::vector<std::string> names;
    for (const Probe<dim> &probe : solid.probes)
      names.push_back(probe.name());
    return names;
  }
  const Solid &solid;
};

template <int dim>
std::unique_ptr<StructurePlaces> Solid<dim>::places() const
{
  return std::make_unique<OfPlaces>(*this);
}

class Discrete::OfPlaces : public StructurePlaces
{
public:
  explicit OfPlaces(const Discrete &structure) : of(structure) {}
  int dimension() const override { return of.model.dimension(); }
  std::vector<std::string> names() const override
  {
    std::vector<std::string> names;
    add_names_of(*of.points, names);
    return names;
  }
  std::vector<std::string> reported() const override
  {
    std::vector<std::string> names;
    for (const int point : of.sections.reported_points())
      names.push_back(of.model.name_of(point));
    return names;
  }
  StructurePlace named(const std::string &name) const override
  {
    if (StructurePlace place; find_point(*of.points, name, place))
      return place;
    refuse_place(name, names());
  }
  StructurePlace nearest(const std::array<double, 3> &X) const override
  {
    const MeshPoints::Node node = of.places_of_parts->nearest(X);
    StructurePlace place{"", node.position, {}};
    if (const PlannedSites sites(of.assembled->all_parts().space, *of.plan); sites.owns(node.number))
      place.shares = {{unsigned(of.model.dimension() * sites.local(node.number)), 1.}};
    return place;
  }
  std::vector<StructureNode> nodes(const std::string &name) const override
  {
    if (auto node = node_of_point(*of.points, name, of.plan.get(), [this](const std::size_t k) { return of.places_of_parts->node(k); });
        !node.empty())
      return node;
    return named_nodes(*of.places_of_parts, name, of.plan.get());
  }

private:
  const Discrete &of;
};

std::unique_ptr<StructurePlaces> Discrete::places() const { return std::make_unique<OfPlaces>(*this); }

template std::unique_ptr<StructurePlaces> Solid<2>::places() const;
template std::unique_ptr<StructurePlaces> Solid<3>::places() const;
}  // namespace symdyn
