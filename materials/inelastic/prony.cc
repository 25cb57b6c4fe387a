#include "materials/inelastic/prony.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "solver/parameters.h"

namespace symdyn
{
namespace
{
std::string as_text(const double value)
{
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", value);
  return buffer;
}

void check_ratios(const Parameters &p, const std::string &name, const std::vector<double> &ratios, const std::size_t terms)
{
  if (ratios.size() != terms)
    p.fail(name, "there are " + std::to_string(ratios.size()) + " ratios for " + std::to_string(terms) +
                     " Times, but every term has one of each. Give lists of the same length; 0 leaves a term out");
  double sum = 0.;
  for (const double ratio : ratios)
  {
    if (!(ratio >= 0.))
      p.fail(name, "a ratio is " + as_text(ratio) + " but must be >= 0: a negative one creates energy. Remove the term");
    sum += ratio;
  }
  if (!(sum < 1.))
    p.fail(name, "the sum of the ratios is " + as_text(sum) +
                     " but must be < 1: what is left of 1 is the long-term modulus. Ratios refer to the modulus at t = 0");
}
}  // namespace

void PronySeries::declare(Parameters &p)
{
  p.add("Shear ratios", shear, "Prony ratios g_i of the shear modulus at t = 0 [-], >= 0, sum < 1; one a term");
  p.add("Bulk ratios", bulk, "Prony ratios k_i of the bulk modulus at t = 0 [-], >= 0, sum < 1; one a term; default: no relaxation");
  p.add("Times", times, "relaxation times tau_i of the terms [s], > 0");
  if (times.empty())
    p.fail(p.given("Times") ? "Times" : "", "no relaxation times are given. Add Times and Shear ratios, e.g. 0.1, 1, 10 and 0.3, 0.2, 0.1");
  for (const double time : times)
    if (!(time > 0.) || std::isinf(time))
      p.fail("Times", "a relaxation time is " + as_text(time) + " s but must be > 0 and finite. Remove the term, or lower the stiffness");
  if (shear.empty() && bulk.empty())
    p.fail("", "neither Shear ratios nor Bulk ratios are given, so nothing relaxes. Give one ratio for each of the Times");
  if (shear.empty() && !p.given("Shear ratios"))
    shear.assign(times.size(), 0.);
  check_ratios(p, "Shear ratios", shear, times.size());
  if (p.given("Bulk ratios"))
    check_ratios(p, "Bulk ratios", bulk, times.size());
}

double relaxation_modulus(const double instantaneous, const std::vector<double> &ratios, const std::vector<double> &times, const double t)
{
  double remaining = 1.;
  for (std::size_t i = 0; i < ratios.size(); ++i)
    remaining += ratios[i] * std::expm1(-t / times[i]);
  return instantaneous * remaining;
}

std::complex<double> complex_modulus(const double instantaneous, const std::vector<double> &ratios, const std::vector<double> &times,
                                     const double w)
{
  std::complex<double> remaining = 1.;
  for (std::size_t i = 0; i < ratios.size(); ++i)
    remaining -= ratios[i] / std::complex<double>(1., w * times[i]);
  return instantaneous * remaining;
}

namespace
{
constexpr int series_terms = 19;  // at x = 0.5 the next is below 1e-20

/// Of gained()/x: (-1)^k (2 - 2^(k-1))/k! for k = 3, 4, ...
constexpr std::array<double, series_terms> gained_series()
{
  std::array<double, series_terms> c{};
  double over_factorial = 0.5, power = 2.;
  for (int k = 3; k < series_terms + 3; ++k)
  {
    over_factorial /= k;
    power *= 2.;
    c[k - 3] = (k % 2 ? -1. : 1.) * (2. - power) * over_factorial;
  }
  return c;
}
constexpr std::array<double, series_terms> series_of_gained = gained_series();
}  // namespace

RelaxationStep::RelaxationStep(const double x) : x(x)
{
  const double change = std::expm1(-x);
  decay = 1. + change;
  mean = x > 0. ? -change / x : 1.;
}

double RelaxationStep::gained() const
{
  constexpr double enough = 0.5;  // above it few digits cancel
  if (x > enough)
    return (x - 2. * x * mean + 0.5 * lost()) / (x * x);
  double sum = 0.;
  for (int n = series_terms - 1; n >= 0; --n)
    sum = sum * x + series_of_gained[n];
  return x * sum;
}
}  // namespace symdyn
