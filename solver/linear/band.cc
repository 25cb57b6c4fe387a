
#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/linear/band_matrix.h"
#include "solver/linear_solver.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
std::vector<std::vector<int>> neighbours(const BlockPattern &pattern)
{
  std::vector<std::vector<int>> of_row(pattern.rows());
  for (int row = 0; row < pattern.rows(); ++row)
    of_row[row].assign(pattern.own_column.begin() + pattern.own_start[row], pattern.own_column.begin() + pattern.own_start[row + 1]);
  return of_row;
}

/// The half band of blocks in this numbering of the rows.
int reach(const std::vector<std::vector<int>> &columns, const std::vector<unsigned int> &number)
{
  int reach = 0;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (const int l : columns[k])
      reach = std::max(reach, std::abs(int(number[k]) - int(number[l])));
  return reach;
}

/// LU in a band (LAPACK), in the numbering of Cuthill and McKee. One rank.
class Band : public LinearSolver
{
public:
  void declare(Parameters &) override {}
  std::unique_ptr<LinearSolver> fresh() const override { return std::make_unique<Band>(); }

  void set_up(const LinearOperator &A) override
  {
    op = &A;
    const BlockPattern &pattern = A.pattern();
    if (number.empty() || revision != A.revision())
      arrange(pattern);
    revision = A.revision();
    A.assemble(blocks);
    band.clear();
    const int n = pattern.block;
    for (int row = 0; row < pattern.rows(); ++row)
      blocks.for_row(row, [&](const int column, int, const BlockMatrix::Block &block) {
        for (int i = 0; i < n; ++i)
          for (int k = 0; k < n; ++k)
            if (const double value = block(i, k); value != 0.)
              band(number[n * row + i], number[n * column + k]) = value;
      });
    if (band.factor() >= 0)
      throw ComputationError(
          "the linearised system is singular: something may move without force or mass. Look for missing supports or masses, and for hinges that make a mechanism");
  }

  int solve(const Vector &r, Vector &x, double) override
  {
    for (std::size_t i = 0; i < number.size(); ++i)
      right[number[i]] = r.local_element(i);
    band.solve(right.data());
    for (std::size_t i = 0; i < number.size(); ++i)
      x.local_element(i) = right[number[i]];
    return 0;
  }
  bool iterative() const override { return false; }
  bool parallel() const override { return false; }
  std::string name() const override { return "band (lapack)"; }

private:
  void arrange(const BlockPattern &pattern)
  {
    const int n = pattern.block;
    number.clear();
    const auto columns = neighbours(pattern);
    const std::vector<unsigned int> of_row = narrow_numbering(columns);
    const int width = n * (reach(columns, of_row) + 1) - 1;
    for (int i = 0; i < n * pattern.rows(); ++i)
      number.push_back(n * of_row[i / n] + i % n);
    right.resize(number.size());
    band.resize(int(number.size()), width, width);
    blocks.allocate(pattern);
  }

  const LinearOperator *op = nullptr;
  OwnedBlockMatrix blocks;
  BandMatrix band;
  std::vector<unsigned int> number;  ///< in the band, of each degree of freedom
  std::vector<double> right;
  std::uint64_t revision = 0;
};
}  // namespace

bool is_narrow(const BlockPattern &pattern)
{
  if (dealii::Utilities::MPI::n_mpi_processes(pattern.nodes->get_mpi_communicator()) > 1)
    return false;
  // LU in a band of b on either side costs 4 n b² operations at a GFlop/s or more; an iterative solver of a few dozen sweeps is no faster
  // below.
  const auto is_affordable = [&](const int reach) {
    constexpr double affordable = 1e7;
    const double size = double(pattern.block) * pattern.rows(), band = pattern.block * (reach + 1) - 1.;
    return 4. * size * band * band < affordable;
  };
  const auto columns = neighbours(pattern);
  std::size_t most = 1;
  for (const auto &row : columns)
    most = std::max(most, row.size());
  const int least_reach =
      int(most) / 2;  // in any numbering a row reaches so far to one side; the numbering takes seconds of large structures
  return is_affordable(least_reach) && (most == 1 || is_affordable(reach(columns, narrow_numbering(columns))));
}

SYMDYN_REGISTER(LinearSolver, Band, "band");
}  // namespace symdyn
