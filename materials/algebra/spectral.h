#pragma once
#include "materials/algebra/jet.h"
#include "materials/algebra/symmetric.h"

namespace symdyn
{
/// C = Σ_a x_a n_a⊗n_a with orthonormal n_a.
struct Spectrum
{
  double x[3];
  double n[3][3];  ///< n[a][i]: component i of eigenvector a
};

/// By cyclic Jacobi rotations (Jacobi 1846; Golub, Van Loan 1996, chapter 8): the n_a stay orthonormal to rounding also
/// where eigenvalues coincide.
Spectrum spectrum(const Symmetric<double> &C);

/// Divided differences of g(x) = x^beta, x > 0: g[a,b] = (g(a) - g(b))/(a - b), g[a,a] = g'(a) and
/// g[a,b,c] = (g[a,b] - g[b,c])/(a - c), g[a,a,a] = g''(a)/2; to rounding for equal and for nearly equal arguments.
double power_difference(double a, double b, double beta);
double power_difference(double a, double b, double c, double beta);

/// P = C^beta.
Symmetric<double> power(const Spectrum &C, double beta);

/// dP_IJ/dC_KL = Σ_ab g[x_a,x_b] (n_a⊗n_b)_IJ sym(n_a⊗n_b)_KL (Daleckii, Krein 1965).
Tangent<double> power_derivative(const Spectrum &C, double beta);

/// P, dP/ds and d²P/ds² along the curve C(s). In the basis of the n_a, with H = dC/ds and K = d²C/ds²,
///     P'_ab = g[a,b] H_ab,   P''_ab = g[a,b] K_ab + 2 Σ_k g[a,k,b] H_ak H_kb      (Daleckii, Krein 1965).
Symmetric<Jet<double>> power(const Spectrum &spectrum, const Symmetric<Jet<double>> &C, double beta);
}  // namespace symdyn
