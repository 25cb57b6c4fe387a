#include "solver/linear/harmonic.h"

#include <algorithm>
#include <cmath>

#include "solver/vibration/harmonic.h"

// The equations of all degrees of freedom at one frequency.
namespace symdyn
{
HarmonicResponse::Complex HarmonicResponse::direct(const double omega, const Complex &F, int &krylov) const
{
  Complex u = zero();
  if (F.real.l2_norm() == 0. && F.imaginary.l2_norm() == 0.)
    return u;
  ComplexSystem equations;
  equations.A = [&](const Vector &x, Vector &y) {
    in_phase(omega, x, y);
    system.project(y);
  };
  equations.B = [&](const Vector &x, Vector &y) {
    across(omega, x, y);
    system.project(y);
  };
  equations.factor = [&](const double a, const double b) {
    constexpr double least = 1e-3;  // of K in a matrix for preconditioning
    double k = a + b * loss_at(omega);
    if (relaxing)
      k = std::copysign(std::max(std::abs(k), least), k);
    const auto S = stiff(omega, b / k).factor(-a * omega * omega * M + b * omega * C + k * K, t, q, rest);
    return [S](const Vector &x, Vector &y) { S->solve(x, y, S->tolerance()); };
  };
  constexpr double tolerance = 1e-10;
  krylov = solve_complex(equations, F.real, F.imaginary, tolerance, u.real, u.imaginary);
  return u;
}
}  // namespace symdyn
