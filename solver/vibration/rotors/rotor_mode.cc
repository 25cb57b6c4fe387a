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
  for (ComplexVector *x : {&other.shape, &other.left, &other.mass, &other.damping, &other.left_damping})
    x->imaginary *= -1.;
  if (forward)
    other.forward = -*forward;
  else if (waves)
    other.waves = -*waves;
  return other;
}

namespace
{
/// y_aᵀ B u_b
Complex form(const RotorMode &a, const RotorMode &b)
{
  return (a.lambda + b.lambda) * product(a.left, b.mass) + 0.5 * (product(a.left, b.damping) + product(a.left_damping, b.shape));
}
/// Of a mode with itself.
bool vanishes(const RotorMode &x)
{
  constexpr double nothing = 1e-4;
  const double size =
      2. * std::abs(x.lambda) * std::abs(product(conjugated(x.shape), x.mass)) +
      std::hypot(x.damping.real.l2_norm(), x.damping.imaginary.l2_norm()) * std::hypot(x.left.real.l2_norm(), x.left.imaginary.l2_norm());
  return std::abs(form(x, x)) <= nothing * size;
}
/// x -= part y
void subtract(ComplexVector &x, const Complex &part, const ComplexVector &y)
{
  x.real.add(-part.real(), y.real, part.imag(), y.imaginary);
  x.imaginary.add(-part.real(), y.imaginary, -part.imag(), y.real);
}
}  // namespace

double assurance(const RotorMode &a, const RotorMode &b)
{
  if (vanishes(a) || vanishes(b))
    return assurance_of_mass(a, b);
  return std::min(1., std::abs(form(a, b) * form(b, a) / (form(a, a) * form(b, b))));
}

void take_out(RotorMode &a, const RotorMode &b)
{
  if (vanishes(b))
    return;
  const Complex bb = form(b, b), right = form(b, a) / bb, left = form(a, b) / bb;
  subtract(a.shape, right, b.shape);
  subtract(a.mass, right, b.mass);
  subtract(a.damping, right, b.damping);
  subtract(a.left, left, b.left);
  subtract(a.left_damping, left, b.left_damping);
}
}  // namespace symdyn
