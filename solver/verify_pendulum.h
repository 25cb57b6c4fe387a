#pragma once
#include <array>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// The system of the negative controls of `symdyn verify`: a double pendulum of two point masses 1 and 2 whose rods are stiff
/// springs, V = y1 + y2 + ½ omega² sum (r_k² - L_k²)², L² = 1, 2 (Tao and Owhadi 2015, sect. 4.1, there with equal masses), and
/// a soft spring ½ soft (x2² + y2²), without which the part of V'' that is not stiff would vanish and nothing could be lost by
/// treating the stiff part alone. Strongly nonlinear, two degrees of freedom a mass and M not a multiple of 1, so that a scheme that is not symplectic
/// shows it. q = (x1, y1, x2, y2) are the positions; the springs are the stiff part. Dense, of one rank.
class PenaltyPendulum : public MechanicalSystem
{
public:
  explicit PenaltyPendulum(double omega);
  /// A swing, about the size of the rods.
  State start() const;

  Vector new_vector() const override;
  void mass(const Vector &v, Vector &Mv) const override;
  void mass_solve(const Vector &p, Vector &v) const override;
  double potential(const Vector &q) const override;
  void internal_force(const Vector &q, Vector &f) const override;
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part) const override;
  void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part) const override;
  void discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override;
  double dissipation(const Vector &, const Vector &) const override { return 0.; }
  void damping_force(const Vector &, const Vector &, Vector &f) const override { f = 0.; }
  void applied_force(double, const Vector &, const Vector &, Vector &f) const override { f = 0.; }
  using MechanicalSystem::factor;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override;
  double rounding(const Vector &) const override { return 1e-14 * omega * omega; }
  double highest_frequency(double t, const Vector &q, bool lumped) const override;
  void impose(double, Vector &, Vector &, Vector &) const override {}
  void project(Vector &) const override {}
  void project_prescribed(Vector &r) const override { r = 0.; }
  std::vector<std::string> momenta() const override { return {"P_x", "P_y", "J_z"}; }
  void generator(std::size_t i, const Vector &q, Vector &xi) const override;
  bool has(Feature feature) const override;
  bool admissible() const override { return true; }
  std::string diagnose(const Vector &) const override { return ""; }
  void set_load_factor(double) override {}

private:
  using Numbers = std::array<double, 4>;
  /// r of rod k for the positions q; linear, so of velocities too.
  static std::array<double, 2> rod(int k, const Vector &q);
  /// The soft spring: f += its force.
  void pull(const Vector &q, Vector &f) const;
  /// r += factor (the transpose of rod)
  static void spread(int k, double factor, const std::array<double, 2> &e, Vector &r);

  double omega, soft = 1.;
  Numbers m{1., 1., 2., 2.}, gravity{0., 1., 0., 1.};
  std::array<double, 2> squares{1., 2.};
};
}  // namespace symdyn
