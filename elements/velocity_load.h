#pragma once
#include "solver/actions.h"

namespace symdyn
{
/// An AppliedLoad that depends on velocities too: it is asked by this function in the place of the other one. Schemes know no derivative of
/// it: Newton's method finds it in more iterations.
class VelocityLoad
{
public:
  virtual ~VelocityLoad() = default;
  /// f += factor * load(now, q, v) [N], as AppliedLoad::add_force(); q and v have ghost values. Collective.
  virtual void add_force(const Moment &now, const Vector &q, const Vector &v, double factor, Vector &f) const = 0;
};
}  // namespace symdyn
