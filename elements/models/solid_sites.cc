#include <deal.II/base/mpi.h>

#include "elements/contact_stages.h"
#include "elements/files/drawn_frames.h"
#include "elements/gram/heated_elements.h"
#include "elements/lumped/constraint_term.h"
#include "elements/lumped/mesh_nodes.h"
#include "elements/models/cyclic_fields.h"
#include "elements/models/relations.h"
#include "elements/models/solid.h"
#include "elements/models/surface_nodes.h"
#include "elements/output/cell_frames.h"
#include "elements/output/turned_frames.h"
#include "elements/supports/nodes_of_mesh.h"

// The sites of a solid, of its points and of its parts, and the system on them; pictures of the sectors that it is one of.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
void Solid<dim>::join_surface()
{
  if constexpr (dim == 3)
    if (surface.any())
    {
      surface.join(*parts.mesh);
      mesh_points = symdyn::mesh_points(std::move(mesh_points), surface.surface(), surface.joined().sites);
    }
}

template <int dim>
void Solid<dim>::append_sites()
{
  Discretisation<dim> &mesh = *parts.mesh;
  auto nodes = std::make_unique<MeshNodes<dim>>(mesh);
  const MeshFaces &faces = *nodes;
  mesh_points = std::move(nodes);
  join_surface();
  sites = std::make_unique<SitePlan>(*mesh_points);
  sites->shared<FacesOfPlan>().of_solid = &faces;
  surface.plan(*sites);
  points.plan(*sites);
  points.set_temperatures(temperature, *this->actions);
  sites->shared<ContactStages>().actions = this->actions;
  sites->shared<PartTemperatures>().set(temperature, *this->actions, sites->mesh());
  structure_parts.plan(*sites, parts.mass_type == MassType::lumped);
  const int own = int(sites->appended().size());
  sites->number_sites(MPI::broadcast(mesh.communicator, std::int64_t(mesh.n_owned_nodes()), 0));
  const auto [begin, end] = owned_sites(mesh, own);
  const dealii::IndexSet known = sites->needed(begin, end, mesh.n_nodes() + own);
  if (MPI::max(int(own + known.n_elements()), mesh.communicator) > 0)
    mesh.append_sites(own, known);
}

template <int dim>
void Solid<dim>::make_system()
{
  if (points.any() || structure_parts.any())
    append_sites();
  const std::vector<AppendedSite> appended = sites ? sites->appended() : std::vector<AppendedSite>();
  parts.actions = this->actions;
  const std::shared_ptr<const Space> space = make_space(*parts.mesh, appended);
  if constexpr (dim == 3)
    if (surface.any())
      parts.held = supported_nodes(PlannedSites(space, *sites), *sites, supported_nodes(*parts.mesh));
  body = std::make_unique<SolidBody<dim>>(parts);
  held_loads.check(*body);
  AssembledSystem::Parts of_system = system_parts(*body, space);
  if (!appended.empty())
    of_system.coarser = {};
  if (sites)
    add_others(of_system);
  solver_choice.check(of_system.terms, this->needs_tangent);
  assembled = std::make_unique<AssembledSystem>(std::move(of_system));
  refuse_one_direction(*assembled, *parts.mesh);
  support_forces = std::make_unique<SupportForces<dim>>(*body, *assembled);
}

template <int dim>
void Solid<dim>::add_others(AssembledSystem::Parts &system)
{
  if (surface.any())
    surface.add_loads(system, *sites);
  if constexpr (dim == 3)
    if (surface.any())
      surface.add_rotations(*parts.supports, system, *sites);
  points.add_to(system, *sites);
  structure_parts.add_to(
      system, *sites, {parts.mass_type == MassType::lumped, points.all_sections().model.parts.gravity, false, "", this->needs_true_mass});
  if (points.any())
    points.points()->check_masses(system);
  if (system.constraints.exact)
    system.terms.push_back(std::make_shared<ConstraintTerm>(*system.constraints.exact, system.space, structure_parts.any_elements()));
  system.relations = points.any() ? points.points()->relations(system) : relations_of(system);
}

template <int dim>
std::vector<std::string> Solid<dim>::write_sectors(const std::vector<Vector> &shapes, const std::string &folder,
                                                   const std::string &stem) const
{
  const CyclicSymmetry &whole = *assembled->all_parts().cyclic;
  const NodeFrame cells = turned_frames(whole, int(shapes.size()),
                                        [&](const int k) { return frames().frame({frames().motion("displacement", shapes[k])}, 0.); });
  std::vector<std::string> files{write_node_frame(cells, folder, stem, parts.mesh->communicator)};
  std::vector<State> sectors(shapes.size());
  for (std::size_t k = 0; k < shapes.size(); ++k)
    sectors[k].q = structure_parts.drawn_shape(shapes[k]);
  structure_parts.write_shape(sectors, &whole, folder, stem, {}, 0, files);
  return files;
}

template <int dim>
DrawnShapes Solid<dim>::drawn(const std::vector<Vector> &shapes) const
{
  const MPI_Comm communicator = parts.mesh->communicator;
  DrawnShapes all;
  add_drawn([&](const Vector &shape) { return frames().frame({frames().motion("displacement", shape)}, 0.); }, shapes, communicator, all);
  add_drawn([&](const Vector &shape) { return structure_parts.frame_of_shape(shape); }, shapes, communicator, all);
  return all;
}

template DrawnShapes Solid<2>::drawn(const std::vector<Vector> &) const;
template DrawnShapes Solid<3>::drawn(const std::vector<Vector> &) const;
template void Solid<2>::join_surface();
template void Solid<3>::join_surface();
template void Solid<2>::append_sites();
template void Solid<3>::append_sites();
template void Solid<2>::add_others(AssembledSystem::Parts &);
template void Solid<3>::add_others(AssembledSystem::Parts &);
template std::vector<std::string> Solid<2>::write_sectors(const std::vector<Vector> &, const std::string &, const std::string &) const;
template std::vector<std::string> Solid<3>::write_sectors(const std::vector<Vector> &, const std::string &, const std::string &) const;
template void Solid<2>::make_system();
template void Solid<3>::make_system();
}  // namespace symdyn
