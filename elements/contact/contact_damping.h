#pragma once
#include <memory>
#include <vector>

#include "elements/contact/laws/contact_law.h"
#include "elements/contact/touching.h"
#include "elements/space.h"

namespace symdyn
{
/// A damper between surfaces that press each other, of their gaps: R = sum_q w_q c chi (dg/dt)²/2, which does not see rigid motions.
/// chi goes from 0 to 1 (3 x² - 2 x³) while the closure p/k grows to `onset`, so that the force begins from 0. Against closing and
/// opening alike. A term beside that of the contact. Pinned by ContactDamping.*.
class ContactDamping : public Term
{
public:
  /// c: [Pa s/m]. onset: [m].
  ContactDamping(std::shared_ptr<const TouchingTerm> contact, const ContactLaw &law, double c, double onset, std::shared_ptr<const Space>);

  Traits traits() const override;
  void add_damping_force(const At &at, Vector &f) const override { add_damping(at, 1., *at.v, f); }
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override { contact->couple(join); }
  std::uint64_t revision() const override { return contact->revision(); }

private:
  void add_damping(const At &at, double factor, const Vector &u, Vector &r) const;
  double factor_of(double pressure) const;

  std::shared_ptr<const TouchingTerm> contact;
  std::shared_ptr<const Space> space;
  double c, full;  ///< full: the pressure where chi = 1 [Pa]
};
}  // namespace symdyn
