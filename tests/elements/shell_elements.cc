// Shells with a director, cell by cell: invariance, derivatives, rank, patch test, shear, offset, mass, sections.
#include "tests/shell_mesh.h"

namespace symdyn::tests::in_shells
{
namespace
{
Vectors shaken(Vectors y, const double size, int seed)
{
  for (GramVector &v : y)
    for (double &one : v)
      one += size * std::sin(12.9898 * ++seed);
  return y;
}
/// Second order: nodes near the middles of the edges, directors between those of their ends.
Vectors with_middles(const Vectors &linear)
{
  const std::size_t n = linear.size() / 2;
  Vectors rest(linear.begin(), linear.begin() + n), directors(linear.begin() + n, linear.end());
  for (std::size_t a = 0; a < n; ++a)
  {
    const std::size_t next = (a + 1) % n;
    rest.push_back(combination(scaled(0.5, linear[a]), 0.5, linear[next]));
    add(0.03 * double(a + 1), {0.3, -0.2, 1}, rest.back());
    directors.push_back(unit(combination(linear[n + a], 1., linear[n + next])));
  }
  rest.insert(rest.end(), directors.begin(), directors.end());
  return rest;
}
/// A warped, distorted cell, directors not quite along its normal.
Vectors warped(const int nodes)
{
  Vectors rest{{0, 0, 0}, {1.3, 0.1, 0.1}, {1.1, 0.9, -0.1}, {-0.2, 0.7, 0.15}, {0.1, 0, 1}, {0, -0.1, 1}, {0.05, 0.1, 1}, {-0.1, 0.1, 1}};
  for (int a = 4; a < 8; ++a)
    rest[a] = unit(rest[a]);
  if (nodes == 3 || nodes == 6)
    rest = {rest[0], rest[1], rest[3], rest[4], rest[5], rest[7]};
  return nodes <= 4 ? rest : with_middles(rest);
}
const ShellSection offset_section = isotropic_section(3, 0.3, 0.2, 0.07, 2), centred_section = isotropic_section(3, 0.3, 0.2, 0, 2);

class OfShell : public testing::TestWithParam<std::tuple<Make, ShellSection>>
{
protected:
  const Make &make = std::get<0>(GetParam());
  const Vectors rest = warped(make.nodes), y = shaken(rest, 0.2, 3), u = shaken(Vectors(rest.size(), GramVector{}), 1, 40);
  const GramElement cell{make.model(std::get<1>(GetParam()), rest), rest};
  Vectors moved(const double h) const
  {
    Vectors result = y;
    for (std::size_t a = 0; a < y.size(); ++a)
      add(h, u[a], result[a]);
    return result;
  }
  /// f(y), or V''(y) u
  Vectors force(const Vectors &at) const
  {
    Vectors f(at.size(), GramVector{});
    cell.add_force(cell.stress(cell.strain(at)), at, 1, f);
    return f;
  }
};
INSTANTIATE_TEST_SUITE_P(All, OfShell,
                         testing::Combine(testing::Values(quads, triangles, eights, sixes),
                                          testing::Values(offset_section, centred_section)));

TEST_P(OfShell, RigidMotionsLeaveTheEnergy)
{
  const auto turned = [](const GramVector &v) {
    const double c = std::cos(2.), s = std::sin(2.), x = c * v[0] - s * v[1], y = s * v[0] + c * v[1];
    return GramVector{x, c * y - s * v[2], s * y + c * v[2]};
  };
  Vectors rotated = y, places = y;
  for (std::size_t a = 0; a < y.size(); ++a)
  {
    rotated[a] = turned(y[a]);
    if (a < y.size() / 2)
      add(1, {3, -2, 1}, rotated[a]);
    places[a] = a < y.size() / 2 ? rotated[a] : y[a];
  }
  EXPECT_NEAR(cell.energy(rotated), cell.energy(y), 1e-13 * cell.energy(y));
  EXPECT_GT(std::abs(cell.energy(places) - cell.energy(y)), 0.05 * cell.energy(y)) << "directors must turn, too";
}

TEST_P(OfShell, ForceAndStiffnessAreDerivatives)
{
  const int size = 3 * int(y.size());
  Numbers k(size * size, 0.);
  cell.add_matrix(y, y, cell.stress(cell.strain(y)), 1, k);
  Vectors ku(y.size(), GramVector{});
  for (int i = 0; i < size * size; ++i)
    ku[i / size / 3][i / size % 3] += k[i] * u[i % size / 3][i % size % 3];
  const auto energy_error = [&](const double h) { return (cell.energy(moved(h)) - cell.energy(moved(-h))) / (2 * h) - work(force(y), u); };
  const auto force_error = [&](const double h) { return (work(force(moved(h)), u) - work(force(moved(-h)), u)) / (2 * h) - work(ku, u); };
  EXPECT_NEAR(energy_error(0.02) / energy_error(0.01), 4, 0.01);
  EXPECT_NEAR(force_error(0.02) / force_error(0.01), 4, 0.01);
  for (int i = 0; i < size * size; ++i)
    EXPECT_NEAR(k[i], k[i % size * size + i / size], 1e-13);
}

/// Rank of a matrix, with exchange of rows and columns.
int rank(Numbers k, const int n)
{
  int found = 0;
  double largest = 0;
  for (; found < n; ++found)
  {
    const auto at = std::max_element(k.begin(), k.end(), [](const double a, const double b) { return std::abs(a) < std::abs(b); });
    const int row = int(at - k.begin()) / n, column = int(at - k.begin()) % n;
    const double pivot = *at;
    if (std::abs(pivot) <= 1e-11 * (largest = std::max(largest, std::abs(pivot))))
      break;
    const Numbers old = k;
    for (int i = 0; i < n * n; ++i)
      k[i] = i / n == row || i % n == column ? 0. : old[i] - old[i / n * n + column] * old[row * n + i % n] / pivot;
  }
  return found;
}

TEST_P(OfShell, OnlyRigidMotionsHaveNoStiffness)
{
  const int n = make.nodes, size = 6 * n, hourglasses = n == 8 ? 2 : 0;  // of 2 x 2 points
  Vectors flat = rest;
  for (int a = 0; a < n; ++a)
  {
    flat[a][2] = 0;
    flat[n + a] = {0, 0, 1};
  }
  for (const Vectors &shape : {rest, flat})
  {
    const GramElement one(make.model(std::get<1>(GetParam()), shape), shape);
    Numbers k(size * size, 0.);
    one.add_matrix(shape, shape, Numbers(one.of_type().strains(), 0.), 1, k);
    if (shape == flat)
    {
      EXPECT_EQ(rank(k, size), size - 6 - n - hourglasses) << "each director may change its length";
    }
    for (int a = n; a < 2 * n; ++a)  // V = ½ k (½ (d·d - 1))²
      for (int d = 0; d < 9; ++d)
        k[(3 * a + d / 3) * size + 3 * a + d % 3] += 0.2 * shape[a][d / 3] * shape[a][d % 3];
    EXPECT_EQ(rank(k, size), size - 6 - hourglasses);
  }
}

constexpr double patch_thickness = 0.001, patch_strain = 1e-3;
const ShellSection patch_section = isotropic_section(1e6, 0.25, patch_thickness, 0, 0);
/// MacNeal, Harder 1985: the mesh, its boundary clamped.
Shell patch(const Make &make)
{
  Shell shell;
  for (const auto &[x, y] :
       std::vector<std::array<double, 2>>{{0, 0}, {.24, 0}, {.24, .12}, {0, .12}, {.04, .02}, {.18, .03}, {.16, .08}, {.08, .08}})
    shell.add_node({x, y, 0}, {0, 0, 1});
  for (const std::array<int, 4> &cell : {std::array<int, 4>{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}})
    shell.add_quad(patch_section, cell, make);
  for (int a = 0; a < 4; ++a)
    shell.clamp(a);
  return shell;
}
/// Largest error of displacements, of stresses and of moments, relative, of constant membrane and bending strains.
std::array<double, 2> patch_errors(const Make &make)
{
  constexpr std::array<double, 3> stress{4000. / 3, 4000. / 3, 400}, moments{1e-6 / 9, 1e-6 / 9, 1e-7 / 3};
  Shell shell = patch(make);
  Vectors exact(shell.rest.size()), given(shell.rest.size());
  for (int a = 0; a < 8; ++a)
  {
    const double x = shell.rest[2 * a][0], y = shell.rest[2 * a][1], u = patch_strain * (x + y / 2), v = patch_strain * (y + x / 2);
    exact[2 * a] = {u, v, patch_strain * (x * x + x * y + y * y) / 2};
    exact[2 * a + 1] = {-u, -v, 0};  // -w,x, -w,y
    for (const int shift : {0, 1})
      given[2 * a + shift] = a < 4 ? exact[2 * a + shift] : GramVector{};
  }
  const Vectors u = shell.linear(given);
  std::array<double, 2> errors{};
  for (int i = 24; i < 48; ++i)
    errors[0] = std::max(errors[0], std::abs(u[i / 3][i % 3] - exact[i / 3][i % 3]) / (0.24 * patch_strain));
  for (std::size_t e = 0; e < shell.cells.size(); ++e)
  {
    const Vectors X = shell.of(shell.cells[e], shell.rest);
    const Numbers eps = shell.elements[e].strain_rate(X, shell.of(shell.cells[e], u));
    for (const ShellResultants &point : shell_resultants(patch_section, X, eps, {1, 0, 0}))
      for (int i = 0; i < 3; ++i)
        errors[1] = std::max({errors[1], std::abs(point.N[i] / patch_thickness / stress[i] - 1), std::abs(-point.M[i] / moments[i] - 1)});
  }
  return errors;
}

TEST(Shells, PatchTest)
{
  for (const Make &make : {quads, triangles})
    for (const double error : patch_errors(make))
      EXPECT_LT(error, 1e-10) << make.nodes;
  EXPECT_GT(patch_errors({4, wrong_tying})[1], 1e-3);
}

TEST(Shells, ConstantTransverseShear)
{
  constexpr std::array<double, 2> slope{0.02, -0.03};
  for (const Make &make : {quads, triangles})
  {
    Vectors rest = warped(make.nodes), y;
    for (int a = 0; a < 2 * make.nodes; ++a)
      rest[a] = a < make.nodes ? GramVector{rest[a][0], rest[a][1], 0} : axis(2);
    y = rest;
    for (int a = 0; a < make.nodes; ++a)
      y[a][2] = slope[0] * rest[a][0] + slope[1] * rest[a][1];
    const GramElement cell(make.model(centred_section, rest), rest);
    for (const ShellResultants &point : shell_resultants(centred_section, rest, cell.strain(y), axis(0)))
      for (int i = 0; i < 2; ++i)
      {
        EXPECT_NEAR(point.gamma[i], slope[i], 1e-15);
        EXPECT_NEAR(point.shear[i], centred_section.As[0] * slope[i], 1e-15);
      }
  }
}

TEST(Shells, OffsetPlateBendsLikeACentredOne)
{
  constexpr double z0 = 0.3;
  const Place skew = [](const double s, const double t) {
    return std::array<GramVector, 2>{{{4 * s + t * s, t + 0.3 * s * t, 0}, {0, 0, 1}}};
  };
  for (const Make &make : {quads, triangles})
  {
    Shell centred = grid(6, 2, isotropic_section(3, 0.3, 0.1, 0, 0), skew, make);
    Shell offset = grid(6, 2, isotropic_section(3, 0.3, 0.1, z0, 0), skew, make);
    cantilever(6, 2, {0, 0, 1e-3}, centred);
    cantilever(6, 2, {0, 0, 1e-3}, offset);
    const Vectors u = centred.linear(), v = offset.linear();
    for (std::size_t a = 0; a < u.size(); a += 2)
      for (int d = 0; d < 3; ++d)
      {
        EXPECT_NEAR(v[a][d] + z0 * v[a + 1][d], u[a][d], 1e-10 * u[u.size() - 2][2]);
        EXPECT_NEAR(v[a + 1][d], u[a + 1][d], 1e-10 * u[u.size() - 2][2]);
      }
    EXPECT_GT(std::abs(v[u.size() - 2][0]), 0.01 * u[u.size() - 2][2]) << "the nodes' surface must move along itself";
  }
}

TEST(Shells, ThinStripsDoNotLock)
{
  const double exact = 1e-6 * std::pow(10, 3) / (3 * 1.2e6 * std::pow(0.01, 3) / 12);
  const auto tip = [](const Make &make) {
    Shell shell = grid(10, 1, isotropic_section(1.2e6, 0, 0.01, 0, 0), strip(10, 1), make);
    cantilever(10, 1, {0, 0, 1e-6}, shell);
    return shell.linear()[20 * 2][2];
  };
  EXPECT_NEAR(tip(quads), exact, 0.003 * exact);
  EXPECT_NEAR(tip(triangles), exact, 0.003 * exact);
  EXPECT_LT(tip({4, displacement_shear}), 0.01 * exact);
}

/// int (1, x, x²) dA of a polygon in the plane of x and y (Green)
std::array<double, 3> moments(const Vectors &polygon)
{
  std::array<double, 3> sum{};
  for (std::size_t a = 0; a < polygon.size(); ++a)
  {
    const GramVector &p = polygon[a], &q = polygon[(a + 1) % polygon.size()];
    const double twice = p[0] * q[1] - q[0] * p[1];
    sum[0] += twice / 2;
    sum[1] += twice * (p[0] + q[0]) / 6;
    sum[2] += twice * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0]) / 12;
  }
  return sum;
}

