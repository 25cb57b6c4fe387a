#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "elements/applied_load.h"
#include "elements/lumped/point_sites.h"
#include "elements/site_supports.h"

namespace symdyn
{
/// Fixed points: components that rest, or move as the deck says.
class PointSupports : public SiteSupports
{
public:
  PointSupports(const LumpedParts &parts, std::shared_ptr<const PointSites> sites);
  void impose(double t, const Actions &actions, Vector &q, Vector &v, Vector &a) const override;
  void project(Vector &r) const override;
  const double *projector(const unsigned int site) const override { return at[site] < 0 ? nullptr : projectors[at[site]].data(); }
  bool any() const override { return any_held; }
  /// Where the deck has the fixed point of an owned site; "": it is none.
  std::string where(const int site) const
  {
    const auto found = std::find_if(held.begin(), held.end(), [site](const Held &one) { return one.site == site; });
    return found == held.end() ? "" : found->point.where;
  }
  bool moves() const override { return any_motion; }

private:
  struct Held
  {
    int site;
    LumpedPoint point;
  };
  std::shared_ptr<const PointSites> sites;
  int n;
  bool any_held = false, any_motion = false;  ///< on any rank
  std::vector<Held> held;                     ///< of owned sites
  std::vector<int> at;                        ///< of local sites: index into projectors, or -1
  std::vector<std::array<double, 9>> projectors;
};

/// The forces of one name.
class PointForces : public AppliedLoad
{
public:
  PointForces(const LumpedParts &parts, std::size_t name, std::shared_ptr<const PointSites> sites);
  void add_force(const Moment &now, const Vector &q, double factor, Vector &f) const override;

private:
  int n;
  std::vector<std::pair<int, std::vector<Expression>>> forces;  ///< owned site, force
};

/// Constraints between the coordinates of all points.
class PointConstraints : public ConstraintSet
{
public:
  /// `held`: of the coordinates of all points.
  PointConstraints(const std::vector<std::shared_ptr<const Constraint>> &given, const LumpedParts &parts, std::vector<char> held,
                   std::shared_ptr<const PointSites> sites)
      : ConstraintSet(given, parts.positions(), std::move(held)), sites(std::move(sites))
  {
  }
  void gather(const Vector &x, std::vector<double> &w) const override { w = sites->gather(x); }
  void scatter_all(const std::vector<double> &w, Vector &x) const override { sites->add(w.data(), x); }

private:
  std::shared_ptr<const PointSites> sites;
};
}  // namespace symdyn
