#pragma once
#include <vector>

namespace symdyn
{
/// What stands for exact constraints g = 0 in stages without steps of a scheme, an augmented Lagrangian (Hestenes 1969, Powell 1969):
///     V = sum_i ½ k_i g_i² - lambda_i g_i
/// A stage owns the values and changes them; a term of the system reads them alone. Without k nothing acts.
struct ConstraintSprings
{
  std::vector<double> k, lambda;  ///< [J] over the squared unit of g; [J] over the unit of g
  bool in_system = false;         ///< there is such a term

  bool act() const { return !k.empty(); }
  void release()
  {
    k.clear();
    lambda.clear();
  }
};
}  // namespace symdyn
