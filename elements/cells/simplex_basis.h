#pragma once
#include <stdexcept>

#include "elements/cells/reference_element.h"
#include "materials/algebra/inline.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// Shape functions of straight triangles and tetrahedra of degree p at the points of their quadrature, in barycentric coordinates l_v:
///     u = sum_v u_v l_v (p = 1);   u = sum_v u_v l_v (2 l_v - 1) + sum_(v<w) 4 u_vw l_v l_w (p = 2)
///     du/dxi_d = du/dl_(d+1) - du/dl_0,   du/dl_v = (4 l_v - 1) u_v + sum_w 4 l_w u_vw (p = 2)
/// Half the operations that a table of gradients would take.
template <int dim_, int degree, int points_>
struct SimplexBasis
{
  static constexpr bool affine = true;  ///< whether all cells are
  static constexpr int dim = dim_, vertices = dim + 1, nodes = degree == 1 ? vertices : vertices * (vertices + 1) / 2;
  static constexpr int points = points_, together = points;
  using Gradient = Wide[dim * dim][points];  ///< of a vector field: [i * dim + d][point]

  explicit SimplexBasis(const ElementFamily<dim> &family)
  {
    if (family.stiffness.points != points)
      throw std::logic_error("a quadrature of simplices with another number of points");
    const auto &support = family.fe->get_unit_support_points();
    for (int v = 0; v < vertices && degree == 2; ++v)
      for (int w = 0; w < vertices; ++w)
        for (unsigned int a = 0; a < support.size(); ++a)
          if (support[a].distance(0.5 * (support[v] + support[w])) < 1e-12)
            node[v][w] = a;
    for (int a = 0; a < nodes; ++a)
      for (int b = 0; b < nodes; ++b)
      {
        mass[a][b] = 0.;
        for (int q = 0; q < family.mass.points; ++q)
          mass[a][b] += family.mass.weight[q] * family.mass.shape[q * nodes + a] * family.mass.shape[q * nodes + b];
      }
    for (int q = 0; q < points; ++q)
    {
      weight[q] = family.stiffness.weight[q];
      four_l[q][0] = 4.;
      for (int d = 0; d < dim; ++d)
      {
        four_l[q][d + 1] = 4. * family.stiffness_points.point(q)[d];
        four_l[q][0] -= four_l[q][d + 1];
      }
    }
  }

  void gradient(const Wide *u, Gradient &g) const
  {
    for (int i = 0; i < dim; ++i)
      for (int q = 0; q < points; ++q)
      {
        Wide slope[vertices];  // du/dl_v
        for (int v = 0; v < vertices; ++v)
        {
          slope[v] = degree == 1 ? u[v * dim + i] : -u[v * dim + i];
          for (int w = 0; w < vertices && degree == 2; ++w)
            slope[v] += u[node[v][w] * dim + i] * four_l[q][w];
        }
        for (int d = 0; d < dim; ++d)
          g[i * dim + d][q] = slope[d + 1] - slope[0];
      }
  }

  /// f_ai += sum_q R_id dN_a/dxi_d: the transpose of `gradient`.
  void add_divergence(const Gradient &R, Wide *f) const
  {
    for (int i = 0; i < dim; ++i)
    {
      Wide of_vertex[vertices] = {}, of_pair[vertices][vertices] = {};
      for (int q = 0; q < points; ++q)
      {
        Wide slope[vertices];
        slope[0] = 0.;
        for (int d = 0; d < dim; ++d)
        {
          slope[d + 1] = R[i * dim + d][q];
          slope[0] -= slope[d + 1];
        }
        for (int v = 0; v < vertices; ++v)
        {
          of_vertex[v] += slope[v];
          for (int w = 0; w < vertices && degree == 2; ++w)
            of_pair[v][w] += slope[v] * four_l[q][w];
        }
      }
      for (int v = 0; v < vertices; ++v)
        if constexpr (degree == 1)
          f[v * dim + i] += of_vertex[v];
        else
        {
          f[v * dim + i] += of_pair[v][v] - of_vertex[v];
          for (int w = v + 1; w < vertices; ++w)
            f[node[v][w] * dim + i] += of_pair[v][w] + of_pair[w][v];
        }
    }
  }

  /// f_ai += scale sum_b M_ab u_bi, M of the reference cell.
  void add_product(const Wide *u, const Wide &scale, Wide *f) const
  {
    for (int a = 0; a < nodes; ++a)
      for (int i = 0; i < dim; ++i)
      {
        Wide sum = 0.;
        for (int b = 0; b < nodes; ++b)
          sum += u[b * dim + i] * mass[a][b];
        f[a * dim + i] += sum * scale;
      }
  }

  double mass[nodes][nodes];     ///< ∫ N_a N_b dxi
  int node[vertices][vertices];  ///< between two vertices; [v][v] is v itself
  double four_l[points][vertices], weight[points];
};
}  // namespace symdyn
