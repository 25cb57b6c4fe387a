#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/contact/laws/contact_law.h"
#include "elements/contact/multiplier_term.h"
#include "elements/contact/obstacles/obstacle.h"
#include "elements/mesh_faces.h"
#include "elements/space.h"

namespace symdyn
{
/// A surface against an obstacle.
struct ContactPair
{
  std::string name, surface, against;  ///< as the deck calls them
  std::shared_ptr<const Obstacle> obstacle;
  std::shared_ptr<const ContactLaw> law;
  std::vector<MeshFace> faces;  ///< that this rank knows
  int carrier = -1;             ///< local site of a moving obstacle, whose displacement is the site's; -1: it rests, or is not known here
  double clearance = 0;         ///< added to the gap [m]
  double deep = 0;              ///< of laws with multipliers: what a mean gap may be [m]
  std::string if_slow = {};     ///< the way out where Newton's method takes too many iterations; "": none is known
};

/// V = sum_q w_q Phi(g_q) over points q of the faces, w_q their undeformed area, g_q = g(X_q + u_q - u_o) + clearance the distance from the
/// obstacle. With s = n·a, n = g', H = g'':
///     f     = w Phi' n                      V'' a = w (Phi'' s n + Phi' H a)
///     V''' a a = w (Phi''' s² n + Phi'' (a·H a n + 2 s H a) + Phi' g'''[a, a])
/// each times N_a at the nodes, and against the obstacle's site where it moves. The discrete gradient of a point is D N, D = (Phi1 -
/// Phi0)/(g1 - g0) and N the mean normal. Pinned by Contact.ForceIsTheGradientOfVAndSoOn.
class ContactTerm : public MultiplierTerm, public FourthTerm
{
public:
  ContactTerm(ContactPair pair, std::shared_ptr<const Space> space);

  Traits traits() const override;
  double energy(const At &at) const override;
  double add_force(const At &at, Vector &f) const override;
  double add_discrete_gradient(const At &at, Vector &f) const override;
  void add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const override;
  void add_second_product(const At &at, const Vector &a, Vector &r) const override;
  void add_third_product(const At &at, const Vector &a, const Vector &b, Vector &r) const override;
  void add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const override;
  void couple(const Couple &join) const override;
  /// The part of the way on which no point goes deeper into the obstacle than a state may.
  double largest_step(const Vector &q, const Vector &dq) const override { return free_part(q, dq); }
  double free_part(const Vector &q, const Vector &dq) const override;
  double energy_scale() const override;
  std::string diagnose(const Vector &q) const override;

  void each_touch(const Vector &q, bool owned_only, const std::function<void(const Touch &)> &visit) const override;
  ContactSums sums(const Vector &q, const double *history) const override;
  void add_fields(const Vector &q, const double *history, SurfaceSums &sums) const override;
  /// p at a place of a face against the obstacle, and the normal there [Pa].
  double pressure(const MeshFace &face, const Place &x, const double *history, Place &n) const
  {
    return -pair.law->at(pair.obstacle->gap(x, n) + pair.clearance - shift_of(face, history))[1];
  }
  const ContactPair &parts() const { return pair; }
  /// Whether no point of a face is within reach of the obstacle: at once, true only if it is so.
  bool out_of_reach(const MeshFace &face, const Vector &q, const double *history = nullptr) const;
  /// Of a field u at a point of a face against the obstacle, or of its place.
  Place value(const MeshFace &face, std::size_t point, const Vector &u, bool with_X) const;
  /// r += w N_a F at the nodes, and the opposite at the obstacle's site.
  void add(const MeshFace &face, std::size_t point, const Place &F, Vector &r) const;
  /// A += w N_a N_b B between nodes, and so on with the obstacle's site.
  void add_block(const MeshFace &face, std::size_t point, const PlaceMatrix &B, const MatrixSink &sink) const;
  int dimension() const { return n; }
  const Space &sites() const { return *space; }

private:
  std::string if_slow(const Vector &q) const override { return sums(q, nullptr).points > 0 ? pair.if_slow : ""; }
  ContactMemory memory() const override;
  std::pair<double, Place> too_deep(const Vector &q) const override;
  std::array<std::string, 2> sides() const override { return {pair.surface, pair.against}; }
  struct Point
  {
    const MeshFace &face;
    std::size_t q;
    Place x;  ///< against the obstacle at its undeformed place
    double w;
    double s;  ///< the law is asked at the gap less this (MultiplierTerm)
  };
  /// Calls visit(point) for the points of owned faces that are within reach of the obstacle.
  template <class Visit>
  void each_point(const At &at, const Visit &visit) const
  {
    for (const MeshFace &face : pair.faces)
      if (face.owned && !out_of_reach(face, *at.q, at.from))
        for (std::size_t point = 0; point < face.points(); ++point)
          visit(Point{face, point, value(face, point, *at.q, true), face.dA[point], shift_of(face, at.from)});
  }
  void each_gap(const Vector &q, const VisitGap &visit) const override;
  /// s of the face.
  double shift_of(const MeshFace &face, const double *history) const { return shift(history, &face - pair.faces.data()); }
  PlaceMatrix block(const Point &point, const At &at) const;
  /// The gap that points keep over a cell of this height [m].
  double least(double height) const;
  double gap(const Place &x) const { return pair.obstacle->gap(x) + pair.clearance; }
  double free_part_of(const Place &x, const Place &w, double least) const;

  ContactPair pair;
  std::shared_ptr<const Space> space;
  int n;
};
}  // namespace symdyn
