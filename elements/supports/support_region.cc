#include "elements/supports/support_region.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "elements/space/boundary_names.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
constexpr double same_support_place = 1e-6;  // of the shortest edge

template <int dim>
dealii::Point<dim> point_of(const std::vector<double> &coordinates, const int end = 0)
{
  dealii::Point<dim> x;
  for (int d = 0; d < dim; ++d)
    x[d] = coordinates[end * dim + d];
  return x;
}

/// Distance to the segment from `a` to `b`.
template <int dim>
double distance_to(const dealii::Point<dim> &x, const dealii::Point<dim> &a, const dealii::Point<dim> &b)
{
  const dealii::Tensor<1, dim> along = b - a;
  const double length_square = along.norm_square(), s = length_square > 0. ? ((x - a) * along) / length_square : 0.;
  return x.distance(a + std::max(0., std::min(1., s)) * along);
}

template <int dim>
std::vector<unsigned int> nodes_between(const SupportedNodes<dim> &mesh, const dealii::Point<dim> &a, const dealii::Point<dim> &b,
                                        const std::string &entry)
{
  std::vector<unsigned int> found;
  double nearest = std::numeric_limits<double>::max();
  for (unsigned int node = 0; node < mesh.positions().size(); ++node)
  {
    const double distance = distance_to(mesh.positions()[node], a, b);
    nearest = std::min(nearest, distance);
    if (distance <= same_support_place * mesh.smallest_edge())
      found.push_back(node);
  }
  nearest = dealii::Utilities::MPI::min(nearest, mesh.communicator());
  if (nearest > same_support_place * mesh.smallest_edge() &&
      mesh.is_complete())  // a mesh of lower degree, for preconditioners, has not all nodes
    throw InputError(fmt::format("no node is {}; the nearest is {:.3g} m away. A support holds nodes: move the {}, or refine the mesh",
                                 entry == "Point" ? "here" : "on this line", nearest, entry == "Point" ? "point" : "line"));
  return found;
}
}  // namespace

void SupportRegion::add_entries(Parameters &p)
{
  p.add("Boundary", boundaries, "names of boundaries of the mesh");
  p.add(
      "Nodes", node_names,
      "instead of Boundary: sets and numbers of nodes as the mesh's .inp file has them; with Order > 1 or Refinements also the nodes on edges, faces and in cells all of whose corners "
      "are named");
  p.add("Point", point, "instead of Boundary: coordinates of a node [m]");
  p.add("Line", line, "instead of Boundary: coordinates of both ends of a straight line [m], x1, y1, z1, x2, y2, z2: all nodes on it");
}

void SupportRegion::check(const Parameters &p, const int dimension) const
{
  const std::pair<const char *, bool> all[] = {
      {"Boundary", !boundaries.empty()}, {"Nodes", !node_names.empty()}, {"Point", p.given("Point")}, {"Line", p.given("Line")}};
  std::string first;
  for (const auto &[name, given] : all)
    if (given && !first.empty())
      p.fail(name, fmt::format("the support has {}, too. Make two supports of it", first));
    else if (given)
      first = name;
  if (first.empty())
    p.fail("Boundary", "a support needs the name of a boundary, or Nodes, Point or Line");
  refuse_repeated(p, "Boundary", boundaries);
  if (first == "Point" && int(point.size()) != dimension)
    p.fail("Point", fmt::format("needs {} coordinates; here are {}", dimension, point.size()));
  if (first == "Line" && int(line.size()) != 2 * dimension)
    p.fail("Line", fmt::format("needs {} coordinates, those of both ends; here are {}", 2 * dimension, line.size()));
  if (first == "Line" && std::equal(line.begin(), line.begin() + dimension, line.begin() + dimension))
    p.fail("Line", "both ends are one point. Set Point, or give another end");
}

std::string SupportRegion::entry() const
{
  return !boundaries.empty() ? "Boundary" : !node_names.empty() ? "Nodes" : !point.empty() ? "Point" : "Line";
}

std::string SupportRegion::text() const
{
  if (!boundaries.empty() || !node_names.empty())
    return join(boundaries.empty() ? node_names : boundaries);
  return fmt::format("{} {:g}", entry(), fmt::join(point.empty() ? line : point, ", "));
}

template <int dim>
std::vector<unsigned int> SupportRegion::nodes(const SupportedNodes<dim> &mesh) const
{
  if (!point.empty())
    return nodes_between<dim>(mesh, point_of<dim>(point), point_of<dim>(point), "Point");
  if (!line.empty())
    return nodes_between<dim>(mesh, point_of<dim>(line), point_of<dim>(line, 1), "Line");
  return mesh.named(node_names);
}

template std::vector<unsigned int> SupportRegion::nodes(const SupportedNodes<2> &) const;
template std::vector<unsigned int> SupportRegion::nodes(const SupportedNodes<3> &) const;
}  // namespace symdyn
