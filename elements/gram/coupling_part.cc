#include "elements/gram/coupling_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "elements/gram/director_term.h"
#include "elements/gram/linear_geometry.h"
#include "elements/gram/stiffest_material.h"
#include "elements/gram/turned_sites.h"
#include "solver/base/names.h"
#include "solver/error.h"

// Couplings: nodes that move with a reference, or a reference that moves with nodes.
namespace symdyn
{
namespace
{
/// Nodes that couplings move, of all couplings of a structure, and where.
struct CoupledNodes
{
  std::map<SitePlan::Site, std::string> moved, turned;  ///< by what; turned: references with a Rotation
  std::set<SitePlan::Site> averaged;                    ///< references of distributing couplings
};
}  // namespace

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
  declare_rotation(p);
  p.add(
      "Stiffness", given_stiffness,
      "what holds the directors of the reference of rigid to length 1 and to right angles [N m]; left out: 100 E r R^2, E the largest modulus "
      "of Materials, r and R the root mean square distances of the nodes from their centre and from the reference",
      positive());
  linear = declare_linear(p, "nonlinear, or linear: for small rotations");
  check_entries(p);
}

void Coupling::declare_rotation(Parameters &p)
{
  p.add("Rotation", rotation,
        "of the reference: the rotation vector [rad], three expressions of t; 0, 0, 0: it does not turn; left out: it is free to turn");
  if (!p.given("Rotation"))
    return;
  if (rotation.size() != space)
    p.fail("Rotation", "needs three components separated by commas, 0, 0, 0 for a reference that does not turn");
  for (const Expression &component : rotation)
    for (const char *variable : {"x", "y", "z"})
      if (component.uses(variable))
        p.fail("Rotation", "depends on t alone");
}

