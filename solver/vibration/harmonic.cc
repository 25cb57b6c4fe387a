#include "solver/vibration/harmonic.h"

#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/vibration/held_constraints.h"
#include "solver/vibration/linear_motion.h"

namespace symdyn
{
void HarmonicRequest::declare(Parameters &p)
{
  add_entries(p);
  p.renamed("Loads out of phase", "Imaginary loads");
  p.add("Imaginary loads", quadrature, "names of those of Loads that are a quarter of a period ahead of the others");
  declare_base(p);
  declare_waveform(p);
  declare_modes(p);
}

void HarmonicRequest::declare_sweep(Parameters &p)
{
  add_entries(p);
  declare_modes(p);
}

void HarmonicRequest::add_entries(Parameters &p)
{
  p.add(
      "Method", method,
      "direct: the equations of all degrees of freedom; fast: the same at a few of the frequencies, and at all on a basis of those answers, with the residual in the file; modal: a sum over modes",
      {"direct", "fast", "modal"});
  p.add("Sweep tolerance", tolerance, "of Method = fast: largest residual |F - Z u|/|F| of all frequencies", positive());
  p.add("Frequencies", range, "lowest and highest [Hz]", positive());
  p.add("Points", points, "how many frequencies; around modes: between them; between modes: from each to the next, both of them counted",
        between(1, 100000));
  p.add(
      "Spacing", spacing,
      "linear; logarithmic; around modes: linear, with more points at each resonance; between modes: from the lowest frequency to the first mode, from mode to mode, to the highest",
      {"linear", "logarithmic", "around modes", "between modes"});
  p.add("Bias", bias, "between modes: 1: evenly; b > 1: closer to the modes, f = middle + half * sign(x) |x|^(1/b), -1 <= x <= 1",
        between(1, 100));
  StaticCorrection::declare(p, correction);
}

void HarmonicRequest::declare_modes(Parameters &p)
{
  modes.declare(p);
  damping.declare(p);
  check_range(p);
  check_effects(p);
}

void HarmonicRequest::check_range(const Parameters &p) const
{
  if (range.empty())
    p.fail("Frequencies", "a harmonic stage needs its lowest and highest frequency [Hz], e.g. 1, 100");
  if (range.size() != 2 || range[0] > range[1])
    p.fail("Frequencies", "must be two numbers, the lowest and the highest [Hz]");
  if (points == 1 && range[0] != range[1])
    p.fail("Points", "one point has one frequency: make both Frequencies equal, or take more Points");
}

void HarmonicRequest::check_effects(const Parameters &p) const
{
  if (p.given("Bias") && spacing != "between modes")
    p.fail("Bias", "has no effect with this Spacing. Set Spacing = between modes, or remove the entry");
  if (!needs_modes())
    for (const char *entry : {"Modes", "Highest frequency", "Complete interval", "Lowest frequency", "Eigen solver"})
      if (p.given(entry))
        p.fail(entry,
               fmt::format("has no effect: Method = {} with this Spacing looks for no modes. Set Method = modal, or remove the entry",
                           method));
  for (const char *entry : {"Damping ratios", "Rayleigh damping", ModalDamping::motion_entry})
    if (!modal() && p.given(entry))
      p.fail(entry,
             fmt::format(
                 "are of modes and have no effect with Method = {}. Use Structural damping or the section Damping, or set Method = modal",
                 method));
  if (!modal() && p.given("Static correction"))
    p.fail("Static correction", fmt::format("has no effect with Method = {}, which leaves no modes out. Remove the entry", method));
  if (!fast() && p.given("Sweep tolerance"))
    p.fail("Sweep tolerance", fmt::format("has no effect with Method = {}. Set Method = fast, or remove the entry", method));
  if (fast() && periodic())
    p.fail("Waveform",
           "has the forces of each harmonic, and Method = fast is for one force at many frequencies. Set Method = direct or modal");
}

void HarmonicRequest::declare_waveform(Parameters &p)
{
  p.add(
      "Waveform", waveform,
      "two times [s] between which the loads and supports that oscillate go through one period, by their amplitudes; Frequencies are then those of the period, and "
      "what is written is the answer at Waveform terms times of it");
  p.add("Waveform terms", terms, "as many times of the period give its Fourier series", between(2, 10000));
  if (!periodic())
  {
    if (p.given("Waveform terms"))
      p.fail("Waveform terms", "has no effect without Waveform. Remove the entry");
    return;
  }
  if (waveform.size() != 2 || !(waveform[1] > waveform[0]))
    p.fail("Waveform", "must be two times, the start and the end of the period");
  if (moves_base() || !quadrature.empty())
    p.fail("Waveform",
           "is of loads and supports; a base that shakes, and loads out of phase, are harmonic. Give those by their amplitudes");
}

void HarmonicRequest::declare_base(Parameters &p)
{
  p.add("Base acceleration", acceleration, "amplitude of a base that shakes, a component each [m/s²]");
  p.add("Base displacement", displacement, "the same as a displacement [m]");
  p.add("Base frame", frame, "relative: displacements from the moving base; absolute: displacements in space", {"relative", "absolute"});
  if (!acceleration.empty() && !displacement.empty())
    p.fail("Base displacement", "there is a Base acceleration too; give one of the two");
  if (p.given("Base frame") && !moves_base())
    p.fail("Base frame", "has no effect: the base rests. Give Base acceleration or Base displacement, or remove the entry");
  for (const auto &[entry, given] : {std::pair{"Base acceleration", &acceleration}, {"Base displacement", &displacement}})
    if (!given->empty() && std::all_of(given->begin(), given->end(), [](const double value) { return value == 0.; }))
      p.fail(entry, "is zero and has no effect. Remove the entry");
}

HarmonicResponse::HarmonicResponse(const MechanicalSystem &system, const double t, const Vector &q, std::vector<Complex> given,
                                   const Vector &prescribed, const HarmonicRequest &request, const RelaxingStiffness *relaxing)
    : system(system), t(t), q(q), forces(std::move(given)), rest(system.new_vector()), request(request), relaxing(relaxing)
{
  hold_constraints_at_rest(system, t, q);
  check_linear_system(system);
  if (request.moves_base())
    prepare_base();
  if (request.needs_modes())
    prepare_modes();
  if (prescribed.size() > 0)
    drive(std::move(forces.front()), {prescribed, system.new_vector()});
  const bool damped = relaxing || request.damping.structural > 0. || system.has(Feature::damping) ||
                      std::any_of(ratios.begin(), ratios.end(), [](const double zeta) { return zeta > 0.; });
  if (!damped)
    log_warning("this harmonic stage has no damping: at a resonance the amplitudes are without bound");
  make_grid();
  if (request.fast())
    prepare_fast();
}

void HarmonicResponse::prepare_modes()
{
  ModesRequest wanted = request.modes;
  if (request.modal() && request.correction != "no")
    wanted.forces = patterns();
  modes = find_modes(system, t, q, wanted);
  const std::vector<double> given = request.damping.of(modes);
  viscous = modal_damping(system, q, modes, request.modal());
  for (std::size_t i = 0; i < modes.size(); ++i)
    viscous[i] += modes.omega(i) > 0. ? 2. * given[i] * modes.omega(i) : request.damping.of_rigid();
  ratios = damping_ratios(viscous, modes);
  for (std::size_t i = 0; i < modes.size(); ++i)
    ratios[i] += modes.omega(i) > 0. ? 0.5 * request.damping.structural * modes.elastic[i] / modes.squares[i] : 0.;
  if (request.modal() && StaticCorrection::wanted(request.correction, modes))
    correction = std::make_unique<StaticCorrection>(system, t, q, modes, wanted.forces);
  else if (const double highest = request.highest();
           request.modal() && modes.frequency(modes.size() - 1) < 1.5 * highest && modes.size() != modes.free_motions)
    log_warning(fmt::format(
        "the highest of {} modes has {:.6g} Hz, too near to the highest frequency {:g} Hz: what is left out may matter. Ask for more Modes, or set Static "
        "correction = yes",
        modes.size(), modes.frequency(modes.size() - 1), highest));
}

/// What the loads and a base are multiples of at all frequencies, as far as that is known before the modes.
std::vector<Vector> HarmonicResponse::patterns() const
{
  std::vector<Vector> all;
  for (const Complex &force : forces)
    for (const Vector *part : {&force.real, &force.imaginary})
      if (part->l2_norm() > 0.)
        all.push_back(*part);
  if (base.size() > 0 && !request.absolute())
    system.mass(base, all.emplace_back(system.new_vector()));
  return all;
}

void HarmonicResponse::make_grid()
{
  if (request.spacing == "between modes")
    return spread_between_modes();
  const double lowest = request.range[0], highest = request.range[1];
  const int n = request.points;
  for (int k = 0; k < n; ++k)
  {
    const double part = n > 1 ? double(k) / (n - 1) : 0.;
    grid.push_back(request.spacing == "logarithmic" ? lowest * std::pow(highest / lowest, part) : lowest + part * (highest - lowest));
  }
  if (request.spacing == "around modes")
    add_around_modes();
}

/// The rule of *STEADY STATE DYNAMICS (Abaqus Analysis Guide, "Mode-based steady-state dynamic analysis": bias parameter).
void HarmonicResponse::spread_between_modes()
{
  constexpr double apart = 1. + 1e-9;  // of modes whose frequencies differ
  std::vector<double> ends{request.range[0]};
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (const double f = modes.frequency(i); f > apart * ends.back() && f < request.range[1])
      ends.push_back(f);
  ends.push_back(request.range[1]);
  grid.push_back(ends.front());
  const int n = std::max(request.points, 2);
  for (std::size_t i = 1; i < ends.size() && ends.back() > ends.front(); ++i)
    for (int k = 1; k < n; ++k)
    {
      const double x = 2. * k / (n - 1) - 1.;
      grid.push_back(0.5 * (ends[i - 1] + ends[i]) +
                     0.5 * (ends[i] - ends[i - 1]) * std::copysign(std::pow(std::abs(x), 1. / request.bias), x));
    }
}

void HarmonicResponse::add_around_modes()
{
  const double lowest = request.range[0], highest = request.range[1];
  constexpr double least = 1e-3;  // of a resonance without damping
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    const double zeta = std::max(least, ratios[i] + 0.5 * request.damping.structural), peak = modes.frequency(i);
    for (const double offset : {-4., -2., -1., -0.5, 0., 0.5, 1., 2., 4.})  // half the power at zeta
      if (const double f = peak * (1. + offset * zeta); f >= lowest && f <= highest)
        grid.push_back(f);
  }
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
}

