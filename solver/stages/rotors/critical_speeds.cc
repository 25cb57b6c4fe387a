#include "solver/stages/rotors/critical_speeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/rotors/loose_motions.h"
#include "solver/vibration/buckling.h"
#include "solver/vibration/modes_search.h"

namespace symdyn
{
namespace
{
void check_stable(const State &state, const Stage &stage, const MechanicalSystem &still)
{
  const long unstable = unstable_motions(still, state.t, state.q);
  if (unstable > 0)
    throw InputError(fmt::format("{}: Critical speeds: the body at rest has {} unstable mode{}. Lower the loads of the stages before",
                                 stage.where, unstable, unstable == 1 ? "" : "s"));
}

/// Factors lambda = (Omega/scale)² of scale² (K_1 - M_p), with a scale that makes the first one about 1.
BucklingFactors find_scaled(Analysis &analysis, const Stage &stage, TurningBody &body, const int diameters, const int number)
{
  constexpr double first_part = 1e-3, far = 10.;
  constexpr int most = 4;
  const State &state = analysis.state;
  const TurningBody::At still = body.at(0., diameters);
  check_stable(state, stage, *still);
  BucklingRequest request;
  request.number = number;
  request.stop = analysis.should_stop;
  request.progress = analysis.modes_progress(stage);
  double scale = first_part * std::sqrt(largest_square(Pencil(*still, state.t, state.q)));
  for (int k = 0;; ++k)
  {
    const TurningBody::At turning = body.at(scale, diameters);
    Vector other = still->new_vector();
    const auto stress = [&](const Vector &w, Vector &r) {
      turning->stiffness(state.q, w, r);
      still->stiffness(state.q, w, other);
      r -= other;
      turning->add_load_stiffness(state.t, state.q, w, r);
      other = 0.;
      still->add_load_stiffness(state.t, state.q, w, other);
      r -= other;
      still->project(r);
    };
    const auto negative = [&](const double factor) {
      const TurningBody::At there = body.at(scale * std::sqrt(factor), diameters);
      return there->factor(K, state.t, state.q, other)->negative_eigenvalues();
    };
    BucklingFactors found = find_factors({*still, state.t, state.q, stress, negative}, request);
    const double first = found.factors.empty() ? 1. : found.factors.front();
    if (k + 1 == most || (first < far && first > 1. / far))
    {
      for (double &factor : found.factors)
        factor = scale * std::sqrt(factor);
      return found;
    }
    scale *= std::sqrt(first);
  }
}
}  // namespace

CriticalSpeeds find_critical_speeds(Analysis &analysis, const Stage &stage, TurningBody &body, const std::vector<int> &diameters,
                                    const int number)
{
  if (const std::string free = loose_motions(analysis, *body.at(0., diameters.front())); !free.empty())
    throw InputError(
        fmt::format("{}: Critical speeds: nothing holds the body: {}. Add Bearings or Supports, also against motion along the axis and "
                    "about it",
                    stage.where, free));
  CriticalSpeeds all;
  struct One
  {
    double speed;
    int diameters;
  };
  std::vector<One> found;
  for (const int n : diameters)
  {
    const BucklingFactors of_n = find_scaled(analysis, stage, body, n, number);
    all.counted = of_n.counted < 0 || all.counted < 0 ? -1 : all.counted + of_n.counted;
    for (std::size_t i = 0; i < of_n.factors.size(); ++i)
      found.push_back({of_n.factors[i], n});
  }
  std::stable_sort(found.begin(), found.end(), [](const One &a, const One &b) { return a.speed < b.speed; });
  if (found.empty())
    log_warning(
        fmt::format("{}: Critical speeds: none was found. Either no motion stands in the frame of the rotor at any speed, or the body "
                    "moves freely: hold it along its axis and about it",
                    stage.where));
  for (const One &one : found)
  {
    all.speeds.push_back(one.speed);
    if (one.diameters >= 0)
      all.diameters.push_back(one.diameters);
  }
  return all;
}
}  // namespace symdyn
