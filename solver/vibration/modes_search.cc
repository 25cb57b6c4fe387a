#include "solver/vibration/modes_search.h"

#include <deal.II/base/mpi.h>
#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/error.h"
#include "solver/linear/many_products.h"
#include "solver/unknowns.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
EigenProblem with_inverse_of_mass(const Pencil &pencil)
{
  constexpr double rough = 0.1;
  EigenProblem problem = pencil.problem();
  problem.solve = [&pencil](const Vector &x, Vector &y) { pencil.system.mass_solve(x, y, rough); };
  return problem;
}

/// Modes from a shift below all of them.
class Search
{
public:
  Search(const Pencil &pencil, const double highest, const ModesRequest &request)
      : pencil(pencil), request(request), highest(highest), shift(-std::pow(part_of_highest * highest, 2))
  {
    settle_shift();
  }

  /// The lowest ones.
  EigenPairs lowest(const int number)
  {
    const bool iterative = at(shift).iterative();
    return request.solver == "lobpcg" || (request.solver == "automatic" && iterative) ? by_gradients(number) : search(number, number, {});
  }
  /// As many as can be found of those beside the known ones.
  EigenPairs missing(const int number, const std::vector<Vector> &known) { return search(number, 1, known); }

  /// K^-1 of what is not of the found ones in each force, while there are factors of K - shift M: u += (K - shift M)^-1 (f - K u). The
  /// omega² that are left lie above the found ones, so the error shrinks by |shift|/omega² each time, until the rounding of K u is left.
  /// Empty where that is not fast.
  std::vector<Vector> at_rest(const std::vector<Vector> &forces, const EigenPairs &found)
  {
    constexpr double far = 0.1, shrinks = 0.5, rounding = 1e-6;
    constexpr int most = 12;
    if (forces.empty() || !(found.values.front() > 0.) || std::abs(shift) > far * found.values.back() || at(shift).iterative())
      return {};
    const std::vector<Vector> rest = without(found, forces);
    std::vector<Vector> u(forces.size(), pencil.system.new_vector()), left = rest, more = u;
    double change = std::numeric_limits<double>::infinity(), before = change;
    for (int step = 0; step < most && change > tight && (step < 2 || change < shrinks * before); ++step)
    {
      before = std::exchange(change, 0.);
      at(shift).solve_all(left, more, tight);
      for (std::size_t k = 0; k < forces.size(); ++k)
      {
        u[k].zero_out_ghost_values();
        u[k] += more[k];
        if (const double size = u[k].l2_norm(); size > 0.)
          change = std::max(change, more[k].l2_norm() / size);
        u[k].update_ghost_values();
        pencil.stiffness(u[k], left[k]);
        left[k].sadd(-1., 1., rest[k]);
      }
    }
    return change <= rounding ? u : std::vector<Vector>();
  }

  /// Number of modes below this omega², or -1.
  long below(const double square) { return at(square).negative_eigenvalues(); }

private:
  /// f - sum M phi_i (phi_i·f)
  std::vector<Vector> without(const EigenPairs &found, std::vector<Vector> forces) const
  {
    Vector momentum = pencil.system.new_vector();
    for (Vector &f : forces)
    {
      f.zero_out_ghost_values();
      pencil.system.project(f);
    }
    for (const Vector &shape : found.vectors)
    {
      pencil.mass(shape, momentum);
      for (Vector &f : forces)
        f.add(-(shape * f), momentum);
    }
    return forces;
  }
  /// K - square M, factored once for all that ask one after the other.
  const LinearSolve &at(const double square)
  {
    if (!factored || factored_at != square || !factored->current())
      factored = pencil.shifted(square);
    factored_at = square;
    return *factored;
  }
  /// Of thin plates omega² of the first modes may be 1e-7 of the shift, which is a part of that of directors: then the method cannot tell
  /// them apart, and the shift goes nearer to zero, as far as K is more than its rounding.
  EigenPairs search(const int number, const int least, const std::vector<Vector> &known)
  {
    constexpr int few = 20, many = 500;
    const double first = shift;
    for (bool may = true; may;)
      try
      {
        return search(number, least, known, few);
      }
      catch (const ComputationError &)
      {
        may = comes_nearer();
        shift = may ? shift / nearer : shift;
      }
    shift = first;
    return search(number, least, known, many);
  }
  bool comes_nearer()
  {
    constexpr double rounding = 1e-13;
    return -shift / nearer > rounding * highest * highest && at(shift / nearer).negative_eigenvalues() == 0;
  }
  EigenPairs search(const int number, const int least, const std::vector<Vector> &known, const int cycles)
  {
    EigenProblem problem = pencil.problem();
    problem.cycles = cycles;
    problem.shift = shift;
    problem.stop = request.stop;
    if (known.empty())
      problem.progress = request.progress;
    problem.known = known;
    const LinearSolve &solve = at(shift);
    const double tolerance = std::min(solve.tolerance(), tight);
    problem.solve_all = [&](const std::vector<Vector> &x, std::vector<Vector> &y) { solve.solve_all(x, y, tolerance); };
    constexpr int smallest = 4, largest = 8;  // larger ones cost more steps than they save
    const int block = solve.iterative() ? 1 : std::clamp(number, smallest, largest), from = attempt;
    attempt += block;
    return eigenvalues_near(
        problem, [&](const int k) { return pencil.problem(from + k).start; }, block, number, least);
  }

