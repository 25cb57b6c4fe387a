#pragma once
#include <algorithm>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "solver/linear/complex_vector.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
class Parameters;

/// What a deck asks of a search for complex modes.
struct ComplexModesRequest
{
  int number = 8;                                                  ///< pairs
  double near = 0;                                                 ///< real [rad/s]: the lambda nearest to it are wanted
  double shift = 0;                                                ///< s of the search, real [rad/s]; 0: near
  unsigned int dense = 600;                                        ///< degrees of freedom up to which LAPACK computes all
  bool count = true;                                               ///< a factorisation counts, where it can
  std::function<bool()> stop = nullptr;                            ///< whether a search that takes long is to end, asked on all ranks
  std::function<void(long found, long asked)> progress = nullptr;  ///< of the search
  void declare(Parameters &p);
};

/// Free motions u e^{lambda t} about a state at rest: (lambda² M + lambda C + K) u = 0 with C = dF_damp/dv of the section Damping and of
/// dashpots, K = V'' - df_applied/dq, which is unsymmetric where loads follow the body.
struct ComplexModes
{
  enum Kind
  {
    oscillates,
    overdamped,  ///< lambda is real, negative
    flutter,     ///< grows and oscillates
    divergence,  ///< lambda is real, positive
    rigid        ///< lambda = 0
  };
  std::vector<std::complex<double>> values;  ///< lambda [1/s], those nearest to `near` first, Im lambda >= 0
  std::vector<ComplexVector> shapes;         ///< largest component of the real part 1, sum of the squares of all components real
  std::vector<Kind> kinds;
  std::vector<double> residuals;     ///< |(lambda² M + lambda C + K) u| / (|lambda|² |Mu| + |lambda| |Cu| + |Ku|)
  std::vector<double> balances;      ///< the same of the numbers u*Mu, u*Cu, u*Ku
  std::vector<double> collinearity;  ///< |u·Mu|²/(u*Mu)²: 1 where all points pass through rest at once
  std::vector<int> diameters;        ///< nodal diameters of sectors; empty: there are no sectors
  std::vector<int> directions;       ///< of these: 1: travels forward, -1: backward, 0: stands, or both have one lambda
  std::vector<double> roundings;     ///< of residuals: what rounding of the terms of Ku, eps |K| |u|, leaves there
  bool all = false;                  ///< LAPACK has computed all there are
  double counted = -1;               ///< undamped modes up to `place`, by a factorisation; -1: there is no count
  double below = 0;                  ///< pairs found up to there; a real lambda is half of one
  double place = 0;                  ///< |lambda| [1/s]

  std::size_t size() const { return values.size(); }
  bool complete() const { return all || counted == below; }
  /// Of the residual of a mode that is exact enough: 1e-6, or 100 times its rounding if that is more.
  double limit(const std::size_t i) const { return std::max(1e-6, 100. * roundings[i]); }
  double frequency(std::size_t i) const;  ///< |lambda|/2 pi [Hz]
  double damped(std::size_t i) const;     ///< Im lambda/2 pi [Hz]
  double ratio(std::size_t i) const;      ///< zeta = -Re lambda/|lambda|; 0 of rigid motions
  double decrement(std::size_t i) const;  ///< -2 pi Re lambda/Im lambda; infinite where Im lambda = 0
};
std::string in_words(ComplexModes::Kind kind);

/// |x*My|²/(x*Mx y*My), the modal assurance criterion (Allemang and Brown 1982).
double assurance(const MechanicalSystem &system, const ComplexVector &x, const ComplexVector &y);

/// The lambda nearest to `near`, by LAPACK for a small system, else about a real shift s with the deck's linear solver, M s² + C s + K
/// factored once. Where that does not converge and no Near is given, about shifts farther out: a cluster of poles at s, as of rigid motions
/// and of a critical speed, hides the others. Errors: ComputationError, Interrupted. Collective.
ComplexModes find_complex_modes(const MechanicalSystem &system, double t, const Vector &q, const ComplexModesRequest &request);
}  // namespace symdyn