HarmonicResponse::Amplitude HarmonicResponse::at(const double frequency) const
{
  const ScopedTimer timer("harmonic");
  const double omega = 2. * dealii::numbers::PI * frequency;
  Amplitude amplitude;
  at_frequency(frequency, [&] {
    if (sweep)
    {
      const std::size_t k = std::lower_bound(grid.begin(), grid.end(), frequency) - grid.begin();
      amplitude.u = sweep->at(0, k);
      amplitude.residual = sweep->residual(0, k);
    }
    else
    {
      const Complex F = driving(omega, forces.front());
      amplitude.u = request.modal() ? modal(omega, F) : direct(omega, {F}, amplitude.krylov).front();
    }
    if (base.size() > 0 && request.absolute())
      amplitude.u.real.add(base_at(omega), base);
    if (carried.real.size() > 0)
    {
      amplitude.u.real += carried.real;
      amplitude.u.imaginary += carried.imaginary;
    }
    for (Vector *x : {&amplitude.u.real, &amplitude.u.imaginary})
      x->update_ghost_values();
    require_finite(amplitude.u.real.l2_norm() + amplitude.u.imaginary.l2_norm());
    amplitude.reactions = dynamic(omega, amplitude.u);
    const Complex loads = applied(omega, forces.front());
    amplitude.reactions.real -= loads.real;
    amplitude.reactions.imaginary -= loads.imaginary;
  });
  return amplitude;
}

