#include "elements/system/director_operator.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr int n = 3;  // directors are of space

/// sum += Lᵀ B R, all by rows.
void add_congruent(const std::array<double, 9> &L, const BlockMatrix::Block &B, const std::array<double, 9> &R,
                   const BlockMatrix::Block &sum)
{
  double BR[9];
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < n; ++c)
      BR[n * i + c] = B(i, 0) * R[c] + B(i, 1) * R[n + c] + B(i, 2) * R[2 * n + c];
  for (int a = 0; a < n; ++a)
    for (int c = 0; c < n; ++c)
      sum(a, c) += L[a] * BR[c] + L[n + a] * BR[n + c] + L[2 * n + a] * BR[2 * n + c];
}
}  // namespace

DirectorOperator::DirectorOperator(const LinearOperator &full, const DirectorFrames &frames) : full(full), frames(frames)
{
  find_leaders();
  make_pattern();
}

/// A rank that knows a director may have to know its leader, too.
void DirectorOperator::find_leaders()
{
  const Sites &sites = *full.nodes();
  const unsigned int owned = sites.locally_owned_size(), known = owned + sites.n_ghost_indices();
  dealii::IndexSet ghosts(sites.size());
  std::vector<DirectorFrames::Site> global;
  for (unsigned int site = 0; site < known; ++site)
  {
    const DirectorFrames::Site number = sites.local_to_global(site);
    turns.push_back(frames.turns(number));
    global.push_back(frames.leader(number));
    if (!sites.in_local_range(global.back()))
      ghosts.add_index(global.back());
  }
  const auto of_unknowns = std::make_shared<const Sites>(sites.locally_owned_range(), ghosts, sites.get_mpi_communicator());
  for (const DirectorFrames::Site number : global)
    leader.push_back(int(of_unknowns->global_to_local(number)));
  reduced.nodes = of_unknowns;
  dofs = expanded(*of_unknowns, n);
}

void DirectorOperator::make_pattern()
{
  const BlockPattern &of_A = full.pattern();
  std::vector<std::vector<int>> columns(of_A.rows());
  const auto for_columns = [&](const int row, const auto &visit) {  // as BlockMatrix::for_row
    for (int p = of_A.own_start[row]; p < of_A.own_start[row + 1]; ++p)
      visit(leader[of_A.own_column[p]]);
    for (int p = of_A.ghost_start[row]; p < of_A.ghost_start[row + 1]; ++p)
      visit(leader[of_A.ghost_column[p]]);
  };
  for (int row = 0; row < of_A.rows(); ++row)
    for_columns(row, [&](const int column) { columns[leader[row]].push_back(column); });
  reduced = BlockPattern::of_columns(n, reduced.nodes, std::move(columns));
  for (int row = 0; row < of_A.rows(); ++row)
    for_columns(row, [&](const int column) { slots.push_back(reduced.position(leader[row], column)); });
}

void DirectorOperator::set(const LinearTerm &term)
{
  changed();
  force = *term.across;
  k = term.across_at ? 0. : term.from ? 0.5 * term.weights.k : term.weights.k;
  rows_at_q = !term.across_at && !term.from;
  at = term.across_at ? *term.across_at : *term.q;
  if (term.from && !term.across_at)
    at.sadd(0.5, 0.5, *term.from);
  const auto find = [this](const Vector &place, DirectorFrames::Columns &columns) {
    for (Vector &column : columns)
      column = full.new_vector();
    frames.tangents(place, columns);
    for (Vector &column : columns)
      column.update_ghost_values();
  };
  find(*term.q, N);
  if (rows_at_q)
    return;
  find(at, L);
  frames.align(N, L);
}

std::array<double, 9> DirectorOperator::basis(const DirectorFrames::Columns &columns, const int site) const
{
  std::array<double, 9> values{1., 0., 0., 0., 1., 0., 0., 0., 1.};
  for (int d = 0; d < n && turns[site]; ++d)
    for (int c = 0; c < n; ++c)
      values[n * d + c] = columns[c].local_element(n * site + d);
  return values;
}

