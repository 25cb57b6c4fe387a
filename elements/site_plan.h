#pragma once
#include <deal.II/base/index_set.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <typeindex>
#include <vector>

#include "elements/mesh_points.h"
#include "elements/space.h"

namespace symdyn
{
/// A site that is no node of a mesh.
struct AppendedSite
{
  Space::Place position{};     ///< place [m], or director in the undeformed structure
  bool is_director = false;    ///< rotations turn it, translations do not move it
  std::int64_t node = 0;       ///< of a director: where it stands (SitePlan::Site)
  bool is_amplitudes = false;  ///< of a director, which stands at no node: rotations leave it alone, too
  char kind() const { return is_amplitudes ? Space::amplitudes : is_director ? Space::director : Space::place; }
};

/// What is known of sites before they are numbered: nodes of the mesh that are used, sites that are appended to them, and which of them
/// belong together. Every rank makes the same plan.
class SitePlan
{
public:
  /// A site in a plan: a node by its number in the mesh (MeshPoints::Node), or an appended site, -1, -2, ...
  using Site = std::int64_t;

  explicit SitePlan(const MeshPoints &mesh) : of_mesh(mesh) {}

  const MeshPoints &mesh() const { return of_mesh; }
  Site append(const AppendedSite &site);
  /// Nodes of surfaces beside a mesh of `nodes` nodes: the sites `nodes`, `nodes` + 1, ... Before anything else is appended.
  void append_nodes(std::int64_t nodes, const std::vector<Place> &places);
  /// A rank that owns one of these sites knows all of them: an element between them, or surfaces that may touch.
  void join(const std::vector<Site> &sites);
  /// Each rank knows all sites: what couples all nodes around an axis.
  void join_all() { together = true; }
  const std::vector<AppendedSite> &appended() const { return own; }

  /// The one object of a class that the parts of a structure share while they plan: nodes at which several of them meet.
  template <class T>
  T &shared()
  {
    std::shared_ptr<void> &one = of_parts[typeid(T)];
    if (!one)
      one = std::make_shared<T>();
    return *static_cast<T *>(one.get());
  }

  /// Sites are numbered as the mesh does it when `first_appended` is the number of the first appended one (Discretisation::append_sites).
  void number_sites(std::int64_t first_appended) { first = first_appended; }
  /// Sites are numbered so that directors stand behind their node: first those of `nodes` nodes of the mesh, then appended ones.
  void number_by_node(std::int64_t nodes);
  /// Of a site, over all ranks.
  std::int64_t number(Site site) const;
  /// Sites of other ranks that a rank with the sites [begin, end) of `sites` knows.
  dealii::IndexSet needed(std::uint64_t begin, std::uint64_t end, std::uint64_t sites) const;

private:
  const MeshPoints &of_mesh;
  std::vector<AppendedSite> own;
  std::vector<Site> joined;           ///< groups, one after the other
  std::vector<std::size_t> start{0};  ///< of groups
  bool together = false;              ///< all sites are
  std::int64_t first = 0;
  Site behind_mesh = std::numeric_limits<Site>::max();  ///< the first of append_nodes()
  std::vector<std::int64_t> of_nodes, of_appended;      ///< numbers by node; empty: by `first`
  std::map<std::type_index, std::shared_ptr<void>> of_parts;
};

/// The sites of a plan in the space of the structure.
class PlannedSites
{
public:
  PlannedSites(std::shared_ptr<const Space> space, const SitePlan &plan) : of_space(std::move(space)), plan(plan) {}

  const std::shared_ptr<const Space> &space() const { return of_space; }
  /// Over all ranks.
  std::int64_t number(const SitePlan::Site site) const { return plan.number(site); }
  /// On this rank, owned sites first; -1: not known here.
  int local(SitePlan::Site site) const;
  bool owns(const SitePlan::Site site) const
  {
    const int at = local(site);
    return at >= 0 && at < of_space->owned();
  }

private:
  std::shared_ptr<const Space> of_space;
  const SitePlan &plan;
};
}  // namespace symdyn
