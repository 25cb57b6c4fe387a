#include <deal.II/lac/solver_control.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_solver.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_sparsity_pattern.h>
#include <fmt/format.h>

#include <cmath>

#include "solver/error.h"
#include "solver/linear_solver.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// An Epetra matrix filled from block rows. Shared by the solvers of Trilinos.
class TrilinosSolver : public LinearSolver
{
public:
  void declare(Parameters &) override {}

  void set_up(const LinearOperator &A) override
  {
    if (!values.pattern || revision != A.revision())
      allocate(A);
    revision = A.revision();
    A.assemble(values);
    op = &A;
    const BlockPattern &pattern = *values.pattern;
    const int n = pattern.block;
    std::vector<dealii::types::global_dof_index> column;
    std::vector<std::vector<double>> value(n);
    for (int row = 0; row < pattern.rows(); ++row)
    {
      column.clear();
      value.assign(n, {});
      values.for_row(row, [&](const int c, int, const BlockMatrix::Block &block) {
        for (int k = 0; k < n; ++k)
        {
          column.push_back(pattern.nodes->local_to_global(c) * n + k);
          for (int i = 0; i < n; ++i)
            value[i].push_back(block(i, k));
        }
      });
      for (int i = 0; i < n; ++i)
        epetra.set(pattern.nodes->local_to_global(row) * n + i, column.size(), column.data(), value[i].data());
    }
    epetra.compress(dealii::VectorOperation::insert);
    precondition();
  }

protected:
  virtual void allocate(const LinearOperator &A)
  {
    const BlockPattern &pattern = A.pattern();
    values.allocate(pattern);
    const int n = pattern.block;
    const auto communicator = pattern.nodes->get_mpi_communicator();
    dealii::IndexSet rows(pattern.nodes->size() * n);
    const auto range = pattern.nodes->local_range();
    rows.add_range(range.first * n, range.second * n);
    dealii::TrilinosWrappers::SparsityPattern sparsity(rows, communicator);
    for (int row = 0; row < pattern.rows(); ++row)
      values.for_row(row, [&](const int column, int, const BlockMatrix::Block &) {
        const auto c = pattern.nodes->local_to_global(column);
        for (int i = 0; i < n; ++i)
          for (int k = 0; k < n; ++k)
            sparsity.add((range.first + row) * n + i, c * n + k);
      });
    sparsity.compress();
    epetra.reinit(sparsity);
  }

  virtual void precondition() = 0;
  const LinearOperator *op = nullptr;
  std::uint64_t revision = 0;
  OwnedBlockMatrix values;
  dealii::TrilinosWrappers::SparseMatrix epetra;
};

/// Conjugate gradients (GMRES where the tangent is unsymmetric) with ML's smoothed aggregation.
class Ml : public TrilinosSolver
{
public:
  int solve(const Vector &r, Vector &x, const double tolerance) override
  {
    x = 0.;
    const double norm = r.l2_norm();
    if (norm == 0.)
      return 0;
    dealii::SolverControl control(5000, tolerance * norm);
    try
    {
      if (op->symmetric())
        dealii::TrilinosWrappers::SolverCG(control).solve(epetra, x, r, multigrid);
      else
        dealii::TrilinosWrappers::SolverGMRES(control).solve(epetra, x, r, multigrid);
    }
    catch (const std::exception &)
    {
      throw ComputationError(fmt::format(
          "linear solver ml: |r| = {:.3g} of {:.3g}{} (tolerance {:g}). Use a smaller step, or --set \"Linear solver/Type=mumps\"",
          control.last_value(), norm,
          std::isfinite(control.last_value()) ? fmt::format(" after {} iterations", control.last_step()) : ": it broke down", tolerance));
    }
    verify(*op, r, x, tolerance);
    return control.last_step();
  }

  bool iterative() const override { return true; }
  std::string name() const override { return "ml"; }
  std::unique_ptr<LinearSolver> fresh() const override { return std::make_unique<Ml>(); }

private:
  void allocate(const LinearOperator &A) override
  {
    TrilinosSolver::allocate(A);
    constant_modes.clear();
    for (const Vector &mode : A.rigid_modes())
      if (mode.l2_norm() > 0.)
        constant_modes.emplace_back(mode.begin(), mode.begin() + mode.locally_owned_size());
  }

  void precondition() override
  {
    // The rigid modes, as ML wants them: one long array of the owned entries.
    dealii::TrilinosWrappers::PreconditionAMG::AdditionalData data;
    data.elliptic = true;
    data.aggregation_threshold = 0.02;
    Teuchos::ParameterList list;
    std::unique_ptr<Epetra_MultiVector> distributed_modes;
    data.set_parameters(list, distributed_modes, epetra);
    std::vector<double> null_space;
    for (const auto &mode : constant_modes)
      null_space.insert(null_space.end(), mode.begin(), mode.end());
    list.set("PDE equations", values.pattern->block);
    list.set("null space: type", "pre-computed");
    list.set("null space: dimension", int(constant_modes.size()));
    list.set("null space: vectors", null_space.data());
    multigrid.initialize(epetra, list);
  }

  std::vector<std::vector<double>> constant_modes;
  dealii::TrilinosWrappers::PreconditionAMG multigrid;
};

/// Sparse LU by Amesos KLU.
class TrilinosDirect : public TrilinosSolver
{
public:
  int solve(const Vector &r, Vector &x, double) override
  {
    direct->solve(x, r);
    return 0;
  }
  bool iterative() const override { return false; }
  std::string name() const override { return "trilinos-direct"; }
  std::unique_ptr<LinearSolver> fresh() const override { return std::make_unique<TrilinosDirect>(); }

private:
  void precondition() override
  {
    direct = std::make_unique<dealii::TrilinosWrappers::SolverDirect>(
        control, dealii::TrilinosWrappers::SolverDirect::AdditionalData(false, "Amesos_Klu"));
    try
    {
      direct->initialize(epetra);
    }
    catch (const dealii::ExceptionBase &)  // KLU says no more than that it failed
    {
      throw ComputationError(
          "linear solver trilinos-direct: the matrix cannot be factored: something moves without force or mass, or memory is short. Look at the supports");
    }
  }

  dealii::SolverControl control;
  std::unique_ptr<dealii::TrilinosWrappers::SolverDirect> direct;
};

SYMDYN_REGISTER(LinearSolver, Ml, "ml");
SYMDYN_REGISTER(LinearSolver, TrilinosDirect, "trilinos-direct");
}  // namespace
}  // namespace symdyn
