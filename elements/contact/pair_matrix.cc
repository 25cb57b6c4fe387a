#include <algorithm>
#include <cmath>
#include <set>

#include "elements/contact/middle_gradient.h"
#include "elements/contact/obstacles/obstacle.h"
#include "elements/contact/pair_term.h"

// V'' of a contact of boundaries as a matrix.
namespace symdyn
{
namespace
{
/// A site's shares in r and in its derivatives by the weights of the second and third carrying corner.
struct Share
{
  int site;
  double C = 0;
  std::array<double, 2> by_weight{};
};

void add_share(std::vector<Share> &shares, const BodyPlace &place, const double C, const std::array<double, 2> &by_weight)
{
  for (const auto &[site, weight] : place.sites)
  {
    auto at = std::find_if(shares.begin(), shares.end(), [site = site](const Share &one) { return one.site == site; });
    if (at == shares.end())
      at = shares.insert(shares.end(), Share{site});
    at->C += weight * C;
    for (int k = 0; k < 2; ++k)
      at->by_weight[k] += weight * by_weight[k];
  }
}

/// Inverse of the Gram matrix of `m` edges.
std::array<std::array<double, 2>, 2> inverse_gram(const std::array<Place, 2> &e, const int m)
{
  if (m == 0)
    return {};
  const double a = dot(e[0], e[0]);
  if (m == 1)
    return {{{1. / a, 0.}, {0., 0.}}};
  const double b = dot(e[0], e[1]), c = dot(e[1], e[1]), D = a * c - b * b;
  return {{{c / D, -b / D}, {-b / D, a / D}}};
}

/// V'' of a touch between sites: first and second are w c Phi' and w c Phi''.
struct Curvature
{
  double first, second, distance;
  Place normal;
  int edges;
  std::array<Place, 2> e;
  std::array<std::array<double, 2>, 2> G;

  Place bent(const Share &s, const int k) const
  {
    Place b;
    for (int i = 0; i < 3; ++i)
      b[i] = s.by_weight[k] * normal[i] - s.C * e[k][i] / distance;
    return b;
  }
  PlaceMatrix between(const Share &s, const Share &t) const
  {
    PlaceMatrix B;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        B[3 * i + j] = s.C * t.C * (second * normal[i] * normal[j] + first * ((i == j ? 1. : 0.) - normal[i] * normal[j]) / distance);
    for (int k = 0; k < edges; ++k)
      for (int l = 0; l < edges; ++l)
      {
        const Place b = bent(s, k), c = bent(t, l);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            B[3 * i + j] -= first * distance * G[k][l] * b[i] * c[j];
      }
    return B;
  }
};
}  // namespace

void PairTerm::add_block(const Touch &touch, const Vector &q, const double factor, const MatrixSink &sink) const
{
  const Closest &to = touch.nearest;
  const Shares places = shares(touch);
  std::vector<Share> all;
  std::array<Place, 2> e{};
  for (int i = 0; i <= to.carrying; ++i)
  {
    std::array<double, 2> by_weight{};
    for (int k = 0; k + 1 < to.carrying; ++k)
      by_weight[k] = i == 1 ? 1. : i == k + 2 ? -1. : 0.;
    add_share(all, *places.all[i].first, places.all[i].second, by_weight);
    if (i >= 2)
      e[i - 2] = difference(place(*places.all[i].first, q, true), place(*places.all[1].first, q, true));
  }
  const double d = to.distance;
  const std::array<double, 5> phi = surfaces.law->at(d - surfaces.shift);
  const int edges = to.carrying - 1;
  const Curvature curvature{
      factor * touch.factor * phi[1], factor * touch.factor * phi[2], d, {to.r[0] / d, to.r[1] / d, to.r[2] / d}, edges, e,
      inverse_gram(e, edges)};
  PlaceMatrix block{}, transposed{};
  for (std::size_t s = 0; s < all.size(); ++s)
    for (std::size_t t = 0; t <= s; ++t)
    {
      const PlaceMatrix B = curvature.between(all[s], all[t]);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          block[n * i + j] = transposed[n * j + i] = B[3 * i + j];
      sink.add_block(all[s].site, all[t].site, block.data());
      if (t < s)
        sink.add_block(all[t].site, all[s].site, transposed.data());
    }
}

void PairTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all || weights.k == 0.)
    return;
  const Vector middle = at.previous ? middle_of(at) : Vector();
  const Vector &q = at.previous ? middle : *at.q;
  const double factor = (at.previous ? 0.5 : 1.) * weights.k;
  each_touch(q, Faces::with_owned, [&](const Touch &touch) { add_block(touch, q, factor, sink); });
  each_crossing(q, Faces::with_owned, [&](const CrossedEdges &crossing) { add_block_of_edges(crossing, factor, sink); });
}

void PairTerm::couple(const Couple &join) const
{
  const auto join_all = [&join](const std::vector<int> &some, const std::vector<int> &others) {
    for (const int a : some)
      for (const int b : others)
        join(a, b);
  };
  std::set<int> alone;
  const auto join_alone = [&](const int face, const std::vector<int> &sites) {
    if (alone.insert(face).second)
      join_all(sites, sites);
  };
  for (const Near &one : near)
  {
    std::vector<int> own = points[one.face].of_sites();
    own.insert(own.end(), sites_of_pieces[one.face].begin(), sites_of_pieces[one.face].end());  // edges cross, too
    make_set(own);
    join_all(own, own);
    for (const int other : one.others)
    {
      join_all(own, sites_of_pieces[other]);
      join_all(sites_of_pieces[other], own);
      join_alone(other, sites_of_pieces[other]);
    }
  }
}
}  // namespace symdyn
