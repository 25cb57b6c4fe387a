#include "elements/space/site_relations.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;
namespace
{
/// Each column once, without sums that are rounding.
SparseRow merged(SparseRow terms, const double rounding)
{
  SparseRow sums;
  std::sort(terms.begin(), terms.end());
  for (const auto &[column, value] : terms)
    if (!sums.empty() && sums.back().first == column)
      sums.back().second += value;
    else
      sums.emplace_back(column, value);
  const auto is_rounding = [&](const auto &entry) { return std::abs(entry.second) <= rounding; };
  sums.erase(std::remove_if(sums.begin(), sums.end(), is_rounding), sums.end());
  return sums;
}
}  // namespace

SiteRelations::SiteRelations(std::vector<SiteRelation> relations, const int block, std::shared_ptr<const MPI::Partitioner> sites,
                             const Projector &projector, const std::vector<Massless> &moved)
    : relations(std::move(relations)),
      massless(moved),
      partitioner(std::move(sites)),
      parallel(MPI::n_mpi_processes(partitioner->get_mpi_communicator()) > 1)
{
  substituted.block = block;
  number_sites();
  list_given();
  RelationRows rows = hold_by_supports(projector);
  for (const Massless &one : massless)
    rows.required.push_back(coordinate(one.dof));
  const EliminatedRelations eliminated = eliminate(std::move(rows));
  if (!eliminated.unmoved.empty())
  {
    const int unmoved = eliminated.unmoved.front();
    const auto of = std::find_if(massless.begin(), massless.end(), [&](const Massless &one) { return coordinate(one.dof) == unmoved; });
    const std::string &point = of->point;
    const char axis = "xyz"[unmoved % block];
    throw InputError(fmt::format(
        "[Points/{}]: the point has no mass, and no equation says how it moves along {}. Give it an equation (section Equations: for rest, Displacements = "
        "{}.{}, Factors = 1), or a Mass",
        point, axis, point, axis));
  }
  substitute(eliminated);
}

void SiteRelations::number_sites()
{
  std::vector<std::uint64_t> &all = substituted.sites;
  for (const SiteRelation &relation : relations)
    for (const auto &term : relation.terms)
      if (const std::uint64_t site = term.first / substituted.block; all.empty() || all.back() != site)
        all.push_back(site);
  for (const Massless &one : massless)
    all.push_back(one.dof / substituted.block);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  Assert(all.empty() || all.back() < partitioner->size(), dealii::ExcMessage("a relation of a site that does not exist"));
  for (const std::uint64_t site : all)
    at.push_back(partitioner->in_local_range(site) ? int(site - partitioner->local_range().first) : -1);
}

int SiteRelations::coordinate(const std::uint64_t dof) const
{
  const std::vector<std::uint64_t> &all = substituted.sites;
  const int n = substituted.block;
  return n * (std::lower_bound(all.begin(), all.end(), dof / n) - all.begin()) + dof % n;
}

void SiteRelations::list_given()
{
  for (const SiteRelation &relation : relations)
  {
    for (const auto &[dof, factor] : relation.terms)
    {
      given.column.push_back(coordinate(dof));
      given.value.push_back(factor);
    }
    given.start.push_back(given.column.size());
  }
}

