#include "elements/contact/segment_term.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/contact/middle_gradient.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

SegmentTerm::SegmentTerm(SegmentPair given, std::shared_ptr<const Space> of_space)
    : pair(std::move(given)), space(std::move(of_space)), n(space->block())
{
  for (const SegmentSurface *side : {&pair.first, &pair.second})
    for (const SurfaceFace &face : side->faces)
      for (const std::int64_t site : face.nodes)
        all_sites.push_back(int(site));
  std::sort(all_sites.begin(), all_sites.end());
  all_sites.erase(std::unique(all_sites.begin(), all_sites.end()), all_sites.end());
  find_lever();
  if (!pair.law->has_multipliers())
    return;
  std::vector<FaceMemory::Face> kept;
  for (std::size_t face = 0; face < pair.first.faces.size(); ++face)
    kept.push_back({face, bool(pair.first.owned[face]), 1});  // their order knows nothing of ranks
  have_multipliers(std::move(kept), pair.deep, pair.name, space->communicator());
}

void SegmentTerm::find_lever()
{
  for (const SegmentSurface *side : {&pair.first, &pair.second})
    for (const Facet &facet : facets_of(side->faces, n))
    {
      const SurfaceFace &face = side->faces[facet.face];
      std::vector<double> N(face.nodes.size());
      for (const FacePlace &s : facet.s)
      {
        face.shape->evaluate(s, N.data(), nullptr);
        double sum = 0;
        for (std::size_t a = 0; a < N.size(); ++a)
          sum += space->is_director(int(face.nodes[a])) ? std::abs(N[a]) : 0.;
        lever = std::max(lever, sum);
      }
    }
}

Traits SegmentTerm::traits() const
{
  Traits traits;
  traits.searches = true;
  traits.impact = impact;
  traits.history = has_multipliers();
  return traits;
}

double SegmentTerm::least() const
{
  const double of_law = pair.law->least();
  return std::isfinite(of_law) ? of_law : -of_cell * pair.height;
}

std::vector<SegmentTerm::Share> SegmentTerm::shares(const SegmentPoint &point) const
{
  std::vector<Share> all;
  const std::vector<std::int64_t> &of_first = pair.first.faces[point.face].nodes, &of_second = pair.second.faces[point.other].nodes;
  for (std::size_t a = 0; a < of_first.size(); ++a)
    all.push_back({int(of_first[a]), {point.N[a], 0., 0., 0.}});
  for (std::size_t b = 0; b < of_second.size(); ++b)
    all.push_back({int(of_second[b]), {0., point.M[b], point.dM[b][0], n == 3 ? point.dM[b][1] : 0.}});
  return all;
}

SegmentTerm::Frame<double> SegmentTerm::frame(const SegmentPoint &point, const Vector *u, const bool with_X) const
{
  Frame<double> at{};
  for (const auto &[site, of] : shares(point))
    for (int d = 0; d < n; ++d)
    {
      const double x = (u ? u->local_element(n * site + d) : 0.) + (with_X ? space->position(site)[d] : 0.);
      for (int i = 0; i < 4; ++i)
        at[i][d] += of[i] * x;
    }
  if (n == 2)
    at[3] = {0., 0., with_X ? 1. : 0.};
  return at;
}

double SegmentTerm::gap(const SegmentPoint &point, const Frame<double> &at) const
{
  const Place N = cross(at[2], at[3]);
  return pair.second.faces[point.other].outward * dot(N, difference(at[0], at[1])) / length(N) + added(point);
}

template <class T>
SegmentTerm::Frame<T> SegmentTerm::push(const SegmentPoint &point, const Frame<T> &at, const double shift) const
{
  const T outward(pair.second.faces[point.other].outward);
  const Arrow<T> N = times(outward, vector_product(at[2], at[3])), r = minus(at[0], at[1]);
  const T size = size_of(N), one = T(1.) / size, along = product(N, r) * one;
  const Arrow<T> n = times(one, N), aside = times(one, minus(r, times(along, n)));
  const std::array<double, 5> phi = pair.law->at(value_of(along) + added(point) - shift);
  const T slope = compose(along, {phi[1], phi[2], phi[3], phi[4]}), turned = slope * outward;
  return {times(slope, n), times(T(0.) - slope, n), times(turned, vector_product(at[3], aside)),
          times(turned, vector_product(aside, at[2]))};
}

