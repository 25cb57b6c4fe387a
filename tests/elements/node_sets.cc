// Sets of nodes of a mesh file on elements of higher degree, and supports at points and lines.
#include <fstream>

#include "elements/space/node_span.h"
#include "tests/bodies.h"
#include "tests/input.h"

namespace symdyn::tests::in_node_sets
{
namespace
{
/// One cube, or two that touch at z = 1 with nodes of their own there (5 to 8 and 9 to 12).
std::string cubes(const int count)
{
  std::string nodes = "*NODE, NSET=ALL\n", cells = "*ELEMENT, TYPE=C3D8, ELSET=CUBE\n";
  const char *const corners[] = {"0., 0.", "1., 0.", "1., 1.", "0., 1."};
  for (int layer = 0; layer < 2 * count; ++layer)
    for (int corner = 0; corner < 4; ++corner)
      nodes += std::to_string(4 * layer + corner + 1) + ", " + corners[corner] + ", " + std::to_string((layer + 1) / 2) + ".\n";
  for (int cell = 0; cell < count; ++cell)
  {
    cells += std::to_string(cell + 1);
    for (int corner = 1; corner <= 8; ++corner)
      cells += ", " + std::to_string(8 * cell + corner);
    cells += "\n";
  }
  return nodes + cells +
         "*NSET, NSET=LOW\n1, 2, 3, 4\n*NSET, NSET=MIDDLE\n5, 6, 7, 8\n*NSET, NSET=LID\n5, 6, 7, 8\n*NSET, NSET=EDGE\n1, 2\n*NSET, NSET=DIAGONAL\n1, 3\n";
}

class NodeSets : public ::testing::Test
{
protected:
  std::string mesh(const std::string &more, const int count = 1) const
  {
    return subsection("Mesh", "set Type = file\nset File = " + folder.file("cubes.inp", cubes(count)) + "\n" + more) +
           made_of("linear-elasticity");
  }
  /// Nodes that a support of these names holds.
  std::vector<dealii::Point<3>> held(const std::string &names, const std::string &more, const int count = 1) const
  {
    Body<3> body(mesh(more, count) + subsection("Supports", subsection("hold", "set Nodes = " + names)));
    std::vector<dealii::Point<3>> places;
    for (const unsigned int node : body.fem().supports().all()[0].nodes)
      places.push_back(body.mesh().position[node]);
    return places;
  }
  std::string refusal(const std::string &more, const std::string &rest) const
  {
    return message([&] { Body<3> body(mesh(more) + rest); });
  }
  DeckFolder folder;
};
}  // namespace

TEST_F(NodeSets, SpanTheNodesBetweenThem)
{
  for (int degree = 1; degree <= 4; ++degree)
  {
    const std::string more = "set Order = " + std::to_string(degree);
    const std::size_t n = degree + 1;
    const auto low = held("LOW", more);
    EXPECT_EQ(low.size(), n * n);
    for (const auto &X : low)
      EXPECT_EQ(X[2], 0.);
    EXPECT_EQ(held("EDGE", more).size(), n);
    EXPECT_EQ(held("LOW, MIDDLE", more).size(), n * n * n) << "edges, faces and the cell";
    EXPECT_EQ(held("ALL", more).size(), n * n * n);
    EXPECT_EQ(held("1, 2, 3, 4", more).size(), n * n) << "numbers";
    EXPECT_EQ(held("DIAGONAL", more).size(), 2u) << "negative control: no edge";
    EXPECT_EQ(held("7", more).size(), 1u) << "negative control: a node";
  }
}

TEST_F(NodeSets, SpanTheNodesOfRefinedCells)
{
  EXPECT_EQ(held("LOW", "set Refinements = 1").size(), 9u);
  EXPECT_EQ(held("LOW", "set Refinements = 2\nset Order = 2").size(), 81u);
  EXPECT_EQ(held("EDGE", "set Refinements = 2\nset Order = 3").size(), 13u);
  EXPECT_EQ(held("ALL", "set Refinements = 1\nset Order = 2").size(), 125u);
  EXPECT_EQ(held("DIAGONAL", "set Refinements = 1").size(), 2u) << "negative control";
}

TEST_F(NodeSets, OfBodiesThatTouchBelongToOne)
{
  for (const std::string more : {"set Order = 2", "set Refinements = 1"})
  {
    Body<3> body(mesh(more, 2) + subsection("Supports", subsection("hold", "set Nodes = MIDDLE")));
    const auto &mesh = body.mesh();
    std::vector<bool> lower(mesh.n_local_nodes(), false);
    for (const auto &cell : mesh.handler.active_cell_iterators())
      if (cell->center()[2] < 1.)
        for (const unsigned int node : mesh.cell_nodes(cell))
          lower[node] = true;
    const auto &nodes = body.fem().supports().all()[0].nodes;
    EXPECT_EQ(nodes.size(), 9u);
    for (const unsigned int node : nodes)
    {
      EXPECT_EQ(mesh.position[node][2], 1.);
      EXPECT_TRUE(lower[node]);
    }
  }
}

TEST_F(NodeSets, CutCellsAreRefused)
{
  const std::string text = refusal("set Cell shape = tetrahedra", subsection("Supports", subsection("hold", "set Nodes = LOW")));
  EXPECT_NE(text.find("[Supports/hold] Nodes = LOW"), std::string::npos) << text;
  EXPECT_NE(text.find("cut into tetrahedra"), std::string::npos) << text;
}

TEST_F(NodeSets, ForcesOnSetsWithNodesBetweenAreRefused)
{
  const auto force = [](const std::string &nodes) {
    return subsection("Loads", subsection("push", "set Type = nodal-force\nset Force = 0, 0, 1\nset Nodes = " + nodes));
  };
  for (const std::string more : {"set Order = 2", "set Refinements = 1"})
  {
    const std::string text = refusal(more, force("LOW"));
    for (const std::string part : {"[Loads/push] Nodes = LOW", "'LOW' has 4 nodes", "there are 9"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
    Body<3> at_places(mesh(more) + force("1, 2, 3, 4"));  // numbers are places
    Vector f = at_places.system().new_vector();
    const Vector q = f;
    at_places.system().applied_force(0., q, q, f);
    EXPECT_NEAR(at_places.resultant(f)[2], 4., 1e-14);
  }
  Body<3> of_corners(mesh("") + force("LOW"));
  Vector f = of_corners.system().new_vector();
  const Vector q = f;
  of_corners.system().applied_force(0., q, q, f);
  EXPECT_NEAR(of_corners.resultant(f)[2], 4., 1e-14);
}

TEST_F(NodeSets, FacesOfTwoBoundariesOfALoadCountOnce)
{
  for (const std::string load : {"set Type = traction\nset Traction = 0, 0, 1", "set Type = pressure\nset Pressure = -1",
                                 "set Type = dead-pressure\nset Pressure = -1"})
    for (const std::string boundary : {"MIDDLE", "MIDDLE, LID"})
    {
      Body<3> body(mesh("") + subsection("Loads", subsection("pull", load + "\nset Boundary = " + boundary)));
      Vector f = body.system().new_vector();
      const Vector q = body.system().new_vector();
      body.system().applied_force(0., q, q, f);
      EXPECT_NEAR(body.resultant(f)[2], 1., 1e-14) << load << boundary;
    }
}

namespace
{
std::size_t held_by(const std::string &where, const std::string &mesh = "set Order = 2")
{
  Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 2, 2, 2\n" + mesh) + made_of("linear-elasticity") +
               subsection("Supports", subsection("pin", where)));
  return body.fem().supports().all()[0].nodes.size();
}
}  // namespace

TEST(SupportPlaces, PointsAndLinesHoldTheirNodes)
{
  EXPECT_EQ(held_by("set Point = 0, 0, 0"), 1u);
  EXPECT_EQ(held_by("set Point = 0.5, 0.5, 0.5"), 1u);
  EXPECT_EQ(held_by("set Line = 0, 0, 0, 1, 0, 0"), 5u);
  EXPECT_EQ(held_by("set Line = 0, 0, 0, 0.5, 0, 0"), 3u) << "its ends belong to it, what is behind them does not";
  EXPECT_EQ(held_by("set Line = 0, 0, 0, 1, 1, 1"), 5u);
  EXPECT_EQ(held_by("set Line = 0, 0, 0, 1, 0, 0\nset Type = displacement\nset Displacement = 0, free, 0.1*t"), 5u);
  EXPECT_EQ(held_by("set Point = 1, 0, 0\nset Type = roller\nset Normal = 1, 1, 0"), 1u);
}

TEST(SupportPlaces, PlacesWithoutNodesAreRefused)
{
  const std::vector<std::array<std::string, 2>> bad = {
      {"set Point = 0.1, 0, 0", "no node is here; the nearest is 0.1 m away"},
      {"set Line = 0, 0.3, 0.3, 1, 0.3, 0.3", "no node is on this line; the nearest is 0.0707 m away"},
      {"set Point = 0, 0", "needs 3 coordinates; here are 2"},
      {"set Line = 0, 0, 0, 1, 0", "needs 6 coordinates, those of both ends; here are 5"},
      {"set Point = 0, 0, 0\nset Boundary = x-", "the support has Boundary, too"},
      {"set Point = 0, 0, 0\nset Line = 0, 0, 0, 1, 0, 0", "the support has Point, too"},
      {"set Point = 0, 0, 0\nset Type = symmetry", "nodes alone have no normal"},
      {"set Boundary = x-, x-", "names 'x-' twice"}};
  for (const auto &one : bad)  // no names for its parts: clang lets lambdas see none
  {
    const std::string &entries = one[0], &part = one[1];
    const std::string text = message([&] { held_by(entries); });
    EXPECT_NE(text.find("test.prm:"), std::string::npos) << text;
    EXPECT_NE(text.find("[Supports/pin]"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  }
}

/// M v = p for tiny masses and momenta, whose squares are no numbers: to 1e-12 as for usual ones.
TEST(MassOfTinyDensity, IsSolvedAsAnyOther)
{
  for (const double density : {1e-300, 1000.})
  {
    Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 2, 2, 2\nset Order = 2") +
                 subsection("Materials", subsection("body", "set Type = linear-elasticity\nset E = 1\nset nu = 0.3\nset Density = " +
                                                                std::string(density < 1. ? "1e-300" : "1000"))));
    const Vector v = Random(1).vector(body.system().new_vector(), 1.);
    Vector p(v), solved(v);
    body.system().mass(v, p);
    body.system().mass_solve(p, solved);
    EXPECT_LT(distance(solved, v), 1e-12 * v.l2_norm()) << density;
  }
}
}  // namespace symdyn::tests::in_node_sets
