// Whole shells against published numbers, and against those of the same elements in another code.
#include "tests/shell_mesh.h"

namespace symdyn::tests::in_shells
{
namespace
{
Place cylinder(const double radius, const double half_length, const double angle)
{
  return [=](const double s, const double t) {
    const GramVector outward{std::sin(angle * t), 0, std::cos(angle * t)};
    return std::array<GramVector, 2>{{{radius * outward[0], half_length * s, radius * outward[2]}, {-outward[0], 0, -outward[2]}}};
  };
}
/// An end that keeps its plane at s = 0; symmetry at s = 1 and t = 0, for a full quarter also at t = 1.
void support_cylinder(const int n, const bool quarter, Shell &shell)
{
  for (int k = 0; k <= n; ++k)
  {
    shell.hold(2 * k, true, false, true);
    for (const int shift : {0, 1})
    {
      shell.hold(2 * (n * (n + 1) + k) + shift, false, true, false);
      shell.hold(2 * k * (n + 1) + shift, true, false, false);
      shell.hold(2 * (k * (n + 1) + n) + shift, false, false, quarter);
    }
  }
}

TEST(Shells, ScordelisLoRoof)
{
  const auto edge = [](const int n, const Make &make) {
    Shell shell = grid(n, n, isotropic_section(4.32e8, 0, 0.25, 0, 4), cylinder(25, 25, 2 * pi / 9), make);  // rho t = 1
    support_cylinder(n, false, shell);
    for (std::size_t e = 0; e < shell.cells.size(); ++e)
      for (int a = 0; a < make.nodes; ++a)
        shell.load[shell.cells[e][a]][2] -= 90 * shell.elements[e].all().lumped[a];
    return shell.linear()[2 * (n * (n + 1) + n)][2];
  };
  EXPECT_NEAR(edge(4, quads), -0.31767, 1e-5);
  EXPECT_NEAR(edge(8, quads), -0.30424, 1e-5);
  EXPECT_NEAR(edge(16, quads), -0.30174, 1e-5);
  EXPECT_NEAR(edge(16, triangles), -0.3024, 0.05 * 0.3024);
  EXPECT_GT(std::abs(edge(16, {4, displacement_membrane}) / -0.30174 - 1), 1e-4) << "another membrane must be seen";
}

TEST(Shells, PinchedCylinder)
{
  const auto under_load = [](const int n) {
    Shell shell = grid(n, n, isotropic_section(3e6, 0.3, 3, 0, 0), cylinder(300, 300, pi / 2));
    support_cylinder(n, true, shell);
    shell.load[2 * n * (n + 1)][2] = -0.25;
    return shell.linear()[2 * n * (n + 1)][2];
  };
  EXPECT_NEAR(under_load(8), -1.3817e-05, 1e-9);
  EXPECT_NEAR(under_load(16), -1.7031e-05, 1e-9);
}

TEST(Shells, TwistedStrip)
{
  const Place twisted = [](const double s, const double t) {
    const double w = 1.1 * (t - 0.5), turn = pi / 2, c = std::cos(turn * s), n = std::sin(turn * s);
    return std::array<GramVector, 2>{{{12 * s, w * c, w * n}, {-turn * w / 12, -n, c}}};  // normal: x,s × x,t
  };
  const auto tip = [&](const double t, const int direction, const Make &make) {
    Shell shell = grid(48, 8, isotropic_section(29e6, 0.22, t, 0, 0), twisted, make);
    GramVector force{};
    force[direction] = t > 0.1 ? 1 : 1e-6;
    cantilever(48, 8, force, shell);
    return shell.linear()[2 * (48 * 9 + 4)][direction];
  };
  for (const auto &[make, tolerance] : {std::pair{quads, 1e-3}, {triangles, 2.5e-2}})
  {
    EXPECT_NEAR(tip(0.32, 1, make), 0.001752, tolerance * 0.001752);
    EXPECT_NEAR(tip(0.32, 2, make), 0.0054146, tolerance * 0.0054146);
    EXPECT_NEAR(tip(0.0032, 1, make), 0.00129148, tolerance * 0.00129148);
    EXPECT_NEAR(tip(0.0032, 2, make), 0.0052462, tolerance * 0.0052462);
  }
}

TEST(Shells, CantileverWithLargeRotations)
{
  constexpr std::array<double, 5> factors{0.1, 0.2, 0.5, 0.8, 1}, U{0.103, 0.381, 1.604, 2.705, 3.286}, W{1.309, 2.493, 4.933, 6.19, 6.698};
  Shell shell = grid(16, 1, isotropic_section(1.2e6, 0, 0.1, 0, 0), strip(10, 1));
  cantilever(16, 1, {0, 0, 4}, shell);
  Vectors y = shell.rest;
  for (int k = 0; k < 5; ++k)
  {
    shell.newton(factors[k], y);
    EXPECT_NEAR(10 - y[2 * 33][0], U[k], 5e-3 * U[k]);
    EXPECT_NEAR(y[2 * 33][2], W[k], 5e-3 * W[k]);
  }
  EXPECT_NEAR(10 - y[2 * 33][0], 3.293, 6e-4);
  EXPECT_NEAR(y[2 * 33][2], 6.705, 6e-4);
}

/// Sze, Liu, Lo 2004: annulus with a slit; deflections at r = 6 and r = 10 under factors of the load.
std::vector<std::array<double, 2>> slit(const Numbers &factors, const Make &make)
{
  const Place annulus = [](const double s, const double t) {
    const double r = 10 - 4 * t;
    return std::array<GramVector, 2>{{{r * std::cos(2 * pi * s), r * std::sin(2 * pi * s), 0}, {0, 0, 1}}};
  };
  Shell shell = grid(80, 10, isotropic_section(21e6, 0, 0.03, 0, 0), annulus, make);
  cantilever(80, 10, {0, 0, 3.2}, shell);
  Vectors y = shell.rest;
  std::vector<std::array<double, 2>> results;
  for (const double factor : factors)
  {
    EXPECT_LE(shell.newton(factor, y), 12);
    results.push_back({y[2 * (80 * 11 + 10)][2], y[2 * 80 * 11][2]});
  }
  return results;
}

TEST(Shells, SlitAnnulus)
{
  const auto assumed = slit({0.1, 0.2, 0.4, 0.6, 0.8, 1}, quads), plain = slit({0.1, 0.2, 0.4, 0.6, 0.8, 1}, {4, displacement_membrane});
  const std::vector<std::array<double, 2>> published{{4.277, 5.876}, {6.725, 9.16}, {}, {}, {}, {13.891, 17.528}};
  for (const int k : {0, 1, 5})
    for (int d = 0; d < 2; ++d)
      EXPECT_NEAR(assumed[k][d], published[k][d], 1e-2 * published[k][d]);
  EXPECT_NEAR(assumed[5][0], 13.791, 1e-3);
  EXPECT_NEAR(assumed[5][1], 17.43, 1e-3);
  EXPECT_NEAR(plain[5][0], 13.722, 1e-3) << "a membrane of displacements is too stiff";
  EXPECT_NEAR(plain[5][1], 17.361, 1e-3);
}

TEST(Shells, PinchedHemisphere)
{
  constexpr int n = 16, A = 0, B = n * (n + 1);
  const Place sphere = [](const double s, const double t) {
    const double p = s * pi / 2, q = t * 0.4 * pi;
    const GramVector d{std::cos(q) * std::cos(p), std::cos(q) * std::sin(p), std::sin(q)};
    return std::array<GramVector, 2>{{{10 * d[0], 10 * d[1], 10 * d[2]}, d}};
  };
  Shell shell = grid(n, n, isotropic_section(6.825e7, 0.3, 0.04, 0, 0), sphere);
  for (int j = 0; j <= n; ++j)
    for (const int shift : {0, 1})
    {
      shell.hold(2 * j + shift, false, true, false);
      shell.hold(2 * (B + j) + shift, true, false, false);
    }
  shell.hold(2 * n, false, false, true);
  shell.load[2 * A][0] = 200;
  shell.load[2 * B][1] = -200;
  EXPECT_NEAR(shell.linear()[2 * A][0] / 200, 0.09328, 1e-5);
  Vectors y = shell.rest;
  for (const auto &[factor, V, U, V_here, U_here] :
       std::vector<std::array<double, 5>>{{0.05, 0.855, 0.955, 0.851, 0.9465}, {0.4, 0, 0, 0, 0}, {1, 4.067, 8.178, 4.0476, 8.1143}})
  {
    EXPECT_LE(shell.newton(factor, y), 12);
    if (V == 0)
      continue;
    EXPECT_NEAR(y[2 * A][0] - 10, V, 1.2e-2 * V);
    EXPECT_NEAR(10 - y[2 * B][1], U, 1.2e-2 * U);
    EXPECT_NEAR(y[2 * A][0] - 10, V_here, 1e-4);
    EXPECT_NEAR(10 - y[2 * B][1], U_here, 1e-4);
  }
}

Envelope mass_of(const Shell &shell)
{
  Envelope M = shell.empty();
  for (std::size_t e = 0; e < shell.cells.size(); ++e)
  {
    const int n = shell.elements[e].vectors(), size = 3 * n;
    Numbers m(size * size, 0.);
    for (int i = 0; i < size * size; ++i)
      m[i] = i / size % 3 == i % 3 ? shell.elements[e].all().mass[i / size / 3 * n + i % size / 3] : 0;
    shell.scatter(e, m, M);
  }
  return M;
}
/// Lowest frequencies [Hz] by inverse iteration of vectors which M makes orthonormal in their order; K is factored.
Numbers lowest_frequencies(const int modes, Envelope &K, Envelope &M)
{
  constexpr int guard = 2, iterations = 80;
  const auto product = [](const Numbers &a, const Numbers &b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.); };
  std::vector<Numbers> basis(modes + guard, Numbers(M.rows.size()));
  int seed = 0;
  for (Numbers &v : basis)
    for (double &one : v)
      one = std::sin(12.9898 * ++seed);
  Numbers frequencies(basis.size());
  for (int iteration = 0; iteration < iterations; ++iteration)
    for (std::size_t k = 0; k < basis.size(); ++k)
    {
      Numbers &v = basis[k];
      v = K.solve(M.times(v));
      for (std::size_t j = 0; j < k; ++j)
      {
        const double part = product(M.times(basis[j]), v);
        std::transform(v.begin(), v.end(), basis[j].begin(), v.begin(), [part](double a, double b) { return a - part * b; });
      }
      const double length = std::sqrt(product(M.times(v), v));
      for (double &one : v)
        one /= length;
      frequencies[k] = 1 / (2 * pi * std::sqrt(length));
    }
  return frequencies;
}

TEST(Shells, ModesOfAClampedPlate)
{
  constexpr int n = 16;  // NAFEMS FV16
  Shell shell = grid(n, n, isotropic_section(200e9, 0.3, 0.05, 0, 8000), strip(10, 10));
  for (int a = 0; a < (n + 1) * (n + 1); ++a)
    shell.hold(2 * a, true, true, false);
  cantilever(n, n, {}, shell);
  shell.set_ways(shell.rest);
  Envelope K = shell.stiffness(shell.rest, shell.stress(shell.rest, Vectors(shell.rest.size(), GramVector{}))), M = mass_of(shell);
  const Numbers expected{0.4182, 1.0256, 2.5859, 3.2951, 3.7564, 6.5858}, found = lowest_frequencies(6, K, M);
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(found[k], expected[k], 1e-4 * expected[k] + 5e-5);
}
}  // namespace
}  // namespace symdyn::tests::in_shells
