#include "elements/shells/shell_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "elements/shells/shell_element.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
/// Of the edges at corner a of a cell, and the angle between them [rad].
struct Corner
{
  std::size_t cell;
  int corner;
  GramVector normal;
  double angle;
};

GramVector unit(const GramVector &a) { return scaled(1. / norm(a), a); }

/// The same of a cell of second order, whose edges and surface are curved; a middle of an edge has half of a turn.
Corner corner_of_second_order(const SurfaceMesh &mesh, const std::size_t cell, const int a)
{
  const std::vector<unsigned int> &nodes = mesh.cells[cell].nodes;
  const int n = int(nodes.size());
  const shells::SurfacePoint at = shells::quadratic_node(n, a);
  GramVector a_xi{}, a_eta{};
  for (int b = 0; b < n; ++b)
  {
    add(at.along_xi[b], mesh.nodes[nodes[b]], a_xi);
    add(at.along_eta[b], mesh.nodes[nodes[b]], a_eta);
  }
  const GramVector area = cross(a_xi, a_eta);
  const double size = norm(area);
  // The edges at a corner, into the cell: their angle.
  const GramVector across = combination(a_eta, -1., a_xi);
  const double cosine = n == 8   ? (a % 2 == 0 ? 1. : -1.) * dot(a_xi, a_eta)
                        : a == 0 ? dot(a_xi, a_eta)
                        : a == 1 ? -dot(a_xi, across)
                                 : dot(a_eta, across);
  const bool is_middle = a >= int(mesh.cells[cell].corners());
  return {cell, a, size > 0. ? scaled(1. / size, area) : GramVector{}, is_middle ? M_PI : std::atan2(size, cosine)};
}

Corner corner_of(const SurfaceMesh &mesh, const std::size_t cell, const int a)
{
  const std::vector<unsigned int> &nodes = mesh.cells[cell].nodes;
  const int n = int(mesh.cells[cell].corners());
  if (nodes.size() > std::size_t(n))
    return corner_of_second_order(mesh, cell, a);
  const GramVector next = combination(mesh.nodes[nodes[(a + 1) % n]], -1., mesh.nodes[nodes[a]]),
                   last = combination(mesh.nodes[nodes[(a + n - 1) % n]], -1., mesh.nodes[nodes[a]]), area = cross(next, last);
  const double size = norm(area);
  return {cell, a, size > 0. ? scaled(1. / size, area) : GramVector{}, std::atan2(size, dot(next, last))};
}

/// Numbers of groups of corners that hang together by angles below that of a fold.
std::vector<std::size_t> sides(const std::vector<Corner> &corners, const double fold)
{
  std::vector<std::size_t> side(corners.size());
  std::iota(side.begin(), side.end(), 0);
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (side[i] != side[j] && dot(corners[i].normal, corners[j].normal) >= std::cos(fold))
        std::replace(side.begin(), side.end(), side[i], side[j]);
  return side;
}
}  // namespace

void ShellSurface::set(std::shared_ptr<const SurfaceMesh> surface, const double fold)
{
  of_deck = std::move(surface);
  owner.assign(of_deck->cells.size(), "");
  of_cells.resize(of_deck->cells.size());
  find_normals(fold);
  find_flips(fold);
}

void ShellSurface::find_normals(const double fold)
{
  const SurfaceMesh &of = *of_deck;
  at_corners.resize(of.cells.size());
  std::vector<std::vector<Corner>> at_node(of.nodes.size());
  for (std::size_t cell = 0; cell < of.cells.size(); ++cell)
  {
    at_corners[cell].resize(of.cells[cell].nodes.size());
    for (std::size_t a = 0; a < at_corners[cell].size(); ++a)
      if (!of.cells[cell].normals.empty() && norm(of.cells[cell].normals[a]) > 0.)
        at_corners[cell][a] = of.cells[cell].normals[a];
      else if (of.normals.empty())
        at_node[of.cells[cell].nodes[a]].push_back(corner_of(of, cell, int(a)));
      else
        at_corners[cell][a] = of.normals[of.cells[cell].nodes[a]];
  }
  for (const std::vector<Corner> &corners : at_node)
  {
    const std::vector<std::size_t> side = sides(corners, fold);
    for (std::size_t i = 0; i < corners.size(); ++i)
    {
      GramVector sum{};
      for (std::size_t j = 0; j < corners.size(); ++j)
        if (side[j] == side[i])
          add(corners[j].angle, corners[j].normal, sum);
      at_corners[corners[i].cell][corners[i].corner] = norm(sum) > 0. ? unit(sum) : corners[i].normal;
    }
  }
}

