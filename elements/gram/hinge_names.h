#pragma once
#include <map>
#include <string>

#include "elements/site_plan.h"

namespace symdyn
{
/// Names of hinges of beams, "girder.hinge_to", by the directors that a hinge has of its own (SitePlan::shared).
struct HingeNames
{
  std::map<SitePlan::Site, std::string> of;
  std::map<std::string, int> used;  ///< how many products of directors have a name

  /// Of the right angle between two directors, one of which a hinge has of its own; another one each time.
  std::string next(const SitePlan::Site a, const SitePlan::Site b)
  {
    std::string name = of.count(a) > 0 ? of.at(a) : "";
    if (of.count(b) > 0 && of.at(b) != name)
      name += (name.empty() ? "" : "-") + of.at(b);
    const int count = ++used[name];
    return count == 1 ? name : name + "_" + std::to_string(count);
  }
};
}  // namespace symdyn
