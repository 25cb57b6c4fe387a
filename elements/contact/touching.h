#pragma once
#include "elements/place.h"
#include "elements/term.h"

namespace symdyn
{
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
  /// Of this rank's points.
  virtual ContactSums sums(const Vector &q) const = 0;
};
}  // namespace symdyn
