#include "elements/models/surface_model.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/gram/director_nodes.h"
#include "elements/gram/group_masses.h"
#include "elements/gram/mesh_lines.h"
#include "elements/models/surface_nodes.h"
#include "elements/shells/shell_surface.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
const char *const help_of_fold_angle =
    "of a mesh from a file: up to it shells and lines of beams that meet are smooth, beyond it they have a fold [degrees]";
}

bool SurfaceModel::given(const Parameters &root)
{
  const Parameters beams = root.section("Beams");
  const std::vector<std::string> names = beams.named_sections();
  const bool on_lines =
      std::any_of(names.begin(), names.end(), [&](const std::string &name) { return beams.section(name).given("Groups"); });
  return root.section("Mesh").exists() && (root.section("Shells").exists() || on_lines);
}

void SurfaceModel::declare(Parameters &root)
{
  declare_mesh(root.section("Mesh"));
  Parameters supports = root.section("Supports");
  held = std::make_shared<Supports<3>>();
  held->declare(supports);
  declare_loads(root.section("Loads"));
  of_mesh = mesh_points(*mesh);
}

void SurfaceModel::declare_mesh(Parameters p)
{
  std::string type = "plate", file, cell_shape = "quadrilaterals";
  std::vector<int> subdivisions;
  std::vector<std::string> types = Registry<SurfaceShape>::instance().names();
  types.push_back("file");
  p.add("Type", type, "shape of the surface to mesh, or file", types);
  p.add("File", file, "Gmsh .msh, VTK .vtk, UCD .ucd or Abaqus .inp file, relative to the deck (Type = file)");
  p.add("Cell shape", cell_shape, "quadrilaterals, or triangles, into which they are cut", {"quadrilaterals", "triangles"});
  p.add("Subdivisions", subdivisions, "numbers of cells of a shape, along both directions", {1, 100000});
  p.add("Fold angle", fold_angle, help_of_fold_angle, between(0., 90.));
  SurfaceMesh made = type == "file" ? read_file(p, file) : make_shape(p, type, subdivisions);
  if (cell_shape == "triangles")
    made.cut_into_triangles();
  mesh = std::make_shared<const SurfaceMesh>(std::move(made));
  where_mesh = p.where(type == "file" ? "File" : "Type");
  if (const auto pairs = mesh->coincident_nodes(); !pairs.empty())
  {
    const auto &X = mesh->nodes[pairs.front()[0]];
    log_warning(
        fmt::format("{}: {} nodes stand at the place of another one, first at ({:g}, {:g}, {:g}) m: the shells there move without each "
                    "other. Merge the nodes of the mesh",
                    where_mesh, pairs.size(), X[0], X[1], X[2]));
  }
}

SurfaceMesh SurfaceModel::read_file(const Parameters &p, const std::string &file)
{
  if (file.empty())
    p.fail("File", "Type = file needs the name of a mesh file");
  if (p.given("Subdivisions"))
    p.fail("Subdivisions", "has no effect with Type = file. Remove it");
  try
  {
    return read_surface(p.file_path(file));
  }
  catch (const InputError &error)
  {
    p.fail("File", error.what());
  }
}

SurfaceMesh SurfaceModel::make_shape(const Parameters &p, const std::string &type, const std::vector<int> &subdivisions)
{
  for (const char *entry : {"File", "Fold angle"})
    if (p.given(entry))
      p.fail(entry, "has no effect with Type = " + type + ". Set Type = file, or remove the entry");
  const auto shape = Registry<SurfaceShape>::instance().make(type);
  Parameters own = p.section(type);
  shape->declare(own);
  try
  {
    return shape->make(subdivisions);
  }
  catch (const InputError &error)
  {
    p.fail("Subdivisions", error.what());
  }
}

void SurfaceModel::declare_loads(Parameters p)
{
  const std::vector<std::string> types = Registry<SurfaceLoad>::instance().names();
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    std::string type;
    section.add("Type", type, "kind of load", types);
    if (!section.given("Type"))
      section.fail("Type", "a load needs its type, one of: " + join(types));
    std::shared_ptr<SurfaceLoad> load = Registry<SurfaceLoad>::instance().make(type);
    load->declare(section);
    all_loads.push_back({name, type, section.where(section.given("Boundary") ? "Boundary" : ""), load});
  }
}

void SurfaceModel::document(Parameters &root)
{
  Parameters mesh = root.section("Mesh"), load = root.section("Loads").section("<name>");
  double angle = 20;
  mesh.add("Fold angle", angle, help_of_fold_angle, between(0., 90.));
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
    record(Registry<SurfaceShape>::instance().make(name), mesh.section(name));
  for (const std::string &name : Registry<SurfaceLoad>::instance().names())
    record(Registry<SurfaceLoad>::instance().make(name), load);
}

void SurfaceModel::plan(SitePlan &plan) const
{
  if (!any())
    return;
  constexpr double degree = M_PI / 180.;
  plan.shared<ShellSurface>().set(mesh, fold_angle * degree);
  plan.shared<MeshLines>().set(mesh, fold_angle * degree);
}

void SurfaceModel::add_to(AssembledSystem::Parts &system, SitePlan &plan, const std::vector<std::string> &first)
{
  if (!any())
    return;
  if (const std::vector<std::string> left = plan.shared<ShellSurface>().left(); !left.empty())
    throw InputError(fmt::format("{}: no shell has the cells of group {}. Add a shell with these Groups, or remove the cells from the mesh",
                                 where_mesh, join(left)));
  if (const std::string loose = plan.shared<MeshLines>().loose(); !loose.empty())
    throw InputError(where_mesh + ": " + loose);
  const PlannedSites sites(system.space, plan);
  auto &nodes = plan.shared<DirectorNodes>();
  const auto directors = [&](const unsigned int node) {
    return nodes.has(node) ? nodes.directors(plan, node) : std::vector<SitePlan::Site>();
  };
  const auto basis = [&](const unsigned int node) { return nodes.has(node) ? nodes.basis(node) : std::vector<GramVector>(); };
  for (const Load &one : all_loads)
  {
    one.load->prepare({*mesh, sites, directors, basis, &plan.shared<GroupMasses>()});
    system.loads.push_back({one.name, one.where, one.load});
  }
  std::vector<bool> hold;
  for (const auto &support : held->all())
    hold.push_back(first.empty() || first.front() == "all" || std::count(first.begin(), first.end(), support.name));
  held->hold_only(hold);
  held->prepare(supported_nodes(sites, plan));
  system.supports.push_back(held);
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
  for (const Load &one : all_loads)
    facts.loads.push_back(fmt::format("{} ({})", one.name, one.type));
  for (const Place &X : mesh->nodes)
    for (int d = 0; d < 3; ++d)
    {
      facts.lower[d] = std::min(facts.lower[d], X[d]);
      facts.upper[d] = std::max(facts.upper[d], X[d]);
    }
}

std::string SurfaceModel::description() const
{
  if (!any())
    return "";
  std::vector<std::string> names;
  for (const auto &boundary : mesh->edges)
    names.push_back(boundary.first);
  return fmt::format("  surface of {} nodes, groups: {}; boundaries: {}\n", mesh->nodes.size(), join(mesh->groups),
                     names.empty() ? "none" : join(names));
}
}  // namespace symdyn
