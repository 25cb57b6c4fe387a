#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/plain_units.h"
#include "solver/error.h"
#include "solver/run/simulation.h"
#include "solver/vibration/modes_table.h"

// Steady vibration under loads and supports that go through a period of any form.
namespace symdyn
{
namespace
{
double largest_of(const std::vector<Vector> &samples)
{
  double largest = 0;
  for (const Vector &sample : samples)
    largest = std::max(largest, double(sample.linfty_norm()));
  return largest;
}

/// c_k = 1/n sum f_j e^{-2 pi i j k/n}, of the samples f_0 ... f_{n-1}, k = 0 ... n/2. Those that are rounding of the samples are zero.
std::vector<ComplexVector> fourier(const std::vector<Vector> &samples)
{
  constexpr double rounding = 1e-13;
  const std::size_t n = samples.size();
  const double largest = largest_of(samples);
  std::vector<ComplexVector> terms;
  for (std::size_t k = 0; k <= n / 2; ++k)
  {
    ComplexVector c{Vector(samples.front().get_partitioner()), Vector(samples.front().get_partitioner())};
    for (std::size_t j = 0; j < n; ++j)
    {
      const double angle = 2. * dealii::numbers::PI * double(j * k % n) / n;
      c.real.add(std::cos(angle) / n, samples[j]);
      c.imaginary.add(-std::sin(angle) / n, samples[j]);
    }
    for (Vector *part : {&c.real, &c.imaginary})
      if (part->linfty_norm() <= rounding * largest)
        *part = 0.;
    terms.push_back(std::move(c));
  }
  return terms;
}

/// The last sample is that of the end of the period: it must be the first.
void check_end(const Stage &stage, const std::vector<Vector> &samples, const char *what)
{
  constexpr double close = 1e-3;  // amplitudes of .inp files have few digits
  Vector jump = samples.back();
  jump -= samples.front();
  const double largest = largest_of(samples);
  if (const double size = jump.linfty_norm(); size > close * largest)
    throw InputError(fmt::format(
        "{}: Waveform = {:g}, {:g}: {} jump by {:.3g} of their largest value from the end of the period to its start, which no Fourier series follows. Let them end "
        "as they begin",
        stage.where, stage.harmonic.waveform[0], stage.harmonic.waveform[1], what, size / largest));
}

/// u(t_m) = sum of w_k Re(u_k e^{2 pi i k m/n}), t_m = m/(n f), m = 0 ... n - 1; w_k = 2, but 1 for k = 0 and k = n/2. So v, a and the
/// forces of supports.
void add_up(const std::vector<HarmonicResponse::Amplitude> &harmonics, const double frequency, const int n, const int m, State &shown,
            Vector &reactions)
{
  for (Vector *x : {&shown.q, &shown.v, &shown.a, &reactions})
  {
    x->zero_out_ghost_values();
    *x = 0.;
  }
  for (std::size_t k = 0; k < harmonics.size(); ++k)
  {
    const double weight = k == 0 || 2 * int(k) == n ? 1. : 2., angle = 2. * dealii::numbers::PI * double(k * m % n) / n,
                 omega = 2. * dealii::numbers::PI * k * frequency;
    const double c = weight * std::cos(angle), s = weight * std::sin(angle);
    const auto &[real, imaginary] = harmonics[k].u;
    shown.q.add(c, real, -s, imaginary);
    shown.v.add(-omega * s, real, -omega * c, imaginary);
    shown.a.add(-omega * omega * c, real, omega * omega * s, imaginary);
    reactions.add(c, harmonics[k].reactions.real, -s, harmonics[k].reactions.imaginary);
  }
  for (Vector *x : {&shown.q, &shown.v, &shown.a})
    x->update_ghost_values();
}
}  // namespace

Simulation::Waveform Simulation::waveform_of(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  const auto &[first, last] = std::pair{stage.harmonic.waveform[0], stage.harmonic.waveform[1]};
  const int n = stage.harmonic.terms;
  const std::vector<std::size_t> loads = oscillating_loads(stage, acting);
  std::vector<double> times;
  std::vector<Vector> forces;
  Vector of_load = system.new_vector();
  for (int j = 0; j <= n; ++j)
  {
    times.push_back(first + (last - first) * j / n);
    forces.push_back(system.new_vector());
    for (const std::size_t i : loads)
    {
      system.load_force(i, times[j], state.q, of_load);
      forces.back() += of_load;
    }
  }
  check_end(stage, forces, "loads");
  forces.pop_back();
  tell_oscillation(stage, loads, largest_of(forces) == 0.);
  Waveform waveform{fourier(forces), {}};
  if (supports_oscillate(stage))
  {
    std::vector<Vector> motions = motions_at(stage, times);
    check_end(stage, motions, "supports");
    motions.pop_back();
    if (loads.empty() && largest_of(motions) == 0.)
      throw InputError(fmt::format("{}: the supports that begin in this harmonic stage do not move in its period. Look at their amplitudes",
                                   stage.where));
    waveform.supports = fourier(motions);
  }
  if (!stage.harmonic.modal() && waveform.forces.front().real.l2_norm() > 0.)
    if (const std::string free = structure->free_motions(state.q, units); !free.empty())
      throw InputError(fmt::format(
          "{}: the loads have a mean in the period, and {}: there is no steady answer. Let the amplitudes have no mean, or add a support",
          stage.where, free));
  log_line(fmt::format("stage {}: a period of {} samples, from t = {:g} to {:g}{}, and its {} harmonics", stage.name, n, first, last,
                       Units::after(units.time), n / 2));
  return waveform;
}

std::string Simulation::waveform_header() const
{
  std::string text = fmt::format("frequency [{}],time [{}]", hertz(units), units.time);
  for (const std::string &column : structure->report_columns(units))
    if (is_motion(column))
      text += "," + with_plain_unit(column);
  for (const std::string &column : structure->support_columns())
    text += fmt::format(",{} [{}]", column, units.force);
  return text + "\n";
}

void Simulation::period_at(const Stage &stage, const double frequency, HarmonicResponse &response, const Waveform &waveform,
                           const std::string &stem, const long number)
{
  const int n = stage.harmonic.terms;
  std::vector<HarmonicResponse::Amplitude> harmonics;
  for (std::size_t k = 0; k < waveform.forces.size(); ++k)
  {
    response.drive(waveform.forces[k], waveform.supports.empty() ? ComplexVector() : waveform.supports[k]);
    harmonics.push_back(response.at(k * frequency));
    krylov_total += harmonics.back().krylov;
  }
  State shown = state;
  Vector reactions = structure->system().new_vector();
  for (Vector *x : {&shown.q, &shown.v, &shown.a})
    *x = reactions;
  const std::vector<std::string> columns = structure->report_columns(units);
  const std::vector<double> none = structure->report(shown, false);
  for (int m = 0; m < n; ++m)
  {
    add_up(harmonics, frequency, n, m, shown, reactions);
    const double time = m / (n * frequency);
    print(structure->print(state, {shown.q, time}, OutputTime{stage.name}));
    const std::vector<double> values = structure->report(shown, false);
    sweep.rows += fmt::format("{:.17g},{:.17g}", frequency, time);
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (is_motion(columns[i]))
        sweep.rows += fmt::format(",{:.17g}", values[i] - none[i]);
    for (const double R : structure->support_sums(reactions))
      sweep.rows += fmt::format(",{:.17g}", R);
    sweep.rows += "\n";
    if (write_every_text != "never")
      sweep.real.emplace_back(sweep.real.size(),
                              structure->write_shape(shown.q, results->folder(), fmt::format("{}-{:05d}-{:04d}", stem, number, m)));
  }
}
}  // namespace symdyn
