#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "elements/discrete_terms.h"
#include "solver/linear_solver.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Point masses in 1, 2 or 3 dimensions, joined by bars and by potentials that are formulas, with dashpots to the ground and dead
/// loads. q is the displacement from the positions X of the deck [m], x = X + q the present coordinates; point after point.
/// M and C are diagonal; gravity is V = - sum m g·x. One rank only.
class DiscreteSystem : public MechanicalSystem
{
public:
  struct Point
  {
    std::string name;
    double mass = 0;  ///< [kg]
    std::array<double, 3> position{};
    bool fixed = false;  ///< rests at its position
  };
  /// A force on a point: one formula of t a component [N].
  struct Load
  {
    int point = 0;
    std::vector<Expression> force;
  };
  struct Parts
  {
    int dimension = 3;
    std::vector<Point> points;
    std::vector<Bar> bars;
    std::vector<FormulaPotential> formulas;
    std::vector<double> dashpots;  ///< c of each point [N s/m]; empty: none
    std::vector<Load> loads;
    std::array<double, 3> gravity{};  ///< [m/s²]
    std::shared_ptr<LinearSolver> linear_solver;  ///< nullptr: dense up to `dense_limit` degrees of freedom, then automatic
    double linear_tolerance = 1e-10;
  };
  explicit DiscreteSystem(Parts parts);
  ~DiscreteSystem() override;

  Vector new_vector() const override { return Vector(dofs); }
  void mass(const Vector &v, Vector &Mv) const override;
  void mass_solve(const Vector &p, Vector &v, double tolerance = 1e-14) const override;
  double potential(const Vector &q) const override;
  void internal_force(const Vector &q, Vector &f) const override;
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part = Part::all) const override;
  void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part = Part::all) const override;
  void discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override;
  double dissipation(const Vector &q, const Vector &v) const override;
  void damping_force(const Vector &q, const Vector &v, Vector &f) const override;
  void applied_force(double t, const Vector &q, const Vector &v, Vector &f) const override;
  using MechanicalSystem::factor;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override;
  double rounding(const Vector &q) const override;
  double potential_rounding() const override;
  double highest_frequency(double t, const Vector &q, bool lumped = false) const override;
  void impose(double t, Vector &q, Vector &v, Vector &a) const override;
  void project(Vector &r) const override;
  void project_prescribed(Vector &r) const override;
  std::vector<std::string> momenta() const override;
  void generator(std::size_t i, const Vector &q, Vector &xi) const override;
  bool has(Feature feature) const override;
  bool admissible() const override { return finite; }
  std::string diagnose(const Vector &q) const override;
  void set_load_factor(double factor) override { load_factor = factor; }

  const Parts &all_parts() const { return parts; }
  int dimension() const { return parts.dimension; }
  /// X + q
  std::vector<double> coordinates(const Vector &q) const;
  std::string linear_solver_name() const;

private:
  static constexpr unsigned int dense_limit = 120;  ///< LU of LAPACK is faster below: at 63 by four times, measured
  class DenseSolve;
  class SparseSolve;
  class Operator;
  struct Matrix;

  template <class Visit>
  void for_terms(Part part, const Visit &visit) const;
  void assemble(const Linearisation &terms, const AddEntry &add) const;
  bool dense() const { return !parts.linear_solver && size() <= dense_limit; }
  void allocate() const;
  void hold(Matrix &matrix) const;
  std::vector<Vector> rigid_modes() const;
  bool linear() const { return parts.bars.empty() && parts.formulas.empty(); }
  unsigned int size() const { return masses.size(); }

  Parts parts;
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> dofs;
  std::vector<double> masses, X, damping, weight;  ///< of every degree of freedom; weight = -m g
  std::vector<char> held;
  bool any_held = false, damped = false, has_gravity = false;
  double load_factor = 1;

  mutable bool finite = true;  ///< the last internal_force()
  mutable std::unique_ptr<Matrix> matrix;
  mutable std::vector<double> stiffness_diagonal;  ///< of the last factor() with k != 0
};
}  // namespace symdyn
