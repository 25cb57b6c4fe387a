#include "solver/program/mesh_deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

#include "meshes/mesh.h"
#include "solver/base/names.h"
#include "solver/deck/deck_format.h"
#include "solver/error.h"
#include "solver/registry.h"

// `symdyn new NAME --from MESH`.
namespace symdyn
{
namespace
{
struct Boundary
{
  std::string name;
  std::size_t faces = 0;
  std::array<double, 3> centre{};
  std::vector<bool> touches;  ///< by part of the mesh
};

/// What of a mesh the deck names.
struct MeshFacts
{
  int dim = 3, parts = 0;
  bool second_order = false;
  std::size_t cells = 0;
  std::array<double, 3> low{}, high{};
  std::vector<std::string> groups;
  std::vector<Boundary> boundaries;  ///< those with faces
};

/// A part is what common vertices join: by cell.
template <int dim>
std::vector<int> parts_of(const dealii::Triangulation<dim> &mesh, int &count)
{
  std::vector<unsigned int> root(mesh.n_vertices());
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](unsigned int v) {
    while (root[v] != v)
      v = root[v] = root[root[v]];
    return v;
  };
  for (const auto &cell : mesh.active_cell_iterators())
    for (const unsigned int v : cell->vertex_indices())
      root[find(cell->vertex_index(v))] = find(cell->vertex_index(0));
  std::map<unsigned int, int> number;
  std::vector<int> part;
  for (const auto &cell : mesh.active_cell_iterators())
    part.push_back(number.emplace(find(cell->vertex_index(0)), int(number.size())).first->second);
  count = int(number.size());
  return part;
}

template <int dim>
MeshFacts facts_of(const std::string &file)
{
  CoarseMesh<dim> mesh;
  read_mesh(file, mesh);
  MeshFacts facts;
  facts.dim = dim;
  facts.cells = mesh.cells.n_active_cells();
  facts.second_order = mesh.nodes_of_cell > 0;
  facts.low.fill(std::numeric_limits<double>::infinity());
  facts.high.fill(-std::numeric_limits<double>::infinity());
  for (const auto &vertex : mesh.cells.get_vertices())
    for (int d = 0; d < dim; ++d)
    {
      facts.low[d] = std::min(facts.low[d], vertex[d]);
      facts.high[d] = std::max(facts.high[d], vertex[d]);
    }
  for (const auto &group : mesh.materials)
    facts.groups.push_back(group.second);
  const std::vector<int> part = parts_of(mesh.cells, facts.parts);
  for (const auto &[name, ids] : mesh.boundaries)
  {
    Boundary boundary{name, 0, {}, std::vector<bool>(std::size_t(facts.parts), false)};
    for (const auto &cell : mesh.cells.active_cell_iterators())
      for (const unsigned int face : cell->face_indices())
        if (cell->face(face)->at_boundary() && ids.count(cell->face(face)->boundary_id()))
        {
          ++boundary.faces;
          boundary.touches[std::size_t(part[cell->active_cell_index()])] = true;
          for (int d = 0; d < dim; ++d)
            boundary.centre[d] += cell->face(face)->center()[d];
        }
    for (double &x : boundary.centre)
      x /= double(std::max<std::size_t>(boundary.faces, 1));
    if (boundary.faces > 0)
      facts.boundaries.push_back(boundary);
  }
  return facts;
}

/// Names that an entry of a deck cannot hold, where commas part names.
bool can_be_named(const std::string &name) { return name.find_first_of(",#\\\n") == std::string::npos && trim(name) == name; }

/// Boundaries that are held, one at least of each part that has one, and the one that is loaded; null: none is left.
struct Choice
{
  std::vector<const Boundary *> held;
  const Boundary *loaded = nullptr;
};

double distance(const Boundary &a, const Boundary &b)
{
  return std::hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1], a.centre[2] - b.centre[2]);
}

Choice choose(const MeshFacts &facts, const std::vector<Boundary> &boundaries)
{
  Choice choice{{&boundaries.front()}, nullptr};
  double furthest = 0.;
  for (const Boundary &a : boundaries)
    for (const Boundary &b : boundaries)
      if (distance(a, b) > furthest)
      {
        furthest = distance(a, b);
        choice = {{&a}, &b};
      }
  for (int part = 0; part < facts.parts; ++part)
  {
    const auto touches = [&](const Boundary *one) { return bool(one->touches[std::size_t(part)]); };
    const auto other =
        std::find_if(boundaries.begin(), boundaries.end(), [&](const Boundary &one) { return touches(&one) && &one != choice.loaded; });
    if (std::none_of(choice.held.begin(), choice.held.end(), touches) && other != boundaries.end())
      choice.held.push_back(&*other);
  }
  return choice;
}

std::string materials_text(const MeshFacts &facts)
{
  std::string text = "subsection Materials\n";
  for (std::size_t i = 0; i < facts.groups.size(); ++i)
  {
    const std::string &group = facts.groups[i];
    const bool plain = group.find('/') == std::string::npos;
    text += fmt::format("  subsection {}\n", plain ? group : fmt::format("group {}", i + 1));
    if (!plain || facts.groups.size() == 1)
      text += fmt::format("    set Groups = {}\n", group);
    text +=
        "    set Type = linear-elasticity  # of small displacements; neo-hooke-log, plastic, ...: symdyn parameters\n"
        "    set E = 210 GPa               # of steel\n"
        "    set nu = 0.3\n"
        "    set Density = 7850 kg/m^3\n"
        "  end\n";
  }
  return text + "end\n\n";
}

