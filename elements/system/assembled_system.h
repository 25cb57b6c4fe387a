#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "solver/fourth_derivative.h"

#include "elements/applied_load.h"
#include "elements/cyclic_symmetry.h"
#include "elements/loads/base_motion.h"
#include "elements/loads/turning_frame.h"
#include "elements/rotors/field_turn.h"
#include "elements/rotors/turning_waves.h"
#include "elements/site_supports.h"
#include "elements/space/director_frames.h"
#include "elements/space/site_relations.h"
#include "elements/system/assembled_mass.h"
#include "elements/system/couplings.h"
#include "elements/system/site_transfer.h"
#include "elements/term_histories.h"
#include "solver/comes_by_stages.h"
#include "solver/cyclic.h"
#include "solver/deck/formula/table_driven.h"
#include "solver/diagnosis.h"
#include "solver/holding.h"
#include "solver/kicking.h"
#include "solver/linear/keeps_tangents.h"
#include "solver/linear_solver.h"
#include "solver/searching.h"
#include "solver/spinning.h"
#include "solver/stressed.h"

namespace symdyn
{
class FixedFrame;
class SpinLoad;

/// The sum of terms over one Space, with masses, supports, relations, loads and a motion of the base: the mechanical system that schemes
/// see. Where a term has a history, they see it through an Increment.
class AssembledSystem : public MechanicalSystem,
                        public TableDriven,
                        public KeepsTangents,
                        public Searching,
                        public KnowsFourthDerivative,
                        public Remembering,
                        public BearsStress,
                        public HoldsMore,
                        public Spinning,
                        public Kicking,
                        public ComesByStages,
                        public CyclicSector
{
public:
  /// Linear relations between sites, with the sums b(t) that they have [m].
  struct Relations
  {
    std::shared_ptr<const SiteRelations> all;  ///< nullptr: none
    std::function<SiteRelations::Sums(double t)> sums;
    bool move = false;  ///< some sum is not zero
    std::vector<SiteRelations::Massless> massless = {};
    bool any() const { return all && all->any(); }
  };
  struct Parts
  {
    std::shared_ptr<const Space> space;
    std::vector<std::shared_ptr<Term>> terms;
    std::shared_ptr<const SiteMass> cells;  ///< their mass; nullptr: there are no cells
    std::vector<double> masses;             ///< of owned sites, beside that of cells [kg]; empty: none
    std::string off_nodes;                  ///< the entry of the deck, with its place, that puts lumped masses off the nodes
    bool pairs_of_nodes = false;            ///< pair_masses are lumped: each is of the sites of one node
    std::vector<PairMass> lumped_pairs;     ///< what pair_masses would be with a lumped mass
    std::vector<PairMass> pair_masses;      ///< beside those: see AssembledMass
    std::vector<DenseMass> dense_masses;    ///< beside all those: see AssembledMass
    std::string where_dense, not_carried;   ///< the first of them in the deck, and the first that translations do not carry
    std::shared_ptr<const std::vector<double>> added_inertia;  ///< the part of `masses` that scaling has added; nullptr: none
    std::shared_ptr<const std::vector<double>> scalable;       ///< what scaling would add to `masses`; nullptr: nothing, or it has
    double mass_damping = 0;                                   ///< alpha_M of the cells [1/s]
    std::vector<std::shared_ptr<const SiteSupports>> supports;
    std::vector<SiteRelation> couplings;    ///< relations that always hold; those that hold now are `relations`
    std::vector<Expression> coupling_sums;  ///< theirs [m]
    std::vector<SiteTie> ties;
    Relations relations;
    std::vector<LoadInUse> loads;
    std::shared_ptr<const BaseMotion> base;        ///< nullptr: rests
    std::shared_ptr<const TurningFrame> rotation;  ///< of the frame; nullptr: none. The system has its load
    std::vector<NodeDirectors> directors;          ///< with it: of the nodes of all ranks
    std::shared_ptr<const FieldTurn> turn;         ///< of a bearing of Frame = fixed; nullptr: not yet known, or there is none
    KinematicConstraints constraints;
    std::shared_ptr<const DirectorFrames> frames;  ///< the nodal ones of them; nullptr: none
    std::shared_ptr<const CyclicSymmetry> cyclic;  ///< nullptr: it is no sector
    std::shared_ptr<const BlockPattern>
        pattern;  ///< of the couplings of the first term, if it is there; where there is no other, it is used
    std::shared_ptr<LinearSolver> linear_solver;
    std::shared_ptr<LinearSolver>
        stiff_solver;  ///< of matrices of the stiff part alone; nullptr: linear_solver, in the pattern of all terms
    double linear_tolerance = 1e-10;
    const Actions *actions = &Actions::all();
    /// Of a program that steps a run: forces beside the loads of the deck, in every stage, as strong as they are [N]. It owns them, and
    /// changes them between steps.
    std::shared_ptr<std::vector<std::shared_ptr<const Vector>>> forces_of_program =
        std::make_shared<std::vector<std::shared_ptr<const Vector>>>();
    // Of cells.
    int degree = 1;                                              ///< of their shape functions
    double smallest_edge = 0;                                    ///< [m]
    double cost_of_matrix = 0;                                   ///< in evaluations of the force, about
    std::function<std::unique_ptr<CoarseSites>()> coarser = {};  ///< the same with shape functions of degree 1; empty: there is none
    /// Of cells and points: the term of BearsStress, of a state, a displacement from there and a factor.
    std::vector<std::function<std::shared_ptr<Term>(const State &about, const Vector &u, double factor)>> stresses = {};
    /// Of terms of points: a bound of the rounding of their force at q [N]; `stiffness`: the diagonal of V''.
    std::function<double(const Vector &q, const std::vector<double> &stiffness)> force_rounding = {};

    /// What supports leave of the motion of an owned site, by rows; nullptr: all.
    const double *projector_of(int site) const;
  };
  explicit AssembledSystem(Parts parts);
  ~AssembledSystem() override;

  Vector new_vector() const override { return parts.space->new_vector(); }
  void mass(const Vector &v, Vector &Mv) const override { mass_matrix.multiply(v, Mv); }
  void mass_solve(const Vector &p, Vector &v, double tolerance = 1e-14) const override;
  double potential(const Vector &q) const override { return potential(q, no_history()); }
  ForceReport internal_force(const Vector &q, Vector &f) const override { return internal_force(q, f, no_history()); }
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, const Part part = Part::all) const override
  {
    stiffness(q, u, Ku, part, no_history());
  }
  void third_derivative(const Vector &q, const Vector &a, Vector &r, const Part part = Part::all) const override
  {
    third_derivative(q, a, r, part, no_history());
  }
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override
  {
    return discrete_gradient(q0, q1, f, no_history());
  }
  double dissipation(const Vector &q, const Vector &v) const override { return dissipation(q, v, no_history()); }
  void damping_force(const Vector &q, const Vector &v, Vector &f) const override { damping_force(q, v, f, no_history()); }
  void applied_force(double t, const Vector &q, const Vector &v, Vector &f) const override;
  void add_load_stiffness(double t, const Vector &q, const Vector &u, Vector &Ku) const override;
  using MechanicalSystem::factor;
  /// Any number of terms. A term with `from` has its damping at ½ (from + q), as midpoint-like schemes have it. No matrix is made where
  /// m M + c C is diagonal and k = 0. A matrix is factored when it is first solved with: products need none.
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override { return factor(terms, no_history()); }
  void impose(double t, Vector &q, Vector &v, Vector &a) const override;
  void project(Vector &r) const override;
  void project_prescribed(Vector &r) const override;
  const KinematicConstraints &kinematic_constraints() const override { return parts.constraints; }
  bool has(Feature feature) const override;
  const Unknowns &unknowns() const override { return *parts.space; }
  const Diagnosis &diagnosis() const override;
  std::vector<DrivingTable> driving_tables() const override;

