#include "elements/couplings/coupling_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "elements/gram/coupled_nodes.h"
#include "elements/gram/director_nodes.h"
#include "elements/gram/linear_geometry.h"
#include "solver/base/names.h"
#include "solver/error.h"

// How a deck describes a coupling, and the nodes that it has.
namespace symdyn
{
void Coupling::declare(const std::string &name, Parameters &p)
{
  called = name;
  deck = p;
  p.add("At", at, "the reference: the name of a point, a node of the mesh, or a place [m]");
  p.add("Boundaries", boundaries, "nodes that are coupled to it: those of boundaries of the mesh");
  p.add("Nodes", names, "the same: points, nodes and sets of nodes of the mesh by name");
  p.add(
      "Type", type,
      "rigid: the nodes move with the reference like a rigid body; distributing: the reference moves as the nodes do on average, and loads "
      "on it spread over them, which deform freely",
      {"rigid", "distributing"});
  p.add("Components", components,
        "of rigid: what of the nodes follows the reference; x, y, z: displacements, rotations: of nodes of beams and shells");
  p.add("Weights", weights, "of distributing: one for each node, in the order of Nodes [-]; left out: all are 1", not_negative());
  held_rotation.declare(p, "of the reference");
  p.add("Angular velocity", angular_velocity,
        "of rigid: that of the reference and of its nodes at t = 0, about x, y, z [rad/s]; its point has the Velocity of the reference");
  p.add(
      "Stiffness", given_stiffness,
      "what holds the directors of the reference of rigid to length 1 and to right angles [N m]; left out: 100 E r R^2, E the largest modulus "
      "of Materials, r and R the root mean square distances of the nodes from their centre and from the reference",
      positive());
  linear = declare_linear(p, "nonlinear, or linear: for small rotations");
  check_entries(p);
}

void Coupling::check_entries(const Parameters &p) const
{
  if (!p.given("At"))
    p.fail("",
           "the coupling has no At. It needs a reference, the name of a point or a place [m], and Boundaries or Nodes that move with it");
  if (boundaries.empty() && names.empty())
    p.fail("", "the coupling has neither Boundaries nor Nodes. Name what is coupled to its reference");
  if (angular_velocity.size() != space)
    p.fail("Angular velocity", "needs 3 components separated by commas");
  if (held_rotation.any() && p.given("Angular velocity"))
    p.fail("Angular velocity", "has no effect, because Rotation holds how the reference turns. Remove one of both");
  for (const char *entry : {"Components", "Stiffness", "Rotation", "Angular velocity"})
    if (!is_rigid() && p.given(entry))
      p.fail(entry, "has no effect with Type = distributing, where the reference follows the nodes. Remove the entry");
  if (is_rigid() && p.given("Weights"))
    p.fail("Weights", "has no effect with Type = rigid. Remove the entry");
  for (const std::string &component : components)
    if (component != "x" && component != "y" && component != "z" && component != "rotations")
      p.fail("Components", fmt::format("'{}' is no component. There are x, y, z and rotations", component));
  if (components.empty())
    p.fail("Components", "is empty, so that nothing would follow. Name some of x, y, z and rotations");
}

void Coupling::plan(SitePlan &plan)
{
  if (plan.mesh().dimension() != space)
    deck->fail("", "couplings are in space. Give a mesh in 3-D, or set Points/Dimension = 3");
  for (int d = 0; d < space; ++d)
    follows[d] = std::count(components.begin(), components.end(), std::string(1, "xyz"[d])) > 0;
  directors_follow = std::count(components.begin(), components.end(), "rotations") > 0;
  reference = plan.shared<PartPlaces>().find(plan, at, "At", *deck);
  find_nodes(plan);
  plan.shared<CoupledNodes>().references.insert(reference.site);
  stiffened = &plan.shared<DirectorNodes>();
  is_rigid() ? plan_rigid(plan) : plan_distributing(plan);
}

std::vector<MeshPoints::Node> Coupling::nodes_named(SitePlan &plan, const std::string &name) const
{
  try
  {
    return plan.mesh().named(std::vector<std::string>{name});
  }
  catch (const InputError &)
  {
    const PartPlaces::End end = plan.shared<PartPlaces>().find(plan, {name}, "Nodes", *deck);
    return {{end.site, end.position}};
  }
}

void Coupling::find_nodes(SitePlan &plan)
{
  std::set<SitePlan::Site> there{reference.site};
  const auto add = [&](const std::vector<MeshPoints::Node> &found, const std::string &from) {
    for (const MeshPoints::Node &node : found)
      if (there.insert(node.number).second)
        nodes.push_back({node.number, node.position, from});
  };
  try
  {
    for (const std::string &name : boundaries)
      add(plan.mesh().on_boundary(name), name);
  }
  catch (const InputError &error)
  {
    deck->fail("Boundaries", error.what());
  }
  try
  {
    add(plan.mesh().named(names), names.empty() ? "" : names.size() > 1 ? "Nodes" : names.front());
  }
  catch (const InputError &)  // some are points
  {
    for (const std::string &name : names)
      add(nodes_named(plan, name), name);
  }
  if (nodes.empty())
    deck->fail("", "there is no node beside the reference itself. Name nodes that are coupled to it");
  if (!weights.empty() && weights.size() != nodes.size())
    deck->fail("Weights", fmt::format("there are {} weights and {} nodes. Give one for each node", weights.size(), nodes.size()));
  if (!weights.empty() && std::all_of(weights.begin(), weights.end(), [](const double w) { return w == 0.; }))
    deck->fail("Weights", "all are zero. Give some node a weight");
}

void Coupling::claim(SitePlan &plan, const SitePlan::Site site, const std::string &what)
{
  const auto [other, is_new] = plan.shared<CoupledNodes>().moved.emplace(site, deck->where(""));
  if (!is_new)
    deck->fail("",
               fmt::format("moves {}, which {} moves, too. A node follows one coupling: take it out of one of both", what, other->second));
}

std::vector<GramVector> Coupling::arms() const
{
  std::vector<GramVector> all;
  for (const Node &node : nodes)
    all.push_back(combination(node.X, -1., reference.position));
  return all;
}

double Coupling::size() const
{
  double largest = 0;
  for (const GramVector &c : arms())
    largest = std::max(largest, norm(c));
  return largest;
}

void Coupling::plan_rigid(SitePlan &plan)
{
  auto &of_plan = plan.shared<DirectorNodes>();
  const double largest = size();
  // In the plane of the nodes first: the director that they give no mass is the normal then, and the inertia added to it is that about all
  // axes of the plane.
  std::vector<GramVector> places;
  for (const Node &node : nodes)
    places.push_back(node.X);
  const AffineMotion motion(std::move(places), std::vector<double>(nodes.size(), 1.));
  for (const GramVector &axis : motion.span())
    of_plan.carry(reference.site, axis);
  for (const Node &node : nodes)
  {
    claim(plan, node.site, fmt::format("a node of '{}'", node.name));
    if (largest > 0.)
      of_plan.carry(reference.site, scaled(1. / largest, combination(node.X, -1., reference.position)));
    if (directors_follow)
      of_plan.carry_all(reference.site, node.site);
    if (directors_follow && all_components())
      plan.shared<CoupledNodes>().led.insert(node.site);
  }
}

void Coupling::plan_distributing(SitePlan &plan)
{
  claim(plan, reference.site, "its reference");
  plan.shared<CoupledNodes>().averaged.insert(reference.site);
  std::vector<GramVector> places;
  for (const Node &node : nodes)
    places.push_back(node.X);
  average.emplace(std::move(places), weights.empty() ? std::vector<double>(nodes.size(), 1.) : weights);
  if (average->rank() < 2)
    deck->fail("", "the nodes lie on a line, or are one: how they turn about it is not determined. Name nodes that span a plane at least");
  constexpr double in_plane = 1e-6;
  const GramVector off = average->outside(combination(reference.position, -1., average->centroid()));
  off_plane = !linear && norm(off) > in_plane * size();
  if (off_plane)
    plan.shared<OffPlaneReferences>().all[reference.site].where = deck->where("At");
  for (const GramVector &axis : average->span())
    plan.shared<DirectorNodes>().carry(reference.site, axis);
}

SYMDYN_REGISTER(StructurePart, Coupling, "Couplings");
}  // namespace symdyn
