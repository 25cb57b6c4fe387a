#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/harmonic.h"

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
void check_end(const std::string &where, const std::vector<double> &period, const std::vector<Vector> &samples, const char *what)
{
  constexpr double close = 1e-3;  // amplitudes of .inp files have few digits
  Vector jump = samples.back();
  jump -= samples.front();
  const double largest = largest_of(samples);
  if (const double size = jump.linfty_norm(); size > close * largest)
    throw InputError(fmt::format(
        "{}: Waveform = {:g}, {:g}: {} jump by {:.3g} of their largest value from the end of the period to its start, which no Fourier series follows. Let them end "
        "as they begin",
        where, period[0], period[1], what, size / largest));
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

HarmonicStage::Waveform HarmonicStage::waveform_of(Analysis &analysis) const
{
  const MechanicalSystem &system = analysis.system();
  const State &state = analysis.state;
  const auto &[first, last] = std::pair{request.waveform[0], request.waveform[1]};
  const int n = request.terms;
  const std::vector<std::size_t> oscillating = oscillating_loads(analysis);
  std::vector<double> times;
  std::vector<Vector> forces;
  Vector of_load = system.new_vector();
  for (int j = 0; j <= n; ++j)
  {
    times.push_back(first + (last - first) * j / n);
    forces.push_back(system.new_vector());
    for (const std::size_t i : oscillating)
    {
      system.diagnosis().load_force(i, times[j], state.q, of_load);
      forces.back() += of_load;
    }
  }
  check_end(where, request.waveform, forces, "loads");
  forces.pop_back();
  report_drive(analysis, oscillating, largest_of(forces) == 0.);
  Waveform waveform{fourier(forces), {}};
  waveform.supports = support_waveform(analysis, times, !oscillating.empty());
  if (!request.modal() && waveform.forces.front().real.l2_norm() > 0.)
    if (const std::string free = analysis.structure->free_motions(state.q, analysis.units); !free.empty())
      throw InputError(fmt::format(
          "{}: the loads have a mean in the period, and {}: there is no steady answer. Let the amplitudes have no mean, or add a support",
          where, free));
  log_line(fmt::format("stage {}: a period of {} samples, from t = {:g} to {:g}{}, and its {} harmonics", name, n, first, last,
                       Units::after(analysis.units.time), n / 2));
  return waveform;
}

std::vector<ComplexVector> HarmonicStage::support_waveform(Analysis &analysis, const std::vector<double> &times, const bool loaded) const
{
  if (!SupportProgramme::oscillate(analysis, *this))
    return {};
  std::vector<Vector> motions = analysis.supports.motions_at(analysis, *this, times);
  check_end(where, request.waveform, motions, "supports");
  motions.pop_back();
  if (!loaded && largest_of(motions) == 0.)
    throw InputError(
        fmt::format("{}: the supports that begin in this harmonic stage do not move in its period. Look at their amplitudes", where));
  return fourier(motions);
}

std::string HarmonicStage::period_header(const Analysis &analysis) const
{
  const Structure &structure = *analysis.structure;
  const Units &units = analysis.units;
  std::string text = fmt::format("frequency [{}],time [{}]", hertz(units), units.time);
  for (const Column &column : structure.report_columns(units))
    if (column.kind == Kind::motion)
      text += "," + column.title();
  for (const std::string &column : structure.supports().columns())
    text += fmt::format(",{} [{}]", column, StructureSupports::unit(column, units));
  return text + "\n";
}

void HarmonicStage::answer_period(Analysis &analysis, const double frequency, const long number)
{
  Structure &structure = *analysis.structure;
  Recorder &recorder = analysis.recorder;
  const Units &units = analysis.units;
  const int n = request.terms;
  std::vector<HarmonicResponse::Amplitude> harmonics;
  for (std::size_t k = 0; k < waveform.forces.size(); ++k)
  {
    HarmonicResponse &response = *patterns.front().response;
    response.drive(waveform.forces[k], waveform.supports.empty() ? ComplexVector() : waveform.supports[k]);
    harmonics.push_back(response.at(k * frequency));
    analysis.counts.krylov += harmonics.back().krylov;
  }
  State shown = analysis.state;
  Vector reactions = analysis.system().new_vector();
  for (Vector *x : {&shown.q, &shown.v, &shown.a})
    *x = reactions;
  const std::vector<Column> columns = structure.report_columns(units);
  const std::vector<double> none = structure.report(shown, false);
  for (int m = 0; m < n; ++m)
  {
    add_up(harmonics, frequency, n, m, shown, reactions);
    const double time = m / (n * frequency);
    recorder.print(structure.print(analysis.state, {shown.q, time}, OutputTime{name}));
    const std::vector<double> values = structure.report(shown, false);
    sweep.rows += fmt::format("{},{}", frequency, time);
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].kind == Kind::motion)
        sweep.rows += fmt::format(",{}", values[i] - none[i]);
    for (const double R : structure.supports().sums(reactions))
      sweep.rows += fmt::format(",{}", R);
    sweep.rows += "\n";
    if (recorder.writes_fields())
      sweep.real.emplace_back(sweep.real.size(), recorder.shape(shown.q, fmt::format("{}-{:05d}-{:04d}", stem(), number, m)));
  }
}
}  // namespace symdyn
