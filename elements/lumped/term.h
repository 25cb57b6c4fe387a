#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/mesh_points.h"

namespace symdyn
{
/// Where a term adds the entry of a matrix: add(i, j, value).
using AddEntry = std::function<void(int, int, double)>;

/// A line to show: between two points, or (to = -1) from a point to a fixed place.
struct Line
{
  int from, to;
  Place place{};
  double tension = 0;  ///< dV/dr [N]
};
using DrawLine = std::function<void(const Line &)>;

/// Points of which a rank computes something: place[k] is the new number of point k, -1: not known here; `keep` says whether an element of
/// these points (old numbers) is to be kept.
struct PointSelection
{
  std::vector<int> place;
  std::function<bool(const std::vector<int> &points)> keep;
};

/// A part of the potential of points, with its derivatives: many bars of one section of the deck, say. Arrays hold `dimension` coordinates
/// a point, x are present coordinates [m]. What a term must hold to (tests/elements/discrete.cc, by differences): each is the derivative of
/// the one before.
class DiscreteTerm
{
public:
  virtual ~DiscreteTerm() = default;
  std::string name;    ///< of the section in the deck
  bool stiff = false;  ///< marked so in the deck

  virtual double potential(const double *x) const = 0;                                          ///< V [J]
  virtual void add_force(const double *x, double *f) const = 0;                                 ///< f += dV/dx [N]
  virtual void add_stiffness(const double *x, const double *u, double *Ku) const = 0;           ///< Ku += V'' u
  virtual void add_third(const double *x, const double *a, double *r) const = 0;                ///< r_i += V'''_ijk a_j a_k
  virtual void add_discrete_gradient(const double *x0, const double *x1, double *f) const = 0;  ///< g·(x1 - x0) = V(x1) - V(x0)
  virtual void add_tangent(const double *x, double weight, const AddEntry &add) const = 0;      ///< weight V''
  virtual void add_discrete_tangent(const double *x0, const double *x1, double weight,
                                    const AddEntry &add) const = 0;  ///< weight d/dx1 of it

  /// The points whose coordinates V'' couples: join(k, l), each with itself not needed.
  virtual void couple(const std::function<void(int, int)> &join) const = 0;
  /// The same of some elements, with other numbers of the points; nullptr: of none.
  virtual std::shared_ptr<const DiscreteTerm> selected(const PointSelection &) const = 0;
  /// Lines to show, at x.
  virtual void draw(const double *, const DrawLine &) const {}
  /// Whether the discrete gradient keeps the momenta that V keeps.
  virtual bool momentum_gradient() const { return true; }
  /// Whether V is quadratic in a strain that is quadratic in x.
  virtual bool quadratic() const { return false; }
  /// Whether its force is linear in displacements.
  virtual bool linear() const { return false; }
  /// Whether its fixed places hold a body.
  virtual bool holds() const { return false; }
  /// Energy of a strain of 1, about [J]: what rounding is measured by.
  virtual double scale() const { return 0.; }
  /// Where it is not finite: "bob3 and bob4 are at the same place", or "". `points`: their names.
  virtual std::string diagnose(const double *, const std::vector<std::string> &) const { return ""; }
};

/// The same for dashpots: Rayleigh functions R(x, v) = ½ v·C(x) v.
class DampingTerm
{
public:
  virtual ~DampingTerm() = default;
  virtual double dissipation(const double *x, const double *v) const = 0;                   ///< R [W]
  virtual void add_force(const double *x, const double *v, double *f) const = 0;            ///< f += C v [N]
  virtual void add_tangent(const double *x, double weight, const AddEntry &add) const = 0;  ///< weight C
  virtual void couple(const std::function<void(int, int)> &join) const = 0;
  virtual std::shared_ptr<const DampingTerm> selected(const PointSelection &) const = 0;
  /// Whether C does not depend on x.
  virtual bool linear() const { return false; }
};
}  // namespace symdyn
