#include "elements/contact/place_block.h"

#include <map>

#include "elements/contact/touching.h"

namespace symdyn
{
PlaceBlock::PlaceBlock(const std::vector<const BodyPlace *> &all, const int dim)
    : places(all.size()), groups((all.size() + lanes - 1) / lanes), dim(dim), X(groups)
{
  std::map<int, std::size_t> row_of;  // in the order of places, so that sums are the same on any number of ranks
  for (const BodyPlace *place : all)
    for (const auto &[site, weight] : place->sites)
      if (row_of.emplace(site, sites.size()).second)
        sites.push_back(site);
  W.assign(sites.size() * groups, Wide(0.));
  for (std::size_t i = 0; i < lanes * groups; ++i)
    for (int d = 0; d < 3; ++d)
      X[i / lanes][d].set(int(i % lanes), i < places ? all[i]->X[d] : 0.);
  for (std::size_t i = 0; i < places; ++i)
    for (const auto &[site, weight] : all[i]->sites)
    {
      Wide &of_group = W[row_of.at(site) * groups + i / lanes];
      of_group.set(int(i % lanes), of_group[int(i % lanes)] + weight);
    }
}

void PlaceBlock::at(const double *u, const bool with_X, PointLanes &x) const
{
  x.resize(places);
  for (std::size_t group = 0; group < groups; ++group)
    x.group(group) = with_X ? X[group] : std::array<Wide, 3>{Wide(0.), Wide(0.), Wide(0.)};
  for (std::size_t row = 0; row < sites.size(); ++row)
    for (int d = 0; d < dim; ++d)
    {
      const Wide value(u[dim * sites[row] + d]);
      for (std::size_t group = 0; group < groups; ++group)
        x.group(group)[d] += W[row * groups + group] * value;
    }
}

void PlaceBlock::add(const PointLanes &F, double *r) const
{
  for (std::size_t row = 0; row < sites.size(); ++row)
    for (int d = 0; d < dim; ++d)
    {
      Wide sum(0.);
      for (std::size_t group = 0; group < groups; ++group)
        sum += W[row * groups + group] * F.group(group)[d];
      double &of_site = r[dim * sites[row] + d];
      for (int lane = 0; lane < lanes; ++lane)
        of_site += sum[lane];
    }
}

double PlaceBlock::bytes() const { return bytes_of(sites) + bytes_of(W) + bytes_of(X); }

PlaceRows::PlaceRows(const std::vector<BodyPlace> &places, const int dim) : dim(dim), starts{0}
{
  for (const BodyPlace &place : places)
  {
    for (const auto &[site, weight] : place.sites)
    {
      sites.push_back(site);
      weights.push_back(weight);
    }
    starts.push_back(sites.size());
    X.push_back(place.X);
  }
}

double PlaceRows::bytes() const { return bytes_of(starts) + bytes_of(sites) + bytes_of(weights) + bytes_of(X); }
}  // namespace symdyn
