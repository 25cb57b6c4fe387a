#pragma once
#include <map>
#include <set>
#include <string>

#include "elements/site_plan.h"

namespace symdyn
{
/// Nodes that couplings move, of all couplings of a structure, and where.
struct CoupledNodes
{
  std::map<SitePlan::Site, std::string> moved, turned;  ///< by what; turned: references with a Rotation
  std::set<SitePlan::Site> averaged;                    ///< references of distributing couplings
};
}  // namespace symdyn
