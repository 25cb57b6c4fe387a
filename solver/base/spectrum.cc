#include "solver/base/spectrum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "solver/error.h"

namespace symdyn
{
namespace
{
const double pi = std::acos(-1.);
using Complex = std::complex<double>;

/// N a power of two, in place; sign -1: the transform, +1: N times its inverse.
void by_halves(std::vector<Complex> &x, const double sign)
{
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i)  // the order of reversed bits
  {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j)
      std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2)
  {
    const std::size_t half = length / 2;
    std::vector<Complex> root(half);
    for (std::size_t k = 0; k < half; ++k)
      root[k] = std::polar(1., sign * 2. * pi * double(k) / double(length));
    for (std::size_t first = 0; first < n; first += length)
      for (std::size_t k = 0; k < half; ++k)
      {
        const Complex even = x[first + k], odd = root[k] * x[first + k + half];
        x[first + k] = even + odd;
        x[first + k + half] = even - odd;
      }
  }
}

/// k n = ½ (k² + n² - (k - n)²): the sum is a convolution with exp(i pi n²/N).
std::vector<Complex> by_convolution(const std::vector<Complex> &x)
{
  const std::size_t n = x.size();
  std::size_t padded = 1;
  while (padded < 2 * n)
    padded *= 2;
  std::vector<Complex> chirp(n), a(padded), b(padded);
  for (std::size_t i = 0; i < n; ++i)
  {
    chirp[i] = std::polar(1., pi * double(i * i % (2 * n)) / double(n));
    a[i] = x[i] * std::conj(chirp[i]);
    b[i] = chirp[i];
    if (i > 0)
      b[padded - i] = chirp[i];
  }
  by_halves(a, -1.);
  by_halves(b, -1.);
  for (std::size_t i = 0; i < padded; ++i)
    a[i] *= b[i] / double(padded);
  by_halves(a, 1.);
  std::vector<Complex> result(n);
  for (std::size_t i = 0; i < n; ++i)
    result[i] = a[i] * std::conj(chirp[i]);
  return result;
}
}  // namespace

std::vector<Complex> fourier(const std::vector<Complex> &x)
{
  if (x.empty() || (x.size() & (x.size() - 1)) != 0)
    return x.empty() ? x : by_convolution(x);
  std::vector<Complex> result = x;
  by_halves(result, -1.);
  return result;
}

std::vector<double> amplitudes(const std::vector<double> &x, const Window window)
{
  const std::size_t n = x.size();
  double mean = 0, sum = 0;
  for (const double value : x)
    mean += value / double(n);
  std::vector<Complex> weighted(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    const double w = window == Window::hann ? 0.5 * (1. - std::cos(2. * pi * double(i) / double(n))) : 1.;
    weighted[i] = w * (x[i] - mean);
    sum += w;
  }
  const std::vector<Complex> transformed = fourier(weighted);
  std::vector<double> result{mean};
  for (std::size_t k = 1; 2 * k <= n; ++k)
    result.push_back((2 * k == n ? 1. : 2.) * std::abs(transformed[k]) / sum);
  return result;
}

namespace
{
/// The most frequent distance of neighbours, to 1e-6 of itself.
double usual_distance(const std::vector<double> &t)
{
  std::vector<double> distances;
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t[i] > t[i - 1])
      distances.push_back(t[i] - t[i - 1]);
  std::sort(distances.begin(), distances.end());
  std::size_t best = 0;
  double usual = 0;
  for (std::size_t i = 0, first = 0; i < distances.size(); ++i)
  {
    if (distances[i] > distances[first] * (1. + 1e-6))
      first = i;
    if (i - first + 1 > best)
      best = i - first + 1, usual = distances[first + (i - first) / 2];
  }
  return usual;
}
}  // namespace

UniformRows uniform_rows(const std::vector<double> &t, const std::vector<std::vector<double>> &columns,
                         const std::vector<std::string> &names)
{
  constexpr std::size_t least = 4;
  constexpr double on_grid = 1e-4;  // of a distance: times carry the rounding of their sums
  UniformRows rows;
  rows.step = usual_distance(t);
  if (t.size() < least || rows.step <= 0.)
    throw InputError(fmt::format("there are {} rows; a spectrum needs {} or more", t.size(), least));
  rows.start = t.front();
  // A refined estimate of the step, free of the rounding of one distance.
  std::map<long, std::size_t> row_at;
  for (std::size_t i = 0; i < t.size(); ++i)
  {
    const double k = (t[i] - rows.start) / rows.step;
    if (std::abs(k - std::round(k)) <= on_grid * std::max(1., 1e-3 * std::abs(k)))
      row_at[std::lround(k)] = i;
  }
  if (row_at.size() < least || row_at.rbegin()->first != long(row_at.size()) - 1)
    throw InputError(fmt::format("the rows are not at equal distances of time: most are {:.6g} apart, and {} of {} lie on that grid",
                                 rows.step, row_at.size(), t.size()));
  rows.step = (t[row_at.rbegin()->second] - rows.start) / double(row_at.size() - 1);
  for (std::size_t c = 0; c < columns.size(); ++c)
  {
    rows.columns.emplace_back();
    for (const auto &[k, i] : row_at)
      if (std::isfinite(columns[c][i]))
        rows.columns.back().push_back(columns[c][i]);
      else
        throw InputError(fmt::format("{} is not finite at t = {:.6g}", names[c], t[i]));
  }
  return rows;
}
}  // namespace symdyn
