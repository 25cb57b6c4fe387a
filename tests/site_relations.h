#pragma once
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "elements/space/site_relations.h"

// Random relations on any number of ranks, and what dense linear algebra makes of them.
namespace symdyn::tests::relations
{
namespace MPI = dealii::Utilities::MPI;
using Dense = std::vector<std::vector<double>>;
using Row = std::vector<double>;

inline double dot(const Row &a, const Row &b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.); }

inline double largest(const Row &x)
{
  double most = 0;
  for (const double value : x)
    most = std::max(most, std::abs(value));
  return most;
}

/// Sites in uneven parts on all ranks, with vectors and what relations need.
struct Setting
{
  explicit Setting(const int sites, const int block = 3, const unsigned int seed = 1) : block(block), sites(sites), generator(seed)
  {
    const int ranks = MPI::n_mpi_processes(MPI_COMM_WORLD), rank = MPI::this_mpi_process(MPI_COMM_WORLD);
    constexpr int few = 12;  // all on the first rank
    const auto begin_of = [&](const int r) {
      return r == ranks || (r > 0 && sites <= few) ? sites : int(sites * (r / double(ranks)) * 0.9);
    };
    begin = begin_of(rank);
    end = begin_of(rank + 1);
    P.assign(sites, Row());
  }
  std::shared_ptr<const MPI::Partitioner> partitioner(const std::set<int> &ghosts, const int n) const
  {
    dealii::IndexSet owned(n * sites), others(n * sites);
    owned.add_range(n * begin, n * end);
    for (const int ghost : ghosts)
      others.add_range(n * ghost, n * (ghost + 1));
    return std::make_shared<MPI::Partitioner>(owned, others, MPI_COMM_WORLD);
  }
  SiteRelations make() const
  {
    return SiteRelations(
        relations, block, partitioner({}, 1), [this](const int site) { return P[begin + site].empty() ? nullptr : P[begin + site].data(); },
        massless);
  }
  int size() const { return block * sites; }
  double random() { return std::uniform_real_distribution<double>(-1., 1.)(generator); }
  int random_site() { return int(generator() % sites); }
  Row random_row()
  {
    Row x(size());
    for (double &value : x)
      value = random();
    return x;
  }
  Vector vector(const Row &x) const
  {
    Vector owned(partitioner({}, block));
    for (unsigned int i = 0; i < owned.locally_owned_size(); ++i)
      owned.local_element(i) = x[block * begin + i];
    return owned;
  }
  Row all(const Vector &x) const
  {
    Row values(size(), 0.);
    for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
      values[block * begin + i] = x.local_element(i);
    MPI::sum(values, MPI_COMM_WORLD, values);
    return values;
  }
  void relate(std::vector<std::pair<std::uint64_t, double>> terms)
  {
    const std::string number = std::to_string(relations.size() + 1);
    relations.push_back({"e" + number, "deck.prm:" + number, std::move(terms)});
  }
  /// No motion along a random direction.
  void hold_along(const int site)
  {
    Row normal(block), projector(block * block);
    for (double &value : normal)
      value = random();
    const double length = std::sqrt(dot(normal, normal));
    for (int i = 0; i < block; ++i)
      for (int j = 0; j < block; ++j)
        projector[block * i + j] = double(i == j) - normal[i] * normal[j] / (length * length);
    P[site] = projector;
  }
  void hold_component(const int site, const int component)
  {
    P[site].assign(block * block, 0.);
    for (int i = 0; i < block; ++i)
      P[site][(block + 1) * i] = double(i != component);
  }
  Row projected(const Row &x) const
  {
    Row y(x);
    for (int k = 0; k < sites; ++k)
      for (int i = 0; i < block && !P[k].empty(); ++i)
        y[block * k + i] = std::inner_product(P[k].begin() + block * i, P[k].begin() + block * (i + 1), x.begin() + block * k, 0.);
    return y;
  }
  /// G, and an orthonormal basis of the rows of G P.
  Dense given() const
  {
    Dense G;
    for (const SiteRelation &relation : relations)
    {
      G.emplace_back(size(), 0.);
      for (const auto &[dof, factor] : relation.terms)
        G.back()[dof] += factor;
    }
    return G;
  }
  Dense basis() const
  {
    Dense Q;
    for (Row row : given())
    {
      const double before = largest(row);
      row = projected(row);
      for (int twice = 0; twice < 2; ++twice)
        for (const Row &q : Q)
        {
          const double share = dot(q, row);
          for (int k = 0; k < size(); ++k)
            row[k] -= share * q[k];
        }
      if (const double length = std::sqrt(dot(row, row)); length > 1e-9 * before)
      {
        for (double &value : row)
          value /= length;
        Q.push_back(row);
      }
    }
    return Q;
  }

  int block, sites, begin, end;
  std::mt19937 generator;
  std::vector<Row> P;
  std::vector<SiteRelation> relations;
  std::vector<SiteRelations::Massless> massless;
};

/// Random relations of single components, chains of whole sites, redundancies, supports along axes and inclined ones.
inline Setting mixed(const int sites, const int block, const unsigned int seed)
{
  Setting s(sites, block, seed);
  for (int k = 0; k < sites; k += 4)
    k % 8 == 0 ? s.hold_along(k) : s.hold_component(k, k % block);
  for (int i = 0; i < sites / 2; ++i)  // single components
  {
    std::vector<std::pair<std::uint64_t, double>> terms;
    for (int k = 0; k < 2 + i % 3; ++k)
      terms.emplace_back(block * s.random_site() + s.generator() % block, s.random());
    s.relate(terms);
  }
  for (int i = 0; i + 1 < sites / 4; ++i)  // site 2 i + 1 as 2 i + 3: chains
    for (int d = 0; d < block; ++d)
      s.relate({{block * (2 * i + 1) + d, 1.}, {block * (2 * i + 3) + d, -1.}});
  for (int i = 0; i < 4; ++i)  // sums of others
  {
    std::vector<std::pair<std::uint64_t, double>> sum;
    for (int k = 0; k < 3; ++k)
    {
      const double weight = s.random();
      for (const auto &[dof, factor] : s.relations[s.generator() % s.relations.size()].terms)
        sum.emplace_back(dof, weight * factor);
    }
    s.relate(sum);
  }
  for (int d = 0; d < block; ++d)  // held by the support along one axis
    s.relate({{block * 4 + d, 2.}});
  std::shuffle(s.relations.begin(), s.relations.end(), s.generator);
  return s;
}

inline double distance(const Row &a, const Row &b)
{
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

inline std::set<int> dependent_dofs(const SiteRelations &relations)
{
  const SiteSubstitution &s = relations.substitution();
  std::set<int> dofs;
  for (const int k : s.dependent)
    dofs.insert(s.block * s.site(k) + k % s.block);
  return dofs;
}
}  // namespace symdyn::tests::relations
