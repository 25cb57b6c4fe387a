#include "solver/harmonic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "solver/error.h"
#include "solver/linear_harmonic.h"
#include "solver/log.h"
#include "solver/parameters.h"
#include "solver/phase.h"

namespace symdyn
{
void HarmonicRequest::declare(Parameters &p)
{
  p.add("Method", method, "direct: the equations of all degrees of freedom; modal: a sum over modes", {"direct", "modal"});
  p.add("Frequencies", range, "lowest and highest [Hz]", positive());
  p.add("Points", points, "how many frequencies; around modes: between them; between modes: from each to the next, both of them counted", between(1, 100000));
  p.add("Spacing", spacing,
        "linear; logarithmic; around modes: linear, with more points at each resonance; between modes: from the lowest frequency to the first mode, from mode to mode, to the highest",
        {"linear", "logarithmic", "around modes", "between modes"});
  p.add("Bias", bias, "between modes: 1: evenly; b > 1: closer to the modes, f = middle + half * sign(x) |x|^(1/b), -1 <= x <= 1", between(1, 100));
  p.add("Loads out of phase", quadrature, "names of those of Loads that are a quarter of a period ahead of the others");
  modes.declare(p);
  damping.declare(p);
  if (range.empty())
    p.fail("Frequencies", "a harmonic stage needs its lowest and highest frequency [Hz], e.g. 1, 100");
  if (range.size() != 2 || range[0] > range[1])
    p.fail("Frequencies", "must be two numbers, the lowest and the highest [Hz]");
  if (p.given("Bias") && spacing != "between modes")
    p.fail("Bias", "has no effect: it is of Spacing = between modes. Remove the entry");
  if (points == 1 && range[0] != range[1])
    p.fail("Points", "one point has one frequency: make both Frequencies equal, or take more Points");
  if (!needs_modes())
    for (const char *entry : {"Modes", "Highest frequency", "Lowest frequency"})
      if (p.given(entry))
        p.fail(entry, "has no effect: Method = direct with this Spacing looks for no modes. Set Method = modal, or remove the entry");
  for (const char *entry : {"Damping ratios", "Rayleigh damping"})
    if (!modal() && p.given(entry))
      p.fail(entry, "are of modes and have no effect with Method = direct. Use Structural damping or the section Damping, or set Method = modal");
}

HarmonicResponse::HarmonicResponse(const MechanicalSystem &system, const double t, const Vector &q, ComplexForce given, const Vector &prescribed, const HarmonicRequest &request)
    : system(system), t(t), q(q), force(std::move(given)), rest(system.new_vector()), request(request)
{
  system.project(force.real);
  system.project(force.imaginary);
  if (request.needs_modes())
  {
    modes = find_modes(system, t, q, request.modes);
    ratios = request.damping.of(modes);
    double coupling = 0;
    const std::vector<double> of_system = damping_ratios(system, q, modes, &coupling);
    for (std::size_t i = 0; i < modes.size(); ++i)
      ratios[i] += of_system[i];
    const std::vector<double> real = modes.project(force.real), imaginary = modes.project(force.imaginary);
    for (std::size_t i = 0; i < modes.size(); ++i)
      loads.emplace_back(real[i], imaginary[i]);
    constexpr double strong = 0.1;
    if (request.modal() && coupling > strong)
      log_warning(fmt::format("the damping of the structure couples its modes ({:.2g} of their own damping); Method = modal takes each alone. Use direct where that matters", coupling));
    if (request.modal() && modes.frequency(modes.size() - 1) < 1.5 * request.range[1] && modes.size() < system.new_vector().size())
      log_warning(fmt::format("the highest of {} modes has {:.6g} Hz, too near to the highest frequency {:g} Hz: what is left out may matter. Ask for more Modes", modes.size(),
                              modes.frequency(modes.size() - 1), request.range[1]));
  }
  const bool damped = request.damping.structural > 0. || system.has(Feature::damping) || std::any_of(ratios.begin(), ratios.end(), [](const double zeta) { return zeta > 0.; });
  if (!damped)
    log_warning("this harmonic stage has no damping: at a resonance the amplitudes are without bound");
  if (prescribed.size() > 0)
    carry(prescribed);
  make_grid();
}

void HarmonicResponse::carry(const Vector &prescribed)
{
  Vector r = system.new_vector(), w = r, Ms = r, Cs = r;
  system.stiffness(q, prescribed, r);
  system.project(r);
  const auto K_solve = system.factor(K, t, q, rest);
  K_solve->solve(r, w, K_solve->tolerance());
  carried = prescribed;
  carried -= w;
  carried.update_ghost_values();
  if (!request.modal())
    return;
  system.mass(carried, Ms);
  if (system.has(Feature::damping))
    system.damping_force(q, carried, Cs);
  Cs.add(request.damping.of_rigid(), Ms);
  system.project(Ms);
  system.project(Cs);
  inertia = modes.project(Ms);
  drag = modes.project(Cs);
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
  std::vector<double> ends{request.range[0]};
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (const double f = modes.frequency(i); f > ends.back() && f < request.range[1])
      ends.push_back(f);
  ends.push_back(request.range[1]);
  grid.push_back(ends.front());
  const int n = std::max(request.points, 2);
  for (std::size_t i = 1; i < ends.size() && ends.back() > ends.front(); ++i)
    for (int k = 1; k < n; ++k)
    {
      const double x = 2. * k / (n - 1) - 1.;
      grid.push_back(0.5 * (ends[i - 1] + ends[i]) + 0.5 * (ends[i] - ends[i - 1]) * std::copysign(std::pow(std::abs(x), 1. / request.bias), x));
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
  const Phase phase("harmonic");
  const double omega = 2. * dealii::numbers::PI * frequency;
  try
  {
    return request.modal() ? modal(omega) : direct(omega);
  }
  catch (const ComputationError &error)
  {
    throw ComputationError(fmt::format("harmonic response at {:.6g} Hz: {}", frequency, error.what()));
  }
}

HarmonicResponse::Amplitude HarmonicResponse::modal(const double omega) const
{
  Amplitude u{system.new_vector(), system.new_vector()};
  const std::vector<std::complex<double>> y = shares(omega);
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    u.real.add(y[i].real(), modes.shapes[i]);
    u.imaginary.add(y[i].imag(), modes.shapes[i]);
  }
  if (carried.size() > 0)
    u.real += carried;
  return u;
}

std::vector<std::complex<double>> HarmonicResponse::shares(const double omega) const
{
  std::vector<std::complex<double>> y;
  const double eta = request.damping.structural;
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    const bool vibrates = modes.kinds[i] == Modes::vibration || modes.kinds[i] == Modes::unstable;
    const double square = vibrates ? modes.squares[i] : 0., c = modes.omega(i) > 0. ? 2. * ratios[i] * modes.omega(i) : request.damping.of_rigid();
    const std::complex<double> load = inertia.empty() ? loads[i] : loads[i] + std::complex<double>(omega * omega * inertia[i], -omega * drag[i]);
    y.push_back(load / std::complex<double>(square - omega * omega, eta * std::abs(square) + c * omega));
  }
  return y;
}

