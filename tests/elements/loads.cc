// Loads: resultants, the follower pressure and its tangent, amplitudes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/bodies.h"
#include "tests/input.h"

namespace symdyn::tests::in_loads
{
namespace
{
constexpr double density = 1000.;

/// A distorted box with edges 1, 1.5 (and 1.2).
template <int dim>
std::string box(const std::string &cells, const int degree)
{
  return subsection("Mesh",
                    "set Type = box\nset Subdivisions = " + std::string(dim == 2 ? "2, 2" : "2, 2, 2") + "\nset Cell shape = " + cells +
                        "\nset Order = " + std::to_string(degree) + "\n" +
                        subsection("box", std::string("set Size = ") + (dim == 2 ? "1, 1.5" : "1, 1.5, 1.2") + "\nset Distortion = 0.2")) +
         made_of("neo-hooke-log", density);
}

std::string load(const std::string &content) { return subsection("Loads", subsection("load", content)); }

template <int dim>
Vector force(Body<dim> &body, const double t = 0., const Vector &q = {})
{
  Vector f = body.system().new_vector(), at = q.size() ? q : body.system().new_vector();
  at.update_ghost_values();
  body.system().applied_force(t, at, at, f);
  return f;
}

template <int dim>
dealii::Tensor<1, dim> resultant(const std::string &deck, const double t = 0.)
{
  Body<dim> body(deck);
  return body.resultant(force(body, t));
}

void expect_near(const dealii::Tensor<1, 3> &a, const dealii::Tensor<1, 3> &b, const double error = 1e-12)
{
  EXPECT_LT((a - b).norm(), error * (1. + b.norm())) << a << " instead of " << b;
}

template <int dim>
void for_each_mesh(const std::function<void(const std::string &)> &test)
{
  for (const auto &[cells, degree] : {std::pair{"hexahedra", 1}, {"hexahedra", 2}, {"tetrahedra", 1}, {"tetrahedra", 2}})
  {
    SCOPED_TRACE(std::to_string(dim) + "-D " + cells + " " + std::to_string(degree));
    test(box<dim>(cells, degree));
  }
}

/// sum of x_i f_i, componentwise products of position and force: first moments of a field of forces.
double moment(Body<3> &body, const Vector &f, const int x, const int component)
{
  double sum = 0;
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
    sum += body.mesh().position[node][x] * f.local_element(3 * node + component);
  return sum;
}

/// On all sides of the box.
template <int dim>
std::string closed_pressure(const std::string &p = "7")
{
  return load("set Type = pressure\nset Boundary = x-, x+, y-, y+" + std::string(dim == 3 ? ", z-, z+" : "") + "\nset Pressure = " + p);
}

template <int dim>
Vector deformed(const Body<dim> &body)
{
  Vector q = body.nodal([](const dealii::Point<dim> &X) {
    dealii::Tensor<1, dim> u;
    u[0] = 0.3 * X[0] - 0.2 * X[1] * X[1];
    u[1] = 0.25 * X[0] * X[dim - 1];
    return u;
  });
  return moved(q, 1., Random(2).vector(q, 0.03));
}

/// Volume of the deformed body whose cells have nodes at their vertices alone: that of the moved cells.
template <int dim>
double enclosed_volume(const Body<dim> &body, const Vector &q)
{
  const Discretisation<dim> &mesh = body.mesh();
  double sum = 0;
  const CellRegion<dim> &region = mesh.regions.front();
  std::vector<Wide> u(region.n_nodes() * dim);
  for (std::size_t b = 0; b < region.n_owned_batches; ++b)
  {
    region.gather(b, q, u.data());
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] += region.batch_vertices(b)[i];
    Wide jacobian, volume;
    region.kernels->geometry(u.data(), jacobian, volume);
    for (int lane = 0; lane < region.batches[b].filled; ++lane)
      sum += volume[lane];
  }
  return sum;
}

template <int dim>
void test_closed_pressure(const std::string &mesh, const bool vertices_alone)
{
  const double p = 7.;
  Body<dim> body(mesh + closed_pressure<dim>());
  const Vector q = deformed(body), w = Random(3).vector(q, 1.), f = force(body, 0., q);
  EXPECT_GT(f.l2_norm(), 1.);
  EXPECT_LT(body.resultant(f).norm(), 1e-13 * f.l1_norm());
  if (!vertices_alone)
    return;
  // V is a polynomial of degree dim in q: this difference is exact.
  const auto V = [&](const double h) { return enclosed_volume(body, moved(q, h, w)); };
  const double h = 0.01, dV = (8. * (V(h) - V(-h)) - (V(2. * h) - V(-2. * h))) / (12. * h);
  EXPECT_GT(std::abs(dV), 1e-2);
  EXPECT_NEAR(f * w, p * dV * -1., 1e-10 * f.l1_norm());
}

template <int dim>
void test_pressure_tangent(const std::string &mesh)
{
  Body<dim> body(mesh + load("set Type = pressure\nset Boundary = x+, y+\nset Pressure = 7 + x + 2*y\nset Amplitude = 1 + t"));
  const double t = 0.5, weight = 0.3;
  const Vector q = deformed(body), w = Random(4).vector(q, 1.);
  const BlockPattern pattern = make_pattern(body.mesh());
  OwnedBlockMatrix A;
  A.allocate(pattern);
  body.fem().all_parts().loads[0].load->add_matrix(t, q, weight, MatrixSink{A});
  Vector Aw = body.system().new_vector();
  A.multiply(w, Aw);
  ASSERT_GT(Aw.l2_norm(), 0.1);

  const Vector here = force(body, t, q);
  const auto central = [&](const double h) {
    Vector d = moved(force(body, t, moved(q, h, w)), -1., force(body, t, moved(q, -h, w)));
    d *= -weight * 0.5 / h;
    return distance(d, Aw);
  };
  const auto one_sided = [&](const double h) {
    Vector d = moved(force(body, t, moved(q, h, w)), -1., here);
    d *= -weight / h;
    return distance(d, Aw);
  };
  // The force is linear in q in 2-D and quadratic in 3-D, so that central differences have no error but rounding.
  const double h = 0.02, rounding = 1e-11 * Aw.l2_norm();
  EXPECT_LT(central(h), rounding);
  if (dim == 2)
    EXPECT_LT(one_sided(h), rounding);
  else
    EXPECT_NEAR(measured_slope(one_sided, h), 1., 0.01);

  // Not symmetric on an open surface.
  const Vector y = Random(5).vector(q, 1.);
  Vector Ay = body.system().new_vector();
  A.multiply(y, Ay);
  EXPECT_GT(std::abs(Aw * y - Ay * w), 1e-3 * Aw.l2_norm());
}
}  // namespace