TEST(Shells, MassOfDistortedCells)
{
  constexpr double offset = 0.07, t = 0.2, rho = 2;
  for (const Make &make : {quads, triangles})
  {
    Vectors rest = warped(make.nodes);
    for (int a = 0; a < make.nodes; ++a)
      rest[a][2] = 0;
    const GramModel model = make.model(offset_section, rest);
    const auto [area, first, second] = moments(Vectors(rest.begin(), rest.begin() + make.nodes));
    const int n = make.nodes, size = 2 * n;
    Numbers ones(size, 0.), slope(size, 0.), directors(size, 0.);
    for (int a = 0; a < n; ++a)
    {
      ones[a] = directors[n + a] = 1;
      slope[a] = rest[a][0];
    }
    const auto mass = [&](const Numbers &a, const Numbers &b) {
      double sum = 0;
      for (int i = 0; i < size * size; ++i)
        sum += a[i / size] * model.mass[i] * b[i % size];
      return sum;
    };
    EXPECT_NEAR(mass(ones, ones), rho * t * area, 1e-14);
    EXPECT_NEAR(mass(ones, slope), rho * t * first, 1e-14);
    EXPECT_NEAR(mass(slope, slope), rho * t * second, 1e-14) << "points of a lower degree fail here";
    EXPECT_NEAR(mass(directors, ones), mass(ones, directors), 1e-14);
    EXPECT_NEAR(mass(ones, directors), rho * t * offset * area, 1e-14);
    EXPECT_NEAR(mass(directors, directors), rho * (t * t * t / 12 + t * offset * offset) * area, 1e-14);
    EXPECT_NEAR(std::accumulate(model.lumped.begin(), model.lumped.begin() + n, 0.), rho * t * area, 1e-14);
  }
}

