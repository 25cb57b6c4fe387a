#include "solver/vibration/complex_modes.h"

#include <deal.II/base/numbers.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/linear/quadratic.h"
#include "solver/parameters.h"
#include "solver/vibration/modes_search.h"

namespace symdyn
{
namespace
{
constexpr double two_pi = 2. * dealii::numbers::PI;
/// Of the highest circular frequency: where a search of a free body is, and what of its lambda is rounding.
constexpr double part_of_highest = 1e-4, nothing = 1e-6;
constexpr double usual = 1e-3;    ///< of the highest circular frequency: the first one, about
constexpr double growing = 1e-9;  ///< Re lambda of |lambda| beyond which a motion grows

/// x*Ax of a complex vector, and |Ax|.
struct Product
{
  std::complex<double> quotient;
  double length = 0;
  Product() = default;
  Product(const ComplexVector &u, const ComplexVector &Au)
      : quotient(u.real * Au.real + u.imaginary * Au.imaginary, u.real * Au.imaginary - u.imaginary * Au.real),
        length(std::hypot(Au.real.l2_norm(), Au.imaginary.l2_norm()))
  {
  }
};

class ComplexSearch
{
public:
  ComplexSearch(const MechanicalSystem &system, const double t, const Vector &q, const ComplexModesRequest &request)
      : request(request),
        pencil(system, t, q),
        highest(std::sqrt(std::max(largest_square(Pencil(system, t, q, false)), size_of_tangent(pencil)))),
        motions(rigid_motions(system, q))
  {
  }

