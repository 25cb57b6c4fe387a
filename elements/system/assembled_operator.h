#pragma once
#include <algorithm>

#include "elements/space/reduced_matrix.h"
#include "elements/system/assembled_system.h"
#include "elements/system/director_operator.h"
#include "solver/linear_operator.h"

namespace symdyn
{
/// The sum of the terms of a linearised system. Keeps copies of the points it stands at, so that it can be multiplied with after the
/// caller's vectors have moved on. Products come from the cells and elements, without a matrix, where A is symmetric; otherwise (loads that
/// follow the body, discrete gradients) from an assembled one.
class AssembledSystem::Operator : public LinearOperator
{
public:
  Operator(const AssembledSystem &system, const Couplings &couplings) : system(system), couplings(couplings) {}
  ~Operator() override;
  void set(const Linearisation &terms, const TermStep &step = {});
  /// Of K on the owned degrees of freedom [N/m], as when A or its diagonal was last made; made now if that was for other weights. Empty
  /// without K.
  std::vector<double> stiffness_diagonal() const;

  bool symmetric() const override { return is_symmetric; }
  bool constant() const override { return system.linear() && !system.has(Feature::nonlinear_damping); }
  double stiffness_over_mass() const override;
  Vector new_vector() const override { return system.new_vector(); }
  int degree() const override { return system.parts.degree; }
  bool thin() const override { return !system.parts.cells && system.any(&Traits::thin); }
  std::uint64_t kind() const override { return weights_changed; }
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const override { return system.parts.space->sites(); }
  int block() const override { return system.parts.space->block(); }
  const BlockPattern &pattern() const override { return couplings.pattern(); }
  std::uint64_t revision() const override { return (relations_changed << half) + couplings.revision(); }
  /// Other relations hold: their reduced matrix has another pattern.
  void change_relations() { ++relations_changed; }
  std::vector<Vector> rigid_modes() const override;
  void assemble(const BlockMatrix &A) const override;
  bool matrix_free() const override { return by_terms() && system.all(&Traits::matrix_free); }
  void project(Vector &x) const override { system.project_supports(x); }
  void multiply(const Vector &x, Vector &y) const override;
  void diagonal(const BlockMatrix &D) const override;
  const LinearOperator *coarser() const override;
  void prolong(const Vector &coarse, Vector &fine) const override;
  void restrict(const Vector &fine, Vector &coarse) const override;

private:
  /// A term of the linearisation with its own vectors.
  struct Point
  {
    Weights weights;
    double t = 0;
    Part part = Part::all;
    Vector q, from, before, led;  ///< from: empty if K is V''; before, led: as of LinearTerm, empty without

    At at() const
    {
      At here{t, &q, nullptr, from.size() > 0 ? &from : nullptr, part};
      here.before = before.size() > 0 ? &before : nullptr;
      here.led = led.size() > 0 ? &led : nullptr;
      return here;
    }
    bool sees_loads(const AssembledSystem &system) const
    {
      return weights.k != 0. && from.size() == 0 && part == Part::all && system.has(Feature::follower_loads);
    }
    bool is_symmetric(const AssembledSystem &system) const;
  };

  /// Whether the terms and the mass alone make A; else loads have a part in it.
  bool by_terms() const;
  double mass_of_cells() const;  ///< the weight of M in A
  double mass_of_sites() const;
  void need_diagonal() const;
  void keep_diagonal(const BlockMatrix &A) const;
  void hold_rows(const BlockMatrix &A) const;

  static constexpr int half = 32;  ///< bits of revision()

  const AssembledSystem &system;
  const Couplings &couplings;
  std::uint64_t relations_changed = 0;
  std::vector<Point> points;
  TermStep step;
  bool is_symmetric = true;
  std::uint64_t weights_changed = 0;

  mutable std::vector<double> weighted_diagonal;  ///< of the stiffness part, before the supports hold it
  mutable bool diagonal_known = false;            ///< of the present points
  mutable double ratio = -1.;                     ///< stiffness over mass for the present weights; -1: not known
  mutable std::unique_ptr<CoarseSites> coarse;
  mutable std::unique_ptr<Operator> coarse_operator;
  mutable bool coarse_is_set = false;
};

/// Tᵀ A T of an operator whose system has relations, x = T y: on components that depend on others a multiple of the identity.
class AssembledSystem::Reduced : public LinearOperator
{
public:
  Reduced(const AssembledSystem &system, const Operator &full);
  bool symmetric() const override { return full.symmetric(); }
  bool constant() const override { return full.constant(); }
  double stiffness_over_mass() const override { return full.stiffness_over_mass(); }
  Vector new_vector() const override { return reduction.new_vector(); }
  int degree() const override { return full.degree(); }
  bool thin() const override { return full.thin(); }
  std::uint64_t kind() const override { return full.kind(); }
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const override { return reduction.pattern().nodes; }
  int block() const override { return full.block(); }
  const BlockPattern &pattern() const override { return reduction.pattern(); }
  std::uint64_t revision() const override { return of_couplings; }
  std::vector<Vector> rigid_modes() const override;
  void assemble(const BlockMatrix &A) const override;
  void project(Vector &x) const override { full.project(x); }
  void set() { changed(); }
  /// Owned entries from one layout of ghosts to the other.
  static void copy(const Vector &from, Vector &to) { std::copy_n(from.begin(), from.locally_owned_size(), to.begin()); }

private:
  const Operator &full;
  std::uint64_t of_couplings;
  ReducedMatrix reduction;
};

/// A linearised system with what is made of it.
struct AssembledSystem::Linearised
{
  /// `solver`: of the system, which may put another one in its place.
  Linearised(const AssembledSystem &system, const Couplings &couplings, const std::shared_ptr<LinearSolver> &solver)
      : system(system), couplings(couplings), op(std::make_unique<Operator>(system, couplings)), solver(solver)
  {
  }
  void set(const Linearisation &terms, const TermStep &step, bool constant);
  /// Before the first solve.
  void set_up();
  /// Supports have changed; or relations, with other couplings of the free components.
  void forget(bool relations);
  /// As if nothing had been linearised; what has been is not current any more.
  void begin_again();
  /// Whether it is of the present couplings.
  bool current() const { return revision == op->revision(); }
  const LinearOperator &related() const { return reduced ? static_cast<const LinearOperator &>(*reduced) : *op; }
  const LinearOperator &solved() const { return directed ? static_cast<const LinearOperator &>(*directed) : related(); }

  const AssembledSystem &system;
  const Couplings &couplings;
  std::unique_ptr<Operator> op;
  std::unique_ptr<Reduced> reduced;            ///< with relations
  std::unique_ptr<DirectorOperator> directed;  ///< along exact directors
  const std::shared_ptr<LinearSolver> &solver;
  std::unique_ptr<Weights> weights;  ///< of the last linearisation, if K does not depend on q
  std::uint64_t number = 0;          ///< of linearisations
  std::uint64_t revision = 0;        ///< of the couplings then
  bool is_set_up = false;            ///< the solver, with the operator as it is

private:
  void follow_couplings();
  void follow_directors(const Linearisation &terms, const TermStep &step);
  /// LinearTerm::across with stresses carried on.
  Vector carried_force(const LinearTerm &term, const TermStep &step) const;
};
}  // namespace symdyn
