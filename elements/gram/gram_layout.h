#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "elements/gram/gram_vector.h"

namespace symdyn
{
/// Strains of a type of element, sums of scalar products of vectors that are linear in its nodal vectors y_a, a < vectors:
///     z_p = sum_a G_pa y_a,   e_i(y) = sum_k factor_k z_p(k)·z_q(k),   i < strains
/// Derivatives in G are those in the coordinates of the reference cell, so that all elements of a type share it; metrics stand in D.
struct GramShape
{
  struct Product
  {
    int p, q;
    double factor;
  };
  int vectors = 0;                           ///< n
  std::vector<double> G;                     ///< [p][a]
  std::vector<std::vector<Product>> strain;  ///< m of them
  int strains() const { return int(strain.size()); }
  int derived() const { return int(G.size()) / vectors; }
};

/// A symmetric block of D over some strains, by rows.
struct GramBlock
{
  std::vector<int> strains;
  std::vector<double> D;
};

/// A point of a section: strains there are those of the section of order 0, plus place_k times those of order k = 1, 2.
struct FibrePoint
{
  std::array<double, 2> place;  ///< [m]
  double weight;                ///< its part of the section [m], [m²]
};

/// A section of an element whose stresses a law gives at points (Fibres): n strains of each order. `strains` of the shape: those of order
/// 0, of order 1, ...
struct FibreSection
{
  std::vector<int> strains;
  std::vector<double> metric;  ///< n x n, by rows: strains of the shape to those along the axes of the section
  double weight;               ///< its part of the element [m²], [m]
};

/// What a family of elements says of one of them.
struct GramModel
{
  std::shared_ptr<const GramShape> shape;
  std::vector<GramBlock> blocks;  ///< of D, which share no strain
  std::vector<double> mass;       ///< [a][b], of the nodal vectors: consistent [kg], [kg m], [kg m²]; empty: only the lumped one is used
  std::vector<double> lumped;     ///< of each nodal vector
  double scale = 0;               ///< energy of a strain of 1, about: by it V rounds [J]
  /// The first blocks are those of these sections, D their stiffness at rest; none: sigma = D eps in all blocks.
  std::vector<FibreSection> sections{};
  std::shared_ptr<const std::vector<FibrePoint>> points = nullptr;  ///< of each section
};

/// How elements of one shape with the same blocks of D are computed, one (T = double) or several side by side (T = Wide): B_i(y)·u =
/// de_i/dy·u, B_i(u)_a = sum_k factor_k (G_pa z_q(u) + G_qa z_p(u)). D is packed: lower triangles of the blocks by rows, one after the
/// other. Nodal vectors are y, derived ones z, both by pointers to as many as there are.
class GramLayout
{
public:
  explicit GramLayout(const GramModel &model);
  /// Whether the elements of a model have it.
  bool fits(const GramModel &model) const;
  const std::shared_ptr<const GramShape> &shape() const { return of_shape; }

  int vectors() const { return of_shape->vectors; }
  int derived() const { return int(row_start.size()) - 1; }
  int strains() const { return int(product_start.size()) - 1; }
  int stiffnesses() const { return packed_size; }
  std::vector<double> packed(const GramModel &model) const;
  /// Whether two packed D are equal but for rounding of the largest entry of each block.
  template <class T>
  bool equal(const T *D, const T *other) const;

