#pragma once
#include <string>
#include <vector>

#include "solver/parameters.h"
#include "solver/vector.h"
#include "solver/vibration/design_spectrum.h"

namespace symdyn
{
struct Analysis;

/// "0.67 design": a factor > 0, 1 without one, and the name of a section of Spectra. Errors: InputError.
std::pair<double, std::string> spectrum_with_factor(const Parameters &p, const std::string &entry, const std::string &text);

/// Loads of the deck that are random, each by itself: its amplitude times a random factor of given density [1/Hz].
class LoadSpectra
{
public:
  struct Load
  {
    std::string name;
    double factor;
    DesignSpectrum spectrum;
  };
  void declare(Parameters &p);
  bool given() const { return !named.empty(); }
  /// Once all entries of the stage are declared. Errors: InputError.
  void read(const Parameters &p);
  /// Errors: InputError for loads that there are not, that act already, or that are weights.
  void check(const Analysis &analysis) const;
  const std::vector<Load> &loads() const { return all; }
  const std::vector<std::string> &sections() const { return used; }
  /// The force of a load [N]. Errors: InputError for one that is zero, or changes with time.
  Vector force(const Analysis &analysis, const Load &load) const;

private:
  std::string where;
  std::vector<std::string> named, used;
  std::vector<Load> all;
};
}  // namespace symdyn
