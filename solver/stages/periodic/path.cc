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

/// Free motions that are far from linear begin with a smaller amplitude of the mode, from which the path leads to the first value.
OrbitPath::Here OrbitPath::begin(const Orbit &guess, const double first, const OrbitVector &along) const
{
  constexpr int halvings = 6;
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
      return correct(nearer, k == 0 && first > 0. ? &first : nullptr, row);
    }
    catch (const ComputationError &error)
    {
      why = error.what();
    }
  throw ComputationError(fmt::format(
      "{}: none was found at the first value. {}", why,
      problem.half() ? "Begin with a smaller one, or raise \"Steps a period\"" : "Begin farther from resonance, or with a smaller load"));
}

const double *OrbitPath::next(const Here &here) const
{
  constexpr double same = 1e-7;
  const double *nearest = nullptr;
  for (const double &value : request.values)
  {
    const double ahead = (value - here.found.value) * here.slope;
    if (ahead > same * std::abs(value * here.slope) &&
        (!nearest || std::abs(value - here.found.value) < std::abs(*nearest - here.found.value)))
      nearest = &value;
  }
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

std::vector<FoundOrbit> OrbitPath::follow(const Orbit &guess, const double first, const OrbitVector &along)
{
  constexpr double first_step = 0.5, same = 1e-7;
  Here here = begin(guess, first, along);
  std::vector<FoundOrbit> all{here.found};
  double length = std::min(first_step, request.largest_step);
  const auto ends = [&] { return std::abs(here.found.value - request.values.back()) <= same * std::abs(request.values.back()); };
  if (!problem.half() && (request.values.back() - here.found.value) * here.slope < 0.)
  {
    here.tangent.p *= -1.;
    for (Vector &part : here.tangent.x)
      part *= -1.;
    here.slope *= -1.;
    here.sign *= -1;
  }
  while (!ends() && int(all.size()) < request.most_orbits)
  {
    Here there = step(here, length);
    there.found.turned = there.slope * here.slope < 0.;
    there.found.branched = there.sign * here.sign < 0;
    here = std::move(there);
    all.push_back(here.found);
    if (request.progress)
      request.progress(std::count_if(all.begin(), all.end(), [](const FoundOrbit &one) { return one.asked; }), request.values.size());
  }
  reached = ends();
  return all;
}
}  // namespace symdyn
