// Surfaces in space: shapes, files, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "meshes/surface.h"
#include "solver/deck/deck.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn::tests::in_surfaces
{
namespace
{
using Place = SurfaceMesh::Place;

SurfaceMesh shape(const std::string &name, const std::string &entries, const std::vector<int> &cells)
{
  Deck deck = Deck::from_text(entries, "test.prm");
  Parameters root = deck.root();
  const auto made = Registry<SurfaceShape>::instance().make(name);
  made->declare(root);
  deck.finish();
  return made->make(cells);
}
Place difference(const Place &a, const Place &b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
/// (b - a) x (c - a)
Place area(const Place &a, const Place &b, const Place &c)
{
  const Place u = difference(b, a), v = difference(c, a);
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}
double product(const Place &a, const Place &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// The area of all cells; each has the normals of its nodes on its own side.
double checked_area(const SurfaceMesh &mesh)
{
  double sum = 0;
  for (const SurfaceMesh::Cell &cell : mesh.cells)
    for (std::size_t a = 1; a + 1 < cell.nodes.size(); ++a)
    {
      const Place n = area(mesh.nodes[cell.nodes[0]], mesh.nodes[cell.nodes[a]], mesh.nodes[cell.nodes[a + 1]]);
      sum += 0.5 * std::sqrt(product(n, n));
      for (const unsigned int node : cell.nodes)
        EXPECT_GT(mesh.normals.empty() ? 1. : product(n, mesh.normals[node]), 0.);
    }
  return sum;
}
std::string file_with(const std::string &ending, const std::string &text)
{
  const std::string name = testing::TempDir() + "surface" + ending;
  std::ofstream(name) << text;
  return name;
}
std::string gmsh(const std::string &elements, const int count)
{
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 7 \"edge\"\n2 8 \"skin\"\n$EndPhysicalNames\n$Nodes\n6\n"
         "10 0 0 1\n20 1 0 1\n30 1 1 2\n40 0 1 2\n50 2 0 1\n60 9 9 9\n$EndNodes\n$Elements\n" +
         std::to_string(count) + "\n" + elements + "$EndElements\n";
}
std::string error_of(const std::string &file)
{
  try
  {
    read_surface(file);
  }
  catch (const InputError &error)
  {
    return error.what();
  }
  return "";
}
}  // namespace

TEST(Surfaces, ShapesHaveTheirAreasNormalsAndEdges)
{
  const SurfaceMesh plate = shape("plate", "set Size = 2, 3\nset Distortion = 0.2", {5, 4});
  EXPECT_NEAR(checked_area(plate), 6., 1e-12);
  EXPECT_EQ(plate.nodes.size(), 30u);
  EXPECT_EQ(plate.edges.at("x+").size(), 4u);
  EXPECT_EQ(plate.edges.at("y-").size(), 5u);
  for (const auto &edge : plate.edges.at("x+"))
    EXPECT_EQ(plate.nodes[edge[0]][0], 2.);
  const SurfaceMesh panel = shape("cylinder-panel", "set Radius = 2\nset Length = 3\nset Angles = -30, 90", {40, 2});
  EXPECT_NEAR(checked_area(panel), 2. * 3. * 2. * M_PI / 3., 1e-3 * 4. * M_PI);
  for (const auto &edge : panel.edges.at("phi+"))
    EXPECT_NEAR(panel.nodes[edge[0]][1], 2., 1e-12) << "phi goes from z to y";
  const SurfaceMesh closed = shape("cylinder-panel", "set Angles = 0, 360", {12, 2});
  EXPECT_EQ(closed.nodes.size(), 36u);
  EXPECT_EQ(closed.edges.count("phi-"), 0u);
  checked_area(closed);
  const SurfaceMesh cap = shape("sphere-panel", "set Radius = 3\nset Polar angles = 18, 90", {24, 24});
  EXPECT_NEAR(checked_area(cap), 0.5 * M_PI * 9. * std::cos(M_PI / 10.), 5e-3 * 13.);
  for (const auto &edge : cap.edges.at("theta+"))
    EXPECT_NEAR(cap.nodes[edge[0]][2], 0., 1e-12);
  EXPECT_THROW(shape("sphere-panel", "set Polar angles = 0, 90", {}), InputError);
  EXPECT_THROW(shape("plate", "", {3}), InputError);
}

/// Of first and second order, open and closed: nodes on the segments, in order; groups of segments; sets of nodes.
TEST(Surfaces, PolylinesAreCutIntoLines)
{
  const std::string corners = "set Corners = 0 0 0; 0 0 3; 4 0 3\n";
  const SurfaceMesh open = shape("polyline", corners, {3, 2});
  EXPECT_TRUE(open.cells.empty());
  ASSERT_EQ(open.lines.size(), 5u);
  EXPECT_EQ(open.nodes.size(), 6u);
  for (std::size_t line = 0; line + 1 < 5; ++line)
    EXPECT_EQ(open.lines[line].nodes[1], open.lines[line + 1].nodes[0]);
  EXPECT_EQ(open.lines_of({"line"}).size(), 5u);
  EXPECT_EQ(open.lines_of({"segment-2"}), (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(open.nodes[open.lines[1].nodes[0]], (Place{0., 0., 1.}));
  EXPECT_EQ(open.nodes[open.lines[4].nodes[0]], (Place{2., 0., 3.}));
  EXPECT_EQ(open.set("corner-2").front(), open.lines[3].nodes[0]);
  EXPECT_EQ(open.nodes[open.set("end").front()], (Place{4., 0., 3.}));
  EXPECT_TRUE(open.normals.empty()) << "corners are folds";

  const SurfaceMesh closed = shape("polyline", corners + "set Closed = yes\nset Order = 2", {2});
  ASSERT_EQ(closed.lines.size(), 6u);
  EXPECT_EQ(closed.nodes.size(), 12u);
  EXPECT_EQ(closed.lines.back().nodes[1], closed.lines.front().nodes[0]);
  EXPECT_EQ(closed.nodes[closed.lines[2].nodes[2]], (Place{1., 0., 3.})) << "in the middle";
  EXPECT_FALSE(closed.set_is_known("start"));

  for (const char *wrong : {"", "set Corners = 0 0 0", "set Corners = 0 0; 1 1", "set Corners = 0 0 0; 1 x 0", "set Corners = 0 0 0; 0 0 0",
                            "set Corners = 0 0 0; 1 0 0\nset Closed = yes", "set Corners = 0 0 0; 1 0 0; 1 1 0; 0 0 0",
                            "set Corners = 0 0 0; 1 0 0\nset Order = 3"})
    EXPECT_THROW(shape("polyline", wrong, {}), InputError) << wrong;
  EXPECT_THROW(shape("polyline", corners, {1, 2, 3}), InputError);
}

TEST(Surfaces, TrianglesCoverTheQuadrilaterals)
{
  SurfaceMesh mesh = shape("cylinder-panel", "", {8, 3});
  mesh.cut_into_triangles();
  EXPECT_EQ(mesh.cells.size(), 48u);
  const double of_triangles = checked_area(mesh);
  EXPECT_NEAR(of_triangles, checked_area(shape("cylinder-panel", "", {8, 3})), 1e-12);
}

TEST(Surfaces, FilesOfTrianglesAndQuadrilaterals)
{
  const SurfaceMesh mesh = read_surface(file_with(".msh", gmsh("1 1 2 7 1 10 20\n2 3 2 8 1 10 20 30 40\n3 2 2 8 1 20 50 30\n", 3)));
  EXPECT_EQ(mesh.nodes.size(), 5u) << "one node is of no cell";
  ASSERT_EQ(mesh.cells.size(), 2u);
  EXPECT_EQ(mesh.groups.at(mesh.cells[0].groups.at(0)), "skin");
  EXPECT_NEAR(checked_area(mesh), std::sqrt(2.) * 1.5, 1e-12);
  const auto &edge = mesh.edges.at("edge").at(0);
  EXPECT_EQ(mesh.nodes[edge[0]], (Place{0., 0., 1.}));
  EXPECT_EQ(mesh.nodes[edge[1]], (Place{1., 0., 1.}));
  const Place up = area(mesh.nodes[mesh.cells[0].nodes[0]], mesh.nodes[mesh.cells[0].nodes[1]], mesh.nodes[mesh.cells[0].nodes[2]]);
  EXPECT_GT(up[2], 0.) << "the order of the file";
}

TEST(Surfaces, FilesOfLines)
{
  const SurfaceMesh mesh = read_surface(file_with(".msh", gmsh("1 1 2 7 1 10 20\n2 1 2 7 1 20 30\n", 2)));
  EXPECT_TRUE(mesh.cells.empty());
  EXPECT_EQ(mesh.nodes.size(), 3u);
  ASSERT_EQ(mesh.lines_of({"edge"}).size(), 2u);
  EXPECT_EQ(mesh.lines[0].nodes[1], mesh.lines[1].nodes[0]);
  EXPECT_THROW(mesh.lines_of({"skin"}), InputError);
  EXPECT_THROW(mesh.cells_of({}), InputError);
}

TEST(Surfaces, FilesThatAreNone)
{
  EXPECT_NE(error_of(file_with(".msh", gmsh("1 15 2 7 1 10\n", 1))).find("there is no triangle or quadrilateral, and no line"),
            std::string::npos);
  const std::string solid = error_of(file_with(".msh", gmsh("1 4 2 8 1 10 20 30 50\n", 1)));
  EXPECT_NE(solid.find("surface.msh:"), std::string::npos) << solid;
  EXPECT_NE(solid.find("is a solid cell"), std::string::npos) << solid;
  EXPECT_NE(error_of(file_with(".stl", "solid")).find("a surface is read from"), std::string::npos);
}
}  // namespace symdyn::tests::in_surfaces
