#include <deal.II/base/types.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparsity_tools.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "meshes/mesh_file.h"
#include "meshes/surface.h"
#include "solver/base/names.h"
#include "solver/base/text_file.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
MeshFile read(const std::string &file)
{
  const auto ends = [&file](const std::string &ending) {
    return file.size() > ending.size() && file.compare(file.size() - ending.size(), ending.size(), ending) == 0;
  };
  if (ends(".msh"))
    return read_gmsh(file);
  if (ends(".vtk"))
    return read_vtk(file);
  if (ends(".ucd"))
    return read_ucd(file);
  if (ends(".inp"))
    return read_abaqus(file);
  throw InputError(file + ": a surface is read from Gmsh .msh, VTK .vtk, UCD .ucd or Abaqus .inp files. Convert it");
}

/// The corners of an element, around, then the middles of its edges.
std::vector<unsigned int> around(const FileElement &element)
{
  std::vector<unsigned int> nodes;
  for (unsigned int i = 0; i < node_count(element.shape); ++i)
    nodes.push_back(element.nodes[lexicographic_place(element.shape, i)]);
  nodes.insert(nodes.end(), element.middles.begin(), element.middles.end());
  return nodes;
}

/// Cuthill and McKee's order of the nodes of cells and lines; the others have none.
std::vector<unsigned int> new_numbers(const SurfaceMesh &mesh, const std::size_t nodes)
{
  const unsigned int unused = dealii::numbers::invalid_unsigned_int;
  std::vector<const std::vector<unsigned int> *> parts;
  for (const auto &cell : mesh.cells)
    parts.push_back(&cell.nodes);
  for (const auto &line : mesh.lines)
    parts.push_back(&line.nodes);
  std::vector<unsigned int> dense(nodes, unused);
  unsigned int used = 0;
  for (const auto *part : parts)
    for (const unsigned int a : *part)
      if (dense[a] == unused)
        dense[a] = used++;
  dealii::DynamicSparsityPattern joined(used, used);
  for (const auto *part : parts)
    for (const unsigned int a : *part)
      for (const unsigned int b : *part)
        joined.add(dense[a], dense[b]);
  std::vector<dealii::DynamicSparsityPattern::size_type> order(used);
  dealii::SparsityTools::reorder_Cuthill_McKee(joined, order);
  for (unsigned int &one : dense)
    if (one != unused)
      one = order[one];
  return dense;
}

/// What the file gives at the nodes of an element; {}: nothing.
std::vector<SurfaceMesh::Place> normals_at(const MeshFile &file, const std::size_t element, const std::vector<unsigned int> &nodes)
{
  std::vector<SurfaceMesh::Place> normals(nodes.size());
  bool any = false;
  for (std::size_t a = 0; a < nodes.size(); ++a)
  {
    const auto own = file.normals_of_elements.find({element, nodes[a]});
    const auto of_node = file.normals.find(nodes[a]);
    if (own != file.normals_of_elements.end())
      normals[a] = own->second;
    else if (of_node != file.normals.end())
      normals[a] = of_node->second;
    any = any || own != file.normals_of_elements.end() || of_node != file.normals.end();
  }
  return any ? normals : std::vector<SurfaceMesh::Place>();
}

/// Nodes of cells and lines alone, renumbered.
SurfaceMesh renumbered(const MeshFile &file, SurfaceMesh mesh)
{
  const std::vector<unsigned int> number = new_numbers(mesh, file.nodes.size());
  const auto unused = [&number](const unsigned int a) { return number[a] == dealii::numbers::invalid_unsigned_int; };
  std::size_t count = 0;
  for (std::size_t a = 0; a < number.size(); ++a)
    count += !unused(a);
  mesh.nodes.resize(count);
  mesh.thicknesses.assign(file.thicknesses.empty() ? 0 : count, 0.);
  for (const auto &[a, thickness] : file.thicknesses)
    if (!unused(a))
      mesh.thicknesses[number[a]] = thickness;
  for (std::size_t a = 0; a < number.size(); ++a)
    if (!unused(a))
    {
      for (int d = 0; d < 3; ++d)
        mesh.nodes[number[a]][d] = file.nodes[a][d];
      if (file.names_nodes)
        mesh.node_of_number[file.numbers[a]] = number[a];
    }
  const auto renumber = [&number](auto &parts) {
    for (auto &part : parts)
      for (unsigned int &a : part.nodes)
        a = number[a];
  };
  renumber(mesh.cells);
  renumber(mesh.lines);
  for (auto &[name, edges] : mesh.edges)
    for (auto &edge : edges)
      for (unsigned int &a : edge)
        a = number[a];
  for (auto &[name, nodes] : mesh.sets)
  {
    const std::size_t before = nodes.size();
    nodes.erase(std::remove_if(nodes.begin(), nodes.end(), unused), nodes.end());
    if (nodes.size() < before)
      mesh.cut.insert(name);
    for (unsigned int &a : nodes)
      a = number[a];
  }
  return mesh;
}

