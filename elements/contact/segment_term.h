#pragma once
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "elements/contact/arrow.h"
#include "elements/contact/friction/rubbing_surfaces.h"
#include "elements/contact/laws/contact_law.h"
#include "elements/contact/multiplier_term.h"
#include "elements/contact/segments.h"
#include "elements/space.h"
#include "elements/special_terms.h"

namespace symdyn
{
/// Two boundaries that touch each other, by segments.
struct SegmentPair
{
  std::string name, first_name, second_name;  ///< as the deck calls them
  std::shared_ptr<const ContactLaw> law;
  SegmentSurface first, second;  ///< no faces where this rank does not know all nodes
  double clearance = 0;          ///< added to the gap [m]
  double face = 0, height = 0;   ///< the smallest size of a face, and of a cell over them [m]
  int points = 4;
  bool of_nodes = false;                ///< nodes of the first against faces of the second
  std::set<int> alone = {};             ///< local sites of those nodes, where they stand on no face of their own
  double deep = 0;                      ///< of laws with multipliers: what a mean gap may be [m]
  ProxySurface rubbing;                 ///< with friction: both boundaries, numbered as here
  std::function<double()> fading = {};  ///< 1 - s, the part of overlaps at the start that is taken back; none: 0
  bool even = false;                    ///< the gap of the undeformed body is `clearance` everywhere
};

/// V = sum_q w_q Phi(g_q) over points q of what faces of both boundaries cover of each other (SegmentPoint), w_q the undeformed area:
///     g = n·r + clearance + fading d,   r = x - y,   n = N/|N|,   N = o t_1 × t_2,   t_i = sum_b dM_b/ds_i x_b      (in 2-D t_2 = e_z)
/// o: the sign of the outward normal of the second face; d: how far x and y overlap in the undeformed body, <-(n·r + clearance)> there.
/// Points and their shape functions are those of the last search: between searches V is as smooth as the law, and does not change with
/// rigid motions. With r' = (r - (n·r) n)/|N|,
///     dV/dx = Phi' n = -dV/dy,   dV/dt_1 = Phi' o t_2 × r',   dV/dt_2 = Phi' o r' × t_1
/// Derivatives of these by Series. Two flat faces under one pressure bear it exactly (patch test). Pinned by ContactPairs.* and
/// ContactSegments.*.
///
/// Discrete gradient: add_middle_gradient.
class SegmentTerm : public MultiplierTerm, public RubbingSurfaces, public KickingTerm, public ComingTerm, public WaysTerm
{
public:
  SegmentTerm(SegmentPair pair, std::shared_ptr<const Space> space);

