#include "elements/space/reduced_matrix.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;
namespace
{
template <class Number>
void sort_once(std::vector<Number> &values)
{
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

template <class Number>
int place_of(const std::vector<Number> &sorted, const Number value)
{
  return std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
}
}  // namespace

ReducedMatrix::ReducedMatrix(const SiteRelations &relations, const BlockPattern &of_A)
    : of_A(of_A),
      communicator(of_A.nodes->get_mpi_communicator()),
      n(of_A.block),
      first(of_A.nodes->local_range().first),
      product_row(of_A.rows(), -1)
{
  const int known = of_A.rows() + of_A.nodes->n_ghost_indices();
  for (int site = 0; site < known; ++site)
    number.push_back(of_A.nodes->local_to_global(site));
  dependent_site.assign(known, -1);
  find_dependent_sites(relations.substitution());
  find_columns();
  exchange_rows();
  make_pattern();
  find_slots();
  find_received();
  added.clear();
  announced.clear();
}

void ReducedMatrix::find_dependent_sites(const SiteSubstitution &s)
{
  for (std::size_t k = 0; k < s.sites.size(); ++k)
  {
    const bool known = of_A.nodes->in_local_range(s.sites[k]) || of_A.nodes->is_ghost_entry(s.sites[k]);
    if (!known || std::all_of(s.row_of.begin() + n * k, s.row_of.begin() + n * (k + 1), [](const int row) { return row < 0; }))
      continue;
    const int site = of_A.nodes->global_to_local(s.sites[k]);
    dependent_site[site] = targets.size();
    const auto for_terms = [&](const int d, const auto &visit) {
      const int row = s.row_of[n * k + d];
      if (row < 0)
        visit(s.sites[k], d, 1.);
      else
        for (std::size_t p = s.W.start[row]; p < s.W.start[row + 1]; ++p)
          visit(s.site(s.masters[s.W.column[p]]), s.masters[s.W.column[p]] % n, s.W.value[p]);
    };
    Columns sites;
    for (int d = 0; d < n; ++d)
      for_terms(d, [&](const Site of_term, int, double) { sites.push_back(of_term); });
    sort_once(sites);
    for (int d = 0; d < n; ++d)
    {
      terms.emplace_back();
      for_terms(d, [&](const Site of_term, const int component, const double weight) {
        terms.back().push_back({place_of(sites, of_term), component, weight});
      });
      if (s.row_of[n * k + d] >= 0 && site < of_A.rows())
        owned_dependent.emplace_back(site, d);
    }
    targets.push_back(std::move(sites));
  }
}

/// Of A T, and whereto Tᵀ takes them.
void ReducedMatrix::find_columns()
{
  std::map<Site, Columns> outgoing;
  for (int row = 0; row < of_A.rows(); ++row)
  {
    bool copied = dependent_site[row] < 0;
    const auto for_columns = [&](const auto &visit) {
      for (int p = of_A.own_start[row]; p < of_A.own_start[row + 1]; ++p)
        visit(of_A.own_column[p]);
      for (int p = of_A.ghost_start[row]; p < of_A.ghost_start[row + 1]; ++p)
        visit(of_A.ghost_column[p]);
    };
    for_columns([&](const int column) { copied = copied && dependent_site[column] < 0; });
    if (copied)
      continue;
    Columns columns;
    for_columns([&](const int column) { for_targets(column, [&](const Site target) { columns.push_back(target); }); });
    sort_once(columns);
    for_targets(row, [&](const Site target) {
      Columns &of_target = owns(target) ? added[target] : outgoing[target];
      of_target.insert(of_target.end(), columns.begin(), columns.end());
    });
    if (dependent_site[row] >= 0)
      added[number[row]].push_back(number[row]);
    product_row[row] = products.size();
    products.push_back(std::move(columns));
  }
  for (auto &[site, columns] : outgoing)
  {
    sort_once(columns);
    remote[site] = {0, 0, std::move(columns)};
  }
}

void ReducedMatrix::exchange_rows()
{
  exchanges = MPI::max(int(!remote.empty()), communicator) > 0;
  if (!exchanges)
    return;
  std::vector<Site> end_of_ranks = MPI::all_gather(communicator, Site(of_A.rows()));
  std::partial_sum(end_of_ranks.begin(), end_of_ranks.end(), end_of_ranks.begin());
  std::map<unsigned int, std::vector<Site>> messages;
  for (auto &[site, row] : remote)  // ascending: so are their owners
  {
    const unsigned int rank = std::upper_bound(end_of_ranks.begin(), end_of_ranks.end(), site) - end_of_ranks.begin();
    if (ranks.empty() || ranks.back() != rank)
    {
      ranks.push_back(rank);
      message_size.push_back(0);
    }
    row.message = ranks.size() - 1;
    row.start = message_size.back();
    message_size.back() += n * n * row.columns.size();
    std::vector<Site> &message = messages[rank];
    message.push_back(site);
    message.push_back(row.columns.size());
    message.insert(message.end(), row.columns.begin(), row.columns.end());
  }
  announced = MPI::some_to_some(communicator, messages);
  for (const auto &from : announced)
    for (std::size_t p = 0; p < from.second.size(); p += 2 + from.second[p + 1])
    {
      const auto columns = from.second.begin() + p + 2;
      Columns &row = added[from.second[p]];
      row.insert(row.end(), columns, columns + from.second[p + 1]);
    }
}

/// What further rows give to a row that is copied joins its own columns.
ReducedMatrix::Columns ReducedMatrix::row_columns(const int row) const
{
  Columns columns = added.at(number[row]);
  if (product_row[row] < 0)
  {
    for (int p = of_A.own_start[row]; p < of_A.own_start[row + 1]; ++p)
      columns.push_back(number[of_A.own_column[p]]);
    for (int p = of_A.ghost_start[row]; p < of_A.ghost_start[row + 1]; ++p)
      columns.push_back(number[of_A.ghost_column[p]]);
  }
  sort_once(columns);
  return columns;
}

void ReducedMatrix::make_pattern()
{
  ghosts.assign(number.begin() + of_A.rows(), number.end());
  for (const auto &row : added)
    for (const Site column : row.second)
      if (!owns(column))
        ghosts.push_back(column);
  sort_once(ghosts);
  const Site sites = of_A.nodes->size(), rows = of_A.rows();
  dealii::IndexSet owned_sites(sites), owned_dofs(n * sites), ghost_sites(sites), ghost_dofs(n * sites);
  owned_sites.add_range(first, first + rows);
  owned_dofs.add_range(n * first, n * (first + rows));
  ghost_sites.add_indices(ghosts.begin(), ghosts.end());
  for (const Site ghost : ghosts)
    ghost_dofs.add_range(n * ghost, n * (ghost + 1));
  reduced.block = n;
  reduced.nodes = std::make_shared<MPI::Partitioner>(owned_sites, ghost_sites, communicator);
  dofs = std::make_shared<MPI::Partitioner>(owned_dofs, ghost_dofs, communicator);
  reduced.own_start = reduced.ghost_start = {0};
  for (Site row = 0; row < rows; ++row)
  {
    const auto add = [&](const Site column) {
      if (owns(column))
        reduced.own_column.push_back(column - first);
      else
        reduced.ghost_column.push_back(rows + place_of(ghosts, column));
    };
    if (added.count(number[row]) > 0)
      for (const Site column : row_columns(row))
        add(column);
    else
    {
      for (int p = of_A.own_start[row]; p < of_A.own_start[row + 1]; ++p)
        add(number[of_A.own_column[p]]);
      for (int p = of_A.ghost_start[row]; p < of_A.ghost_start[row + 1]; ++p)
        add(number[of_A.ghost_column[p]]);
    }
    reduced.own_start.push_back(reduced.own_column.size());
    reduced.ghost_start.push_back(reduced.ghost_column.size());
  }
}

void ReducedMatrix::find_slots()
{
  slots.resize(products.size());
  for (int row = 0; row < of_A.rows(); ++row)
    if (const int product = product_row[row]; product >= 0)
      for_targets(row, [&](const Site target) {
        for (const Site column : products[product])
          if (owns(target))
            slots[product].push_back(position(target - first, column));
          else
          {
            const RemoteRow &there = remote.at(target);
            slots[product].push_back(int(there.start / (n * n)) + place_of(there.columns, column));
          }
      });
}

void ReducedMatrix::find_received()
{
  for (const auto &[rank, rows] : announced)
    for (std::size_t p = 0; p < rows.size(); p += 2 + rows[p + 1])
      for (std::size_t k = 0; k < rows[p + 1]; ++k)
        received[rank].emplace_back(rows[p] - first, position(rows[p] - first, rows[p + 2 + k]));
}

/// As BlockPattern::position, of a global column.
int ReducedMatrix::position(const int row, const Site column) const
{
  return reduced.position(row, owns(column) ? int(column - first) : of_A.rows() + place_of(ghosts, column));
}

void ReducedMatrix::fill(const BlockMatrix &A, const BlockMatrix &to) const
{
  std::fill_n(to.own, n * n * reduced.own_column.size(), 0.);
  std::fill_n(to.ghost, n * n * reduced.ghost_column.size(), 0.);
  Messages messages;
  for (const std::size_t size : message_size)
    messages.emplace_back(size, 0.);
  std::vector<double> product;
  for (int row = 0; row < of_A.rows(); ++row)
    if (product_row[row] < 0)
      copy_row(A, row, to);
    else
    {
      multiply_columns(A, row, product);
      add_to_rows(row, product, to, messages);
    }
  if (exchanges)
    receive(messages, to);
  fill_dependent_diagonal(A, to);
}

void ReducedMatrix::copy_row(const BlockMatrix &A, const int row, const BlockMatrix &to) const
{
  const auto length = [row](const std::vector<int> &start) { return start[row + 1] - start[row]; };
  const bool same = length(of_A.own_start) == length(reduced.own_start) && length(of_A.ghost_start) == length(reduced.ghost_start);
  const int own_shift = reduced.own_start[row] - of_A.own_start[row], ghost_shift = reduced.ghost_start[row] - of_A.ghost_start[row];
  A.for_row(row, [&](const int column, const int p, const BlockMatrix::Block &B) {
    const int moved = p >= 0 ? p + own_shift : ~(~p + ghost_shift);
    const auto sum = to.at(row, same ? moved : position(row, number[column]));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        sum(i, j) += B(i, j);
  });
}

/// A row of A T: [component of the row][column][component of the column].
void ReducedMatrix::multiply_columns(const BlockMatrix &A, const int row, std::vector<double> &product) const
{
  const Columns &columns = products[product_row[row]];
  const std::size_t line = n * columns.size();
  product.assign(n * line, 0.);
  std::vector<double *> sums;
  A.for_row(row, [&](const int column, int, const BlockMatrix::Block &B) {
    const auto add = [&](const int j, double *sum, const double weight) {
      for (int i = 0; i < n; ++i)
        sum[i * line] += weight * B(i, j);
    };
    sums.clear();
    for_targets(column, [&](const Site target) { sums.push_back(product.data() + n * place_of(columns, target)); });
    for (int j = 0; j < n; ++j)
      if (dependent_site[column] < 0)
        add(j, sums[0] + j, 1.);
      else
        for (const Term &term : terms[n * dependent_site[column] + j])
          add(j, sums[term.target] + term.component, term.weight);
  });
}

void ReducedMatrix::add_to_rows(const int row, const std::vector<double> &product, const BlockMatrix &to, Messages &messages) const
{
  const int number_of_columns = products[product_row[row]].size();
  const int *slot = slots[product_row[row]].data();
  int number_of_target = 0;
  std::vector<BlockMatrix::Block> blocks(number_of_columns);
  for_targets(row, [&](const Site target) {
    if (owns(target))
      for (auto &block : blocks)
        block = to.at(target - first, *slot++);
    else
    {
      double *message = messages[remote.at(target).message].data();
      for (auto &block : blocks)
        block = {message + std::size_t(n * n) * *slot++, n, 1};
    }
    const auto add = [&](const int i, const int component, const double weight) {
      const double *values = product.data() + n * number_of_columns * i;
      for (const BlockMatrix::Block &block : blocks)
        for (int j = 0; j < n; ++j)
          block(component, j) += weight * *values++;
    };
    for (int i = 0; i < n; ++i)
      if (dependent_site[row] < 0)
        add(i, i, 1.);
      else
        for (const Term &term : terms[n * dependent_site[row] + i])
          if (term.target == number_of_target)
            add(i, term.component, term.weight);
    ++number_of_target;
  });
}

void ReducedMatrix::receive(const Messages &messages, const BlockMatrix &to) const
{
  std::map<unsigned int, std::vector<double>> outgoing;
  for (std::size_t k = 0; k < ranks.size(); ++k)
    outgoing[ranks[k]] = messages[k];
  for (const auto &[rank, values] : MPI::some_to_some(communicator, outgoing))
  {
    const double *value = values.data();
    for (const auto &[row, p] : received.at(rank))
    {
      const auto sum = to.at(row, p);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          sum(i, j) += *value++;
    }
  }
}

void ReducedMatrix::fill_dependent_diagonal(const BlockMatrix &A, const BlockMatrix &to) const
{
  double sum = 0;
  for (int row = 0; row < of_A.rows(); ++row)
    for (int d = 0; d < n; ++d)
      sum += std::abs(A.at(row, of_A.position(row, row))(d, d));
  sum = MPI::sum(sum, communicator);
  const double mean = sum > 0. ? sum / (double(n) * of_A.nodes->size()) : 1.;
  for (const auto &[row, d] : owned_dependent)
    to.at(row, position(row, first + row))(d, d) = mean;
}
}  // namespace symdyn
