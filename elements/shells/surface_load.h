#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elements/applied_load.h"
#include "elements/gram/gram_term.h"
#include "elements/gram/gram_vector.h"
#include "elements/gram/surface_sites.h"
#include "elements/shells/shell_element.h"
#include "elements/site_plan.h"
#include "meshes/surface.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
class GroupMasses;
class ShellSurface;

/// A surface in the system of its structure.
struct SurfaceInSystem
{
  const SurfaceMesh &mesh;
  const PlannedSites &sites;
  std::function<std::vector<SitePlan::Site>(unsigned int node)> directors;  ///< {}: the node has none
  std::function<std::vector<GramVector>(unsigned int node)> basis;          ///< the same directors at rest
  /// The director of a shell at a node, with this normal at rest, as a sum of those.
  std::function<SiteSum(unsigned int node, const GramVector &normal)> director;
  const ShellSurface &shells;
  const GroupMasses *masses;  ///< of shells and beams
  const SurfaceSites &of_nodes;

  bool owns(const unsigned int node) const { return sites.owns(of_nodes(node)); }
  /// -1: not known on this rank.
  int local(const unsigned int node) const { return sites.local(of_nodes(node)); }

  /// Cells of groups; {}: all. Errors: InputError that lists the groups.
  std::vector<const SurfaceMesh::Cell *> cells(const std::vector<std::string> &groups) const;
  /// Edges of boundaries. Errors: InputError that lists them.
  std::vector<SurfaceMesh::Edge> edges(const std::vector<std::string> &boundaries) const;
};

/// A load on a surface. One file a load: Registry<SurfaceLoad>.
class SurfaceLoad : public AppliedLoad
{
public:
  virtual void declare(Parameters &p) = 0;
  /// Errors: InputError with its place in the deck.
  virtual void prepare(const SurfaceInSystem &surface) = 0;
};

using shells::SurfacePoint;
/// Of cells of 3, 4, 6 or 8 nodes: exact for linear triangles, 2 x 2 points of quadrilaterals, 6 and 3 x 3 points of second order.
const std::vector<SurfacePoint> &surface_points(std::size_t nodes);
/// A point of integration of an edge of two nodes or of three: its length [m], its place, values of the functions of the nodes.
struct EdgePoint
{
  double length;
  GramVector X;
  std::array<double, 3> N;
};
/// Two Gauss points, three of an edge of three nodes.
std::vector<EdgePoint> edge_points(const SurfaceMesh::Edge &edge, const SurfaceMesh &mesh);
}  // namespace symdyn
