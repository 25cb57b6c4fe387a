#pragma once
#include <array>

#include "elements/space/discretisation.h"
#include "solver/block_matrix.h"

namespace symdyn
{
/// The blocks that the cells of a mesh couple. Rows of owned nodes are complete on their rank: ghost cells are assembled too,
/// so no matrix entry ever travels.
template <int dim>
BlockPattern make_pattern(const Discretisation<dim> &mesh);

/// Assembles weighted sums of cell stiffness and mass straight into a solver's matrix through precomputed positions.
template <int dim>
class TangentAssembly
{
public:
  TangentAssembly(const Discretisation<dim> &mesh, const BlockPattern &pattern);

  /// A = 0
  static void clear(const BlockMatrix &A);
  /// The blocks of the cells of one batch, as CellKernels gives them; false if they add nothing.
  using CellTangent = std::function<bool(const CellRegion<dim> &region, std::size_t batch, Wide *K)>;
  /// A += k sum of the cells' K, symmetric: blocks of node pairs a <= b.
  void add_symmetric(double k, const CellTangent &cell_tangent, const BlockMatrix &A) const;
  /// The same of unsymmetric K: blocks of all pairs.
  void add_unsymmetric(double k, const CellTangent &cell_tangent, const BlockMatrix &A) const;
  /// A += k V''(q). `material` of a material id.
  void add_stiffness(const Vector &q, double k, const std::function<const Material &(unsigned int)> &material, const BlockMatrix &A) const;
  /// Diagonal of A on the owned degrees of freedom.
  static std::vector<double> diagonal(const BlockMatrix &A);

  /// Of the pattern that it is made for.
  const std::shared_ptr<const char> &pattern_identity() const { return identity; }

private:
  template <bool all_pairs>
  void add(double k, const CellTangent &cell_tangent, const BlockMatrix &A) const;
  template <bool all_pairs>
  void add_region(const CellRegion<dim> &region, const std::vector<int> &position, double k, const CellTangent &cell_tangent,
                  const BlockMatrix &A) const;

  const Discretisation<dim> &mesh;
  const BlockPattern &pattern;
  std::shared_ptr<const char> identity;
  std::vector<std::vector<int>> position;  // [region][batch][lane][a][b]; meaningless where row a is not owned
};
}  // namespace symdyn
