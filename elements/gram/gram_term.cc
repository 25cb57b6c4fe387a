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

GramTerm::GramTerm(std::vector<PlannedElement> planned, const PlannedSites &sites, const double rate, const bool linear,
                   std::shared_ptr<const InelasticMaterial> law, std::unique_ptr<HeatedElements> heat)
    : GramTerm(
          planned.size(), [&planned](const std::size_t i) { return std::move(planned[i]); }, sites, rate, linear, std::move(law),
          std::move(heat))
{
}

GramTerm::GramTerm(const std::size_t number, const Make &planned, const PlannedSites &sites, const double rate, const bool linear,
                   std::shared_ptr<const InelasticMaterial> law, std::unique_ptr<HeatedElements> heat)
    : space(sites.space()),
      rate(rate),
      linear(linear),
      fibres(law ? std::make_unique<Fibres>(std::move(law)) : nullptr),
      heated(std::move(heat))
{
  std::vector<std::pair<std::size_t, PlannedElement>> of_others;  // a few along borders between ranks
  for (std::size_t i = 0; i < number; ++i)
    if (PlannedElement one = planned(i); !one.vectors.empty() && touches(one, sites))
    {
      if (sites.owns(first_site(one)))
        add_element(one, i, sites, true);
      else
        of_others.emplace_back(i, std::move(one));
    }
  for (const auto &[i, one] : of_others)
    add_element(one, i, sites, false);
  for (GramBatches &group : groups)
    group.close();
  if (remembers())
    memory.close(space->communicator());
  if (heated)
    heated->close(space->communicator());
}

void GramTerm::add_element(const PlannedElement &planned, const std::size_t number, const PlannedSites &sites, const bool counts)
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
  if (remembers())
    add_memory(planned, number_of(*group), number, counts);
  if (!counts)
    return;
  scale += planned.model.scale;
  numbers[group - groups.begin()].push_back(counted++);
}

void GramTerm::add_memory(const PlannedElement &planned, const int group, const std::size_t number, const bool counts)
{
  const GramBatches &of = groups[group];
  const int batch = of.batches() - 1, lane = of.elements(batch) - 1;
  if (fibres)
    fibres->add(group, batch, lane, planned.model);
  if (heated)
  {
    GramRoom rest(of.layout());
    of.gather_rest(batch, *space, rest.y);
    std::vector<HeatedElements::Share> shares;
    for (std::size_t a = 0; a < planned.shares_of_temperature.size(); ++a)
      shares.push_back({planned.vectors[a].front().first,
                        {rest.y[a][0][lane], rest.y[a][1][lane], rest.y[a][2][lane]},
                        planned.shares_of_temperature[a]});
    heated->add(group, batch, lane, of.layout(), rest.y, shares);
  }
  memory.add({group, batch, lane, counts, number}, of_points(group) + (heated ? HeatedElements::variables : 0));
}

Traits GramTerm::traits() const
{
  Traits traits;
  traits.linear = linear && !remembers();
  traits.quadratic = !fibres;
  traits.thin = true;
  traits.carries = !linear;
  traits.heated = heated && heated->changes();
  traits.heated_in_time = traits.heated && heated->changes_in_time();
  traits.history = fibres || traits.heated_in_time;
  traits.keeps_history = heated && !traits.history;
  traits.rates = fibres && fibres->material().depends_on_rates();
  traits.no_potential = fibres && !fibres->material().has_potential();
  traits.unsymmetric = fibres && !fibres->material().is_symmetric();
  traits.damps = traits.damping_couples = rate != 0.;
  traits.nonlinear_damping = traits.damps && !linear;
  return traits;
}

Fibres::Batch GramTerm::of(const GramBatches &group, const int batch, const At &at) const
{
  const int number = number_of(group);
  return {number, batch, group.layout(), group.D(batch), memory_of(number, batch, at.from), memory_of(number, batch, at.to), at.dt};
}

void GramTerm::find_strains(const GramBatches &group, const int batch, const Vector &q, const double *history, GramRoom &here) const
{
  find_whole_strains(group, batch, q, here);
  if (heated && history)
    heated->subtract(number_of(group), batch, memory_of(number_of(group), batch, history) + of_points(number_of(group)), here.eps.data());
}

void GramTerm::find_whole_strains(const GramBatches &group, const int batch, const Vector &q, GramRoom &here) const
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

Wide GramTerm::stiffness_of(const GramBatches &group, const int batch, const double *history) const
{
  const int number = number_of(group);
  const Wide *m = memory_of(number, batch, history);
  return heated->stiffness_of(number, batch, m ? m + of_points(number) : nullptr);
}

void GramTerm::find_elastic_stresses(const GramBatches &group, const int batch, const double *history, GramRoom &here) const
{
  group.layout().stress(group.D(batch), here.eps.data(), here.sigma.data());
  if (!softens())
    return;
  const Wide k = stiffness_of(group, batch, history);
  for (Wide &sigma : here.sigma)
    sigma = k * sigma;
}

