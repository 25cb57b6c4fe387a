#pragma once
#include <functional>

#include "solver/vector.h"

namespace symdyn
{
/// (A + i B)(x + i y) = f + i g with real A and B.
struct ComplexSystem
{
  using Product = std::function<void(const Vector &x, Vector &y)>;
  Product A, B;
  /// Factors S = a A + b B and returns y = S^-1 x, valid until the next call. Errors: ComputationError where S is
  /// singular.
  std::function<Product(double a, double b)> factor;
};

/// Flexible GMRES on the real pair, to |residual| <= tolerance |f + i g|. Preconditioner: two solutions with S =
/// cos(phi) A + sin(phi) B (PRESB of e^{i (pi/4 - phi)} times the system: Axelsson, Neytcheva and Ahmad 2014, where phi
/// = pi/4). A mode whose a + i b = |z| e^{i psi} gives the eigenvalue 1/(2 cos²(psi - phi)): S is singular where psi =
/// phi + pi/2. The iteration starts with phi = pi/4; where it stalls, it continues from its best iterate with another
/// angle. The eigenvalues are those of symmetric A and B. Of others, as of Coriolis' forces and bearings, nothing bounds the iterations;
/// the residual is that of the system. Returns iterations. Errors: ComputationError if it stalls with all angles.
int solve_complex(const ComplexSystem &system, const Vector &f, const Vector &g, double tolerance, Vector &x, Vector &y);
}  // namespace symdyn
