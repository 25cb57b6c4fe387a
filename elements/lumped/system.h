#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "elements/loads/base_motion.h"
#include "elements/loads/load_factors.h"
#include "elements/lumped/constraint_set.h"
#include "elements/lumped/equations.h"
#include "elements/lumped/term.h"
#include "solver/linear_solver.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Point masses in 1, 2 or 3 dimensions with terms of a potential between them, dashpots, dead loads and constraints. q is the displacement
/// from the positions X of the deck [m], x = X + q the present coordinates; point after point. M is diagonal; gravity is V = - sum m g·x.
/// Directors are the columns of the matrix of a rigid body: they turn with it and do not move along. Linearised systems are solved by LU in
/// a narrow band where the numbering leaves one, otherwise by a linear solver for sparse matrices. One rank only. Where points stand on
/// nodes of a body it is a part of a JointSystem.
class DiscreteSystem : public MechanicalSystem, public TableDriven
{
public:
  struct Point
  {
    std::string name;
    double mass = 0;  ///< [kg]
    std::array<double, 3> position{};
    bool fixed = false;              ///< moves as prescribed, or rests
    std::array<bool, 3> free{};      ///< components of a fixed point that are not
    bool massless = false;           ///< equations alone say how it moves
    std::vector<Expression> motion;  ///< displacement of a fixed point, formulas of t [m]; empty: rests
    std::vector<std::shared_ptr<TimeIntegral>>
        integrals;           ///< of motion, where that is a velocity or an acceleration; empty: it is the displacement
    std::int64_t node = -1;  ///< of the body whose displacement the point shares; -1: its own
    bool rigid = false;      ///< of a director: a penalty or constraints keep the matrix a rotation
    int director_of = -1;    ///< the centre, if this is a column of the matrix of a rigid body, -1 otherwise
    bool holds(const int d) const { return fixed && !free[d]; }
    /// "bob (fixed)", "bob (fixed but for x)"
    std::string support() const;
  };
  /// A force on a point: one formula of t a component [N].
  struct Load
  {
    int point = 0;
    std::vector<Expression> force;
    std::size_t name = 0;  ///< its place in load_names
  };
  struct Parts
  {
    int dimension = 3;
    std::vector<Point> points;
    std::vector<std::shared_ptr<DiscreteTerm>> terms;
    std::vector<double> dashpots;  ///< c of each point to the ground [N s/m]; empty: none
    std::vector<std::shared_ptr<DampingTerm>> damping;
    std::vector<std::shared_ptr<const Constraint>> constraints, penalties;
    double penalty_omega = 0;
    bool project = false;             ///< the start onto the constraints
    std::vector<Equation> equations;  ///< of a JointSystem alone
    std::vector<Load> loads;
    std::vector<std::string> load_names;
    std::array<double, 3> gravity{};              ///< [m/s²]
    std::shared_ptr<const BaseMotion> base;       ///< nullptr: rests
    std::shared_ptr<LinearSolver> linear_solver;  ///< nullptr: a band if it is narrow, otherwise automatic
    double linear_tolerance = 1e-10;
    MPI_Comm communicator = MPI_COMM_WORLD;  ///< of one rank
  };
  explicit DiscreteSystem(Parts parts);
  ~DiscreteSystem() override;

  Vector new_vector() const override { return Vector(dofs); }
  void mass(const Vector &v, Vector &Mv) const override;
  void mass_solve(const Vector &p, Vector &v, double tolerance = 1e-14) const override;
  double potential(const Vector &q) const override;
  void internal_force(const Vector &q, Vector &f) const override;
  /// The same without weight.
  void term_force(const Vector &q, Vector &f) const;
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part = Part::all) const override;
  void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part = Part::all) const override;
  void discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override;
  double dissipation(const Vector &q, const Vector &v) const override;
  void damping_force(const Vector &q, const Vector &v, Vector &f) const override;
  void applied_force(double t, const Vector &q, const Vector &v, Vector &f) const override;
  void load_force(std::size_t number, double t, const Vector &q, Vector &f) const override;
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
  std::vector<std::string> load_names() const override { return parts.load_names; }
  std::vector<DrivingTable> driving_tables() const override;
  void average_tables(const StepMean &mean) override { mean_of_tables = mean; }
  void begin_loads(const std::vector<bool> &act) override { load_factors.begin(act); }
  void set_statics(bool now) override { statics = now; }
  void set_load_factor(double factor) override { load_factors.set(factor); }
  /// Of prescribed motion at present.
  double motion_factor() const { return load_factors.motion(); }
  /// How far the stage has come.
  double reached() const { return load_factors.reached(); }
  const HolonomicConstraints *constraints() const override { return exact.size() > 0 ? &exact : nullptr; }
  const HolonomicConstraints *penalties() const override { return soft.size() > 0 ? &soft : nullptr; }
  std::vector<Rotation> rotations() const override;
  double penalty_omega() const override { return parts.penalty_omega; }

  const Parts &all_parts() const { return parts; }
  int dimension() const { return parts.dimension; }
  /// X + q
  std::vector<double> coordinates(const Vector &q) const;
  std::string linear_solver_name() const;
  /// Blocks of the points that V'' and dashpots couple.
  BlockPattern coupled_points(Part part) const;
  /// A = the sum of the terms, before fixed points hold it; returns the largest ratio of stiffness to mass on its diagonal.
  double linearise(const Linearisation &terms, const BlockMatrix &A) const;

private:
  class BandSolve;
  class SparseSolve;
  class Operator;
  struct Matrix;

  template <class Visit>
  void for_terms(const Part part, const Visit &visit) const
  {
    for (const auto &term : parts.terms)
      if (part == Part::all || term->stiff)
        visit(*term);
  }
  void assemble(const Linearisation &terms, const AddEntry &add) const;
  /// From the diagonal of their sum; keeps that of K for rounding().
  double stiffness_over_mass(const Linearisation &terms, const std::vector<double> &diagonal) const;
  /// The matrix for terms that are stiff alone, or for all.
  Matrix &matrix_for(Part part) const;
  std::vector<std::vector<int>> neighbours(Part part) const;
  void hold(Matrix &matrix) const;
  bool linear() const
  {
    for (const auto &term : parts.terms)
      if (!term->linear())
        return false;
    return true;
  }
  unsigned int size() const { return masses.size(); }
  void prepare_base();
  bool base_carries() const { return parts.base && !parts.base->relative(); }

  Parts parts;
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> dofs;
  std::vector<double> masses, X, damping, weight;  ///< of every degree of freedom; weight = -m g
  std::vector<char> held;
  std::vector<Vector> base_patterns, base_held;  ///< of each direction: see BaseMotion
  bool any_held = false, moves = false, damped = false, has_gravity = false;
  ConstraintSet exact, soft;
  LoadFactors load_factors;
  StepMean mean_of_tables;
  bool statics = false;  ///< the present stage

  mutable bool finite = true;                               ///< the last internal_force()
  mutable std::array<std::unique_ptr<Matrix>, 2> matrices;  ///< of all, of the stiff terms
  mutable std::vector<double> stiffness_diagonal;           ///< of the last factor() with k != 0
};
}  // namespace symdyn