  void forget() override;
  /// Supports have changed, and these relations hold from now on; and, if there is no state yet, one more term, which couples nothing.
  void supports_changed(Relations relations, std::shared_ptr<Term> hold = nullptr);
  const Parts &all_parts() const { return parts; }

private:
  class InIncrement;
  class Operator;
  class Reduced;
  class Solve;
  class DiagonalSolve;
  class Diagnoses;
  class Motion;
  class MotionOperator;
  struct Linearised;

  int sectors() const override { return parts.cyclic ? parts.cyclic->sectors : 0; }
  int sectors_shown() const override { return parts.cyclic->shown; }
  int sense() const override { return parts.cyclic->sense; }
  std::unique_ptr<CyclicMotion> motion(const MechanicalSystem &seen, int n) const override;
  /// Errors: InputError for what turning a sector does not map to itself.
  void check_cyclic() const;
  TermStep step_of(const MechanicalSystem &seen) const;

  std::string where_turning() const override { return parts.rotation ? parts.rotation->where : ""; }
  double centrifugal() const override;
  double speed() const override { return parts.rotation->speed; }
  CopiedSystem turning(const State &about, double speed, const Vector &u, double factor) const override;
  std::optional<UnevenBearing> uneven_bearing() const override;
  std::vector<BearingForms> bearing_forms(const Vector &real, const Vector &imaginary) const override;
  std::string fixed_bearing() const override;
  void check_revolution(const State &about) const override;
  Vector quarter_turn(const Vector &f) const override;
  Waves waves(const Vector &real, const Vector &imaginary) const override;
  std::vector<Station> stations(const Vector &u) const override;
  CopiedSystem stressed(const State &about, const Vector &u, double factor) const override;
  /// These parts, and the stresses.
  Parts with_stresses(const State &about, const Vector &u, double factor) const;
  CopiedSystem holding(const State &about, const std::vector<std::uint64_t> &dofs) const override;
  void follow(Vector &u) const override;
  /// A system of `more`, which are these parts and others, with linear solvers of its own and the history of a state.
  CopiedSystem copied(Parts more, const State &about) const;
  bool kicks() const override;
  const MechanicalSystem &smooth() const override;
  ForceReport kick(const Vector &q, Vector &f) const override;
  double longest_step(double t, const Vector &q) const override;
  double coming(const State &state) const override;
  double come() const override { return parts.actions->begun ? parts.actions->motion() : 0.; }
  bool searches() const override { return any(&Traits::searches); }
  void known_fourth_derivative(const Vector &q, const Vector &a, const Vector &b, Vector &r) const override;
  void third_derivative_of_rest(const Vector &q, const Vector &a, Vector &r) const override;
  void search(const Vector &q) const override;
  double within_reach(const Vector &q, const Vector &dq) const override { return least_part(q, dq, &Term::largest_step); }
  double free_part(const Vector &q, const Vector &dq) const override { return least_part(q, dq, &Term::free_part); }
  double slack(const Vector &q) const override;
  std::string refusal(const Vector &q, const Vector &dq) const override;
  double least_part(const Vector &q, const Vector &dq, double (Term::*part_of)(const Vector &, const Vector &) const) const;
  bool remembers() const override { return any(&Traits::history) || any(&Traits::keeps_history); }
  bool depends_on_rates() const override { return any(&Traits::rates); }
  bool needs_time() const override { return any(&Traits::needs_time); }
  std::vector<RelaxingLaw> relaxing() const override;
  std::string without_oscillations() const override;
  std::unique_ptr<Increment> oscillating(HistoryPointer about, const Oscillation &oscillation) const override;
  FlowPlace place_of_flow(const HistoryPointer &history) const override;
  std::unique_ptr<Increment> increment(HistoryPointer from, double h, double t) const override;
  HistoryPointer heated(HistoryPointer history, double t) const override;
  HistoryPointer renewed(const HistoryPointer &from, const Vector &start, const Vector &q, int times) const override;
  bool heats_in_time() const override { return any(&Traits::heated_in_time); }
  /// Whether increments of the present stage change temperatures.
  bool heats() const { return heats_in_time() || (parts.actions->statics && any(&Traits::heated)); }
  double heating_work(const State &before, const State &after, bool at_start) const override;
  std::unique_ptr<Increment> at(const State &state) const override;
  Spent spent(const HistoryPointer &history) const override;
  void save_history(const HistoryPointer &history, Archive archive) const override;
  HistoryPointer load_history(const Archive &archive) const override;
  /// Histories that nobody holds: two are lent in turn, so that a run makes no more. As many as the last caller has left in them.
  std::shared_ptr<TermHistories> lend_histories() const;
  /// A copy of a history, nullptr: the virgin one, to be changed.
  std::shared_ptr<TermHistories> copied(const HistoryPointer &history) const;
  /// Errors: std::logic_error where a law has a memory.
  TermStep no_history() const;

