#pragma once
#include <array>
#include <vector>

#include "elements/system/finite_element_system.h"

namespace symdyn
{
/// Forces of the supports, for reports: cells that touch no support are not looked at.
template <int dim>
class SupportForces
{
public:
  explicit SupportForces(const FiniteElementSystem<dim> &system);

  struct Sums
  {
    dealii::Tensor<1, dim> strain;    ///< of f_int, the strain alone [N]
    dealii::Tensor<1, dim> reaction;  ///< of f_int + C v + M a - f_applied (static: f_int - f_applied) [N]
  };
  /// Of each support, over its nodes. Collective. Pinned by SupportForces.AreThoseOfTheWholeBody.
  /// `more`: what others add to the reactions, on the nodes of the body [N].
  std::vector<Sums> at(const State &state, bool statics, const Vector *more = nullptr) const;

private:
  const FiniteElementSystem<dim> &system;
  std::vector<std::size_t> batches;  ///< owned, with a node of a support
  Vector gravity;                    ///< empty without
};
}  // namespace symdyn
