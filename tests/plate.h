#pragma once
#include "tests/bodies.h"
#include "tests/scheme.h"

namespace symdyn::tests
{
/// A plate of 2 x 3 cells, clamped below.
inline std::string plate(const std::string &mass, const std::string &law, const std::string &more)
{
  return subsection("Mesh", "set Type = box\nset Subdivisions = 2, 3\n" + subsection("box", "set Size = 1, 2\nset Distortion = 0.2")) +
         made_of(law) + subsection("Elements", "set Mass = " + mass) + more;
}
inline const std::string clamp =
    subsection("Supports", subsection("clamp", "set Boundary = y-")) + subsection("Initial conditions", "set Velocity = 0.3*y^2, 0.1*y");
inline const std::string shaker =
    subsection("Supports", subsection("clamp", "set Boundary = y-\nset Type = displacement\nset Displacement = 0.05*sin(3*t)^3, 0"));

inline State plate_run(const Scheme &scheme, const std::string &deck, const double T, const int n)
{
  Body<2> body(deck);
  State state;
  body.solid.initialise(state);
  return scheme.run(body.system(), state, T / n, n);
}

/// Order of q and v at T from the differences of runs with n, 2 n and 4 n steps.
inline double plate_order(const Scheme &scheme, const std::string &deck, const double T, const int n)
{
  const State coarse = plate_run(scheme, deck, T, n), middle = plate_run(scheme, deck, T, 2 * n), fine = plate_run(scheme, deck, T, 4 * n);
  return std::log2(distance(coarse, middle) / distance(middle, fine));
}
}  // namespace symdyn::tests
