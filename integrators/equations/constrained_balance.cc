#include "integrators/equations/constrained_balance.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "integrators/equations/nodal_balance.h"
#include "integrators/equations/step_start.h"
#include "solver/carried_stresses.h"

// Saddle points by the Schur complement: Benzi, Golub, Liesen 2005.
namespace symdyn
{
/// Vectors of the unknowns of a body and of multipliers, which stand behind those of the first rank and are known to all.
class ConstrainedBalance::Joint
{
public:
  Joint(const Vector &body, const int multipliers) : m(multipliers), communicator(body.get_mpi_communicator()), of(body.get_partitioner())
  {
    first = dealii::Utilities::MPI::this_mpi_process(communicator) == 0;
    const auto [begin, end] = body.get_partitioner()->local_range();
    dealii::IndexSet own(body.size() + m);
    own.add_range(first ? begin : begin + m, end + m);
    layout = std::make_shared<dealii::Utilities::MPI::Partitioner>(own, communicator);
  }

  Vector joined(const Vector &x, const std::vector<double> &lambda) const
  {
    Vector all(layout);
    join(x, lambda, all);
    return all;
  }
  void join(const Vector &x, const std::vector<double> &lambda, Vector &all) const
  {
    std::copy_n(x.begin(), x.locally_owned_size(), all.begin());
    if (first)
      std::copy(lambda.begin(), lambda.end(), all.begin() + x.locally_owned_size());
  }
  void split(const Vector &all, Vector &x, std::vector<double> &lambda) const
  {
    std::copy_n(all.begin(), x.locally_owned_size(), x.begin());
    x.update_ghost_values();
    lambda.assign(m, 0.);
    if (first)
      std::copy_n(all.begin() + x.locally_owned_size(), m, lambda.begin());
    if (dealii::Utilities::MPI::n_mpi_processes(communicator) > 1)
      lambda = dealii::Utilities::MPI::broadcast(communicator, lambda, 0);
  }

  bool fits(const Vector &body, const int multipliers) const { return of == body.get_partitioner() && m == multipliers; }

private:
  int m;
  MPI_Comm communicator;
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> of;
  bool first;
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> layout;
};

namespace
{
void scale(std::vector<double> &values, const double factor)
{
  for (double &value : values)
    value *= factor;
}

/// r -= Dᵀ lambda; `w` is overwritten.
void subtract_constraint_forces(const HolonomicConstraints &g, const ConstraintRows &D, const std::vector<double> &lambda,
                                std::vector<double> &w, Vector &r)
{
  w.assign(g.coordinates(), 0.);
  D.add_transposed(lambda, w);
  for (double &value : w)
    value = -value;
  g.scatter(w, r);
}

/// D of the force: G(u0), or the discrete G between both.
void rows_of_force(const HolonomicConstraints &g, const bool discrete, const std::vector<double> &u0, const std::vector<double> &u1,
                   ConstraintRows &D)
{
  if (discrete)
    g.discrete_jacobian(u0, u1, D);
  else
    g.jacobian(u0, D);
}

/// [kg], over the degrees of freedom.
double mean_mass(const MechanicalSystem &system, const Vector &like)
{
  Vector ones = like, masses = like;
  ones = 1.;
  system.mass(ones, masses);
  return (ones * masses) / ones.size();
}

/// [A  -Dᵀ; s G  0], G already times the slope dq of q_1 by x. By A^-1 Dᵀ and the small matrix G A^-1 Dᵀ.
template <class Joint>
class SaddleSolve : public LinearSolve
{
public:
  /// `keep`: what nodal constraints leave of a force.
  SaddleSolve(std::shared_ptr<const LinearSolve> A, const Joint &joint, Multipliers &multipliers, ConstraintRows D, ConstraintRows G,
              const Vector &like, std::function<void(Vector &)> keep)
      : A(std::move(A)), joint(joint), multipliers(multipliers), D(std::move(D)), G(std::move(G)), like(like), keep(std::move(keep))
  {
    constexpr double tight = 1e-13;
    multipliers.directions(this->D, *this->A, std::max(tight, this->A->tolerance()));
    multipliers.factor(this->G);
  }

