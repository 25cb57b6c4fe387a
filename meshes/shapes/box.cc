#include <deal.II/grid/grid_tools.h>

#include "meshes/cells_help.h"
#include "meshes/shapes.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// n[0] x n[1] (x n[2]) equal cells between two opposite corners.
template <int dim>
void make_box(const std::vector<unsigned int> &n, const std::vector<double> &corner, const std::vector<double> &size, CoarseMesh<dim> &mesh)
{
  Section section;
  section.add_block(n[0], n[1],
                    [&](const double s, const double t) { return dealii::Point<2>(corner[0] + s * size[0], corner[1] + t * size[1]); });
  if constexpr (dim == 2)
    extrude(section, 1, 0., 0., mesh);
  else
    extrude(section, n[2], corner[2], corner[2] + size[2], mesh);
}

/// names = {x-, x+, y-, y+, z-, z+} of the planes of a box.
template <int dim>
void name_planes(const std::vector<double> &corner, const std::vector<double> &size, const std::vector<std::string> &names,
                 CoarseMesh<dim> &mesh)
{
  for (unsigned int axis = 0; axis < dim; ++axis)
  {
    name_boundary(mesh, names[2 * axis], plane<dim>(axis, corner[axis], size[axis]));
    name_boundary(mesh, names[2 * axis + 1], plane<dim>(axis, corner[axis] + size[axis], size[axis]));
  }
}

/// [Corner, Corner + Size]. Subdivisions: along x, y (, z). Boundaries: x-, x+, y-, y+ (, z-, z+).
/// Distortion moves each inner vertex in a random (always the same) direction by that fraction of its shortest edge;
/// with less than 0.3 no cell can turn inside out. Made for patch tests.
template <int dim>
class Box : public MeshGenerator<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Corner", corner, "corner with the smallest coordinates [m]");
    p.add("Size", size, "edges along x, y (and z) [m]", positive());
    p.add("Distortion", distortion, "random shift of the inner vertices as a fraction of the cell size [-]", Range{0., 0.3, false, true});
    require_entries(p, "Corner", corner, dim);
    require_entries(p, "Size", size, dim);
  }

  double number_of_cells(const std::vector<int> &cells) const override { return product(counts(cells)); }

  void make(const std::vector<int> &cells, CoarseMesh<dim> &mesh) const override
  {
    make_box(counts(cells), corner, size, mesh);
    name_planes(corner, size, {"x-", "x+", "y-", "y+", "z-", "z+"}, mesh);
    if (distortion > 0)
      dealii::GridTools::distort_random(distortion, mesh.cells, true, seed);
  }

private:
  static std::vector<unsigned int> counts(const std::vector<int> &cells)
  {
    const std::vector<std::string> directions = {"along x", "along y", "along z"};
    return cell_counts("box", cells, {directions.begin(), directions.begin() + dim}, std::vector<unsigned int>(dim, 4));
  }

  static constexpr unsigned int seed = 20130615;
  std::vector<double> corner = std::vector<double>(dim, 0.), size = std::vector<double>(dim, 1.);
  double distortion = 0;
};

/// Equal boxes in a row along x, Gap apart: bodies for others to join. The first is [Corner, Corner + Size]. Subdivisions: of each along x,
/// y (, z). Boundaries: x0-, x0+, x1-, x1+, ... of each box; y-, y+ (, z-, z+) of all.
template <int dim>
class Boxes : public MeshGenerator<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Number", number, "of boxes", between(2, 1000));
    p.add("Corner", corner, "of the first box: with the smallest coordinates [m]");
    p.add("Size", size, "edges of each along x, y (and z) [m]", positive());
    p.add("Gap", gap, "between neighbours, along x [m]", positive());
    require_entries(p, "Corner", corner, dim);
    require_entries(p, "Size", size, dim);
  }

  double number_of_cells(const std::vector<int> &cells) const override { return number * product(counts(cells)); }

  void make(const std::vector<int> &cells, CoarseMesh<dim> &mesh) const override
  {
    const std::vector<unsigned int> n = counts(cells);
    Section section;
    for (int box = 0; box < number; ++box)
      section.add_block(n[0], n[1],
                        [&](const double s, const double t) { return dealii::Point<2>(left(box) + s * size[0], corner[1] + t * size[1]); });
    if constexpr (dim == 2)
      extrude(section, 1, 0., 0., mesh);
    else
      extrude(section, n[2], corner[2], corner[2] + size[2], mesh);
    for (int box = 0; box < number; ++box)
    {
      const std::string name = "x" + std::to_string(box);
      name_boundary(mesh, name + "-", plane<dim>(0, left(box), size[0]));
      name_boundary(mesh, name + "+", plane<dim>(0, left(box) + size[0], size[0]));
    }
    for (unsigned int axis = 1; axis < dim; ++axis)
    {
      const std::string name(1, "xyz"[axis]);
      name_boundary(mesh, name + "-", plane<dim>(axis, corner[axis], size[axis]));
      name_boundary(mesh, name + "+", plane<dim>(axis, corner[axis] + size[axis], size[axis]));
    }
  }

private:
  double left(const int box) const { return corner[0] + box * (size[0] + gap); }
  static std::vector<unsigned int> counts(const std::vector<int> &cells)
  {
    const std::vector<std::string> directions = {"along x", "along y", "along z"};
    return cell_counts("boxes", cells, {directions.begin(), directions.begin() + dim}, std::vector<unsigned int>(dim, 4));
  }

  int number = 2;
  std::vector<double> corner = std::vector<double>(dim, 0.), size = std::vector<double>(dim, 1.);
  double gap = 0.1;
};

