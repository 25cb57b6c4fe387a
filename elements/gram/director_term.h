#pragma once
#include <string>
#include <vector>

#include "elements/gram/gram_term.h"

namespace symdyn
{
/// What keeps elastic directors in shape. A state with a director shorter than 1/2 or longer than 2 is none that a structure could have:
/// its force is without meaning.
class DirectorTerm : public GramTerm
{
public:
  /// `planned`: directors of the nodes that stand at `places`. `linear`: as of GramTerm.
  DirectorTerm(const Make &planned, const PlannedSites &sites, const std::vector<GramVector> &places, bool linear = false);

  std::string diagnose(const Vector &q) const override;
  /// The largest |d_i·d_j - delta_ij|. Collective.
  double error(const Vector &q) const;

private:
  /// Positive where all lengths are admissible.
  Wide margin(const std::vector<Triple<Wide>> &y) const override;

  std::vector<GramVector> at;  ///< of the nodes that this rank counts
};
}  // namespace symdyn
