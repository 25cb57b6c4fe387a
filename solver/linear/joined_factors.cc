#include "solver/linear/joined_factors.h"

#include <dmumps_c.h>
#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "solver/error.h"
#include "solver/linear/factor_cost.h"

extern "C"  // of LAPACK; deal.II declares others
{
  void dsytrf_(const char *, const int *, double *, const int *, int *, double *, const int *, int *);
  void dsytrs_(const char *, const int *, const int *, const double *, const int *, const int *, double *, const int *, int *);
}

namespace symdyn
{
namespace
{
/// Of each row the place where it is eliminated, from 1 on, by nested dissection (Karypis and Kumar 1998); these rows come last, ascending.
std::vector<int> order_of(const BlockPattern &pattern, const std::vector<int> &last)
{
  const int n = pattern.block, sites = pattern.rows();
  std::vector<idx_t> number(sites, 0), start{0}, neighbours;
  for (const int row : last)
    number[row / n] = -1;
  idx_t within = 0;
  for (idx_t &one : number)
    one = one < 0 ? one : within++;
  for (int site = 0; site < sites; ++site)
  {
    if (number[site] < 0)
      continue;
    for (int p = pattern.own_start[site]; p < pattern.own_start[site + 1]; ++p)
      if (const int other = pattern.own_column[p]; other != site && number[other] >= 0)
        neighbours.push_back(number[other]);
    start.push_back(idx_t(neighbours.size()));
  }
  std::vector<idx_t> sequence(within), place(within);
  if (within > 0 && METIS_NodeND(&within, start.data(), neighbours.data(), nullptr, nullptr, sequence.data(), place.data()) != METIS_OK)
    throw std::runtime_error("METIS_NodeND failed");
  std::vector<int> order;
  for (int site = 0, next = int(within); site < sites; ++site)
  {
    const int at = number[site] < 0 ? next++ : int(place[number[site]]);
    for (int d = 0; d < n; ++d)
      order.push_back(n * at + d + 1);
  }
  return order;
}
}  // namespace

struct JoinedFactors::Mumps
{
  explicit Mumps(std::vector<int> of_interface) : interface(std::move(of_interface))
  {
    id.comm_fortran = MPI_Comm_c2f(MPI_COMM_SELF);
    id.par = 1;
    id.sym = 2;  // indefinite, too
    run(-1);
    constexpr int most_printed = 4;
    std::fill_n(id.icntl, most_printed, 0);
    option(19) = 1;  // the Schur complement by rows, its lower triangle
    for (const int i : interface)
      numbers.push_back(i + 1);
    schur.resize(numbers.size() * numbers.size());
    id.size_schur = int(numbers.size());
    id.listvar_schur = numbers.data();
    id.schur = schur.data();
  }
  ~Mumps()
  {
    id.job = -2;
    dmumps_c(&id);
  }
  Mumps(const Mumps &) = delete;
  Mumps &operator=(const Mumps &) = delete;

  int &option(const int number) { return id.icntl[number - 1]; }

  void factor(const JoinedOperator &A)
  {
    values.clear();
    if (blocks.pattern != &A.pattern_of_one())
      list(A);
    A.assemble_one(blocks);
    for_lower([this](int, int, const double value) { values.push_back(value); });
    id.a = values.data();
    if (!analysed)
      run(1);
    analysed = true;
    constexpr int too_little_memory = -9, most = 6;
    for (int k = 0; k < most; ++k, option(14) *= 2)
      if (attempt(2) != too_little_memory)
        break;
    require();
  }
  /// Eliminates what is within from these columns, after which `at_interface` has what is left there; or finds what is within from it.
  void solve(std::vector<double> &columns, std::vector<double> &at_interface, const bool eliminate)
  {
    id.nrhs = int(columns.size() / id.n);
    id.lrhs = id.n;
    id.rhs = columns.data();
    id.lredrhs = id.size_schur;
    id.redrhs = at_interface.data();
    option(26) = eliminate ? 1 : 2;
    run(3);
  }
  int rows() const { return id.n; }
  long negative() const { return id.infog[11]; }

  std::vector<double> schur;

private:
  template <class Visit>
  void for_lower(const Visit &visit)
  {
    const int n = blocks.pattern->block;
    for (int row = 0; row < blocks.pattern->rows(); ++row)
      blocks.for_row(row, [&](const int column, int, const BlockMatrix::Block &block) {
        if (column <= row)
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < (column == row ? i + 1 : n); ++j)
              visit(n * row + i, n * column + j, block(i, j));
      });
  }
  void list(const JoinedOperator &A)
  {
    blocks.allocate(A.pattern_of_one());
    rows_of.clear();
    columns_of.clear();
    for_lower([this](const int i, const int j, double) {
      rows_of.push_back(i + 1);
      columns_of.push_back(j + 1);
    });
    id.n = blocks.pattern->block * blocks.pattern->rows();
    id.nnz = std::int64_t(rows_of.size());
    id.irn = rows_of.data();
    id.jcn = columns_of.data();
    order = order_of(*blocks.pattern, interface);
    option(7) = 1;  // MUMPS has none of its own beside a Schur complement but minimum degree, with 2.5 times the operations
    id.perm_in = order.data();
    analysed = false;
  }
  int attempt(const int job)
  {
    id.job = job;
    dmumps_c(&id);
    return id.infog[0];
  }
  void require() const
  {
    constexpr int singular = -10;
    if (id.infog[0] == singular)
      throw ComputationError(
          "linear solver mumps: the matrix of a sector is singular: something moves without force or mass. Look at the supports");
    if (id.infog[0] < 0)
      throw ComputationError(
          fmt::format("linear solver mumps: error {} ({}) of MUMPS. Use --set \"Linear solver/Type=cg\"", id.infog[0], id.infog[1]));
  }
  void run(const int job)
  {
    attempt(job);
    require();
  }

