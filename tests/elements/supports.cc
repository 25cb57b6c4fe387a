// Supports: projections, prescribed motion, what is refused.
#include <gtest/gtest.h>

#include "elements/output/support_forces.h"
#include "solver/dynamics/energy.h"
#include "tests/bodies.h"
#include "tests/input.h"

namespace symdyn::tests::in_supports
{
namespace
{
std::string box(const std::string &supports, const std::string &cells = "hexahedra", const int degree = 1)
{
  return subsection("Mesh",
                    "set Type = box\nset Subdivisions = 2, 2, 2\nset Cell shape = " + cells + "\nset Order = " + std::to_string(degree)) +
         made_of("linear-elasticity") + subsection("Supports", supports);
}

/// The trapezium (0, 0) (48, 44) (48, 60) (0, 44) of Cook: its top and bottom are inclined.
std::string cook(const std::string &supports)
{
  return subsection("Mesh", "set Type = cook\nset Subdivisions = 2, 2") + made_of("linear-elasticity") + subsection("Supports", supports);
}

std::string support(const std::string &name, const std::string &content) { return subsection(name, content); }

struct Motion
{
  Vector q, v, a;
};

template <int dim>
Motion imposed(Body<dim> &body, const double t)
{
  // Garbage on free degrees of freedom must stay.
  Random random(1);
  const Vector layout = body.system().new_vector();
  Motion m{random.vector(layout, 1.), random.vector(layout, 1.), random.vector(layout, 1.)};
  body.system().impose(t, m.q, m.v, m.a);
  return m;
}

template <int dim>
bool on_plane(const Body<dim> &body, const int node, const int axis, const double value)
{
  return std::abs(body.mesh().position[node][axis] - value) < 1e-12;
}

/// P² = P = Pᵀ, and project + project_prescribed = identity.
template <int dim>
void expect_projection(Body<dim> &body)
{
  const MechanicalSystem &system = body.system();
  const Vector x = Random(2).vector(system.new_vector(), 1.), y = Random(3).vector(x, 1.);
  Vector Px(x), Py(y), rest(x);
  system.project(Px);
  system.project(Py);
  system.project_prescribed(rest);
  EXPECT_GT(rest.l2_norm(), 0.1);
  Vector twice(Px);
  system.project(twice);
  EXPECT_LT(distance(twice, Px), 1e-14 * x.l2_norm());
  EXPECT_NEAR(Px * y, x * Py, 1e-13 * x.l2_norm() * y.l2_norm());
  rest += Px;
  EXPECT_LT(distance(rest, x), 1e-14 * x.l2_norm());
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    if (const auto *P = body.fem().supports().projector_of(node))
    {
      EXPECT_LT((*P * *P - *P).norm(), 1e-14);
      EXPECT_LT((transpose(*P) - *P).norm(), 1e-14);
    }
}

double rank(const dealii::Tensor<2, 3> &P) { return trace(P); }

std::string refusal(const std::string &deck)
{
  return message([&] { Body<3> body(deck); });
}

void expect_in(const std::string &text, const std::vector<std::string> &parts)
{
  for (const std::string &part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}
}  // namespace

TEST(Supports, FixedHoldsEveryComponent)
{
  for (const auto &[cells, degree, nodes] :
       {std::tuple{"hexahedra", 1, 9}, {"hexahedra", 2, 25}, {"tetrahedra", 1, 13}, {"tetrahedra", 2, 41}})
  {
    Body<3> body(box(support("wall", "set Boundary = x-"), cells, degree));
    const Motion m = imposed(body, 1.), free = imposed(body, 2.);
    int held = 0;
    for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    {
      const bool here = on_plane(body, node, 0, 0.);
      held += here;
      EXPECT_EQ(body.fem().supports().projector_of(node) != nullptr, here);
      for (int d = 0; d < 3; ++d)
        for (const Vector *x : {&m.q, &m.v, &m.a})
          EXPECT_EQ(x->local_element(3 * node + d) == 0., here);
    }
    EXPECT_EQ(held, nodes) << cells << degree;
    EXPECT_EQ(body.fem().supports().all()[0].nodes.size(), std::size_t(nodes));
    expect_projection(body);
  }
}

TEST(Supports, DisplacementIsExactInTimeWithVelocityAndAcceleration)
{
  Body<3> body(box(support("drive",
                           "set Boundary = x+\nset Type = displacement\nset Displacement = y*sin(3*t), free, t^2 + z\n"
                           "set Amplitude = exp(-t)")));
  EXPECT_TRUE(body.fem().supports().moves());
  const double t = 0.7, s = std::sin(3. * t), c = std::cos(3. * t), e = std::exp(-t);
  const Motion before = imposed(body, 0.), m = imposed(body, t);
  int held = 0;
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    if (on_plane(body, node, 0, 1.))
    {
      ++held;
      const double y = body.mesh().position[node][1], z = body.mesh().position[node][2];
      const double expected[3][3] = {{y * s * e, y * (3. * c - s) * e, y * (-9. * s - 6. * c + s) * e},
                                     {0., 0., 0.},
                                     {(t * t + z) * e, (2. * t - t * t - z) * e, (2. - 4. * t + t * t + z) * e}};
      for (const int d : {0, 2})
      {
        EXPECT_NEAR(m.q.local_element(3 * node + d), expected[d][0], 1e-14);
        EXPECT_NEAR(m.v.local_element(3 * node + d), expected[d][1], 1e-14);
        EXPECT_NEAR(m.a.local_element(3 * node + d), expected[d][2], 1e-13);
      }
      EXPECT_EQ(m.q.local_element(3 * node + 1), before.q.local_element(3 * node + 1)) << "a free component was touched";
    }
    else
    {
      EXPECT_EQ(body.fem().supports().projector_of(node), nullptr);
    }
  EXPECT_EQ(held, 9);
  expect_projection(body);

  body.actions.reached = 0.25;
  const Motion quarter = imposed(body, t);
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    if (on_plane(body, node, 0, 1.))
    {
      EXPECT_NEAR(quarter.q.local_element(3 * node), 0.25 * m.q.local_element(3 * node), 1e-15);
    }
}

/// The bottom of Cook's membrane rises by 44 on 48.
TEST(Supports, SymmetryHoldsTheNormalOfAnInclinedPlane)
{
  for (const std::string type : {"symmetry", "roller"})
  {
    Body<2> body(cook(support("slope", "set Boundary = bottom\nset Type = " + type)));
    dealii::Tensor<1, 2> normal({44., -48.}), tangent({48., 44.});
    normal /= normal.norm();
    tangent /= tangent.norm();
    const Motion m = imposed(body, 0.), same = imposed(body, 1.);
    Random random(1);
    const Vector given = random.vector(m.q, 1.);
    int held = 0;
    for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
      if (const auto *P = body.fem().supports().projector_of(node))
      {
        ++held;
        EXPECT_LT((*P * normal).norm(), 1e-14);
        EXPECT_LT((*P * tangent - tangent).norm(), 1e-14);
        const dealii::Tensor<1, 2> u({m.q.local_element(2 * node), m.q.local_element(2 * node + 1)});
        const dealii::Tensor<1, 2> u0({given.local_element(2 * node), given.local_element(2 * node + 1)});
        EXPECT_NEAR(u * normal, 0., 1e-15);
        EXPECT_NEAR(u * tangent, u0 * tangent, 1e-15) << "the free direction was touched";
      }
    EXPECT_EQ(held, 3);
    expect_projection(body);
  }
}

TEST(Supports, RollerWithItsOwnNormal)
{
  Body<3> body(box(support("slope", "set Boundary = y+\nset Type = roller\nset Normal = 2, 4, -4")));
  const dealii::Tensor<1, 3> n({1. / 3., 2. / 3., -2. / 3.});
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    if (const auto *P = body.fem().supports().projector_of(node))
    {
      EXPECT_TRUE(on_plane(body, node, 1, 1.));
      EXPECT_LT((*P * n).norm(), 1e-14);
      EXPECT_NEAR(rank(*P), 2., 1e-14);
    }
  EXPECT_EQ(body.fem().supports().n_held_nodes(), 9);
  expect_projection(body);
}

/// On their common edge the nodes keep one direction, across both normals, which are not orthogonal to each other.
TEST(Supports, TwoInclinedPlanesMeetAtAnEdge)
{
  Body<3> body(box(support("a", "set Boundary = y+\nset Type = roller\nset Normal = 1, 2, 0") +
                   support("b", "set Boundary = z+\nset Type = roller\nset Normal = 0, 1, 1")));
  const dealii::Tensor<1, 3> a({1., 2., 0.}), b({0., 1., 1.});
  const dealii::Tensor<1, 3> along = cross_product_3d(a, b) / cross_product_3d(a, b).norm();
  int edge = 0;
  const Motion m = imposed(body, 0.);
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    if (on_plane(body, node, 1, 1.) && on_plane(body, node, 2, 1.))
    {
      ++edge;
      const auto &P = *body.fem().supports().projector_of(node);
      EXPECT_LT((P - outer_product(along, along)).norm(), 1e-14);
      dealii::Tensor<1, 3> u;
      for (int d = 0; d < 3; ++d)
        u[d] = m.q.local_element(3 * node + d);
      EXPECT_NEAR(u * a, 0., 1e-14);
      EXPECT_NEAR(u * b, 0., 1e-14);
    }
  EXPECT_EQ(edge, 3);
  expect_projection(body);
}

/// A plane that slides on a slope and is pushed: N u = g in both directions at once.
TEST(Supports, SlopeAndPushTogether)
{
  Body<3> body(box(support("slope", "set Boundary = y+\nset Type = roller\nset Normal = 1, 1, 0") +
                   support("push", "set Boundary = x+\nset Type = displacement\nset Displacement = 0.3*t, free, free")));
  const Motion m = imposed(body, 2.);
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    if (on_plane(body, node, 0, 1.) && on_plane(body, node, 1, 1.))
    {
      EXPECT_NEAR(m.q.local_element(3 * node), 0.6, 1e-15);
      EXPECT_NEAR(m.q.local_element(3 * node + 1), -0.6, 1e-15);
      EXPECT_NEAR(m.v.local_element(3 * node + 1), -0.3, 1e-15);
      EXPECT_NEAR(m.a.local_element(3 * node + 1), 0., 1e-15);
    }
  expect_projection(body);
}

TEST(Supports, RedundantDirectionsAreAccepted)
{
  Body<3> body(box(support("wall", "set Boundary = x-, y-") + support("again", "set Boundary = x-") +
                   support("floor", "set Boundary = y-\nset Type = symmetry") +
                   support("slope", "set Boundary = z-\nset Type = roller\nset Normal = 1, 1, 1")));
  int corner = 0;
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    if (body.mesh().position[node].norm() < 1e-12)
    {
      ++corner;
      EXPECT_LT(body.fem().supports().projector_of(node)->norm(), 1e-14);
    }
  EXPECT_EQ(corner, 1);
  expect_projection(body);

  const std::string motion = "set Type = displacement\nset Displacement = free, free, sin(t)*y\nset Amplitude = 2*t\nset Boundary = ";
  Body<3> moving(box(support("drive", motion + "x+") + support("same", motion + "z+") +
                     support("slope", "set Boundary = x+\nset Type = roller\nset Normal = 0, 1, 0")));
  const Motion m = imposed(moving, 0.5);
  for (int node = 0; node < moving.mesh().n_owned_nodes(); ++node)
    if (on_plane(moving, node, 0, 1.))
    {
      EXPECT_NEAR(m.q.local_element(3 * node + 2), std::sin(0.5) * moving.mesh().position[node][1], 1e-15);
      EXPECT_NEAR(m.q.local_element(3 * node + 1), 0., 1e-15);
    }
  expect_projection(moving);
}

TEST(Supports, ContradictionsAreRefused)
{
  const auto drive = [](const std::string &name, const std::string &boundary, const std::string &motion) {
    return support(name, "set Boundary = " + boundary + "\nset Type = displacement\nset Displacement = " + motion);
  };
  expect_in(refusal(box(support("wall", "set Boundary = x-") + drive("push", "y-", "free, 0.1*t, free"))),
            {"test.prm:", "[Supports/push] Boundary = y-", "support 'push' prescribes 0.1*t where support 'wall' prescribes 0",
             "a node at (0, 0, 0) m", "`free`"});
  expect_in(refusal(box(drive("a", "x-", "t, free, free") + drive("b", "y-", "2*t, free, free"))),
            {"support 'b' prescribes 2*t where support 'a' prescribes t"});
  // The same field with another amplitude.
  expect_in(refusal(box(drive("a", "x-", "t, free, free\nset Amplitude = t") + drive("b", "y-", "t, free, free\nset Amplitude = 2*t"))),
            {"support 'b' prescribes t * (2*t) where support 'a' prescribes t * (t)"});
  // u_x = t and no displacement along (1, 1, 0) leave u_y = -t, which is not 0.
  expect_in(refusal(box(drive("a", "x-", "t, free, free") + support("slope", "set Boundary = y-\nset Type = roller\nset Normal = 1, 1, 0") +
                        support("floor", "set Boundary = z-"))),
            {"support 'floor' prescribes 0 where support 'a' prescribes t"});
  expect_in(refusal(box(drive("a", "x-", "free, 0, free") + support("slope", "set Boundary = y-\nset Type = roller\nset Normal = 1, 1, 0") +
                        drive("b", "z-", "t, free, free"))),
            {"support 'b' prescribes t where support 'a' prescribes 0"});
}

TEST(Supports, BoundariesMustExistAndBePlane)
{
  expect_in(refusal(box(support("wall", "set Boundary = left"))),
            {"test.prm:", "[Supports/wall] Boundary = left", "boundary 'left' does not exist; the mesh has: ", "x-", "z+"});
  const std::string ring = subsection("Mesh", "set Type = ring") + made_of("linear-elasticity");
  for (const std::string type : {"roller", "symmetry"})
  {
    const std::string text =
        message([&] { Body<2> body(ring + subsection("Supports", support("hole", "set Boundary = inner\nset Type = " + type))); });
    expect_in(text, {"test.prm:", "[Supports/hole] Boundary = inner", "boundary 'inner' is not plane, so a " + type, "split the boundary"});
  }
}

TEST(Supports, WhatHasNoEffectIsRefused)
{
  const std::vector<std::array<std::string, 2>> bad = {
      {"set Type = fixed", "needs the name of a boundary"},
      {"set Boundary = x-\nset Displacement = 0, 0, 0", "has no effect with Type = fixed. Set Type = displacement"},
      {"set Boundary = x-\nset Amplitude = t", "has no effect: only Type = displacement, velocity or acceleration moves"},
      {"set Boundary = x-\nset Type = symmetry\nset Normal = 1, 0, 0", "has no effect: only Type = roller has a normal"},
      {"set Boundary = x-\nset Type = roller\nset Normal = 0, 0, 0", "needs 3 components, not all zero"},
      {"set Boundary = x-\nset Type = roller\nset Normal = 1, 0", "needs 3 components, not all zero"},
      {"set Boundary = x-\nset Type = displacement", "needs 3 components, e.g. 0, free, 0.1*sin(t)"},
      {"set Boundary = x-\nset Type = displacement\nset Displacement = 0, 0", "needs 3 components"},
      {"set Boundary = x-\nset Type = displacement\nset Displacement = free, free, free", "every component is free"},
      {"set Boundary = x-\nset Type = displacement\nset Displacement = 1, frei, 0", "frei"},
      {"set Boundary = x-\nset Type = clamped", "must be one of"}};
  for (const auto &entry : bad)
  {
    const std::string text = refusal(box(support("wall", entry[0])));
    expect_in(text, {"test.prm:", "[Supports/wall]", entry[1]});
  }
}

TEST(SupportForces, AreThoseOfTheWholeBody)
{
  for (const char *cells : {"set Type = box\nset Subdivisions = 3, 2, 2\nset Order = 2",
                            "set Type = box\nset Subdivisions = 1, 1, 1\nset Cell shape = tetrahedra"})
  {
    Body<3> body(subsection("Mesh", cells) + made_of("neo-hooke-log") +
                 subsection("Damping", "set Mass proportional = 3\nset Stiffness proportional = 0.01") +
                 subsection("Supports", support("wall", "set Boundary = x-") + support("floor", "set Boundary = y-\nset Type = roller")) +
                 subsection("Loads", subsection("weight", "set Type = gravity\nset Acceleration = 0, -9.81, 1") +
                                         subsection("pull", "set Type = traction\nset Boundary = z+\nset Traction = 1, 2, 3")));
    Random random;
    State state;
    for (Vector *x : {&state.q, &state.v, &state.a})
      *x = random.vector(body.mesh().new_vector(), 0.01);
    Vector strain = body.mesh().new_vector();
    body.fem().strain_force(state, strain);
    const auto &supports = body.fem().supports().all();
    for (const bool statics : {false, true})
    {
      const Vector reaction = Forces(body.system(), state, statics).reaction;
      const SupportForces<3> forces(body.fem(), body.system());
      const auto sums = forces.sums(forces.at_nodes(state, statics));
      ASSERT_EQ(sums.size(), 2u);
      for (int s = 0; s < 2; ++s)
        for (int d = 0; d < 3; ++d)
        {
          double R = 0, F = 0;
          for (const unsigned int node : supports[s].nodes)
          {
            R += reaction.local_element(3 * node + d);
            F += strain.local_element(3 * node + d);
          }
          EXPECT_GT(std::abs(F), 1e-6 * strain.l2_norm());
          EXPECT_NEAR(sums[s].strain[d], F, 1e-12 * strain.l2_norm());
          EXPECT_NEAR(sums[s].reaction[d], R, 1e-12 * (strain.l2_norm() + reaction.l2_norm())) << "statics: " << statics;
        }
    }
  }
}
}  // namespace symdyn::tests::in_supports
