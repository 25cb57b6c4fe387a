#include "elements/lumped/ground.h"

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
/// Positions, each coordinate a little off, as no deck has them.
std::vector<double> irregular(const LumpedParts &parts)
{
  double size = 0;
  for (const auto &point : parts.points)
    for (const double x : point.position)
      size = std::max(size, std::abs(x));
  std::vector<double> x;
  for (const auto &point : parts.points)
    for (int d = 0; d < parts.dimension; ++d)
    {
      const double spread = std::sin(1. + 12.9898 * x.size());
      x.push_back(point.position[d] + 0.01 * (size > 0. ? size : 1.) * spread);
    }
  return x;
}

std::vector<double> translation(const LumpedParts &parts, const int direction)
{
  std::vector<double> r;
  for (const auto &point : parts.points)
    for (int d = 0; d < parts.dimension; ++d)
      r.push_back(d == direction && point.director_of < 0 ? 1. : 0.);
  return r;
}

double size_of(const std::vector<double> &x)
{
  double size = 0;
  for (const double entry : x)
    size = std::max(size, std::abs(entry));
  return size;
}

constexpr double ground_rounding = 1e-9;

bool feels(const DiscreteTerm &term, const std::vector<double> &x, const std::vector<double> &r)
{
  // The same term seen by one coordinate alone tells the size of V''.
  std::vector<double> together(x.size(), 0.), alone(x.size(), 0.), one(x.size(), 0.);
  for (std::size_t i = 0; i < x.size(); ++i)
    one[i] = std::cos(1. + 78.233 * i);
  term.add_stiffness(x.data(), r.data(), together.data());
  term.add_stiffness(x.data(), one.data(), alone.data());
  return size_of(together) > ground_rounding * size_of(alone);
}

bool feels(const Constraint &constraint, const std::vector<double> &x, const std::vector<double> &r)
{
  ConstraintRows G;
  constraint.add_row(x.data(), G);
  return std::abs(G.times(0, r)) > ground_rounding * size_of(G.value);
}
}  // namespace

std::string grounded_by(const LumpedParts &parts)
{
  const std::vector<double> x = irregular(parts);
  for (int d = 0; d < parts.dimension; ++d)
  {
    const std::vector<double> r = translation(parts, d);
    for (const auto &term : parts.terms)
      if (term->holds() && (!dynamic_cast<const FormulaPotential *>(term.get()) || feels(*term, x, r)))
        return term->name;
    for (const auto *constraints : {&parts.constraints, &parts.penalties})
      for (const auto &constraint : *constraints)
        if (feels(*constraint, x, r))
          return constraint->name;
  }
  return "";
}
}  // namespace symdyn
