#pragma once
#include <mpi.h>

#include <map>

#include "elements/files/node_files.h"

namespace symdyn
{
/// Points of cells that are one point of a frame, with the mean of what the cells have there.
class SharedPoints
{
public:
  /// `keys` of the points of the cells of this rank; those without a key are alone. Collective.
  SharedPoints(const std::vector<PointKey> &keys, MPI_Comm communicator);

  /// Each point takes the mean over the points of its key on all ranks; each of them counts the same. Collective.
  void average(NodeField &field) const;
  /// Keeps the first of the points of a key.
  void merge(NodeFrame &frame) const;

private:
  using Numbers = std::vector<std::int32_t>;
  /// Fills what ranks send. `known`: points by key.
  void find_common(const std::map<PointKey, std::int32_t> &known);
  /// Rows of `width` values of the points: sums over ranks.
  void add_other_ranks(std::vector<double> &rows, std::size_t width) const;

  MPI_Comm communicator;
  Numbers number;                        ///< of each point: the one that it is
  Numbers first;                         ///< of each of these: its first point
  std::map<unsigned int, Numbers> here,  ///< by rank that sums: points that others have, too
      summed;                            ///< by rank that has them: where this rank sums, in the same order
  std::size_t sums = 0;
};
}  // namespace symdyn
