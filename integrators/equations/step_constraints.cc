#include "integrators/equations/step_constraints.h"

#include "integrators/equations/multiplier_search.h"
#include "solver/error.h"

namespace symdyn
{
StepConstraints::StepConstraints(const MechanicalSystem &system) : system(system)
{
  if (system.nodal_constraints())
    nodal = std::make_unique<NodalProjection>(system);
  else
    multipliers = std::make_unique<Multipliers>(system);
}

int StepConstraints::meet(const Vector &from, const Vector &end, const double factor, Reaction &reaction, const std::string &name)
{
  if (!nodal)
  {
    reaction.lambda.resize(multipliers->size(), 0.);
    return MultiplierSearch(*multipliers, from).reach(end, factor, reaction.lambda, name);
  }
  reaction.a = end;
  try
  {
    nodal->meet(from, end, reaction.a);
  }
  catch (const ComputationError &error)
  {
    throw ComputationError(name + ": " + error.what());
  }
  reaction.a *= 1. / factor;
  return 1;
}

Reaction StepConstraints::across_rates(const State &state)
{
  Reaction reaction;
  if (!nodal)
  {
    reaction.lambda = rate_multipliers(*multipliers, state);
    return reaction;
  }
  reaction.a = state.v;
  Vector kept = state.v;
  nodal->meet_rates(state.q, kept);
  reaction.a -= kept;
  return reaction;
}

void StepConstraints::add(const double factor, const Reaction &reaction, Vector &x) const
{
  if (nodal)
    x.add(factor, reaction.a);
  else
    multipliers->add(factor, reaction.lambda, x);
}

Vector StepConstraints::bend(const Vector &q, const Reaction &reaction, const Vector &u) const
{
  return nodal ? nodal->bend(q, reaction.a, u) : symdyn::bend(system, q, reaction.lambda, u);
}

Vector StepConstraints::part_across(const Vector &from, const Vector &q, const Vector &x)
{
  Vector part = x;
  if (nodal)
  {
    nodal->meet_rates_from(from, q, part);
    part.sadd(-1., 1., x);
  }
  else
  {
    const std::vector<double> lambda = multipliers_across(*multipliers, q, x);
    part = 0.;
    multipliers->add(1., lambda, part);
  }
  return part;
}
}  // namespace symdyn
