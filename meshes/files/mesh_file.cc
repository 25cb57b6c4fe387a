#include "meshes/mesh_file.h"

#include <algorithm>
#include <optional>

#include "solver/error.h"

namespace symdyn
{
int dimension(const Shape shape)
{
  constexpr std::array<int, 8> dimensions = {0, 1, 2, 2, 3, 3, 3, 3};
  return dimensions[static_cast<int>(shape)];
}

unsigned int node_count(const Shape shape)
{
  constexpr std::array<unsigned int, 8> counts = {1, 2, 3, 4, 4, 8, 6, 5};
  return counts[static_cast<int>(shape)];
}

std::string shape_name(const Shape shape)
{
  static const std::array<std::string, 8> names = {"point",       "line",       "triangle", "quadrilateral",
                                                   "tetrahedron", "hexahedron", "wedge",    "pyramid"};
  return names[static_cast<int>(shape)];
}

bool is_simplex(const Shape shape) { return shape == Shape::triangle || shape == Shape::tetrahedron; }

std::string described(const FileElement &element)
{
  return "element " + std::to_string(element.number) + " (" + shape_name(element.shape) + ")";
}

unsigned int lexicographic_place(const Shape shape, const unsigned int i)
{
  constexpr std::array<unsigned int, 8> places = {0, 1, 3, 2, 4, 5, 7, 6};
  return shape == Shape::quadrilateral || shape == Shape::hexahedron || shape == Shape::pyramid ? places[i] : i;
}

namespace
{
std::uint64_t pair_key(const unsigned int a, const unsigned int b)
{
  constexpr int half = 32;
  return std::uint64_t(std::min(a, b)) << half | std::max(a, b);
}
}  // namespace

void MeshFile::add_node(const Scanner &scanner, const std::size_t line, const long number, const dealii::Point<3> &x)
{
  if (!index_of_node.emplace(number, nodes.size()).second)
    scanner.fail_at(line, std::to_string(number), "this node was given before. Each node needs its own number.");
  nodes.push_back(x);
  numbers.push_back(number);
}

unsigned int MeshFile::node(const Scanner &scanner, const std::size_t line, const long number) const
{
  const auto found = index_of_node.find(number);
  if (found == index_of_node.end())
    scanner.fail_at(line, std::to_string(number), "there is no node of this number among the nodes of the file.");
  return found->second;
}

const dealii::Point<3> *MeshFile::place_of(const long number) const
{
  const auto found = index_of_node.find(number);
  return found == index_of_node.end() ? nullptr : &nodes[found->second];
}

FileElement &MeshFile::add_element(const Scanner &scanner, const std::size_t line, const long number, const Shape shape,
                                   const std::vector<long> &numbers, const MiddleNodes &between)
{
  FileElement element{shape, {}, number, line, {}, static_cast<unsigned int>(between.size())};
  for (unsigned int i = 0; i < node_count(shape); ++i)
    element.nodes[lexicographic_place(shape, i)] = node(scanner, line, numbers[i]);
  for (std::size_t i = 0; i < between.size(); ++i)
  {
    const auto corner = [&](const int end) { return element.nodes[lexicographic_place(shape, between[i][end])]; };
    const unsigned int middle = node(scanner, line, numbers[node_count(shape) + i]);
    const auto [entry, is_new] = node_between.emplace(pair_key(corner(0), corner(1)), middle);
    if (!is_new && entry->second != middle)
      scanner.fail_at(
          line, std::to_string(numbers[node_count(shape) + i]),
          "another cell has another node in the middle of the same edge or face. The cells do not fit together: mesh them again.");
  }
  elements.push_back(element);
  return elements.back();
}

unsigned int MeshFile::middle_node(const FileElement &cell, const MiddleNodes &corners) const
{
  for (const auto &[a, b] : corners)
    if (const auto found = node_between.find(pair_key(a, b)); found != node_between.end())
      return found->second;
  fail(cell.line, described(cell), "lacks a node in the middle of an edge or a face. All cells must have the same number of nodes.");
}

int MeshFile::group(const std::string &name)
{
  const auto [entry, is_new] = index_of_group.emplace(name, groups.size());
  if (is_new)
    groups.push_back(name);
  return entry->second;
}

bool MeshFile::in_groups(const FileElement &element, const std::vector<std::string> &names) const
{
  return std::any_of(element.groups.begin(), element.groups.end(),
                     [&](const int group) { return std::find(names.begin(), names.end(), groups[group]) != names.end(); });
}

void MeshFile::keep(const std::function<bool(const FileElement &)> &is_kept)
{
  std::vector<FileElement> kept;
  std::vector<std::optional<std::size_t>> place(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (is_kept(elements[i]))
    {
      place[i] = kept.size();
      kept.push_back(elements[i]);
    }
  elements = std::move(kept);
  for (auto &[name, members] : named_cells)
  {
    std::vector<std::size_t> of_kept;
    for (const std::size_t i : members)
      if (place[i])
        of_kept.push_back(*place[i]);
    members = std::move(of_kept);
  }
  std::map<std::pair<std::size_t, unsigned int>, std::array<double, 3>> of_kept;
  for (const auto &[at, normal] : normals_of_elements)
    if (place[at.first])
      of_kept[{*place[at.first], at.second}] = normal;
  normals_of_elements = std::move(of_kept);
}

void MeshFile::fail(const std::size_t line, const std::string &value, const std::string &rule) const
{
  throw InputError(place_in(pieces, name, line) + ": " + value + ": " + rule);
}

int mesh_dimension(const MeshFile &file)
{
  int dim = 0;
  for (const auto &element : file.elements)
    dim = std::max(dim, dimension(element.shape));
  if (dim < 2)
    throw InputError(file.name +
                     ": has no cells: neither tetrahedra, hexahedra, wedges or pyramids nor triangles or quadrilaterals are in it. If it "
                     "comes from Gmsh, make the mesh (Mesh/2D or 3D) before saving, and put the cells into a physical "
                     "group.");
  return dim;
}
}  // namespace symdyn
