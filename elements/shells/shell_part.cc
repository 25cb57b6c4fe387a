#include "elements/shells/shell_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "elements/gram/group_masses.h"
#include "elements/gram/linear_geometry.h"
#include "elements/gram/mass_choice.h"
#include "elements/gram/planned_mass.h"
#include "elements/gram/surface_sites.h"
#include "elements/shells/drilling.h"
#include "elements/shells/shell_element.h"
#include "elements/space/boundary_names.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"

// How a deck describes a shell, and what it adds to a system.
namespace symdyn
{
namespace
{
/// The largest eigenvalue of A [N/m]: how stiff a section is in its plane.
double largest_stiffness(const ShellSection &section)
{
  constexpr int iterations = 60;
  GramVector v{1., 0.7, 0.4};
  double value = 0;
  for (int i = 0; i < iterations; ++i)
  {
    GramVector w{};
    for (int j = 0; j < 9; ++j)
      w[j / 3] += section.A[j] * v[j % 3];
    value = norm(w);
    v = scaled(1. / value, w);
  }
  return value;
}

/// The larger eigenvalue of As [N/m].
double largest_shear_stiffness(const ShellSection &section)
{
  const auto &As = section.As;
  return 0.5 * (As[0] + As[3] + std::hypot(As[0] - As[3], 2. * As[1]));
}

/// The mean of those that the mesh gives at the nodes of a cell [m]; 0: it gives none at one of them.
double thickness_of_nodes(const SurfaceMesh &mesh, const SurfaceMesh::Cell &cell)
{
  double sum = 0;
  for (const unsigned int node : cell.nodes)
  {
    if (mesh.thicknesses.empty() || mesh.thicknesses[node] == 0.)
      return 0.;
    sum += mesh.thicknesses[node];
  }
  return sum / double(cell.nodes.size());
}

double area_of(const std::vector<GramVector> &rest)
{
  const auto half = [&rest](const int a, const int b, const int c) {
    return 0.5 * norm(cross(combination(rest[b], -1., rest[a]), combination(rest[c], -1., rest[a])));
  };
  if (rest.size() > 8)  // of second order
  {
    double area = 0;
    for (const shells::Point &point : shells::quadratic_cell(rest, {}).points)
      area += point.weight;
    return area;
  }
  return rest.size() == 8 ? half(0, 1, 2) + half(0, 2, 3) : half(0, 1, 2);
}
}  // namespace

void Shell::declare(const std::string &name, Parameters &p)
{
  deck = p;
  called = name;
  p.add("Groups", groups, "groups of triangles or quadrilaterals of the mesh; default: all");
  p.add("Direction", direction, "of angle 0, local axis 1: its projection on the shell [-]; default: along the first edge of each cell");
  p.add("Layer stresses", draws_layers,
        "pictures have the stress (11, 22, 12) at bottom, middle and top of each layer, along the axes of the layer: layer1_bottom, ...");
  p.add("Layer stresses at", reported_places,
        "places [m], three numbers each: history.csv has these stresses of the cells whose middles are nearest, means over each cell");
  linear = declare_linear(p);
  p.add(
      "Stiffness damping", damping,
      "stresses of this times the rate of strain, as Kelvin-Voigt's [s]: 2 zeta/omega for a damping ratio zeta; a rigid motion does not feel it",
      not_negative());
  director_stiffness.declare(
      p,
      "the largest stiffness of the section times the area of a node; where several directors meet, of at least 20 radii of "
      "gyration across");
  section.declare(p);
  refuse_repeated(p, "Groups", groups);
  if (direction.empty() && !section.isotropic())
    p.fail("", "the shell has no Direction, from which the angles of its layers or the axes of its material start. Give one");
  if (!direction.empty() && (direction.size() != 3 || !(norm(axis()) > 0.)))
    p.fail("Direction", "needs three numbers, not all zero");
  if (reported_places.size() % 3 != 0 || (p.given("Layer stresses at") && reported_places.empty()))
    p.fail("Layer stresses at", "needs three numbers for each place");
}

void Shell::check_surface(const ShellSurface &surface) const
{
  if (!surface.exists())
    deck->fail(
        "",
        "there is no surface that could be a shell. Set Structure = discrete and Mesh/Type = plate, cylinder-panel, sphere-panel or file");
  if (!surface.flipped().empty())
    deck->fail("", surface.flipped());
}

void Shell::check_direction(const std::vector<GramVector> &rest, const std::string &cell) const
{
  constexpr double least = 0.01;  // of the projection
  const std::size_t n = rest.size() / 2;
  for (std::size_t a = 0; a < n && !direction.empty(); ++a)
    if (norm(cross(axis(), rest[n + a])) < least * norm(axis()))
      deck->fail("Direction", fmt::format("is along the normal of {}: it has no projection there. Give another", cell));
}

Shell::Cell Shell::planned_cell(SitePlan &plan, ShellSurface &surface, const std::size_t number) const
{
  const SurfaceMesh::Cell &of_mesh = surface.mesh().cells[number];
  Cell cell;
  cell.nodes.reserve(of_mesh.nodes.size());
  cell.rest.reserve(2 * of_mesh.nodes.size());
  GramVector middle{};
  for (const unsigned int node : of_mesh.nodes)
  {
    cell.nodes.push_back(plan.shared<SurfaceSites>()(node));
    cell.rest.push_back(surface.mesh().nodes[node]);
    add(1. / of_mesh.nodes.size(), surface.mesh().nodes[node], middle);
  }
  for (std::size_t a = 0; a < cell.nodes.size(); ++a)
  {
    cell.rest.push_back(surface.normals(number)[a]);
    plan.shared<DirectorNodes>().need_normal(cell.nodes[a], cell.rest.back());
  }
  check_direction(cell.rest, of_mesh.name);
  if (const std::string fault = shell_quality(cell.rest); !fault.empty())
    deck->fail("", fmt::format("{}: {}", of_mesh.name, fault));
  cell.layup = section.at(middle, thickness_of_nodes(surface.mesh(), of_mesh));
  surface.set_faces(number, {cell.layup.offset - 0.5 * cell.layup.thickness, cell.layup.offset + 0.5 * cell.layup.thickness});
  cell.groups = of_mesh.groups;
  cell.number = of_mesh.number;
  return cell;
}

namespace
{
/// A plate of S3 whose sides are so many thicknesses long has 0.92 (17) or 0.21 (170) of its deflection.
void warn_of_thin_triangles(const double width, const std::string &where)
{
  constexpr double tolerable = 20.;
  if (width > tolerable)
    log_warning(
        fmt::format("{}: sides of S3 elements are up to {:.0f} thicknesses long. Thin S3 are too stiff where a plate has two "
                    "curvatures. Use quadrilaterals (S4), or elements of about ten thicknesses",
                    where, width));
}
}  // namespace

void Shell::plan(SitePlan &plan)
{
  auto &surface = plan.shared<ShellSurface>();
  check_surface(surface);
  std::vector<std::size_t> taken;
  double warp = 0, width = 0;  // of triangles, in thicknesses
  try
  {
    taken = surface.take(groups, called);
  }
  catch (const InputError &error)
  {
    deck->fail(groups.empty() ? "" : "Groups", error.what());
  }
  cells.reserve(taken.size());
  for (const std::size_t number : taken)
  {
    cells.push_back(planned_cell(plan, surface, number));
    warp = std::max(warp, shell_warp(cells.back().rest));
    const double of_cell = area_of(cells.back().rest);
    area += of_cell;
    if (cells.back().nodes.size() == 3)
      width = std::max(width, std::sqrt(2. * of_cell) / cells.back().layup.thickness);
  }
  find_reported();
  warn_of_thin_triangles(width, deck->where());
  constexpr double degree = M_PI / 180., tolerable = 10.;
  if (warp > tolerable * degree)
    log_warning(fmt::format("{}: cells are warped by up to {:.0f} degrees, and stiffer than plane ones. Use smaller cells, or triangles",
                            deck->where(), warp / degree));
}

void Shell::join(SitePlan &plan)
{
  if (const std::vector<std::string> left = plan.shared<ShellSurface>().left(); !left.empty())
    deck->fail("", fmt::format("no shell has the cells of group {}. Add a shell with these Groups, or remove the cells from the mesh",
                               ::symdyn::join(left)));
  auto &all = plan.shared<DirectorNodes>();
  heat = HeatedElements::of(plan, section.expansion(), section.heated_stiffness(), linear);
  if (const auto &field = plan.shared<PartTemperatures>().field; field && field->has_gradient() && section.is_bimetal())
    deck->fail("Layers",
               "layers expand differently, and Temperature gives a Gradient: only their mean temperature is known to them. Remove "
               "the Gradient, or mesh the part with solids");
  const bool lumped = plan.shared<MassChoice>().lumped;
  directors_of_cell.reserve(cells.size());
  for (const Cell &cell : cells)
  {
    std::vector<SitePlan::Site> together;
    const std::size_t n = cell.nodes.size();
    directors_of_cell.emplace_back().reserve(n);
    for (std::size_t a = 0; a < n; ++a)
    {
      directors_of_cell.back().push_back(all.sum(plan, cell.nodes[a], cell.rest[n + a]));
      together.push_back(cell.nodes[a]);
      const auto &basis = all.directors(plan, cell.nodes[a]);
      together.insert(together.end(), basis.begin(), basis.end());
    }
    PlannedElement one = element(directors_of_cell.size() - 1);
    for (std::size_t a = 0; a < n; ++a)
      scaled_inertia[cell.nodes[a]] += one.model.lumped[a] * area_of(cell.rest) / 12.;
    plan.join(together);
    plan.shared<GroupMasses>().add(plan, cell.groups, one);
    if (lumped)
      lump_at_nodes(int(n), one.model);
    add_mass(one, int(n), masses);
    plan_drilling(plan, cell, section.section(cell.layup));
  }
  plan_directors(plan);
}

PlannedElement Shell::element(const std::size_t cell) const
{
  const Cell &of = cells[cell];
  PlannedElement one{shell_model(section.section(of.layup), of.rest, axis()), {}};
  one.vectors.reserve(2 * of.nodes.size());
  for (const SitePlan::Site node : of.nodes)
    one.vectors.push_back({{node, 1.}});
  one.vectors.insert(one.vectors.end(), directors_of_cell[cell].begin(), directors_of_cell[cell].end());
  const std::size_t corners = of.nodes.size() > 4 ? of.nodes.size() / 2 : of.nodes.size();
  one.shares_of_temperature.assign(of.nodes.size(), 0.);
  std::fill_n(one.shares_of_temperature.begin(), corners, 1. / double(corners));
  return one;
}

void Shell::plan_drilling(SitePlan &plan, const Cell &cell, const ShellSection &of_cell)
{
  auto &nodes = plan.shared<DirectorNodes>();
  const std::size_t n = cell.nodes.size();
  for (std::size_t a = 0; a < n; ++a)
    if (nodes.can_drill(cell.nodes[a]))
    {
      const ShellDrilling drilling = shell_drilling(of_cell, cell.rest, int(a), area_of(cell.rest) / double(n));
      PlannedElement element{drilling.model, {}};
      for (const SitePlan::Site node : cell.nodes)
        element.vectors.push_back({{node, 1.}});
      for (const GramVector &tangent : drilling.tangents)
        element.vectors.push_back(nodes.sum(plan, cell.nodes[a], tangent));
      planned_drilling.push_back(std::move(element));
      drilled.insert(cell.nodes[a]);
    }
}

double Shell::stiffness_of_directors(SitePlan &plan, const ShellSection &of_cell) const
{
  return director_stiffness.of(largest_stiffness(of_cell), largest_shear_stiffness(of_cell), plan.shared<MassChoice>().lumped);
}

void Shell::plan_directors(SitePlan &plan)
{
  std::map<double, double> of_sections;  // by thickness
  for (const Cell &cell : cells)
  {
    const auto [known, is_new] = of_sections.emplace(cell.layup.thickness, 0.);
    if (is_new)
      known->second = stiffness_of_directors(plan, section.section(cell.layup));
    const double share = area_of(cell.rest) / double(cell.nodes.size());
    for (std::size_t a = 0; a < cell.nodes.size(); ++a)
    {
      Node &node = nodes[cell.nodes[a]];
      node.place = cell.rest[a];
      node.area += share;
      node.gyration = std::max(node.gyration, cell.layup.thickness / std::sqrt(12.));
      node.stiffness += known->second * share;
    }
  }
  for (auto &[site, node] : nodes)
  {
    node.directors = plan.shared<DirectorNodes>().directors(plan, site);
    if (node.directors.size() > 1)
      node.stiffness *= std::max(1., length_of_joint(node.gyration) / std::sqrt(node.area));
    plan.shared<DirectorNodes>().stiffen(site, node.stiffness);
  }
}

std::shared_ptr<DirectorTerm> Shell::build_directors(const PlannedSites &sites)
{
  std::vector<const Node *> in_order;
  std::vector<GramVector> places;
  for (const auto &[site, node] : nodes)
  {
    in_order.push_back(&node);
    places.push_back(node.place);
  }
  const auto planned = [&in_order](const std::size_t i) {
    const Node &node = *in_order[i];
    PlannedElement element{director_model(int(node.directors.size()), node.stiffness), {}};
    for (const SitePlan::Site site : node.directors)
      element.vectors.push_back({{site, 1.}});
    return element;
  };
  return std::make_shared<DirectorTerm>(planned, sites, places, linear);
}

PartInSystem Shell::build(const PlannedSites &sites)
{
  PartInSystem part = std::move(masses);
  part.off_nodes = section.off_nodes();
  part.not_exact = refusal_of_exact_directors(linear, *deck);
  seen = std::make_unique<PlannedSites>(sites);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (sites.owns(cells[i].nodes.front()))
      drawn.push_back(i);
  term = std::make_shared<GramTerm>(
      cells.size(), [this](const std::size_t i) { return element(i); }, sites, damping, linear, section.law(), std::move(heat));
  if (section.law())
    log_line(fmt::format("shell '{}': {}", called, section.description()));
  directors_of_cell = {};
  for (const auto &[site, node] : nodes)
    part.director_nodes.push_back(node.directors);
  for (const auto &[node, inertia] : scaled_inertia)  // in the order of nodes
    part.scaled_inertia.push_back(inertia);
  directors = build_directors(sites);
  nodes = {};
  scaled_inertia = {};
  part.terms = {term};
  if (!planned_drilling.empty())
    part.terms.push_back(std::make_shared<GramTerm>(std::move(planned_drilling), sites, damping, linear));
  planned_drilling = {};
  part.directors = directors;
  part.linear = linear;
  return part;
}

SYMDYN_REGISTER(StructurePart, Shell, "Shells");
}  // namespace symdyn
