#include "elements/models/surface_model.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/gram/director_nodes.h"
#include "elements/gram/group_masses.h"
#include "elements/gram/mesh_lines.h"
#include "elements/gram/surface_sites.h"
#include "elements/load.h"
#include "elements/models/placed.h"
#include "elements/models/surface_nodes.h"
#include "elements/shells/shell_faces.h"
#include "elements/shells/shell_surface.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
const char *const help_of_fold_angle =
    "of a mesh from a file and of a polyline: up to it shells and lines of beams that meet are smooth, beyond it they have a fold [degrees]";
constexpr int dimension_of_surface = 2, dimension_of_solid = 3;
}  // namespace

bool SurfaceModel::given(const Parameters &root)
{
  const Parameters beams = root.section("Beams");
  const std::vector<std::string> names = beams.named_sections();
  const bool on_lines =
      std::any_of(names.begin(), names.end(), [&](const std::string &name) { return beams.section(name).given("Groups"); });
  return root.section("Mesh").exists() && (root.section("Shells").exists() || on_lines);
}

bool SurfaceModel::takes(const Parameters &load) const
{
  std::string type;
  Parameters p = load;
  p.add("Type", type, "kind of load");
  if (!any() || !Registry<SurfaceLoad>::instance().has(type))
    return false;
  if (!Registry<symdyn::Load<3>>::instance().has(type) || p.given("Moment"))
    return true;
  std::vector<std::string> names;
  if (p.given("Groups"))
  {
    p.add("Groups", names, "");
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string &name) { return std::count(mesh->groups.begin(), mesh->groups.end(), name) > 0; });
  }
  if (type != "nodal-force")
    return false;
  const std::string entry = p.given("Nodes") ? "Nodes" : "Boundary";
  p.add(entry, names, "");
  const auto of_surface = std::count_if(names.begin(), names.end(), [&](const std::string &name) {
    return entry == "Nodes" ? mesh->set_is_known(name) : mesh->edges.count(name) > 0;
  });
  const bool is_cut = std::any_of(names.begin(), names.end(), [&](const std::string &name) { return mesh->cut.count(name) > 0; });
  if (of_surface > 0 && (of_surface < std::ptrdiff_t(names.size()) || (entry == "Nodes" && is_cut)))
    p.fail(entry, "names nodes of the solid and of shells or beams. Give a load for the nodes of each");
  return of_surface > 0;
}

void SurfaceModel::declare_beside(Parameters &root, const std::vector<std::string> &groups)
{
  if (Parameters own = root.section("Surface mesh"); own.exists())
    declare_mesh(own);
  else
    declare_groups(root.section("Mesh"), groups);
  is_alone = !root.section("Beams").exists() && !root.section("Couplings").exists();
  of_mesh = mesh_points(*mesh);
}

void SurfaceModel::declare_groups(Parameters p, const std::vector<std::string> &groups)
{
  std::string type;
  MeshFileEntries entries;
  p.add("Type", type, "");
  entries.declare(p, "");
  if (type != "file" || entries.file.empty())
    p.fail("",
           "there are shells, or beams on Groups, beside the solid, and no mesh of them. Add a section \"Surface mesh\", give both in one "
           "file, or set Structure = discrete where the mesh is theirs alone");
  p.add("Fold angle", fold_angle, help_of_fold_angle, between(0., 90.));
  const Parameters shells = p.root().section("Shells");
  for (const std::string &name : shells.named_sections())
    if (!shells.section(name).given("Groups"))
      shells.section(name).fail("", "the shell stands beside a solid in one file, and needs its Groups there");
  of_solid = groups;
  const std::string path = entries.path(p, dimension_of_solid);
  take(placed(p.where("File"), [&] { return read_surface(path, groups); }), p.where("File"));
}

void SurfaceModel::declare(Parameters &root)
{
  declare_mesh(root.section("Mesh"));
  Parameters supports = root.section("Supports");
  held = std::make_shared<Supports<3>>();
  held->declare(supports);
  const Parameters loads = root.section("Loads");
  for (const std::string &name : loads.named_sections())
    declare_load(name, loads.section(name));
  of_mesh = mesh_points(*mesh);
}

