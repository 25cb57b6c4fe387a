#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "elements/shells/shell_element.h"

namespace symdyn
{
/// Drilling at a node of a cell: the directors that a beam brings there turn about the normal with the surface. With X the surface at rest,
/// J = |X,xi x X,eta|, and t_xi, t_eta those constant combinations of the node's three directors that are X,xi and X,eta at rest,
///     eps = (t_xi·x,eta - t_eta·x,xi)/(2 J),   V = ½ k eps²,   k = A_33 A [N m]
/// In any orthonormal axes of the tangent plane eps is ½ (t_1·x,2 - t_2·x,1). In small motions it is the rotation of the directors about
/// the normal less that of the surface, ½ (u_2,1 - u_1,2). It is 0 where directors turn as the material does: x = R U X, t = R X, U
/// symmetric. A_33 = G t is the stiffness of the section in shear, A the share of the node in the area of the cell [m²]. The term is that
/// of Hughes, Brezzi, Comput. Methods Appl. Mech. Eng. 72, 1989, ½ gamma |skew grad u - psi|², with gamma = G/2, at one node alone.
struct ShellDrilling
{
  GramModel model;                     ///< of the places of the cell, then of t_xi/sqrt(J), t_eta/sqrt(J); no mass
  std::array<GramVector, 2> tangents;  ///< these at rest [-]
};

namespace shells
{
/// Derivatives of the functions of 3, 4, 6 or 8 nodes at one of them.
inline SurfacePoint derivatives_at_node(const int n, const int node)
{
  if (n > 4)
    return quadratic_node(n, node);
  SurfacePoint at{};
  if (n == 3)
  {
    at.along_xi = {-1, 1, 0};
    at.along_eta = {-1, 0, 1};
    return at;
  }
  constexpr std::array<double, 4> xi{-1, 1, 1, -1}, eta{-1, -1, 1, 1};
  const Row by_xi = shells::along_xi(eta[node]), by_eta = shells::along_eta(xi[node]);
  std::copy(by_xi.begin(), by_xi.end(), at.along_xi.begin());
  std::copy(by_eta.begin(), by_eta.end(), at.along_eta.begin());
  return at;
}

/// Rows x,xi, x,eta, t_xi, t_eta. Cells with the same number of nodes share it.
inline std::shared_ptr<const GramShape> drilling_shape(const int n, const int node)
{
  static const auto all = [] {
    std::array<std::vector<std::shared_ptr<const GramShape>>, 9> shapes;
    for (const int nodes : {3, 4, 6, 8})
      for (int a = 0; a < nodes; ++a)
      {
        const SurfacePoint at = derivatives_at_node(nodes, a);
        GramShape shape;
        shape.vectors = nodes + 2;
        shape.G.assign(4 * shape.vectors, 0.);
        std::copy_n(at.along_xi.begin(), nodes, shape.G.begin());
        std::copy_n(at.along_eta.begin(), nodes, shape.G.begin() + shape.vectors);
        shape.G[2 * shape.vectors + nodes] = shape.G[3 * shape.vectors + nodes + 1] = 1.;
        shape.strain = {{{2, 1, 1.}, {3, 0, -1.}}};
        shapes[nodes].push_back(std::make_shared<const GramShape>(shape));
      }
    return shapes;
  }();
  return all[n][node];
}
}  // namespace shells

/// `rest`: places of the nodes, then their normals. `share`: A.
inline ShellDrilling shell_drilling(const ShellSection &section, const std::vector<GramVector> &rest, const int node, const double share)
{
  const int n = int(rest.size()) / 2, vectors = n + 2;
  const shells::SurfacePoint at = shells::derivatives_at_node(n, node);
  const GramVector X_xi = shells::combined(at.along_xi.data(), rest.data(), n),
                   X_eta = shells::combined(at.along_eta.data(), rest.data(), n);
  const double J = norm(cross(X_xi, X_eta)), unit = 1. / std::sqrt(J), k = section.A[8] * share;
  GramModel model{shells::drilling_shape(n, node),
                  {{{0}, {k / (4. * J)}}},
                  std::vector<double>(vectors * vectors, 0.),
                  std::vector<double>(vectors, 0.),
                  k};
  return {model, {scaled(unit, X_xi), scaled(unit, X_eta)}};
}
}  // namespace symdyn
