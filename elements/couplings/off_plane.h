#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "elements/applied_load.h"
#include "elements/gram/gram_vector.h"
#include "elements/site_plan.h"
#include "solver/deck/formula/expression.h"
#include "solver/structure.h"

namespace symdyn
{
class OffPlaneReference;

/// References of distributing couplings that stand off the plane of their nodes, in rotations of any size, by their sites
/// (SitePlan::shared):
///     x = r + c_1 d_1 + c_2 d_2 + h n,   n = d_1 x d_2 / |d_1 x d_2|
/// The site of the reference moves as r + c_1 d_1 + c_2 d_2, which is linear.
struct OffPlaneReferences
{
  struct Reference
  {
    std::array<SitePlan::Site, 2> directors;
    std::array<GramVector, 2> rest;  ///< D_i
    double height;                   ///< h [m]
    std::string where;
  };
  std::map<SitePlan::Site, Reference> all;

  std::vector<std::pair<SitePlan::Site, OffPlaneReference>> in_system(const PlannedSites &sites) const;
};

/// Such a reference in a system.
class OffPlaneReference
{
public:
  OffPlaneReference(const OffPlaneReferences::Reference &reference, const PlannedSites &sites);

  /// What a force F on the reference does beside that on its site, of the work F·h dn:
  ///     f_i = h (dn/dd_i)ᵀ F;   f_1 = h d_2 x F' / |d_1 x d_2|,   f_2 = h F' x d_1 / |d_1 x d_2|,   F' = F - (n·F) n      [N m]
  void add_force(const GramVector &F, const Vector &q, double factor, Vector &f) const;
  bool is_counted_here() const { return owned; }
  /// act(row, column, df/dq) of it, where this rank knows both directors: symmetric, as a force that keeps its direction has a potential.
  void for_derivatives(const GramVector &F, const Vector &q, const std::function<void(int, int, double)> &act) const;

  /// h (n - N) and its derivatives by time [m], [m/s], [m/s²]. A State may lack v and a: they are 0. Collective.
  std::array<GramVector, 3> lift(const State &state) const;
  /// h dn of a displacement about a state; nullptr: at rest. Collective.
  GramVector lift(const State *about, const Vector &u) const;
  /// h (n - N) where both directors are known to this rank; ghost values of q are up to date.
  GramVector lift_here(const Vector &q) const;
  /// h n of all ranks. Collective.
  GramVector arm(const State &state) const;

private:
  /// Of a vector, its components at both directors, on every rank. Collective.
  std::array<GramVector, 2> gathered(const Vector &x) const;

  std::shared_ptr<const Space> space;
  std::array<GramVector, 2> D;  ///< directors at rest
  double height;
  std::array<int, 2> local;  ///< sites; -1: not known here
  bool owned;                ///< the first one
};

/// Forces of one name, some of which act on references off a plane: they follow how that turns.
class OffPlaneForces : public AppliedLoad
{
public:
  using Force = std::pair<std::shared_ptr<const OffPlaneReference>, std::vector<Expression>>;
  /// `on_sites`: what all of them are at their sites.
  OffPlaneForces(std::shared_ptr<const AppliedLoad> on_sites, std::vector<Force> raised)
      : on_sites(std::move(on_sites)), raised(std::move(raised))
  {
  }
  void add_force(const Moment &now, const Vector &q, double factor, Vector &f) const override;
  void add_matrix(const Moment &now, const Vector &q, double k, const MatrixSink &sink) const override;
  void add_stiffness(const Moment &now, const Vector &q, const Vector &u, double factor, Vector &Ku) const override;
  bool follows() const override { return true; }

private:
  std::shared_ptr<const AppliedLoad> on_sites;
  std::vector<Force> raised;
};
}  // namespace symdyn