void SurfaceModel::declare_mesh(Parameters p)
{
  MeshFileEntries entries;
  std::string type = "plate", cell_shape = "quadrilaterals";
  std::vector<int> subdivisions;
  std::vector<std::string> types = Registry<SurfaceShape>::instance().names();
  types.push_back("file");
  p.add("Type", type, "shape of the surface to mesh, or file", types);
  entries.declare(p, "Gmsh .msh, VTK .vtk, UCD .ucd or Abaqus .inp");
  p.add("Cell shape", cell_shape, "quadrilaterals, or triangles, into which they are cut", {"quadrilaterals", "triangles"});
  p.add(
      "Subdivisions", subdivisions,
      "numbers of cells of a shape: of a plate along x, y; of a cylinder-panel along phi, x; of a sphere-panel along phi, theta; of a polyline one for all "
      "segments, or one for each",
      {1, 100000});
  p.add("Fold angle", fold_angle, help_of_fold_angle, between(0., 90.));
  SurfaceMesh made = type == "file" ? read_file(p, entries) : make_shape(p, type, subdivisions);
  if (made.cells.empty() && p.given("Cell shape"))
    p.fail("Cell shape", "has no effect on a mesh of lines. Remove it");
  if (cell_shape == "triangles")
    made.cut_into_triangles();
  take(std::move(made), p.where(type == "file" ? "File" : "Type"));
}

void SurfaceModel::take(SurfaceMesh made, const std::string &where)
{
  mesh = std::make_shared<const SurfaceMesh>(std::move(made));
  where_mesh = where;
  if (const auto pairs = mesh->coincident_nodes(); !pairs.empty())
  {
    const auto &X = mesh->nodes[pairs.front()[0]];
    log_warning(fmt::format(
        "{}: {} nodes stand at the place of another one, first at ({:g}, {:g}, {:g}) m: the beams and shells there move without each "
        "other. Merge the nodes of the mesh",
        where_mesh, pairs.size(), X[0], X[1], X[2]));
  }
}

SurfaceMesh SurfaceModel::read_file(const Parameters &p, const MeshFileEntries &entries)
{
  if (entries.file.empty())
    p.fail("File", "Type = file needs the name of a mesh file");
  if (p.given("Subdivisions"))
    p.fail("Subdivisions", "has no effect with Type = file. Remove it");
  const std::string path = entries.path(p, dimension_of_surface);
  return placed(p.where("File"), [&] { return read_surface(path); });
}

SurfaceMesh SurfaceModel::make_shape(const Parameters &p, const std::string &type, const std::vector<int> &subdivisions)
{
  for (const char *entry : {"File", "Parameters"})
    if (p.given(entry))
      p.fail(entry, "has no effect with Type = " + type + ". Set Type = file, or remove the entry");
  const auto shape = Registry<SurfaceShape>::instance().make(type);
  Parameters own = p.section(type);
  shape->declare(own);
  SurfaceMesh made = [&] {
    try
    {
      return shape->make(subdivisions);
    }
    catch (const InputError &error)
    {
      p.fail("Subdivisions", error.what());
    }
  }();
  if (!made.normals.empty() && p.given("Fold angle"))
    p.fail("Fold angle",
           "has no effect with Type = " + type + ", whose normals are exact. It is for Type = file or polyline: remove the entry");
  return made;
}

void SurfaceModel::declare_load(const std::string &name, Parameters section)
{
  const std::vector<std::string> types = Registry<SurfaceLoad>::instance().names();
  std::string type;
  section.add("Type", type, "kind of load", types);
  if (!section.given("Type"))
    section.fail("Type", "a load needs its type, one of: " + ::symdyn::join(types));
  std::shared_ptr<SurfaceLoad> load = Registry<SurfaceLoad>::instance().make(type);
  load->declare(section);
  all_loads.push_back({name, type, section.where(section.given("Boundary") ? "Boundary" : ""), load});
}

void SurfaceModel::join(const Discretisation<3> &body)
{
  try
  {
    of_body = join_surface(*mesh, body);
  }
  catch (const InputError &error)
  {
    throw InputError(where_mesh + ": " + error.what());
  }
  const std::size_t common = mesh->nodes.size() - of_body->own.size();
  const std::string found = fmt::format("{} of {} nodes of the surface are nodes of the body", common, mesh->nodes.size());
  log_line(found);
  if (common == 0 && is_alone)
    log_warning(where_mesh + ": " + found + ": they move without each other. Mesh both with common nodes, or join them by Couplings");
}

void SurfaceModel::document(Parameters &root)
{
  Parameters mesh = root.section("Mesh"), load = root.section("Loads").section("<name>");
  double angle = 20;
  mesh.add("Fold angle", angle, help_of_fold_angle, between(0., 90.));
  SurfaceModel().declare_mesh(root.section("Surface mesh"));
  const auto record = [](auto &&object, Parameters p) {
    try
    {
      object->declare(p);
    }
    catch (const InputError &)  // of entries that must be given, once all are declared
    {
    }
  };
  for (const std::string &name : Registry<SurfaceShape>::instance().names())
    for (const Parameters &one : {mesh, root.section("Surface mesh")})
      record(Registry<SurfaceShape>::instance().make(name), one.section(name));
  for (const std::string &name : Registry<SurfaceLoad>::instance().names())
    record(Registry<SurfaceLoad>::instance().make(name), load);
}

