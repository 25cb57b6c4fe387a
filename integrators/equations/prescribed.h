#pragma once
#include "solver/mechanical_system.h"

namespace symdyn
{
/// The prescribed components of a with q_predicted + weight a = the prescribed q at t [m/s², weight in s²]; 0 on free ones.
inline Vector prescribed_acceleration(const MechanicalSystem &system, const double t, const Vector &q_predicted, const double weight)
{
  Vector a = q_predicted, v = system.new_vector(), unused = v;
  system.impose(t, a, v, unused);
  a -= q_predicted;
  a *= 1. / weight;
  system.project_prescribed(a);
  return a;
}
}  // namespace symdyn
