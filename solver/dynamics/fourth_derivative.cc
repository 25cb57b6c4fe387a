#include "solver/fourth_derivative.h"

#include <utility>

namespace symdyn
{
Vector fourth_derivative(const MechanicalSystem &system, const Vector &q, const Vector &a, const Vector &b, const double length)
{
  const auto *knows = dynamic_cast<const KnowsFourthDerivative *>(&system);
  Vector r = system.new_vector(), at = r;
  const double size = b.l2_norm();
  if (size == 0. || length == 0.)
    return r;
  if (knows)
    knows->known_fourth_derivative(q, a, b, r);
  const double epsilon = length / (64. * size);
  for (const auto &[place, weight] : {std::pair{1., 8.}, {-1., -8.}, {2., -1.}, {-2., 1.}})
  {
    Vector z = q;
    z.add(place * epsilon, b);
    z.update_ghost_values();
    if (knows)
      knows->third_derivative_of_rest(z, a, at);
    else
      system.third_derivative(z, a, at);
    r.add(weight / (12. * epsilon), at);
  }
  return r;
}
}  // namespace symdyn
