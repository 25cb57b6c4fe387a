#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "elements/contact/features/closest.h"
#include "elements/contact/features/edge_pairs.h"
#include "elements/contact/features/signed_features.h"
#include "elements/contact/friction/rubbing_surfaces.h"
#include "elements/contact/laws/contact_law.h"
#include "elements/contact/place_block.h"
#include "elements/contact/proxy_surface.h"
#include "elements/contact/touching.h"
#include "elements/space.h"
#include "elements/special_terms.h"
#include "elements/surfaces/box_search.h"

namespace symdyn
{
/// Two boundaries that touch each other, or one that touches itself.
struct TouchingSurfaces
{
  std::string name, first, second;  ///< as the deck calls them; second is "": the first touches itself
  std::shared_ptr<const ContactLaw> law;
  ProxySurface surface;  ///< `shift` of the gaps of both together deeper than the boundaries; no faces where this rank has no node of them
  double shift = 0;      ///< gap = distance - shift [m]
  double face = 0;       ///< size of the smallest face [m]
  double share = 0.5;    ///< of the area of a point: 1, where one surface alone has points
  double deep = -std::numeric_limits<double>::infinity();  ///< the gap that states keep, where the law has no least one [m]
};

/// V = sum_q w_q/2 sum_f c_f Phi(d_qf - shift) over points q of both surfaces and the features f (SignedFeatures) of the other one that
/// are near, d their distance, w_q the undeformed area. Faces that share a corner with the point's own are left out. With d = |r|, r =
/// sum_s C_s (X_s + u_s) over sites, n = r/d:
///     f_s = w c Phi' C_s n
///     V''_st = w c (Phi'' C_s C_t n nT + Phi' (C_s C_t (1 - n nT)/d - d sum_kl b_sk (G^-1)_kl b_tlT)),   b_sk = C'_sk n - C_s e_k/d
/// e_k: edges of the carrying corners from the first, G their Gram matrix, C' derivatives by their weights. V''' along the way of the
/// weights. V'' has jumps where the nearest feature changes. Sharp edges add what CrossedEdges has. Pinned by
/// ContactPairs.ForceIsTheGradientOfVAndSoOn.
///
/// Discrete gradient: add_middle_gradient.
class PairTerm : public TouchingTerm, public RubbingSurfaces, public KickingTerm, public WaysTerm
{
public:
  PairTerm(TouchingSurfaces surfaces, std::shared_ptr<const Space> space);

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
  ContactSums sums(const Vector &q, const double *) const override;
  void add_fields(const Vector &q, const double *, SurfaceSums &sums) const override;

  std::vector<Pressed> pressed(const Vector &q, const double *, Pieces) const override;
  bool keeps_partners() const override { return true; }
  const ProxySurface &surface() const override { return surfaces.surface; }
  double share_of(int) const override { return surfaces.share; }
  bool are_two() const override { return !surfaces.second.empty(); }
  const Space &sites() const override { return *space; }
  const std::vector<int> &sites_of_surfaces() const override { return all_sites; }

  /// How deep points of one surface are behind the other [m], at most by what the law reaches and a face, and the undeformed place of the
  /// deepest: over all ranks. Collective.
  std::pair<double, Place> overlap(const Vector &q) const { return overlap(q, reach() + surfaces.face); }

private:
  ContactMemory memory() const override;
  /// overlap(), at most by `within`.
  std::pair<double, Place> overlap(const Vector &q, double within) const;
  std::pair<double, Place> too_deep(const Vector &q) const override;
  std::array<std::string, 2> sides() const override { return {surfaces.first, surfaces.second}; }
  double slack(const Vector &q) const override { return slack(at_sites(q)); }
  /// Faces owned by this rank, faces with owned sites, and all that this rank stores.
  enum class Faces
  {
    owned,
    with_owned,
    all
  };
  /// A point of one surface and what carries the nearest place of the other.
  struct Touch
  {
    const ProxySurface::Face *face;
    int number;   ///< of the point
    double area;  ///< w_q times the share [m²]
    Closest nearest;
    double factor;  ///< c_f times the area
    const ProxySurface::Point &point() const { return face->points[number]; }
  };
  /// The feature all of whose corners carry the nearest place of one or several features, and how often these count together.
  struct Carrying
  {
    int feature, factor;
  };
  using Places = std::vector<Place>;
  /// Faces that have something near.
  struct Near
  {
    int face;
    std::vector<int> others;
    std::vector<EdgePair> crossings;  ///< of its sharp edges with those of the others
    bool has_owned = false;           ///< itself, or one of the others has sites of this rank
    bool operator==(const Near &other) const { return face == other.face && others == other.others; }
  };

