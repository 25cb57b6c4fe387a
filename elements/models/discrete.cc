#include "elements/models/discrete.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "elements/contact_stages.h"
#include "elements/gram/director_nodes.h"
#include "elements/gram/heated_elements.h"
#include "elements/lumped/constraint_term.h"
#include "elements/lumped/ground.h"
#include "elements/models/cyclic_fields.h"
#include "elements/models/held_start.h"
#include "elements/models/rigid_directors.h"
#include "elements/space/pattern.h"
#include "elements/system/free_motions.h"
#include "elements/system/held_loads.h"
#include "materials/section/wave_speeds.h"
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
void Discrete::declare(Parameters &root)
{
  if (SurfaceModel::given(root))
    surface.declare(root);
  else if (const Parameters supports = root.section("Supports"); supports.exists())
    supports.fail("",
                  "supports hold nodes of meshes, and there is none: points have them in their own sections. Set Points/NAME/Fixed = yes");
  else if (const Parameters mesh = root.section("Mesh"); mesh.exists())
    mesh.fail(
        "",
        "with Structure = discrete a mesh is of shells, or of beams on Groups of its lines, and there are none. Add a section Shells, set "
        "Structure = solid, or remove the mesh");
  sections.read(root, surface.nodes());
  structure_parts.declare(root, false);
  if (structure_parts.any() || PointSections::expand(root))
    temperature->declare(root.section("Temperature"));
  else if (const Parameters heat = root.section("Temperature"); heat.exists())
    heat.fail(
        "",
        "nothing in the deck has a temperature: there are neither beams nor shells, and no section of Bars or Springs has an Expansion. "
        "Give them one, or remove the section");
  if (structure_parts.any())
  {
    declare_elements(root);
    Parameters initial = root.section("Initial conditions");
    initial_velocity.declare(initial);
    speeds_of_waves = wave_speeds(root);
  }
  base = BaseMotion::read(root, model.dimension());
  rotation = TurningFrame::read(root, model.dimension());
  tables.declare(PrintSchedule::section(root), model, surface.any() ? &surface.surface() : nullptr);
  solver_choice.declare(root.section("Linear solver"));
  if (solver_choice.type != "automatic")
    linear_solver = solver_choice.solver;
}

void Discrete::declare_elements(Parameters &root)
{
  Parameters p = root.section("Elements");
  p.add("Mass", mass_name, "consistent, or lumped (diagonal; explicit schemes need it)", {"consistent", "lumped"});
  p.add(
      "Directors", directors_name,
      "of beams and shells without a solid: elastic, held to unit length and right angles by stiff terms (Director stiffness); exact, by "
      "constraints; dynamic stages then need a scheme of constraints (rattle, shake, newmark-constrained, gonzalez-constrained, adams, rk4, langevin, hp-cayley)",
      {"elastic", "exact"});
  where_directors = p.where("Directors");
  structure_parts.declare_inertia(p, mass_name);
}

void Discrete::document(Parameters &root)
{
  PointSections::document(root);
  StructureParts::document(root);
  SurfaceModel::document(root);
  declare_elements(root);
  DiscreteTables::document(PrintSchedule::section(root));
  BaseMotion::document(root.section("Base motion"));
  TurningFrame::read(root, 3);
  LinearSolverChoice().declare(root.section("Linear solver"));
}

void Discrete::build()
{
  const std::vector<LumpedPoint> &all = model.parts.points;
  const std::vector<std::size_t> rigid = rigid_bodies(all);
  if (const unsigned int ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD); ranks > 1 && !rigid.empty())
    throw InputError(fmt::format("[Rigid bodies/{}]: a rigid body without a solid runs on one rank, not on {}. Run without mpirun",
                                 all[all[rigid.front()].director_of].name, ranks));
  places_of_parts =
      std::make_unique<PointPlaces>(model.parts, surface.nodes(), surface.any() ? std::int64_t(surface.surface().nodes.size()) : 0);
  plan = std::make_unique<SitePlan>(*places_of_parts);
  surface.plan(*plan);
  offer_bodies();
  sections.set_temperatures(temperature, *actions);
  plan->shared<PartTemperatures>().set(temperature, *actions, plan->mesh());
  structure_parts.plan(*plan, mass_name == "lumped");
  plan->number_by_node(places_of_parts->count());
  const std::shared_ptr<const Space> space = make_space();
  std::vector<std::int64_t> number;
  for (std::size_t k = 0; k < all.size(); ++k)
    number.push_back(plan->number(places_of_parts->node(k)));
  points = std::make_unique<Points>(model.parts, space, std::move(number));
  AssembledSystem::Parts parts;
  parts.space = space;
  parts.actions = actions;
  parts.base = base;
  parts.rotation = rotation;
  surface.add_to(parts, *plan, first_supports);
  if (directors_name == "exact" && !parts.couplings.empty())
    throw InputError(parts.couplings.front().where +
                     ": one rotation alone is held by an equation, for which directors are elastic. Hold two, or three, or set "
                     "Elements/Directors = elastic");
  check_gravity(parts);
  check_names();
  const std::vector<SitePlan::Site> planned = sites_of_points();
  points->raise(*plan, planned);
  spins.find(model.parts, *plan, planned);
  points->add_to(parts);
  structure_parts.add_to(parts, *plan,
                         {mass_name == "lumped", model.parts.gravity, directors_name == "exact", where_directors, needs_true_mass});
  refuse_idle_rigidity(parts);
  add_inertia_to_bodies(parts);
  find_rotations();
  points->check_masses(parts);
  parts.relations = points->relations(parts);
  if (parts.constraints.exact)
    parts.terms.push_back(std::make_shared<ConstraintTerm>(*parts.constraints.exact, space, true));
  const BlockPattern pattern = make_pattern(*space, parts.terms), stiff_pattern = make_pattern(*space, parts.terms, Part::stiff);
  if (!linear_solver)
  {
    linear_solver = Registry<LinearSolver>::instance().make(is_narrow(pattern) ? "band" : "automatic");
    stiff_solver = Registry<LinearSolver>::instance().make(is_narrow(stiff_pattern) ? "band" : "automatic");
  }
  parts.linear_solver = linear_solver;
  parts.stiff_solver = stiff_solver;
  parts.linear_tolerance = solver_choice.tolerance;
  solver_choice.check(parts.terms, needs_tangent);
  assembled = std::make_unique<AssembledSystem>(std::move(parts));
  check_temperatures();
  if (!base)
    return;
  base->check(*assembled, grounded_by(model.parts));
  log_line(base->report());
}

