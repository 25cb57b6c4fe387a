#pragma once
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "elements/gram/hinge_names.h"
#include "elements/lumped/constraint_set.h"
#include "elements/site_plan.h"
#include "elements/site_supports.h"

namespace symdyn
{
/// Directors at a constant angle: g = d_i·d_j - D_i·D_j of pairs that are of two frames (DirectorFrames), as hinges about one axis have
/// them
/// [-]. Those whose g supports keep are left out. Every rank knows all of them.
class DirectorConstraints : public ConstraintSet
{
public:
  using Supports = std::vector<std::shared_ptr<const SiteSupports>>;
  using Pairs = std::set<std::pair<SitePlan::Site, SitePlan::Site>>;
  /// `where`: the deck asks for them. Collective. Errors: InputError for a support that is inclined.
  static std::shared_ptr<const DirectorConstraints> make(const Pairs &pairs, const PlannedSites &sites, const Supports &supports,
                                                         HingeNames &names, const std::string &where);

  void gather(const Vector &x, std::vector<double> &w) const override;
  void scatter_all(const std::vector<double> &w, Vector &x) const override;

private:
  struct Directors
  {
    std::vector<double> positions;        ///< of all directors, three each
    std::vector<char> held;               ///< of their coordinates
    std::vector<int> owned;               ///< local site of a director; -1: of another rank
    std::map<SitePlan::Site, int> place;  ///< of a director in these lists
    /// d_i·d_j at rest, and how fast it changes with what is free.
    double product(int i, int j) const;
    double free_slope(int i, int j) const;
  };
  static Directors find(const Pairs &pairs, const PlannedSites &sites, const Supports &supports, const std::string &where);
  DirectorConstraints(std::vector<std::shared_ptr<const Constraint>> constraints, const Directors &all, MPI_Comm communicator)
      : ConstraintSet(std::move(constraints), all.positions, all.held), owned(all.owned), communicator(communicator)
  {
  }

  std::vector<int> owned;
  MPI_Comm communicator;
};
}  // namespace symdyn
