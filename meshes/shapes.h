#pragma once
#include <deal.II/base/point.h>

#include <functional>
#include <string>
#include <vector>

#include "meshes/mesh.h"

/// What the generators share: a plane section of quadrilateral blocks, its extrusion, names for its boundary.
namespace symdyn
{
/// One number of cells a direction from the deck's "Mesh/Subdivisions", or the defaults if that is empty. InputError unless
/// there are as many as `directions` ("along x", ...), each at least 1.
std::vector<unsigned int> cell_counts(const std::string &shape, const std::vector<int> &cells, const std::vector<std::string> &directions,
                                      const std::vector<unsigned int> &defaults);

/// Their product, without overflow.
double product(const std::vector<unsigned int> &counts);

/// InputError unless the list in a deck has as many entries as the mesh has dimensions.
void require_entries(const Parameters &p, const std::string &name, const std::vector<double> &list, unsigned int count);

/// (1 - t) a + t b
dealii::Point<2> between_points(const dealii::Point<2> &a, const dealii::Point<2> &b, double t);

/// Quadrilaterals in the plane, put together from blocks.
struct Section
{
  std::vector<dealii::Point<2>> vertices;
  std::vector<dealii::CellData<2>> cells;

  /// n0 x n1 quadrilaterals with vertices at map(i/n0, j/n1), right-handed. Blocks with the same vertices on a common
  /// edge are joined there.
  void add_block(unsigned int n0, unsigned int n1, const std::function<dealii::Point<2>(double, double)> &map);
};

/// 2-D: the section itself. 3-D: the section times [z0, z1], in `layers` layers of hexahedra. One material, "body".
template <int dim>
void extrude(Section section, unsigned int layers, double z0, double z1, CoarseMesh<dim> &mesh);

template <int dim>
using Criterion = std::function<bool(const dealii::Point<dim> &)>;

/// Points with x[axis] = value, to 1e-9 of `length`.
template <int dim>
Criterion<dim> plane(unsigned int axis, double value, double length);

/// Points at this distance from the line through `centre` along `axis` (in 2-D: from the point `centre`), to 1e-9.
template <int dim>
Criterion<dim> circle(double radius, const dealii::Point<dim> &centre, unsigned int axis = 2);

/// The boundary faces with all their vertices at `where` become the boundary `name`.
template <int dim>
void name_boundary(CoarseMesh<dim> &mesh, const std::string &name, const Criterion<dim> &where);

/// Refinement of the boundary with this distance from the line through `centre` along `axis` follows the circle.
template <int dim>
void curve_boundary(CoarseMesh<dim> &mesh, double radius, const dealii::Point<dim> &centre, unsigned int axis = 2);

/// Refinement of all cells follows circles around the z axis (in 2-D: around the origin).
template <int dim>
void curve_all(CoarseMesh<dim> &mesh);
}  // namespace symdyn
