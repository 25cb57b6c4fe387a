#include "elements/gram/gram_term.h"

#include <algorithm>

namespace symdyn
{
namespace
{
/// Of which rank an element counts: of that of its first site.
const SitePlan::Site &first_site(const PlannedElement &element) { return element.vectors.front().front().first; }
}  // namespace

GramTerm::GramTerm(std::vector<PlannedElement> planned, const PlannedSites &sites, const double rate, const bool linear)
    : space(sites.space()), rate(rate), linear(linear)
{
  for (PlannedElement &one : planned)
  {
    bool touches = false;
    for (const SiteSum &sum : one.vectors)
      for (const auto &part : sum)
        touches = touches || sites.owns(part.first);
    if (!touches)
      continue;
    std::vector<std::vector<std::pair<int, double>>> vectors;
    std::vector<unsigned int> all;
    std::vector<std::vector<std::size_t>> in_all;
    GramElement::Vectors rest;
    for (const SiteSum &sum : one.vectors)
    {
      vectors.emplace_back();
      in_all.emplace_back();
      rest.push_back({});
      for (const auto &[site, factor] : sum)
      {
        const int local = sites.local(site);
        vectors.back().emplace_back(local, factor);
        const auto known = std::find(all.begin(), all.end(), unsigned(local));
        in_all.back().push_back(known - all.begin());
        if (known == all.end())
          all.push_back(local);
        for (int d = 0; d < 3; ++d)
          rest.back()[d] += factor * space->position(local)[d];
      }
    }
    const bool counts = sites.owns(first_site(one));
    one.model.mass.clear();  // the system has it
    one.model.lumped.clear();
    (counts ? own : others)
        .push_back({GramElement(std::move(one.model), rest), rest, std::move(vectors), std::move(all), std::move(in_all)});
  }
}

Traits GramTerm::traits() const
{
  Traits traits;
  traits.linear = linear;
  traits.quadratic = traits.thin = true;
  traits.carries = !linear;
  traits.damps = traits.damping_couples = rate != 0.;
  return traits;
}

GramElement::Vectors GramTerm::values(const Local &local, const Vector &x) const
{
  GramElement::Vectors y(local.vectors.size(), GramVector{});
  for (std::size_t a = 0; a < y.size(); ++a)
    for (const auto &[site, factor] : local.vectors[a])
      for (int d = 0; d < 3; ++d)
        y[a][d] += factor * x.local_element(3 * site + d);
  return y;
}

GramElement::Vectors GramTerm::present(const Local &local, const Vector &q) const
{
  GramElement::Vectors y = values(local, q);
  for (std::size_t a = 0; a < y.size(); ++a)
    symdyn::add(1., local.rest[a], y[a]);
  return y;
}

void GramTerm::add(const Local &local, const GramElement::Vectors &f, Vector &sum) const
{
  for (std::size_t a = 0; a < f.size(); ++a)
    for (const auto &[site, factor] : local.vectors[a])
      for (int d = 0; d < 3; ++d)
        sum.local_element(3 * site + d) += factor * f[a][d];
}

GramTerm::Strained GramTerm::strained(const Local &local, const Vector &q) const
{
  if (linear)
    return {local.rest, local.element.strain_rate(local.rest, values(local, q))};
  Strained here{present(local, q), {}};
  here.eps = local.element.strain(here.about);
  return here;
}

GramTerm::Strained GramTerm::middle(const Strained &one, const Strained &other)
{
  Strained mean = one;
  for (std::size_t i = 0; i < mean.eps.size(); ++i)
    mean.eps[i] = 0.5 * (one.eps[i] + other.eps[i]);
  for (std::size_t a = 0; a < mean.about.size(); ++a)
    for (int d = 0; d < 3; ++d)
      mean.about[a][d] = 0.5 * (one.about[a][d] + other.about[a][d]);
  return mean;
}

double GramTerm::energy(const At &at) const
{
  double V = 0;
  for (const Local &local : own)
    V += local.element.energy_of(strains(local, *at.q));
  return V;
}

double GramTerm::add_force(const At &at, Vector &f) const
{
  for (const Local &local : own)
  {
    const Strained here = strained(local, *at.q);
    GramElement::Vectors sum(here.about.size(), GramVector{});
    local.element.add_force(local.element.stress(here.eps), here.about, 1., sum);
    add(local, sum, f);
  }
  return always_admissible;
}

double GramTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  for (const Local &local : own)
  {
    const Strained mean = middle(strained(local, *at.previous), strained(local, *at.q));
    GramElement::Vectors sum(mean.about.size(), GramVector{});
    local.element.add_force(local.element.stress(mean.eps), mean.about, 1., sum);
    add(local, sum, f);
  }
  return always_admissible;
}

