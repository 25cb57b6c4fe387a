#pragma once
#include <array>
#include <vector>

#include "elements/solids/solid_body.h"

namespace symdyn
{
/// Forces of the supports, for reports: cells that touch no support are not looked at.
template <int dim>
class SupportForces
{
public:
  SupportForces(const SolidBody<dim> &body, const MechanicalSystem &system);

  /// At nodes of supports, elsewhere 0.
  struct AtNodes
  {
    Vector strain, reaction;
  };
  /// `others`: what terms beside the cells add to f_int, less the forces of constraints [N]; empty: nothing.
  AtNodes at_nodes(const State &state, bool statics, const Vector &others = {}) const;

  struct Sums
  {
    dealii::Tensor<1, dim> strain;    ///< of f_int, the strain alone [N]
    dealii::Tensor<1, dim> reaction;  ///< of f_int + C v + M a - f_applied (static: f_int - f_applied) [N]
  };
  /// Of each support, over its nodes. Collective. Pinned by SupportForces.AreThoseOfTheWholeBody.
  std::vector<Sums> sums(const AtNodes &forces) const;

private:
  const SolidBody<dim> &body;
  const MechanicalSystem &system;
  std::vector<std::pair<const CellRegion<dim> *, std::size_t>> batches;  ///< owned, with a node of a support
  Vector gravity;                                                        ///< empty without
};
}  // namespace symdyn
