#include <deal.II/base/mpi.h>
#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "elements/surfaces/box_search.h"
#include "elements/surfaces/overlap.h"
#include "elements/ties/tie_method.h"

// Ties by mortar with a dual basis.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr double alpha = 0.2;         ///< of Basis
constexpr double least_share = 0.2;   ///< of the surface of a node that must be covered: corners have a quarter
constexpr double least_cover = 0.05;  ///< of a face: less makes the dual basis of its rest large
constexpr double opposite = -0.5;     ///< cosine between normals

/// Shape functions of a face as a basis of positive integrals. Where corners have none (triangles of 6 nodes: 0, quadrilaterals of 8:
/// below 0) a part of those of edges goes to the corners (Popp, Wohlmuth, Gitterle, Wall 2012):
///     phi_corner = N_corner + alpha (sum of N of its two edges),   phi_edge = (1 - 2 alpha) N_edge,
/// of the values u_edge = (1 - 2 alpha) z_edge + alpha (z_1 + z_2), u_corner = z_corner.
class Basis
{
public:
  explicit Basis(const FaceShape &shape) : n(shape.nodes.size()), ends(n, {-1, -1})
  {
    if (!(shape.corners == 3 && n == 6) && !(shape.corners == 4 && n == 8))
      return;
    const auto is = [](const FacePlace &s, const double x, const double y) {
      constexpr double rounding = 1e-9;
      return std::abs(s[0] - x) + std::abs(s[1] - y) < rounding;
    };
    const auto integer = [&](const FacePlace &s) { return is(s, std::round(s[0]), std::round(s[1])); };
    std::vector<int> corners;
    for (std::size_t a = 0; a < n; ++a)
      if (integer(shape.nodes[a]))
        corners.push_back(int(a));
    for (std::size_t a = 0; a < n; ++a)
      for (const int i : corners)
        for (const int j : corners)
          if (const FacePlace &p = shape.nodes[i], &q = shape.nodes[j];
              i < j && is(shape.nodes[a], 0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])))
            ends[a] = {i, j};
  }
  /// N of nodes becomes phi.
  void change(std::vector<double> &N) const
  {
    for (std::size_t a = 0; a < n; ++a)
      if (ends[a].first >= 0)
      {
        N[ends[a].first] += alpha * N[a];
        N[ends[a].second] += alpha * N[a];
        N[a] *= 1. - 2. * alpha;
      }
  }
  /// The corners at the ends of the edge of a node; -1: z is u.
  const std::pair<int, int> &edge_of(const std::size_t a) const { return ends[a]; }

private:
  std::size_t n;
  std::vector<std::pair<int, int>> ends;
};

/// What one node gets from one face.
struct Share
{
  std::int64_t node;
  double whole, covered;                                ///< integrals of phi [m²]
  std::vector<std::pair<std::int64_t, double>> others;  ///< integrals of psi N
  template <class A>
  void serialize(A &archive, const unsigned int)
  {
    archive &node &whole &covered &others;
  }
};

class Mortar
{
public:
  explicit Mortar(const TiedSurfaces &given);
  std::vector<TiedNode> run() const;

private:
  static constexpr int to_spare = 4;  ///< points: a distorted face of degree 1 keeps the patch test to 1e-9
  /// Integrals over one face of the dependent surface.
  struct OnFace
  {
    double area = 0, covered_area = 0;
    std::vector<double> whole, covered;                      ///< of phi_a
    dealii::FullMatrix<double> mass;                         ///< of phi_a phi_b
    std::map<std::int64_t, std::vector<double>> with_other;  ///< of phi_a N_m, by nodes m
  };
  std::vector<Share> shares_of(const std::vector<Facet> &pieces) const;
  void add_whole(const Facet &piece, OnFace &sums) const;
  void add_covered(const Facet &piece, const Facet &other, OnFace &sums) const;
  void add_point(const SurfaceFace &face, const Facet &piece, const SurfaceFace &other, const Facet &other_piece, const OverlapPoint &point,
                 OnFace &sums) const;
  std::vector<TiedNode> rows(const std::map<std::int64_t, Share> &sums) const;

  const TiedSurfaces &given;
  std::vector<Facet> facets;  ///< of the independent surface
  BoxSearch search;
  Overlap overlap, overlap_of_affine;
  std::vector<char> dependent_is_affine, independent_is_affine;  ///< of faces
  std::map<const FaceShape *, Basis> bases;                      ///< of the dependent surface
};

