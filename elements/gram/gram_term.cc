#include "elements/gram/gram_term.h"

#include <algorithm>

namespace symdyn
{
namespace
{
/// Of which rank an element counts: of that of its first site.
const SitePlan::Site &first_site(const PlannedElement &element) { return element.vectors.front().front().first; }
}  // namespace

GramTerm::GramTerm(std::vector<PlannedElement> planned, const PlannedSites &sites, const double rate) : space(sites.space()), rate(rate)
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
  traits.quadratic = traits.carries = true;
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

double GramTerm::energy(const At &at) const
{
  double V = 0;
  for (const Local &local : own)
    V += local.element.energy(present(local, *at.q));
  return V;
}

double GramTerm::add_force(const At &at, Vector &f) const
{
  for (const Local &local : own)
  {
    const GramElement::Vectors y = present(local, *at.q);
    GramElement::Vectors sum(y.size(), GramVector{});
    local.element.add_force(local.element.stress(local.element.strain(y)), y, 1., sum);
    add(local, sum, f);
  }
  return always_admissible;
}

double GramTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  for (const Local &local : own)
  {
    const GramElement::Vectors y0 = present(local, *at.previous), y1 = present(local, *at.q);
    GramElement::Vectors middle = y0, sum(y0.size(), GramVector{});
    std::vector<double> eps = local.element.strain(y0);
    const std::vector<double> eps1 = local.element.strain(y1);
    for (std::size_t i = 0; i < eps.size(); ++i)
      eps[i] = 0.5 * (eps[i] + eps1[i]);
    for (std::size_t a = 0; a < middle.size(); ++a)
      for (int d = 0; d < 3; ++d)
        middle[a][d] = 0.5 * (y0[a][d] + y1[a][d]);
    local.element.add_force(local.element.stress(eps), middle, 1., sum);
    add(local, sum, f);
  }
  return always_admissible;
}

std::vector<double> GramTerm::strains_of_tangent(const Local &local, const At &at) const
{
  const GramElement::Vectors y = present(local, *at.q);
  if (!at.before)
    return local.element.strain(y);
  const GramElement::Vectors before = present(local, *at.before);
  GramElement::Vectors moved = y;
  for (std::size_t a = 0; a < y.size(); ++a)
    symdyn::add(-1., before[a], moved[a]);
  std::vector<double> eps = local.element.strain(before);
  const std::vector<double> change = local.element.strain_rate(before, moved);
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
      const GramElement::Vectors y = present(local, *at.q), move = values(local, u);
      GramElement::Vectors sum(y.size(), GramVector{});
      element.add_force(element.stress(element.strain_rate(y, move)), y, weights.k, sum);
      element.add_force(element.stress(strains_of_tangent(local, at)), move, weights.k, sum);
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
  if (at.part != Part::all)
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

void GramTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all)
    return;
  for (const auto *some : {&own, &others})
    for (const Local &local : *some)
    {
      const GramElement &element = local.element;
      GramElement::Vectors y = present(local, *at.q), middle = y;
      std::vector<double> k(9 * y.size() * y.size(), 0.), eps = strains_of_tangent(local, at);
      if (at.previous && weights.k != 0.)
      {
        const GramElement::Vectors y0 = present(local, *at.previous);
        const std::vector<double> eps0 = element.strain(y0);
        for (std::size_t i = 0; i < eps.size(); ++i)
          eps[i] = 0.5 * (eps[i] + eps0[i]);
        for (std::size_t a = 0; a < y.size(); ++a)
          for (int d = 0; d < 3; ++d)
            middle[a][d] = 0.5 * (middle[a][d] + y0[a][d]);
      }
      if (weights.k != 0.)
        element.add_matrix(middle, y, element.stress(eps), at.previous ? 0.5 * weights.k : weights.k, k);
      if (weights.c != 0. && rate != 0.)
        element.add_matrix(local.rest, local.rest, std::vector<double>(eps.size(), 0.), weights.c * rate, k);
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
