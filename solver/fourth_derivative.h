#pragma once
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Of systems that know the fourth derivative of a part of V: of contacts, whose layers are thin, and where it jumps.
class KnowsFourthDerivative
{
public:
  virtual ~KnowsFourthDerivative() = default;
  /// r_i = V''''_ijkl a_j a_k b_l of that part. Collective.
  virtual void known_fourth_derivative(const Vector &q, const Vector &a, const Vector &b, Vector &r) const = 0;
  /// V'''[a, a] of the rest. Collective.
  virtual void third_derivative_of_rest(const Vector &q, const Vector &a, Vector &r) const = 0;
};

/// V''''[a, a, b]: of what no system knows by differences of V''' of fourth order, at places at most `length`/32 away. Collective.
Vector fourth_derivative(const MechanicalSystem &system, const Vector &q, const Vector &a, const Vector &b, double length);
}  // namespace symdyn
