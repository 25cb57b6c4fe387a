#pragma once
#include <vector>

#include "elements/beams/beam_section.h"
#include "elements/gram/gram_layout.h"

namespace symdyn
{
/// Points of sections that yield: places along axes 1 and 2 from the centroid [m], weights [m²]. Area and moments of area are exact, but
/// for rounding. Moments of a section that flows all over, about axes 1 and 2, are exact where the neutral line is an axis of symmetry; of
/// a circle they are up to 1.3 % too large about axes between.
using BeamFibres = std::vector<FibrePoint>;

/// Simpson's rule with so many points along each side.
BeamFibres rectangle_fibres(double a, double b, int points);
/// Gauss's rule with 3 points between both radii, and with 4 in each quarter; inner = 0: a full circle.
BeamFibres circle_fibres(double outer, double inner);
/// Walls: Simpson's rule along, three points across.
BeamFibres box_fibres(const BoxSides &box, int points);
BeamFibres i_fibres(const ISides &sides, const BeamPoint &centroid, int points);
}  // namespace symdyn
