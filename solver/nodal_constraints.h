#pragma once
#include <string>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
struct Rotation;

/// Exact constraints g(q) = 0 that each couple coordinates of one node, as directors of unit length and right angles do. A node is
/// eliminated by itself: motions along its constraints are u = N(q) y with G N = 0, and the forces across them are Gᵀ lambda. All functions
/// read and write owned entries, and are collective.
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

  /// change <- W G(from)ᵀ lambda with g(end + change) = 0, where W is diagonal, the inverse of a mass: constraints that act as they do at
  /// `from`. Errors: ComputationError, naming a node.
  virtual void meet(const Vector &W, const Vector &from, const Vector &end, Vector &change) const = 0;
  /// The same change, as a step takes it: q <- q + change with g(q) = 0, v <- v + per change.
  virtual void lead(const Vector &W, const Vector &from, double per, Vector &q, Vector &v) const = 0;
  /// Of c_i = v·g_i'' u.
  struct Bending
  {
    const Vector &v, &u;
  };
  /// x <- x + W G(from)ᵀ lambda with G(q) x + c = 0; without bending c = 0.
  virtual void meet_rates(const Vector &W, const Vector &from, const Vector &q, Vector &x, const Bending *bending = nullptr) const = 0;
  /// For a mass that joins sites of a node, whose forces accelerate by X = M^-1 Gᵀ: vector a of `forces` is that of constraint a of every
  /// node, `motions` X of it.
  struct Impulses
  {
    std::vector<Vector> forces, motions;
  };
  /// G(q)ᵀ as it stands in Impulses::forces. Collective.
  virtual std::vector<Vector> gradients(const Vector &q) const = 0;
  /// force <- G(from)ᵀ lambda with g(end + M^-1 force) = 0. Errors: ComputationError, naming a node.
  virtual void find_impulse(const Impulses &of_from, const Vector &end, Vector &force) const = 0;
  /// force <- G(from)ᵀ lambda with G(q) (x + M^-1 force) + c = 0; without bending c = 0.
  virtual void find_rate_impulse(const Impulses &of_from, const Vector &q, const Vector &x, Vector &force,
                                 const Bending *bending = nullptr) const = 0;
  /// The largest |g_i| and |(G v)_i|, where they are, and the largest speed of a constrained coordinate. NaN is the largest of all.
  struct Deviation
  {
    double g = 0, rate = 0, speed = 0;
    std::string node, node_of_rate;  ///< "directors of the node of site 12"
  };
  virtual Deviation deviation(const Vector &q, const Vector &v) const = 0;
  /// Whether they keep this body a rotation.
  virtual bool hold(const Rotation &) const { return false; }
  /// Whether they keep these bodies alone.
  virtual bool hold_only(const std::vector<Rotation> &) const { return false; }
};
}  // namespace symdyn
