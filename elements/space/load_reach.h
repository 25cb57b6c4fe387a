#pragma once
#include <vector>

#include "elements/load.h"

namespace symdyn
{
/// Of a load that acts on some of the nodes only: which.
template <int dim>
class LoadReach
{
public:
  virtual ~LoadReach() = default;
  /// r += where, and along what, it can act on the undeformed body, of any size, owned and ghost entries; the caller compresses.
  virtual void add_reach(Vector &r) const = 0;
};

/// r += ∫ N_a n dA, n the outward normal: along what a pressure acts.
template <int dim>
void add_normals(const SurfaceIntegral<dim> &surface, Vector &r);
/// r += 1 in each component of the nodes on the surface.
template <int dim>
void add_nodes(const SurfaceIntegral<dim> &surface, Vector &r);
}  // namespace symdyn
