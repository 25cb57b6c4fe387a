#include <deal.II/grid/grid_tools.h>

#include <cmath>

#include "meshes/cells_help.h"
#include "meshes/shapes.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
using dealii::Point;
using dealii::numbers::PI;

Point<2> on_circle(const double radius, const double angle) { return {radius * std::cos(angle), radius * std::sin(angle)}; }

/// A solid circular cylinder; its axis is the x axis, 0 < x < Length. The section is a square of n x n cells within a
/// ring of 4 n x m cells. Subdivisions: along x, n on a quarter of the circle, m across the ring. Boundaries: root (x = 0),
/// tip (x = Length), side. Refinement of the side follows the circle.
class Rod : public MeshGenerator<3>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Length", length, "along x [m]", positive());
    p.add("Radius", radius, "[m]", positive());
  }

  double number_of_cells(const std::vector<int> &cells) const override
  {
    const auto n = counts(cells);
    return n[0] * (product({n[1], n[1]}) + product({4, n[1], n[2]}));
  }

  void make(const std::vector<int> &cells, CoarseMesh<3> &mesh) const override
  {
    const auto n = counts(cells);
    extrude(section(n[1], n[2]), n[0], 0., length, mesh);
    dealii::GridTools::transform([](const Point<3> &x) { return Point<3>(x[2], x[0], x[1]); }, mesh.cells);
    name_boundary(mesh, "root", plane<3>(0, 0., length));
    name_boundary(mesh, "tip", plane<3>(0, length, length));
    name_boundary(mesh, "side", circle<3>(radius, Point<3>(), 0));
    curve_boundary(mesh, radius, Point<3>(), 0);
  }

private:
  static std::vector<unsigned int> counts(const std::vector<int> &cells)
  {
    return cell_counts("rod", cells, {"along x", "on a quarter of the circle", "across the ring"}, {10, 2, 1});
  }

  Section section(const unsigned int n, const unsigned int m) const
  {
    const double corner = square * radius;
    Section section;
    section.add_block(n, n, [=](double s, double t) { return Point<2>(corner * (2 * s - 1), corner * (2 * t - 1)); });
    for (unsigned int quarter = 0; quarter < 4; ++quarter)
      section.add_block(m, n, [=](const double r, const double s) {
        const double start = (quarter - 0.5) * PI / 2, end = start + PI / 2;
        const double diagonal = corner * std::sqrt(2.);
        return between_points(between_points(on_circle(diagonal, start), on_circle(diagonal, end), s),
                              on_circle(radius, start + s * PI / 2), r);
      });
    return section;
  }

  /// Half an edge of the square in the middle, by the radius: the cells of square and ring have about the same size.
  static constexpr double square = 0.4;
  double length = 1, radius = 0.1;
};

/// 2-D: an annulus around the origin. 3-D: the annulus times [0, Thickness], axis z. Subdivisions: around, across (, along z).
/// Boundaries: inner, outer (, z- (z = 0), z+ (z = Thickness)). Refinement follows the circles.
template <int dim>
class Ring : public MeshGenerator<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Inner radius", inner, "[m]", positive());
    p.add("Outer radius", outer, "[m]", positive());
    if (dim == 3)
      p.add(along_z, thickness, "along z [m]", positive());
    if (outer <= inner)
      p.fail("Outer radius", "must be greater than the Inner radius.");
  }

  double number_of_cells(const std::vector<int> &cells) const override { return product(counts(cells)); }

  void make(const std::vector<int> &cells, CoarseMesh<dim> &mesh) const override
  {
    const auto n = counts(cells);
    if (n[0] < 3)
      throw InputError("[Mesh] Subdivisions: the shape \"" + shape + "\" needs at least 3 cells around, not " + std::to_string(n[0]) + ".");
    Section section;
    section.add_block(n[1], n[0], [this](const double r, const double s) { return on_circle(inner + r * (outer - inner), 2 * PI * s); });
    extrude(section, n.back(), 0., thickness, mesh);
    name_boundary(mesh, "inner", circle<dim>(inner, Point<dim>()));
    name_boundary(mesh, "outer", circle<dim>(outer, Point<dim>()));
    if (dim == 3)
    {
      name_boundary(mesh, "z-", plane<dim>(2, 0., thickness));
      name_boundary(mesh, "z+", plane<dim>(2, thickness, thickness));
    }
    curve_all(mesh);
  }

protected:
  std::vector<unsigned int> counts(const std::vector<int> &cells) const
  {
    const std::vector<std::string> directions = {"around", "across", "along z"};
    return cell_counts(shape, cells, {directions.begin(), directions.begin() + dim}, {defaults.begin(), defaults.begin() + dim});
  }

  std::string shape = "ring", along_z = "Thickness";
  std::vector<unsigned int> defaults = {12, 2, 1};
  double inner = 0.5, outer = 1, thickness = 0.1;
};

