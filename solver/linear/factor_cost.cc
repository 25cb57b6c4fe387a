#include "solver/linear/factor_cost.h"

#include <amd.h>
#include <deal.II/base/mpi.h>

#include <cmath>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// The nodes that each node couples with, compressed rows in global numbers, of all ranks one after the other.
struct Graph
{
  explicit Graph(const BlockPattern &pattern)
  {
    std::vector<int> own_lengths, own_columns;
    const int first = pattern.nodes->local_range().first;
    for (int row = 0; row < pattern.rows(); ++row)
    {
      const std::size_t before = own_columns.size();
      for (int p = pattern.own_start[row]; p < pattern.own_start[row + 1]; ++p)
        own_columns.push_back(first + pattern.own_column[p]);
      for (int p = pattern.ghost_start[row]; p < pattern.ghost_start[row + 1]; ++p)
        own_columns.push_back(pattern.nodes->local_to_global(pattern.ghost_column[p]));
      own_lengths.push_back(own_columns.size() - before);
    }
    const MPI_Comm communicator = pattern.nodes->get_mpi_communicator();
    for (const std::vector<int> &lengths : MPI::all_gather(communicator, own_lengths))
      for (const int length : lengths)
        start.push_back(start.back() + length);
    for (const std::vector<int> &columns : MPI::all_gather(communicator, own_columns))
      column.insert(column.end(), columns.begin(), columns.end());
  }
  int nodes() const { return int(start.size()) - 1; }

  std::vector<int> start{0}, column;
};
}  // namespace

double factor_operations(const BlockPattern &pattern)
{
  const Graph graph(pattern);
  std::vector<int> order(graph.nodes());
  std::vector<double> found(AMD_INFO, 0.);
  amd_order(graph.nodes(), graph.start.data(), graph.column.data(), order.data(), nullptr, found.data());
  return found[AMD_NMULTSUBS_LDL] * std::pow(pattern.block, 3);
}

double factor_cost(const BlockPattern &pattern)
{
  constexpr double factor = 340., power = 0.65;  // the larger the fronts, the faster each operation
  return factor * std::pow(factor_operations(pattern), power);
}

double entries(const BlockPattern &pattern)
{
  const double own = std::pow(pattern.block, 2) * double(pattern.own_column.size() + pattern.ghost_column.size());
  return MPI::sum(own, pattern.nodes->get_mpi_communicator());
}
}  // namespace symdyn
