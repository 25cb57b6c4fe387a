#include "solver/linear/eisenstat.h"

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "solver/linear/block_rows.h"

namespace symdyn
{
namespace
{
using Block = dealii::Tensor<2, 3>;  // smaller ones are padded

Block padded_block(const BlockMatrix::Block &A, const int n, const double beyond)
{
  Block block;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      block[i][k] = A(i, k);
  for (int i = n; i < 3; ++i)
    block[i][i] = beyond;
  return block;
}

/// D = C Cᵀ, C lower triangular. False: D is not positive definite.
bool factor(const Block &D, Block &C)
{
  C = 0.;
  for (int k = 0; k < 3; ++k)
    for (int i = k; i < 3; ++i)
    {
      double rest = D[i][k];
      for (int m = 0; m < k; ++m)
        rest -= C[i][m] * C[k][m];
      if (i == k && !(rest > 0.))
        return false;
      C[i][k] = i == k ? std::sqrt(rest) : rest / C[k][k];
    }
  return true;
}
}  // namespace

/// The scaled blocks, and the product as PETSc sees it.
struct EisenstatSolver::Scaled
{
  explicit Scaled(const LinearOperator &A) : pattern(A.pattern()), n(pattern.block), t(A.new_vector()), x(t), rest(t)
  {
    assembled.allocate(pattern, true);
    for (BlockRows *part : {&below, &above, &beside})
      part->clear(n);
    for (int row = 0; row < pattern.rows(); ++row)
    {
      assembled.for_row(row, [&](const int column, int, const BlockMatrix::Block &) {
        if (column != row)
          part(row, column).add(column);
      });
      for (BlockRows *part : {&below, &above, &beside})
        part->end_row();
    }
    petsc_check(MatCreateShell(t.get_mpi_communicator(), t.locally_owned_size(), t.locally_owned_size(), PETSC_DETERMINE, PETSC_DETERMINE,
                               this, &mat),
                "MatCreateShell");
    MatShellSetOperation(mat, MATOP_MULT, reinterpret_cast<void (*)()>(&Scaled::multiply));
  }
  ~Scaled() { MatDestroy(&mat); }

  /// False: A is symmetric, and its blocks on the diagonal are not all positive definite. Collective.
  bool read(const LinearOperator &A)
  {
    A.assemble(assembled);
    if (!read_diagonal(A.symmetric()))
      return false;
    for (BlockRows *part : {&below, &above, &beside})
      part->rewind();
    for (int row = 0; row < pattern.rows(); ++row)
      assembled.for_row(row, [&](const int column, int, const BlockMatrix::Block &block) {
        if (column == row)
          return;
        const Block scaled = left[row] * padded_block(block, n, 0.) * right[column];
        float *values = part(row, column).next();
        for (int k = 0; k < n; ++k)
          for (int i = 0; i < n; ++i)
            values[n * k + i] = float(scaled[i][k]);
      });
    return true;
  }

  void scale(const std::vector<Block> &factors, Vector &x) const
  {
    for (int row = 0; row < pattern.rows(); ++row)
    {
      dealii::Tensor<1, 3> entries;
      for (int i = 0; i < n; ++i)
        entries[i] = x.local_element(n * row + i);
      entries = factors[row] * entries;
      for (int i = 0; i < n; ++i)
        x.local_element(n * row + i) = entries[i];
    }
  }

  const BlockPattern &pattern;
  const int n;
  BlockRows below, above, beside;  ///< L, U, E
  std::vector<Block> left, right;  ///< of A's scaling
  Mat mat = nullptr;
  Vector t, x, rest;

private:
  BlockRows &part(const int row, const int column) { return column >= pattern.rows() ? beside : column < row ? below : above; }

