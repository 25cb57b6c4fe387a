#include "elements/gram/planned_mass.h"

#include <map>
#include <utility>

namespace symdyn
{
namespace
{
using PairsOfSites = std::map<std::pair<SitePlan::Site, SitePlan::Site>, double>;

/// `mass`: [a][b] of the nodal vectors of the element.
void add_pairs(const PlannedElement &element, const std::vector<double> &mass, PairsOfSites &pairs)
{
  const std::size_t n = element.vectors.size();
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      for (const auto &[one, left] : element.vectors[a])
        for (const auto &[other, right] : element.vectors[b])
          if (one <= other && mass[a * n + b] != 0.)
            pairs[{one, other}] += left * right * mass[a * n + b];
}

std::vector<PartInSystem::Pair> in_list(const PairsOfSites &pairs)
{
  std::vector<PartInSystem::Pair> list;
  for (const auto &[sites, mass] : pairs)
    if (mass != 0.)
      list.push_back({sites.first, sites.second, mass});
  return list;
}

/// The block of each node, times its lumped over its consistent mass; empty where the blocks are diagonal.
std::vector<double> mass_of_nodes(const int nodes, const GramModel &model)
{
  const int n = int(model.lumped.size());
  std::vector<double> blocks(n * n, 0.);
  bool couples = false;
  for (int i = 0; i < n; ++i)
    for (int j = i % nodes; j < n; j += nodes)
    {
      const int place = i % nodes;
      blocks[i * n + j] = i == j ? model.lumped[i] : model.mass[i * n + j] * model.lumped[place] / model.mass[place * n + place];
      couples = couples || (i != j && blocks[i * n + j] != 0.);
    }
  return couples ? blocks : std::vector<double>();
}
}  // namespace

void add_mass(const PlannedElement &element, const int nodes, PartInSystem &part)
{
  const GramModel &model = element.model;
  PairsOfSites less;
  for (std::size_t a = 0; a < element.vectors.size(); ++a)
    for (const auto &[site, factor] : element.vectors[a])
    {
      const double lumped = factor * factor * model.lumped[a];
      part.masses.emplace_back(site, lumped);
      less[{site, site}] -= lumped;
    }
  const auto add_to = [&](std::vector<PartInSystem::Pair> &all, const std::vector<double> &mass) {
    PairsOfSites pairs = less;
    add_pairs(element, mass, pairs);
    const std::vector<PartInSystem::Pair> list = in_list(pairs);
    all.insert(all.end(), list.begin(), list.end());
  };
  if (model.mass.empty())
    return;
  add_to(part.pairs, model.mass);
  if (const std::vector<double> of_nodes = mass_of_nodes(nodes, model); !of_nodes.empty())
    add_to(part.lumped_pairs, of_nodes);
}

void lump_at_nodes(const int nodes, GramModel &model) { model.mass = mass_of_nodes(nodes, model); }
}  // namespace symdyn
