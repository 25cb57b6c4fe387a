#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "elements/contact/contact_part.h"
#include "elements/files/node_files.h"
#include "elements/term_histories.h"
#include "elements/ties/tie_method.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"

// The surfaces of a contact: those that its deck names, and those whose nodes it moves at the start.
namespace symdyn
{
namespace
{
bool is_boundary(const MeshFaces &faces, const std::string &name)
{
  try
  {
    return !faces.boundary_cells({name}).empty();
  }
  catch (const InputError &)
  {
    return false;
  }
}

bool has_one_of(const std::vector<std::int64_t> &nodes, const std::set<std::int64_t> &set)
{
  return std::any_of(nodes.begin(), nodes.end(), [&](const std::int64_t node) { return set.count(node) > 0; });
}
}  // namespace

/// A boundary; `all`, where no boundary has this name; or, first of `Points = nodes`, a set of nodes that has no faces.
void ContactPart::find_boundary(SitePlan &plan, const std::string &name, const Obstacles &obstacles)
{
  if (find_thin(plan, name))
    return;
  std::string fault;
  try
  {
    for (const MeshPoints::Node &node : plan.mesh().on_boundary(name))
      if (obstacle && obstacle->moves)
        plan.join({node.number, obstacle->site});
    return;
  }
  catch (const InputError &error)
  {
    fault = error.what();
  }
  if (name == "all")
  {
    if (!plan.shared<FacesOfPlan>().surfaces())
      deck->fail("Between", "`all` is the surface of solids and shells, and the structure has beams alone. Name them");
    whole = true;
    leaves_beams = plan.shared<FacesOfPlan>().with_beams != nullptr;
    for (const BoundaryCell &cell : obstacle && obstacle->moves ? body->boundary_cells({whole_surface}) : std::vector<BoundaryCell>{})
      for (const std::int64_t node : nodes_on(cell))
        plan.join({node, obstacle->site});
    return;
  }
  if (of_nodes && !obstacle && name == boundaries.front())
    try
    {
      for (const MeshPoints::Node &node : plan.mesh().named(name))
        alone.insert(node.number);
      return;
    }
    catch (const InputError &error)
    {
      fault += fmt::format("; {}", error.what());
    }
  const std::vector<std::string> names = obstacles.names();
  deck->fail("Between", fmt::format("{}; obstacles: {}", fault, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

/// A shell, or a group of its cells; a beam, or a group of its lines.
bool ContactPart::find_thin(SitePlan &plan, const std::string &name) const
{
  const MeshFaces *solid = plan.shared<FacesOfPlan>().of_solid;
  const bool is_beam = axis_of(name).has_value(), is_thin = is_beam || body->has_shell(name);
  if (!solid && name != "all" && !is_thin)
  {
    std::vector<std::string> names = plan.shared<Obstacles>().names();
    for (const char *kind : {"Beams", "Shells"})
      for (const std::string &one : deck->root().section(kind).named_sections())
        names.push_back(one);
    deck->fail("Between", fmt::format("'{}' is neither a shell or a beam, nor a group of them, nor an obstacle. Names of them: {}", name,
                                      symdyn::join(nearest_first(name, names))));
  }
  if (is_thin)
  {
    if (body->has_shell(name) && is_beam)
      deck->fail("Between",
                 fmt::format("'{}' is a shell, or a group of shells, and a beam, or a group of its lines. Give both other names", name));
    if (solid && is_boundary(*solid, name))
      deck->fail("Between", fmt::format("'{}' is a {}, or a group of them, and a boundary of the solid. Give both other names", name,
                                        body->has_shell(name) ? "shell" : "beam"));
    for (const BoundaryCell &cell : obstacle && obstacle->moves ? body->boundary_cells({name}) : std::vector<BoundaryCell>{})
      for (const std::int64_t node : cell.nodes)
        plan.join({node, obstacle->site});
    return true;
  }
  return false;
}

/// As MeshFaces calls them.
std::vector<std::string> ContactPart::in_mesh(std::vector<std::string> names) const
{
  if (whole)
    std::replace(names.begin(), names.end(), std::string("all"), std::string(whole_surface));
  return names;
}

std::vector<BoundaryCell> ContactPart::cells_of(const std::string &name) const
{
  if (alone.empty() || name != boundaries.front())
    return body->boundary_cells(in_mesh({name}));
  std::vector<BoundaryCell> found = body->boundary_cells({whole_surface});
  found.erase(std::remove_if(found.begin(), found.end(), [&](const BoundaryCell &cell) { return !has_one_of(nodes_on(cell), alone); }),
              found.end());
  std::set<std::int64_t> left = alone;
  for (const BoundaryCell &cell : found)
    for (const std::int64_t node : nodes_on(cell))
      left.erase(node);
  if (!left.empty())
    deck->fail("Between",
               fmt::format("{} of the {} nodes of the set '{}' are on no face of the surface of a solid, so that they have no area. "
                           "Take them out of the set",
                           left.size(), alone.size(), name));
  return found;
}

std::vector<MeshFace> ContactPart::faces_of(const PlannedSites &sites) const
{
  if (alone.empty())
    return body->faces(in_mesh(boundaries), points, sites);
  const std::set<int> nodes = sites_alone(sites);
  std::vector<MeshFace> all = body->faces({whole_surface}, points, sites);
  const auto has_none = [&](const MeshFace &face) {
    return std::none_of(face.nodes.begin(), face.nodes.end(), [&](const int site) { return nodes.count(site) > 0; });
  };
  all.erase(std::remove_if(all.begin(), all.end(), has_none), all.end());
  for (MeshFace &face : body->faces({boundaries.back()}, points, sites))
    all.push_back(std::move(face));
  return all;
}

std::set<int> ContactPart::sites_alone(const PlannedSites &sites) const
{
  std::set<int> local;
  for (const std::int64_t node : alone)
    local.insert(sites.local(node));
  local.erase(-1);
  return local;
}

/// Those of the set that are nodes of the first boundary.
std::set<std::int64_t> ContactPart::nodes_to_adjust(const BodySurface &surface, const std::set<std::int64_t> &of_first) const
{
  std::set<std::int64_t> both;
  try
  {
    for (const std::int64_t node : surface.named(adjusted))
      if (of_first.count(node) > 0)
        both.insert(node);
  }
  catch (const InputError &error)
  {
    deck->fail("Adjust nodes", error.what());
  }
  if (both.empty())
    deck->fail("Adjust nodes", fmt::format("'{}' has no node of {}, whose nodes are moved onto {}. Look at the order of Between", adjusted,
                                           between[0], between[1]));
  return both;
}

/// Of the nodes of the first boundary, on faces of the second: within Tolerance, or at any distance for a set of nodes.
std::vector<TiedNode> ContactPart::feet_of(const BodySurface &surface, const std::vector<std::vector<SurfaceFace>> &faces,
                                           const double usual) const
{
  double across = 0;  // more than the distance of any two nodes
  for (const auto &side : faces)
    for (const SurfaceFace &face : side)
      for (const Place &x : face.X)
        across = std::max(across, 2. * length(difference(x, faces[0][0].X[0])));
  const double within = adjusted.empty() ? number_from<double>(tolerance).value_or(usual) : across;
  std::vector<TiedNode> near =
      Registry<TieMethod>::instance().make("nodes")->tie({surface.dimension(), faces[0], faces[1], within, surface.communicator()});
  if (near.empty() && adjusted.empty())
    deck->fail("Start", fmt::format("no node of {} is within Tolerance = {} of {}. Raise Tolerance, or look at the names of the boundaries",
                                    between[0], units.in_length(within), between[1]));
  return near;
}

/// Of a boundary, whose nodes are added to those of the first; or of the surface at a set of nodes that has no faces.
std::vector<SurfaceFace> ContactPart::faces_of(const BodySurface &surface, const std::string &name, std::set<std::int64_t> &of_first) const
{
  const bool is_first = name == between.front();
  try
  {
    std::vector<SurfaceFace> faces = surface.faces({name});
    for (const SurfaceFace &face : faces)
      if (is_first)
        of_first.insert(face.nodes.begin(), face.nodes.end());
    return faces;
  }
  catch (const InputError &)
  {
    if (!is_first || !of_nodes)
      throw;
  }
  const std::vector<std::int64_t> nodes = surface.named(name);
  of_first.insert(nodes.begin(), nodes.end());
  std::vector<SurfaceFace> faces = surface.faces({whole_surface});
  faces.erase(std::remove_if(faces.begin(), faces.end(), [&](const SurfaceFace &face) { return !has_one_of(face.nodes, of_first); }),
              faces.end());
  return faces;
}

/// As tied nodes are: by interpolation on the face that is nearest.
bool ContactPart::adjust(BodySurface &surface)
{
  if (at_begin != "adjust")
  {
    look_at_start(surface);
    return false;
  }
  std::vector<std::vector<SurfaceFace>> faces;
  std::map<std::int64_t, Place> X;
  std::set<std::int64_t> of_first;
  for (const std::string &name : between)
    try
    {
      faces.push_back(faces_of(surface, name, of_first));
      for (const SurfaceFace &face : faces.back())
        for (std::size_t a = 0; a < face.nodes.size(); ++a)
          X[face.nodes[a]] = face.X[a];
    }
    catch (const InputError &error)
    {
      deck->fail("Start", fmt::format("adjust is of two boundaries of solids, and {}", error.what()));
    }
  constexpr double part_of_face = 0.025, same_place = 1e-12;
  if (!adjusted.empty())
    of_first = nodes_to_adjust(surface, of_first);
  const double size = mean_size(faces[0], surface.dimension());
  std::vector<TiedNode> near = feet_of(surface, faces, part_of_face * size);
  near.erase(std::remove_if(near.begin(), near.end(), [&](const TiedNode &one) { return of_first.count(one.node) == 0; }), near.end());
  if (near.empty())
    deck->fail("Adjust nodes",
               fmt::format("no node of '{}' stands before a face of {}. Look at the names of the boundaries", adjusted, between[1]));
  const std::vector<std::pair<std::int64_t, Place>> moved = led_places(near, X);
  double largest = 0;
  for (const auto &[node, x] : moved)
    largest = std::max(largest, length(difference(x, X.at(node))));
  largest_move = std::max(largest_move, largest);
  left = of_first.size() - moved.size();
  if (!(largest > same_place * (size + length(moved.front().second))))
    return false;
  surface.move(moved);
  return true;
}

std::unique_ptr<const SegmentSurface> ContactPart::surface_to_draw(const PlannedSites &sites) const
{
  std::vector<BoundaryCell> all = obstacle ? body->boundary_cells(in_mesh(boundaries)) : std::vector<BoundaryCell>{}, owned;
  for (std::size_t side = 0; side < cells.size(); ++side)
    if (axes[side] || !has_axes())  // beside a beam faces have no points
      all.insert(all.end(), cells[side].begin(), cells[side].end());
  for (const BoundaryCell &cell : all)
  {
    const std::vector<std::int64_t> nodes = nodes_on(cell);
    const bool known = std::all_of(nodes.begin(), nodes.end(), [&](const std::int64_t node) { return sites.local(node) >= 0; });
    if (known && sites.owns(*std::min_element(nodes.begin(), nodes.end())))
      owned.push_back(cell);
  }
  return std::make_unique<const SegmentSurface>(
      owned, [&](const std::int64_t node) { return sites.local(node); }, [](std::int64_t) { return true; });
}
}  // namespace symdyn