void HarmonicResponse::at_frequency(const double frequency, const std::function<void()> &solve)
try
{
  solve();
}
catch (const ComputationError &error)
{
  throw UnsolvedFrequency(fmt::format("harmonic response at {:.6g} Hz: {}", frequency, error.what()));
}

void HarmonicResponse::require_finite(const double size)
{
  if (!std::isfinite(size))
    throw ComputationError(
        "the answer is not finite: a resonance without damping, or a motion that nothing resists. Add damping, take other Frequencies, or hold the structure");
}

void HarmonicResponse::in_phase(const double omega, const Vector &x, Vector &y) const
{
  tangent(stiff(omega, 0.), t, q, x, y);
  Vector inertia = system.new_vector();
  system.mass(x, inertia);
  y.add(-omega * omega, inertia);
}

void HarmonicResponse::across(const double omega, const Vector &x, Vector &y) const
{
  y = 0.;
  if (const double eta = loss_at(omega); eta != 0.)
  {
    stiff(omega, 0.).stiffness(q, x, y);
    y *= eta;
  }
  if (relaxing && omega > 0.)
    add_loss(omega, x, y);
  if (!system.has(Feature::damping))
    return;
  Vector viscous = system.new_vector();
  system.damping_force(q, x, viscous);
  y.add(omega, viscous);
}

