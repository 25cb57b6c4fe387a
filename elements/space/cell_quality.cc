#include "elements/space/cell_quality.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "solver/base/log.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// det(e_1, .., e_dim)/(|e_1| .. |e_dim|) of edges at a corner of the regular cell.
double of_regular_cell(const dealii::ReferenceCell &cell)
{
  const double sin60 = std::sqrt(0.75);
  if (cell == dealii::ReferenceCells::Tetrahedron)
    return std::sqrt(0.5);
  if (cell == dealii::ReferenceCells::Pyramid)
    return std::sqrt(0.5);
  return cell == dealii::ReferenceCells::Triangle || cell == dealii::ReferenceCells::Wedge ? sin60 : 1.;
}

template <int dim>
double scaled_determinant(const std::vector<dealii::Tensor<1, dim>> &edges)
{
  dealii::Tensor<2, dim> e;
  double lengths = 1.;
  for (int i = 0; i < dim; ++i)
  {
    e[i] = edges[i];
    lengths *= edges[i].norm();
  }
  return determinant(e) / lengths;
}
}  // namespace

template <int dim>
std::pair<double, double> shape_of(const typename dealii::Triangulation<dim>::cell_iterator &cell)
{
  const dealii::ReferenceCell kind = cell->reference_cell();
  double shortest = std::numeric_limits<double>::max(), longest = 0, least = shortest;
  std::vector<std::vector<dealii::Tensor<1, dim>>> edges(cell->n_vertices()), reference(cell->n_vertices());
  const auto corner_of = [&](const unsigned int vertex) {
    for (unsigned int corner = 0; corner < cell->n_vertices(); ++corner)
      if (cell->vertex_index(corner) == vertex)
        return corner;
    return 0U;
  };
  for (unsigned int line = 0; line < kind.n_lines(); ++line)
  {
    const unsigned int ends[2] = {corner_of(cell->line(line)->vertex_index(0)), corner_of(cell->line(line)->vertex_index(1))};
    const auto edge = cell->vertex(ends[1]) - cell->vertex(ends[0]);
    const auto straight = kind.vertex<dim>(ends[1]) - kind.vertex<dim>(ends[0]);
    shortest = std::min(shortest, edge.norm());
    longest = std::max(longest, edge.norm());
    edges[ends[0]].push_back(edge);
    edges[ends[1]].push_back(-edge);
    reference[ends[0]].push_back(straight);
    reference[ends[1]].push_back(-straight);
  }
  for (std::size_t corner = 0; corner < edges.size(); ++corner)
    if (edges[corner].size() == dim)  // not the apex of a pyramid
      least = std::min(least, scaled_determinant<dim>(edges[corner]) * std::copysign(1., scaled_determinant<dim>(reference[corner])));
  return {least / of_regular_cell(kind), longest / shortest};
}

namespace
{
/// The least sign * value of all ranks, and its place; of equal ones that of the first rank.
template <int dim>
std::pair<double, dealii::Point<dim>> worst_of_all(const double value, const dealii::Point<dim> &place, const double sign,
                                                   const MPI_Comm communicator)
{
  std::pair<double, dealii::Point<dim>> worst;
  bool first = true;
  for (const auto &one : MPI::all_gather(communicator, std::make_pair(value, place)))
    if (first || sign * one.first < sign * worst.first)
    {
      worst = one;
      first = false;
    }
  return worst;
}
}  // namespace

template <int dim>
CellQuality<dim>::CellQuality(const Discretisation<dim> &mesh)
{
  least_jacobian = std::numeric_limits<double>::max();
  largest_jacobian = -least_jacobian;
  for (const auto &cell : mesh.triangulation->active_cell_iterators())
    if (cell->is_locally_owned())
    {
      const auto [jacobian, aspect] = shape_of<dim>(cell);
      if (jacobian < least_jacobian)
        worst_jacobian = cell->center();
      if (aspect > largest_aspect)
        worst_aspect = cell->center();
      least_jacobian = std::min(least_jacobian, jacobian);
      largest_jacobian = std::max(largest_jacobian, jacobian);
      largest_aspect = std::max(largest_aspect, aspect);
      bad_jacobians += jacobian < jacobian_limit;
      bad_aspects += aspect > aspect_limit;
    }
  std::tie(least_jacobian, worst_jacobian) = worst_of_all(least_jacobian, worst_jacobian, 1., mesh.communicator);
  std::tie(largest_aspect, worst_aspect) = worst_of_all(largest_aspect, worst_aspect, -1., mesh.communicator);
  largest_jacobian = MPI::max(largest_jacobian, mesh.communicator);
  bad_jacobians = MPI::sum(bad_jacobians, mesh.communicator);
  bad_aspects = MPI::sum(bad_aspects, mesh.communicator);
}

