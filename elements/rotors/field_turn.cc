#include "elements/rotors/field_turn.h"

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "solver/error.h"

namespace symdyn
{
namespace
{
int local_sites(const Space &space) { return space.owned() + int(space.sites()->n_ghost_indices()); }

constexpr double pi = dealii::numbers::PI;

/// Whether a turn by 2 pi/N maps a ring to itself.
bool maps(const NodeRings::Ring &ring, const int N)
{
  constexpr double same_angle = 1e-4;
  const std::size_t stride = ring.size() / N;
  for (std::size_t j = 0; j < ring.size(); ++j)
    if (std::abs(std::remainder(ring[(j + stride) % ring.size()].first - ring[j].first - 2. * pi / N, 2. * pi)) >
        same_angle * 2. * pi / double(ring.size()))
      return false;
  return true;
}
}  // namespace

std::vector<int> FieldTurn::sectors(const NodeRings &nodes)
{
  constexpr int fewest = 3;
  if (nodes.rings.empty())
    return {0};
  int most = 0;
  for (const auto &ring : nodes.rings)
    most = std::gcd(most, int(ring.size()));
  std::vector<int> all;
  for (int N = most; N >= fewest; --N)
    if (most % N == 0 && std::all_of(nodes.rings.begin(), nodes.rings.end(), [N](const auto &ring) { return maps(ring, N); }))
      all.push_back(N);
  return all;
}

FieldTurn::FieldTurn(const Space &space, std::shared_ptr<const TurningFrame> of, const std::vector<NodeDirectors> &nodes,
                     const NodeRings &rings, const int sectors)
    : space(space), frame(std::move(of)), number(sectors), on_orbit(local_sites(space), {-1, 0}), on_axis(local_sites(space))
{
  make_blocks();
  add_orbits(rings, nodes);
  add_axis(nodes);
}

FieldTurn::Block FieldTurn::product(const Block &a, const Block &b) const
{
  const int n = frame->dimension;
  Block c{};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        c[n * i + j] += a[n * i + k] * b[n * k + j];
  return c;
}

void FieldTurn::make_blocks()
{
  const int n = frame->dimension, N = number;
  once.assign(N, {});
  twice.assign(N, {});
  for (int j = 1; j < N; ++j)
  {
    const double angle = 2. * pi * j / N, c = std::cos(angle), s = std::sin(angle), half = 0.5 * angle,
                 derivative = 0.5 * (j % 2 == 0 ? 1. : -1.) * (N % 2 == 0 ? std::cos(half) : 1.) / std::sin(half);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k)
        once[j][n * i + k] = -derivative * ((i == k ? 1. : 0.) + (c - 1.) * frame->across(i, k) + s * frame->turn(i, k));
  }
  for (int j = 0; j < N; ++j)
    for (int l = 0; l < N; ++l)
    {
      const Block part = product(once[l], once[(j - l + N) % N]);
      for (int i = 0; i < n * n; ++i)
        twice[j][i] += part[i];
    }
}

void FieldTurn::add_orbit(std::vector<int> sites)
{
  for (int l = 0; l < number; ++l)
    on_orbit[sites[l]] = {int(orbits.size()), l};
  orbits.push_back(std::move(sites));
}

namespace
{
/// The k-th directors of the nodes of a ring, which turn into each other.
std::vector<int> directors_of_ring(const Space &space, const TurningFrame &frame, const std::vector<const NodeDirectors *> &nodes,
                                   const std::size_t k)
{
  constexpr double same = 1e-6;
  const int n = frame.dimension;
  const auto &partition = *space.sites();
  const Space::Place &start = space.position(int(partition.global_to_local(nodes.front()->directors[k])));
  const int number = int(nodes.size());
  std::vector<int> sites;
  for (int l = 0; l < number; ++l)
  {
    const double angle = 2. * pi * l / number, c = std::cos(angle), s = std::sin(angle);
    double off = nodes[l] && nodes[l]->directors.size() == nodes.front()->directors.size() ? 0. : 1.;
    const int site = off < same ? int(partition.global_to_local(nodes[l]->directors[k])) : -1;
    for (int i = 0; i < n && off < same; ++i)
    {
      double turned = 0.;
      for (int j = 0; j < n; ++j)
        turned += ((i == j ? 1. : 0.) + (c - 1.) * frame.across(i, j) + s * frame.turn(i, j)) * start[j];
      off = std::max(off, std::abs(turned - space.position(site)[i]));
    }
    if (off > same)
      throw InputError("directors of shells or beams off the axis do not turn into each other");
    sites.push_back(site);
  }
  return sites;
}
}  // namespace

