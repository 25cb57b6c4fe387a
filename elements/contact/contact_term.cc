#include "elements/contact/contact_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace symdyn
{
/// Where a point of a face is.
ContactTerm::ContactTerm(ContactPair given, std::shared_ptr<const Space> of_space)
    : pair(std::move(given)), space(std::move(of_space)), n(space->block())
{
  if (!pair.law->has_multipliers())
    return;
  std::vector<FaceMemory::Face> kept;
  for (const MeshFace &face : pair.faces)
    kept.push_back({face.identity, face.owned, 1});
  have_multipliers(std::move(kept), pair.deep, pair.name, space->communicator());
}

Traits ContactTerm::traits() const
{
  Traits traits;
  traits.impact = impact;
  traits.searches = true;  // between steps the way of its points is checked
  traits.momentum_gradient = pair.obstacle->keeps_momenta();
  traits.history = has_multipliers();
  return traits;
}

Place ContactTerm::value(const MeshFace &face, const std::size_t point, const Vector &u, const bool with_X) const
{
  Place x{};
  const std::size_t nodes = face.nodes.size();
  for (std::size_t a = 0; a < nodes; ++a)
    for (int d = 0; d < n; ++d)
      x[d] += face.shape[point * nodes + a] * (u.local_element(n * face.nodes[a] + d) + (with_X ? face.X[a][d] : 0.));
  for (int d = 0; pair.carrier >= 0 && d < n; ++d)
    x[d] -= u.local_element(n * pair.carrier + d);
  return x;
}

/// No point of a face is farther from its first node than twice the farthest of its nodes, of shape functions of the usual degrees, and the
/// lengths of directors times their weights.
bool ContactTerm::out_of_reach(const MeshFace &face, const Vector &q, const double *history) const
{
  Place first{};
  double square = 0, aside = 0;
  const std::size_t nodes = face.nodes.size();
  for (std::size_t a = 0; a < nodes; ++a)
  {
    double distance = 0;
    if (space->is_director(face.nodes[a]))
    {
      double weight = 0;
      for (std::size_t point = 0; point < face.points(); ++point)
        weight = std::max(weight, std::abs(face.shape[point * nodes + a]));
      for (int d = 0; d < n; ++d)
        distance += std::pow(face.X[a][d] + q.local_element(n * face.nodes[a] + d), 2);
      aside += weight * std::sqrt(distance);
      continue;
    }
    for (int d = 0; d < n; ++d)
    {
      const double x = face.X[a][d] + q.local_element(n * face.nodes[a] + d);
      if (a == 0)
        first[d] = x - (pair.carrier >= 0 ? q.local_element(n * pair.carrier + d) : 0.);
      else
        distance += std::pow(x - face.X[0][d] - q.local_element(n * face.nodes[0] + d), 2);
    }
    square = std::max(square, distance);
  }
  return gap(first) - 2. * std::sqrt(square) - aside > pair.law->reach() + shift_of(face, history);
}

void ContactTerm::each_gap(const Vector &q, const VisitGap &visit) const
{
  for (std::size_t face = 0; face < pair.faces.size(); ++face)
    for (std::size_t point = 0; point < pair.faces[face].points(); ++point)
      visit(face, pair.faces[face].dA[point], gap(value(pair.faces[face], point, q, true)));
}

void ContactTerm::add(const MeshFace &face, const std::size_t point, const Place &F, Vector &r) const
{
  const std::size_t nodes = face.nodes.size();
  for (std::size_t a = 0; a < nodes; ++a)
    for (int d = 0; d < n; ++d)
      r.local_element(n * face.nodes[a] + d) += face.dA[point] * face.shape[point * nodes + a] * F[d];
  for (int d = 0; pair.carrier >= 0 && d < n; ++d)
    r.local_element(n * pair.carrier + d) -= face.dA[point] * F[d];
}

double ContactTerm::least(const double height) const
{
  const double of_law = pair.law->least();
  return std::isfinite(of_law) ? of_law : -0.5 * height;
}

double ContactTerm::energy(const At &at) const
{
  double V = 0;
  each_point(at, [&](const Point &p) { V += p.w * energy_about(*pair.law, gap(p.x), p.s); });
  return V;
}

double ContactTerm::add_force(const At &at, Vector &f) const
{
  double smallest = always_admissible;
  each_point(at, [&](const Point &p) {
    Place normal;
    const double g = pair.obstacle->gap(p.x, normal) + pair.clearance, slope = pair.law->at(g - p.s)[1];
    if (!(g > least(p.face.height)))
      smallest = std::min(-1., g);
    if (slope == 0.)
      return;
    for (double &component : normal)
      component *= slope;
    add(p.face, p.q, normal, f);
  });
  return smallest;
}

double ContactTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  double smallest = always_admissible;
  for (const MeshFace &face : pair.faces)
    if (face.owned && !(out_of_reach(face, *at.q, at.from) && out_of_reach(face, *at.previous, at.from)))
      for (std::size_t q = 0; q < face.points(); ++q)
      {
        const Place x0 = value(face, q, *at.previous, true), x1 = value(face, q, *at.q, true);
        const double g0 = gap(x0), g1 = gap(x1), s = shift_of(face, at.from), D = MeanSlope(*pair.law, g0 - s, g1 - s).value;
        if (!(g1 > least(face.height)))
          smallest = std::min(-1., g1);
        if (D == 0.)
          continue;
        Place N = pair.obstacle->mean_normal(x0, x1, nullptr);
        for (double &component : N)
          component *= D;
        add(face, q, N, f);
      }
  return smallest;
}

