#include "solver/stages/rotors/rotor_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/rotors/growth_cause.h"
#include "solver/stages/rotors/loose_motions.h"
#include "solver/vibration/cyclic_complex_modes.h"

namespace symdyn
{
RotorModes::RotorModes(Analysis &analysis, const Stage &stage, TurningBody &body, const int diameters)
    : analysis(analysis), stage(stage), body(body), diameters(diameters)
{
}

ComplexModes RotorModes::find(const double speed, const TurningBody::At &there, const int number)
{
  constexpr unsigned int few = 60;  // dozens of speeds
  ComplexModesRequest request;
  request.number = number;
  request.dense = few;
  request.count = first;
  request.shift = near;
  request.stop = analysis.should_stop;
  try
  {
    return find_complex_modes(*there, analysis.state.t, there.q(), request);
  }
  catch (const ComputationError &error)
  {
    const std::string loose = loose_motions(analysis, *body.at(0., diameters));
    throw ComputationError(fmt::format("{}: at {:.6g} rad/{}: {}{}", stage.where, speed, analysis.units.time, error.what(),
                                       loose.empty() ? "" : "; " + loose + ". Hold it by Springs along the axis and by Rotations"));
  }
}

void RotorModes::find_waves(const TurningBody::At &there, RotorMode &mode) const
{
  if (const CyclicMotion *motion = there.motion())
  {
    const int direction = motion->copies() > 1 ? direction_of_travel(*motion, analysis.system(), mode.shape) : 0;
    if (direction != 0 || (motion->copies() == 1 && diameters == 0))
      mode.waves = direction * diameters;
    return;
  }
  const Waves found = body.frame().waves(mode.shape.real, mode.shape.imaginary);
  mode.waves = body.at_rest() ? found.diameters : found.number;
  if (body.at_rest())
    mode.forward = found.forward;
}

namespace
{
ComplexVector times(const ComplexVector &x, const std::function<void(const Vector &, Vector &)> &product)
{
  ComplexVector y = x;
  product(x.real, y.real);
  product(x.imaginary, y.imaginary);
  return y;
}
}  // namespace

void RotorModes::add_left(const double speed, const int number, const ComplexModes &found, std::vector<RotorMode> &modes)
{
  constexpr double conservative = 1e-9, same = 1e-6;
  for (RotorMode &mode : modes)
  {
    mode.left = mode.shape;
    mode.left.imaginary *= -1.;
    mode.left_damping = mode.damping;  // C is skew
    mode.left_damping.real *= -1.;
  }
  if (!body.at_rest() && std::all_of(found.values.begin(), found.values.end(),
                                     [&](const auto &lambda) { return std::abs(lambda.real()) <= conservative * std::abs(lambda); }))
    return;
  const TurningBody::At back = body.at(-speed, diameters);
  const ComplexModes mirrored = find(-speed, back, number);
  std::vector<bool> used(mirrored.size(), false);
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    std::size_t nearest = mirrored.size();
    double best = same * std::abs(found.values[i]);
    for (std::size_t j = 0; j < mirrored.size(); ++j)
      if (const double distance = std::abs(mirrored.values[j] - found.values[i]); !used[j] && distance <= best)
      {
        best = distance;
        nearest = j;
      }
    if (nearest < mirrored.size())
    {
      modes[i].left = mirrored.shapes[nearest];
      used[nearest] = true;
    }
    modes[i].left_damping = times(modes[i].left, [&](const Vector &x, Vector &y) { back->damping_force(back.q(), x, y); });
    back->project(modes[i].left_damping.real);
    back->project(modes[i].left_damping.imaginary);
  }
}

