#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elements/mesh_points.h"

namespace symdyn
{
/// In place of a boundary: all faces of a body's surface. No deck can write it.
constexpr const char *whole_surface = "*";

/// A face of a body's boundary, with points of integration.
struct MeshFace
{
  bool owned = false;          ///< its first node is of this rank, of one rank alone
  std::uint64_t identity = 0;  ///< below 2^62, the same on any number of ranks
  std::string group;           ///< of the cell over the face
  double height = 0;           ///< of that cell [m]
  int layer = 0;               ///< as BoundaryCell has it
  double size = 0;             ///< root of its area; of an edge in 2-D its length [m]
  std::vector<int> nodes;      ///< local sites
  std::vector<Place> X;        ///< of the nodes, undeformed [m]
  std::vector<double> dA;      ///< of each point; in 2-D with the thickness [m²]
  std::vector<double> shape;   ///< N_a at the points, [point][node]
  std::size_t points() const { return dA.size(); }
};

/// The shape functions of a cell.
class CellShape
{
public:
  virtual ~CellShape() = default;
  /// N_a at a place of the reference cell and, if it is not null, dN_a/dxi_i as [a][i].
  virtual void evaluate(const Place &xi, double *N, Place *dN) const = 0;
};

/// A face of a body's boundary with the cell behind it. Every rank knows it.
struct BoundaryCell
{
  std::shared_ptr<const CellShape> shape;
  std::vector<std::int64_t> nodes;  ///< of the cell, as MeshPoints::Node::number
  std::vector<Place> X;             ///< of them, undeformed [m]
  int corners = 2, degree = 1;      ///< of the face: 2 an edge, 3 a triangle, 4 a quadrilateral
  Place origin{};  ///< the face is xi = origin + s_1 axis_1 + s_2 axis_2 in the reference cell, s in [0, 1] or the unit triangle
  std::array<Place, 2> axis{};
  double outward = 1;    ///< sign of the outward normal along t_1 x t_2, t_i = dX/ds_i; in 2-D along (t_y, -t_x)
  double thickness = 1;  ///< of plane bodies [m]
  int layer = 0;         ///< of faces over the same nodes: the bottom (0) and the top (1) of a shell
  int directors = 0;     ///< so many of `nodes`, the last ones, are directors
  bool is_axis = false;  ///< of a beam: a line in space, origin + s_1 axis_1, whose area is its length times `thickness`
};

/// The line through the centroids of a beam as a boundary.
struct BeamAxis
{
  std::string beam, section;
  double radius;  ///< of a circle or a pipe, outside [m]; 0: the section is not round
  double width;   ///< by which a length of the line has an area: 2 radius, of others the longer side [m]
  double height;  ///< area of the section over the width [m]
  double E, rho;  ///< [Pa], [kg/m³]
};

class PlannedSites;

/// A body whose boundaries have faces; whole_surface is one of them.
class MeshFaces
{
public:
  virtual ~MeshFaces() = default;
  /// Faces that have a node of this rank, with `points` Gauss points a direction (triangles: as exact, at most of degree 7). Once sites
  /// have their numbers. Errors: InputError that lists the boundaries.
  virtual std::vector<MeshFace> faces(const std::vector<std::string> &boundaries, int points, const PlannedSites &sites) const = 0;
  /// All faces of boundaries, in an order that knows nothing of ranks. Collective. Errors: InputError that lists the boundaries.
  virtual std::vector<BoundaryCell> boundary_cells(const std::vector<std::string> &boundaries) const = 0;
  /// Whether this boundary has faces of shells.
  virtual bool has_shell(const std::string & /*boundary*/) const { return false; }
  /// What the boundary is of, if it is a beam, or a group of lines of beams. Errors: InputError for lines of different sections.
  virtual std::optional<BeamAxis> axis(const std::string & /*boundary*/) const { return {}; }
  /// What a lumped mass moves at boundaries, of the mass of the cells over them: the least.
  virtual double part_of_mass(const std::vector<std::string> &boundaries) const = 0;
};

/// Of a plan (SitePlan::shared).
struct FacesOfPlan
{
  const MeshFaces *of_solid = nullptr;
  std::shared_ptr<const MeshFaces> with_shells;  ///< theirs and those of the solid; nullptr: there are no shells
  const MeshFaces *with_beams = nullptr;         ///< theirs and all others; nullptr: there are no beams
  const MeshFaces *surfaces() const { return with_shells ? with_shells.get() : of_solid; }
  const MeshFaces *all() const { return with_beams ? with_beams : surfaces(); }
};
}  // namespace symdyn
