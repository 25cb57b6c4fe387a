#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "solver/block_matrix.h"
#include "solver/history.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
/// The point at which a term is evaluated. Vectors have ghost values.
struct At
{
  double t = 0;                      ///< [s]
  const Vector *q = nullptr;         ///< displacements of sites [m]
  const Vector *v = nullptr;         ///< [m/s]; nullptr: not needed
  const Vector *previous = nullptr;  ///< q0 of a discrete gradient between q0 and q, and of its matrix
  Part part = Part::all;
  const double *from = nullptr;    ///< history of this term up to the last accepted state, aligned to 64 bytes; nullptr: none
  double dt = 0;                   ///< length of the increment [s]; 0: history is frozen, the answer is the elastic one about the state;
                                   ///< without_rates: rates do not act
  double *to = nullptr;            ///< where the history at q goes, aligned to 64 bytes; nullptr: not wanted
  const Vector *before = nullptr;  ///< of V'' alone: LinearTerm::before
  const Vector *led = nullptr;     ///< with it: LinearTerm::led
  const Oscillation *oscillation = nullptr;  ///< of V'' alone, where history is frozen: its stiffness instead
  const double *beside = nullptr;            ///< as `from`, of the term before this one: of friction the multipliers of its contact
};

/// Properties of a term that the system and the schemes use.
struct Traits
{
  bool linear = false;             ///< forces are linear in displacements
  bool quadratic = false;          ///< the energy is quadratic in a strain that is quadratic in displacements
  bool momentum_gradient = true;   ///< the discrete gradient keeps the momenta that V keeps
  bool stiff = false;              ///< a part of it is of Part::stiff
  bool matrix_free = false;        ///< products cost less than a matrix
  bool weighs = false;             ///< a constant field of gravity is in its energy
  bool carries = false;            ///< uses At::before
  bool thin = false;               ///< elements of lines and surfaces: factors stay small, multigrid does not suit them
  bool damps = false;              ///< has a Rayleigh function
  bool damping_couples = false;    ///< C is not diagonal
  bool nonlinear_damping = false;  ///< C depends on q
  bool history = false;            ///< a law has a memory, which steps change: V is the incremental potential W_n of a step
  bool rates = false;              ///< of those: W_n depends on the length of the step
  bool needs_time = false;         ///< or: it has no increments without rates
  bool condenses = false;          ///< laws that relax are in elements with inner unknowns, which are condensed
  bool no_potential = false;       ///< or: there is no W_n, and V is A
  bool unsymmetric = false;        ///< of those: V'' of a step is unsymmetric
  bool heated = false;             ///< or: it has temperatures, TermHistory::heat()
  bool heated_in_time = false;     ///< of those: also while no stage takes them from one field to another
  bool keeps_history = false;      ///< or: there is a history that no step in time changes, temperatures that stay
  bool searches = false;           ///< has neighbours: search() and largest_step()
  double impact = 0;               ///< of contacts: the square of the frequency that a closed one adds [rad²/s²]

  bool remembers() const { return history || keeps_history; }
};

/// A matrix that terms add to. Rows of owned sites are complete on their rank, so each rank adds every cell and element that it knows;
/// entries of rows of other ranks are dropped.
struct MatrixSink
{
  const BlockMatrix &A;

  /// A_ij += value, i and j local degrees of freedom.
  void add(const int i, const int j, const double value) const
  {
    const int n = A.pattern->block;
    if (i / n < A.pattern->rows())
      A.at(i / n, A.pattern->position(i / n, j / n))(i % n, j % n) += value;
  }
  /// A_ij += the block k (by rows), i and j local sites.
  void add_block(const int i, const int j, const double *k) const
  {
    if (i >= A.pattern->rows())
      return;
    const int n = A.pattern->block;
    const BlockMatrix::Block target = A.at(i, A.pattern->position(i, j));
    for (int d = 0; d < n; ++d)
      for (int e = 0; e < n; ++e)
        target(d, e) += k[d * n + e];
  }
  /// Blocks k[a][b] (by rows) of all pairs of these local sites.
  void add_blocks(const std::vector<unsigned int> &sites, const std::vector<double> &k) const
  {
    const int n = A.pattern->block;
    for (std::size_t a = 0; a < sites.size(); ++a)
      for (std::size_t b = 0; b < sites.size(); ++b)
        add_block(sites[a], sites[b], &k[(a * sites.size() + b) * n * n]);
  }
};

/// Takes the pairs of local sites whose degrees of freedom a term couples.
using Couple = std::function<void(int, int)>;

/// What a term keeps of its past: numbers in the term's own layout, which it reads at At::from and writes at At::to. The default: nothing.
class TermHistory
{
public:
  virtual ~TermHistory() = default;

  /// Doubles on this rank, of owned cells and of the ghost cells that matrices need; a multiple of the lanes of a Wide.
  virtual std::size_t history_size() const { return 0; }
  /// Writes the undeformed, virgin state.
  virtual void begin_history(double * /*history*/) const {}

  /// Of a step that is accepted: writes at At::to what laws do not write with their forces, by At::q and At::from. The last call of a step.
  virtual void remember(const At &) const {}

  /// Whether the step from At::from to At::q is repeated, with the state of its end in place of that of its start. `times`: repetitions
  /// before this one. Errors: ComputationError on all ranks, where repetitions do not converge. Collective.
  virtual bool repeats(const At &, int /*times*/) const { return false; }
  /// For that: writes the history At::from of a start At::previous at At::to.
  virtual void renew(const At &) const {}

