#include "elements/space/geometry_mapping.h"

#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_fe_field.h>

namespace symdyn
{
namespace
{
/// What a field of places stands on.
template <int dim>
struct Geometry
{
  std::unique_ptr<dealii::FiniteElement<dim>> fe;
  dealii::DoFHandler<dim> handler;
  Vector places;
};

template <int dim>
struct OwnGeometry
{
  std::shared_ptr<const Geometry<dim>> geometry;
};

/// Through the nodes of all cells. The geometry is a base, for it outlives the other one.
template <int dim>
class FieldMapping : private OwnGeometry<dim>, public dealii::MappingFEField<dim, dim, Vector>
{
public:
  explicit FieldMapping(const std::shared_ptr<const Geometry<dim>> &geometry)
      : OwnGeometry<dim>{geometry}, dealii::MappingFEField<dim, dim, Vector>(geometry->handler, geometry->places)
  {
  }
  std::unique_ptr<dealii::Mapping<dim>> clone() const override { return std::make_unique<FieldMapping>(this->geometry); }
};

template <int dim>
std::shared_ptr<const Geometry<dim>> make_geometry(const Discretisation<dim> &mesh)
{
  auto geometry = std::make_shared<Geometry<dim>>();
  geometry->fe = std::make_unique<dealii::FESystem<dim>>(*mesh.regions.front().family.fe, dim);
  geometry->handler.reinit(*mesh.triangulation);
  geometry->handler.distribute_dofs(*geometry->fe);
  dealii::IndexSet relevant;
  dealii::DoFTools::extract_locally_relevant_dofs(geometry->handler, relevant);
  geometry->places.reinit(geometry->handler.locally_owned_dofs(), relevant, mesh.communicator);
  std::vector<dealii::types::global_dof_index> dofs(geometry->fe->n_dofs_per_cell());
  auto node_cell = mesh.handler.begin_active();
  for (const auto &cell : geometry->handler.active_cell_iterators())
  {
    if (!cell->is_artificial())
    {
      cell->get_dof_indices(dofs);
      const auto nodes = mesh.cell_nodes(node_cell);
      for (unsigned int i = 0; i < dofs.size(); ++i)
      {
        const auto [component, a] = geometry->fe->system_to_component_index(i);
        geometry->places(dofs[i]) = mesh.position[nodes[a]][component];
      }
    }
    ++node_cell;
  }
  geometry->places.update_ghost_values();
  return geometry;
}

/// The same for the cells of one of several regions: deal.II 9.4 has no such fields on cells of several shapes.
template <int dim>
class NodeMapping : public dealii::MappingFE<dim>
{
public:
  NodeMapping(const Discretisation<dim> &mesh, const CellRegion<dim> &region)
      : dealii::MappingFE<dim>(*region.family.fe), mesh(mesh), region(region)
  {
  }
  std::unique_ptr<dealii::Mapping<dim>> clone() const override { return std::make_unique<NodeMapping>(mesh, region); }

protected:
  std::vector<dealii::Point<dim>> compute_mapping_support_points(
      const typename dealii::Triangulation<dim>::cell_iterator &cell) const override
  {
    const typename Discretisation<dim>::Cell with_nodes(mesh.triangulation.get(), cell->level(), cell->index(), &mesh.handler);
    std::vector<dealii::Point<dim>> places;
    for (const unsigned int node : mesh.cell_nodes(with_nodes))
      places.push_back(mesh.position[node]);
    return places;
  }

private:
  const Discretisation<dim> &mesh;
  const CellRegion<dim> &region;
};
}  // namespace

template <int dim>
std::shared_ptr<const dealii::Mapping<dim>> make_node_mapping(const Discretisation<dim> &mesh, const CellRegion<dim> &region)
{
  if (mesh.regions.size() > 1)
    return std::make_shared<NodeMapping<dim>>(mesh, region);
  return std::make_shared<FieldMapping<dim>>(make_geometry(mesh));
}

template std::shared_ptr<const dealii::Mapping<2>> make_node_mapping(const Discretisation<2> &, const CellRegion<2> &);
template std::shared_ptr<const dealii::Mapping<3>> make_node_mapping(const Discretisation<3> &, const CellRegion<3> &);
}  // namespace symdyn
