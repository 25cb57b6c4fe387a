#include "solver/vibration/modes.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/linear/many_products.h"
#include "solver/parameters.h"
#include "solver/unknowns.h"
#include "solver/vibration/held_constraints.h"
#include "solver/vibration/linear_motion.h"
#include "solver/vibration/modes_search.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr unsigned int dense_unknowns = 600;  ///< degrees of freedom up to which all modes are computed
/// Of the highest omega²: below the first a mode may not vibrate, its omega² may be rounding of K: it is where the terms of phi·K phi round
/// as much (stiff light parts raise the highest omega² alone); one of a rigid shape below the second
/// (supports that are nearly none, iterative solvers); and from the third on shapes are good enough for their omega² as they are.
constexpr double rounding_of_squares = 2e-14, rounding_of_terms = 1e-13, nearly_nothing = 1e-12, well_known = 1e-6;

void classify(const MechanicalSystem &system, const Vector &q, Modes &modes)
{
  const double largest = modes.largest_square;
  const std::vector<Vector> motions = rigid_motions(system, q);
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    Modes::Kind kind = Modes::vibration;
    double part = 0;
    for (const Vector &motion : motions)
      part += std::pow(motion * modes.momenta[i], 2);
    constexpr double all = 0.999;
    if (part > all && std::abs(modes.squares[i]) <= nearly_nothing * largest &&
        is_left_by_supports(system, nearest_rigid(system, motions, modes.shapes[i])))
      kind = Modes::rigid;
    else if (std::abs(modes.squares[i]) <= rounding_of_squares * largest &&
             std::abs(modes.squares[i]) <= rounding_of_terms * terms_of_square(system, q, modes.shapes[i]))
      kind = Modes::mechanism;
    else if (modes.squares[i] < 0.)
      kind = Modes::unstable;
    modes.kinds.push_back(kind);
  }
}

/// What LAPACK or an iteration gives to a small part of the largest omega² is lost in a low one: Rayleigh's quotients of the low shapes, by
/// products, know it.
void refine_low(const Pencil &pencil, const double largest, EigenPairs &pairs)
{
  std::size_t low = 0;
  while (low < pairs.values.size() && pairs.values[low] < well_known * largest)
    ++low;
  if (low == 0)
    return;
  EigenPairs better = all_eigenvalues(pencil.problem(), {pairs.vectors.begin(), pairs.vectors.begin() + low});
  std::move(better.values.begin(), better.values.end(), pairs.values.begin());
  std::move(better.vectors.begin(), better.vectors.end(), pairs.vectors.begin());
}

EigenPairs find_pairs(const Pencil &pencil, const ModesRequest &request, Modes &modes)
{
  const auto need_stiffness = [&] {
    if (!(modes.largest_square > 0.))
      throw ComputationError("modes: nothing vibrates here (V'' = 0)");
  };
  if (pencil.rest.size() <= dense_unknowns)
  {
    const std::vector<Vector> basis = free_motions(pencil.system);
    EigenPairs pairs = all_eigenvalues(pencil.problem(), basis);
    modes.complete = true;
    modes.free_motions = basis.size();
    if (!request.all_below() && !request.none_is_allowed && request.number > int(basis.size()))
      log_warning(fmt::format("{} modes were asked for; the structure has {} free motions in all", request.number, basis.size()));
    modes.largest_square = pairs.values.empty() ? 0. : pairs.values.back();
    need_stiffness();
    return pairs;
  }
  if (request.number >= int(pencil.rest.size() / 2))
    throw InputError(fmt::format("{} modes of {} degrees of freedom are too many. Ask for fewer", request.number, pencil.rest.size()));
  modes.largest_square = request.largest_square > 0. ? request.largest_square : largest_square(pencil);
  need_stiffness();
  return search_modes(pencil, std::sqrt(modes.largest_square), request, modes);
}

/// phi_iᵀ V'' phi_i, which loads that follow take no part in.
std::vector<double> elastic_squares(const MechanicalSystem &system, const Vector &q, const Modes &modes)
{
  if (!system.has(Feature::follower_loads))
    return modes.squares;
  std::vector<double> squares;
  Vector f = system.new_vector();
  for (const Vector &shape : modes.shapes)
  {
    system.stiffness(q, shape, f);
    squares.push_back(shape * f);
  }
  return squares;
}

/// Where no more modes are wanted than the interval may hold.
void warn_if_cut(const EigenPairs &pairs, const double limit, const ModesRequest &request)
{
  const std::size_t last = std::min(pairs.values.size(), std::size_t(request.number));
  if (request.all_below() || !std::isfinite(limit) || last < std::size_t(request.number) || pairs.values[last - 1] > limit)
    return;
  log_warning(fmt::format(
      "{} modes were asked for, and the last one has {:.6g} Hz: the interval up to {:g} Hz may hold more. Ask for more Modes where they matter",
      request.number, std::sqrt(std::max(0., pairs.values[last - 1])) / (2. * dealii::numbers::PI), request.highest));
}
}  // namespace

