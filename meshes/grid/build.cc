#include <deal.II/grid/grid_tools.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "meshes/cells.h"
#include "meshes/grid/file_sides.h"
#include "meshes/mesh_file.h"
#include "meshes/surface_sides.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
constexpr unsigned int nothing = std::numeric_limits<unsigned int>::max();

using FaceKey = std::array<unsigned int, 4>;  ///< sorted nodes, filled up with `nothing`

template <class Nodes>
FaceKey face_key(const Nodes &nodes)
{
  FaceKey key;
  key.fill(nothing);
  std::copy(nodes.begin(), nodes.end(), key.begin());
  std::sort(key.begin(), key.end());
  return key;
}

struct Face
{
  FaceKey key;
  unsigned int cell;
  std::vector<int> groups = {};
};
bool operator<(const Face &a, const Face &b) { return a.key < b.key; }

template <int dim>
class Builder
{
public:
  Builder(const MeshFile &file, CoarseMesh<dim> &mesh) : file(file), mesh(mesh), group_names(file.groups) {}

  void build()
  {
    select_cells();
    check_cells<dim>(file, cells);
    find_faces();
    require_whole_faces();
    name_element_faces();
    name_listed_faces();
    name_node_sets();
    create();
    give_boundary_ids();
    name_nodes();
    if (cells[0].middle_nodes > 0)
      place_nodes();
  }

private:
  void select_cells()
  {
    const int found = mesh_dimension(file);
    if (found != dim)
      throw InputError(
          fmt::format("{}: is a {}-D mesh, but a {}-D one is asked for. Set the deck's dimension to {}.", file.name, found, dim, found));
    for (const auto &element : file.elements)
      if (dimension(element.shape) == dim)
      {
        const auto same = std::find_if(cells.begin(), cells.end(), [&](const FileElement &cell) { return cell.shape == element.shape; });
        if (!cells.empty() &&
            (same == cells.end() ? (element.middle_nodes > 0) != (cells[0].middle_nodes > 0) : element.middle_nodes != same->middle_nodes))
          file.fail(element.line, described(element),
                    fmt::format("has {} nodes, others have {}; the cells must all be of one order. Mesh it again.",
                                node_count(element.shape) + element.middle_nodes, node_count(element.shape) + cells[0].middle_nodes));
        cells.push_back(element);
      }
  }

  dealii::Point<dim> position(const unsigned int node) const
  {
    dealii::Point<dim> x;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = file.nodes[node][d];
    return x;
  }

  void find_faces()
  {
    std::vector<Face> all;
    for (unsigned int c = 0; c < cells.size(); ++c)
      for (const unsigned int f : reference_cell(cells[c].shape).face_indices())
      {
        const auto reference = reference_cell(cells[c].shape);
        std::vector<unsigned int> nodes;
        for (unsigned int v = 0; v < reference.face_reference_cell(f).n_vertices(); ++v)
          nodes.push_back(cells[c].nodes[reference.face_to_cell_vertices(f, v, 1)]);
        all.push_back({face_key(nodes), c});
      }
    std::sort(all.begin(), all.end());
    for (std::size_t first = 0, last; first < all.size(); first = last)
    {
      for (last = first + 1; last < all.size() && all[last].key == all[first].key; ++last)
        require_neighbours(all, first, last);
      (last - first == 1 ? outer : inner).push_back(all[first]);
    }
  }

  /// Errors: InputError for a quadrilateral between the triangles of other cells: displacements would gape along its diagonal.
  void require_whole_faces() const
  {
    for (const Face &face : outer)
      for (unsigned int left_out = 0; dim == 3 && face.key[3] != nothing && left_out < face.key.size(); ++left_out)
      {
        std::vector<unsigned int> corners(face.key.begin(), face.key.end());
        corners.erase(corners.begin() + left_out);
        const auto found = std::lower_bound(outer.begin(), outer.end(), Face{face_key(corners), nothing});
        if (found != outer.end() && found->key == face_key(corners))
          file.fail(
              cells[found->cell].line, described(cells[found->cell]) + " and " + described(cells[face.cell]),
              "a triangle of the one is half of a quadrilateral of the other, and they would come apart along its diagonal. Mesh with "
              "a pyramid between them.");
      }
  }

  void require_neighbours(const std::vector<Face> &all, const std::size_t first, const std::size_t last) const
  {
    const auto &a = cells[all[first].cell], &b = cells[all[last].cell];
    const std::string both = described(a) + " and " + described(b);
    if (std::is_permutation(a.nodes.begin(), a.nodes.begin() + node_count(a.shape), b.nodes.begin()))
      file.fail(std::max(a.line, b.line), both,
                "have the same nodes. A cell may be given once only, and in one physical group only. Delete one.");
    if (last - first > 1)
      file.fail(b.line, both, "have a face in common that belongs to a third cell, too. The cells overlap: delete one.");
  }