/// y += Im K* x
void HarmonicResponse::add_loss(const double omega, const Vector &x, Vector &y) const
{
  Vector part = system.new_vector();
  stiff(omega, 1.).stiffness(q, x, part);
  y += part;
  stiff(omega, 0.).stiffness(q, x, part);
  y -= part;
}

HarmonicResponse::Complex HarmonicResponse::dynamic(const double omega, const Complex &x) const
{
  Complex y = zero();
  Vector part = system.new_vector();
  in_phase(omega, x.real, y.real);
  across(omega, x.imaginary, part);
  y.real -= part;
  in_phase(omega, x.imaginary, y.imaginary);
  across(omega, x.real, part);
  y.imaginary += part;
  return y;
}

HarmonicResponse::Complex HarmonicResponse::modal(const double omega, const Complex &F) const
{
  Complex u = zero();
  if (correction)
    u = {correction->of(F.real), correction->of(F.imaginary)};
  const std::vector<std::complex<double>> y = shares_of(omega, F);
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    u.real.add(y[i].real(), modes.shapes[i]);
    u.imaginary.add(y[i].imag(), modes.shapes[i]);
  }
  return u;
}

std::vector<std::complex<double>> HarmonicResponse::shares_of(const double omega, const Complex &F) const
{
  const std::vector<double> real = modes.project(F.real), imaginary = modes.project(F.imaginary);
  std::vector<std::complex<double>> y;
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    const bool vibrates = modes.kinds[i] == Modes::vibration || modes.kinds[i] == Modes::unstable;
    const double square = vibrates ? modes.squares[i] : 0., elastic = vibrates ? modes.elastic[i] : 0.;
    const std::complex<double> share(real[i], imaginary[i]),
        dynamic_stiffness(square - omega * omega, loss_at(omega) * elastic + viscous[i] * omega);
    const bool free = omega == 0. && !vibrates;
    if (free)
      check_at_rest(i, real[i], F.real);
    else if (vibrates)
      check_resonance(i, share, dynamic_stiffness, F);
    y.push_back(free || dynamic_stiffness == 0. ? 0. : share / dynamic_stiffness);
  }
  return y;
}

void HarmonicResponse::check_resonance(const std::size_t i, const std::complex<double> share, const std::complex<double> dynamic_stiffness,
                                       const Complex &F) const
{
  constexpr double known = 1e-10, driven = 1e-9;  // how well an iteration knows omega² and the shape
  if (std::abs(dynamic_stiffness) <= known * std::abs(modes.squares[i]) &&
      std::abs(share) > driven * modes.shapes[i].l2_norm() * std::hypot(F.real.l2_norm(), F.imaginary.l2_norm()))
    throw ComputationError(fmt::format("this is the resonance of mode {}, without damping. Add damping, or take other Frequencies", i + 1));
}

void HarmonicResponse::check_at_rest(const std::size_t i, const double share, const Vector &F) const
{
  constexpr double rounding = 1e-6;  // of shapes by iteration
  const double most = modes.shapes[i].l2_norm() * F.l2_norm();
  if (std::abs(share) > rounding * most)
    throw InputError(fmt::format(
        "mode {}, a {}, is driven by the mean of the period: by {:.3g} of what a force of its form would. Nothing resists it, and there is no steady answer. Let the "
        "amplitudes have no mean, or hold the structure",
        i + 1, in_words(modes.kinds[i]), std::abs(share) / most));
}
}  // namespace symdyn
