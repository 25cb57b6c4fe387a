#pragma once
#include <string>

#include "solver/parameters.h"

namespace symdyn
{
inline const std::string help_of_geometry =
    "nonlinear, or linear: strains are linear in the displacements, for small displacements and rotations";

/// Reads the entry Geometry = nonlinear, linear of a beam or a shell. True: its strains are linear in displacements (GramTerm).
inline bool declare_linear(Parameters &p, const std::string &help = help_of_geometry)
{
  std::string geometry = "nonlinear";
  p.add("Geometry", geometry, help, {"nonlinear", "linear"});
  return geometry == "linear";
}

/// Why a part cannot have exact directors, with the place in the deck; "": it can.
inline std::string refusal_of_exact_directors(const bool linear, const Parameters &p)
{
  for (const Parameters &one : {p, p.root().section("Elements")})
    if (one.given("Director stiffness"))
      return one.where("Director stiffness") + ": has no effect with Elements/Directors = exact, which need no stiffness. Remove the entry";
  return linear ? p.where("Geometry") +
                      ": exact directors keep their length in large rotations, linear strains are for small ones. Set Elements/Directors = "
                      "elastic, or Geometry = nonlinear"
                : "";
}
}  // namespace symdyn