  /// z = G y
  template <class T>
  void derive(const Triple<T> *y, Triple<T> *z) const;
  /// f += Gᵀ of_derived
  template <class T>
  void add_transposed(const Triple<T> *of_derived, Triple<T> *f) const;
  /// e(y)
  template <class T>
  void strain(const Triple<T> *z, T *e) const;
  /// B(y)·u, with the derived vectors w of u.
  template <class T>
  void rate(const Triple<T> *z, const Triple<T> *w, T *rate) const;
  /// D eps; of blocks from the `first` on, with which D begins. Other sigma stay.
  template <class T>
  void stress(const T *D, const T *eps, T *sigma, int first = 0) const;
  /// of_derived += sum_i weight sigma_i B_i(y), before Gᵀ.
  template <class T>
  void add_force(const Triple<T> *z, const T *sigma, double weight, Triple<T> *of_derived) const;
  /// k += weight sum_ij D_ij B_i(row) ⊗ B_j(column), [a][b][d][d'].
  template <class T>
  void add_stiffness(const Triple<T> *row, const Triple<T> *column, const T *D, double weight, std::vector<T> &k) const
  {
    add_stiffness(row, column, D, D, weight, k);
  }
  /// The same of a D that is not symmetric: `above` is packed from its transpose.
  template <class T>
  void add_stiffness(const Triple<T> *row, const Triple<T> *column, const T *D, const T *above, double weight, std::vector<T> &k) const;
  /// k += weight sum_i sigma_i S_i, B_i(u)_a = S_i^ab u_b.
  template <class T>
  void add_geometric(const T *sigma, double weight, std::vector<T> &k) const;

private:
  struct Entry
  {
    int place;
    double factor;
  };
  struct BlockLayout
  {
    std::vector<int> strains;
    std::vector<int> support;  ///< vectors on which they depend
  };
  /// B_i: a part of that of the vector `a` (by its place in the support of the block): factor z_p.
  struct RateTerm
  {
    int a, p;
    double factor;
  };
  /// S_i^ab
  struct PairTerm
  {
    int a, b;
    double factor;
  };
  void find_rates();
  void find_pairs();

