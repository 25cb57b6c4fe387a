#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/block_matrix.h"
#include "solver/vector.h"

namespace symdyn
{
/// A linearised system A, symmetric positive definite as a rule, before any matrix is made of it: what a linear solver may ask
/// for. Acts on the free degrees of freedom; vectors are zero on the prescribed ones, where assembled matrices hold a multiple of
/// the identity (of the size of the diagonal, so that the condition does not suffer).
class LinearOperator
{
public:
  virtual ~LinearOperator() = default;
  virtual bool symmetric() const = 0;
  /// A is the same at every q: a factorisation serves the whole run.
  virtual bool constant() const = 0;
  /// Largest ratio of the stiffness to the mass part on the diagonal: beta h² omega² of the stiffest mode, about. Infinite
  /// without mass. Collective.
  virtual double stiffness_over_mass() const = 0;
  virtual Vector new_vector() const = 0;
  virtual int degree() const { return 1; }     ///< of the shape functions
  virtual bool thin() const { return false; }  ///< of lines and surfaces, whose factors stay small, and which multigrid does not suit
  /// Another number where A is of another kind: for other weights of its terms, so that a preconditioner of the last kind is of no use.
  virtual std::uint64_t kind() const { return 0; }

  /// Who owns which node, and components a node.
  virtual std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes() const = 0;
  virtual int block() const = 0;
  /// The blocks that A couples. Valid as long as revision() stays.
  virtual const BlockPattern &pattern() const = 0;
  /// Another number where other blocks couple: matrices and preconditioners are of no use any more.
  virtual std::uint64_t revision() const { return 0; }
  /// Rigid motions of the body on the free degrees of freedom, orthonormal: the near null space of K; may contain zeros.
  virtual std::vector<Vector> rigid_modes() const = 0;
  /// Writes A into a matrix with this pattern.
  virtual void assemble(const BlockMatrix &A) const = 0;
  /// Whether multiply() and diagonal() need no matrix.
  virtual bool matrix_free() const { return false; }
  /// Sets the prescribed degrees of freedom of x to zero: an inexact matrix couples them to the others where supports are inclined.
  virtual void project(Vector &x) const = 0;
  /// y = A x.
  virtual void multiply(const Vector &x, Vector &y) const;
  /// Writes the blocks on the diagonal into a matrix that has no others.
  virtual void diagonal(const BlockMatrix &D) const;

  /// The same system with shape functions of degree 1 on the same mesh; nullptr if there is none. Valid until A changes.
  virtual const LinearOperator *coarser() const { return nullptr; }
  /// fine = P coarse: the coarse field at the fine nodes.
  virtual void prolong(const Vector &coarse, Vector &fine) const;
  /// coarse = Pᵀ fine.
  virtual void restrict(const Vector &fine, Vector &coarse) const;

protected:
  /// A is another one from now on.
  void changed() { assembled = false; }

private:
  const OwnedBlockMatrix &own_matrix() const;

  mutable std::unique_ptr<OwnedBlockMatrix> matrix;  // where there is no other way to multiply
  mutable bool assembled = false;
  mutable std::uint64_t revision_of_matrix = 0;
};
}  // namespace symdyn
