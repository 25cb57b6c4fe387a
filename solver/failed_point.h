#pragma once
#include <array>
#include <string>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// A point of an increment whose law has no answer: a return that does not converge, a function of a user that fails. With the law of the
/// deck these numbers repeat the failure without a mesh.
struct FailedPoint
{
  std::string text;                          ///< for errors: where, and from what state
  std::string material;                      ///< section of Materials
  bool heated = false, prestrained = false;  ///< what stands around the law: a temperature, a state at the start
  double dt = 0;                             ///< length of the increment [s]; infinite: without rates
  std::array<double, 9> F{};                 ///< by rows: the stretch that the law uses, without rotation; of small strains 1 + eps
  std::vector<double> place;                 ///< in the undeformed body [m]
  std::vector<double> memory;                ///< m_n, all variables of the law
};

/// Of diagnoses of a system whose laws have a memory.
class PointDiagnosis
{
public:
  virtual ~PointDiagnosis() = default;
  /// FailedPoint::text of a point whose law has no answer at q in this increment, whose numbers are kept; "": all answer. Costs a force.
  /// Collective.
  virtual std::string find_failed_point(const Vector &q) const = 0;
  /// The last one found by the system in any increment, the same on all ranks; no text: there was none.
  virtual const FailedPoint &failed_point() const = 0;
};
}  // namespace symdyn