void DirectorOperator::reduce(const Vector &r, Vector &y) const
{
  y = 0.;
  for (int site = 0; site < reduced.rows(); ++site)
  {
    const std::array<double, 9> B = basis(rows(), site);
    for (int c = 0; c < n; ++c)
      for (int d = 0; d < n; ++d)
        y.local_element(n * leader[site] + c) += B[n * d + c] * r.local_element(n * site + d);
  }
}

void DirectorOperator::expand(const Vector &y, Vector &x) const
{
  for (int site = 0; site < reduced.rows(); ++site)
  {
    const std::array<double, 9> B = basis(N, site);
    for (int d = 0; d < n; ++d)
    {
      double sum = 0;
      for (int c = 0; c < n; ++c)
        sum += B[n * d + c] * y.local_element(n * leader[site] + c);
      x.local_element(n * site + d) = sum;
    }
  }
}

void DirectorOperator::finish_product(const Vector &x, Vector &y) const
{
  if (k != 0.)
  {
    Vector bent = y;
    bent = 0.;
    frames.subtract_curvature(at, force, x, bent);
    y.add(k, bent);
  }
  frames.subtract_forces(at, y);
}

std::vector<Vector> DirectorOperator::rigid_modes() const
{
  std::vector<Vector> modes;
  for (const Vector &mode : full.rigid_modes())
  {
    modes.push_back(new_vector());
    reduce(mode, modes.back());
  }
  return modes;
}

void DirectorOperator::assemble(const BlockMatrix &A) const
{
  OwnedBlockMatrix whole;  // not kept: it is larger than A
  whole.allocate(full.pattern());
  full.assemble(whole);
  std::fill_n(A.own, n * n * reduced.own_column.size(), 0.);
  std::fill_n(A.ghost, n * n * reduced.ghost_column.size(), 0.);
  std::size_t slot = 0;
  for (int row = 0; row < reduced.rows(); ++row)
  {
    const std::array<double, 9> left = basis(rows(), row);
    whole.for_row(row, [&](const int column, int, const BlockMatrix::Block &B) {
      add_congruent(left, B, basis(N, column), A.at(leader[row], slots[slot++]));
    });
  }
  if (k != 0.)
    add_curvature(A);
  hold(A);
}

void DirectorOperator::add_curvature(const BlockMatrix &A) const
{
  frames.visit_curvature(at, force, rows(), N, [&](const std::vector<int> &sites, const std::array<double, 9> &B) {
    const int first = sites.front();
    const BlockMatrix::Block sum = A.at(first, reduced.position(first, first));
    for (int a = 0; a < n; ++a)
      for (int c = 0; c < n; ++c)
        sum(a, c) -= k * B[n * a + c];
  });
}

void DirectorOperator::hold(const BlockMatrix &A) const
{
  std::vector<double> used(n * reduced.rows(), 0.);
  double sum = 0;
  for (int site = 0; site < reduced.rows(); ++site)
  {
    const std::array<double, 9> B = basis(N, site);
    for (int c = 0; c < n; ++c)
      for (int d = 0; d < n; ++d)
        used[n * leader[site] + c] += B[n * d + c] * B[n * d + c];
    const BlockMatrix::Block own = A.at(site, reduced.position(site, site));
    for (int c = 0; c < n; ++c)
      sum += std::abs(own(c, c));
  }
  sum = MPI::sum(sum, full.nodes()->get_mpi_communicator());
  const double mean = sum > 0. ? sum / (double(n) * full.nodes()->size()) : 1.;
  for (int i = 0; i < n * reduced.rows(); ++i)
    if (used[i] < 0.5)
      A.at(i / n, reduced.position(i / n, i / n))(i % n, i % n) = mean;
}

/// Supports act within N at directors.
void DirectorOperator::project(Vector &x) const
{
  const Vector given = x;
  full.project(x);
  for (int site = 0; site < reduced.rows(); ++site)
    for (int d = 0; d < n && turns[site]; ++d)
      x.local_element(n * site + d) = given.local_element(n * site + d);
}
}  // namespace symdyn