/// What parts share: the stages of contacts; bodies, with which beams that end there turn.
void Discrete::offer_bodies()
{
  plan->shared<ContactStages>().actions = actions;
  const std::vector<LumpedPoint> &all = model.parts.points;
  for (std::size_t k = 0; k + 2 < all.size(); ++k)
    if (all[k].director_of >= 0)
    {
      std::vector<GramVector> columns;
      std::vector<SitePlan::Site> sites;
      for (std::size_t j = k; j < k + 3; ++j)
      {
        columns.push_back(all[j].position);
        sites.push_back(places_of_parts->node(j));
      }
      plan->shared<DirectorNodes>().offer(places_of_parts->node(all[k].director_of), columns, sites);
      k += 2;
    }
}

/// Errors: InputError for a penalty of a body whose columns exact directors keep.
void Discrete::refuse_idle_rigidity(const AssembledSystem::Parts &system) const
{
  const std::vector<LumpedPoint> &all = model.parts.points;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].director_of >= 0 && all[k].rigid && system.frames && system.frames->turns(plan->number(places_of_parts->node(k))))
      throw InputError(
          all[all[k].director_of].where +
          ": its Rigidity, or a constraint of Law = orthonormal, has no effect, because Elements/Directors = exact keeps the columns of "
          "a body at which a beam ends. Remove it");
}

/// What beams add to the columns of a body turns with it.
void Discrete::add_inertia_to_bodies(AssembledSystem::Parts &system)
{
  for (Rotation &body : system.constraints.rotations)
    for (int j = 0; j < 3 && !system.masses.empty(); ++j)
      body.E[j] = system.masses.at(body.first / 3 + j);
}

/// Sites are shared by their numbers; a node and its directors belong to one rank.
std::shared_ptr<const Space> Discrete::make_space() const
{
  const LumpedParts &parts = model.parts;
  const int n = parts.dimension;
  const std::size_t sites = places_of_parts->count() + plan->appended().size();
  std::vector<AppendedSite> at(sites);
  for (std::size_t a = 0; surface.any() && a < surface.surface().nodes.size(); ++a)
    at[plan->number(a)] = {surface.surface().nodes[a]};
  std::vector<std::int64_t> number;
  for (std::size_t k = 0; k < parts.points.size(); ++k)
  {
    number.push_back(plan->number(places_of_parts->node(k)));
    at[number.back()] = {parts.points[k].position, parts.points[k].director_of >= 0};
  }
  for (std::size_t i = 0; i < plan->appended().size(); ++i)
    at[plan->number(-SitePlan::Site(i) - 1)] = plan->appended()[i];
  const unsigned int ranks = dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD),
                     rank = dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
  const auto begin_of = [&](const unsigned int r) {
    std::size_t begin = sites * r / ranks;
    while (begin > 0 && begin < sites && at[begin].is_director)
      --begin;
    return begin;
  };
  const std::size_t begin = begin_of(rank), end = rank + 1 == ranks ? sites : begin_of(rank + 1);
  dealii::IndexSet owned(sites), known = PointSites::needed(parts, number, begin, end, sites);
  owned.add_range(begin, end);
  known.add_indices(plan->needed(begin, end, sites));
  const auto of_sites = std::make_shared<dealii::Utilities::MPI::Partitioner>(owned, known, MPI_COMM_WORLD);
  std::vector<Space::Place> X;
  std::vector<char> directors;
  for (unsigned int local = 0; local < of_sites->locally_owned_size() + of_sites->n_ghost_indices(); ++local)
  {
    const AppendedSite &site = at[of_sites->local_to_global(local)];
    X.push_back(site.position);
    directors.push_back(site.kind());
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
  facts.linear_solver = linear_solver->name();
  std::vector<double> positions;
  for (const auto &point : parts.points)
    positions.insert(positions.end(), point.position.begin(), point.position.begin() + parts.dimension);
  for (const auto &term : parts.terms)
    term->draw(positions.data(), [&](const Line &) { ++facts.cells; });
  for (const auto &constraint : parts.constraints)
    constraint->draw([&](const Line &) { ++facts.cells; });
  facts.cell_type = "line";
  facts.nodes = places_of_parts->count();
  facts.dofs = parts.dimension * facts.nodes;
  std::fill_n(facts.lower.begin(), parts.dimension, std::numeric_limits<double>::max());
  std::fill_n(facts.upper.begin(), parts.dimension, -std::numeric_limits<double>::max());
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
  facts.wave_speeds = speeds_of_waves;
  surface.add_facts(facts);
  structure_parts.add_facts(facts);
  return facts;
}

