#include "solver/stages/periodic/monodromy.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "solver/linear/eigen.h"
#include "solver/linear/many_products.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
namespace
{
/// y = (K + w² M) x, and Mx.
void stiff_product(const OrbitProblem &problem, const Vector &x, Vector &y, Vector &Mx)
{
  x.update_ghost_values();
  problem.whole.stiffness(problem.rest, x, y);
  problem.whole.mass(x, Mx);
  y.add(std::pow(problem.w(), 2), Mx);
  problem.whole.project(y);
  problem.whole.project(Mx);
}
}  // namespace

Shapes Shapes::of_all(const OrbitProblem &problem, const std::vector<Vector> &basis)
{
  EigenProblem at_rest;
  Vector Mx = problem.whole.new_vector();
  at_rest.start = problem.whole.new_vector();
  at_rest.K = [&](const Vector &x, Vector &y) { stiff_product(problem, x, y, Mx); };
  at_rest.M = [&](const Vector &x, Vector &y) {
    problem.whole.mass(x, y);
    problem.whole.project(y);
  };
  EigenPairs found = all_eigenvalues(at_rest, basis);
  std::vector<Vector> momenta;
  for (const Vector &shape : found.vectors)
  {
    momenta.push_back(problem.whole.new_vector());
    shape.update_ghost_values();
    at_rest.M(shape, momenta.back());
  }
  for (double &value : found.values)
    value = std::sqrt(std::abs(value));  // an unstable state has negative ones
  const double stiffest = found.values.empty() ? 0. : *std::max_element(found.values.begin(), found.values.end());
  return {std::move(found.vectors), std::move(momenta), std::move(found.values), stiffest, true};
}

Shapes Shapes::of(const OrbitProblem &problem, const Modes &modes)
{
  const double square = std::pow(problem.w(), 2);
  Shapes found{modes.shapes, modes.momenta, modes.squares, std::sqrt(modes.largest_square + square), false};
  for (double &value : found.stiff)
    value = std::sqrt(std::abs(value + square));
  return found;
}

Monodromy::Monodromy(const OrbitProblem &problem, const Orbit &orbit, const Shapes &shapes)
    : problem(problem), motion(problem, orbit, problem.steps)
{
  const Vector none = problem.whole.new_vector();
  for (const bool of_q : {true, false})
    for (std::size_t i = 0; i < shapes.shapes.size(); ++i)
    {
      const double size = of_q ? shapes.stiff[i] : 1.;
      Direction x{none, none, none, none};
      (of_q ? x.q : x.v).add(1. / size, shapes.shapes[i]);
      (of_q ? x.to_q : x.to_v).add(size, shapes.momenta[i]);
      append(std::move(x));
    }
  add_images();
}

void Monodromy::append(Direction x)
{
  q.push_back(std::move(x.q));
  v.push_back(std::move(x.v));
  to_q.push_back(std::move(x.to_q));
  to_v.push_back(std::move(x.to_v));
}

std::vector<double> Monodromy::coordinates(const Vector &of_q, const Vector &of_v) const
{
  std::vector<double> all = products(to_q, of_q);
  const std::vector<double> others = products(to_v, of_v);
  std::transform(all.begin(), all.end(), others.begin(), all.begin(), std::plus<>());
  return all;
}

void Monodromy::add_images()
{
  std::vector<State> tangents;
  for (std::size_t k = image_q.size(); k < q.size(); ++k)
  {
    State &tangent = tangents.emplace_back();
    tangent.q = q[k];
    tangent.v = v[k];
    tangent.q.update_ghost_values();
    tangent.v.update_ghost_values();
  }
  motion.linearise(tangents);
  for (State &tangent : tangents)
  {
    image_q.push_back(std::move(tangent.q));
    image_v.push_back(std::move(tangent.v));
  }
  columns.clear();
  for (std::size_t k = 0; k < q.size(); ++k)
  {
    const std::vector<double> column = coordinates(image_q[k], image_v[k]);
    columns.insert(columns.end(), column.begin(), column.end());
  }
}

double Monodromy::measure(Direction &x) const
{
  Vector unused = problem.whole.new_vector();
  stiff_product(problem, x.q, x.to_q, unused);
  x.v.update_ghost_values();
  problem.whole.mass(x.v, x.to_v);
  problem.whole.project(x.to_v);
  return std::sqrt(std::max(0., x.q * x.to_q + x.v * x.to_v));
}

bool Monodromy::make_orthonormal(Direction &x) const
{
  constexpr double nothing_new = 1e-8;
  const double before = measure(x);
  for (int pass = 0; pass < 2; ++pass)
  {
    std::vector<double> parts = coordinates(x.q, x.v);
    for (double &part : parts)
      part = -part;
    add_many<1>(q, {&parts}, {&x.q});
    add_many<1>(v, {&parts}, {&x.v});
  }
  const double length = measure(x);
  if (!(length > nothing_new * before))
    return false;
  for (Vector *part : {&x.q, &x.v, &x.to_q, &x.to_v})
    *part *= 1. / length;
  return true;
}

double Monodromy::residual(const std::complex<double> &m, const std::vector<std::complex<double>> &x, const double sharp)
{
  const Vector none = problem.whole.new_vector();
  std::vector<Direction> parts;
  double square = 0., size = 0.;
  for (const bool real : {true, false})
  {
    std::vector<double> of_images, of_directions;
    for (const std::complex<double> &part : x)
    {
      of_images.push_back(real ? part.real() : part.imag());
      of_directions.push_back(real ? -(m * part).real() : -(m * part).imag());
      size += of_images.back() * of_images.back();
    }
    Direction r{none, none, none, none};
    add_many<1>(image_q, {&of_images}, {&r.q});
    add_many<1>(image_v, {&of_images}, {&r.v});
    add_many<1>(q, {&of_directions}, {&r.q});
    add_many<1>(v, {&of_directions}, {&r.v});
    square += std::pow(measure(r), 2);
    if (real || m.imag() != 0.)
      parts.push_back(std::move(r));
  }
  const double relative = std::sqrt(square / size);
  if (relative > sharp)
    kept.insert(kept.end(), std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
  return relative;
}

bool Monodromy::extend()
{
  const std::size_t before = size();
  for (Direction &x : std::exchange(kept, {}))
    if (make_orthonormal(x))
      append(std::move(x));
  if (size() == before)
    return false;
  add_images();
  return true;
}
}  // namespace symdyn
