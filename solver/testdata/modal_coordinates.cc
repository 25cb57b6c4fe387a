#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <cmath>

#include "solver/testdata/assurance.h"

namespace symdyn
{
namespace
{
/// Modes that sensors see above their noise: one along the axis of a beam hardly moves those across it.
std::vector<std::size_t> visible(const std::vector<SensorShape> &modes)
{
  constexpr double nothing = 0.1;  // of the largest
  std::vector<double> sizes;
  for (const SensorShape &mode : modes)
  {
    double square = 0;
    for (const std::complex<double> &value : mode)
      square += std::norm(value);
    sizes.push_back(std::sqrt(square));
  }
  std::vector<std::size_t> seen;
  for (std::size_t j = 0; j < modes.size(); ++j)
    if (sizes[j] > nothing * *std::max_element(sizes.begin(), sizes.end()))
      seen.push_back(j);
  return seen;
}
}  // namespace

std::optional<std::vector<SensorShape>> modal_coordinates(const std::vector<SensorShape> &a, const std::vector<SensorShape> &modes)
{
  constexpr double distinct = 0.05;  // of the largest singular value: noise grows by less than 20
  const std::vector<std::size_t> seen = visible(modes);
  const std::size_t n = seen.size(), sensors = n > 0 ? modes.front().size() : 0;
  if (n == 0 || sensors < n)
    return std::nullopt;
  dealii::LAPACKFullMatrix<double> phi(sensors, n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t s = 0; s < sensors; ++s)
      phi(s, j) = modes[seen[j]][s].real();
  phi.compute_svd();
  if (!(phi.singular_value(n - 1) > distinct * phi.singular_value(0)))
    return std::nullopt;
  const auto &U = phi.get_svd_u();
  const auto &Vt = phi.get_svd_vt();
  std::vector<SensorShape> all;
  for (const SensorShape &shape : a)
  {
    SensorShape &p = all.emplace_back(modes.size(), 0.);
    for (std::size_t k = 0; k < n; ++k)
    {
      std::complex<double> part = 0.;
      for (std::size_t s = 0; s < sensors; ++s)
        part += U(s, k) * shape[s];
      for (std::size_t j = 0; j < n; ++j)
        p[seen[j]] += Vt(k, j) * part / phi.singular_value(k);
    }
  }
  return all;
}

}  // namespace symdyn
