#pragma once
#include "elements/lumped/term.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
/// A formula of n coordinates with its exact derivatives (Series): f, grad f, f'' u, f'''[a, a]. Arrays of n numbers.
class Formula
{
public:
  Expression expression;
  int variables() const { return int(expression.variables().size()); }
  double value(const double *z) const { return expression(z); }
  void gradient(const double *z, double *g) const;
  void hessian_times(const double *z, const double *u, double *Hu) const;
  void third(const double *z, const double *a, double *r) const;  ///< f'''_ijk a_j a_k
  void hessian(const double *z, double *H) const;                 ///< by rows
  /// The discrete gradient of Gonzalez (1996, eq. 12),
  ///     g = grad f(m) + (f(z1) - f(z0) - grad f(m)·dz) dz/|dz|²,   m = (z0 + z1)/2, dz = z1 - z0
  void discrete_gradient(const double *z0, const double *z1, double *g) const;
  /// The first variable in which f or a slope of it jumps at z, or -1: by its slopes on both sides, which differ the less the nearer they
  /// are.
  int kink(const double *z) const;
  /// d g/d z1, by rows.
  void discrete_hessian(const double *z0, const double *z1, double *H) const;

private:
  struct Quotient;
  Quotient quotient(const double *z0, const double *z1) const;
};

/// A potential given as a formula of coordinates, once or for many sets of them. Its discrete gradient keeps the energy, and angular
/// momentum only by chance.
class FormulaPotential : public DiscreteTerm
{
public:
  int dimension = 3;
  Formula formula;
  std::vector<int> coordinates;  ///< as many as the formula has variables for each set
  double energy_scale = 0;

  int sets() const { return formula.variables() == 0 ? 0 : int(coordinates.size()) / formula.variables(); }
  double potential(const double *x) const override;
  void add_force(const double *x, double *f) const override;
  void add_stiffness(const double *x, const double *u, double *Ku) const override;
  void add_third(const double *x, const double *a, double *r) const override;
  void add_discrete_gradient(const double *x0, const double *x1, double *f) const override;
  void add_tangent(const double *x, double weight, const AddEntry &add) const override;
  void add_discrete_tangent(const double *x0, const double *x1, double weight, const AddEntry &add) const override;
  void couple(const std::function<void(int, int)> &join) const override;
  std::shared_ptr<const DiscreteTerm> selected(const PointSelection &selection) const override;
  bool momentum_gradient() const override { return false; }
  bool holds() const override { return true; }
  std::string diagnose(const double *x, const std::vector<std::string> &points) const override;

private:
  /// act(z..., result) for every set; the result is added.
  template <class... Arrays, class Act>
  void for_sets(double *result, const Act &act, const Arrays *...x) const;
  template <class Act>
  void for_blocks(double weight, const AddEntry &add, const Act &act) const;
};
}  // namespace symdyn
