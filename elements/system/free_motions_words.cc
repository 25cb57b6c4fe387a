#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/system/free_motions.h"

// Free motions, for errors.
namespace symdyn
{
namespace
{
constexpr double rounding_of_axis = 1e-6;  ///< of motions of unit size

std::string numbers(const Place &x, const int dimension)
{
  std::string text;
  for (int d = 0; d < dimension; ++d)
    text += fmt::format("{}{:.4g}", d > 0 ? ", " : "", x[d]);
  return "(" + text + ")";
}

/// "z", or "(0.6, 0.8, 0)".
std::string direction(Place n, const int dimension)
{
  const double length = std::sqrt(dot(n, n));
  int largest = 0;
  for (int d = 0; d < 3; ++d)
    if (std::abs(n[d]) > (1. + rounding_of_axis) * std::abs(n[largest]))
      largest = d;
  const double sign = n[largest] < 0. ? -1. : 1.;
  for (double &component : n)
    component = std::abs(component) > rounding_of_axis * length ? sign * component / length : 0.;
  return n[largest] > 1. - rounding_of_axis ? std::string(1, "xyz"[largest]) : numbers(n, dimension);
}

/// One motion by its screw axis: w x (x - p) + h w with p = c + w x t/|w|², h = w·t/|w|².
std::string screw(const std::vector<double> &motion, const RigidPart &part, const int dimension, const std::string &unit)
{
  const int rotations = dimension * (dimension - 1) / 2;
  Place w{}, t{}, at = part.centre;
  for (int a = 0; a < rotations; ++a)
    w[dimension == 2 ? 2 : a] = motion[a] / part.size;
  for (int d = 0; d < dimension; ++d)
    t[d] = motion[rotations + d];
  const double square = dot(w, w);
  if (std::sqrt(square) * part.size <= rounding_of_axis)
    return "move along " + direction(t, dimension);
  const Place arm = cross(w, t);
  for (int d = 0; d < 3; ++d)
  {
    at[d] += arm[d] / square;
    at[d] = std::abs(at[d]) > rounding_of_axis * part.size ? at[d] : 0.;
  }
  const double pitch = dot(w, t) / square;
  std::string text = fmt::format("turn about {} through {}{}", direction(w, 3), numbers(at, dimension), unit);
  if (std::abs(pitch) > rounding_of_axis * part.size)
    text += fmt::format(" while it moves along it by {:.4g}{} per radian", pitch, unit);
  return text;
}

std::string of_part(const FreeMotions &free, const std::size_t part, const std::vector<const FreeMotions::Motion *> &motions,
                    const std::string &unit)
{
  const int dimension = free.about().dimension;
  std::vector<std::vector<double>> own;
  for (const auto *motion : motions)
    own.push_back(motion->of_parts[part]);
  own = echelon_form(own, rounding_of_axis);
  const RigidPart &body = free.about().parts[part];
  if (int(own.size()) == dimension * (dimension + 1) / 2)
    return body.name + " may move in every direction: nothing holds it";
  std::string text;
  for (const auto &motion : own)
    text += (text.empty() ? body.name + " may " : " and ") + screw(motion, body, dimension, unit);
  return text;
}

std::string of_points(const FreeMotions &free, const std::vector<const FreeMotions::Motion *> &motions)
{
  const auto &points = free.about().points->points;
  const int n = free.about().dimension;
  for (const auto *motion : motions)
    for (std::size_t k = 0; k < points.size(); ++k)
    {
      Place t{};
      std::copy_n(motion->of_points.begin() + n * k, n, t.begin());
      if (dot(t, t) > rounding_of_axis * rounding_of_axis)
        return fmt::format("point '{}' and what is joined to it may move along {}", points[k].name, direction(t, n));
    }
  return "";
}
}  // namespace

std::string in_words(const FreeMotions &free, const std::vector<const FreeMotions::Motion *> &motions, const std::string &unit)
{
  constexpr int most = 3;
  std::string text;
  int told = 0, left = 0;
  for (std::size_t part = 0; part < free.about().parts.size(); ++part)
    if (const std::string what = of_part(free, part, motions, unit); !what.empty())
    {
      if (told < most)
        text += (told > 0 ? "; " : "") + what;
      ++(told < most ? told : left);
    }
  if (left > 0)
    text += fmt::format("; and {} more parts", left);
  return !text.empty() || motions.empty() ? text : of_points(free, motions);
}
}  // namespace symdyn
