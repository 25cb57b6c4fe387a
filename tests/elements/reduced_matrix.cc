// Reduced matrices against dense Tᵀ A T. The tests hold on any number of ranks; SiteRelations.HoldOnTwoRanks runs them on two.
#include "elements/space/reduced_matrix.h"

#include <deal.II/lac/full_matrix.h>
#include <gtest/gtest.h>

#include "tests/site_relations.h"

namespace symdyn::tests::in_reduced_matrix
{
namespace
{
using namespace symdyn::tests::relations;

/// T by its columns.
Dense dense_T(const Setting &s, const SiteRelations &relations)
{
  Dense T;
  for (int k = 0; k < s.size(); ++k)
  {
    Row unit(s.size(), 0.);
    unit[k] = 1.;
    Vector x = s.vector(unit);
    relations.expand(x);
    T.push_back(s.all(x));
  }
  return T;
}

/// Blocks of neighbours and of random pairs, symmetric pattern, P A P + s (1 - P) of a random A.
struct RandomMatrix
{
  explicit RandomMatrix(Setting &s) : dense(s.size(), Row(s.size(), 0.))
  {
    std::vector<std::set<int>> columns(s.sites);
    const auto couple = [&](const int i, const int j) {
      columns[i].insert(j);
      columns[j].insert(i);
    };
    for (int i = 0; i < s.sites; ++i)
    {
      couple(i, i);
      couple(i, (i + 1) % s.sites);
      couple(i, s.random_site());
    }
    const int n = s.block;
    for (int i = 0; i < s.sites; ++i)
      for (const int j : columns[i])
        for (int k = 0; k < n * n; ++k)
          dense[n * i + k / n][n * j + k % n] = s.random() + (i == j && k / n == k % n ? 4. : 0.);
    hold(s);
    fill(s, columns);
  }
  void hold(const Setting &s)
  {
    for (Row &row : dense)
      row = s.projected(row);
    for (int j = 0; j < s.size(); ++j)
    {
      Row column(s.size()), unit(s.size(), 0.);
      unit[j] = 1.;
      for (int i = 0; i < s.size(); ++i)
        column[i] = dense[i][j];
      column = s.projected(column);
      const Row left = s.projected(unit);
      for (int i = 0; i < s.size(); ++i)
        dense[i][j] = column[i] + 3. * (unit[i] - left[i]);
    }
  }
  void fill(const Setting &s, const std::vector<std::set<int>> &columns)
  {
    const int n = s.block;
    std::set<int> ghosts;
    for (int i = s.begin; i < s.end; ++i)
      for (const int j : columns[i])
        if (j < s.begin || j >= s.end)
          ghosts.insert(j);
    pattern.block = n;
    pattern.nodes = s.partitioner(ghosts, 1);
    pattern.own_start = pattern.ghost_start = {0};
    for (int i = s.begin; i < s.end; ++i)
    {
      for (const int j : columns[i])
      {
        const int local = pattern.nodes->global_to_local(j);
        (local < s.end - s.begin ? pattern.own_column : pattern.ghost_column).push_back(local);
      }
      pattern.own_start.push_back(pattern.own_column.size());
      pattern.ghost_start.push_back(pattern.ghost_column.size());
    }
    A.allocate(pattern, s.sites % 2 == 0);
    for (int row = 0; row < pattern.rows(); ++row)
      A.for_row(row, [&](const int column, int, const BlockMatrix::Block &B) {
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            B(i, j) = dense[n * (s.begin + row) + i][n * pattern.nodes->local_to_global(column) + j];
      });
  }
  double mean_diagonal() const
  {
    double sum = 0;
    for (std::size_t k = 0; k < dense.size(); ++k)
      sum += std::abs(dense[k][k]);
    return sum / dense.size();
  }

