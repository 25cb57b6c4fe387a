#include "solver/dynamics/start_projection.h"

#include <algorithm>
#include <utility>

namespace symdyn
{
StartProjection declare_start_projection(Parameters &p)
{
  std::string text = "no";
  p.add("Project", text,
        "of exact: `yes` moves the start onto the constraints, positions and velocities; `velocities` keeps the positions; `no`");
  for (const auto &[what, words] : {std::pair<StartProjection, std::vector<std::string>>{StartProjection::none, {"no", "false", "off"}},
                                    {StartProjection::velocities, {"velocities"}},
                                    {StartProjection::all, {"yes", "true", "on"}}})
    if (std::count(words.begin(), words.end(), text) > 0)
      return what;
  p.fail("Project", "must be yes, velocities or no");
}
}  // namespace symdyn
