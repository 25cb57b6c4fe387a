#include "elements/models/loose_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "elements/gram/coupled_nodes.h"
#include "elements/gram/part_places.h"
#include "elements/gram/surface_sites.h"
#include "elements/shells/shell_surface.h"
#include "solver/base/log.h"

namespace symdyn
{
namespace
{
/// Where a place is on a triangle.
struct OnTriangle
{
  double zeta = 0;  ///< its height above it, along the normal [m]
  bool is_inside = false;
};

OnTriangle on_triangle(const Place &X, const Place &a, const Place &b, const Place &c)
{
  constexpr double rounding = 1e-9;
  const GramVector u = combination(b, -1., a), v = combination(c, -1., a), n = cross(u, v), x = combination(X, -1., a);
  const double area = dot(n, n), s = dot(cross(x, v), n) / area, t = dot(cross(u, x), n) / area;
  return {dot(x, n) / std::sqrt(area), s >= -rounding && t >= -rounding && s + t <= 1. + rounding};
}

/// Cells of shells, with a box around each.
class ShellCells
{
public:
  ShellCells(const ShellSurface &surface, const SurfaceSites &sites) : surface(surface)
  {
    const SurfaceMesh &mesh = surface.mesh();
    for (std::size_t c = 0; c < mesh.cells.size(); ++c)
      if (surface.is_shell(c))
      {
        cells.push_back({c, {}, {}});
        Box &box = cells.back();
        const auto &faces = surface.faces(c);
        const double reach = std::max(std::abs(faces.bottom), std::abs(faces.top));
        for (int d = 0; d < 3; ++d)
        {
          box.lower[d] = std::numeric_limits<double>::max();
          box.upper[d] = -box.lower[d];
          for (const unsigned int node : mesh.cells[c].nodes)
          {
            box.lower[d] = std::min(box.lower[d], mesh.nodes[node][d] - reach);
            box.upper[d] = std::max(box.upper[d], mesh.nodes[node][d] + reach);
          }
        }
        for (const unsigned int node : mesh.cells[c].nodes)
          nodes.insert(sites(node));
      }
  }
  bool is_node(const SitePlan::Site site) const { return nodes.count(site) > 0; }
  /// The cell within whose thickness a place lies; nullptr: there is none.
  const SurfaceMesh::Cell *around(const Place &X) const
  {
    for (const Box &box : cells)
    {
      bool is_near = true;
      for (int d = 0; d < 3; ++d)
        is_near = is_near && X[d] >= box.lower[d] && X[d] <= box.upper[d];
      if (is_near && is_within(X, box.cell))
        return &surface.mesh().cells[box.cell];
    }
    return nullptr;
  }
  const Place &nearest_node(const SurfaceMesh::Cell &cell, const Place &X) const
  {
    const auto &places = surface.mesh().nodes;
    const auto farther = [&](const unsigned int a, const unsigned int b) {
      return norm(combination(X, -1., places[a])) < norm(combination(X, -1., places[b]));
    };
    return places[*std::min_element(cell.nodes.begin(), cell.nodes.end(), farther)];
  }

private:
  struct Box
  {
    std::size_t cell;
    Place lower, upper;
  };
  bool is_within(const Place &X, const std::size_t number) const
  {
    const SurfaceMesh &mesh = surface.mesh();
    const SurfaceMesh::Cell &cell = mesh.cells[number];
    const auto &[bottom, top] = surface.faces(number);
    const auto at = [&](const int corner) { return mesh.nodes[cell.nodes[corner]]; };
    const double rounding = 1e-6 * norm(combination(at(2), -1., at(0)));
    for (std::size_t a = 2; a < cell.corners(); ++a)
      if (const OnTriangle place = on_triangle(X, at(0), at(int(a) - 1), at(int(a)));
          place.is_inside && place.zeta >= bottom - rounding && place.zeta <= top + rounding)
        return true;
    return false;
  }

  const ShellSurface &surface;
  std::vector<Box> cells;
  std::set<SitePlan::Site> nodes;
};

void warn_of_inner_nodes(const std::string &where, const std::vector<PartPlaces::End> &inner, const ShellCells &shells)
{
  std::size_t within = 0;
  const PartPlaces::End *first = nullptr;
  for (const PartPlaces::End &node : inner)
    if (shells.around(node.position))
    {
      first = first ? first : &node;
      ++within;
    }
  if (!first)
    return;
  const Place &X = first->position;
  log_warning(fmt::format(
      "{}: {} of the nodes between the ends of the beam lie in a shell and are no nodes of it, first at ({:.6g}, {:.6g}, {:.6g}) m: there the beam "
      "is not joined to it. Choose Elements so that its nodes are nodes of the shell",
      where, within, X[0], X[1], X[2]));
}
}  // namespace

void warn_of_loose_ends(SitePlan &plan)
{
  const auto &surface = plan.shared<ShellSurface>();
  const auto &ends = plan.shared<PartPlaces>().ends_of_beams();
  if (!surface.exists() || ends.empty())
    return;
  const ShellCells shells(surface, plan.shared<SurfaceSites>());
  const auto &coupled = plan.shared<CoupledNodes>();
  std::set<SitePlan::Site> seen;
  for (const auto &[where, end] : ends)
  {
    if (shells.is_node(end.site) || coupled.moved.count(end.site) > 0 || coupled.references.count(end.site) > 0 ||
        !seen.insert(end.site).second)
      continue;
    if (const SurfaceMesh::Cell *cell = shells.around(end.position))
    {
      const Place &X = end.position, &node = shells.nearest_node(*cell, X);
      log_warning(fmt::format(
          "{}: the end at ({:.6g}, {:.6g}, {:.6g}) m lies in {} of a shell, between its nodes: the beam is not joined to it, and both move "
          "without each other. Put it at a node, the nearest is ({:.6g}, {:.6g}, {:.6g}) m, or join them by Couplings (At: this end, Nodes "
          "of the shell)",
          where, X[0], X[1], X[2], cell->name.empty() ? "a cell" : cell->name, node[0], node[1], node[2]));
    }
  }
  for (const auto &[where, inner] : plan.shared<PartPlaces>().inner_of_beams())
    warn_of_inner_nodes(where, inner, shells);
}
}  // namespace symdyn
