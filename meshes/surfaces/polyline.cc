#include <fmt/format.h>

#include <cmath>

#include "meshes/shapes.h"
#include "meshes/surface.h"
#include "solver/base/number_rows.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
using Place = SurfaceMesh::Place;

/// (1 - t) a + t b [m]
Place between(const Place &a, const Place &b, const double t)
{
  return {(1. - t) * a[0] + t * b[0], (1. - t) * a[1] + t * b[1], (1. - t) * a[2] + t * b[2]};
}

/// Straight segments between corners in space, cut into lines: beams. Groups: line, all of it; segment-1, segment-2, ... Sets of nodes:
/// corner-1, corner-2, ...; of an open one start and end.
class Polyline : public SurfaceShape
{
public:
  void declare(Parameters &p) override
  {
    p.add("Corners", text, "of a polyline: 'x y z; x y z; ...' in order [m]");
    p.add("Closed", closed, "of a polyline: the last corner is joined to the first");
    p.add("Order", order, "of a polyline: 1: lines of two nodes, for beams of Type = B31; 2: of three, for B32", {1, 2});
    if (!p.given("Corners"))
      p.fail("Corners", "a polyline needs its corners: 'x y z; x y z; ...' [m]");
    try
    {
      for (const std::vector<double> &row : rows_of_numbers(text, 3, "corner", "x, y and z [m]"))
        corners.push_back({row[0], row[1], row[2]});
    }
    catch (const InputError &error)
    {
      p.fail("Corners", error.what());
    }
    if (const std::size_t least = closed ? 3 : 2; corners.size() < least)
      p.fail("Corners", fmt::format("a polyline needs {} corners at least{}", least, closed ? " where it is closed" : ""));
    for (std::size_t a = 0; a < corners.size(); ++a)
      for (std::size_t b = a + 1; b < corners.size(); ++b)
        if (corners[a] == corners[b])
          p.fail("Corners",
                 fmt::format("corners {} and {} are at one place. {}", a + 1, b + 1,
                             a == 0 && b + 1 == corners.size() ? "Leave out the last one, and set Closed = yes"
                                                               : "Remove one of them, or draw the branches by beams From and To"));
  }

  SurfaceMesh make(const std::vector<int> &cells) const override
  {
    const std::vector<unsigned int> counts = counts_of(cells);
    SurfaceMesh mesh;
    mesh.groups = {"line"};
    for (const Place &corner : corners)
      mesh.nodes.push_back(corner);
    for (std::size_t s = 0; s < segments(); ++s)
    {
      mesh.groups.push_back(fmt::format("segment-{}", s + 1));
      add_segment(mesh, s, counts[s]);
    }
    for (unsigned int c = 0; c < corners.size(); ++c)
      mesh.sets[fmt::format("corner-{}", c + 1)] = {c};
    if (!closed)
    {
      mesh.sets["start"] = {0};
      mesh.sets["end"] = {static_cast<unsigned int>(corners.size() - 1)};
    }
    return mesh;
  }

private:
  std::size_t segments() const { return corners.size() - (closed ? 0 : 1); }
  std::size_t next(const std::size_t corner) const { return (corner + 1) % corners.size(); }

  std::vector<unsigned int> counts_of(const std::vector<int> &cells) const
  {
    if (cells.empty() || cells.size() == 1)
      return std::vector<unsigned int>(segments(), cells.empty() ? 8 : cells.front());
    if (cells.size() != segments())
      throw InputError(fmt::format("has {} numbers for {} segments. Give one for all, or one for each", cells.size(), segments()));
    return {cells.begin(), cells.end()};
  }

  void add_segment(SurfaceMesh &mesh, const std::size_t segment, const unsigned int count) const
  {
    const Place &from = corners[segment], &to = corners[next(segment)];
    const auto add_node = [&](const double t) {
      mesh.nodes.push_back(between(from, to, t));
      return static_cast<unsigned int>(mesh.nodes.size() - 1);
    };
    unsigned int last = segment;
    for (unsigned int i = 1; i <= count; ++i)
    {
      SurfaceMesh::Line line{{last}, {static_cast<int>(segment) + 1, 0}, "", static_cast<long>(mesh.lines.size()) + 1};
      line.name = fmt::format("line {}", line.number);
      const unsigned int middle = order == 2 ? add_node((i - 0.5) / count) : 0;
      last = i < count ? add_node(double(i) / count) : static_cast<unsigned int>(next(segment));
      line.nodes.push_back(last);
      if (order == 2)
        line.nodes.push_back(middle);
      mesh.lines.push_back(std::move(line));
    }
  }

  std::string text;
  bool closed = false;
  int order = 1;
  std::vector<Place> corners;
};
}  // namespace

SYMDYN_REGISTER(SurfaceShape, Polyline, "polyline");
}  // namespace symdyn
