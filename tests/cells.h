#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "elements/cells/curved_kernels.h"
#include "solver/registry.h"
#include "tests/bodies.h"

/// A batch of cells, and the derivatives of its energy by differences.
namespace symdyn::tests
{
using Values = std::vector<Wide>;

inline std::unique_ptr<Material> make_material(const std::string &name, const std::string &more = "")
{
  auto material = Registry<Material>::instance().make(name);
  Deck deck = Deck::from_text(constants_of(name) + more, "test.prm");
  Parameters p = deck.root();
  material->declare(p);
  deck.finish();
  return material;
}

/// `lanes` different cells of one type.
template <int dim>
struct Cells
{
  Cells(const dealii::ReferenceCell &shape, const int degree, const double distortion, const std::string &formulation = "standard",
        const bool curved = false)
      : family(shape, degree, formulation, curved),
        kernels(formulation == "standard" ? make_kernels(family) : make_kernels_of(family)),
        nodes(family.stiffness.nodes),
        vertices(family.stiffness.vertices),
        X(vertices * dim),
        random(100 * dim + 10 * degree + vertices)
  {
    const double size[] = {1.3, 0.8, 1.1};
    for (int v = 0; v < vertices; ++v)
      for (int d = 0; d < dim; ++d)
        for (int lane = 0; lane < lanes; ++lane)
          X[v * dim + d].set(lane, size[d] * (family.fe->get_unit_support_points()[v][d] + random(distortion)));
  }

  /// Nodal values of a field whose gradient has about the size `size`, whatever the degree: a random quadratic field
  /// and noise at every node.
  Values field(const double size)
  {
    const ReferenceElement<dim> at_nodes(*family.fe, dealii::Quadrature<dim>(family.fe->get_unit_support_points()), family.curved);
    const double noise = 0.1 * size / (family.fe->degree * family.fe->degree);
    Values u(nodes * dim);
    for (int lane = 0; lane < lanes; ++lane)
    {
      double linear[dim][dim], quadratic[dim][dim];
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
        {
          linear[i][j] = random(size);
          quadratic[i][j] = random(0.2 * size);
        }
      for (int a = 0; a < nodes; ++a)
      {
        double x[dim] = {};
        for (int v = 0; v < vertices; ++v)
          for (int d = 0; d < dim; ++d)
            x[d] += at_nodes.vertex_shape[a * vertices + v] * X[v * dim + d][lane];
        for (int i = 0; i < dim; ++i)
        {
          double value = random(noise);
          for (int j = 0; j < dim; ++j)
            value += linear[i][j] * x[j] + quadratic[i][j] * x[j] * x[(j + 1) % dim];
          u[a * dim + i].set(lane, value);
        }
      }
    }
    return u;
  }

  /// Each cell by a map of its own, and one cell of the batch bent.
  void map_affinely(const bool bend_one)
  {
    for (int lane = 0; lane < lanes; ++lane)
    {
      double A[dim][dim], x[dim];
      for (auto &row : A)
        for (double &entry : row)
          entry = random(0.15);
      for (int v = 0; v < vertices; ++v)
      {
        for (int d = 0; d < dim; ++d)
          x[d] = X[v * dim + d][lane];
        for (int i = 0; i < dim; ++i)
          for (int d = 0; d < dim; ++d)
            X[v * dim + i].set(lane, X[v * dim + i][lane] + A[i][d] * x[d]);
      }
    }
    if (bend_one)
      X[0].set(lanes / 2, X[0][lanes / 2] + 0.1);
  }

  Values zero() const { return Values(nodes * dim, Wide(0.)); }

