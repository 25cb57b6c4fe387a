#pragma once
#include <array>
#include <string>
#include <vector>

#include "solver/parameters.h"

namespace symdyn
{
/// What the stages in time of a deck say of steps, which a contact needs to know.
struct StepsOfDeck
{
  explicit StepsOfDeck(const Parameters &any);

  double longest = 0;           ///< h of the stages in time [s]; 0: there is none
  bool begins_at_rest = false;  ///< the first stage is no motion
  bool automatic = false;       ///< some stage has `Time step = auto`
  std::string where_automatic;  ///< file:line of it
  bool without_newton = false;  ///< some scheme takes forces where no Newton iteration has been
  std::string of_middle;        ///< a scheme that takes laws within its steps; "": none
  std::vector<std::string> schemes;
  bool in_time() const { return !schemes.empty(); }
  /// The first of the schemes that uses V''', or "".
  std::string with_third_derivative() const;
  /// The first of the schemes that neither keeps the energy nor takes energy away, or "".
  std::string neither_keeps_nor_damps() const;
};

/// What `Initial conditions` say of these places: "Velocity" [m/s], or "Displacement" [m].
std::vector<Place> initial_values(const std::string &entry, const Parameters &any, const std::vector<Place> &places, int dimension);
}  // namespace symdyn
