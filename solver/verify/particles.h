#pragma once
#include <deal.II/lac/full_matrix.h>

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "solver/diagnosis.h"
#include "solver/mechanical_system.h"
#include "solver/unknowns.h"

namespace symdyn
{
/// A few point masses in the plane: M diagonal, V = g·q + sum of phi(s), s = q·A q, and a dashpot c to ground. Dense, without supports, of
/// one rank. The system of the negative controls of `symdyn verify` and of many tests.
class Particles : public MechanicalSystem, private Unknowns, private Diagnosis
{
public:
  using Matrix = dealii::FullMatrix<double>;
  struct Term
  {
    Matrix A;
    std::array<std::function<double(double)>, 4> phi;  ///< phi(s) and three derivatives
    bool stiff = false;
  };

  std::vector<double> m, g;  ///< masses of the coordinates, constant gradient
  std::vector<Term> terms;
  double c = 0;
  int dimension = 2;

  /// V = s (s - 1)², s = |q|² (Kane et al. 1999, sect. 4)
  static Particles ring_well(double m_x = 1., double m_y = 1., double c = 0.);
  /// Penalised double pendulum, masses (1, 2), V = y1 + y2 + ½ omega² sum (r² - L²)², L² = 1, 2; the penalty is the stiff part
  /// (Tao and Owhadi 2015, sect. 4.1, with unequal masses: strongly nonlinear and M not a multiple of 1, so that a scheme that is not
  /// symplectic shows it). `soft`: a soft spring ½ soft (x2² + y2²), without which the part of V'' that is not stiff would vanish and
  /// nothing could be lost by treating the stiff part alone.
  static Particles pendulum(double omega = 2., double soft = 0.);

  explicit Particles(std::vector<double> masses) : m(masses), g(masses.size(), 0.), prototype(masses.size()) {}
  unsigned int size() const { return m.size(); }
  State start(const std::vector<double> &q, const std::vector<double> &v) const;

  Vector new_vector() const override;
  void mass(const Vector &v, Vector &Mv) const override;
  void mass_solve(const Vector &p, Vector &v, double tolerance = 1e-14) const override;
  double potential(const Vector &q) const override;
  ForceReport internal_force(const Vector &q, Vector &f) const override;
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part = Part::all) const override;
  void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part = Part::all) const override;
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override;
  double dissipation(const Vector &, const Vector &v) const override { return 0.5 * c * (v * v); }
  void damping_force(const Vector &, const Vector &v, Vector &f) const override { f.equ(c, v); }
  void applied_force(double, const Vector &, const Vector &, Vector &f) const override { f = 0.; }
  using MechanicalSystem::factor;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &linear_terms) const override;
  void impose(double, Vector &, Vector &, Vector &) const override {}
  void project(Vector &) const override {}
  void project_prescribed(Vector &r) const override { r = 0.; }
  bool has(Feature feature) const override;
  const Unknowns &unknowns() const override { return *this; }
  const Diagnosis &diagnosis() const override { return *this; }

private:
  std::vector<std::uint64_t> identities() const override;
  std::vector<std::string> momenta() const override { return {"P_x", "P_y", "J_z"}; }
  void generator(std::size_t i, const Vector &q, Vector &xi) const override;
  double highest_frequency(double, const Vector &q, bool = false, Vector * = nullptr) const override;

  static double form(const Term &term, const Vector &a, const Vector &b);
  static void add(double factor, const Term &term, const Vector &u, Vector &r);
  void constant(Vector &f) const;

  Vector prototype;
};
}  // namespace symdyn