  /// C⁻¹ and C⁻ᵀ of D = C Cᵀ, or D⁻¹ and I. False: some D is not C Cᵀ.
  bool read_diagonal(const bool symmetric)
  {
    const int rows = pattern.rows();
    bool positive = true;
    left.resize(rows);
    right.resize(rows + pattern.nodes->n_ghost_indices());
    for (int row = 0; row < rows; ++row)
    {
      const Block D = padded_block(assembled.at(row, pattern.position(row, row)), n, 1.);
      Block C;
      if (!symmetric)
        left[row] = invert(D);
      else if (factor(D, C))
        left[row] = invert(C);
      else
        positive = false;
      right[row] = symmetric ? transpose(left[row]) : Block(dealii::unit_symmetric_tensor<3>());
    }
    for (int k = 0; k < n; ++k)  // ghosts' too, by columns
    {
      for (int row = 0; row < rows; ++row)
        for (int i = 0; i < n; ++i)
          t.local_element(n * row + i) = right[row][i][k];
      t.update_ghost_values();
      for (std::size_t node = rows; node < right.size(); ++node)
        for (int i = 0; i < n; ++i)
          right[node][i][k] = t.local_element(n * node + i);
      t.zero_out_ghost_values();
    }
    return dealii::Utilities::MPI::min(int(positive), t.get_mpi_communicator()) != 0;
  }

  static PetscErrorCode multiply(Mat mat, Vec in, Vec out)
  {
    void *self;
    MatShellGetContext(mat, &self);
    Scaled &me = *static_cast<Scaled *>(self);
    const unsigned int size = me.t.locally_owned_size();
    const double *p;
    double *y, *t = me.t.begin();
    VecGetArrayRead(in, &p);
    VecGetArrayWrite(out, &y);
    std::copy_n(p, size, t);
    me.above.solve_backward(t);
    me.t.update_ghost_values();
    for (unsigned int i = 0; i < size; ++i)
      y[i] = p[i] - t[i];
    me.beside.add_product(t, y);
    me.below.solve_forward(y);
    for (unsigned int i = 0; i < size; ++i)
      y[i] += t[i];
    VecRestoreArrayRead(in, &p);
    VecRestoreArrayWrite(out, &y);
    return 0;
  }

  OwnedBlockMatrix assembled;
};

EisenstatSolver::EisenstatSolver() : PetscSolver("cg", "ssor") {}
EisenstatSolver::~EisenstatSolver() = default;

void EisenstatSolver::set_up(const LinearOperator &A)
{
  if (is_new(A))
  {
    create(A);
    scaled = std::make_unique<Scaled>(A);
    petsc_check(KSPSetOperators(ksp, scaled->mat, scaled->mat), "KSPSetOperators");
    PC pc;
    KSPGetPC(ksp, &pc);
    PCSetType(pc, PCNONE);
    set_krylov(A.symmetric());
  }
  else if (symmetric != A.symmetric())
    set_krylov(A.symmetric());
  symmetric = A.symmetric();
  keeps(A);
  scalable = scaled->read(A);
}

int EisenstatSolver::solve(const Vector &r, Vector &x, const double tolerance)
{
  constexpr double least_gain = 0.5;
  Scaled &A = *scaled;
  if (!scalable)
    throw_indefinite(0);
  x = 0.;
  const double norm = r.l2_norm();
  int iterations = 0;
  A.rest = r;
  for (double left = norm, before = std::numeric_limits<double>::infinity(); !(left <= tolerance * norm);)
  {
    if (left > least_gain * before)  // rounding
    {
      verify(*op, r, x, tolerance);
      break;
    }
    A.scale(A.left, A.rest);
    A.below.solve_forward(A.rest.begin());
    iterations += krylov(A.rest, A.x, std::max(tolerance * norm / left, seen_by_newton));
    A.above.solve_backward(A.x.begin());
    A.scale(A.right, A.x);
    op->project(A.x);
    x += A.x;
    if (tolerance >= seen_by_newton)
      break;
    before = left;
    op->multiply(x, A.rest);
    A.rest.sadd(-1., 1., r);
    left = A.rest.l2_norm();
  }
  return iterations;
}

SYMDYN_REGISTER(LinearSolver, EisenstatSolver, "eisenstat");
}  // namespace symdyn
