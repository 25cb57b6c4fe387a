#pragma once
#include <string>
#include <vector>

#include "elements/discretisation.h"

namespace symdyn
{
class Parameters;

/// A material point whose motion is reported, interpolated in its cell.
template <int dim>
class Probe
{
public:
  void declare(const std::string &name, Parameters &p);
  /// Errors: InputError if the point lies outside the body. Collective.
  void prepare(const Discretisation<dim> &mesh);
  /// Interpolated value, on every rank. Collective.
  dealii::Tensor<1, dim> at(const Vector &x) const;
  const std::string &name() const { return own_name; }

private:
  std::string own_name, where;
  dealii::Point<dim> point;
  MPI_Comm communicator = MPI_COMM_WORLD;
  std::vector<unsigned int> nodes;  // empty on ranks that do not hold the point
  std::vector<double> shape;
};
}  // namespace symdyn
