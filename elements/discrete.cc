#include "elements/discrete.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "solver/error.h"
#include "solver/registry.h"

namespace symdyn
{
void Discrete::build()
{
  const unsigned int ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
  if (ranks > 1)
    throw InputError(fmt::format("Structure = discrete runs on one rank, not on {}: points are too few to be shared. Leave out mpirun", ranks));
  points_and_bars = std::make_unique<DiscreteSystem>(parts);
}

ModelFacts Discrete::facts() const
{
  ModelFacts facts;
  facts.dimension = parts.dimension;
  facts.cells = parts.bars.size();
  facts.cell_type = "bars";
  facts.nodes = parts.points.size();
  facts.dofs = parts.dimension * parts.points.size();
  for (int d = 0; d < parts.dimension; ++d)
  {
    facts.lower[d] = std::numeric_limits<double>::max();
    facts.upper[d] = -facts.lower[d];
  }
  for (const auto &point : parts.points)
  {
    facts.mass += point.mass;
    facts.held_nodes += point.fixed;
    if (point.fixed)
      facts.supports.push_back(point.name + " (fixed)");
    for (int d = 0; d < parts.dimension; ++d)
    {
      facts.centre[d] += point.mass * point.position[d];
      facts.lower[d] = std::min(facts.lower[d], point.position[d]);
      facts.upper[d] = std::max(facts.upper[d], point.position[d]);
    }
  }
  for (double &centre : facts.centre)
    centre = facts.mass > 0. ? centre / facts.mass : 0.;
  facts.loads = force_names;
  return facts;
}

void Discrete::initialise(State &state) const
{
  state.q = state.v = state.a = points_and_bars->new_vector();
  std::copy(displacement.begin(), displacement.end(), state.q.begin());
  std::copy(velocity.begin(), velocity.end(), state.v.begin());
}

std::string Discrete::unheld_direction() const
{
  const bool fixed = std::any_of(parts.points.begin(), parts.points.end(), [](const auto &point) { return point.fixed; });
  const bool anchored = std::any_of(parts.bars.begin(), parts.bars.end(), [](const Bar &bar) { return bar.to < 0; });
  return fixed || anchored || !parts.formulas.empty() ? "" : "x";
}

std::vector<std::string> Discrete::momentum_columns(const Units &u) const
{
  std::vector<std::string> columns = points_and_bars->momenta();
  for (std::string &name : columns)
    name += name[0] == 'P' ? fmt::format(" [{} {}/{}]", u.mass, u.length, u.time) : fmt::format(" [{} {}^2/{}]", u.mass, u.length, u.time);
  return columns;
}

std::vector<double> Discrete::momenta(const State &state, const Vector &Mv) const
{
  Vector xi = points_and_bars->new_vector();
  std::vector<double> values(points_and_bars->momenta().size());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    points_and_bars->generator(i, state.q, xi);
    values[i] = xi * Mv;
  }
  return values;
}

std::vector<std::string> Discrete::report_columns(const Units &u) const
{
  std::vector<std::string> columns;
  const std::string axes = "xyz";
  for (const int k : reported)
    for (const auto &[field, unit] : {std::pair<std::string, std::string>{"", u.length}, {"v_", u.length + "/" + u.time}})
      for (int d = 0; d < parts.dimension; ++d)
        columns.push_back(fmt::format("{}.{}{} [{}]", parts.points[k].name, field, axes[d], unit));
  return columns;
}

std::vector<double> Discrete::report(const State &state, bool) const
{
  std::vector<double> values;
  const int n = parts.dimension;
  for (const int k : reported)
  {
    for (int d = 0; d < n; ++d)
      values.push_back(parts.points[k].position[d] + state.q.local_element(n * k + d));
    for (int d = 0; d < n; ++d)
      values.push_back(state.v.local_element(n * k + d));
  }
  return values;
}

SYMDYN_REGISTER(Structure, Discrete, "discrete");
}  // namespace symdyn
