#include "elements/models/held_start.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "solver/base/counted.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

HeldStart::HeldStart(const AssembledSystem &system, const SitePlan *plan, const Vector &given, const Vector &imposed)
    : shared_space(system.all_parts().space),
      space(*shared_space),
      plan(plan),
      given(given),
      imposed(imposed),
      lost(given),
      rounding(1e-9 * given.linfty_norm())
{
  lost -= imposed;
  Vector free = lost;
  for (const auto &supports : system.all_parts().supports)
    supports->project(free);
  lost -= free;
}

bool HeldStart::loses(const int site) const
{
  bool any = false;
  for (int d = 0; d < space.block(); ++d)
    any = any || std::abs(lost.local_element(space.block() * site + d)) > rounding;
  return any;
}

HeldStart::Largest HeldStart::largest(const bool of_directors) const
{
  std::map<int, int> node_of;  // of directors
  if (plan && of_directors)
  {
    const PlannedSites sites(shared_space, *plan);
    for (std::size_t i = 0; i < plan->appended().size(); ++i)
      if (plan->appended()[i].is_director)
        node_of[sites.local(-SitePlan::Site(i) - 1)] = sites.local(plan->appended()[i].node);
  }
  Largest found;
  std::set<int> nodes;
  const int n = space.block();
  for (int site = 0; site < space.owned(); ++site)
  {
    if (space.is_director(site) != of_directors || !loses(site) || (of_directors && node_of.count(site) == 0))
      continue;
    const int node = of_directors ? node_of.at(site) : site;
    nodes.insert(node);
    double square = 0;
    for (int d = 0; d < n; ++d)
      square += std::pow(lost.local_element(n * site + d), 2);
    if (const double speed = std::sqrt(square); speed > found.speed && node >= 0)
    {
      found.speed = speed;
      found.at = space.position(node);
      for (int d = 0; d < n; ++d)
      {
        found.given[d] = given.local_element(n * site + d);
        found.held[d] = imposed.local_element(n * site + d);
      }
    }
  }
  found.nodes = double(nodes.size());
  return found;
}

std::string HeldStart::in_words() const
{
  std::string text;
  for (const bool of_directors : {false, true})
  {
    const Largest here = largest(of_directors);
    std::vector<double> numbers{here.nodes, here.speed};
    for (const Place &one : {here.at, here.given, here.held})
      numbers.insert(numbers.end(), one.begin(), one.end());
    Largest all;
    for (const std::vector<double> &rank : MPI::all_gather(space.communicator(), numbers))
    {
      all.nodes += rank[0];
      if (rank[1] <= all.speed)
        continue;
      all.speed = rank[1];
      for (int d = 0; d < 3; ++d)
        std::tie(all.at[d], all.given[d], all.held[d]) = std::tuple{rank[2 + d], rank[5 + d], rank[8 + d]};
    }
    if (all.nodes == 0.)
      continue;
    const auto vector = [](const Place &x) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", x[0], x[1], x[2]); };
    const std::string held = all.held == Place{} ? "rest" : "prescribe " + vector(all.held);
    text += text.empty() ? "" : "; ";
    text += of_directors ? fmt::format("supports hold the rotation of {} that it turns, most at {} m with {:.4g} rad/s",
                                       counted(std::uint64_t(all.nodes), "node"), vector(all.at), all.speed)
                         : fmt::format("supports hold {} that it moves, most at {} m, where it gives {} m/s and they {}",
                                       counted(std::uint64_t(all.nodes), "node"), vector(all.at), vector(all.given), held);
  }
  return text;
}
}  // namespace symdyn