void FieldTurn::add_orbits(const NodeRings &rings, const std::vector<NodeDirectors> &nodes)
{
  if (number == 0)
    return;
  const auto &partition = *space.sites();
  std::vector<std::uint64_t> mine;
  for (int site = 0; site < space.owned(); ++site)
    if (!space.is_director(site))
      mine.push_back(partition.local_to_global(site));
  const std::vector<std::uint64_t> numbers = gathered(space, mine);  // of the nodes of rings
  std::map<std::uint64_t, const NodeDirectors *> turning;
  for (const NodeDirectors &node : nodes)
    turning[node.place] = &node;
  for (const auto &ring : rings.rings)
    for (std::size_t first = 0, stride = ring.size() / number; first < stride; ++first)
    {
      std::vector<int> places;
      std::vector<const NodeDirectors *> there;
      for (int l = 0; l < number; ++l)
      {
        const std::uint64_t place = numbers[ring[first + l * stride].second];
        places.push_back(int(partition.global_to_local(place)));
        there.push_back(turning.count(place) > 0 ? turning.at(place) : nullptr);
      }
      for (std::size_t k = 0; there.front() && k < there.front()->directors.size(); ++k)
        add_orbit(directors_of_ring(space, *frame, there, k));
      add_orbit(std::move(places));
    }
}

void FieldTurn::add_axis(const std::vector<NodeDirectors> &nodes)
{
  const int n = frame->dimension;
  const auto &partition = *space.sites();
  for (const NodeDirectors &node : nodes)
  {
    std::vector<int> sites;
    for (const std::uint64_t director : node.directors)
      if (partition.in_local_range(director) || partition.is_ghost_entry(director))
        sites.push_back(int(partition.global_to_local(director)));
    if (sites.size() == node.directors.size() && !sites.empty() && on_orbit[sites.front()].first < 0)
      add_directors(sites);
  }
  for (int site = 0; site < local_sites(space); ++site)
  {
    if (on_orbit[site].first >= 0 || !on_axis[site].empty())
      continue;
    if (space.is_director(site) && site < space.owned())
      throw InputError("a director is at no node that turns");
    if (space.is_director(site))
      continue;
    Entry entry{site, {}, {}};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
      {
        entry.first[n * i + j] = frame->turn(i, j);
        entry.second[n * i + j] = -frame->across(i, j);
      }
    on_axis[site].push_back(entry);
  }
}

namespace
{
/// W of the directors of a node on the axis.
std::vector<std::vector<FieldTurn::Block>> blocks_of(const Space &space, const TurningFrame &frame, const std::vector<int> &directors)
{
  constexpr double same = 1e-6;
  const int n = frame.dimension;
  const std::size_t size = directors.size();
  std::vector<std::vector<FieldTurn::Block>> W(size, std::vector<FieldTurn::Block>(size));
  for (std::size_t k = 0; k < size; ++k)
  {
    Space::Place left{};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
      {
        left[i] += frame.turn(i, j) * space.position(directors[k])[j];
        W[k][k][n * i + j] += frame.turn(i, j);
      }
    const Space::Place turned = left;
    for (std::size_t b = 0; b < size; ++b)
    {
      const Space::Place &other = space.position(directors[b]);
      const double part = other[0] * turned[0] + other[1] * turned[1] + other[2] * turned[2];
      for (int i = 0; i < n; ++i)
      {
        W[k][b][n * i + i] -= part;
        left[i] -= part * other[i];
      }
    }
    if (std::hypot(left[0], left[1], left[2]) > same)
      throw InputError(
          "the directors of a node on the axis do not turn into themselves: one of a beam, of a hinge or of a shell lies across it");
  }
  return W;
}
}  // namespace

void FieldTurn::add_directors(const std::vector<int> &sites)
{
  const std::vector<std::vector<Block>> W = blocks_of(space, *frame, sites);
  for (std::size_t k = 0; k < sites.size(); ++k)
    for (std::size_t b = 0; b < sites.size(); ++b)
    {
      Entry entry{sites[b], W[k][b], {}};
      for (std::size_t c = 0; c < sites.size(); ++c)
      {
        const Block part = product(W[k][c], W[c][b]);
        for (std::size_t i = 0; i < part.size(); ++i)
          entry.second[i] += part[i];
      }
      on_axis[sites[k]].push_back(entry);
    }
}

Vector FieldTurn::times(const Vector &x) const
{
  const int n = frame->dimension;
  Vector y(x), known(x);
  known.update_ghost_values();
  for (int site = 0; site < space.owned(); ++site)
    for (int i = 0; i < n; ++i)
    {
      double sum = 0.;
      visit(site, [&](const int column, const Block &W, const Block &) {
        for (int j = 0; j < n; ++j)
          sum += W[n * i + j] * known.local_element(n * column + j);
      });
      y.local_element(n * site + i) = sum;
    }
  y.update_ghost_values();
  return y;
}
}  // namespace symdyn
