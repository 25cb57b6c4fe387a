#pragma once
#include "elements/system/degree_transfer.h"
#include "elements/system/finite_element_system.h"
#include "solver/linear_operator.h"

namespace symdyn
{
/// The sum of the terms of a linearised solid. Keeps copies of the points it stands at, so that it can be multiplied with after the
/// caller's vectors have moved on. Products, and the blocks on the diagonal, come from the cells, without a matrix; where loads
/// follow the body or K is that of a discrete gradient, from an assembled one.
template <int dim>
class FiniteElementSystem<dim>::Operator : public LinearOperator
{
public:
  explicit Operator(const FiniteElementSystem &system) : system(system) {}
  ~Operator() override;
  void set(const Linearisation &terms);
  /// Of K on the owned degrees of freedom [N/m], as when A or its diagonal was last made; made now if that was for other weights. Empty
  /// without K.
  std::vector<double> stiffness_diagonal() const;

  bool symmetric() const override { return is_symmetric; }
  bool constant() const override { return system.linear(); }
  double stiffness_over_mass() const override;
  Vector new_vector() const override { return system.new_vector(); }
  int degree() const override { return system.mesh().family.fe->degree; }
  std::uint64_t kind() const override { return weights_changed; }
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const override { return system.mesh().node_partitioner; }
  int block() const override { return dim; }
  const BlockPattern &pattern() const override { return system.pattern(); }
  std::vector<Vector> rigid_modes() const override { return system.rigid_modes(); }
  void assemble(const BlockMatrix &A) const override;
  bool matrix_free() const override { return is_symmetric; }
  void project(Vector &x) const override { system.project(x); }
  void multiply(const Vector &x, Vector &y) const override;
  void diagonal(const BlockMatrix &D) const override;
  const LinearOperator *coarser() const override;
  void prolong(const Vector &coarse, Vector &fine) const override;
  void restrict(const Vector &fine, Vector &coarse) const override;

private:
  /// A term with its own vectors.
  struct Term
  {
    Weights weights;
    double t = 0;
    Part part = Part::all;
    Vector q, from;  ///< from: empty if K is V''
    Vector middle;   ///< ½ (from + q) where damping is taken there

    bool is_discrete(const FiniteElementSystem &system) const;
    bool sees_loads(const FiniteElementSystem &system) const;
  };
  /// weight V''(q) of a part, or weight times the viscosity of Kelvin and Voigt at q.
  struct Stiffness
  {
    double weight;
    const Vector *q;
    Part part;
    bool viscous;
  };

  void collect(Term &term);
  const TangentAssembly<dim> &assembly() const;
  void add_discrete_tangent(const Term &term, const BlockMatrix &A) const;
  void add_stiffness(const Stiffness &stiffness, const BlockMatrix &A) const;
  void add_product(const Stiffness &stiffness, const Vector &x, Vector &y) const;
  void add_mass_product(double m, const Vector &x, Vector &y) const;
  double mass_weight() const;
  void need_diagonal() const;

  const FiniteElementSystem &system;
  std::vector<Term> terms;
  std::vector<Stiffness> stiffnesses;  ///< of all terms, but for discrete gradients
  Vector undeformed;
  bool is_symmetric = true;
  std::uint64_t weights_changed = 0;

  mutable std::unique_ptr<TangentAssembly<dim>> tangent_assembly;
  mutable std::vector<double> weighted_diagonal;  ///< of the stiffness part, before the supports hold it
  mutable bool diagonal_known = false;            ///< of the present points
  mutable double ratio = -1.;                     ///< stiffness over mass for the present weights; -1: not known

  // The same with elements of degree 1.
  mutable std::unique_ptr<FiniteElementSystem> coarse_system;
  mutable std::unique_ptr<Operator> coarse;
  mutable std::unique_ptr<DegreeTransfer<dim>> transfer;
  mutable bool coarse_is_set = false;
};
}  // namespace symdyn