  int solve(const Vector &r, Vector &x, const double tolerance) const override
  {
    Vector body = like, force = like;
    std::vector<double> lambda, u;
    joint.split(r, force, lambda);
    const int iterations = A->solve(force, body, tolerance);
    body.update_ghost_values();
    multipliers.constraints().gather(body, u);
    for (int i = 0; i < G.size(); ++i)
      lambda[i] -= G.times(i, u);
    multipliers.solve(lambda);
    multipliers.add(1., lambda, body);
    joint.join(body, lambda, x);
    return iterations;
  }
  void multiply(const Vector &x, Vector &y) const override
  {
    Vector body = like, force = like;
    std::vector<double> lambda, u, w;
    joint.split(x, body, lambda);
    A->multiply(body, force);
    subtract_constraint_forces(multipliers.constraints(), D, lambda, w, force);
    keep(force);
    multipliers.constraints().gather(body, u);
    for (int i = 0; i < G.size(); ++i)
      lambda[i] = G.times(i, u);
    joint.join(force, lambda, y);
  }
  /// Of the system alone, without the forces of the constraints.
  double rounding(const Vector &q) const override { return A->rounding(q); }
  double tolerance() const override { return A->tolerance(); }
  bool iterative() const override { return A->iterative(); }

private:
  std::shared_ptr<const LinearSolve> A;
  const Joint &joint;
  Multipliers &multipliers;
  ConstraintRows D, G;
  const Vector &like;
  std::function<void(Vector &)> keep;
};

/// What nodal constraints make of the step; nothing where there are none.
class OnNodes
{
public:
  OnNodes(const MechanicalSystem &system, const Balance &balance, const Vector &from, const bool discrete, const std::string &name)
      : system(system), name(name)
  {
    of.balance = balance;
    of.from = &from;
    of.discrete = discrete;
  }
  void move_onto(Vector &x) const
  {
    if (system.nodal_constraints())
      of.move_onto(system, x, name);
  }
  void keep_along(const Vector &q1, Vector &r) const
  {
    if (system.nodal_constraints())
      of.keep_along(system, q1, r);
  }
  /// `force`: the whole balance at `now`. Beside nodal constraints tangents carry `stresses` on.
  std::shared_ptr<const LinearSolve> factor(const std::vector<Balance::Point> &now, const Vector &force, CarriedStresses &stresses) const
  {
    if (!system.nodal_constraints())
      return of.balance.factor(system, now);
    LinearTerm term = of.term(now.front(), force);
    stresses.add_to(term);
    const auto tangent = system.factor(Linearisation{term});
    stresses.step_from(now.front().q);
    return tangent;
  }

private:
  const MechanicalSystem &system;
  const std::string &name;
  NodalBalance of;
};

/// Of the residual, at displacements u: G already in units of force and times dq.
double rounding_of_constrained(const double unconstrained, const HolonomicConstraints &g, const std::vector<double> &u,
                               const ConstraintRows &G, const ConstraintRows &D, const std::vector<double> &lambda, const double dq)
{
  const double epsilon = std::numeric_limits<double>::epsilon(), far = std::max(g.length(), g.farthest(u));
  double sum = std::pow(unconstrained, 2);
  for (int i = 0; i < G.size(); ++i)
    for (int k = G.start[i]; k < G.start[i + 1]; ++k)
      sum += std::pow(epsilon * G.value[k] / dq * far, 2);
  for (int i = 0; i < D.size(); ++i)
    for (int k = D.start[i]; k < D.start[i + 1]; ++k)
      sum += std::pow(epsilon * lambda[i] * D.value[k], 2);
  return std::sqrt(sum);
}
/// The equation of a step, and what it needs on the way.
template <class Joint>
struct StepEquation
{
  const MechanicalSystem &system;
  const Balance &balance;
  const Joint &joint;
  Multipliers &multipliers;
  OnNodes nodes;
  bool discrete;
  double weight;  ///< of rows of g in units of force: a mean mass that moves so far in a step
  std::vector<Balance::Point> now;
  Vector like, trial, r, force;
  std::vector<double> u0 = {}, u1 = {}, multiplier = {}, values = {}, w = {};
  ConstraintRows D = {}, G = {};
  CarriedStresses stresses = {};

