#pragma once
#include <deal.II/base/symmetric_tensor.h>

#include <string>
#include <vector>

#include "elements/solids/solid_body.h"

namespace symdyn
{
/// Points whose law subtracts plastic strain from ½ ln C (InelasticProperties::subtracts_logarithms). That is exact while the principal
/// axes of C keep their directions. Warns once, with the cell, where a principal value passes 0.3 after its axes have turned by more than
/// 20 degrees since strains began: by theta, sin 2 theta = sqrt 2 |E E_0 - E_0 E|/(d d_0) with d the largest difference of principal
/// values, which is exact where two axes turn, and is defined where values coincide.
template <int dim>
class LogarithmWatch
{
public:
  /// Looks at a state, if `at_once`; otherwise at one of ten: a look costs as much as a force. Collective.
  void observe(const SolidBody<dim> &system, const Vector &q, double t, bool at_once);

private:
  struct Turned
  {
    double angle = 0;  ///< [rad]
    std::string where;
  };
  /// The largest turn of points that are strained so much, on this rank.
  Turned look(const SolidBody<dim> &system, const Vector &q);

  bool told = false;
  int asked = 0;
  /// E_0 = ½ ln C of the time when it was first large enough to have axes, by point of such laws in the order of the cells; 0: not yet.
  std::vector<dealii::SymmetricTensor<2, dim>> first;
};
}  // namespace symdyn
