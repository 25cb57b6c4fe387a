#include <cmath>

#include "meshes/cells_help.h"
#include "meshes/shapes.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// Cook's membrane: the quadrilateral (0, 0), (48, 44), (48, 60), (0, 44) times Scale; in 3-D with z in [0, Thickness].
/// Vertices at equal distances along each edge (bilinear map). Subdivisions: from left to right, from bottom to top (, along
/// z). Boundaries: left, right, bottom, top (, back (z = 0), front (z = Thickness)).
template <int dim>
class Cook : public MeshGenerator<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Scale", scale, "length of the unit of the drawing [m]", positive());
    if (dim == 3)
      p.add("Thickness", thickness, "along z [m]", positive());
  }

  double number_of_cells(const std::vector<int> &cells) const override { return product(counts(cells)); }

  void make(const std::vector<int> &cells, CoarseMesh<dim> &mesh) const override
  {
    const auto n = counts(cells);
    const double width = 48 * scale, left = 44 * scale, low = 44 * scale, high = 60 * scale, tolerance = 1e-9 * width;
    Section section;
    section.add_block(n[0], n[1], [=](const double s, const double t) {
      return dealii::Point<2>(width * s, (1 - t) * low * s + t * (left + (high - left) * s));
    });
    extrude(section, n.back(), 0., thickness, mesh);
    name_boundary(mesh, "left", plane<dim>(0, 0., width));
    name_boundary(mesh, "right", plane<dim>(0, width, width));
    name_boundary<dim>(mesh, "bottom", [=](const auto &x) { return std::abs(x[1] - low * x[0] / width) < tolerance; });
    name_boundary<dim>(mesh, "top", [=](const auto &x) { return std::abs(x[1] - left - (high - left) * x[0] / width) < tolerance; });
    if (dim == 3)
    {
      name_boundary(mesh, "back", plane<dim>(2, 0., thickness));
      name_boundary(mesh, "front", plane<dim>(2, thickness, thickness));
    }
  }

private:
  static std::vector<unsigned int> counts(const std::vector<int> &cells)
  {
    const std::vector<std::string> directions = {"from left to right", "from bottom to top", "along z"};
    const std::vector<unsigned int> defaults = {4, 4, 1};
    return cell_counts("cook", cells, {directions.begin(), directions.begin() + dim}, {defaults.begin(), defaults.begin() + dim});
  }

  double scale = 1e-3, thickness = 1e-3;
};

/// The elastic flag of Turek & Hron (2006): from the arc of the cylinder that it is attached to, to the straight tip at
/// x = centre + radius + Length; |y - centre| < Height/2. With an even number of cells over the height the point
/// A = (0.6, 0.2) at the middle of the tip is a vertex. Subdivisions: along x, along y.
/// Boundaries: cylinder (the arc), tip, bottom, top.
class Flag : public MeshGenerator<2>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Length", length, "from the foremost point of the cylinder to the tip [m]", positive());
    p.add("Height", height, "along y; less than the diameter of the cylinder [m]", positive());
    p.add("Cylinder radius", radius, "[m]", positive());
    p.add("Cylinder centre", centre, "[m]");
    require_entries(p, "Cylinder centre", centre, 2);
    if (height >= 2 * radius)
      p.fail("Height", "must be less than twice the Cylinder radius, for the flag starts at the arc of the cylinder.");
  }

  double number_of_cells(const std::vector<int> &cells) const override { return product(counts(cells)); }

  void make(const std::vector<int> &cells, CoarseMesh<2> &mesh) const override
  {
    const auto n = counts(cells);
    const dealii::Point<2> middle(centre[0], centre[1]);
    const double tip = centre[0] + radius + length;
    Section section;
    section.add_block(n[0], n[1], [&](const double s, const double t) {
      const double y = (t - 0.5) * height;
      const dealii::Point<2> arc(centre[0] + std::sqrt(radius * radius - y * y), centre[1] + y);
      return between_points(arc, dealii::Point<2>(tip, centre[1] + y), s);
    });
    extrude(section, 1, 0., 0., mesh);
    name_boundary(mesh, "cylinder", circle<2>(radius, middle));
    name_boundary(mesh, "tip", plane<2>(0, tip, length));
    name_boundary(mesh, "bottom", plane<2>(1, centre[1] - height / 2, height));
    name_boundary(mesh, "top", plane<2>(1, centre[1] + height / 2, height));
    curve_boundary(mesh, radius, middle);
  }

private:
  static std::vector<unsigned int> counts(const std::vector<int> &cells)
  {
    return cell_counts("flag", cells, {"along x", "along y"}, {35, 2});
  }

  double length = 0.35, height = 0.02, radius = 0.05;
  std::vector<double> centre = {0.2, 0.2};
};
}  // namespace

SYMDYN_REGISTER(MeshGenerator<2>, Cook<2>, "cook");
SYMDYN_REGISTER(MeshGenerator<3>, Cook<3>, "cook");
SYMDYN_REGISTER(MeshGenerator<2>, Flag, "flag");
SYMDYN_CELLS("cook", "from left to right, from bottom to top (, along z)");
SYMDYN_CELLS("flag", "along x, along y");
}  // namespace symdyn
