#pragma once
#include "solver/vector.h"

namespace symdyn
{
/// Exact constraints g(q) = 0 that each couple coordinates of one node, as directors of unit length and right angles do. They are among
/// the HolonomicConstraints of the system. A node is eliminated by itself: motions along its constraints are u = N(q) y with G N = 0, and
/// the forces across them are Gᵀ lambda. All functions read and write owned entries, and are collective.
class NodalConstraints
{
public:
  virtual ~NodalConstraints() = default;
  /// q <- q + u with g(q + u) = 0, u small and within what supports leave. Errors: ComputationError, naming a node.
  virtual void retract(Vector &q) const = 0;
  /// f <- f - Gᵀ lambda, where lambda leaves the least of f on free components: supports then leave N Nᵀ f of it.
  virtual void subtract_forces(const Vector &q, Vector &f) const = 0;
  /// r <- r - sum_i lambda_i g_i'' u, with the same lambda of f.
  virtual void subtract_curvature(const Vector &q, const Vector &f, const Vector &u, Vector &r) const = 0;
};
}  // namespace symdyn