  Traits traits() const override;
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_second_product(const At &at, const Vector &a, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override;
  std::uint64_t revision() const override { return changes; }
  void search(const Vector &q) override;
  double largest_step(const Vector &q, const Vector &dq) const override;
  double free_part(const Vector &q, const Vector &dq) const override;
  double energy_scale() const override;
  std::string diagnose(const Vector &q) const override;
  void each_touch(const Vector &q, bool owned_only, const std::function<void(const Touch &)> &visit) const override;
  ContactSums sums(const Vector &q, const double *history) const override;
  void add_fields(const Vector &q, const double *history, SurfaceSums &sums) const override;

  std::vector<Pressed> pressed(const Vector &q, const double *history, Pieces pieces) const override;
  bool keeps_partners() const override { return false; }
  const ProxySurface &surface() const override { return pair.rubbing; }
  double share_of(const int side) const override { return side == 0 ? 1. : 0.; }
  bool are_two() const override { return true; }
  const Space &sites() const override { return *space; }
  const std::vector<int> &sites_of_surfaces() const override { return all_sites; }

private:
  static constexpr double longest_way = 0.5;  ///< of a step, in faces, without a closer look
  static constexpr double of_cell = 0.5;      ///< the depth that laws without a limit admit, in heights of a cell
  /// x, y, t_1, t_2, or forces on them.
  template <class T>
  using Frame = std::array<Arrow<T>, 4>;
  /// A site's shares in a frame.
  struct Share
  {
    int site;
    std::array<double, 4> of;
  };

  double coming(const At &at) const override;
  std::string if_slow(const Vector &q) const override;
  ContactMemory memory() const override;
  std::pair<double, Place> too_deep(const Vector &q) const override;
  std::array<std::string, 2> sides() const override { return {pair.first_name, pair.second_name}; }
  bool has_rows() const override { return true; }
  std::vector<ContactRow> rows(const Vector &q, const double *history) const override;
  void find_lever();
  bool rubs() const { return !pair.rubbing.faces.empty(); }
  /// s of a point's face.
  double shift_of(const SegmentPoint &point, const double *history) const { return shift(history, point.face); }
  void each_gap(const Vector &q, const VisitGap &visit) const override;
  /// Points of the segments are at most so far apart [m].
  double margin() const;
  std::array<int, 3> nearest_piece(const Place &x, const std::set<int> &others, const Vector &q) const;
  std::vector<SegmentPoint> found_about(const Vector &q, double apart) const;
  std::vector<Share> shares(const SegmentPoint &point) const;
  /// u: nullptr: 0.
  Frame<double> frame(const SegmentPoint &point, const Vector *u, bool with_X) const;
  Frame<double> frame(const SegmentPoint &point, const Vector &u, const bool with_X) const { return frame(point, &u, with_X); }
  double added(const SegmentPoint &point) const
  {
    return pair.clearance + (pair.even ? point.overlap : pair.fading ? pair.fading() * point.overlap : 0.);
  }
  double gap(const SegmentPoint &point, const Frame<double> &at) const;
  template <class T>
  Frame<T> push(const SegmentPoint &point, const Frame<T> &at, double shift) const;
  /// Calls visit(point, frame at q) for points closer than the law reaches: of owned faces, or all.
  template <class Visit>
  void each_point(const Vector &q, const double *history, const bool owned_only, const Visit &visit) const
  {
    each_point(points, q, history, owned_only, visit);
  }
  template <class Visit>
  void each_point(const std::vector<SegmentPoint> &among, const Vector &q, const double *history, const bool owned_only,
                  const Visit &visit) const
  {
    for (const SegmentPoint &point : among)
      if (!owned_only || pair.first.owned[point.face])
        if (const Frame<double> at = frame(point, q, true); gap(point, at) < pair.law->reach() + shift_of(point, history))
          visit(point, at);
  }
  using RubbingSurfaces::add;
  void add(const SegmentPoint &point, double factor, const Frame<double> &F, Vector &r) const;
  template <int order>
  void add_derivative(const At &at, double factor, const Vector &u, Vector &r) const;
  void add_block(const SegmentPoint &point, const Frame<double> &at, double shift, double factor, const MatrixSink &sink) const;
  double least() const;
  bool serves(const Vector &q, const Vector &dq, const Vector &end) const;
  struct Slide
  {
    double length = 0;  ///< [m]
    Place at{};
  };
  /// The longest on this way of what touches at its end.
  Slide slide(const Vector &dq, const Vector &end) const;
  std::string refusal(const Vector &q, const Vector &dq) const override;
  std::vector<Place> places(const Vector &q) const;

  SegmentPair pair;
  std::shared_ptr<const Space> space;
  int n;
  std::vector<int> all_sites;  ///< ascending
  double lever = 0;            ///< of faces of shells: the largest sum of |weights| of directors in a place [m]
  /// Those of the step that led to a state: reports have its forces, not those of the next one.
  const std::vector<SegmentPoint> &reported() const { return of_step ? *of_step : points; }
  std::vector<SegmentPoint> points;
  std::optional<std::vector<SegmentPoint>> of_step;  ///< with which the last step was taken, for what reports its end
  mutable bool stepped = false;                      ///< a step was looked at since the last search
  std::vector<std::pair<int, int>> coupled;          ///< faces of the points
  std::vector<Place> searched;                       ///< where the sites were at the last search
  std::uint64_t changes = 0;
};
}  // namespace symdyn
