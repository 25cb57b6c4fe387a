#include <cmath>
#include <functional>

#include "meshes/shapes.h"
#include "meshes/surface.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
using Place = SurfaceMesh::Place;

constexpr double degree = M_PI / 180.;

/// n0 x n1 cells, nodes at place(i/n0, j/n1) with this normal. Boundaries: of s = 0, s = 1, t = 0, t = 1. `closed`: s = 1 is s = 0.
struct Panel
{
  unsigned int n0, n1;
  std::function<std::array<Place, 2>(double s, double t)> place;  ///< and normal
  std::array<std::string, 4> boundaries;
  bool closed = false;

  unsigned int node(const unsigned int i, const unsigned int j) const { return (closed ? i % n0 : i) * (n1 + 1) + j; }
  SurfaceMesh make() const
  {
    SurfaceMesh mesh;
    mesh.groups = {"shell"};
    for (unsigned int i = 0; i <= n0 - (closed ? 1 : 0); ++i)
      for (unsigned int j = 0; j <= n1; ++j)
      {
        const auto [x, normal] = place(double(i) / n0, double(j) / n1);
        mesh.nodes.push_back(x);
        mesh.normals.push_back(normal);
      }
    for (unsigned int i = 0; i < n0; ++i)
      for (unsigned int j = 0; j < n1; ++j)
        mesh.cells.push_back(
            {{node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)}, {0}, "cell " + std::to_string(i * n1 + j + 1)});
    for (unsigned int j = 0; j < n1 && !closed; ++j)
    {
      mesh.edges[boundaries[0]].push_back({node(0, j), node(0, j + 1)});
      mesh.edges[boundaries[1]].push_back({node(n0, j), node(n0, j + 1)});
    }
    for (unsigned int i = 0; i < n0; ++i)
    {
      mesh.edges[boundaries[2]].push_back({node(i, 0), node(i + 1, 0)});
      mesh.edges[boundaries[3]].push_back({node(i, n1), node(i + 1, n1)});
    }
    return mesh;
  }
};

/// Angles from a to b [rad], of an entry in degrees.
struct Angles
{
  std::vector<double> degrees;

  void check(const Parameters &p, const std::string &entry) const
  {
    require_entries(p, entry, degrees, 2);
    if (!(degrees[1] > degrees[0] && degrees[1] - degrees[0] <= 360.))
      p.fail(entry, "the second angle is larger than the first, by 360 degrees at most");
  }
  double at(const double s) const { return degree * ((1. - s) * degrees[0] + s * degrees[1]); }
  bool closed() const { return degrees[1] - degrees[0] == 360.; }
};

/// [Corner, Corner + Size] in a plane of constant z, normal z. Boundaries: x-, x+, y-, y+.
class Plate : public SurfaceShape
{
public:
  void declare(Parameters &p) override
  {
    p.add("Corner", corner, "of a plate: corner with the smallest coordinates x, y, z [m]");
    p.add("Size", size, "of a plate: edges along x and y [m]", positive());
    p.add("Distortion", distortion, "of a plate: shift of inner nodes, always the same, as a fraction of the cells [-]",
          Range{0., 0.3, false, true});
    require_entries(p, "Corner", corner, 3);
    require_entries(p, "Size", size, 2);
  }
  SurfaceMesh make(const std::vector<int> &cells) const override
  {
    const auto n = cell_counts("plate", cells, {"along x", "along y"}, {8, 8});
    const auto shift = [](const double value, const double seed) { return std::sin(1e4 * (value + seed * (1. + value))); };
    const auto place = [&](const double s, const double t) {
      const bool inner = s > 0. && s < 1. && t > 0. && t < 1.;
      const double code = s * n[0] + (n[0] + 1.) * t * n[1], move = inner ? distortion : 0.;
      const double a = s + move * shift(code, 0.3) / n[0], b = t + move * shift(code, 0.7) / n[1];
      return std::array<Place, 2>{{{corner[0] + a * size[0], corner[1] + b * size[1], corner[2]}, {0., 0., 1.}}};
    };
    return Panel{n[0], n[1], place, {"x-", "x+", "y-", "y+"}}.make();
  }

private:
  std::vector<double> corner{0., 0., 0.}, size{1., 1.};
  double distortion = 0;
};

/// A part of a cylinder about the x axis: (x, R sin phi, R cos phi), normal outward. Boundaries: x-, x+, phi-, phi+; with 360 degrees it is
/// closed and has none at phi.
class CylinderPanel : public SurfaceShape
{
public:
  void declare(Parameters &p) override
  {
    p.add("Radius", radius, "of a panel [m]", positive());
    p.add("Length", length, "of a cylinder-panel: along x, from 0 [m]", positive());
    p.add("Angles", angles.degrees, "of a cylinder-panel: phi of both edges [degrees], from z to y");
    angles.check(p, "Angles");
  }
  SurfaceMesh make(const std::vector<int> &cells) const override
  {
    const auto n = cell_counts("cylinder-panel", cells, {"around", "along x"}, {16, 16});
    const auto place = [&](const double s, const double t) {
      const double phi = angles.at(s), y = std::sin(phi), z = std::cos(phi);
      return std::array<Place, 2>{{{t * length, radius * y, radius * z}, {0., y, z}}};
    };
    return turned(Panel{n[0], n[1], place, {"phi-", "phi+", "x-", "x+"}, angles.closed()}.make());
  }

private:
  /// The parameters (phi, x) go around the inward normal.
  static SurfaceMesh turned(SurfaceMesh mesh)
  {
    for (auto &cell : mesh.cells)
      std::swap(cell.nodes[1], cell.nodes[3]);
    return mesh;
  }

  double radius = 1, length = 1;
  Angles angles{{-45., 45.}};
};

/// A part of a sphere about the origin: R (sin theta cos phi, sin theta sin phi, cos theta), normal outward, theta from the z axis.
/// Boundaries: phi-, phi+, theta-, theta+.
class SpherePanel : public SurfaceShape
{
public:
  void declare(Parameters &p) override
  {
    p.add("Radius", radius, "of a panel [m]", positive());
    p.add("Azimuths", azimuths.degrees, "of a sphere-panel: phi of both edges [degrees], from x to y");
    p.add("Polar angles", polar.degrees, "of a sphere-panel: theta of both edges [degrees], from the z axis; in (0, 180)");
    azimuths.check(p, "Azimuths");
    polar.check(p, "Polar angles");
    if (!(polar.degrees[0] > 0. && polar.degrees[1] < 180.))
      p.fail("Polar angles", "are between 0 and 180: at a pole all nodes would be one. Leave a hole, or read the mesh from a file");
  }
  SurfaceMesh make(const std::vector<int> &cells) const override
  {
    const auto n = cell_counts("sphere-panel", cells, {"along phi", "along theta"}, {16, 16});
    const auto place = [&](const double s, const double t) {
      const double phi = azimuths.at(s), theta = polar.at(1. - t);
      const Place normal{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
      return std::array<Place, 2>{{{radius * normal[0], radius * normal[1], radius * normal[2]}, normal}};
    };
    return Panel{n[0], n[1], place, {"phi-", "phi+", "theta+", "theta-"}, azimuths.closed()}.make();
  }

private:
  double radius = 1;
  Angles azimuths{{0., 90.}}, polar{{18., 90.}};
};

}  // namespace

SYMDYN_REGISTER(SurfaceShape, Plate, "plate");
SYMDYN_REGISTER(SurfaceShape, CylinderPanel, "cylinder-panel");
SYMDYN_REGISTER(SurfaceShape, SpherePanel, "sphere-panel");
}  // namespace symdyn
