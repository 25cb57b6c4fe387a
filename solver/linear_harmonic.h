#pragma once
#include <functional>

#include "solver/vector.h"

namespace symdyn
{
/// (A + i B)(x + i y) = f + i g with real, symmetric A and B.
struct ComplexSystem
{
  using Product = std::function<void(const Vector &x, Vector &y)>;
  Product A, B;
  Product solve_sum;  ///< (A + B) y = x
};

/// Flexible GMRES on the real pair, preconditioned by two solutions with A + B (PRESB: Axelsson, Neytcheva and Ahmad 2014), to
/// |residual| <= tolerance |f + i g|. Returns iterations. Errors: ComputationError if it does not converge.
int solve_complex(const ComplexSystem &system, const Vector &f, const Vector &g, double tolerance, Vector &x, Vector &y);
}  // namespace symdyn
