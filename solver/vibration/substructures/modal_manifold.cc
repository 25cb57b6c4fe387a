#include "solver/vibration/substructures/modal_manifold.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/vibration/linear_motion.h"

namespace symdyn
{
ModalManifold::ModalManifold(const MechanicalSystem &system, const double t, const Vector &q, const Modes &modes, Indices chosen,
                             const double length)
    : system(system), t(t), q(q), modes(modes), numbers(std::move(chosen)), length(length)
{
  for (std::size_t j = 0; j < size(); ++j)
    for (std::size_t i = 0; i <= j; ++i)
      forces.push_back(third(q, shape(i), shape(j)));
  const auto K = system.factor(symdyn::K, t, q, system.new_vector());
  for (const Vector &f : forces)
  {
    Vector right = f, one = system.new_vector();
    right *= -1.;
    K->solve(right, one, K->tolerance());
    for (std::size_t k = 0; k < size(); ++k)
      one.add(-(modes.momenta[numbers[k]] * one), shape(k));
    one.update_ghost_values();
    Ktheta.push_back(system.new_vector());
    tangent(system, t, q, one, Ktheta.back());
    theta.push_back(std::move(one));
  }
}

std::size_t ModalManifold::pair(const std::size_t i, const std::size_t j) const
{
  const auto [low, high] = std::minmax(i, j);
  return high * (high + 1) / 2 + low;
}

/// By V'''[a ± b, a ± b], a as long as b.
Vector ModalManifold::third(const Vector &at, const Vector &a, const Vector &b) const
{
  const double ratio = b.l2_norm() / a.l2_norm();
  Vector r = system.new_vector(), other = r;
  for (const double sign : {1., -1.})
  {
    Vector sum = a;
    sum.sadd(ratio, sign, b);
    sum.update_ghost_values();
    system.third_derivative(at, sum, sign > 0. ? r : other);
  }
  r -= other;
  r *= 0.25 / ratio;
  system.project(r);
  return r;
}

double ModalManifold::cubic(const std::array<std::size_t, 3> &i) const { return shape(i[2]) * forces[pair(i[0], i[1])]; }

double ModalManifold::quartic(const std::array<std::size_t, 4> &i, const bool condensed) const
{
  constexpr double part = 1e-3;  // of the length: rounding and, where V is no polynomial, truncation are both small
  const Vector &phi = shape(i[3]);
  const double step = part * length / phi.linfty_norm();
  double h = 0;
  for (const double sign : {1., -1.})
  {
    Vector beside = q;
    beside.add(sign * step, phi);
    beside.update_ghost_values();
    h += 0.5 * sign / step * (shape(i[2]) * third(beside, shape(i[0]), shape(i[1])));
  }
  if (condensed)
    for (const auto &[a, b, c, d] : {std::array{i[0], i[1], i[2], i[3]}, {i[0], i[2], i[1], i[3]}, {i[0], i[3], i[1], i[2]}})
      h -= theta[pair(a, b)] * Ktheta[pair(c, d)];
  return h;
}

double ModalManifold::backbone(const std::size_t i, const bool with_theta) const
{
  const double square_i = square(i);
  double sum = quartic({i, i, i, i}, with_theta) / 8.;
  for (std::size_t j = 0; j < size(); ++j)
  {
    const double g = modes.shapes[numbers[j]] * forces[pair(i, i)];
    sum -= g * g * (0.25 / square(j) + 0.125 / (square(j) - 4. * square_i));
  }
  if (with_theta)
  {
    Vector Mtheta = system.new_vector();
    system.mass(derivative(i, i), Mtheta);
    sum -= 0.5 * square_i * (derivative(i, i) * Mtheta);
  }
  return sum / square_i;
}

Vector ModalManifold::solved(const Vector &f, const double shift) const
{
  Vector right = f, w = system.new_vector();
  right *= -0.25;
  const auto A = system.factor(-shift * M + K, t, q, system.new_vector());
  A->solve(right, w, A->tolerance());
  return w;
}

double ModalManifold::backbone_of_body(const std::size_t i) const
{
  const Vector &f = forces[pair(i, i)];
  Vector w = solved(f, 4. * square(i));
  w *= 0.5;
  w += solved(f, 0.);
  return (quartic({i, i, i, i}, false) / 8. + f * w) / square(i);
}

double ModalManifold::distance_from_resonance(const std::size_t i) const
{
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < modes.size(); ++j)
    nearest = std::min(nearest, std::abs(0.5 * modes.omega(j) / modes.omega(numbers[i]) - 1.));
  return nearest;
}
}  // namespace symdyn
