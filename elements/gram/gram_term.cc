#include "elements/gram/gram_term.h"

#include <algorithm>

namespace symdyn
{
namespace
{
/// Of which rank an element counts: of that of its first site.
const SitePlan::Site &first_site(const PlannedElement &element) { return element.vectors.front().front().first; }

bool touches(const PlannedElement &element, const PlannedSites &sites)
{
  return std::any_of(element.vectors.begin(), element.vectors.end(), [&](const SiteSum &sum) {
    return std::any_of(sum.begin(), sum.end(), [&](const auto &part) { return sites.owns(part.first); });
  });
}

double least_of(const Wide &x)
{
  double least = x[0];
  for (int lane = 1; lane < lanes; ++lane)
    least = std::min(least, x[lane]);
  return least;
}
}  // namespace

GramTerm::GramTerm(std::vector<PlannedElement> planned, const PlannedSites &sites, const double rate, const bool linear)
    : GramTerm(
          planned.size(), [&planned](const std::size_t i) { return std::move(planned[i]); }, sites, rate, linear)
{
}

GramTerm::GramTerm(const std::size_t number, const Make &planned, const PlannedSites &sites, const double rate, const bool linear)
    : space(sites.space()), rate(rate), linear(linear)
{
  std::vector<PlannedElement> of_others;  // a few along borders between ranks
  for (std::size_t i = 0; i < number; ++i)
    if (PlannedElement one = planned(i); !one.vectors.empty() && touches(one, sites))
    {
      if (sites.owns(first_site(one)))
        add_element(one, sites, true);
      else
        of_others.push_back(std::move(one));
    }
  for (const PlannedElement &one : of_others)
    add_element(one, sites, false);
  for (GramBatches &group : groups)
    group.close();
}

void GramTerm::add_element(const PlannedElement &planned, const PlannedSites &sites, const bool counts)
{
  GramBatches::Sums sums;
  for (const SiteSum &sum : planned.vectors)
  {
    sums.emplace_back();
    for (const auto &[site, factor] : sum)
      sums.back().emplace_back(sites.local(site), factor);
  }
  auto group = std::find_if(groups.begin(), groups.end(), [&](const GramBatches &one) { return one.fit(planned.model, sums); });
  if (group == groups.end())
  {
    group = groups.insert(groups.end(), GramBatches(planned.model, sums));
    numbers.emplace_back();
  }
  group->add(planned.model, sums, counts, *space);
  if (!counts)
    return;
  scale += planned.model.scale;
  numbers[group - groups.begin()].push_back(counted++);
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

void GramTerm::visit(const Vector &q, const std::function<void(const Seen &)> &take) const
{
  for (std::size_t g = 0; g < groups.size(); ++g)
  {
    const GramBatches &group = groups[g];
    GramRoom here(group.layout()), move(group.layout());
    Seen one{0, GramVectors(here.y.size()), GramVectors(here.y.size()), std::vector<double>(here.eps.size()), {}};
    one.sigma = one.eps;
    for (int batch = 0; batch < group.counted(); ++batch)
    {
      find_strains(group, batch, q, here);
      find_stresses(group, batch, here);
      group.gather(batch, q.begin(), move.y);
      group.gather_present(batch, *space, q.begin(), here.y);
      for (int lane = 0; lane < group.elements(batch); ++lane)
      {
        one.number = numbers[g][batch * lanes + lane];
        for (std::size_t a = 0; a < one.y.size(); ++a)
          for (int d = 0; d < 3; ++d)
          {
            one.u[a][d] = move.y[a][d][lane];
            one.y[a][d] = here.y[a][d][lane];
          }
        for (std::size_t i = 0; i < one.eps.size(); ++i)
        {
          one.eps[i] = here.eps[i][lane];
          one.sigma[i] = here.sigma[i][lane];
        }
        take(one);
      }
    }
  }
}

void GramTerm::find_strains(const GramBatches &group, const int batch, const Vector &q, GramRoom &here) const
{
  const GramLayout &layout = group.layout();
  if (linear)
  {
    group.gather(batch, q.begin(), here.y);
    layout.derive(here.y.data(), here.of_derived.data());
    group.gather_rest(batch, *space, here.y);
    layout.derive(here.y.data(), here.z.data());
    layout.rate(here.z.data(), here.of_derived.data(), here.eps.data());
    return;
  }
  group.gather_present(batch, *space, q.begin(), here.y);
  layout.derive(here.y.data(), here.z.data());
  layout.strain(here.z.data(), here.eps.data());
  const Wide *rest = group.rest(batch);
  for (std::size_t i = 0; i < here.eps.size(); ++i)
    here.eps[i] -= rest[i];
}

void GramTerm::find_stresses(const GramBatches &group, const int batch, GramRoom &here)
{
  group.layout().stress(group.D(batch), here.eps.data(), here.sigma.data());
}

void GramTerm::add_force(const GramBatches &group, const int batch, const std::vector<Wide> &sigma, const GramRoom &about,
                         const double weight, GramRoom &here, Vector &f)
{
  const Triple<Wide> zero{Wide(0.), Wide(0.), Wide(0.)};
  std::fill(here.of_derived.begin(), here.of_derived.end(), zero);
  std::fill(here.f.begin(), here.f.end(), zero);
  group.layout().add_force(about.z.data(), sigma.data(), weight, here.of_derived.data());
  group.layout().add_transposed(here.of_derived.data(), here.f.data());
  group.scatter(batch, here.f, f.begin());
}

void GramTerm::to_middle(const GramRoom &one, GramRoom &other)
{
  const auto mean = [](const auto &of_one, auto &of_other) {
    for (std::size_t i = 0; i < of_other.size(); ++i)
      for (int d = 0; d < 3; ++d)
        of_other[i][d] = 0.5 * (of_one[i][d] + of_other[i][d]);
  };
  mean(one.y, other.y);
  mean(one.z, other.z);
  for (std::size_t i = 0; i < other.eps.size(); ++i)
    other.eps[i] = 0.5 * (one.eps[i] + other.eps[i]);
}

double GramTerm::energy(const At &at) const
{
  Wide V = 0.;
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout());
    for (int batch = 0; batch < group.counted(); ++batch)
    {
      find_strains(group, batch, *at.q, here);
      find_stresses(group, batch, here);
      for (std::size_t i = 0; i < here.eps.size(); ++i)
        V += 0.5 * here.eps[i] * here.sigma[i];
    }
  }
  double sum = 0;
  for (int lane = 0; lane < lanes; ++lane)
    sum += V[lane];
  return sum;
}