/// Leaves shells and beams of these groups, and lines between their nodes. Errors: InputError for a group that is not there.
void keep_thin(MeshFile &file, const std::vector<std::string> &groups)
{
  for (const std::string &group : groups)
    if (std::count(file.groups.begin(), file.groups.end(), group) == 0)
      throw InputError("the mesh has no group '" + group + "'; there are: " + join(nearest_first(group, file.groups)));
  for (const std::string &group : groups)
    if (std::none_of(file.elements.begin(), file.elements.end(),
                     [&](const FileElement &element) { return dimension(element.shape) < 3 && file.in_groups(element, {group}); }))
      throw InputError("group '" + group + "' has no triangle, quadrilateral or line. Name groups of shells and beams");
  const auto is_thin = [&](const FileElement &element) { return dimension(element.shape) < 3 && file.in_groups(element, groups); };
  std::vector<bool> used(file.nodes.size(), false);
  for (const FileElement &element : file.elements)
    for (unsigned int a = 0; a < node_count(element.shape) && is_thin(element); ++a)
      used[element.nodes[a]] = true;
  file.keep([&](const FileElement &element) {
    return is_thin(element) || (element.shape == Shape::line && used[element.nodes[0]] && used[element.nodes[1]]);
  });
}

/// A line of a group: a beam, or the edge of a boundary of that name.
void add_line(const MeshFile &file, const std::size_t e, SurfaceMesh &mesh)
{
  const FileElement &element = file.elements[e];
  if (element.middle_nodes > element.middles.size())
    file.fail(element.line, described(element), "has a node in its middle. Save elements of first order");
  mesh.lines.push_back({{element.nodes[0], element.nodes[1]}, element.groups, described(element), element.number});
  SurfaceMesh::Line &line = mesh.lines.back();
  line.nodes.insert(line.nodes.end(), element.middles.begin(), element.middles.end());
  line.normals = normals_at(file, e, line.nodes);
  for (const int group : element.groups)
    mesh.edges[file.groups[group]].push_back(line.nodes);
}
/// Cells that are faces of a named surface of the file are of a group of that name, too.
void add_named_faces(const MeshFile &file, SurfaceMesh &mesh)
{
  std::map<std::set<unsigned int>, std::size_t> cell_at;  // by its corners
  for (std::size_t cell = 0; cell < mesh.cells.size() && !file.faces.empty(); ++cell)
    cell_at[{mesh.cells[cell].nodes.begin(), mesh.cells[cell].nodes.begin() + std::ptrdiff_t(mesh.cells[cell].corners())}] = cell;
  for (const auto &[name, faces] : file.faces)
  {
    int group = -1;
    for (const FileFace &face : faces)
    {
      const auto found = cell_at.find({face.nodes.begin(), face.nodes.end()});
      if (found == cell_at.end() || mesh.cells[found->second].number != face.element)
        continue;
      if (group < 0)
        group = int(std::find(mesh.groups.begin(), mesh.groups.end(), name) - mesh.groups.begin());
      if (group == int(mesh.groups.size()))
        mesh.groups.push_back(name);
      std::vector<int> &groups = mesh.cells[found->second].groups;
      if (std::find(groups.begin(), groups.end(), group) == groups.end())
        groups.push_back(group);
    }
  }
}
}  // namespace

SurfaceMesh read_surface(const std::string &name, const std::vector<std::string> &beside)
{
  MeshFile file = read(name);
  if (!beside.empty())
    keep_thin(file, beside);
  SurfaceMesh mesh;
  mesh.groups = file.groups;
  int without = -1;
  for (std::size_t e = 0; e < file.elements.size(); ++e)
  {
    const FileElement &element = file.elements[e];
    const bool is_cell = element.shape == Shape::triangle || element.shape == Shape::quadrilateral;
    if (dimension(element.shape) == 3)
      file.fail(element.line, described(element), "is a solid cell. A surface has triangles and quadrilaterals: save those alone");
    if (is_cell && element.middle_nodes > 0 && (element.middles.empty() || element.middle_nodes != node_count(element.shape)))
      file.fail(
          element.line, described(element),
          "has nodes beside its corners. Shells of second order have one on each edge (S8R, S6), and come from .inp files: save elements "
          "of first order");
    if (is_cell && element.groups.empty() && without < 0)
    {
      without = int(mesh.groups.size());
      mesh.groups.push_back("shell");
    }
    if (is_cell)
    {
      mesh.cells.push_back(
          {around(element), element.groups.empty() ? std::vector<int>{without} : element.groups, described(element), element.number});
      mesh.cells.back().normals = normals_at(file, e, mesh.cells.back().nodes);
    }
    if (element.shape == Shape::line && !element.groups.empty())
      add_line(file, e, mesh);
  }
  if (mesh.cells.empty() && mesh.lines.empty())
    throw InputError(name + ": there is no triangle or quadrilateral, and no line of a group. Shells and beams need some");
  add_named_faces(file, mesh);
  for (const auto &[set, nodes] : file.named_nodes)
    mesh.sets[set] = nodes;
  for (const auto &[set, elements] : file.named_cells)
    for (const std::size_t element : elements)
      mesh.printed[set].push_back(file.elements[element].number);
  return renumbered(file, std::move(mesh));
}
}  // namespace symdyn
