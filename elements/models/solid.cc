#include "elements/models/solid.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/lumped/ground.h"
#include "elements/models/cyclic_fields.h"
#include "elements/models/held_start.h"
#include "elements/output/locking.h"
#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/deck/deck.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
MaterialInUse Solid<dim>::in_use(const DeckMaterial &material) const
{
  if (is_heated())
    return {
        material.name,      material.heated(material.thickness), material.thickness * material.density, material.stiff, material.thickness,
        material.heated(1.)};
  if (material.thickness == 1.)
    return {material.name, material.in_body(1.), material.density, material.stiff};
  return {
      material.name,       material.in_body(material.thickness), material.thickness * material.density, material.stiff, material.thickness,
      material.in_body(1.)};
}

template <int dim>
std::map<unsigned int, MaterialInUse> Solid<dim>::assign_materials(const std::map<dealii::types::material_id, std::string> &groups) const
{
  std::vector<std::string> group_names;
  for (const auto &group : groups)
    group_names.push_back(group.second);
  for (const DeckMaterial &material : materials)
    for (const std::string &group : material.groups)
      if (!std::count(group_names.begin(), group_names.end(), group))
        throw InputError(
            fmt::format("{}: the mesh has no cell group '{}'; it has: {}", material.where, group, join(nearest_first(group, group_names))));
  const std::vector<std::string> of_parts = structure_parts.names(&StructurePart::materials);
  const auto in_parts_alone = [&](const DeckMaterial &material) {  // of beams and shells, which no cell needs to have
    return materials.size() > 1 && material.groups.empty() && std::count(of_parts.begin(), of_parts.end(), material.name) > 0 &&
           std::count(group_names.begin(), group_names.end(), material.name) == 0;
  };
  const auto filling = materials.size() - std::count_if(materials.begin(), materials.end(), in_parts_alone);
  std::map<unsigned int, MaterialInUse> assigned;
  std::vector<bool> used(materials.size(), false);
  for (const auto &[id, group] : groups)
    for (std::size_t m = 0; m < materials.size(); ++m)
    {
      const DeckMaterial &material = materials[m];
      const bool all = material.groups.empty() && filling == 1 && !in_parts_alone(material);
      const bool named =
          material.groups.empty() ? material.name == group : std::count(material.groups.begin(), material.groups.end(), group) > 0;
      if (!all && !named)
        continue;
      if (assigned.count(id))
        throw InputError(fmt::format("{}: cell group '{}' has the material '{}' already", material.where, group, assigned[id].name));
      assigned[id] = in_use(material);
      used[m] = true;
    }
  for (const auto &[id, group] : groups)
    if (!assigned.count(id))
      throw InputError(
          fmt::format("{}: the mesh has a cell group '{}' without a material. Add a material of that name, or list the group in "
                      "some material's \"Groups\"",
                      materials.front().where, group));
  for (std::size_t m = 0; m < materials.size(); ++m)
  {
    const DeckMaterial &material = materials[m];
    if (!used[m] && !in_parts_alone(material))
      throw InputError(
          fmt::format("{}: material '{}' fills no cells; the mesh has the groups: {}. Name the material like a group, or list "
                      "groups in \"Groups\"",
                      material.where, material.name, join(nearest_first(material.name, group_names))));
  }
  return assigned;
}

template <int dim>
bool Solid<dim>::is_heated() const
{
  return temperature->given() && std::any_of(materials.begin(), materials.end(), [](const auto &one) { return one.feels_heat(); });
}

template <int dim>
void Solid<dim>::prepare_temperature()
{
  if (std::any_of(parts.materials.begin(), parts.materials.end(), [](const auto &one) { return heated(*one.second.law) != nullptr; }))
  {
    const auto is_of_surface = [this](const std::string &name) { return surface.any() && surface.surface().set_is_known(name); };
    parts.temperature = std::make_shared<Temperature<dim>>(temperature, *parts.mesh, is_of_surface);
  }
  if (temperature->has_gradient() && !structure_parts.any_elements())
    throw InputError(temperature->where() +
                     ": the Gradient is that of beams and shells, and there are none. Remove the entry, or give Field");
  if (temperature->given() && !is_heated() && !points.expand())
    log_warning(temperature->where() +
                ": no material has an Expansion, a Shift or constants at other temperatures: temperatures have no effect");
  for (const DeckMaterial &material : materials)
    if (material.heats_itself() && temperature->given())
      throw InputError(
          fmt::format("{}: material '{}' has a Heat fraction, so that its plastic work alone heats it, from its Start temperature "
                      "on. Remove {}, or Heat fraction and what belongs to it",
                      material.where_law, material.name, temperature->where()));
    else if (material.feels_heat() && !temperature->given())
      log_warning(fmt::format(
          "{}: material '{}' has an Expansion, a Shift or constants at other temperatures, and the deck gives no temperatures: they have no effect. Add subsection "
          "Temperature with Initial and Field",
          material.where_law, material.name));
}

