#include <algorithm>

#include "elements/contact/middle_gradient.h"
#include "elements/contact/obstacles/obstacle.h"
#include "elements/contact/pair_term.h"

// What edges that cross add to a contact of boundaries.
namespace symdyn
{
void PairTerm::each_crossing(const Vector &q, const Faces which, const std::function<void(const CrossedEdges &)> &visit) const
{
  for (const Near &one : near)
    if (!one.crossings.empty() && wanted(one, which))
      for (const EdgePair &pair : one.crossings)
        if (const CrossedEdges crossing(pair, ends(pair, q, true)); crossing.cross() && crossing.distance() < reach())
          visit(crossing);
}

std::array<Place, 4> PairTerm::ends(const EdgePair &pair, const Vector &u, const bool with_X) const
{
  std::array<Place, 4> at;
  for (int i = 0; i < 4; ++i)
    at[i] = place(surfaces.surface.vertices[pair.vertex[i]], u, with_X);
  return at;
}

double PairTerm::energy_of_edges(const Vector &q) const
{
  double V = 0;
  each_crossing(q, Faces::owned, [&](const CrossedEdges &crossing) { V += crossing.energy(*surfaces.law, surfaces.shift); });
  return V;
}

double PairTerm::add_force_of_edges(const Vector &q, Vector &f) const
{
  double smallest = always_admissible;
  each_crossing(q, Faces::owned, [&](const CrossedEdges &crossing) {
    const std::array<Place, 4> F = crossing.gradient(crossing.ends, *surfaces.law, surfaces.shift);
    smallest = std::min(smallest, admitted(crossing.distance()));
    for (int i = 0; i < 4; ++i)
      add(surfaces.surface.vertices[crossing.pair.vertex[i]], 1., F[i], f);
  });
  return smallest;
}

template <int order>
void PairTerm::add_derivative_of_edges(const Vector &q, const double factor, const Vector &u, Vector &r) const
{
  each_crossing(q, Faces::owned, [&](const CrossedEdges &crossing) {
    const std::array<Place, 4> way = ends(crossing.pair, u, false);
    std::array<Arrow<Series<order, 1>>, 4> line;
    for (int i = 0; i < 4; ++i)
      line[i] = on_line<order>(crossing.ends[i], way[i]);
    const auto F = crossing.gradient(line, *surfaces.law, surfaces.shift);
    for (int i = 0; i < 4; ++i)
      add(surfaces.surface.vertices[crossing.pair.vertex[i]], factor * order, {F[i][0].c[order], F[i][1].c[order], F[i][2].c[order]}, r);
  });
}
template void PairTerm::add_derivative_of_edges<1>(const Vector &, double, const Vector &, Vector &) const;
template void PairTerm::add_derivative_of_edges<2>(const Vector &, double, const Vector &, Vector &) const;

void PairTerm::add_block_of_edges(const CrossedEdges &crossing, const double factor, const MatrixSink &sink) const
{
  const auto F = crossing.gradient(with_slopes(crossing.ends), *surfaces.law, surfaces.shift);
  const auto block = [&](const int i, const int j) {
    for (const auto &[s, of_s] : surfaces.surface.vertices[crossing.pair.vertex[i]].sites)
      for (const auto &[t, of_t] : surfaces.surface.vertices[crossing.pair.vertex[j]].sites)
        for (int d = 0; d < n; ++d)
          for (int e = 0; e < n; ++e)
            sink.add(n * s + d, n * t + e, factor * of_s * of_t * F[i][d].e[0][3 * j + e]);
  };
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      block(i, j);
}

/// As points stay apart from pieces.
void PairTerm::edges_approach(const Near &one, const Ways &ways, Approach &found) const
{
  for (const EdgePair &pair : one.crossings)
  {
    std::array<Place, 4> from, along;
    for (int i = 0; i < 4; ++i)
    {
      from[i] = ways.v[pair.vertex[i]];
      along[i] = ways.dv[pair.vertex[i]];
    }
    double way = 0;
    for (int i = 0; i < 2; ++i)
      for (int j = 2; j < 4; ++j)
        way = std::max(way, length(difference(along[i], along[j])));
    found.distance = std::min(found.distance, nearest_of_lines(from).distance);
    found.part = advance(
        [&](const double s) {
          std::array<Place, 4> at = from;
          for (int i = 0; i < 4; ++i)
            for (int d = 0; d < 3; ++d)
              at[i][d] += s * along[i][d];
          return nearest_of_lines(at).distance;
        },
        way, found.part);
  }
}
}  // namespace symdyn