  DMUMPS_STRUC_C id{};
  OwnedBlockMatrix blocks;
  std::vector<double> values;
  std::vector<int> interface, numbers, rows_of, columns_of, order;
  bool analysed = false;
};

bool JoinedFactors::pay(const JoinedOperator &A)
{
  if (!A.joint() || A.new_vector().get_partitioner()->n_mpi_processes() > 1)
    return false;
  constexpr double interface_last = 2.;  // operations in such an order, beside those in the best
  return interface_last * factor_operations(A.pattern_of_one()) + std::pow(double(A.joint()->independent.size()), 3) / 6. <
         factor_operations(A.pattern());
}

JoinedFactors::JoinedFactors(const JoinedOperator &A) : op(&A), within(std::make_unique<Mumps>(A.joint()->interface)) {}
JoinedFactors::~JoinedFactors() = default;

void JoinedFactors::factor(const JoinedOperator &A)
{
  op = &A;
  within->factor(A);
  join(*A.joint(), within->schur);
  negative += A.copies() * within->negative();
}

/// Tᵀ (1 ⊗ S) T and its factors; `negative`: of it.
void JoinedFactors::join(const JoinedOperator::Joint &joint, const std::vector<double> &schur)
{
  const std::size_t m = joint.interface.size(), n = joint.independent.size();
  dense.assign(n * n, 0.);
  std::vector<double> row(n);
  for (std::size_t i = 0; i < joint.entries.size(); ++i)
  {
    if (joint.entries[i].empty())
      continue;
    const std::size_t first = i - i % m, k = i % m;
    std::fill(row.begin(), row.end(), 0.);
    for (std::size_t l = 0; l < m; ++l)
    {
      const double S = k >= l ? schur[k * m + l] : schur[l * m + k];
      for (const auto &[place, factor] : joint.entries[first + l])
        row[place] += factor * S;
    }
    for (const auto &[place, factor] : joint.entries[i])
      for (std::size_t j = 0; j < n; ++j)
        dense[place * n + j] += factor * row[j];
  }
  const int size = int(n);
  int length = -1, info = 0;
  pivots.resize(n);
  double best = 0;
  dsytrf_("L", &size, dense.data(), &size, pivots.data(), &best, &length, &info);
  length = int(best);
  std::vector<double> work(length);
  dsytrf_("L", &size, dense.data(), &size, pivots.data(), work.data(), &length, &info);
  if (info != 0)
    throw ComputationError(
        "linear solver mumps: the matrix of the cut is singular: something moves without force or mass. Look at the supports");
  negative = 0;
  for (std::size_t i = 0; i < n; ++i)
    if (pivots[i] > 0)
      negative += dense[i * n + i] < 0.;
    else  // of two rows, whose determinant is negative
    {
      ++negative;
      ++i;
    }
}

void JoinedFactors::solve_all(const std::vector<Vector> &r, std::vector<Vector> &x) const
{
  const JoinedOperator::Joint &joint = *op->joint();
  const int copies = op->copies();
  const std::size_t rows = within->rows(), m = joint.interface.size(), n = joint.independent.size(), columns = copies * r.size();
  std::vector<double> all(rows * columns), at_interface(m * columns), y(n * r.size(), 0.);
  const auto for_entries = [&](const auto &visit) {
    for (std::size_t k = 0; k < r.size(); ++k)
      for (int copy = 0; copy < copies; ++copy)
        for (std::size_t i = 0; i < rows; ++i)
          visit(k, op->entry(i, copy), all[rows * (copies * k + copy) + i]);
  };
  for_entries([&](const std::size_t k, const std::size_t i, double &value) { value = r[k].local_element(i); });
  within->solve(all, at_interface, true);
  for (std::size_t k = 0; k < r.size(); ++k)
    for (std::size_t i = 0; i < joint.entries.size(); ++i)
      for (const auto &[place, factor] : joint.entries[i])
        y[n * k + place] += factor * at_interface[copies * m * k + i];
  const int size = int(n), number = int(r.size());
  int info = 0;
  dsytrs_("L", &size, &number, dense.data(), &size, pivots.data(), y.data(), &size, &info);
  std::fill(at_interface.begin(), at_interface.end(), 0.);
  for (std::size_t k = 0; k < r.size(); ++k)
    for (std::size_t i = 0; i < joint.entries.size(); ++i)
      for (const auto &[place, factor] : joint.entries[i])
        at_interface[copies * m * k + i] += factor * y[n * k + place];
  within->solve(all, at_interface, false);
  for_entries([&](const std::size_t k, const std::size_t i, const double value) { x[k].local_element(i) = value; });
}
}  // namespace symdyn
