#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/force_report.h"
#include "solver/linear_solve.h"
#include "solver/vector.h"

namespace symdyn
{
class Diagnosis;
class History;
class HolonomicConstraints;
class NodalConstraints;
class Unknowns;

/// The weights of m M + c C + k K(q); with operators, so that code reads
///     system.factor(M + gamma*h*C + beta*h*h*K, t, q, v)
struct Weights
{
  double m = 0, c = 0, k = 0;
  friend Weights operator+(const Weights &a, const Weights &b) { return {a.m + b.m, a.c + b.c, a.k + b.k}; }
  friend Weights operator*(double s, const Weights &w) { return {s * w.m, s * w.c, s * w.k}; }
  friend bool operator==(const Weights &a, const Weights &b) { return a.m == b.m && a.c == b.c && a.k == b.k; }
};
constexpr Weights M{1, 0, 0}, C{0, 1, 0}, K{0, 0, 1};

/// What a scheme may need of a system and a deck must provide.
enum class Feature
{
  diagonal_mass,
  nodal_mass,         ///< M joins at most the place and the directors of a node, as a diagonal one does: explicit schemes need it
  damping,            ///< C is not zero
  stiffness_damping,  ///< C is not diagonal: a part proportional to K, a Kelvin-Voigt law, dashpots between nodes
  nonlinear_damping,  ///< C depends on q
  loads,              ///< applied forces that are not part of V
  follower_loads,
  gravity,                 ///< a constant field in V
  supports,                ///< some degrees of freedom are prescribed
  moving_supports,         ///< and not all of them rest
  linear,                  ///< f_int is linear in q
  stiff_part,              ///< a part of V is marked stiff in the deck
  momentum_gradient,       ///< discrete_gradient keeps the momenta that V keeps, not the energy alone
  quadratic_energy,        ///< energies are quadratic in a quadratic strain, beside contact, which has its own: Simo-Tarnow applies
  history,                 ///< a law has a memory, which steps change
  heated,                  ///< temperatures change, with time or in static stages
  no_increment_potential,  ///< and no incremental potential: matrices of a step are unsymmetric
  carried_stresses         ///< a linearisation uses LinearTerm::before
};

/// Of the potential: a material, elements or a term of it may be marked stiff in the deck.
enum class Part
{
  all,
  stiff
};

/// One term m M + c dF_damp/dv + k (V'' - df_applied/dq) of a linearised system, at its point.
struct LinearTerm
{
  Weights weights;
  double t;
  const Vector *q, *v;
  const Vector *from = nullptr;  ///< K is d/dq of discrete_gradient(from, q), unsymmetric, without the loads
  Part part = Part::all;         ///< of V'' (the loads only with Part::all)
  /// q of the iterate before. Terms that are quadratic in quadratic strains then take in the geometric part of V'' stresses carried on from
  /// there, D (eps(before) + B(before)·(q - before)), which Newton's method converges better with (Magisano, Leonetti, Garcea 2017).
  const Vector *before = nullptr;
  /// A force at q [N]; nullptr: none. Where it is given, A is that of motions along nodal constraints, and has the curvature of these under
  /// the part of the force across them: Nᵀ (A - k sum lambda g'') N. With `from` forces act across them at the middle q_m = ½ (from + q):
  /// N(q_m)ᵀ (A - ½ k sum lambda g'') N(q).
  const Vector *across = nullptr;
  /// Where forces across nodal constraints act instead, which then have no curvature: N(across_at)ᵀ A N(q). nullptr: at q.
  const Vector *across_at = nullptr;
  /// With `before`: where the step from there led, before nodal constraints moved it onto q. Stresses are carried on to here, since a
  /// motion along the constraints is linear in the unknowns, and what moves it onto them is not. nullptr: to q.
  const Vector *led = nullptr;
};
using Linearisation = std::vector<LinearTerm>;

/// A rigid body in a system: nine coordinates, column by column of its matrix R, whose kinetic energy is sum_j E_j/2 |e_j'|².
struct Rotation
{
  unsigned int first;          ///< degree of freedom; of one rank
  std::array<double, 9> axes;  ///< R where they are 0
  std::array<double, 3> E;     ///< [kg m²], the moments of the planes through the centre
  bool held;                   ///< R is kept a rotation by a penalty or constraints
};

/// What keeps a system in shape beside its supports.
struct KinematicConstraints
{
  const HolonomicConstraints *exact = nullptr;      ///< that the scheme must keep; nullptr: none, or the nodal ones
  const HolonomicConstraints *penalties = nullptr;  ///< that stiff penalties ½ omega² gᵀg in V keep about zero; nullptr: none
  double penalty_omega = 0;                         ///< [rad/s for unit mass]
  std::vector<Rotation> rotations;
  bool momentum_gradient = true;            ///< discrete gradients of the exact ones keep the momenta that they keep
  const NodalConstraints *nodal = nullptr;  ///< that the scheme must keep, each of which couples one node alone; then `exact` is nullptr
};

/// M q'' + dR/dv + dV/dq = f(t, q, v), M constant, symmetric, positive definite. All vectors carry every degree of freedom;
/// residuals, mass_solve and factor act on the free ones, `impose` supplies the others. Loads and prescribed motion act as strongly as the
/// Actions that the system refers to say.
class MechanicalSystem
{
public:
  virtual ~MechanicalSystem() = default;

