#include "elements/rotors/turning_waves.h"

#include <deal.II/base/mpi.h>
#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace symdyn
{
namespace
{
constexpr double pi = dealii::numbers::PI, same_place = 1e-6, same_angle = 1e-4;
using Complex = std::complex<double>;

/// Rows of this rank, then those of the others, by rank.
template <class T>
std::vector<T> gathered(const Space &space, const std::vector<T> &mine)
{
  std::vector<T> all;
  for (const std::vector<T> &of_rank : dealii::Utilities::MPI::all_gather(space.communicator(), mine))
    all.insert(all.end(), of_rank.begin(), of_rank.end());
  return all;
}
}  // namespace

TurningWaves::Node TurningWaves::node_at(const Space::Place &X) const
{
  double components[2]{}, along = 0.;
  for (int i = 0; i < frame->dimension; ++i)
  {
    for (int d = 0; d < 2; ++d)
      components[d] += e[d][i] * (X[i] - frame->point[i]);
    along += frame->axis[i] * (X[i] - frame->point[i]);
  }
  return {std::hypot(components[0], components[1]), along, std::atan2(components[1], components[0])};
}

TurningWaves::TurningWaves(const Space &space, std::shared_ptr<const TurningFrame> of)
    : space(space), frame(std::move(of)), e(frame->directions())
{
  std::vector<std::array<double, 3>> mine;
  for (int site = 0; site < space.owned(); ++site)
    if (!space.is_director(site))
    {
      const Node node = node_at(space.position(site));
      mine.push_back({node.radius, node.along, node.angle});
    }
  std::vector<Node> nodes;
  double size = 0.;
  for (const auto &[radius, along, angle] : gathered(space, mine))
  {
    nodes.push_back({radius, along, angle});
    size = std::max({size, radius, std::abs(along)});
  }
  find_rings(nodes, size > 0. ? size : 1.);
}

void TurningWaves::find_rings(const std::vector<Node> &nodes, const double size)
{
  std::map<std::pair<long, long>, std::size_t> known;
  std::vector<std::vector<std::pair<double, std::size_t>>> all;
  for (std::size_t k = 0; k < nodes.size(); ++k)
  {
    if (nodes[k].radius < same_place * size)
    {
      on_axis.push_back(k);
      continue;
    }
    const long r = std::lround(nodes[k].radius / (same_place * size)), a = std::lround(nodes[k].along / (same_place * size));
    auto found = known.end();
    for (const long dr : {0, -1, 1})
      for (const long da : {0, -1, 1})
        found = found == known.end() ? known.find({r + dr, a + da}) : found;
    if (found == known.end())
    {
      found = known.emplace(std::pair(r, a), all.size()).first;
      all.emplace_back();
    }
    all[found->second].emplace_back(nodes[k].angle, k);
  }
  for (auto &ring : all)
  {
    std::sort(ring.begin(), ring.end());
    const double step = 2. * pi / double(ring.size());
    bool even = ring.size() > 2;
    for (std::size_t j = 0; j < ring.size() && even; ++j)
      even = std::abs(ring[j].first - ring[0].first - double(j) * step) < same_angle * step;
    if (even)
      rings.push_back(ring);
    else
      only_these = false;
  }
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

std::optional<int> TurningWaves::number(const Vector &real, const Vector &imaginary) const
{
  constexpr double pure = 0.99, nothing = 1e-9;
  const std::vector<Displacement> all = displacements(space, {e[0], e[1], frame->axis}, real, imaginary);
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
  if (total <= nothing * (real.norm_sqr() + imaginary.norm_sqr()))
    return only_these && space.has_directors() ? std::optional<int>(0) : std::nullopt;  // torsion: directors alone move
  for (const auto &[k, share] : shares)
    if (share >= pure * total)
      return k;
  return {};
}
}  // namespace symdyn