HarmonicResponse::Amplitude HarmonicResponse::direct(const double omega) const
{
  const double eta = request.damping.structural;
  Amplitude u{system.new_vector(), system.new_vector()};
  const auto sum = system.factor(-omega * omega * M + omega * C + (1. + eta) * K, t, q, rest);
  Vector part = system.new_vector();
  ComplexSystem equations;
  equations.A = [&](const Vector &x, Vector &y) {
    system.stiffness(q, x, y);
    system.mass(x, part);
    y.add(-omega * omega, part);
    system.project(y);
  };
  const bool damped = system.has(Feature::damping);
  equations.B = [&](const Vector &x, Vector &y) {
    y = 0.;
    if (eta != 0.)
    {
      system.stiffness(q, x, y);
      y *= eta;
    }
    if (damped)
    {
      system.damping_force(q, x, part);
      y.add(omega, part);
    }
    system.project(y);
  };
  equations.solve_sum = [&](const Vector &x, Vector &y) { sum->solve(x, y, sum->tolerance()); };
  constexpr double tolerance = 1e-10;
  ComplexForce right = force;
  if (carried.size() > 0)
  {
    Vector f = system.new_vector();
    equations.A(carried, f);
    right.real -= f;
    equations.B(carried, f);
    right.imaginary -= f;
  }
  u.krylov = solve_complex(equations, right.real, right.imaginary, tolerance, u.real, u.imaginary);
  if (carried.size() > 0)
    u.real += carried;
  return u;
}
}  // namespace symdyn