  /// The boundary face of these nodes, or null if it is inside; InputError if no cell has such a face.
  Face *find_face(const FaceKey &key, const std::size_t line, const std::string &value)
  {
    const Face wanted{key, nothing};
    const auto found = std::lower_bound(outer.begin(), outer.end(), wanted);
    if (found != outer.end() && found->key == key)
      return &*found;
    if (!std::binary_search(inner.begin(), inner.end(), wanted))
      file.fail(line, value, "is not a face of any cell. The faces of a boundary must match the cells at it. Delete it.");
    return nullptr;
  }

  /// A group inside the body is none of our business; one that is inside in part cannot be what the user wants.
  void put_into_group(const int group, const FaceKey &key, const std::size_t line, const std::string &value)
  {
    if (Face *face = find_face(key, line, value))
    {
      face->groups.push_back(group);
      on_boundary.insert(group);
    }
    else
      inside.emplace(group, line);
  }

  int group(const std::string &name)
  {
    if (index_of_group.empty())
      for (std::size_t g = 0; g < group_names.size(); ++g)
        index_of_group.emplace(group_names[g], g);
    const auto [found, is_new] = index_of_group.emplace(name, group_names.size());
    if (is_new)
      group_names.push_back(name);
    return found->second;
  }

  void name_element_faces()
  {
    for (const auto &element : file.elements)
      if (dimension(element.shape) == dim - 1)
        for (const int g : element.groups)
          put_into_group(g, face_key(std::vector<unsigned int>(element.nodes.begin(), element.nodes.begin() + node_count(element.shape))),
                         element.line, described(element));
  }

  void name_listed_faces()
  {
    for (const auto &[name, faces] : file.faces)
      for (const auto &face : faces)
        put_into_group(group(name), face_key(face.nodes), face.line, "a face of the surface " + name);
    for (const auto &[g, line] : inside)
      if (on_boundary.count(g))
        file.fail(line, group_names[g], "this face is inside the body, others of the same group are on its boundary. Split the group.");
  }

  void name_node_sets()
  {
    for (const auto &[name, nodes] : file.node_sets)
    {
      if (nodes.size() < dim)
        continue;  // no face has so few
      std::vector<bool> in_set(file.nodes.size(), false);
      for (const unsigned int node : nodes)
        in_set[node] = true;
      std::vector<Face *> members;
      for (auto &face : outer)
        if (std::all_of(face.key.begin(), face.key.end(), [&](unsigned int v) { return v == nothing || in_set[v]; }))
          members.push_back(&face);
      const int g = group(name);
      require_same(name, g, members);
      for (Face *face : members)
        face->groups.push_back(g);
    }
  }

  /// A node set and a surface may have the same name if they are the same faces.
  void require_same(const std::string &name, const int g, const std::vector<Face *> &members) const
  {
    const auto named = [g](const Face &face) { return std::count(face.groups.begin(), face.groups.end(), g) > 0; };
    const std::size_t before = std::count_if(outer.begin(), outer.end(), named);
    const bool same = std::all_of(members.begin(), members.end(), [&](const Face *face) { return named(*face); });
    if (before > 0 && !members.empty() && !(same && before == members.size()))
      throw InputError(file.name + ": the name " + name +
                       " is given to a set of nodes and to other faces than those between these nodes. Rename one.");
  }

  void create()
  {
    std::vector<unsigned int> index(file.nodes.size(), nothing);
    for (const auto &cell : cells)
      for (unsigned int i = 0; i < node_count(cell.shape); ++i)
        index[cell.nodes[i]] = 0;
    std::vector<dealii::Point<dim>> vertices;
    for (unsigned int node = 0; node < index.size(); ++node)
      if (index[node] != nothing)
      {
        index[node] = vertices.size();
        vertices.push_back(position(node));
        node_of_vertex.push_back(node);
      }
    const auto materials = material_ids(file, cells, mesh.materials);
    std::vector<dealii::CellData<dim>> data;
    for (std::size_t c = 0; c < cells.size(); ++c)
    {
      data.emplace_back(node_count(cells[c].shape));
      data.back().material_id = materials[c];
      for (unsigned int i = 0; i < node_count(cells[c].shape); ++i)
        data.back().vertices[i] = index[cells[c].nodes[i]];
    }
    create_triangulation(vertices, data);
  }

  void create_triangulation(const std::vector<dealii::Point<dim>> &vertices, std::vector<dealii::CellData<dim>> &data)
  try
  {
    if (std::all_of(cells.begin(), cells.end(), [](const FileElement &cell) { return reference_cell(cell.shape).is_hyper_cube(); }))
      dealii::GridTools::consistently_order_cells(data);
    mesh.cells.clear();
    mesh.cells.create_triangulation(vertices, data, dealii::SubCellData());
  }
  catch (const std::exception &error)
  {
    throw InputError(file.name + ": the cells do not make a mesh: " + error.what());
  }