std::vector<double> GramTerm::strains_of_tangent(const Local &local, const At &at, const Strained &here) const
{
  if (linear || !at.before)
    return here.eps;
  const Strained before = strained(local, *at.before);
  GramElement::Vectors moved = here.about;
  for (std::size_t a = 0; a < moved.size(); ++a)
    symdyn::add(-1., before.about[a], moved[a]);
  std::vector<double> eps = before.eps;
  const std::vector<double> change = local.element.strain_rate(before.about, moved);
  for (std::size_t i = 0; i < eps.size(); ++i)
    eps[i] += change[i];
  return eps;
}

void GramTerm::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (weights.k != 0. && at.part == Part::all)
    for (const Local &local : own)
    {
      const GramElement &element = local.element;
      const Strained here = strained(local, *at.q);
      const GramElement::Vectors move = values(local, u);
      GramElement::Vectors sum(move.size(), GramVector{});
      element.add_force(element.stress(element.strain_rate(here.about, move)), here.about, weights.k, sum);
      if (!linear)
        element.add_force(element.stress(strains_of_tangent(local, at, here)), move, weights.k, sum);
      add(local, sum, r);
    }
  if (weights.c != 0. && at.part == Part::all)
    add_damping_product(u, weights.c, r);
}

void GramTerm::add_damping_product(const Vector &v, const double weight, Vector &f) const
{
  if (rate == 0.)
    return;
  for (const Local &local : own)
  {
    const GramElement::Vectors &Y = local.rest;
    GramElement::Vectors sum(Y.size(), GramVector{});
    local.element.add_force(local.element.stress(local.element.strain_rate(Y, values(local, v))), Y, weight * rate, sum);
    add(local, sum, f);
  }
}

void GramTerm::add_damping_force(const At &at, Vector &f) const { add_damping_product(*at.v, 1., f); }

void GramTerm::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  if (linear || at.part != Part::all)
    return;
  for (const Local &local : own)
  {
    const GramElement &element = local.element;
    const GramElement::Vectors y = present(local, *at.q), u = values(local, a);
    GramElement::Vectors sum(y.size(), GramVector{});
    element.add_force(element.stress(element.strain_rate(y, u)), u, 2., sum);
    element.add_force(element.stress(element.strain_rate(u, u)), y, 1., sum);
    add(local, sum, r);
  }
}

void GramTerm::add_element_matrix(const Local &local, const std::vector<double> &k, const MatrixSink &sink) const
{
  const std::size_t n = local.vectors.size(), sites = local.sites.size();
  std::vector<double> blocks(9 * sites * sites, 0.);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t i = 0; i < local.vectors[a].size(); ++i)
      for (std::size_t b = 0; b < n; ++b)
        for (std::size_t j = 0; j < local.vectors[b].size(); ++j)
        {
          const double factor = local.vectors[a][i].second * local.vectors[b][j].second;
          double *block = &blocks[9 * (local.in_sites[a][i] * sites + local.in_sites[b][j])];
          for (int d = 0; d < 3; ++d)
            for (int e = 0; e < 3; ++e)
              block[3 * d + e] += factor * k[(3 * a + d) * 3 * n + 3 * b + e];
        }
  sink.add_blocks(local.sites, blocks);
}

void GramTerm::add_stiffness(const Local &local, const At &at, const double weight, std::vector<double> &k) const
{
  const Strained here = strained(local, *at.q);
  Strained mean{here.about, strains_of_tangent(local, at, here)};
  if (at.previous)
    mean = middle(mean, strained(local, *at.previous));
  const std::vector<double> sigma = linear ? std::vector<double>(mean.eps.size(), 0.) : local.element.stress(mean.eps);
  local.element.add_matrix(mean.about, here.about, sigma, at.previous ? 0.5 * weight : weight, k);
}

void GramTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all)
    return;
  for (const auto *some : {&own, &others})
    for (const Local &local : *some)
    {
      const std::size_t n = local.rest.size();
      std::vector<double> k(9 * n * n, 0.);
      if (weights.k != 0.)
        add_stiffness(local, at, weights.k, k);
      if (weights.c != 0. && rate != 0.)
        local.element.add_matrix(local.rest, local.rest, std::vector<double>(local.element.of_type().strains(), 0.), weights.c * rate, k);
      add_element_matrix(local, k, sink);
    }
}

void GramTerm::couple(const Couple &join) const
{
  for (const auto *some : {&own, &others})
    for (const Local &local : *some)
      for (const int i : local.sites)
        for (const int j : local.sites)
          join(i, j);
}

double GramTerm::stiffness_weight(const At &, const Weights &weights) const { return weights.k + weights.c * rate; }

double GramTerm::energy_scale() const
{
  double sum = 0;
  for (const Local &local : own)
    sum += local.element.all().scale;
  return sum;
}
}  // namespace symdyn