TEST(Loads, TractionResultantIsTractionTimesArea)
{
  for_each_mesh<3>([](const std::string &mesh) {
    expect_near(resultant<3>(mesh + load("set Type = traction\nset Boundary = x+\nset Traction = 1, -2, 3")),
                1.5 * 1.2 * dealii::Tensor<1, 3>({1., -2., 3.}));
    expect_near(resultant<3>(mesh + load("set Type = traction\nset Boundary = x+, z-\nset Traction = 0, 2, 0")),
                (1.5 * 1.2 + 1.5) * dealii::Tensor<1, 3>({0., 2., 0.}));
    // ∫ y z over [0, 1.5] x [0, 1.2]
    expect_near(resultant<3>(mesh + load("set Type = traction\nset Boundary = x-\nset Traction = y*z, 0, x")),
                dealii::Tensor<1, 3>({1.125 * 0.72, 0., 0.}));
  });
  for_each_mesh<2>([](const std::string &mesh) {
    const auto sum = resultant<2>(mesh + load("set Type = traction\nset Boundary = x+\nset Traction = 4, y"));
    EXPECT_NEAR(sum[0], 4. * 1.5, 1e-12);
    EXPECT_NEAR(sum[1], 1.125, 1e-12);
  });
}

/// Also its moments: the force is where it belongs.
TEST(Loads, TractionHasTheRightMoments)
{
  for_each_mesh<3>([](const std::string &mesh) {
    Body<3> body(mesh + load("set Type = traction\nset Boundary = x+\nset Traction = 1, 0, 2"));
    const Vector f = force(body);
    EXPECT_NEAR(moment(body, f, 0, 0), 1.8, 1e-12);
    EXPECT_NEAR(moment(body, f, 1, 0), 1.8 * 0.75, 1e-12);
    EXPECT_NEAR(moment(body, f, 2, 2), 2. * 1.8 * 0.6, 1e-12);
  });
}

TEST(Loads, BodyForceAndGravityAreMassTimesAcceleration)
{
  const double mass = density * 1.8;
  for_each_mesh<3>([&](const std::string &mesh) {
    const dealii::Tensor<1, 3> g({1., -2., -9.81});
    expect_near(resultant<3>(mesh + load("set Type = body-force\nset Acceleration = 1, -2, -9.81")), mass * g);
    // ∫ x dX = 0.9 and ∫ y² dX = 1.35
    expect_near(resultant<3>(mesh + load("set Type = body-force\nset Acceleration = x, 0, y^2")),
                density * dealii::Tensor<1, 3>({0.9, 0., 1.35}));

    Body<3> heavy(mesh + load("set Type = gravity\nset Acceleration = 1, -2, -9.81"));
    EXPECT_EQ(force(heavy).l2_norm(), 0.) << "gravity belongs to V, it must not be applied twice";
    Vector f = heavy.system().new_vector();
    heavy.system().internal_force(heavy.system().new_vector(), f);
    expect_near(heavy.resultant(f), -mass * g, 1e-11);
    // V falls by the work of the weight on a translation.
    const Vector shift = heavy.nodal([](const dealii::Point<3> &) { return dealii::Tensor<1, 3>({3., 0., 1.}); });
    EXPECT_NEAR(heavy.system().potential(shift), -mass * (3. - 9.81), 1e-11 * mass);
  });
}

