#include "solver/stages/periodic/jacobian.h"

#include <deal.II/base/numbers.h>

#include <cmath>
#include <numeric>

#include "solver/dynamics/symplectic.h"
#include "solver/error.h"
#include "solver/linear/gmres.h"
#include "solver/linear/lu.h"
#include "solver/linear/many_products.h"

namespace symdyn
{
namespace
{
class DenseOrbitJacobian : public OrbitJacobian
{
public:
  DenseOrbitJacobian(const OrbitProblem &problem, const OrbitMotion &motion, const Shapes &shapes) : problem(problem), shapes(shapes)
  {
    std::vector<OrbitVector> changes;
    for (std::size_t part = 0; part < problem.zero().x.size(); ++part)
      for (std::size_t i = 0; i < shapes.shapes.size(); ++i)
      {
        changes.push_back(problem.zero());
        changes.back().x[part].add(1. / size(part, i), shapes.shapes[i]);
      }
    for (const OrbitVector &column : motion.derivative(changes))
      columns.push_back(of_residual(column));
  }
  OrbitVector solve(const OrbitVector &column, const OrbitVector &row, const OrbitVector &right) const override
  {
    std::vector<double> x = of_residual(right);
    x.push_back(right.p);
    factors(column, row).solve(x);
    OrbitVector result = problem.zero();
    const std::size_t n = shapes.shapes.size();
    for (std::size_t k = 0; k + 1 < x.size(); ++k)
      result.x[k / n].add(x[k] / size(k / n, k % n), shapes.shapes[k % n]);
    result.p = x.back();
    return result;
  }
  int sign(const OrbitVector &column, const OrbitVector &row) const override { return factors(column, row).sign(); }

private:
  /// Unknowns are q and v/w: coordinates of stiff shapes are those of their v.
  double size(const std::size_t part, const std::size_t i) const { return part == 0 ? shapes.stiff[i] / problem.w() : 1.; }
  std::vector<double> of_residual(const OrbitVector &r) const
  {
    std::vector<double> all;
    for (std::size_t part = 0; part < r.x.size(); ++part)
    {
      const bool of_q = part == 0 && !problem.half();
      const std::vector<double> values = products(shapes.momenta, r.x[part]);
      for (std::size_t i = 0; i < values.size(); ++i)
        all.push_back(of_q ? size(part, i) * values[i] : values[i]);
    }
    return all;
  }
  std::vector<double> of_row(const OrbitVector &row) const
  {
    std::vector<double> all;
    for (std::size_t part = 0; part < row.x.size(); ++part)
    {
      const std::vector<double> values = products(shapes.shapes, row.x[part]);
      for (std::size_t i = 0; i < values.size(); ++i)
        all.push_back(values[i] / size(part, i));
    }
    return all;
  }
  DenseFactors factors(const OrbitVector &column, const OrbitVector &row) const
  {
    const std::vector<double> last = of_residual(column), g = of_row(row);
    std::vector<double> matrix;
    for (std::size_t k = 0; k <= columns.size(); ++k)
    {
      const std::vector<double> &one = k < columns.size() ? columns[k] : last;
      matrix.insert(matrix.end(), one.begin(), one.end());
      matrix.push_back(k < columns.size() ? g[k] : row.p);
    }
    return {columns.size() + 1, std::move(matrix)};
  }

