#pragma once
#include <string>
#include <vector>

#include "solver/base/units.h"

namespace symdyn
{
/// Units of the accelerations in records and spectra.
struct AccelerationUnit
{
  static constexpr double standard_gravity = 9.80665;  ///< [m/s²], 3rd CGPM (1901)
  static std::vector<std::string> names() { return {"m/s2", "g", "cm/s2", "gal", "deck"}; }
  static constexpr const char *help = "m/s2, g (9.80665 m/s2), cm/s2, gal (cm/s2), or deck: the units of the deck";
  /// Metres in the unit of length of the deck; 0: it is not known.
  static double metre_in(const Units &units)
  {
    if (units.length == "m" && units.time == "s")
      return 1.;
    return units.length == "mm" && units.time == "s" ? 1000. : 0.;
  }
  /// A unit of these names in that of the deck; 0: the units of the deck are not known in m and s.
  static double in_deck(const std::string &name, const Units &units)
  {
    return name == "deck" ? 1. : metre_in(units) * (name == "g" ? standard_gravity : name == "m/s2" ? 1. : 0.01);
  }
  static constexpr const char *unknown =
      "the units of the deck (Units/System) are not known in m and s. Set Unit = deck, with values in the units of the deck, or Units/System "
      "= SI or mm-t-s";
};
}  // namespace symdyn
