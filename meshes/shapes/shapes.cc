#include "meshes/shapes.h"
#include "meshes/cells_help.h"

#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/manifold_lib.h>

#include <cmath>

#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
constexpr double relative_tolerance = 1e-9;
constexpr dealii::types::manifold_id round_manifold = 1;

template <class Number>
std::string listed(const std::vector<Number> &numbers)
{
  std::vector<std::string> words;
  for (const Number number : numbers)
    words.push_back(std::to_string(number));
  return join(words);
}

double extent(const std::vector<dealii::Point<2>> &vertices)
{
  dealii::BoundingBox<2> box(vertices);
  return box.get_boundary_points().first.distance(box.get_boundary_points().second);
}

void join_blocks(Section &section)
{
  dealii::SubCellData none;
  std::vector<unsigned int> all;
  dealii::GridTools::delete_duplicated_vertices(section.vertices, section.cells, none, all, relative_tolerance * extent(section.vertices));
  dealii::GridTools::delete_unused_vertices(section.vertices, section.cells, none);
  dealii::GridTools::consistently_order_cells(section.cells);
}

void create(const Section &section, unsigned int, double, double, dealii::Triangulation<2> &cells)
{
  cells.create_triangulation(section.vertices, section.cells, dealii::SubCellData());
}

void create(const Section &section, const unsigned int layers, const double z0, const double z1, dealii::Triangulation<3> &cells)
{
  const unsigned int n = section.vertices.size();
  std::vector<dealii::Point<3>> vertices;
  for (unsigned int layer = 0; layer <= layers; ++layer)
    for (const auto &x : section.vertices)
      vertices.emplace_back(x[0], x[1], z0 + (z1 - z0) * layer / layers);
  std::vector<dealii::CellData<3>> hexahedra;
  for (unsigned int layer = 0; layer < layers; ++layer)
    for (const auto &quadrilateral : section.cells)
    {
      hexahedra.emplace_back();
      for (unsigned int i = 0; i < 8; ++i)
        hexahedra.back().vertices[i] = quadrilateral.vertices[i % 4] + (layer + i / 4) * n;
    }
  cells.create_triangulation(vertices, hexahedra, dealii::SubCellData());
}

dealii::SphericalManifold<2> polar(const dealii::Point<2> &origin) { return dealii::SphericalManifold<2>(origin); }

dealii::CylindricalManifold<3> polar(const dealii::Point<3> &) { return dealii::CylindricalManifold<3>(2); }

/// Between points of a circle (or circular cylinder) new points are on it, all others are where they are without it.
/// One manifold for a whole mesh, for MappingFE refuses cells of which some faces have a manifold and others have none.
template <int dim>
class RoundBoundary : public dealii::Manifold<dim>
{
public:
  RoundBoundary(const double radius, const dealii::Point<dim> &centre, const unsigned int axis) : radius(radius), centre(centre), axis(axis)
  {
  }

  std::unique_ptr<dealii::Manifold<dim>> clone() const override { return std::make_unique<RoundBoundary>(*this); }

  dealii::Point<dim> get_new_point(const dealii::ArrayView<const dealii::Point<dim>> &points,
                                   const dealii::ArrayView<const double> &weights) const override
  {
    const Criterion<dim> on_boundary = circle(radius, centre, axis);
    bool on_circle = true;
    dealii::Point<dim> mean;
    for (unsigned int i = 0; i < points.size(); ++i)
    {
      mean += weights[i] * points[i];
      on_circle = on_circle && (std::abs(weights[i]) < relative_tolerance || on_boundary(points[i]));
    }
    if (!on_circle)
      return mean;
    dealii::Tensor<1, dim> r = mean - centre;
    if (axis < dim)
      r[axis] = 0;
    return mean + (radius / r.norm() - 1) * r;
  }

private:
  double radius;
  dealii::Point<dim> centre;
  unsigned int axis;
};
}  // namespace

std::string help_of_cells()
{
  std::string text;
  const auto &registry = Registry<CellsHelp>::instance();
  for (const std::string &shape : registry.names())
    text += (text.empty() ? "" : "; ") + shape + ": " + registry.make(shape)->order;
  return "number of cells of the coarse mesh in each direction of the shape, in this order: " + text;
}

