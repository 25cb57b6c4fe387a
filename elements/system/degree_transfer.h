#pragma once
#include <vector>

#include "elements/space/discretisation.h"

namespace symdyn
{
/// Between elements of degree p and of degree 1 on the same mesh: the field of degree 1 at a node of degree p is
///     u_a = sum_v N_v(xi_a) u_v,   N_v: shape functions of degree 1, v: vertices of a cell of the node
template <int dim>
class DegreeTransfer
{
public:
  DegreeTransfer(const Discretisation<dim> &fine, const Discretisation<dim> &coarse);
  /// fine = P coarse.
  void prolong(const Vector &coarse, Vector &fine) const;
  /// coarse = Pᵀ fine.
  void restrict(const Vector &fine, Vector &coarse) const;
  /// The values of the fine field at the vertices.
  void inject(const Vector &fine, Vector &coarse) const;

private:
  std::vector<int> start, column;  ///< compressed rows of P: owned fine nodes, local coarse nodes
  std::vector<double> weight;
  std::vector<int> at;  ///< local fine node of an owned coarse node
};
}  // namespace symdyn
