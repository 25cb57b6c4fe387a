#pragma once
#include <functional>
#include <limits>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// Largest eigenvalue of an operator y = A x with real, not negative eigenvalues, by Krylov–Schur of SLEPc (for a symmetric one
/// a restarted Lanczos method). `start`: a layout and initial vector. From below, to 1e-4 relative; of symmetric ones with more than 2e4
/// unknowns, whose products count, by 14 of them as a rule, an estimate from above: the Ritz value and the norm of its residual, within
/// which an eigenvalue lies (Parlett 1998, 4.5; that it is the largest, Zhou and Li 2011 have seen throughout), by less than 5 %. `at`:
/// becomes the vector of it. Errors: ComputationError if it does not converge.
double largest_eigenvalue(const std::function<void(const Vector &x, Vector &y)> &A, const Vector &start, bool symmetric,
                          Vector *at = nullptr);

/// K x = lambda M x with symmetric K and M, M positive definite on the vectors that the products return.
struct EigenProblem
{
  using Product = std::function<void(const Vector &x, Vector &y)>;
  Product K, M;
  double shift = 0;
  Product solve;                                                                                  ///< (K - shift M) y = x
  std::function<void(const std::vector<Vector> &x, std::vector<Vector> &y)> solve_all = nullptr;  ///< the same of several
  Vector start;                                                                                   ///< a layout and an initial vector
  std::vector<Vector> known;                                       ///< eigenvectors to keep away from, M-orthonormal
  double tolerance = 1e-10;                                        ///< of |K x - lambda M x| relative to |lambda - shift| |x|
  int cycles = 500;                                                ///< of Lanczos' method, at most
  std::function<void(long found, long asked)> progress = nullptr;  ///< called after each cycle
  std::function<bool()> stop = nullptr;  ///< asked after each cycle, on all ranks: whether to end with Interrupted
};

struct EigenPairs
{
  std::vector<double> values;   ///< ascending
  std::vector<Vector> vectors;  ///< x_iᵀ M x_j = delta_ij
};

/// The eigenvalues nearest to the shift, by Lanczos' method on (K - shift M)⁻¹ M with `block` vectors at once and thick restarts. SLEPc,
/// which has the method, solves with one vector after the other: of factors of a solid that costs four times as much. `start` gives as many
/// different vectors as it is asked for. Uses M, solve_all, start and known. Errors: ComputationError if fewer than `least` converge,
/// Interrupted.
EigenPairs eigenvalues_near(const EigenProblem &problem, const std::function<Vector(int)> &start, int block, int number, int least);
/// Where the spectrum of K x = mu M x has its ends, and 0 is within it.
enum class End
{
  lowest,
  highest,
  both  ///< the largest |mu|
};
/// The eigenvalues at an end, by the Krylov–Schur method of SLEPc (Stewart 2002; for symmetric problems a Lanczos method with thick
/// restarts) on M⁻¹ K: `solve` is M⁻¹ here, and no shift is used. Errors as before.
EigenPairs outer_eigenvalues(const EigenProblem &problem, End end, int number, int least);
/// Where K - shift M cannot be factored: the lowest eigenvalues by the locally optimal block preconditioned conjugate gradients of Knyazev
/// (2001), with a basis that is made orthonormal and loses what depends on the rest (Hetmaniuk and Lehoucq 2006). `solve` is the
/// preconditioner, positive definite, and may be a rough one; the shift lies below all eigenvalues; `start` gives as many different vectors
/// as it is asked for. Errors: ComputationError if not all converge, Interrupted.
EigenPairs lowest_eigenvalues(const EigenProblem &problem, const std::function<Vector(int)> &start, int number);
/// The largest eigenvalue, from below, by the same method with one vector; `solve` approximates M⁻¹ (a relative residual of 0.1 is enough).
/// Returns when |r| <= tolerance |lambda| with r = K x - lambda M x in the norm of M⁻¹: an eigenvalue lies within that distance (Parlett
/// 1998, 15.9), and as a rule the error is about the square of it. 0 if K = 0. Uses K, M, solve and start only. Errors: ComputationError if
/// it does not converge.
double largest_eigenvalue(const EigenProblem &problem, double tolerance);
/// All of a small problem (or the lowest ones), by LAPACK, on the space that these vectors span: orthonormal ones, or M-orthonormal.
EigenPairs all_eigenvalues(const EigenProblem &problem, const std::vector<Vector> &basis,
                           std::size_t most = std::numeric_limits<std::size_t>::max());
}  // namespace symdyn
