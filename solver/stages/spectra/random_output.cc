#include <deal.II/base/mpi.h>
#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <utility>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/spectra/random.h"
#include "solver/vibration/quadratic_form.h"
#include "solver/vibration/stress_statistics.h"

// What a random stage writes.
namespace symdyn
{
void RandomStage::write(Analysis &analysis, const std::vector<Column> &columns, const std::vector<Solved> &drives,
                        const std::vector<Together> &pairs, const Shares &shares) const
{
  const std::string hz = hertz(analysis.units);
  std::string text = fmt::format("quantity,unit,rms,upward crossings of zero [{0}],peaks [{0}]", hz);
  for (const Solved &drive : drives)
    text += fmt::format(",rms {0},crossings {0} [{1}]", drive.name, hz);
  text += "\n";
  for (std::size_t k = 0; k < columns.size(); ++k)
  {
    std::string parts;
    for (const Solved &drive : drives)
    {
      const Moments &m = drive.values[k];
      parts += fmt::format(",{},{}", std::sqrt(std::max(0., m[0])), crossings({m[0], m[1]}));
    }
    const Moments sum = together(drives, pairs, shares, k, k);
    const double rms = std::sqrt(std::max(0., sum[0]));
    text += fmt::format("{},{},{},{},{}{}\n", columns[k].name, columns[k].unit, rms, crossings({sum[0], sum[1]}),
                        crossings({sum[1], sum[2]}), parts);
    (*analysis.found)[name]["rms"][columns[k].name] = rms;
  }
  analysis.recorder.file(stem() + ".csv", text);
  log_line(fmt::format("stage {}: {} quantities in {}/{}.csv", name, columns.size(), analysis.recorder.folder(), stem()));
}

std::vector<double> RandomStage::covariance(const std::vector<Solved> &drives, const std::vector<Together> &pairs, const int order) const
{
  const std::size_t modes = drives.front().participation.size(), n = modes + drives.size();
  std::vector<double> C(n * n, 0.);
  for (std::size_t d = 0; d < drives.size(); ++d)
  {
    const Solved &of = drives[d];
    const auto at = [&](const std::size_t i, const std::size_t j) {
      return of.moments.covariance(RandomMoments::displacement, order, i, j);
    };
    for (std::size_t i = 0; i < modes; ++i)
    {
      for (std::size_t j = 0; j < modes; ++j)
        C[i * n + j] += of.participation[i] * of.participation[j] * at(i, j);
      C[i * n + modes + d] = C[(modes + d) * n + i] = of.participation[i] * at(i, modes);
    }
    C[(modes + d) * n + modes + d] = at(modes, modes);
  }
  for (const Together &pair : pairs)
  {
    const std::vector<double> &a = drives[pair.a].participation, &b = drives[pair.b].participation;
    const auto at = [&](const std::size_t i, const std::size_t j) {
      return pair.coherence * pair.moments.covariance(RandomMoments::displacement, order, i, j);
    };
    for (std::size_t i = 0; i < modes; ++i)
    {
      for (std::size_t j = 0; j < modes; ++j)
        C[i * n + j] += (a[i] * b[j] + b[i] * a[j]) * at(i, j);
      for (const auto &[mine, other] : {std::pair{&a, pair.b}, {&b, pair.a}})
      {
        C[i * n + modes + other] += (*mine)[i] * at(i, modes);
        C[(modes + other) * n + i] += (*mine)[i] * at(i, modes);
      }
    }
    C[(modes + pair.a) * n + modes + pair.b] += at(modes, modes);
    C[(modes + pair.b) * n + modes + pair.a] += at(modes, modes);
  }
  return C;
}

Vector RandomStage::rms_displacement(const HeldModes &held, const std::vector<Solved> &drives, const std::vector<double> &C) const
{
  const std::size_t modes = held.modes.size(), n = modes + drives.size();
  Vector rms = held.modes.shapes[0];
  std::vector<double> shares(n);
  for (unsigned int k = 0; k < rms.locally_owned_size(); ++k)
  {
    for (std::size_t i = 0; i < n; ++i)
      shares[i] = (i < modes ? held.modes.shapes[i] : drives[i - modes].residual.u).local_element(k);
    double sum = 0.;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        sum += shares[i] * shares[j] * C[i * n + j];
    rms.local_element(k) = std::sqrt(std::max(0., sum));
  }
  rms.update_ghost_values();
  return rms;
}

void RandomStage::check_stresses(const Analysis &analysis, const LinearQuantities &quantities, const StressSites &sites) const
{
  constexpr double much = 0.01;
  sites.warn_of_beams(name);
  if (yield_stress == 0.)
    return;
  if (!sites.any())
    throw InputError(at("Yield stress") + ": it has no effect, because there are no stresses. Set Stresses = yes, or remove the entry");
  double largest = 0.;
  const std::vector<double> &stress = quantities.stresses_at_rest().stress;
  for (std::size_t k = 0; k < stress.size(); k += StressPoints::components)
    largest = std::max(largest, von_mises(&stress[k]));
  largest = dealii::Utilities::MPI::max(largest, analysis.state.q.get_mpi_communicator());
  if (largest > much * yield_stress)
    log_warning(
        fmt::format("stage {}: the state has a von Mises stress of {:.4g}{} at rest, and `exceedance` is that of the vibration alone. "
                    "Take a Yield stress that is lower by so much",
                    name, largest, Units::after(analysis.units.stress)));
}

void RandomStage::write_stresses(Analysis &analysis, const HeldModes &held, const LinearQuantities &quantities, const Shares &shares,
                                 const std::vector<Solved> &drives, const std::vector<Together> &pairs) const
{
  const StressSites sites(quantities, stresses);
  check_stresses(analysis, quantities, sites);
  const std::vector<double> C = covariance(drives, pairs, 0);
  std::vector<StressSites::Field> fields;
  if (sites.any())
  {
    std::vector<std::vector<double>> values(shares.y.begin(), shares.y.begin() + long(held.modes.size()));
    std::vector<Vector> motions = held.modes.shapes;
    for (const Solved &drive : drives)
    {
      values.push_back(drive.residual.displacement);
      motions.push_back(drive.residual.u);
    }
    const std::vector<std::vector<double>> of_all = sites.of(values, motions);
    const StressStatistics statistics(of_all, C), rates(of_all, covariance(drives, pairs, 1), false);
    StressSites::Field rms{{"rms_stress", StressPoints::components, {}}, analysis.units.stress},
        mises{{"rms_mises", 1, statistics.mean}, analysis.units.stress}, rate{{"mises_rate", 1, {}}, hertz(analysis.units)},
        above{{"exceedance", 1, {}}, ""};
    for (std::size_t site = 0; site < statistics.mean.size(); ++site)
    {
      rms.values.insert(rms.values.end(), statistics.size[site].begin(), statistics.size[site].end());
      rate.values.push_back(crossings({std::pow(statistics.mean[site], 2), std::pow(rates.mean[site], 2)}));
      if (yield_stress > 0.)
        above.values.push_back(exceedance({statistics.form[site].begin(), statistics.form[site].end()}, yield_stress * yield_stress));
    }
    fields = {rms, mises, rate};
    if (yield_stress > 0.)
      fields.push_back(above);
  }
  sites.write(analysis, name, stem(), fields, rms_displacement(held, drives, C));
}

std::vector<double> RandomStage::grid_of(const HeldModes &held, const std::vector<Solved> &drives) const
{
  constexpr int points = 200, around = 16;  // over the range; on either side of a mode, up to four half widths
  double lowest = drives.front().density.front().omega, highest = drives.front().density.back().omega;
  for (const Solved &drive : drives)
  {
    lowest = std::min(lowest, drive.density.front().omega);
    highest = std::max(highest, drive.density.back().omega);
  }
  std::vector<double> grid;
  for (int k = 0; k < points; ++k)
    grid.push_back(std::min(highest, lowest * std::pow(highest / lowest, double(k) / (points - 1))));
  for (std::size_t i = 0; i < held.omega.size(); ++i)
    for (int k = -around; k <= around; ++k)
      if (const double omega = held.omega[i] * (1. + 4. * held.ratios[i] * k / around); omega > lowest && omega < highest)
        grid.push_back(omega);
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  return grid;
}

std::array<std::complex<double>, 3> RandomStage::answer_at(const double omega, const std::size_t quantity, const HeldModes &held,
                                                           const Shares &shares, const Solved &drive) const
{
  using Complex = std::complex<double>;
  Complex displacement = drive.residual.displacement[quantity], rate = 0.,
          acceleration = drive.residual.acceleration[quantity] * (drive.of_base ? 1. : -omega * omega);
  for (std::size_t i = 0; i < held.omega.size(); ++i)
  {
    const double w = held.omega[i];
    const Complex gain(w * w, 2. * held.ratios[i] * w * omega), y = drive.participation[i] / (gain - omega * omega);
    displacement += shares.y[i][quantity] * y;
    rate += shares.rate[i][quantity] * Complex(0., omega) * y;
    acceleration += shares.acceleration[i][quantity] * (drive.of_base ? -gain : -omega * omega) * y;
  }
  return {displacement, rate, acceleration};
}

double RandomStage::density_at(const double omega, const std::size_t quantity, const HeldModes &held, const Shares &shares,
                               const std::vector<Solved> &drives, const std::vector<Together> &pairs) const
{
  std::vector<std::array<std::complex<double>, 3>> answers;
  std::vector<double> G;
  double sum = 0.;
  for (const Solved &drive : drives)
  {
    G.push_back(density_between(drive.density, omega));
    answers.push_back(answer_at(omega, quantity, held, shares, drive));
    for (const std::complex<double> &one : answers.back())
      sum += G.back() * std::norm(one);
  }
  for (const Together &pair : pairs)
    for (std::size_t i = 0; i < 3; ++i)
      sum += 2. * pair.coherence * std::sqrt(G[pair.a] * G[pair.b]) * std::real(answers[pair.a][i] * std::conj(answers[pair.b][i]));
  return sum;
}

void RandomStage::write_densities(Analysis &analysis, const HeldModes &held, const std::vector<Column> &columns, const Shares &shares,
                                  const std::vector<Solved> &drives, const std::vector<Together> &pairs) const
{
  const std::string hz = hertz(analysis.units);
  std::string text = fmt::format("frequency [{}]", hz);
  std::vector<std::size_t> chosen;
  for (const std::string &one : densities)
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns[k].name == one)
      {
        chosen.push_back(k);
        text += fmt::format(",density {}{}", one,
                            columns[k].unit.empty() ? fmt::format(" [1/{}]", hz) : fmt::format(" [({})^2/{}]", columns[k].unit, hz));
      }
  text += "\n";
  for (const double omega : grid_of(held, drives))
  {
    text += fmt::format("{}", omega / (2. * dealii::numbers::PI));
    for (const std::size_t k : chosen)
      text += fmt::format(",{}", density_at(omega, k, held, shares, drives, pairs));
    text += "\n";
  }
  analysis.recorder.file(stem() + "-densities.csv", text);
  log_line(fmt::format("stage {}: power spectral densities in {}/{}-densities.csv", name, analysis.recorder.folder(), stem()));
}
}  // namespace symdyn
