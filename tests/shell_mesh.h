#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "elements/shells/shell_element.h"
#include "tests/gram_element.h"

/// Meshes of shells with exact directors, their equilibria, and types of cell which must fail.
namespace symdyn::tests::in_shells
{
using Vectors = GramElement::Vectors;
using Numbers = std::vector<double>;
/// A type of cell.
struct Make
{
  int nodes;
  std::function<GramModel(const ShellSection &, const Vectors &)> model;
};
inline const double pi = std::acos(-1.);
inline const Make quads{4, [](const ShellSection &section, const Vectors &rest) { return s4_model(section, rest); }};
inline const Make eights{8, [](const ShellSection &section, const Vectors &rest) { return quadratic_shell_model(section, rest); }};
inline const Make sixes{6, eights.model};
inline const Make triangles{3, [](const ShellSection &section, const Vectors &rest) { return s3_model(section, rest); }};

inline GramVector unit(const GramVector &v) { return scaled(1 / symdyn::norm(v), v); }
/// sum_a f_a·u_a
inline double work(const Vectors &f, const Vectors &u)
{
  return std::inner_product(f.begin(), f.end(), u.begin(), 0., std::plus<>(), [](const auto &a, const auto &b) { return dot(a, b); });
}
inline GramVector axis(const int d) { return {double(d == 0), double(d == 1), double(d == 2)}; }
/// The part of v that is normal to all of an orthonormal set.
inline GramVector normal_part(GramVector v, const Vectors &set)
{
  for (int twice = 0; twice < 2; ++twice)
    for (const GramVector &u : set)
      add(-dot(u, v), u, v);
  return v;
}

/// L D L^T of a symmetric matrix with an envelope of rows, without exchange of rows.
struct Envelope
{
  std::vector<int> first;
  std::vector<Numbers> rows;
  explicit Envelope(const std::vector<int> &from) : first(from), rows(from.size())
  {
    for (std::size_t i = 0; i < from.size(); ++i)
      rows[i].assign(i - first[i] + 1, 0.);
  }
  double &operator()(const int i, const int j) { return rows[i][j - first[i]]; }
  void factor()
  {
    for (int i = 0; i < int(rows.size()); ++i)
    {
      for (int j = first[i]; j < i; ++j)
      {
        const int from = std::max(first[i], first[j]);
        const double *const left = &(*this)(i, from), *const right = &(*this)(j, from);
        (*this)(i, j) -= std::inner_product(left, left + (j - from), right, 0.);
      }
      for (int j = first[i]; j < i; ++j)
      {
        const double scaled = (*this)(i, j) / (*this)(j, j);
        (*this)(i, i) -= scaled * (*this)(i, j);
        (*this)(i, j) = scaled;
      }
    }
  }
  Numbers times(const Numbers &v)  // before factor()
  {
    Numbers result(v.size(), 0.);
    for (int i = 0; i < int(v.size()); ++i)
      for (int j = first[i]; j <= i; ++j)
      {
        result[i] += (*this)(i, j) * v[j];
        result[j] += i == j ? 0 : (*this)(i, j) * v[i];
      }
    return result;
  }
  Numbers solve(Numbers b)
  {
    const int n = int(b.size());
    for (int i = 0; i < n; ++i)
      for (int j = first[i]; j < i; ++j)
        b[i] -= (*this)(i, j) * b[j];
    for (int i = 0; i < n; ++i)
      b[i] /= (*this)(i, i);
    for (int i = n - 1; i >= 0; --i)
      for (int j = first[i]; j < i; ++j)
        b[j] -= (*this)(i, j) * b[i];
    return b;
  }
};

/// A mesh with exact directors: vector 2 a is the place of node a, 2 a + 1 its director. The unknowns move them along `ways`.
struct Shell
{
  Vectors rest, load;
  std::vector<std::array<bool, 3>> held;  // of each vector
  std::vector<std::vector<int>> cells;    // numbers of vectors
  std::vector<GramElement> elements;
  std::vector<Vectors> ways;
  std::vector<int> number;  // first unknown of a vector