void SegmentTerm::add(const SegmentPoint &point, const double factor, const Frame<double> &F, Vector &r) const
{
  for (const auto &[site, of] : shares(point))
    for (int d = 0; d < n; ++d)
      for (int i = 0; i < 4; ++i)
        r.local_element(n * site + d) += factor * of[i] * F[i][d];
}

double SegmentTerm::energy(const At &at) const
{
  double V = 0;
  each_point(*at.q, at.from, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    V += point.dA * energy_about(*pair.law, gap(point, there), shift_of(point, at.from));
  });
  return V;
}

/// Of g = n·r + clearance + (1 - s) d.
double SegmentTerm::coming(const At &at) const
{
  double slope = 0;
  if (pair.fading)
    each_point(*at.q, at.from, true, [&](const SegmentPoint &point, const Frame<double> &there) {
      slope -= point.dA * point.overlap * pair.law->at(gap(point, there) - shift_of(point, at.from))[1];
    });
  return slope;
}

double SegmentTerm::add_force(const At &at, Vector &f) const
{
  double smallest = always_admissible;
  each_point(*at.q, at.from, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    if (const double g = gap(point, there); !(g > least()))
      smallest = std::min(-1., g - least());
    add(point, point.dA, push(point, there, shift_of(point, at.from)), f);
  });
  return smallest;
}

double SegmentTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  double smallest = add_middle_gradient(*this, *space, all_sites, at, f);
  each_point(*at.q, at.from, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    if (const double g = gap(point, there); !(g > least()))
      smallest = std::min(-1., g - least());
  });
  return smallest;
}

/// Derivatives of the force on the line q + s u: order 1 V'' u, order 2 V''' u u.
template <int order>
void SegmentTerm::add_derivative(const At &at, const double factor, const Vector &u, Vector &r) const
{
  using T = Series<order, 1>;
  constexpr double times_of_s = order;  // order!
  each_point(*at.q, at.from, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    const Frame<double> way = frame(point, u, false);
    Frame<T> line;
    for (int i = 0; i < 4; ++i)
      line[i] = on_line<order>(there[i], way[i]);
    const Frame<T> F = push(point, line, shift_of(point, at.from));
    Frame<double> change;
    for (int i = 0; i < 4; ++i)
      for (int d = 0; d < 3; ++d)
        change[i][d] = F[i][d].c[order];
    add(point, times_of_s * factor * point.dA, change, r);
  });
}

void SegmentTerm::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (at.part == Part::all && weights.k != 0.)
    add_derivative<1>(at, weights.k, u, r);
}

void SegmentTerm::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  if (at.part == Part::all)
    add_derivative<2>(at, 1., a, r);
}

void SegmentTerm::add_block(const SegmentPoint &point, const Frame<double> &at, const double shift, const double factor,
                            const MatrixSink &sink) const
{
  const auto F = push(point, with_slopes(at), shift);
  const std::vector<Share> all = shares(point);
  for (const Share &s : all)
    for (const Share &t : all)
      for (int d = 0; d < n; ++d)
        for (int e = 0; e < n; ++e)
        {
          double sum = 0;
          for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
              sum += s.of[i] * t.of[j] * F[i][d].e[0][3 * j + e];
          sink.add(n * s.site + d, n * t.site + e, factor * point.dA * sum);
        }
}

void SegmentTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all || weights.k == 0.)
    return;
  const Vector middle = at.previous ? middle_of(at) : Vector();
  const double factor = (at.previous ? 0.5 : 1.) * weights.k;
  each_point(at.previous ? middle : *at.q, at.from, false, [&](const SegmentPoint &point, const Frame<double> &there) {
    add_block(point, there, shift_of(point, at.from), factor, sink);
  });
}

void SegmentTerm::couple(const Couple &join) const
{
  for (const auto &[face, other] : coupled)
  {
    std::vector<std::int64_t> sites = pair.first.faces[face].nodes;
    const std::vector<std::int64_t> &more = pair.second.faces[other].nodes;
    sites.insert(sites.end(), more.begin(), more.end());
    for (const std::int64_t a : sites)
      for (const std::int64_t b : sites)
        join(int(a), int(b));
  }
}

double SegmentTerm::energy_scale() const
{
  double area = 0;
  for (const SegmentPoint &point : points)
    area += pair.first.owned[point.face] ? point.dA * pair.face * pair.face : 0.;
  return pair.law->stiffness() * area;
}

