#pragma once
#include <optional>
#include <string>
#include <vector>

#include "elements/mesh_faces.h"
#include "elements/site_plan.h"

namespace symdyn
{
/// Axes of the beams of a plan as boundaries, by the names of beams or of groups of their lines (SitePlan::shared). A place of an axis is
///     x = sum_a N_a (x_a + o_1 d_1a + o_2 d_2a)
/// o: of the centroid from the nodes. Beside solids and shells the boundaries of those, too; whole_surface is theirs alone.
class BeamAxes : public MeshFaces
{
public:
  /// A site of an element: a factor times the Lagrange function of its node.
  struct Slot
  {
    int node;
    SitePlan::Site site;
    double factor;
    Place X;  ///< undeformed
  };
  /// An element.
  struct Line
  {
    BeamAxis of;
    std::vector<std::string> groups;
    int nodes;                ///< end, (middle,) end
    std::vector<Slot> slots;  ///< places of the nodes, then directors
  };
  /// Beside the surfaces of the plan.
  void stand_in(SitePlan &plan);
  void add(Line line);

  std::vector<MeshFace> faces(const std::vector<std::string> &boundaries, int points, const PlannedSites &sites) const override;
  std::vector<BoundaryCell> boundary_cells(const std::vector<std::string> &boundaries) const override;
  bool has_shell(const std::string &boundary) const override { return others && others->has_shell(boundary); }
  std::optional<BeamAxis> axis(const std::string &boundary) const override;
  double part_of_mass(const std::vector<std::string> &boundaries) const override;

private:
  class Shape;
  std::vector<std::size_t> lines_named(const std::string &boundary) const;
  /// Numbers of lines, and the names that are of none.
  std::pair<std::vector<std::size_t>, std::vector<std::string>> divide(const std::vector<std::string> &boundaries) const;
  static BoundaryCell cell_of(const Line &line);
  static MeshFace face_of(const Line &line, std::uint64_t number, int points, const PlannedSites &sites);

  std::vector<Line> lines;
  const MeshFaces *others = nullptr;  ///< of solids and shells; nullptr: there are none
};
}  // namespace symdyn
