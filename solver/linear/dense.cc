#include <deal.II/base/mpi.h>
#include <deal.II/lac/exceptions.h>
#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include <algorithm>

#include "solver/error.h"
#include "solver/linear_solver.h"
#include "solver/parameters.h"

namespace symdyn
{
/// LU by LAPACK of the whole matrix, on every rank. For small systems and as the plainest reference.
class Dense : public LinearSolver
{
public:
  void declare(Parameters &) override {}

  void set_up(const LinearOperator &A) override
  {
    if (!values.pattern || revision != A.revision())
      allocate(A);
    A.assemble(values);
    const BlockPattern &pattern = *values.pattern;
    const int n = pattern.block;
    lu.reinit(size);
    std::vector<double> dense(std::size_t(size) * size, 0.);
    for (int row = 0; row < pattern.rows(); ++row)
      values.for_row(row, [&](const int column, int, const BlockMatrix::Block &block) {
        for (int i = 0; i < n; ++i)
          for (int k = 0; k < n; ++k)
            dense[std::size_t(n * pattern.nodes->local_to_global(row) + i) * size + n * pattern.nodes->local_to_global(column) + k] =
                block(i, k);
      });
    dealii::Utilities::MPI::sum(dealii::ArrayView<const double>(dense), pattern.nodes->get_mpi_communicator(),
                                dealii::ArrayView<double>(dense));
    for (unsigned int i = 0; i < size; ++i)
      for (unsigned int k = 0; k < size; ++k)
        lu(i, k) = dense[std::size_t(i) * size + k];
    try
    {
      lu.compute_lu_factorization();
    }
    catch (const dealii::LACExceptions::ExcSingular &)
    {
      throw ComputationError("linear solver dense: the matrix is singular: something moves without force or mass. Look at the supports");
    }
  }

  int solve(const Vector &r, Vector &x, double) override
  {
    dealii::Vector<double> all(size);
    const auto range = r.get_partitioner()->local_range();
    std::copy_n(r.begin(), r.locally_owned_size(), all.begin() + range.first);
    dealii::Utilities::MPI::sum(all, r.get_mpi_communicator(), all);
    lu.solve(all);
    std::copy_n(all.begin() + range.first, x.locally_owned_size(), x.begin());
    return 0;
  }

  bool iterative() const override { return false; }
  std::string name() const override { return "dense"; }
  std::unique_ptr<LinearSolver> fresh() const override { return std::make_unique<Dense>(); }

private:
  void allocate(const LinearOperator &A)
  {
    size = A.new_vector().size();
    if (size > largest)
      throw InputError(
          fmt::format("Linear solver/Type = dense: {} degrees of freedom are too many for a dense matrix (limit {}). Use "
                      "--set \"Linear solver/Type=automatic\"",
                      size, largest));
    values.allocate(A.pattern());
    revision = A.revision();
  }

  static constexpr unsigned int largest = 6000;
  unsigned int size = 0;
  std::uint64_t revision = 0;
  OwnedBlockMatrix values;
  dealii::LAPACKFullMatrix<double> lu;
};

SYMDYN_REGISTER(LinearSolver, Dense, "dense");
}  // namespace symdyn
