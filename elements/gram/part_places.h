#pragma once
#include <string>
#include <vector>

#include "elements/gram/director_nodes.h"
#include "solver/parameters.h"

namespace symdyn
{
/// Places of the ends of beams: points or nodes of a mesh by their name, or by where they are; elsewhere a place of its own, which all
/// beams share that end there (SitePlan::shared).
class PartPlaces
{
public:
  struct End
  {
    SitePlan::Site site;
    Place position;
  };
  /// `entry` of `p`: a name, or three numbers [m]. Errors: InputError with the place in the deck.
  End find(SitePlan &plan, const std::vector<std::string> &given, const std::string &entry, const Parameters &p);

private:
  std::vector<End> appended;
};
}  // namespace symdyn
