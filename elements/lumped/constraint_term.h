#pragma once
#include <memory>
#include <vector>

#include "elements/space.h"
#include "elements/term.h"
#include "solver/constraints.h"

namespace symdyn
{
/// V of ConstraintSprings, which stand for exact constraints in static and linear stages. In steps of a scheme it is zero.
class ConstraintTerm : public Term
{
public:
  /// `constraints` must outlive this. `carries`: tangents carry their forces on, as those of beams and shells do. Not
  /// ConstraintSprings::in_system where a rank knows a part of their coordinates. Collective.
  ConstraintTerm(const HolonomicConstraints &constraints, std::shared_ptr<const Space> space, bool carries);

  Traits traits() const override;
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_second_product(const At &at, const Vector &a, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void add_diagonal(const At &at, const Weights &weights, const BlockMatrix &D) const override;
  void couple(const Couple &join) const override;

private:
  /// k_i g_i - lambda_i at q, or as the motion from At::before leads there.
  std::vector<double> forces(const At &at, const std::vector<double> &u) const;
  /// add(i, j, entry of k V''), i and j local degrees of freedom.
  template <class Add>
  void visit_entries(const At &at, const Weights &weights, const Add &add) const;
  /// x += w at owned coordinates.
  void scatter(const std::vector<double> &w, Vector &x) const;

  const HolonomicConstraints &g;
  const ConstraintSprings &springs;
  std::shared_ptr<const Space> space;
  bool carries;
  std::vector<int> dof;                   ///< local, of each coordinate; -1: unknown here
  std::vector<std::vector<int>> coupled;  ///< local sites of each constraint
};
}  // namespace symdyn
