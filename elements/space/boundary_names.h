#pragma once
#include <string>
#include <vector>

#include "solver/parameters.h"

namespace symdyn
{
/// Errors: InputError for a name that a list of boundaries has twice: its faces would count twice.
inline void refuse_repeated(const Parameters &p, const std::string &entry, const std::vector<std::string> &names)
{
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j])
        p.fail(entry, "names '" + names[i] + "' twice. Name each boundary once");
}
}  // namespace symdyn