  ComplexModes run()
  {
    if (!(highest > 0.))
      throw ComputationError("complex modes: nothing has a stiffness here (K = 0). Add springs, bodies or bearings that have one");
    QuadraticProblem problem = make();
    constexpr unsigned int small = 600;
    const bool most = std::size_t(request.number) + 1 >= pencil.rest.size() / 4;
    if (pencil.rest.size() <= (most ? small : request.dense))
    {
      take(quadratic_all(problem, free_motions(pencil.system)));
      modes.all = true;
    }
    else
      search(problem);
    cut();
    for (std::size_t i = 0; i < modes.size(); ++i)
      describe(i);
    return std::move(modes);
  }

private:
  void damping(const Vector &x, Vector &y) const
  {
    if (pencil.system.has(Feature::damping))
    {
      pencil.system.damping_force(pencil.q, x, y);
      pencil.system.project(y);
    }
    else
      y = 0.;
  }
  QuadraticProblem make()
  {
    QuadraticProblem problem;
    const EigenProblem of_pencil = pencil.problem();
    problem.M = of_pencil.M;
    problem.K = of_pencil.K;
    problem.C = [this](const Vector &x, Vector &y) { damping(x, y); };
    problem.start = of_pencil.start;
    move(problem, request.shift != 0. ? request.shift : request.near != 0. || !is_free() ? request.near : part_of_highest * highest);
    problem.stop = request.stop;
    problem.progress = request.progress;
    return problem;
  }
  void move(QuadraticProblem &problem, const double to) const
  {
    problem.shift = to;
    problem.scale = request.shift != 0. ? std::abs(to) : std::max(std::abs(to), usual * highest);
  }
  /// About shifts that go farther from a pole of S, until the search converges.
  QuadraticPairs pairs_near(QuadraticProblem &problem, const int number) const
  {
    constexpr int shifts = 3, few = 50;
    constexpr double farther = 10.;
    const int many = QuadraticProblem().cycles;
    for (int k = 1;; ++k)
      try
      {
        problem.cycles = k == shifts || request.near != 0. ? many : few;
        return pairs_about(problem, number);
      }
      catch (const ComputationError &)
      {
        if (problem.cycles == many)
          throw;
        move(problem, std::max(farther * std::abs(problem.shift), part_of_highest * highest));
      }
  }
  QuadraticPairs pairs_about(QuadraticProblem &problem, const int number) const
  {
    const double tight = 1e-12, s = problem.shift;
    const auto factored = pencil.system.factor(s * s * M + s * C + K, pencil.t, pencil.q, pencil.rest);
    const double tolerance = std::min(factored->tolerance(), tight);
    problem.solve = [&](const Vector &x, Vector &y) { factored->solve(x, y, tolerance); };
    QuadraticPairs pairs = quadratic_near(problem, number);
    for (std::size_t i = 0; i < pairs.values.size(); ++i)
      purify(problem, pairs.values[i], pairs.vectors[i]);
    return pairs;
  }
  /// u = -(lambda - s) Q(s)^-1 ((lambda + s) M + C) u of an exact pair: rounding of the Krylov space in stiff directions, which Q u shows,
  /// is gone after one of these (Nour-Omid, Parlett, Ericsson, Jensen 1987).
  void purify(const QuadraticProblem &problem, const std::complex<double> &lambda, ComplexVector &u) const
  {
    const std::complex<double> sum = lambda + problem.shift, factor = problem.shift - lambda;
    ComplexVector force{pencil.rest, pencil.rest}, part = force;
    for (const auto &[product, by] : {std::pair(&problem.M, factor * sum), {&problem.C, factor}})
    {
      (*product)(u.real, part.real);
      (*product)(u.imaginary, part.imaginary);
      force.real.add(by.real(), part.real, -by.imag(), part.imaginary);
      force.imaginary.add(by.real(), part.imaginary, by.imag(), part.real);
    }
    problem.solve(force.real, u.real);
    problem.solve(force.imaginary, u.imaginary);
  }
  /// Equal pairs look like one to a Krylov space in its first cycles: where a factorisation counts more, more are searched for.
  void search(QuadraticProblem &problem)
  {
    constexpr int most = 3;
    const bool counts = request.count && request.near == 0.;
    for (int k = 0, number = request.number + (counts ? 1 : 0); k < most; ++k, number *= 2)
    {
      if (number >= int(pencil.rest.size() / 4))
        break;
      modes = {};
      take(pairs_near(problem, number));
      if (counts)
        count();
      if (modes.counted < 0. || modes.below >= modes.counted)
        return;
    }
    if (modes.size() == 0)
      throw InputError("Modes: more than a quarter of the degrees of freedom. Ask for fewer");
  }
  /// Whether supports and stiffness leave a rigid motion: an eigenvalue of K/omega_max² and of what supports hold, on these motions, is 0.
  bool is_free() const
  {
    constexpr double none = 1e-10;
    if (motions.empty())
      return false;
    double largest = 0;
    for (const Vector &motion : motions)
      largest = std::max(largest, motion * motion);
    Vector held = pencil.rest;
    EigenProblem resistance;
    resistance.start = pencil.rest;
    resistance.M = [this](const Vector &x, Vector &y) { pencil.system.mass(x, y); };
    resistance.K = [&](const Vector &x, Vector &y) {
      tangent(pencil.system, pencil.t, pencil.q, x, y);  // a critical speed takes the stiffness away
      y *= 1. / (highest * highest);
      held = x;
      pencil.system.project_prescribed(held);
      y.add(1. / largest, held);
    };
    const std::vector<double> values = all_eigenvalues(resistance, motions, int(motions.size())).values;
    return std::any_of(values.begin(), values.end(), [&](const double value) { return std::abs(value) < none; });
  }
  double distance(const std::complex<double> &value) const { return std::abs(value - (request.near != 0. ? request.near : request.shift)); }
  /// The nearest first, with the rigid motions of a free body apart: lambda = 0 is a defective pair, which rounding splits.
  void take(QuadraticPairs pairs)
  {
    std::vector<std::size_t> order(pairs.values.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](const std::size_t i, const std::size_t j) { return distance(pairs.values[i]) < distance(pairs.values[j]); });
    for (const std::size_t i : order)
      if (std::abs(pairs.values[i]) < nothing * highest && is_rigid(pairs.vectors[i]))
      {
        const double size = square(pairs.vectors[i].real) + square(pairs.vectors[i].imaginary);
        take_rigid(pairs.vectors[i].real, size);
        take_rigid(pairs.vectors[i].imaginary, size);
      }
      else
        add(pairs.values[i], std::move(pairs.vectors[i]));
  }
  void add(const std::complex<double> &value, ComplexVector &&shape)
  {
    // What K rounds of lambda², over lambda; and the matrix of first order, which is scaled by `usual` of the highest circular frequency.
    const double rounding = 4. * std::numeric_limits<double>::epsilon() * highest *
                            std::max(highest / std::max(std::abs(value), growing * highest), 1. / usual);
    const auto kind = value.real() > std::max(growing * std::abs(value), rounding)
                          ? (value.imag() == 0. ? ComplexModes::divergence : ComplexModes::flutter)
                      : value == 0.        ? ComplexModes::rigid
                      : value.imag() == 0. ? ComplexModes::overdamped
                                           : ComplexModes::oscillates;
    modes.values.push_back(value);
    modes.shapes.push_back(std::move(shape));
    modes.kinds.push_back(kind);
  }
  double square(const Vector &x) const
  {
    Vector Mx = pencil.rest;
    pencil.mass(x, Mx);
    return x * Mx;
  }
  /// A heavy disc on a light shaft moves like a rigid body, too, but supports or the stiffness resist that.
  bool is_rigid(const ComplexVector &u) const
  {
    constexpr double all = 0.999, rounding = 1e-10;  // of K of a rigid motion, whose terms cancel
    const double size = square(u.real) + square(u.imaginary);
    Vector force = pencil.rest;
    double part = 0;
    for (const Vector *x : {&u.real, &u.imaginary})
    {
      const Vector nearest = nearest_rigid(pencil.system, motions, *x);
      const double moved = square(nearest);
      part += moved;
      if (moved <= (1. - all) * size)
        continue;
      nearest.update_ghost_values();
      pencil.stiffness(nearest, force);
      if (!is_left_by_supports(pencil.system, nearest) ||
          std::abs(nearest * force) > rounding * terms_of_square(pencil.system, pencil.q, nearest))
        return false;
    }
    return part > all * size;
  }
  /// What is not yet in the span of those that are known. `size`: the square of the whole complex shape.
  void take_rigid(Vector shape, const double size)
  {
    constexpr double dependent = 1e-3;
    Vector Mx = pencil.rest;
    for (int twice = 0; twice < 2; ++twice)
      for (const Vector &other : rigid)
        shape.add(-(other * (pencil.mass(shape, Mx), Mx)), other);
    const double left = square(shape);
    if (left <= dependent * dependent * size)
      return;
    shape *= 1. / std::sqrt(left);
    shape.update_ghost_values();
    rigid.push_back(shape);
    Vector none = pencil.rest;
    add(0., {std::move(shape), std::move(none)});
  }
  /// Undamped modes up to a place between the last two |lambda| that differ.
  void count()
  {
    constexpr double distinct = 1e-6;
    std::size_t last = modes.size();
    while (last > 1 && std::abs(modes.values[last - 1]) - std::abs(modes.values[last - 2]) < distinct * std::abs(modes.values[last - 1]))
      --last;
    if (last < 2)
      return;
    // Behind those that are wanted the widest gap: a frame that turns parts pairs of one undamped frequency.
    const auto gap = [this](const std::size_t i) { return std::abs(modes.values[i - 1]) - std::abs(modes.values[i - 2]); };
    for (std::size_t i = last; --i > std::size_t(request.number);)
      if (gap(i) > gap(last))
        last = i;
    modes.place = 0.5 * (std::abs(modes.values[last - 2]) + std::abs(modes.values[last - 1]));
    modes.counted = double(pencil.shifted(modes.place * modes.place)->negative_eigenvalues());
    modes.below = 0.;
    for (std::size_t i = 0; i + 1 < last; ++i)
      modes.below += modes.values[i].imag() == 0. && modes.kinds[i] != ComplexModes::rigid ? 0.5 : 1.;
  }
  void cut()
  {
    const std::size_t most = std::min(modes.size(), std::size_t(request.number));
    modes.values.resize(most);
    modes.shapes.resize(most);
    modes.kinds.resize(most);
  }
  /// Turned so that the real part is as large as it can be, and scaled.
  void turn(ComplexVector &u) const
  {
    const double real = u.real * u.real - u.imaginary * u.imaginary, imaginary = 2. * (u.real * u.imaginary);
    const double angle = -0.5 * std::atan2(imaginary, real), c = std::cos(angle), s = std::sin(angle);
    const Vector first = u.real;
    u.real.sadd(c, -s, u.imaginary);
    u.imaginary.sadd(c, s, first);
    Vector turned = u.real;
    turn_shape(pencil.system, turned);
    const double scale = (turned * u.real < 0. ? -1. : 1.) / u.real.linfty_norm();
    for (Vector *part : {&u.real, &u.imaginary})
    {
      *part *= scale;
      part->update_ghost_values();
    }
  }
  /// The root nearest to lambda of u*Ku + u*Cu x + u*Mu x² = 0 errs by the square of the error of u where K is symmetric: what lies
  /// between the two is the error of lambda.
  void check_growth(const std::size_t i, const std::array<std::complex<double>, 3> &p)
  {
    constexpr double certain = 2.;
    const std::complex<double> lambda = modes.values[i], root = std::sqrt(p[1] * p[1] - 4. * p[2] * p[0]);
    const double error = std::min(std::abs(lambda - (root - p[1]) / (2. * p[2])), std::abs(lambda + (root + p[1]) / (2. * p[2])));
    if (lambda.real() <= certain * error)
      modes.kinds[i] = lambda.imag() == 0. ? ComplexModes::overdamped : ComplexModes::oscillates;
  }
  void describe(const std::size_t i)
  {
    ComplexVector &u = modes.shapes[i];
    turn(u);
    const std::complex<double> lambda = modes.values[i];
    ComplexVector sum{pencil.rest, pencil.rest}, part = sum;
    Product products[3];
    const auto product = [&](const int power, const std::function<void(const Vector &, Vector &)> &times) {
      times(u.real, part.real);
      times(u.imaginary, part.imaginary);
      products[power] = Product(u, part);
      const std::complex<double> factor = power == 0 ? 1. : power == 1 ? lambda : lambda * lambda;
      sum.real.add(factor.real(), part.real, -factor.imag(), part.imaginary);
      sum.imaginary.add(factor.real(), part.imaginary, factor.imag(), part.real);
    };
    product(0, [&](const Vector &x, Vector &y) { pencil.stiffness(x, y); });
    product(1, [&](const Vector &x, Vector &y) { damping(x, y); });
    product(2, [&](const Vector &x, Vector &y) { pencil.mass(x, y); });
    const std::complex<double> turned(u.real * part.real - u.imaginary * part.imaginary, 2. * (u.real * part.imaginary));
    modes.collinearity.push_back(std::norm(turned) / std::norm(products[2].quotient));
    const double size = std::abs(lambda);
    const bool still = modes.kinds[i] == ComplexModes::rigid;  // Ku is rounding alone
    const double of_K = still ? highest * highest * products[2].length : products[0].length,
                 terms = of_K + size * products[1].length + size * size * products[2].length;
    modes.residuals.push_back(std::hypot(sum.real.l2_norm(), sum.imaginary.l2_norm()) / terms);
    double of_terms = 0.;
    for (const Vector *x : {&u.real, &u.imaginary})
    {
      pencil.stiffness(with_random_signs(pencil.system, *x), part.real);
      of_terms = std::hypot(of_terms, part.real.l2_norm());
    }
    modes.roundings.push_back(std::numeric_limits<double>::epsilon() * of_terms / terms);
    if (modes.kinds[i] == ComplexModes::flutter || modes.kinds[i] == ComplexModes::divergence)
      check_growth(i, {products[0].quotient, products[1].quotient, products[2].quotient});
    const std::complex<double> k = products[0].quotient, c = lambda * products[1].quotient, m = lambda * lambda * products[2].quotient;
    modes.balances.push_back(std::abs(k + c + m) /
                             ((still ? highest * highest * std::abs(products[2].quotient) : std::abs(k)) + std::abs(c) + std::abs(m)));
  }

