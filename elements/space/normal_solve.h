#pragma once
#include <deal.II/lac/full_matrix.h>

#include <vector>

#include "elements/space/relation_elimination.h"

namespace symdyn
{
/// y = (1 + Wᵀ W)⁻¹ g of a sparse W, as it stands in projections onto { (u, y) : u = W y }; 0 takes the place of 1 in columns that have
/// nothing of their own. Rows that share columns are solved together: small groups, and those of few rows or of few columns, densely; the
/// others by conjugate gradients with the diagonal. Groups with the same numbers, such as the directions of ties, are solved side by side.
class NormalSolve
{
public:
  /// `bare`: columns that have nothing of their own; empty: none. Those of a group must be linearly independent in W.
  NormalSolve(SparseRows W, int columns, std::vector<char> bare = {});
  /// `rounding`: sqrt(r·D⁻¹r) of the rest r of a group, D the diagonal, that does not count. Errors: ComputationError where the iteration
  /// does not converge.
  void solve(const std::vector<double> &g, std::vector<double> &y, double rounding = 0) const;

private:
  /// Rows and columns that no other group has.
  struct Group
  {
    std::vector<int> rows, columns;
    bool by_columns = true;              ///< inverse: of 1 + Wᵀ W, else of 1 + W Wᵀ
    dealii::FullMatrix<double> inverse;  ///< empty: 1 x 1, and `single` is it
    double single = 1;
  };
  /// Groups of the same W, in whose rows and columns they stand one after the other: columns[k copies + copy].
  struct Alike
  {
    SparseRows W, transposed;
    int copies = 1;
    std::vector<int> columns;
    std::vector<double> own, inverse_diagonal;
    bool has(const Alike &other) const
    {
      return W.start == other.W.start && W.column == other.W.column && W.value == other.W.value && own == other.own;
    }
  };
  Alike alone(const Group &group) const;
  template <int lanes>
  void solve(const Alike &groups, const std::vector<double> &g, double rounding, std::vector<double> &y) const;
  void add_loose(const Group &group);
  void find_groups();
  /// Of the diagonal, beside Wᵀ W.
  double own(const int column) const { return bare.empty() || !bare[column] ? 1. : 0.; }
  void invert(Group &group);
  void solve_densely(const Group &group, const std::vector<double> &g, std::vector<double> &y) const;
  /// Of groups side by side, as many as the processor takes at a time; where there are fewer, zeros.
  template <int lanes>
  static void iterate(const Alike &groups, std::vector<double> r, double rounding, std::vector<double> &y);

  SparseRows W;
  int columns;
  std::vector<char> bare;
  std::vector<Group> dense;
  std::vector<Alike> loose;  ///< of the iteration
};
}  // namespace symdyn
