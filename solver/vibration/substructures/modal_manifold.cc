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

Vector ModalManifold::fourth(const std::size_t i, const std::size_t j, const std::size_t k) const
{
  constexpr double part = 1e-3;  // of the length: rounding and, where V is no polynomial, truncation are both small
  const Vector &phi = shape(k);
  const double step = part * length / phi.linfty_norm();
  Vector h = system.new_vector();
  for (const double sign : {1., -1.})
  {
    Vector beside = q;
    beside.add(sign * step, phi);
    beside.update_ghost_values();
    h.add(0.5 * sign / step, third(beside, shape(i), shape(j)));
  }
  return h;
}

double ModalManifold::quartic(const std::array<std::size_t, 4> &i, const bool condensed) const
{
  double h = shape(i[2]) * fourth(i[0], i[1], i[3]);
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

std::vector<ModalManifold::Resonance> ModalManifold::driven(const std::size_t i, const int n, const double near, const int degree,
                                                            const std::function<Vector()> &force) const
{
  constexpr double of_force = 1e-7, of_linear = 1e-9;
  std::vector<Resonance> found;
  for (std::size_t j = 0; j < modes.size(); ++j)
    if (const double distance = std::abs(modes.omega(j) / (n * modes.omega(numbers[i])) - 1.); j != numbers[i] && distance < near)
      found.push_back({j, n, distance});
  if (found.empty())
    return found;
  const Vector F = force();
  Vector a = system.new_vector();
  system.mass_solve(F, a);
  const double amplitude = length / shape(i).linfty_norm(),  // that of a motion as wide as the body
      least = std::max(of_force * std::sqrt(std::max(0., F * a)), of_linear * square(i) / std::pow(amplitude, degree - 1));
  const auto rests = [&](const Resonance &one) { return std::abs(modes.shapes[one.mode] * F) <= least; };
  found.erase(std::remove_if(found.begin(), found.end(), rests), found.end());
  return found;
}

std::vector<ModalManifold::Resonance> ModalManifold::resonances(const std::size_t i, const double near) const
{
  const Vector &f = forces[pair(i, i)];
  std::vector<Resonance> all = driven(i, 2, near, 2, [&] {
    Vector F = f;
    F *= 0.25;
    return F;
  });
  if (!all.empty())
    return all;
  for (const int n : {1, 3})
  {
    const auto one = driven(i, n, near, 3, [&] {
      Vector F = fourth(i, i, i), w = solved(f, 4. * square(i));
      F *= n == 1 ? 1. / 8. : 1. / 24.;
      w *= 0.5;
      if (n == 1)
        w += solved(f, 0.);
      if (w.l2_norm() > 0.)
        F += third(q, shape(i), w);
      return F;
    });
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}
}  // namespace symdyn
