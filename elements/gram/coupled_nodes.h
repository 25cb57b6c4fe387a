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
  std::map<SitePlan::Site, std::string> moved;  ///< by what
  std::set<SitePlan::Site> averaged;            ///< references of distributing couplings
  std::set<SitePlan::Site> references;          ///< of all couplings
  std::set<SitePlan::Site> led;                 ///< nodes that turn with the reference of a rigid coupling, and move with it along all axes
};
}  // namespace symdyn
