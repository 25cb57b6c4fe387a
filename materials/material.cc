#include "materials/material.h"

namespace symdyn
{
double Material::longitudinal_modulus() const
{
  Symmetric<Wide> S;
  Tangent<Wide> D;
  tangent(identity<Wide>(), S, D);
  return D(0, 0)[0];
}
}  // namespace symdyn