double GramTerm::add_force(const At &at, Vector &f) const
{
  double least = always_admissible;
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout());
    for (int batch = 0; batch < group.counted(); ++batch)
    {
      find_strains(group, batch, *at.q, here);
      find_stresses(group, batch, here);
      least = std::min(least, least_of(margin(here.y)));
      add_force(group, batch, here.sigma, here, 1., here, f);
    }
  }
  return least;
}

double GramTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  double least = always_admissible;
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout()), before(group.layout());
    for (int batch = 0; batch < group.counted(); ++batch)
    {
      find_strains(group, batch, *at.previous, before);
      find_strains(group, batch, *at.q, here);
      least = std::min(least, least_of(margin(here.y)));
      to_middle(before, here);
      find_stresses(group, batch, here);
      add_force(group, batch, here.sigma, here, 1., here, f);
    }
  }
  return least;
}

void GramTerm::carry(const GramBatches &group, const int batch, const At &at, const GramRoom &here, GramRoom &carried) const
{
  if (linear || !at.before)
  {
    carried.eps = here.eps;
    return;
  }
  find_strains(group, batch, *at.before, carried);
  for (std::size_t p = 0; p < here.z.size(); ++p)
    for (int d = 0; d < 3; ++d)
      carried.of_derived[p][d] = here.z[p][d] - carried.z[p][d];
  group.layout().rate(carried.z.data(), carried.of_derived.data(), carried.change.data());
  for (std::size_t i = 0; i < here.eps.size(); ++i)
    carried.eps[i] += carried.change[i];
}

void GramTerm::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (at.part != Part::all)
    return;
  if (weights.c != 0.)
    add_damping_product(u, weights.c, r);
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout()), move(group.layout()), carried(group.layout());
    for (int batch = 0; batch < group.counted() && weights.k != 0.; ++batch)
    {
      find_strains(group, batch, *at.q, here);
      if (!linear)
        carry(group, batch, at, here, carried);
      group.gather(batch, u.begin(), move.y);
      group.layout().derive(move.y.data(), move.z.data());
      group.layout().rate(here.z.data(), move.z.data(), here.eps.data());
      find_stresses(group, batch, here);
      add_force(group, batch, here.sigma, here, weights.k, here, r);
      if (linear)
        continue;
      find_stresses(group, batch, carried);
      add_force(group, batch, carried.sigma, move, weights.k, here, r);
    }
  }
}

