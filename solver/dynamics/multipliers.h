#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "solver/constraints.h"
#include "solver/linear/band_matrix.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
/// The matrix G A^-1 Dᵀ of multipliers: what impulses along the rows of D do to g, whose rows are G. A is the mass, and then diagonal or
/// not, or any linearised system. With a diagonal mass the matrix is sparse and kept as a band; otherwise one solve with A for each row of
/// D.
class Multipliers
{
public:
  explicit Multipliers(const MechanicalSystem &system);
  const HolonomicConstraints &constraints() const { return g; }
  int size() const { return g.size(); }

  /// W = M^-1 Dᵀ
  void directions(const ConstraintRows &D);
  /// The same, where nodal constraints act, too: W then moves along these at q, which act as they do at `from`.
  void directions(const ConstraintRows &D, const Vector &from, const Vector &q);
  /// W = A^-1 Dᵀ on free degrees of freedom.
  void directions(const ConstraintRows &D, const LinearSolve &A, double tolerance);
  /// x += factor W lambda; prescribed components keep.
  void add(double factor, const std::vector<double> &lambda, Vector &x) const;
  /// The same, at the coordinates of the constraints.
  void add(double factor, const std::vector<double> &lambda, std::vector<double> &u) const;
  /// Makes G W ready. Errors: ComputationError if it is singular, naming a constraint.
  void factor(const ConstraintRows &G);
  /// r = (G W)^-1 r
  void solve(std::vector<double> &r) const;

private:
  void number(const ConstraintRows &D);
  void couple_all();
  void fill(const ConstraintRows &G);
  void solve_columns(const ConstraintRows &D, const std::function<void(const Vector &, Vector &)> &solve_by);

  const MechanicalSystem &system;
  const HolonomicConstraints &g;
  bool diagonal = false;
  std::vector<double> inverse_mass;       ///< at the coordinates, 0 where motion is prescribed
  ConstraintRows rows;                    ///< D of a diagonal mass
  std::vector<Vector> columns;            ///< W of another A
  std::vector<std::vector<double>> seen;  ///< the same at the coordinates
  std::vector<unsigned int> order;        ///< of the constraints in the band
  std::vector<std::vector<int>> coupled;  ///< by a coordinate
  std::vector<double> scale;              ///< of rows and columns
  BandMatrix matrix;
};

/// How far a state is from the constraints: the largest |g_i| and |(G v)_i|, and where; the same as a displacement, relative to the
/// constraint's own length, and as a speed [m/s], whatever the units of g.
struct ConstraintError
{
  double g = 0, rate = 0, distance = 0, speed = 0;
  int g_at = 0, rate_at = 0, distance_at = 0, speed_at = 0;
};
/// "constraint 'rods 3: bob2 - bob3' (deck.prm:21 [Constraints/rods])"
std::string constraint_in_words(const HolonomicConstraints &constraints, int i);
/// The setting that takes them away, for messages: of a section Constraints, or of hinges with exact directors, which it has not.
std::string without_constraints(const HolonomicConstraints &constraints);
/// The shortest of their lengths [m].
double shortest(const HolonomicConstraints &constraints);
ConstraintError constraint_error(const HolonomicConstraints &constraints, const State &state);

/// lambda of the equation of motion: G (a + W lambda) + v·g'' v = 0 with state.a = M^-1 (f - dV/dq), without the forces of the
/// constraints, or, beside nodal ones, with theirs.
std::vector<double> multipliers_of_motion(Multipliers &multipliers, const State &state);
/// The same at (t, q, v).
std::vector<double> multipliers_of_motion(const MechanicalSystem &system, const State &state);
/// Gᵀ lambda of the equation of motion at (t, q, v), on prescribed degrees of freedom too [N].
Vector constraint_force(const MechanicalSystem &system, const State &state);
/// a += M^-1 Gᵀ lambda of the equation of motion, where state.a has none of it.
void add_constraint_forces(const MechanicalSystem &system, State &state);
/// mu with G (v - W mu) = 0; beside nodal constraints v is along these. Leaves W of q as the directions.
std::vector<double> rate_multipliers(Multipliers &multipliers, const State &state);

/// (G(q) W)^-1 G(q) x, W being the directions.
std::vector<double> multipliers_across(Multipliers &multipliers, const Vector &q, const Vector &x);
/// M^-1 G(q)ᵀ lambda, whether nodal constraints act, too, or not.
Vector impulse(const MechanicalSystem &system, const Vector &q, const std::vector<double> &lambda);
/// M^-1 sum_i lambda_i g_i''(q) dq
Vector bend(const MechanicalSystem &system, const Vector &q, const std::vector<double> &lambda, const Vector &dq);

/// v -= M^-1 Gᵀ (G M^-1 Gᵀ)^-1 G v
void project_rates(const MechanicalSystem &system, State &state);
/// The tangent (dq, dv) at a state that fulfils the constraints, without its part across them: G dq = 0, G dv + v·g'' dq = 0.
void project_tangent(const MechanicalSystem &system, const State &state, Vector &dq, Vector &dv);
/// q += M^-1 G(q)ᵀ mu until g(q) = 0, then v -= M^-1 Gᵀ (G M^-1 Gᵀ)^-1 G v: the nearest state in the metric of M, about; of
/// nodal constraints q moves along Gᵀ without M^-1. Errors:
/// ComputationError.
void project_on_constraints(const MechanicalSystem &system, State &state);
}  // namespace symdyn
