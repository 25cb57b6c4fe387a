#pragma once
#include <deal.II/base/mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "elements/loads/turning_frame.h"
#include "elements/space.h"

namespace symdyn
{
/// The nodes of a structure around the axis of a frame that turns. Numbers are those of nodes over all ranks, by rank.
struct NodeRings
{
  using Ring = std::vector<std::pair<double, std::size_t>>;  ///< angle from directions(), number; ascending
  std::vector<std::size_t> on_axis;
  std::vector<Ring> rings;  ///< nodes of one radius and one place along the axis

  /// Collective.
  static NodeRings find(const Space &space, const TurningFrame &frame);
};

/// Of the nodes of this rank and of the others, by rank. Collective.
template <class T>
std::vector<T> gathered(const Space &space, const std::vector<T> &mine)
{
  std::vector<T> all;
  for (const std::vector<T> &of_rank : dealii::Utilities::MPI::all_gather(space.communicator(), mine))
    all.insert(all.end(), of_rank.begin(), of_rank.end());
  return all;
}
}  // namespace symdyn
