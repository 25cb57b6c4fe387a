#pragma once
#include <memory>
#include <string>

#include "elements/site_plan.h"
#include "elements/system/assembled_system.h"

namespace symdyn
{
/// What supports take of velocities that are given at t = 0.
class HeldStart
{
public:
  /// `given`: velocities before supports impose theirs, `imposed`: after. `plan`: nullptr: there are no sites but nodes.
  HeldStart(const AssembledSystem &system, const SitePlan *plan, const Vector &given, const Vector &imposed);
  /// Of an owned site: whether its given velocity is not what supports prescribe there.
  bool loses(int site) const;
  /// "supports hold 5 nodes that it moves, first ... at (0, 0, 1) m ..."; "": they hold none. The same on every rank. Collective.
  std::string in_words() const;

private:
  struct Largest
  {
    double speed = 0;
    Place at{}, given{}, held{};
    double nodes = 0;
  };
  /// Of places, or of directors. Collective.
  Largest largest(bool of_directors) const;

  const std::shared_ptr<const Space> shared_space;
  const Space &space;
  const SitePlan *const plan;
  const Vector &given, &imposed;
  Vector lost;      ///< where supports hold: given less imposed
  double rounding;  ///< [m/s]
};
}  // namespace symdyn
