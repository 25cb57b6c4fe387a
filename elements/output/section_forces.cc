#include "elements/output/section_forces.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "elements/system/cell_balance.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
void add_entries(Parameters &p, std::vector<double> &point, std::vector<double> &normal, double &radius, std::vector<std::string> &groups)
{
  p.add("Point", point, "of the plane in the undeformed body, and of the moments [m]");
  p.add("Normal", normal, "of the plane: the force is that of the part it points to on the other; any length");
  p.add("Radius", radius, "only cells whose centre is so near to the point [m], where the plane cuts more than is meant; 0: all",
        not_negative());
  p.renamed("Cells", "Groups");
  p.add("Groups", groups, "only cells of these groups of the mesh; default: all");
}
}  // namespace

template <int dim>
void SectionForce<dim>::declare(const std::string &name, Parameters &p)
{
  own_name = name;
  std::vector<double> coordinates, direction;
  add_entries(p, coordinates, direction, radius, groups);
  where = p.where();
  for (const auto &[entry, values] : {std::pair{"Point", &coordinates}, {"Normal", &direction}})
    if (values->size() != dim)
      p.fail(entry, fmt::format("needs {} components separated by commas", dim));
  for (int d = 0; d < dim; ++d)
  {
    plane.point[d] = coordinates[d];
    plane.normal[d] = direction[d];
  }
  if (plane.normal.norm() == 0.)
    p.fail("Normal", "must not be zero");
  plane.normal /= plane.normal.norm();
}

template <int dim>
void SectionForce<dim>::document(Parameters p)
{
  std::vector<double> point, normal;
  double radius = 0;
  std::vector<std::string> groups;
  add_entries(p, point, normal, radius, groups);
}

template <int dim>
bool SectionForce<dim>::counts(const Discretisation<dim> &mesh, const CellRegion<dim> &region, const std::size_t batch,
                               const int lane) const
{
  if (!groups.empty() && std::count(groups.begin(), groups.end(), mesh.materials.at(region.batches[batch].material)) == 0)
    return false;
  const dealii::Tensor<1, dim> arm = region.centre(batch, lane) - plane.point;
  return radius == 0. || arm.norm() <= radius;
}

template <int dim>
typename SectionForce<dim>::Sides SectionForce<dim>::sides(const Discretisation<dim> &mesh, const CellRegion<dim> &region,
                                                           const std::size_t batch, const int lane) const
{
  constexpr double rounding = 1e-9;  // of the smallest edge: such a node is on the plane
  Sides sides;
  for (int a = 0; a < region.n_nodes(); ++a)
  {
    const double level = plane.level(mesh.position[region.batch_nodes(batch)[a * lanes + lane]]);
    sides.of_node.push_back(std::abs(level) <= rounding * mesh.smallest_edge ? 0 : level < 0. ? -1 : 1);
    (level < 0. ? sides.behind : sides.before) |= sides.of_node.back() != 0;
  }
  return sides;
}

template <int dim>
void SectionForce<dim>::check_groups(const Discretisation<dim> &mesh) const
{
  std::vector<std::string> known;
  for (const auto &group : mesh.materials)
    known.push_back(group.second);
  for (const std::string &group : groups)
    if (!std::count(known.begin(), known.end(), group))
      throw InputError(fmt::format("{}: the mesh has no cell group '{}'; it has: {}", where, group, join(nearest_first(group, known))));
}

template <int dim>
Vector SectionForce<dim>::nodes_before(const Discretisation<dim> &mesh, std::array<std::uint64_t, 3> &cells) const
{
  Vector before(mesh.node_partitioner);
  for (const CellRegion<dim> &region : mesh.regions)
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
        if (counts(mesh, region, batch, lane))
        {
          const Sides of_cell = sides(mesh, region, batch, lane);
          cells[0] += of_cell.behind;
          cells[1] += of_cell.before;
          for (int a = 0; a < region.n_nodes() && of_cell.before; ++a)
            before.local_element(region.batch_nodes(batch)[a * lanes + lane]) = 1.;
        }
  before.compress(dealii::VectorOperation::add);
  before.update_ghost_values();
  return before;
}

