// The solution with the consistent mass: slow meshes, tolerances below rounding.
#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <map>

#include "solver/error.h"
#include "tests/bodies.h"
#include "tests/run.h"

namespace symdyn::tests::in_mass
{
namespace
{
using Index = std::array<int, 3>;

/// n³ bricks with 20 nodes, of size 1; nodes in the middle of edges stand at this part of the edge: 1/2, or 1/4 as at
/// the tip of a crack (Barsoum 1976).
std::string bricks(const int n, const double middle)
{
  std::map<Index, int> number;
  std::string nodes = "*NODE\n", cells = "*ELEMENT, TYPE=C3D20, ELSET=BODY\n";
  for (int k = 0; k <= 2 * n; ++k)
    for (int j = 0; j <= 2 * n; ++j)
      for (int i = 0; i <= 2 * n; ++i)
        if (i % 2 + j % 2 + k % 2 <= 1)
        {
          const int label = int(number.size()) + 1;
          number[{i, j, k}] = label;
          const auto place = [middle](const int half) { return half / 2 + (half % 2 == 1 ? middle : 0.); };
          nodes += fmt::format("{}, {}, {}, {}\n", label, place(i), place(j), place(k));
        }
  const std::array<Index, 8> corners{{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}}};
  const std::array<std::array<int, 2>, 12> edges{
      {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};
  for (int cell = 0; cell < n * n * n; ++cell)
  {
    const Index first{2 * (cell % n), 2 * (cell / n % n), 2 * (cell / (n * n))};
    cells += fmt::format("{}", cell + 1);
    const auto add = [&](const Index &a, const Index &b, const std::string &separator) {
      cells +=
          separator + std::to_string(number.at({first[0] + (a[0] + b[0]) / 2, first[1] + (a[1] + b[1]) / 2, first[2] + (a[2] + b[2]) / 2}));
    };
    for (const Index &corner : corners)
      add(corner, corner, ", ");
    for (std::size_t e = 0; e < edges.size(); ++e)
      add(corners[edges[e][0]], corners[edges[e][1]], e == 2 ? ",\n" : ", ");
    cells += "\n";
  }
  return nodes + cells;
}

/// Largest |p - M v| over |p| of a random p.
double residual_of(const std::string &mesh, const double tolerance)
{
  const Folder folder;
  std::ofstream(folder / "mesh.inp") << mesh;
  Body<3> body(subsection("Mesh", "set Type = file\nset Order = 2\nset File = " + (folder / "mesh.inp")) + made_of("linear-elasticity"));
  const MechanicalSystem &system = body.system();
  const Vector p = Random(8).vector(system.new_vector(), 1.);
  Vector v = system.new_vector(), residual = v;
  system.mass_solve(p, v, tolerance);
  system.mass(v, residual);
  residual -= p;
  return residual.l2_norm() / p.l2_norm();
}
}  // namespace

TEST(Mass, QuarterPointMeshesAreSolved)
{
  EXPECT_LT(residual_of(bricks(4, 0.5), 1e-12), 1.01e-12);
  EXPECT_LT(residual_of(bricks(4, 0.252), 1e-12), 1.01e-12);
  EXPECT_LT(residual_of(bricks(4, 0.252), 1e-14), 1e-13);
}

TEST(Mass, ResidualsAtRoundingAreConvergence)
{
  // No tolerance at all: what remains is rounding. The negative control is a residual that is far above.
  EXPECT_LT(residual_of(bricks(2, 0.5), 0.), 1e-14);
  EXPECT_LT(residual_of(bricks(2, 0.252), 0.), 1e-13);
}

TEST(Mass, NumbersThatAreNoneAreNotCalledADistortedMesh)
{
  Body<3> body(subsection("Mesh", "set Type = box\nset Order = 2\nset Subdivisions = 2, 2, 2\n" + subsection("box", "set Size = 1, 1, 1")) +
               made_of("linear-elasticity"));
  const MechanicalSystem &system = body.system();
  Vector p = system.new_vector(), v = p;
  p.local_element(4) = std::numeric_limits<double>::quiet_NaN();
  try
  {
    system.mass_solve(p, v, 1e-14);
    FAIL() << "solved";
  }
  catch (const ComputationError &error)
  {
    const std::string text = error.what();
    EXPECT_NE(text.find("is not finite"), std::string::npos) << text;
    EXPECT_EQ(text.find("distorted"), std::string::npos) << text;
  }
}
}  // namespace symdyn::tests::in_mass