const ShellLayer ply{0.1, 10, 1, 0.25, 0.5, 0.5, 0.2, 0.4, 2};

TEST(ShellSections, LayersAddUp)
{
  ShellLayer third = ply;
  third.thickness /= 3;
  const ShellSection one = layered_section({ply}, 0.02), three = layered_section({third, third, third}, 0.02);
  for (int i = 0; i < 9; ++i)
  {
    EXPECT_NEAR(one.A[i], three.A[i], 1e-14);
    EXPECT_NEAR(one.B[i], three.B[i], 1e-15);
    EXPECT_NEAR(one.D[i], three.D[i], 1e-16);
  }
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(one.As[i], three.As[i], 1e-15);
}

TEST(ShellSections, TransverseShear)
{
  EXPECT_NEAR(centred_section.As[0], 5. / 6 * 3 / 2.6 * 0.2, 1e-15);
  // soft core, thin stiff faces: G d² / c (Allen 1969)
  constexpr double face = 1e-4, core = 1, G = 0.4;
  const ShellLayer skin{face, 1e6, 1e6, 0.3, 4e5, 4e5, 4e5, 0, 1}, middle{core, 1e-3, 1e-3, 0, G, G, G, 0, 1};
  const ShellSection sandwich = layered_section({skin, middle, skin}, 0);
  EXPECT_NEAR(sandwich.As[0], G * (core + face) * (core + face) / core, 1e-3 * G);
}

