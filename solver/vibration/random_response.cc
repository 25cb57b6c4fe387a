#include "solver/vibration/random_response.h"

#include <deal.II/base/numbers.h>

#include <cmath>

namespace symdyn
{
namespace
{
using Complex = std::complex<double>;
using Polynomial = std::vector<Complex>;  // coefficients, that of the power 0 first

Polynomial times(const Polynomial &a, const Polynomial &b)
{
  Polynomial product(a.size() + b.size() - 1, 0.);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      product[i + j] += a[i] * b[j];
  return product;
}

Complex value(const Polynomial &p, const Complex x)
{
  Complex sum = 0.;
  for (std::size_t k = p.size(); k-- > 0;)
    sum = sum * x + p[k];
  return sum;
}

/// A pole by its number: that of oscillator number/2, one of both; or its conjugate.
struct Pole
{
  std::size_t number;
  bool conjugate;
};

/// Poles of all oscillators, and log((b - p)/(a - p)) of a part a, b of the axis.
struct Poles
{
  std::vector<Complex> place, logarithm;

  void find_logarithms(const double a, const double b)
  {
    constexpr double small = 1e-2;
    for (std::size_t k = 0; k < place.size(); ++k)
    {
      const Complex z = (b - a) / (a - place[k]);
      logarithm[k] = std::abs(z) > small
                         ? std::log(1. + z)
                         : z * (1. - z * (1. / 2. - z * (1. / 3. - z * (1. / 4. - z * (1. / 5. - z * (1. / 6. - z / 7.))))));
    }
  }
  Complex at(const Pole &pole) const { return pole.conjugate ? std::conj(place[pole.number]) : place[pole.number]; }
  Complex log_of(const Pole &pole) const { return pole.conjugate ? std::conj(logarithm[pole.number]) : logarithm[pole.number]; }
};

/// N(omega)/(lead prod (omega - p_k)) = Q(omega) + sum r_k/(omega - p_k)
struct Fractions
{
  Polynomial quotient;
  std::vector<std::pair<Complex, Pole>> residues;

  Fractions(Polynomial N, const double lead, const std::vector<Pole> &of, const Poles &poles)
  {
    Polynomial D{lead};
    for (const Pole &pole : of)
      D = times(D, {-poles.at(pole), 1.});
    const Polynomial whole = N;
    for (; N.size() >= D.size(); N.pop_back())
    {
      const Complex q = N.back() / D.back();
      quotient.insert(quotient.begin(), q);
      for (std::size_t k = 0; k < D.size(); ++k)
        N[N.size() - D.size() + k] -= q * D[k];
    }
    for (std::size_t k = 0; k < of.size(); ++k)
    {
      Complex slope = lead;
      for (std::size_t l = 0; l < of.size(); ++l)
        slope *= l == k ? 1. : poles.at(of[k]) - poles.at(of[l]);
      residues.emplace_back(value(whole, poles.at(of[k])) / slope, of[k]);
    }
  }
  /// Re of the integral with g0 + g1 omega, from a to b.
  double integral(const Poles &poles, const double a, const double b, const double g0, const double g1) const
  {
    Complex sum = 0.;
    for (std::size_t k = 0; k < quotient.size(); ++k)
    {
      const double n = double(k) + 1.;
      sum += quotient[k] * (g0 * (std::pow(b, n) - std::pow(a, n)) / n + g1 * (std::pow(b, n + 1.) - std::pow(a, n + 1.)) / (n + 1.));
    }
    for (const auto &[r, pole] : residues)
      sum += r * (g1 * (b - a) + (g0 + g1 * poles.at(pole)) * poles.log_of(pole));
    return sum.real();
  }
};
}  // namespace

namespace
{
/// The integrand of a moment of two answers.
struct Integrand
{
  int kind, order;
  std::size_t i, j;
  Fractions fractions;
};

/// Oscillators, and behind them the motion itself, as polynomials over polynomials of omega.
class Integrands
{
public:
  Integrands(const std::vector<double> &omega, const std::vector<double> &zeta) : modes(omega.size())
  {
    constexpr Complex i_unit(0., 1.);
    for (std::size_t i = 0; i < modes; ++i)
    {
      const double damped = omega[i] * std::sqrt(1. - zeta[i] * zeta[i]);
      for (const double sign : {1., -1.})
        poles.place.push_back(sign * damped + i_unit * zeta[i] * omega[i]);
      gain.push_back({omega[i] * omega[i], 2. * i_unit * zeta[i] * omega[i]});
    }
    poles.logarithm.resize(poles.place.size());
    for (std::size_t i = 0; i <= modes; ++i)
      for (std::size_t j = i; j <= modes; ++j)
        add(i, j);
  }
  Poles poles;
  std::vector<Integrand> all;

private:
  void add(const std::size_t i, const std::size_t j)
  {
    const Polynomial square{0., 0., 1.};
    std::vector<Pole> of;
    double lead = 1.;
    for (const auto &[mode, conjugate] : {std::pair{i, false}, {j, true}})
      if (mode < modes)
      {
        of.push_back({2 * mode, conjugate});
        of.push_back({2 * mode + 1, conjugate});
        lead = -lead;
      }
    Polynomial of_gains{1.};
    if (i < modes)
      of_gains = times(of_gains, gain[i]);
    if (j < modes)
      of_gains = times(of_gains, {std::conj(gain[j][0]), std::conj(gain[j][1])});
    const std::array<Polynomial, RandomMoments::kinds> numerators{Polynomial{1.}, j < modes ? square : Polynomial{0.}, of_gains,
                                                                  times(square, square)};
    for (int kind = 0; kind < RandomMoments::kinds; ++kind)
      for (int order = 0; order < 2; ++order)
        all.push_back({kind, order, i, j, Fractions(order == 0 ? numerators[kind] : times(numerators[kind], square), lead, of, poles)});
  }

  std::size_t modes;
  std::vector<Polynomial> gain;  ///< from y to the acceleration in space
};
}  // namespace

RandomMoments::RandomMoments(const std::vector<double> &omega, const std::vector<double> &zeta, const std::vector<DensityPoint> &density)
    : modes(omega.size())
{
  Integrands integrands(omega, zeta);
  for (auto &of_kind : moments)
    of_kind.fill(std::vector<double>(size() * size(), 0.));
  for (std::size_t k = 1; k < density.size(); ++k)
  {
    const auto [a, at_a] = density[k - 1];
    const auto [b, at_b] = density[k];
    const double g1 = (at_b - at_a) / (b - a), g0 = at_a - g1 * a;
    integrands.poles.find_logarithms(a, b);
    for (const Integrand &one : integrands.all)
      at(one.kind, one.order, one.i, one.j) += one.fractions.integral(integrands.poles, a, b, g0, g1) / (2. * dealii::numbers::PI);
  }
  for (int kind = 0; kind < kinds; ++kind)
    for (int order = 0; order < 2; ++order)
      for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          at(kind, order, i, j) = at(kind, order, j, i);
}

std::array<double, 2> RandomMoments::of(const Kind kind, const std::vector<double> &A, const double B) const
{
  std::array<double, 2> m{};
  for (int order = 0; order < 2; ++order)
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < size(); ++j)
        m[order] += (i < modes ? A[i] : B) * (j < modes ? A[j] : B) * moments[kind][order][i * size() + j];
  return m;
}

double crossings(const std::array<double, 2> &m) { return m[0] > 0. ? std::sqrt(m[1] / m[0]) / (2. * dealii::numbers::PI) : 0.; }
}  // namespace symdyn
