#pragma once
#include <deal.II/lac/vector_memory.h>

#include "solver/vector.h"

namespace symdyn
{
/// A vector of the layout of another one whose memory is lent by deal.II's pool: a step that makes large vectors again each time spends
/// more time on pages that the kernel clears than on arithmetic. Its entries are not set.
class PooledVector
{
public:
  explicit PooledVector(const Vector &like) : lent(pool) { lent->reinit(like, true); }
  Vector &operator*() { return *lent; }
  Vector *operator->() { return lent.get(); }

private:
  dealii::GrowingVectorMemory<Vector> pool;
  dealii::VectorMemory<Vector>::Pointer lent;
};
}  // namespace symdyn
