#include "elements/rotors/turning_waves.h"

#include <deal.II/base/mpi.h>
#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

namespace symdyn
{
namespace
{
using Complex = std::complex<double>;

bool is_even(const NodeRings::Ring &ring)
{
  constexpr double same_angle = 1e-4;
  const double step = 2. * dealii::numbers::PI / double(ring.size());
  bool even = ring.size() > 2;
  for (std::size_t j = 0; j < ring.size() && even; ++j)
    even = std::abs(ring[j].first - ring[0].first - double(j) * step) < same_angle * step;
  return even;
}
}  // namespace

TurningWaves::TurningWaves(const Space &space, const TurningFrame &frame)
    : space(space), e{frame.directions()[0], frame.directions()[1], frame.axis}
{
  NodeRings found = NodeRings::find(space, frame);
  on_axis = std::move(found.on_axis);
  for (NodeRings::Ring &ring : found.rings)
    if (is_even(ring))
      rings.push_back(std::move(ring));
    else
      only_these = false;
}

namespace
{
using Displacement = std::array<Complex, 3>;  ///< u_1, u_2, u_a
using Directions = std::array<std::array<double, 3>, 3>;

/// Of all nodes, by rank.
std::vector<Displacement> displacements(const Space &space, const Directions &e, const Vector &real, const Vector &imaginary)
{
  std::vector<std::array<double, 6>> mine;
  const int n = space.block();
  for (int site = 0; site < space.owned(); ++site)
    if (!space.is_director(site))
    {
      std::array<double, 6> u{};
      for (int i = 0; i < n; ++i)
        for (int d = 0; d < 3; ++d)
        {
          u[2 * d] += e[d][i] * real.local_element(n * site + i);
          u[2 * d + 1] += e[d][i] * imaginary.local_element(n * site + i);
        }
      mine.push_back(u);
    }
  std::vector<Displacement> all;
  for (const auto &u : gathered(space, mine))
    all.push_back({Complex(u[0], u[1]), Complex(u[2], u[3]), Complex(u[4], u[5])});
  return all;
}

/// The part of the wave e^(-i m theta) of a ring.
double share_of(const std::vector<std::pair<double, std::size_t>> &ring, const std::vector<Displacement> &all, const int m)
{
  Displacement sum{};
  for (const auto &[angle, k] : ring)
  {
    const auto &[u_1, u_2, u_a] = all[k];
    const Complex wave = std::polar(1., m * angle);
    sum[0] += wave * (u_1 * std::cos(angle) + u_2 * std::sin(angle));
    sum[1] += wave * (u_2 * std::cos(angle) - u_1 * std::sin(angle));
    sum[2] += wave * u_a;
  }
  return (std::norm(sum[0]) + std::norm(sum[1]) + std::norm(sum[2])) / double(ring.size());
}
}  // namespace

Waves TurningWaves::of(const Vector &real, const Vector &imaginary) const
{
  constexpr double pure = 0.99, nothing = 1e-9;
  const std::vector<Displacement> all = displacements(space, e, real, imaginary);
  const Complex i(0., 1.);
  std::map<int, double> shares;
  double total = 0.;
  for (const std::size_t k : on_axis)
  {
    const auto &[u_1, u_2, u_a] = all[k];
    shares[1] += 0.5 * std::norm(u_1 + i * u_2);
    shares[-1] += 0.5 * std::norm(u_1 - i * u_2);
    shares[0] += std::norm(u_a);
  }
  for (const auto &ring : rings)
    for (int m = 0, N = int(ring.size()); m < N; ++m)
      (2 * m == N ? total : shares[2 * m < N ? m : m - N]) += share_of(ring, all, m);  // m = N/2 is a wave of both directions
  for (const auto &[k, share] : shares)
    total += share;
  Waves found;
  if (total <= nothing * (real.norm_sqr() + imaginary.norm_sqr()))
  {
    if (only_these && space.has_directors())  // torsion: directors alone move
      found.number = found.diameters = 0;
    return found;
  }
  std::map<int, double> both;
  for (const auto &[k, share] : shares)
  {
    both[std::abs(k)] += share;
    found.forward += (k > 0 ? 1 : k < 0 ? -1 : 0) * share / total;
    if (share >= pure * total)
      found.number = k;
  }
  for (const auto &[k, share] : both)
    if (share >= pure * total)
      found.diameters = k;
  return found;
}
}  // namespace symdyn