/// A straight beam with a rectangular section; its axis is the x axis, through the middle of the section:
/// [0, Length] x [-Height/2, Height/2] (x [-Width/2, Width/2]). Subdivisions: along x, y (, z).
/// Boundaries: root (x = 0), tip (x = Length), bottom and top (-y, +y) (, back and front (-z, +z)).
template <int dim>
class Beam : public MeshGenerator<dim>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Length", length, "along x [m]", positive());
    p.add("Height", height, "of the section, along y [m]", positive());
    if (dim == 3)
      p.add("Width", width, "of the section, along z [m]", positive());
  }

  double number_of_cells(const std::vector<int> &cells) const override { return product(counts(cells)); }

  void make(const std::vector<int> &cells, CoarseMesh<dim> &mesh) const override
  {
    const std::vector<double> corner = {0., -height / 2, -width / 2}, size = {length, height, width};
    make_box(counts(cells), corner, size, mesh);
    name_planes(corner, size, {"root", "tip", "bottom", "top", "back", "front"}, mesh);
  }

private:
  static std::vector<unsigned int> counts(const std::vector<int> &cells)
  {
    const std::vector<std::string> directions = {"along x", "along y", "along z"};
    const std::vector<unsigned int> defaults = {10, 1, 1};
    return cell_counts("beam", cells, {directions.begin(), directions.begin() + dim}, {defaults.begin(), defaults.begin() + dim});
  }

  double length = 10, height = 1, width = 1;
};

/// The block L of Simo & Tarnow (1992): ([0, 3] x [0, 10] + [3, 6] x [0, 3]) x [0, 3], times Scale.
/// Subdivisions: one number n, the cells along an edge of length 1 (default 1: 117 cubes), or two: n and those through the thickness.
/// Boundaries: x- (x = 0), x+ (x = 6), y- (y = 0), y+ (y = 10), z- (z = 0), z+ (z = 3) and the two faces of the inner
/// corner: step-x (x = 3, y > 3), step-y (y = 3, x > 3).
class BlockL : public MeshGenerator<3>
{
public:
  void declare(Parameters &p) override { p.add("Scale", scale, "length of the unit of the drawing [m]", positive()); }

  double number_of_cells(const std::vector<int> &cells) const override
  {
    const auto [n, layers] = counts(cells);
    return product({39, n, n, layers});
  }

  void make(const std::vector<int> &cells, CoarseMesh<3> &mesh) const override
  {
    const auto [edge, layers] = counts(cells);
    const unsigned int n = edge;
    const double arm = 3 * scale, width = 6 * scale, height = 10 * scale;
    Section section;
    section.add_block(3 * n, 3 * n, [=](double s, double t) { return dealii::Point<2>(arm * s, arm * t); });
    section.add_block(3 * n, 7 * n, [=](double s, double t) { return dealii::Point<2>(arm * s, arm + (height - arm) * t); });
    section.add_block(3 * n, 3 * n, [=](double s, double t) { return dealii::Point<2>(arm * (1 + s), arm * t); });
    extrude(section, layers, 0., arm, mesh);
    name_boundary(mesh, "x-", plane<3>(0, 0., arm));
    name_boundary(mesh, "x+", plane<3>(0, width, arm));
    name_boundary(mesh, "y-", plane<3>(1, 0., arm));
    name_boundary(mesh, "y+", plane<3>(1, height, arm));
    name_boundary(mesh, "z-", plane<3>(2, 0., arm));
    name_boundary(mesh, "z+", plane<3>(2, arm, arm));
    name_boundary(mesh, "step-x", plane<3>(0, arm, arm));
    name_boundary(mesh, "step-y", plane<3>(1, arm, arm));
  }

private:
  static std::pair<unsigned int, unsigned int> counts(const std::vector<int> &cells)
  {
    const auto counts = cells.size() < 2 ? cell_counts("l-block", cells, {"along an edge of length 1"}, {1})
                                         : cell_counts("l-block", cells, {"along an edge of length 1", "through the thickness"}, {1, 3});
    return {counts[0], counts.size() < 2 ? 3 * counts[0] : counts[1]};
  }

  double scale = 1;
};
}  // namespace

SYMDYN_REGISTER(MeshGenerator<2>, Box<2>, "box");
SYMDYN_REGISTER(MeshGenerator<3>, Box<3>, "box");
SYMDYN_REGISTER(MeshGenerator<2>, Boxes<2>, "boxes");
SYMDYN_REGISTER(MeshGenerator<3>, Boxes<3>, "boxes");
SYMDYN_REGISTER(MeshGenerator<2>, Beam<2>, "beam");
SYMDYN_REGISTER(MeshGenerator<3>, Beam<3>, "beam");
SYMDYN_REGISTER(MeshGenerator<3>, BlockL, "l-block");
SYMDYN_CELLS("box", "along x, y (, z)");
SYMDYN_CELLS("boxes", "of each box along x, y (, z)");
SYMDYN_CELLS("beam", "along x, y (, z)");
SYMDYN_CELLS("l-block", "along an edge of length 1 (, through the thickness)");
}  // namespace symdyn
