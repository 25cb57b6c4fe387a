#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "elements/mesh_faces.h"
#include "elements/shells/shell_surface.h"
#include "elements/site_plan.h"

namespace symdyn
{
/// Faces of the shells of a plan as boundaries, by the names of shells or their groups: NAME both of them, NAME.bottom and NAME.top one of
/// them, on that side along the normal. Beside a solid the boundaries of that, too. A place of a face is
///     x = sum_a N_a (x_a + zeta d_a)
/// with the directors d_a of the nodes, so that a force there has its moment about the surface of the nodes; zeta [m] as
/// ShellSurface::Faces has it. Once all shells are planned; the plan must outlive it.
class ShellFaces : public MeshFaces
{
public:
  explicit ShellFaces(SitePlan &plan);
  std::vector<MeshFace> faces(const std::vector<std::string> &boundaries, int points, const PlannedSites &sites) const override;
  std::vector<BoundaryCell> boundary_cells(const std::vector<std::string> &boundaries) const override;
  bool has_shell(const std::string &boundary) const override;
  double part_of_mass(const std::vector<std::string> &boundaries) const override;

private:
  class Shape;
  /// Of a cell: its nodes and directors, and where their functions come from.
  struct Corners
  {
    std::vector<SitePlan::Site> sites;
    std::vector<Place> X;
    std::shared_ptr<const CellShape> shape;
  };
  Corners corners_of(std::size_t cell) const;
  /// A face of a cell: of the bottom (0) or the top (1).
  struct Side
  {
    std::size_t cell;
    int layer;
  };
  std::vector<Side> sides_named(const std::string &boundary) const;
  /// The faces of shells, and the names that are of none.
  std::pair<std::vector<Side>, std::vector<std::string>> divide(const std::vector<std::string> &boundaries) const;
  BoundaryCell face_of(const Side &side) const;
  MeshFace face_at(const Side &side, int points, const PlannedSites &sites) const;

  SitePlan &plan;
  const ShellSurface &surface;
  const MeshFaces *body;  ///< nullptr: there is no solid
};
}  // namespace symdyn