  // The same functions in a step of the terms.
  double potential(const Vector &q, const TermStep &step) const;
  ForceReport internal_force(const Vector &q, Vector &f, const TermStep &step) const;
  void remember(const Vector &q, const TermStep &step) const;
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part, const TermStep &step) const;
  void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part, const TermStep &step) const;
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f, const TermStep &step) const;
  double dissipation(const Vector &q, const Vector &v, const TermStep &step) const;
  void damping_force(const Vector &q, const Vector &v, Vector &f, const TermStep &step) const;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms, const TermStep &step) const;
  /// What the terms with a history have in V [J].
  double energy_of_histories(const Vector &q, const TermStep &step) const;

  static At at(const Vector &q) { return {0., &q}; }
  /// Calls visit(term, where) for all terms that act, each with its history.
  template <class Visit>
  void each_term(At where, const TermStep &step, const Visit &visit) const
  {
    where.dt = step.dt;
    where.oscillation = step.oscillation ? &*step.oscillation : nullptr;
    for (std::size_t i = 0; i < parts.terms.size(); ++i)
    {
      if (!parts.terms[i]->acts())
        continue;
      where.from = step.from ? step.from->of(i) : nullptr;
      where.beside = step.from && i > 0 ? step.from->of(i - 1) : nullptr;
      where.to = step.to ? step.to->of(i) : nullptr;
      visit(*parts.terms[i], where);
    }
  }
  void project_supports(Vector &r) const;
  /// f = 0, ready for terms to add to.
  static void begin_sum(Vector &f);
  ForceReport report(double smallest, const Vector &f) const;
  bool linear() const;
  bool any(bool Traits::*property) const;
  bool all(bool Traits::*property) const;
  bool held() const;
  bool supports_move() const;
  bool loaded() const;
  std::shared_ptr<const LinearSolve> diagonal_solve(const Linearisation &terms) const;
  /// The terms, summed into one if they share their matrices.
  Linearisation combined(const Linearisation &terms) const;
  Linearised &linearised_for(const Linearisation &terms) const;
  /// Of a diagonal M.
  const SiteRelations::DiagonalSolve &related_mass() const;
  bool solve_by_masters(const Vector &p, Vector &v, double tolerance) const;
  void prepare_base();
  void prepare_spin();
  /// Errors: InputError where no turn leaves the body as it is.
  void prepare_fixed_frame();
  bool base_carries() const { return parts.base && !parts.base->relative(); }

  Parts parts;
  AssembledMass mass_matrix;
  Couplings couplings, stiff_couplings;
  std::shared_ptr<const SpinLoad> spin;     ///< of a frame that turns; nullptr: none
  std::shared_ptr<const FixedFrame> fixed;  ///< one of the terms; nullptr: the frame turns, or there is none
  Vector gravity;                           ///< of loads with a potential [N]
  bool has_gravity = false;
  std::vector<Vector> base_patterns, base_held;  ///< of each direction: see BaseMotion
  std::unique_ptr<Diagnoses> diagnoses;

  mutable std::vector<std::shared_ptr<TermHistories>> lent;  ///< see lend_histories()
  // Made when first needed: an explicit run has no matrix.
  mutable std::unique_ptr<Linearised> linearised, of_stiff_part;
  mutable std::unique_ptr<SiteRelations::DiagonalSolve> of_related_mass;
  mutable std::unique_ptr<AssembledSystem> without_kicks;
  mutable std::unique_ptr<const TurningWaves> turning_waves;
};
}  // namespace symdyn
