#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/contact/contact_term.h"

// Which states and steps a contact admits, and what it reports.
namespace symdyn
{
/// The distance changes by no more than the way, so that a point at the gap g may go on by g without a look at what is between.
double ContactTerm::free_part_of(const Place &x, const Place &w, const double least) const
{
  constexpr double smallest_part = 1e-3;
  const double way = std::sqrt(along(w, w));
  for (double s = 0.;;)
  {
    const double left = gap({x[0] + s * w[0], x[1] + s * w[1], x[2] + s * w[2]}) - least;
    if (!(left > 0.))
      return s;
    if (s == 1.)
      return 1.;
    s = std::min(1., s + std::max(left / way, smallest_part));
  }
}

double ContactTerm::free_part(const Vector &q, const Vector &dq) const
{
  double part = 1.;
  for (const MeshFace &face : pair.faces)
    for (std::size_t point = 0; face.owned && point < face.points(); ++point)
    {
      const Place x = value(face, point, q, true), w = value(face, point, dq, false);
      const double g = gap(x) - least(face);
      if (!(g * g > along(w, w) && g > 0.))
        part = std::min(part, free_part_of(x, w, least(face)));
    }
  return dealii::Utilities::MPI::min(part, space->communicator());
}

std::string ContactTerm::diagnose(const Vector &q) const
{
  bool found = false;
  double deepest = 0, g = 0, bound = 0;
  Place at{};
  for (const MeshFace &face : pair.faces)
    for (std::size_t point = 0; face.owned && point < face.points(); ++point)
    {
      const Place x = value(face, point, q, true);
      const double left = gap(x) - least(face);
      if (left > 0. || (found && left >= deepest))
        continue;
      found = true;
      deepest = left;
      g = gap(x);
      bound = least(face);
      at = x;
    }
  if (!found)
    return "";
  return fmt::format(
      "{} would pass {} at ({:.4g}, {:.4g}, {:.4g}) m: the gap is {:.3g} m there, and contact '{}' admits {:.3g} m. Take smaller steps or "
      "increments, or a stiffer [Contact/{}]",
      pair.surface, pair.against, at[0], at[1], at[2], g, pair.name, bound, pair.name);
}

ContactSums ContactTerm::sums(const Vector &q) const
{
  ContactSums sums;
  for (const MeshFace &face : pair.faces)
    for (std::size_t point = 0; face.owned && point < face.points(); ++point)
    {
      const Place x = value(face, point, q, true);
      Place normal;
      const double g = pair.obstacle->gap(x, normal) + pair.clearance, w = face.dA[point];
      const auto phi = pair.law->at(g);
      if (g < sums.gap)
      {
        sums.gap = g;
        sums.height = face.height;
        sums.at = {};
        const std::size_t nodes = face.nodes.size();
        for (std::size_t a = 0; a < nodes; ++a)
          for (int d = 0; d < n; ++d)
            sums.at[d] += face.shape[point * nodes + a] * face.X[a][d];
      }
      for (int d = 0; d < 3; ++d)
        sums.force[d] -= w * phi[1] * normal[d];
      sums.area += phi[1] < 0. ? w : 0.;
      sums.energy += w * phi[0];
      sums.pressure = std::max(sums.pressure, -phi[1]);
    }
  return sums;
}
}  // namespace symdyn
