#include "elements/gram/gram_element.h"

#include <stdexcept>

namespace symdyn
{
GramElement::GramElement(GramModel given, const Vectors &Y) : model(std::move(given)), rest(of_type().strains(), 0.)
{
  if (int(Y.size()) != vectors())
    throw std::logic_error("an element has other vectors than its type");
  rest = strain(Y);
}

GramElement::Vectors GramElement::derived(const Vectors &y) const
{
  const GramShape &shape = of_type();
  Vectors z(shape.derived(), GramVector{});
  const double *G = shape.G.data();
  for (GramVector &one : z)
    for (int a = 0; a < shape.vectors; ++a, ++G)
      if (*G != 0.)
        add(*G, y[a], one);
  return z;
}

std::vector<double> GramElement::strain(const Vectors &y) const
{
  const Vectors z = derived(y);
  std::vector<double> eps(of_type().strains());
  for (std::size_t i = 0; i < eps.size(); ++i)
  {
    eps[i] = -rest[i];
    for (const auto &[p, q, factor] : of_type().strain[i])
      eps[i] += factor * dot(z[p], z[q]);
  }
  return eps;
}

std::vector<double> GramElement::strain_rate(const Vectors &y, const Vectors &u) const
{
  const Vectors z = derived(y), w = derived(u);
  std::vector<double> rate(of_type().strains(), 0.);
  for (std::size_t i = 0; i < rate.size(); ++i)
    for (const auto &[p, q, factor] : of_type().strain[i])
      rate[i] += factor * (dot(z[p], w[q]) + dot(w[p], z[q]));
  return rate;
}

std::vector<double> GramElement::stress(const std::vector<double> &eps) const
{
  std::vector<double> sigma(eps.size(), 0.);
  for (const auto &[strains, D] : model.blocks)
    for (std::size_t i = 0; i < strains.size(); ++i)
      for (std::size_t j = 0; j < strains.size(); ++j)
        sigma[strains[i]] += D[i * strains.size() + j] * eps[strains[j]];
  return sigma;
}

double GramElement::energy_of(const std::vector<double> &eps) const
{
  const std::vector<double> sigma = stress(eps);
  double V = 0;
  for (std::size_t i = 0; i < eps.size(); ++i)
    V += 0.5 * eps[i] * sigma[i];
  return V;
}

void GramElement::add_force(const std::vector<double> &sigma, const Vectors &y, const double weight, Vectors &f) const
{
  const GramShape &shape = of_type();
  const Vectors z = derived(y);
  Vectors of_derived(z.size(), GramVector{});
  for (std::size_t i = 0; i < sigma.size(); ++i)
    for (const auto &[p, q, factor] : shape.strain[i])
    {
      add(weight * sigma[i] * factor, z[q], of_derived[p]);
      add(weight * sigma[i] * factor, z[p], of_derived[q]);
    }
  const double *G = shape.G.data();
  for (const GramVector &one : of_derived)
    for (int a = 0; a < shape.vectors; ++a, ++G)
      if (*G != 0.)
        add(*G, one, f[a]);
}

void GramElement::add_matrix(const Vectors &row, const Vectors &column, const std::vector<double> &sigma, const double weight,
                             std::vector<double> &k) const
{
  const GramShape &shape = of_type();
  const int n = shape.vectors, size = 3 * n, m = shape.strains();
  const auto rates = [&](const Vectors &y) {  // B_i(y), [i][3 a + d]
    const Vectors z = derived(y);
    std::vector<double> B(m * size, 0.);
    for (int i = 0; i < m; ++i)
      for (const auto &[p, q, factor] : shape.strain[i])
        for (int a = 0; a < n; ++a)
          for (int d = 0; d < 3; ++d)
            B[i * size + 3 * a + d] += factor * (shape.G[p * n + a] * z[q][d] + shape.G[q * n + a] * z[p][d]);
    return B;
  };
  const std::vector<double> left = rates(row), right = rates(column);
  std::vector<double> stressed(size);
  for (const auto &[strains, D] : model.blocks)
    for (std::size_t i = 0; i < strains.size(); ++i)
    {
      stressed.assign(size, 0.);
      for (std::size_t j = 0; j < strains.size(); ++j)
        for (int c = 0; c < size; ++c)
          stressed[c] += weight * D[i * strains.size() + j] * right[strains[j] * size + c];
      for (int r = 0; r < size; ++r)
        if (const double B = left[strains[i] * size + r]; B != 0.)
          for (int c = 0; c < size; ++c)
            k[r * size + c] += B * stressed[c];
    }
  for (int i = 0; i < m; ++i)
    for (const auto &[p, q, factor] : shape.strain[i])
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
          if (const double S =
                  weight * sigma[i] * factor * (shape.G[p * n + a] * shape.G[q * n + b] + shape.G[q * n + a] * shape.G[p * n + b]);
              S != 0.)
            for (int d = 0; d < 3; ++d)
              k[(3 * a + d) * size + 3 * b + d] += S;
}
}  // namespace symdyn
