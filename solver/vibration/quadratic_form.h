#pragma once
#include <vector>

namespace symdyn
{
/// P(sum lambda_r z_r² > x) of independent standard normal z_r, lambda_r >= 0: the distribution of a quadratic form of Gaussian variables
/// (Imhof 1961). By
///     P = 1/(2 pi i) int exp(K(s) - s x)/s ds,     K(s) = -1/2 sum log(1 - 2 lambda_r s)
/// along a parabola through the saddle point of the integrand that follows the steepest descent there (Rice 1980), by the trapezoidal rule,
/// which converges exponentially: 11 digits, in tails, too, down to 1e-300; below that 0. Where x is below the mean the path passes the
/// pole at 0 on its other side, and gives P - 1.
double exceedance(const std::vector<double> &lambda, double x);
}  // namespace symdyn