template <int dim>
void SectionForce<dim>::take_cells(const SolidBody<dim> &system, const Vector &before)
{
  const Discretisation<dim> &mesh = system.mesh();
  std::vector<typename Discretisation<dim>::Cell> by_index(mesh.triangulation->n_active_cells());
  for (const auto &cell : mesh.handler.active_cell_iterators())
    by_index[cell->active_cell_index()] = cell;
  for (const CellRegion<dim> &region : mesh.regions)
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      Part part{&region, batch, {}};
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
        if (counts(mesh, region, batch, lane))
        {
          const Sides of_cell = sides(mesh, region, batch, lane);
          if (!of_cell.behind)
            continue;
          std::vector<int> sign(of_cell.of_node.size(), 0);
          for (std::size_t a = 0; a < sign.size(); ++a)
            if (of_cell.before)
              sign[a] = of_cell.of_node[a] < 0 ? -1 : 0;
            else if (of_cell.of_node[a] == 0 && before.local_element(region.batch_nodes(batch)[a * lanes + lane]) > 0.)
              sign[a] = 1;
          if (std::any_of(sign.begin(), sign.end(), [](const int s) { return s != 0; }))
            part.cells.emplace_back(lane, SectionCut<dim>(system, by_index[region.batches[batch].cell[lane]], region.batches[batch].affine,
                                                          plane, sign, of_cell.before));
        }
      if (!part.cells.empty())
        parts.push_back(std::move(part));
    }
}

template <int dim>
void SectionForce<dim>::take_faces(const SolidBody<dim> &system)
{
  const Discretisation<dim> &mesh = system.mesh();
  std::map<unsigned int, SectionCut<dim> *> cut;  // by active cell index
  for (Part &part : parts)
    for (auto &cell : part.cells)
      cut[cell.second.place()->active_cell_index()] = &cell.second;
  for (std::size_t i = 0; i < system.all_parts().loads.size(); ++i)
    if (const auto *load = dynamic_cast<const CellLoad<dim> *>(system.all_parts().loads[i].load.get()))
      for (const auto &face : boundary_faces(mesh, load->on_boundaries()))
        if (const auto found = cut.find(face.cell->active_cell_index()); found != cut.end())
          found->second->add_face(i, face.face,
                                  SurfaceIntegral<dim>::at_points(mesh, face, mesh.region_of(face.cell).family.face_points[face.face]));
}

template <int dim>
void SectionForce<dim>::prepare(const SolidBody<dim> &system)
{
  const Discretisation<dim> &mesh = system.mesh();
  check_groups(mesh);
  std::array<std::uint64_t, 3> cells{};  // with nodes behind, before; at the plane
  take_cells(system, nodes_before(mesh, cells));
  take_faces(system);
  for (const Part &part : parts)
    cells[2] += part.cells.size();
  for (std::uint64_t &count : cells)
    count = MPI::sum(count, mesh.communicator);
  if (cells[0] == 0 || cells[1] == 0)
    throw InputError(fmt::format(
        "{}: all cells lie {} the plane. Move the point into the body (symdyn check prints the extent), or widen Radius and Groups", where,
        cells[0] == 0 ? "before" : "behind"));
  if (cells[2] == 0)
    throw InputError(where + ": no cell behind the plane touches one before it. Widen Radius and Groups, or move the point");
}

template <int dim>
std::vector<Column> SectionForce<dim>::columns(const Units &u) const
{
  const std::string moment = u.force == "1" && u.length == "1" ? "1" : u.force + " " + u.length;
  std::vector<Column> columns;
  for (int d = 0; d < dim; ++d)
    columns.push_back({fmt::format("{}.F_{}", own_name, "xyz"[d]), u.force, Kind::force});
  for (int d = dim == 2 ? 2 : 0; d < 3; ++d)
    columns.push_back({fmt::format("{}.M_{}", own_name, "xyz"[d]), moment, Kind::moment});
  return columns;
}

template <int dim>
std::vector<double> SectionForce<dim>::partial(const SolidBody<dim> &system, const State &state, const bool statics,
                                               const dealii::Tensor<1, dim> &carried) const
{
  Resultant<dim> sum;
  for (const Part &part : parts)
  {
    const CellBalance<dim> balance(system, *part.region, part.batch, state, statics);
    for (const auto &[lane, cell] : part.cells)
    {
      typename SectionCut<dim>::Nodal nodal;
      for (int a = 0; a < part.region->n_nodes(); ++a)
      {
        const unsigned int node = part.region->batch_nodes(part.batch)[a * lanes + lane];
        nodal.force.push_back(balance.force(a, lane));
        nodal.inertia.push_back(balance.inertia(a, lane));
        nodal.displacement.push_back(balance.displacement(a, lane));
        nodal.position.push_back(system.mesh().position[node]);
        nodal.arm.push_back(system.mesh().position[node] - plane.point);
        if (!system.material(part.region->batches[part.batch].material).small_strain())
          nodal.arm.back() += nodal.displacement.back() - carried;
      }
      cell.add(state.t, nodal, sum);
    }
  }
  if (dim == 2)
    return {sum.F[0], sum.F[1], sum.M[2]};
  return {sum.F[0], sum.F[1], sum.F[2], sum.M[0], sum.M[1], sum.M[2]};
}

template class SectionForce<2>;
template class SectionForce<3>;
}  // namespace symdyn
