#include "elements/beams/beam_axes.h"

#include <deal.II/base/quadrature_lib.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "elements/beams/beam_part.h"
#include "solver/error.h"

namespace symdyn
{
/// Lagrange functions over (0, 1) times the factors of sites.
class BeamAxes::Shape : public CellShape
{
public:
  explicit Shape(const Line &line) : nodes(line.nodes), slots(line.slots) {}
  void evaluate(const Place &xi, double *N, Place *dN) const override
  {
    const double s = xi[0];
    const bool is_linear = nodes == 2;
    const std::array<double, 3> at = is_linear ? std::array<double, 3>{1. - s, s}
                                               : std::array<double, 3>{(1. - s) * (1. - 2. * s), 4. * s * (1. - s), s * (2. * s - 1.)},
                                slope = is_linear ? std::array<double, 3>{-1., 1.}
                                                  : std::array<double, 3>{4. * s - 3., 4. - 8. * s, 4. * s - 1.};
    for (std::size_t i = 0; i < slots.size(); ++i)
    {
      N[i] = slots[i].factor * at[slots[i].node];
      if (dN)
        dN[i] = {slots[i].factor * slope[slots[i].node], 0., 0.};
    }
  }

private:
  int nodes;
  std::vector<Slot> slots;
};

void BeamAxes::stand_in(SitePlan &plan)
{
  auto &of_plan = plan.shared<FacesOfPlan>();
  others = of_plan.surfaces();
  of_plan.with_beams = this;
}

void BeamAxes::add(Line line) { lines.push_back(std::move(line)); }

std::vector<std::size_t> BeamAxes::lines_named(const std::string &boundary) const
{
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].of.beam == boundary || std::count(lines[i].groups.begin(), lines[i].groups.end(), boundary) > 0)
      found.push_back(i);
  return found;
}

std::optional<BeamAxis> BeamAxes::axis(const std::string &boundary) const
{
  const std::vector<std::size_t> found = lines_named(boundary);
  if (found.empty())
    return {};
  BeamAxis first = lines[found.front()].of;
  for (const std::size_t i : found)
  {
    const BeamAxis &other = lines[i].of;
    if (other.radius != first.radius || other.width != first.width)
      throw InputError(
          fmt::format("'{}' has lines of the beams '{}' and '{}', whose sections differ. Name the beams in contacts of their "
                      "own",
                      boundary, first.beam, other.beam));
    first.E = std::min(first.E, other.E);
    first.rho = std::min(first.rho, other.rho);
  }
  return first;
}

std::pair<std::vector<std::size_t>, std::vector<std::string>> BeamAxes::divide(const std::vector<std::string> &boundaries) const
{
  std::vector<std::size_t> found;
  std::vector<std::string> left;
  for (const std::string &name : boundaries)
  {
    const std::vector<std::size_t> here = lines_named(name);
    found.insert(found.end(), here.begin(), here.end());
    if (here.empty() && !others)
      throw InputError("there is no beam, and no group of lines of beams, '" + name + "'");
    if (here.empty())
      left.push_back(name);
  }
  return {found, left};
}

/// What a pressure moves is the mass of the same nodes.
double BeamAxes::part_of_mass(const std::vector<std::string> &boundaries) const
{
  const auto [found, left] = divide(boundaries);
  return left.empty() ? 1. : others->part_of_mass(left);
}

BoundaryCell BeamAxes::cell_of(const Line &line)
{
  BoundaryCell cell;
  cell.shape = std::make_shared<Shape>(line);
  for (const Slot &slot : line.slots)
  {
    cell.nodes.push_back(slot.site);
    cell.X.push_back(slot.X);
  }
  cell.corners = 2;
  cell.degree = line.nodes - 1;
  cell.directors = int(line.slots.size()) - line.nodes;
  cell.axis[0] = {1., 0., 0.};
  cell.thickness = line.of.width;
  cell.is_axis = true;
  return cell;
}

std::vector<BoundaryCell> BeamAxes::boundary_cells(const std::vector<std::string> &boundaries) const
{
  const auto [found, left] = divide(boundaries);
  std::vector<BoundaryCell> all = left.empty() ? std::vector<BoundaryCell>{} : others->boundary_cells(left);
  for (const std::size_t i : found)
    all.push_back(cell_of(lines[i]));
  return all;
}

MeshFace BeamAxes::face_of(const Line &line, const std::uint64_t number, const int points, const PlannedSites &sites)
{
  constexpr std::uint64_t of_beams = std::uint64_t(1) << 60;
  const BoundaryCell of = cell_of(line);
  MeshFace face;
  face.owned = sites.owns(of.nodes.front());
  face.identity = of_beams + number;
  face.height = line.of.height;
  face.X = of.X;
  for (const SitePlan::Site site : of.nodes)
    face.nodes.push_back(sites.local(site));
  const dealii::QGauss<1> rule(points);
  std::vector<double> N(of.nodes.size());
  std::vector<Place> dN(of.nodes.size());
  for (unsigned int q = 0; q < rule.size(); ++q)
  {
    of.shape->evaluate({rule.point(q)[0], 0., 0.}, N.data(), dN.data());
    Place along{};
    for (std::size_t a = 0; a < N.size(); ++a)
      for (int d = 0; d < 3; ++d)
        along[d] += dN[a][0] * of.X[a][d];
    face.dA.push_back(rule.weight(q) * length(along) * of.thickness);
    face.size += rule.weight(q) * length(along);
    face.shape.insert(face.shape.end(), N.begin(), N.end());
  }
  return face;
}

std::vector<MeshFace> BeamAxes::faces(const std::vector<std::string> &boundaries, const int points, const PlannedSites &sites) const
{
  const auto [found, left] = divide(boundaries);
  std::vector<MeshFace> all = left.empty() ? std::vector<MeshFace>{} : others->faces(left, points, sites);
  for (const std::size_t i : found)
  {
    const auto first = lines[i].slots.begin();
    if (std::any_of(first, first + lines[i].nodes, [&](const Slot &slot) { return sites.owns(slot.site); }))
      all.push_back(face_of(lines[i], i, points, sites));
  }
  return all;
}

/// For contacts, once the element is planned.
void Beam::add_axis(SitePlan &plan, const std::size_t number) const
{
  const BeamCourse::Element &element = course.elements[number];
  const std::vector<SiteSum> &vectors = planned[number].vectors;
  const int nodes = int(element.nodes.size());
  BeamAxes::Line line{section.axis(called), {}, nodes, {}};
  for (const int group : element.groups)
    line.groups.push_back(plan.shared<MeshLines>().mesh().groups[group]);
  for (int a = 0; a < nodes; ++a)
    line.slots.push_back({a, course.places[element.nodes[a]], 1., course.positions[element.nodes[a]]});
  for (int a = 0; a < nodes && section.centroid() != BeamPoint{}; ++a)
    for (int d = 0; d < 2; ++d)
      for (const auto &[site, factor] : vectors[(1 + d) * nodes + a])
        line.slots.push_back({a, site, section.centroid()[d] * factor, plan.appended()[-1 - site].position});
  plan.shared<BeamAxes>().add(std::move(line));
}
}  // namespace symdyn
