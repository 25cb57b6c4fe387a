#include <fmt/format.h>

#include <cmath>

#include "meshes/abaqus/deck.h"
#include "solver/base/names.h"

// *TRANSFORM: nodes whose components are along axes of their own (CalculiX manual, *TRANSFORM).
namespace symdyn::abaqus
{
namespace
{
using Triple = std::array<double, 3>;
Triple cross(const Triple &a, const Triple &b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
double norm(const Triple &a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }
Triple unit(Triple a)
{
  const double length = norm(a);
  for (double &component : a)
    component /= length;
  return a;
}
}  // namespace

std::array<Triple, 3> DeckWriter::axes_from(const Triple &a, const Triple &b)
{
  const Triple e1 = unit(a), e3 = unit(cross(a, b));
  return {e1, cross(e3, e1), e3};
}

void DeckWriter::read_transforms()
{
  for (const Keyword &card : before)
    if (card.name == "TRANSFORM")
    {
      require_options(model.scanner, card, {"NSET", "TYPE"});
      const std::string type = upper(card.option("TYPE"));
      if (!type.empty() && type != "R" && type != "C")
        fail(card.line, "TYPE=" + type, "axes are of TYPE=R (rectangular) or C (cylindrical).");
      const Line &line = only_line(card, "six coordinates, of the points a and b");
      Transform transform{type == "C", {}, card.line};
      for (std::size_t i = 0; i < 6; ++i)
        transform.given[i] = real(line, i, "a coordinate of the points a and b");
      const auto &g = transform.given;
      const Triple a{g[0], g[1], g[2]}, b{g[3], g[4], g[5]}, along{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, normal = cross(a, b);
      constexpr double parallel = 1e-10;
      if (transform.cylindrical ? norm(along) == 0. : !(norm(normal) > parallel * norm(a) * norm(b)))
        fail(line.number, join(line.words),
             transform.cylindrical ? "a and b are one point: they give no axis."
                                   : "a and b are parallel, or one is zero: they span no plane.");
      const Triple third = transform.cylindrical ? along : normal;
      if (dim == 2 && std::hypot(third[0], third[1]) > parallel * norm(third))
        fail(line.number, join(line.words), "the third axis must be the normal of the plane of the body.");
      for (const std::size_t node : model.nodes_named(card))
        transform_of_node[node] = transforms.size();
      transforms.push_back(transform);
    }
}

int DeckWriter::transform_of(const std::size_t node) const
{
  const auto found = transform_of_node.find(node);
  return found == transform_of_node.end() ? -1 : found->second;
}

std::array<Triple, 3> DeckWriter::axes_at(const std::size_t node) const
{
  const int transform = transform_of(node);
  if (transform < 0)
    return {{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
  const auto &[cylindrical, g, line] = transforms[transform];
  const Triple a{g[0], g[1], g[2]}, b{g[3], g[4], g[5]};
  Triple e1 = a, e3 = cross(a, b);
  if (cylindrical)
  {
    e3 = unit({b[0] - a[0], b[1] - a[1], b[2] - a[2]});
    const auto &X = model.mesh.nodes[node];
    Triple r{X[0] - a[0], X[1] - a[1], X[2] - a[2]};
    const double along = r[0] * e3[0] + r[1] * e3[1] + r[2] * e3[2], far = norm(r);
    for (int d = 0; d < 3; ++d)
      e1[d] = r[d] - along * e3[d];
    if (!(norm(e1) > 1e-10 * far))
      fail(line, std::to_string(model.mesh.numbers[node]),
           "this node is on the axis, from which no direction leads away. Leave it out of the set.");
  }
  e1 = unit(e1);
  e3 = unit(e3);
  return {e1, cross(e3, e1), e3};
}

void DeckWriter::write_axes(const std::size_t line, const std::string &path, const int transform)
{
  if (transform < 0)
    return;
  const Transform &axes = transforms[transform];
  add(line, path, "Axes", axes.cylindrical ? "cylindrical" : "rectangular");
  add(line, path, "Axes points", written({axes.given.begin(), axes.given.end()}));
}
}  // namespace symdyn::abaqus
