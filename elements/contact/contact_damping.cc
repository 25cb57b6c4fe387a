#include "elements/contact/contact_damping.h"

#include <algorithm>
#include <utility>

namespace symdyn
{
ContactDamping::ContactDamping(std::shared_ptr<const TouchingTerm> of, const ContactLaw &law, const double c, const double onset,
                               std::shared_ptr<const Space> of_space)
    : contact(std::move(of)), space(std::move(of_space)), c(c), full(law.stiffness() * onset)
{
}

Traits ContactDamping::traits() const
{
  Traits traits;
  traits.damps = traits.damping_couples = traits.nonlinear_damping = true;
  return traits;
}

double ContactDamping::factor_of(const double pressure) const
{
  const double x = std::min(pressure / full, 1.);
  return c * x * x * (3. - 2. * x);
}

void ContactDamping::add_damping(const At &at, const double factor, const Vector &u, Vector &r) const
{
  const int n = space->block();
  contact->each_touch(*at.q, true, [&](const TouchingTerm::Touch &touch) {
    double closing = 0;
    for (const auto &[site, gradient] : touch.sites)
      for (int d = 0; d < n; ++d)
        closing += gradient[d] * u.local_element(n * site + d);
    const double traction = factor * touch.dA * factor_of(touch.pressure) * closing;
    for (const auto &[site, gradient] : touch.sites)
      for (int d = 0; d < n; ++d)
        r.local_element(n * site + d) += traction * gradient[d];
  });
}

void ContactDamping::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (at.part == Part::all && weights.c != 0.)
    add_damping(at, weights.c, u, r);
}

void ContactDamping::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all || weights.c == 0.)
    return;
  const int n = space->block();
  contact->each_touch(*at.q, false, [&](const TouchingTerm::Touch &touch) {
    const double factor = weights.c * touch.dA * factor_of(touch.pressure);
    for (const auto &[s, of_s] : touch.sites)
      for (const auto &[t, of_t] : touch.sites)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            sink.add(n * s + i, n * t + j, factor * of_s[i] * of_t[j]);
  });
}
}  // namespace symdyn
