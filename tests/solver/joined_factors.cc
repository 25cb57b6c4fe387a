// Factors of copies of a matrix that are joined at an interface, against those of the whole, dense.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/linear/dense_spectrum.h"
#include "solver/linear/joined_factors.h"
#include "solver/linear/lu.h"

namespace symdyn::tests::in_joined_factors
{
namespace
{
namespace MPI = dealii::Utilities::MPI;

/// A chain of sites of two components, each coupled with the two before it, in two copies. Site 11 is site 0 of both copies, turned;
/// entry 10 is zero.
class Chain : public JoinedOperator
{
public:
  static constexpr int sites = 12, n = 2, rows = sites * n;
  double shift = 0;

  Chain()
      : nodes_of_one(std::make_shared<MPI::Partitioner>(dealii::complete_index_set(sites), MPI_COMM_SELF)),
        nodes_of_all(std::make_shared<MPI::Partitioner>(dealii::complete_index_set(2 * sites), MPI_COMM_SELF))
  {
    std::vector<std::vector<int>> columns(sites);
    for (int i = 0; i < sites; ++i)
      for (int j = std::max(0, i - 2); j < std::min(sites, i + 3); ++j)
        columns[i].push_back(j);
    one = BlockPattern::of_columns(n, nodes_of_one, columns);
    all = BlockPattern::diagonal(n, nodes_of_all);
    joint_of_both.interface = {0, 1, 10, 11, 22, 23};
    joint_of_both.entries.resize(12);
    joint_of_both.independent = {0, 1, 3, 6, 7, 9};
    for (int k = 0; k < 6; ++k)
      joint_of_both.entries[joint_of_both.independent[k]] = {{k, 1.}};
    const double c = std::cos(0.7), s = std::sin(0.7);
    joint_of_both.entries[4] = {{0, c}, {3, -s}};
    joint_of_both.entries[5] = {{1, c}, {4, -s}};
    joint_of_both.entries[10] = {{0, s}, {3, c}};
    joint_of_both.entries[11] = {{1, s}, {4, c}};
  }
  double A(const int i, const int j) const
  {
    if (std::abs(i / n - j / n) > 2)
      return 0.;
    return i == j ? 3. * std::sin(1. + i) - shift : std::cos(1. + std::min(i, j) + 0.37 * std::max(i, j));
  }
  /// Row of the whole that is entry i of a copy: of independent entries by number, all others by themselves; factors of T.
  std::vector<std::pair<int, double>> T(const int i, const int copy) const
  {
    const auto at = std::find(joint_of_both.interface.begin(), joint_of_both.interface.end(), i);
    if (at == joint_of_both.interface.end())
      return {{int(entry(i, copy)), 1.}};
    std::vector<std::pair<int, double>> terms;
    for (const auto &[place, factor] : joint_of_both.entries[6 * copy + (at - joint_of_both.interface.begin())])
    {
      const int number = joint_of_both.independent[place];
      terms.emplace_back(int(entry(joint_of_both.interface[number % 6], number / 6)), factor);
    }
    return terms;
  }

  int copies() const override { return 2; }
  const Joint *joint() const override { return &joint_of_both; }
  const BlockPattern &pattern_of_one() const override { return one; }
  void assemble_one(const BlockMatrix &to) const override
  {
    for (int site = 0; site < sites; ++site)
      to.for_row(site, [&](const int other, int, const BlockMatrix::Block &b) {
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            b(i, j) = A(n * site + i, n * other + j);
      });
  }
  std::size_t entry(const std::size_t i, const int copy) const override { return n * (2 * (i / n) + copy) + i % n; }

  bool symmetric() const override { return true; }
  bool constant() const override { return true; }
  double stiffness_over_mass() const override { return 1.; }
  Vector new_vector() const override { return Vector(dealii::complete_index_set(2 * rows), MPI_COMM_SELF); }
  std::shared_ptr<const MPI::Partitioner> nodes() const override { return nodes_of_all; }
  int block() const override { return n; }
  const BlockPattern &pattern() const override { return all; }
  std::vector<Vector> rigid_modes() const override { return {}; }
  void assemble(const BlockMatrix &) const override {}
  void project(Vector &) const override {}

private:
  std::shared_ptr<const MPI::Partitioner> nodes_of_one, nodes_of_all;
  BlockPattern one, all;
  Joint joint_of_both;
};

/// Tᵀ (1 ⊗ A) T; 1 where T leaves nothing.
Dense whole(const Chain &chain)
{
  const int size = 2 * Chain::rows;
  Dense W(size);
  for (int copy = 0; copy < 2; ++copy)
    for (int i = 0; i < Chain::rows; ++i)
      for (int j = 0; j < Chain::rows; ++j)
        for (const auto &[row, left] : chain.T(i, copy))
          for (const auto &[column, right] : chain.T(j, copy))
            W(row, column) += left * chain.A(i, j) * right;
  for (int i = 0; i < size; ++i)
  {
    bool empty = true;
    for (int j = 0; j < size; ++j)
      empty = empty && W(i, j) == 0.;
    if (empty)
      W(i, i) = 1.;
  }
  return W;
}
}  // namespace

TEST(JoinedFactors, SolveAndCountLikeTheWhole)
{
  Chain chain;
  JoinedFactors factors(chain);
  std::vector<long> counts;
  for (const double shift : {-9., 0., 1.5})  // the order of elimination is that of the first
  {
    chain.shift = shift;
    factors.factor(chain);
    const Dense W = whole(chain);
    const std::vector<double> values = spectrum_of(W).first;
    counts.push_back(factors.negative_eigenvalues());
    EXPECT_EQ(counts.back(), std::count_if(values.begin(), values.end(), [](const double one) { return one < 0.; })) << shift;
    const std::size_t size = 2 * Chain::rows;
    std::vector<double> columns(size * size);
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t i = 0; i < size; ++i)
        columns[size * j + i] = W(i, j);
    const DenseFactors dense(size, columns);
    std::vector<Vector> r(3, chain.new_vector()), x = r;
    for (int k = 0; k < 3; ++k)
      for (int copy = 0; copy < 2; ++copy)
        for (int i = 0; i < Chain::rows; ++i)
          if (const auto at = chain.T(i, copy); at.size() == 1 && at[0].first == int(chain.entry(i, copy)))  // no dependent one
            r[k](at[0].first) = std::sin(1. + k + 2.3 * at[0].first);
    factors.solve_all(r, x);
    for (int k = 0; k < 3; ++k)
    {
      std::vector<double> y(r[k].begin(), r[k].end());
      dense.solve(y);
      for (int copy = 0; copy < 2; ++copy)
        for (int i = 0; i < Chain::rows; ++i)
        {
          double expected = 0;
          for (const auto &[row, factor] : chain.T(i, copy))
            expected += factor * y[row];
          EXPECT_NEAR(x[k](chain.entry(i, copy)), expected, 1e-11) << shift << " " << i << " " << copy;
        }
    }
  }
  EXPECT_EQ(counts[0], 0);
  EXPECT_LT(counts[1], counts[2]);
}
}  // namespace symdyn::tests::in_joined_factors
