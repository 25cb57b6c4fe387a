#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "solver/linear_solve.h"
#include "solver/vector.h"

namespace symdyn
{
class HolonomicConstraints;

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
  damping,            ///< C is not zero
  stiffness_damping,  ///< C is not diagonal: a part proportional to K, a Kelvin-Voigt law, dashpots between nodes
  nonlinear_damping,  ///< C depends on q
  loads,              ///< applied forces that are not part of V
  follower_loads,
  gravity,            ///< a constant field in V
  supports,           ///< some degrees of freedom are prescribed
  moving_supports,    ///< and not all of them rest
  linear,             ///< f_int is linear in q
  stiff_part,         ///< a part of V is marked stiff in the deck
  momentum_gradient,  ///< discrete_gradient keeps the momenta that V keeps, not the energy alone
  quadratic_energy    ///< strain energies are quadratic in a quadratic strain (St.Venant-Kirchhoff): Simo-Tarnow applies
};

/// Of the potential: a material, elements or a term of it may be marked stiff in the deck.
enum class Part
{
  all,
  stiff
};

/// A load whose amplitude jumps [s, -].
struct LoadJump
{
  std::string load;
  double from, to, before, after;
};
/// Times that are closer than this part of a step are one to a scheme.
constexpr double jump_width = 0.01;

/// One term m M + c dF_damp/dv + k (V'' - df_applied/dq) of a linearised system, at its point.
struct LinearTerm
{
  Weights weights;
  double t;
  const Vector *q, *v;
  const Vector *from = nullptr;  ///< K is d/dq of discrete_gradient(from, q), unsymmetric, without the loads
  Part part = Part::all;         ///< of V'' (the loads only with Part::all)
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

/// M q'' + dR/dv + dV/dq = f(t, q, v), M constant, symmetric, positive definite. All vectors carry every degree of freedom;
/// residuals, mass_solve and factor act on the free ones, `impose` supplies the others.
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
  /// state may not): see admissible().
  virtual void internal_force(const Vector &q, Vector &f) const = 0;
  /// Ku = V''(q) u [N].
  virtual void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part = Part::all) const = 0;
  /// r_i = V'''_ijk a_j a_k.
  virtual void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part = Part::all) const = 0;
  /// A discrete gradient (Gonzalez 1996): f·(q1 - q0) = V(q1) - V(q0), f -> dV/dq where q1 -> q0. Of solids and bars it is
  /// taken strain by strain, so that f keeps the momenta of V too.
  virtual void discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const = 0;
  /// Rayleigh function R = ½ v·C v [W].
  virtual double dissipation(const Vector &q, const Vector &v) const = 0;
  /// f = dR/dv = C v [N].
  virtual void damping_force(const Vector &q, const Vector &v, Vector &f) const = 0;
  /// Applied loads: traction, pressure, body, nodal [N]; scaled by the load factor.
  virtual void applied_force(double t, const Vector &q, const Vector &v, Vector &f) const = 0;
  /// Ku -= df_applied/dq u [N], of the loads that follow the body with their present factors. V'' - df_applied/dq is the tangent of motions
  /// about q.
  virtual void add_load_stiffness(double /*t*/, const Vector & /*q*/, const Vector & /*u*/, Vector & /*Ku*/) const {}
  /// The sum of the terms, ready to be solved. Valid until the next call.
  virtual std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const = 0;
  /// One term at (t, q, v).
  std::shared_ptr<const LinearSolve> factor(const Weights &w, double t, const Vector &q, const Vector &v) const
  {
    return factor(Linearisation{{w, t, &q, &v}});
  }
  /// A bound of the rounding error in |residual| of m M + c C + k K at q, from the last factor(); 0 before.
  virtual double rounding(const Vector &q) const = 0;
  /// Energies below this are rounding of V [J].
  virtual double potential_rounding() const { return 0.; }
  /// Largest circular frequency of K(q) u = omega² M u [rad/s], from below to 1e-4 relative. `lumped`: with the lumped mass,
  /// whatever the system's own is.
  virtual double highest_frequency(double t, const Vector &q, bool lumped = false) const = 0;
  /// Prescribed motion at t: writes the prescribed components of q [m], v [m/s] and a [m/s²], leaves the others.
  virtual void impose(double t, Vector &q, Vector &v, Vector &a) const = 0;
  /// Sets the prescribed components to zero.
  virtual void project(Vector &r) const = 0;
  /// Keeps the prescribed components only.
  virtual void project_prescribed(Vector &r) const = 0;
  /// Constraints that the scheme must keep; nullptr if there are none.
  virtual const HolonomicConstraints *constraints() const { return nullptr; }
  /// Constraints that stiff penalties ½ omega² gᵀg in V keep about zero, and omega [rad/s for unit mass]; nullptr if there are none.
  virtual const HolonomicConstraints *penalties() const { return nullptr; }
  virtual double penalty_omega() const { return 0.; }
  virtual std::vector<Rotation> rotations() const { return {}; }
  /// A number for each degree of freedom of this rank, which tells them apart on however many ranks they are.
  virtual std::vector<std::uint64_t> identities() const
  {
    std::vector<std::uint64_t> numbers(new_vector().locally_owned_size());
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }
  /// Names of the momenta J_i = xi_i(q)·p that a free body keeps: "P_x", "P_y", "J_z" in a plane.
  virtual std::vector<std::string> momenta() const = 0;
  /// xi_i(q): the field of velocities of the translation or rotation (about the origin, of X + u) that belongs to momentum i.
  virtual void generator(std::size_t i, const Vector &q, Vector &xi) const = 0;
  virtual bool has(Feature) const = 0;
  /// False if the last internal_force() met an inverted cell. Collective.
  virtual bool admissible() const = 0;
  /// Why q is not admissible ("cell at (1, 0, 0) m is inverted: det F = -0.1"), or "".
  virtual std::string diagnose(const Vector &q) const = 0;
  /// Names of the applied loads, gravity on a body among them, in the order of the deck.
  virtual std::vector<std::string> load_names() const { return {}; }
  /// f = the load of this number at full strength, whether it acts or not [N].
  virtual void load_force(std::size_t /*number*/, double /*t*/, const Vector & /*q*/, Vector &f) const { f = 0.; }
  /// Names of those that are constant by nature: the weight of a body.
  virtual std::vector<std::string> weights() const { return {}; }
  /// Jumps of the loads that act, as far as they are known: rows of tables that follow each other within jump_width steps of this length.
  virtual std::vector<LoadJump> load_jumps(double /*h*/) const { return {}; }
  /// From now on loads are those of a step of length h, or of the part from t0 to t1 of one: what jumps at t0 has jumped, what jumps at t1
  /// has not. h infinite: of no step.
  virtual void set_step_interval(double /*t0*/, double /*t1*/, double /*h*/) {}
  /// A stage begins in which these of them act; others that acted before it are taken away.
  virtual void begin_loads(const std::vector<bool> & /*act*/) {}
  /// Whether the present stage is static: M and C do not enter, in no load either.
  virtual void set_statics(bool /*now*/) {}
  /// How far the loads have come from what they were before the stage (0) to what they are in it (1); prescribed displacements too, in the
  /// first stage.
  virtual void set_load_factor(double factor) = 0;
};

/// All that a restart needs. Also a tangent vector of such states (then t and n mean nothing).
struct State
{
  double t = 0;
  std::uint64_t n = 0;
  Vector q, v, a;
  std::map<std::string, Vector> memory;
};
}  // namespace symdyn
