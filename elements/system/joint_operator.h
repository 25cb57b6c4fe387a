#pragma once
#include <map>

#include "elements/space/rigid_modes.h"
#include "elements/system/joint_system.h"

namespace symdyn
{
/// The sum of the terms of a linearised body, and of the points P Eᵀ A_points E P, P what supports leave; where equations tie points s GᵀG
/// more, which changes nothing on motions that obey them: those that do not, and may have no stiffness, get some.
class JointSystem::Operator : public LinearOperator
{
public:
  explicit Operator(const JointSystem &system);
  void set(const Linearisation &terms);

  bool symmetric() const override { return of_body->symmetric() && points_symmetric; }
  bool constant() const override;
  double stiffness_over_mass() const override;
  Vector new_vector() const override { return system.new_vector(); }
  int degree() const override { return of_body->degree(); }
  std::uint64_t kind() const override { return of_body->kind(); }
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const override { return system.layout.nodes(); }
  int block() const override { return system.layout.components(); }
  const BlockPattern &pattern() const override { return joint; }
  std::vector<Vector> rigid_modes() const override { return symdyn::rigid_modes(system); }
  void assemble(const BlockMatrix &A) const override;
  void project(Vector &x) const override { system.project_supports(x); }
  void multiply(const Vector &x, Vector &y) const override;

private:
  void make_pattern(const BlockPattern &body);
  void project_points();
  void tie_points();
  void add_body(const BlockMatrix &A) const;
  void add_points(const BlockMatrix &A) const;
  void hold_own(const BlockMatrix &A) const;

  const JointSystem &system;
  const LinearOperator *of_body = nullptr;
  BlockPattern joint, coupled;  ///< coupled: over points
  OwnedBlockMatrix of_points;
  bool points_symmetric = true;
  double mass_weight = 0;
  std::vector<double> mass_of_points;  ///< with that of the nodes of the body [kg]
  std::vector<int> body_to_joint;      ///< nodes of the body on this rank
};
}  // namespace symdyn
