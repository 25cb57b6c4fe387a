#include "elements/models/joined_surface.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "elements/gram/gram_vector.h"
#include "elements/models/surface_nodes.h"

namespace symdyn
{
namespace
{
/// Nodes of a body, and those of a surface beside it.
class BodyAndSurface : public MeshPoints
{
public:
  BodyAndSurface(std::unique_ptr<MeshPoints> of_body, const SurfaceMesh &mesh, std::vector<SitePlan::Site> sites)
      : body(std::move(of_body)), surface(mesh_points(mesh)), mesh(mesh), sites(std::move(sites))
  {
  }
  int dimension() const override { return body->dimension(); }
  double size() const override { return std::max(body->size(), surface->size()); }
  Node nearest(const Place &place) const override
  {
    const Node one = body->nearest(place), other = moved(surface->nearest(place));
    const auto distance = [&](const Node &node) { return norm(combination(node.position, -1., place)); };
    return distance(other) < distance(one) ? other : one;
  }
  std::vector<Node> on_boundary(const std::string &name) const override
  {
    return once(of_both<Node>([&] { return body->on_boundary(name); }, [&] { return moved(surface->on_boundary(name)); }, true));
  }
  std::vector<Node> named(const std::string &name) const override { return named(std::vector<std::string>{name}); }
  std::vector<Node> named(const std::vector<std::string> &names) const override
  {
    std::vector<Node> all;
    for (const std::string &name : names)
      if (mesh.set_is_known(name))
        for (const Node &node : moved(surface->named(name)))
          all.push_back(node);
    if (const std::vector<std::string> others = names_of_body(mesh, names); !others.empty())
      for (const Node &node : body->named(others))
        all.push_back(node);
    return once(all);
  }

private:
  Node moved(const Node &node) const { return {sites[node.number], node.position}; }
  std::vector<Node> moved(std::vector<Node> nodes) const
  {
    for (Node &node : nodes)
      node = moved(node);
    return nodes;
  }
  /// Without those that stand there before.
  static std::vector<Node> once(const std::vector<Node> &nodes)
  {
    std::set<std::int64_t> known;
    std::vector<Node> left;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(left), [&](const Node &node) { return known.insert(node.number).second; });
    return left;
  }

  std::unique_ptr<MeshPoints> body, surface;
  const SurfaceMesh &mesh;
  std::vector<SitePlan::Site> sites;
};

/// Finds nodes of a surface by their places.
class NearNodes
{
public:
  NearNodes(const SurfaceMesh &mesh, const double near) : mesh(mesh), near(near)
  {
    for (unsigned int a = 0; a < mesh.nodes.size(); ++a)
      in_box[box(mesh.nodes[a])].push_back(a);
  }
  std::vector<unsigned int> at(const dealii::Point<3> &X) const
  {
    std::set<Box> boxes;
    for (int corner = 0; corner < 8; ++corner)
    {
      Place moved;
      for (int d = 0; d < 3; ++d)
        moved[d] = X[d] + ((corner >> d) % 2 == 0 ? -near : near);
      boxes.insert(box(moved));
    }
    std::vector<unsigned int> found;
    for (const Box &one : boxes)
      if (const auto known = in_box.find(one); known != in_box.end())
        for (const unsigned int a : known->second)
          if (norm(combination(mesh.nodes[a], -1., {X[0], X[1], X[2]})) <= near)
            found.push_back(a);
    return found;
  }

private:
  using Box = std::array<std::int64_t, 3>;
  Box box(const Place &X) const
  {
    constexpr double wide = 1e4;  // so that a place is seldom near a side
    Box of;
    for (int d = 0; d < 3; ++d)
      of[d] = std::int64_t(std::floor(X[d] / (wide * near)));
    return of;
  }
  const SurfaceMesh &mesh;
  double near;
  std::map<Box, std::vector<unsigned int>> in_box;
};
}  // namespace

std::unique_ptr<MeshPoints> mesh_points(std::unique_ptr<MeshPoints> body, const SurfaceMesh &mesh, const std::vector<SitePlan::Site> &sites)
{
  return std::make_unique<BodyAndSurface>(std::move(body), mesh, sites);
}

JoinedSurface join_surface(const SurfaceMesh &mesh, const Discretisation<3> &body)
{
  constexpr double same_place = 1e-6;  // of the shortest edge
  const double near = same_place * body.smallest_edge;
  const NearNodes surface(mesh, near);
  std::vector<std::pair<unsigned int, std::int64_t>> mine;
  for (int local = 0; local < body.n_owned_nodes(); ++local)
    for (const unsigned int a : surface.at(body.position[local]))
      mine.emplace_back(a, std::int64_t(body.node_partitioner->local_to_global(local)));
  JoinedSurface joined;
  joined.nodes_of_body = std::int64_t(body.n_nodes());
  constexpr SitePlan::Site none = -1;
  joined.sites.assign(mesh.nodes.size(), none);
  for (const auto &of_rank : dealii::Utilities::MPI::all_gather(body.communicator, mine))
    for (const auto &[a, node] : of_rank)
    {
      if (const auto &X = mesh.nodes[a]; joined.sites[a] != none)
        throw InputError(fmt::format(
            "two nodes of the body stand at ({:g}, {:g}, {:g}) m, where shells or beams have one: which of them they share is not "
            "known. Merge the nodes of the mesh",
            X[0], X[1], X[2]));
      joined.sites[a] = node;
    }
  for (std::size_t a = 0; a < joined.sites.size(); ++a)
    if (joined.sites[a] == none)
    {
      joined.sites[a] = joined.nodes_of_body + SitePlan::Site(joined.own.size());
      joined.own.push_back(mesh.nodes[a]);
    }
  return joined;
}
}  // namespace symdyn
