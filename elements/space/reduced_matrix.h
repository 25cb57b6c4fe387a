#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "elements/space/site_relations.h"
#include "solver/block_matrix.h"

namespace symdyn
{
/// Tᵀ A T of a matrix A of blocks, with rows complete on their ranks: entries of dependent rows and columns stand at their masters,
/// wherever these are. Dependent rows have the mean |diagonal| of A on their diagonal and nothing else. Owned ranges are those of A; there
/// are more ghost columns. With supports: A is P A P + s (1 - P), and relations of G P reduce it as it is.
class ReducedMatrix
{
public:
  /// `of_A` must outlive this. Collective.
  ReducedMatrix(const SiteRelations &relations, const BlockPattern &of_A);
  const BlockPattern &pattern() const { return reduced; }
  /// With the ghost entries that products with the matrix take.
  Vector new_vector() const { return Vector(dofs); }
  /// `to`: of pattern(); its values are replaced. Collective.
  void fill(const BlockMatrix &A, const BlockMatrix &to) const;

private:
  using Site = std::uint64_t;
  using Columns = std::vector<Site>;  ///< of a block row, ascending
  /// A component of T u: part of it from a target of its site.
  struct Term
  {
    int target, component;
    double weight;
  };
  /// A row of another rank: where its blocks stand in a message.
  struct RemoteRow
  {
    std::size_t message, start;
    Columns columns;
  };
  using Messages = std::vector<std::vector<double>>;

  void find_dependent_sites(const SiteSubstitution &substitution);
  void find_columns();
  void exchange_rows();
  void make_pattern();
  void find_slots();
  void find_received();
  Columns row_columns(int row) const;
  int position(int row, Site column) const;
  bool owns(const Site site) const { return site >= first && site - first < Site(of_A.rows()); }
  template <class Visit>
  void for_targets(const int site, const Visit &visit) const
  {
    if (dependent_site[site] < 0)
      visit(number[site]);
    else
      for (const Site target : targets[dependent_site[site]])
        visit(target);
  }
  void copy_row(const BlockMatrix &A, int row, const BlockMatrix &to) const;
  void multiply_columns(const BlockMatrix &A, int row, std::vector<double> &product) const;
  void add_to_rows(int row, const std::vector<double> &product, const BlockMatrix &to, Messages &messages) const;
  void receive(const Messages &messages, const BlockMatrix &to) const;
  void fill_dependent_diagonal(const BlockMatrix &A, const BlockMatrix &to) const;

  const BlockPattern &of_A;
  MPI_Comm communicator;
  int n;
  Site first;  ///< owned
  BlockPattern reduced;
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> dofs;
  Columns ghosts;  ///< of `reduced`

  // Of owned and ghost sites of A.
  std::vector<Site> number;
  std::vector<int> dependent_site;                   ///< place in the next two, -1: no component is dependent
  std::vector<Columns> targets;                      ///< sites to which the blocks of a dependent site go
  std::vector<std::vector<Term>> terms;              ///< [n * place + component]
  std::vector<std::pair<int, int>> owned_dependent;  ///< (row, component)

  // Of owned rows.
  std::vector<int> product_row;   ///< place in products, -1: the row is copied
  std::vector<Columns> products;  ///< columns of A T
  /// Of products, for each target and column: the position there, or the number of the block in a message.
  std::vector<std::vector<int>> slots;
  std::map<Site, Columns> added;     ///< further columns of owned rows; only while the pattern is made
  std::map<Site, RemoteRow> remote;  ///< rows of other ranks that get blocks from this one
  std::vector<unsigned int> ranks;   ///< of messages
  std::vector<std::size_t> message_size;
  std::map<unsigned int, std::vector<Site>> announced;  ///< (row, number of columns, columns) by rank; while the pattern is made
  std::map<unsigned int, std::vector<std::pair<int, int>>> received;  ///< (row, position) of each block, by rank
  bool exchanges = false;                                             ///< any rank sends
};
}  // namespace symdyn
