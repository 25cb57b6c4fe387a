#include "elements/space/director_frames.h"

#include <deal.II/base/mpi.h>
#include <deal.II/base/tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "elements/space/director_node.h"
#include "solver/base/together.h"
#include "solver/error.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
DirectorFrames::DirectorFrames(std::shared_ptr<const Space> of_space, const std::vector<std::vector<Site>> &nodes,
                               const Projector &projector)
    : space(std::move(of_space))
{
  for (const std::vector<Site> &sites : nodes)
  {
    for (const Site site : sites)
      leaders.emplace_back(site, sites[0]);
    if (!space->sites()->in_local_range(sites[0]))
      continue;
    Node node;
    for (const Site site : sites)
    {
      const int local = space->sites()->global_to_local(site);
      node.D[node.sites.size()] = space->position(local);
      node.sites.push_back(local);
    }
    const auto is_held = [&](const int site) { return projector(site) != nullptr; };
    if (std::any_of(node.sites.begin(), node.sites.end(), is_held))
      for (const int site : node.sites)
      {
        node.free.push_back({1., 0., 0., 0., 1., 0., 0., 0., 1.});
        if (const double *P = projector(site))
          std::copy_n(P, 9, node.free.back().begin());
      }
    if (node.sites.size() == 1 && node.free.empty())
      singles.push_back(node.sites[0]);
    else
      others.push_back(owned.size());
    owned.push_back(std::move(node));
  }
  std::sort(leaders.begin(), leaders.end());
  for (const Node &node : owned)
    most_pairs = std::max(most_pairs, node.pairs());
  most_pairs = dealii::Utilities::MPI::max(most_pairs, space->communicator());
}

DirectorFrames::Site DirectorFrames::leader(const Site site) const
{
  const auto at = std::lower_bound(leaders.begin(), leaders.end(), std::pair(site, Site(0)));
  return at != leaders.end() && at->first == site ? at->second : site;
}

bool DirectorFrames::turns(const Site site) const
{
  return std::binary_search(leaders.begin(), leaders.end(), std::pair(site, leader(site)));
}

std::string DirectorFrames::too_far() { return " turn too far in a step. Lower \"Time step\""; }

std::string DirectorFrames::name_of(const Node &node) const
{
  return fmt::format("directors of the node of site {}", space->sites()->local_to_global(node.sites[0]) + 1);
}

void DirectorFrames::retract(Vector &q) const
{
  std::string fault;
  for (const Node &node : owned)
    if (const auto change = node.correction(node.present(q)))
      node.add(*change, q);
    else
      fault =
          name_of(node) +
          " cannot be made unit vectors at right angles again: supports contradict that, or the step was too long. Lower \"Time step\", or "
          "the load of an increment";
  throw_collectively<ComputationError>(fault, space->communicator());
  q.update_ghost_values();
}