/// G P, block by block.
RelationRows SiteRelations::hold_by_supports(const Projector &projector) const
{
  constexpr double rounding = 1e-14;
  const int n = substituted.block;
  std::vector<double> P(n * n * at.size(), 0.);
  for (std::size_t k = 0; k < at.size(); ++k)
    if (at[k] >= 0)
    {
      const double *held = projector(at[k]);
      for (int i = 0; i < n * n; ++i)
        P[n * n * k + i] = held ? held[i] : double(i % (n + 1) == 0);
    }
  if (parallel)
    MPI::sum(dealii::ArrayView<const double>(P.data(), P.size()), partitioner->get_mpi_communicator(),
             dealii::ArrayView<double>(P.data(), P.size()));  // one rank owns each
  RelationRows all;
  all.columns = n * at.size();
  for (std::size_t i = 0; i < given.rows(); ++i)
  {
    SparseRow left;
    double size = 0;  // before supports hold a part of it: the rest may be rounding
    for (std::size_t p = given.start[i]; p < given.start[i + 1]; ++p)
    {
      const int site = given.column[p] / n;
      size = std::max(size, std::abs(given.value[p]));
      for (int d = 0; d < n; ++d)
        if (const double share = P[n * n * site + n * (given.column[p] % n) + d]; std::abs(share) > rounding)
          left.emplace_back(n * site + d, given.value[p] * share);
    }
    all.preferred.push_back(left.empty() ? -1 : left.front().first);
    all.rows.push_back(merged(std::move(left), rounding * size));
    all.size.push_back(size > 0. ? size : 1.);
  }
  return all;
}

void SiteRelations::substitute(const EliminatedRelations &eliminated)
{
  SiteSubstitution &s = substituted;
  s.dependent = eliminated.pivot;
  s.row_of.assign(s.block * at.size(), -1);
  for (std::size_t e = 0; e < s.dependent.size(); ++e)
    s.row_of[s.dependent[e]] = e;
  s.W = eliminated.resolved(s.row_of.size());
  s.masters = s.W.column;
  std::sort(s.masters.begin(), s.masters.end());
  s.masters.erase(std::unique(s.masters.begin(), s.masters.end()), s.masters.end());
  std::vector<int> number(s.row_of.size(), -1);
  for (std::size_t m = 0; m < s.masters.size(); ++m)
    number[s.masters[m]] = m;
  for (int &column : s.W.column)
    column = number[column];
  for (const SparseRow &row : eliminated.combination)
    combination.append(row);
  for (const SparseRow &row : eliminated.left_over)
    left_over.append(row);
  for (std::size_t e = 0; e < s.dependent.size(); ++e)
  {
    SparseRow others;
    for (const auto &[column, factor] : eliminated.rows[e])
      if (column != s.dependent[e] && s.row_of[column] >= 0)
        others.emplace_back(s.row_of[column], factor);
    among_dependent.append(others);
  }
  normal = std::make_unique<NormalSolve>(s.W, s.masters.size());
}

int SiteRelations::owned_entry(const int coordinate) const
{
  const int site = at[coordinate / substituted.block];
  return site < 0 ? -1 : substituted.block * site + coordinate % substituted.block;
}

std::vector<double> SiteRelations::gather(const Vector &x, const std::vector<int> &coordinates) const
{
  std::vector<double> w(coordinates.size(), 0.);
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    if (const int entry = owned_entry(coordinates[k]); entry >= 0)
      w[k] = x.local_element(entry);
  if (parallel)
    MPI::sum(dealii::ArrayView<const double>(w.data(), w.size()), partitioner->get_mpi_communicator(),
             dealii::ArrayView<double>(w.data(), w.size()));  // one rank owns each
  return w;
}

std::vector<double> SiteRelations::gather(const Vector &x) const
{
  std::vector<int> all(substituted.row_of.size());
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k] = k;
  return gather(x, all);
}

std::size_t SiteRelations::owned_dependent() const
{
  return std::count_if(substituted.dependent.begin(), substituted.dependent.end(), [this](const int k) { return owned_entry(k) >= 0; });
}

void SiteRelations::expand(Vector &x) const
{
  const std::vector<double> of_masters = gather(x, substituted.masters);
  for (std::size_t e = 0; e < dependent(); ++e)
    if (const int entry = owned_entry(substituted.dependent[e]); entry >= 0)
      x.local_element(entry) = substituted.W.times(e, of_masters);
}

void SiteRelations::reduce(Vector &r) const
{
  reduce(r, [](const double weight) { return weight; });
}

void SiteRelations::reduce_diagonal(Vector &D) const
{
  reduce(D, [](const double weight) { return weight * weight; });
}

