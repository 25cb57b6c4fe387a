#pragma once
#include <deal.II/lac/full_matrix.h>

#include <vector>

#include "elements/space/relation_elimination.h"

namespace symdyn
{
/// y = (1 + Wᵀ W)⁻¹ g of a sparse W, as it stands in projections onto { (u, y) : u = W y }; 0 takes the place of 1 in columns that have
/// nothing of their own. Rows that share columns are solved together: small groups, and those of few rows or of few columns, densely; the
/// others by conjugate gradients with the diagonal.
class NormalSolve
{
public:
  /// `bare`: columns that have nothing of their own; empty: none. Those of a group must be linearly independent in W.
  NormalSolve(SparseRows W, int columns, std::vector<char> bare = {});
  /// Errors: ComputationError where the iteration does not converge.
  void solve(const std::vector<double> &g, std::vector<double> &y) const;

private:
  /// Rows and columns that no other group has.
  struct Group
  {
    std::vector<int> rows, columns;
    bool by_columns = true;              ///< inverse: of 1 + Wᵀ W, else of 1 + W Wᵀ
    dealii::FullMatrix<double> inverse;  ///< empty: 1 x 1, and `single` is it
    double single = 1;
  };
  void find_groups();
  /// Of the diagonal, beside Wᵀ W.
  double own(const int column) const { return bare.empty() || !bare[column] ? 1. : 0.; }
  void invert(Group &group);
  void solve_densely(const Group &group, const std::vector<double> &g, std::vector<double> &y) const;
  void iterate(const std::vector<double> &g, std::vector<double> &y) const;
  void multiply(const std::vector<double> &y, std::vector<double> &z) const;

  SparseRows W;
  int columns;
  std::vector<char> bare;
  std::vector<Group> dense;
  std::vector<int> loose_rows, loose_columns;  ///< of the iteration
  std::vector<double> inverse_diagonal;
};
}  // namespace symdyn