  ElementFamily<dim> family;
  std::unique_ptr<CellKernels<dim>> kernels;
  int nodes, vertices;
  Values X;
  Random random;
};

inline Values along(const Values &u, const double s, const Values &w)
{
  Values r(u);
  for (std::size_t i = 0; i < u.size(); ++i)
    r[i] += Wide(s) * w[i];
  return r;
}

/// Sum over lanes of the norms.
inline double norm(const Values &a)
{
  double sum = 0;
  for (int lane = 0; lane < lanes; ++lane)
  {
    double square = 0;
    for (const Wide &x : a)
      square += x[lane] * x[lane];
    sum += std::sqrt(square);
  }
  return sum;
}

inline double distance(const Values &a, const Values &b) { return norm(along(a, -1., b)); }

template <int dim>
void expect_derivatives(Cells<dim> &cells, const Material &material, const std::string &name, const bool polynomial = true)
{
  const CellKernels<dim> &kernels = *cells.kernels;
  const Wide *X = cells.X.data();
  const Values u = cells.field(0.1), a = cells.field(0.5);
  std::vector<Values> directions;
  for (int k = 0; k < 3; ++k)
    directions.push_back(cells.field(0.5));
  const auto force = [&](const Values &at) {
    Values f = cells.zero();
    kernels.force(X, at.data(), material, f.data());
    return f;
  };
  const auto stiffness = [&](const Values &at, const Values &w) {
    Values f = cells.zero();
    kernels.stiffness(X, at.data(), w.data(), material, f.data());
    return f;
  };
  Values third = cells.zero();
  kernels.third_derivative(X, u.data(), a.data(), material, third.data());
  const Values f = force(u), Ka = stiffness(u, a);
  const auto difference = [](const Values &ahead, const Values &behind, const double h) {
    Values d = along(ahead, -1., behind);
    for (Wide &x : d)
      x *= Wide(0.5 / h);
    return d;
  };

  const auto energy_error = [&](const double h) {
    double sum = 0;
    for (const Values &w : directions)
    {
      const Wide ahead = kernels.energy(X, along(u, h, w).data(), material), behind = kernels.energy(X, along(u, -h, w).data(), material);
      Wide slope = 0.;
      for (std::size_t i = 0; i < w.size(); ++i)
        slope += f[i] * w[i];
      for (int lane = 0; lane < lanes; ++lane)
        sum += std::abs((ahead[lane] - behind[lane]) / (2. * h) - slope[lane]);
    }
    return sum;
  };
  const auto force_error = [&](const double h) { return distance(difference(force(along(u, h, a)), force(along(u, -h, a)), h), Ka); };
  const auto stiffness_error = [&](const double h) {
    return distance(difference(stiffness(along(u, h, a), a), stiffness(along(u, -h, a), a), h), third);
  };
  // V of linear elasticity is a polynomial of degree 2, of St. Venant-Kirchhoff of degree 4 in standard elements.
  const bool linear = material.small_strain() && name != "ramberg-osgood", quartic = polynomial && name.find("st-venant") == 0;
  const double h = 0.02, rounding = 1e-10 * norm(Ka);
  {
    SCOPED_TRACE("force");
    expect_slope_two(energy_error, h, linear, rounding);
  }
  {
    SCOPED_TRACE("stiffness");
    expect_slope_two(force_error, h, linear, rounding);
  }
  {
    SCOPED_TRACE("third derivative");
    expect_slope_two(stiffness_error, h, linear || quartic, rounding);
    EXPECT_EQ(norm(third) < rounding, linear);
  }

  const int pairs = cells.nodes * (cells.nodes + 1) / 2;
  Values K(pairs * dim * dim), product = cells.zero();
  kernels.tangent(X, u.data(), material, K.data());
  for (int p = 0; p < cells.nodes; ++p)
    for (int q = 0; q < cells.nodes; ++q)
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k)
        {
          const int entry = p <= q ? i * dim + k : k * dim + i;
          product[p * dim + i] += K[pair_index(p, q) * dim * dim + entry] * a[q * dim + k];
        }
  EXPECT_LT(distance(product, Ka), 1e-12 * norm(Ka) * cells.nodes) << "tangent";
}
}  // namespace symdyn::tests