  Dense dense;
  BlockPattern pattern;
  OwnedBlockMatrix A;
};

/// As `A` in owned rows, zero elsewhere.
Dense to_dense(const Setting &s, const BlockMatrix &A)
{
  const int n = s.block;
  Dense all(s.size(), Row(s.size(), 0.));
  for (int row = 0; row < A.pattern->rows(); ++row)
    A.for_row(row, [&](const int column, int, const BlockMatrix::Block &B) {
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          all[n * (s.begin + row) + i][n * A.pattern->nodes->local_to_global(column) + j] = B(i, j);
    });
  return all;
}

/// Tᵀ A T, and `diagonal` in dependent rows.
Dense reduced(const Dense &A, const Dense &T, const std::set<int> &dependent, const double diagonal)
{
  const std::size_t n = A.size();
  Dense AT(n, Row(n, 0.)), all(n, Row(n, 0.));  // T: by columns
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      AT[j][i] = dot(A[i], T[j]);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      all[i][j] = dot(T[i], AT[j]);
  for (const int k : dependent)
    all[k][k] = diagonal;
  return all;
}
}  // namespace

TEST(ReducedMatrix, IsTransposedTTimesATimesT)
{
  for (const int sites : {20, 21})
    for (unsigned int seed = 1; seed < 5; ++seed)
    {
      Setting s = mixed(sites, seed == 1 ? 2 : 3, seed);
      const SiteRelations relations = s.make();
      const RandomMatrix matrix(s);
      const ReducedMatrix reduce(relations, matrix.pattern);
      OwnedBlockMatrix R;
      R.allocate(reduce.pattern(), sites % 2 == 1);
      for (int again = 0; again < 2; ++again)
        reduce.fill(matrix.A, R);
      const std::set<int> dependent = dependent_dofs(relations);
      const Dense expected = reduced(matrix.dense, dense_T(s, relations), dependent, matrix.mean_diagonal()), found = to_dense(s, R);
      double scale = 0;
      for (const Row &row : expected)
        scale = std::max(scale, largest(row));
      for (int i = s.block * s.begin; i < s.block * s.end; ++i)
        EXPECT_LT(distance(found[i], expected[i]), 1e-13 * scale) << i;
      Vector x = reduce.new_vector(), y = x;
      const Row start = s.random_row();
      for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
        x.local_element(i) = start[s.block * s.begin + i];
      R.multiply(x, y);
      const Row product = s.all(y);
      for (int i = 0; i < s.size(); ++i)
        EXPECT_NEAR(product[i], dot(expected[i], start), 1e-12 * scale * s.size());
    }
}

TEST(ReducedMatrix, WithoutDependentSitesTheMatrixIsCopied)
{
  Setting s(12, 2, 4);
  const SiteRelations relations = s.make();
  EXPECT_FALSE(relations.any());
  const RandomMatrix matrix(s);
  const ReducedMatrix reduce(relations, matrix.pattern);
  OwnedBlockMatrix R;
  R.allocate(reduce.pattern());
  reduce.fill(matrix.A, R);
  EXPECT_EQ(to_dense(s, R), to_dense(s, matrix.A));
  Vector x = s.vector(s.random_row());
  const Row before = s.all(x);
  relations.project(x);
  relations.expand(x);
  relations.reduce(x);
  EXPECT_EQ(s.all(x), before);
}

/// Tᵀ A T y = Tᵀ r with inclined supports in A: x = T y is allowed, and A x - r does no work on motions that are.
TEST(ReducedMatrix, SolvesTheConstrainedProblem)
{
  Setting s = mixed(20, 3, 6);
  const SiteRelations relations = s.make();
  const RandomMatrix matrix(s);
  const ReducedMatrix reduce(relations, matrix.pattern);
  OwnedBlockMatrix R;
  R.allocate(reduce.pattern());
  reduce.fill(matrix.A, R);
  dealii::FullMatrix<double> inverse(s.size(), s.size());
  const Dense rows = to_dense(s, R);
  for (int i = 0; i < s.size(); ++i)
  {
    Row row = rows[i];
    MPI::sum(row, MPI_COMM_WORLD, row);  // one rank has each
    for (int j = 0; j < s.size(); ++j)
      inverse(i, j) = row[j];
  }
  inverse.gauss_jordan();
  const Row force = s.projected(s.random_row());
  Vector r = s.vector(force);
  relations.reduce(r);
  const Row right = s.all(r);
  Row y(s.size(), 0.), residual(s.size());
  for (int i = 0; i < s.size(); ++i)
    for (int j = 0; j < s.size(); ++j)
      y[i] += inverse(i, j) * right[j];
  Vector x = s.vector(y);
  relations.expand(x);
  const Row solution = s.all(x);
  EXPECT_LT(distance(s.projected(solution), solution), 1e-11 * largest(solution));
  for (int i = 0; i < s.size(); ++i)
    residual[i] = dot(matrix.dense[i], solution) - force[i];
  Vector work = s.vector(s.projected(residual));
  relations.project(work);
  EXPECT_LT(largest(s.all(work)), 1e-11 * largest(solution));
}
}  // namespace symdyn::tests::in_reduced_matrix
