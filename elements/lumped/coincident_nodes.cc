#include "elements/lumped/coincident_nodes.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
using Key = std::array<std::int64_t, 3>;
using Node = std::pair<Place, std::pair<int, std::int64_t>>;  ///< position, part, number over all ranks

/// The boxes of a grid that a cube about X touches: two cubes that touch share one.
std::set<Key> boxes_around(const Place &X, const double half, const double box, const int dimension)
{
  std::set<Key> keys;
  for (int corner = 0; corner < 1 << dimension; ++corner)
  {
    Key key{};
    for (int d = 0; d < dimension; ++d)
      key[d] = std::int64_t(std::floor((X[d] + (corner >> d & 1 ? half : -half)) / box));
    keys.insert(key);
  }
  return keys;
}

unsigned int rank_of(const Key &key, const unsigned int ranks)
{
  std::uint64_t hash = 0;
  for (const std::int64_t k : key)
    hash = (hash ^ std::uint64_t(k)) * 0x9E3779B97F4A7C15ULL;
  return (hash >> 32) % ranks;
}

/// Each owned node on the ranks that look after the boxes around it.
template <int dim>
std::vector<Node> nodes_to_compare(const Discretisation<dim> &mesh, const MeshParts<dim> &parts, const double half, const double box)
{
  const unsigned int ranks = MPI::n_mpi_processes(mesh.communicator);
  std::map<unsigned int, std::vector<Node>> sent;
  for (int local = 0; local < mesh.n_owned_nodes(); ++local)
  {
    Place X{};
    for (int d = 0; d < dim; ++d)
      X[d] = mesh.position[local][d];
    std::set<unsigned int> to;
    for (const Key &key : boxes_around(X, half, box, dim))
      to.insert(rank_of(key, ranks));
    for (const unsigned int rank : to)
      sent[rank].push_back({X, {parts.of_node(local), std::int64_t(mesh.node_partitioner->local_to_global(local))}});
  }
  std::vector<Node> received;
  for (const auto &of_rank : ranks > 1 ? MPI::some_to_some(mesh.communicator, sent) : sent)
    received.insert(received.end(), of_rank.second.begin(), of_rank.second.end());
  return received;
}

/// Two nodes by their numbers; the place of the first, and their parts.
using NodePair = std::pair<std::pair<std::int64_t, std::int64_t>, std::pair<Place, std::pair<int, int>>>;

std::vector<NodePair> pairs_among(const std::vector<Node> &nodes, const std::vector<int> &group, const double tolerance, const double box,
                                  const int dimension, const CoincidentNodes::Pairs &known)
{
  std::map<Key, std::vector<Node>> boxes;
  for (const Node &node : nodes)
    for (const Key &key : boxes_around(node.first, 0.5 * tolerance, box, dimension))
      boxes[key].push_back(node);
  std::vector<NodePair> pairs;
  for (const auto &in_box : boxes)
    for (const auto &[X, a] : in_box.second)
      for (const auto &[Y, b] : in_box.second)
        if (a.first < b.first && group[a.first] != group[b.first] && std::hypot(X[0] - Y[0], X[1] - Y[1], X[2] - Y[2]) <= tolerance &&
            known.count(std::minmax(a.second, b.second)) == 0)
          pairs.push_back({{a.second, b.second}, {X, {a.first, b.first}}});
  return pairs;
}
}  // namespace

template <int dim>
CoincidentNodes CoincidentNodes::find(const Discretisation<dim> &mesh, const MeshParts<dim> &parts, const std::vector<int> &group,
                                      const Pairs &known)
{
  constexpr double box_size = 0.2;  // of the shortest edge
  const double near = tolerance(mesh.smallest_edge), box = box_size * mesh.smallest_edge;
  const std::vector<NodePair> mine = pairs_among(nodes_to_compare(mesh, parts, 0.5 * near, box), group, near, box, dim, known);
  std::set<std::pair<std::int64_t, std::int64_t>> all;  // a pair may be in two boxes
  std::pair<Place, std::pair<int, int>> least{{std::numeric_limits<double>::max()}, {-1, -1}};
  for (const auto &of_rank : MPI::all_gather(mesh.communicator, mine))
    for (const auto &[numbers, pair] : of_rank)
    {
      all.insert(numbers);
      least = std::min(least, pair);
    }
  return {all.size(), least.second.first, least.second.second, least.first};
}

template CoincidentNodes CoincidentNodes::find(const Discretisation<2> &, const MeshParts<2> &, const std::vector<int> &, const Pairs &);
template CoincidentNodes CoincidentNodes::find(const Discretisation<3> &, const MeshParts<3> &, const std::vector<int> &, const Pairs &);
}  // namespace symdyn
