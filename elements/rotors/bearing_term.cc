#include "elements/rotors/bearing_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "solver/error.h"

namespace symdyn
{
std::pair<BearingCoefficients::Matrix, BearingCoefficients::Matrix> BearingCoefficients::at(const double speed) const
{
  Matrix k = stiffness, c = damping;
  for (std::size_t i = 0; i < over_speed.size(); ++i)
    (i < k.size() ? k[i] : c[i - k.size()]) = over_speed[i](std::abs(speed));
  if (speed < 0.)
    for (Matrix *one : {&k, &c})
      std::swap((*one)[1], (*one)[2]);
  return {k, c};
}

bool BearingCoefficients::has(const double speed) const
{
  constexpr double a_little = 1e-3;  // a search looks beside a speed
  if (over_speed.empty() || beyond)
    return true;
  const std::vector<double> &speeds = over_speed.front().times();
  return std::abs(speed) >= speeds.front() * (1. - a_little) && std::abs(speed) <= speeds.back() * (1. + a_little);
}

std::string BearingCoefficients::range() const
{
  return fmt::format("{:g} to {:g}", over_speed.front().times().front(), over_speed.front().times().back());
}

BearingTerm::BearingTerm(RotorNode node, const int local, std::shared_ptr<const TurningFrame> of, BearingCoefficients given)
    : rotor_node(std::move(node)), local(local), frame(std::move(of)), coefficients(std::move(given))
{
  const auto [k, c] = coefficients.at(frame->speed);
  const double speed = frame->speed;
  const BearingCoefficients::Matrix K{k[0] + speed * c[1], k[1] - speed * c[0], k[2] + speed * c[3], k[3] - speed * c[2]};
  const double mean = 0.5 * (K[1] + K[2]), skew = 0.5 * (K[1] - K[2]);
  stiffness = in_space({K[0], mean, mean, K[3]});
  if (skew != 0.)
    circulation = in_space({0., skew, -skew, 0.});
  damping = in_space(c);
}

BearingTerm::Block BearingTerm::in_space(const BearingCoefficients::Matrix &m) const
{
  const auto e = frame->directions();
  Block B{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
          B[3 * i + j] += e[a][i] * m[2 * a + b] * e[b][j];
  return B;
}

Traits BearingTerm::traits() const
{
  Traits traits;
  traits.linear = traits.quadratic = true;
  traits.momentum_gradient = false;
  traits.damps = damping != Block{};
  traits.damping_couples = traits.damps;
  return traits;
}

void BearingTerm::add(const double factor, const Block &B, const Vector &x, Vector &r) const
{
  const int n = frame->dimension;
  for (int i = 0; owned() && i < n; ++i)
    for (int j = 0; j < n; ++j)
      r.local_element(n * rotor_node.site + i) += factor * B[3 * i + j] * x.local_element(n * rotor_node.site + j);
}

double BearingTerm::energy(const At &at) const
{
  double sum = 0.;
  const int n = frame->dimension;
  for (int i = 0; owned() && i < n; ++i)
    for (int j = 0; j < n; ++j)
      sum += at.q->local_element(n * rotor_node.site + i) * stiffness[3 * i + j] * at.q->local_element(n * rotor_node.site + j);
  return 0.5 * sum;
}

double BearingTerm::add_force(const At &at, Vector &f) const
{
  add(1., stiffness, *at.q, f);
  return always_admissible;
}

double BearingTerm::add_discrete_gradient(const At &at, Vector &f) const
{
  for (const Vector *q : {at.previous, at.q})
    add(0.5, stiffness, *q, f);
  return always_admissible;
}

void BearingTerm::add_product(const At &, const Weights &weights, const Vector &u, Vector &r) const
{
  add(weights.k, stiffness, u, r);
  add(weights.c, damping, u, r);
}

void BearingTerm::add_damping_force(const At &at, Vector &f) const { add(1., damping, *at.v, f); }

void BearingTerm::add_matrix(const At &at, const Weights &weights, const MatrixSink &sink) const
{
  add_matrix(at.previous ? 0.5 * weights.k : weights.k, stiffness, sink);
  add_matrix(weights.c, damping, sink);
}

void BearingTerm::add_matrix(const double factor, const Block &B, const MatrixSink &sink) const
{
  const int n = frame->dimension;
  for (int i = 0; local >= 0 && factor != 0. && i < n; ++i)
    for (int j = 0; j < n; ++j)
      sink.add(n * local + i, n * local + j, factor * B[3 * i + j]);
}

double BearingTerm::energy_scale() const { return owned() ? std::abs(stiffness[0]) + std::abs(stiffness[4]) + std::abs(stiffness[8]) : 0.; }

std::shared_ptr<Term> BearingTerm::at_speed(const double speed) const
{
  if (!coefficients.has(speed))
    throw InputError(
        fmt::format("{}: File: the rotor turns at {:g} rad/s, and the bearing has coefficients at {} rad/s. Add lines to the File, "
                    "change Speeds, or set Beyond = constant",
                    rotor_node.where, speed, coefficients.range()));
  return std::make_shared<BearingTerm>(rotor_node, local, frame->at_speed(speed), coefficients);
}

std::string BearingTerm::why_uneven() const
{
  const auto &[xx, xy, yx, yy] = coefficients.stiffness;
  std::vector<std::string> all;
  for (const auto &[is, what] : {std::pair{coefficients.damping != BearingCoefficients::Matrix{}, "Damping"},
                                 {xy != 0. || yx != 0., "k_xy"},
                                 {xx != yy, "k_xx and k_yy that differ"},
                                 {!coefficients.over_speed.empty(), "a File"},
                                 {coefficients.fixed, "Frame = fixed"}})
    if (is)
      all.emplace_back(what);
  return fmt::format("{}", fmt::join(all, " and "));
}

BearingForms BearingTerm::forms(const Vector &real, const Vector &imaginary) const
{
  BearingForms found{rotor_node.name};
  if (!owned())
    return found;
  const int n = frame->dimension;
  const auto [k, c] = coefficients.at(frame->speed);
  const auto form = [&](const BearingCoefficients::Matrix &m) {
    const Block B = in_space(m);
    const auto u = [&](const int i) {
      return std::complex<double>(real.local_element(n * rotor_node.site + i), imaginary.local_element(n * rotor_node.site + i));
    };
    std::complex<double> sum;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        sum += std::conj(u(i)) * B[3 * i + j] * u(j);
    return sum;
  };
  found.damping = form(c).real();
  found.turning = frame->speed * form({c[1], -c[0], c[3], -c[2]}).imag();
  found.cross = form(k).imag();
  found.stiffness = form(k).real();
  return found;
}
}  // namespace symdyn
