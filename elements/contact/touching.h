#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "elements/place.h"
#include "elements/term.h"

namespace symdyn
{
/// Of TouchingTerm::add_pressures: at a site with this share N of a point.
inline void add_pressure(const int component, const double N, const double dA, const double pressure, Vector &sums)
{
  sums.local_element(component) += dA * N * N * pressure;
  sums.local_element(component + 1) += dA * N * N;
}

/// What history.csv holds of a contact, of the points of one rank or of all.
struct ContactSums
{
  Place force{};  ///< on the surface named first [N]
  double area = 0, energy = 0, pressure = 0;
  double gap = 1e300;  ///< the smallest, with the clearance [m]
  Place at{};          ///< where, undeformed
  double height = 0;   ///< of the cell there
};

/// A contact as a part of V.
class TouchingTerm : public Term
{
public:
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
  /// Adds, of this rank's points, w N_a² p [N] and w N_a² [m²] at the first two components of the sites of the surfaces: their quotient is
  /// the pressure there.
  virtual void add_pressures(const Vector &q, const double *history, Vector &sums) const = 0;
};
}  // namespace symdyn
