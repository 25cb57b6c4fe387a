#pragma once
#include <vector>

#include "elements/site_plan.h"

namespace symdyn
{
/// The sites of the nodes of the surface of a deck (SitePlan::shared): their numbers, or beside a solid what it says of them.
class SurfaceSites
{
public:
  void set(std::vector<SitePlan::Site> sites) { of_nodes = std::move(sites); }
  SitePlan::Site operator()(const unsigned int node) const { return of_nodes.empty() ? SitePlan::Site(node) : of_nodes[node]; }

private:
  std::vector<SitePlan::Site> of_nodes;
};
}  // namespace symdyn
