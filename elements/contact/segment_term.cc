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

namespace
{
constexpr double longest_way = 0.5;  ///< way of a step, in faces, without a closer look
constexpr double of_cell = 0.5;      ///< the depth that laws without a limit admit, in heights of a cell
}  // namespace

SegmentTerm::SegmentTerm(SegmentPair given, std::shared_ptr<const Space> of_space)
    : pair(std::move(given)), space(std::move(of_space)), n(space->block())
{
  for (const SegmentSurface *side : {&pair.first, &pair.second})
    for (const SurfaceFace &face : side->faces)
      for (const std::int64_t site : face.nodes)
        all_sites.push_back(int(site));
  std::sort(all_sites.begin(), all_sites.end());
  all_sites.erase(std::unique(all_sites.begin(), all_sites.end()), all_sites.end());
}

Traits SegmentTerm::traits() const
{
  Traits traits;
  traits.searches = true;
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

SegmentTerm::Frame<double> SegmentTerm::frame(const SegmentPoint &point, const Vector &u, const bool with_X) const
{
  Frame<double> at{};
  for (const auto &[site, of] : shares(point))
    for (int d = 0; d < n; ++d)
    {
      const double x = u.local_element(n * site + d) + (with_X ? space->position(site)[d] : 0.);
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
  return pair.second.faces[point.other].outward * dot(N, difference(at[0], at[1])) / length(N) + pair.clearance;
}

template <class T>
SegmentTerm::Frame<T> SegmentTerm::push(const SegmentPoint &point, const Frame<T> &at) const
{
  const T outward(pair.second.faces[point.other].outward);
  const Arrow<T> N = times(outward, vector_product(at[2], at[3])), r = minus(at[0], at[1]);
  const T size = size_of(N), one = T(1.) / size, along = product(N, r) * one;
  const Arrow<T> n = times(one, N), aside = times(one, minus(r, times(along, n)));
  const std::array<double, 5> phi = pair.law->at(value_of(along) + pair.clearance);
  const T slope = compose(along, {phi[1], phi[2], phi[3], phi[4]}), turned = slope * outward;
  return {times(slope, n), times(T(0.) - slope, n), times(turned, vector_product(at[3], aside)),
          times(turned, vector_product(aside, at[2]))};
}

template <class Visit>
void SegmentTerm::each_point(const Vector &q, const bool owned_only, const Visit &visit) const
{
  for (const SegmentPoint &point : points)
    if (!owned_only || pair.first.owned[point.face])
      if (const Frame<double> at = frame(point, q, true); gap(point, at) < pair.law->reach())
        visit(point, at);
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
  each_point(*at.q, true,
             [&](const SegmentPoint &point, const Frame<double> &there) { V += point.dA * pair.law->at(gap(point, there))[0]; });
  return V;
}

double SegmentTerm::add_force(const At &at, Vector &f) const
{
  double smallest = always_admissible;
  each_point(*at.q, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    if (const double g = gap(point, there); !(g > least()))
      smallest = std::min(-1., g - least());
    add(point, point.dA, push(point, there), f);
  });
  return smallest;
}

double SegmentTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  double smallest = add_middle_gradient(*this, *space, all_sites, at, f);
  each_point(*at.q, true, [&](const SegmentPoint &point, const Frame<double> &there) {
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
  each_point(*at.q, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    const Frame<double> way = frame(point, u, false);
    Frame<T> line;
    for (int i = 0; i < 4; ++i)
      line[i] = on_line<order>(there[i], way[i]);
    const Frame<T> F = push(point, line);
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

void SegmentTerm::add_block(const SegmentPoint &point, const Frame<double> &at, const double factor, const MatrixSink &sink) const
{
  const auto F = push(point, with_slopes(at));
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
  each_point(at.previous ? middle : *at.q, false,
             [&](const SegmentPoint &point, const Frame<double> &there) { add_block(point, there, factor, sink); });
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

std::vector<Place> SegmentTerm::places(const Vector &q) const
{
  std::vector<Place> all;
  for (const int site : all_sites)
  {
    Place x{};
    for (int d = 0; d < n; ++d)
      x[d] = q.local_element(n * site + d);
    all.push_back(x);
  }
  return all;
}

std::vector<SegmentPoint> SegmentTerm::found_about(const Vector &q, const double apart) const
{
  const auto has_owned = [&](const SurfaceFace &face) {
    return std::any_of(face.nodes.begin(), face.nodes.end(), [&](const std::int64_t site) { return site < space->owned(); });
  };
  SegmentSearch search;
  search.dim = n;
  search.points = pair.points;
  search.apart = apart - pair.clearance;
  search.deep = 2. * of_cell * pair.height + pair.clearance;
  search.wanted = [&](const int face, const int other) {
    return pair.first.owned[face] || has_owned(pair.first.faces[face]) || has_owned(pair.second.faces[other]);
  };
  return pair.first.faces.empty() ? std::vector<SegmentPoint>{} : find_segments(pair.first, pair.second, q, search);
}

void SegmentTerm::search(const Vector &q)
{
  searched = places(q);
  points = found_about(q, pair.law->reach() + 2. * longest_way * pair.face);
  std::vector<std::pair<int, int>> now;
  for (const SegmentPoint &point : points)
    if (now.empty() || now.back() != std::pair{point.face, point.other})
      now.emplace_back(point.face, point.other);
  if (MPI::max(int(now != coupled), space->communicator()) == 0)
    return;
  ++changes;
  coupled = std::move(now);
}

/// Whether the segments serve on the way: they are found about its start (so that a restart has the same ones), bodies that touch slide by
/// less than a part of a face, and no face without segments touches at its end.
bool SegmentTerm::serves(const Vector &q, const Vector &dq, const Vector &end) const
{
  if (places(q) != searched)
    return false;
  bool serve = true;
  each_point(end, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    const Frame<double> moved = frame(point, dq, false);
    const Place N = cross(there[2], there[3]), slip = difference(moved[0], moved[1]);
    const double along = dot(N, slip) / length(N);
    serve = serve && dot(slip, slip) - along * along < std::pow(longest_way * pair.face, 2);
  });
  double step = 0;
  for (const Place &way : places(dq))
    step = std::max(step, length(way));
  if (step <= longest_way * pair.face)  // two such ways are within the margin of the search
    return serve;
  std::set<int> listed;
  for (const auto &[face, other] : coupled)
    listed.insert(face);
  for (const SegmentPoint &point : found_about(end, pair.law->reach()))
    serve = serve && listed.count(point.face) > 0;
  return serve;
}

double SegmentTerm::largest_step(const Vector &q, const Vector &dq) const
{
  constexpr double almost = 0.999;  // the motion is free, its forces are not
  Vector end = q;
  end += dq;
  end.update_ghost_values();
  return std::min(free_part(q, dq), MPI::min(serves(q, dq, end) ? 1. : almost, space->communicator()));
}

/// Where the way leads deeper than a state may be, about 0.9 of the way to there.
double SegmentTerm::free_part(const Vector &q, const Vector &dq) const
{
  constexpr double of_way = 0.9;
  Vector end = q;
  end += dq;
  end.update_ghost_values();
  double part = 1.;
  for (const SegmentPoint &point : points)
    if (pair.first.owned[point.face])
    {
      const double after = gap(point, frame(point, end, true)) - least();
      if (after > 0.)
        continue;
      const double before = gap(point, frame(point, q, true)) - least();
      part = std::min(part, before > 0. ? of_way * before / (before - after) : 0.);
    }
  return MPI::min(part, space->communicator());
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
  each_point(q, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    if (const double g = gap(point, there); g <= deepest)
    {
      found = true;
      deepest = g;
      at = there[0];
    }
  });
  if (!found)
    return "";
  return fmt::format(
      "{} would pass {} at ({:.4g}, {:.4g}, {:.4g}) m: the gap is {:.3g} m there, and contact '{}' admits {:.3g} m. Take smaller steps or "
      "increments, or a stiffer [Contact/{}]",
      pair.first_name, pair.second_name, at[0], at[1], at[2], deepest, pair.name, least(), pair.name);
}

ContactSums SegmentTerm::sums(const Vector &q) const
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
  each_point(q, true, [&](const SegmentPoint &point, const Frame<double> &there) {
    const std::array<double, 5> phi = pair.law->at(gap(point, there));
    const Place normal = cross(there[2], there[3]);
    const double factor = point.dA * phi[1] * pair.second.faces[point.other].outward / length(normal);
    for (int d = 0; d < 3; ++d)
      sums.force[d] -= factor * normal[d];
    sums.area += phi[1] < 0. ? point.dA : 0.;
    sums.energy += point.dA * phi[0];
    sums.pressure = std::max(sums.pressure, -phi[1]);
  });
  look(points);
  constexpr double farther = 4., farthest = 1e6;  // faces
  for (double looked = pair.law->reach() + pair.face; MPI::min(sums.gap, space->communicator()) > looked && looked < farthest * pair.face;
       looked *= farther)
    look(found_about(q, farther * looked));
  return sums;
}
}  // namespace symdyn
