#include <gtest/gtest.h>

#include "tests/run.h"

// The section Errors: norms of the error against a known solution.
namespace symdyn::tests::in_field_errors
{
namespace
{
std::string section(const std::string &name, const std::string &content) { return "subsection " + name + "\n" + content + "\nend\n"; }

/// u = (sin(pi x) sin(pi y), 0) on the unit square, nu = 0 and E = rho = 1: the body force is -div sym grad u.
std::string square(const std::string &mesh)
{
  return section("Mesh", "set Dimension = 2\nset Type = box\n" + mesh) +
         section("Materials", section("body", "set Type = linear-elasticity\nset E = 1\nset nu = 0\nset Density = 1")) +
         section("Supports", section("all", "set Boundary = x-, x+, y-, y+")) +
         section(
             "Loads",
             section("field", "set Type = body-force\nset Acceleration = 1.5*pi^2*sin(pi*x)*sin(pi*y), -0.5*pi^2*cos(pi*x)*cos(pi*y)")) +
         section("Errors", section("u", "set Displacement = sin(pi*x)*sin(pi*y), 0")) + section("Linear solver", "set Tolerance = 1e-13") +
         section("Newton", "set Tolerance = 1e-12") + section("Stages", section("rest", "set Type = static"));
}

/// (L2, H1) of n x n cells.
std::pair<double, double> errors(const int n, const std::string &mesh, const int ranks = 1)
{
  const Folder folder;
  const Outcome run = run_written(folder, square("set Subdivisions = " + std::to_string(n) + ", " + std::to_string(n) + "\n" + mesh),
                                  {"Output/Write every=never"}, ranks);
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  return {run.history.last("u.L2"), run.history.last("u.H1")};
}
}  // namespace

/// Strang, Fix 1973: orders p + 1 and p.
TEST(FieldErrors, HaveTheOrdersOfTheElementsOnRanks)
{
  const auto expect_orders = [](const std::string &mesh, const int p) {
    const auto coarse = errors(8, mesh), fine = errors(16, mesh);
    EXPECT_NEAR(std::log2(coarse.first / fine.first), p + 1, 0.15) << mesh;
    EXPECT_NEAR(std::log2(coarse.second / fine.second), p, 0.15) << mesh;
  };
  for (int p = 1; p <= 3; ++p)
    expect_orders("set Order = " + std::to_string(p), p);
  for (int p = 1; p <= 2; ++p)
    expect_orders("set Cell shape = tetrahedra\nset Order = " + std::to_string(p), p);
  const auto serial = errors(8, "set Order = 2"), parallel = errors(8, "set Order = 2", 2);
  EXPECT_NEAR(parallel.first, serial.first, 1e-9 * serial.first);
  EXPECT_NEAR(parallel.second, serial.second, 1e-9 * serial.second);
}

/// A free body that translates: what is wrong is what the formulas say too much.
TEST(FieldErrors, AreExactForKnownErrors)
{
  const std::string body =
      section("Mesh", "set Type = box\nset Subdivisions = 2, 2, 2\nset Order = 2\nsubsection box\nset Size = 2, 1, 1\nend") +
      section("Materials", section("body", "set Type = linear-elasticity\nset E = 1\nset nu = 0.3\nset Density = 1")) +
      section("Initial conditions", "set Velocity = 0.1, 0, 0") + section("Time", "set Time step = 0.5\nset End time = 1") +
      section("Errors", section("none", "set Displacement = 0.1*t, 0, 0\nset Velocity = 0.1, 0, 0") +
                            section("offset", "set Displacement = 0.1*t, 0.01, 0") + section("slope", "set Velocity = 0.1 + 0.02*x, 0, 0"));
  const Folder folder;
  const Outcome run = run_written(folder, body);
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const History &h = run.history;
  for (const std::string column : {"none.L2", "none.H1", "none.v_L2", "none.v_H1", "offset.H1"})
    EXPECT_LT(h.last(column), 1e-12) << column;
  EXPECT_NEAR(h.last("offset.L2"), 0.01 * std::sqrt(2.), 1e-12);
  EXPECT_NEAR(h.last("slope.v_H1"), 0.02 * std::sqrt(2.), 1e-12);
  EXPECT_NEAR(h.last("slope.v_L2"), 0.02 * std::sqrt(8. / 3.), 1e-12);
  EXPECT_EQ(std::count(h.header.begin(), h.header.end(), "none.L2 [m^2.5]"), 1);
  EXPECT_EQ(std::count(h.header.begin(), h.header.end(), "none.v_H1 [m^1.5/s]"), 1);
  const auto refusal = [&](const std::string &entries) {
    const Outcome bad = run_written(folder, body + section("Errors", section("bad", entries)));
    EXPECT_EQ(bad.exit_code, 1);
    return bad.terminal;
  };
  EXPECT_EQ(has(refusal("set Displacement = 0, 0"), "[Errors/bad] Displacement = 0, 0: needs 3 components separated by commas; here are 2"),
            "");
  EXPECT_EQ(has(refusal(""), "needs the exact solution"), "");
}

/// A free body that translates and a box that is stretched: I by hand.
TEST(FieldIntegrals, AreExactForKnownMotionsOnRanks)
{
  const std::string body = section("Mesh", "set Type = box\nset Subdivisions = 2, 2, 2\nsubsection box\nset Size = 2, 1, 1\nend") +
                           section("Materials", section("body", "set Type = linear-elasticity\nset E = 1\nset nu = 0.3\nset Density = 1")) +
                           section("Time", "set Time step = 0.5\nset End time = 1");
  const std::string integrals =
      section("Integrals", section("volume", "set Integrand = J\nset Unit = m^3") + section("moment", "set Integrand = x*u_y + t") +
                               section("drift", "set Integrand = v_x^2"));
  for (const int ranks : {1, 2})
  {
    const Folder folder;
    const Outcome moving = run_written(folder, body + section("Initial conditions", "set Velocity = 0.1, 0.2, 0") + integrals, {}, ranks);
    ASSERT_EQ(moving.exit_code, 0) << moving.terminal;
    EXPECT_NEAR(moving.history.last("volume"), 2., 1e-12);
    EXPECT_NEAR(moving.history.last("moment"), 0.2 * 2. + 2., 1e-12);  // ∫ x u_y = 2 * 0.2 m^5, ∫ t = 2 s m^3
    EXPECT_NEAR(moving.history.last("drift"), 0.02, 1e-13);
    EXPECT_NE(text_of(folder / "results/history.csv").find("volume [m^3]"), std::string::npos);
  }
  const Folder folder;
  const Outcome stretched = run_written(
      folder,
      body +
          section("Supports",
                  section("all", "set Boundary = x-, x+, y-, y+, z-, z+\nset Type = displacement\nset Displacement = 0.1*x, 0.2*y, 0")) +
          section("Stages", section("s", "set Type = static")) + integrals);
  ASSERT_EQ(stretched.exit_code, 0) << stretched.terminal;
  EXPECT_NEAR(stretched.history.last("volume"), 2. * 1.1 * 1.2, 1e-9);
  const Outcome wrong = run_written(folder, body + section("Integrals", section("volume", "set Integrand = J*q")));
  EXPECT_NE(wrong.exit_code, 0);
  EXPECT_NE(wrong.terminal.find("[Integrals/volume]"), std::string::npos) << wrong.terminal;
  const Outcome infinite =
      run_written(folder, body + section("Integrals", section("volume", "set Integrand = 1/u_x")), {"Output/Write every=never"});
  EXPECT_EQ(infinite.exit_code, 2);
  EXPECT_NE(infinite.terminal.find("[Integrals/volume] Integrand"), std::string::npos) << infinite.terminal;
  EXPECT_NE(infinite.terminal.find("'1/u_x' is not finite at t = 0"), std::string::npos) << infinite.terminal;
}
/// With the thickness of the body; J has the strains in the plane alone, in plane stress too.
TEST(FieldIntegrals, InThePlane)
{
  const std::string mesh = "set Type = box\nset Dimension = 2\nset Subdivisions = 3, 2\nsubsection box\nset Size = 2, 1\nend";
  const std::string body =
      section("Mesh", mesh) +
      section("Supports", section("all", "set Boundary = x-, x+, y-, y+\nset Type = displacement\nset Displacement = 0.1*x, -0.2*y")) +
      section("Stages", section("s", "set Type = static")) +
      section("Integrals", section("area", "set Integrand = J") + section("moment", "set Integrand = x*u_y"));
  for (const std::string plane : {"", "\nset Plane = stress\nset Thickness = 0.25"})
  {
    const Folder folder;
    const Outcome stretched = run_written(
        folder,
        body + section("Materials", section("body", "set Type = st-venant-kirchhoff\nset E = 1\nset nu = 0.3\nset Density = 1" + plane)));
    ASSERT_EQ(stretched.exit_code, 0) << stretched.terminal;
    const double thickness = plane.empty() ? 1. : 0.25;
    EXPECT_NEAR(stretched.history.last("area"), thickness * 2. * 1.1 * 0.8, 1e-9) << plane;
    EXPECT_NEAR(stretched.history.last("moment"), thickness * -0.2 * 2. * 0.5, 1e-9) << plane;  // ∫ x (-0.2 y)
  }
}
}  // namespace symdyn::tests::in_field_errors
