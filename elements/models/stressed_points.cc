#include <algorithm>
#include <array>
#include <cmath>

#include "elements/lumped/straight_springs.h"
#include "elements/models/points.h"
#include "elements/system/stress_blocks.h"

// Points and what is between them under stresses that do not change.
namespace symdyn
{
namespace
{
/// N/L (1 - e eᵀ) of an element between two points, or one and the ground.
StressBlocks::Element block_of(const std::vector<unsigned int> &sites, const Place &d, const double N, const int n)
{
  StressBlocks::Element one{sites, std::vector<double>(sites.size() * sites.size() * n * n, 0.)};
  const double square = dot(d, d), rate = N / std::sqrt(square);
  for (std::size_t a = 0; a < sites.size(); ++a)
    for (std::size_t b = 0; b < sites.size(); ++b)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          one.k[((a * sites.size() + b) * n + i) * n + j] = (a == b ? 1. : -1.) * rate * ((i == j ? 1. : 0.) - d[i] * d[j] / square);
  return one;
}

/// Forces of the lines of a term at x, in their order.
std::vector<double> tensions(const DiscreteTerm &term, const std::vector<double> &x)
{
  std::vector<double> all;
  term.draw(x.data(), [&](const Line &line) { all.push_back(line.tension); });
  return all;
}
}  // namespace

std::shared_ptr<Term> Points::stress(const State &about, const Vector &u, const double factor) const
{
  const int n = all.dimension;
  const std::vector<double> x = coordinates(about.q), move = gather(u);
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
  {
    largest = std::max(largest, std::abs(move[i]));
    size = std::max(size, std::abs(x[i] - x[i % n]));
  }
  constexpr double small = 1e-6;  // the forces are a central difference
  const double part = largest > 0. && size > 0. ? small * size / largest : 1.;
  std::vector<double> ahead = x, behind = x;
  for (std::size_t i = 0; i < x.size(); ++i)
  {
    ahead[i] += part * move[i];
    behind[i] -= part * move[i];
  }
  std::vector<StressBlocks::Element> counted, others;
  for (const auto &one : terms(about.history))
  {
    if (one->linear() || dynamic_cast<const StraightSprings *>(one.get()))  // they do not turn
      continue;
    const std::vector<double> after = tensions(*one, ahead), before = tensions(*one, behind);
    std::size_t k = 0;
    one->draw(x.data(), [&](const Line &line) {
      const double N = (after[k] - before[k]) / (2. * part);
      ++k;
      std::vector<unsigned int> sites;
      Place d{};
      for (int i = 0; i < n; ++i)
        d[i] = (line.to < 0 ? line.place[i] : x[n * line.to + i]) - x[n * line.from + i];
      for (const int point : {line.from, line.to})
        if (point >= 0 && of_points->site(point) >= 0)
          sites.push_back(of_points->site(point));
      if (sites.size() == (line.to < 0 ? 1u : 2u) && N != 0. && dot(d, d) > 0.)
        (of_points->owns(line.from) ? counted : others).push_back(block_of(sites, d, N, n));
    });
  }
  const std::size_t number = counted.size();
  std::move(others.begin(), others.end(), std::back_inserter(counted));
  return std::make_shared<StressBlocks>(std::move(counted), number, n, factor);
}
}  // namespace symdyn