/// Whether shape functions are polynomials of the plane: triangles and parallelograms of degree 1, lines.
bool is_affine(const SurfaceFace &face)
{
  if (face.shape->degree > 1)
    return false;
  if (face.X.size() < 4)
    return true;
  constexpr double rounding = 1e-12;
  const Place first = difference(face.X[0], face.X[1]), second = difference(face.X[2], face.X[3]);  // in a row, or in turn
  Place in_turn;
  for (int d = 0; d < 3; ++d)
    in_turn[d] = first[d] + second[d];
  const double size = length(first) + length(difference(face.X[0], face.X[2]));
  return length(difference(first, second)) < rounding * size || length(in_turn) < rounding * size;
}

std::vector<char> are_affine(const std::vector<SurfaceFace> &faces)
{
  std::vector<char> are;
  for (const SurfaceFace &face : faces)
    are.push_back(is_affine(face));
  return are;
}

/// For phi_a phi_b and phi_a N_m on faces with straight edges: of twice the degree, in each of two coordinates on quadrilaterals. `more`:
/// points to spare, because on distorted faces shape functions are no polynomials of the plane.
int points_for(const TiedSurfaces &given, const int more)
{
  const auto of = [](const std::vector<SurfaceFace> &faces) {
    int most = 0;
    for (const SurfaceFace &face : faces)
      most = std::max(most, (face.shape->corners == 4 ? 2 : 1) * face.shape->degree);
    return most;
  };
  const int own = of(given.dependent);
  return (own + std::max(own, of(given.independent))) / 2 + more;
}

Mortar::Mortar(const TiedSurfaces &given)
    : given(given),
      facets(facets_of(given.independent, given.dim)),
      search(boxes_of(facets)),
      overlap(given.dim, points_for(given, to_spare)),
      overlap_of_affine(given.dim, points_for(given, 1)),
      dependent_is_affine(are_affine(given.dependent)),
      independent_is_affine(are_affine(given.independent))
{
  for (const SurfaceFace &face : given.dependent)
    bases.emplace(face.shape, Basis(*face.shape));
}

void Mortar::add_whole(const Facet &piece, OnFace &sums) const
{
  const SurfaceFace &face = given.dependent[piece.face];
  const Basis &basis = bases.at(face.shape);
  std::vector<double> phi(face.nodes.size());
  for (const OverlapPoint &point : (dependent_is_affine[piece.face] ? overlap_of_affine : overlap)(piece, piece))
  {
    sums.area += point.weight;
    FacePlace s = piece.s.front();
    if (!project_along(face, given.dim, piece.tangent, point.x, s))
      continue;
    face.shape->evaluate(s, phi.data(), nullptr);
    basis.change(phi);
    for (std::size_t a = 0; a < phi.size(); ++a)
      sums.whole[a] += point.weight * phi[a];
  }
}

void Mortar::add_point(const SurfaceFace &face, const Facet &piece, const SurfaceFace &other, const Facet &other_piece,
                       const OverlapPoint &point, OnFace &sums) const
{
  FacePlace s = piece.s.front(), z = other_piece.s.front();
  if (!project_along(face, given.dim, piece.tangent, point.x, s) || !project_along(other, given.dim, piece.tangent, point.x, z))
    return;
  if (std::abs(dot(difference(place_on(other, z, nullptr, point.x), place_on(face, s, nullptr, point.x)), piece.normal)) > given.tolerance)
    return;
  std::vector<double> phi(face.nodes.size()), N(other.nodes.size());
  face.shape->evaluate(s, phi.data(), nullptr);
  other.shape->evaluate(z, N.data(), nullptr);
  bases.at(face.shape).change(phi);
  sums.covered_area += point.weight;
  for (std::size_t a = 0; a < phi.size(); ++a)
  {
    sums.covered[a] += point.weight * phi[a];
    for (std::size_t b = 0; b < phi.size(); ++b)
      sums.mass(a, b) += point.weight * phi[a] * phi[b];
  }
  for (std::size_t m = 0; m < N.size(); ++m)
  {
    std::vector<double> &with = sums.with_other[other.nodes[m]];
    with.resize(phi.size(), 0.);
    for (std::size_t a = 0; a < phi.size(); ++a)
      with[a] += point.weight * phi[a] * N[m];
  }
}

void Mortar::add_covered(const Facet &piece, const Facet &other, OnFace &sums) const
{
  if (dot(piece.normal, other.normal) > opposite)
    return;
  const bool affine = dependent_is_affine[piece.face] && independent_is_affine[other.face];
  for (const OverlapPoint &point : (affine ? overlap_of_affine : overlap)(piece, other))
    add_point(given.dependent[piece.face], piece, given.independent[other.face], other, point, sums);
}