  void add_node(const GramVector &x, const GramVector &d)
  {
    rest.insert(rest.end(), {x, unit(d)});
    load.resize(rest.size());
    held.resize(rest.size());
  }
  void hold(const int vector, const bool x, const bool y, const bool z)
  {
    const std::array<bool, 3> more{x, y, z};
    std::transform(more.begin(), more.end(), held[vector].begin(), held[vector].begin(), std::logical_or<>());
  }
  void clamp(const int node)
  {
    hold(2 * node, true, true, true);
    hold(2 * node + 1, true, true, true);
  }
  Vectors of(const std::vector<int> &cell, const Vectors &y) const
  {
    Vectors some;
    for (const int a : cell)
      some.push_back(y[a]);
    return some;
  }
  /// Makes of four nodes one cell, or two if cells of three nodes are made.
  void add_quad(const ShellSection &section, const std::array<int, 4> &n, const Make &make)
  {
    if (make.nodes == 4)
      return add_cell(section, {n[0], n[1], n[2], n[3]}, make);
    add_cell(section, {n[0], n[1], n[2]}, make);
    add_cell(section, {n[0], n[2], n[3]}, make);
  }
  void add_cell(const ShellSection &section, const std::vector<int> &nodes, const Make &make)
  {
    std::vector<int> cell;
    for (const int shift : {0, 1})
      for (const int a : nodes)
        cell.push_back(2 * a + shift);
    cells.push_back(cell);
    elements.emplace_back(make.model(section, of(cell, rest)), of(cell, rest));
  }
  /// Orthonormal, normal to the held axes, and for a director to it.
  void set_ways(const Vectors &y)
  {
    ways.assign(y.size(), {});
    number.assign(y.size() + 1, 0);
    for (std::size_t a = 0; a < y.size(); ++a)
    {
      Vectors used;
      if (a % 2 == 1)
        used.push_back(unit(y[a]));
      for (int d = 0; d < 3; ++d)
        if (const GramVector e = normal_part(axis(d), used); held[a][d] && dot(e, e) > 1e-12)
          used.push_back(unit(e));
      while (used.size() < 3)
      {
        GramVector best{};
        for (int d = 0; d < 3; ++d)
          if (const GramVector e = normal_part(axis(d), used); dot(e, e) > dot(best, best) + 1e-9)
            best = e;
        used.push_back(unit(best));
        ways[a].push_back(used.back());
      }
      number[a + 1] = number[a] + int(ways[a].size());
    }
  }
  Envelope empty() const
  {
    std::vector<int> first(number.back());
    for (std::size_t i = 0; i < first.size(); ++i)
      first[i] = int(i);
    for (const std::vector<int> &cell : cells)
      for (const int a : cell)
        for (const int b : cell)
          for (int i = number[a]; i < number[a + 1]; ++i)
            first[i] = std::min({first[i], i, number[b]});
    return Envelope(first);
  }
  void add_force(const std::size_t e, const double weight, const Vectors &y, const Numbers &sigma, Vectors &f) const
  {
    Vectors part(cells[e].size(), GramVector{});
    elements[e].add_force(sigma, of(cells[e], y), weight, part);
    for (std::size_t a = 0; a < part.size(); ++a)
      add(1, part[a], f[cells[e][a]]);
  }
  /// matrix of each element, along the ways
  void scatter(const std::size_t e, const Numbers &k, Envelope &K) const
  {
    const std::vector<int> &cell = cells[e];
    const std::size_t size = 3 * cell.size();
    for (std::size_t a = 0; a < cell.size(); ++a)
      for (std::size_t b = 0; b < cell.size(); ++b)
        for (int i = number[cell[a]]; i < number[cell[a] + 1]; ++i)
          for (int j = number[cell[b]]; j < number[cell[b] + 1] && j <= i; ++j)
            for (int d = 0; d < 9; ++d)
              K(i, j) += ways[cell[a]][i - number[cell[a]]][d / 3] * k[(3 * a + d / 3) * size + 3 * b + d % 3] *
                         ways[cell[b]][j - number[cell[b]]][d % 3];
  }
  /// V'' along the ways, with -(d·f) on directors: the second derivative on the sphere.
  Envelope stiffness(const Vectors &y, const std::vector<Numbers> &sigma) const
  {
    Envelope K = empty();
    Vectors f(y.size(), GramVector{});
    for (std::size_t e = 0; e < cells.size(); ++e)
    {
      const Vectors some = of(cells[e], y);
      Numbers k(9 * some.size() * some.size(), 0.);
      elements[e].add_matrix(some, some, sigma[e], 1, k);
      scatter(e, k, K);
      add_force(e, 1, y, sigma[e], f);
    }
    for (std::size_t a = 1; a < y.size(); a += 2)
      for (int i = number[a]; i < number[a + 1]; ++i)
        K(i, i) -= dot(y[a], f[a]);
    K.factor();
    return K;
  }
  /// D (eps(y) + B(y)·move)
  std::vector<Numbers> stress(const Vectors &y, const Vectors &move) const
  {
    std::vector<Numbers> all;
    for (std::size_t e = 0; e < cells.size(); ++e)
    {
      Numbers eps = elements[e].strain(of(cells[e], y));
      const Numbers rate = elements[e].strain_rate(of(cells[e], y), of(cells[e], move));
      for (std::size_t i = 0; i < eps.size(); ++i)
        eps[i] += rate[i];
      all.push_back(elements[e].stress(eps));
    }
    return all;
  }
  /// The solution of K u = factor × load - f(stresses)
  Vectors step(Envelope &&K, const double factor, const Vectors &y, const std::vector<Numbers> &sigma) const
  {
    Vectors f(y.size(), GramVector{}), move = f;
    for (std::size_t a = 0; a < y.size(); ++a)
      add(factor, load[a], f[a]);
    for (std::size_t e = 0; e < cells.size(); ++e)
      add_force(e, -1, y, sigma[e], f);
    Numbers r;
    for (std::size_t a = 0; a < f.size(); ++a)
      for (const GramVector &way : ways[a])
        r.push_back(dot(f[a], way));
    r = K.solve(r);
    for (std::size_t a = 0; a < y.size(); ++a)
      for (std::size_t i = 0; i < ways[a].size(); ++i)
        add(r[number[a] + i], ways[a][i], move[a]);
    return move;
  }
  /// Displacements of the linear problem; `given`: those of what is held.
  Vectors linear(Vectors given = {})
  {
    set_ways(rest);
    const Vectors none(rest.size(), GramVector{});
    given = given.empty() ? none : given;
    const Vectors move = step(stiffness(rest, stress(rest, none)), 1, rest, stress(rest, given));
    for (std::size_t a = 0; a < move.size(); ++a)
      add(1, move[a], given[a]);
    return given;
  }
  /// Equilibrium under factor × load from y, iterations. The tangent has stresses carried on by their rates (Magisano, Leonetti, Garcea
  /// 2017).
  int newton(const double factor, Vectors &y)
  {
    constexpr int most = 30;
    constexpr double tolerance = 1e-9;
    const Vectors none(y.size(), GramVector{});
    std::vector<Numbers> sigma = stress(y, none);
    for (int iteration = 1; iteration <= most; ++iteration)
    {
      set_ways(y);
      const Vectors move = step(stiffness(y, sigma), factor, y, stress(y, none));
      sigma = stress(y, move);
      for (std::size_t a = 0; a < y.size(); ++a)
      {
        add(1, move[a], y[a]);
        y[a] = a % 2 == 1 ? unit(y[a]) : y[a];
      }
      if (work(move, move) < tolerance * tolerance * work(y, y))
        return iteration;
    }
    ADD_FAILURE() << "no equilibrium under " << factor;
    return most;
  }
};

using Place = std::function<std::array<GramVector, 2>(double, double)>;  // of s, t in [0, 1]: place, normal
/// nx × ny cells; node i (ny + 1) + j.
inline Shell grid(const int nx, const int ny, const ShellSection &section, const Place &place, const Make &make = quads)
{
  Shell shell;
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
    {
      const auto [x, d] = place(double(i) / nx, double(j) / ny);
      shell.add_node(x, d);
    }
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      shell.add_quad(section, {i * (ny + 1) + j, (i + 1) * (ny + 1) + j, (i + 1) * (ny + 1) + j + 1, i * (ny + 1) + j + 1}, make);
  return shell;
}
/// Clamped at s = 0, loaded at s = 1 by a total force, half at the ends of the edge.
inline void cantilever(const int nx, const int ny, const GramVector &force, Shell &shell)
{
  for (int j = 0; j <= ny; ++j)
  {
    shell.clamp(j);
    add((j == 0 || j == ny ? 0.5 : 1.) / ny, force, shell.load[2 * (nx * (ny + 1) + j)]);
  }
}
inline Place strip(const double length, const double width)
{
  return [=](const double s, const double t) { return std::array<GramVector, 2>{{{length * s, width * t, 0}, {0, 0, 1}}}; };
}

/// The cell whose membrane follows displacements alone.
inline GramModel displacement_membrane(const ShellSection &section, const Vectors &rest)
{
  GramModel model = s4_model(section, rest);
  GramBlock &block = model.blocks[0];
  const int m = int(block.strains.size());
  std::fill(block.D.begin(), block.D.end(), 0.);
  for (const shells::Point &point : shells::s4_cell(rest, {}).points)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 9; ++k)
          block.D[(point.membrane + i) * m + point.membrane + j] +=
              point.weight * point.metric[k / 3 * 3 + i] * section.A[k] * point.metric[k % 3 * 3 + j];
  return model;
}
/// The cell with the shears of displacements at the Gauss points.
inline GramModel displacement_shear(const ShellSection &section, const Vectors &rest)
{
  GramModel model = s4_model(section, rest);
  auto shape = std::make_shared<GramShape>(*model.shape);
  GramBlock &shear = model.blocks.back();
  shear = {{}, Numbers(64, 0.)};
  const auto points = shells::s4_cell(rest, {}).points;
  for (int q = 0; q < 4; ++q)
  {
    const double g = 1 / std::sqrt(3.), xi = q == 1 || q == 2 ? g : -g, eta = q > 1 ? g : -g;
    const Numbers row{0, 0, 0, 0, (1 - xi) * (1 - eta) / 4, (1 + xi) * (1 - eta) / 4, (1 + xi) * (1 + eta) / 4, (1 - xi) * (1 + eta) / 4};
    shape->G.insert(shape->G.end(), row.begin(), row.end());
    for (int alpha = 0; alpha < 2; ++alpha)
    {
      shear.strains.push_back(shape->strains());
      shape->strain.push_back({{4 * q + alpha, shape->derived() - 1, 1.}});
      shear.D[(2 * q + alpha) * 9] = points[q].weight * section.As[0] * points[q].metric[4 * alpha];  // rectangles
    }
  }
  model.shape = shape;
  return model;
}
/// The cell whose tying shears exchange the directors of opposite sides.
inline GramModel wrong_tying(const ShellSection &section, const Vectors &rest)
{
  GramModel model = s4_model(section, rest);
  auto shape = std::make_shared<GramShape>(*model.shape);
  auto &strain = shape->strain;
  const std::size_t first = strain.size() - 4;
  std::swap(strain[first][0].q, strain[first + 1][0].q);
  model.shape = shape;
  return model;
}
}  // namespace symdyn::tests::in_shells
