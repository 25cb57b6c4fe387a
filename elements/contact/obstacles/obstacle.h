#pragma once
#include <array>
#include <string>
#include <vector>

#include "elements/mesh_points.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// By rows.
using PlaceMatrix = std::array<double, 9>;

inline double along(const Place &a, const Place &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Place times(const PlaceMatrix &A, const Place &x)
{
  return {A[0] * x[0] + A[1] * x[1] + A[2] * x[2], A[3] * x[0] + A[4] * x[1] + A[5] * x[2], A[6] * x[0] + A[7] * x[1] + A[8] * x[2]};
}

/// A rigid body: the signed distance g(x) of places from its surface [m], positive outside. |grad g| = 1. One file a shape.
class Obstacle
{
public:
  virtual ~Obstacle() = default;
  /// `dimension` of the body that touches it.
  virtual void declare(Parameters &p) = 0;
  /// Errors: InputError through `p` for what does not suit the dimension.
  virtual void prepare(int /*dimension*/, const Parameters & /*p*/) {}
  virtual double gap(const Place &x) const = 0;
  /// And n = grad g [-].
  virtual double gap(const Place &x, Place &n) const = 0;
  /// g'' [1/m].
  virtual PlaceMatrix curvature(const Place &x) const = 0;
  /// g'''[a, a, .].
  virtual Place third(const Place &x, const Place &a) const = 0;
  /// N with N·(x1 - x0) = g(x1) - g(x0), the normal where both are one; dN/dx1 if it is wanted. The default: the normal of the middle,
  /// corrected along x1 - x0 (Gonzalez 1996).
  virtual Place mean_normal(const Place &x0, const Place &x1, PlaceMatrix *change) const;
  /// Whether that has the symmetries of the obstacle, so that a discrete gradient keeps the momenta along them.
  virtual bool keeps_momenta() const { return false; }
  /// Whether g has three continuous derivatives where a body may be.
  virtual bool smooth() const { return true; }
  /// The deepest place inside from which g has a gradient [m].
  virtual double depth() const { return 1e300; }
  /// Quadrilaterals of its surface near a body of this box, for frames.
  virtual std::vector<std::array<Place, 4>> drawing(const Place & /*centre*/, double /*size*/) const { return {}; }
};
}  // namespace symdyn