TEST(ShellSections, AnglesAreFromTheGivenDirection)
{
  ShellLayer straight = ply;
  straight.angle = 0;
  for (const auto &model : {s4_model, s3_model})
  {
    const Vectors rest = warped(model == s4_model ? 4 : 3);
    const GramElement a(model(layered_section({ply}, 0.02), rest, {1, 0, 0.2}), rest);
    const int n = int(rest.size()) / 2;  // the normal of the middle is that of the diagonals
    const shells::TangentPlane axes =
        shells::tangent(combination(rest[n - 2], -1, rest[0]), combination(rest[n - 1], -1, rest[n - 3]), GramVector{1, 0, 0.2});
    const GramVector turned = combination(scaled(std::cos(ply.angle), axes.e1), std::sin(ply.angle), axes.e2);
    const GramElement b(model(layered_section({straight}, 0.02), rest, turned), rest),
        c(model(layered_section({straight}, 0.02), rest, {1, 0, 0.2}), rest);
    const Vectors y = shaken(rest, 0.2, 3);
    EXPECT_NEAR(a.energy(y), b.energy(y), 1e-13 * a.energy(y));
    EXPECT_GT(std::abs(a.energy(y) / c.energy(y) - 1), 1e-2);
  }
}

TEST(Shells, QualityOfCells)
{
  for (const int nodes : {3, 4})
    EXPECT_EQ(shell_quality(warped(nodes)), "");
  Vectors flat = warped(4), folded = flat, other = flat, line = warped(3);
  for (int a = 0; a < 4; ++a)
    flat[a][2] = 0;
  flat[2] = {0.5, 0.35, 0};
  folded[2][2] = 1.5;
  other[5] = {0, 0, -1};
  line[2] = {2.6, 0.2, 0.2};
  EXPECT_NE(shell_quality(flat).find("area ratio"), std::string::npos);
  EXPECT_NE(shell_quality(line).find("area ratio"), std::string::npos);
  EXPECT_NE(shell_quality(folded).find("30 degrees"), std::string::npos);
  EXPECT_NE(shell_quality(other).find("Corner 2 of"), std::string::npos);
}
}  // namespace
}  // namespace symdyn::tests::in_shells