void SurfaceModel::plan(SitePlan &plan) const
{
  if (!any())
    return;
  if (of_body)
  {
    plan.append_nodes(of_body->nodes_of_body, of_body->own);
    plan.shared<SurfaceSites>().set(of_body->sites);
  }
  constexpr double degree = M_PI / 180.;
  plan.shared<ShellSurface>().set(mesh, fold_angle * degree);
  if (!mesh->cells.empty())
    plan.shared<FacesOfPlan>().with_shells = std::make_shared<ShellFaces>(plan);
  plan.shared<MeshLines>().set(mesh, fold_angle * degree);
}

void SurfaceModel::add_loads(AssembledSystem::Parts &system, SitePlan &plan) const
{
  if (const std::vector<std::string> left = plan.shared<ShellSurface>().left(); !left.empty())
    throw InputError(fmt::format("{}: no shell has the cells of group {}. Add a shell with these Groups, or remove the cells from the mesh",
                                 where_mesh, ::symdyn::join(left)));
  if (const std::string loose = plan.shared<MeshLines>().loose(); !loose.empty())
    throw InputError(where_mesh + ": " + loose);
  const PlannedSites sites(system.space, plan);
  auto &nodes = plan.shared<DirectorNodes>();
  const auto &of_nodes = plan.shared<SurfaceSites>();
  const auto directors = [&](const unsigned int node) {
    return nodes.has(of_nodes(node)) ? nodes.directors(plan, of_nodes(node)) : std::vector<SitePlan::Site>();
  };
  const auto basis = [&](const unsigned int node) {
    return nodes.has(of_nodes(node)) ? nodes.basis(of_nodes(node)) : std::vector<GramVector>();
  };
  const auto director = [&](const unsigned int node, const GramVector &normal) { return nodes.sum(plan, of_nodes(node), normal); };
  for (const Load &one : all_loads)
  {
    one.load->prepare({*mesh, sites, directors, basis, director, plan.shared<ShellSurface>(), &plan.shared<GroupMasses>(), of_nodes});
    system.loads.push_back({one.name, one.where, one.load});
  }
}

void SurfaceModel::add_to(AssembledSystem::Parts &system, SitePlan &plan, const std::vector<std::string> &first)
{
  if (!any())
    return;
  add_loads(system, plan);
  const PlannedSites sites(system.space, plan);
  std::vector<bool> hold;
  for (const auto &support : held->all())
    hold.push_back(first.empty() || first.front() == "all" || std::count(first.begin(), first.end(), support.name));
  held->hold_only(hold);
  held->prepare(supported_nodes(sites, plan));
  system.supports.push_back(held);
  add_rotations(*held, system, plan);
}

void SurfaceModel::add_rotations(const Supports<3> &supports, AssembledSystem::Parts &system, SitePlan &plan) const
{
  const PlannedSites sites(system.space, plan);
  refuse_double_rotations(supports, sites, plan);
  add_single_rotations(supports, sites, plan, system);
}

void SurfaceModel::check_loads(const std::vector<std::string> &forces) const
{
  for (const Load &one : all_loads)
    if (std::count(forces.begin(), forces.end(), one.name) > 0)
      throw InputError(
          fmt::format("{}: there is a section Forces/{}, too. Stages choose loads by name: rename one of them", one.where, one.name));
}

void SurfaceModel::add_facts(ModelFacts &facts) const
{
  if (!any())
    return;
  std::set<unsigned int> nodes;
  for (const auto &support : held->all())
  {
    nodes.insert(support.nodes.begin(), support.nodes.end());
    facts.supports.push_back(fmt::format("{} ({} on {})", support.name, support.type, support.region.text()));
  }
  facts.held_nodes += dealii::Utilities::MPI::sum(nodes.size(), MPI_COMM_WORLD);
  for (const std::string &load : loads())
    facts.loads.push_back(load);
  add_places(facts);
}

void SurfaceModel::add_places(ModelFacts &facts) const
{
  if (of_body)
  {
    facts.nodes += of_body->own.size();
    facts.dofs += 3 * of_body->own.size();
  }
  for (const Place &X : mesh->nodes)
    for (int d = 0; d < 3; ++d)
    {
      facts.lower[d] = std::min(facts.lower[d], X[d]);
      facts.upper[d] = std::max(facts.upper[d], X[d]);
    }
}

std::vector<std::string> SurfaceModel::loads() const
{
  std::vector<std::string> all;
  for (const Load &one : all_loads)
    all.push_back(fmt::format("{} ({})", one.name, one.type));
  return all;
}

std::string SurfaceModel::description() const
{
  if (!any())
    return "";
  std::vector<std::string> names;
  for (const auto &boundary : mesh->edges)
    names.push_back(boundary.first);
  return fmt::format("  surface of {} nodes, groups: {}; boundaries: {}\n", mesh->nodes.size(), ::symdyn::join(mesh->groups),
                     names.empty() ? "none" : ::symdyn::join(names));
}
}  // namespace symdyn
