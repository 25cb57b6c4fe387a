#pragma once

namespace symdyn
{
/// What a deck says of masses, which parts may ask for while they plan (SitePlan::shared).
struct MassChoice
{
  bool lumped = false;  ///< a diagonal M, which explicit schemes need
};
}  // namespace symdyn
