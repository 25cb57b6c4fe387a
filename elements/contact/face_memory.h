#pragma once
#include <cstdint>
#include <vector>

#include "elements/term.h"

namespace symdyn
{
/// Numbers that a contact keeps of its faces, as a TermHistory has them.
class FaceMemory
{
public:
  struct Face
  {
    std::uint64_t identity;  ///< below 2^62, the same on any number of ranks
    bool owned;
    std::size_t doubles;
  };

  FaceMemory() = default;
  /// Collective.
  FaceMemory(std::vector<Face> faces, MPI_Comm communicator);

  std::size_t size() const;
  /// Where those of a face begin.
  std::size_t start(const std::size_t face) const { return starts[face]; }
  TermHistory::HistoryBlocks blocks() const;
  void pack(const double *history, std::vector<double> &blocks) const;
  /// What is beyond the numbers of a face, and all else, is 0.
  void unpack(const std::vector<double> &blocks, double *history) const;

private:
  std::vector<Face> faces;
  std::size_t end = 0, block = 0;   ///< block: of the largest face of all ranks
  std::vector<std::size_t> starts;  ///< of each face
  std::vector<std::size_t> order;   ///< owned faces, then the others
};
}  // namespace symdyn
