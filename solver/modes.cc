#include "solver/modes.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/eigen.h"
#include "solver/error.h"
#include "solver/log.h"
#include "solver/parameters.h"
#include "solver/phase.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr unsigned int dense_limit = 600;  ///< degrees of freedom up to which all modes are computed
/// Below this part of the highest frequency a mode does not vibrate: its omega² is rounding of K.
constexpr double no_frequency = 1e-6;

/// K and M of a system at a state, on its free degrees of freedom.
struct Pencil
{
  const MechanicalSystem &system;
  double t;
  const Vector &q, rest;

  Pencil(const MechanicalSystem &system, const double t, const Vector &q) : system(system), t(t), q(q), rest(system.new_vector()) {}

  void stiffness(const Vector &x, Vector &y) const
  {
    system.stiffness(q, x, y);
    system.project(y);
  }
  void mass(const Vector &x, Vector &y) const
  {
    system.mass(x, y);
    system.project(y);
  }
  std::shared_ptr<const LinearSolve> shifted(const double shift) const { return system.factor(-shift * M + K, t, q, rest); }
  /// `number`: of the start, another one each time.
  EigenProblem problem(const int number = 0) const
  {
    EigenProblem problem;
    problem.K = [this](const Vector &x, Vector &y) { stiffness(x, y); };
    problem.M = [this](const Vector &x, Vector &y) { mass(x, y); };
    problem.start = system.new_vector();
    const unsigned int first = problem.start.get_partitioner()->local_range().first;
    for (unsigned int i = 0; i < problem.start.locally_owned_size(); ++i)  // no mode is orthogonal to it by symmetry
      problem.start.local_element(i) = 1. + std::sin(1. + number + (12.9898 + number) * (i + first));
    system.project(problem.start);
    return problem;
  }
};

/// An orthonormal basis of the free motions of a small system.
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
    for (int twice = 0; twice < 2; ++twice)
      for (const Vector &b : basis)
        e.add(-(e * b), b);
    constexpr double dependent = 1e-8;
    if (const double norm = e.l2_norm(); norm > dependent)
    {
      e *= 1. / norm;
      basis.push_back(e);
      basis.back().update_ghost_values();
    }
  }
  return basis;
}

/// Modes from a shift below all of them.
class Search
{
public:
  Search(const Pencil &pencil, const double highest) : pencil(pencil), shift(-std::pow(part_of_highest * highest, 2)) { settle_shift(highest); }

  /// The lowest ones.
  EigenPairs lowest(const int number)
  {
    return search(number, number, {});
  }
  /// As many as can be found of those beside the known ones.
  EigenPairs missing(const int number, const std::vector<Vector> &known) { return search(number, 1, known); }

  /// Number of modes below this omega², or -1.
  long below(const double square) const { return pencil.shifted(square)->negative_eigenvalues(); }

private:
  EigenPairs search(const int number, const int least, const std::vector<Vector> &known)
  {
    EigenProblem problem = pencil.problem(attempt++);
    problem.shift = shift;
    problem.known = known;
    const auto solve = pencil.shifted(shift);
    const double tolerance = std::min(solve->tolerance(), tight);
    problem.solve = [&](const Vector &x, Vector &y) { solve->solve(x, y, tolerance); };
    return eigenvalues_near(problem, number, least);
  }

  static constexpr double tight = 1e-12, further = 16, part_of_highest = 1e-4;
  static constexpr int most = 40;

  void settle_shift(const double highest)
  {
    for (int k = 0; k < most; ++k, shift *= further)
      if (const long count = pencil.shifted(shift)->negative_eigenvalues(); count <= 0)
      {
        if (count < 0)
          look_far_below(highest);
        return;
      }
    throw ComputationError("modes: the state is too unstable: no shift was found below its lowest mode");
  }

  /// Where no factorisation counts: modes that are unstable by more than a thousandth of the highest omega², which a search near zero would not meet.
  void look_far_below(const double highest)
  {
    constexpr double seen = 1e-3, beyond = 1.1;
    const double square = std::pow(highest, 2);
    Vector Kx = pencil.rest;
    const auto turned_over = [&](const Vector &x, Vector &y) {
      pencil.stiffness(x, Kx);
      pencil.system.mass_solve(Kx, y);
      y.sadd(-1., square, x);
    };
    const double lowest = square - largest_eigenvalue(turned_over, pencil.problem().start, false);
    if (lowest < -seen * square)
      shift = beyond * lowest;
  }