void Coupling::check_entries(const Parameters &p) const
{
  if (!p.given("At"))
    p.fail("",
           "the coupling has no At. It needs a reference, the name of a point or a place [m], and Boundaries or Nodes that move with it");
  if (boundaries.empty() && names.empty())
    p.fail("", "the coupling has neither Boundaries nor Nodes. Name what is coupled to its reference");
  for (const char *entry : {"Components", "Stiffness", "Rotation"})
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
  for (const Node &node : nodes)
  {
    claim(plan, node.site, fmt::format("a node of '{}'", node.name));
    if (largest > 0.)
      of_plan.carry(reference.site, scaled(1. / largest, combination(node.X, -1., reference.position)));
    if (directors_follow)
      of_plan.carry_all(reference.site, node.site);
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
  if (!linear && norm(off) > in_plane * size())
    deck->fail("At",
               fmt::format("lies {:.4g} m off the plane of the nodes, which do not say how it moves in large rotations. Put it into the "
                           "plane, at ({:.6g}, {:.6g}, {:.6g}), and add the moment of the force (Moments), or set Geometry = linear",
                           norm(off), reference.position[0] - off[0], reference.position[1] - off[1], reference.position[2] - off[2]));
  for (const GramVector &axis : average->span())
    plan.shared<DirectorNodes>().carry(reference.site, axis);
}

void Coupling::join(SitePlan &plan)
{
  auto &of_plan = plan.shared<DirectorNodes>();
  if (of_plan.has(reference.site))
  {
    directors = of_plan.directors(plan, reference.site);
    basis = of_plan.basis(reference.site);
    of_elements = of_plan.of_elements(reference.site);
    plan.join(directors);
  }
  for (Node &node : nodes)
    if (directors_follow && is_rigid() && of_plan.has(node.site))
      for (std::size_t i = 0; i < of_plan.directors(plan, node.site).size(); ++i)
      {
        node.directors.emplace_back(of_plan.directors(plan, node.site)[i], of_plan.basis(node.site)[i]);
        of_nodes.push_back(node.directors.back().second);
      }
  check_rotation(plan);
  is_rigid() ? check_rank(plan) : check_average(plan);
  is_rigid() ? relate_rigidly() : relate_on_average();
  for (const Node &node : nodes)  // for pictures and moments
    plan.join({reference.site, node.site});
}

void Coupling::check_rotation(SitePlan &plan) const
{
  for (const char *entry : {"Rotation", "Stiffness"})
    if (deck->given(entry) && directors.empty())
      deck->fail(entry, "has no effect: all nodes stand where the reference is, which has nothing that turns. Remove the entry");
  if (rotation.empty())
    return;
  const auto [other, is_new] = plan.shared<CoupledNodes>().turned.emplace(reference.site, deck->where("Rotation"));
  if (!is_new)
    deck->fail("Rotation", fmt::format("the reference has a Rotation by {}, too. Keep one of both", other->second));
}

void Coupling::check_rank(SitePlan &plan) const
{
  if (plan.shared<CoupledNodes>().averaged.count(reference.site) > 0)
    deck->fail("At", "follows the nodes of a distributing coupling, and cannot lead nodes rigidly. Give another reference");
  constexpr int motions = 6;
  const bool is_place_known = reference.site >= 0 || plan.shared<PartPlaces>().is_point(reference.site);
  std::vector<GramVector> turned = of_nodes;
  if (!rotation.empty())
    turned.insert(turned.end(), {{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}});
  if (of_elements > 0 || rank_of_motions(arms(), follows, turned, is_place_known) == motions)
    return;
  if (all_components())
    deck->fail("",
               "the nodes lie on a line with the reference, or are one: how it turns about the line is not determined. Name nodes that "
               "span a plane, or hold its Rotation");
  deck->fail("Components", fmt::format("{} of these nodes do not determine how the reference moves and turns. Name more components or "
                                       "nodes, or hold its Rotation",
                                       symdyn::join(components)));
}

void Coupling::check_average(SitePlan &) const
{
  constexpr double in_plane = 1e-6;
  for (const GramVector &D : basis)
    if (!linear && norm(average->outside(D)) > in_plane)
      deck->fail(
          "At",
          "a beam or shell there has a director across the plane of the nodes, which do not determine it in large rotations. Set Type "
          "= rigid, or Geometry = linear");
}

void Coupling::add_relation(const SitePlan::Site site, const GramVector &rest, const int component, std::vector<Relation::Share> shares,
                            const std::string &what)
{
  followed.push_back({site, rest, component});
  relations.push_back({fmt::format("{} ({} of {})", called, "xyz"[component], what), deck->where(""), std::move(shares)});
}

void Coupling::relate_rigid_place(const Node &node)
{
  const GramVector c = combination(node.X, -1., reference.position);
  for (int d = 0; d < space; ++d)
    if (follows[d])
    {
      std::vector<Relation::Share> shares{{node.site, d, 1.}, {reference.site, d, -1.}};
      for (std::size_t k = 0; k < basis.size(); ++k)
        if (const double factor = dot(c, basis[k]); factor != 0.)
          shares.push_back({directors[k], d, -factor});
      add_relation(node.site, node.X, d, std::move(shares), node.name);
    }
}

void Coupling::relate_rigidly()
{
  for (const Node &node : nodes)
  {
    relate_rigid_place(node);
    for (const auto &[site, D] : node.directors)
      for (int d = 0; d < space; ++d)
      {
        std::vector<Relation::Share> shares{{site, d, 1.}};
        for (std::size_t k = 0; k < basis.size(); ++k)
          if (const double factor = dot(D, basis[k]); factor != 0.)
            shares.push_back({directors[k], d, -factor});
        add_relation(site, D, d, std::move(shares), "a director of " + node.name);
      }
  }
}

void Coupling::relate_on_average()
{
  std::vector<AffineMotion::Matrix> shares(nodes.size());
  const GramVector off = combination(reference.position, -1., average->centroid());
  for (std::size_t s = 0; s < nodes.size(); ++s)
  {
    shares[s] = average->share(s, off);
    for (int d = 0; d < space; ++d)
      shares[s][d][d] += average->weight(s);
  }
  relate_to_nodes(reference.site, reference.position, shares);
  for (std::size_t k = 0; k < basis.size(); ++k)
  {
    for (std::size_t s = 0; s < nodes.size(); ++s)
      shares[s] = average->share(s, basis[k]);
    relate_to_nodes(directors[k], basis[k], shares);
  }
}

void Coupling::relate_to_nodes(const SitePlan::Site site, const GramVector &rest, const std::vector<AffineMotion::Matrix> &shares)
{
  for (int d = 0; d < space; ++d)
  {
    std::vector<Relation::Share> all{{site, d, 1.}};
    for (std::size_t s = 0; s < nodes.size(); ++s)
      for (int e = 0; e < space; ++e)
        if (const double factor = shares[s][d][e]; factor != 0.)
          all.push_back({nodes[s].site, e, -factor});
    add_relation(site, rest, d, std::move(all), "the reference");
  }
}

double Coupling::stiffness_of_directors() const
{
  if (given_stiffness > 0.)
    return given_stiffness;
  GramVector middle{};
  double of_arms = 0, of_nodes_alone = 0;  // mean squares [m²]
  for (const Node &node : nodes)
    add(1. / double(nodes.size()), node.X, middle);
  for (const Node &node : nodes)
  {
    const GramVector c = combination(node.X, -1., reference.position), about_middle = combination(node.X, -1., middle);
    of_arms += dot(c, c) / double(nodes.size());
    of_nodes_alone += dot(about_middle, about_middle) / double(nodes.size());
  }
  if (of_arms == 0.)
    return 0.;  // directors of nodes alone
  const auto material = stiffest_material(*deck);
  if (!material && of_elements == 0)
    deck->fail("Stiffness", "there is no material from which it follows. Give the entry [N m]");
  constexpr double times_stiffer = 100.;
  return material ? times_stiffer * material->E * std::sqrt(of_nodes_alone > 0. ? of_nodes_alone : of_arms) * of_arms : 0.;
}

void Coupling::add_light(PartInSystem &part)
{
  const std::vector<std::size_t> all = massless_directors(arms(), of_nodes, basis, of_elements);
  light = all.size();
  for (const std::size_t k : all)
  {
    PartInSystem::Light one{directors[k], {}, {}};
    for (const Node &node : nodes)
    {
      const GramVector c = combination(node.X, -1., reference.position), across = combination(c, -dot(c, basis[k]), basis[k]);
      one.nodes.emplace_back(node.site, dot(across, across));
    }
    for (std::size_t other = 0; other < directors.size(); ++other)
      if (other != k)
        one.others.push_back(directors[other]);
    part.light.push_back(std::move(one));
  }
}

PartInSystem Coupling::build(const PlannedSites &sites)
{
  PartInSystem part;
  seen = std::make_unique<PlannedSites>(sites);
  part.relations = std::move(relations);
  part.linear = linear;
  part.not_exact = deck->where("") + ": couplings need elastic directors. Set Elements/Directors = elastic";
  if (!is_rigid() || directors.empty())
    return part;
  add_light(part);
  part.director_nodes = {directors};
  if (const double stiffness = stiffness_of_directors(); stiffness > 0.)
  {
    PlannedElement element;
    element.model = director_model(int(directors.size()), stiffness);
    for (const SitePlan::Site site : directors)
      element.vectors.push_back({{site, 1.}});
    part.directors =
        std::make_shared<DirectorTerm>(std::vector<PlannedElement>{element}, sites, std::vector<GramVector>{reference.position}, linear);
  }
  if (!rotation.empty())
    part.supports.push_back(std::make_shared<TurnedSites>(rotation, directors, sites, linear));
  return part;
}

SYMDYN_REGISTER(StructurePart, Coupling, "Couplings");
}  // namespace symdyn
