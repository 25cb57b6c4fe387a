#include "integrators/equations/step_constraints.h"

#include <algorithm>
#include <cmath>

#include "integrators/equations/multiplier_search.h"
#include "solver/dynamics/nodal_projection.h"
#include "solver/error.h"

// Constraints of explicit steps: Ryckaert, Ciccotti, Berendsen 1977; Andersen 1983.
namespace symdyn
{
int StepConstraints::lead(const Vector &from, const double h, Vector &q, Vector &v, const std::string &name)
{
  Reaction reaction;
  const int iterations = meet(from, q, 0.5 * h * h, reaction, name);
  add(0.5 * h, reaction, v);
  add(0.5 * h * h, reaction, q);
  return iterations;
}

namespace
{
class BetweenNodes : public StepConstraints
{
public:
  explicit BetweenNodes(const MechanicalSystem &system) : StepConstraints(system), multipliers(system) {}

  int meet(const Vector &from, const Vector &end, const double factor, Reaction &reaction, const std::string &name) override
  {
    reaction.lambda.resize(multipliers.size(), 0.);
    return MultiplierSearch(multipliers, from).reach(end, factor, reaction.lambda, name);
  }
  void meet_rates(const Vector &q, Vector &v, Reaction *reaction) override
  {
    State at;
    at.q = q;
    at.v = v;
    const std::vector<double> mu = rate_multipliers(multipliers, at);
    multipliers.add(-1., mu, v);
    v.update_ghost_values();
    if (reaction)
      reaction->lambda = mu;
  }
  void add(const double factor, const Reaction &reaction, Vector &x) const override { multipliers.add(factor, reaction.lambda, x); }
  Vector bend(const Vector &q, const Reaction &reaction, const Vector &u) const override
  {
    return symdyn::bend(system, q, reaction.lambda, u);
  }
  Vector part_across(const Vector &, const Vector &q, const Vector &x) override
  {
    Vector part = x;
    part = 0.;
    multipliers.add(1., multipliers_across(multipliers, q, x), part);
    return part;
  }

private:
  Multipliers multipliers;
};

class OfNodes : public StepConstraints
{
public:
  explicit OfNodes(const MechanicalSystem &system) : StepConstraints(system), nodal(system) {}

  int meet(const Vector &from, const Vector &end, const double factor, Reaction &reaction, const std::string &name) override
  {
    reaction.a.reinit(end, true);
    try
    {
      nodal.meet(from, end, reaction.a);
    }
    catch (const ComputationError &error)
    {
      throw ComputationError(name + ": " + error.what());
    }
    reaction.a *= 1. / factor;
    return 1;
  }
  int lead(const Vector &from, const double h, Vector &q, Vector &v, const std::string &name) override
  {
    try
    {
      nodal.lead(from, 1. / h, q, v);
    }
    catch (const ComputationError &error)
    {
      throw ComputationError(name + ": " + error.what());
    }
    return 1;
  }
  void meet_rates(const Vector &q, Vector &v, Reaction *reaction) override
  {
    if (reaction)
      reaction->a = v;
    nodal.meet_rates(q, v);
    if (reaction)
      reaction->a -= v;
  }
  void add(const double factor, const Reaction &reaction, Vector &x) const override { x.add(factor, reaction.a); }
  Vector bend(const Vector &q, const Reaction &reaction, const Vector &u) const override { return nodal.bend(q, reaction.a, u); }
  Vector part_across(const Vector &from, const Vector &q, const Vector &x) override
  {
    Vector part = x;
    nodal.meet_rates_from(from, q, part);
    part.sadd(-1., 1., x);
    return part;
  }

private:
  NodalProjection nodal;
};

/// A few constraints between nodes beside nodal ones, which are eliminated first: lambda of the former leads to a place on the latter, by
/// their impulses at `from`, and is found by Newton's method with the matrix G W, W along the nodal constraints (Schur complement).
class OfBoth : public StepConstraints
{
public:
  explicit OfBoth(const MechanicalSystem &system) : StepConstraints(system), nodal(system), multipliers(system) {}

