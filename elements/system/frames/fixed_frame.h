#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "elements/rotors/field_turn.h"
#include "elements/system/assembled_mass.h"

namespace symdyn
{
/// What a frame at rest adds to the equations in one that turns, of a body of revolution (FieldTurn). With displacements u = T(Omega t) U
/// and W = dT/dphi, which commutes with M, C and K,
///     G = -2 Omega M W,   K_f = Omega² (M W² - (S M + M S) W) - Omega C W
/// With Coriolis and spin softening of SpinLoad these are, D = S - W the derivative around the axis, G = 2 Omega M D, which is
/// Omega ∫ rho (Nᵀ N,theta - N,thetaᵀ N), and -Omega² Dᵀ M D: the velocity is u' + Omega D u. C of dashpots that turn gives forces
/// that circulate; C of bearings is in both, and cancels. K_f is no part of V'' (Genta, Dynamics of Rotating Systems, 2005, 4 and 11).
class FixedFrame : public Term
{
public:
  /// `space`, `mass` and `turn` must outlive it. `others`: all terms beside this one. `mass_damping`: of the cells.
  FixedFrame(const Space &space, const AssembledMass &mass, std::shared_ptr<const TurningFrame> frame,
             std::shared_ptr<const FieldTurn> turn, std::vector<std::shared_ptr<Term>> others, double mass_damping);

  Traits traits() const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_damping_force(const At &at, Vector &f) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override;

  /// f += factor K_f u, owned entries, where C is that of displacements q. Collective.
  void add_force_of_frame(double factor, const Vector &q, const Vector &u, Vector &f) const;
  /// A += factor K_f
  void add_matrix_of_frame(double factor, const Vector &q, const MatrixSink &sink) const;
  /// S v, site by site.
  Vector across(const Vector &v) const;
  /// |A W x - W A x| / (|A W x| + |W A x|), the largest of what supports leave, M, K and C at q without bearings, and which it is.
  struct Error
  {
    double size = 0;
    std::string of;
  };
  Error error(const Vector &q, const std::function<void(Vector &)> &project) const;

private:
  using Block = FieldTurn::Block;
  /// G v. Collective.
  void add_gyroscopic(double factor, const Vector &v, Vector &f) const;
  Vector product(const Weights &weights, bool with_bearings, const Vector &q, const Vector &u) const;
  Vector momentum(const Vector &v) const;

  const Space &space;
  const AssembledMass &mass;
  std::shared_ptr<const TurningFrame> frame;
  std::shared_ptr<const FieldTurn> turn;
  std::vector<std::shared_ptr<Term>> others;
  double mass_damping;
};
}  // namespace symdyn
