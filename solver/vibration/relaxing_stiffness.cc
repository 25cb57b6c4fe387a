#include "solver/vibration/relaxing_stiffness.h"

#include <algorithm>

#include "solver/linear/lu.h"

namespace symdyn
{
RelaxingStiffness::RelaxingStiffness(const Remembering &laws, const State &state, const bool separated) : laws(laws), state(state)
{
  constexpr double same = 1. + 1e-8;  // nearer ones are parted by less than their rounding
  for (const RelaxingLaw &law : laws.relaxing())
    times.insert(times.end(), law.times.begin(), law.times.end());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end(), [](const double a, const double b) { return b <= same * a; }), times.end());
  if (separated)
    kept += 2 * times.size() + 1;
}

const MechanicalSystem &RelaxingStiffness::at(const double omega, const double loss) const
{
  const auto found = std::find_if(made.begin(), made.end(), [&](const One &one) { return one.of.omega == omega && one.of.loss == loss; });
  if (found != made.end())
    return *found->about;
  made.emplace_front(laws, state, Oscillation{omega, loss});
  if (made.size() > kept)
    made.pop_back();
  return *made.front().about;
}

void RelaxingStiffness::part(const std::size_t k, const Vector &q, const Vector &x, Vector &y) const
{
  Vector without(y);
  at(1. / times[k], 1.).stiffness(q, x, y);
  at(1. / times[k], 0.).stiffness(q, x, without);
  y -= without;
}

std::vector<std::complex<double>> RelaxingStiffness::factors(const double omega) const
{
  const std::size_t n = times.size();
  std::vector<double> columns, real, imaginary;
  for (const double tau : times)
  {
    for (const double other : times)
      columns.push_back(tau * other / (tau * tau + other * other));
    const double x = omega * tau;
    real.push_back(x * x / (1. + x * x));
    imaginary.push_back(x / (1. + x * x));
  }
  const DenseFactors of_parts(n, std::move(columns));
  of_parts.solve(real);
  of_parts.solve(imaginary);
  std::vector<std::complex<double>> g;
  for (std::size_t k = 0; k < n; ++k)
    g.emplace_back(real[k], imaginary[k]);
  return g;
}
}  // namespace symdyn
