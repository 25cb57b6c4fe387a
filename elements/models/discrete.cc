#include "elements/models/discrete.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "elements/lumped/ground.h"
#include "elements/models/point_places.h"
#include "elements/space/pattern.h"
#include "elements/system/free_motions.h"
#include "elements/system/linear_solver_deck.h"
#include "solver/base/log.h"
#include "solver/base/together.h"
#include "solver/dynamics/energy.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/linear/band_matrix.h"
#include "solver/parameters.h"
#include "solver/registry.h"
#include "solver/unknowns.h"

namespace symdyn
{
namespace
{
/// The largest entry of |RᵀR - 1| of the three directors from `first` on. q: of all points.
double rotation_error(const std::vector<LumpedPoint> &points, const std::size_t first, const std::vector<double> &q)
{
  double error = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
    {
      double G = i == j ? -1. : 0.;
      for (int d = 0; d < 3; ++d)
        G += (points[first + i].position[d] + q[3 * (first + i) + d]) * (points[first + j].position[d] + q[3 * (first + j) + d]);
      error = std::max(error, std::abs(G));
    }
  return error;
}

/// The first directors of rigid bodies.
std::vector<std::size_t> rigid_bodies(const std::vector<LumpedPoint> &points)
{
  std::vector<std::size_t> first;
  for (std::size_t k = 0; k + 2 < points.size(); ++k)
    if (points[k].director_of >= 0)
    {
      first.push_back(k);
      k += 2;
    }
  return first;
}
}  // namespace

void Discrete::declare(Parameters &root)
{
  sections.read(root, nullptr);
  structure_parts.declare(root);
  if (structure_parts.any())
    declare_elements(root);
  base = BaseMotion::read(root, model.dimension());
  tables.declare(PrintSchedule::section(root), model);
  LinearSolverChoice choice;
  choice.declare(root.section("Linear solver"));
  if (choice.type != "automatic")
    linear_solver = choice.solver;
  linear_tolerance = choice.tolerance;
}

void Discrete::declare_elements(Parameters &root)
{
  Parameters p = root.section("Elements");
  p.add("Mass", mass_name, "consistent, or lumped (diagonal; explicit schemes need it)", {"consistent", "lumped"});
}

void Discrete::document(Parameters &root)
{
  PointSections::document(root);
  StructureParts::document(root);
  DiscreteTables::document(PrintSchedule::section(root));
  BaseMotion::document(root.section("Base motion"));
  LinearSolverChoice().declare(root.section("Linear solver"));
}

void Discrete::build()
{
  const std::vector<LumpedPoint> &all = model.parts.points;
  const std::vector<std::size_t> rigid = rigid_bodies(all);
  if (const unsigned int ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD); ranks > 1 && !rigid.empty())
    throw InputError(fmt::format("[Rigid bodies/{}]: a rigid body without a solid runs on one rank, not on {}. Run without mpirun",
                                 all[all[rigid.front()].director_of].name, ranks));
  places = std::make_unique<PointPlaces>(model.parts);
  plan = std::make_unique<SitePlan>(*places);
  structure_parts.plan(*plan);
  plan->number_sites(std::int64_t(all.size()));
  std::vector<std::int64_t> number;
  const std::shared_ptr<const Space> space = make_space(number);
  points = std::make_unique<Points>(model.parts, space, std::move(number));
  AssembledSystem::Parts parts;
  parts.space = space;
  parts.actions = actions;
  parts.base = base;
  points->add_to(parts);
  structure_parts.add_to(parts, *plan, mass_name == "lumped", model.parts.gravity);
  points->check_masses(parts);
  const BlockPattern pattern = make_pattern(*space, parts.terms), stiff_pattern = make_pattern(*space, parts.terms, Part::stiff);
  if (!linear_solver)
  {
    linear_solver = Registry<LinearSolver>::instance().make(is_narrow(pattern) ? "band" : "automatic");
    stiff_solver = Registry<LinearSolver>::instance().make(is_narrow(stiff_pattern) ? "band" : "automatic");
  }
  parts.linear_solver = linear_solver;
  parts.stiff_solver = stiff_solver;
  parts.linear_tolerance = linear_tolerance;
  assembled = std::make_unique<AssembledSystem>(std::move(parts));
  if (!base)
    return;
  base->check(*assembled, grounded_by(model.parts));
  log_line(base->report());
}