  /// Of points with temperatures: takes those that `history` remembers to the time t [s], as the stage has it, or to those of another
  /// history (nullptr: none).
  virtual void heat(double /*t*/, const double * /*as*/, double * /*history*/) const {}

  /// What laws have used up to this history, of the owned cells: to be summed over ranks.
  virtual Spent spent(const double * /*history*/) const { return {}; }

  /// Materials that relax, of all ranks.
  virtual std::vector<RelaxingLaw> relaxing() const { return {}; }
  /// Of the cells of this rank.
  virtual FlowPlace place_of_flow(const double * /*history*/) const { return {}; }

  /// History by cell, for checkpoints: independent of layout and number of ranks.
  struct HistoryBlocks
  {
    int doubles = 0;                        ///< of a block; the same on all ranks
    std::size_t owned = 0;                  ///< blocks of owned cells, which come first; then ghosts
    std::vector<std::uint64_t> identities;  ///< of each cell, below 2^62, the same on any number of ranks
  };
  virtual HistoryBlocks history_blocks() const { return {}; }
  /// The blocks of the owned cells, in the order of history_blocks().
  virtual void pack_history(const double * /*history*/, std::vector<double> & /*blocks*/) const {}
  /// From the blocks of all cells of history_blocks(), ghosts included.
  virtual void unpack_history(const std::vector<double> & /*blocks*/, double * /*history*/) const {}
};

/// One family of forces: the cells of a body, the bars of a section of the deck, a contact. A term adds to vectors over the sites of a
/// Space (degree of freedom = block * site + component; owned sites first, then ghosts): the system zeroes them, updates ghosts and
/// compresses once for all terms. Each rank adds its own share; reductions are the system's. What each function must hold to is tested by
/// differences: each is the derivative of the one before. A term with history takes W_n for V, the incremental potential of a step from
/// At::from of length At::dt: its forces and matrices are those of the law's algorithm; with dt = 0 they are elastic about At::from, and V
/// is the stored energy.
class Term : public TermHistory
{
public:
  virtual Traits traits() const = 0;
  /// Of contacts that stages switch: whether this one is off. It is asked for nothing but remember(), and forgets what acts.
  std::function<bool()> is_off;
  bool acts() const { return !is_off || !is_off(); }
  /// V of this rank's share [J].
  virtual double energy(const At &) const { return 0.; }
  /// f += dV/dq [N]. Returns the smallest det F on this rank, or another number that is not positive where the force is meaningless.
  virtual double add_force(const At &, Vector & /*f*/) const { return always_admissible; }
  /// f += a discrete gradient between at.previous and at.q: f·(q1 - q0) = V(q1) - V(q0). Returns as add_force().
  virtual double add_discrete_gradient(const At &, Vector & /*f*/) const { return always_admissible; }
  /// r += (k V'' + c C) u.
  virtual void add_product(const At &, const Weights &, const Vector & /*u*/, Vector & /*r*/) const {}
  /// r_i += V'''_ijk a_j a_k.
  virtual void add_second_product(const At &, const Vector & /*a*/, Vector & /*r*/) const {}
  /// f += dR/dv = C(q) v [N].
  virtual void add_damping_force(const At &, Vector & /*f*/) const {}
  /// f += C r of the dashpots to the ground of this rank, for a translation r of all.
  virtual void add_ground_damping(const Vector & /*r*/, Vector & /*f*/) const {}
  /// f += factor * (constant forces of this rank that are a part of V and of dV/dq: the weight of points).
  virtual void add_weight(double /*factor*/, Vector & /*f*/) const {}
  /// A += k V'' + c C; of the discrete gradient where at.previous is given: k d/dq of it, C at ½ (q0 + q).
  virtual void add_matrix(const At &, const Weights &, const MatrixSink &) const = 0;
  /// The same, blocks on the diagonal alone. Of terms that are matrix-free.
  virtual void add_diagonal(const At &, const Weights &, const BlockMatrix & /*D*/) const {}
  virtual void couple(const Couple &) const = 0;
  /// The same of matrices of Part::stiff.
  virtual void couple_stiff(const Couple &join) const { couple(join); }
  /// How often V'' stands in k V'' + c C: damping may be proportional to it.
  virtual double stiffness_weight(const At &, const Weights &weights) const { return weights.k; }

  /// Grows, on every rank alike, when the pairs that couple() reports change on some rank.
  virtual std::uint64_t revision() const { return 0; }
  /// Between steps: finds the neighbours about q, by q alone, so that a restart finds the same ones. Collective.
  virtual void search(const Vector & /*q*/) {}
  /// The part of the motion from q to q + dq for which the neighbours of the last search hold, at most 1; 0: not even at q. Collective.
  virtual double largest_step(const Vector & /*q*/, const Vector & /*dq*/) const { return 1.; }
  /// The part of it on which bodies do not meet; 0: they have met at q. Iterates of Newton's method go no farther. Collective.
  virtual double free_part(const Vector & /*q*/, const Vector & /*dq*/) const { return 1.; }

  /// Energy of a strain of 1 on this rank, about [J]: by this V rounds.
  virtual double energy_scale() const { return 0.; }
  /// Why the force at q is meaningless ("cell at (1, 0, 0) m is inverted: det F = -0.1"), or "". Of this rank.
  virtual std::string diagnose(const Vector & /*q*/) const { return ""; }

  static constexpr double always_admissible = std::numeric_limits<double>::max();
};
}  // namespace symdyn
