#include "elements/space/director_frames.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "elements/space/director_node.h"
#include "solver/base/together.h"
#include "solver/error.h"

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
    owned.push_back(std::move(node));
  }
  std::sort(leaders.begin(), leaders.end());
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

void DirectorFrames::meet(const Vector &W, const Vector &from, Vector &q) const
{
  std::string fault;
  for (const Node &node : owned)
    if (const auto change = node.correction(node.present(q), node.present(from), node.weights(W)))
      node.add(*change, q);
    else
      fault = name_of(node) + " turn too far in a step. Lower \"Time step\"";
  throw_collectively<ComputationError>(fault, space->communicator());
  q.update_ghost_values();
}

void DirectorFrames::meet_rates(const Vector &W, const Vector &from, const Vector &q, Vector &x, const Bending *bending) const
{
  for (const Node &node : owned)
  {
    const Frame d = node.present(q);
    Multipliers b = node.slopes(d, node.of(x));
    const Multipliers c = bending ? node.slopes(node.of(bending->v), node.of(bending->u)) : Multipliers{};
    for (int a = 0; a < node.pairs(); ++a)
      b[a] = -b[a] - c[a];
    node.add(node.moved(d, &from == &q ? d : node.present(from), node.weights(W), b), x);
  }
  x.update_ghost_values();
}

NodalConstraints::Deviation DirectorFrames::deviation(const Vector &q, const Vector &v) const
{
  Deviation largest;
  const Node *at = nullptr;
  for (const Node &node : owned)
  {
    const Frame d = node.present(q);
    const Multipliers g = node.values(d), rates = node.slopes(d, node.of(v));
    for (int a = 0; a < node.pairs(); ++a)
    {
      if (!(std::abs(g[a]) <= largest.g))
      {
        largest.g = std::abs(g[a]);
        at = &node;
      }
      largest.rate = std::max(largest.rate, std::abs(rates[a]));
    }
  }
  const MPI_Comm communicator = space->communicator();
  const double here = largest.g;
  largest.g = dealii::Utilities::MPI::max(largest.g, communicator);
  largest.rate = dealii::Utilities::MPI::max(largest.rate, communicator);
  for (const std::string &name : dealii::Utilities::MPI::all_gather(communicator, at && here == largest.g ? name_of(*at) : std::string()))
    if (largest.node.empty())
      largest.node = name;
  return largest;
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
