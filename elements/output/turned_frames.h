#pragma once
#include <functional>

#include "elements/cyclic_symmetry.h"
#include "elements/files/node_files.h"

namespace symdyn
{
/// The frames of `sectors` sectors in one, each turned to its place, with its field `displacement` alone. `frame`: of sector k in its own
/// axes.
NodeFrame turned_frames(const CyclicSymmetry &whole, int sectors, const std::function<NodeFrame(int k)> &frame);
}  // namespace symdyn
