#pragma once
#include <memory>

#include "elements/cells/cell_kernels.h"

namespace symdyn
{
/// Kernels that do energy, force, stiffness, third derivative and products with the mass in a way of their own, and leave the rest to the
/// plain ones.
template <int dim>
class FastKernels : public CellKernels<dim>
{
public:
  const CellKernels<dim> *by_points() const override { return this; }
  void tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override { plain->tangent(X, u, material, K); }
  void tangent_diagonal(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    plain->tangent_diagonal(X, u, material, K);
  }
  Wide discrete_force(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *f) const override
  {
    return plain->discrete_force(X, u0, u1, material, f);
  }
  void discrete_tangent(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *K) const override
  {
    plain->discrete_tangent(X, u0, u1, material, K);
  }
  void viscous_force(const Wide *X, const Wide *u, const Wide *v, const Material &material, Wide *f) const override
  {
    plain->viscous_force(X, u, v, material, f);
  }
  void viscous_tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const override
  {
    plain->viscous_tangent(X, u, material, K);
  }
  void mass(const Wide *X, const double density, Wide *m) const override { plain->mass(X, density, m); }
  void nodal_mass(const Wide *X, const double density, Wide *m) const override { plain->nodal_mass(X, density, m); }
  void geometry(const Wide *X, Wide &smallest_jacobian, Wide &volume) const override { plain->geometry(X, smallest_jacobian, volume); }

protected:
  explicit FastKernels(const ElementFamily<dim> &family) : plain(make_kernels(family)) {}

  const std::unique_ptr<CellKernels<dim>> plain;
};
}  // namespace symdyn