  double dq() const { return balance.points.front().dq; }
  ForceReport residual(const Vector &all, Vector &result)
  {
    const HolonomicConstraints &g = multipliers.constraints();
    joint.split(all, trial, multiplier);
    nodes.move_onto(trial);
    const ForceReport report = balance.residual(system, trial, r, now);
    g.gather(now.front().q, u1);
    rows_of_force(g, discrete, u0, u1, D);
    subtract_constraint_forces(g, D, multiplier, w, r);
    force = r;
    nodes.keep_along(now.front().q, r);
    g.values(u1, values);
    scale(values, weight);
    joint.join(r, values, result);
    return report;
  }
  std::shared_ptr<const LinearSolve> linearised()
  {
    multipliers.constraints().jacobian(u1, G);
    scale(G.value, weight * dq());
    return std::make_shared<SaddleSolve<Joint>>(nodes.factor(now, force, stresses), joint, multipliers, D, G, like,
                                                [this](Vector &product) { nodes.keep_along(now.front().q, product); });
  }
  void retract(Vector &all)
  {
    joint.split(all, trial, multiplier);
    stresses.led_to() = balance.points.front().q;
    stresses.led_to().add(dq(), trial);
    nodes.move_onto(trial);
    joint.join(trial, multiplier, all);
  }
};
}  // namespace

NewtonReport ConstrainedBalance::solve(const MechanicalSystem &system, const Newton &newton, const std::string &name, Vector &x,
                                       std::vector<double> &lambda)
{
  Multipliers multipliers(system);
  const HolonomicConstraints &g = multipliers.constraints();
  if (!kept || !kept->fits(x, g.size()))
    kept = std::make_shared<Joint>(x, g.size());
  const double dq = balance.points.front().dq;
  const OnNodes nodes(system, balance, *from, discrete, name);
  StepEquation<Joint> equation{system, balance, *kept, multipliers, nodes, discrete, mean_mass(system, x) / dq, balance.points, x, x, x, x};
  g.gather(*from, equation.u0);
  NewtonProblem problem;
  problem.name = name;
  problem.residual = [&](const Vector &all, Vector &residual) { return equation.residual(all, residual); };
  problem.linearise = [&](const Vector &) { return equation.linearised(); };
  if (system.nodal_constraints())
  {
    problem.retract = [&](Vector &all) { equation.retract(all); };
    if (system.has(Feature::carried_stresses))
      problem.carry = [&](const bool carries) { equation.stresses.begin(carries); };
  }
  problem.norm = [&](const Vector &all) {
    Vector r = x;
    std::vector<double> of_g = lambda;
    kept->split(all, r, of_g);
    double norm = system.unknowns().norm(r);
    for (const double one : of_g)
      norm = std::hypot(norm, one);
    return norm;
  };
  problem.rounding = [&](const LinearSolve &tangent, const Vector &) {
    return rounding_of_constrained(tangent.rounding(equation.now.front().q), g, equation.u0, equation.G, equation.D, equation.multiplier,
                                   dq);
  };
  problem.diagnose = [&](const Vector &) { return diagnose(system, equation.now.front().q); };
  nodes.move_onto(x);
  Vector all = kept->joined(x, lambda);
  const Vector start = kept->joined(unknown_at(system, balance.points.front().q, balance.points.front().dq, *from, x), lambda);
  const bool from_start = problem.carry && newton.stresses == "carried" && is_nearer(problem, start, all);
  const NewtonReport report = from_start ? solve_from(start, newton, problem, all) : newton.solve(problem, all);
  kept->split(all, x, lambda);
  nodes.move_onto(x);
  return report;
}
}  // namespace symdyn
