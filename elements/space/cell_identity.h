#pragma once
#include <cstdint>

#include "elements/space/discretisation.h"
#include "solver/random.h"

namespace symdyn
{
/// A function of a cell's place in the refined coarse mesh, below 2^62, and of a number: 0 of the cell, 1 + face of its faces.
/// node_identities() has other ones.
template <class Cell>
std::uint64_t cell_identity(const Cell &cell, const std::uint32_t of = 0)
{
  const auto place = cell->id().template to_binary<Cell::AccessorType::dimension>();
  const PhiloxCounter bits = philox({place[0], place[1], place[2], place[3]}, {of, 1});
  return (std::uint64_t(bits[0]) << 32 | bits[1]) >> 2;
}
}  // namespace symdyn
