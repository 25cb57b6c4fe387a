#include "elements/rotors/bearing_term.h"

#include <fmt/format.h>

#include <cmath>

#include "solver/error.h"

namespace symdyn
{
std::array<double, 4> BearingCoefficients::at(const double speed) const
{
  std::array<double, 4> values = constant;
  for (std::size_t i = 0; i < over_speed.size(); ++i)
    values[i] = over_speed[i](std::abs(speed));
  if (speed < 0.)
    for (const int cross : {1, 3})
      values[cross] *= -1.;
  return values;
}

BearingTerm::BearingTerm(RotorNode node, const int local, std::shared_ptr<const TurningFrame> of, BearingCoefficients given)
    : rotor_node(std::move(node)), local(local), frame(std::move(of)), coefficients(std::move(given))
{
  const double speed = frame->speed;
  const auto [a, b, c, d] = coefficients.at(speed);
  stiffness = a + speed * d;
  circulation = speed * c - b;
  damping = {c, -d};
}

Traits BearingTerm::traits() const
{
  Traits traits;
  traits.linear = traits.quadratic = true;
  traits.momentum_gradient = false;
  traits.damps = damping != Parts{};
  traits.damping_couples = traits.damps;
  return traits;
}

void BearingTerm::add(const Parts &parts, const Vector &x, Vector &r) const
{
  if (!owned())
    return;
  const int n = frame->dimension;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      r.local_element(n * rotor_node.site + i) += entry(parts, i, j) * x.local_element(n * rotor_node.site + j);
}

double BearingTerm::energy(const At &at) const
{
  double sum = 0.;
  const int n = frame->dimension;
  for (int i = 0; owned() && i < n; ++i)
    for (int j = 0; j < n; ++j)
      sum += at.q->local_element(n * rotor_node.site + i) * frame->across(i, j) * at.q->local_element(n * rotor_node.site + j);
  return 0.5 * stiffness * sum;
}

double BearingTerm::add_force(const At &at, Vector &f) const
{
  add({stiffness, 0.}, *at.q, f);
  return always_admissible;
}

double BearingTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  for (const Vector *q : {at.previous, at.q})
    add({0.5 * stiffness, 0.}, *q, f);
  return always_admissible;
}

void BearingTerm::add_product(const At &, const Weights &weights, const Vector &u, Vector &r) const
{
  add({weights.k * stiffness + weights.c * damping.first, weights.c * damping.second}, u, r);
}

void BearingTerm::add_damping_force(const At &at, Vector &f) const { add(damping, *at.v, f); }

void BearingTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  const double k = at.previous ? 0.5 * weights.k : weights.k;
  add_matrix({k * stiffness + weights.c * damping.first, weights.c * damping.second}, sink);
}

void BearingTerm::add_matrix(const Parts &parts, const MatrixSink &sink) const
{
  const int n = frame->dimension;
  for (int i = 0; local >= 0 && i < n; ++i)
    for (int j = 0; j < n; ++j)
      sink.add(n * local + i, n * local + j, entry(parts, i, j));
}

double BearingTerm::energy_scale() const { return owned() ? std::abs(stiffness) * frame->dimension : 0.; }

std::shared_ptr<Term> BearingTerm::at_speed(const double speed) const
{
  constexpr double a_little = 1e-3;  // a search looks beside a speed
  if (std::abs(speed) > coefficients.last_speed() * (1. + a_little))
    throw InputError(
        fmt::format("{}: File: the rotor turns at {:g} rad/s, and the bearing has coefficients up to {:g} rad/s. Add lines to the File, or "
                    "end Speeds there",
                    rotor_node.where, speed, coefficients.last_speed()));
  return std::make_shared<BearingTerm>(rotor_node, local, frame->at_speed(speed), coefficients);
}

bool BearingTerm::is_uneven() const
{
  const auto [a, b, c, d] = coefficients.constant;
  return !coefficients.over_speed.empty() || b != 0. || c != 0. || d != 0.;
}
}  // namespace symdyn