void GramTerm::add_damping_product(const Vector &v, const double weight, Vector &f) const
{
  if (rate == 0.)
    return;
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout());
    for (int batch = 0; batch < group.counted(); ++batch)
    {
      group.gather(batch, v.begin(), here.y);
      group.layout().derive(here.y.data(), here.of_derived.data());
      group.gather_rest(batch, *space, here.y);
      group.layout().derive(here.y.data(), here.z.data());
      group.layout().rate(here.z.data(), here.of_derived.data(), here.eps.data());
      find_stresses(group, batch, here);
      add_force(group, batch, here.sigma, here, weight * rate, here, f);
    }
  }
}

void GramTerm::add_damping_force(const At &at, Vector &f) const { add_damping_product(*at.v, 1., f); }

void GramTerm::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  if (linear || at.part != Part::all)
    return;
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout()), move(group.layout());
    for (int batch = 0; batch < group.counted(); ++batch)
    {
      find_strains(group, batch, *at.q, here);
      group.gather(batch, a.begin(), move.y);
      group.layout().derive(move.y.data(), move.z.data());
      group.layout().rate(here.z.data(), move.z.data(), move.eps.data());
      find_stresses(group, batch, move);
      add_force(group, batch, move.sigma, move, 2., here, r);
      group.layout().rate(move.z.data(), move.z.data(), move.eps.data());
      find_stresses(group, batch, move);
      add_force(group, batch, move.sigma, here, 1., here, r);
    }
  }
}

void GramTerm::add_stiffness(const GramBatches &group, const int batch, const At &at, const double weight, std::vector<Wide> &k) const
{
  const GramLayout &layout = group.layout();
  GramRoom here(layout), carried(layout);
  find_strains(group, batch, *at.q, here);
  const std::vector<Triple<Wide>> now = here.z;
  carry(group, batch, at, here, carried);
  if (at.previous)
  {
    find_strains(group, batch, *at.previous, here);
    for (std::size_t p = 0; p < now.size(); ++p)
      for (int d = 0; d < 3; ++d)
        here.z[p][d] = 0.5 * (here.z[p][d] + now[p][d]);
    for (std::size_t i = 0; i < here.eps.size(); ++i)
      carried.eps[i] = 0.5 * (carried.eps[i] + here.eps[i]);
  }
  const double half = at.previous ? 0.5 * weight : weight;
  layout.add_stiffness(here.z.data(), now.data(), group.D(batch), half, k);
  if (linear)
    return;
  find_stresses(group, batch, carried);
  layout.add_geometric(carried.sigma.data(), half, k);
}

void GramTerm::add_blocks(const GramBatches &group, const int batch, const std::vector<Wide> &k, const MatrixSink &sink) const
{
  const int n = group.layout().vectors();
  std::vector<GramBatches::Part> parts;
  std::array<double, 9> block{};
  for (int lane = 0; lane < group.elements(batch); ++lane)
  {
    group.parts(batch, lane, parts);
    for (const GramBatches::Part &row : parts)
      for (const GramBatches::Part &column : parts)
      {
        const double factor = row.factor * column.factor;
        for (int i = 0; i < 9; ++i)
          block[i] = factor * k[9 * (row.vector * n + column.vector) + i][lane];
        sink.add_block(row.site, column.site, block.data());
      }
  }
}

void GramTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  if (at.part != Part::all)
    return;
  for (const GramBatches &group : groups)
  {
    const GramLayout &layout = group.layout();
    std::vector<Wide> k(9 * layout.vectors() * layout.vectors());
    GramRoom rest(layout);
    for (int batch = 0; batch < group.batches(); ++batch)
    {
      std::fill(k.begin(), k.end(), Wide(0.));
      if (weights.k != 0.)
        add_stiffness(group, batch, at, weights.k, k);
      if (weights.c != 0. && rate != 0.)
      {
        group.gather_rest(batch, *space, rest.y);
        layout.derive(rest.y.data(), rest.z.data());
        layout.add_stiffness(rest.z.data(), rest.z.data(), group.D(batch), weights.c * rate, k);
      }
      add_blocks(group, batch, k, sink);
    }
  }
}

void GramTerm::couple(const Couple &join) const
{
  std::vector<GramBatches::Part> parts;
  for (const GramBatches &group : groups)
    for (int batch = 0; batch < group.batches(); ++batch)
      for (int lane = 0; lane < group.elements(batch); ++lane)
      {
        group.parts(batch, lane, parts);
        for (const GramBatches::Part &one : parts)
          for (const GramBatches::Part &other : parts)
            join(one.site, other.site);
      }
}

double GramTerm::stiffness_weight(const At &, const Weights &weights) const { return weights.k + weights.c * rate; }

double GramTerm::energy_scale() const { return scale; }
}  // namespace symdyn
