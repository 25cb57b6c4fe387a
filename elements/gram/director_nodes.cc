#include "elements/gram/director_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

namespace symdyn
{
namespace
{
/// Directors closer than this to the span of others are in it [-]: their sums there are shorter by half of its square.
constexpr double same_span = 1e-4;
constexpr double same_span_of_arms = 1e-8;  ///< of what couplings carry, whose sums must be whole
constexpr int directors_at_most = 3;
constexpr double cosine_of_fold = 0.9999;  ///< below Mesh/Fold angle all cells of a node have one normal, the mean (ShellSurface)
}  // namespace

GramModel director_model(const int k, const double stiffness)
{
  if (k < 1 || k > directors_at_most)
    throw std::invalid_argument("Elastic directors: " + std::to_string(k) + " of a node. Use 1 to 3.");
  if (!(stiffness > 0))
    throw std::invalid_argument("Elastic directors: stiffness " + std::to_string(stiffness) + ". It must be positive.");
  static const auto shapes = [] {
    std::array<std::shared_ptr<const GramShape>, directors_at_most> all;
    for (int n = 1; n <= directors_at_most; ++n)
    {
      auto shape = std::make_shared<GramShape>();
      shape->vectors = n;
      shape->G.assign(n * n, 0.);
      for (int i = 0; i < n; ++i)
      {
        shape->G[i * n + i] = 1;
        for (int j = i; j < n; ++j)
          shape->strain.push_back({{i, j, 0.5}});
      }
      all[n - 1] = shape;
    }
    return all;
  }();
  GramModel model{shapes[k - 1], {}, std::vector<double>(k * k, 0.), std::vector<double>(k, 0.)};
  for (int i = 0; i < model.shape->strains(); ++i)
  {
    const GramShape::Product &pair = model.shape->strain[i].front();
    model.blocks.push_back({{i}, {pair.p == pair.q ? stiffness : 2 * stiffness}});
  }
  model.scale = stiffness;
  return model;
}

void DirectorNodes::offer(const SitePlan::Site place, const std::vector<GramVector> &columns, const std::vector<SitePlan::Site> &sites)
{
  offered[place].basis = columns;
  offered[place].sites = sites;
}

DirectorNodes::Node &DirectorNodes::add_needed(const SitePlan::Site place, const GramVector &director)
{
  extend(place, director, same_span);
  Node &node = nodes[place];
  needed[place] = node.basis.size();
  use(place);
  return node;
}

void DirectorNodes::need(const SitePlan::Site place, const GramVector &director) { add_needed(place, director).has_beam = true; }

void DirectorNodes::need_normal(const SitePlan::Site place, const GramVector &normal)
{
  Node &node = add_needed(place, normal);
  if (norm(node.normal) == 0.)
    node.normal = normal;
  node.is_fold = node.is_fold || dot(normal, node.normal) < cosine_of_fold;
}

bool DirectorNodes::can_drill(const SitePlan::Site place) const
{
  const auto found = nodes.find(place);
  return found != nodes.end() && found->second.has_beam && norm(found->second.normal) > 0. && !found->second.is_fold &&
         of_elements(place) == directors_at_most;
}

void DirectorNodes::hinge(const SitePlan::Site place, const GramVector &axis, const bool has_mass)
{
  axes[place].push_back(axis);
  if (has_mass)
    extend(place, axis, same_span);
}

void DirectorNodes::put_axes_first()
{
  constexpr double hardly = 1e-2;
  for (const auto &[place, of_hinges] : axes)
  {
    if (offered.count(place) > 0)  // all axes are sums of columns
      continue;
    const std::vector<GramVector> heavy = std::move(nodes[place].basis);
    nodes[place].basis.clear();
    for (const GramVector &axis : of_hinges)
    {
      GramVector rest = axis;
      for (const GramVector &one : heavy)
        rest = combination(rest, -dot(rest, one), one);
      if (extend(place, axis, same_span) && norm(rest) > hardly)
        massless[place].push_back(axis);
    }
    for (const GramVector &one : heavy)
      extend(place, one, same_span);
    needed[place] = nodes[place].basis.size();
  }
  are_axes_first = true;
}

bool DirectorNodes::take_massless(const SitePlan::Site place, const GramVector &axis)
{
  std::vector<GramVector> &all = massless[place];
  const auto found = std::find(all.begin(), all.end(), axis);
  if (found == all.end())
    return false;
  all.erase(found);
  return true;
}

bool DirectorNodes::extend(const SitePlan::Site place, const GramVector &vector, const double least)
{
  if (const auto own = offered.find(place); own != offered.end() && nodes[place].sites.empty())
  {
    nodes[place].basis = own->second.basis;
    nodes[place].sites = own->second.sites;
    return true;
  }
  std::vector<GramVector> &basis = nodes[place].basis;
  GramVector rest = vector;
  for (int again = 0; again < 2; ++again)  // orthogonal to rounding
    for (const GramVector &one : basis)
      rest = combination(rest, -dot(rest, one), one);
  const double length = norm(rest);
  if (length >= least)
    basis.push_back(scaled(1. / length, rest));
  return length >= least;
}

void DirectorNodes::resolve()
{
  if (!are_axes_first)
    put_axes_first();
  for (bool grown = !carried.empty(); grown;)  // a coupled node may lead others
  {
    grown = false;
    for (const Carried &one : carried)
      if (one.other == one.place)
        grown = extend(one.place, one.vector, same_span_of_arms) || grown;
      else if (const auto other = nodes.find(one.other); other != nodes.end())
        for (const GramVector &director : std::vector<GramVector>(other->second.basis))
          grown = extend(one.place, director, same_span) || grown;
  }
  carried.clear();
}

const std::vector<SitePlan::Site> &DirectorNodes::directors(SitePlan &plan, const SitePlan::Site place)
{
  resolve();
  Node &node = nodes.at(place);
  if (node.sites.empty())
    for (const GramVector &D : node.basis)
      node.sites.push_back(plan.append({D, true, place}));
  return node.sites;
}

SiteSum DirectorNodes::sum(SitePlan &plan, const SitePlan::Site place, const GramVector &director)
{
  constexpr double nothing = 1e-14, rounding = 1e-15;
  const std::vector<SitePlan::Site> &sites = directors(plan, place);
  SiteSum parts;
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (const double factor = dot(director, nodes.at(place).basis[i]); std::abs(factor) > nothing)
      parts.emplace_back(sites[i], std::abs(factor - 1.) <= rounding ? 1. : factor);
  return parts;
}
}  // namespace symdyn