template <int dim>
void Solid<dim>::check_memory_of_laws() const
{
  const auto by_points = [](const CellRegion<dim> &region) { return region.kernels->by_points() != nullptr; };
  if (std::all_of(parts.mesh->regions.begin(), parts.mesh->regions.end(), by_points))
    return;
  for (const DeckMaterial &material : materials)
    if (remembers(material))
      throw InputError(fmt::format(
          "{}: material '{}' has a memory, of flow, temperatures or an Initial state (Type = {}): Element = {} integrates elastic laws alone. Set Element = standard "
          "({}), with Order = 2 where cells lock",
          material.where_law, material.name, material.law_name, mesh_choice.element, mesh_choice.where_element));
}

template <int dim>
void Solid<dim>::build()
{
  const ScopedTimer timer("mesh");
  parts.linear_solver->solves_often = this->modes > 0 || this->solves_complex;
  CoarseMesh<dim> coarse = make_mesh();
  parts.materials = assign_materials(coarse.materials);
  bool small = false, finite = false;
  for (const auto &entry : parts.materials)
    (entry.second.law->small_strain() ? small : finite) = true;
  if (small && finite)
    log_warning("some materials are geometrically linear and some are not: rotations of the linear ones will stiffen them");
  parts.mesh = discretise(std::move(coarse));
  prepare_temperature();
  initial_state->prepare(*parts.mesh, std::any_of(materials.begin(), materials.end(), [](const auto &m) { return m.law->plane_stress(); }));
  check_memory_of_laws();
  for (const auto &entry : parts.materials)
    for (const CellRegion<dim> &region : parts.mesh->regions)
      if (const std::string why = region.family.formulation->refusal(*entry.second.law); !why.empty())
        throw InputError(mesh_choice.where_element + ": " + why);
  if (const unsigned int ranks = MPI::n_mpi_processes(MPI_COMM_WORLD); ranks > parts.mesh->n_cells())
    log_warning(
        fmt::format("more ranks ({}) than cells ({}): some have nothing to do. Use fewer (mpirun -n)", ranks, parts.mesh->n_cells()));
  std::vector<bool> hold;
  for (const auto &support : parts.supports->all())
    hold.push_back(first_supports.empty() || first_supports.front() == "all" ||
                   std::count(first_supports.begin(), first_supports.end(), support.name));
  parts.supports->hold_only(hold);
  warn_of_locking(*parts.mesh, parts.materials);
  for (const DeckMaterial &material : materials)
    small_strains.laws[material.name] = material.law_name;
  parts.actions = actions;
  make_system();
  if (const std::string ratios = parts.damping.report(); !ratios.empty())
    log_line(ratios);
  tables.check_contacts(contacts(), *parts.mesh);
  prepare_probes();
  for (SectionForce<dim> &section : section_forces)
    section.prepare(*body);
  if (const auto &equations = points.all_sections().model.parts.equations;
      !equations.empty() && !first_supports.empty() && first_supports.front() != "all")
  {
    hold.clear();
    for (const Equation &equation : equations)
      hold.push_back(std::count(first_supports.begin(), first_supports.end(), equation.name));
    points.points()->begin_supports(*assembled, hold);
    equations_hold = hold;
  }
  find_parts();
  prepare_hold();
  if (!base)
    return;
  base->check(system(), grounded_by(points.all_sections().model.parts));
  log_line(base->report());
}

template <int dim>
MechanicalSystem &Solid<dim>::system()
{
  return *assembled;
}

template <int dim>
ModelFacts Solid<dim>::facts() const
{
  const Discretisation<dim> &mesh = *parts.mesh;
  ModelFacts facts;
  facts.wave_speeds = speeds_of_waves;
  facts.dimension = dim;
  facts.cells = mesh.n_cells();
  facts.nodes = mesh.n_nodes();
  facts.dofs = dim * mesh.n_nodes();
  for (const CellRegion<dim> &region : mesh.regions)
    facts.cell_type += (facts.cell_type.empty() ? "" : ", ") + region.shape().to_string();
  if (mesh_choice.element != "standard")
    facts.cell_type += fmt::format(" ({})", mesh_choice.element);
  facts.degree = mesh.degree();
  const MassMatrix<dim> &mass = body->mass_matrix_of_nodes();
  facts.mass = mass.total();
  dealii::Tensor<1, dim> moment;
  std::uint64_t held = 0;
  for (int node = 0; node < mesh.n_owned_nodes(); ++node)
  {
    moment += mass.nodal(node) * mesh.position[node];
    held += parts.supports->projector_of(node) != nullptr;
  }
  moment = MPI::sum(moment, mesh.communicator);
  facts.held_nodes = MPI::sum(held, mesh.communicator);
  for (int d = 0; d < dim; ++d)
  {
    double lower = std::numeric_limits<double>::max(), upper = -lower;
    for (int node = 0; node < mesh.n_owned_nodes(); ++node)
    {
      lower = std::min(lower, mesh.position[node][d]);
      upper = std::max(upper, mesh.position[node][d]);
    }
    facts.centre[d] = moment[d] / facts.mass;
    facts.lower[d] = MPI::min(lower, mesh.communicator);
    facts.upper[d] = MPI::max(upper, mesh.communicator);
  }
  for (const std::string &name : mesh.boundary_names())
    facts.boundaries.emplace_back(name, SurfaceIntegral<dim>(mesh, {name}).area());
  for (const DeckMaterial &m : materials)
    facts.materials.emplace_back(m.name, m.law_name);
  for (const auto &support : parts.supports->all())
    facts.supports.push_back(fmt::format("{} ({} on {})", support.name, support.type, support.region.text()));
  if (surface.any())
    surface.add_places(facts);
  facts.loads = load_names;
  for (const std::string &load : surface.loads())
    facts.loads.push_back(load);
  facts.memory = memory;
  facts.linear_solver = body->linear_solver().name();
  if (points.any())
    points.add_facts(facts);
  structure_parts.add_facts(facts);
  return facts;
}