namespace
{
using Place = Space::Place;

double dot_of(const Place &a, const Place &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Place entries_of(const int site, const double *x) { return {x[3 * site], x[3 * site + 1], x[3 * site + 2]}; }

Place present(const Place &D, const int site, const double *q)
{
  return {D[0] + q[3 * site], D[1] + q[3 * site + 1], D[2] + q[3 * site + 2]};
}

/// x += s d
void add(const double s, const Place &d, const int site, double *x)
{
  for (int e = 0; e < 3; ++e)
    x[3 * site + e] += s * d[e];
}

/// s with |d + s from| = 1, the one near 0; NaN: there is none.
double step_to_unit_length(const Place &d, const Place &from)
{
  const double slope = dot_of(d, from), excess = dot_of(d, d) - 1., square = slope * slope - excess * dot_of(from, from);
  return slope > 0. && square > 0. ? -excess / (slope + std::sqrt(square)) : std::numeric_limits<double>::quiet_NaN();
}
}  // namespace

template <class Take>
void DirectorFrames::find_changes(const Vector &W, const Vector &from, const Vector &end, const Take &take) const
{
  int faulty = -1;  // a site
  const double *q0 = from.begin(), *q1 = end.begin();
  for (const int site : singles)
  {
    const Place &D = space->position(site), start = present(D, site, q0);
    const double s = step_to_unit_length(present(D, site, q1), start);
    take(site, {s * start[0], s * start[1], s * start[2]});
    if (std::isnan(s))
      faulty = site;
  }
  for (const std::size_t k : others)
    if (const Node &node = owned[k]; const auto moved = node.correction(node.present(end), node.present(from), node.weights(W)))
      for (int i = 0; i < node.directors(); ++i)
        take(node.sites[i], (*moved)[i]);
    else
      faulty = node.sites[0];
  const auto of_fault = [&](const Node &node) { return node.sites[0] == faulty; };
  const std::string fault = faulty >= 0 ? name_of(*std::find_if(owned.begin(), owned.end(), of_fault)) + too_far() : "";
  throw_collectively<ComputationError>(fault, space->communicator());
}

void DirectorFrames::meet(const Vector &W, const Vector &from, const Vector &end, Vector &change) const
{
  change = 0.;
  find_changes(W, from, end, [x = change.begin()](const int site, const Place &u) { add(1., u, site, x); });
  change.update_ghost_values();
}

void DirectorFrames::lead(const Vector &W, const Vector &from, const double per, Vector &q, Vector &v) const
{
  find_changes(W, from, q, [per, x = q.begin(), y = v.begin()](const int site, const Place &u) {
    add(1., u, site, x);
    add(per, u, site, y);
  });
}

void DirectorFrames::meet_rates(const Vector &W, const Vector &from, const Vector &q, Vector &x, const Bending *bending) const
{
  const double *q0 = from.begin(), *q1 = q.begin();
  double *rates = x.begin();
  if (!bending)
    for (const int site : singles)
    {
      const Place &D = space->position(site), d = present(D, site, q1), along = present(D, site, q0);
      add(-dot_of(d, entries_of(site, rates)) / dot_of(d, along), along, site, rates);
    }
  const auto hold = [&](const Node &node) {
    const Frame d = node.present(q);
    Multipliers b = node.slopes(d, node.of(x));
    const Multipliers c = bending ? node.slopes(node.of(bending->v), node.of(bending->u)) : Multipliers{};
    for (int a = 0; a < node.pairs(); ++a)
      b[a] = -b[a] - c[a];
    node.add(node.moved(d, &from == &q ? d : node.present(from), node.weights(W), b), x);
  };
  if (bending)
    std::for_each(owned.begin(), owned.end(), hold);
  else
    for (const std::size_t k : others)
      hold(owned[k]);
  x.update_ghost_values();
}

namespace
{
/// The name that belongs to the largest value of all ranks, which replaces the value.
std::string name_of_largest(double &value, const std::string &name, const MPI_Comm communicator)
{
  const double given = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
  const double largest = dealii::Utilities::MPI::max(given, communicator);
  const bool is_here = given == largest && !name.empty();
  value = std::isinf(largest) ? std::numeric_limits<double>::quiet_NaN() : largest;
  for (const std::string &one : dealii::Utilities::MPI::all_gather(communicator, is_here ? name : std::string()))
    if (!one.empty())
      return one;
  return "";
}
}  // namespace

NodalConstraints::Deviation DirectorFrames::deviation(const Vector &q, const Vector &v) const
{
  Deviation largest;
  const auto raise = [this](const Node &node, const double value, double &most, std::string &name) {
    if (std::isnan(most) || std::abs(value) <= most)
      return;
    most = std::abs(value);
    name = name_of(node);
  };
  for (const Node &node : owned)
  {
    const Frame d = node.present(q), speeds = node.of(v);
    const Multipliers g = node.values(d), rates = node.slopes(d, speeds);
    for (int a = 0; a < node.pairs(); ++a)
    {
      raise(node, g[a], largest.g, largest.node);
      raise(node, rates[a], largest.rate, largest.node_of_rate);
    }
    for (int i = 0; i < node.directors(); ++i)
      for (const double speed : speeds[i])
        largest.speed = std::max(largest.speed, std::abs(speed));
  }
  const MPI_Comm communicator = space->communicator();
  largest.node = name_of_largest(largest.g, largest.node, communicator);
  largest.node_of_rate = name_of_largest(largest.rate, largest.node_of_rate, communicator);
  largest.speed = dealii::Utilities::MPI::max(largest.speed, communicator);
  return largest;
}

bool DirectorFrames::hold(const Rotation &body) const
{
  return std::any_of(owned.begin(), owned.end(), [&body](const Node &node) {
    const auto [least, most] = std::minmax_element(node.sites.begin(), node.sites.end());
    return node.directors() == 3 && 3u * unsigned(*least) == body.first && *most == *least + 2;
  });
}

bool DirectorFrames::hold_only(const std::vector<Rotation> &bodies) const
{
  return std::size_t(std::count_if(bodies.begin(), bodies.end(), [this](const Rotation &body) { return hold(body); })) == owned.size();
}

void DirectorFrames::subtract_forces(const Vector &q, Vector &f) const
{
  for (const Node &node : owned)
  {
    const Frame d = node.present(q);
    Multipliers lambda = node.across(d, node.of(f));
    for (double &value : lambda)
      value = -value;
    node.add(node.combine(lambda, d), f);
  }
}

void DirectorFrames::subtract_curvature(const Vector &q, const Vector &f, const Vector &u, Vector &r) const
{
  for (const Node &node : owned)
  {
    Multipliers lambda = node.across(node.present(q), node.of(f));
    for (double &value : lambda)
      value = -value;
    node.add(node.combine(lambda, node.of(u)), r);
  }
}

void DirectorFrames::tangents(const Vector &q, Columns &N) const
{
  for (Vector &column : N)
    column = 0.;
  for (const Node &node : owned)
  {
    const std::array<Frame, 3> columns = node.tangents(node.present(q));
    for (int c = 0; c < 3; ++c)
      node.add(columns[c], N[c]);
  }
}

namespace
{
/// U of Q = U H, H symmetric and positive, by Newton's method (Higham 1986).
dealii::Tensor<2, 3> orthogonal_factor(dealii::Tensor<2, 3> Q)
{
  constexpr int most = 30;
  constexpr double enough = 1e-14;
  double change = 1.;
  for (int iteration = 0; iteration < most && change > enough; ++iteration)
  {
    const dealii::Tensor<2, 3> next = 0.5 * (Q + transpose(invert(Q)));
    change = (next - Q).norm();
    Q = next;
  }
  return Q;
}
}  // namespace

void DirectorFrames::align(const Columns &N, Columns &L) const
{
  for (const Node &node : owned)
  {
    std::array<Frame, 3> of_L{}, turned{};
    for (int c = 0; c < 3; ++c)
      of_L[c] = node.of(L[c]);
    dealii::Tensor<2, 3> Q;
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c)
        Q[a][c] = Node::product(of_L[a], node.of(N[c])) + (a == c && Node::product(of_L[a], of_L[a]) < 0.5 ? 1. : 0.);
    if (std::abs(determinant(Q)) < 0.1)  // turned by 45 degrees and more: nothing is near
      continue;
    Q = orthogonal_factor(Q);
    for (int c = 0; c < 3; ++c)
    {
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < node.directors(); ++i)
          for (int e = 0; e < 3; ++e)
            turned[c][i][e] += of_L[a][i][e] * Q[a][c];
      for (int i = 0; i < node.directors(); ++i)
        for (int e = 0; e < 3; ++e)
          turned[c][i][e] -= of_L[c][i][e];
    }
    for (int c = 0; c < 3; ++c)
      node.add(turned[c], L[c]);
  }
}

void DirectorFrames::visit_curvature(const Vector &q, const Vector &f, const Columns &L, const Columns &N, const Visit &visit) const
{
  for (const Node &node : owned)
  {
    const Multipliers lambda = node.across(node.present(q), node.of(f));
    std::array<double, 9> B{};
    for (int c = 0; c < 3; ++c)
    {
      const Frame bent = node.combine(lambda, node.of(N[c]));
      for (int a = 0; a < 3; ++a)
        B[3 * a + c] = Node::product(node.of(L[a]), bent);
    }
    visit(node.sites, B);
  }
}
}  // namespace symdyn