void SiteRelations::reduce(Vector &r, double (*const of_weight)(double weight)) const
{
  const SparseRows &W = substituted.W;
  const std::vector<double> of_dependent = gather(r, substituted.dependent);
  std::vector<double> share(substituted.masters.size(), 0.);
  for (std::size_t e = 0; e < dependent(); ++e)
    for (std::size_t p = W.start[e]; p < W.start[e + 1]; ++p)
      share[W.column[p]] += of_weight(W.value[p]) * of_dependent[e];
  for (const int k : substituted.dependent)
    if (const int entry = owned_entry(k); entry >= 0)
      r.local_element(entry) = 0.;
  for (std::size_t m = 0; m < share.size(); ++m)
    if (const int entry = owned_entry(substituted.masters[m]); entry >= 0)
      r.local_element(entry) += share[m];
}

/// Of masters y = (1 + WᵀW)⁻¹ Wᵀ defect, of dependent ones W y - defect: both together obey, however exact y is.
void SiteRelations::correct(const std::vector<double> &defect, Vector &x, const double rounding) const
{
  const SparseRows &W = substituted.W;
  std::vector<double> g(substituted.masters.size(), 0.), y;
  for (std::size_t e = 0; e < dependent(); ++e)
    for (std::size_t p = W.start[e]; p < W.start[e + 1]; ++p)
      g[W.column[p]] += W.value[p] * defect[e];
  normal->solve(g, y, rounding);
  for (std::size_t m = 0; m < y.size(); ++m)
    if (const int entry = owned_entry(substituted.masters[m]); entry >= 0)
      x.local_element(entry) += y[m];
  for (std::size_t e = 0; e < dependent(); ++e)
    if (const int entry = owned_entry(substituted.dependent[e]); entry >= 0)
      x.local_element(entry) += W.times(e, y) - defect[e];
}

void SiteRelations::project(Vector &x) const
{
  std::vector<double> defect = gather(x, substituted.dependent);
  const std::vector<double> of_masters = gather(x, substituted.masters);
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double square = std::inner_product(of_masters.begin(), of_masters.end(), of_masters.begin(), 0.);
  for (std::size_t e = 0; e < dependent(); ++e)
  {
    square += defect[e] * defect[e];
    defect[e] -= substituted.W.times(e, of_masters);
  }
  correct(defect, x, 0.1 * epsilon * std::sqrt(square));
}

/// Relations miss b - G q: the same of the rows of R, and from the last to the first of dependent - W masters.
std::vector<double> SiteRelations::defect_of(const std::vector<double> &missing) const
{
  std::vector<double> defect(dependent());
  for (std::size_t e = dependent(); e-- > 0;)
    defect[e] = -combination.times(e, missing) - among_dependent.times(e, defect);
  return defect;
}

void SiteRelations::impose(const Sums &b, Vector &q, Vector &v, Vector &a) const
{
  Vector *const motion[] = {&q, &v, &a};
  for (int order = 0; order < 3; ++order)
  {
    const std::vector<double> w = gather(*motion[order]);
    std::vector<double> missing(given.rows());
    double size = 0;
    for (std::size_t i = 0; i < given.rows(); ++i)
    {
      missing[i] = b[order][i] - given.times(i, w);
      size = std::max(size, std::abs(b[order][i]));
      for (std::size_t p = given.start[i]; p < given.start[i + 1]; ++p)
        size = std::max(size, std::abs(given.value[p] * w[given.column[p]]));
    }
    if (order == 0)
      require_consistent(missing, size);
    correct(defect_of(missing), *motion[order]);
    motion[order]->zero_out_ghost_values();
  }
}

