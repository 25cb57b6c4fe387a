#include "elements/contact/face_memory.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace symdyn
{
FaceMemory::FaceMemory(std::vector<Face> given, const MPI_Comm communicator) : faces(std::move(given))
{
  for (const Face &face : faces)
  {
    starts.push_back(end);
    end += face.doubles;
    block = std::max(block, face.doubles);
  }
  block = dealii::Utilities::MPI::max(block, communicator);
  for (const bool owned : {true, false})
    for (std::size_t face = 0; face < faces.size(); ++face)
      if (faces[face].owned == owned)
        order.push_back(face);
}

std::size_t FaceMemory::size() const
{
  constexpr std::size_t aligned = 8;  // doubles: 64 bytes, which no Wide exceeds
  return (end + aligned - 1) / aligned * aligned;
}

TermHistory::HistoryBlocks FaceMemory::blocks() const
{
  TermHistory::HistoryBlocks all;
  all.doubles = int(block);
  for (const std::size_t face : order)
  {
    all.identities.push_back(faces[face].identity);
    all.owned += faces[face].owned;
  }
  return all;
}

void FaceMemory::pack(const double *history, std::vector<double> &blocks) const
{
  blocks.clear();
  for (const std::size_t face : order)
    if (faces[face].owned)
    {
      const std::size_t end_of_block = blocks.size() + block;
      blocks.insert(blocks.end(), history + starts[face], history + starts[face] + faces[face].doubles);
      blocks.resize(end_of_block, 0.);
    }
}

void FaceMemory::unpack(const std::vector<double> &blocks, double *history) const
{
  if (blocks.size() != order.size() * block)
    throw std::logic_error("the history of another number of faces");
  std::fill_n(history, size(), 0.);
  for (std::size_t i = 0; i < order.size(); ++i)
    std::copy_n(blocks.begin() + i * block, faces[order[i]].doubles, history + starts[order[i]]);
}
}  // namespace symdyn
