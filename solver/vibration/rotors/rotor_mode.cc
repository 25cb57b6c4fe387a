#include "solver/vibration/rotors/rotor_mode.h"

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
using Complex = std::complex<double>;

ComplexVector conjugated(ComplexVector x)
{
  x.imaginary *= -1.;
  return x;
}
/// xᵀ y
Complex product(const ComplexVector &x, const ComplexVector &y)
{
  return {x.real * y.real - x.imaginary * y.imaginary, x.real * y.imaginary + x.imaginary * y.real};
}
}  // namespace

double assurance_of_mass(const RotorMode &a, const RotorMode &b)
{
  const auto times = [](const RotorMode &x, const RotorMode &y) { return product(conjugated(x.shape), y.mass); };
  return std::norm(times(a, b)) / (times(a, a).real() * times(b, b).real());
}

RotorMode RotorMode::conjugate() const
{
  RotorMode other = *this;
  other.lambda = std::conj(lambda);
  for (ComplexVector *x : {&other.shape, &other.left, &other.mass, &other.damping})
    x->imaginary *= -1.;
  if (waves)
    other.waves = -*waves;
  return other;
}

double assurance(const RotorMode &a, const RotorMode &b)
{
  constexpr double vanishes = 1e-4;
  const auto form = [](const RotorMode &x, const RotorMode &y) {
    return std::abs((x.lambda + y.lambda) * product(x.left, y.mass) + product(x.left, y.damping));
  };
  const auto size = [](const RotorMode &x) {
    return 2. * std::abs(x.lambda) * std::abs(product(conjugated(x.shape), x.mass)) +
           std::hypot(x.damping.real.l2_norm(), x.damping.imaginary.l2_norm()) *
               std::hypot(x.left.real.l2_norm(), x.left.imaginary.l2_norm());
  };
  const double aa = form(a, a), bb = form(b, b);
  if (aa <= vanishes * size(a) || bb <= vanishes * size(b))
    return assurance_of_mass(a, b);
  return std::min(1., form(a, b) * form(b, a) / (aa * bb));
}
}  // namespace symdyn