  const ComplexModesRequest &request;
  Pencil pencil;
  double highest;
  std::vector<Vector> motions;  ///< rigid ones, whether supports leave them or not
  ComplexModes modes;
  std::vector<Vector> rigid;  ///< that are found
};
}  // namespace

void ComplexModesRequest::declare(Parameters &p)
{
  p.add("Modes", number, "number of pairs lambda, conj(lambda); those of lowest |lambda|. A real lambda counts as one", between(1, 1000));
  p.add(
      "Near", near,
      "real shift s of the search [rad/s]: the lambda nearest to it are found first; 0: the lowest ones (free bodies: 1e-4 of the highest "
      "circular frequency)");
}

double ComplexModes::frequency(const std::size_t i) const { return std::abs(values[i]) / two_pi; }
double ComplexModes::damped(const std::size_t i) const { return values[i].imag() / two_pi; }
double ComplexModes::ratio(const std::size_t i) const { return kinds[i] == rigid ? 0. : -values[i].real() / std::abs(values[i]); }
double ComplexModes::decrement(const std::size_t i) const
{
  return kinds[i] == rigid ? 0. : -two_pi * values[i].real() / std::abs(values[i].imag());
}

double assurance(const MechanicalSystem &system, const ComplexVector &x, const ComplexVector &y)
{
  const auto product = [&system](const ComplexVector &a, const ComplexVector &b) {
    ComplexVector Mb{system.new_vector(), system.new_vector()};
    system.mass(b.real, Mb.real);
    system.mass(b.imaginary, Mb.imaginary);
    return Product(a, Mb).quotient;
  };
  return std::norm(product(x, y)) / (product(x, x).real() * product(y, y).real());
}

ComplexModes find_complex_modes(const MechanicalSystem &system, const double t, const Vector &q, const ComplexModesRequest &request)
{
  const ScopedTimer timer("complex modes");
  return ComplexSearch(system, t, q, request).run();
}
}  // namespace symdyn
