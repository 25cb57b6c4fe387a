#include "elements/models/discrete.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/lumped/ground.h"
#include "elements/lumped/point_output.h"
#include "elements/system/free_motions.h"
#include "elements/system/linear_solver_deck.h"
#include "solver/base/checkpoint.h"
#include "solver/base/log.h"
#include "solver/dynamics/energy.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
const char *const name_of_point_tables = "tables";

/// The largest entry of |RᵀR - 1|.
double rotation_error(const Rotation &body, const Vector &q)
{
  double error = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
    {
      double G = i == j ? -1. : 0.;
      for (int d = 0; d < 3; ++d)
        G += (body.axes[3 * i + d] + q.local_element(body.first + 3 * i + d)) *
             (body.axes[3 * j + d] + q.local_element(body.first + 3 * j + d));
      error = std::max(error, std::abs(G));
    }
  return error;
}
}  // namespace

void Discrete::declare(Parameters &root)
{
  sections.read(root, nullptr);
  model.parts.base = BaseMotion::read(root, model.dimension());
  tables.declare(root.section("Prints"), model);
  LinearSolverChoice choice;
  choice.declare(root.section("Linear solver"));
  if (choice.type != "automatic")
    model.parts.linear_solver = choice.solver;
  model.parts.linear_tolerance = choice.tolerance;
}

void Discrete::document(Parameters &root)
{
  PointSections::document(root);
  DiscreteTables::document(root.section("Prints"));
  BaseMotion::document(root.section("Base motion"));
  LinearSolverChoice().declare(root.section("Linear solver"));
}

void Discrete::build()
{
  const unsigned int ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD);
  if (ranks > 1)
    throw InputError(
        fmt::format("Structure = discrete runs on one rank, not on {}: points are too few to be shared. Leave out mpirun", ranks));
  points_and_bars = std::make_unique<DiscreteSystem>(model.parts);
  if (!model.parts.base)
    return;
  model.parts.base->check(*points_and_bars, grounded_by(model.parts));
  log_line(model.parts.base->report());
}

ModelFacts Discrete::facts() const
{
  ModelFacts facts;
  const auto &parts = model.parts;
  facts.dimension = parts.dimension;
  std::vector<double> positions;
  for (const auto &point : parts.points)
    positions.insert(positions.end(), point.position.begin(), point.position.begin() + parts.dimension);
  for (const auto &term : parts.terms)
    term->draw(positions.data(), [&](const Line &) { ++facts.cells; });
  for (const auto &constraint : parts.constraints)
    constraint->draw([&](const Line &) { ++facts.cells; });
  facts.cell_type = "line";
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
      facts.supports.push_back(point.support());
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
  points_and_bars->impose(state.t, state.q, state.v, state.a);
}

std::string Discrete::free_motions(const Vector &q, const Units &units) const
{
  FreeMotions::Given given;
  given.dimension = model.parts.dimension;
  given.points = &model.parts;
  given.part_of_point.assign(model.parts.points.size(), -1);
  given.x = given.arms = points_and_bars->coordinates(q);
  const FreeMotions free(std::move(given));
  std::vector<const FreeMotions::Motion *> all;
  for (const auto &motion : free.motions())
    all.push_back(&motion);
  return in_words(free, all, Units::after(units.length));
}

std::vector<Column> Discrete::momentum_columns(const Units &u) const
{
  std::vector<Column> columns;
  for (const std::string &name : points_and_bars->momenta())
    columns.push_back({name, fmt::format(name[0] == 'P' ? "{} {}/{}" : "{} {}^2/{}", u.mass, u.length, u.time), Kind::momentum});
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

std::vector<Column> Discrete::report_columns(const Units &units) const
{
  std::vector<Column> columns = sections.report_columns(units);
  const auto &points = model.parts.points;
  for (const int k : sections.reported_supports())
    for (int d = 0; d < model.dimension(); ++d)
      columns.push_back({fmt::format("{}.R_{}", points[k].name, "xyz"[d]), units.force, Kind::force});
  for (const Rotation &body : points_and_bars->rotations())
    columns.push_back({points[points[body.first / 3].director_of].name + ".rotation_error", ""});
  if (model.parts.base)
    for (const Column &column : model.parts.base->columns())
      columns.push_back(column);
  return columns;
}

std::vector<double> Discrete::report(const State &state, const bool statics) const
{
  std::vector<double> values = sections.report(state.q.begin(), state.v.begin());
  if (const std::vector<int> supports = sections.reported_supports(); !supports.empty())
  {
    const Forces forces(*points_and_bars, state, statics);
    for (const int k : supports)
      for (int d = 0; d < model.dimension(); ++d)
        values.push_back(forces.reaction.local_element(model.dimension() * k + d));
  }
  for (const Rotation &body : points_and_bars->rotations())
    values.push_back(rotation_error(body, state.q));
  if (!model.parts.base)
    return values;
  model.parts.base->watch(state.t);
  const std::vector<double> of_base = model.parts.base->values(state.t);
  values.insert(values.end(), of_base.begin(), of_base.end());
  return values;
}

std::vector<std::string> Discrete::support_columns() const
{
  std::vector<std::string> columns;
  for (const int k : sections.reported_supports())
    for (int d = 0; d < model.dimension(); ++d)
      columns.push_back(fmt::format("{}.R_{}", model.parts.points[k].name, "xyz"[d]));
  return columns;
}

std::vector<double> Discrete::support_sums(const Vector &force) const
{
  std::vector<double> sums;
  for (const int k : sections.reported_supports())
    for (int d = 0; d < model.dimension(); ++d)
      sums.push_back(force.local_element(model.dimension() * k + d));
  return sums;
}

std::vector<std::string> Discrete::write_frame(const State &state, const std::string &folder, const unsigned int number) const
{
  const std::string name = fmt::format("solution-{:05d}.vtu", number);
  write_points(model.parts, state, folder + "/" + name);
  return {name};
}

std::string Discrete::print(const State &state, const OutputTime &moment)
{
  return tables.are_due(state.n, moment) ? tables.print(*points_and_bars, state, moment) : "";
}

std::string Discrete::print(const State &about, const PrintedField &field, const OutputTime &moment)
{
  return tables.print(*points_and_bars, about, field, moment);
}

void Discrete::save(Checkpoint &checkpoint) const
{
  if (tables.wanted())
    checkpoint.facts[name_of_point_tables] = tables.saved();
}

void Discrete::load(const Checkpoint &checkpoint)
{
  if (checkpoint.facts.count(name_of_point_tables) > 0)
    tables.load(checkpoint.facts.at(name_of_point_tables).get<std::vector<double>>());
}

std::vector<std::string> Discrete::write_shape(const Vector &shape, const std::string &folder, const std::string &stem) const
{
  State state;
  state.q = shape;
  state.v = state.a = points_and_bars->new_vector();
  write_points(model.parts, state, folder + "/" + stem + ".vtu");
  return {stem + ".vtu"};
}

SYMDYN_REGISTER(Structure, Discrete, "discrete");
}  // namespace symdyn
