#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "solver/integrator.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Declares the entry `base`, a scheme that another one is made of, with a section of its name for its parameters; any but `excluded`.
inline std::unique_ptr<Integrator> declare_base(Parameters &p, std::string &base, const std::string &help,
                                                const std::vector<std::string> &excluded)
{
  auto &registry = Registry<Integrator>::instance();
  std::vector<std::string> choices = registry.names();
  const auto is_excluded = [&](const std::string &name) { return std::count(excluded.begin(), excluded.end(), name) > 0; };
  choices.erase(std::remove_if(choices.begin(), choices.end(), is_excluded), choices.end());
  p.add("base", base, help + "; its parameters stand in a subsection of its name inside this one", choices);
  for (const std::string &other : choices)
    if (other != base)
      if (Parameters unused = p.inactive_section(other); unused.exists())
        registry.make(other)->declare(unused);
  auto made = registry.make(base);
  Parameters own = p.section(base);
  made->declare(own);
  return made;
}
}  // namespace symdyn