void ModesRequest::declare(Parameters &p)
{
  p.add("Modes", number, "how many of the lowest modes; with Highest frequency the number to begin with", between(1, 10000));
  p.add("Highest frequency", highest, "all modes up to this one [Hz]", positive());
  p.add(
      "Complete interval", complete_interval,
      "with Highest frequency: yes, all modes up to it; no: of the lowest modes at most as many as Modes says, with a warning where the interval may hold more");
  p.add("Lowest frequency", lowest, "modes below this one are left out [Hz]; they count in Modes all the same", not_negative());
  if (lowest >= highest)
    p.fail("Lowest frequency", fmt::format("must be below the Highest frequency, {:g} Hz", highest));
  p.add(
      "Sturm check", count,
      "count of the modes by a second factorisation, so that none is missing; no: a quarter of the time less of large bodies, and of several modes with one frequency some may be missing");
  p.add(
      "Eigen solver", solver,
      "krylov-schur: on (K - s M)^-1 M, with the linear solver of the deck; lobpcg: preconditioned gradients, for bodies that are too large to be factored; automatic: lobpcg where "
      "the linear solver is iterative",
      {"automatic", "krylov-schur", "lobpcg"});
}

double Modes::omega(const std::size_t i) const { return kinds[i] == vibration ? std::sqrt(squares[i]) : 0.; }

double Modes::frequency(const std::size_t i) const { return omega(i) / (2. * dealii::numbers::PI); }

std::vector<double> Modes::project(const Vector &r) const { return products(shapes, r); }

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
  const ScopedTimer timer("modes");
  hold_constraints_at_rest(system, t, q);
  check_linear_motion(system, t, q);
  const Pencil pencil(system, t, q);
  Modes modes;
  EigenPairs pairs = find_pairs(pencil, request, modes);
  refine_low(pencil, modes.largest_square, pairs);
  const double limit = std::pow(2. * dealii::numbers::PI * request.highest, 2),
               from = std::pow(2. * dealii::numbers::PI * request.lowest, 2);
  for (std::size_t i = 0; i < pairs.values.size(); ++i)
    if (pairs.values[i] <= limit && (request.all_below() || int(i) < request.number) && (request.lowest == 0. || pairs.values[i] >= from))
    {
      turn_shape(system, pairs.vectors[i]);
      Vector momentum = system.new_vector();
      pencil.mass(pairs.vectors[i], momentum);
      modes.squares.push_back(pairs.values[i]);
      modes.shapes.push_back(std::move(pairs.vectors[i]));
      modes.momenta.push_back(std::move(momentum));
    }
    else
      for (std::size_t k = 0; k < modes.at_rest.size(); ++k)
        modes.at_rest[k].add(pairs.vectors[i] * request.forces[k] / pairs.values[i], pairs.vectors[i]);
  warn_if_cut(pairs, limit, request);
  if (modes.squares.empty() && !request.none_is_allowed)
    throw InputError(fmt::format("no mode lies {}; the lowest has {:.6g} Hz. {}",
                                 request.lowest > 0. ? fmt::format("between {:g} Hz and {:g} Hz", request.lowest, request.highest)
                                                     : fmt::format("below {:g} Hz", request.highest),
                                 std::sqrt(std::max(0., pairs.values.front())) / (2. * dealii::numbers::PI),
                                 request.lowest > 0. ? "Lower Lowest frequency, or ask for more Modes" : "Raise Highest frequency"));
  classify(system, q, modes);
  modes.elastic = elastic_squares(system, q, modes);
  return modes;
}

Participation::Participation(const MechanicalSystem &system, const Vector &q, const Modes &modes) : factors(modes.size())
{
  Vector xi = system.new_vector(), Mxi = system.new_vector();
  const std::vector<std::string> momenta = system.unknowns().momenta();
  for (std::size_t j = 0; j < momenta.size(); ++j)
  {
    motions.push_back((momenta[j][0] == 'J' ? "r" : "") + momenta[j].substr(momenta[j].size() - 1));
    system.unknowns().generator(j, q, xi);
    system.mass(xi, Mxi);
    total.push_back(xi * Mxi);
    const std::vector<double> parts = modes.project(Mxi);
    for (std::size_t i = 0; i < modes.size(); ++i)
      factors[i].push_back(parts[i]);
  }
}

std::vector<double> modal_damping(const MechanicalSystem &system, const Vector &q, const Modes &modes, const bool alone)
{
  std::vector<double> c(modes.size(), 0.);
  if (!system.has(Feature::damping))
    return c;
  std::vector<std::vector<double>> C;
  Vector f = system.new_vector();
  for (const Vector &shape : modes.shapes)
  {
    system.damping_force(q, shape, f);
    C.push_back(modes.project(f));
  }
  double coupling = 0;
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    c[i] = C[i][i];
    for (std::size_t j = 0; j < i; ++j)
      if (const double size = C[i][i] * C[j][j]; size > 0.)
        coupling = std::max(coupling, std::abs(C[i][j]) / std::sqrt(size));
  }
  constexpr double strong = 0.1;
  if (alone && coupling > strong)
    log_warning(fmt::format(
        "the damping of the structure couples its modes ({:.2g} of their own damping); here each is taken alone. Use Method = direct or a dynamic stage where that "
        "matters",
        coupling));
  return c;
}

std::vector<double> damping_ratios(const std::vector<double> &c, const Modes &modes)
{
  std::vector<double> ratios;
  for (std::size_t i = 0; i < modes.size(); ++i)
    ratios.push_back(modes.omega(i) > 0. ? c[i] / (2. * modes.omega(i)) : 0.);
  return ratios;
}
}  // namespace symdyn