  void give_boundary_ids()
  {
    std::map<std::set<int>, dealii::types::boundary_id> ids = {{{}, 0}};
    mesh.boundaries.clear();
    for (const auto &cell : mesh.cells.active_cell_iterators())
      for (const auto &face : cell->face_iterators())
        if (face->at_boundary())
        {
          std::vector<unsigned int> nodes;
          for (const unsigned int v : face->vertex_indices())
            nodes.push_back(node_of_vertex[face->vertex_index(v)]);
          const auto &groups = std::lower_bound(outer.begin(), outer.end(), Face{face_key(nodes), nothing})->groups;
          const auto id = ids.emplace(std::set<int>(groups.begin(), groups.end()), ids.size()).first->second;
          face->set_all_boundary_ids(id);
          for (const int g : groups)
            mesh.boundaries[group_names[g]].insert(id);
        }
  }

  /// Numbers and sets of the nodes of cells, those between vertices included.
  void name_nodes()
  {
    mesh.file_nodes.reset();
    if (!file.names_nodes)
      return;
    std::vector<unsigned int> cell_of(file.nodes.size(), nothing), index(file.nodes.size(), nothing), order;
    for (unsigned int c = 0; c < cells.size(); ++c)
    {
      for (unsigned int i = 0; i < node_count(cells[c].shape); ++i)
        cell_of[cells[c].nodes[i]] = c;
      for (const unsigned int node : cells[c].middles)
        cell_of[node] = c;
    }
    for (unsigned int node = 0; node < file.nodes.size(); ++node)
      if (cell_of[node] != nothing)
        order.push_back(node);
    std::sort(order.begin(), order.end(), [this](const unsigned int a, const unsigned int b) { return file.numbers[a] < file.numbers[b]; });
    auto named = std::make_shared<FileNodes<dim>>();
    for (const unsigned int node : order)
    {
      const FileElement &cell = cells[cell_of[node]];
      dealii::Point<dim> centre;
      for (unsigned int i = 0; i < node_count(cell.shape); ++i)
        centre += position(cell.nodes[i]) / double(node_count(cell.shape));
      index[node] = named->nodes.size();
      named->nodes.push_back({file.numbers[node], position(node), centre});
    }
    for (const auto &[name, nodes] : file.named_nodes)
      for (const unsigned int node : nodes)
        index[node] != nothing ? named->sets[name].push_back(index[node]) : named->bare[name].push_back(file.numbers[node]);
    for (const auto &[name, elements] : file.named_cells)
      for (const std::size_t e : elements)
        if (const FileElement &cell = file.elements[e]; dimension(cell.shape) == dim)
        {
          named->cell_sets[name].push_back({cell.number, {}, cell.points, node_count(cell.shape)});
          for (unsigned int i = 0; i < node_count(cell.shape); ++i)
            named->cell_sets[name].back().corners[i] = position(cell.nodes[i]);
        }
    named->sides = sides_of(file, cells, index);
    mesh.file_nodes = named;
  }

  /// Of cells of second order, in deal.II's order: vertices, middles of lines, and if the file has them of faces and of the cell.
  void place_nodes()
  {
    for (const FileElement &cell : cells)
      mesh.nodes_of_cell = std::max(mesh.nodes_of_cell, node_count(cell.shape) + cell.middle_nodes);
    const auto opposite = [this](const auto &object) {  // corners of a face or a cell
      const unsigned int n = object->n_vertices();
      MiddleNodes pairs;
      for (unsigned int v = 0; v < n / 2; ++v)
        pairs.push_back({node_of_vertex[object->vertex_index(v)], node_of_vertex[object->vertex_index(n - 1 - v)]});
      return pairs;
    };
    for (const auto &cell : mesh.cells.active_cell_iterators())
    {
      const auto place = [&](const MiddleNodes &corners) {
        mesh.nodes.push_back(position(file.middle_node(cells[cell->index()], corners)));
      };
      const bool all = !is_simplex(cells[cell->index()].shape) && cells[cell->index()].middle_nodes > cell->n_lines();
      for (const unsigned int v : cell->vertex_indices())
        mesh.nodes.push_back(position(node_of_vertex[cell->vertex_index(v)]));
      for (const unsigned int line : cell->line_indices())
        place(opposite(cell->line(line)));
      for (unsigned int f = 0; dim == 3 && all && f < cell->n_faces(); ++f)
        place(opposite(cell->face(f)));
      if (all)
        place(opposite(cell));
    }
  }

  const MeshFile &file;
  CoarseMesh<dim> &mesh;
  std::vector<std::string> group_names;
  std::map<std::string, int> index_of_group;
  std::vector<FileElement> cells;
  std::vector<Face> outer, inner;     ///< sorted
  std::map<int, std::size_t> inside;  ///< groups with a face inside the body, and its line
  std::set<int> on_boundary;          ///< groups with a face on the boundary
  std::vector<unsigned int> node_of_vertex;
};
}  // namespace

template <int dim>
void build(const MeshFile &file, CoarseMesh<dim> &mesh)
{
  if (file.thin_line > 0)
    file.fail(
        file.thin_line, "TYPE=" + file.thin_type,
        "is a beam or a shell, no cell of a solid. Save elements such as CPS4 or C3D8, or set Structure = discrete with Beams and Shells.");
  Builder<dim>(file, mesh).build();
}

template void build<2>(const MeshFile &, CoarseMesh<2> &);
template void build<3>(const MeshFile &, CoarseMesh<3> &);
}  // namespace symdyn
