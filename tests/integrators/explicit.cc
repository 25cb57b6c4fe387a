// Explicit steps: what they are compared with, and what they keep in memory.
#include <gtest/gtest.h>

#include "benchmarks/fe_values_force.h"
#include "solver/integrator.h"
#include "solver/registry.h"
#include "tests/bodies.h"

namespace symdyn::tests::in_explicit
{
namespace
{
const std::string lumped = subsection("Elements", "set Mass = lumped");

std::string box(const std::string &shape, const int degree, const double distortion)
{
  return subsection("Mesh", "set Type = box\nset Subdivisions = 3, 2, 2\nset Order = " + std::to_string(degree) +
                                "\nset Cell shape = " + shape + "\n" + subsection("box", "set Distortion = " + std::to_string(distortion)));
}
}  // namespace

TEST(Explicit, FEValuesLoopComputesTheSameForce)
{
  for (const std::string shape : {"hexahedra", "tetrahedra"})
    for (int degree = 1; degree <= (shape == "hexahedra" ? 3 : 2); ++degree)
      for (const double distortion : {0., 0.15})
      {
        SCOPED_TRACE(shape + " " + std::to_string(degree) + ", " + std::to_string(distortion));
        Body<3> body(box(shape, degree, distortion) + made_of("neo-hooke-log") + lumped);
        const Vector q = Random().vector(body.system().new_vector(), 0.02);
        Vector f = body.system().new_vector(), plain = f;
        body.system().internal_force(q, f);
        benchmarks::FEValuesForce(body.mesh(), 1000., 0.3)(q, plain);
        plain -= f;
        EXPECT_LT(plain.l2_norm(), 1e-12 * f.l2_norm());
      }
}

/// The formula of the scheme, vector by vector, beside the step that takes each number once; supports and loads on.
TEST(Explicit, FusedStepIsTheFormula)
{
  const std::string supports =
      subsection("Supports", subsection("end", "set Boundary = x-\nset Type = displacement\nset Displacement = 0.01*t, 0, 0"));
  const std::string loads = subsection("Loads", subsection("pull", "set Boundary = x+\nset Type = traction\nset Traction = 0, 3, 1"));
  for (const std::string &more : {std::string(), supports, loads, supports + loads})
  {
    Body<3> body(box("hexahedra", 2, 0.1) + made_of("neo-hooke-log") + lumped + more);
    const MechanicalSystem &system = body.system();
    const auto scheme = Registry<Integrator>::instance().make("central-difference");
    Random random;
    State state;
    state.q = random.vector(system.new_vector(), 1e-3);
    state.v = random.vector(state.q, 1e-2);
    state.a = system.new_vector();
    const double h = 1e-4;
    scheme->start(system, state, h);
    State expected = state;
    scheme->step(system, state, h);

    expected.q.add(h, expected.v, 0.5 * h * h, expected.a);
    expected.v.add(0.5 * h, expected.a);
    Vector scratch = expected.v, unused = expected.v, f = system.new_vector(), applied = f, a = f;
    system.impose(h, expected.q, scratch, unused);
    system.internal_force(expected.q, f);
    system.applied_force(h, expected.q, expected.v, applied);
    applied -= f;
    system.mass_solve(applied, a);
    expected.v.add(0.5 * h, a);
    Vector free_v = state.v, free_a = state.a;  // supports prescribe the others
    system.project(free_v);
    system.project(free_a);
    system.project(expected.v);
    expected.q -= state.q;
    free_v -= expected.v;
    free_a -= a;
    EXPECT_LT(expected.q.l2_norm(), 1e-14 * state.q.l2_norm());
    EXPECT_LT(free_v.l2_norm(), 1e-14 * state.v.l2_norm());
    EXPECT_LT(free_a.l2_norm(), 1e-13 * state.a.l2_norm());
    EXPECT_EQ(state.n, 1u);
    EXPECT_EQ(state.t, h);
  }
}

/// Issue: 120 bytes a degree of freedom of what a step reads and keeps: here of the cells, beside 53 of vectors and the mass.
TEST(Explicit, ParallelepipedsKeepOneJacobian)
{
  const auto bytes = [](const double distortion) {
    Body<3> body(subsection("Mesh", "set Type = box\nset Subdivisions = 8, 8, 8\nset Order = 2\n" +
                                        subsection("box", "set Distortion = " + std::to_string(distortion))) +
                 made_of("neo-hooke-log") + lumped);
    return double(body.mesh().regions.front().bytes_of_cells()) / body.mesh().n_owned_nodes() / 3.;
  };
  const double affine = bytes(0.), distorted = bytes(0.15);
  std::printf("Q2: %.1f bytes of cells a degree of freedom, %.1f of distorted ones\n", affine, distorted);
  EXPECT_LT(affine, 12.);
  EXPECT_GT(distorted, affine + 2.);
}
}  // namespace symdyn::tests::in_explicit
