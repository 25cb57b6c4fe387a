#pragma once
#include <string>
#include <utility>
#include <vector>

#include "solver/base/units.h"
#include "solver/parameters.h"

namespace symdyn
{
/// A section of Spectra: the largest answers of oscillators to a motion of their base, over frequency, one curve for each damping ratio.
class DesignSpectrum
{
public:
  /// "": the deck has a section of this name; else what is wrong.
  static std::string unknown_name(const Parameters &root, const std::string &name);
  enum class Wanted
  {
    answers,
    density,      ///< of an acceleration
    load_density  ///< of a factor [1/Hz]
  };
  /// Errors: InputError, also for another kind than is wanted.
  static DesignSpectrum read(const Parameters &root, const std::string &name, Wanted wanted);
  /// The entries of a section, for the deck reference.
  static void document(Parameters p) { DesignSpectrum().declare(p); }

  /// Pseudo-acceleration omega² S_d [units of the deck] at a frequency [Hz]. Errors: InputError outside of the table, and for a damping
  /// ratio that its curves do not have.
  double acceleration(double frequency, double ratio) const;
  /// That at the highest frequency: of what is as good as rigid (zero-period acceleration).
  double rigid_acceleration(double ratio) const;

  /// Of a power spectral density: f [Hz] and G(f), so many that straight lines between them differ from it by 1e-7 [units of the deck,
  /// squared, per Hz]. Errors: InputError for a range outside of the table.
  std::vector<std::pair<double, double>> density(const std::vector<double> &range) const;
  /// Ends of the table [Hz].
  std::pair<double, double> ends() const;

private:
  void declare(Parameters &p);
  void read_file(const Parameters &p);
  /// Curves, and the damping ratios of a first line of titles.
  void read_rows(const Parameters &p);
  double at(const std::vector<double> &curve, double abscissa) const;
  double value(double abscissa, double ratio) const;
  double in_acceleration(double frequency, double value) const;
  bool by_period() const { return abscissa == "period"; }

  std::string name, where, type = "acceleration", file, unit = "m/s2", abscissa = "frequency", interpolation = "log-log", beyond = "error";
  double factor = 1;
  std::vector<double> abscissae;            ///< ascending [Hz], [s]
  std::vector<std::vector<double>> curves;  ///< values there
  std::vector<double> ratios;               ///< of the curves, ascending; empty: one curve, whose damping is not given
};
}  // namespace symdyn
