#include "elements/models/surface_nodes.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "elements/gram/held_rotation.h"
#include "elements/gram/surface_sites.h"
#include "elements/models/joined_surface.h"
#include "elements/models/surface_model.h"
#include "elements/shells/shell_surface.h"
#include "solver/base/log.h"
#include "solver/base/together.h"

namespace symdyn
{
namespace
{
std::vector<unsigned int> nodes_of_boundary(const SurfaceMesh &mesh, const std::string &name)
{
  std::vector<unsigned int> nodes;
  for (const auto &edge : mesh.boundary(name))
    nodes.insert(nodes.end(), edge.begin(), edge.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

class SurfacePoints : public MeshPoints
{
public:
  explicit SurfacePoints(const SurfaceMesh &mesh) : mesh(mesh), diagonal(mesh.size()) {}
  int dimension() const override { return 3; }
  double size() const override { return diagonal; }
  Node nearest(const Place &place) const override
  {
    Node found;
    double least = std::numeric_limits<double>::max();
    for (std::size_t a = 0; a < mesh.nodes.size(); ++a)
    {
      const double distance = norm(combination(mesh.nodes[a], -1., place));
      if (distance < least)
      {
        least = distance;
        found = node(a);
      }
    }
    return found;
  }
  std::vector<Node> on_boundary(const std::string &name) const override
  {
    // Places of one line differ by rounding: whole multiples of a small length do not.
    const double small = 1e-7 * diagonal, shift = 0.382;
    std::vector<std::tuple<std::array<std::int64_t, 3>, unsigned int>> sorted;
    for (const unsigned int a : nodes_of_boundary(mesh, name))
    {
      std::array<std::int64_t, 3> rounded{};
      for (int d = 0; d < 3; ++d)
        rounded[d] = std::int64_t(std::floor(mesh.nodes[a][d] / small + shift));
      sorted.emplace_back(rounded, a);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<Node> nodes;
    for (const auto &entry : sorted)
      nodes.push_back(node(std::get<1>(entry)));
    return nodes;
  }
  using MeshPoints::named;
  std::vector<Node> named(const std::string &name) const override
  {
    std::vector<Node> nodes;
    for (const unsigned int a : mesh.set(name))
      nodes.push_back(node(a));
    return nodes;
  }

private:
  Node node(const std::size_t a) const { return {std::int64_t(a), mesh.nodes[a]}; }

  const SurfaceMesh &mesh;
  double diagonal;
};

using Vector3 = dealii::Tensor<1, 3>;
Vector3 tensor(const GramVector &a) { return Vector3({a[0], a[1], a[2]}); }

class HeldSurface : public SupportedNodes<3>
{
public:
  HeldSurface(const PlannedSites &planned, SitePlan &plan, std::shared_ptr<const SupportedNodes<3>> of_body)
      : surface(plan.shared<ShellSurface>()),
        mesh(surface.mesh()),
        of_nodes(plan.shared<SurfaceSites>()),
        sites(planned),
        space(sites.space()),
        body(std::move(of_body))
  {
    places.assign(local(), dealii::Point<3>(infinite, infinite, infinite));
    if (body)
      std::copy(body->positions().begin(), body->positions().end(), places.begin());
    stands = places;
    auto &nodes = plan.shared<DirectorNodes>();
    for (std::size_t a = 0; a < mesh.nodes.size(); ++a)
      if (const int site = sites.local(of_nodes(a)); site >= 0)
      {
        stands[site] = places[site] = dealii::Point<3>(tensor(mesh.nodes[a]));
        if (nodes.has(of_nodes(a)))
          add_directors(site, nodes.basis(of_nodes(a)), nodes.directors(plan, of_nodes(a)));
      }
    find_smallest_edge();
  }
  MPI_Comm communicator() const override { return space->communicator(); }
  unsigned int local() const override { return space->sites()->locally_owned_size() + space->sites()->n_ghost_indices(); }
  unsigned int owned() const override { return space->owned(); }
  const std::vector<dealii::Point<3>> &positions() const override { return places; }
  dealii::Point<3> place(const unsigned int site) const override { return stands[site]; }
  std::vector<unsigned int> on_boundary(const std::string &name) const override
  {
    return of_both<unsigned int>([&] { return body->on_boundary(name); }, [&] { return here(nodes_of_boundary(mesh, name)); },
                                 body != nullptr);
  }
  std::vector<unsigned int> named(const std::vector<std::string> &names) const override
  {
    std::vector<unsigned int> all;
    for (const std::string &name : names)
      if (!body || mesh.set_is_known(name))
        for (const unsigned int node : here(mesh.set(name)))
          all.push_back(node);
    if (const std::vector<std::string> others = names_of_body(mesh, names); body && !others.empty())
      for (const unsigned int node : body->named(others))  // all at once: nodes between those that are named
        all.push_back(node);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  Vector3 plane_normal(const std::string &boundary) const override;
  double smallest_edge() const override { return shortest; }
  std::vector<Director> directors(const unsigned int node) const override
  {
    const auto found = of_places.find(node);
    return found == of_places.end() ? std::vector<Director>() : found->second;
  }
  bool turn() const override { return true; }
  bool is_complete() const override { return !body || body->is_complete(); }

private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  void add_directors(const int node, const std::vector<GramVector> &basis, const std::vector<SitePlan::Site> &of_node)
  {
    for (std::size_t i = 0; i < of_node.size(); ++i)
      if (const int site = sites.local(of_node[i]); site >= 0)
      {
        of_places[node].push_back({unsigned(site), tensor(basis[i])});
        stands[site] = places[node];
      }
  }
  Vector3 own_normal(const std::string &boundary) const;
  bool body_has(const std::string &boundary) const
  {
    try
    {
      body->on_boundary(boundary);
      return true;
    }
    catch (const InputError &)
    {
      return false;
    }
  }
  GramVector across_line(const std::string &boundary, const GramVector &along) const;
  void find_smallest_edge()
  {
    shortest = body ? body->smallest_edge() : mesh.size();
    for (const SurfaceMesh::Cell &cell : mesh.cells)
      for (std::size_t a = 0; a < cell.corners(); ++a)
        shortest = std::min(shortest, norm(combination(mesh.nodes[cell.nodes[a]], -1., mesh.nodes[cell.nodes[(a + 1) % cell.corners()]])));
    for (const SurfaceMesh::Line &line : mesh.lines)
      shortest = std::min(shortest, norm(combination(mesh.nodes[line.nodes[0]], -1., mesh.nodes[line.nodes[1]])));
  }
  std::vector<unsigned int> here(const std::vector<unsigned int> &nodes) const
  {
    std::vector<unsigned int> found;
    for (const unsigned int a : nodes)
      if (const int site = sites.local(of_nodes(a)); site >= 0)
        found.push_back(site);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  const ShellSurface &surface;
  const SurfaceMesh &mesh;
  const SurfaceSites &of_nodes;
  PlannedSites sites;
  std::shared_ptr<const Space> space;
  std::shared_ptr<const SupportedNodes<3>> body;
  std::vector<dealii::Point<3>> places, stands;
  std::map<unsigned int, std::vector<Director>> of_places;
  double shortest = 0;
};

/// Of nodes off a line: the normal of their plane. Of a straight edge: that across the edge and the normals of the shell there.
Vector3 HeldSurface::plane_normal(const std::string &boundary) const
{
  if (body && mesh.edges.count(boundary) == 0)
    return body->plane_normal(boundary);
  const Vector3 own = own_normal(boundary);
  if (!body || !body_has(boundary))
    return own;
  const Vector3 of_body = body->plane_normal(boundary);
  constexpr double same = 1e-6;
  return std::abs(of_body * own) > 1. - same ? of_body : Vector3();
}

Vector3 HeldSurface::own_normal(const std::string &boundary) const
{
  const std::vector<unsigned int> nodes = nodes_of_boundary(mesh, boundary);
  const auto from_first = [&](const unsigned int a) { return combination(mesh.nodes[a], -1., mesh.nodes[nodes.front()]); };
  const auto longer = [](const GramVector &a, const GramVector &b) { return norm(a) < norm(b); };
  GramVector along{}, normal{};
  for (const unsigned int a : nodes)
    along = std::max(along, from_first(a), longer);
  for (const unsigned int a : nodes)
    normal = std::max(normal, cross(along, from_first(a)), longer);
  constexpr double on_a_line = 1e-6;
  if (norm(normal) <= on_a_line * dot(along, along))
    normal = across_line(boundary, along);
  if (norm(normal) == 0.)
    return {};
  normal = scaled(1. / norm(normal), normal);
  for (const unsigned int a : nodes)
    if (std::abs(dot(normal, from_first(a))) > 1e-6 * mesh.size())
      return {};
  return tensor(normal);
}

/// 0: the normals of the shell turn along the line.
GramVector HeldSurface::across_line(const std::string &boundary, const GramVector &along) const
{
  const std::vector<unsigned int> nodes = nodes_of_boundary(mesh, boundary);
  GramVector sum{};
  double length = 0;
  for (std::size_t cell = 0; cell < mesh.cells.size(); ++cell)
    for (std::size_t a = 0; a < mesh.cells[cell].nodes.size(); ++a)
      if (std::binary_search(nodes.begin(), nodes.end(), mesh.cells[cell].nodes[a]))
      {
        const GramVector across = cross(along, surface.normals(cell)[a]);
        add(1., across, sum);
        length += norm(across);
      }
  constexpr double turns = 1e-4;
  return norm(sum) < (1. - turns) * length ? GramVector{} : sum;
}
}  // namespace

std::unique_ptr<MeshPoints> mesh_points(const SurfaceMesh &mesh) { return std::make_unique<SurfacePoints>(mesh); }

std::shared_ptr<const SupportedNodes<3>> supported_nodes(const PlannedSites &sites, SitePlan &plan,
                                                         std::shared_ptr<const SupportedNodes<3>> body)
{
  return std::make_shared<HeldSurface>(sites, plan, std::move(body));
}

void SurfaceModel::refuse_double_rotations(const Supports<3> &supports, const PlannedSites &sites, SitePlan &plan) const
{
  std::string fault;
  for (const auto &[node, where] : plan.shared<HeldRotations>().by)
    for (const SitePlan::Site director : plan.shared<DirectorNodes>().directors(plan, node))
      if (const int local = sites.local(director); local >= 0 && supports.projector(local))
        fault = where + ": a support of Supports holds the rotation of this node, too. Keep one of both";
  throw_collectively<InputError>(fault, sites.space()->communicator());
}

void SurfaceModel::add_single_rotations(const Supports<3> &supports, const PlannedSites &sites, SitePlan &plan,
                                        AssembledSystem::Parts &system) const
{
  std::vector<double> own;  // node, support, axis
  for (const auto &one : supports.single_rotations())
    own.insert(own.end(),
               {double(sites.space()->sites()->local_to_global(one.node)), double(one.support), one.axis[0], one.axis[1], one.axis[2]});
  const auto all = dealii::Utilities::MPI::all_gather(sites.space()->communicator(), own);
  const auto &of_nodes = plan.shared<SurfaceSites>();
  std::map<std::int64_t, unsigned int> node_of;
  for (std::size_t a = 0; a < mesh->nodes.size(); ++a)
    node_of[sites.number(of_nodes(a))] = a;
  auto &nodes = plan.shared<DirectorNodes>();
  std::set<int> warned;
  constexpr int numbers = 5;
  for (const std::vector<double> &rank : all)
    for (auto next = rank.begin(); next != rank.end(); next += numbers)
    {
      const unsigned int node = node_of.at(std::int64_t(next[0]));
      const auto &support = supports.all()[int(next[1])];
      if (const auto &by = plan.shared<HeldRotations>().by; by.count(of_nodes(node)) > 0)
        throw InputError(support.where + ": " + by.at(of_nodes(node)) +
                         " holds the rotation of a node of this support, too. Keep one of both");
      SiteRelation relation{fmt::format("{} (rotation of node {})", support.name, node + 1), support.where, {}};
      const GramVectors factors = rotation_about({next[2], next[3], next[4]}, nodes.basis(of_nodes(node)));
      const std::vector<SitePlan::Site> &directors = nodes.directors(plan, of_nodes(node));
      for (std::size_t i = 0; i < directors.size(); ++i)
        for (int d = 0; d < 3; ++d)
          if (factors[i][d] != 0.)
            relation.terms.emplace_back(3 * std::uint64_t(sites.number(directors[i])) + d, factors[i][d]);
      system.couplings.push_back(std::move(relation));
      system.coupling_sums.push_back(support.theta[support.rotation.single(true)]);
      if (!support.small_rotations && warned.insert(int(next[1])).second)
        log_warning(fmt::format(
            "{}: support '{}' holds one rotation of nodes with several directors by a linear equation, which is right where a node turns about "
            "this axis alone, by less than 90 degrees. Hold two, or three, where it turns about others by more than about 0.1 rad",
            support.where, support.name));
    }
}
}  // namespace symdyn
