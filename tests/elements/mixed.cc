// Hexahedra, wedges, pyramids and tetrahedra in one mesh: shared nodes, patches, derivatives, loads, masses, probes.
#include <fstream>

#include "elements/load.h"
#include "tests/bodies.h"
#include "tests/cell_volumes.h"
#include "tests/input.h"
#include "tests/mesh_sizes.h"
#include "tests/mixed_meshes.h"
#include "tests/unit_cube.h"

namespace symdyn::tests::in_mixed
{
namespace
{
using Place = MixedMesh::Place;

struct Model
{
  explicit Model(const MixedMesh &mesh, const std::string &more = "", const std::string &of_mesh = "",
                 const std::string &law = "linear-elasticity")
      : file(mesh.pyramids ? folder.file("mixed.msh", mesh.gmsh()) : folder.file("mixed.inp", mesh.inp())),
        body(subsection("Mesh", "set Type = file\nset File = " + file + "\n" + of_mesh) + made_of(law) + more)
  {
  }
  const symdyn::DeckFolder folder;
  std::string file;
  Body<3> body;
};

/// All four shapes; hexahedra and wedges of second order.
template <class Test>
void for_both_orders(const Test &test)
{
  for (const bool quadratic : {false, true})
  {
    SCOPED_TRACE(quadratic ? "hexahedra and wedges of second order" : "four shapes");
    test(MixedMesh{3, !quadratic, quadratic, 0.15});
  }
}

/// A quarter of a ring, 1 <= r <= 2, of height 1.
Place quarter(const Place &x)
{
  const double r = 1. + x[0], angle = 0.5 * std::acos(-1.) * x[1];
  return {r * std::cos(angle), r * std::sin(angle), x[2]};
}
}  // namespace

TEST(Mixed, NeighboursShareNodes)
{
  const Model linear(MixedMesh{});
  EXPECT_EQ(linear.body.mesh().regions.size(), 4u);
  EXPECT_EQ(linear.body.mesh().n_nodes(), 64u + 7u);  // the middles of four columns of wedges and three of hexahedra
  EXPECT_NEAR(volume_of(linear.body.mesh()), 1., 1e-14);
  const Model quadratic(MixedMesh{3, false, true});
  EXPECT_EQ(quadratic.body.mesh().regions.size(), 2u);
  EXPECT_EQ(quadratic.body.mesh().n_nodes(), 64u + 3u * 48u + 4u * 4u);  // vertices, lines, diagonals of the wedges
  EXPECT_NEAR(volume_of(quadratic.body.mesh()), 1., 1e-14);
}

TEST(Mixed, PatchOfDistortedCells)
{
  for_both_orders([](const MixedMesh &mesh) {
    for (const std::string law : {"linear-elasticity", "neo-hooke-log"})
    {
      const Model model(mesh, "", "", law);
      const Vector u = model.body.nodal([](const dealii::Point<3> &X) {
        return dealii::Tensor<1, 3>(
            {0.02 * X[0] + 0.03 * X[1] - 0.01 * X[2], 0.05 * X[0] - 0.02 * X[2], 0.04 * X[1] + 0.03 * X[2] - 0.02 * X[0]});
      });
      Vector f = model.body.mesh().new_vector();
      model.body.system().internal_force(u, f);
      const auto [inside, outside] = largest_inside_and_outside(model.body, f);
      EXPECT_LT(inside, 1e-12 * outside) << law;
      EXPECT_GT(outside, 0.);
    }
  });
}

TEST(Mixed, CurvedCellsOfSecondOrder)
{
  const double pi = std::acos(-1.);
  const Model model(MixedMesh{4, false, true, 0., quarter});
  EXPECT_NEAR(volume_of(model.body.mesh()), 0.75 * pi, 2e-4);
  EXPECT_NEAR(SurfaceIntegral<3>(model.body.mesh(), {"x1"}).area(), pi, 1e-3);
  const Vector u = model.body.nodal([](const dealii::Point<3> &X) { return dealii::Tensor<1, 3>({0.1 * X[1], 0.2 * X[2], 0.3 * X[0]}); });
  Vector f = model.body.mesh().new_vector();
  model.body.system().internal_force(u, f);
  double sum = 0;  // of u·f: sigma : eps V, by what is known of the strain
  for (unsigned int i = 0; i < f.locally_owned_size(); ++i)
    sum += u.local_element(i) * f.local_element(i);
  const double mu = 1000. / 2.6;
  EXPECT_NEAR(sum, mu * (0.1 * 0.1 + 0.2 * 0.2 + 0.3 * 0.3) * volume_of(model.body.mesh()), 1e-10 * sum);
}

TEST(Mixed, DerivativesHaveSlopeTwo)
{
  for_both_orders([](const MixedMesh &mesh) {
    Model model(mesh, "", "", "neo-hooke-log");
    const AssembledSystem &body = model.body.system();
    Random random;
    const Vector layout = model.body.mesh().new_vector(), q = random.vector(layout, 0.01), w = random.vector(layout, 0.02);
    const auto force = [&](const Vector &at) {
      Vector f(layout);
      body.internal_force(at, f);
      return f;
    };
    Vector Kw(layout), third(layout);
    body.stiffness(q, w, Kw);
    body.third_derivative(q, w, third);
    const auto halved = [](Vector difference, const double h) {
      difference *= 0.5 / h;
      return difference;
    };
    const double h = 0.1;
    expect_slope_two(
        [&](const double s) {
          return std::abs((body.potential(moved(q, s, w)) - body.potential(moved(q, -s, w))) / (2. * s) - force(q) * w);
        },
        h, false, 1e-12);
    expect_slope_two([&](const double s) { return distance(halved(moved(force(moved(q, s, w)), -1., force(moved(q, -s, w))), s), Kw); }, h,
                     false, 1e-10);
    expect_slope_two(
        [&](const double s) {
          Vector ahead(layout), behind(layout);
          body.stiffness(moved(q, s, w), w, ahead);
          body.stiffness(moved(q, -s, w), w, behind);
          return distance(halved(moved(ahead, -1., behind), s), third);
        },
        h, false, 1e-9);
  });
}

TEST(Mixed, TheMatrixIsThatOfTheProducts)
{
  for_both_orders([](const MixedMesh &mesh) {
    Model model(mesh, subsection("Supports", subsection("wall", "set Type = fixed\nset Boundary = x0")), "", "neo-hooke-log");
    Random random;
    const Vector layout = model.body.mesh().new_vector();
    Vector q = random.vector(layout, 0.003), w = random.vector(layout, 1.), Kw(layout), x(layout);
    model.body.system().project(q);
    model.body.system().project(w);
    model.body.system().stiffness(q, w, Kw);
    model.body.system().project(Kw);
    model.body.system().factor(1. * K, 0., q, q)->solve(Kw, x, 1e-12);
    EXPECT_LT(distance(x, w), 1e-8 * w.l2_norm());
  });
}

TEST(Mixed, PressureAndTractionOnFacesOfAnyShape)
{
  for_both_orders([](const MixedMesh &mesh) {
    for (int side = 0; side < 6; ++side)
    {
      const std::string name = MixedMesh::name(side);
      for (const std::string type : {"pressure", "dead-pressure"})
      {
        const Model model(mesh,
                          subsection("Loads", subsection("p", "set Type = " + type + "\nset Boundary = " + name + "\nset Pressure = 3")));
        const auto sum = model.body.resultant(applied(model.body));
        for (int d = 0; d < 3; ++d)
          EXPECT_NEAR(sum[d], d == side / 2 ? (side % 2 ? -3. : 3.) : 0., 1e-13) << type << " " << name;
      }
      const Model pulled(mesh,
                         subsection("Loads", subsection("t", "set Type = traction\nset Boundary = " + name + "\nset Traction = 1, 2, 3")));
      const auto sum = pulled.body.resultant(applied(pulled.body));
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(sum[d], 1. + d, 1e-13) << name;
    }
  });
}

TEST(Mixed, MassesAddUp)
{
  for_both_orders([](const MixedMesh &mesh) {
    for (const std::string type : {"consistent", "lumped"})
    {
      const Model model(mesh, subsection("Elements", "set Mass = " + type));
      const Vector v = model.body.nodal([](const dealii::Point<3> &) { return dealii::Tensor<1, 3>({1., 0., 0.}); });
      Vector p(v);
      model.body.system().mass(v, p);
      EXPECT_NEAR(model.body.resultant(p)[0], 1000., 1e-10) << type;
      for (int node = 0; node < model.body.mesh().n_owned_nodes() && type == "lumped"; ++node)
        EXPECT_GT(p.local_element(3 * node), 0.);
    }
  });
}

/// sigma of u = (0, 0, x + z²/2), to the order of the elements: by tables at points, in files, in nodes.
TEST(Mixed, ProbesInterpolate)
{
  for_both_orders([](const MixedMesh &mesh) {
    const Model model(mesh);
    for (const Place &X : {Place{0.31, 0.47, 0.96}, {0.52, 0.41, 0.7}, {0.48, 0.51, 0.99}, {0.1, 0.1, 0.1}, {0.4, 0.2, 0.3}})
    {
      Deck deck = Deck::from_text(subsection("Probes", subsection("in", "set Point = " + std::to_string(X[0]) + ", " +
                                                                            std::to_string(X[1]) + ", " + std::to_string(X[2]))),
                                  "probe.prm");
      Parameters p = deck.root().section("Probes").section("in");
      Probe<3> in;
      in.declare("in", p);
      in.prepare(model.body.mesh(), "");
      const auto value = in.at(model.body.nodal([](const dealii::Point<3> &x) { return dealii::Tensor<1, 3>({x[0], x[1], x[2]}); }));
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(value[d], X[d], 1e-12);
    }
  });
}

/// The stress of a linear field is the same at every point of every frame.
TEST(Mixed, FramesShowEveryShape)
{
  for_both_orders([](const MixedMesh &mesh) {
    for (const std::string precision : {"single", "double"})
    {
      Model model(
          mesh, subsection("Output", "set Fields = displacement, stress, averaged stress, projected stress\nset Precision = " + precision));
      State state;
      state.q = state.v = state.a = model.body.nodal([](const dealii::Point<3> &X) { return dealii::Tensor<1, 3>({0.1 * X[0], 0., 0.}); });
      const std::string folder = model.folder.path.string();
      const auto files = model.body.solid.write_frame(state, folder, 3);
      ASSERT_EQ(files.size(), 1u);
      std::ifstream in(folder + "/" + files[0]);
      const std::string text((std::istreambuf_iterator<char>(in)), {});
      EXPECT_NE(text.find("von_mises_projected"), std::string::npos);
      EXPECT_NE(text.find("NumberOfCells=\"" + std::to_string(model.body.mesh().n_cells()) + "\""), std::string::npos);
    }
  });
}

TEST(Mixed, FormulationsAreOfTheCellsThatHaveThem)
{
  MixedMesh mesh{3, false, false, 0.1};
  const symdyn::DeckFolder folder;
  const std::string file = folder.file("modes.inp", mesh.inp());
  Body<3> body(subsection("Mesh", "set Type = file\nset File = " + file + "\nset Element = incompatible-modes") +
               made_of("linear-elasticity"));
  for (const CellRegion<3> &region : body.mesh().regions)
    EXPECT_EQ(region.family.formulation->is_of_the_cell(), region.shape().is_hyper_cube());
}

TEST(Mixed, QuadrilateralsAndTriangles)
{
  const symdyn::DeckFolder folder;
  const std::string file = folder.file(
      "plane.inp",
      "*NODE\n1,0,0\n2,1,0\n3,2,0\n4,0,1\n5,1.1,.9\n6,2,1\n7,0,2\n8,1,2\n9,2,2\n*ELEMENT, TYPE=CPE4, ELSET=B\n1,1,2,5,4\n2,5,6,9,8\n"
      "*ELEMENT, TYPE=CPE3, ELSET=B\n3,2,3,5\n4,3,6,5\n5,4,5,8\n6,8,7,4\n");
  for (const std::string degree : {"1", "2"})
  {
    Body<2> body(subsection("Mesh", "set Type = file\nset File = " + file + "\nset Order = " + degree +
                                        (degree == "2" ? "\nset Element = serendipity" : "")) +
                 made_of("linear-elasticity"));
    EXPECT_EQ(body.mesh().n_nodes(), degree == "1" ? 9u : 9u + 14u);
    const Vector u = body.nodal([](const dealii::Point<2> &X) { return dealii::Tensor<1, 2>({0.1 * X[0] + 0.2 * X[1], 0.3 * X[0]}); });
    Vector f(u);
    body.system().internal_force(u, f);
    double inside = 0;
    for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
      if (const auto &X = body.mesh().position[node]; std::min({X[0], X[1], 2. - X[0], 2. - X[1]}) > 1e-9)
        inside = std::max({inside, std::abs(f.local_element(2 * node)), std::abs(f.local_element(2 * node + 1))});
    EXPECT_LT(inside, 1e-12 * f.linfty_norm());
  }
}

TEST(Mixed, WhatIsNotCarriedIsRefused)
{
  const auto refused = [](const MixedMesh &mesh, const std::string &of_mesh, const std::vector<std::string> &parts) {
    expect_contains(message([&] { Model(mesh, "", of_mesh); }), parts);
  };
  refused(MixedMesh{}, "set Refinements = 1\n", {"test.prm:4", "several shapes", "Refinements = 0"});
  refused(MixedMesh{}, "set Cell shape = tetrahedra\n", {"test.prm:3", "several shapes", "tetrahedra"});
  refused(MixedMesh{}, "set Order = 3\n", {"test.prm:4", "several shapes", "Order = 1 or 2"});
  refused(MixedMesh{}, "set Order = 2\n", {"test.prm:3", "degree 2", "Pyramid"});
  refused(MixedMesh{3, false}, "set Order = 2\n", {"test.prm:3", "several shapes", "27 nodes", "Element = serendipity"});
  const symdyn::DeckFolder folder;
  const std::string half =
      "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9,.5,.5,2\n"
      "*ELEMENT, TYPE=C3D8, ELSET=B\n1,1,2,3,4,5,6,7,8\n*ELEMENT, TYPE=C3D4, ELSET=B\n2,5,6,7,9\n3,5,7,8,9\n";
  const std::string file = folder.file("half.inp", half);
  CoarseMesh<3> mesh;
  expect_contains(message([&] { read_mesh(file, mesh); }),
                  {"half.inp:1", "tetrahedron", "hexahedron", "half of a quadrilateral", "pyramid"});
}
}  // namespace symdyn::tests::in_mixed
