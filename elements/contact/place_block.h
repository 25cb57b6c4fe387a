#pragma once
#include <algorithm>
#include <vector>

#include "elements/contact/point_lanes.h"
#include "elements/contact/proxy_surface.h"

namespace symdyn
{
/// Ascending, each once.
inline void make_set(std::vector<int> &numbers)
{
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Places that move with few sites, such as the points of a face: x = X + W u. Sites are fetched once for all of them.
class PlaceBlock
{
public:
  PlaceBlock(const std::vector<const BodyPlace *> &places, int dim);
  std::size_t size() const { return places; }
  /// Where places are with displacements u of all local sites, or without X their shares of u.
  void at(const double *u, bool with_X, PointLanes &x) const;
  /// r += W^T F
  void add(const PointLanes &F, double *r) const;
  const std::vector<int> &of_sites() const { return sites; }
  double bytes() const;

private:
  std::size_t places = 0, groups = 0;
  int dim;
  std::vector<int> sites;
  std::vector<Wide> W;                 ///< of sites, each for all groups of places
  std::vector<std::array<Wide, 3>> X;  ///< of groups
};

/// Places one by one, in one row of memory.
class PlaceRows
{
public:
  PlaceRows(const std::vector<BodyPlace> &places, int dim);
  /// As of a PlaceBlock, of one place.
  Place at(const std::size_t place, const double *u, const bool with_X) const
  {
    Place x = with_X ? X[place] : Place{};
    for (std::size_t i = starts[place]; i < starts[place + 1]; ++i)
      for (int d = 0; d < dim; ++d)
        x[d] += weights[i] * u[dim * sites[i] + d];
    return x;
  }
  void add(const std::size_t place, const Place &F, double *r) const
  {
    for (std::size_t i = starts[place]; i < starts[place + 1]; ++i)
      for (int d = 0; d < dim; ++d)
        r[dim * sites[i] + d] += weights[i] * F[d];
  }
  double bytes() const;

private:
  int dim;
  std::vector<std::size_t> starts;
  std::vector<int> sites;
  std::vector<double> weights;
  std::vector<Place> X;
};
}  // namespace symdyn
