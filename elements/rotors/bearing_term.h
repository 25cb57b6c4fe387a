#pragma once
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "elements/loads/turning_frame.h"
#include "elements/rotors/at_speed.h"
#include "solver/deck/formula/table.h"

namespace symdyn
{
/// Coefficients of a bearing between two directions across the axis, xx, xy, yx, yy, over the speed. At -Omega the matrices are transposed:
/// those of a bearing that is the same in all directions are then those of its mirror image.
struct BearingCoefficients
{
  using Matrix = std::array<double, 4>;
  Matrix stiffness{}, damping{};  ///< [N/m], [N s/m]
  std::vector<Table> over_speed;  ///< or: the eight over |Omega| [rad/s]; empty: constant
  bool beyond = false;            ///< beyond the tables they stay
  bool fixed = false;             ///< Frame = fixed
  std::pair<Matrix, Matrix> at(double speed) const;
  /// Whether it has them at a speed, or a little beside it.
  bool has(double speed) const;
  /// "10 to 400" [rad/s]
  std::string range() const;
};

/// A bearing between the ground and a node on the axis of a frame that turns at Omega. With K_b, C_b across the axis, S = a x, the
/// displacement u and the velocity u' + Omega S u of the node against the ground,
///     f = K_b u + C_b (u' + Omega S u),   K = K_b + Omega C_b S,   C = C_b
/// The skew part of K circulates: such forces have no potential and are no part of the term's V'' (Genta, Dynamics of Rotating Systems,
/// 2005, 3.4). In a frame that turns K_b and C_b commute with S. Of a frame at rest Omega C_b S is in FixedFrame with the other sign.
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

  /// Errors: InputError beyond the tables.
  std::shared_ptr<Term> at_speed(double speed) const override;
  RotorNode node() const override { return rotor_node; }
  std::string why_uneven() const override;
  BearingForms forms(const Vector &real, const Vector &imaginary) const override;
  bool is_fixed() const override { return coefficients.fixed; }
  bool circulates() const override { return circulation != Block{}; }
  void add_circulation(const double factor, const Vector &u, Vector &f) const override { add(factor, circulation, u, f); }
  void add_circulation_matrix(const double factor, const MatrixSink &sink) const override { add_matrix(factor, circulation, sink); }

private:
  using Block = std::array<double, 9>;  ///< by rows of 3
  bool owned() const { return rotor_node.site >= 0; }
  /// E m Eᵀ, E the two directions across.
  Block in_space(const BearingCoefficients::Matrix &m) const;
  /// r += factor B x at the node.
  void add(double factor, const Block &B, const Vector &x, Vector &r) const;
  void add_matrix(double factor, const Block &B, const MatrixSink &sink) const;

  RotorNode rotor_node;
  int local;  ///< the site where this rank knows it; -1
  std::shared_ptr<const TurningFrame> frame;
  BearingCoefficients coefficients;
  Block stiffness{}, circulation{}, damping{};  ///< the symmetric and the skew part of K; C
};
}  // namespace symdyn
