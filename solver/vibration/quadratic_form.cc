#include "solver/vibration/quadratic_form.h"

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <stdexcept>

namespace symdyn
{
namespace
{
using Complex = std::complex<double>;

/// The logarithm of the integrand on the real axis, K(s) - s x - log |s|, has one minimum on either side of the pole.
class Descent
{
public:
  Descent(std::vector<double> lambda, const double x) : lambda(std::move(lambda)), x(x) {}

  double saddle(const bool above) const
  {
    constexpr int halvings = 200;
    const double largest = *std::max_element(lambda.begin(), lambda.end());
    double low = 0., high = 0.5 / largest;
    if (!above)
    {
      high = 0.;
      for (low = -high - 1. / x; slope(low) > 0.;)
        low *= 2.;
    }
    for (int k = 0; k < halvings; ++k)
    {
      const double middle = 0.5 * (low + high);
      (slope(middle) < 0. ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }
  /// Of the imaginary part of the integrand, over the whole path.
  double integral(const double saddle) const
  {
    constexpr double step = 0.125, negligible = 1e-17;
    constexpr int most = 100000;
    double second = 1. / (saddle * saddle), third = -2. / (saddle * saddle * saddle);
    for (const double one : lambda)
    {
      const double ratio = one / (1. - 2. * one * saddle);
      second += 2. * ratio * ratio;
      third += 8. * ratio * ratio * ratio;
    }
    const double width = 1. / std::sqrt(second), bend = std::max(0., third / (6. * second)) * width * width;
    double sum = 0.;
    for (int k = 0; k < most; ++k)
    {
      const double t = (k + 0.5) * step;
      const Complex s(saddle + bend * t * t, width * t), along(2. * bend * t, width);
      Complex exponent = -s * x;
      for (const double one : lambda)
        exponent -= 0.5 * std::log(1. - 2. * one * s);
      const Complex value = std::exp(exponent) / s * along;
      sum += 2. * value.imag();
      if (std::abs(value) <= negligible * std::abs(sum))
        return sum * step;
    }
    throw std::logic_error("the integral of a distribution does not end");
  }

private:
  double slope(const double s) const
  {
    double sum = -x - 1. / s;
    for (const double one : lambda)
      sum += one / (1. - 2. * one * s);
    return sum;
  }

  std::vector<double> lambda;
  double x;
};
}  // namespace

double exceedance(const std::vector<double> &lambda, const double x)
{
  constexpr double rounding = 1e-14;
  const double largest = lambda.empty() ? 0. : *std::max_element(lambda.begin(), lambda.end());
  if (!(x > 0.))
    return 1.;
  if (!(largest > 0.))
    return 0.;
  std::vector<double> scaled;
  for (const double one : lambda)
    if (one > rounding * largest)
      scaled.push_back(one / largest);
  constexpr double deepest = 1400.;  // numbers end at exp(-745)
  const double mean = std::accumulate(scaled.begin(), scaled.end(), 0.);
  if (x / largest > mean + deepest)
    return 0.;
  const bool above = x / largest > mean;
  const Descent descent(std::move(scaled), x / largest);
  return descent.integral(descent.saddle(above)) / (2. * dealii::numbers::PI) + (above ? 0. : 1.);
}
}  // namespace symdyn