void Discrete::initialise(State &state) const
{
  state.q = state.v = state.a = assembled->new_vector();
  points->sites().assign_own(model.displacement, state.q);
  points->sites().assign_own(model.velocity, state.v);
  if (initial_velocity.any())
    start(state.v);
  structure_parts.initialise(state);
  const PlannedSites sites(assembled->all_parts().space, *plan);
  spins.set(sites, state.v);
  require_turned(*assembled, state.v, initial_velocity.any() ? initial_velocity.where() : "velocities of points");
  const Vector given = state.v;
  assembled->impose(state.t, state.q, state.v, state.a);
  check_held_start(given, state.v);
  spins.check(sites, state.v);
  points->check_start(model.velocity, state);
  if (first_supports.empty())  // the same hold in all stages
    warn_of_held_loads(*assembled, state);
  for (Vector *x : {&state.q, &state.v, &state.a})
    x->update_ghost_values();
}

std::vector<SitePlan::Site> Discrete::sites_of_points() const
{
  std::vector<SitePlan::Site> planned;
  for (std::size_t k = 0; k < model.parts.points.size(); ++k)
    planned.push_back(places_of_parts->node(k));
  return planned;
}

void Discrete::check_held_start(const Vector &given, const Vector &imposed) const
{
  const HeldStart start(*assembled, plan.get(), given, imposed);
  const PointSites &sites = points->sites();
  const std::vector<LumpedPoint> &all = model.parts.points;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].director_of >= 0 && sites.owns(int(k)) && start.loses(sites.site(int(k))))
      throw InputError(all[all[k].director_of].where +
                       ": its Angular velocity has no effect, because the body is held from turning by a beam that is Clamped there, or by "
                       "Rotations. Remove the entry, or what holds it");
  if (const std::string words = start.in_words(); initial_velocity.any() && !words.empty())
    log_warning(fmt::format(
        "{}: {}. The supports stand, as after an impact. Let the field be what they prescribe there, for example by factors of x, y, "
        "z that are 0 at them",
        initial_velocity.where(), words));
}

void Discrete::start(Vector &v) const
{
  const PlannedSites sites(assembled->all_parts().space, *plan);
  const auto set = [&](const SitePlan::Site site, const GramVector &value) {
    for (int d = 0; d < 3 && sites.owns(site); ++d)
      v.local_element(3 * sites.local(site) + d) = value[d];
  };
  for (std::size_t a = 0; surface.any() && a < surface.surface().nodes.size(); ++a)
    set(a, initial_velocity.at(surface.surface().nodes[a]));
  for (const bool has_one : {false, true})  // of points at one node that one
    for (std::size_t k = 0; k < model.parts.points.size(); ++k)
      if (const double *own = &model.velocity[3 * k];
          model.parts.points[k].director_of < 0 && has_one == (own[0] != 0. || own[1] != 0. || own[2] != 0.))
        set(places_of_parts->node(k), has_one ? GramVector{own[0], own[1], own[2]} : initial_velocity.at(model.parts.points[k].position));
  initial_velocity.set(*plan, sites, {}, v);
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

void Discrete::check_names() const
{
  if (!surface.any())
    return;
  surface.check_loads(model.parts.load_names);
  for (const auto &support : surface.supports()->all())
    for (const LumpedPoint &point : model.parts.points)
      if (point.fixed && point.name == support.name)
        throw InputError(fmt::format(
            "{}: there is a fixed point of this name, too, and both have columns of their forces. Rename one of them", support.where));
}

void Discrete::check_gravity(const AssembledSystem::Parts &system) const
{
  for (const LoadInUse &use : system.loads)
    if (use.load->acceleration() != Place{})
    {
      if (model.parts.gravity != Place{})
        throw InputError(fmt::format("{}: there is Points/Gravity, too, which acts on all masses. Keep one of both", use.where));
      for (const LumpedPoint &point : model.parts.points)
        if (point.mass != 0.)
          throw InputError(fmt::format(
              "{}: masses of points weigh by Points/Gravity. Set that for all masses, and remove this load (the point '{}' has a mass)",
              use.where, point.name));
    }
}

SYMDYN_REGISTER(Structure, Discrete, "discrete");
}  // namespace symdyn
