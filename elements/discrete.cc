#include "elements/discrete.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/error.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// The largest entry of |RᵀR - 1|.
double rotation_error(const Rotation &body, const Vector &q)
{
  double error = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
    {
      double G = i == j ? -1. : 0.;
      for (int d = 0; d < 3; ++d)
        G += (body.axes[3 * i + d] + q.local_element(body.first + 3 * i + d)) * (body.axes[3 * j + d] + q.local_element(body.first + 3 * j + d));
      error = std::max(error, std::abs(G));
    }
  return error;
}
}  // namespace

void Discrete::build()
{
  const unsigned int ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
  if (ranks > 1)
    throw InputError(fmt::format("Structure = discrete runs on one rank, not on {}: points are too few to be shared. Leave out mpirun", ranks));
  points_and_bars = std::make_unique<DiscreteSystem>(model.parts);
}

ModelFacts Discrete::facts() const
{
  ModelFacts facts;
  const auto &parts = model.parts;
  facts.dimension = parts.dimension;
  for (const auto &term : parts.terms)
    term->draw([&](int, int, const Place &) { ++facts.cells; });
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
    if (point.director_of >= 0)
      continue;
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
  facts.loads = model.force_names;
  return facts;
}

void Discrete::initialise(State &state) const
{
  state.q = state.v = state.a = points_and_bars->new_vector();
  std::copy(model.displacement.begin(), model.displacement.end(), state.q.begin());
  std::copy(model.velocity.begin(), model.velocity.end(), state.v.begin());
}

std::string Discrete::unheld_direction() const
{
  const bool fixed = std::any_of(model.parts.points.begin(), model.parts.points.end(), [](const auto &point) { return point.fixed; });
  const bool held = std::any_of(model.parts.terms.begin(), model.parts.terms.end(), [](const auto &term) { return term->holds(); });
  return fixed || held ? "" : "x";
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
  const auto &parts = model.parts;
  for (const int k : reported)
    for (const auto &[field, unit] : {std::pair<std::string, std::string>{"", u.length}, {"v_", u.length + "/" + u.time}})
      for (int d = 0; d < parts.dimension; ++d)
        columns.push_back(fmt::format("{}.{}{} [{}]", parts.points[k].name, field, axes[d], unit));
  for (const Rotation &body : points_and_bars->rotations())
    columns.push_back(parts.points[parts.points[body.first / 3].director_of].name + ".rotation_error");
  return columns;
}

std::vector<double> Discrete::report(const State &state, bool) const
{
  std::vector<double> values;
  const auto &parts = model.parts;
  const int n = parts.dimension;
  for (const int k : reported)
  {
    for (int d = 0; d < n; ++d)
      values.push_back(parts.points[k].position[d] + state.q.local_element(n * k + d));
    for (int d = 0; d < n; ++d)
      values.push_back(state.v.local_element(n * k + d));
  }
  for (const Rotation &body : points_and_bars->rotations())
    values.push_back(rotation_error(body, state.q));
  return values;
}

SYMDYN_REGISTER(Structure, Discrete, "discrete");
}  // namespace symdyn
