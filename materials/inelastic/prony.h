#pragma once
#include <complex>
#include <vector>

namespace symdyn
{
class Parameters;

/// Relaxation of the shear and the bulk modulus, M(t) = M0 (1 - Σ m_i + Σ m_i exp(-t/tau_i)), M0 of t = 0 (Prony 1795).
struct PronySeries
{
  std::vector<double> shear, bulk;  ///< ratios m_i [-]; bulk: empty, or as many
  std::vector<double> times;        ///< tau_i [s]

  /// InputError unless every list has one number a term, ratios are >= 0 with a sum < 1, times > 0.
  void declare(Parameters &p);
};

/// M(t) [Pa].
double relaxation_modulus(double instantaneous, const std::vector<double> &ratios, const std::vector<double> &times, double t);

/// M*(w) = M0 (1 - Σ m_i + Σ m_i (i w tau_i)/(1 + i w tau_i)) [Pa], w [rad/s]: storage modulus + i loss modulus (Ferry 1980, chapter 3).
std::complex<double> complex_modulus(double instantaneous, const std::vector<double> &ratios, const std::vector<double> &times, double w);

/// Of a term with x = h/tau while the elastic stress changes linearly in time.
class RelaxationStep
{
public:
  explicit RelaxationStep(double x);

  double decay;  ///< exp(-x)
  double mean;   ///< (1 - exp(-x))/x, 1 at x = 0

  double lost() const { return x * mean * (1. + decay); }  ///< 1 - exp(-2x)
  double crossed() const { return x * mean * mean; }       ///< (1 - exp(-x))²/x
  double gained() const;                                   ///< (x - 2 (1 - exp(-x)) + ½ (1 - exp(-2x)))/x²

private:
  double x;
};
}  // namespace symdyn
