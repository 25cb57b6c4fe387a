#include "meshes/abaqus/layers.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "meshes/abaqus/job.h"
#include "meshes/scanner.h"
#include "solver/base/names.h"

namespace symdyn::abaqus
{
namespace
{
using Frame = std::array<Triple, 3>;

Frame frame_of(const Job &job, const std::size_t line, const std::string &orientation)
{
  const std::vector<double> axes = points_of_axes(job, orientation_of(job, line, orientation));
  return axes_from({axes[0], axes[1], axes[2]}, {axes[3], axes[4], axes[5]});
}

double dot(const Triple &a, const Triple &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Triple normal_of(const Job &job, const std::size_t e)
{
  const auto &nodes = job.model.mesh.elements[e].nodes;
  const auto edge = [&](const std::size_t a, const std::size_t b) {
    const auto &from = job.model.mesh.nodes[nodes[a]], &to = job.model.mesh.nodes[nodes[b]];
    return Triple{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  };
  Triple n = cross(edge(0, 1), edge(0, 2));
  for (double &component : n)
    component /= norm(cross(edge(0, 1), edge(0, 2)));
  return n;
}

/// 1 or -1: on which side of the elements axis 3 is. Errors: InputError unless it is along all their normals.
double side_of(const Job &job, const Line &line, const std::vector<std::size_t> &elements, const Triple &axis)
{
  constexpr double parallel = 1e-3;
  const double side = dot(normal_of(job, elements.front()), axis) < 0. ? -1. : 1.;
  for (const std::size_t e : elements)
    if (side * dot(normal_of(job, e), axis) < 1. - parallel)
      job.fail(line.number, job.word(line, 3),
               fmt::format(
                   "axis 3 of the orientation of this layer is not along the normal of element {}, about which layers are turned. Give the "
                   "section one ORIENTATION, and the layers angles.",
                   job.model.mesh.elements[e].number));
  return side;
}

/// From the axis 1 of the first frame to that of the second, about the normals of the elements [degrees].
double angle_between(const Job &job, const Line &line, const std::vector<std::size_t> &elements, const Frame &first, const Frame &second)
{
  const double c = dot(first[0], second[0]), s = dot(cross(first[0], second[0]), first[2]);
  if (s == 0. && c > 0.)
    return 0.;
  side_of(job, line, elements, second[2]);
  return side_of(job, line, elements, first[2]) * std::atan2(s, c) * 180. / M_PI;
}
}  // namespace

void write_layers(Job &job, const Keyword &card, const std::vector<std::size_t> &elements, const std::string &path)
{
  std::optional<Frame> first;
  if (card.has("ORIENTATION"))
    first = frame_of(job, card.line, card.option("ORIENTATION"));
  std::vector<std::string> layers;
  for (const Line &line : card.data)
  {
    const double thickness = job.real(line, 0, "the thickness of a layer");
    if (thickness <= 0.)
      job.fail(line.number, job.word(line, 0), "the thickness of a layer is > 0.");
    job.real_or(line, 1, 0., "the number of points of integration");  // the thickness is integrated exactly
    const std::string axes = job.word(line, 3);
    double angle = 0.;
    if (!axes.empty() && !parse_real(axes, angle))
    {
      const Frame frame = frame_of(job, line.number, axes);
      if (!first)
        first = frame;
      angle = angle_between(job, line, elements, *first, frame);
    }
    layers.push_back(fmt::format("{} {} {}", job.materials.thin.at(upper(job.word(line, 2))).name, written(thickness), written(angle)));
  }
  job.out.add(card.data.front().number, path, "Layers", join(layers, "; "));
  if (first)
    job.out.add(card.line, path, "Direction", written({(*first)[0].begin(), (*first)[0].end()}));
}
}  // namespace symdyn::abaqus
