#include "elements/models/initial_velocity.h"

#include <array>
#include <map>

#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// G of v(X), by rows.
std::array<GramVector, 3> gradient(const std::vector<Expression> &field, const GramVector &X)
{
  std::array<GramVector, 3> G{};
  for (int j = 0; j < 3; ++j)
  {
    const Jet<double> at[]{{X[0], double(j == 0), 0.}, {X[1], double(j == 1), 0.}, {X[2], double(j == 2), 0.}, {0., 0., 0.}};
    for (int i = 0; i < 3; ++i)
      G[i][j] = field[i](at).d;
  }
  return G;
}
}  // namespace

void InitialVelocity::declare(Parameters &p)
{
  p.add("Velocity", field,
        "components [m/s], expressions of x, y, z at t = 0; of beams, shells and points without a Velocity; directors turn with it");
  if (!p.given("Velocity"))
    return;
  of_deck = p.where("Velocity");
  if (field.size() != 3)
    p.fail("Velocity", "needs 3 components separated by commas");
  for (const Expression &component : field)
    if (component.uses("t"))
      p.fail("Velocity", "an initial field depends on x, y, z alone");
}

GramVector InitialVelocity::at(const GramVector &X) const
{
  GramVector v;
  for (int d = 0; d < 3; ++d)
    v[d] = field[d].at(X.data(), 3, 0.);
  return v;
}

std::vector<GramVector> InitialVelocity::of_directors(const GramVector &X, const std::vector<GramVector> &D) const
{
  const std::array<GramVector, 3> G = gradient(field, X);
  const GramVector spin{0.5 * (G[2][1] - G[1][2]), 0.5 * (G[0][2] - G[2][0]), 0.5 * (G[1][0] - G[0][1])};
  std::vector<GramVector> rates;
  if (D.size() == 1)
  {
    GramVector normal{};  // Gᵀ D
    for (int i = 0; i < 3; ++i)
      add(D[0][i], G[i], normal);
    rates.push_back(combination(scaled(dot(D[0], normal), D[0]), -1., normal));
    return rates;
  }
  GramVector w = spin;
  if (D.size() == 2)
  {
    const GramVector n = cross(D[0], D[1]);
    w = combination(cross(n, {dot(G[0], n), dot(G[1], n), dot(G[2], n)}), dot(spin, n), n);
  }
  for (const GramVector &one : D)
    rates.push_back(cross(w, one));
  return rates;
}

void InitialVelocity::set(const SitePlan &plan, const PlannedSites &sites, const std::set<SitePlan::Site> &their_own, Vector &v) const
{
  const auto set_one = [&](const SitePlan::Site site, const GramVector &value) {
    for (int d = 0; d < 3 && sites.owns(site); ++d)
      v.local_element(3 * sites.local(site) + d) = value[d];
  };
  std::map<SitePlan::Site, std::vector<SitePlan::Site>> directors;  // of nodes
  for (std::size_t i = 0; i < plan.appended().size(); ++i)
    if (const SitePlan::Site site = -SitePlan::Site(i) - 1; their_own.count(site) == 0)
    {
      if (plan.appended()[i].is_director)
        directors[plan.appended()[i].node].push_back(site);
      else
        set_one(site, at(plan.appended()[i].position));
    }
  for (const auto &[node, of_node] : directors)
  {
    const int local = sites.local(node);
    if (local < 0)
      continue;
    std::vector<GramVector> D;
    for (const SitePlan::Site site : of_node)
      D.push_back(plan.appended()[-site - 1].position);
    const std::vector<GramVector> rates = of_directors(sites.space()->position(local), D);
    for (std::size_t i = 0; i < D.size(); ++i)
      set_one(of_node[i], rates[i]);
  }
}
}  // namespace symdyn