std::string supports_text(const Choice &choice)
{
  std::string text = "subsection Supports\n";
  for (std::size_t i = 0; i < choice.held.size(); ++i)
    text += fmt::format("  subsection clamp{}\n    set Boundary = {}\n    set Type = fixed\n  end\n", i == 0 ? "" : std::to_string(i + 1),
                        choice.held[i]->name);
  return text + "end\n\n";
}

std::string loads_text(const MeshFacts &facts, const Choice &choice)
{
  std::string text = "subsection Loads\n";
  if (choice.loaded)
    text += fmt::format(
        "  subsection push\n    set Type = traction\n    set Boundary = {}\n    set Traction = {}  # or expressions of x, y, z, t\n  end\n",
        choice.loaded->name, facts.dim == 2 ? "0, -1 MPa" : "0, 0, -1 MPa");
  else
    text += fmt::format("  subsection weight\n    set Type = gravity\n    set Acceleration = {}\n  end\n",
                        facts.dim == 2 ? "0, -9.81 m/s^2" : "0, 0, -9.81 m/s^2");
  return text + "end\n\n";
}

/// One significant figure.
double rounded(const double x)
{
  const double unit = std::pow(10., std::floor(std::log10(x)));
  return std::round(x / unit) * unit;
}

/// That an .inp names, in its *HEADING or its comments.
std::string unit_system_of(const std::string &file)
{
  const std::string ending = std::filesystem::path(file).extension().string();
  if (Registry<DeckFormat>::instance().has(ending))
    try
    {
      for (const DeckLine &line : Registry<DeckFormat>::instance().make(ending)->read(file).lines)
        if (line.path == "Units" && line.name == "System" && line.value != "none")
          return line.value;
    }
    catch (const InputError &)  // it holds a mesh, and need not be a deck
    {
    }
  return "SI";
}

std::string stage_text(const MeshFacts &facts, const std::string &stage, const bool in_mm)
{
  if (stage == "dynamic")
  {
    const double sound = in_mm ? 5.172e6 : 5172.;  // sqrt(E/rho) of the steel above
    const double across =
        std::hypot(facts.high[0] - facts.low[0], facts.high[1] - facts.low[1], facts.dim == 2 ? 0. : facts.high[2] - facts.low[2]) / sound;
    return fmt::format(
        "subsection Time\n"
        "  set Time step = {:.3g}       # [s]; a wave crosses the mesh in {:.2g} s if its unit is {}\n"
        "  set End time = {:.3g}\n"
        "end\n\n"
        "subsection Integrator\n"
        "  set Scheme = newmark         # symdyn schemes lists the others\n"
        "end\n\n",
        rounded(across / 5.), across, in_mm ? "mm" : "m", 50. * rounded(across / 5.));
  }
  return fmt::format("subsection Stages\n  subsection {0}\n    set Type = {0}\n{1}  end\nend\n\n", stage,
                     stage == "modes" ? "    set Modes = 6\n" : "");
}

std::string list(const std::vector<std::string> &lines)
{
  std::string text;
  for (const std::string &line : lines)
    text += "#     " + line + "\n";
  return text;
}
}  // namespace

std::string deck_of_mesh(const std::string &deck, const std::string &file, const std::string &path, const std::string &stage)
{
  const MeshFacts facts = mesh_file_dimension(path) == 2 ? facts_of<2>(path) : facts_of<3>(path);
  std::vector<Boundary> boundaries;
  std::copy_if(facts.boundaries.begin(), facts.boundaries.end(), std::back_inserter(boundaries),
               [](const Boundary &one) { return can_be_named(one.name); });
  if (boundaries.empty())
    throw InputError(path +
                     ": the mesh names no boundary of its cells, and nothing can be held. Give it a physical group of faces (Gmsh), or "
                     "a *SURFACE or *NSET (.inp)");
  for (const std::string &group : facts.groups)
    if (!can_be_named(group))
      throw InputError(fmt::format("{}: the group '{}' cannot be named in a deck. Use names without commas, # and \\", path, group));
  std::vector<std::string> names;
  for (const Boundary &boundary : boundaries)
    names.push_back(fmt::format("{}  ({} faces)", boundary.name, boundary.faces));
  const Choice choice = choose(facts, boundaries);
  const std::string system = unit_system_of(path);
  const bool in_mm = system == "mm-t-s";
  std::string text = fmt::format(
      "# {0}: a symdyn deck for the mesh {1}. Run it: symdyn run {0}.prm     What may stand here: symdyn parameters\n"
      "# {2} cells from ({3:.6g}, {4:.6g}, {5:.6g}) to ({6:.6g}, {7:.6g}, {8:.6g}){9}: numbers with units are converted.\n# Boundaries:\n",
      deck, file, facts.cells, facts.low[0], facts.low[1], facts.dim == 2 ? 0. : facts.low[2], facts.high[0], facts.high[1],
      facts.dim == 2 ? 0. : facts.high[2], in_mm ? " mm, as the file says" : ". In m; of a mesh in mm set Units/System = mm-t-s");
  text += list(names) + "# Groups of cells, a material each:\n" + list(facts.groups);
  if (facts.parts > 1)
    text += fmt::format("# The mesh has {} parts without a common node. Ties and Contact join them.\n", facts.parts);
  text += fmt::format(
      "set Title = {}\n\nsubsection Units\n  set System = {:<18}# of the mesh, and of all numbers without a unit; SI or mm-t-s\nend\n\n",
      deck, system);
  text += fmt::format("subsection Mesh\n  set Dimension = {}\n  set Type = file\n  set File = {}\n{}end\n\n", facts.dim, file,
                      facts.second_order ? "  set Order = 2\n" : "");
  text += materials_text(facts) + supports_text(choice);
  if (stage != "modes")
    text += loads_text(facts, choice);
  return text + stage_text(facts, stage, in_mm);
}
}  // namespace symdyn
