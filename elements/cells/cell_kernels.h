#pragma once
#include <memory>

#include "elements/cells/cell_map.h"
#include "elements/cells/reference_element.h"
#include "materials/algebra/wide.h"
#include "materials/material.h"

namespace symdyn
{
/// Total Lagrangian integrals of `lanes` cells of one material at once. The energy of a cell is the definition:
///     V = sum_q w_q det(dX/dxi) psi(C(q)),   C = FᵀF, F = I + grad u   (small strain: C = I + 2 sym grad u)
/// force, stiffness and third derivative are its derivatives with respect to the nodal displacements and are tested against
/// one another (CellKernels.DerivativesHaveSlopeTwo, for every material and element). Plane problems: F_33 = 1, unit thickness.
///
/// X[v*dim+d]: vertex coordinates [m] (energy and the vectors take prepared ones too: cell_map.h); u, w, a, f[a*dim+d]: nodal
/// values. f is added to.
template <int dim>
class CellKernels
{
public:
  virtual ~CellKernels() = default;

  /// What the functions that take a CellMap need of the cells with vertices X, appended to `prepared`. Returns whether they are affine.
  /// The plain kernels know nothing of it.
  virtual bool prepare(const Wide *X, std::vector<Wide> &prepared) const = 0;

  /// The kernels of this element that ask the law of each quadrature point, Material::at_point, as laws with a memory need it. nullptr: the
  /// element has none.
  virtual const CellKernels *by_points() const { return nullptr; }
  /// Inner unknowns of a cell, which its history has beside the memory of its points: a search for them begins at those of the last
  /// accepted state. No answer depends on them beyond rounding.
  virtual int inner_unknowns() const { return 0; }

  /// V of each cell [J].
  virtual Wide energy(const CellMap<dim> &X, const Wide *u, const Material &material) const = 0;
  /// f += dV/du [N]. Returns the smallest det F at the quadrature points (1 for small strain).
  virtual Wide force(const CellMap<dim> &X, const Wide *u, const Material &material, Wide *f) const = 0;
  /// f += V''(u) w.
  virtual void stiffness(const CellMap<dim> &X, const Wide *u, const Wide *w, const Material &material, Wide *f) const = 0;
  /// f += V'''(u) a a.
  virtual void third_derivative(const CellMap<dim> &X, const Wide *u, const Wide *a, const Material &material, Wide *f) const = 0;
  /// K = V''(u) as blocks of node pairs a <= b: K[((pair(a, b)*dim)+i)*dim+k] = d²V/du_ai du_bk; pair(a, b) = b(b+1)/2 + a.
  virtual void tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const = 0;
  /// K[(a*dim + i)*dim + k]: its blocks on the diagonal.
  virtual void tangent_diagonal(const Wide *X, const Wide *u, const Material &material, Wide *K) const = 0;
  /// f += ∫ F_m S_d : grad N dX, a discrete gradient of V (Gonzalez 2000; discrete_stress.h): f·(u1 - u0) = V(u1) - V(u0).
  /// F_m = ½ (F0 + F1). Returns the smallest det F1 (1 for small strain).
  virtual Wide discrete_force(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *f) const = 0;
  /// K = d discrete_force/du1 as blocks of all node pairs, not symmetric: K[((a*nodes + b)*dim + i)*dim + k].
  virtual void discrete_tangent(const Wide *X, const Wide *u0, const Wide *u1, const Material &material, Wide *K) const = 0;
  /// f += ∫ F (D0 : Edot) : grad N dX, Edot = sym(Fᵀ grad v), D0 = 4 d²psi/dC² at C = I: Kelvin–Voigt's damping for a
  /// relaxation time of 1 s.
  virtual void viscous_force(const Wide *X, const Wide *u, const Wide *v, const Material &material, Wide *f) const = 0;
  /// Its derivative with respect to v, symmetric, as `tangent`.
  virtual void viscous_tangent(const Wide *X, const Wide *u, const Material &material, Wide *K) const = 0;
  /// m[pair(a, b)] = density ∫ N_a N_b dX with the mass quadrature [kg].
  virtual void mass(const Wide *X, double density, Wide *m) const = 0;
  /// f_ai += density sum_b ∫ N_a N_b dX w_bi: the product with that matrix, without it.
  virtual void mass_product(const CellMap<dim> &X, const Wide *w, double density, Wide *f) const = 0;
  /// m[a] = density w_a det(dX/dxi)(xi_a) [kg]: the nodes as quadrature points (Gauss-Lobatto for Qk), w_a = ∫ N_a dxi.
  virtual void nodal_mass(const Wide *X, double density, Wide *m) const = 0;
  /// F[p] = I + grad u at the points of a table (of degree 1: 2^dim of them), which becomes what the law sees there (F_33, too, in plane
  /// problems). Of standard elements that is F.
  virtual void assumed_deformation_gradient(const Wide * /*X*/, const Wide * /*u*/, const Material &,
                                            const ReferenceElement<dim> & /*table*/, const dealii::Quadrature<dim> &, Matrix<3> *) const
  {
  }
  /// Smallest det(dX/dxi) at the points of the stiffness and the nodes; and the volume, by the points of the mass.
  virtual void geometry(const Wide *X, Wide &smallest_jacobian, Wide &volume) const = 0;
};

/// The kernels of a cell type, with the number of nodes known to the compiler.
template <int dim>
std::unique_ptr<CellKernels<dim>> make_kernels(const ElementFamily<dim> &family);

inline int pair_index(int a, int b) { return a <= b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b; }
}  // namespace symdyn
