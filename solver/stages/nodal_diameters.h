#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solver/cyclic.h"
#include "solver/parameters.h"

namespace symdyn
{
/// The entry Nodal diameters of a stage.
class NodalDiameters
{
public:
  void declare(Parameters &p);
  /// 0 <= n <= N/2, ascending. Errors: InputError for others, and where there are no sectors (nullptr).
  std::vector<int> of(const CyclicSector *sector) const;

private:
  std::optional<Parameters> deck;
  std::vector<std::string> given{"all"};
};
}  // namespace symdyn
