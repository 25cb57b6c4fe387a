#include "elements/shells/shell_faces.h"

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <cmath>

#include "elements/gram/director_nodes.h"
#include "elements/gram/surface_sites.h"
#include "elements/shells/shell_element.h"
#include "solver/error.h"

namespace symdyn
{
/// N_a of nodes, zeta N_a times a factor of sites of directors. Reference coordinates from 0 to 1, along the thickness, too.
class ShellFaces::Shape : public CellShape
{
public:
  struct Slot
  {
    int node;
    double factor;
    bool is_director;
  };
  Shape(const int nodes, std::vector<Slot> slots, const ShellSurface::Faces &faces) : nodes(nodes), slots(std::move(slots)), faces(faces) {}
  void evaluate(const Place &s, double *N, Place *dN) const override
  {
    const bool square = nodes == 4 || nodes == 8;  // whose functions are those of (-1, 1)
    const double slope = square ? 2. : 1., start = square ? -1. : 0., thickness = faces.top - faces.bottom;
    const shells::SurfacePoint at = shells::functions_at(nodes, start + slope * s[0], start + slope * s[1]);
    for (std::size_t i = 0; i < slots.size(); ++i)
    {
      const auto &[a, factor, is_director] = slots[i];
      const double height = is_director ? factor * (faces.bottom + s[2] * thickness) : factor;
      N[i] = height * at.N[a];
      if (dN)
        dN[i] = {height * slope * at.along_xi[a], height * slope * at.along_eta[a], is_director ? factor * thickness * at.N[a] : 0.};
    }
  }

private:
  int nodes;
  std::vector<Slot> slots;
  ShellSurface::Faces faces;
};

ShellFaces::ShellFaces(SitePlan &plan) : plan(plan), surface(plan.shared<ShellSurface>()), body(plan.shared<FacesOfPlan>().of_solid) {}

bool ShellFaces::has_shell(const std::string &boundary) const { return boundary != whole_surface && !sides_named(boundary).empty(); }

std::vector<ShellFaces::Side> ShellFaces::sides_named(const std::string &boundary) const
{
  std::vector<Side> sides;
  for (const std::size_t cell : surface.cells_named(boundary))
    sides.insert(sides.end(), {{cell, 0}, {cell, 1}});
  for (const auto &[layer, ending] : {std::pair<int, std::string>{0, ".bottom"}, {1, ".top"}})
    if (const std::size_t length = boundary.size(); sides.empty() && length > ending.size())
      if (const std::size_t at = length - ending.size(); boundary.substr(at) == ending)
        for (const std::size_t cell : surface.cells_named(boundary.substr(0, at)))
          sides.push_back({cell, layer});
  for (std::size_t cell = 0; boundary == whole_surface && cell < surface.mesh().cells.size(); ++cell)
    if (surface.is_shell(cell))
      sides.insert(sides.end(), {{cell, 0}, {cell, 1}});
  return sides;
}

/// A pressure on a face moves the director, too: 1/m = 1/(rho t) + (t/2)²/(rho t³/12) an area.
double ShellFaces::part_of_mass(const std::vector<std::string> &boundaries) const
{
  constexpr double of_shells = 0.25;
  const auto [sides, others] = divide(boundaries);
  const double of_solid = others.empty() ? of_shells : body->part_of_mass(others);
  return sides.empty() ? of_solid : std::min(of_shells, of_solid);
}

std::pair<std::vector<ShellFaces::Side>, std::vector<std::string>> ShellFaces::divide(const std::vector<std::string> &boundaries) const
{
  std::vector<Side> sides;
  std::vector<std::string> others;
  for (const std::string &name : boundaries)
  {
    const std::vector<Side> found = sides_named(name);
    sides.insert(sides.end(), found.begin(), found.end());
    const bool is_whole = name == whole_surface;
    if (body && (found.empty() || is_whole))
      others.push_back(name);
    else if (found.empty() && !is_whole)
      throw InputError("there is no shell, and no group of shells, '" + name + "'");
  }
  return {sides, others};
}

ShellFaces::Corners ShellFaces::corners_of(const std::size_t number) const
{
  const SurfaceMesh::Cell &cell = surface.mesh().cells[number];
  Corners corners;
  std::vector<Shape::Slot> slots;
  for (std::size_t a = 0; a < cell.nodes.size(); ++a)
  {
    corners.sites.push_back(plan.shared<SurfaceSites>()(cell.nodes[a]));
    corners.X.push_back(surface.mesh().nodes[cell.nodes[a]]);
    slots.push_back({int(a), 1., false});
  }
  for (std::size_t a = 0; a < cell.nodes.size(); ++a)
    for (const auto &[site, factor] : plan.shared<DirectorNodes>().sum(plan, corners.sites[a], surface.normals(number)[a]))
    {
      corners.sites.push_back(site);
      corners.X.push_back(plan.appended()[-1 - site].position);
      slots.push_back({int(a), factor, true});
    }
  corners.shape = std::make_shared<Shape>(int(cell.nodes.size()), std::move(slots), surface.faces(number));
  return corners;
}

BoundaryCell ShellFaces::face_of(const Side &side) const
{
  const auto [cell, layer] = side;
  const std::size_t nodes = surface.mesh().cells[cell].nodes.size();
  const Corners corners = corners_of(cell);
  BoundaryCell face;
  face.shape = corners.shape;
  face.nodes = corners.sites;
  face.X = corners.X;
  face.corners = int(surface.mesh().cells[cell].corners());
  face.degree = nodes > 4 ? 2 : 1;
  face.layer = layer;
  face.directors = int(face.nodes.size() - nodes);
  face.outward = layer == 1 ? 1. : -1.;
  face.origin = {0., 0., double(layer)};
  face.axis = {Place{1., 0., 0.}, Place{0., 1., 0.}};
  return face;
}

std::vector<BoundaryCell> ShellFaces::boundary_cells(const std::vector<std::string> &boundaries) const
{
  const auto [sides, others] = divide(boundaries);
  std::vector<BoundaryCell> all = others.empty() ? std::vector<BoundaryCell>{} : body->boundary_cells(others);
  for (const Side &side : sides)
    all.push_back(face_of(side));
  return all;
}

MeshFace ShellFaces::face_at(const Side &side, const int points, const PlannedSites &sites) const
{
  const auto [cell, layer] = side;
  constexpr int most_of_triangles = 4;
  constexpr std::uint64_t of_shells = std::uint64_t(1) << 61;
  const BoundaryCell of = face_of(side);
  const auto [bottom, top] = surface.faces(cell);
  MeshFace face;
  face.owned = sites.owns(of.nodes.front());
  face.identity = of_shells + 2 * cell + layer;
  face.group = surface.mesh().groups.at(surface.mesh().cells[cell].groups.front());
  face.height = top - bottom;
  face.layer = layer;
  face.X = of.X;
  for (const SitePlan::Site site : of.nodes)
    face.nodes.push_back(sites.local(site));
  const dealii::Quadrature<2> rule = of.corners == 3 ? dealii::Quadrature<2>(dealii::QGaussSimplex<2>(std::min(points, most_of_triangles)))
                                                     : dealii::Quadrature<2>(dealii::QGauss<2>(points));
  std::vector<double> N(of.nodes.size());
  std::vector<Place> dN(of.nodes.size());
  double area = 0;
  for (unsigned int q = 0; q < rule.size(); ++q)
  {
    Place xi = of.origin;
    for (int i = 0; i < 2; ++i)
      for (int d = 0; d < 3; ++d)
        xi[d] += rule.point(q)[i] * of.axis[i][d];
    of.shape->evaluate(xi, N.data(), dN.data());
    std::array<Place, 2> along{};
    for (std::size_t a = 0; a < N.size(); ++a)
      for (int i = 0; i < 2; ++i)
        for (int d = 0; d < 3; ++d)
          along[i][d] += dot(dN[a], of.axis[i]) * of.X[a][d];
    face.dA.push_back(rule.weight(q) * length(cross(along[0], along[1])));
    area += face.dA.back();
    face.shape.insert(face.shape.end(), N.begin(), N.end());
  }
  face.size = std::sqrt(area);
  return face;
}

std::vector<MeshFace> ShellFaces::faces(const std::vector<std::string> &boundaries, const int points, const PlannedSites &sites) const
{
  const auto [sides, others] = divide(boundaries);
  std::vector<MeshFace> all = others.empty() ? std::vector<MeshFace>{} : body->faces(others, points, sites);
  for (const Side &side : sides)
  {
    const auto &nodes = surface.mesh().cells[side.cell].nodes;
    if (std::any_of(nodes.begin(), nodes.end(), [&](const unsigned int node) { return sites.owns(plan.shared<SurfaceSites>()(node)); }))
      all.push_back(face_at(side, points, sites));
  }
  return all;
}
}  // namespace symdyn
