#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>

#include "solver/base/timer.h"
#include "solver/vibration/harmonic.h"

// Answers to several forces at a few places: of sweeps on a basis and of sums over modes without the answers of all places.
namespace symdyn
{
namespace
{
void add_measured(const std::complex<double> factor, const std::vector<double> &values, std::vector<std::complex<double>> &sum)
{
  for (std::size_t i = 0; i < values.size(); ++i)
    sum[i] += factor * values[i];
}
}  // namespace

void HarmonicResponse::measure(Measure given)
{
  linear = std::move(given);
  measured_basis.clear();
  measured_residual.clear();
  if (sweep)
    for (const Vector &v : sweep->vectors())
      measured_basis.push_back(linear(v));
  else if (request.modal())
    for (const Vector &phi : modes.shapes)
      measured_basis.push_back(linear(phi));
  if (correction)
    for (const Complex &force : forces)
      for (const Vector *part : {&force.real, &force.imaginary})
        measured_residual.push_back(linear(correction->of(*part)));
}

HarmonicResponse::Measured HarmonicResponse::measured(const double frequency) const
{
  const ScopedTimer timer("harmonic");
  Measured answer;
  at_frequency(frequency, [&] {
    answer = measured_at(frequency);
    double size = 0.;
    for (const auto &of_force : answer.values)
      for (const std::complex<double> &value : of_force)
        size += std::abs(value);
    require_finite(size);
  });
  return answer;
}

HarmonicResponse::Measured HarmonicResponse::measured_at(const double frequency) const
{
  const double omega = 2. * dealii::numbers::PI * frequency;
  Measured answer;
  std::vector<Complex> F;
  for (const Complex &force : forces)
    F.push_back(sweep ? Complex() : driving(omega, force));
  if (!sweep && !request.modal())
  {
    for (const Complex &u : direct(omega, F, answer.krylov))
    {
      const std::vector<double> real = linear(u.real), imaginary = linear(u.imaginary);
      answer.values.emplace_back(real.size(), 0.);
      add_measured(1., real, answer.values.back());
      add_measured({0., 1.}, imaginary, answer.values.back());
    }
    return answer;
  }
  const std::size_t k = std::lower_bound(grid.begin(), grid.end(), frequency) - grid.begin();
  const std::size_t values = linear(system.new_vector()).size();
  for (std::size_t d = 0; d < forces.size(); ++d)
  {
    answer.values.emplace_back(values, 0.);
    const std::vector<std::complex<double>> y = sweep ? sweep->coordinates(d, k) : shares_of(omega, F[d]);
    for (std::size_t i = 0; i < y.size(); ++i)
      add_measured(y[i], measured_basis[i], answer.values[d]);
    if (correction)
    {
      add_measured(1., measured_residual[2 * d], answer.values[d]);
      add_measured({0., 1.}, measured_residual[2 * d + 1], answer.values[d]);
    }
    if (sweep)
      answer.residual = std::max(answer.residual, sweep->residual(d, k));
  }
  return answer;
}
}  // namespace symdyn
