#pragma once
#include <memory>

#include "elements/solids/solid_body.h"

namespace symdyn
{
/// Kσ of the cells of a body about a state, of `factor` times the stress that a small displacement u from there gives:
///     k_ab = ∫ ∇N_a · S_1 ∇N_b dX,   S_1 = dS/dq u
/// by the quadrature of the stiffness, with the strain that laws use there. S_1 is a central difference with a relative error of 1e-10.
/// Collective.
template <int dim>
std::shared_ptr<Term> stress_of_cells(const SolidBody<dim> &body, const State &about, const Vector &u, double factor);
}  // namespace symdyn