  const Pencil &pencil;
  double shift;
  int attempt = 0;
};

/// xi_j, M-orthonormal, of the rigid motions; those that supports hold are among them.
std::vector<Vector> rigid_motions(const MechanicalSystem &system, const Vector &q)
{
  std::vector<Vector> motions;
  Vector xi = system.new_vector(), Mxi = system.new_vector();
  for (std::size_t i = 0; i < system.momenta().size(); ++i)
  {
    system.generator(i, q, xi);
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

void classify(const MechanicalSystem &system, const Vector &q, const double highest, Modes &modes)
{
  const double nothing = std::pow(no_frequency * highest, 2);
  const std::vector<Vector> motions = rigid_motions(system, q);
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    Modes::Kind kind = Modes::vibration;
    if (std::abs(modes.squares[i]) <= nothing)
    {
      double part = 0;
      for (const Vector &motion : motions)
        part += std::pow(motion * modes.momenta[i], 2);
      constexpr double all = 0.999;
      kind = part > all ? Modes::rigid : Modes::mechanism;
    }
    else if (modes.squares[i] < 0.)
      kind = Modes::unstable;
    modes.kinds.push_back(kind);
  }
}

/// The largest component is positive, so that a mode looks the same in every run.
void turn(Vector &shape)
{
  double lowest = 0, largest = 0;
  for (unsigned int i = 0; i < shape.locally_owned_size(); ++i)
  {
    lowest = std::min(lowest, shape.local_element(i));
    largest = std::max(largest, shape.local_element(i));
  }
  const MPI_Comm communicator = shape.get_mpi_communicator();
  constexpr double clearly = 1. + 1e-6;
  if (-MPI::min(lowest, communicator) > clearly * MPI::max(largest, communicator))
    shape *= -1.;
  shape.update_ghost_values();
}

void check(const MechanicalSystem &system)
{
  if (system.constraints())
    throw InputError("modes are of a system without exact constraints. Use --set Constraints/Treatment=penalty with an omega");
  if (system.has(Feature::follower_loads))
    throw InputError("modes are not computed with follower loads (pressure on the deformed body): their tangent is not symmetric. Let other Loads act in this stage");
}

/// Between the last distinct one of these and those before it: a place to count modes below, and how many there should be; (-1, 0) if all are one.
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
    merge(found, search.missing(int(count - known), found.vectors));
  }
  throw ComputationError(fmt::format("modes: not all of {} modes of nearly one frequency were found. Ask for fewer Modes", count));
}

/// As many as are asked for, and one more where all below a frequency are wanted.
EigenPairs search_modes(const Pencil &pencil, const double highest, const ModesRequest &request, bool &complete)
{
  Search search(pencil, highest);
  const double limit = std::pow(2. * dealii::numbers::PI * request.highest, 2);
  EigenPairs found;
  for (int number = request.number; number < int(pencil.rest.size() / 2); number *= 2)
  {
    found = search.lowest(number);
    if (!std::isfinite(limit) || found.values.back() > limit)
      break;
  }
  complete = complete_modes(search, found);
  return found;
}
}  // namespace

void ModesRequest::declare(Parameters &p)
{
  p.add("Modes", number, "how many of the lowest modes; with Highest frequency the number to begin with", between(1, 10000));
  p.add("Highest frequency", highest, "all modes up to this one [Hz]", positive());
  p.add("Lowest frequency", lowest, "modes below this one are left out [Hz]; they count in Modes all the same", not_negative());
  if (lowest >= highest)
    p.fail("Lowest frequency", fmt::format("must be below the Highest frequency, {:g} Hz", highest));
}

double Modes::omega(const std::size_t i) const { return kinds[i] == vibration ? std::sqrt(squares[i]) : 0.; }

double Modes::frequency(const std::size_t i) const { return omega(i) / (2. * dealii::numbers::PI); }

std::vector<double> Modes::project(const Vector &r) const
{
  std::vector<double> parts;
  for (const Vector &shape : shapes)
    parts.push_back(shape * r);
  return parts;
}