void GramTerm::find_stresses(const GramBatches &group, const int batch, const At &at, GramRoom &here) const
{
  if (fibres)
    fibres->stress(of(group, batch, at), here.eps.data(), here.sigma.data());
  else
    find_elastic_stresses(group, batch, at.from, here);
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
      find_strains(group, batch, *at.q, at.from, here);
      if (fibres)
      {
        V += fibres->energy(of(group, batch, at), here.eps.data());
        continue;
      }
      find_elastic_stresses(group, batch, at.from, here);
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
      find_strains(group, batch, *at.q, at.from, here);
      find_stresses(group, batch, at, here);
      least = std::min(least, least_of(margin(here.y)));
      add_force(group, batch, here.sigma, here, 1., here, f);
      commit_temperatures(group, batch, at);
    }
  }
  if (remembers() && at.to)
    commit_ghosts(at);
  return least;
}

void GramTerm::commit_temperatures(const GramBatches &group, const int batch, const At &at) const
{
  if (!heated || !at.to)
    return;
  const int number = number_of(group);
  Wide *to = memory_of(number, batch, at.to) + of_points(number);
  if (const Wide *from = memory_of(number, batch, at.from))
    std::copy_n(from + of_points(number), HeatedElements::variables, to);
  else
    heated->begin(number, batch, to);
}

void GramTerm::commit_ghosts(const At &at) const
{
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout());
    for (int batch = group.counted(); batch < group.batches(); ++batch)
    {
      find_strains(group, batch, *at.q, at.from, here);
      find_stresses(group, batch, at, here);
      commit_temperatures(group, batch, at);
    }
  }
}

double GramTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  double least = always_admissible;
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout()), before(group.layout());
    for (int batch = 0; batch < group.counted(); ++batch)
    {
      find_strains(group, batch, *at.previous, at.from, before);
      find_strains(group, batch, *at.q, at.from, here);
      least = std::min(least, least_of(margin(here.y)));
      if (fibres)
        fibres->discrete_stress(of(group, batch, at), before.eps.data(), here.eps.data(), here.sigma.data());
      to_middle(before, here);
      if (!fibres)
        find_elastic_stresses(group, batch, at.from, here);
      add_force(group, batch, here.sigma, here, 1., here, f);
    }
  }
  return least;
}

void GramTerm::add_product(const At &at, const Weights &weights, const Vector &u, Vector &r) const
{
  if (at.part != Part::all)
    return;
  if (weights.c != 0.)
    add_damping_product(*at.q, u, weights.c, r);
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout()), move(group.layout()), carried(group.layout());
    for (int batch = 0; batch < group.counted() && weights.k != 0.; ++batch)
    {
      find_strains(group, batch, *at.q, at.from, here);
      if (bends(at))
        carry(group, batch, at, here, carried);
      group.gather(batch, u.begin(), move.y);
      group.layout().derive(move.y.data(), move.z.data());
      group.layout().rate(here.z.data(), move.z.data(), here.change.data());
      if (fibres)
        fibres->change(of(group, batch, at), here.eps.data(), here.change.data(), here.sigma.data());
      std::swap(here.eps, here.change);
      if (!fibres)
        find_elastic_stresses(group, batch, at.from, here);
      add_force(group, batch, here.sigma, here, weights.k, here, r);
      if (!bends(at))
        continue;
      find_stresses(group, batch, at, carried);
      add_force(group, batch, carried.sigma, move, weights.k, here, r);
    }
  }
}

void GramTerm::derive_place(const GramBatches &group, const int batch, const Vector &q, GramRoom &here) const
{
  if (linear)
    group.gather_rest(batch, *space, here.y);
  else
    group.gather_present(batch, *space, q.begin(), here.y);
  group.layout().derive(here.y.data(), here.z.data());
}

void GramTerm::add_damping_product(const Vector &q, const Vector &v, const double weight, Vector &f) const
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
      derive_place(group, batch, q, here);
      group.layout().rate(here.z.data(), here.of_derived.data(), here.eps.data());
      group.layout().stress(group.D(batch), here.eps.data(), here.sigma.data());
      add_force(group, batch, here.sigma, here, weight * rate, here, f);
    }
  }
}

void GramTerm::add_damping_force(const At &at, Vector &f) const { add_damping_product(*at.q, *at.v, 1., f); }

void GramTerm::add_second_product(const At &at, const Vector &a, Vector &r) const
{
  if ((linear && !fibres) || at.part != Part::all)
    return;
  for (const GramBatches &group : groups)
  {
    GramRoom here(group.layout()), move(group.layout());
    for (int batch = 0; batch < group.counted(); ++batch)
    {
      if (fibres)
      {
        add_second_product_of_points(group, batch, at, a, r);
        continue;
      }
      find_strains(group, batch, *at.q, at.from, here);
      group.gather(batch, a.begin(), move.y);
      group.layout().derive(move.y.data(), move.z.data());
      group.layout().rate(here.z.data(), move.z.data(), move.eps.data());
      find_elastic_stresses(group, batch, at.from, move);
      add_force(group, batch, move.sigma, move, 2., here, r);
      group.layout().rate(move.z.data(), move.z.data(), move.eps.data());
      find_elastic_stresses(group, batch, at.from, move);
      add_force(group, batch, move.sigma, here, 1., here, r);
    }
  }
}
}  // namespace symdyn
