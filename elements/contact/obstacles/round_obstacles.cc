#include <cmath>

#include "elements/contact/obstacles/shaped_obstacle.h"

namespace symdyn
{
namespace
{
constexpr int sides_of_round = 48, rings_of_sphere = 24;

/// A place of `dimension` components. Errors: InputError.
Place place_of(const std::vector<double> &components, const int dimension, const Parameters &p, const std::string &entry)
{
  Place place{};
  if (!components.empty() && int(components.size()) != dimension)
    p.fail(entry, "needs as many components as the body has dimensions, separated by commas");
  for (std::size_t d = 0; d < components.size(); ++d)
    place[d] = components[d];
  return place;
}
}  // namespace

/// g = |y| - R with y = x - c, of a cylinder its part across the axis.
template <class Shape>
class RoundObstacle : public ShapedObstacle<Shape>
{
public:
  template <class T>
  T distance(const std::array<T, 3> &x) const
  {
    const std::array<T, 3> y = arm(x);
    return root(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) - T(R);
  }
  /// (y0 + y1)/(|y0| + |y1|), because g1 - g0 = (|y1|² - |y0|²)/(|y1| + |y0|).
  Place mean_normal(const Place &x0, const Place &x1, PlaceMatrix *change) const override
  {
    const Place y0 = arm(x0), y1 = arm(x1);
    const double r1 = std::sqrt(along(y1, y1)), sum = std::sqrt(along(y0, y0)) + r1;
    Place N;
    for (int d = 0; d < 3; ++d)
      N[d] = (y0[d] + y1[d]) / sum;
    for (int i = 0; change && i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        (*change)[3 * i + j] = ((i == j ? 1. : 0.) - axis[i] * axis[j] - N[i] * y1[j] / r1) / sum;
    return N;
  }
  bool keeps_momenta() const override { return true; }
  double depth() const override { return R; }

protected:
  template <class T>
  std::array<T, 3> arm(const std::array<T, 3> &x) const
  {
    std::array<T, 3> y{x[0] - T(c[0]), x[1] - T(c[1]), x[2] - T(c[2])};
    if (axis == Place{})
      return y;
    const T part = axis[0] * y[0] + axis[1] * y[1] + axis[2] * y[2];
    for (int d = 0; d < 3; ++d)
      y[d] = y[d] - axis[d] * part;
    return y;
  }
  Place c{}, axis{};  ///< axis: of length 1, or 0
  double R = 0;
};

class SphereObstacle : public RoundObstacle<SphereObstacle>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Centre", centre, "of sphere, box: its centre [m]");
    p.add("Radius", R, "of sphere, cylinder [m]", positive());
    if (R == 0.)
      p.fail("Radius", "Type = sphere needs its Radius [m]");
  }
  void prepare(const int dimension, const Parameters &p) override { c = place_of(centre, dimension, p, "Centre"); }
  std::vector<std::array<Place, 4>> drawing(const Place &, double) const override
  {
    std::vector<std::array<Place, 4>> all;
    const double pi = std::acos(-1.);
    const auto at = [&](const int i, const int j) -> Place {
      const double theta = pi * i / rings_of_sphere, phi = 2. * pi * j / sides_of_round;
      return {c[0] + R * std::sin(theta) * std::cos(phi), c[1] + R * std::sin(theta) * std::sin(phi), c[2] + R * std::cos(theta)};
    };
    for (int i = 0; i < rings_of_sphere; ++i)
      for (int j = 0; j < sides_of_round; ++j)
        all.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    return all;
  }

private:
  std::vector<double> centre;
};
SYMDYN_REGISTER(Obstacle, SphereObstacle, "sphere");

class CylinderObstacle : public RoundObstacle<CylinderObstacle>
{
public:
  void declare(Parameters &p) override
  {
    p.add("Point", point, "of plane, cylinder: a place on the plane or the axis [m]");
    p.add("Axis", direction, "of cylinder: direction of its axis; in 2-D it is z");
    p.add("Radius", R, "of sphere, cylinder [m]", positive());
    if (R == 0.)
      p.fail("Radius", "Type = cylinder needs its Radius [m]");
  }
  void prepare(const int dimension, const Parameters &p) override
  {
    c = place_of(point, dimension, p, "Point");
    if (dimension == 2 && !direction.empty())
      p.fail("Axis", "has no effect in 2-D, where the axis is z. Remove the entry");
    axis = dimension == 2 ? Place{0., 0., 1.} : place_of(direction, dimension, p, "Axis");
    const double length = std::sqrt(along(axis, axis));
    if (length == 0.)
      p.fail("Axis", "Type = cylinder needs the direction of its Axis");
    for (double &component : axis)
      component /= length;
  }
  std::vector<std::array<Place, 4>> drawing(const Place &centre, const double size) const override
  {
    Place s{};
    s[std::abs(axis[0]) < 0.6 ? 0 : 1] = 1.;
    Place t{axis[1] * s[2] - axis[2] * s[1], axis[2] * s[0] - axis[0] * s[2], axis[0] * s[1] - axis[1] * s[0]};
    const double length = std::sqrt(along(t, t));
    for (double &component : t)
      component /= length;
    s = {t[1] * axis[2] - t[2] * axis[1], t[2] * axis[0] - t[0] * axis[2], t[0] * axis[1] - t[1] * axis[0]};
    const double middle = along(axis, {centre[0] - c[0], centre[1] - c[1], centre[2] - c[2]}), pi = std::acos(-1.);
    const auto at = [&](const int j, const double end) {
      const double phi = 2. * pi * j / sides_of_round;
      Place x;
      for (int d = 0; d < 3; ++d)
        x[d] = c[d] + (middle + end * size) * axis[d] + R * (std::cos(phi) * s[d] + std::sin(phi) * t[d]);
      return x;
    };
    std::vector<std::array<Place, 4>> all;
    for (int j = 0; j < sides_of_round; ++j)
      all.push_back({at(j, -1.), at(j + 1, -1.), at(j + 1, 1.), at(j, 1.)});
    return all;
  }

private:
  std::vector<double> point, direction;
};
SYMDYN_REGISTER(Obstacle, CylinderObstacle, "cylinder");
}  // namespace symdyn
