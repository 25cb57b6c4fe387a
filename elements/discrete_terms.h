#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "solver/expression.h"

namespace symdyn
{
/// Where a term adds the entry of a matrix: add(i, j, value).
using AddEntry = std::function<void(int, int, double)>;

/// A bar between two points, or a point and a fixed place:
///     W = (k/2) (s - L²)²,   s = |d|²,   d = x_to - x_from      [J]
/// With k = EA/(4 L³) the axial energy EA L/2 E² of the Green-Lagrange strain E = (s - L²)/(2 L²) (Bonet and Wood 2008, sect. 3.2);
/// with k = omega² the penalty of a rigid rod (Tao and Owhadi 2015, sect. 4.1). Polynomial in s, so that the discrete gradient
/// needs no quotient: k ((s0 + s1)/2 - L²) (d0 + d1), which keeps both momenta (Simo and Tarnow 1992; Gonzalez 1996).
/// All arrays hold `dimension` coordinates a point; x are present coordinates [m].
struct Bar
{
  int from = 0, to = -1;             ///< points; to = -1: the anchor
  std::array<double, 3> anchor{};    ///< [m]
  int dimension = 3;
  double k = 0, length = 0;          ///< [N/m³], L [m]
  bool stiff = false;

  using Place = std::array<double, 3>;
  Place difference(const double *x) const;
  double potential(const double *x) const;
  void add_force(const double *x, double *f) const;
  /// Ku += W'' u
  void add_stiffness(const double *x, const double *u, double *Ku) const;
  /// r_i += W'''_ijk a_j a_k
  void add_third(const double *x, const double *a, double *r) const;
  void add_discrete_gradient(const double *x0, const double *x1, double *f) const;
  /// weight W''
  void add_tangent(const double *x, double weight, const AddEntry &add) const;
  /// weight d/dx1 of the discrete gradient, unsymmetric.
  void add_discrete_tangent(const double *x0, const double *x1, double weight, const AddEntry &add) const;

private:
  /// u of the end - u of the start, where the anchor rests.
  Place relative(const double *u) const;
  void add_pair(const Place &g, double *f) const;
  void add_block(const std::array<Place, 3> &block, const AddEntry &add) const;
};

/// A potential given as a formula of coordinates, once or for many sets of them. Its derivatives are exact (Series). The discrete
/// gradient is that of Gonzalez (1996, eq. 12) for each set,
///     g = grad V(m) + (V(z1) - V(z0) - grad V(m)·dz) dz/|dz|²,   m = (z0 + z1)/2, dz = z1 - z0
/// which keeps the energy, and angular momentum only by chance.
struct FormulaPotential
{
  std::string name;
  Expression expression;  ///< of `variables` coordinates
  int variables = 0;
  std::vector<int> coordinates;  ///< `variables` numbers a set
  bool stiff = false;

  int sets() const { return variables == 0 ? 0 : int(coordinates.size()) / variables; }
  double potential(const double *x) const;
  void add_force(const double *x, double *f) const;
  void add_stiffness(const double *x, const double *u, double *Ku) const;
  void add_third(const double *x, const double *a, double *r) const;
  void add_discrete_gradient(const double *x0, const double *x1, double *f) const;
  void add_tangent(const double *x, double weight, const AddEntry &add) const;
  void add_discrete_tangent(const double *x0, const double *x1, double weight, const AddEntry &add) const;

private:
  struct Quotient;
  /// What the discrete gradient of one set needs.
  Quotient quotient(const double *z0, const double *z1) const;
  std::vector<double> gradient(const double *z) const;
  std::vector<double> hessian_times(const double *z, const double *u) const;
  std::vector<double> third(const double *z, const double *a) const;
  std::vector<double> hessian(const double *z) const;
  void gather(int set, const double *x, double *z) const;
  void scatter(int set, const std::vector<double> &z, double *f) const;
};
}  // namespace symdyn