namespace
{
template <int dim>
std::string place_of_cell(const dealii::Point<dim> &X, const Units &units)
{
  std::string text;
  for (int d = 0; d < dim; ++d)
    text += fmt::format("{}{:.4g}", d ? ", " : "", X[d]);
  return "(" + text + ")" + Units::after(units.length);
}

template <int dim>
std::string describe_groups(const Discretisation<dim> &mesh, const Units &units)
{
  std::map<unsigned int, std::pair<std::uint64_t, double>> sizes;  // cells, volume
  for (const CellRegion<dim> &region : mesh.regions)
    for (std::size_t batch = 0; batch < region.n_owned_batches; ++batch)
    {
      Wide jacobian, volume;
      region.kernels->geometry(region.batch_vertices(batch), jacobian, volume);
      for (int lane = 0; lane < region.batches[batch].filled; ++lane)
      {
        ++sizes[region.batches[batch].material].first;
        sizes[region.batches[batch].material].second += volume[lane];
      }
    }
  std::string text;
  for (const auto &[id, name] : mesh.materials)
    text += fmt::format("  cell group {}: {} cells, {:.6g}{}{}\n", name, MPI::sum(sizes[id].first, mesh.communicator),
                        MPI::sum(sizes[id].second, mesh.communicator), Units::after(units.length),
                        units.length == "1" ? "" : fmt::format("^{}", dim));
  return text;
}
}  // namespace

template <int dim>
std::string describe_mesh(const Discretisation<dim> &mesh, const Units &units)
{
  std::string text = describe_groups(mesh, units);
  std::string nodes_of;
  for (const std::string &name : mesh.boundary_names())
  {
    const auto nodes = mesh.boundary_nodes(name);
    const std::uint64_t owned =
        std::count_if(nodes.begin(), nodes.end(), [&](const unsigned int node) { return int(node) < mesh.n_owned_nodes(); });
    nodes_of += fmt::format("{} {} {}", nodes_of.empty() ? "" : ",", name, MPI::sum(owned, mesh.communicator));
  }
  text += nodes_of.empty() ? "" : "  nodes of boundaries:" + nodes_of + "\n";
  const CellQuality<dim> quality(mesh);
  text += fmt::format("  cells: scaled Jacobian {:.3g} to {:.3g} (1 is best), longest over shortest edge up to {:.4g}\n",
                      quality.least_jacobian, quality.largest_jacobian, quality.largest_aspect);
  if (quality.bad_jacobians > 0)
    log_warning(fmt::format(
        "{} cell{} a scaled Jacobian below {}, the least, {:.3g}, at {}: stresses there are poor. Mesh it again, or smooth the mesh",
        quality.bad_jacobians, quality.bad_jacobians > 1 ? "s have" : " has", quality.jacobian_limit, quality.least_jacobian,
        place_of_cell(quality.worst_jacobian, units)));
  if (quality.bad_aspects > 0)
    log_warning(fmt::format(
        "{} cell{} edges of which the longest is more than {} times the shortest, {:.4g} times at {}: solvers converge slowly, explicit steps are short",
        quality.bad_aspects, quality.bad_aspects > 1 ? "s have" : " has", quality.aspect_limit, quality.largest_aspect,
        place_of_cell(quality.worst_aspect, units)));
  return text;
}

template struct CellQuality<2>;
template struct CellQuality<3>;
template std::pair<double, double> shape_of<2>(const typename dealii::Triangulation<2>::cell_iterator &);
template std::pair<double, double> shape_of<3>(const typename dealii::Triangulation<3>::cell_iterator &);
template std::string describe_mesh(const Discretisation<2> &, const Units &);
template std::string describe_mesh(const Discretisation<3> &, const Units &);
}  // namespace symdyn