void ContactTerm::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (at.part != Part::all || weights.k == 0.)
    return;
  each_point(at, [&](const Point &p) {
    Place normal;
    const auto phi = pair.law->at(pair.obstacle->gap(p.x, normal) + pair.clearance - p.s);
    if (phi[1] == 0. && phi[2] == 0.)
      return;
    const Place w = value(p.face, p.q, u, false), bent = times(pair.obstacle->curvature(p.x), w);
    const double s = along(normal, w);
    Place F;
    for (int d = 0; d < 3; ++d)
      F[d] = weights.k * (phi[2] * s * normal[d] + phi[1] * bent[d]);
    add(p.face, p.q, F, r);
  });
}

/// Over the area, of V'' at a point, or of its discrete gradient: d(D N)/dx1 = D' N n1ᵀ + D dN/dx1.
PlaceMatrix ContactTerm::block(const Point &p, const At &at) const
{
  Place n1, left;
  const double g = pair.obstacle->gap(p.x, n1) + pair.clearance - p.s;
  PlaceMatrix B{};
  double first = 0, second = 0;
  if (at.previous)
  {
    const Place x0 = value(p.face, p.q, *at.previous, true);
    const MeanSlope mean(*pair.law, gap(x0) - p.s, g);
    first = mean.value;
    second = mean.change;
    if (first != 0. || second != 0.)
      left = pair.obstacle->mean_normal(x0, p.x, &B);
  }
  else
  {
    const auto phi = pair.law->at(g);
    first = phi[1];
    second = phi[2];
    left = n1;
    if (first != 0.)
      B = pair.obstacle->curvature(p.x);
  }
  if (first == 0. && second == 0.)
    return {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      B[3 * i + j] = first * B[3 * i + j] + second * left[i] * n1[j];
  return B;
}

void ContactTerm::add_block(const MeshFace &face, const std::size_t point, const PlaceMatrix &B, const MatrixSink &sink) const
{
  const std::size_t nodes = face.nodes.size();
  const double *N = &face.shape[point * nodes];
  const auto add_between = [&](const int row, const int column, const double factor) {
    if (row >= 0 && column >= 0)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          sink.add(n * row + i, n * column + j, face.dA[point] * factor * B[3 * i + j]);
  };
  for (std::size_t a = 0; a < nodes; ++a)
  {
    for (std::size_t b = 0; b < nodes; ++b)
      add_between(face.nodes[a], face.nodes[b], N[a] * N[b]);
    add_between(face.nodes[a], pair.carrier, -N[a]);
    add_between(pair.carrier, face.nodes[a], -N[a]);
  }
  add_between(pair.carrier, pair.carrier, 1.);
}

void ContactTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all || weights.k == 0.)
    return;
  for (const MeshFace &face : pair.faces)
    if (!out_of_reach(face, *at.q, at.from) || (at.previous && !out_of_reach(face, *at.previous, at.from)))
      for (std::size_t q = 0; q < face.points(); ++q)
      {
        PlaceMatrix B = block({face, q, value(face, q, *at.q, true), face.dA[q], shift_of(face, at.from)}, at);
        if (B == PlaceMatrix{})
          continue;
        for (double &entry : B)
          entry *= weights.k;
        add_block(face, q, B, sink);
      }
}

void ContactTerm::couple(const Couple &join) const
{
  for (const MeshFace &face : pair.faces)
    for (const int a : face.nodes)
    {
      for (const int b : face.nodes)
        join(a, b);
      if (pair.carrier < 0)
        continue;
      join(a, pair.carrier);
      join(pair.carrier, a);
      join(pair.carrier, pair.carrier);
    }
}

std::pair<double, Place> ContactTerm::too_deep(const Vector &q) const
{
  const Vector undeformed = space->new_vector();
  std::pair<double, Place> deepest{};
  for (const MeshFace &face : pair.faces)
    for (std::size_t point = 0; face.owned && point < face.points(); ++point)
      if (const double g = gap(value(face, point, q, true)); !(g > least(face.height)))
        deepest = std::max(deepest, {-g, value(face, point, undeformed, true)});
  return deepest;
}

double ContactTerm::energy_scale() const
{
  double area = 0;
  for (const MeshFace &face : pair.faces)
    for (std::size_t q = 0; face.owned && q < face.points(); ++q)
      area += face.dA[q] * face.height * face.height;
  return pair.law->stiffness() * area;
}

