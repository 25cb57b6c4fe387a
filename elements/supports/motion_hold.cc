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
  for (const Spring &spring : springs)
  {
    const double u = at.q->local_element(spring.dof) - spring.rest;
    V += 0.5 * spring.k * u * u;
  }
  return V;
}

double MotionHold::add_force(const At &at, Vector &f) const
{
  for (const Spring &spring : springs)
    f.local_element(spring.dof) += force(spring, *at.q);
  return always_admissible;
}

void MotionHold::add_product(const At &, const Weights &weights, const Vector &u, Vector &r) const
{
  for (const Spring &spring : springs)
    r.local_element(spring.dof) += weights.k * spring.k * u.local_element(spring.dof);
}

void MotionHold::add_matrix(const At &, const Weights &weights, const MatrixSink &sink) const
{
  for (const Spring &spring : springs)
    sink.add(spring.dof, spring.dof, weights.k * spring.k);
}

void MotionHold::add_diagonal(const At &, const Weights &weights, const BlockMatrix &D) const
{
  const int n = D.pattern->block;
  for (const Spring &spring : springs)
    D.at(spring.dof / n, spring.dof / n)(spring.dof % n, spring.dof % n) += weights.k * spring.k;
}
}  // namespace symdyn
