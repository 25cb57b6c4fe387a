#pragma once
#include "elements/system/assembled_operator.h"
#include "solver/joined_operator.h"
#include "solver/unknowns.h"

namespace symdyn
{
/// Vectors of copies of a sector: site s of the sector has the numbers number * s + copy.
struct SectorCopies
{
  int block, number;

  template <class Index>
  Index at(const Index i, const int copy) const
  {
    return block * (number * (i / block) + copy) + i % block;
  }
  /// Owned entries.
  void take(const Vector &all, const int copy, Vector &one) const
  {
    one.zero_out_ghost_values();
    for (unsigned int i = 0; i < one.locally_owned_size(); ++i)
      one.local_element(i) = all.local_element(at(i, copy));
  }
  void put(const Vector &one, const int copy, const double factor, Vector &all) const
  {
    for (unsigned int i = 0; i < one.locally_owned_size(); ++i)
      all.local_element(at(i, copy)) = factor * one.local_element(i);
  }
  /// r = factor (product(c), product(s)), `layout` of a vector of the sector.
  template <class Product>
  void each(const Vector &u, const double factor, const Vector &layout, Vector &r, const Product &product) const
  {
    Vector one(layout), result(layout);
    r.zero_out_ghost_values();
    for (int copy = 0; copy < number; ++copy)
    {
      take(u, copy, one);
      result.zero_out_ghost_values();
      result = 0.;
      product(one, result);
      put(result, copy, factor, r);
    }
  }
};

/// Tᵀ (1 ⊗ A) T of the operator A of a sector without relations: T puts both copies of the high side where the relations of a motion say.
class AssembledSystem::MotionOperator : public JoinedOperator
{
public:
  /// All must outlive this.
  MotionOperator(const AssembledSystem &sector, const Operator &of_sector, const SiteRelations &relations, const SectorCopies &copies);
  bool symmetric() const override { return of_sector.symmetric(); }
  bool constant() const override { return false; }
  double stiffness_over_mass() const override { return of_sector.stiffness_over_mass(); }
  Vector new_vector() const override { return reduction.new_vector(); }
  int degree() const override { return of_sector.degree(); }
  bool thin() const override { return of_sector.thin(); }
  std::uint64_t kind() const override { return of_sector.kind(); }
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const override { return reduction.pattern().nodes; }
  int block() const override { return of_sector.block(); }
  const BlockPattern &pattern() const override { return reduction.pattern(); }
  std::vector<Vector> rigid_modes() const override;
  void assemble(const BlockMatrix &A) const override;
  void project(Vector &x) const override;
  void set() { changed(); }

  int copies() const override { return layout.number; }
  const Joint *joint() const override { return of_cut.get(); }
  const BlockPattern &pattern_of_one() const override { return within ? within->pattern() : of_sector.pattern(); }
  void assemble_one(const BlockMatrix &A) const override;
  std::size_t entry(const std::size_t i, const int copy) const override { return layout.at(int(i), copy); }

private:
  BlockPattern pattern_of_copies() const;
  /// Where relations other than the cut leave its sites alone.
  void find_joint(const SiteSubstitution &substitution);
  bool depend_alike(const SiteSubstitution &of_one, const SiteSubstitution &of_all) const;

  const AssembledSystem &sector;
  const Operator &of_sector;
  SectorCopies layout;
  BlockPattern of_copies;
  ReducedMatrix reduction;
  std::unique_ptr<SiteRelations> others;  ///< than the cut
  std::unique_ptr<ReducedMatrix> within;  ///< of them; nullptr: there are none
  std::unique_ptr<Joint> of_cut;
};

class AssembledSystem::Motion : public CyclicMotion, public KeepsTangents, private Unknowns
{
public:
  Motion(const AssembledSystem &sector, const MechanicalSystem &seen, int n);

  int diameters() const override { return n; }
  int copies() const override { return layout.number; }
  Vector sector(const Vector &u, int k) const override;
  Vector force(const Vector &c, const Vector &s) const override;
  Vector quarter(const Vector &u) const override;

  Vector new_vector() const override { return Vector(dofs); }
  void mass(const Vector &v, Vector &Mv) const override;
  void mass_solve(const Vector &p, Vector &v, double tolerance) const override;
  void stiffness(const Vector &q, const Vector &u, Vector &Ku, Part part) const override;
  void damping_force(const Vector &q, const Vector &v, Vector &f) const override;
  void add_load_stiffness(double t, const Vector &q, const Vector &u, Vector &Ku) const override;
  using MechanicalSystem::factor;
  /// Places q are of the sector, velocities at rest.
  std::shared_ptr<const LinearSolve> factor(const Linearisation &terms) const override;
  void impose(double t, Vector &q, Vector &v, Vector &a) const override;
  void project(Vector &r) const override;
  void project_prescribed(Vector &r) const override;
  double dissipation(const Vector &q, const Vector &v) const override;
  bool has(Feature feature) const override;
  const Unknowns &unknowns() const override { return *this; }
  const Diagnosis &diagnosis() const override { return seen.diagnosis(); }

  // Of what is not linear about a state there is no answer: std::logic_error.
  double potential(const Vector &q) const override;
  ForceReport internal_force(const Vector &q, Vector &f) const override;
  void third_derivative(const Vector &q, const Vector &a, Vector &r, Part part) const override;
  ForceReport discrete_gradient(const Vector &q0, const Vector &q1, Vector &f) const override;
  void applied_force(double t, const Vector &q, const Vector &v, Vector &f) const override;

private:
  class Solve;
  void forget() override;
  std::vector<std::uint64_t> identities() const override;
  std::vector<std::string> momenta() const override { return of_sector.parts.space->momenta(); }
  /// The part of the motion of the whole that has n nodal diameters.
  void generator(std::size_t i, const Vector &q, Vector &xi) const override;
  double norm(const Vector &f) const override;

  double phase() const { return n * of_sector.parts.cyclic->angle(); }
  std::vector<SiteRelation> relations_of_copies() const;
  std::vector<SiteRelations::Massless> massless_of_copies() const;
  template <class Product>
  void by_copies(const Vector &u, const double factor, Vector &r, const Product &product) const
  {
    layout.each(u, factor, of_sector.new_vector(), r, product);
  }
  void project_supports(Vector &r) const;
  /// A translation and a rotation about the point of the axis, of the sector.
  void rigid(const Place &translation, const Place &rotation, const Vector &q, Vector &xi) const;

  const AssembledSystem &of_sector;
  const MechanicalSystem &seen;
  int n;
  SectorCopies layout;
  double weight;  ///< sectors for each copy
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> sites, dofs;
  std::unique_ptr<SiteRelations> relations;
  std::shared_ptr<LinearSolver> solver;

  mutable std::unique_ptr<Operator> op;
  mutable std::unique_ptr<MotionOperator> solved;
  mutable std::uint64_t number = 0;  ///< of linearisations
  mutable bool is_set_up = false;
};
}  // namespace symdyn
