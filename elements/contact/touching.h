#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "elements/contact_tables.h"
#include "elements/place.h"
#include "elements/special_terms.h"
#include "solver/base/units.h"

namespace symdyn
{
/// Fields on the surfaces of a contact, as sums over points q with the shares N_a of sites, w = w_q N_a²: at each site its first two
/// components, of slips as many as the body has dimensions.
struct SurfaceSums
{
  Vector pressures;  ///< w p [N], w [m²]
  Vector gaps;       ///< w min(g, farthest) [m³], w where p > 0 [m²]
  Vector slips;      ///< where p > 0: w times the tangential part of u_x - u_y, y the place that x stands before [m³]
  double farthest;   ///< [m]

  int dimension;
  int layer = 0;       ///< of BoundaryCell; faces of others have no part
  Vector shears = {};  ///< where friction has points: w times the stress that it puts on the second boundary [N]
  Vector areas = {};   ///< w there, the first component of a site [m²]

  void add_shear(const int site, const double N, const double dA, const Place &stress)
  {
    const double w = dA * N * N;
    areas.local_element(dimension * site) += w;
    for (int d = 0; d < dimension; ++d)
      shears.local_element(dimension * site + d) += w * stress[d];
  }

  /// At a site with this share N of a point: its pressure, gap and relative displacement; n: along the normal.
  void add(const int site, const double N, const double dA, const double pressure, const double gap, const Place &moved, const Place &n)
  {
    const int first = dimension * site;
    const double w = dA * N * N;
    pressures.local_element(first) += w * pressure;
    pressures.local_element(first + 1) += w;
    gaps.local_element(first) += w * std::min(gap, farthest);
    if (!(pressure > 0.))
      return;
    const double along = dot(n, moved) / dot(n, n);
    gaps.local_element(first + 1) += w;
    for (int d = 0; d < dimension; ++d)
      slips.local_element(first + d) += w * (moved[d] - along * n[d]);
  }
};

/// What history.csv holds of a contact, of the points of one rank or of all.
struct ContactSums
{
  Place force{};  ///< on the surface named first [N]
  double area = 0, energy = 0, pressure = 0;
  int points = 0;      ///< with a pressure
  double gap = 1e300;  ///< the smallest, with the clearance [m]
  Place at{};          ///< where, undeformed
  double height = 0;   ///< of the cell there
};

/// What a contact keeps, of one rank or of all [bytes].
struct ContactMemory
{
  double points = 0, faces = 0, lists = 0;  ///< lists: of neighbours, as they are now
};
/// Of a vector, without what its elements own elsewhere.
template <class T>
double bytes_of(const std::vector<T> &all)
{
  return double(all.capacity() * sizeof(T));
}
/// And `inside(element)` of each.
template <class T, class Inside>
double bytes_of(const std::vector<T> &all, const Inside &inside)
{
  double sum = bytes_of(all);
  for (const T &one : all)
    sum += inside(one);
  return sum;
}

/// A contact as a part of V.
class TouchingTerm : public Term, public FrozenTerm
{
public:
  /// As the deck calls it.
  std::string name;
  /// Labels of its messages.
  Units units;
  /// Traits::impact.
  double impact = 0;
  /// ". " and what helps where bodies would pass each other; it ends with a full stop where nothing else does. Or empty.
  std::function<std::string()> way_out = [] { return std::string(); };
  /// What may help Newton's method while the contact is closed, or "".
  std::function<std::string()> slow_out = [] { return std::string(); };
  /// A point that presses its partner.
  struct Touch
  {
    std::vector<std::pair<int, Place>> sites;  ///< local ones, and dg/du of them
    double dA, pressure;
  };
  /// Calls visit for the points with a pressure: of owned faces, or of all. Of contacts whose points have one partner each.
  virtual void each_touch(const Vector & /*q*/, bool /*owned_only*/, const std::function<void(const Touch &)> & /*visit*/) const {}
  /// Of this rank's points, at q with this history of the term (nullptr: virgin, or none).
  virtual ContactSums sums(const Vector &q, const double *history) const = 0;
  virtual ContactMemory memory() const = 0;
  /// Whether its points have one partner each.
  virtual bool has_rows() const { return false; }
  /// Of this rank's points that are closer than the law reaches; drag: what the contact itself has.
  virtual std::vector<ContactRow> rows(const Vector & /*q*/, const double * /*history*/) const { return {}; }
  /// Adds this rank's points.
  virtual void add_fields(const Vector &q, const double *history, SurfaceSums &sums) const = 0;
  std::string frozen(const At &at) const override;
  const std::string &called() const override { return name; }
  BegunContact begun(const Vector &q) const override;

protected:
  /// How far bodies overlap at q, of this rank, and the undeformed place of the deepest point; no more than 0: not deeper than the law
  /// parts them [m]. Collective.
  virtual std::pair<double, Place> too_deep(const Vector & /*q*/) const { return {}; }
  /// As the deck calls what touches each other; the second "": the first touches itself.
  virtual std::array<std::string, 2> sides() const { return {}; }
};
}  // namespace symdyn
