#include "solver/stages/spectra/load_spectra.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
namespace
{
const char *const entry_of_loads = "Load spectra";
}

std::pair<double, std::string> spectrum_with_factor(const Parameters &p, const std::string &entry, const std::string &text)
{
  std::pair<double, std::string> found{1., text};
  if (const std::size_t gap = text.find(' '); gap != std::string::npos)
  {
    const auto value = number_from<double>(text.substr(0, gap));
    if (!value || !(*value > 0.))
      p.fail(entry, fmt::format("'{}' is not a name with a factor > 0 before it, as 0.67 design", text));
    found = {*value, text.substr(text.find_first_not_of(' ', gap))};
  }
  if (const std::string unknown = DesignSpectrum::unknown_name(p.root(), found.second); !unknown.empty())
    p.fail(entry, unknown);
  return found;
}

void LoadSpectra::declare(Parameters &p)
{
  p.add(
      entry_of_loads, named,
      "loads of the deck that are random, each by itself: LOAD: SPECTRUM, with a factor of the amplitude (wind: 0.5 gusts); the section of Spectra is of Type = psd, "
      "and its values are the density of a factor of the load's amplitude [1/Hz]");
}

void LoadSpectra::read(const Parameters &p)
{
  where = p.where(entry_of_loads);
  for (const std::string &one : named)
  {
    const std::size_t colon = one.find(':'), begin = colon == std::string::npos ? colon : one.find_first_not_of(' ', colon + 1);
    if (colon == 0 || begin == std::string::npos)
      p.fail(entry_of_loads, fmt::format("'{}' is not a load and its spectrum. Write LOAD: SPECTRUM, e.g. wind: gusts", one));
    const auto [factor, spectrum] = spectrum_with_factor(p, entry_of_loads, one.substr(begin));
    const std::string load = one.substr(0, one.find_last_not_of(' ', colon - 1) + 1);
    if (std::any_of(all.begin(), all.end(), [&](const Load &other) { return other.name == load; }))
      p.fail(entry_of_loads, fmt::format("names load '{}' twice. Remove one", load));
    used.push_back(spectrum);
    all.push_back({load, factor, DesignSpectrum::read(p.root(), spectrum, DesignSpectrum::Wanted::load_density)});
  }
}

void LoadSpectra::check(const Analysis &analysis) const
{
  for (const Load &load : all)
    resting_load(analysis, where, load.name, "be random", "A base that moves at random is Base spectrum");
}

Vector LoadSpectra::force(const Analysis &analysis, const Load &load) const { return constant_load(analysis, where, load.name); }
}  // namespace symdyn