template <int dim>
void Solid<dim>::initialise(State &state) const
{
  held_loads.warn(*body);
  initialise_body(state);
  if (this->first_supports.empty())  // the same hold in all stages
    warn_of_held_loads(*assembled, state);
  if constexpr (dim == 3)
    if (structure_parts.any() && !initial_velocity.empty())
      InitialVelocity(initial_velocity).set(*sites, {assembled->all_parts().space, *sites}, points.own_sites(), state.v);
  if (points.any())
    points.initialise(state);
  structure_parts.initialise(state);
  require_turned(*assembled, state.q, where_initial[0]);
  require_turned(*assembled, state.v, where_initial[1]);
  const Vector given = state.v;
  assembled->impose(state.t, state.q, state.v, state.a);
  if (points.any())
    points.check_start(state);
  if (const std::string words = HeldStart(*assembled, sites.get(), given, state.v).in_words(); !initial_velocity.empty() && !words.empty())
    log_warning(
        "Initial conditions/Velocity: " + words +
        ". The supports stand, as after an impact. Let the field be what they prescribe there, for example by factors of x, y, z that "
        "are 0 at them");
  for (Vector *x : {&state.q, &state.v, &state.a})
    x->update_ghost_values();
}

template <int dim>
void Solid<dim>::initialise_body(State &state) const
{
  const Discretisation<dim> &mesh = *parts.mesh;
  state.q = state.v = state.a = mesh.new_vector();
  for (int node = 0; node < mesh.n_owned_nodes(); ++node)
    for (int d = 0; d < dim; ++d)
    {
      const double *X = &mesh.position[node][0];
      if (!initial_displacement.empty())
        state.q.local_element(dim * node + d) = initial_displacement[d].at(X, dim, 0.);
      if (!initial_velocity.empty())
        state.v.local_element(dim * node + d) = initial_velocity[d].at(X, dim, 0.);
    }
  Vector q = state.q, v = state.v, a = state.a;
  parts.supports->impose(state.t, *this->actions, q, v, a);
  q -= state.q;
  if (q.linfty_norm() > 1e-12 * (1e-300 + state.q.linfty_norm()))
    log_warning("the initial displacements differ from the supports where these hold the body: the supports stand");
}

template <int dim>
std::vector<Column> Solid<dim>::momentum_columns(const Units &u) const
{
  const std::string P = fmt::format("{} {}/{}", u.mass, u.length, u.time), J = fmt::format("{} {}^2/{}", u.mass, u.length, u.time);
  std::vector<Column> columns;
  for (int d = 0; d < dim; ++d)
    columns.push_back({fmt::format("P_{}", "xyz"[d]), P, Kind::momentum});
  for (int d = dim == 2 ? 2 : 0; d < 3; ++d)
    columns.push_back({fmt::format("J_{}", "xyz"[d]), J, Kind::momentum});
  return columns;
}

template <int dim>
std::vector<double> Solid<dim>::momenta(const State &state, const Vector &Mv) const
{
  if (sites)
  {
    Vector xi = Mv;
    std::vector<double> values(assembled->unknowns().momenta().size());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      assembled->unknowns().generator(i, state.q, xi);
      values[i] = xi * Mv;
    }
    return values;
  }
  const Discretisation<dim> &mesh = *parts.mesh;
  dealii::Tensor<1, dim> P;
  dealii::Tensor<1, 3> J;
  for (int node = 0; node < mesh.n_owned_nodes(); ++node)
  {
    dealii::Tensor<1, 3> x, p;
    for (int d = 0; d < dim; ++d)
    {
      x[d] = mesh.position[node][d] + state.q.local_element(dim * node + d);
      p[d] = Mv.local_element(dim * node + d);
      P[d] += p[d];
    }
    J += cross_product_3d(x, p);
  }
  P = MPI::sum(P, mesh.communicator);
  J = MPI::sum(J, mesh.communicator);
  if (dim == 2)
    return {P[0], P[1], J[2]};
  return {P[0], P[1], P[dim - 1], J[0], J[1], J[2]};
}

template class Solid<2>;
template class Solid<3>;
SYMDYN_REGISTER(Structure, Solid<2>, "solid-2d");
SYMDYN_REGISTER(Structure, Solid<3>, "solid-3d");
}  // namespace symdyn
