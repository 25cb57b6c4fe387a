#pragma once
#include <stdexcept>
#include <vector>

#include "elements/gram/gram_layout.h"

namespace symdyn::tests
{
/// An element whose energy is quadratic in strains that are quadratic in its nodal vectors: with e(y) of its shape, Y the vectors at rest,
///     eps = e(y) - e(Y),   V = ½ eps·D eps,   sigma = D eps,   B_i(u)_a = dB/dy of e_i: sum_k factor_k (G_pa z_q(u) + G_qa z_p(u))
///     f = sum_i sigma_i B_i(y),   V'' u = sum_i (D B(y)·u)_i B_i(y) + sum_i sigma_i B_i(u)
///     V'''[u,u] = 2 sum_i (D B(y)·u)_i B_i(u) + sum_i (D B(u)·u)_i B_i(y)
///     discrete gradient: sum_i ½ (sigma(y0) + sigma(y1))_i B_i(½ (y0 + y1)): f·(y1 - y0) = V(y1) - V(y0)   (Simo, Tarnow 1992; Gonzalez
///     2000)
/// Where the rows of G that derive have sums 0 over the places, rotations and translations leave V as it is. GramTerm computes many of
/// them with the same layout.
class GramElement
{
public:
  using Vectors = std::vector<GramVector>;

  GramElement(GramModel given, const Vectors &Y);

  int vectors() const { return layout.vectors(); }
  const GramShape &of_type() const { return *layout.shape(); }
  const GramModel &all() const { return model; }
  const std::vector<double> &rest_strains() const { return rest; }

  /// eps
  std::vector<double> strain(const Vectors &y) const;
  /// D eps
  std::vector<double> stress(const std::vector<double> &eps) const;
  double energy(const Vectors &y) const;
  /// f += weight sum_i sigma_i B_i(y)
  void add_force(const std::vector<double> &sigma, const Vectors &y, double weight, Vectors &f) const;
  /// B(y)·u
  std::vector<double> strain_rate(const Vectors &y, const Vectors &u) const;
  /// k += weight (sum_ij D_ij B_i(row) ⊗ B_j(column) + sum_i sigma_i S_i), [3 a + d][3 b + d'], S_i: B_i(u)_a = S_i^ab u_b.
  void add_matrix(const Vectors &row, const Vectors &column, const std::vector<double> &sigma, double weight, std::vector<double> &k) const;

private:
  Vectors derived(const Vectors &y) const;

  GramModel model;
  GramLayout layout;
  std::vector<double> D, rest;
};

inline GramElement::GramElement(GramModel given, const Vectors &Y)
    : model(std::move(given)), layout(model), D(layout.packed(model)), rest(layout.strains(), 0.)
{
  if (int(Y.size()) != vectors())
    throw std::logic_error("an element has other vectors than its type");
  rest = strain(Y);
}

inline GramElement::Vectors GramElement::derived(const Vectors &y) const
{
  Vectors z(layout.derived());
  layout.derive(y.data(), z.data());
  return z;
}

inline std::vector<double> GramElement::strain(const Vectors &y) const
{
  std::vector<double> eps(layout.strains());
  layout.strain(derived(y).data(), eps.data());
  for (std::size_t i = 0; i < eps.size(); ++i)
    eps[i] -= rest[i];
  return eps;
}

inline std::vector<double> GramElement::strain_rate(const Vectors &y, const Vectors &u) const
{
  std::vector<double> rate(layout.strains());
  layout.rate(derived(y).data(), derived(u).data(), rate.data());
  return rate;
}

inline std::vector<double> GramElement::stress(const std::vector<double> &eps) const
{
  std::vector<double> sigma(eps.size(), 0.);
  layout.stress(D.data(), eps.data(), sigma.data());
  return sigma;
}

inline double GramElement::energy(const Vectors &y) const
{
  const std::vector<double> eps = strain(y), sigma = stress(eps);
  double V = 0;
  for (std::size_t i = 0; i < eps.size(); ++i)
    V += 0.5 * eps[i] * sigma[i];
  return V;
}

inline void GramElement::add_force(const std::vector<double> &sigma, const Vectors &y, const double weight, Vectors &f) const
{
  Vectors of_derived(layout.derived(), GramVector{});
  layout.add_force(derived(y).data(), sigma.data(), weight, of_derived.data());
  layout.add_transposed(of_derived.data(), f.data());
}

inline void GramElement::add_matrix(const Vectors &row, const Vectors &column, const std::vector<double> &sigma, const double weight,
                                    std::vector<double> &k) const
{
  const int n = vectors();
  std::vector<double> blocks(9 * n * n, 0.);
  layout.add_stiffness(derived(row).data(), derived(column).data(), D.data(), weight, blocks);
  layout.add_geometric(sigma.data(), weight, blocks);
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      for (int d = 0; d < 3; ++d)
        for (int e = 0; e < 3; ++e)
          k[(3 * a + d) * 3 * n + 3 * b + e] += blocks[9 * (a * n + b) + 3 * d + e];
}
}  // namespace symdyn::tests
