#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/run.h"

// Round shapes that symdyn meshes by itself: from degree 2 on their cells are curved, and the nodes are on the circles.
namespace symdyn::tests::in_round_shapes
{
namespace
{
const double pi = std::acos(-1.);

struct Shape
{
  std::string name;
  int dim;
  std::string entries;
  double size;  ///< area or volume
};

const std::vector<Shape> &shapes()
{
  static const std::vector<Shape> all{
      {"ring", 2, "", 0.75 * pi},  {"plate-with-hole", 2, "", 1. - 0.01 * pi}, {"rod", 3, "set Length = 0.2\n", 0.002 * pi},
      {"ring", 3, "", 0.075 * pi}, {"hollow-cylinder", 3, "", 2. * 0.36 * pi}, {"plate-with-hole", 3, "", 0.1 * (1. - 0.01 * pi)}};
  return all;
}

/// The mass of a body of unit density, as its momentum has it.
double mass(const Shape &shape, const std::vector<std::string> &settings, const int ranks = 1)
{
  const Folder folder;
  const std::string deck =
      fmt::format("subsection Mesh\n set Type = {}\n set Dimension = {}\n subsection {}\n {} end\nend\n", shape.name, shape.dim, shape.name,
                  shape.entries) +
      "subsection Materials\n subsection m\n set Type = linear-elasticity\n set E = 1\n set nu = 0\n set Density = 1\n "
      "end\nend\n"
      "subsection Initial conditions\n set Velocity = 1, 0" +
      (shape.dim == 3 ? ", 0" : "") +
      "\nend\nsubsection Time\n set Time step = 1e-6\n set End time = 1e-6\nend\nsubsection Output\n set Write every = "
      "never\nend\n";
  const Outcome outcome = run_written(folder, deck, settings, ranks);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  return outcome.exit_code == 0 ? outcome.history["P_x"].front() : 0.;
}

double error(const Shape &shape, const std::vector<std::string> &settings, const int ranks = 1)
{
  return std::abs(mass(shape, settings, ranks) / shape.size - 1.);
}
}  // namespace

TEST(RoundShapes, MassOfARingOfTwelveCells)
{
  const Shape &ring = shapes()[0];
  EXPECT_NEAR(error(ring, {"Mesh/Order=1"}), 1. - std::sin(pi / 6.) / (pi / 6.), 1e-9) << "straight edges";
  for (const auto &[degree, largest] : {std::pair{2, 1.6e-4}, {3, 2.8e-7}, {4, 3e-10}})
    EXPECT_LT(error(ring, {fmt::format("Mesh/Order={}", degree)}), largest) << degree;
  EXPECT_LT(error(ring, {"Mesh/Order=2", "Mesh/Cell shape=tetrahedra"}), 5e-4);
  EXPECT_LT(error(ring, {"Mesh/Order=2", "Mesh/Element=serendipity"}), 5e-4);
}

TEST(RoundShapes, MassConvergesWithOrderTwicePerDegree)
{
  // Nodes of Gauss and Lobatto on a circle: the error of an area has order 2 p.
  for (const Shape &shape : shapes())
    for (const int degree : shape.name == "rod" ? std::vector<int>{2, 3} : std::vector<int>{2})
    {
      SCOPED_TRACE(fmt::format("{} in {}-D of degree {}", shape.name, shape.dim, degree));
      const std::string of_degree = fmt::format("Mesh/Order={}", degree);
      const double coarse = error(shape, {of_degree}), fine = error(shape, {of_degree, "Mesh/Refinements=1"});
      EXPECT_NEAR(std::log2(coarse / fine), 2. * degree, 0.3) << coarse << " " << fine;
    }
}

TEST(RoundShapes, TheSameOnTwoRanks)
{
  for (const std::string cells : {"hexahedra", "tetrahedra"})
    for (const Shape &shape : {shapes()[0], shapes()[2]})
    {
      const std::vector<std::string> settings{"Mesh/Order=2", "Mesh/Cell shape=" + cells};
      EXPECT_NEAR(mass(shape, settings, 2), mass(shape, settings), 1e-12 * shape.size) << shape.name << " " << cells;
      EXPECT_LT(error(shape, settings), 3e-3);
    }
}

TEST(RoundShapes, ThickWalledCylinderHasTheOrderOfItsDegree)
{
  // Lame, plane strain: u_r = (1 + nu)/E p a²/(b² - a²) ((1 - 2 nu) r + b²/r), a = 0.5 m, b = 1 m, p = 1 Pa; held with
  // its own displacement outside.
  const auto exact = [](const double r) { return 1.3e-3 / 3. * (0.4 * r + 1. / r); };
  const auto error_of = [&](const int degree, const int refinements) {
    const Folder folder;
    const std::string deck =
        "subsection Mesh\n set Type = ring\n set Dimension = 2\nend\nsubsection Materials\n subsection m\n set Type = "
        "linear-elasticity\n set E = 1000\n set nu = 0.3\n "
        "set Density = 1\n end\nend\nsubsection Supports\n subsection outside\n set Boundary = outer\n set Type = "
        "displacement\n" +
        fmt::format(" set Displacement = {0:.17g}*x, {0:.17g}*y\n", exact(1.)) +
        " end\nend\nsubsection Loads\n subsection inside\n set Type = dead-pressure\n set Boundary = inner\n set "
        "Pressure = 1\n end\nend\nsubsection Probes\n subsection a\n "
        "set Nearest node = 0.5, 0\n end\nend\nsubsection Stages\n subsection load\n set Type = static\n "
        "end\nend\nsubsection Newton\n set Tolerance = 1e-13\nend\n";
    const Outcome outcome = run_written(
        folder, deck, {fmt::format("Mesh/Order={}", degree), fmt::format("Mesh/Refinements={}", refinements), "Linear solver/Type=mumps"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    return std::abs(outcome.history.last("a.u_x") / exact(0.5) - 1.);
  };
  for (const int degree : {2, 3})
    EXPECT_GT(std::log2(error_of(degree, 0) / error_of(degree, 1)), degree + 0.7) << degree << ": polygons have 2";
}
}  // namespace symdyn::tests::in_round_shapes