  /// Outward, of a piece of a face where vertices are at v.
  Place normal_of(int face, int piece, const Places &v) const;
  /// too_deep(), at least, of one closed surface: where it is in itself, or bodies of it in each other.
  std::pair<double, Place> deep_in_itself(const Places &v) const;
  Places vertices(const Vector &q) const;
  /// Of those that are listed.
  Places listed(const Vector &u, bool with_X) const;
  std::array<Place, 3> corners_of(int feature, const Places &v) const;
  Box box_of(int feature, const Places &v) const;
  PointLanes points_of(const int face, const Vector &u, const bool with_X) const
  {
    PointLanes x;
    points[face].at(u.begin(), with_X, x);
    return x;
  }
  /// The touches of a face that count, point by point.
  struct Touches
  {
    int face;
    bool has_owned;  ///< Near
    bool known;
    bool has_candidates = false;
    std::vector<Carrying> candidates;  ///< features that may be in reach
    PointLanes x;                      ///< its points
    std::vector<Touch> all;
  };
  /// How far beyond the law's reach candidates are looked for [m].
  double skin() const { return skin_of_face * surfaces.face; }
  void find_candidates(const Near &one, const Places &v, Touches &found) const;
  void find_touches(const Near &one, const Places &v, std::vector<std::vector<Carrying>> &room, Touches &found) const;
  /// All that is closer than the law reaches, by faces, as far as they are needed. Features that cancel are left out.
  struct AllTouches
  {
    std::vector<double> at;  ///< displacements of the surfaces' sites
    double reach = -1;
    std::uint64_t list = 0;  ///< `changes`
    Places v;                ///< of those that are listed
    std::vector<Touches> faces;
    std::vector<double> candidates_at;  ///< `at` when candidates were looked for; no answer depends on it
    std::vector<int> seen;              ///< of features: the last face whose candidate each is
  };
  const AllTouches &touches(const Vector &q, Faces which) const;
  template <class One>  // Near or Touches
  bool wanted(const One &one, const Faces which) const
  {
    return which == Faces::all || (which == Faces::owned ? surfaces.surface.faces[one.face].owned : one.has_owned);
  }
  template <class Visit>
  void each_touch(const Vector &q, const Faces which, const Visit &visit) const
  {
    for (const Touches &found : touches(q, which).faces)
      if (found.known && wanted(found, which))
        for (const Touch &touch : found.all)
          visit(touch);
  }
  /// r += what each touch pushes at its point and at the carrying corners: push(touch, its point, vertices, way of the point by u, ways of
  /// vertices).
  template <class Push>
  void add_pushed(const Vector &q, const Vector *u, Vector &r, const Push &push) const;
  /// The places that a touch moves, and their parts of r.
  struct Shares
  {
    std::array<std::pair<const BodyPlace *, double>, 4> all;
    int n;
    auto begin() const { return all.begin(); }
    auto end() const { return all.begin() + n; }
  };
  Shares shares(const Touch &touch) const;
  template <int order>
  void add_derivative(const At &at, double factor, const Vector &u, Vector &r) const;
  void add_block(const Touch &touch, const Vector &q, double k, const MatrixSink &sink) const;

  std::array<Place, 4> ends(const EdgePair &pair, const Vector &u, bool with_X) const;
  /// Calls visit(edges) for all that are closer than the law reaches.
  void each_crossing(const Vector &q, Faces which, const std::function<void(const CrossedEdges &)> &visit) const;
  double energy_of_edges(const Vector &q) const;
  double add_force_of_edges(const Vector &q, Vector &f) const;
  template <int order>
  void add_derivative_of_edges(const Vector &q, double factor, const Vector &u, Vector &r) const;
  void add_block_of_edges(const CrossedEdges &crossing, double factor, const MatrixSink &sink) const;
  /// What add_force() returns of a distance: -1 or less beyond the law's least one.
  double admitted(const double d) const { return d > least() ? always_admissible : std::min(-1., d - least()); }

