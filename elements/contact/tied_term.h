#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/contact/segments.h"
#include "elements/contact/touching.h"
#include "elements/space.h"

namespace symdyn
{
/// Two boundaries that an elastic layer holds together, by segments of the undeformed body.
struct TiedPair
{
  std::string name;                 ///< as the deck calls it
  double stiffness = 0, aside = 0;  ///< k along the normal, k_t in the surface [Pa/m]
  SegmentSurface first, second;     ///< no faces where this rank does not know all nodes
  double apart = 0;                 ///< faces farther apart, or deeper in each other, are not tied [m]
  double height = 0;                ///< of the smallest cell [m]
  int points = 4;
};

/// V = sum_q w_q (k (n·w)² + k_t |w - (n·w) n|²)/2, w = u_x - u_y, n the undeformed normal, over points x of the first boundary and y of
/// the second that stood before each other, w_q the undeformed area. P is kept; J, where x and y were at one place and k_t = k. Pinned by
/// ContactTied.*.
class TiedTerm : public TouchingTerm
{
public:
  TiedTerm(TiedPair pair, std::shared_ptr<const Space> space);

  Traits traits() const override;
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override;
  double energy_scale() const override;
  ContactSums sums(const Vector &q, const double *) const override;
  bool has_rows() const override { return true; }
  std::vector<ContactRow> rows(const Vector &q, const double *history) const override;
  ContactMemory memory() const override;
  void add_fields(const Vector &q, const double *, SurfaceSums &sums) const override;
  /// How far apart the points of this rank were at most [m].
  double farthest() const;

private:
  /// A site's share of u_x - u_y.
  struct Share
  {
    int site;
    double of;
  };
  struct Point
  {
    std::vector<Share> shares;
    bool owned;
    double dA;
    Place X, r, n;  ///< undeformed: of x, x - y, the outward normal at y
    int face;       ///< of x
  };
  Point point_of(const SegmentPoint &found) const;
  Place parted(const Point &point, const Vector &u) const;
  /// Of w = u_x - u_y: k (n·w) n + k_t (w - (n·w) n).
  Place traction(const Point &point, const Place &w) const;
  void add(const Point &point, double factor, const Place &F, Vector &r) const;

  TiedPair pair;
  std::shared_ptr<const Space> space;
  int n;
  std::vector<Point> points;
};
}  // namespace symdyn
