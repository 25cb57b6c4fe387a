#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/system/joint_layout.h"
#include "elements/system/node_masses.h"
#include "elements/system/ties.h"

namespace symdyn
{
/// A body on a mesh and points, some of which are nodes of the body: a mass on a spring on a block, rigid links between two bodies. With E,
/// which takes the displacements of all points from those of the system,
///     V = V_body(u) + V_points(E q),   M = M_body + Eᵀ m E,   g = g(E q)
/// and so on with forces, damping and loads. Vectors are the body's, with the displacements of the other points behind those of the first
/// rank. The points are few: every rank computes what acts on all of them.
class JointSystem : public MechanicalSystem, public TableDriven
{
public:
  /// `parts.points[k].node` says which are nodes of the body. Errors: InputError for constraints on a node with an inclined
  /// support.
  JointSystem(NodalSystem &body, DiscreteSystem::Parts parts, std::shared_ptr<LinearSolver> linear_solver, double linear_tolerance);
  ~JointSystem() override;

  Vector new_vector() const override { return layout.new_vector(); }
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
  void add_load_stiffness(double t, const Vector &q, const Vector &u, Vector &Ku) const override;
  void load_force(std::size_t number, double t, const Vector &q, Vector &f) const override;
  std::vector<std::string> weights() const override { return body.weights(); }
  std::vector<LoadJump> load_jumps(double h) const override { return body.load_jumps(h); }
  void set_step_interval(double t0, double t1, double h) override { body.set_step_interval(t0, t1, h); }
  /// Those of the body: its base is that of the points.
  std::vector<DrivingTable> driving_tables() const override;
  void average_tables(const StepMean &mean) override;
  using MechanicalSystem::factor;
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override;
  double rounding(const Vector &q) const override;
  double potential_rounding() const override { return body.potential_rounding() + points.potential_rounding(); }
  double highest_frequency(double t, const Vector &q, bool lumped = false) const override;
  void impose(double t, Vector &q, Vector &v, Vector &a) const override;
  void project(Vector &r) const override;
  void project_prescribed(Vector &r) const override;
  const HolonomicConstraints *constraints() const override;
  const HolonomicConstraints *penalties() const override;
  double penalty_omega() const override { return points.penalty_omega(); }
  std::vector<std::string> momenta() const override { return body.momenta(); }
  void generator(std::size_t i, const Vector &q, Vector &xi) const override;
  std::vector<std::uint64_t> identities() const override;
  bool has(Feature feature) const override;
  bool admissible() const override { return body.admissible() && points.admissible(); }
  std::string diagnose(const Vector &q) const override;
  std::vector<std::string> load_names() const override;
  void begin_loads(const std::vector<bool> &act) override;
  void set_statics(bool now) override;
  void set_load_factor(double factor) override;

  /// The supports of the body have changed; these equations hold from now on. Errors: InputError beside exact constraints, and of Ties.
  void begin_supports(const std::vector<bool> &equations);
  /// A load (1 - load factor) f until the next stage [N]. An empty vector: none.
  void fade(const Vector &f) { fading = f; }
  /// What of x belongs to the body, and to all points.
  Vector of_body(const Vector &x) const;
  Vector of_points(const Vector &x) const;
  /// x of these parts; of the points only what is their own.
  Vector joined(const Vector &of_body, const std::vector<double> &of_points) const;
  /// Forces on points, summed over nodes of the body.
  Vector on_nodes(const Vector &forces_on_points) const;
  const DiscreteSystem &point_system() const { return points; }

private:
  class Operator;
  class Solve;
  class DiagonalSolve;
  class Constraints;
  using Given = std::vector<const Vector *>;

  /// The body's part; `buffer`: where it is kept if it is not x itself.
  const Vector &seen_by_body(const Vector &x, Vector &buffer) const;
  /// result = act(the body's parts of what is given).
  template <class Act>
  void on_body(const Given &given, Vector &result, const Act &act) const;
  /// result += act(the points' parts).
  template <class Act>
  void add_points(const Given &given, Vector &result, const Act &act) const;
  bool acts() const;
  void project_supports(Vector &r) const;
  void impose_supports(double t, Vector &q, Vector &v, Vector &a) const;
  void untied_mass_solve(const Vector &p, Vector &v, double tolerance) const;
  std::shared_ptr<const LinearSolve> diagonal_solve(const Linearisation &terms) const;
  void set_up_solver() const;

  NodalSystem &body;
  DiscreteSystem points;
  JointLayout layout;
  std::unique_ptr<NodeMasses> node_masses;
  Ties ties;
  std::shared_ptr<LinearSolver> linear_solver;
  double linear_tolerance;
  Vector fading;
  bool points_act = false;  ///< or bear constraints alone
  std::unique_ptr<Constraints> exact, soft;

  mutable std::unique_ptr<Operator> linearised;
  mutable std::unique_ptr<Weights> weights_of_solver;  ///< of the last factor(), if K does not depend on q
  mutable std::uint64_t linearisations = 0;
  mutable bool solver_is_set_up = false;
  mutable std::unique_ptr<Ties::Elimination> elimination, mass_elimination;  ///< of the linearised system, of M
};

template <class Act>
void JointSystem::on_body(const Given &given, Vector &result, const Act &act) const
{
  if (layout.plain())
  {
    act(given, result);
    return;
  }
  std::vector<Vector> buffers(given.size());
  Given of_body_now;
  for (std::size_t i = 0; i < given.size(); ++i)
    of_body_now.push_back(&seen_by_body(*given[i], buffers[i]));
  Vector result_of_body = body.new_vector();
  act(of_body_now, result_of_body);
  layout.from_body(result_of_body, result);
}

template <class Act>
void JointSystem::add_points(const Given &given, Vector &result, const Act &act) const
{
  if (!points_act)
    return;
  std::vector<Vector> parts(given.size());
  Given of_points_now;
  for (std::size_t i = 0; i < given.size(); ++i)
  {
    parts[i] = of_points(*given[i]);
    of_points_now.push_back(&parts[i]);
  }
  Vector added = points.new_vector();
  act(of_points_now, added);
  layout.add(added.begin(), result);
}
}  // namespace symdyn
