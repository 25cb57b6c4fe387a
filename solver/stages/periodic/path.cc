#include "solver/stages/periodic/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"

namespace symdyn
{
OrbitPath::OrbitPath(const OrbitProblem &problem, OrbitMeasure measure, PathRequest request, MakeJacobian make_jacobian)
    : problem(problem), measure(std::move(measure)), request(std::move(request)), make_jacobian(std::move(make_jacobian))
{
}

OrbitVector OrbitPath::weighed(const OrbitVector &tangent, const double size) const
{
  OrbitVector row = tangent;
  for (Vector &part : row.x)
    part *= 1. / (size * size);
  return row;
}

double OrbitPath::product(const OrbitVector &row, const OrbitVector &x) const
{
  double sum = row.p * x.p;
  for (std::size_t i = 0; i < x.x.size(); ++i)
    sum += row.x[i] * x.x[i];
  return sum;
}

OrbitPath::Here OrbitPath::correct(Orbit orbit, const double *value, const OrbitVector &row) const
{
  constexpr int most = 12, near = 2;  // iterations: of a good predictor
  constexpr double hopeless = 1e3;
  Here here;
  std::unique_ptr<OrbitJacobian> J;
  OrbitVector column;
  double first = 0;
  for (int k = 0;; ++k)
  {
    if (request.stop && request.stop())
      throw Interrupted("the path of periodic motions was stopped");
    const auto motion = std::make_shared<const OrbitMotion>(shoot(problem, orbit));
    OrbitVector right = motion->residual();
    here.size = motion->size();
    here.found.residual = std::sqrt(product(right, right)) / here.size;
    for (Vector &part : right.x)
      part *= -1.;
    here.found.newton = k;
    if (k == 0)
      first = std::max(here.found.residual, 1.);
    right.p = value ? *value - measure.value(orbit) : 0.;
    const bool ends = here.found.residual <= request.tolerance && (!value || std::abs(right.p) <= request.tolerance * std::abs(*value));
    if (!ends && (k == most || !(here.found.residual <= hopeless * first)))
      throw ComputationError(fmt::format("periodic motion: Newton's method ends at |r| = {:.2g} of the amplitude", here.found.residual));
    const bool afresh = ends && k > near;
    if (k == 0 || afresh)  // else it changes little on the way, and costs two motions
      column = motion->parameter_derivative();
    if (!ends || !J || afresh)
      J = make_jacobian(motion);
    if (ends)
      break;
    orbit = problem.moved(orbit, J->solve(column, value ? measure.gradient(orbit) : row, right));
  }
  here.found.orbit = orbit;
  here.found.value = measure.value(orbit);
  here.found.asked = value != nullptr;
  set_tangent(*J, column, row, here);
  return here;
}

void OrbitPath::set_tangent(const OrbitJacobian &J, const OrbitVector &column, const OrbitVector &row, Here &here) const
{
  OrbitVector along = problem.zero();
  along.p = 1.;
  here.tangent = J.solve(column, row, along);
  const double length = std::sqrt(product(weighed(here.tangent, here.size), here.tangent));
  for (Vector &part : here.tangent.x)
    part *= 1. / length;
  here.tangent.p *= 1. / length;
  here.slope = product(measure.gradient(here.found.orbit), here.tangent);
  here.sign = J.sign(column, weighed(here.tangent, here.size));
}

void OrbitPath::require_one_swing(const Orbit &orbit, const Vector &along) const
{
  constexpr double back = 0.1;  // of the speed: what other modes may do
  Vector momentum = problem.whole.new_vector(), u = orbit.q;
  problem.whole.mass(along, momentum);
  u -= problem.rest;
  const double sign = u * momentum > 0. ? 1. : -1.;
  const OrbitMotion motion = shoot(problem, orbit);
  double slowest = 0, fastest = 0;
  for (const State &state : motion.states())
  {
    const double speed = -sign * (state.v * momentum);
    slowest = std::min(slowest, speed);
    fastest = std::max(fastest, speed);
  }
  u = motion.states().back().q;
  u -= problem.rest;
  if (-slowest > back * fastest || sign * (u * momentum) >= 0.)
    throw ComputationError("periodic motion: Newton's method ends at several periods of one");
}

/// Free motions that are far from linear begin with a smaller amplitude of the mode, from which the path leads to the first value.
OrbitPath::Here OrbitPath::begin(const Orbit &guess, const double first, const OrbitVector &along) const
{
  constexpr int halvings = 12;
  double square = 0;
  for (const Vector &part : along.x)
    square += part * part;
  const OrbitVector row = weighed(along, square > 0. ? std::sqrt(square) : 1.);
  std::string why;
  for (int k = 0; k <= (problem.half() ? halvings : 0); ++k)
    try
    {
      Orbit nearer = guess;
      nearer.q.sadd(std::pow(0.5, k), 1. - std::pow(0.5, k), problem.rest);
      nearer.q.update_ghost_values();
      Here here = correct(nearer, k == 0 && first > 0. ? &first : nullptr, row);
      if (problem.half())
        require_one_swing(here.found.orbit, along.x[0]);
      if (here.found.asked || first == 0. || here.found.value < first)
        return here;
      why = "periodic motion: Newton's method ends beyond the first value";
    }
    catch (const ComputationError &error)
    {
      why = error.what();
    }
  throw ComputationError(fmt::format(
      "{}: none was found at the first value. {}", why,
      problem.half() ? "Begin with a smaller one, or raise \"Steps a period\"" : "Begin farther from resonance, or with a smaller load"));
}

bool OrbitPath::same(const double a, const double b)
{
  constexpr double part = 1e-7;
  return std::abs(a - b) <= part * std::abs(b);
}

const double *OrbitPath::next(const Here &here) const
{
  const double *nearest = nullptr;
  for (const double &value : request.values)
    if ((value - here.found.value) * here.slope > 0. && !same(here.found.value, value) &&
        (!nearest || std::abs(value - here.found.value) < std::abs(*nearest - here.found.value)) &&
        (!leads || &value == &request.values.front()))
      nearest = &value;
  return nearest;
}

OrbitPath::Here OrbitPath::step(const Here &here, double &length)
{
  constexpr double far = 1.2, shortest = 1e-5, growth = 1.6;
  constexpr int easy = 4;
  for (;; length *= 0.5)
  {
    if (length < shortest)
      throw ComputationError(fmt::format(
          "periodic motion: no orbit follows the one with the value {:.8g}: steps of {:.1g} of its amplitude fail. Raise Steps a period",
          here.found.value, length));
    const OrbitVector row = weighed(here.tangent, here.size);
    const auto predicted = [&](const double ds) { return problem.moved(here.found.orbit, here.tangent, ds); };
    const double *value = next(here);
    const double to_value = value ? (*value - here.found.value) / here.slope : 0.;
    const bool aims = value && to_value <= far * length;
    try
    {
      Here there = correct(predicted(aims ? to_value : length), aims ? value : nullptr, row);
      constexpr double bends = 0.3;  // of a cosine: farther it may be another family
      if (product(row, there.tangent) < bends * std::sqrt(product(weighed(there.tangent, here.size), there.tangent)))
        continue;
      constexpr double jumps = 2.;  // lengths, and sizes: so does what Newton's method finds elsewhere
      const OrbitVector change = problem.change(here.found.orbit, there.found.orbit);
      if (std::sqrt(product(weighed(change, here.size), change)) > jumps * length || there.size > jumps * here.size ||
          here.size > jumps * there.size)
        continue;
      const bool crosses = value && !aims && (there.found.value - *value) * here.slope > 0.;
      if (crosses)
        continue;
      if (there.found.newton <= easy)
        length = std::min(length * growth, request.largest_step);
      return there;
    }
    catch (const ComputationError &)
    {
    }
  }
}

void OrbitPath::take(const Here &here)
{
  ++taken;
  for (std::size_t k = 0; k < met.size(); ++k)
    met[k] = met[k] || (here.found.asked && same(here.found.value, request.values[k]));
  if (request.found)
    request.found(here.found);
}

void OrbitPath::turn(Here &here) const
{
  here.tangent.p *= -1.;
  for (Vector &part : here.tangent.x)
    part *= -1.;
  here.slope *= -1.;
  here.sign *= -1;
}

void OrbitPath::require_approach(const Here &here, const double begun) const
{
  constexpr double lost = 2.;  // a backbone curve may turn back before
  const double first = request.values.front();
  if (std::abs(first - here.found.value) < lost * std::abs(first - begun) || (first - begun) * (here.found.value - begun) > 0.)
    return;
  const bool rises = here.found.value > begun;
  throw ComputationError(fmt::format(
      "periodic motion: the {} {} with the amplitude here, from {:.6g} to {:.6g}: values {} {:.6g} are not reached. Ask for others",
      measure.name, rises ? "rises" : "falls", begun, here.found.value, rises ? "below" : "above", begun));
}

void OrbitPath::follow(const Orbit &guess, const double first, const OrbitVector &along)
{
  constexpr double first_step = 0.5;
  met.assign(request.values.size(), false);
  Here here = begin(guess, first, along);
  take(here);
  const double begun = here.found.value, last = request.values.back();
  double length = std::min(first_step, request.largest_step);
  leads = true;
  for (;;)
  {
    if (leads && met.front())
    {
      leads = false;
      if ((last - here.found.value) * here.slope < 0.)
        turn(here);
    }
    if ((!leads && same(here.found.value, last)) || taken >= request.most_orbits)
      return;
    if (leads)
      require_approach(here, begun);
    Here there = step(here, length);
    there.found.turned = there.slope * here.slope < 0.;
    there.found.branched = there.sign * here.sign < 0;
    here = std::move(there);
    take(here);
  }
}

bool OrbitPath::complete() const
{
  return !met.empty() && std::all_of(met.begin(), met.end(), [](const bool one) { return one; });
}
}  // namespace symdyn
