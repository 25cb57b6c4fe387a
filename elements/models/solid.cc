#include "elements/models/solid.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/lumped/ground.h"
#include "elements/lumped/mesh_nodes.h"
#include "elements/output/locking.h"
#include "elements/space/round_nodes.h"
#include "elements/system/size_check.h"
#include "materials/scaled.h"
#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/deck/deck.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// `make`, with the place in the deck before what it complains about.
template <class Make>
auto placed(const std::string &where, const Make &make)
{
  try
  {
    return make();
  }
  catch (const InputError &error)
  {
    throw InputError(where + ": " + error.what());
  }
}
}  // namespace

template <int dim>
CoarseMesh<dim> Solid<dim>::make_mesh()
{
  const MeshChoice &m = mesh_choice;
  constexpr double simplices_of_a_cell = dim == 2 ? 8. : 24.;
  MeshForecast forecast = {dim, m.cell_shape == "simplex", m.degree, 0., m.refinements, is_serendipity(formulation_of(m.element))};
  CoarseMesh<dim> mesh;
  if (m.generator)
  {
    forecast.coarse_cells =
        placed(m.where, [&] { return m.generator->number_of_cells(m.cells); }) * (forecast.simplex ? simplices_of_a_cell : 1.);
    check_size_of(forecast);  // before the mesh is made
    placed(m.where, [&] { m.generator->make(m.cells, mesh); });
    forecast.curved = m.degree > 1 && has_arcs(mesh.cells);
    if (forecast.curved)
      check_size_of(forecast);
  }
  else
  {
    placed(m.where, [&] { read_mesh(m.file_path, mesh); });
    forecast.wedge = mesh.cells.get_reference_cells().front() == dealii::ReferenceCells::Wedge;
    if (forecast.wedge)
      check_choice_for_wedges();
    take_order_of(mesh);
    forecast.degree = m.degree;
    forecast.serendipity = is_serendipity(formulation_of(m.element));
    forecast.curved = !mesh.nodes.empty();
    const bool simplices = mesh.cells.all_reference_cells_are_simplex();
    forecast.coarse_cells = mesh.cells.n_active_cells() * (forecast.simplex && !simplices ? simplices_of_a_cell : 1.);
    forecast.simplex = forecast.simplex || simplices;
    check_size_of(forecast);
  }
  if (forecast.simplex && !mesh.cells.all_reference_cells_are_simplex())
    placed(m.where, [&] { to_simplices(mesh); });
  return mesh;
}

template <int dim>
void Solid<dim>::check_choice_for_wedges() const
{
  const MeshChoice &m = mesh_choice;
  if (m.refinements > 0)
    throw InputError(m.where_size + ": cells that are wedges cannot be refined. Set Refinements = 0 and mesh finer");
  if (m.cell_shape == "simplex")
    throw InputError(m.where + ": wedges cannot be cut into simplices. Remove \"Cell shape\", or mesh with tetrahedra");
  if (m.degree > 2)
    throw InputError(fmt::format("{}: wedges have Degree = 1 or 2, not {}", m.where_element, m.degree));
  if (m.element != "standard")
    throw InputError(fmt::format("{}: wedges have Element = standard; {} is of hexahedra. Remove the entry, or mesh with hexahedra",
                                 m.where_element, m.element));
}

template <int dim>
void Solid<dim>::take_order_of(const CoarseMesh<dim> &mesh)
{
  MeshChoice &m = mesh_choice;
  if (mesh.nodes.empty())
    return;
  const bool simplices = mesh.cells.all_reference_cells_are_simplex(), middles_of_lines = mesh.nodes_of_cell == (dim == 2 ? 8 : 20);
  const std::string place = m.degree_given || m.element_given ? m.where_element : m.where;
  const std::string is = fmt::format("{}: the mesh is of second order, with {} nodes a cell", place, mesh.nodes_of_cell);
  if (m.degree_given && m.degree != 2)
    throw InputError(is + ": its elements have Degree = 2. Remove the entry, or save the mesh with elements of first order");
  if (m.refinements > 0)
    throw InputError(is + ": it cannot be refined. Set Refinements = 0 and mesh finer");
  if (m.cell_shape == "simplex" && !simplices)
    throw InputError(is + ": its cells cannot be cut into simplices. Remove \"Cell shape\", or mesh with tetrahedra or triangles");
  const bool serendipity = is_serendipity(formulation_of(m.element)), needed = !simplices && middles_of_lines;
  if (m.element_given && serendipity != needed)
    throw InputError(is + (needed ? ": that is Element = serendipity or serendipity-reduced" : ": that is Element = standard") + ", not " +
                     m.element);
  m.degree = 2;
  if (needed && !m.element_given)
    m.element = "serendipity";
}

