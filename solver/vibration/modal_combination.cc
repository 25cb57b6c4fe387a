#include "solver/vibration/modal_combination.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace symdyn
{
double ModalCombination::correlation(const double omega_i, const double zeta_i, const double omega_j, const double zeta_j)
{
  const double r = omega_j / omega_i, product = zeta_i * zeta_j, squares = zeta_i * zeta_i + zeta_j * zeta_j;
  const double below = std::pow(1. - r * r, 2) + 4. * product * r * (1. + r * r) + 4. * squares * r * r;
  return below > 0. ? 8. * std::sqrt(product) * (zeta_i + r * zeta_j) * std::pow(r, 1.5) / below : 1.;
}

ModalCombination::ModalCombination(const std::string &rule, const std::vector<double> &omega, const std::vector<double> &zeta)
    : n(omega.size()), sizes(of_sizes(rule)), rho(n * n, 0.)
{
  constexpr double near = 0.1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
    {
      const double lower = std::min(omega[i], omega[j]), apart = std::abs(omega[i] - omega[j]);
      if (i == j || rule == "abs")
        rho[i * n + j] = 1.;
      else if (rule == "cqc")
        rho[i * n + j] = correlation(omega[i], zeta[i], omega[j], zeta[j]);
      else if (rule == "ten-percent")
        rho[i * n + j] = apart <= near * lower ? 1. : 0.;
    }
}

double ModalCombination::of(const std::vector<double> &R) const
{
  std::vector<double> r(R.begin(), R.begin() + n), of_rho(n, 0.);
  if (sizes)
    std::transform(r.begin(), r.end(), r.begin(), [](const double one) { return std::abs(one); });
  for (std::size_t i = 0; i < n; ++i)  // in lanes, as a sum over j would not be
    for (std::size_t j = 0; j < n; ++j)
      of_rho[j] += rho[i * n + j] * r[i];
  return std::sqrt(std::max(0., std::inner_product(r.begin(), r.end(), of_rho.begin(), 0.)));
}

double over_directions(const std::string &rule, std::vector<double> R)
{
  std::sort(R.begin(), R.end(), std::greater<>());
  if (rule == "srss")
    return std::sqrt(std::inner_product(R.begin(), R.end(), R.begin(), 0.));
  const double others = rule == "abs" ? 1. : rule == "100-30-30" ? 0.3 : 0.4;
  return R.empty() ? 0. : R[0] + others * std::accumulate(R.begin() + 1, R.end(), 0.);
}
}  // namespace symdyn
