// Meshes of second order: files of Gmsh 4.8 in tests/meshes, isoparametric geometry.
#include <deal.II/grid/grid_generator.h>

#include "elements/space/discretisation.h"
#include "solver/diagnosis.h"
#include "tests/bodies.h"
#include "tests/cell_volumes.h"
#include "tests/input.h"

namespace symdyn::tests::in_second_order
{
namespace
{
constexpr double pi = 3.14159265358979323846;

std::string file_of(const std::string &name) { return std::string(SYMDYN_SOURCE) + "/tests/meshes/" + name; }

std::string deck_of(const std::string &file, const std::string &more_of_mesh = "", const std::string &more = "")
{
  return subsection("Mesh", "set Type = file\nset File = " + file_of(file) + "\n" + more_of_mesh) + made_of("linear-elasticity") + more;
}

template <int dim>
void expect_patch(const Body<dim> &body, const double extent)
{
  const Vector u = body.nodal([](const dealii::Point<dim> &X) {
    dealii::Tensor<1, dim> value;
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        value[i] += 0.01 * (1 + i + 2 * j - i * j) * X[j];
    return value;
  });
  Vector f = body.mesh().new_vector();
  body.system().internal_force(u, f);
  std::set<unsigned int> outside;
  for (const auto &cell : body.mesh().handler.active_cell_iterators())
  {
    for (const unsigned int face : cell->face_indices())
      if (cell->face(face)->at_boundary())
      {
        std::vector<dealii::types::global_dof_index> nodes(body.mesh().regions.front().family.fe->n_dofs_per_face(face));
        cell->face(face)->get_dof_indices(nodes);
        outside.insert(nodes.begin(), nodes.end());
      }
  }
  double largest = 0, inside = 0;
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    for (int d = 0; d < dim; ++d)
      (outside.count(node) ? largest : inside) =
          std::max(outside.count(node) ? largest : inside, std::abs(f.local_element(dim * node + d)));
  EXPECT_LT(inside, 1e-12 * largest) << extent;
  EXPECT_LT(outside.size(), std::size_t(body.mesh().n_owned_nodes()));
}

/// The unit ball of deal.II cut into tetrahedra, with the middles of the boundary's lines on the sphere.
CoarseMesh<3> curved_ball(const int refinements)
{
  dealii::Triangulation<3> ball, flat;
  dealii::GridGenerator::hyper_ball(ball);
  ball.refine_global(refinements);
  dealii::GridGenerator::flatten_triangulation(ball, flat);
  CoarseMesh<3> mesh;
  dealii::GridGenerator::convert_hypercube_to_simplex_mesh(flat, mesh.cells);
  mesh.materials[0] = "body";
  for (const auto &cell : mesh.cells.active_cell_iterators())
    cell->set_material_id(0);
  std::set<unsigned int> outside, vertices;
  for (const auto &face : mesh.cells.active_face_iterators())
    if (face->at_boundary())
    {
      for (const unsigned int line : face->line_indices())
        outside.insert(face->line_index(line));
      for (const unsigned int v : face->vertex_indices())
        face->vertex(v) /= face->vertex(v).norm();
    }
  mesh.nodes_of_cell = 10;
  for (const auto &cell : mesh.cells.active_cell_iterators())
  {
    for (const unsigned int v : cell->vertex_indices())
      mesh.nodes.push_back(cell->vertex(v));
    for (const unsigned int line : cell->line_indices())
    {
      dealii::Point<3> middle = 0.5 * (cell->line(line)->vertex(0) + cell->line(line)->vertex(1));
      if (outside.count(cell->line_index(line)))
        middle /= middle.norm();
      mesh.nodes.push_back(middle);
    }
  }
  return mesh;
}
}  // namespace

/// The volumes are those of curved cells; with straight edges they would be wrong by much more.
TEST(SecondOrder, FilesOfGmshKeepTheirShape)
{
  struct File
  {
    const char *name;
    int dim, nodes;
    double volume, curved, straight;  ///< errors: at most, at least
  };
  for (const File &file : {File{"ball_tet10.msh", 3, 10, 4. / 3. * pi, 0.03, 0.1},
                           {"ring_hex20.msh", 3, 20, 1.5 * 0.75 * pi, 0.001, 0.02},
                           {"ring_hex27.msh", 3, 27, 1.5 * 0.75 * pi, 0.001, 0.02}})
  {
    SCOPED_TRACE(file.name);
    const Body<3> body(deck_of(file.name));
    EXPECT_EQ(body.mesh().regions.front().n_nodes(), file.nodes);
    EXPECT_NEAR(volume_of(body.mesh()), file.volume, file.curved * file.volume);
    CoarseMesh<3> mesh;
    read_mesh(file_of(file.name), mesh);
    mesh.nodes.clear();
    EXPECT_LT(volume_of(Discretisation<3>(std::move(mesh), 1, 0)), (1. - file.straight) * file.volume) << "negative control";
    expect_patch(body, file.volume);
  }
  for (const File &file : {File{"disc_tri6.msh", 2, 6, pi, 0.002, 0.05},
                           {"ring_quad8.msh", 2, 8, 0.75 * pi, 0.001, 0.02},
                           {"ring_quad9.msh", 2, 9, 0.75 * pi, 0.001, 0.02}})
  {
    SCOPED_TRACE(file.name);
    const Body<2> body(deck_of(file.name));
    EXPECT_EQ(body.mesh().regions.front().n_nodes(), file.nodes);
    EXPECT_NEAR(volume_of(body.mesh()), file.volume, file.curved * file.volume);
    CoarseMesh<2> mesh;
    read_mesh(file_of(file.name), mesh);
    mesh.nodes.clear();
    EXPECT_LT(volume_of(Discretisation<2>(std::move(mesh), 1, 0)), (1. - file.straight) * file.volume) << "negative control";
    expect_patch(body, file.volume);
  }
}

/// Loads see the curved surface: its area and its normals. Sum of f.X in the plane is -p ∫ X.n dA = -p R² pi/2 h on a quarter; flat facets
/// have 2 % less.
TEST(SecondOrder, LoadsActOnTheCurvedSurface)
{
  const std::string load = subsection("Loads", subsection("pull", "set Type = traction\nset Boundary = surface\nset Traction = 0, 0, 1"));
  const Body<3> ball(deck_of("ball_tet10.msh", "", load));
  Vector f = ball.mesh().new_vector();
  ball.system().applied_force(0., ball.mesh().new_vector(), ball.mesh().new_vector(), f);
  EXPECT_NEAR(ball.resultant(f)[2], 4. * pi, 0.02 * 4. * pi);
  const std::string inner = subsection("Loads", subsection("press", "set Type = pressure\nset Boundary = outside\nset Pressure = 3"));
  const Body<3> ring(deck_of("ring_hex20.msh", "", inner));
  Vector g = ring.mesh().new_vector();
  ring.system().applied_force(0., ring.mesh().new_vector(), ring.mesh().new_vector(), g);
  for (int d = 0; d < 2; ++d)
    EXPECT_NEAR(ring.resultant(g)[d], -3. * 2. * 1.5, 1e-3) << "projected area";
  double virial = 0;
  for (int node = 0; node < ring.mesh().n_owned_nodes(); ++node)
    for (int d = 0; d < 2; ++d)
      virial += g.local_element(3 * node + d) * ring.mesh().position[node][d];
  const double quarter = 3. * 4. * 0.5 * pi * 1.5;
  EXPECT_NEAR(virial, -quarter, 2e-3 * quarter);
}

TEST(SecondOrder, VolumeOfABallHasOrderFour)
{
  double error[3];
  for (int n = 0; n < 3; ++n)
  {
    const Discretisation<3> mesh(curved_ball(n), 2, 0);
    error[n] = std::abs(volume_of(mesh) - 4. / 3. * pi);
  }
  EXPECT_NEAR(std::log2(error[1] / error[2]), 4., 0.3) << error[0] << " " << error[1] << " " << error[2];
}

TEST(SecondOrder, LumpedMassesArePositiveAndComplete)
{
  for (const std::string file : {"ball_tet10.msh", "ring_hex20.msh", "ring_hex27.msh"})
  {
    const Body<3> body(deck_of(file, "", subsection("Elements", "set Mass = lumped")));
    Vector v = body.nodal([](const dealii::Point<3> &) { return dealii::Tensor<1, 3>({1., 0., 0.}); }), p(v);
    body.system().mass(v, p);
    double least = 1e300;
    for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
      least = std::min(least, p.local_element(3 * node));
    EXPECT_GT(least, 0.) << file;
    EXPECT_NEAR(body.resultant(p)[0], 1000. * volume_of(body.mesh()), 1e-3 * p.l1_norm()) << file;
  }
}

/// m_a = M_aa sum M / sum M_bb (Hinton, Rock and Zienkiewicz 1976): 3/76 and 16/76 of a square with 8 nodes, 1/36 and 4/27 of a tetrahedron
/// with 10.
TEST(SecondOrder, LumpedMassesAreThoseOfHintonRockAndZienkiewicz)
{
  const std::string lumped = subsection("Elements", "set Mass = lumped") + made_of("linear-elasticity");
  const Body<2> square(subsection("Mesh", "set Type = box\nset Subdivisions = 1, 1\nset Element = serendipity\nset Order = 2") + lumped);
  Vector v = square.nodal([](const dealii::Point<2> &) { return dealii::Tensor<1, 2>({1., 0.}); }), p(v);
  square.system().mass(v, p);
  ASSERT_EQ(square.mesh().n_owned_nodes(), 8);
  for (int node = 0; node < 8; ++node)
  {
    const dealii::Point<2> &X = square.mesh().position[node];
    const bool middle = std::abs(X[0] - 0.5) < 1e-12 || std::abs(X[1] - 0.5) < 1e-12;
    EXPECT_NEAR(p.local_element(2 * node), 1000. * (middle ? 16. : 3.) / 76., 1e-9);
  }
  const symdyn::DeckFolder folder;
  const std::string tetrahedron = folder.file(
      "one.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 7 7 1 2 3 4\n$EndElements\n");
  const Body<3> one(
      subsection("Mesh", "set Type = file\nset Order = 2\nset File = " + tetrahedron) + subsection("Elements", "set Mass = lumped") +
      subsection("Materials", subsection("7", "set Type = linear-elasticity\nset Density = 6\n" + constants_of("linear-elasticity"))));
  Vector w = one.nodal([](const dealii::Point<3> &) { return dealii::Tensor<1, 3>({1., 0., 0.}); }), r(w);
  one.system().mass(w, r);
  ASSERT_EQ(one.mesh().n_owned_nodes(), 10);
  for (int node = 0; node < 10; ++node)
  {
    const dealii::Point<3> &X = one.mesh().position[node];
    const bool middle = std::abs(X[0] - 0.5) < 1e-12 || std::abs(X[1] - 0.5) < 1e-12 || std::abs(X[2] - 0.5) < 1e-12;
    EXPECT_NEAR(r.local_element(3 * node), middle ? 4. / 27. : 1. / 36., 1e-12);
  }
}

/// The bound of explicit steps against the power method.
TEST(SecondOrder, HighestFrequencyIsThatOfCurvedCells)
{
  for (const std::string file : {"ball_tet10.msh", "ring_hex20.msh"})
  {
    const Body<3> body(deck_of(file, "", subsection("Elements", "set Mass = lumped")));
    const Vector q = body.mesh().new_vector();
    Vector x = Random(3).vector(q, 1.), y(x);
    double squared = 0;
    for (int k = 0; k < 300; ++k)
    {
      body.system().stiffness(q, x, y);
      body.system().mass_solve(y, x);
      squared = x.l2_norm();
      x /= squared;
    }
    const double bound = body.system().diagnosis().highest_frequency(0., q, true);
    EXPECT_GE(bound, 0.99 * std::sqrt(squared)) << file;
    EXPECT_LE(bound, 1.5 * std::sqrt(squared)) << file;
  }
}

TEST(SecondOrder, WhatDoesNotFitIsRefused)
{
  const auto refused = [](const std::string &file, const std::string &mesh, const std::vector<std::string> &parts) {
    SCOPED_TRACE(mesh);
    const std::string found = message([&] { Body<3>(deck_of(file, mesh)); });
    for (const std::string &part : parts)
      EXPECT_NE(found.find(part), std::string::npos) << part << " in: " << found;
  };
  refused("ball_tet10.msh", "set Order = 1\n", {"test.prm:4", "second order", "Order = 2"});
  refused("ball_tet10.msh", "set Refinements = 1\n", {"second order", "Refinements = 0"});
  refused("ball_tet10.msh", "set Element = serendipity\n", {"test.prm:4", "Element = standard"});
  refused("ring_hex20.msh", "set Element = standard\n", {"test.prm:4", "serendipity"});
  refused("ring_hex20.msh", "set Element = mean-dilatation\n", {"test.prm:4", "serendipity"});
  refused("ring_hex27.msh", "set Cell shape = tetrahedra\n", {"second order", "tetrahedra"});
}
}  // namespace symdyn::tests::in_second_order
