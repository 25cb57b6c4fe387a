#include "solver/structure_places.h"

#include <fmt/format.h>

#include <algorithm>

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

private:
  const Discrete &of;
};

std::unique_ptr<StructurePlaces> Discrete::places() const { return std::make_unique<OfPlaces>(*this); }

template std::unique_ptr<StructurePlaces> Solid<2>::places() const;
template std::unique_ptr<StructurePlaces> Solid<3>::places() const;
}  // namespace symdyn