TEST(Loads, GravityIsScaledByTheLoadFactorOfAStaticStage)
{
  Body<3> body(box<3>("hexahedra", 1) + load("set Type = gravity\nset Acceleration = 0, 0, -10"));
  body.actions.reached = 0.25;
  Vector f = body.system().new_vector();
  body.system().internal_force(body.system().new_vector(), f);
  f -= force(body);  // what is left to be balanced
  expect_near(body.resultant(f), dealii::Tensor<1, 3>({0., 0., 0.25 * density * 1.8 * 10.}), 1e-11);
}

TEST(Loads, NodalForceActsOnNodes)
{
  Body<3> body(box<3>("hexahedra", 1) + load("set Type = nodal-force\nset Point = 1, 1.5, 1.2\nset Force = 1, 2, x"));
  const Vector f = force(body);
  for (int node = 0; node < body.mesh().n_owned_nodes(); ++node)
  {
    const bool here = body.mesh().position[node].distance(dealii::Point<3>(1., 1.5, 1.2)) < 1e-12;
    const double expected[] = {1., 2., 1.};
    for (int d = 0; d < 3; ++d)
      EXPECT_EQ(f.local_element(3 * node + d), here ? expected[d] : 0.);
  }
  // 3 x 3 nodes on each of two sides that share 3: each has the force once.
  expect_near(resultant<3>(box<3>("hexahedra", 1) + load("set Type = nodal-force\nset Boundary = x+\nset Force = 1, 0, -2")),
              dealii::Tensor<1, 3>({9., 0., -18.}));
  expect_near(resultant<3>(box<3>("hexahedra", 1) + load("set Type = nodal-force\nset Boundary = x+, y+\nset Force = 1, 0, 0")),
              dealii::Tensor<1, 3>({15., 0., 0.}));
  expect_near(resultant<3>(box<3>("hexahedra", 2) + load("set Type = nodal-force\nset Boundary = x+\nset Force = 1, 0, 0")),
              dealii::Tensor<1, 3>({25., 0., 0.}));
}

TEST(Loads, PointForceNeedsANode)
{
  const std::string text =
      message([] { Body<3> body(box<3>("hexahedra", 1) + load("set Type = nodal-force\nset Point = 1, 1.5, 1.1\nset Force = 1, 0, 0")); });
  EXPECT_NE(text.find("Point = 1, 1.5, 1.1: no node is here; the nearest is 0.1 m away"), std::string::npos) << text;
  EXPECT_NE(text.find("test.prm:"), std::string::npos) << text;
}

TEST(Loads, PressureOnAClosedSurfaceHasNoResultantAndIsTheGradientOfVolume)
{
  for (const std::string cells : {"hexahedra", "tetrahedra"})
    for (const int degree : {1, 2})
    {
      SCOPED_TRACE(cells + " " + std::to_string(degree));
      test_closed_pressure<2>(box<2>(cells, degree), degree == 1);
      test_closed_pressure<3>(box<3>(cells, degree), degree == 1);
    }
}

/// Positive pressure pushes against the body, on the deformed area.
TEST(Loads, PressureActsOnTheDeformedSurface)
{
  Body<3> body(box<3>("hexahedra", 2) + load("set Type = pressure\nset Boundary = x+\nset Pressure = 7"));
  expect_near(body.resultant(force(body)), dealii::Tensor<1, 3>({-7. * 1.8, 0., 0.}));
  // y stretched by 2, z by 3, then turned by 90 degrees about z: the normal is y.
  const Vector q = body.nodal([](const dealii::Point<3> &X) {
    return dealii::Tensor<1, 3>({-2. * X[1] - X[0], X[0] - X[1], 3. * X[2] - X[2]});
  });
  expect_near(body.resultant(force(body, 0., q)), dealii::Tensor<1, 3>({0., -7. * 6. * 1.8, 0.}));
}

TEST(Loads, PressureTangentIsTheDerivativeOfTheForce)
{
  for_each_mesh<2>(test_pressure_tangent<2>);
  for_each_mesh<3>(test_pressure_tangent<3>);
}

