#pragma once
#include <deal.II/lac/full_matrix.h>

#include <utility>
#include <vector>

#include "elements/system/joint_layout.h"

namespace symdyn
{
/// Point masses m on nodes of a body, M = M_body + Eᵀ m E.
class NodeMasses
{
public:
  NodeMasses(const NodalSystem &body, const JointLayout &layout, const DiscreteSystem::Parts &parts);
  /// From v = M_body⁻¹ p to M⁻¹ p on free degrees of freedom. With a diagonal mass a division; otherwise v - X (m⁻¹ + E X)⁻¹ E v with
  /// X = M_body⁻¹ Eᵀ, a solve for each mass and component, once (Woodbury 1950). Collective.
  void solve(Vector &v) const;

private:
  void divide(const NodalSystem &body, const DiscreteSystem::Parts &parts);
  void solve_columns(const NodalSystem &body, const DiscreteSystem::Parts &parts);

  const JointLayout &layout;
  std::vector<std::pair<int, double>> factors;  ///< of a diagonal mass: owned node, M_body/M there
  std::vector<int> coordinates;                 ///< of the points that have mass
  std::vector<Vector> columns;                  ///< X, of the body
  dealii::FullMatrix<double> inverse;           ///< (m⁻¹ + E X)⁻¹
};
}  // namespace symdyn