namespace
{
/// Re x*y
double inner(const ComplexVector &x, const ComplexVector &y) { return x.real * y.real + x.imaginary * y.imaginary; }

RotorMode mode_of(const TurningBody::At &there, const ComplexModes &found, const std::size_t i)
{
  RotorMode mode;
  mode.lambda = found.values[i];
  mode.shape = found.shapes[i];
  mode.mass = times(mode.shape, [&](const Vector &x, Vector &y) { there->mass(x, y); });
  mode.damping = times(mode.shape, [&](const Vector &x, Vector &y) { there->damping_force(there.q(), x, y); });
  mode.kind = found.kinds[i];
  for (ComplexVector *force : {&mode.mass, &mode.damping})
  {
    there->project(force->real);
    there->project(force->imaginary);
  }
  // u*Ku = -lambda (lambda u*Mu + u*Cu) < 0: the root of a divergence that decays
  if (mode.kind == ComplexModes::overdamped && inner(mode.shape, mode.mass) * mode.lambda.real() + inner(mode.shape, mode.damping) < 0.)
    mode.kind = ComplexModes::divergence;
  return mode;
}
}  // namespace

std::vector<RotorMode> RotorModes::at(const double speed, const int number)
{
  constexpr double part = 0.1, low = 1.;
  const TurningBody::At there = body.at(speed, diameters);
  const ComplexModes found = find(speed, there, number);
  near *= part;  // where all of them rest, the last one counts
  all = all && found.all;
  for (const std::complex<double> &lambda : found.values)  // at a critical speed K is singular
    near = std::max(near, part * std::abs(lambda));
  for (std::size_t i = 0; i < found.size(); ++i)
    if (std::abs(found.values[i]) > low * near)
    {
      residual = std::max(residual, found.residuals[i]);
      beyond = std::max(beyond, found.residuals[i] / found.limit(i));
    }
  if (std::exchange(first, false))
  {
    counted = found.counted;
    below = found.below;
    place = found.place;
    speed_of_count = speed;
  }
  std::vector<RotorMode> modes;
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    RotorMode mode = mode_of(there, found, i);
    find_waves(there, mode);
    modes.push_back(std::move(mode));
  }
  add_left(speed, number, found, modes);
  return modes;
}

std::string RotorModes::cause_of_growth(const double onset, const std::complex<double> &growing, const int number)
{
  constexpr double little = 1e-4, near_it = 1e-2;  // lambda of a divergence grows like the root of what is beyond the onset
  const double speed = (1. + little) * onset;
  std::vector<RotorMode> modes;
  try
  {
    modes = at(speed, number);
  }
  catch (const Interrupted &)  // all speeds are done
  {
  }
  const RotorMode *nearest = nullptr;
  const double most = near_it * std::max(std::abs(growing), speed);
  const auto away = [&](const RotorMode &mode) {  // a motion goes on with either of a conjugate pair
    return std::min(std::abs(mode.lambda - growing), std::abs(std::conj(mode.lambda) - growing));
  };
  for (const RotorMode &mode : modes)
    if (mode.lambda.real() > 0. && away(mode) <= most && (!nearest || away(mode) < away(*nearest)))
      nearest = &mode;
  if (!nearest)
    return "";
  const auto resting = [&](const ComplexVector &u) {
    const TurningBody::At still = body.at(0., diameters);
    const ComplexVector Ku = times(u, [&](const Vector &x, Vector &y) {
      tangent(*still, analysis.state.t, still.q(), x, y);
      still->project(y);
    });
    return inner(u, Ku);
  };
  return growth_cause(body.at(speed, diameters), *nearest, body.at_rest(),
                      body.is_linear() ? resting : std::function<double(const ComplexVector &)>())
      .sentence();
}

std::string RotorModes::completeness() const
{
  const std::string of = diameters >= 0 ? fmt::format("{} nodal diameters: ", diameters) : "";
  if (all)
    return of + "no mode missing: all modes were computed at each speed";
  if (counted < 0.)
    return of + "no Sturm check: modes may be missed";
  return fmt::format("{}at {:g} rad/{} {:g} modes with |lambda| below {:.6g}; Sturm count of undamped modes {:g}; no count at other speeds",
                     of, speed_of_count, analysis.units.time, below, place, counted);
}
}  // namespace symdyn