  /// Zero, with ghost entries.
  virtual Vector new_vector() const = 0;
  /// Mv = M v [kg m/s for a velocity].
  virtual void mass(const Vector &v, Vector &Mv) const = 0;
  /// v with (M v - p) = 0 on the free degrees of freedom, zero on the others; |M v - p| <= tolerance |p| where M is not diagonal.
  virtual void mass_solve(const Vector &p, Vector &v, double tolerance = 1e-14) const = 0;
  /// V(q) [J]: strain energy and constant gravity; without applied loads.
  virtual double potential(const Vector &q) const = 0;
  /// f_i = dV/dq_i [N]. Where a cell is inverted the law may still give a force (an iterate of Newton may pass there, a
  /// state may not): the report says so.
  virtual ForceReport internal_force(const Vector &q, Vector &f) const = 0;
  /// Ku = V''(q) u [N].
  virtual void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part = Part::all) const = 0;
  /// r_i = V'''_ijk a_j a_k.
  virtual void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part = Part::all) const = 0;
  /// A discrete gradient (Gonzalez 1996): f·(q1 - q0) = V(q1) - V(q0), f -> dV/dq where q1 -> q0. Of solids and bars it is
  /// taken strain by strain, so that f keeps the momenta of V too. The report is on q1.
  virtual ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const = 0;
  /// Rayleigh function R = ½ v·C v [W].
  virtual double dissipation(const Vector &q, const Vector &v) const = 0;
  /// f = dR/dv = C v [N].
  virtual void damping_force(const Vector &q, const Vector &v, Vector &f) const = 0;
  /// Applied loads: traction, pressure, body, nodal [N].
  virtual void applied_force(double t, const Vector &q, const Vector &v, Vector &f) const = 0;
  /// Ku -= df_applied/dq u [N], of the loads that follow the body. V'' - df_applied/dq is the tangent of motions about q.
  virtual void add_load_stiffness(double /*t*/, const Vector & /*q*/, const Vector & /*u*/, Vector & /*Ku*/) const {}
  /// The sum of the terms, ready to be solved. Valid until the next call.
  virtual std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const = 0;
  /// One term at (t, q, v).
  std::shared_ptr<const LinearSolve> factor(const Weights &w, double t, const Vector &q, const Vector &v) const
  {
    return factor(Linearisation{{w, t, &q, &v}});
  }
  /// Prescribed motion at t: writes the prescribed components of q [m], v [m/s] and a [m/s²], leaves the others.
  virtual void impose(double t, Vector &q, Vector &v, Vector &a) const = 0;
  /// Sets the prescribed components to zero.
  virtual void project(Vector &r) const = 0;
  /// Keeps the prescribed components only.
  virtual void project_prescribed(Vector &r) const = 0;
  /// The default: none.
  virtual const KinematicConstraints &kinematic_constraints() const;
  const HolonomicConstraints *constraints() const { return kinematic_constraints().exact; }
  const HolonomicConstraints *penalties() const { return kinematic_constraints().penalties; }
  const NodalConstraints *nodal_constraints() const { return kinematic_constraints().nodal; }
  const std::vector<Rotation> &rotations() const { return kinematic_constraints().rotations; }
  virtual bool has(Feature) const = 0;
  virtual const Unknowns &unknowns() const = 0;
  virtual const Diagnosis &diagnosis() const = 0;
};

/// Whether there are exact constraints, of nodes or between them.
inline bool is_constrained(const MechanicalSystem &system) { return system.constraints() || system.nodal_constraints(); }
/// Of system.diagnosis(), for the messages of a scheme: why q is not admissible, or "". Collective.
std::string diagnose(const MechanicalSystem &system, const Vector &q);
/// Energies below this are rounding of V [J].
double potential_rounding(const MechanicalSystem &system);

/// nullptr: nothing has been lived through.
using HistoryPointer = std::shared_ptr<const History>;

/// All that a restart needs. Also a tangent vector of such states (then t and n mean nothing).
struct State
{
  double t = 0;
  std::uint64_t n = 0;
  Vector q, v, a;
  std::map<std::string, Vector> memory;  ///< of the scheme
  HistoryPointer history;                ///< of the materials: see history.h
};
}  // namespace symdyn