  EigenPairs by_gradients(const int number)
  {
    constexpr double rough = 0.1;  // exact ones cost more than the steps that they save; rougher ones lose the rigid motions of free bodies
    EigenProblem problem = pencil.problem();
    problem.shift = shift;
    problem.stop = request.stop;
    problem.progress = request.progress;
    problem.tolerance = 1e-6;  // of the residual: the eigenvalue errs by its square
    const LinearSolve &solve = at(shift);
    problem.solve = [&](const Vector &x, Vector &y) { solve.solve(x, y, solve.iterative() ? rough : tight); };
    return lowest_eigenvalues(
        problem, [this](const int k) { return pencil.problem(k).start; }, number);
  }

  static constexpr double tight = 1e-12, further = 16, nearer = 256, part_of_highest = 1e-4;
  static constexpr int most = 40;

  void settle_shift()
  {
    for (int k = 0; k < most; ++k, shift *= further)
      if (const long count = at(shift).negative_eigenvalues(); count <= 0)
      {
        if (count < 0)
          look_far_below();
        return;
      }
    throw ComputationError("modes: the state is too unstable: no shift was found below its lowest mode");
  }

  /// Where no factorisation counts: modes that are unstable by more than a thousandth of the highest omega², which a search near zero would
  /// not meet.
  void look_far_below()
  {
    constexpr double seen = 1e-3, beyond = 1.1;
    constexpr double tolerance = 1e-4;
    const double square = std::pow(highest, 2);
    EigenProblem turned_over = with_inverse_of_mass(pencil);
    Vector Mx = pencil.rest;
    turned_over.K = [&](const Vector &x, Vector &y) {
      pencil.stiffness(x, y);
      pencil.mass(x, Mx);
      y.sadd(-1., square, Mx);
    };
    const double lowest = square - largest_eigenvalue(turned_over, tolerance);
    if (lowest < -seen * square)
      shift = beyond * lowest;
  }

  const Pencil &pencil;
  const ModesRequest &request;
  double highest, shift, factored_at = 0;
  std::shared_ptr<const LinearSolve> factored;
  int attempt = 0;
};

/// Between the last distinct one of these and those before it: a place to count modes below, and how many there should be; (-1, 0) if all
/// are one.
std::pair<long, double> place_to_count(const std::vector<double> &squares)
{
  constexpr double distinct = 1e-6;
  std::size_t last = squares.size();
  while (last > 1 && squares[last - 1] - squares[last - 2] < distinct * std::abs(squares[last - 1]))
    --last;
  return last < 2 ? std::pair(-1L, 0.) : std::pair(long(last) - 1, 0.5 * (squares[last - 2] + squares[last - 1]));
}

void merge(EigenPairs &pairs, EigenPairs &&more)
{
  for (std::size_t i = 0; i < more.values.size(); ++i)
  {
    const auto at = std::upper_bound(pairs.values.begin(), pairs.values.end(), more.values[i]) - pairs.values.begin();
    pairs.values.insert(pairs.values.begin() + at, more.values[i]);
    pairs.vectors.insert(pairs.vectors.begin() + at, std::move(more.vectors[i]));
  }
}

/// Modes of one frequency look like one to a Krylov space: as long as a factorisation counts more, it searches beside those that are known.
bool complete_modes(Search &search, EigenPairs &found)
{
  constexpr int most = 100;
  const auto [expected, square] = place_to_count(found.values);
  const long count = expected < 0 ? -1 : search.below(square);
  if (count < 0)
    return false;
  for (int k = 0; k < most; ++k)
  {
    const long known = std::lower_bound(found.values.begin(), found.values.end(), square) - found.values.begin();
    if (known == count)
      return true;
    if (known > count)  // the count is of a matrix with rows that are held, whose signs may differ
      return false;
    merge(found, search.missing(int(count - known), found.vectors));
  }
  throw ComputationError(fmt::format("modes: not all of {} modes of nearly one frequency were found. Ask for fewer Modes", count));
}
}  // namespace

double largest_square(const Pencil &pencil)
{
  constexpr double tolerance = 0.02;
  return largest_eigenvalue(with_inverse_of_mass(pencil), tolerance);
}

Vector with_random_signs(const MechanicalSystem &system, Vector x)
{
  const std::vector<std::uint64_t> identities = system.unknowns().identities();
  for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
    if (std::sin(1. + 12.9898 * double(identities[i])) < 0.)
      x.local_element(i) *= -1.;
  system.project(x);
  x.update_ghost_values();
  return x;
}

