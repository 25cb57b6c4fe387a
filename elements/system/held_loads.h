#pragma once
#include <string>
#include <vector>

#include "elements/solids/solid_body.h"
#include "elements/system/assembled_system.h"

namespace symdyn
{
/// Loads that move nothing, because supports hold all of what they act on: a load with P r = 0, r where and along what it can act
/// (LoadReach), P the projector of the supports.
template <int dim>
class HeldLoads
{
public:
  /// To be called for each set of supports that holds in some stage: what moves something with one of them is not told of. Collective.
  void check(const SolidBody<dim> &system);
  /// Warnings. Collective.
  void warn(const SolidBody<dim> &system) const;

private:
  std::vector<bool> held;  ///< by load; empty: not checked yet
};

/// The same of loads of points, beams, shells and couplings, with the supports that hold now: of what acts at t or in the second after; and
/// warn_of_bearings(). Collective.
void warn_of_held_loads(const AssembledSystem &system, const State &state);
/// Of bearings of a rotor at nodes, or along what, supports hold now; and of those at one node, which add. Collective.
void warn_of_bearings(const AssembledSystem &system);
}  // namespace symdyn
