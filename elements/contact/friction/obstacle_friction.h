#pragma once
#include <array>
#include <memory>

#include "elements/contact/contact_term.h"
#include "elements/contact/friction/friction_term.h"

namespace symdyn
{
/// Friction of a surface on an obstacle. The slip of a point is e = (1 - n nT) (x - a), x its place against the obstacle; the memory holds
/// n and a, which makes e the elastic slip at the start of the step.
class ObstacleFriction : public FrictionTerm
{
public:
  /// Collective.
  ObstacleFriction(std::shared_ptr<const ContactTerm> contact, Staged staged);

  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_second_product(const At &at, const Vector &a, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override { contact->couple(join); }
  void remember(const At &at) const override;
  void renew(const At &at) const override;
  Rubbing rubbing(const Vector &q, const double *history) const override;
  void add_shear(const Vector &q, const double *history, SurfaceSums &sums) const override;

private:
  static constexpr int normal = first_own, anchor = normal + 3, of_point = anchor + 3;

  /// Calls visit(face, point, memory) for the points that were closed at the start of the step.
  template <class Visit>
  void each_point(const At &at, bool owned_only, const Visit &visit) const;
  /// Of a point: its place and pressure, and its memory, of the start and to be written.
  struct Stand
  {
    Place x, n;
    double pressure;
    const double *m;
    double *to;
  };
  /// Calls visit for the points that are pressed at at.q, or were at the start, with a copy of the memory of the start at `to`.
  template <class Visit>
  void each_stand(const At &at, const Visit &visit) const;
  Place slip(const double *m, const Place &x) const;
  PlaceMatrix block(const MeshFace &face, std::size_t point, const double *m, const At &at) const;
  template <int order>
  void add_derivative(const At &at, double factor, const Vector &u, Vector &r) const;

  std::shared_ptr<const ContactTerm> contact;
};
}  // namespace symdyn
