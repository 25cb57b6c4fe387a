#pragma once
#include <string>

namespace symdyn
{
/// What the numbers of a column are a part of: columns of one quantity share a scale when results are compared, because one of them may be
/// rounding alone.
struct Quantity
{
  std::string name;  ///< "energy"; "tip.u" of "tip.u_y [m]"; "bead" of "bead.x [m]"
  double least = 0;  ///< the scale is never less: 1 of what would be zero without rounding (constraints, errors of rotations, drift of the
                     ///< symplectic form)
};

/// Of a column of history.csv, spectra.csv, modes-*.csv or harmonic-*.csv, with its unit or without:
///     all energies; the components of a vector; coordinates of a point; F_int and R of a support; g of all constraints, gdot of all;
///     multipliers of one unit.
Quantity quantity_of(const std::string &column);
}  // namespace symdyn
