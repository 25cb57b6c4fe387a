#pragma once
#include <memory>
#include <vector>

#include "elements/space.h"
#include "elements/term.h"

namespace symdyn
{
/// The blocks that terms couple, and those on the diagonal. Rows of owned sites are complete on their rank, so no matrix entry ever
/// travels.
BlockPattern make_pattern(const Space &space, const std::vector<std::shared_ptr<Term>> &terms, Part part = Part::all);
}  // namespace symdyn
