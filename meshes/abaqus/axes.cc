#include "meshes/abaqus/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "meshes/abaqus/job.h"
#include "solver/base/names.h"

// Axes of nodes (CalculiX manual, *TRANSFORM) and of materials (*ORIENTATION).
namespace symdyn::abaqus
{
Triple cross(const Triple &a, const Triple &b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
double norm(const Triple &a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }
Triple unit(Triple a)
{
  const double length = norm(a);
  for (double &component : a)
    component /= length;
  return a;
}

std::array<Triple, 3> axes_from(const Triple &a, const Triple &b)
{
  const Triple e1 = unit(a), e3 = unit(cross(a, b));
  return {e1, cross(e3, e1), e3};
}

int transform_of(const Job &job, const std::size_t node)
{
  const auto found = job.axes.of_node.find(node);
  return found == job.axes.of_node.end() ? -1 : found->second;
}

std::array<Triple, 3> axes_at(const Job &job, const std::size_t node)
{
  const int transform = transform_of(job, node);
  if (transform < 0)
    return {{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
  const auto &[cylindrical, g, line] = job.axes.transforms[transform];
  const Triple a{g[0], g[1], g[2]}, b{g[3], g[4], g[5]};
  Triple e1 = a, e3 = cross(a, b);
  if (cylindrical)
  {
    e3 = unit({b[0] - a[0], b[1] - a[1], b[2] - a[2]});
    const auto &X = job.model.mesh.nodes[node];
    Triple r{X[0] - a[0], X[1] - a[1], X[2] - a[2]};
    const double along = r[0] * e3[0] + r[1] * e3[1] + r[2] * e3[2], far = norm(r);
    for (int d = 0; d < 3; ++d)
      e1[d] = r[d] - along * e3[d];
    if (!(norm(e1) > 1e-10 * far))
      job.fail(line, std::to_string(job.model.mesh.numbers[node]),
               "this node is on the axis, from which no direction leads away. Leave it out of the set.");
  }
  e1 = unit(e1);
  e3 = unit(e3);
  return {e1, cross(e3, e1), e3};
}

void write_axes(Job &job, const std::size_t line, const std::string &path, const int transform)
{
  if (transform < 0)
    return;
  const Transform &axes = job.axes.transforms[transform];
  job.out.add(line, path, "Axes", axes.cylindrical ? "cylindrical" : "rectangular");
  job.out.add(line, path, "Axes points", written({axes.given.begin(), axes.given.end()}));
}

const Keyword &orientation_of(const Job &job, const std::size_t line, const std::string &named)
{
  const std::string name = upper(named);
  for (const Keyword &card : job.before)
    if (card.name == "ORIENTATION" && upper(card.option("NAME")) == name)
    {
      if (card.has("DEFINITION") && upper(card.option("DEFINITION")) != "COORDINATES")
        job.fail(card.line, "DEFINITION=" + card.option("DEFINITION"), "is COORDINATES: axes by the points a and b.");
      const std::string system = upper(card.option("SYSTEM"));
      if (!system.empty() && system != "RECTANGULAR" && system != "R")
        job.fail(card.line, "SYSTEM=" + card.option("SYSTEM"),
                 "a material has the same axes everywhere: SYSTEM=RECTANGULAR. Cut the body into parts that have.");
      points_of_axes(job, card);
      return card;
    }
  job.fail(line, "ORIENTATION=" + named, "there is no *ORIENTATION of this name.");
}

namespace
{
std::vector<double> turned_axes(const Job &job, const std::vector<double> &given, const Line &points, const Line &turn)
{
  const std::array<Triple, 3> e = axes_from({given[0], given[1], given[2]}, {given[3], given[4], given[5]});
  if (!std::isfinite(e[0][0] + e[1][0]))
    job.fail(points.number, join(points.words), "a and b are parallel, or one is zero: they span no plane.");
  const long axis = job.model.number(turn, job.word(turn, 0), "the axis about which the axes turn, 1 to 3,");
  if (axis < 1 || axis > 3)
    job.fail(turn.number, job.word(turn, 0), "the axes turn about axis 1, 2 or 3.");
  const double angle = job.real_or(turn, 1, 0., "the angle in degrees") * std::acos(-1.) / 180., c = std::cos(angle), s = std::sin(angle);
  const std::size_t i = axis % 3, j = (axis + 1) % 3;  // with the axis they make a right-handed set
  std::array<Triple, 3> turned = e;
  for (std::size_t d = 0; d < 3; ++d)
  {
    turned[i][d] = c * e[i][d] + s * e[j][d];
    turned[j][d] = c * e[j][d] - s * e[i][d];
  }
  std::vector<double> first_two(turned[0].begin(), turned[0].end());
  first_two.insert(first_two.end(), turned[1].begin(), turned[1].end());
  return first_two;
}
}  // namespace

/// The points a and b; a second line turns the axes that they give about one of them, by the right-hand rule.
std::vector<double> points_of_axes(const Job &job, const Keyword &orientation)
{
  if (orientation.data.empty() || (orientation.data.size() > 2 && !orientation.has("LOCAL DIRECTIONS")))
    job.fail(
        orientation.line, "*ORIENTATION",
        fmt::format(
            "needs a line with six coordinates, of the points a and b, and may have a second one with an axis (1 to 3) and an angle; it has {} lines.",
            orientation.data.size()));
  const Line &points = orientation.data.front();
  std::vector<double> given;
  for (std::size_t i = 0; i < 6; ++i)
    given.push_back(job.real(points, i, "a coordinate of the points a and b"));
  return orientation.data.size() == 1 ? given : turned_axes(job, given, points, orientation.data[1]);
}

}  // namespace symdyn::abaqus
