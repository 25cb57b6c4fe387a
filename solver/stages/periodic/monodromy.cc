#include "solver/stages/periodic/monodromy.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "solver/linear/eigen.h"
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
  return {std::move(found.vectors), std::move(found.values), true};
}

Shapes Shapes::of(const OrbitProblem &problem, const Modes &modes)
{
  Shapes found{modes.shapes, modes.squares, false};
  for (double &square : found.squares)
    square += std::pow(problem.w(), 2);
  return found;
}

Monodromy::Monodromy(const OrbitProblem &problem, const Orbit &orbit, const Shapes &shapes)
    : problem(problem), motion(problem, orbit, problem.steps)
{
  const Vector none = problem.whole.new_vector();
  for (const bool of_q : {true, false})
    for (std::size_t i = 0; i < shapes.shapes.size(); ++i)
    {
      Vector momentum = none;
      problem.whole.mass(shapes.shapes[i], momentum);
      problem.whole.project(momentum);
      const double size = std::sqrt(std::abs(shapes.squares[i]));  // an unstable state has negative ones
      Direction &x = directions.emplace_back(Direction{none, none, none, none});
      (of_q ? x.q : x.v).add(of_q ? 1. / size : 1., shapes.shapes[i]);
      (of_q ? x.to_q : x.to_v).add(of_q ? size : 1., momentum);
    }
  add_images();
}

std::vector<double> Monodromy::coordinates(const Vector &q, const Vector &v) const
{
  std::vector<double> own, sums(directions.size());
  const auto product = [](const Vector &a, const Vector &b) {
    return std::inner_product(a.begin(), a.begin() + a.locally_owned_size(), b.begin(), 0.);
  };
  for (const Direction &x : directions)
    own.push_back(product(x.to_q, q) + product(x.to_v, v));
  dealii::Utilities::MPI::sum(own, q.get_mpi_communicator(), sums);
  return sums;
}

void Monodromy::add_images()
{
  std::vector<State> tangents(directions.size() - images.size());
  for (std::size_t k = 0; k < tangents.size(); ++k)
  {
    tangents[k].q = directions[images.size() + k].q;
    tangents[k].v = directions[images.size() + k].v;
    tangents[k].q.update_ghost_values();
    tangents[k].v.update_ghost_values();
  }
  motion.linearise(tangents);
  images.insert(images.end(), std::make_move_iterator(tangents.begin()), std::make_move_iterator(tangents.end()));
  columns.clear();
  for (const State &image : images)
  {
    const std::vector<double> column = coordinates(image.q, image.v);
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
    const std::vector<double> parts = coordinates(x.q, x.v);
    for (std::size_t i = 0; i < parts.size(); ++i)
    {
      x.q.add(-parts[i], directions[i].q);
      x.v.add(-parts[i], directions[i].v);
    }
  }
  const double length = measure(x);
  if (!(length > nothing_new * before))
    return false;
  for (Vector *part : {&x.q, &x.v, &x.to_q, &x.to_v})
    *part *= 1. / length;
  return true;
}

double Monodromy::residual(const std::complex<double> &m, const std::vector<std::complex<double>> &x)
{
  const Vector none = problem.whole.new_vector();
  double square = 0., size = 0.;
  for (const bool real : {true, false})
  {
    Direction r{none, none, none, none};
    for (std::size_t i = 0; i < x.size(); ++i)
    {
      const std::complex<double> scaled = m * x[i];
      const double of_image = real ? x[i].real() : x[i].imag(), of_direction = real ? scaled.real() : scaled.imag();
      r.q.add(of_image, images[i].q, -of_direction, directions[i].q);
      r.v.add(of_image, images[i].v, -of_direction, directions[i].v);
      size += of_image * of_image;
    }
    square += std::pow(measure(r), 2);
    if (real || m.imag() != 0.)
      left.push_back(std::move(r));
  }
  return std::sqrt(square / size);
}

void Monodromy::extend()
{
  for (Direction &x : std::exchange(left, {}))
    if (make_orthonormal(x))
      directions.push_back(std::move(x));
  add_images();
}
}  // namespace symdyn