  std::shared_ptr<const GramShape> of_shape;
  std::vector<Entry> entries;  ///< of G, by rows
  std::vector<int> row_start;
  std::vector<GramShape::Product> products;
  std::vector<int> product_start;
  std::vector<BlockLayout> blocks;
  std::vector<std::vector<RateTerm>> rates;  ///< of each strain
  std::vector<std::vector<PairTerm>> pairs;
  int packed_size = 0, largest_block = 0;  ///< largest_block: entries of B
};

template <class T>
bool GramLayout::equal(const T *D, const T *other) const
{
  constexpr double rounding = 1e-12;  // of differences of places, far from the origin, too
  const int lanes_of = int(sizeof(T) / sizeof(double));
  for (const BlockLayout &block : blocks)
  {
    const std::size_t entries_of_block = block.strains.size() * (block.strains.size() + 1) / 2;
    const double *one = reinterpret_cast<const double *>(D), *two = reinterpret_cast<const double *>(other);
    for (int lane = 0; lane < lanes_of; ++lane)
    {
      double largest = 0, difference = 0;
      for (std::size_t i = lane; i < entries_of_block * lanes_of; i += lanes_of)
      {
        largest = std::max(largest, std::abs(one[i]));
        difference = std::max(difference, std::abs(one[i] - two[i]));
      }
      if (!(difference <= rounding * largest))
        return false;
    }
    D += entries_of_block;
    other += entries_of_block;
  }
  return true;
}

template <class T>
void GramLayout::derive(const Triple<T> *y, Triple<T> *z) const
{
  for (int p = 0; p < derived(); ++p)
  {
    Triple<T> sum{T(0.), T(0.), T(0.)};
    for (int k = row_start[p]; k < row_start[p + 1]; ++k)
      for (int d = 0; d < 3; ++d)
        sum[d] += entries[k].factor * y[entries[k].place][d];
    z[p] = sum;
  }
}

template <class T>
void GramLayout::add_transposed(const Triple<T> *of_derived, Triple<T> *f) const
{
  for (int p = 0; p < derived(); ++p)
    for (int k = row_start[p]; k < row_start[p + 1]; ++k)
      for (int d = 0; d < 3; ++d)
        f[entries[k].place][d] += entries[k].factor * of_derived[p][d];
}

template <class T>
void GramLayout::strain(const Triple<T> *z, T *e) const
{
  for (int i = 0; i < strains(); ++i)
  {
    T sum = 0.;
    for (int k = product_start[i]; k < product_start[i + 1]; ++k)
      sum += products[k].factor * dot(z[products[k].p], z[products[k].q]);
    e[i] = sum;
  }
}

template <class T>
void GramLayout::rate(const Triple<T> *z, const Triple<T> *w, T *rate) const
{
  for (int i = 0; i < strains(); ++i)
  {
    T sum = 0.;
    for (int k = product_start[i]; k < product_start[i + 1]; ++k)
    {
      const auto &[p, q, factor] = products[k];
      sum += factor * (dot(z[p], w[q]) + dot(w[p], z[q]));
    }
    rate[i] = sum;
  }
}

template <class T>
void GramLayout::stress(const T *D, const T *eps, T *sigma, const int first) const
{
  for (std::size_t b = first; b < blocks.size(); ++b)
    for (std::size_t i = 0; i < blocks[b].strains.size(); ++i, ++D)
    {
      const BlockLayout &block = blocks[b];
      const T of_row = eps[block.strains[i]];
      T sum = 0.;
      for (std::size_t j = 0; j < i; ++j, ++D)
      {
        sum += *D * eps[block.strains[j]];
        sigma[block.strains[j]] += *D * of_row;
      }
      sigma[block.strains[i]] = sum + *D * of_row;
    }
}

template <class T>
void GramLayout::add_force(const Triple<T> *z, const T *sigma, const double weight, Triple<T> *of_derived) const
{
  for (int i = 0; i < strains(); ++i)
    for (int k = product_start[i]; k < product_start[i + 1]; ++k)
    {
      const auto &[p, q, factor] = products[k];
      const T of_product = weight * factor * sigma[i];
      for (int d = 0; d < 3; ++d)
      {
        of_derived[p][d] += of_product * z[q][d];
        of_derived[q][d] += of_product * z[p][d];
      }
    }
}

template <class T>
void GramLayout::add_stiffness(const Triple<T> *row, const Triple<T> *column, const T *D, const T *above, const double weight,
                               std::vector<T> &k) const
{
  std::vector<T> left(largest_block), right(largest_block), stressed(largest_block);
  for (const BlockLayout &block : blocks)
  {
    const int m = int(block.strains.size()), size = 3 * int(block.support.size());
    const auto fill = [&](const Triple<T> *z, std::vector<T> &B) {
      std::fill_n(B.begin(), m * size, T(0.));
      for (int i = 0; i < m; ++i)
        for (const auto &[a, p, factor] : rates[block.strains[i]])
          for (int d = 0; d < 3; ++d)
            B[i * size + 3 * a + d] += factor * z[p][d];
    };
    fill(row, left);
    fill(column, right);
    std::fill_n(stressed.begin(), m * size, T(0.));
    for (int i = 0; i < m; ++i)
      for (int j = 0; j <= i; ++j, ++D, ++above)
        for (int c = 0; c < size; ++c)
        {
          stressed[i * size + c] += weight * *D * right[j * size + c];
          if (j != i)
            stressed[j * size + c] += weight * *above * right[i * size + c];
        }
    for (std::size_t a = 0; a < block.support.size(); ++a)
      for (std::size_t b = 0; b < block.support.size(); ++b)
      {
        T *of_pair = &k[9 * (block.support[a] * vectors() + block.support[b])];
        for (int i = 0; i < m; ++i)
          for (int d = 0; d < 3; ++d)
            for (int e = 0; e < 3; ++e)
              of_pair[3 * d + e] += left[i * size + 3 * a + d] * stressed[i * size + 3 * b + e];
      }
  }
}

template <class T>
void GramLayout::add_geometric(const T *sigma, const double weight, std::vector<T> &k) const
{
  for (int i = 0; i < strains(); ++i)
    for (const auto &[a, b, factor] : pairs[i])
    {
      const T S = weight * factor * sigma[i];
      for (int d = 0; d < 3; ++d)
        k[9 * (a * vectors() + b) + 4 * d] += S;
    }
}
}  // namespace symdyn