/// Where the surface has a fold either side may be the upper one.
void ShellSurface::find_flips(const double fold)
{
  const auto normal = [this](const std::size_t cell, const unsigned int node) {
    const std::vector<unsigned int> &nodes = of_deck->cells[cell].nodes;
    return at_corners[cell][std::find(nodes.begin(), nodes.end(), node) - nodes.begin()];
  };
  std::map<std::array<unsigned int, 2>, std::vector<std::pair<std::size_t, bool>>> at_edge;  // cells, and whether they run from the smaller
  for (std::size_t cell = 0; cell < of_deck->cells.size(); ++cell)
  {
    const std::vector<unsigned int> &nodes = of_deck->cells[cell].nodes;
    const std::size_t corners = of_deck->cells[cell].corners();
    for (std::size_t a = 0; a < corners; ++a)
    {
      const unsigned int from = nodes[a], to = nodes[(a + 1) % corners];
      at_edge[{std::min(from, to), std::max(from, to)}].emplace_back(cell, from < to);
    }
  }
  for (const auto &[edge, cells] : at_edge)
    if (cells.size() == 2 && cells[0].second == cells[1].second &&
        dot(normal(cells[0].first, edge[0]), normal(cells[1].first, edge[0])) <= -std::cos(fold))
    {
      const auto &X = of_deck->nodes[edge[0]];
      flip = fmt::format(
          "the normals of {} and {} point to different sides of the surface (at ({:g}, {:g}, {:g}) m): order the nodes of one of "
          "them the other way round",
          of_deck->cells[cells[0].first].name, of_deck->cells[cells[1].first].name, X[0], X[1], X[2]);
      return;
    }
}

std::vector<std::size_t> ShellSurface::take(const std::vector<std::string> &groups, const std::string &shell)
{
  const std::vector<std::size_t> taken = of_deck->cells_of(groups);
  for (const std::size_t cell : taken)
  {
    if (!owner[cell].empty())
      throw InputError(fmt::format("{} (group '{}') belongs to the shell '{}', too. Give each shell Groups of its own",
                                   of_deck->cells[cell].name, of_deck->groups[of_deck->cells[cell].groups.front()], owner[cell]));
    owner[cell] = shell;
  }
  return taken;
}

std::vector<std::size_t> ShellSurface::cells_named(const std::string &name) const
{
  const auto group = std::find(of_deck->groups.begin(), of_deck->groups.end(), name) - of_deck->groups.begin();
  std::vector<std::size_t> found;
  for (std::size_t cell = 0; cell < owner.size(); ++cell)
  {
    const std::vector<int> &groups = of_deck->cells[cell].groups;
    if (owner[cell] == name || (is_shell(cell) && std::find(groups.begin(), groups.end(), int(group)) != groups.end()))
      found.push_back(cell);
  }
  return found;
}

std::vector<std::string> ShellSurface::left() const
{
  std::vector<std::string> groups;
  for (std::size_t cell = 0; cell < owner.size(); ++cell)
    if (const std::string &group = of_deck->groups[of_deck->cells[cell].groups.front()];
        owner[cell].empty() && std::find(groups.begin(), groups.end(), group) == groups.end())
      groups.push_back(group);
  return groups;
}
}  // namespace symdyn
