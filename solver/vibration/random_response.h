#pragma once
#include <array>
#include <complex>
#include <vector>

namespace symdyn
{
/// A one-sided power spectral density that is straight in omega between these points [rad/s].
struct DensityPoint
{
  double omega, value;
};

/// Moments of the answers of oscillators y_i'' + 2 zeta_i omega_i y_i' + omega_i² y_i = a_g to one stationary random motion a_g of density
/// G(f): int Re(x_i x_j*) omega^(2 n) G df, n = 0, 1, in closed form: partial fractions of 1/(D_i D_j*), D_i = omega_i² - omega² + 2 i
/// zeta_i omega_i omega, and logarithms over each straight part of G. Kinds of answers x_i, and of the one that is a_g itself (index n):
///     displacement: y_i, a_g        velocity: y_i'        acceleration: (omega_i² + 2 i zeta_i omega_i omega) y_i, in space, a_g
///     relative acceleration: -omega² y_i, -omega² a_g
class RandomMoments
{
public:
  enum Kind
  {
    displacement,
    velocity,
    acceleration,
    relative_acceleration
  };
  static constexpr int kinds = 4;
  /// zeta_i > 0; `density` ascends.
  RandomMoments(const std::vector<double> &omega, const std::vector<double> &zeta, const std::vector<DensityPoint> &density);

  /// Of the answer sum_i A_i x_i + B a_g: m_0, its mean square, and m_2, that of its derivative. B of velocities: 0.
  std::array<double, 2> of(Kind kind, const std::vector<double> &A, double B) const;
  /// <x_i x_j>, of order 1 that of their derivatives; the last index is a_g.
  double covariance(const Kind kind, const int order, const std::size_t i, const std::size_t j) const
  {
    return moments[kind][order][i * size() + j];
  }

private:
  using Complex = std::complex<double>;
  std::size_t size() const { return modes + 1; }
  double &at(const int kind, const int order, const std::size_t i, const std::size_t j) { return moments[kind][order][i * size() + j]; }
  std::size_t modes;
  std::array<std::array<std::vector<double>, 2>, kinds> moments;  ///< [kind][n][i, j], symmetric
};

/// Of an answer whose mean square is m_0 and that of its rate m_2: how often it crosses zero upwards, sqrt(m_2/m_0)/2 pi [Hz] (Rice 1944).
double crossings(const std::array<double, 2> &m);
}  // namespace symdyn