std::string in_words(const Modes::Kind kind)
{
  switch (kind)
  {
    case Modes::vibration:
      return "vibration";
    case Modes::rigid:
      return "rigid";
    case Modes::mechanism:
      return "mechanism";
    case Modes::unstable:
      return "unstable";
  }
  return "";
}

Modes find_modes(const MechanicalSystem &system, const double t, const Vector &q, const ModesRequest &request)
{
  const Phase phase("modes");
  check(system);
  const Pencil pencil(system, t, q);
  const double highest = system.highest_frequency(t, q);
  if (!(highest > 0.))
    throw ComputationError("modes: nothing vibrates here (V'' = 0)");
  Modes modes;
  EigenPairs pairs;
  if (pencil.rest.size() <= dense_limit)
  {
    const std::vector<Vector> basis = free_motions(system);
    pairs = all_eigenvalues(pencil.problem(), basis);
    modes.complete = true;
    if (!std::isfinite(request.highest) && request.number > int(basis.size()))
      log_warning(fmt::format("{} modes were asked for; the structure has {} free motions in all", request.number, basis.size()));
  }
  else if (request.number >= int(pencil.rest.size() / 2))
    throw InputError(fmt::format("{} modes of {} degrees of freedom are too many. Ask for fewer", request.number, pencil.rest.size()));
  else
    pairs = search_modes(pencil, highest, request, modes.complete);
  const double limit = std::pow(2. * dealii::numbers::PI * request.highest, 2), from = std::pow(2. * dealii::numbers::PI * request.lowest, 2);
  for (std::size_t i = 0; i < pairs.values.size(); ++i)
    if ((std::isfinite(limit) ? pairs.values[i] <= limit : int(i) < request.number) && (request.lowest == 0. || pairs.values[i] >= from))
    {
      turn(pairs.vectors[i]);
      Vector momentum = system.new_vector();
      pencil.mass(pairs.vectors[i], momentum);
      modes.squares.push_back(pairs.values[i]);
      modes.shapes.push_back(std::move(pairs.vectors[i]));
      modes.momenta.push_back(std::move(momentum));
    }
  if (modes.squares.empty())
    throw InputError(fmt::format("no mode lies {}; the lowest has {:.6g} Hz. {}",
                                 request.lowest > 0. ? fmt::format("between {:g} Hz and {:g} Hz", request.lowest, request.highest) : fmt::format("below {:g} Hz", request.highest),
                                 std::sqrt(std::max(0., pairs.values.front())) / (2. * dealii::numbers::PI),
                                 request.lowest > 0. ? "Lower Lowest frequency, or ask for more Modes" : "Raise Highest frequency"));
  classify(system, q, highest, modes);
  return modes;
}

Participation::Participation(const MechanicalSystem &system, const Vector &q, const Modes &modes) : factors(modes.size())
{
  Vector xi = system.new_vector(), Mxi = system.new_vector();
  const std::vector<std::string> momenta = system.momenta();
  for (std::size_t j = 0; j < momenta.size(); ++j)
  {
    motions.push_back((momenta[j][0] == 'J' ? "r" : "") + momenta[j].substr(momenta[j].size() - 1));
    system.generator(j, q, xi);
    system.mass(xi, Mxi);
    total.push_back(xi * Mxi);
    const std::vector<double> parts = modes.project(Mxi);
    for (std::size_t i = 0; i < modes.size(); ++i)
      factors[i].push_back(parts[i]);
  }
}

std::vector<double> damping_ratios(const MechanicalSystem &system, const Vector &q, const Modes &modes, double *coupling)
{
  std::vector<double> ratios(modes.size(), 0.);
  if (!system.has(Feature::damping))
    return ratios;
  std::vector<std::vector<double>> C;
  Vector f = system.new_vector();
  for (const Vector &shape : modes.shapes)
  {
    system.damping_force(q, shape, f);
    C.push_back(modes.project(f));
  }
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    ratios[i] = modes.omega(i) > 0. ? C[i][i] / (2. * modes.omega(i)) : 0.;
    for (std::size_t j = 0; j < i && coupling; ++j)
      if (const double size = C[i][i] * C[j][j]; size > 0.)
        *coupling = std::max(*coupling, std::abs(C[i][j]) / std::sqrt(size));
  }
  return ratios;
}
}  // namespace symdyn