template <int dim>
void Solid<dim>::check_size_of(const MeshForecast mesh) const
{
  constexpr double GiB = 1073741824.;
  const bool follows = std::any_of(parts.loads.begin(), parts.loads.end(), [](const auto &use) { return use.load->follows(); });
  const Workload work{this->needs_tangent, parts.mass_type == MassType::consistent, !follows, parts.linear_solver->name(), this->modes,
                      this->solves_complex};
  check_size(mesh, work, {mesh_choice.where_size, mesh_choice.memory_limit * GiB});
  memory = estimate_memory(mesh, work).total(MPI::n_mpi_processes(MPI_COMM_WORLD));
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
  std::map<unsigned int, MaterialInUse> assigned;
  std::vector<bool> used(materials.size(), false);
  for (const auto &[id, group] : groups)
    for (std::size_t m = 0; m < materials.size(); ++m)
    {
      const DeckMaterial &material = materials[m];
      const bool all = material.groups.empty() && materials.size() == 1;
      const bool named =
          material.groups.empty() ? material.name == group : std::count(material.groups.begin(), material.groups.end(), group) > 0;
      if (!all && !named)
        continue;
      if (assigned.count(id))
        throw InputError(fmt::format("{}: cell group '{}' has the material '{}' already", material.where, group, assigned[id].name));
      assigned[id] = {material.name, material.law, material.density, material.stiff};
      if (material.thickness != 1.)
        assigned[id] = {material.name,
                        std::make_shared<ScaledMaterial>(material.law, material.thickness),
                        material.thickness * material.density,
                        material.stiff,
                        material.thickness,
                        material.law};
      used[m] = true;
    }
  for (const auto &[id, group] : groups)
    if (!assigned.count(id))
      throw InputError(
          fmt::format("{}: the mesh has a cell group '{}' without a material. Add a material of that name, or list the group in "
                      "some material's \"Cells\"",
                      materials.front().where, group));
  for (std::size_t m = 0; m < materials.size(); ++m)
  {
    const DeckMaterial &material = materials[m];
    if (!used[m])
      throw InputError(
          fmt::format("{}: material '{}' fills no cells; the mesh has the groups: {}. Name the material like a group, or list "
                      "groups in \"Cells\"",
                      material.where, material.name, join(nearest_first(material.name, group_names))));
  }
  return assigned;
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
  const Formulation formulation = formulation_of(mesh_choice.element);
  for (const auto &entry : parts.materials)
    if (formulation == Formulation::mean_dilatation && entry.second.law->plane_stress())
      throw InputError(mesh_choice.where_element +
                       ": plane stress does not lock, and has no volume ratio to average. Set Element = standard, or Plane = strain");
  placed(mesh_choice.where, [&] {
    auto mesh = std::make_shared<Discretisation<dim>>(std::move(coarse), mesh_choice.degree, mesh_choice.refinements, formulation);
    for (const auto &[id, use] : parts.materials)
      mesh->thickness[id] = use.thickness;
    parts.mesh = mesh;
  });
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
  for (Probe<dim> &probe : probes)
    probe.prepare(*parts.mesh, mesh_choice.file_path);
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
  if (!base)
    return;
  base->check(system(), grounded_by(points.all_sections().model.parts));
  log_line(base->report());
}

template <int dim>
void Solid<dim>::make_system()
{
  points.read(*parts.mesh);
  parts.actions = this->actions;
  body = std::make_unique<SolidBody<dim>>(parts);
  held_loads.check(*body);
  AssembledSystem::Parts of_system = system_parts(*body, make_space(*parts.mesh, points.appended()));
  if (!points.appended().empty())
    of_system.coarser = {};
  points.add_to(of_system);
  assembled = std::make_unique<AssembledSystem>(std::move(of_system));
  support_forces = std::make_unique<SupportForces<dim>>(*body, *assembled);
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
  facts.dimension = dim;
  facts.cells = mesh.n_cells();
  facts.nodes = mesh.n_nodes();
  facts.dofs = dim * mesh.n_nodes();
  facts.cell_type = mesh.family.fe->reference_cell().to_string();
  if (mesh.family.formulation != Formulation::standard)
    facts.cell_type += fmt::format(" ({})", mesh_choice.element);
  facts.degree = mesh.family.fe->degree;
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
  facts.loads = load_names;
  facts.memory = memory;
  if (points.any())
    points.add_facts(facts);
  return facts;
}

template <int dim>
void Solid<dim>::initialise(State &state) const
{
  held_loads.tell(*body);
  initialise_body(state);
  if (points.any())
    points.initialise(state);
  assembled->impose(state.t, state.q, state.v, state.a);
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
  Vector q = state.q, v = state.v;
  parts.supports->impose(state.t, *this->actions, state.q, state.v, state.a);
  q -= state.q;
  v -= state.v;
  if (q.linfty_norm() > 1e-12 * (1e-300 + state.q.linfty_norm()) || v.linfty_norm() > 1e-12 * (1e-300 + state.v.linfty_norm()))
    log_warning("the initial fields differ from the supports where these hold the body: the supports stand");
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
  if (points.any())
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