/// A tube: the annulus times [0, Length], axis z. Subdivisions: around, across, along z. Boundaries: inner, outer, z-, z+.
class HollowCylinder : public Ring<3>
{
public:
  HollowCylinder()
  {
    shape = "hollow-cylinder";
    along_z = "Length";
    defaults = {12, 1, 6};
    inner = 0.8;
    thickness = 2;
  }
};

/// A rectangular plate with a circular hole in its middle, the origin; or the quarter of it with x > 0, y > 0.
/// Subdivisions: on an eighth of the hole, from the hole to the edge (, along z). Boundaries: hole, x-, x+, y-, y+ (, z- (z =
/// 0), z+ (z = Thickness)); of the quarter x- and y- are the planes of symmetry. Refinement of the hole follows the
/// circle.
template <int dim>
class PlateWithHole : public MeshGenerator<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Radius", radius, "of the hole [m]", positive());
    p.add("Width", width, "of the whole plate along x [m]", positive());
    p.add("Height", height, "of the whole plate along y [m]", positive());
    if (dim == 3)
      p.add("Thickness", thickness, "along z [m]", positive());
    p.add("Part", part, "what to mesh", {"whole", "quarter"});
    if (2 * radius >= std::min(width, height))
      p.fail("Radius", "must be less than half the Width and half the Height.");
  }

  double number_of_cells(const std::vector<int> &cells) const override { return eighths() * product(counts(cells)); }

  void make(const std::vector<int> &cells, CoarseMesh<dim> &mesh) const override
  {
    const auto n = counts(cells);
    extrude(section(n[0], n[1]), n.back(), 0., thickness, mesh);
    name_boundary(mesh, "hole", circle<dim>(radius, Point<dim>()));
    name_boundary(mesh, "x-", plane<dim>(0, part == "whole" ? -width / 2 : 0., width));
    name_boundary(mesh, "x+", plane<dim>(0, width / 2, width));
    name_boundary(mesh, "y-", plane<dim>(1, part == "whole" ? -height / 2 : 0., height));
    name_boundary(mesh, "y+", plane<dim>(1, height / 2, height));
    if (dim == 3)
    {
      name_boundary(mesh, "z-", plane<dim>(2, 0., thickness));
      name_boundary(mesh, "z+", plane<dim>(2, thickness, thickness));
    }
    curve_boundary(mesh, radius, Point<dim>());
  }

private:
  static std::vector<unsigned int> counts(const std::vector<int> &cells)
  {
    const std::vector<std::string> directions = {"on an eighth of the hole", "from the hole to the edge", "along z"};
    const std::vector<unsigned int> defaults = {2, 4, 1};
    return cell_counts("plate-with-hole", cells, {directions.begin(), directions.begin() + dim},
                       {defaults.begin(), defaults.begin() + dim});
  }

  unsigned int eighths() const { return part == "whole" ? 8 : 2; }

  /// An eighth lies between a middle of an edge and a corner of the plate.
  Section section(const unsigned int around, const unsigned int outwards) const
  {
    const double w = width / 2, h = height / 2;
    const std::vector<Point<2>> edge = {{w, 0.}, {w, h}, {0., h}, {-w, h}, {-w, 0.}, {-w, -h}, {0., -h}, {w, -h}};
    Section section;
    for (unsigned int eighth = 0; eighth < eighths(); ++eighth)
      section.add_block(outwards, around, [&](const double r, const double s) {
        return between_points(on_circle(radius, (eighth + s) * PI / 4), between_points(edge[eighth], edge[(eighth + 1) % 8], s), r);
      });
    return section;
  }

  double radius = 0.1, width = 1, height = 1, thickness = 0.1;
  std::string part = "whole";
};
}  // namespace

SYMDYN_REGISTER(MeshGenerator<3>, Rod, "rod");
SYMDYN_REGISTER(MeshGenerator<2>, Ring<2>, "ring");
SYMDYN_REGISTER(MeshGenerator<3>, Ring<3>, "ring");
SYMDYN_REGISTER(MeshGenerator<3>, HollowCylinder, "hollow-cylinder");
SYMDYN_REGISTER(MeshGenerator<2>, PlateWithHole<2>, "plate-with-hole");
SYMDYN_REGISTER(MeshGenerator<3>, PlateWithHole<3>, "plate-with-hole");
SYMDYN_CELLS("rod", "along x, on a quarter of the circle, across the ring");
SYMDYN_CELLS("ring", "around, across (, along z)");
SYMDYN_CELLS("hollow-cylinder", "around, across, along z");
SYMDYN_CELLS("plate-with-hole", "on an eighth of the hole, from the hole to the edge (, along z)");
}  // namespace symdyn
