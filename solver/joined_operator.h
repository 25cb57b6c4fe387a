#pragma once
#include <utility>
#include <vector>

#include "solver/linear_operator.h"

namespace symdyn
{
/// Tᵀ (1 ⊗ A) T: copies of a symmetric operator A that are joined at an interface. Where T changes no other entry, a factorisation of one
/// copy serves all.
class JoinedOperator : public LinearOperator
{
public:
  /// x = T y at the interface. Entry k of copy c has the number c * interface.size() + k.
  struct Joint
  {
    std::vector<int> interface;                                ///< owned entries of vectors of A, ascending
    std::vector<int> independent;                              ///< numbers of the entries that y has there
    std::vector<std::vector<std::pair<int, double>>> entries;  ///< of each number: places in `independent`, and factors
  };

  virtual int copies() const = 0;
  /// nullptr: T has other entries, too.
  virtual const Joint *joint() const = 0;
  virtual const BlockPattern &pattern_of_one() const = 0;
  virtual void assemble_one(const BlockMatrix &A) const = 0;
  /// Where entry i of a copy stands in a vector of all.
  virtual std::size_t entry(std::size_t i, int copy) const = 0;
};
}  // namespace symdyn
