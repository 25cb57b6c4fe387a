#include "elements/contact/features/edge_pairs.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "elements/contact/laws/fade.h"

namespace symdyn
{
namespace
{
constexpr double turn = 0.966;           ///< cosine: edges of a surface that turns less are not sharp
constexpr double parallel_below = 0.25;  ///< sin² of the angle
constexpr double of_crossing = 0.25;     ///< of the product of lengths

Place moved(const Place &x, const double s, const Place &way) { return {x[0] + s * way[0], x[1] + s * way[1], x[2] + s * way[2]}; }

/// Outward, of length 1.
Place normal_of(const std::array<int, 3> &piece, const ProxySurface &surface, const Place &outward)
{
  const Place &a = surface.vertices[piece[0]].X;
  Place n = cross(difference(surface.vertices[piece[1]].X, a), difference(surface.vertices[piece[2]].X, a));
  const double size = dot(n, outward) < 0. ? -length(n) : length(n);
  for (double &component : n)
    component /= size;
  return n;
}

/// The piece's corner that is not of the edge.
int opposite(const std::array<int, 3> &piece, const std::array<int, 2> &edge)
{
  return *std::find_if(piece.begin(), piece.end(), [&](const int v) { return v != edge[0] && v != edge[1]; });
}

struct Side
{
  int face;
  std::array<int, 3> piece;
};

using SidesOfEdges = std::map<std::array<int, 2>, std::vector<Side>>;

SidesOfEdges sides_of_edges(const ProxySurface &surface)
{
  SidesOfEdges sides;
  for (std::size_t face = 0; face < surface.faces.size(); ++face)
    for (const std::array<int, 3> &piece : surface.faces[face].pieces)
      for (int i = 0; i < (piece[2] < 0 ? 1 : 3); ++i)
      {
        const auto [low, high] = std::minmax(piece[i], piece[(i + 1) % 3]);
        sides[{low, high}].push_back({int(face), piece});
      }
  return sides;
}

/// 1 - cos of the angle by which the surface turns outward at an edge; 1 where it ends, or has more than two sides. Beside axes, which have
/// few points, 1 from where edges are sharp on, and never 0.
double part_of(const std::array<int, 2> &edge, const std::vector<Side> &sides, const ProxySurface &surface)
{
  if (sides.size() != 2)
    return 1.;
  std::array<Place, 2> n;
  for (int i = 0; i < 2; ++i)
    n[i] = normal_of(sides[i].piece, surface, surface.faces[sides[i].face].normal);
  const Place across = difference(surface.vertices[opposite(sides[1].piece, edge)].X, surface.vertices[edge[0]].X);
  const double c = dot(n[0], n[1]);
  const double part = dot(n[0], across) < 0. ? 1. - c : 0.;
  return surface.least_part > 0. ? std::clamp(part / (1. - turn), surface.least_part, 1.) : c < turn ? std::min(part, 1.) : 0.;
}

/// m and four derivatives.
std::array<double, 5> part_of_crossing(const double y)
{
  std::array<double, 5> m{1., 0., 0., 0., 0.};
  const auto F = fade(y);
  for (int n = 0; n < 5 && y < 1.; ++n)
    m[n] -= F[n];
  return m;
}

/// m and its slope.
template <class T>
std::array<T, 2> part_and_slope(const T &y)
{
  const auto m = part_of_crossing(value_of(y));
  return {compose(y, {m[0], m[1], m[2], m[3]}), compose(y, {m[1], m[2], m[3], m[4]})};
}
/// Of m².
template <class T>
std::array<T, 2> square_and_slope(const T &y)
{
  const auto [m, slope] = part_and_slope(y);
  return {m * m, T(2.) * m * slope};
}

/// Where the foot of x on a line stands, cut to it.
double foot(const Place &x, const Place &a, const Place &b)
{
  const Place e = difference(b, a);
  return std::clamp(dot(difference(x, a), e) / dot(e, e), 0., 1.);
}
}  // namespace

SharpEdges::SharpEdges(const ProxySurface &surface) : of_face(surface.faces.size())
{
  if (surface.dim < 3)
    return;
  is_one = std::none_of(surface.faces.begin(), surface.faces.end(), [](const ProxySurface::Face &face) { return face.side != 0; });
  for (const auto &[edge, at] : sides_of_edges(surface))
    if (const double part = part_of(edge, at, surface); part > 0.)
    {
      const int face = at.front().face;
      const double size = length(difference(surface.vertices[edge[1]].X, surface.vertices[edge[0]].X));
      of_face[face].push_back(int(all.size()));
      all.push_back({edge, size, across_axis(size, surface.faces[face].width), part, surface.faces[face].side});
    }
}

std::vector<double> weights_of_vertices(const ProxySurface &surface, const double across)
{
  std::vector<double> weights(surface.vertices.size(), 0.);
  for (const auto &[edge, at] : sides_of_edges(surface))
    for (const int vertex : edge)
      weights[vertex] += 0.5 * of_crossing * part_of(edge, at, surface) * across *
                         length(difference(surface.vertices[edge[1]].X, surface.vertices[edge[0]].X));
  return weights;
}

double across_axis(const double size, const double width) { return std::sqrt(size * std::min(size, width)); }

std::vector<EdgePair> SharpEdges::pairs(const int face, const std::vector<int> &others) const
{
  std::vector<EdgePair> found;
  for (const int first : of_face[face])
    for (const int other : others)
      for (const int second : of_face[other])
      {
        const Edge &one = all[first], &two = all[second];
        if (is_one ? first > second : one.side != 0)
          continue;
        const double area = one.length * two.length;
        found.push_back({{one.vertex[0], one.vertex[1], two.vertex[0], two.vertex[1]},
                         of_crossing * one.part * two.part * one.across * two.across,
                         parallel_below * area * area});
      }
  return found;
}

NearestOfLines nearest_of_lines(const std::array<Place, 4> &x)
{
  const Place e = difference(x[1], x[0]), f = difference(x[3], x[2]), p = difference(x[0], x[2]);
  const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), pe = dot(p, e), pf = dot(p, f), D = ee * ff - ef * ef;
  constexpr double parallel = 1e-14;
  NearestOfLines best;
  best.distance = HUGE_VAL;
  const auto look_at = [&](const double s, const double t) {
    const double d = length(difference(moved(x[0], s, e), moved(x[2], t, f)));
    if (!(d >= best.distance))
      best = {s, t, s > 0. && s<1., t> 0. && t < 1., d};
  };
  if (const double s = (ef * pf - ff * pe) / D, t = (ee * pf - ef * pe) / D; D > parallel * ee * ff && s > 0. && s < 1. && t > 0. && t < 1.)
  {
    look_at(s, t);
    return best;
  }
  for (const double end : {0., 1.})
  {
    look_at(end, foot(moved(x[0], end, e), x[2], x[3]));
    look_at(foot(moved(x[2], end, f), x[0], x[1]), end);
  }
  return best;
}

