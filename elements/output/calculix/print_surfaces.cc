#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/cells/reference_face.h"
#include "elements/load.h"
#include "elements/output/calculix/print_tables.h"
#include "elements/output/nodal_stress.h"
#include "elements/space/cell_order.h"
#include "elements/space/named_nodes.h"
#include "materials/inelastic.h"
#include "meshes/surface_sides.h"
#include "solver/error.h"
#include "solver/vibration/mode_tables.h"

// Tables of surfaces: forces and moments of the stress on their faces.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
template <int dim>
using Faces = std::vector<typename Discretisation<dim>::BoundaryFace>;
using Vector3 = dealii::Tensor<1, 3>;

/// Sums over the points of a surface.
struct OfSurface
{
  Vector3 force, moment, centre, normal;  ///< moment about the origin; centre, normal: times the area
  double area = 0;

  void add(const dealii::Tensor<2, 3> &stress, const Vector3 &x, const Vector3 &n_dA)
  {
    const Vector3 df = stress * n_dA;
    const double dA = n_dA.norm();
    force += df;
    moment += dealii::cross_product_3d(x, df);
    centre += dA * x;
    normal += n_dA;
    area += dA;
  }
  void sum(MPI_Comm communicator)
  {
    std::vector<double> all{area};
    for (const Vector3 *part : {&force, &moment, &centre, &normal})
      all.insert(all.end(), part->begin_raw(), part->end_raw());
    MPI::sum(all, communicator, all);
    area = all[0];
    for (int k = 0; k < 4; ++k)
      for (int d = 0; d < 3; ++d)
        (*std::array{&force, &moment, &centre, &normal}[k])[d] = all[1 + 3 * k + d];
  }
};

/// The side of a cell of the file.
template <int dim>
struct Side
{
  dealii::Point<dim> centre, centre_of_face;
};

template <int dim>
Side<dim> side_of(const FileCell<dim> &cell, const unsigned int face)
{
  static const std::map<unsigned int, Shape> shapes{{3, Shape::triangle}, {6, Shape::wedge}, {5, Shape::pyramid}, {8, Shape::hexahedron}};
  const Shape shape = cell.vertices != 4 ? shapes.at(cell.vertices) : dim == 2 ? Shape::quadrilateral : Shape::tetrahedron;
  const dealii::ReferenceCell reference = reference_cell(shape);
  const unsigned int corners = reference.face_reference_cell(face).n_vertices();
  Side<dim> side{centre_of(cell), {}};
  for (unsigned int v = 0; v < corners; ++v)
    side.centre_of_face += cell.corners[reference.face_to_cell_vertices(face, v, 1)] / double(corners);
  return side;
}

/// Whether a face is `whole`, or a part of it that refinement made.
template <class Face>
bool is_part(const Face &whole, const Face &face)
{
  if (whole->index() == face->index())
    return true;
  for (unsigned int i = 0; whole->has_children() && i < whole->n_children(); ++i)
    if (is_part(Face(whole->child(i)), face))
      return true;
  return false;
}

/// Faces of owned cells on sides of cells of the file.
template <int dim>
Faces<dim> faces_on(const Discretisation<dim> &mesh, const std::vector<std::pair<double, Side<dim>>> &sides)
{
  Faces<dim> faces;
  const double near = 1e-3 * mesh.smallest_edge;
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    if (!cell->is_locally_owned())
      continue;
    typename dealii::Triangulation<dim>::cell_iterator top = cell;
    while (top->level() > 0)
      top = top->parent();
    const dealii::Point<dim> centre = centre_in_file<dim>(top);
    const double s = along(centre);
    for (auto side =
             std::lower_bound(sides.begin(), sides.end(), s - near, [](const auto &one, const double from) { return one.first < from; });
         side != sides.end() && side->first <= s + near; ++side)
      if (side->second.centre.distance(centre) < near)
        for (const unsigned int whole : top->face_indices())
          for (const unsigned int face : cell->face_indices())
            if (top->face(whole)->center().distance(side->second.centre_of_face) < near &&
                is_part<typename dealii::Triangulation<dim>::face_iterator>(top->face(whole), cell->face(face)))
              faces.push_back({cell, face});
  }
  return faces;
}

