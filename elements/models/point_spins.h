#pragma once
#include <string>
#include <utility>
#include <vector>

#include "elements/gram/gram_vector.h"
#include "elements/lumped/parts.h"
#include "elements/site_plan.h"
#include "solver/vector.h"

namespace symdyn
{
/// Angular velocities w of points at the start [rad/s]: d' = w x D for the directors of beams and shells at the point.
class PointSpins
{
public:
  /// `sites`: of each point, on all ranks. Errors: InputError where nothing turns.
  void find(const LumpedParts &points, const SitePlan &plan, const std::vector<SitePlan::Site> &sites);
  void set(const PlannedSites &sites, Vector &v) const;
  /// Of velocities that supports and relations have changed. Collective. Errors: InputError where they leave another one.
  void check(const PlannedSites &sites, const Vector &v) const;

private:
  struct Spin
  {
    std::string where;
    GramVector w;
    std::vector<std::pair<SitePlan::Site, GramVector>> directors;
  };
  std::vector<Spin> spins;
};
}  // namespace symdyn