/// psi_a = covered_a sum of (mass⁻¹)_ab phi_b, the dual basis on what is covered: the integral of psi_a phi_b is covered_a at a = b, else
/// 0.
std::vector<Share> Mortar::shares_of(const std::vector<Facet> &pieces) const
{
  const SurfaceFace &face = given.dependent[pieces.front().face];
  const std::size_t n = face.nodes.size();
  OnFace sums;
  sums.whole.assign(n, 0.);
  sums.covered.assign(n, 0.);
  sums.mass.reinit(n, n);
  for (const Facet &piece : pieces)
  {
    add_whole(piece, sums);
    for (const int other : search.near(piece.x, given.tolerance))
      add_covered(piece, facets[other], sums);
  }
  const bool enough = sums.covered_area > least_cover * sums.area;
  if (enough)
    sums.mass.gauss_jordan();
  std::vector<Share> shares;
  for (std::size_t a = 0; a < n; ++a)
  {
    shares.push_back({face.nodes[a], sums.whole[a], enough ? sums.covered[a] : 0., {}});
    for (const auto &[node, with] : sums.with_other)
    {
      double sum = 0;
      for (std::size_t b = 0; b < n; ++b)
        sum += sums.mass(a, b) * with[b];
      if (enough)
        shares.back().others.emplace_back(node, sums.covered[a] * sum);
    }
  }
  return shares;
}

/// u_a = (sum of integrals of psi_a N_m u_m) / (integral of phi_a); of nodes on edges with the part of the corners.
std::vector<TiedNode> Mortar::rows(const std::map<std::int64_t, Share> &sums) const
{
  constexpr double rounding = 1e-14;
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> ends;
  for (const SurfaceFace &face : given.dependent)
  {
    const Basis &basis = bases.at(face.shape);
    for (std::size_t a = 0; a < face.nodes.size(); ++a)
      if (const auto &[i, j] = basis.edge_of(a); i >= 0)
        ends[face.nodes[a]] = {face.nodes[i], face.nodes[j]};
  }
  std::vector<TiedNode> tied;
  for (const auto &[node, share] : sums)
  {
    if (!(share.covered > least_share * share.whole))
      continue;
    const auto edge = ends.find(node);
    const double rest = edge == ends.end() ? 1. : 1. - 2. * alpha;
    tied.push_back({node, {}});
    for (const auto &[other, integral] : share.others)
      if (const double weight = integral / share.covered; std::abs(weight) > rounding)
        tied.back().others.emplace_back(other, rest * weight);
    if (edge != ends.end())
      for (const std::int64_t end : {edge->second.first, edge->second.second})
        tied.back().others.emplace_back(end, alpha);
  }
  return tied;
}

std::vector<TiedNode> Mortar::run() const
{
  const std::size_t faces = given.dependent.size();
  const std::size_t ranks = MPI::n_mpi_processes(given.communicator), rank = MPI::this_mpi_process(given.communicator);
  std::vector<std::vector<Facet>> pieces(faces);
  for (Facet &piece : facets_of(given.dependent, given.dim))
    pieces[piece.face].push_back(std::move(piece));
  std::vector<Share> own;
  for (std::size_t i = faces * rank / ranks; i < faces * (rank + 1) / ranks; ++i)
    for (Share &share : shares_of(pieces[i]))
      own.push_back(std::move(share));
  std::map<std::int64_t, Share> sums;
  std::map<std::int64_t, std::map<std::int64_t, double>> others;
  for (const std::vector<Share> &of_rank : ranks == 1 ? std::vector<std::vector<Share>>{own} : MPI::all_gather(given.communicator, own))
    for (const Share &share : of_rank)
    {
      Share &sum = sums.emplace(share.node, Share{share.node, 0., 0., {}}).first->second;
      sum.whole += share.whole;
      sum.covered += share.covered;
      for (const auto &[node, integral] : share.others)
        others[share.node][node] += integral;
    }
  for (auto &[node, sum] : sums)
    sum.others.assign(others[node].begin(), others[node].end());
  return rows(sums);
}

class MortarTie : public TieMethod
{
public:
  std::vector<TiedNode> tie(const TiedSurfaces &surfaces) const override { return Mortar(surfaces).run(); }
};
SYMDYN_REGISTER(TieMethod, MortarTie, "mortar");
}  // namespace
}  // namespace symdyn
