#pragma once
#include <array>
#include <memory>
#include <vector>

#include "elements/space/director_frames.h"
#include "solver/linear_operator.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Lᵀ (A - k sum lambda g'') N of an operator A on motions along exact directors, u = N(q) y, L = N where forces across these act: at q, or
/// at another place. The unknowns of a node stand at its leader (DirectorFrames); what is left of its directors has a multiple of the
/// identity.
class DirectorOperator : public LinearOperator
{
public:
  /// Both must outlive this. Collective.
  DirectorOperator(const LinearOperator &full, const DirectorFrames &frames);
  /// Of the term that is A. Forces act across directors as LinearTerm says.
  void set(const LinearTerm &term);
  /// y = Lᵀ r and x = N y, from and to vectors of the system.
  void reduce(const Vector &r, Vector &y) const;
  void expand(const Vector &y, Vector &x) const;
  /// y <- y - k sum lambda g'' x, of the system, less what is across the constraints then.
  void finish_product(const Vector &x, Vector &y) const;

  bool symmetric() const override { return rows_at_q && full.symmetric(); }
  bool constant() const override { return false; }
  double stiffness_over_mass() const override { return full.stiffness_over_mass(); }
  Vector new_vector() const override { return Vector(dofs); }
  int degree() const override { return full.degree(); }
  bool thin() const override { return full.thin(); }
  std::uint64_t kind() const override { return full.kind(); }
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const override { return reduced.nodes; }
  int block() const override { return 3; }
  const BlockPattern &pattern() const override { return reduced; }
  /// Another one than that of A: a solver must not take one for the other.
  std::uint64_t revision() const override { return full.revision() | (std::uint64_t(1) << 63); }
  std::vector<Vector> rigid_modes() const override;
  void assemble(const BlockMatrix &A) const override;
  void project(Vector &x) const override;

private:
  using Sites = dealii::Utilities::MPI::Partitioner;
  void find_leaders();
  void make_pattern();
  /// L or N of a local site of A by rows; the identity where it does not turn.
  std::array<double, 9> basis(const DirectorFrames::Columns &columns, int site) const;
  const DirectorFrames::Columns &rows() const { return rows_at_q ? N : L; }
  void add_curvature(const BlockMatrix &A) const;
  /// What no unknown stands for.
  void hold(const BlockMatrix &A) const;

  const LinearOperator &full;
  const DirectorFrames &frames;
  std::vector<char> turns;  ///< of local sites of A: N is not the identity
  std::vector<int> leader;  ///< of local sites of A: local in `reduced`
  BlockPattern reduced;
  std::shared_ptr<const Sites> dofs;
  std::vector<int> slots;  ///< of the blocks of A, row by row: positions in `reduced`
  Vector at, force;        ///< where forces act
  double k = 0;            ///< of the curvature
  bool rows_at_q = true;
  DirectorFrames::Columns L, N;  ///< at local sites of A
};
}  // namespace symdyn