/// As the file has it, else as a boundary of the mesh. Errors: InputError that lists the boundaries.
template <int dim>
Faces<dim> faces_of(const Discretisation<dim> &mesh, const std::string &surface)
{
  std::vector<std::pair<double, Side<dim>>> sides;
  for (unsigned int face = 0; mesh.file_nodes && face < most_faces; ++face)
    if (const auto found = mesh.file_nodes->cell_sets.find(cells_at_face(surface, face)); found != mesh.file_nodes->cell_sets.end())
      for (const FileCell<dim> &cell : found->second)
      {
        const Side<dim> side = side_of(cell, face);
        sides.emplace_back(along(side.centre), side);
      }
  std::sort(sides.begin(), sides.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  return sides.empty() ? mesh.boundary_faces(surface) : faces_on(mesh, sides);
}

template <int dim>
Vector3 in_space(const dealii::Tensor<1, dim> &x)
{
  Vector3 whole;
  for (int d = 0; d < dim; ++d)
    whole[d] = x[d];
  return whole;
}

/// The thickness of a plane cell over that at rest; F: with F_33 = 1. Errors: InputError where it depends on what the law remembers.
template <int dim>
double thickness_stretch(const Material &law, const dealii::Tensor<2, 3> &F)
{
  if (dim == 3 || !law.plane_stress())
    return 1.;
  if (inelastic(law))
    throw InputError("forces of surfaces are not written of plates that flow in large displacements. Leave the table out");
  return std::sqrt(1. + 2. * stress_at(law, F, true).strain[2][2]);
}

/// Adds the points of a face; of the deformed body where the law is not one of small displacements.
template <int dim>
void add_face(const SolidBody<dim> &system, const NodalStress<dim> &stress, const typename Discretisation<dim>::BoundaryFace &at,
              const Vector &q, OfSurface &sum)
{
  const Discretisation<dim> &mesh = system.mesh();
  const CellRegion<dim> &region = mesh.region_of(at.cell);
  const auto &rule = region.family.face_points[at.face];
  const auto face = SurfaceIntegral<dim>::at_points(mesh, at, rule);
  const dealii::Quadrature<dim> places = ReferenceFace<dim>(region.shape(), at.face).points(rule);
  const Material &law = system.material_per_volume(at.cell->material_id());
  const std::size_t nodes = face.nodes.size();
  for (std::size_t point = 0; point < face.point.size(); ++point)
  {
    dealii::Tensor<2, 3> F(dealii::unit_symmetric_tensor<3>());
    Vector3 x = in_space<dim>(face.point[point]), n_dA = face.dA[point] * in_space<dim>(face.normal[point]);
    for (std::size_t a = 0; a < nodes && !law.small_strain(); ++a)
      for (int i = 0; i < dim; ++i)
      {
        const double u = q.local_element(dim * face.nodes[a] + i);
        x[i] += u * face.shape[point * nodes + a];
        for (int J = 0; J < dim; ++J)
          F[i][J] += u * face.gradient[point * nodes + a][J];
      }
    if (!law.small_strain())
    {
      F[2][2] *= thickness_stretch<dim>(law, F);
      n_dA = determinant(F) * (transpose(invert(F)) * n_dA);
    }
    const auto s = stress.at(at.cell, places.point(point));  // xx, yy, zz, xy, yz, zx
    const dealii::Tensor<2, 3> sigma({{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}});
    sum.add(sigma, x, n_dA);
  }
}

std::vector<double> numbers(const std::initializer_list<Vector3> &vectors)
{
  std::vector<double> all;
  for (const Vector3 &vector : vectors)
    all.insert(all.end(), vector.begin_raw(), vector.end_raw());
  return all;
}
}  // namespace

template <int dim>
std::string PrintTables<dim>::of_surface(const PrintTable &table, const double time) const
{
  NodalStress<dim> stress(*system, NodalRule::averaged);
  stress.compute(*state);
  OfSurface all;
  for (const auto &face : faces_of(system->mesh(), table.surface))
    add_face(*system, stress, face, state->q, all);
  all.sum(system->mesh().communicator);
  if (!(all.area > 0.))
    throw InputError(fmt::format("the surface '{}' has no face on a cell of the mesh", table.surface));
  const Vector3 centre = all.centre / all.area, n = all.normal / all.area,
                moment = all.moment - dealii::cross_product_3d(centre, all.force);
  const double tension = all.force * n, torque = moment * n;
  return fmt::format("\n statistics for surface set {} and time {}\n\n", table.surface, fortran(time)) +
         "   total surface force (fx,fy,fz) and moment about the origin(mx,my,mz)\n\n" + table_row("  ", numbers({all.force, all.moment})) +
         "\n   center of gravity and mean normal\n\n" + table_row("  ", numbers({centre, n})) +
         "\n   moment about the center of gravity(mx,my,mz)\n\n" + table_row("  ", numbers({moment})) +
         "\n   area, normal force (+ = tension), shear force (size), torque and bending moment (size)\n\n" +
         table_row("  ", {all.area, tension, (all.force - tension * n).norm(), torque, (moment - torque * n).norm()});
}

template std::string PrintTables<2>::of_surface(const PrintTable &, double) const;
template std::string PrintTables<3>::of_surface(const PrintTable &, double) const;
}  // namespace symdyn