/// The distance changes by no more than the way, so that a point at the gap g may go on by g without a look at what is between.
double ContactTerm::free_part_of(const Place &x, const Place &w, const double least) const
{
  constexpr double smallest_part = 1e-3;
  const double way = std::sqrt(along(w, w));
  for (double s = 0.;;)
  {
    const double left = gap({x[0] + s * w[0], x[1] + s * w[1], x[2] + s * w[2]}) - least;
    if (!(left > 0.))
      return s;
    if (s == 1.)
      return 1.;
    s = std::min(1., s + std::max(left / way, smallest_part));
  }
}

double ContactTerm::free_part(const Vector &q, const Vector &dq) const
{
  double part = 1.;
  for (const MeshFace &face : pair.faces)
    for (std::size_t point = 0; face.owned && point < face.points(); ++point)
    {
      const Place x = value(face, point, q, true), w = value(face, point, dq, false);
      const double g = gap(x) - least(face.height);
      if (!(g * g > along(w, w) && g > 0.))
        part = std::min(part, free_part_of(x, w, least(face.height)));
    }
  return dealii::Utilities::MPI::min(part, space->communicator());
}

std::string ContactTerm::diagnose(const Vector &q) const
{
  bool found = false;
  double deepest = 0, g = 0, bound = 0;
  Place at{};
  for (const MeshFace &face : pair.faces)
    for (std::size_t point = 0; face.owned && point < face.points(); ++point)
    {
      const Place x = value(face, point, q, true);
      const double left = gap(x) - least(face.height);
      if (left > 0. || (found && left >= deepest))
        continue;
      found = true;
      deepest = left;
      g = gap(x);
      bound = least(face.height);
      at = x;
    }
  if (!found)
    return "";
  return fmt::format("{} would pass {} at {}: the gap is {} there, and contact '{}' admits {}{}", pair.surface, pair.against,
                     units.at_place(at), units.in_length(g), pair.name, units.in_length(bound), way_out());
}

void ContactTerm::each_touch(const Vector &q, const bool owned_only, const std::function<void(const Touch &)> &visit) const
{
  for (const MeshFace &face : pair.faces)
    if ((face.owned || !owned_only) && !out_of_reach(face, q))
      for (std::size_t point = 0; point < face.points(); ++point)
      {
        Place normal;
        Touch touch{{}, face.dA[point], pressure(face, value(face, point, q, true), nullptr, normal)};
        if (!(touch.pressure > 0.))
          continue;
        const auto share = [&](const double of) { return Place{of * normal[0], of * normal[1], of * normal[2]}; };
        const std::size_t nodes = face.nodes.size();
        for (std::size_t a = 0; a < nodes; ++a)
          touch.sites.emplace_back(face.nodes[a], share(face.shape[point * nodes + a]));
        if (pair.carrier >= 0)
          touch.sites.emplace_back(pair.carrier, share(-1.));
        visit(touch);
      }
}

ContactSums ContactTerm::sums(const Vector &q, const double *history) const
{
  ContactSums sums;
  for (const MeshFace &face : pair.faces)
    for (std::size_t point = 0; face.owned && point < face.points(); ++point)
    {
      const Place x = value(face, point, q, true);
      Place normal;
      const double g = pair.obstacle->gap(x, normal) + pair.clearance, w = face.dA[point], s = shift_of(face, history);
      const auto phi = pair.law->at(g - s);
      if (g < sums.gap)
      {
        sums.gap = g;
        sums.height = face.height;
        sums.at = {};
        const std::size_t nodes = face.nodes.size();
        for (std::size_t a = 0; a < nodes; ++a)
          for (int d = 0; d < n; ++d)
            sums.at[d] += face.shape[point * nodes + a] * face.X[a][d];
      }
      for (int d = 0; d < 3; ++d)
        sums.force[d] -= w * phi[1] * normal[d];
      sums.area += phi[1] < 0. ? w : 0.;
      sums.points += phi[1] < 0.;
      sums.energy += w * energy_about(*pair.law, g, s);
      sums.pressure = std::max(sums.pressure, -phi[1]);
    }
  return sums;
}

void ContactTerm::add_fields(const Vector &q, const double *history, SurfaceSums &sums) const
{
  for (const MeshFace &face : pair.faces)
    for (std::size_t point = 0; point < face.points() && face.owned && face.layer == sums.layer; ++point)
    {
      Place normal;
      const double g = pair.obstacle->gap(value(face, point, q, true), normal) + pair.clearance;
      const double p = -pair.law->at(g - shift_of(face, history))[1];
      for (std::size_t a = 0; a < face.nodes.size(); ++a)
        sums.add(face.nodes[a], face.shape[point * face.nodes.size() + a], face.dA[point], p, g, value(face, point, q, false), normal);
    }
}
}  // namespace symdyn
