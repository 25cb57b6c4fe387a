// Wedges of 6 and 15 nodes: patches, loads, masses, files.
#include "elements/load.h"
#include "elements/space/discretisation.h"
#include "tests/bodies.h"
#include "tests/cell_volumes.h"
#include "tests/input.h"
#include "tests/mesh_sizes.h"
#include "tests/unit_cube.h"
#include "tests/wedge_meshes.h"

namespace symdyn::tests::in_wedges
{
namespace
{
/// The mesh in a file, and a deck of it.
struct Model
{
  explicit Model(const std::string &mesh, const std::string &more = "", const std::string &of_mesh = "",
                 const std::string &law = "linear-elasticity")
      : file(folder.file("wedges.inp", mesh)),
        body(subsection("Mesh", "set Type = file\nset File = " + file + "\n" + of_mesh) + made_of(law) + more)
  {
  }
  const symdyn::DeckFolder folder;
  std::string file;
  Body<3> body;
};

template <class Test>
void for_both_orders(const Test &test)
{
  for (const bool quadratic : {false, true})
  {
    SCOPED_TRACE(quadratic ? "15 nodes" : "6 nodes");
    test(quadratic);
  }
}

double dot_with_places(const Body<3> &body, const Vector &f)
{
  double sum = 0;
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    for (int d = 0; d < 3; ++d)
      sum += f.local_element(3 * node + d) * body.mesh().position[node][d];
  return sum;
}
}  // namespace

TEST(Wedges, PatchOfDistortedCells)
{
  for_both_orders([](const bool quadratic) {
    for (const std::string law : {"linear-elasticity", "neo-hooke-log"})
    {
      const Model model(WedgeMesh{{3, 3, 3}, quadratic, false, 0.2}.text(), "", "", law);
      ASSERT_EQ(model.body.mesh().regions.front().n_nodes(), quadratic ? 15 : 6);
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

/// u = (x² + yz, xy - z², 2xz + y²): -div sigma = -(lambda + mu) grad div u - mu laplace u is constant, and what a body force has to be.
TEST(Wedges, FifteenNodesHaveQuadraticDisplacements)
{
  for_both_orders([](const bool quadratic) {
    const double E = 1000., nu = 0.3, density = 1000., mu = E / (2. * (1. + nu)), lambda = E * nu / ((1. + nu) * (1. - 2. * nu));
    std::ostringstream force;
    force << "set Type = body-force\nset Acceleration = " << std::setprecision(16) << -(5. * (lambda + mu) + 2. * mu) / density << ", "
          << 2. * mu / density << ", " << -2. * mu / density;
    const Model model(WedgeMesh{{3, 3, 3}, quadratic}.text(), subsection("Loads", subsection("b", force.str())));
    const Vector u = model.body.nodal([](const dealii::Point<3> &X) {
      return dealii::Tensor<1, 3>({X[0] * X[0] + X[1] * X[2], X[0] * X[1] - X[2] * X[2], 2. * X[0] * X[2] + X[1] * X[1]});
    });
    Vector f = model.body.mesh().new_vector();
    model.body.system().internal_force(u, f);
    f -= applied(model.body);
    const auto [inside, outside] = largest_inside_and_outside(model.body, f);
    if (quadratic)
      EXPECT_LT(inside, 1e-12 * outside);
    else
      EXPECT_GT(inside, 1e-3 * outside) << "negative control";
  });
}

TEST(Wedges, PressureOnTrianglesAndQuadrilaterals)
{
  for_both_orders([](const bool quadratic) {
    const std::string mesh = WedgeMesh{{2, 3, 2}, quadratic, false, 0.2}.text();
    for (const std::string type : {"pressure", "dead-pressure"})
      for (int face = 0; face < 6; ++face)
      {
        const std::string name = {"xyz"[face / 2], "01"[face % 2]};
        const Model model(mesh,
                          subsection("Loads", subsection("p", "set Type = " + type + "\nset Boundary = " + name + "\nset Pressure = 3")));
        const auto sum = model.body.resultant(applied(model.body));
        for (int d = 0; d < 3; ++d)
          EXPECT_NEAR(sum[d], d == face / 2 ? (face % 2 ? -3. : 3.) : 0., 1e-13) << type << " " << name;
      }
  });
}

/// On a closed surface sum f = 0 and sum f.X = -p ∫ X.n dA = -3 p V; on the outside of a quarter of a ring the resultants are p times the
/// projected areas.
TEST(Wedges, PressureOnCurvedSurfaces)
{
  for_both_orders([](const bool quadratic) {
    const std::string all =
        subsection("Loads", subsection("p", "set Type = dead-pressure\nset Boundary = x0, x1, y0, y1, z0, z1\nset Pressure = 3"));
    const Model model(WedgeMesh{{2, 6, 2}, quadratic, true, 0., ring}.text(), all);
    const Vector f = applied(model.body);
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(model.body.resultant(f)[d], 0., 1e-12);
    const double volume = 0.75 * std::acos(-1.), facets = quadratic ? 1e-4 : 0.02;
    EXPECT_NEAR(dot_with_places(model.body, f), -9. * volume_of(model.body.mesh()), 1e-3 * facets * volume);
    EXPECT_NEAR(volume_of(model.body.mesh()), volume, facets * volume);
    const Model outside(WedgeMesh{{2, 6, 2}, quadratic, true, 0., ring}.text(),
                        subsection("Loads", subsection("p", "set Type = pressure\nset Boundary = x1\nset Pressure = 3")));
    const auto sum = outside.body.resultant(applied(outside.body));
    EXPECT_NEAR(sum[0], -6., 1e-12);
    EXPECT_NEAR(sum[1], -6., 1e-12);
    EXPECT_NEAR(sum[2], 0., 1e-12);
  });
}

TEST(Wedges, MassesAddUp)
{
  for_both_orders([](const bool quadratic) {
    for (const std::string type : {"consistent", "lumped"})
    {
      const Model model(WedgeMesh{{2, 3, 2}, quadratic, true, 0., ring}.text(), subsection("Elements", "set Mass = " + type));
      const Vector v = model.body.nodal([](const dealii::Point<3> &) { return dealii::Tensor<1, 3>({1., 0., 0.}); });
      Vector p(v);
      model.body.system().mass(v, p);
      EXPECT_NEAR(model.body.resultant(p)[0], 1000. * volume_of(model.body.mesh()), 1e-4 * 1000.) << type;
      for (int node = 0; node < model.body.mesh().n_owned_nodes() && type == "lumped"; ++node)
        EXPECT_GT(p.local_element(3 * node), 0.);
    }
  });
}

/// Of one cell each face has its place: the outer normals of S1 to S5.
TEST(Wedges, FacesOfACellAreThoseOfAbaqus)
{
  for_both_orders([](const bool quadratic) {
    std::string mesh =
        quadratic
            ? "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,0,1\n6,0,1,1\n7,.5,0,0\n8,.5,.5,0\n9,0,.5,0\n10,.5,0,1\n11,.5,.5,1\n12,0,.5,1\n13,0,0,.5\n14,1,0,.5\n15,0,1,.5\n"
              "*ELEMENT, TYPE=C3D15, ELSET=body\n1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,\n15\n"
            : "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,0,1\n6,0,1,1\n*ELEMENT, TYPE=C3D6, ELSET=body\n1,1,2,3,4,5,6\n";
    for (int f = 1; f <= 5; ++f)
      mesh += "*SURFACE, NAME=S" + std::to_string(f) + "\n1, S" + std::to_string(f) + "\n";
    const Model model(mesh);
    const double area[] = {0.5, 0.5, 1., std::sqrt(2.), 1.}, slope = std::sqrt(0.5);
    const dealii::Tensor<1, 3> normal[] = {dealii::Tensor<1, 3>({0., 0., -1.}), dealii::Tensor<1, 3>({0., 0., 1.}),
                                           dealii::Tensor<1, 3>({0., -1., 0.}), dealii::Tensor<1, 3>({slope, slope, 0.}),
                                           dealii::Tensor<1, 3>({-1., 0., 0.})};
    for (int f = 0; f < 5; ++f)
    {
      const SurfaceIntegral<3> surface(model.body.mesh(), {"S" + std::to_string(f + 1)});
      ASSERT_EQ(surface.faces.size(), 1u);
      EXPECT_NEAR(surface.area(), area[f], 1e-14);
      for (const auto &n : surface.faces[0].normal)
        EXPECT_NEAR((n - normal[f]).norm(), 0., 1e-14) << f;
      EXPECT_EQ(model.body.mesh().boundary_nodes("S" + std::to_string(f + 1)).size(), quadratic ? (f < 2 ? 6u : 8u) : (f < 2 ? 3u : 4u));
    }
  });
}

/// Work of a shear load on a beam that is held at its end: the shape of the cells matters little where they are small enough.
TEST(Wedges, BeamsBendAsThoseOfHexahedra)
{
  const std::string held = subsection("Supports", subsection("wall", "set Type = fixed\nset Boundary = x0")) +
                           subsection("Loads", subsection("shear", "set Type = traction\nset Boundary = x1\nset Traction = 0, 0, 1"));
  const auto work = [](Body<3> &body) {
    Vector f = applied(body), u = body.mesh().new_vector();
    body.system().project_prescribed(f);
    body.system().factor(1. * K, 0., u, u)->solve(f, u, 1e-10);
    return u * f;
  };
  const auto long_beam = [](const Place &x) { return Place{4. * x[0], x[1], x[2]}; };
  Model wedges(WedgeMesh{{6, 2, 2}, true, false, 0.1, long_beam}.text(), held),
      linear(WedgeMesh{{24, 6, 6}, false, false, 0., long_beam}.text(), held);
  Body<3> hexahedra(
      subsection("Mesh", "set Type = box\nset Subdivisions = 8, 3, 3\nset Order = 2\n" + subsection("box", "set Size = 4, 1, 1")) +
      made_of("linear-elasticity") + subsection("Supports", subsection("wall", "set Type = fixed\nset Boundary = x-")) +
      subsection("Loads", subsection("shear", "set Type = traction\nset Boundary = x+\nset Traction = 0, 0, 1")));
  const double exact = work(hexahedra);
  EXPECT_NEAR(work(wedges.body), exact, 0.005 * exact);
  EXPECT_NEAR(work(linear.body), exact, 0.1 * exact);
}

/// Gmsh's types 6 and 18 (whose nodes on lines have an order of their own), VTK's of either hand, UCD from the top down.
TEST(Wedges, OtherFormats)
{
  const symdyn::DeckFolder folder;
  const auto expect_one = [&](const std::string &name, const std::string &text, const unsigned int nodes) {
    SCOPED_TRACE(name);
    CoarseMesh<3> mesh;
    read_mesh(folder.file(name, text), mesh);
    EXPECT_EQ(mesh.nodes_of_cell, nodes);
    const Discretisation<3> body(std::move(mesh), nodes == 0 ? 1 : 2, 0);
    EXPECT_NEAR(volume_of(body), 1.5, 1e-14);
    EXPECT_EQ(body.n_nodes(), nodes == 0 ? 6u : nodes);
  };
  const std::string gmsh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n",
                    corners = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 3\n5 1 0 3\n6 0 1 3\n", end = "$EndElements\n";
  expect_one("six.msh", gmsh + "6\n" + corners + "$EndNodes\n$Elements\n1\n1 6 2 7 7 1 2 3 4 5 6\n" + end, 0);
  const std::string lines = "7 .5 0 0\n8 0 .5 0\n9 0 0 1.5\n10 .5 .5 0\n11 1 0 1.5\n12 0 1 1.5\n13 .5 0 3\n14 0 .5 3\n15 .5 .5 3\n";
  expect_one("fifteen.msh",
             gmsh + "15\n" + corners + lines + "$EndNodes\n$Elements\n1\n1 18 2 7 7 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n" + end, 15);
  const std::string vtk =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 float\n0 0 0 1 0 0 0 1 0 0 0 3 1 0 3 0 1 3\nCELLS 1 7\n";
  expect_one("outward.vtk", vtk + "6 0 2 1 3 5 4\nCELL_TYPES 1\n13\n", 0);
  expect_one("inward.vtk", vtk + "6 0 1 2 3 4 5\nCELL_TYPES 1\n13\n", 0);
  expect_one("one.ucd", "6 1 0 0 0\n" + corners + "1 1 prism 4 5 6 1 2 3\n", 0);
}

TEST(Wedges, WhatIsWrongIsRefused)
{
  const symdyn::DeckFolder folder;
  const auto refused = [&](const std::string &text, const std::vector<std::string> &parts) {
    CoarseMesh<3> mesh;
    const std::string file = folder.file("wrong.inp", text);
    expect_contains(message([&] { read_mesh(file, mesh); }), parts);
  };
  const std::string nodes = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,0,1\n6,0,1,1\n7,1,1,0\n8,1,1,1\n";
  refused(nodes + "*ELEMENT, TYPE=C3D6\n1,4,5,6,1,2,3\n", {"wrong.inp:11", "element 1 (wedge)", "-1", "Renumber"});
  refused(nodes + "*ELEMENT, TYPE=C3D6\n1,1,2,3,4,5,1\n", {"wrong.inp:11", "element 1 (wedge)"});
  refused(nodes + "*ELEMENT, TYPE=C3D6\n1,1,2,3,4,5,6,7.\n", {"wrong.inp:11: 7.", "its node"});
  refused(nodes + "*ELEMENT, TYPE=C3D15\n1,1,2,3,4,5,6,7\n", {"wrong.inp:11", "C3D15 has 15 nodes", "only 7"});
  refused(nodes + "*ELEMENT, TYPE=C3D6, ELSET=E\n1,1,2,3,4,5,6\n*SURFACE, NAME=S\n1, S6\n", {"wrong.inp:13", "S1 to S5"});
  refused(nodes + "*ELEMENT, TYPE=C3D6\n1,1,2,3,4,5,6\n*ELEMENT, TYPE=C3D4\n2,2,7,3,6\n",
          {"wrong.inp:13", "tetrahedron", "wedge", "half of a quadrilateral", "pyramid"});
  const std::string mesh = WedgeMesh{}.text();
  const auto deck_refused = [&](const std::string &of_mesh, const std::vector<std::string> &parts) {
    const std::string found = message([&] { Model(mesh, "", of_mesh); });
    expect_contains(found, parts);
  };
  deck_refused("set Refinements = 1\n", {"test.prm:4", "refined", "Refinements = 0"});
  deck_refused("set Cell shape = tetrahedra\n", {"test.prm:3", "tetrahedra"});
  deck_refused("set Order = 3\n", {"test.prm:4", "Order = 1 or 2"});
  deck_refused("set Element = mean-dilatation\n", {"test.prm:4", "Element = standard"});
  deck_refused("set Element = incompatible-modes\n", {"test.prm:4", "Element = standard"});
  const Model second(mesh, "", "set Order = 2\n");
  EXPECT_EQ(second.body.mesh().regions.front().n_nodes(), 15) << "on a mesh of first order";
}

/// Both points of the stiffness lie on the axis of the twist. (A support or a neighbour holds it; 15 nodes feel it.)
TEST(Wedges, OneOfSixNodesTwistsFreely)
{
  for_both_orders([](const bool quadratic) {
    const Model model("*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,1,0,1\n6,0,1,1\n*ELEMENT, TYPE=C3D6, ELSET=body\n1,1,2,3,4,5,6\n", "",
                      quadratic ? "set Order = 2\n" : "");
    const Vector u = model.body.nodal([](const dealii::Point<3> &X) {
      return dealii::Tensor<1, 3>({-(X[1] - 1. / 3.) * X[2], (X[0] - 1. / 3.) * X[2], 0.});
    });
    Vector f(u);
    model.body.system().internal_force(u, f);
    if (quadratic)
      EXPECT_GT(f.linfty_norm(), 1.);
    else
      EXPECT_LT(f.linfty_norm(), 1e-12);
  });
}

TEST(Wedges, ProbesInterpolate)
{
  for_both_orders([](const bool quadratic) {
    const Model model(WedgeMesh{{2, 3, 2}, quadratic, false, 0.2}.text());
    const std::string probe = subsection("Probes", subsection("in", "set Point = 0.31, 0.47, 0.66"));
    Deck deck = Deck::from_text(probe, "probe.prm");
    Parameters p = deck.root().section("Probes").section("in");
    Probe<3> in;
    in.declare("in", p);
    in.prepare(model.body.mesh(), "");
    const auto value = in.at(model.body.nodal([](const dealii::Point<3> &X) { return dealii::Tensor<1, 3>({X[0], X[1], X[2]}); }));
    EXPECT_NEAR(value[0], 0.31, 1e-12);
    EXPECT_NEAR(value[1], 0.47, 1e-12);
    EXPECT_NEAR(value[2], 0.66, 1e-12);
  });
}
}  // namespace symdyn::tests::in_wedges