/// Points are shared by their order in the deck; a rigid body belongs to one rank.
std::shared_ptr<const Space> Discrete::make_space(std::vector<std::int64_t> &number) const
{
  const LumpedParts &parts = model.parts;
  const int n = parts.dimension;
  const std::size_t sites = parts.points.size() + plan->appended().size();
  const unsigned int ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD),
                     rank = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
  const auto begin_of = [&](const unsigned int r) {
    std::size_t begin = sites * r / ranks;
    while (begin > 0 && begin < parts.points.size() && parts.points[begin].director_of >= 0)
      --begin;
    return begin;
  };
  const std::size_t begin = begin_of(rank), end = rank + 1 == ranks ? sites : begin_of(rank + 1);
  for (std::size_t k = 0; k < parts.points.size(); ++k)
    number.push_back(k);
  dealii::IndexSet owned(sites), known = PointSites::needed(parts, number, begin, end, sites);
  owned.add_range(begin, end);
  known.add_indices(plan->needed(begin, end, sites));
  const auto of_sites = std::make_shared<dealii::Utilities::MPI::Partitioner>(owned, known, MPI_COMM_WORLD);
  std::vector<Space::Place> X;
  std::vector<char> directors;
  for (unsigned int local = 0; local < of_sites->locally_owned_size() + of_sites->n_ghost_indices(); ++local)
  {
    const std::size_t global = of_sites->local_to_global(local), points_in_all = parts.points.size();
    const auto [position, is_director] = global < points_in_all
                                             ? AppendedSite{parts.points[global].position, parts.points[global].director_of >= 0}
                                             : plan->appended()[global - points_in_all];
    X.push_back(position);
    directors.push_back(is_director);
  }
  if (rigid_bodies(parts.points).empty() && !structure_parts.any())
    directors.clear();
  std::vector<std::uint64_t> identities(n * (end - begin));
  std::iota(identities.begin(), identities.end(), n * begin);
  return std::make_shared<Space>(n, of_sites, expanded(*of_sites, n), std::move(X), std::move(directors), std::move(identities));
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
  structure_parts.add_facts(facts);
  return facts;
}

void Discrete::initialise(State &state) const
{
  state.q = state.v = state.a = assembled->new_vector();
  points->sites().assign_own(model.displacement, state.q);
  points->sites().assign_own(model.velocity, state.v);
  structure_parts.initialise(state);
  assembled->impose(state.t, state.q, state.v, state.a);
  for (Vector *x : {&state.q, &state.v, &state.a})
    x->update_ghost_values();
}

std::string Discrete::free_motions(const Vector &q, const Units &units) const
{
  if (structure_parts.any())  // what they hold is seen in the stiffness
    return "";
  FreeMotions::Given given;
  given.dimension = model.parts.dimension;
  given.points = &model.parts;
  given.part_of_point.assign(model.parts.points.size(), -1);
  given.x = given.arms = points->coordinates(q);
  const FreeMotions free(std::move(given));
  std::vector<const FreeMotions::Motion *> all;
  for (const auto &motion : free.motions())
    all.push_back(&motion);
  return in_words(free, all, Units::after(units.length));
}

std::vector<Column> Discrete::momentum_columns(const Units &u) const
{
  std::vector<Column> columns;
  for (const std::string &name : assembled->unknowns().momenta())
    columns.push_back({name, fmt::format(name[0] == 'P' ? "{} {}/{}" : "{} {}^2/{}", u.mass, u.length, u.time), Kind::momentum});
  return columns;
}

std::vector<double> Discrete::momenta(const State &state, const Vector &Mv) const
{
  Vector xi = assembled->new_vector();
  std::vector<double> values(assembled->unknowns().momenta().size());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    assembled->unknowns().generator(i, state.q, xi);
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
  for (const std::size_t first : rigid_bodies(points))
    columns.push_back({points[points[first].director_of].name + ".rotation_error", ""});
  structure_parts.add_columns(units, columns);
  if (base)
    for (const Column &column : base->columns())
      columns.push_back(column);
  return columns;
}

std::vector<double> Discrete::report(const State &state, const bool statics) const
{
  const std::vector<double> q = points->gather(state.q);
  std::vector<double> values = sections.report(q.data(), points->gather(state.v).data());
  if (const std::vector<int> supports = sections.reported_supports(); !supports.empty())
  {
    const std::vector<double> reaction = points->gather(Forces(*About(*assembled, state), state, statics).reaction);
    for (const int k : supports)
      for (int d = 0; d < model.dimension(); ++d)
        values.push_back(reaction[model.dimension() * k + d]);
  }
  for (const std::size_t first : rigid_bodies(model.parts.points))
    values.push_back(rotation_error(model.parts.points, first, q));
  structure_parts.add_values(state, values);
  if (!base)
    return values;
  base->watch(state.t);
  const std::vector<double> of_base = base->values(state.t);
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
  const std::vector<double> on_points = points->gather(force);
  for (const int k : sections.reported_supports())
    for (int d = 0; d < model.dimension(); ++d)
      sums.push_back(on_points[model.dimension() * k + d]);
  return sums;
}

SYMDYN_REGISTER(Structure, Discrete, "discrete");
}  // namespace symdyn
