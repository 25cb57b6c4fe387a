#pragma once
#include "materials/algebra/wide.h"

namespace symdyn
{
class Parameters;

/// Softening of Johnson and Cook (1983) by the heat of the flow itself, none of which flows away: the flow stress has the factor
///     theta = 1 - ((T - T_r)/(T_m - T_r))^m,   T' = beta w'/(rho c),   w: plastic work [J/m³], beta: Taylor and Quinney (1934)
/// theta of an increment is that of its start, so that it is a number in W_n; the error is of order 1. Above T_m it stays at `least`.
class Adiabatic
{
public:
  /// Errors: InputError where a part of the entries is missing.
  void declare(Parameters &p);
  bool given() const { return beta > 0.; }
  /// theta after the temperature has risen by this [K].
  Wide factor(const Wide &rise) const;
  /// Of the temperature by plastic work [K].
  Wide rise(const Wide &work) const { return (beta / (density * heat)) * work; }

private:
  static constexpr double least = 1e-3;
  double beta = 0., density = 0., heat = 0., start = 0., room = 0., melting = 0., exponent = 0.;
};
}  // namespace symdyn
