#include "integrators/equations/step_constraints.h"

#include "integrators/equations/multiplier_search.h"
#include "solver/dynamics/nodal_projection.h"
#include "solver/error.h"

namespace symdyn
{
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
  Reaction across_rates(const State &state) override { return {rate_multipliers(multipliers, state), {}}; }
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
    reaction.a = end;
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
  Reaction across_rates(const State &state) override
  {
    Reaction reaction{{}, state.v};
    Vector kept = state.v;
    nodal.meet_rates(state.q, kept);
    reaction.a -= kept;
    return reaction;
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
}  // namespace

std::unique_ptr<StepConstraints> StepConstraints::of(const MechanicalSystem &system)
{
  if (system.nodal_constraints())
    return std::make_unique<OfNodes>(system);
  return std::make_unique<BetweenNodes>(system);
}
}  // namespace symdyn