std::vector<unsigned int> cell_counts(const std::string &shape, const std::vector<int> &cells, const std::vector<std::string> &directions,
                                      const std::vector<unsigned int> &defaults)
{
  if (cells.empty())
    return defaults;
  bool valid = cells.size() == directions.size();
  for (const int count : cells)
    valid = valid && count >= 1;
  if (!valid)
    throw InputError("[Mesh] Subdivisions = " + listed(cells) + ": the shape \"" + shape + "\" needs " + std::to_string(directions.size()) +
                     (directions.size() == 1 ? " number" : " numbers") + ", each at least 1 (" + join(directions) + "), for example " +
                     listed(defaults) + ".");
  return {cells.begin(), cells.end()};
}

double product(const std::vector<unsigned int> &counts)
{
  double n = 1;
  for (const unsigned int count : counts)
    n *= count;
  return n;
}

void require_entries(const Parameters &p, const std::string &name, const std::vector<double> &list, const unsigned int count)
{
  if (list.size() != count)
    p.fail(name, "needs " + std::to_string(count) + " numbers, one for each of " + (count == 2 ? "x, y" : "x, y, z") + ", but has " +
                     std::to_string(list.size()) + ".");
}

dealii::Point<2> between_points(const dealii::Point<2> &a, const dealii::Point<2> &b, const double t) { return a + t * (b - a); }

void Section::add_block(const unsigned int n0, const unsigned int n1, const std::function<dealii::Point<2>(double, double)> &map)
{
  const unsigned int first = vertices.size();
  for (unsigned int j = 0; j <= n1; ++j)
    for (unsigned int i = 0; i <= n0; ++i)
      vertices.push_back(map(double(i) / n0, double(j) / n1));
  for (unsigned int j = 0; j < n1; ++j)
    for (unsigned int i = 0; i < n0; ++i)
    {
      const unsigned int corner = first + i + j * (n0 + 1);
      cells.emplace_back();
      cells.back().vertices = {corner, corner + 1, corner + n0 + 1, corner + n0 + 2};
    }
}

template <int dim>
void extrude(Section section, const unsigned int layers, const double z0, const double z1, CoarseMesh<dim> &mesh)
{
  join_blocks(section);
  create(section, layers, z0, z1, mesh.cells);
  mesh.materials = {{0, "body"}};
  mesh.boundaries.clear();
}

template <int dim>
Criterion<dim> plane(const unsigned int axis, const double value, const double length)
{
  return [=](const dealii::Point<dim> &x) { return std::abs(x[axis] - value) < relative_tolerance * length; };
}

template <int dim>
Criterion<dim> circle(const double radius, const dealii::Point<dim> &centre, const unsigned int axis)
{
  return [=](const dealii::Point<dim> &x) {
    dealii::Tensor<1, dim> r = x - centre;
    if (axis < dim)
      r[axis] = 0;
    return std::abs(r.norm() - radius) < relative_tolerance * radius;
  };
}

template <int dim>
void name_boundary(CoarseMesh<dim> &mesh, const std::string &name, const Criterion<dim> &where)
{
  // 0 stays the id of the faces without a name.
  const dealii::types::boundary_id id = mesh.boundaries.size() + 1;
  for (const auto &cell : mesh.cells.active_cell_iterators())
    for (const auto &face : cell->face_iterators())
    {
      bool inside = face->at_boundary();
      for (const unsigned int v : face->vertex_indices())
        inside = inside && where(face->vertex(v));
      if (inside)
        face->set_all_boundary_ids(id);
    }
  mesh.boundaries[name] = {id};
}

template <int dim>
void curve_boundary(CoarseMesh<dim> &mesh, const double radius, const dealii::Point<dim> &centre, const unsigned int axis)
{
  mesh.cells.set_all_manifold_ids(round_manifold);
  mesh.cells.set_manifold(round_manifold, RoundBoundary<dim>(radius, centre, axis));
}

template <int dim>
void curve_all(CoarseMesh<dim> &mesh)
{
  mesh.cells.set_all_manifold_ids(round_manifold);
  mesh.cells.set_manifold(round_manifold, polar(dealii::Point<dim>()));
}

#define SYMDYN_INSTANTIATE(dim)                                                                           \
  template void extrude<dim>(Section, unsigned int, double, double, CoarseMesh<dim> &);                   \
  template Criterion<dim> plane<dim>(unsigned int, double, double);                                       \
  template Criterion<dim> circle<dim>(double, const dealii::Point<dim> &, unsigned int);                  \
  template void name_boundary<dim>(CoarseMesh<dim> &, const std::string &, const Criterion<dim> &);       \
  template void curve_boundary<dim>(CoarseMesh<dim> &, double, const dealii::Point<dim> &, unsigned int); \
  template void curve_all<dim>(CoarseMesh<dim> &);

SYMDYN_INSTANTIATE(2)
SYMDYN_INSTANTIATE(3)
}  // namespace symdyn