Place CrossedEdges::on_first(const Place &first, const Place &second) const { return moved(first, nearest.s, difference(second, first)); }

double CrossedEdges::energy(const ContactLaw &law, const double shift) const
{
  const Place normal = symdyn::cross(difference(ends[1], ends[0]), difference(ends[3], ends[2]));
  double part = std::pow(part_of_crossing(dot(normal, normal) / pair.parallel)[0], 2);
  for (const double along : {nearest.s, nearest.t})
    part *= part_of_crossing(4. * along * (1. - along))[0];
  return pair.weight * part * law.at(nearest.distance - shift)[0];
}

template <class T>
std::array<Arrow<T>, 4> CrossedEdges::gradient(const std::array<Arrow<T>, 4> &x, const ContactLaw &law, const double shift) const
{
  const Arrow<T> e = minus(x[1], x[0]), f = minus(x[3], x[2]), p = minus(x[0], x[2]);
  const T ee = product(e, e), ef = product(e, f), ff = product(f, f), pe = product(p, e), pf = product(p, f), D = ee * ff - ef * ef;
  const T s = (ef * pf - ff * pe) / D, t = (ee * pf - ef * pe) / D, one(1.), two(2.), four(4.);
  const Arrow<T> r = minus(p, minus(times(t, f), times(s, e)));
  const T d = size_of(r);
  const std::array<double, 5> phi = law.at(value_of(d) - shift);
  const T Phi = compose(d, {phi[0], phi[1], phi[2], phi[3]}), slope = compose(d, {phi[1], phi[2], phi[3], phi[4]});
  const auto of_angle = square_and_slope(D / T(pair.parallel)), of_s = part_and_slope(four * s * (one - s)),
             of_t = part_and_slope(four * t * (one - t));
  const T w(pair.weight), V_d = w * of_angle[0] * of_s[0] * of_t[0] * slope,
                          V_c = w / T(pair.parallel) * of_angle[1] * of_s[0] * of_t[0] * Phi,
                          V_s = w * of_angle[0] * of_s[1] * of_t[0] * Phi * four * (one - two * s),
                          V_t = w * of_angle[0] * of_s[0] * of_t[1] * Phi * four * (one - two * t);
  const T lambda = (V_s * ff + V_t * ef) / D, mu = T(0.) - (V_t * ee + V_s * ef) / D;
  const Arrow<T> F = minus(minus(times(V_d / d, r), times(lambda, e)), times(mu, f));
  const Arrow<T> E = minus(times(two * V_c * ff, e), times(two * V_c * ef, f)),
                 H = minus(times(two * V_c * ee, f), times(two * V_c * ef, e));
  const Arrow<T> by_e = minus(E, times(lambda, r)), by_f = minus(H, times(mu, r));
  return {minus(times(one - s, F), by_e), minus(by_e, times(T(0.) - s, F)), minus(times(t - one, F), by_f), minus(by_f, times(t, F))};
}

template std::array<Arrow<double>, 4> CrossedEdges::gradient(const std::array<Arrow<double>, 4> &, const ContactLaw &, double) const;
template std::array<Arrow<Series<1, 1>>, 4> CrossedEdges::gradient(const std::array<Arrow<Series<1, 1>>, 4> &, const ContactLaw &,
                                                                   double) const;
template std::array<Arrow<Series<2, 1>>, 4> CrossedEdges::gradient(const std::array<Arrow<Series<2, 1>>, 4> &, const ContactLaw &,
                                                                   double) const;
template std::array<Arrow<Series<0, 12>>, 4> CrossedEdges::gradient(const std::array<Arrow<Series<0, 12>>, 4> &, const ContactLaw &,
                                                                    double) const;
}  // namespace symdyn
