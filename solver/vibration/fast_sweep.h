#pragma once
#include <deal.II/lac/lapack_full_matrix.h>

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "solver/linear/complex_vector.h"

namespace symdyn
{
/// Z(omega) u = F_d(omega) with Z = sum_k c_k A_k, F_d = sum_k g_dk G_dk: real A_k and vectors, on the free degrees of freedom.
struct SeparatedSystem
{
  using Coefficient = std::function<std::complex<double>(double omega)>;
  struct Operator
  {
    Coefficient coefficient;
    std::function<void(const Vector &x, Vector &y)> product;
  };
  struct Term
  {
    Coefficient coefficient;
    Vector vector;
  };
  std::vector<Operator> operators;        ///< the first two are K and M
  std::vector<std::vector<Term>> drives;  ///< F_d
  /// u_d of each drive. Errors: ComputationError where there is none.
  std::function<std::vector<ComplexVector>(double omega)> solve;
};

/// A sweep on a basis V of real and imaginary parts of the answers at a few of its frequencies: u = V y, Vᵀ Z V y = Vᵀ F (Galerkin), which
/// is small and dense. Each next frequency is that of the largest residual |F - Z V y|/|F|, until it is below a tolerance at all of them.
/// Vectors are orthonormal in the product of the symmetric part of K + omega_max² M, twice orthogonalised; residuals are those of all
/// frequencies, from an orthonormal basis of all A_k v and G_k, so that they are right to rounding.
class FastSweep
{
public:
  /// `omega` ascends [rad/s]. Collective. Errors: ComputationError if no frequency has a solution, or K + omega_max² M is not positive.
  /// A frequency without a solution is left to those of others.
  FastSweep(SeparatedSystem system, std::vector<double> omega, double tolerance, const Vector &layout,
            const std::function<void(int solutions)> &progress);

  /// Of a drive at frequency k.
  ComplexVector at(std::size_t drive, std::size_t k) const;
  const std::vector<Vector> &vectors() const { return V; }
  const std::vector<std::complex<double>> &coordinates(std::size_t drive, std::size_t k) const { return answers[drive][k].y; }
  double residual(const std::size_t drive, const std::size_t k) const { return answers[drive][k].residual; }
  double largest_residual() const;
  int solutions() const { return solved; }
  /// Why the last frequency without a solution has none; "": all have one.
  const std::string &unsolved() const { return why; }
  std::size_t basis() const { return V.size(); }

private:
  using Complex = std::complex<double>;
  using SmallMatrix = dealii::LAPACKFullMatrix<Complex>;
  struct Answer
  {
    std::vector<Complex> y;
    double residual = 0;
  };
  /// Coordinates of a vector in the basis Q of residuals, which grows by what is new of it.
  std::vector<double> in_residuals(Vector x);
  void find_basis(double tolerance, const std::function<void(int solutions)> &progress);
  /// Adds what is new of x to V.
  void extend(Vector x);
  void append(const Vector &x);
  /// Solves the small systems at all frequencies.
  void solve_all();
  void solve_at(std::size_t k);
  /// Z = sum c_k Vᵀ A_k V in factors. Returns whether it has them.
  bool factor(const std::vector<Complex> &c, SmallMatrix &Z) const;
  /// The frequency with the largest residual, of those that may be solved yet; none: their number.
  std::size_t worst(const std::vector<char> &done) const;

  SeparatedSystem system;
  std::vector<double> omega;
  Vector layout;  ///< zero
  std::string why;
  int solved = 0;
  std::vector<Vector> V, Q;
  std::vector<std::vector<Vector>> AV;                          ///< [operator][vector]
  std::vector<std::vector<std::vector<double>>> reduced;        ///< [operator][i][j]: v_iᵀ A_k v_j
  std::vector<std::vector<std::vector<double>>> image;          ///< [operator][vector]: coordinates of A_k v in Q
  std::vector<std::vector<std::vector<double>>> force;          ///< [drive][term]: coordinates of G
  std::vector<std::vector<std::vector<double>>> reduced_force;  ///< [drive][term][i]: v_iᵀ G
  std::vector<std::vector<Answer>> answers;                     ///< [drive][frequency]
};
}  // namespace symdyn
