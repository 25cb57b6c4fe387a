#include "elements/section_forces.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "solver/error.h"
#include "solver/names.h"
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
  p.add("Radius", radius, "only cells whose centre is so near to the point [m], where the plane cuts more than is meant; 0: all", not_negative());
  p.add("Cells", groups, "only cells of these groups of the mesh; default: all");
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
    point[d] = coordinates[d];
    normal[d] = direction[d];
  }
  if (normal.norm() == 0.)
    p.fail("Normal", "must not be zero");
  normal /= normal.norm();
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
bool SectionForce<dim>::counts(const Discretisation<dim> &mesh, const std::size_t batch, const int lane, double &side) const
{
  if (!groups.empty() && std::count(groups.begin(), groups.end(), mesh.materials.at(mesh.batches[batch].material)) == 0)
    return false;
  const auto X = mesh.batch_vertices(batch);
  dealii::Tensor<1, dim> arm;
  for (int v = 0; v < mesh.family.stiffness.vertices; ++v)
    for (int d = 0; d < dim; ++d)
      arm[d] += X.X[v * dim + d][lane] / mesh.family.stiffness.vertices;
  arm -= point;
  side = arm * normal;
  return radius == 0. || arm.norm() <= radius;
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
void SectionForce<dim>::prepare(const FiniteElementSystem<dim> &system)
{
  const Discretisation<dim> &mesh = system.mesh();
  check_groups(mesh);
  Vector before(mesh.node_partitioner);  // nodes of cells before the plane
  const int nodes = mesh.family.stiffness.nodes;
  std::array<std::uint64_t, 3> cells{};  // behind, before; nodes on the cut
  double side = 0;
  for (std::size_t batch = 0; batch < mesh.n_owned_batches; ++batch)
    for (int lane = 0; lane < mesh.batches[batch].filled; ++lane)
      if (counts(mesh, batch, lane, side))
      {
        ++cells[side < 0. ? 0 : 1];
        for (int a = 0; a < nodes && !(side < 0.); ++a)
          before.local_element(mesh.batch_nodes(batch)[a * lanes + lane]) = 1.;
      }
  before.compress(dealii::VectorOperation::add);
  before.update_ghost_values();
  for (std::size_t batch = 0; batch < mesh.n_owned_batches; ++batch)
  {
    Part part{batch, {}};
    for (int lane = 0; lane < mesh.batches[batch].filled; ++lane)
      if (counts(mesh, batch, lane, side) && side < 0.)
        for (int a = 0; a < nodes; ++a)
          if (before.local_element(mesh.batch_nodes(batch)[a * lanes + lane]) > 0.)
            part.places.push_back(a * lanes + lane);
    if (!part.places.empty())
      parts.push_back(part);
    cells[2] += part.places.size();
  }
  for (std::uint64_t &count : cells)
    count = MPI::sum(count, mesh.communicator);
  if (cells[0] == 0 || cells[1] == 0)
    throw InputError(fmt::format("{}: all cells lie {} the plane. Move the point into the body (symdyn check prints the extent), or widen Radius and Cells", where,
                                 cells[0] == 0 ? "before" : "behind"));
  if (cells[2] == 0)
    throw InputError(where + ": no cell behind the plane touches one before it. Widen Radius and Cells, or move the point");
}

template <int dim>
std::vector<std::string> SectionForce<dim>::columns(const Units &u) const
{
  const std::string moment = u.force == "1" && u.length == "1" ? "1" : u.force + " " + u.length;
  std::vector<std::string> names;
  for (int d = 0; d < dim; ++d)
    names.push_back(fmt::format("{}.F_{} [{}]", own_name, "xyz"[d], u.force));
  for (int d = dim == 2 ? 2 : 0; d < 3; ++d)
    names.push_back(fmt::format("{}.M_{} [{}]", own_name, "xyz"[d], moment));
  return names;
}

template <int dim>
std::vector<double> SectionForce<dim>::partial(const FiniteElementSystem<dim> &system, const Vector &q, const dealii::Tensor<1, dim> &carried) const
{
  const Discretisation<dim> &mesh = system.mesh();
  const int size = mesh.family.stiffness.nodes * dim;
  std::vector<Wide> u(size), f(size);
  dealii::Tensor<1, 3> F, M;
  for (const Part &part : parts)
  {
    const Material &material = system.material(mesh.batches[part.batch].material);
    mesh.gather(part.batch, q, u.data());
    std::fill(f.begin(), f.end(), Wide(0.));
    mesh.kernels->force(mesh.batch_map(part.batch), u.data(), material, f.data());
    for (const int place : part.places)
    {
      const unsigned int node = mesh.batch_nodes(part.batch)[place];
      const int a = place / lanes, lane = place % lanes;
      dealii::Tensor<1, 3> arm, force;
      for (int d = 0; d < dim; ++d)
      {
        arm[d] = mesh.position[node][d] - point[d] + (material.small_strain() ? 0. : q.local_element(dim * node + d) - carried[d]);
        force[d] = f[a * dim + d][lane];
      }
      F += force;
      M += cross_product_3d(arm, force);
    }
  }
  if (dim == 2)
    return {F[0], F[1], M[2]};
  return {F[0], F[1], F[2], M[0], M[1], M[2]};
}

template class SectionForce<2>;
template class SectionForce<3>;
}  // namespace symdyn
