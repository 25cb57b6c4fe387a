#pragma once
#include <functional>

#include "solver/vector.h"

namespace symdyn
{
/// Largest eigenvalue of an operator y = A x with real, not negative eigenvalues, by Krylov–Schur of SLEPc (for a symmetric one
/// a restarted Lanczos method); from below, to 1e-4 relative. `start`: a layout and initial vector. Errors: ComputationError if it does not converge.
double largest_eigenvalue(const std::function<void(const Vector &x, Vector &y)> &A, const Vector &start, bool symmetric);
}  // namespace symdyn
