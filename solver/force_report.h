#pragma once
#include <limits>

#include "solver/vector.h"

namespace symdyn
{
/// Of a force that has been evaluated: what is known of the q where it was.
struct ForceReport
{
  double smallest = std::numeric_limits<double>::infinity();  ///< on this rank: det F of cells; infinite where nothing can be inverted
  MPI_Comm communicator = MPI_COMM_SELF;
  /// Whether q may be a state: no cell of any rank is inverted. Collective; costs a reduction.
  bool admissible() const;
};
}  // namespace symdyn
