#include "solver/vibration/support_response.h"

#include "solver/vibration/linear_motion.h"

namespace symdyn
{
SupportResponse::SupportResponse(const MechanicalSystem &system, const double t, const Vector &q)
    : system(system), t(t), q(q), rest(system.new_vector())
{
}

Vector SupportResponse::of(const Vector &prescribed) const
{
  constexpr double rounding = 1e-13;
  constexpr std::size_t most_known = 20;
  Vector left = prescribed, u = system.new_vector();
  const double size = prescribed.l2_norm();
  if (size == 0.)
    return u;
  for (const Known &one : known)
  {
    const double part = one.prescribed * left;
    left.add(-part, one.prescribed);
    u.add(part, one.response);
  }
  if (const double norm = left.l2_norm(); norm > rounding * size)
  {
    left *= 1. / norm;
    const Vector response = solved(left);
    u.add(norm, response);
    if (known.size() < most_known)
      known.push_back({left, response});
  }
  u.update_ghost_values();
  return u;
}

Vector SupportResponse::solved(const Vector &prescribed) const
{
  Vector seen = prescribed, r = system.new_vector(), w = r;
  seen.update_ghost_values();
  tangent(system, t, q, seen, r);
  system.project(r);
  if (!solve || !solve->current())
    solve = system.factor(K, t, q, rest);
  solve->solve(r, w, solve->tolerance());
  Vector u = prescribed;
  u -= w;
  return u;
}
}  // namespace symdyn