  int meet(const Vector &from, const Vector &end, const double factor, Reaction &reaction, const std::string &name) override
  {
    constexpr double enough = 1e-9;  // as of MultiplierSearch
    constexpr int most = 30;
    const HolonomicConstraints &g = multipliers.constraints();
    reaction.lambda.resize(g.size(), 0.);
    const double smallest = shortest(g);
    std::vector<double> u, r;
    ConstraintRows D, G;
    g.gather(from, u);
    g.jacobian(u, D);
    for (int iteration = 0; iteration <= most; ++iteration)
    {
      const Vector q = place(from, end, factor, reaction, name);
      g.gather(q, u);
      g.values(u, r);
      g.jacobian(u, G);
      multipliers.directions(D, from, q);
      multipliers.factor(G);
      multipliers.solve(r);
      double size = 0;
      std::vector<double> correction(u.size(), 0.);
      multipliers.add(1., r, correction);
      for (const double value : correction)
        size = std::isfinite(value) ? std::max(size, std::abs(value)) : value;
      if (!std::isfinite(size))
        break;
      for (std::size_t i = 0; i < r.size(); ++i)
        reaction.lambda[i] -= r[i] / factor;
      if (size <= enough * smallest)
      {
        place(from, end, factor, reaction, name);
        return iteration + 1;
      }
    }
    throw ComputationError(name + ": the constraints cannot be met beside exact directors. Lower \"Time step\"");
  }
  void meet_rates(const Vector &q, Vector &v, Reaction *reaction) override
  {
    if (reaction)
      reaction->a = v;
    nodal.meet_rates(q, v);
    v.update_ghost_values();
    State at;
    at.q = q;
    at.v = v;
    const std::vector<double> lambda = rate_multipliers(multipliers, at);
    multipliers.add(-1., lambda, v);
    v.update_ghost_values();
    if (!reaction)
      return;
    reaction->lambda = lambda;
    reaction->a -= v;
  }
  void add(const double factor, const Reaction &reaction, Vector &x) const override { x.add(factor, reaction.a); }
  Vector bend(const Vector &q, const Reaction &reaction, const Vector &u) const override
  {
    Vector of_nodes = reaction.a, both = symdyn::bend(system, q, reaction.lambda, u);
    of_nodes -= impulse(system, q, reaction.lambda);
    of_nodes.update_ghost_values();
    both += nodal.bend(q, of_nodes, u);
    return both;
  }
  Vector part_across(const Vector &from, const Vector &q, const Vector &x) override
  {
    Vector along = x;
    nodal.meet_rates_from(from, q, along);
    along.update_ghost_values();
    std::vector<double> u;
    ConstraintRows D;
    multipliers.constraints().gather(from, u);
    multipliers.constraints().jacobian(u, D);
    multipliers.directions(D, from, q);
    multipliers.add(-1., multipliers_across(multipliers, q, along), along);
    along.sadd(-1., 1., x);
    return along;
  }

private:
  /// end + factor reaction, on the nodal constraints; the reaction follows from its lambda.
  Vector place(const Vector &from, const Vector &end, const double factor, Reaction &reaction, const std::string &name) const
  {
    Vector q = end;
    q.add(factor, impulse(system, from, reaction.lambda));
    Vector change = q;
    try
    {
      nodal.meet(from, q, change);
    }
    catch (const ComputationError &error)
    {
      throw ComputationError(name + ": " + error.what());
    }
    q += change;
    q.update_ghost_values();
    reaction.a = q;
    reaction.a -= end;
    reaction.a *= 1. / factor;
    return q;
  }

  NodalProjection nodal;
  Multipliers multipliers;
};
}  // namespace

std::unique_ptr<StepConstraints> StepConstraints::of(const MechanicalSystem &system)
{
  if (system.nodal_constraints() && system.constraints())
    return std::make_unique<OfBoth>(system);
  if (system.nodal_constraints())
    return std::make_unique<OfNodes>(system);
  return std::make_unique<BetweenNodes>(system);
}
}  // namespace symdyn
