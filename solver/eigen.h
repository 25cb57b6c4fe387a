#pragma once
#include <functional>

#include "solver/vector.h"

namespace symdyn
{
/// Largest eigenvalue of a symmetric, positive semidefinite operator y = A x, by Krylov–Schur (a restarted Lanczos method) of
/// SLEPc; from below, to 1e-4 relative. `start`: a layout and initial vector. Errors: ComputationError if it does not converge.
double largest_eigenvalue(const std::function<void(const Vector &x, Vector &y)> &A, const Vector &start);
}  // namespace symdyn
