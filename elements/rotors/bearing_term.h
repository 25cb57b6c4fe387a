#pragma once
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "elements/loads/turning_frame.h"
#include "elements/rotors/at_speed.h"
#include "solver/deck/formula/table.h"

namespace symdyn
{
/// Coefficients of a bearing that is the same in all directions, k_xx = k_yy = a, k_xy = -k_yx = b, c_xx = c_yy = c, c_xy = -c_yx = d, over
/// the speed. A rotor that turns backwards sees the mirror image, with -b and -d.
struct BearingCoefficients
{
  std::array<double, 4> constant{};  ///< a, b [N/m], c, d [N s/m]
  std::vector<Table> over_speed;     ///< or: these, over |Omega| [rad/s]; empty: constant
  std::array<double, 4> at(double speed) const;
  /// Of `over_speed` [rad/s]; without it: infinite.
  double last_speed() const { return over_speed.empty() ? std::numeric_limits<double>::infinity() : over_speed.front().times().back(); }
};

/// A bearing between the ground and a node on the axis of a frame that turns at Omega. With P = 1 - a aᵀ, S = a x, the displacement u and
/// the velocity u' + Omega S u of the node against the ground,
///     f = (a P - b S) u + (c P - d S) (u' + Omega S u),   K = (a + Omega d) P + (Omega c - b) S,   C = c P - d S
/// The part of K with S is skew: forces that circulate, which have no potential and are no part of the term's V''
/// (Genta, Dynamics of Rotating Systems, 2005, 3.4).
class BearingTerm : public Term, public TermAtSpeed
{
public:
  BearingTerm(RotorNode node, int local, std::shared_ptr<const TurningFrame> frame, BearingCoefficients coefficients);

  Traits traits() const override;
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_damping_force(const At &at, Vector &f) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &) const override {}
  double energy_scale() const override;

  std::shared_ptr<Term> at_speed(double speed) const override;
  RotorNode node() const override { return rotor_node; }
  bool is_uneven() const override;
  bool circulates() const override { return circulation != 0.; }
  void add_circulation(const double factor, const Vector &u, Vector &f) const override { add({0., factor * circulation}, u, f); }
  void add_circulation_matrix(const double factor, const MatrixSink &sink) const override { add_matrix({0., factor * circulation}, sink); }

private:
  using Parts = std::pair<double, double>;  ///< of P and S
  double entry(const Parts &parts, const int i, const int j) const
  {
    return parts.first * frame->across(i, j) + parts.second * frame->turn(i, j);
  }
  bool owned() const { return rotor_node.site >= 0; }
  /// r += (p P + s S) x at the node.
  void add(const Parts &parts, const Vector &x, Vector &r) const;
  void add_matrix(const Parts &parts, const MatrixSink &sink) const;

  RotorNode rotor_node;
  int local;  ///< the site where this rank knows it; -1
  std::shared_ptr<const TurningFrame> frame;
  BearingCoefficients coefficients;
  double stiffness, circulation;  ///< of P and S in K
  Parts damping;
};
}  // namespace symdyn