  std::vector<Box> boxes_of_faces(const Places &v) const;
  std::vector<Near> find(const Places &v, const Vector &q, double reach) const;
  /// The faces that those of a side may touch; of one surface: all, of side 0.
  struct FacesBefore
  {
    std::vector<int> faces;
    Box around;
    std::unique_ptr<BoxSearch> search;  ///< of the boxes of these, in their order
  };
  std::array<FacesBefore, 2> faces_before(const std::vector<Box> &boxes) const;
  void complete(Near &one) const;
  void make_lists();
  bool lists_hold(const Places &v, const Vector &q) const;
  /// By how much the boxes of two sides are farther apart than a search looks [m], at most 0 where they are not or there is one side.
  double apart_of_sides(const Places &v, const Vector &q) const;
  std::vector<double> at_sites(const Vector &q) const;
  /// More than any place of the surfaces moves by `way` of their sites, or from here to there [m]; not finite if that is not.
  double moved(const std::vector<double> &way) const;
  double moved(const std::vector<double> &from, std::vector<double> to) const;
  double slack(const std::vector<double> &at) const;
  bool is_known_to_be_free(const Vector &q, const Vector &dq) const;
  /// Ways of the vertices, from where they are.
  struct Ways
  {
    Places v, dv;
    std::vector<Box> faces;
    double longest = 0;
    bool far = false;  ///< beyond the margin of the last search
  };
  Ways ways(const Vector &q, const Vector &dq) const;
  /// Where points and edges of faces meet others.
  struct Approach
  {
    double part = 1;  ///< of the way that is free
    double looked;    ///< up to which distance [m]
    double distance;  ///< the least at the start, at most `looked` [m]
  };
  Approach approach(const Vector &q, const Vector &dq, const Ways &ways, double look_for) const;
  void approach(const Near &face, const Vector &q, const Vector &dq, const Ways &ways, Approach &found) const;
  void edges_approach(const Near &face, const Ways &ways, Approach &found) const;
  /// The part, at most `part`, of the way on which a point at x stays apart from a piece.
  double advance(const Place &x, const Place &dx, int piece, const Ways &ways, double part) const;
  /// The same of what is distance_at(s) apart after the part s, and comes nearer by no more than `way`.
  double advance(const std::function<double(double)> &distance_at, double way, double part) const;
  /// A point of a face, and the nearest place of pieces of others.
  struct Before
  {
    int face, point;
    Place x;  ///< of the point
    int other = -1, piece = -1;
    Closest to;
  };
  /// Of the points of a face that have a piece within `distance`.
  std::vector<Before> nearest_pieces(const Near &one, const Places &v, const Vector &q, double distance) const;
  struct Nearest
  {
    double distance = std::numeric_limits<double>::max();
    Place undeformed{}, x{};  ///< of the point
  };
  Nearest nearest(const std::vector<Near> &among, const Places &v, const Vector &q) const;
  Nearest nearest_of_all(const Places &v, const Vector &q) const;
  /// Points and edges of a face against another.
  void look_at(int face, const PointLanes &x, int other, const Places &v, const Vector &q, Nearest &best) const;
  bool may_touch(int face, int other) const;
  /// How often a feature of others counts for a face.
  int factor_for(int face, int feature) const;
  double least() const
  {
    const double of_law = surfaces.law->least();
    return (std::isfinite(of_law) ? of_law : surfaces.deep) + surfaces.shift;
  }
  double reach() const { return surfaces.law->reach() + surfaces.shift; }

  /// How far a search looks for a law that reaches to what is touched [m].
  double list_reach() const { return reach() + 2. * margin * surfaces.face; }
  /// How far a vertex may move before the next search [m].
  double allowance() const { return margin * surfaces.face + 0.5 * beyond_list; }

  static constexpr double margin = 0.5;        ///< of the search, in faces
  static constexpr double skin_of_face = 0.1;  ///< of candidates
  TouchingSurfaces surfaces;
  std::shared_ptr<const Space> space;
  SignedFeatures features;
  bool share_nodes = false;  ///< the two boundaries
  SharpEdges edges;
  int n;
  std::vector<PlaceBlock> points;                 ///< of faces
  std::vector<std::vector<double>> areas;         ///< of their points, times the share [m²]
  PlaceRows rows;                                 ///< of vertices
  std::vector<std::vector<int>> sites_of_pieces;  ///< of faces, ascending
  std::vector<int> all_sites;                     ///< of the surfaces, ascending
  std::array<double, 2> stretch{};                ///< the largest sum of |weights| of a place: of nodes [-], of directors [m]
  std::vector<Near> near;
  std::vector<int> listed_vertices;  ///< of `near`, ascending
  Places searched;                   ///< vertices at the last search
  std::vector<double> searched_at;   ///< at_sites() of its q
  double listed_within = 0;          ///< list_reach() there
  double beyond_list = 0;            ///< apart_of_sides() there
  /// Where nothing was nearer than this. No answer depends on it: a way that it frees is free for the whole search, too.
  struct Apart
  {
    std::vector<double> at;  ///< sites
    double distance = 0;
  };
  mutable Apart apart;
  mutable AllTouches touched;  ///< of the last q: force and V'' of an iteration have the same one
  std::uint64_t changes = 0;
};
}  // namespace symdyn
