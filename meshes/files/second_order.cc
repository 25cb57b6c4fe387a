#include "meshes/mesh_file.h"

// Which nodes the files give cells of second order beside their corners.
namespace symdyn
{
namespace
{
/// Abaqus User's Guide, "Three-dimensional solid element library"; the same in VTK.
const MiddleNodes lines_of_triangle = {{0, 1}, {1, 2}, {2, 0}}, lines_of_quadrilateral = {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
                  lines_of_tetrahedron = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
                  lines_of_wedge = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}},
                  lines_of_hexahedron = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

/// Gmsh reference manual, "Node ordering".
const MiddleNodes gmsh_lines_of_tetrahedron = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}},
                  gmsh_lines_of_wedge = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5}, {3, 4}, {3, 5}, {4, 5}},
                  gmsh_lines_of_hexahedron = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3},
                                              {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};

/// `nodes` and then those of `lines`; a face or a cell has several pairs of opposite corners, of which each gets the node.
MiddleNodes with(MiddleNodes nodes, const MiddleNodes &more)
{
  nodes.insert(nodes.end(), more.begin(), more.end());
  return nodes;
}
}  // namespace

const SecondOrder *gmsh_second_order(const long type)
{
  static const std::map<long, SecondOrder> types = {
      {8, {Shape::line, {{0, 1}}}},
      {9, {Shape::triangle, lines_of_triangle}},
      {10, {Shape::quadrilateral, with(lines_of_quadrilateral, {{0, 2}})}},
      {11, {Shape::tetrahedron, gmsh_lines_of_tetrahedron}},
      {12, {Shape::hexahedron, with(gmsh_lines_of_hexahedron, {{0, 2}, {0, 5}, {0, 7}, {1, 6}, {2, 7}, {4, 6}, {0, 6}})}},
      {16, {Shape::quadrilateral, lines_of_quadrilateral}},
      {17, {Shape::hexahedron, gmsh_lines_of_hexahedron}},
      {18, {Shape::wedge, gmsh_lines_of_wedge}}};
  const auto found = types.find(type);
  return found == types.end() ? nullptr : &found->second;
}

const SecondOrder *abaqus_second_order(const std::string &base)
{
  static const SecondOrder triangle{Shape::triangle, lines_of_triangle}, quadrilateral{Shape::quadrilateral, lines_of_quadrilateral};
  static const std::map<std::string, SecondOrder> types = {{"C3D10", {Shape::tetrahedron, lines_of_tetrahedron}},
                                                           {"C3D15", {Shape::wedge, lines_of_wedge}},
                                                           {"C3D20", {Shape::hexahedron, lines_of_hexahedron}},
                                                           {"CPS6", triangle},
                                                           {"CPE6", triangle},
                                                           {"CPS8", quadrilateral},
                                                           {"CPE8", quadrilateral}};
  const auto found = types.find(base);
  return found == types.end() ? nullptr : &found->second;
}
}  // namespace symdyn