/// What supports and other relations hold already must agree with them.
void SiteRelations::require_consistent(const std::vector<double> &missing, const double size) const
{
  constexpr double tolerance = 1e-8;
  for (std::size_t k = 0; k < left_over.rows(); ++k)
  {
    std::size_t largest = left_over.start[k];
    for (std::size_t p = left_over.start[k]; p < left_over.start[k + 1]; ++p)
      if (std::abs(left_over.value[p]) > std::abs(left_over.value[largest]))
        largest = p;
    const SiteRelation &relation = relations[left_over.column[largest]];
    const double off = std::abs(left_over.times(k, missing));
    if (off > tolerance * std::abs(left_over.value[largest]) * size)
      throw InputError(fmt::format(
          "{}: equation '{}' contradicts supports or other equations, which move all of its displacements: it misses {:.3g} m. Remove it, or let one of "
          "them go free",
          relation.where, relation.name, off));
  }
}

/// Rows R = C G of which R P has unit pivots: mu of (R P)ᵀ mu = P R at dependent components, from the first to the last; lambda = Cᵀ mu.
std::vector<double> SiteRelations::multipliers(const Vector &R) const
{
  std::vector<double> mu = gather(R, substituted.dependent), lambda(given.rows(), 0.);
  for (std::size_t e = 0; e < dependent(); ++e)
  {
    for (std::size_t p = among_dependent.start[e]; p < among_dependent.start[e + 1]; ++p)
      mu[among_dependent.column[p]] -= among_dependent.value[p] * mu[e];
    for (std::size_t p = combination.start[e]; p < combination.start[e + 1]; ++p)
      lambda[combination.column[p]] += combination.value[p] * mu[e];
  }
  return lambda;
}

void SiteRelations::subtract_forces(const std::vector<double> &lambda, Vector &R) const
{
  for (std::size_t i = 0; i < given.rows(); ++i)
    for (std::size_t p = given.start[i]; p < given.start[i + 1]; ++p)
      if (const int entry = owned_entry(given.column[p]); entry >= 0)
        R.local_element(entry) -= given.value[p] * lambda[i];
}

SiteRelations::DiagonalSolve::DiagonalSolve(const SiteRelations &relations, Vector diagonal)
    : relations(relations), diagonal(std::move(diagonal))
{
  const SiteSubstitution &s = relations.substituted;
  const std::vector<double> of_dependent = relations.gather(this->diagonal, s.dependent);
  const std::vector<double> of_masters = relations.gather(this->diagonal, s.masters);
  root = of_masters;
  for (std::size_t e = 0; e < s.W.rows(); ++e)  // what has nothing of its own is measured by what hangs on it
    for (std::size_t p = s.W.start[e]; p < s.W.start[e + 1]; ++p)
      if (const int m = s.W.column[p]; !(of_masters[m] > 0.))
        root[m] += of_dependent[e] * s.W.value[p] * s.W.value[p];
  std::vector<char> bare(root.size(), 0);
  for (std::size_t m = 0; m < root.size(); ++m)
  {
    bare[m] = root[m] > 0. && !(of_masters[m] > 0.);
    root[m] = root[m] > 0. ? 1. / std::sqrt(root[m]) : 0.;
  }
  SparseRows weighted = s.W;
  for (std::size_t e = 0; e < weighted.rows(); ++e)
    for (std::size_t p = weighted.start[e]; p < weighted.start[e + 1]; ++p)
      weighted.value[p] *= std::sqrt(of_dependent[e]) * root[weighted.column[p]];
  normal = std::make_unique<NormalSolve>(std::move(weighted), s.masters.size(), std::move(bare));
}

void SiteRelations::DiagonalSolve::solve(const Vector &r, Vector &x) const
{
  x.copy_locally_owned_data_from(r);
  relations.reduce(x);
  const std::vector<int> &masters = relations.substituted.masters;
  std::vector<double> g = relations.gather(x, masters), y;
  for (std::size_t m = 0; m < g.size(); ++m)
    g[m] *= root[m];
  normal->solve(g, y);
  for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
    x.local_element(i) = diagonal.local_element(i) > 0. ? x.local_element(i) / diagonal.local_element(i) : 0.;
  for (std::size_t m = 0; m < y.size(); ++m)
    if (const int entry = relations.owned_entry(masters[m]); entry >= 0)
      x.local_element(entry) = root[m] * y[m];
  relations.expand(x);
}
}  // namespace symdyn
