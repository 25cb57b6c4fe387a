#pragma once
#include <complex>
#include <functional>
#include <vector>

#include "solver/linear/complex_vector.h"

namespace symdyn
{
/// (lambda² M + lambda C + K) u = 0 with real M, C and K, none of which need be symmetric.
struct QuadraticProblem
{
  using Product = std::function<void(const Vector &x, Vector &y)>;
  Product M, C, K;
  double shift = 0;                                                ///< s, real [1/s]
  Product solve;                                                   ///< (s² M + s C + K) y = x
  Vector start;                                                    ///< a layout and an initial vector
  double scale = 1;                                                ///< of lambda [1/s]: iterations are in multiples of it
  double tolerance = 1e-13;                                        ///< of |S x - theta x| relative to |theta x|, theta = 1/(lambda - s)
  int cycles = 300;                                                ///< at most
  std::function<void(long found, long asked)> progress = nullptr;  ///< called after each cycle
  std::function<bool()> stop = nullptr;  ///< asked after each cycle, on all ranks: whether to end with Interrupted
};

/// Of each pair lambda, conj(lambda) the one with Im lambda > 0; real ones once.
struct QuadraticPairs
{
  std::vector<std::complex<double>> values;  ///< [1/s]
  std::vector<ComplexVector> vectors;        ///< of any length and phase
};

/// The `number` pairs nearest to the shift, or more, by the two-level orthogonal Arnoldi method of SLEPc (Lu, Su, Bai 2016; Campos,
/// Roman 2016) on (lambda - s)^-1. Errors: ComputationError if they do not converge, Interrupted. Collective.
QuadraticPairs quadratic_near(const QuadraticProblem &problem, int number);
/// All of a small problem on the space that an orthonormal basis spans, by LAPACK on the pair of first order of (u, lambda u), inverted
/// about the shift,
///     S (u, v) = (w, s w + u),   w = -Q(s)^-1 ((C + s M) u + M v),   lambda = s + 1/theta,
/// so that the smallest lambda - s are the most exact ones. `solve` and `start` are not used but for the layout. Errors: ComputationError
/// where Q(s) is singular.
QuadraticPairs quadratic_all(const QuadraticProblem &problem, const std::vector<Vector> &basis);
}  // namespace symdyn