  const OrbitProblem &problem;
  const Shapes &shapes;
  std::vector<std::vector<double>> columns;
};

class KrylovOrbitJacobian : public OrbitJacobian
{
public:
  KrylovOrbitJacobian(const OrbitProblem &problem, std::shared_ptr<const OrbitMotion> of, const Modes &modes, const std::size_t followed)
      : problem(problem), motion(std::move(of)), modes(modes), followed(followed)
  {
    const int steps = problem.steps / 2;
    const double h = motion->orbit().period / problem.steps;
    std::vector<std::size_t> all(modes.size());
    std::iota(all.begin(), all.end(), 0);
    for (const auto &[a, b, c, d] : modal_steps(problem, modes, all, h))
    {
      double q = 1, v = 0;
      for (int k = 0; k < steps; ++k)
        std::tie(q, v) = std::pair(a * q + b * v, c * q + d * v);
      diagonal.push_back(v / problem.w());
    }
    const Vector x = without_modes(random_vector(problem.whole, 1)), Jx = product(x);
    rest = (x * Jx) / (x * x);
  }
  OrbitVector solve(const OrbitVector &column, const OrbitVector &row, const OrbitVector &right) const override
  {
    BorderedProblem bordered;
    bordered.multiply = [&](const Bordered &x, Bordered &y) {
      y.x = product(x.x);
      y.x.add(x.p, column.x[0]);
      y.p = row.x[0] * x.x + row.p * x.p;
    };
    bordered.precondition = [&](const Bordered &r, Bordered &x) { precondition(column, row, r, x); };
    bordered.tolerance = forcing;
    const auto [solution, iterations] = solve_bordered(bordered, {right.x[0], right.p});
    OrbitVector result = problem.zero();
    result.x[0] = solution.x;
    result.p = solution.p;
    return result;
  }
  int sign(const OrbitVector &, const OrbitVector &) const override { return 0; }

private:
  Vector product(const Vector &x) const
  {
    OrbitVector change = problem.zero();
    change.x[0] = x;
    problem.whole.project(change.x[0]);
    Vector y = motion->derivative({change})[0].x[0];
    problem.whole.project(y);
    return y;
  }
  Vector without_modes(Vector x) const
  {
    const std::vector<double> y = products(modes.momenta, x);
    for (std::size_t i = 0; i < modes.size(); ++i)
      x.add(-y[i], modes.shapes[i]);
    x.update_ghost_values();
    return x;
  }
  /// The followed mode and the parameter are coupled: of the linear body the first has no residual of its own.
  void precondition(const OrbitVector &column, const OrbitVector &row, const Bordered &r, Bordered &x) const
  {
    const std::vector<double> y = products(modes.momenta, r.x);
    x.x = without_modes(r.x);
    x.x *= 1. / rest;
    for (std::size_t i = 0; i < modes.size(); ++i)
      if (i != followed)
        x.x.add(y[i] / diagonal[i], modes.shapes[i]);
    const double a = diagonal[followed], b = modes.momenta[followed] * column.x[0], c = row.x[0] * modes.shapes[followed], d = row.p,
                 right = r.p - row.x[0] * x.x, determinant = a * d - b * c;
    x.x.add((d * y[followed] - b * right) / determinant, modes.shapes[followed]);
    x.p = (a * right - c * y[followed]) / determinant;
  }

  static constexpr double forcing = 1e-4;
  const OrbitProblem &problem;
  std::shared_ptr<const OrbitMotion> motion;
  const Modes &modes;
  std::size_t followed;
  std::vector<double> diagonal;
  double rest = 1;
};
}  // namespace

std::unique_ptr<OrbitJacobian> dense_jacobian(const OrbitProblem &problem, const OrbitMotion &motion, const Shapes &shapes)
{
  return std::make_unique<DenseOrbitJacobian>(problem, motion, shapes);
}

std::unique_ptr<OrbitJacobian> krylov_jacobian(const OrbitProblem &problem, std::shared_ptr<const OrbitMotion> motion, const Modes &modes,
                                               const std::size_t followed)
{
  return std::make_unique<KrylovOrbitJacobian>(problem, std::move(motion), modes, followed);
}

std::vector<ModalStep> modal_steps(const OrbitProblem &problem, const Modes &modes, const std::vector<std::size_t> &numbers, const double h)
{
  const Vector none = problem.whole.new_vector();
  const OrbitMotion rest(problem, {problem.rest, none, problem.steps * h, 0.}, 1);
  std::vector<State> tangents;
  for (const std::size_t i : numbers)
    for (const bool of_q : {true, false})
    {
      State &tangent = tangents.emplace_back();
      tangent.q = of_q ? modes.shapes[i] : none;
      tangent.v = of_q ? none : modes.shapes[i];
    }
  rest.linearise(tangents);
  std::vector<ModalStep> steps;
  for (std::size_t k = 0; k < numbers.size(); ++k)
  {
    const Vector &momentum = modes.momenta[numbers[k]];
    const State &of_q = tangents[2 * k], &of_v = tangents[2 * k + 1];
    steps.push_back({momentum * of_q.q, momentum * of_v.q, momentum * of_q.v, momentum * of_v.v});
  }
  return steps;
}

double dispersion(const OrbitProblem &problem, const Modes &modes, const std::size_t i)
{
  constexpr int most = 100;
  constexpr double rounding = 1e-13;
  const double angle = 2. * dealii::numbers::PI / problem.steps;
  double product = angle;
  for (int k = 0; k < most; ++k)
  {
    const auto [a, b, c, d] = modal_steps(problem, modes, {i}, product / modes.omega(i)).front();
    const double half_trace = 0.5 * (a + d) / std::sqrt(a * d - b * c), turned = std::acos(std::max(-1., std::min(1., half_trace)));
    const double before = std::exchange(product, product * angle / turned);
    if (std::abs(product - before) <= rounding * product)
      break;
  }
  return product / angle;
}
}  // namespace symdyn