TEST(Loads, AmplitudesScaleInTime)
{
  const std::string mesh = box<3>("hexahedra", 1), pull = "set Type = traction\nset Boundary = x+\n";
  Body<3> body(mesh + load(pull + "set Traction = 1, 0, 0\nset Amplitude = sin(3*t)"));
  for (const double t : {0., 0.2, 1.7})
    EXPECT_NEAR(body.resultant(force(body, t))[0], 1.8 * std::sin(3. * t), 1e-12);
  body.actions.reached = 0.5;
  EXPECT_NEAR(body.resultant(force(body, 0.2))[0], 0.9 * std::sin(0.6), 1e-12);

  Body<3> fields(mesh + load(pull + "set Traction = 1 + t*y, 0, 0\nset Amplitude = 2*t"));
  for (const double t : {0.5, 2., 3.})
    EXPECT_NEAR(fields.resultant(force(fields, t))[0], 2. * t * (1.8 + t * 1.125 * 1.2), 1e-11);
}

TEST(Loads, AmplitudesFromATable)
{
  const std::string file = std::filesystem::temp_directory_path() / ("symdyn_load_" + std::to_string(getpid()) + ".csv");
  std::ofstream(file) << "t,value\n0,0\n1e-6,2\n3e-6,-1\n";
  const std::string pull = "set Type = traction\nset Boundary = x+\nset Traction = 1, 0, 0\nset Amplitude file = " + file;
  Body<3> body(box<3>("hexahedra", 1) + load(pull));
  for (const auto &[t, a] : {std::pair{-1., 0.}, {0.5e-6, 1.}, {1e-6, 2.}, {2e-6, 0.5}, {1., -1.}})
    EXPECT_NEAR(body.resultant(force(body, t))[0], 1.8 * a, 1e-12) << t;
  std::filesystem::remove(file);
}

/// A table that moves a support: v is its slope, however short its time.
TEST(Loads, SlopeOfATableIsThatOfItsPart)
{
  const std::string file = std::filesystem::temp_directory_path() / ("symdyn_move_" + std::to_string(getpid()) + ".csv");
  std::ofstream(file) << "0 0\n1e-6 2\n3e-6 -1\n";
  Deck deck = Deck::from_text("set Amplitude file = " + file, "test.prm");
  Parameters p = deck.root();
  Amplitude amplitude;
  amplitude.declare(p);
  for (const auto &[t, slope] : {std::pair{-1., 0.}, {0., 2e6}, {0.9e-6, 2e6}, {1e-6, -1.5e6}, {2.9e-6, -1.5e6}, {3e-6, 0.}, {1., 0.}})
  {
    const Jet<double> a = amplitude.in_time(t);
    EXPECT_NEAR(a.d, slope, 1e-3) << t;
    EXPECT_EQ(a.dd, 0.);
  }
  std::filesystem::remove(file);
}

TEST(Loads, BadOnesAreRefused)
{
  const std::vector<std::array<std::string, 2>> bad = {
      {"set Type = traction\nset Boundary = x+\nset Traction = 1, 2", "needs 3 components"},
      {"set Type = traction\nset Traction = 1, 2, 3", "needs the name of a boundary"},
      {"set Type = traction\nset Boundary = right\nset Traction = 1, 2, 3", "boundary 'right' does not exist; the mesh has: "},
      {"set Type = traction\nset Boundary = x+\nset Traction = 1, 2, 3\nset Amplitude = x", "depends on t alone"},
      {"set Type = pressure\nset Boundary = x+\nset Pressure = 0", "no effect"},
      {"set Type = gravity\nset Acceleration = x, 0, 0", "Use Type = body-force"},
      {"set Type = gravity\nset Acceleration = 1, 0, 0\nset Amplitude = t", "uniform and constant"},
      {"set Type = nodal-force\nset Force = 1, 0, 0", "give one of Point, Boundary, Nodes"},
      {"set Type = nodal-force\nset Force = 1, 0, 0\nset Point = 0, 0\n", "needs 3 coordinates"},
      {"set Type = nodal-force\nset Force = 1, 0, 0\nset Point = 0, 0, 0\nset Boundary = x+", "give one of Point, Boundary, Nodes"}};
  for (const auto &entry : bad)
  {
    const std::string text = message([&] { Body<3> body(box<3>("hexahedra", 1) + load(entry[0])); });
    EXPECT_NE(text.find(entry[1]), std::string::npos) << text;
    EXPECT_NE(text.find("test.prm:"), std::string::npos) << text;
    EXPECT_NE(text.find("[Loads/load]"), std::string::npos) << text;
  }
}
}  // namespace symdyn::tests::in_loads
