#include "elements/gram/gram_batches.h"

#include <algorithm>

namespace symdyn
{
namespace
{
bool all_plain(const GramBatches::Sums &sums)
{
  return std::all_of(sums.begin(), sums.end(), [](const auto &sum) {
    return std::all_of(sum.begin(), sum.end(), [](const auto &part) { return part.second == 1.; });
  });
}
}  // namespace

GramRoom::GramRoom(const GramLayout &layout)
    : y(layout.vectors()),
      z(layout.derived()),
      of_derived(layout.derived()),
      f(layout.vectors()),
      eps(layout.strains()),
      sigma(layout.strains(), Wide(0.)),
      change(layout.strains())
{
}

GramBatches::GramBatches(const GramModel &model, const Sums &sums) : of_type(model), plain(all_plain(sums))
{
  for (std::size_t a = 0; a < sums.size(); ++a)
    vector_of.insert(vector_of.end(), sums[a].size(), int(a));
}

bool GramBatches::fit(const GramModel &model, const Sums &sums) const
{
  std::size_t slot = 0;
  for (std::size_t a = 0; a < sums.size(); ++a)
    for (std::size_t part = 0; part < sums[a].size(); ++part, ++slot)
      if (slot >= vector_of.size() || vector_of[slot] != int(a))
        return false;
  return slot == vector_of.size() && plain == all_plain(sums) && of_type.fits(model);
}

void GramBatches::add(const GramModel &model, const Sums &sums, const bool counts, const Space &space)
{
  if (filled.empty() || filled.back() == lanes || (!counts && own == batches()))
  {
    share_last();
    filled.push_back(0);
    place_of_D.push_back(int(stiffness.size()) / std::max(of_type.stiffnesses(), 1));
    sites.resize(sites.size() + std::size_t(slots()) * lanes, 0);
    factors.resize(plain ? 0 : factors.size() + slots(), Wide(1.));
    stiffness.resize(stiffness.size() + of_type.stiffnesses(), Wide(0.));
    strains.resize(strains.size() + of_type.strains(), Wide(0.));
    own += counts;
  }
  const int batch = batches() - 1, lane = filled.back()++;
  std::size_t slot = std::size_t(batch) * slots();
  for (const auto &vector : sums)
    for (const auto &[site, factor] : vector)
    {
      for (int of = lane; of < lanes; ++of)  // empty lanes compute on sites that exist
        sites[slot * lanes + of] = site;
      if (!plain)
        factors[slot].set(lane, factor);
      ++slot;
    }
  const std::vector<double> D = of_type.packed(model);
  for (std::size_t i = 0; i < D.size(); ++i)
    stiffness[std::size_t(place_of_D[batch]) * D.size() + i].set(lane, D[i]);
  find_rest(batch, lane, space);
}

void GramBatches::share_last()
{
  const int last = batches() - 1;
  if (last < 1 || place_of_D[last] == 0)
    return;
  const int before = place_of_D[last] - 1;
  const std::size_t size = of_type.stiffnesses();
  if (!of_type.equal(&stiffness[before * size], &stiffness[place_of_D[last] * size]))
    return;
  stiffness.resize(stiffness.size() - size, Wide(0.));
  place_of_D[last] = before;
}

void GramBatches::close()
{
  share_last();
  place_of_D.shrink_to_fit();
  sites.shrink_to_fit();
  factors.shrink_to_fit();
  stiffness.shrink_to_fit();
  strains.shrink_to_fit();
}

void GramBatches::find_rest(const int batch, const int lane, const Space &space)
{
  GramRoom room(of_type);
  gather_rest(batch, space, room.y);
  of_type.derive(room.y.data(), room.z.data());
  of_type.strain(room.z.data(), room.eps.data());
  for (int i = 0; i < of_type.strains(); ++i)
    for (int of = lane; of < lanes; ++of)
      strains[std::size_t(batch) * of_type.strains() + i].set(of, room.eps[i][of]);
}

template <class Value>
void GramBatches::sum(const int batch, const Value &value, std::vector<Triple<Wide>> &y) const
{
  std::fill(y.begin(), y.end(), Triple<Wide>{Wide(0.), Wide(0.), Wide(0.)});
  for (int slot = 0; slot < slots(); ++slot)
  {
    const std::size_t at = std::size_t(batch) * slots() + slot;
    Triple<Wide> one{Wide(0.), Wide(0.), Wide(0.)};
    for (int lane = 0; lane < lanes; ++lane)
      for (int d = 0; d < 3; ++d)
        one[d].set(lane, value(sites[at * lanes + lane], d));
    for (int d = 0; d < 3; ++d)
      y[vector_of[slot]][d] += plain ? one[d] : factors[at] * one[d];
  }
}

void GramBatches::gather(const int batch, const double *x, std::vector<Triple<Wide>> &y) const
{
  sum(
      batch, [x](const int site, const int d) { return x[3 * site + d]; }, y);
}

void GramBatches::gather_rest(const int batch, const Space &space, std::vector<Triple<Wide>> &Y) const
{
  sum(
      batch, [&space](const int site, const int d) { return space.position(site)[d]; }, Y);
}

void GramBatches::gather_present(const int batch, const Space &space, const double *q, std::vector<Triple<Wide>> &y) const
{
  sum(
      batch, [&space, q](const int site, const int d) { return space.position(site)[d] + q[3 * site + d]; }, y);
}

void GramBatches::scatter(const int batch, const std::vector<Triple<Wide>> &f, double *x) const
{
  for (int slot = 0; slot < slots(); ++slot)
  {
    const std::size_t at = std::size_t(batch) * slots() + slot;
    for (int d = 0; d < 3; ++d)
    {
      const Wide one = plain ? f[vector_of[slot]][d] : factors[at] * f[vector_of[slot]][d];
      for (int lane = 0; lane < filled[batch]; ++lane)
        x[3 * sites[at * lanes + lane] + d] += one[lane];
    }
  }
}

void GramBatches::parts(const int batch, const int lane, std::vector<Part> &all) const
{
  all.clear();
  for (int slot = 0; slot < slots(); ++slot)
  {
    const std::size_t at = std::size_t(batch) * slots() + slot;
    all.push_back({sites[at * lanes + lane], vector_of[slot], plain ? 1. : factors[at][lane]});
  }
}
}  // namespace symdyn
