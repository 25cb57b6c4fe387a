#pragma once
#include "solver/linear_operator.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
/// A system of nodes with so many components each, like a solid: degree of freedom = components * node + component. What others may be
/// joined to.
class NodalSystem : public MechanicalSystem
{
public:
  virtual int components() const = 0;
  /// Who owns which node, and which nodes of others a rank knows.
  virtual std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const = 0;
  /// The sum of the terms, for a linear solver. Valid until the next call, of factor() too.
  virtual const LinearOperator &linear_operator(const Linearisation &terms) const = 0;
  /// What a matrix of it costs, in evaluations of the force; about.
  virtual double cost_of_matrix() const = 0;
};
}  // namespace symdyn
