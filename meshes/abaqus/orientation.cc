#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *ORIENTATION: axes of a material (CalculiX manual, *ORIENTATION).
namespace symdyn::abaqus
{
const Keyword &DeckWriter::read_orientation(const Keyword &section) const
{
  const std::string name = upper(section.option("ORIENTATION"));
  for (const Keyword &card : before)
    if (card.name == "ORIENTATION" && upper(card.option("NAME")) == name)
    {
      require_options(model.scanner, card, {"NAME", "SYSTEM", "DEFINITION"});
      if (card.has("DEFINITION") && upper(card.option("DEFINITION")) != "COORDINATES")
        fail(card.line, "DEFINITION=" + card.option("DEFINITION"), "is COORDINATES: axes by the points a and b.");
      const std::string system = upper(card.option("SYSTEM"));
      if (!system.empty() && system != "RECTANGULAR" && system != "R")
        fail(card.line, "SYSTEM=" + card.option("SYSTEM"),
             "a material has the same axes everywhere: SYSTEM=RECTANGULAR. Cut the body into parts that have.");
      points_of_axes(card);
      return card;
    }
  fail(section.line, "ORIENTATION=" + section.option("ORIENTATION"), "there is no *ORIENTATION of this name.");
}

/// The points a and b; a second line turns the axes that they give about one of them, by the right-hand rule.
std::vector<double> DeckWriter::points_of_axes(const Keyword &orientation) const
{
  if (orientation.data.empty() || orientation.data.size() > 2)
    fail(
        orientation.line, "*ORIENTATION",
        fmt::format(
            "needs a line with six coordinates, of the points a and b, and may have a second one with an axis (1 to 3) and an angle; it has {} lines.",
            orientation.data.size()));
  const Line &points = orientation.data.front();
  std::vector<double> given;
  for (std::size_t i = 0; i < 6; ++i)
    given.push_back(real(points, i, "a coordinate of the points a and b"));
  return orientation.data.size() == 1 ? given : turned_axes(given, points, orientation.data.back());
}

std::vector<double> DeckWriter::turned_axes(const std::vector<double> &given, const Line &points, const Line &turn) const
{
  const std::array<std::array<double, 3>, 3> e = axes_from({given[0], given[1], given[2]}, {given[3], given[4], given[5]});
  if (!std::isfinite(e[0][0] + e[1][0]))
    fail(points.number, join(points.words), "a and b are parallel, or one is zero: they span no plane.");
  const long axis = model.number(turn, word(turn, 0), "the axis about which the axes turn, 1 to 3,");
  if (axis < 1 || axis > 3)
    fail(turn.number, word(turn, 0), "the axes turn about axis 1, 2 or 3.");
  const double angle = real_or(turn, 1, 0., "the angle in degrees") * std::acos(-1.) / 180., c = std::cos(angle), s = std::sin(angle);
  const std::size_t i = axis % 3, j = (axis + 1) % 3;  // with the axis they make a right-handed set
  std::array<std::array<double, 3>, 3> turned = e;
  for (std::size_t d = 0; d < 3; ++d)
  {
    turned[i][d] = c * e[i][d] + s * e[j][d];
    turned[j][d] = c * e[j][d] - s * e[i][d];
  }
  std::vector<double> first_two(turned[0].begin(), turned[0].end());
  first_two.insert(first_two.end(), turned[1].begin(), turned[1].end());
  return first_two;
}
}  // namespace symdyn::abaqus
