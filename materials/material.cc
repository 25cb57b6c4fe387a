#include "materials/material.h"

#include <stdexcept>

namespace symdyn
{
namespace
{
[[noreturn]] void not_quadratic() { throw std::logic_error("this material's energy is not of degree 2 in C"); }
[[noreturn]] void no_response() { throw std::logic_error("this material's energy does not depend on two invariants alone"); }
}  // namespace

void Material::stress_change(const Symmetric<Wide> *, Symmetric<Wide> *, int) const { not_quadratic(); }
void Material::energy(const Wide *, const Wide *, Wide *, int) const { no_response(); }
void Material::response(const Wide *, const Wide *, Wide *, Wide *, int) const { no_response(); }
void Material::response(const Dual<Wide> *, const Dual<Wide> *, Dual<Wide> *, Dual<Wide> *, int) const { no_response(); }
void Material::response(const Jet<Wide> *, const Jet<Wide> *, Jet<Wide> *, Jet<Wide> *, int) const { no_response(); }

double Material::longitudinal_modulus() const
{
  Symmetric<Wide> S;
  Tangent<Wide> D;
  tangent(identity<Wide>(), S, D);
  return D(0, 0)[0];
}
}  // namespace symdyn