double terms_of_square(const MechanicalSystem &system, const Vector &q, const Vector &shape)
{
  const Vector x = with_random_signs(system, shape);
  Vector Kx = system.new_vector();
  system.stiffness(q, x, Kx);
  return std::abs(x * Kx);
}

Vector nearest_rigid(const MechanicalSystem &system, const std::vector<Vector> &motions, const Vector &x)
{
  Vector nearest = system.new_vector(), Mx = nearest;  // of held components, too
  system.mass(x, Mx);
  for (const Vector &motion : motions)
    nearest.add(motion * Mx, motion);
  return nearest;
}

bool is_left_by_supports(const MechanicalSystem &system, Vector nearest)
{
  constexpr double nothing = 1e-3;
  const double size = nearest.linfty_norm();
  system.project_prescribed(nearest);
  return nearest.linfty_norm() <= nothing * size;
}

double size_of_tangent(const Pencil &pencil)
{
  constexpr int steps = 8;
  constexpr double rough = 0.1;
  Vector x = pencil.problem().start, y = pencil.rest;
  const auto length = [&](const Vector &of) { return pencil.mass(of, y), std::sqrt(std::max(0., of * y)); };
  double size = 0.;
  for (int k = 0; k < steps; ++k)
  {
    const double before = length(x);
    if (!(before > 0.))
      return 0.;
    x *= 1. / before;
    x.update_ghost_values();
    pencil.stiffness(x, y);
    pencil.system.mass_solve(y, x, rough);
    size = std::max(size, length(x));
  }
  return size;
}

std::vector<Vector> free_motions(const MechanicalSystem &system)
{
  std::vector<Vector> basis;
  Vector e = system.new_vector();
  for (unsigned int i = 0; i < e.size(); ++i)
  {
    e = 0.;
    if (e.in_local_range(i))
      e(i) = 1.;
    system.project(e);
    constexpr double dependent = 1e-8;
    add_orthonormal(basis, e, dependent);
  }
  return basis;
}

void turn_shape(const MechanicalSystem &system, Vector &shape)
{
  double lowest = 0, largest = 0, sum = 0;
  const std::vector<std::uint64_t> identities = system.unknowns().identities();
  for (unsigned int i = 0; i < shape.locally_owned_size(); ++i)
  {
    lowest = std::min(lowest, shape.local_element(i));
    largest = std::max(largest, shape.local_element(i));
    sum += std::sin(1. + std::fmod(0.618033988749895 * double(identities[i] % 1000003), 6.25)) * shape.local_element(i);
  }
  const MPI_Comm communicator = shape.get_mpi_communicator();
  lowest = -MPI::min(lowest, communicator);
  largest = MPI::max(largest, communicator);
  constexpr double clearly = 1. + 1e-6;
  const bool alike = lowest < clearly * largest && largest < clearly * lowest;
  if (alike ? MPI::sum(sum, communicator) < 0. : lowest > largest)
    shape *= -1.;
  shape.update_ghost_values();
}

EigenPairs search_modes(const Pencil &pencil, const double highest, const ModesRequest &request, Modes &modes)
{
  Search search(pencil, highest, request);
  const double limit = std::pow(2. * dealii::numbers::PI * request.highest, 2);
  EigenPairs found;
  for (int number = request.number;; number *= 2)
  {
    if (number >= int(pencil.rest.size() / 2))
      throw InputError(
          fmt::format("Highest frequency: more than {} of {} degrees of freedom vibrate below {:g} Hz, too many modes. Lower it",
                      number / 2, pencil.rest.size(), request.highest));
    found = search.lowest(number);
    if (!request.all_below() || found.values.back() > limit)
      break;
  }
  modes.at_rest = search.at_rest(request.forces, found);
  modes.uncounted = !request.count;
  modes.complete = request.count && complete_modes(search, found);
  return found;
}

std::vector<Vector> rigid_motions(const MechanicalSystem &system, const Vector &q)
{
  std::vector<Vector> motions;
  Vector xi = system.new_vector(), Mxi = system.new_vector();
  for (std::size_t i = 0; i < system.unknowns().momenta().size(); ++i)
  {
    system.unknowns().generator(i, q, xi);
    system.mass(xi, Mxi);
    const double size = xi * Mxi;
    for (int twice = 0; twice < 2; ++twice)
      for (const Vector &other : motions)
      {
        system.mass(other, Mxi);
        xi.add(-(xi * Mxi), other);
      }
    system.mass(xi, Mxi);
    constexpr double dependent = 1e-12;
    if (const double rest = xi * Mxi; rest > dependent * size)
    {
      xi *= 1. / std::sqrt(rest);
      motions.push_back(xi);
    }
  }
  return motions;
}
}  // namespace symdyn
