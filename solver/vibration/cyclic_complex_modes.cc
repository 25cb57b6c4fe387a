#include "solver/vibration/cyclic_complex_modes.h"

#include <algorithm>

#include "solver/vibration/cyclic_modes.h"

namespace symdyn
{
namespace
{
double mass_of(const MechanicalSystem &seen, const Vector &x)
{
  Vector Mx = seen.new_vector();
  seen.mass(x, Mx);
  return x * Mx;
}

template <class T>
void append_to(std::vector<T> &all, const std::vector<T> &more)
{
  all.insert(all.end(), more.begin(), more.end());
}
}  // namespace

/// (|f|² - |b|²)/(|f|² + |b|²) of u = f + b: f = ½ (c - i s) travels forward, b = ½ (c + i s) backward. A mode whose lambda is simple is
/// one of both; others are any mixture.
int direction_of_travel(const CyclicMotion &motion, const MechanicalSystem &seen, const ComplexVector &shape)
{
  constexpr double pure = 0.99;
  if (motion.copies() == 1)
    return 0;
  const Vector c = motion.sector(shape.real, 0), c_i = motion.sector(shape.imaginary, 0),
               minus_s = motion.sector(motion.quarter(shape.real), 0), minus_s_i = motion.sector(motion.quarter(shape.imaginary), 0);
  double parts[2];
  for (const int sign : {1, -1})
  {
    Vector real(c), imaginary(c_i);
    for (Vector *one : {&real, &imaginary})
      one->zero_out_ghost_values();
    real.add(-sign, minus_s_i);
    imaginary.add(sign, minus_s);
    parts[sign < 0] = mass_of(seen, real) + mass_of(seen, imaginary);
  }
  const double share = (parts[0] - parts[1]) / (parts[0] + parts[1]);
  return share > pure ? 1 : share < -pure ? -1 : 0;
}

CyclicComplexModes::CyclicComplexModes(const CyclicSector &sector, const MechanicalSystem &seen, const double t, const Vector &q,
                                       const ComplexModesRequest &request, const std::vector<int> &diameters)
{
  all.all = true;
  all.counted = 0.;
  for (const int n : diameters)
  {
    motions.push_back(sector.motion(seen, n));
    const CyclicMotion &motion = *motions.back();
    ComplexModesRequest one = request;
    one.number += motion.copies() == 2 ? request.number % 2 : 0;
    ComplexModes found = find_complex_modes(motion, t, q, one);
    found.diameters.assign(found.size(), n);
    for (const ComplexVector &shape : found.shapes)
      found.directions.push_back(direction_of_travel(motion, seen, shape));
    drop_factors(*motions.back());
    append_to(all.values, found.values);
    append_to(all.kinds, found.kinds);
    append_to(all.residuals, found.residuals);
    append_to(all.balances, found.balances);
    append_to(all.collinearity, found.collinearity);
    append_to(all.diameters, found.diameters);
    append_to(all.directions, found.directions);
    append_to(all.roundings, found.roundings);
    if (!found.all)
    {
      all.all = false;
      all.counted = found.counted < 0. || all.counted < 0. ? -1. : all.counted + found.counted;
      all.below += found.below;
    }
    of_motions.push_back(std::move(found));
  }
}
}  // namespace symdyn
