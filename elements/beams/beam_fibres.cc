#include "elements/beams/beam_fibres.h"

#include <array>
#include <cmath>

#include "elements/gram/line_rules.h"

namespace symdyn
{
namespace
{
using Rule = std::vector<LinePoint>;

/// A part with sides a, b around a place.
void add_rectangle(const BeamPoint &middle, const double a, const double b, const Rule &along_1, const Rule &along_2, BeamFibres &fibres)
{
  for (const LinePoint &one : along_1)
    for (const LinePoint &other : along_2)
      fibres.push_back({{middle[0] + one.place * a, middle[1] + other.place * b}, one.weight * other.weight * a * b});
}
}  // namespace

BeamFibres rectangle_fibres(const double a, const double b, const int points)
{
  BeamFibres fibres;
  add_rectangle({}, a, b, simpson(points), simpson(points), fibres);
  return fibres;
}

BeamFibres circle_fibres(const double outer, const double inner)
{
  // Gauss's rules of 3 and 4 points over -1..1.
  const double three = std::sqrt(0.6), root = 2. / 7. * std::sqrt(6. / 5.), share = std::sqrt(30.) / 36.;
  const std::array<std::array<double, 2>, 3> radial{{{-three, 5. / 9.}, {0., 8. / 9.}, {three, 5. / 9.}}};
  std::array<std::array<double, 2>, 4> around;
  for (int i = 0; i < 4; ++i)
  {
    const double sign = i < 2 ? -1. : 1., of_root = i == 0 || i == 3 ? 1. : -1.;
    around[i] = {sign * std::sqrt(3. / 7. + of_root * root), 0.5 - of_root * share};
  }
  BeamFibres fibres;
  for (const auto &[r, radial_weight] : radial)
    for (int quarter = 0; quarter < 4; ++quarter)
      for (const auto &[turn, weight] : around)
      {
        const double radius = 0.5 * (outer + inner + r * (outer - inner)), angle = M_PI * (0.5 * quarter + 0.25 * (1. + turn));
        const double area = 0.5 * (outer - inner) * radial_weight * radius * 0.25 * M_PI * weight;
        fibres.push_back({{radius * std::cos(angle), radius * std::sin(angle)}, area});
      }
  return fibres;
}

BeamFibres box_fibres(const BoxSides &box, const int points)
{
  BeamFibres fibres;
  const auto [a, b, t1, t2] = box;
  for (const double side : {-0.5, 0.5})
  {
    add_rectangle({side * (a - t1), 0.}, t1, b, across_wall(), simpson(points), fibres);
    add_rectangle({0., side * (b - t2)}, a - 2. * t1, t2, simpson(points), across_wall(), fibres);
  }
  return fibres;
}

BeamFibres i_fibres(const ISides &sides, const BeamPoint &centroid, const int points)
{
  BeamFibres fibres;
  const auto &[height, width1, width2, flange1, flange2, web] = sides;
  const auto at = [&](const double place) { return BeamPoint{-centroid[0], place - centroid[1]}; };
  add_rectangle(at(0.5 * (flange1 - height)), width1, flange1, simpson(points), across_wall(), fibres);
  add_rectangle(at(0.5 * (height - flange2)), width2, flange2, simpson(points), across_wall(), fibres);
  add_rectangle(at(0.5 * (flange1 - flange2)), web, height - flange1 - flange2, across_wall(), simpson(points), fibres);
  return fibres;
}
}  // namespace symdyn
