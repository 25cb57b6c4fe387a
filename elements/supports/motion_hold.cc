#include "elements/supports/motion_hold.h"

namespace symdyn
{
void MotionHold::rest(const Vector &q)
{
  for (Spring &spring : springs)
    spring.rest = q.local_element(spring.dof);
}

Traits MotionHold::traits() const
{
  Traits traits;
  traits.linear = traits.quadratic = traits.matrix_free = true;
  return traits;
}

double MotionHold::energy(const At &at) const
{
  double V = 0;
  visit([&](const Spring &spring) {
    const double u = at.q->local_element(spring.dof) - spring.rest;
    V += 0.5 * spring.k * u * u;
  });
  return V;
}

double MotionHold::add_force(const At &at, Vector &f) const
{
  visit([&](const Spring &spring) { f.local_element(spring.dof) += force(spring, *at.q); });
  return always_admissible;
}

void MotionHold::add_product(const At &, const Weights &weights, const Vector &u, Vector &r) const
{
  visit([&](const Spring &spring) { r.local_element(spring.dof) += weights.k * spring.k * u.local_element(spring.dof); });
}

void MotionHold::add_matrix(const At &, const Weights &weights, const MatrixSink &sink) const
{
  visit([&](const Spring &spring) { sink.add(spring.dof, spring.dof, weights.k * spring.k); });
}

void MotionHold::add_diagonal(const At &, const Weights &weights, const BlockMatrix &D) const
{
  const int n = D.pattern->block;
  visit([&](const Spring &spring) { D.at(spring.dof / n, spring.dof / n)(spring.dof % n, spring.dof % n) += weights.k * spring.k; });
}
}  // namespace symdyn
