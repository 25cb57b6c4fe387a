#pragma once
#include "solver/vector.h"

namespace symdyn
{
/// A field of real and imaginary parts, x e^{i omega t}.
struct ComplexVector
{
  Vector real, imaginary;
};
}  // namespace symdyn