std::string SegmentTerm::diagnose(const Vector &q) const
{
  double deepest = least();
  Place at{};
  bool found = false;
  each_point(q, nullptr, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    if (const double g = gap(point, there); g <= deepest)
    {
      found = true;
      deepest = g;
      at = there[0];
    }
  });
  if (!found)
    return "";
  return fmt::format("{} would pass {} at {}: the gap is {} there, and contact '{}' admits {}{}", pair.first_name, pair.second_name,
                     units.at_place(at), units.in_length(deepest), pair.name, units.in_length(least()), way_out());
}

std::string SegmentTerm::if_slow(const Vector &q) const
{
  bool closed = false;
  each_touch(q, true, [&closed](const Touch &touch) { closed = closed || touch.pressure > 0.; });
  return closed ? slow_out() : "";
}

ContactSums SegmentTerm::sums(const Vector &q, const double *history) const
{
  ContactSums sums;
  sums.height = pair.height;
  const auto look = [&](const std::vector<SegmentPoint> &among) {
    for (const SegmentPoint &point : among)
      if (const double g = pair.first.owned[point.face] ? gap(point, frame(point, q, true)) : sums.gap; g < sums.gap)
      {
        sums.gap = g;
        sums.at = {};
        const SurfaceFace &face = pair.first.faces[point.face];
        for (std::size_t a = 0; a < face.nodes.size(); ++a)
          for (int d = 0; d < 3; ++d)
            sums.at[d] += point.N[a] * face.X[a][d];
      }
  };
  each_point(reported(), q, history, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    const double g = gap(point, there), s = shift_of(point, history);
    const std::array<double, 5> phi = pair.law->at(g - s);
    const Place normal = cross(there[2], there[3]);
    const double factor = point.dA * phi[1] * pair.second.faces[point.other].outward / length(normal);
    for (int d = 0; d < 3; ++d)
      sums.force[d] -= factor * normal[d];
    sums.area += phi[1] < 0. ? point.dA : 0.;
    sums.points += phi[1] < 0.;
    sums.energy += point.dA * energy_about(*pair.law, g, s);
    sums.pressure = std::max(sums.pressure, -phi[1]);
  });
  look(reported());
  constexpr double farther = 4., farthest = 1e6;  // faces
  for (double looked = pair.law->reach() + pair.face; MPI::min(sums.gap, space->communicator()) > looked && looked < farthest * pair.face;
       looked *= farther)
    look(found_about(q, farther * looked));
  return sums;
}

void SegmentTerm::each_touch(const Vector &q, const bool owned_only, const std::function<void(const Touch &)> &visit) const
{
  each_point(q, nullptr, owned_only, [&](const SegmentPoint &point, const Frame<double> &there) {
    Touch touch{{}, point.dA, -pair.law->at(gap(point, there))[1]};
    if (!(touch.pressure > 0.))
      return;
    const Frame<double> forces = push(point, there, 0.);  // Phi' = -p times the gradient
    for (const auto &[site, of] : shares(point))
    {
      Place gradient{};
      for (int d = 0; d < n; ++d)
        for (int i = 0; i < 4; ++i)
          gradient[d] -= of[i] * forces[i][d] / touch.pressure;
      touch.sites.emplace_back(site, gradient);
    }
    visit(touch);
  });
}

void SegmentTerm::each_gap(const Vector &q, const VisitGap &visit) const
{
  for (const SegmentPoint &point : points)
    visit(point.face, point.dA, gap(point, frame(point, q, true)));
}

void SegmentTerm::add_fields(const Vector &q, const double *history, SurfaceSums &sums) const
{
  for (const SegmentPoint &point : reported())
    if (pair.first.owned[point.face])
    {
      const Frame<double> there = frame(point, q, true), moved = frame(point, q, false);
      const double g = gap(point, there), p = -pair.law->at(g - shift_of(point, history))[1];
      const Place n = cross(there[2], there[3]);
      const double in_first = pair.first.layer[point.face] == sums.layer, in_second = pair.second.layer[point.other] == sums.layer;
      for (const auto &[site, of] : shares(point))
        sums.add(site, in_first * of[0] + in_second * of[1], point.dA, p, g, difference(moved[0], moved[1]), n);
    }
}
}  // namespace symdyn
